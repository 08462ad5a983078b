# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Forward and inverse kinematics: order and symmetry of solutions, and cases by hand."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import angle_between, tip

from ik_circles import InvalidArmError, PlanarArm


def test_two_solutions_have_the_elbow_up_then_down():
    rng = np.random.default_rng(0)
    for _ in range(cases(1000)):
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)))
        pose = arm.forward_kinematics(tuple(rng.uniform(-3.0, 3.0, 3)))
        (_, up, _), (_, down, _) = arm.inverse_kinematics(*pose)
        assert up < 0.0 < down
        assert up == pytest.approx(-down, abs=1e-13)


RIGHT = math.pi / 2.0
KITE = 2.0 * math.atan2(3.0, 4.0)  # a 3-4-5 triangle and its mirror image


@pytest.mark.parametrize(
    ('lengths', 'pose', 'expected'),
    [
        ((1, 1, 1), (-1, 2, math.pi), [(RIGHT, 0.0, RIGHT)]),
        ((1, 1, 1), (2, 1, 0.0), [(RIGHT, -RIGHT, 0.0), (0.0, RIGHT, -RIGHT)]),
        ((4, 3, 1), (4, 4, RIGHT), [(KITE, -RIGHT, math.pi - KITE), (0.0, RIGHT, 0.0)]),
        ((0.4, 0.3, 0.2), (0.9, 0, 0), [(0.0, 0.0, 0.0)]),
        ((0.4, 0.3, 0.2), (-0.1, 0, math.pi), [(0.0, math.pi, 0.0)]),
        ((1, 1, 0.5), (2.6, 0, 0), []),
        ((1, 0.2, 0.5), (0.5, 0, 0), []),
    ],
    ids=['straight elbow', 'square', '3-4-5', 'stretched', 'folded', 'too far', 'too close'],
)
def test_by_hand(lengths, pose, expected):
    found = PlanarArm(lengths).inverse_kinematics(*pose)
    assert len(found) == len(expected)
    for solution, wanted in zip(found, expected):
        for angle, right in zip(solution, wanted):
            assert angle_between(angle, right) < 1e-15


def test_forward_kinematics_by_hand_and_of_arrays():
    arm = PlanarArm((3.0, 2.0, 1.0))
    assert arm.forward_kinematics((RIGHT, -RIGHT, RIGHT)) == pytest.approx((2.0, 4.0, RIGHT))
    joints = np.random.default_rng(0).uniform(-7.0, 7.0, (500, 3))
    poses = arm.forward_kinematics(joints)
    assert poses.shape == (500, 3)
    unsolved = np.where([[False], [True]], np.nan, joints[:2])  # as `solve_batch` says it
    assert np.isnan(arm.forward_kinematics(unsolved)).all(axis=1).tolist() == [False, True]
    for one in (joints[0], joints[0].tolist()):
        assert arm.forward_kinematics(one) == arm.forward_kinematics(tuple(joints[0].tolist()))
    for shape in ((500,), (250, 6), (10, 50, 3)):
        with pytest.raises(InvalidArmError, match='shape'):
            arm.forward_kinematics(np.resize(joints, shape))
    for q, (x, y, phi) in zip(joints, poses):
        position, direction = tip(arm, q)
        assert abs(complex(x, y) - position) < 5e-15
        assert angle_between(phi, direction) < 5e-15
        assert -math.pi < phi <= math.pi
