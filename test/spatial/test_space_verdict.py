# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a target in space, against thousands of sampled tips: laws over random arms."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    SHORT,
    apart,
    axis_of,
    checked,
    direction,
    inside,
    limits_of,
    random_arm,
    random_arms,
    random_configuration,
    rotation_by,
    somewhere,
    spatial_arm,
    tip_pose,
    tips,
    yaw_joint,
)

from ik_circles import PlanarArm
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import Code, meters_text
from ik_circles.spatial.arm import checked_point
from ik_circles.spatial.points.ways import SAME_TILT

CLOSURE = 1e-12  # [m], of arms of about a meter
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight
FLAT = [random_arm(np.random.default_rng(seed), False, None) for seed in range(3)]
TURNED = list(random_arms(4))


def zones_of(arm, share):
    """Safe zones whose margin is a share of what there is between them."""
    return SafeZones.of(arm.planar, share * (arm.planar.max_reach - arm.planar.min_reach))


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_what_joints_reach_is_reached_and_they_are_among_the_solutions(arm):
    rng = np.random.default_rng(0)
    for _ in range(cases(200)):
        configuration = random_configuration(rng, arm)
        point, rotation = tip_pose(arm, configuration)
        phi = sum(configuration.q)
        found = arm.inverse_kinematics(point, phi)
        assert min(apart(one, configuration) for one in found) <= SAME
        assert len(set(found)) == len(found)
        for one in found:
            assert inside(arm, one)
            assert math.dist(tip_pose(arm, one)[0], point) <= CLOSURE
            assert math.remainder(sum(one.q) - phi, math.tau) == pytest.approx(0.0, abs=1e-9)
        position = checked(arm, point)
        pose = checked(arm, point, phi)
        oriented = checked(arm, point, rotation=rotation, tilt=1e-6)
        for told in (position, pose, oriented):
            assert told.reachable and told.code is Code.OK
            assert told.margin >= 0.0
            assert told.message.startswith('reachable with')
            assert math.dist(told.nearest[:3], point) <= (CLOSURE if arm.yaw is None else 0.0)
            assert told.nearest_configuration in told.configurations
            assert wrapped(told.nearest.phi - sum(told.nearest_configuration.q)) <= 1e-9
            assert told.nearest.yaw == told.nearest_configuration.yaw
            for one in told.configurations:
                assert inside(arm, one)
                assert math.dist(tip_pose(arm, one)[0], point) <= CLOSURE
        assert len(pose.configurations) == len(found)
        assert all(min(apart(one, other) for other in found) <= SAME for one in pose.configurations)
        assert holds(position.orientation_intervals, phi)
        assert holds(oriented.orientation_intervals, faced(arm, point, configuration))
        position.orientation_intervals.clear()  # the list is the caller's own
        assert position.orientation_intervals


def holds(intervals, phi):
    """Whether an orientation, or one next to it, is in the intervals."""
    return any(
        (phi - lower + SAME) % math.tau <= upper - lower + 2.0 * SAME for lower, upper in intervals
    )


def faced(arm, point, configuration):
    """The tool's orientation as the plane that faces the point has it: mirrored at the yaw axis by
    one that is turned round."""
    phi = sum(configuration.q)
    if arm.yaw is None:
        return phi
    is_facing = math.cos(configuration.yaw - arm.plane.shoulders(point)[0][0].yaw) > 0.0
    return phi if is_facing else 2.0 * math.atan2(*reversed(arm.yaw.along)) - phi


def wrapped(angle):
    return abs(math.remainder(angle, math.tau))


@pytest.mark.parametrize('arm', TURNED)
def test_intervals_are_those_of_both_shoulders(arm):
    rng = np.random.default_rng(1)
    for _ in range(cases(200)):
        point, _ = tip_pose(arm, random_configuration(rng, arm))
        intervals = checked(arm, point).orientation_intervals
        for phi in rng.uniform(-math.pi, math.pi, 8):
            margin = min((wrapped(phi - end) for pair in intervals for end in pair), default=1.0)
            is_inside = any((phi - lower) % math.tau <= upper - lower for lower, upper in intervals)
            if margin > 1e-6:
                assert is_inside == bool(arm.inverse_kinematics(point, phi))
                answer = checked(arm, point, phi)
                assert is_inside == answer.reachable
                if not is_inside:  # the shoulder that needs the smaller turn decides
                    assert wrapped(answer.nearest.phi - phi) == pytest.approx(margin, abs=1e-9)


@pytest.mark.parametrize('arm', TURNED)
def test_a_pose_that_can_be_taken_as_it_is_is_its_own_nearest(arm):
    rng = np.random.default_rng(9)
    for _ in range(cases(240)):
        configuration = random_configuration(rng, arm)
        point, made = tip_pose(arm, configuration)
        for tolerance in (SAME_TILT, math.inf):  # facing the point, or reaching backwards
            found = checked(arm, point, rotation=made, tilt=tolerance)
            assert found.as_wanted
        assert not checked(arm, point).as_wanted
        turned = arm.tool.rotation(*rng.uniform(-math.pi, math.pi, 2))
        for rotation in (made, turned):  # of which the arm may have the pitch only
            told = checked(arm, point, rotation=rotation)
            nearest = told.nearest
            away = np.abs(arm.tool.rotation(nearest.phi, nearest.yaw) - rotation).max()
            assert told.reachable or not told.as_wanted
            assert told.as_wanted == (told.reachable and away <= SAME_TILT)
            assert not told.as_wanted or nearest[:3] == tuple(point)
        tilt = told.tilt_at(configuration)
        cosine = (np.trace(made.T @ rotation) - 1.0) / 2.0
        assert tilt == pytest.approx(math.acos(np.clip(cosine, -1.0, 1.0)), abs=1e-6)
        assert checked(arm, point).tilt_at(configuration) == 0.0


@pytest.mark.parametrize('size', [1.0, 1e6, 1e9])
def test_what_is_nearest_to_a_reached_position_is_at_it_to_the_last_bit_for_arms_of_any_size(size):
    rng = np.random.default_rng(3)
    for number in range(cases(2000)):
        limits = [None if rng.random() < 0.2 else limits_of(rng) for _ in range(3)]
        planar = PlanarArm(tuple((size * rng.uniform(0.05, 0.5, 3)).tolist()), limits)
        arm = random_arm(rng, number % 2 == 0, limits_of(rng), planar)
        point, rotation = tip_pose(arm, random_configuration(rng, arm))
        place = tuple(map(float, point))
        for told in (checked(arm, place), checked(arm, place, rotation=rotation, tilt=1e-6)):
            assert told.reachable and told.nearest[:3] == place


@pytest.mark.parametrize('share', [0.0, 0.1])
@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_nearest_is_reached_and_no_farther_than_any_tip(arm, share):
    rng = np.random.default_rng(0)
    zones = zones_of(arm, share)
    some, distances = tips(rng, arm, 3000)
    some = some[(zones.inner <= distances) & (distances <= zones.outer)]
    for _ in range(cases(200)):
        point = somewhere(rng, arm)
        answer = checked(arm, point, zones=zones)
        if answer.reachable:
            assert answer.margin >= 0.0
            continue
        assert answer.margin < 0.0
        assert -answer.margin == pytest.approx(math.dist(point, answer.nearest[:3]), abs=1e-15)
        if len(some):
            least = np.linalg.norm(some - point, axis=1).min()
            assert -answer.margin <= least * (1.0 + 1e-12) or answer.code is Code.OUT_OF_PLANE
        found = answer.nearest_configuration
        assert inside(arm, found)
        assert math.dist(tip_pose(arm, found)[0], answer.nearest[:3]) <= CLOSURE
        assert (answer.configurations, answer.is_tilted) == ([], False)
        near = checked(arm, answer.nearest[:3], zones=zones)
        assert near.reachable or near.margin > -CLOSURE
        assert 'nan' not in answer.message
        if answer.code is not Code.JOINT_LIMIT and answer.code is not Code.OUT_OF_PLANE:
            assert meters_text(-answer.margin) in answer.message


@pytest.mark.parametrize('arm', [one for one in TURNED if one.yaw.aside])
def test_nearest_to_a_point_nearer_to_the_yaw_axis_than_the_plane_is_inside_the_zones(arm):
    rng, yaw = np.random.default_rng(5), arm.yaw
    for _ in range(cases(400)):
        zones = zones_of(arm, rng.uniform(0.02, 0.4))
        height = rng.uniform(-1.2, 1.2) * arm.planar.max_reach
        x, y = yaw.in_plane(0.0, height)
        towards_axis = rng.uniform(0.0, 1.0) * yaw.aside
        point = tuple(arm.plane.in_space(x, y, towards_axis))
        answer = checked(arm, point, zones=zones)
        x, y, _ = arm.planar.pose_at(answer.nearest_configuration.q)
        assert zones.contains(math.hypot(x, y), CLOSURE)


@pytest.mark.parametrize('share', [0.0, 0.1])
@pytest.mark.parametrize('arm', TURNED)
def test_every_point_nearer_than_the_margin_is_reached(arm, share):
    rng = np.random.default_rng(0)
    zones = zones_of(arm, share)
    positive = 0
    for _ in range(cases(160, least=8)):
        point, _ = tip_pose(arm, random_configuration(rng, arm))
        answer = checked(arm, point, zones=zones)
        if not answer.reachable:
            continue
        positive += answer.margin > 1e-3
        for _ in range(4):
            near = point + direction(rng) * answer.margin * (1.0 - 1e-9)
            assert checked(arm, near, zones=zones).reachable
    assert positive > 2


def test_a_shoulder_that_is_folded_up_has_no_margin():
    """The planar arm reaches one point, its base, which the yaw joint carries on a circle."""
    folded = PlanarArm((0.5, 0.2, 0.3), (None, (math.pi, math.pi), (0.0, 0.0)))
    arm = spatial_arm(folded, yaw_joint(folded, foot=(-0.02, -0.1)))
    assert checked(arm, (0.0, 0.0, 0.0)).margin == pytest.approx(0.0, abs=1e-12)
    assert checked(arm, (0.01, 0.0, 0.0)).code is Code.JOINT_LIMIT


def test_the_margin_is_the_distance_to_where_one_shoulder_ends():
    """With continuous joints only the reach and the axis count, and a limit of the yaw joint."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    assert checked(arm, (0.7, 0.0, 0.0)).margin == pytest.approx(0.2)
    beside = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.1))
    _, (x, y, _) = axis_of(beside)
    assert checked(beside, (x + 0.25, y, 0.1)).margin == pytest.approx(0.15)
    limited = spatial_arm(LINKS, yaw_joint(LINKS, (-0.5, 1.0)))
    angle = 1.0 - 0.2
    point = 0.5 * math.cos(angle), 0.5 * math.sin(angle), 0.0
    assert checked(limited, point).margin == pytest.approx(0.5 * math.sin(0.2))
    narrow = spatial_arm(SHORT, yaw_joint(SHORT))
    assert checked(narrow, (0.8, 0.0, 0.0)).margin == pytest.approx(0.1)


@pytest.mark.parametrize('slack', [1e-3, 0.01, 0.3])
def test_a_margin_is_smaller_by_the_slack_of_the_axes_and_never_negative(slack):
    """By hand: 0.2 m from the end of the reach, in a plane that stays and behind a yaw joint."""
    for yaw in (None, yaw_joint(LINKS)):
        arm = spatial_arm(LINKS, yaw, slack=slack)
        told = checked(arm, (0.7, 0.0, 0.0))
        assert told.reachable and told.margin == pytest.approx(max(0.0, 0.2 - slack), abs=1e-12)


def test_past_a_yaw_limit_the_nearest_point_is_straight_beside_the_plane_on_that_limit():
    """By 0.2 rad; reaching backwards, the arm would get within half a meter of the point."""
    arm = spatial_arm(SHORT, yaw_joint(SHORT, (-1.0, 2.0)))
    told = checked(arm, (0.6 * math.cos(2.2), 0.6 * math.sin(2.2), 0.1))
    assert told.code is Code.JOINT_LIMIT and told.nearest.yaw == 2.0
    assert told.margin == pytest.approx(-0.6 * math.sin(0.2))


@pytest.mark.parametrize('aside', [0.0, 0.1])
def test_a_miss_of_more_than_rounding_is_refused(aside):
    """A tolerance is 1e-13 of the reach: one too far counts as a hit, from two on it is a miss."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, aside))
    rng, (axis, through) = np.random.default_rng(4), axis_of(arm)
    for too_far in (0.5, 2.0, 4.0, 8.0, 16.0):
        outwards = LINKS.max_reach * (1.0 + 1e-13 * too_far)
        for angle in rng.uniform(-math.pi, math.pi, 5):
            point = through + rotation_by(axis, angle) @ (outwards, aside, 0.0)
            told = checked(arm, tuple(point.tolist()))
            assert told.reachable == (too_far < 1.0)
            assert told.reachable or told.code is Code.TOO_FAR


@pytest.mark.parametrize('arm', TURNED[::2])
def test_the_nearest_to_what_is_very_far_away_is_that_in_its_direction(arm):
    towards = direction(np.random.default_rng(0))
    reach = arm.planar.max_reach
    support = [
        towards @ checked(arm, reach * 10.0**power * towards).nearest[:3]
        for power in (5, 7, 16, 100, 155, 300)
    ]
    assert max(support) - min(support) <= 1e-4 * reach
    assert max(support[1:]) - min(support[1:]) <= 1e-9 * reach


def test_a_point_too_far_away_for_sums_is_a_nearer_one_in_the_same_direction():
    assert checked_point((3e300, 0.0, -6e300)) == pytest.approx((5e299, 0.0, -1e300))
    assert checked_point((1e300, 2.0, -1e300)) == (1e300, 2.0, -1e300)
