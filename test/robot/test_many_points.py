# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many points at once, asked of robots from their URDFs."""

import math

import numpy as np
import pytest
from law_cases import cases
from three_joints import NAMES, shipped_arm
from tilted_robots import tilted
from wrist_robots import random_robots, shipped_robots

from ik_circles import IkCirclesError, load_arm
from ik_circles.reasons import Code
from ik_circles.spatial.arm import Configuration

TURN = 2.0 * math.pi


def points_about(arm, rng, count):
    """In a box about the arm; without a yaw joint in its plane."""
    spatial, reach = arm.spatial, arm.arm.max_reach
    foot = (0.0, 0.0) if spatial.yaw is None else spatial.yaw.foot
    center = spatial.plane.in_space(*foot, 0.0)
    if spatial.yaw is not None:
        return center + rng.uniform(-1.1 * reach, 1.1 * reach, (count, 3))
    flat = rng.uniform(-reach, reach, (count, 2)).tolist()
    return np.array([spatial.plane.in_space(x, y, 0.0) for x, y in flat])


def tips_on_limits(arm, rng, count):
    """Tips with each joint on a limit, straight or anywhere."""
    every = np.clip(limits_of(arm), -7.0, 7.0)  # a joint without limits has more than a turn
    tips = []
    for _ in range(count):
        lower, upper = every.T
        anywhere, kind = rng.uniform(lower, upper), rng.integers(4, size=len(every))
        yaw, *q = np.choose(kind, (lower, upper, np.clip(0.0, lower, upper), anywhere)).tolist()
        tips.append(arm.spatial.tip_at(Configuration(yaw, tuple(q))))
    return np.array(tips)


def limits_of(arm):
    """Of the yaw angle and the three [rad]."""
    yaw = arm.spatial.yaw
    return [(0.0, 0.0) if yaw is None else yaw.limits, *arm.arm.limits]


def assert_same(arm, points):
    """As the single calls, to within the slack of axes that lean."""
    answers, shares = arm.check_reachability_batch(points), arm.dexterity(points)
    slack, yaw = arm.spatial.plane.slack, arm.spatial.yaw
    for number, point in enumerate(points.tolist()):
        one, margin = arm.check_reachability(point), answers.margin[number]
        told = f'{arm}, {point}: {one!r}, margins {one.margin} and {margin}'
        assert answers.code[number] == one.code, told
        assert abs(margin) <= abs(one.margin) + slack + 1e-12, told
        assert math.copysign(1.0, margin) == (1.0 if one.reachable else -1.0), told
        if yaw is None or yaw.holds_axis:
            assert margin == pytest.approx(one.margin, abs=2.0 * slack + 1e-12), told
        widths = [upper - lower for lower, upper in one.orientation_intervals]
        if one.code is not Code.OUT_OF_PLANE:
            assert shares[number] == pytest.approx(sum(widths) / TURN, abs=1e-6), told


@pytest.mark.parametrize('name', NAMES)
def test_shipped_robots(name):
    rng, arm = np.random.default_rng(0), shipped_arm(name)
    assert_same(arm, points_about(arm, rng, cases(1000, 40)))


@pytest.mark.parametrize('name', NAMES)
def test_robots_whose_axes_lean(name):
    rng = np.random.default_rng(1)
    for _ in range(cases(20)):
        arm = load_arm(tilted(name, rng, at_zero=bool(rng.integers(2))))
        about, on_limits = cases(30, 1), cases(20, 1)
        points = points_about(arm, rng, about), tips_on_limits(arm, rng, on_limits)
        assert_same(arm, np.vstack(points))


def test_law_with_the_wrist_held_anywhere_many_points_are_answered_as_one():
    """Of shipped robots and of random ones, with the yaw joint and without."""
    rng = np.random.default_rng(4)
    for robot in [*shipped_robots().values(), *random_robots(rng, cases(400), each=2)]:
        own = robot.drawn(rng)
        arm = robot.arm.holding({name: own[name] for name in robot.arm.wrist_joints})
        assert_same(arm, points_about(arm, rng, 20))
        tips = [robot.tip({**robot.drawn(rng), **arm.wrist_at})[:3, 3] for _ in range(5)]
        assert_same(arm, np.array(tips))
        shares = arm.dexterity(np.array(tips))
        assert np.all(shares > 0.0) and np.all(shares <= 1.0)


def test_one_point_and_many():
    arm, points = shipped_arm('so101'), [(0.2, 0.1, 0.1), (-0.1, 0.2, 0.1)]
    answers = arm.check_reachability_batch(points)
    assert answers.reachable.tolist() == [True, False]
    assert answers.code.tolist() == [Code.OK, Code.JOINT_LIMIT]
    single = [list(arm.check_reachability(one).nearest[:5]) for one in points]
    assert answers.nearest.tolist() == single
    shares = arm.dexterity(np.array(points))
    assert arm.dexterity(points[0]) == shares[0] > 0.0
    assert shares[1] == 0.0
    assert isinstance(arm.dexterity(points[0]), float)
    assert arm.check_reachability_batch(np.empty((0, 3))).nearest.shape == (0, 5)


def test_answers_stay_when_the_array_of_points_changes():
    arm, points = shipped_arm('so101'), np.zeros((1, 3))
    answers = arm.check_reachability_batch(points)
    points += 0.1
    assert answers.nearest.tolist() == [list(arm.check_reachability((0.0, 0.0, 0.0)).nearest[:5])]


@pytest.mark.parametrize('points', [(0.1, 0.2), [(0.1, 0.2, math.nan)], [['a', 'b', 'c']]])
def test_what_is_no_point_is_refused(points):
    arm = shipped_arm('so101')
    for ask in (arm.check_reachability_batch, arm.dexterity):
        with pytest.raises(IkCirclesError, match='points'):
            ask(points)
