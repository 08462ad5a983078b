# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Between space and the arm's plane: where a point is in it, and how the tool is turned."""

import math

import numpy as np
import pytest
from spatial_arms import (
    FREE,
    LINKS,
    axis_of,
    checked,
    random_arm,
    random_arms,
    random_configuration,
    random_rotation,
    rotation_by,
    somewhere,
    spatial_arm,
    tip_pose,
    yaw_joint,
)

from ik_circles import PlanarArm

CLOSURE = 1e-12  # share of the reach
RNG = np.random.default_rng(3)
FLAT = [random_arm(RNG, False, None) for _ in range(4)]
TURNED = list(random_arms())


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_the_tip_is_where_links_and_turns_put_it(arm):
    rng = np.random.default_rng(0)
    for _ in range(40):
        configuration = random_configuration(rng, arm)
        point, rotation = tip_pose(arm, configuration)
        assert math.dist(arm.tip_at(configuration), point) <= CLOSURE
        phi = sum(configuration.q)
        np.testing.assert_allclose(
            arm.tool.rotation(phi, configuration.yaw), rotation, atol=CLOSURE
        )
        seen = arm.tool.orientation(rotation)
        found = seen.angle(configuration.yaw)
        assert seen.tilt(found, configuration.yaw) <= 1e-7  # the root of rounding
        assert abs(math.remainder(found - phi, math.tau)) <= CLOSURE
        again = arm.tool.orientation(rotation.tolist()).angle(configuration.yaw)
        assert again == pytest.approx(found, abs=CLOSURE)


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_what_goes_into_the_plane_comes_out_of_it(arm):
    rng = np.random.default_rng(0)
    for _ in range(20):
        point = somewhere(rng, arm)
        x, y, off = arm.plane.into(point)
        normal = arm.plane.normal
        back = np.array(arm.plane.point_at(x, y)) + off * np.array(normal)
        assert math.dist(back, point) <= CLOSURE
        np.testing.assert_array_equal(normal, arm.plane.pose[:3, 2])


@pytest.mark.parametrize('arm', TURNED)
def test_the_yaw_axis_is_what_stands_still(arm):
    axis, through = axis_of(arm)
    np.testing.assert_allclose(arm.plane.yaw_axis, axis, atol=CLOSURE)
    rng = np.random.default_rng(0)
    for _ in range(10):
        point = somewhere(rng, arm)
        radius, azimuth, height = arm.yaw.place_of(*arm.plane.into(point))
        away = np.array(point) - through
        assert height == pytest.approx(away @ axis, abs=CLOSURE)
        assert radius == pytest.approx(np.linalg.norm(away - height * axis), abs=CLOSURE)
        turned = through + rotation_by(axis, 0.7) @ away
        later = arm.yaw.place_of(*arm.plane.into(turned))
        assert math.remainder(later.azimuth - azimuth - 0.7, math.tau) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize('arm', TURNED)
def test_the_plane_turned_to_a_point_holds_it_at_both_shoulders(arm):
    rng = np.random.default_rng(2)
    lower, upper = arm.yaw.limits
    seen = set()
    for _ in range(60):
        configuration = random_configuration(rng, arm)
        point, _ = tip_pose(arm, configuration)
        ways = arm.plane.shoulders(point)
        sides = [arm.yaw.faces(shoulder.point) for shoulder, _ in ways]
        assert sides == sorted(sides, reverse=True)
        seen.update(sides)
        angles = [angle for _, yaws in ways for angle in yaws]
        assert any(abs(angle - configuration.yaw) <= 1e-6 for angle in angles) or lower == -math.inf
        assert all(lower <= angle <= upper for angle in angles)
        for shoulder, yaws in ways:
            assert (shoulder.beside, shoulder.on_axis) == (0.0, False)
            for angle in (shoulder.yaw, *yaws):
                assert math.dist(arm.plane.point_at(*shoulder.point, angle), point) <= CLOSURE
            assert yaws == sorted(yaws, key=abs)
        drawn = next(shoulder.point for shoulder, yaws in ways if yaws)
        assert arm.plane.seen_at(point) == drawn
        place = arm.planar.forward_kinematics(configuration.q)[:2]
        assert arm.plane.seen_at(point, configuration.yaw) == pytest.approx(place, abs=1e-6)
    assert seen == {True, False}


def test_a_fixed_plane_says_how_far_a_point_is_beside_it():
    for arm in FLAT:
        rng = np.random.default_rng(0)
        point = np.array(arm.plane.point_at(0.3, 0.1)) + 0.02 * arm.plane.pose[:3, 2]
        for sign in (1.0, -1.0):
            off = point if sign > 0.0 else point - 0.04 * arm.plane.pose[:3, 2]
            ((shoulder, yaws),) = arm.plane.shoulders(off)
            assert (shoulder.yaw, yaws) == (0.0, [0.0])
            assert shoulder.beside == pytest.approx(0.02, abs=CLOSURE)
            assert shoulder.point == pytest.approx((0.3, 0.1), abs=CLOSURE)
            assert arm.plane.seen_at(off) == shoulder.point
        rotation = random_rotation(rng)
        seen = arm.tool.orientation(rotation)
        assert seen.tilt(1.0, 0.0) == seen.tilt(2.0, 0.0)


def test_what_cannot_be_turned_to_is_drawn_with_the_plane_at_zero():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, (-1.0, 1.0), 0.1))
    assert arm.plane.seen_at((0.05, -0.1, 0.3)) == pytest.approx((0.05, 0.3))  # too near the axis
    assert arm.plane.seen_at((0.0, 0.4, 0.3)) == pytest.approx((0.0, 0.3))  # past both limits
    assert all(map(math.isnan, arm.plane.seen_at((math.nan, math.nan, math.nan))))


def test_without_a_yaw_joint_tilt_is_the_angle_between_the_planes():
    arm = FLAT[0]
    rng = np.random.default_rng(0)
    x_axis = arm.plane.pose[:3, 0]
    for _ in range(20):
        angle = rng.uniform(-3.0, 3.0)
        rotation = rotation_by(x_axis, angle) @ arm.tool.at_zero
        tilt = arm.tool.orientation(rotation).tilt(0.0, 0.0)
        assert tilt == pytest.approx(abs(angle), abs=CLOSURE)


def test_no_tilt_is_no_more_than_a_tolerance_of_zero():
    assert checked(spatial_arm(LINKS), (0.9, 0.0, 0.0), rotation=np.eye(3), tilt=0.0).reachable


@pytest.mark.parametrize('arm', TURNED)
def test_the_tools_angle_is_that_of_its_pitch_whatever_its_heading(arm):
    rng = np.random.default_rng(0)
    axis, _ = axis_of(arm)
    for _ in range(20):
        phi, yaw, heading = rng.uniform(-3.0, 3.0), *rng.uniform(-0.7, 0.7, 2)
        rotation = rotation_by(axis, heading) @ arm.tool.rotation(phi, yaw)
        seen = arm.tool.orientation(rotation)
        found = seen.angle(yaw)
        assert abs(math.remainder(found - phi, math.tau)) <= 1e-9
        assert seen.tilt(found, yaw) == pytest.approx(abs(heading), abs=1e-7)
        away = seen.yaw_by(arm.yaw) - yaw - heading
        assert math.remainder(away, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_a_tool_along_the_yaw_axis_points_outwards():
    """Its heading is rounding; the side of the level direction must not depend on that."""
    arm = spatial_arm(LINKS, yaw_joint(LINKS))
    for phi in (math.pi / 2.0, -math.pi / 2.0):
        for yaw in np.linspace(-3.0, 3.0, 13):
            seen = arm.tool.orientation(arm.tool.rotation(phi, yaw))
            assert seen.angle(0.0) == pytest.approx(phi)
    sideways = rotation_by((0, 0, 1), math.pi / 2.0) @ arm.tool.rotation(0.3)
    # Neither towards the axis nor away from it.
    assert arm.tool.orientation(sideways).angle(0.0) == pytest.approx(0.3)


# --- limits of the yaw joint ---


def test_turns_inside_the_limits():
    yaw = yaw_joint(LINKS, (-7.0, 4.0))
    assert yaw.turns(0.5) == pytest.approx([0.5, 0.5 - math.tau])
    assert yaw.turns(4.1) == pytest.approx([4.1 - math.tau])
    assert yaw.turns(4.1, window=0.2) == pytest.approx([4.1 - math.tau, 4.0])
    assert yaw.turns(-7.05, window=0.1) == pytest.approx([-7.05 + math.tau, -7.0])
    assert yaw_joint(LINKS).turns(5.0) == [5.0]
    assert yaw_joint(LINKS, (-1.0, 2.0)).turns(-2.5) == []


def test_each_turn_inside_the_limits_is_given_once_the_smallest_first():
    """Those past a limit by no more than the window are on it."""
    rng = np.random.default_rng(8)
    for _ in range(400):
        lower = rng.uniform(-7.0, 0.0)
        limits = lower, lower + rng.choice([0.3, 3.0, 6.2, math.tau, 7.0, 14.0])
        end, window = rng.choice(limits), rng.choice([0.0, 1e-3, 0.1])
        angle = rng.choice([rng.uniform(-math.pi, math.pi), end + rng.uniform(-0.2, 0.2)])
        turns = [angle + math.tau * n for n in range(-4, 5)]
        inside = [one for one in turns if limits[0] - window <= one <= limits[1] + window]
        expected = sorted({float(np.clip(one, *limits)) for one in inside}, key=abs)
        assert yaw_joint(LINKS, limits).turns(angle, window) == pytest.approx(expected, abs=1e-12)


def test_excess_over_a_limit():
    yaw = yaw_joint(LINKS, (-1.0, 2.0))
    assert yaw.excess(2.5) == pytest.approx(0.5)
    assert yaw.excess(-1.5) == pytest.approx(-0.5)
    assert yaw.excess(2.5 - math.tau) == pytest.approx(0.5)
    assert abs(yaw.excess(1.0)) == 0.0


@pytest.mark.parametrize('beside', [False, True])
@pytest.mark.parametrize('limits', [(-1.0, 1.2), (-3.0, 3.1), (-math.pi, math.pi)])
def test_an_angle_that_rounding_puts_past_its_limit_is_on_it(beside, limits):
    rng = np.random.default_rng(7)
    arm = random_arm(rng, beside, limits)
    for end, inwards in zip(limits, (1.0, -1.0)):
        for _ in range(60):
            outwards = rng.choice([-1, 1]) * 10.0 ** rng.uniform(-6.0, -0.3)
            point = arm.yaw.in_plane(outwards, rng.uniform(-0.3, 0.3))
            yaw = end + inwards * rng.integers(-2, 8) * 2e-16 * abs(end)
            target = arm.plane.point_at(*point, yaw)
            found = [
                (angle, shoulder)
                for shoulder, yaws in arm.plane.shoulders(target)
                for angle in yaws
                if math.dist(shoulder.point, point) <= 1e-6
            ]
            assert found
            assert all(limits[0] <= angle <= limits[1] for angle, _ in found)
            for angle, shoulder in found:
                assert math.dist(arm.plane.point_at(*shoulder.point, angle), target) <= CLOSURE
            angles = sorted(angle for angle, _ in found)
            assert all(b - a > 1e-9 for a, b in zip(angles, angles[1:]))


def test_past_a_limit_by_more_than_rounding_there_is_no_angle():
    arm = spatial_arm(LINKS, yaw_joint(LINKS, (-1.0, 1.2), 0.1))
    for past in (1e-9, 1e-4, 0.1):
        target = arm.plane.point_at(0.5, 0.1, 1.2 + past)
        (facing, yaws), _ = arm.plane.shoulders(target)
        assert (facing.yaw, yaws) == (pytest.approx(1.2 + past), [])


@pytest.mark.parametrize(
    ('limits', 'nearest'), [(FREE, 0.0), ((-1.0, 2.0), 0.0), ((0.5, 2.0), 0.5), ((-3.0, -1.0), -1)]
)
def test_on_the_axis_every_angle_works_and_the_nearest_to_zero_is_given(limits, nearest):
    arm = random_arm(np.random.default_rng(5), False, limits)
    target = arm.plane.point_at(*arm.yaw.in_plane(0.0, 0.2))
    ((shoulder, yaws),) = arm.plane.shoulders(target)
    assert shoulder.on_axis
    assert (shoulder.yaw, yaws) == (nearest, [nearest])
    assert shoulder.point == pytest.approx(arm.yaw.in_plane(0.0, 0.2), abs=CLOSURE)


def test_nearer_to_the_axis_than_the_plane_there_is_no_shoulder_but_for_the_slack():
    for slack, near in ((0.0, 0.0), (1e-3, 1e-3)):
        arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.1), slack=slack)
        azimuth = 0.4
        for radius, count in ((0.1 - near - 1e-6, 0), (0.1 - near + 1e-6, 1), (0.1 + 1e-6, 2)):
            if slack == 0.0 and count == 1:
                radius = 0.1
            _, (x, y, _) = axis_of(arm)
            target = x + radius * math.cos(azimuth), y + radius * math.sin(azimuth), 0.3
            ways = arm.plane.shoulders(target)
            assert len(ways) == count
            if count == 1:
                assert arm.yaw.from_axis(ways[0][0].point)[0] == 0.0


@pytest.mark.parametrize('arm', TURNED)
def test_behind_a_yaw_joint_the_tilt_is_the_angle_from_the_tips_orientation_to_another(arm):
    """By the trace of the turn between them, against forward kinematics link by link."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        configuration, rotation = random_configuration(rng, arm), random_rotation(rng)
        _, tip = tip_pose(arm, configuration)
        cosine = (np.trace(tip.T @ rotation) - 1.0) / 2.0
        tilt = arm.tool.orientation(rotation).tilt(sum(configuration.q), configuration.yaw)
        assert tilt == pytest.approx(math.acos(np.clip(cosine, -1.0, 1.0)), abs=1e-7)


def test_home_is_as_near_to_zero_as_the_limits_allow():
    assert spatial_arm(LINKS).home == (0.0, (0.0, 0.0, 0.0))
    planar = PlanarArm(LINKS.link_lengths, [(-1.0, 1.0), (0.5, 1.0), (-2.0, -1.5)])
    arm = spatial_arm(planar, yaw_joint(planar, (0.25, 2.0)))
    assert arm.home == (0.25, (0.0, 0.5, -1.5))


@pytest.mark.parametrize('arm', [*FLAT, *TURNED])
def test_seen_from_the_yaw_axis_points_are_outwards_along_it_and_off_the_plane(arm):
    """Without a yaw joint, as seen from the plane's origin: x, y and off the plane."""
    rng = np.random.default_rng(2)
    rows, through = arm.plane.from_yaw_axis
    for _ in range(20):
        point = somewhere(rng, arm)
        x, y, off = arm.plane.into(point)
        seen = np.array(rows) @ np.subtract(point, through)
        own = (x, y) if arm.yaw is None else arm.yaw.from_axis((x, y))
        assert tuple(seen) == pytest.approx((*own, off), abs=CLOSURE)
