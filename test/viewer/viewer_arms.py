# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shipped arms that the viewer's tests use: one for each way an arm can look."""

from pathlib import Path

import pytest

from ik_circles import load_arm

URDF = Path(__file__).resolve().parents[2] / 'urdf'
NAMES = ('planar_3r', 'so101', 'px100', 'ur5e')
TEXTS = {name: (URDF / f'{name}.urdf').read_text() for name in NAMES}
ARMS = {name: load_arm(text) for name, text in TEXTS.items()}

each_arm = pytest.mark.parametrize('name', NAMES)
