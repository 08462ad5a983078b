# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Every key that `--json` prints is explained on the page about the command line."""

import json
from pathlib import Path

import pytest
from three_joints import NAMES

from ik_circles import load_arm
from ik_circles.cli.main import main

PAGE = (Path(__file__).parents[2] / 'docs' / 'command_line.md').read_text()
#: Names are keys, too: of joints, and in some answers of robots or methods.
JOINTS = {joint for name in NAMES for joint in load_arm(name).commanded_joints} | {'q1', 'q2', 'q3'}
ASKED = [
    'reach so101 --target 0.9 0.1 0.1',
    'reach so101 --target 0.2 0.1 0.05 --rpy 0 1.5708 0',
    'reach --lengths 0.4 0.3 0.2 --target 0.6 0.2',
    'solve ur5e --target 0.4 0.2 0.3 --quaternion 1 0 0 0',
    'line so101 --from 0.2 0.1 0.1 --to 0.2 0.1 0.2',
    'line so101 --from 0.9 0.1 0.1 --to 0.2 0.1 0.2',
    'workspace so101',
    'methods --lengths 0.4 0.3 0.2 --target 0.6 0.2',
    'methods --lengths 0.4 0.3 --target 0.5 0.2 0.1',
    'methods --lengths 0.4 0.35 --limb 0.25 0.2 --limb 0.2 0.2 --target 0.5 0.8 0.8 0.6',
    'robots',
]


def keys_in(values):
    """The keys of all objects in an answer, at any depth, without names."""
    if isinstance(values, list):
        return {key for one in values for key in keys_in(one)}
    if not isinstance(values, dict):
        return set()
    inside = {key for one in values.values() for key in keys_in(one)}
    return inside | {key for key in values if key not in JOINTS}


@pytest.mark.parametrize('asked', ASKED)
def test_every_key_is_documented(asked, capsys):
    main([*asked.split(), '--json'])
    answer = json.loads(capsys.readouterr().out)
    named = answer if asked == 'robots' else answer.get('methods', {})
    unknown = {key for key in keys_in(answer) - {*named} if f'`{key}`' not in PAGE}
    assert not unknown, f'explain {unknown} in docs/command_line.md'
