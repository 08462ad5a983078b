# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A test run has a ROS domain of its own, and tests the installed package where there is one."""

import os
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / 'scripts'))
from domains import take

ROOT = Path(__file__).resolve().parent.parent
MARKER = Path('share', 'ament_index', 'resource_index', 'packages', 'ik_circles')

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
if os.name == 'posix':  # elsewhere there are no nodes to test
    os.environ['ROS_DOMAIN_ID'] = str(take())

# `python -m pytest` puts the repository's root on the path, whose ik_circles has no msg and srv.
if any(Path(prefix, MARKER).exists() for prefix in os.getenv('AMENT_PREFIX_PATH', '').split(':')):
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != ROOT]


@pytest.fixture
def drawing(monkeypatch):
    """Pictures with coarse maps: what tests read off them does not depend on it."""
    module = pytest.importorskip('ik_circles.pictures.drawing', reason='the extra plot draws')
    monkeypatch.setattr(module, 'CELLS', 51)
    monkeypatch.setattr(module, 'CELLS_IN_SLICE', 51)
    return module


@pytest.fixture
def saved(drawing, monkeypatch):
    """The figures that a command saves, without their files: a file takes ten times as long."""
    from matplotlib.figure import Figure

    figures = []
    monkeypatch.setattr(Figure, 'savefig', lambda figure, *_, **__: figures.append(figure))
    return figures
