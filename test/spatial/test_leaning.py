# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An arm on axes that lean, by hand: what is near enough, what moves too far, what is the same."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from leaning_arms import LEAN, SLACK, YAW, Q, leaning, missed, way
from spatial_arms import FREE

from ik_circles import Floor, PlanarArm
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.true_axes.aiming import Sought
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds
from ik_circles.spatial.true_axes.leaning import (
    MISSED,
    distinct,
    is_same,
)

#: Solutions whose joints differ by no more are the same [rad], by hand.
SAME_SOLUTION = 1e-7


@pytest.mark.parametrize('joint', range(4))
def test_solutions_are_the_same_if_no_joint_differs_by_more_than_rounding(joint):
    def moved(angle):
        yaw, *q = (angle if joint == one else 0.0 for one in range(4))
        return yaw, tuple(q)

    one, other = moved(0.0), moved(2.0 * SAME_SOLUTION)
    for sign in (-1.0, 1.0):
        assert is_same(one, moved(sign * SAME_SOLUTION))
        assert not is_same(one, moved(sign * 1.001 * SAME_SOLUTION))
    assert distinct([one, moved(SAME_SOLUTION), other, one, other]) == [one, other]
    assert distinct([]) == []


def test_how_far_a_joint_on_its_limit_may_turn_the_tool_by_hand():
    some = leaning(limits=((-1.0, 1.0), None, (0.0, 2.0)), floor=Floor(-0.1))
    turns = 4.0 * LEAN + 4.0 * math.sqrt(MISSED / 0.3)
    assert some.turns_on_limit == pytest.approx(turns)
    first, _, (lower, upper) = some.bounds.opened.limits
    room = some.bounds.room
    assert first == pytest.approx((-1.0 - room, 1.0 + room))
    assert (lower, upper) == pytest.approx((-room, 2.0 + room))
    assert some.bounds.opened.joint_limits[1] is None and some.bounds.opened.floor is None


@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0)])
def test_angles_follow_a_point_that_is_near_and_stay_where_it_would_move_them_far(yaw_limits):
    """With a yaw joint also if only that one would move far, or only the others."""
    some = leaning(yaw_limits)
    start = (YAW if yaw_limits else 0.0), Q
    point = some.tip(*start)
    ways = np.eye(3) if yaw_limits else np.eye(3)[:2]
    for along in ways:
        target = tuple((np.array(point) + 0.04 * some.bounds.room * along).tolist())
        found = some.next_to(start, target)
        assert found != start and missed(some, found, target) <= CLOSES
        target = tuple((np.array(point) - 2.7 * some.bounds.room * along).tolist())
        assert some.next_to(start, target) == start
    assert some.next_to(start, tuple((10.0 * np.array(point)).tolist())) == start


@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0), FREE])
def test_what_is_found_closes_with_the_orientation_asked_for_and_the_yaw_angle_is_0_without_a_joint(
    yaw_limits,
):
    some = leaning(yaw_limits)
    yaw = YAW if yaw_limits else 0.0
    one = way(some, yaw)
    assert len(one.solutions) == 2 and one.is_met and one.is_clear and one.position_is_clear
    for found in one.solutions:
        assert missed(some, found, some.tip(yaw, Q)) <= CLOSES
        assert sum(found[1]) == pytest.approx(sum(Q), abs=1e-9)
        assert found[0] == pytest.approx(yaw, abs=1e-5) and (yaw_limits or found[0] == 0.0)
    assert one.solutions_near(Q) is one.solutions  # they are not searched for again
    assert one.tilt is None


@pytest.mark.parametrize('margin', [0.0, 0.01])
@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0)])
def test_a_place_off_the_zones_by_more_than_the_lean_explains_has_no_solutions(yaw_limits, margin):
    some, yaw = leaning(yaw_limits), YAW if yaw_limits else 0.0
    x, y, _ = some.planar.pose_at(Q)
    away = math.hypot(x, y)
    beyond = SLACK if margin else some.bounds.at(x if yaw_limits else 0.0)
    for share, is_near in ((0.9, True), (1.1, False)):
        off = share * beyond
        for zones in (SafeZones(0.0, away - off, margin), SafeZones(away + off, 2.0, margin)):
            one = way(some, yaw, zones=zones)
            assert bool(one.solutions) == bool(one.nearly) == is_near
            assert bool(one.next_to(Q, [yaw])) == bool(one.next_to_seed((yaw, Q))) == is_near
            assert bool(one.on_branch('elbow_down')) == bool(one.on_branch('nearest')) == is_near


@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0)])
def test_with_any_orientation_the_first_ones_that_work_are_given_and_the_target_is_met(yaw_limits):
    some, yaw = leaning(yaw_limits), YAW if yaw_limits else 0.0
    one = way(some, yaw, phi=None)
    assert one.is_clear and one.is_met and one.position_met
    assert one.solutions == one.nearly != []
    for found in one.nearly:
        assert missed(some, found, some.tip(yaw, Q)) <= CLOSES


def test_where_limits_leave_a_single_pose_it_is_met_though_it_is_not_clear():
    """All joints on limits: the position is reached with the own orientation, and with no other."""
    limits = (0.3, 2.0), (0.8, 2.0), (-0.5, 2.0)
    some = leaning(limits=limits)
    for phi, is_met in ((None, True), (sum(Q), True), (sum(Q) - 0.3, False), (sum(Q) + 0.3, False)):
        one = way(some, phi=phi)
        assert not one.is_clear and not one.position_is_clear
        assert one.is_met == is_met and one.position_met
        assert bool(one.solutions) == is_met
        (found,) = one.nearly
        assert np.abs(np.subtract(found[1], Q)).max() <= 1e-6
        for _, its in (turned := one.least_turned):
            assert np.abs(np.subtract(its, Q)).max() <= 1e-6
        assert turned
    nothing = SimpleNamespace(
        orientation_intervals=[], solutions=[], reachable=False, position_reachable=False,
        margin=-1.0, nearest_joint_positions=None,
    )  # fmt: skip
    for phi in (None, 0.6):
        far = way(some, q=(0.3, 0.7, -0.5), found=nothing, phi=phi)
        assert not far.is_met and not far.position_met
        assert far.solutions == far.nearly == far.least_turned == []


@pytest.mark.parametrize('yaw_limits', [None, (0.0, 2.0)])
def test_a_position_is_clear_if_its_orientations_leave_both_sides_the_room_of_the_lean(yaw_limits):
    some = leaning(yaw_limits)

    def is_clear(intervals, yaws=(1.0,)):
        found = SimpleNamespace(orientation_intervals=intervals)
        one = way(some, 1.0 if yaw_limits else 0.0, yaws=list(yaws), found=found, phi=None)
        assert one.is_clear == one.position_is_clear
        return one.is_clear

    room = some.bounds.room_of_orientations
    for lower in (-2.0, 0.0, 1.0):
        assert is_clear([(lower, lower + 2.1 * room)])
        assert not is_clear([(lower, lower + 1.9 * room)])
        assert is_clear([(lower, lower), (lower + 1.0, lower + 1.1)])
    assert not is_clear([(0.0, 2.0 * room)]) and not is_clear([])
    assert not is_clear([(0.0, 1.0)], yaws=())
    for yaw, its in ((some.bounds.room, True), (0.9 * some.bounds.room, False)):
        assert is_clear([(0.0, 1.0)], [yaw]) is (its or yaw_limits is None)


def test_a_short_last_link_needs_wider_orientations_by_hand():
    for lengths, times in (((0.3, 0.2, 0.4), 1.0), ((0.2, 0.3, 0.1), 2.0), ((0.3, 0.2, 1e-7), 2e6)):
        bounds = Bounds(PlanarArm(lengths), leaning().plane)
        assert bounds.room_of_orientations == pytest.approx(times * bounds.room)
    none = Bounds(PlanarArm((0.3, 0.2, 0.0)), leaning().plane)
    assert none.room_of_orientations == math.inf


def test_correction_may_turn_the_tip_by_the_room_and_next_to_the_yaw_axis_by_any_angle():
    some = leaning((-2.0, 2.0))
    room, upright = some.bounds.room, (math.pi / 2.0, 0.0, 0.0)
    for q, may in ((Q, False), (upright, True)):
        one = way(some, YAW, q)
        assert one.may_turn_by(room) and one.may_turn_by(0.0)
        assert one.may_turn_by(1.01 * room) is one.may_turn_by(3.0) is may


@pytest.mark.parametrize('yaw_limits', [None, (-2.0, 2.0)])
@pytest.mark.parametrize('elbow', [0.0, math.pi])
def test_a_straight_elbow_stays_straight_though_other_joints_start_beside_their_angles(
    yaw_limits, elbow
):
    some, yaw = leaning(yaw_limits), YAW if yaw_limits else 0.0
    q = 0.3, elbow, -0.5
    one = way(some, yaw, q)
    for step in (-1e-5, 1e-5):
        (found,) = one.next_to((0.3 + step, elbow, -0.5 - step), [yaw])
        assert found[1][1] == elbow
        assert missed(some, found, some.tip(yaw, q)) <= CLOSES


def test_an_orientation_is_kept_to_within_what_a_joint_on_its_limit_may_turn_it():
    """Next to limits, others would bring the tip there, too."""
    some = leaning((-2.0, 2.0), ((0.3, 2.0), (0.8, 2.0), (-2.0, 2.0)))
    one = way(some, YAW)
    for off in (-0.5, -0.1, 0.0):
        phi = sum(Q) + off * some.bounds.room
        for found in one.with_orientation(phi):
            assert abs(sum(found[1]) - phi) <= some.turns_on_limit
    assert one.with_orientation(sum(Q)) and one.next_to(Q, [YAW])


def test_what_is_sought_is_found_at_both_sides_only_next_to_the_yaw_axis():
    some = leaning(FREE)
    for x, count in ((0.5, 2), (-0.5, 2)):
        q = some.planar.inverse_kinematics(x, 0.2, 0.7)[0]
        yaw = 0.3
        found = [*some.solutions(Sought(some.tip(yaw, q), 0.7), (x, 0.2), x)]
        assert len(found) == count
        assert min(np.abs(np.subtract((its[0], *its[1]), (yaw, *q))).max() for its in found) < 1e-4
    wide = replace(some, planar=replace(some.planar, joint_limits=((-0.1, 0.1), None, None)))
    for found in wide.solutions(Sought(some.tip(0.0, Q), sum(Q)), (0.6, 0.4), 0.6):
        assert -0.1 <= found[1][0] <= 0.1


def test_a_way_is_clear_if_its_yaw_angle_is_far_from_its_limits_and_else_it_is_tried():
    for lower, is_clear in ((YAW, False), (YAW - 0.02, True)):
        some = leaning((lower, 2.0))
        one = way(some, YAW)
        assert one.is_clear == one.position_is_clear == is_clear
        assert one.is_met and one.yaws == [YAW]
        assert way(some, YAW, yaws=[]).yaws == [YAW]
        assert not way(some, YAW, yaws=[]).is_clear
