# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is seldom met: joints after the three that are no wrist, targets of few kinds, files."""

import math

import numpy as np
import pytest
from robot_texts import THREE, X_AXIS, joint, limit, robot
from three_joints import NAMES, shipped_arm

from ik_circles import InvalidUrdfError, load_arm
from ik_circles.robot.shipped import file_of, shipped

TIP = joint('tip', 5, 't', xyz=(0.1, 0.0, 0.05))


@pytest.mark.parametrize(
    ('kind', 'inner', 'said'),
    [
        ('prismatic', limit(0, 1), 'j4 moves the tip; it is held at 0 m'),
        (
            'revolute',
            limit(-1, 1) + '<mimic joint="j3"/>',
            'j4 follows j3; it is held at 0 rad',
        ),
        ('continuous', '', 'j4 moves the tip by up to 100 mm; it is held at 0 rad'),
        ('revolute', limit(-2, 2), 'j4 moves the tip by up to 100 mm; it is held at 0 rad'),
        ('revolute', limit(-1, 1), 'j4 moves the tip by up to 84.1 mm; it is held at 0 rad'),
        ('revolute', limit(0.1, 0.2), 'j4 moves the tip by up to 9.98 mm; it is held at 0 rad'),
        ('revolute', limit(0, 0), None),
        ('fixed', '', None),
    ],
)
def test_what_is_said_of_joints_behind_one_that_is_no_wrist(kind, inner, said):
    """The tip is 0.05 m beside the axis of j4; where it is held may be outside of its limits."""
    slide = joint('j3', 3, 4, 'prismatic', (0.3, 0, 0), axis=X_AXIS, inner=limit(0, 1))
    last = joint('j4', 4, 5, kind, (0.1, 0, 0), axis=X_AXIS, inner=inner)
    arm = load_arm(robot(*THREE, slide, last, TIP))
    told = [note for note in arm.notes if note.startswith(('j3 ', 'j4 '))]
    assert told[0] == 'j3 is held at 0 m, and is no part of a wrist: it does not turn'
    assert told[1:] == ([said] if said else [])


def test_a_file_is_found_by_its_name_and_by_its_path():
    for name, path in shipped().items():
        assert file_of(name).samefile(path)
        assert file_of(str(path)).samefile(path)
    with pytest.raises(InvalidUrdfError, match='there is no file'):
        file_of('no_robot')


@pytest.mark.parametrize('name', NAMES)
def test_a_place_whose_orientation_cannot_be_kept_in_a_batch(name):
    """The code for one target takes the nearest orientation; what is fixed has no solution."""
    arm, rng = shipped_arm(name), np.random.default_rng(0)
    points = []
    for _ in range(12):
        q = {one: float(np.clip(rng.uniform(-1.0, 1.0), joint.lower, joint.upper))
             for one, joint in arm.joints.items()}  # fmt: skip
        points.append([*arm.forward_kinematics(q)[:3, 3].tolist(), rng.uniform(-math.pi, math.pi)])
    for mode in ('preferred', 'fixed'):
        rows = arm.solve_batch(points, orientation_mode=mode)
        for (*point, phi), row in zip(points, rows):
            one = arm.solve(point, phi, orientation_mode=mode)
            wanted = dict.fromkeys(arm.commanded_joints, math.nan) if one is None else one
            found = dict(zip(arm.commanded_joints, row.tolist()))
            assert found == pytest.approx(wanted, abs=1e-7, nan_ok=True)
        assert np.isnan(rows).any() == (mode == 'fixed')
