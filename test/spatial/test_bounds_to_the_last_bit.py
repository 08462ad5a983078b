# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Bounds in space where they are met exactly, and cases that a person can check by hand."""

import math

import numpy as np
import pytest
from spatial_arms import FREE, LINKS, checked, pose, spatial_arm, yaw_joint

from ik_circles import Floor, InvalidArmError, PlanarArm
from ik_circles.geometry.arcs import Arc
from ik_circles.planar.ranges import NEARLY_A_TURN
from ik_circles.planar.selection import Policy
from ik_circles.reasons import Code
from ik_circles.spatial.arm import (
    FARTHEST,
    OUT_OF_PLANE_TOLERANCE,
    Configuration,
    checked_point,
)
from ik_circles.spatial.batch.points import SpatialBatch
from ik_circles.spatial.batch.poses import PoseBatch
from ik_circles.spatial.batch.turns import NEXT_TO_LIMIT
from ik_circles.spatial.floor import LEANING, floor_in_plane, lean_of
from ik_circles.spatial.lines.straight import EITHER_SIDE, above_within, ways_of
from ik_circles.spatial.plane import STEEP, ArmPlane, TurnedAway
from ik_circles.spatial.points.deciding import EDGE, is_on_edge
from ik_circles.spatial.points.nearest import Met, likely_points, margin
from ik_circles.spatial.points.sentences import turned_away
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.shoulder import Place, Shoulder
from ik_circles.spatial.yaw import Yaw

FINE = 2.0**-20  # the rounding [m]
AHEAD, BEHIND = Shoulder(0.0, (0.8, 0.0)), Shoulder(0.0, (-0.8, 0.0))


def upright(aside=0.0, limits=FREE):
    return Yaw(limits, (0.0, 0.0), (0.0, 1.0), aside, FINE)


def past(value):
    return math.nextafter(value, math.inf)


def test_a_place_is_brought_within_a_distance_if_it_is_farther_away():
    place = Place(3.0, 0.1, -4.0)
    assert place.brought_within(4.0) is place
    assert place.brought_within(2.0) == Place(1.5, 0.1, -2.0)
    assert Place(4.0, 0.1, 1.0).brought_within(2.0) == Place(2.0, 0.1, 0.5)


def test_a_place_is_on_the_edge_up_to_a_share_of_the_reach_from_the_circle_that_the_plane_touches():
    for radius, is_edge in ((0.0, True), (EDGE, True), (past(EDGE), False)):
        assert is_on_edge(upright(), Place(radius, 0.3, 0.1), 1.0) == is_edge
    for off, is_edge in ((0.9, True), (-0.9, True), (1.1, False), (-1.1, False)):
        assert is_on_edge(upright(-0.5), Place(0.5 + 2.0 * off * EDGE, 0.3, 0.1), 2.0) == is_edge


@pytest.mark.parametrize('same', [1e-4, 0.25])
@pytest.mark.parametrize('joint', range(6))
def test_configurations_are_the_same_up_to_a_difference_of_any_joint_and_whole_turns(joint, same):
    zero = Whole(0.0, (0.0, 0.0, 0.0), (0.0, 0.0))
    for share, turns, is_same in ((1.0, 0, True), (0.999, 1, True), (1.001, -1, False)):
        for side in (same, -same):
            angles = [0.0] * 6
            angles[joint] = side * share + math.tau * turns
            one = Whole(angles[0], tuple(angles[1:4]), tuple(angles[4:]))
            assert one.is_same(zero, same) == zero.is_same(one, same) == is_same


def test_a_point_farther_than_sums_allow_keeps_its_direction():
    assert checked_point((FARTHEST, 0.0, -1.0)) == (FARTHEST, 0.0, -1.0)
    beyond = 1e301
    assert checked_point((beyond, -beyond / 2.0, 0.0)) == (FARTHEST, -FARTHEST / 2.0, 0.0)
    assert checked_point((0.0, beyond / 4.0, -beyond))[2] == -FARTHEST


def test_an_axis_that_leans_counts_as_upright_up_to_what_rounded_figures_make_it_lean():
    for lean, is_upright in ((0.0, True), (LEANING, True), (past(LEANING), False), (0.1, False)):
        frame = pose(np.array([(1, 0, 0), (lean, 0, 1), (0, -1, 0)], float).T, (0.0, 0.0, 0.5))
        plane = ArmPlane(frame, upright(), 0.0)
        still = pose(np.array([(1, 0, 0), (0, 0, 1), (0, -1, lean)], float).T, (0.0, 0.0, 0.5))
        fixed = ArmPlane(still, None, 0.0)
        for one in (plane, fixed):
            assert lean_of(one) == lean
            if is_upright:
                floor = floor_in_plane(one, 0.25)
                assert (floor.height, floor.up) == (-0.25, math.pi / 2.0)
            else:
                with pytest.raises(InvalidArmError, match='leans from the z'):
                    floor_in_plane(one, 0.25)


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_point_beside_a_plane_that_no_joint_turns_is_reached_up_to_what_is_allowed(side):
    arm = spatial_arm(LINKS)
    for off, is_reached in (
        (OUT_OF_PLANE_TOLERANCE, True), (past(OUT_OF_PLANE_TOLERANCE), False)
    ):  # fmt: skip
        point = (0.5, side * off, 0.3)
        assert bool(arm.inverse_kinematics(point, 0.0)) == is_reached
        assert (checked(arm, point).code is not Code.OUT_OF_PLANE) == is_reached
        assert SpatialBatch(arm).check(np.array([point])).reachable == [is_reached]


def test_a_floor_is_lower_by_the_slack_of_the_axes():
    arm = PlanarArm((0.4, 0.3, 0.2), floor=Floor(-0.25, 0.5))
    assert above_within(arm, 0.0) is arm and above_within(LINKS, 0.5) is LINKS
    assert above_within(arm, 0.125).floor == Floor(-0.375, 0.5)


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_line_from_next_to_the_yaw_axis_may_be_on_either_side_of_it(sign):
    near = sign * EITHER_SIDE * FINE
    sides = [one.side for one in ways_of(upright(), (near, 0.1), 0.3, (0.5, 0.2, 0.0))]
    assert sides == [1.0, -1.0]
    beyond = sign * past(EITHER_SIDE * FINE)
    assert [one.side for one in ways_of(upright(), (beyond, 0.1), 0.3, (0.5, 0.2, 0.0))] == [sign]


def test_no_joint_takes_an_angle_at_two_turns_if_its_range_is_less_than_nearly_a_turn():
    def arm(width, yaw_width):
        planar = PlanarArm((0.4, 0.3, 0.2), [(0.0, 1.0), (0.0, width), (0.0, 1.0)])
        return spatial_arm(planar, yaw_joint(planar, (0.0, yaw_width)))

    assert arm(NEARLY_A_TURN, NEARLY_A_TURN).has_one_turn
    assert not arm(past(NEARLY_A_TURN), 1.0).has_one_turn
    assert not arm(1.0, past(NEARLY_A_TURN)).has_one_turn


def test_the_margin_of_a_turned_disk_is_straight_inwards_or_as_turning_shrinks_it():
    """The plane passes the axis at 0.6 m, the place is 1 m from the axis, so 0.8 m outwards."""
    place = Place(1.0, math.atan2(0.6, 0.8), 0.0)
    for aside in (0.6, -0.6):
        yaw = upright(aside)
        assert margin(yaw, place, AHEAD, 0.2) == pytest.approx(1.0 - math.hypot(0.6, 0.6))
        assert margin(yaw, place, AHEAD, 0.8) == pytest.approx(0.4)
        assert margin(yaw, place, AHEAD, 5.0) == pytest.approx(0.4)
        assert margin(yaw, place, BEHIND, 0.0) == 0.0
        near = Place(0.61, 0.0, 0.0)
        outwards = math.sqrt(0.61**2 - 0.36)
        wanted = 0.61 - math.hypot(outwards - 0.05, 0.6)
        assert margin(yaw, near, AHEAD, 0.05) == pytest.approx(max(wanted, outwards / 1.21 * 0.05))
        assert margin(yaw, near, AHEAD, 0.5) == pytest.approx(0.01)
    limited = upright(0.0, (-0.5, 0.5))
    assert margin(limited, Place(1.0, 0.4, 0.0), AHEAD, 5.0) == pytest.approx(math.sin(0.1))
    assert margin(limited, Place(1.0, 0.4, 0.0), AHEAD, 0.01) == 0.01


def test_the_plane_meets_a_place_ahead_of_the_axis_and_behind_it():
    for aside in (0.6, -0.6):
        met = Met.by(upright(aside), Place(1.0, 0.3, 0.25))
        assert met.ahead == pytest.approx((0.8, 0.25)) and met.behind == pytest.approx((-0.8, 0.25))
        assert met.share == pytest.approx(0.5)
        for center in (0.8, -0.8):  # both sides count
            assert met.from_circles((center, 1.25), [0.5]) == pytest.approx([0.25])
    beside = Met.by(upright(0.6), Place(0.3, 0.3, 0.25))
    assert (beside.ahead, beside.share) == ((0.0, 0.25), 0.0)


@pytest.mark.parametrize('aside', [0.3, -0.3])
def test_of_an_arc_about_the_axis_the_ends_are_likely_if_it_has_any(aside):
    yaw, place = upright(aside), Place(0.5, 0.2, 0.4)
    whole = list(likely_points(yaw, Arc((0.0, 0.1), 0.5, 0.3, math.tau), place))
    part = list(likely_points(yaw, Arc((0.0, 0.1), 0.5, 0.3, 1.0), place))
    assert len(whole) == 2 and all(p in part for p in (Arc((0.0, 0.1), 0.5, 0.3, 1.0).point_at(t)
                                                       for t in (0.3, 1.3)))  # fmt: skip
    to_sphere = abs(math.hypot(0.5, 0.3) - math.hypot(0.5, 0.3))
    assert min(yaw.distance_turned(place, p) for p in whole) == pytest.approx(to_sphere, abs=1e-12)


def test_an_angle_as_large_as_what_is_allowed_is_not_named():
    heading, roll = 'heading', 'no joint rolls, so its roll is'
    for one, named in (
        (TurnedAway(0.01, 0.02, 'no joint rolls'), (False, True)),
        (TurnedAway(0.02, 0.01, 'no joint rolls'), (True, False)),
        (TurnedAway(0.02, 0.02, 'no joint rolls'), (True, True)),
        (TurnedAway(0.01, 0.005, 'no joint rolls'), (True, False)),
        (TurnedAway(0.005, 0.01, 'no joint rolls'), (False, True)),
    ):
        told = turned_away(one, 0.01)
        assert (heading in told, roll in told) == named, told


@pytest.mark.parametrize('aside', [0.0, 0.05])
def test_heading_and_roll_of_a_tool_are_the_turns_about_the_yaw_axis_and_about_itself(aside):
    """A tool within STEEP of the yaw axis has no heading: all of the turn counts as one."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, aside))
    for tool in (0.3, -1.2, math.pi / 2.0 - 1.1 * STEEP, math.pi / 2.0 - 0.9 * STEEP):
        for turn in (0.2, -0.2):
            for roll in (0.0, 0.4, -0.4):
                direction = np.array((math.cos(tool), 0.0, math.sin(tool)))
                direction = about((0.0, 0.0, 1.0), 0.7 + turn) @ direction
                given = arm.tool.rotation(tool, 0.7 + turn)
                wanted = arm.tool.orientation((about(direction, roll) @ given).tolist())
                found = wanted.turned_away(tool, 0.7)
                if abs(tool) < math.pi / 2.0 - STEEP:
                    assert found[:2] == pytest.approx((abs(turn), abs(roll)), abs=1e-7)
                else:
                    assert found.roll == 0.0
                    assert found.heading == pytest.approx(abs(turn + roll), abs=1e-2)


def about(axis, angle):
    """The rotation about a unit vector (3x3), by O. Rodrigues."""
    x, y, z = axis
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross


def test_a_pose_with_a_yaw_angle_half_a_turn_from_the_seed_is_left_to_the_code_for_one_target():
    arm = spatial_arm(PlanarArm((0.4, 0.3, 0.2), [(-3.0, 3.0)] * 3), yaw_joint(LINKS))
    own = Configuration(0.4, (0.3, -0.9, 0.2))
    target = np.array([(*arm.tip_at(own), sum(own.q))])
    for off, is_left in ((0.5, True), (-0.5, True), (5.0, False), (-5.0, False)):
        near = np.array([(own.yaw + math.pi + off * NEXT_TO_LIMIT, *own.q)])
        assert PoseBatch(arm).solve(target, near, Policy(), 0.01).doubtful == [is_left]
