# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far nearly parallel axes may move joints: figures by hand, and what is near a limit."""

import math
from dataclasses import replace

import numpy as np
import pytest
from spatial_arms import pose, yaw_joint
from tilted_robots import TiltedRobot, tilted

from ik_circles import Floor, PlanarArm
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.checks import MOST_TURNS
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.true_axes.bounds import OFF_LIMIT, Bounds
from ik_circles.spatial.true_axes.hinges import HingeChain

LIMITS = (-1.0, 1.0), (-1.5, 1.4), (-1.0, 1.2)
YAW = (-2.0, 2.5)
#: The slack is a millionth of the shorter link, whose cube root is 0.01 [m].
SLACK = 0.3e-6
ROOM = 0.013
ASIDE = 0.1


def bounds(yaw=True, lengths=(0.4, 0.3, 0.2), limits=LIMITS):
    planar = PlanarArm(lengths, limits)
    joint = yaw_joint(planar, YAW, -ASIDE) if yaw else None
    return Bounds(planar, ArmPlane(pose(np.eye(3), (0.0, 0.0, 0.0)), joint, SLACK))


def test_the_figures_by_hand():
    some = bounds()
    assert some.room == pytest.approx(ROOM)
    assert some.nearly == pytest.approx(4.0 * (SLACK + math.sqrt(SLACK * ASIDE)))
    assert some.of_miss(3e-9) == pytest.approx(4.0 * 1e-4)
    assert some.at(-0.05) == some.at(0.05) == pytest.approx(SLACK * (2.0 + ASIDE / 0.05))
    assert some.at(0.0) == some.nearly
    assert some.at(SLACK * ASIDE / some.nearly) == some.at(1e-300) == some.nearly
    assert bounds(yaw=False).nearly == pytest.approx(4.0 * SLACK)
    assert bounds(lengths=(0.3, 0.4, 0.2)).room == pytest.approx(ROOM)
    assert bounds(lengths=(0.0, 0.3, 0.2)).room == pytest.approx(ROOM)
    assert bounds(lengths=(0.0, 0.0, 0.3)).room == pytest.approx(ROOM)
    assert bounds(lengths=(0.4, 1e-8, 0.2)).room == math.pi


def test_limits_are_opened_by_the_room_and_by_no_more_than_is_allowed():
    turns = MOST_TURNS * TURN
    limits = (-1.0, 1.0), (-turns + 0.01, 0.01), (turns - 2.0, turns - 0.001)
    (a, b), (c, d), (e, f) = bounds(limits=limits).opened.limits
    assert (a, b) == pytest.approx((-1.0 - ROOM, 1.0 + ROOM))
    assert (c, d) == (-turns + 0.01, 0.01)  # the joint has all five turns
    assert (e, f) == pytest.approx((turns - 2.001, turns))
    limits = (-turns + 0.001, 2.0 - turns), (0.005 - turns / 2.0, turns / 2.0 - 0.005), None
    (a, b), (c, d), _ = bounds(limits=limits).opened.limits
    assert (a, b) == pytest.approx((-turns, 2.001 - turns))
    assert (c, d) == pytest.approx((-turns / 2.0, turns / 2.0))
    assert bounds(limits=None).opened.joint_limits == (None, None, None)


def test_a_nearly_straight_elbow_on_its_limit_is_put_a_hair_inside():
    some, straight = bounds(), 0.5 * ROOM

    def put(elbow, lower, upper):
        found = some.off_limit((0.1, 0.3, elbow, -0.4), [*LIMITS[:2], (lower, upper), LIMITS[2]])
        assert found is None or [*found[:2], found[3]] == [0.1, 0.3, -0.4]
        three = some.off_limit((0.3, elbow, -0.4), [LIMITS[1], (lower, upper), LIMITS[2]])
        assert three == (found and found[1:])
        return found and found[2]

    assert put(straight, straight, 1.4) == pytest.approx(straight + OFF_LIMIT, abs=1e-15)
    assert put(straight, -1.5, straight) == pytest.approx(straight - OFF_LIMIT, abs=1e-15)
    folded = math.pi - straight
    assert put(folded, -1.5, folded) == pytest.approx(folded - OFF_LIMIT, abs=1e-15)
    assert put(straight, -1.5, 1.4) is None  # on no limit
    assert put(1.4, -1.5, 1.4) is None  # clearly bent
    assert put(straight, straight, straight) is None  # there is no inside


def test_a_solution_is_clear_of_limits_and_of_a_straight_or_folded_elbow():
    some, q = bounds(), (0.3, 0.5, -0.4)
    assert some.is_clear(q)
    assert not bounds(lengths=(0.4, 0.0, 0.2)).is_clear(q)  # a joint is free
    for joint, (lower, upper) in enumerate(LIMITS):
        for end, inwards in ((lower, 1.0), (upper, -1.0)):
            for share, clear in ((1.01, True), (0.99, False), (0.0, False), (-1.0, False)):
                at = end + inwards * share * ROOM
                assert some.is_clear(tuple(at if one == joint else q[one] for one in range(3))) is (
                    clear
                )
    folds = bounds(limits=None)
    for straight in (0.0, math.pi, -math.pi):
        for sign in (1.0, -1.0):
            assert folds.is_clear((0.3, straight + sign * 1.01 * ROOM, 0.2))
            assert not folds.is_clear((0.3, straight + sign * 0.99 * ROOM, 0.2))
    assert folds.is_clear((0.0, 0.5, 0.0))


def test_an_angle_next_to_a_limit_is_put_on_it():
    some = bounds()
    for end in YAW:
        for sign in (1.0, -1.0):
            assert some.on_limit(end + sign * 0.99 * ROOM, YAW) == end
            assert some.on_limit(end + sign * 1.01 * ROOM, YAW) == end + sign * 1.01 * ROOM


def test_off_the_axis_by_the_links_share_of_an_error():
    some, least = bounds(), ROOM * (ASIDE + 0.3)
    for sign in (1.0, -1.0):
        assert some.is_off_axis(sign * 1.01 * least)
        assert not some.is_off_axis(sign * 0.99 * least)


def test_the_yaw_angle_is_clear_of_its_limits_and_off_the_axis():
    some, lower, upper = bounds(), *YAW
    for yaw, clear in (
        (0.0, True), (lower + 1.01 * ROOM, True), (upper - 1.01 * ROOM, True),
        (lower + 0.99 * ROOM, False), (upper - 0.99 * ROOM, False), (3.0, False), (-2.1, False),
    ):  # fmt: skip
        assert some.is_yaw_clear(yaw, 0.3) is clear
        assert not some.is_yaw_clear(yaw, 0.001)
        assert bounds(yaw=False).is_yaw_clear(yaw, 0.001)


def test_correction_may_turn_the_yaw_joint_into_its_limits_from_nearby_or_on_the_axis():
    some, lower, upper = bounds(), *YAW
    for yaw, may in (
        (0.0, True), (lower - 0.99 * ROOM, True), (upper + 0.99 * ROOM, True),
        (lower - 1.01 * ROOM, False), (upper + 1.01 * ROOM, False),
    ):  # fmt: skip
        assert some.may_turn_to(yaw, -0.3) is may
        assert some.may_turn_to(yaw, 0.001)
        assert bounds(yaw=False).may_turn_to(yaw, 0.3)


@pytest.mark.parametrize(('above', 'is_clear'), [(0.0116, False), (0.0118, True), (-0.001, False)])
def test_a_solution_is_clear_of_a_floor_from_the_room_times_the_reach_on(above, is_clear):
    """By hand: the elbow is the lowest part, and 0.013 rad of 0.9 m are 11.7 mm."""
    q = (0.3, 0.5, -0.4)
    planar = replace(bounds().planar, floor=Floor(0.4 * math.sin(0.3) - above))
    assert Bounds(planar, bounds().plane).is_clear(q) == is_clear


@pytest.mark.parametrize('outwards', [0.0, 0.05])
def test_an_elbow_is_folded_if_links_and_wrist_leave_joint_1_to_the_lean(outwards):
    near = 100.0 * SLACK + bounds().at(outwards)
    for share, is_folded in ((0.995, True), (1.005, False)):
        for sign in (1.0, -1.0):
            some = bounds(lengths=(0.3, 0.3 + sign * share * near, 0.2))
            assert some.is_folded((0.0, 0.0), outwards) is is_folded
        wrist = 0.6 * share * near, 0.8 * share * near
        assert bounds(lengths=(0.3, 0.3, 0.2)).is_folded(wrist, outwards) is is_folded


def test_what_is_exactly_at_a_bound_is_next_to_it_and_clear_of_it():
    """Limits at 0 and a slack of a power of two: floats hold such differences exactly."""
    slack, limits = 2.0**-20, [(0.0, 2.0), (0.5, 2.0), (0.0, 2.0)]
    planar = PlanarArm((0.5, 0.5, 0.25), limits)
    plane = ArmPlane(pose(np.eye(3), (0.0, 0.0, 0.0)), yaw_joint(planar, (0.0, 2.0)), slack)
    some, fixed = Bounds(planar, plane), Bounds(planar, replace(plane, yaw=None))
    room = some.room
    assert some.is_clear((room, 1.0, 1.0)) and some.is_clear((1.0, 1.0, room))
    assert some.on_limit(-room, limits[0]) == some.on_limit(room, limits[0]) == 0.0
    assert some.is_off_axis(room * 0.5) and some.is_off_axis(-room * 0.5)
    assert some.is_yaw_clear(room, 0.5) and some.may_turn_to(-room, 0.5)
    bent = next(one for one in np.arange(-9, 10) * 2.0**-60 + math.asin(room)
                if math.sin(one) == room)  # fmt: skip
    straight = replace(planar, joint_limits=((0.0, 2.0), (bent - 1.0, 2.0), (0.0, 2.0)))
    assert Bounds(straight, plane).is_clear((1.0, float(bent), 1.0))
    assert some.off_limit((1.0, bent, 1.0), [(0.0, 2.0), (bent, 2.0), (0.0, 2.0)])
    near = 104.0 * slack  # 100 times the slack, and 4 for the place
    assert fixed.is_folded((near, 0.0), 0.0) and fixed.is_folded((0.0, -near), 0.0)
    unlike = replace(planar, link_lengths=(0.5, 0.5 + near, 0.25))
    assert Bounds(unlike, replace(plane, yaw=None)).is_folded((0.0, 0.0), 0.0)
    assert fixed.into_reach((1.25 + 4.0 * slack, 0.0), 0.0) == (1.25, 0.0)


def test_a_place_out_of_reach_by_no_more_than_the_lean_explains_is_brought_into_reach():
    """Along the way from the first joint to the third, and no farther."""
    rng, some = np.random.default_rng(1), bounds(yaw=False, lengths=(0.4, 0.3, 0.2))
    for _ in range(20):
        phi, direction = rng.uniform(-3.0, 3.0, 2)
        along = np.array((math.cos(direction), math.sin(direction)))
        last = 0.2 * np.array((math.cos(phi), math.sin(phi)))
        for end, sign in ((0.7, 1.0), (0.1, -1.0)):
            for share, is_moved in ((0.1, True), (0.95, True), (1.05, False), (-1.0, False)):
                place = (end + sign * share * some.nearly) * along + last
                expected = end * along + last if is_moved else place
                found = some.into_reach(tuple(place.tolist()), phi)
                assert found == pytest.approx(tuple(expected.tolist()), abs=1e-15)
    folded = bounds(yaw=False, lengths=(0.4, 0.4 + 1e-7, 0.2))
    assert folded.into_reach((0.2, 0.0), 0.0) == (0.2, 0.0)  # there is no way to go


def test_an_ordinary_point_is_reached_without_a_correction(monkeypatch):
    """With any orientation, or with one. The answer for parallel axes proves it."""
    corrections = []
    for name in ('corrected', 'posed'):
        monkeypatch.setattr(HingeChain, name, lambda *asked: corrections.append(asked))
    rng = np.random.default_rng(0)
    for name in ('px100', 'ur5e'):
        robot = TiltedRobot(tilted(name, rng, 1e-7))
        own = {joint: 0.3 * lower + 0.7 * upper for joint, (lower, upper) in robot.limits.items()}
        point = robot.tip(own)[:3, 3]
        for phi in (None, robot.phi(own)):
            assert robot.arm.check_reachability(point, phi).reachable
    assert not corrections
