# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Above a floor, a reason other than FLOOR is that of the arm without it."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, checked, limits_of, random_planar, spatial_arm, tips, yaw_joint
from test_points_just_met import robot_beside_axis, where_shoulders_meet
from tilted_robots import TiltedRobot
from wrist_robots import KINDS, heights, pose_of, random_robot, upright

from ik_circles import Code, Floor, PlanarArm

OF_THE_FLOOR = Code.OK, Code.FLOOR


def lacks(arm, point, phi):
    """How much links 1 and 2 lack at the shoulder where they lack the least [m]."""
    (one, two, three), place = arm.planar.link_lengths, arm.yaw.place_of(*arm.plane.into(point))
    direction = np.array((math.cos(phi or 0.0), math.sin(phi or 0.0)))
    away = [math.hypot(*(at.point - three * direction)) for at, _ in arm.yaw.shoulders(place, 0.0)]
    return min((max(far - one - two, abs(one - two) - far) for far in away), default=math.nan)


def refusals(seeds):
    """Answers with and without a floor to targets that it does not decide; half are of a `phi`."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        planar = random_planar(rng)
        floor = Floor(rng.uniform(-0.6, 0.3) * planar.max_reach)
        above = PlanarArm(planar.link_lengths, planar.joint_limits, floor)
        yaw = yaw_joint(planar, limits_of(rng))
        arms = [spatial_arm(one, yaw) for one in (above, planar)]
        places, _ = tips(rng, arms[1], 4)
        for index, point in enumerate(rng.uniform(0.5, 1.5, (4, 3)) * places):
            phi = rng.uniform(-math.pi, math.pi) if index % 2 else None
            found, free = (checked(arm, tuple(point), phi) for arm in arms)
            if found.code not in OF_THE_FLOOR:
                yield f'{seed}, {index}', found, free, lacks(arms[1], tuple(point), phi)


def test_only_joints_that_the_limits_stop_are_named():
    """Law: a joint that only the floor keeps from the target is not named as past its limit. And if
    no shoulder's links reach with the orientation, the figure is the least of both."""
    compared, count = 0, cases(2000, 40)
    for told, found, free, least in refusals([430, 1356, *range(count)]):
        assert found.code is free.code, told
        assert found.message.split(';')[0] == free.message.split(';')[0], told
        if 'for the links between' in free.message:
            said = float(free.message.split('would be ')[1].split(' m ')[0])
            assert abs(said - least) <= 6e-4, told
        compared += found.code in (Code.JOINT_LIMIT, Code.ORIENTATION)
    assert compared > count // 2


def test_the_depth_below_the_floor_is_the_least_of_both_shoulders():
    """Against the joints of many orientations without the floor. The tip is above it, and the elbow
    bends to one side: up facing the point, down reaching backwards, or the other way round."""
    rng, compared, phis = np.random.default_rng(2), 0, np.linspace(-math.pi, math.pi, 361)
    for _ in range(cases(600, least=30)):
        bend = sorted(rng.choice([-1.0, 1.0]) * np.array((0.3, 2.5)))
        planar = PlanarArm((0.4, 0.3, 0.2), [None, tuple(bend), (-0.5, 0.5)])
        yaw = yaw_joint(planar, FREE, 0.0, (0.15, 0.0))
        free = spatial_arm(planar, yaw)
        point = tuple(tips(rng, free, 1)[0][0].tolist())
        height = float(point[2] - 0.02)
        arm = spatial_arm(replace(planar, floor=Floor(height)), yaw)
        told = checked(arm, point)
        if told.code is not Code.FLOOR:
            continue
        found = [one.q for phi in phis for one in free.inverse_kinematics(point, phi)]
        y = np.cumsum(np.sin(np.cumsum(found, axis=1)) * planar.link_lengths, axis=1)
        depths = (height - y).max(axis=1)
        said = float(told.message.split('would be ')[1].split(' m below')[0])
        assert depths.min() - 0.01 <= said <= depths.min() + 6e-4, (point, told.message)
        compared += 1
    assert compared


def test_a_full_pose_says_its_least_depth_below_the_floor_and_how_far_away_a_point_is():
    """Of the solutions without the floor, it is of the one whose lowest part is least below."""
    rng, said_away = np.random.default_rng(6), 0
    for case in range(cases(400, least=12)):
        robot = upright(random_robot(rng, *KINDS[case % 2]))
        own = robot.drawn(rng)
        point, rotation = pose_of(robot, own)
        height = max(heights(robot.arm, own)) - rng.uniform(0.0, 0.2)
        told = robot.arm.above(height).check_reachability(point, rotation=rotation)
        free = robot.arm.check_reachability(point, rotation=rotation)
        if told.code is not Code.FLOOR or 'free' in free.message:
            continue
        depth = height - max(min(heights(robot.arm, one)) for one in free.solutions)
        said = re.search(r'would be (-?\S+) m below the floor', told.message)[1]
        assert float(said) == pytest.approx(depth, abs=6e-4), told.message
        assert 'the nearest reachable point' not in told.message
        away = re.search('a reachable point is ([0-9.]+) m away', told.message)
        if away is not None:
            assert float(away[1]) == pytest.approx(math.dist(told.nearest[:3], point), abs=6e-4)
            said_away += 1
    assert said_away


def test_above_a_floor_a_point_next_to_where_the_plane_just_meets_it_has_a_reason():
    """Law: axes that lean; the point is inside the circle that the plane leaves, by a slack."""
    rng, too_close = np.random.default_rng(3), 0
    for _ in range(cases(600, least=60)):
        text, own = robot_beside_axis(rng)
        one = TiltedRobot(where_shoulders_meet(rng, text, own))
        tip, axis = one.tip(own)[:3, 3], one.arm.spatial.plane
        inside = axis.in_space(*axis.yaw.foot, axis.yaw.aside)
        point = tip + rng.uniform(0.0, 3.0) * axis.slack * (np.array(inside) - tip)
        told = one.arm.above(tip[2] + rng.uniform(-0.5, 0.1)).check_reachability(point.tolist())
        assert told.message
        too_close += told.code is Code.TOO_CLOSE
    assert too_close
