# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What an answer about a robot's pose gives by joint name, with a wrist and without one."""

import math

import numpy as np
import pytest
from three_joints import shipped_arm
from wrist_robots import gap, turned_away

from ik_circles.planar.selection import Policy

NAMES = ['px100', 'so101', 'ur5e', 'planar_3r']
SAME = 1e-6  # [rad]: near a straight elbow, rounding counts by its root


def drawn(arm, rng):
    """Joint positions by name, in the middle half of each range."""
    found = {}
    for name, joint in arm.joints.items():
        lower, upper = max(joint.lower, -3.0), min(joint.upper, 3.0)
        found[name] = float(rng.uniform(0.75 * lower + 0.25 * upper, 0.25 * lower + 0.75 * upper))
    return found


def asked(arm, rng):
    """Own joint positions, and the verdict on the pose of the tip."""
    own = drawn(arm, rng)
    tip = arm.forward_kinematics(own)
    point, rotation = tuple(tip[:3, 3].tolist()), tip[:3, :3]
    return own, rotation, arm.check_reachability(point, rotation=rotation, tilt_tolerance=1e-6)


@pytest.mark.parametrize('name', NAMES)
def test_solutions_are_at_the_turns_nearest_to_a_seed(name):
    rng, arm = np.random.default_rng(0), shipped_arm(name)
    for _ in range(10):
        own, rotation, told = asked(arm, rng)
        assert min(gap(one, own) for one in told.all_near(own)) <= SAME
        assert told.solutions == told.all_near(None)
        assert told.tilt_of(own) <= SAME
        for one in told.solutions:
            assert told.tilt_of(one) == pytest.approx(
                turned_away(arm.forward_kinematics(one)[:3, :3], rotation), abs=SAME
            )
        for seed in (own, drawn(arm, rng)):
            for one in told.all_near(seed):
                for joint, angle in one.items():
                    limits, other = arm.joints[joint], angle - math.tau
                    other += 2.0 * math.tau * (angle < seed[joint])
                    is_nearer = abs(other - seed[joint]) < abs(angle - seed[joint]) - SAME
                    assert not (is_nearer and limits.lower <= other <= limits.upper)


@pytest.mark.parametrize('name', NAMES)
def test_the_nearest_pose_has_the_rotation_of_its_joint_positions(name):
    """Of a pose that is reached, and of one turned by 0.3 rad about the tool."""
    rng, arm = np.random.default_rng(1), shipped_arm(name)
    for _ in range(10):
        _, rotation, told = asked(arm, rng)
        c, s = math.cos(0.3), math.sin(0.3)
        turned = rotation @ np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
        for one in (told, arm.check_reachability(told.nearest[:3], rotation=turned)):
            q = one.nearest_joint_positions
            tip = arm.forward_kinematics(q)
            assert turned_away(arm.tip_rotation(one.nearest), tip[:3, :3]) <= SAME
            away = turned_away(tip[:3, :3], rotation if one is told else turned)
            is_tilt = arm.yaw_joint is not None  # else a pitch that is off is none
            assert one.tilt_of(q) == pytest.approx(away if is_tilt else 0.0, abs=SAME)
        chosen = told.solve_nearest(None, Policy(), oriented=True)
        assert math.dist(arm.forward_kinematics(chosen)[:3, 3], told.nearest[:3]) <= 1e-9


@pytest.mark.parametrize('name', NAMES)
def test_points_of_a_batch_have_the_wrist_where_each_seed_has_it(name):
    rng, arm = np.random.default_rng(2), shipped_arm(name)
    own, seeds = [drawn(arm, rng) for _ in range(6)], [drawn(arm, rng) for _ in range(6)]
    seeds[1] = {**seeds[1], **{joint: seeds[0][joint] for joint in arm.wrist_joints}}
    rows = []
    for one, seed in zip(own, seeds):
        wrist = {joint: seed[joint] for joint in arm.wrist_joints}
        held, point = arm.holding(wrist), arm.forward_kinematics({**one, **wrist})[:3, 3]
        rows.append((*point, sum(held.naming.arm_angles(one))))
    columns = [[one[joint] for joint in arm.commanded_joints] for one in seeds]
    found = arm.solve_batch(rows, seed=columns)
    for (*point, phi), seed, row in zip(rows, seeds, found):
        expected = arm.solve(point, float(phi), seed=seed)
        assert expected is not None
        assert dict(zip(arm.commanded_joints, row)) == pytest.approx(expected, abs=SAME)
        assert {joint: expected[joint] for joint in arm.wrist_joints} == pytest.approx(
            {joint: seed[joint] for joint in arm.wrist_joints}
        )


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_the_nearest_pose_of_a_point_has_the_rotation_of_the_wrist_as_it_is_held(name):
    rng, arm = np.random.default_rng(3), shipped_arm(name)
    for _ in range(5):
        own = drawn(arm, rng)
        held = arm.holding({joint: own[joint] for joint in arm.wrist_joints})
        told = held.check_reachability(arm.forward_kinematics(own)[:3, 3])
        tip = held.forward_kinematics(told.nearest_joint_positions)
        assert turned_away(held.tip_rotation(told.nearest), tip[:3, :3]) <= SAME
