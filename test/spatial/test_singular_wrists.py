# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses next to singular ones, with most of the joints on their limits."""

import math

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import gap, pose_of, random_robots, singular

SAME = 1e-4  # [rad] what rounding makes of a wrist 1e-10 rad from singular


def check_own(robot, own):
    point, rotation = pose_of(robot, own)
    found = robot.arm.inverse_kinematics(point, rotation=rotation, seed=own)
    assert min((gap(one, own) for one in found), default=math.inf) <= SAME, own
    assert robot.arm.check_reachability(point, rotation=rotation).reachable


@pytest.mark.parametrize('on_limits', [3, 5])
@pytest.mark.parametrize('off', [1e-8, 1e-6])
@pytest.mark.parametrize('yaw', [True, False])
def test_own_poses_with_nearly_singular_wrists_and_most_joints_on_limits(yaw, off, on_limits):
    """Joints on their limits may leave the others no freedom to turn the tip: rounding of what was
    left flung them round. Next to the yaw axis, rounding turns the plane by more than elsewhere."""
    rng, checked = np.random.default_rng(40), 0
    for robot in random_robots(rng, cases(1000, 20), each=1, kinds=[(yaw, 2)]):
        own = singular(robot, robot.drawn(rng, on_limits), rng, off)
        if own:
            checked += 1
            check_own(robot, own)
    assert checked
