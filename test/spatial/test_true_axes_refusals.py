# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Refused orientations at positions that axes reach which are parallel only to rounding."""

import math

import numpy as np
from law_cases import cases
from tilted_robots import TiltedRobot, leaned
from turned_robots import urdf_of

from ik_circles import Code

CLOSES = 1e-9  # [m]
ROUNDED = 0.0501  # [deg]: a sentence has one digit
#: What the lean may turn a tool by on a limit [rad].
TURNED = 1e-3


def refused(robot, own, rng):
    """An orientation that is refused at the own position, and the answer; None if it works."""
    point, phi = robot.tip(own)[:3, 3], float(rng.uniform(-3.0, 3.0))
    told = robot.arm.check_reachability(point, phi)
    assert told.position_reachable
    assert robot.miss(told.nearest_joint_positions, point) <= CLOSES
    return None if told.reachable else (phi, told)


def turned(one, other):
    return abs(math.remainder(one - other, math.tau))


def robots(rng):
    """With joint positions, the elbow straight or the yaw joint on its limit."""
    for _ in range(cases(800)):
        robot = TiltedRobot(leaned(urdf_of(rng), rng))
        own, yaw = robot.drawn(rng), robot.arm.yaw_joint
        straight = robot.bent(own, 1, 0.0)
        yield robot, {**own, yaw: robot.limits[yaw][rng.integers(2)]}
        if straight:
            yield robot, straight


def test_a_refused_orientation_names_the_one_of_nearest():
    """Parallel axes miss a position at the edge by rounding: the sentence had no orientation."""
    rng = np.random.default_rng(1)
    for robot, own in robots(rng):
        if found := refused(robot, own, rng):
            told = found[1]
            assert told.code is Code.ORIENTATION
            said = float(told.message.split('works is ')[1].split(' deg')[0])
            assert abs(math.remainder(said - math.degrees(told.nearest.phi), 360.0)) <= ROUNDED


def test_the_nearest_orientation_that_works_is_no_farther_than_the_own_one():
    """On a limit of the yaw joint, few of those of parallel axes work."""
    rng = np.random.default_rng(1)
    for robot, own in robots(rng):
        if found := refused(robot, own, rng):
            phi, told = found
            needed = turned(told.nearest.phi, phi)
            assert needed <= turned(robot.phi(own), phi) + TURNED
