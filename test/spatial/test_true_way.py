# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One shoulder on axes that lean: what it gives closes, on the branch and next to what is asked."""

import math

import numpy as np
import pytest
from law_cases import cases
from leaning_arms import YAW, Q, leaning, missed
from leaning_arms import way as way_to
from spatial_arms import rotation_by
from three_joints import NAMES
from tilted_robots import TiltedRobot, tilted

from ik_circles.geometry.angles import wrap
from ik_circles.planar.selection import ELBOWS, NEAR_SEED, NEAREST
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.plane import Tool
from ik_circles.spatial.true_axes.true_way import AskedOfWay, TrueWay

CLOSES = 1e-9  # [m]
#: With the elbow bent by at least `BENT` [rad], the lean moves joints by less than this [rad].
SAME, BENT = 1e-3, 0.1


def away(one, other):
    """The largest difference of a yaw angle and the three [rad]."""
    return max(abs(a - b) for a, b in zip((one[0], *one[1]), (other[0], *other[1])))


def ways(name, rng, count, off=0.0):
    """Ways to robots' own positions with joints on limits, the own one first, and its angles.

    The orientation asked for is `off` the own one [rad].
    """
    for _ in range(count):
        robot = TiltedRobot(tilted(name, rng))
        arm, own = robot.arm.spatial, robot.drawn(rng, rng.integers(3))
        if robot.arm.yaw_joint and rng.random() < 0.5:
            own[robot.arm.yaw_joint] = robot.limits[robot.arm.yaw_joint][rng.integers(2)]
        own = robot.arm.naming.configuration(own)
        point, phi = arm.leaning.tip(own.yaw, own.q), sum(own.q) + off
        zones, found = SafeZones.of(arm.planar), []
        for shoulder, yaws in arm.plane.shoulders(point):
            asked = AskedOfWay(point, phi, None, 0.0, zones)
            planar = Reachability(arm.planar.workspace, shoulder.point, phi, zones)
            found.append(TrueWay(arm.leaning, asked, shoulder, yaws, planar))
        place = arm.planar.pose_at(own.q)[:2]
        places = [one.point for one, _ in arm.plane.shoulders(point)]
        apart = [math.dist(place, one) for one in places]
        beside = arm.yaw and abs(arm.yaw.from_axis(place)[0]) < 0.05
        if not beside and abs(math.sin(own.q[1])) > BENT:
            yield robot, point, (own.yaw, own.q), found[int(np.argmin(apart))]


def check(robot, point, found):
    """What is given closes on the true axes, inside the limits."""
    leaning = robot.arm.spatial.leaning
    for yaw, q in found:
        missed = np.subtract(leaning.tip(yaw, q), point)
        if robot.arm.yaw_joint is None:
            missed = (robot.arm.plane[:3, :3].T @ missed)[:2]
        assert np.linalg.norm(missed) <= CLOSES
        for angle, (lower, upper) in zip(leaning.angles(yaw, q), leaning.limits):
            assert lower <= angle <= upper


@pytest.mark.parametrize('name', NAMES)
def test_solutions_on_a_branch_are_on_it_and_none_is_given_up(name):
    for robot, point, own, way in ways(name, np.random.default_rng(0), cases(160, 8)):
        bend = math.sin(own[1][1])
        for branch, sign in zip(ELBOWS, (-1.0, 1.0)):
            found = way.on_branch(branch)
            check(robot, point, found)
            assert all(sign * math.sin(q[1]) >= -SAME for _, q in found)
            assert found or sign * bend < 0.0
        check(robot, point, way.on_branch(NEAREST))
        assert way.on_branch(NEAREST)


@pytest.mark.parametrize('name', NAMES)
def test_the_own_angles_are_found_with_their_orientation_and_from_nearby(name):
    rng = np.random.default_rng(1)
    for robot, point, own, way in ways(name, rng, cases(160, 8)):
        yaw, q = own
        near = tuple(np.add(q, 1e-6 * rng.uniform(-1.0, 1.0, 3)))
        assert way.is_met and way.position_met
        for found in (way.solutions, way.next_to(near, [yaw]), way.next_to_seed((yaw, near))):
            check(robot, point, found)
            assert min(away(one, own) for one in found) <= SAME
        assert away(way.next_to_seed(own)[0], own) <= CLOSES


@pytest.mark.parametrize('name', NAMES)
def test_the_least_turned_solutions_come_first(name):
    rng = np.random.default_rng(2)
    for robot, point, own, way in ways(name, rng, cases(160, 5), 0.4):
        found = way.least_turned
        check(robot, point, found)
        turned = [abs(wrap(sum(q) - sum(own[1]) - 0.4)) for _, q in found]
        assert found and min(np.diff(turned), default=0.0) >= -CLOSES


@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0)])
def test_a_tool_that_is_rolled_is_tilted_by_that_and_only_what_is_allowed_is_given(yaw_limits):
    some, yaw, allowed = leaning(yaw_limits), YAW if yaw_limits else 0.0, 0.01
    tool = Tool(some.plane, np.eye(3), 0.0)
    own = tool.rotation(sum(Q), yaw)
    for rolled, is_given in ((0.0, True), (0.9 * allowed, True), (1.1 * allowed, False)):
        orientation = tool.orientation(rotation_by(own[:, 0], rolled) @ own)
        one = way_to(some, yaw, orientation=orientation, tilt=allowed)
        assert bool(one.solutions) == is_given
        tilts = [some.tilt(orientation, *each) for each in one.solutions]
        assert one.tilt == min(tilts, default=None)
        assert all(each == pytest.approx(rolled, abs=1e-5) for each in tilts)


def test_what_is_next_to_a_seed_is_near_it_in_every_joint():
    """Without limits, the other elbow is another solution, with some joints about as they are."""
    rng, seen = np.random.default_rng(0), 0
    for _ in range(cases(1000, least=40)):
        some, q = leaning(), tuple(rng.uniform(-1.0, 1.0, 3).tolist())
        one = way_to(some, q=q)
        (other,) = (its for _, its in one.solutions if its[1] * q[1] < 0.0)
        changes = np.abs(np.subtract(other, q))
        found = one.next_to_seed((0.0, tuple(np.add(q, 1e-4).tolist())))
        assert found
        for _, its in found:
            assert np.abs(np.subtract(its, q)).max() <= NEAR_SEED + 1e-2
        seen += changes.min() < NEAR_SEED < changes.max()
    assert seen


@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0)])
def test_inside_small_ranges_the_short_curve_of_solutions_is_found(yaw_limits):
    """Ranges a tenth of what the lean may move joints by, from a start somewhere in them."""
    rng, yaw = np.random.default_rng(1), YAW if yaw_limits else 0.0
    room = leaning(yaw_limits).bounds.room
    for _ in range(cases(400, least=20)):
        lower = np.array(Q) - rng.uniform(0.0, 0.1 * room, 3)
        limits = [(one, one + 0.1 * room) for one in lower.tolist()]
        some = leaning(yaw_limits, limits)
        start = tuple(rng.uniform(*np.transpose(limits)).tolist())
        one = way_to(some, yaw)
        found = one.next_to(start, [yaw])
        assert found, (limits, start)
        for each in found:
            assert missed(some, each, some.tip(yaw, Q)) <= CLOSES
            assert all(a <= angle <= b for angle, (a, b) in zip(each[1], limits))
