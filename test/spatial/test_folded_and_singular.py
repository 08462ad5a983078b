# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Own full poses with equal links folded and the wrist next to singular: rounding of the last link
turns joint 1 there, which exact axes leave nearly free."""

import math

import numpy as np
import pytest
from folding_robots import foldable
from law_cases import cases
from tilted_robots import TiltedRobot
from wrist_robots import pose_of, singular, turned_away

CLOSES = 1e-9  # [m, rad]


def folded(rng, has_yaw):
    """A robot, and positions with a folded elbow and the wrist next to singular; None if limits do
    not allow that."""
    text, angle = foldable(rng, has_yaw, True, 2)
    robot = TiltedRobot(text)
    off = rng.choice([0.0, 1e-9, 1e-7]) * rng.choice([-1, 1])
    own = {**robot.drawn(rng), 'j2': float(np.clip(angle + off, *robot.limits['j2']))}
    for name in rng.choice(['j1', 'j3', 'w2'], rng.integers(3), replace=False):
        own[name] = robot.limits[name][rng.integers(2)]
    return robot, singular(robot, own, rng, 10.0 ** rng.uniform(-10.0, -4.0))


@pytest.mark.parametrize('has_yaw', [True, False])
def test_own_poses_with_equal_links_folded_and_a_nearly_singular_wrist_are_found(has_yaw):
    """Only the joint 1 that rounding tells was tried: of 3516, 1053 were refused. Now 3 are, with
    joint 2 on its limit next to where it is folded."""
    count, refused = 0, 0
    for seed in range(cases(4000, least=150)):
        rng = np.random.default_rng(seed)
        robot, own = folded(rng, has_yaw)
        if own is None or len(robot.arm.wrist_joints) < 2:
            continue
        point, rotation = pose_of(robot, own)
        told = robot.arm.check_reachability(point, rotation=rotation)
        refused += not told.reachable
        for one in told.solutions:
            there, turned = pose_of(robot, one)
            assert math.dist(there, point) <= 2.0 * CLOSES
            assert turned_away(turned, rotation) <= 2.0 * CLOSES
        count += 1
    assert count > cases(400, least=10)
    assert refused <= count / 300.0
