# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A single wrist joint may leave a tilt: all that is allowed may keep joints inside limits."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction, rotation_by
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robot, turned_away

TILT = 0.01  # [rad] the default of tilt_tolerance
CLOSES = 1e-9  # [m], and [rad] beside the tilt
#: Messages are rounded to a tenth of a degree.
ROUNDED = math.radians(0.051)
WHOLE = re.compile(r'(\S+) would exceed its (?:lower|upper) limit by (?:at most )?(\S+) deg')


def robots(rng, count, lean=0.0):
    """Random robots behind a yaw joint with one wrist joint, for two cases each."""
    while count > 0:
        robot = random_robot(rng, True, 1)
        if lean:
            robot = TiltedRobot(leaned(robot.text, rng, lean))
        if len(robot.arm.wrist_joints) == 1 and robot.arm.yaw_joint is not None:
            yield from [robot] * 2
            count -= 2


def turned(rng, rotation):
    """An orientation turned by no more than the tilt that is allowed."""
    return rotation_by(direction(rng), TILT * rng.uniform(0.0, 0.99)) @ rotation


def with_one_past(robot, rng):
    """Joint positions with one joint past its limit, and by how much [rad]; or None."""
    joints = robot.arm.joints
    some = [name for name in robot.limits if joints[name].upper - joints[name].lower < 5.5]
    if not some:
        return None
    own, past, side = robot.drawn(rng), 10.0 ** rng.uniform(-4.0, -0.4), rng.choice([-1, 1])
    name = str(rng.choice(some))
    own[name] = robot.limits[name][int(side > 0)] + side * past
    return own, past


def test_law_joints_on_limits_take_orientations_within_the_tilt():
    """Of the first 3,000 cases, 77 were refused."""
    rng, refused, count = np.random.default_rng(1), 0, cases(3000, least=150)
    for robot in robots(rng, count):
        own = robot.drawn(rng, int(rng.integers(3)))
        point, rotation = pose_of(robot, own)
        wanted = turned(rng, rotation)
        told = robot.arm.check_reachability(point, rotation=wanted)
        refused += not told.reachable
        for one in told.solutions if told.reachable else []:
            assert robot.miss(one, point) <= CLOSES
            assert turned_away(pose_of(robot, one)[1], wanted) <= TILT + CLOSES
    assert refused <= count // 300, refused


@pytest.mark.parametrize('lean', [0.0, 1e-6])
def test_law_one_joint_past_its_limit_needs_no_more_than_that(lean):
    """The figure is also enough: with limits that are wider by that much, the arm is there."""
    rng, judged, more, attained = np.random.default_rng(2), 0, 0, 0
    for robot in robots(rng, cases(3000, least=120), lean):
        drawn = with_one_past(robot, rng)
        if drawn is None:
            continue
        own, past = drawn
        point, rotation = pose_of(robot, own)
        wanted = turned(rng, rotation)
        told = robot.arm.check_reachability(point, rotation=wanted)
        if not told.message.startswith('not with this orientation'):
            continue
        judged += 1
        named = [(its, math.radians(float(by))) for its, by in WHOLE.findall(told.message)]
        if len(named) != 1 or named[0][1] > past + ROUNDED:
            more += 1
            continue
        if judged % 10 == 0:
            its, by = named[0]
            wider = robot.with_wider_limits(by + ROUNDED, [its])
            (one, *_) = wider.arm.inverse_kinematics(point, rotation=wanted)
            assert robot.miss(one, point) <= CLOSES
            assert turned_away(pose_of(robot, one)[1], wanted) <= TILT + CLOSES
            attained += 1
    assert attained
    assert more <= judged // 100, (more, judged)
