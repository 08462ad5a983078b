# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses next to singular ones, with most of the joints on their limits."""

import math

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot, leaned
from wrist_robots import gap, pose_of, random_robots, shipped_robots, singular

SAME = 1e-4  # [rad] what rounding makes of a wrist 1e-10 rad from singular
#: The same where the elbow is folded, too.
FOLDED = 2e-3
#: Of own poses on tilted axes, at least this share is found without a seed [1].
FOUND = 0.97


def check_own(robot, own, same=SAME):
    point, rotation = pose_of(robot, own)
    found = robot.arm.inverse_kinematics(point, rotation=rotation, seed=own)
    assert min((gap(one, own) for one in found), default=math.inf) <= same, own
    assert robot.arm.check_reachability(point, rotation=rotation).reachable


@pytest.mark.parametrize('on_limits', [3, 5])
@pytest.mark.parametrize('off', [1e-8, 1e-6])
@pytest.mark.parametrize('yaw', [True, False])
def test_own_poses_with_nearly_singular_wrists_and_most_joints_on_limits(yaw, off, on_limits):
    """Joints on their limits may leave the others no freedom to turn the tip: rounding of what was
    left flung them round. Next to the yaw axis, rounding turns the plane by more than elsewhere."""
    rng, checked = np.random.default_rng(40), 0
    for robot in random_robots(rng, cases(1000, 40), each=1, kinds=[(yaw, 2)]):
        own = singular(robot, robot.drawn(rng, on_limits), rng, off)
        if own:
            checked += 1
            check_own(robot, own)
    assert checked


@pytest.mark.parametrize('off', [1e-8, 1e-7, 1e-6, 1e-5])
def test_own_poses_of_a_ur5e_folded_on_the_elbows_limit_with_a_nearly_singular_wrist(off):
    """The elbow ends 4e-4 rad past folded. There, tip and orientation have to be met at once: what
    moves the tip by hardly anything would be spent on rounding of its position."""
    robot, rng = shipped_robots()['ur5e'], np.random.default_rng(41)
    for _ in range(cases(1000, 20)):
        own = robot.drawn(rng, 4)
        own['elbow_joint'] = robot.limits['elbow_joint'][rng.integers(2)]
        check_own(robot, singular(robot, own, rng, off), FOLDED)


def test_a_wrist_that_counts_as_singular_is_put_on_its_limit_all_the_same():
    """1e-10 rad beside singular it has its last axis along the normal: the others follow, which
    may put them past their limits by more than rounding does. One arm in 700 is like that."""
    rng, checked = np.random.default_rng(1043), 0
    for robot in random_robots(rng, cases(1000, 20), each=1, kinds=[(False, 2)]):
        own = singular(robot, robot.drawn(rng, 5), rng, 4e-10)
        if own:
            checked += 1
            check_own(robot, own)
    assert checked


def test_nearly_all_own_poses_with_singular_wrists_are_reachable_on_tilted_axes():
    """Of a family, axes that lean pick some members: they may be far from where the arm is. Not all
    are found, as corrections start from a few."""
    rng, count, found = np.random.default_rng(43), 0, 0
    for robot in random_robots(rng, cases(3000, 40), each=1, kinds=[(True, 2)]):
        one = TiltedRobot(leaned(robot.text, rng, 1e-6))
        if len(one.arm.wrist_joints) < 2:
            continue
        own = singular(one, one.drawn(rng, rng.integers(3)), rng, rng.choice([0.0, 1e-10, 1e-8]))
        if own:
            count += 1
            point, rotation = pose_of(one, own)
            found += one.arm.check_reachability(point, rotation=rotation).reachable
    assert found >= FOUND * count > 0
