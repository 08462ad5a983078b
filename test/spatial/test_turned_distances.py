# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Distances from a place to what is turned about the yaw axis: points, arcs, half-planes."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    direction,
    random_arm,
    random_planar,
    somewhere,
    spatial_arm,
    yaw_joint,
)
from three_joints import URDF

from ik_circles import load_arm
from ik_circles.geometry.arcs import Arc
from ik_circles.spatial.points.nearest import Met, gain, likely_points, stationary_points
from ik_circles.spatial.shoulder import Place


def random_arc(rng):
    center = tuple(rng.uniform(-0.4, 0.4, 2).tolist())
    return Arc(center, rng.uniform(0.05, 0.5), rng.uniform(-3, 3), rng.uniform(0.2, math.tau))


def drawn(rng, aside, about_axis=False):
    """A yaw joint, an arc, a place, and how near to it the nearest of many points is turned."""
    along = tuple(direction(rng, 2).tolist())
    yaw = yaw_joint(LINKS, FREE, aside, rng.uniform(-0.1, 0.1, 2).tolist(), along)
    arc = random_arc(rng)
    if about_axis:
        arc = arc._replace(center=yaw.in_plane(0.0, rng.uniform(-0.2, 0.2)))
    place = Place(rng.uniform(0.0, 0.8), rng.uniform(-3, 3), rng.uniform(-0.6, 0.6))
    samples = (arc.point_at(arc.start + t * arc.sweep) for t in np.linspace(0.0, 1.0, 400))
    return yaw, arc, place, min(yaw.distance_turned(place, point) for point in samples)


def bound(yaw, place, arc):
    return Met.by(yaw, place).from_circles(yaw.from_axis(arc.center), [arc.radius])[0]


@pytest.mark.parametrize('aside', [0.0, 0.1, -0.15])
def test_the_nearest_point_of_an_arc_that_is_turned_is_among_the_candidates(aside):
    rng = np.random.default_rng(4)
    stationary = 0
    for _ in range(60):
        yaw, arc, place, sampled = drawn(rng, aside)
        likely = min(yaw.distance_turned(place, p) for p in likely_points(yaw, arc, place))
        found = list(stationary_points(yaw, arc, place))
        least = min([likely, *(yaw.distance_turned(place, point) for point in found)])
        assert least <= sampled + 1e-12
        assert bound(yaw, place, arc) <= least + 1e-12
        assert aside != 0.0 or not found
        for point in found:
            assert math.dist(point, arc.center) == pytest.approx(arc.radius, abs=1e-12)
            assert arc.distance_to(point) <= 1e-9
        stationary += least < likely - 1e-9
    assert (stationary > 3) == (aside != 0.0)


@pytest.mark.parametrize('aside', [0.1, -0.15])
def test_of_an_arc_about_a_point_of_the_axis_the_nearest_point_is_likely(aside):
    """Turning moves it on a sphere: no roots are sought, and the sphere is the better bound."""
    rng = np.random.default_rng(5)
    straight = 0
    for _ in range(60):
        yaw, arc, place, sampled = drawn(rng, aside, about_axis=True)
        likely = map(arc.nearest_to, likely_points(yaw, arc, place))  # some are beside the arc
        least = min(yaw.distance_turned(place, point) for point in likely)
        assert least <= sampled + 1e-12
        assert not list(stationary_points(yaw, arc, place))
        above = place.height - yaw.from_axis(arc.center)[1]
        to_sphere = abs(math.hypot(place.radius, above) - math.hypot(arc.radius, aside))
        assert to_sphere <= least + 1e-12
        straight += least < to_sphere + 1e-12
    assert straight > 20


def test_straight_beside_the_axis_the_points_of_an_arc_at_the_height_of_a_place_are_likely():
    rng = np.random.default_rng(7)
    for _ in range(60):
        yaw, arc, place, _ = drawn(rng, 0.1)
        height = yaw.from_axis(arc.center)[1] + rng.uniform(-0.9, 0.9) * arc.radius
        place = place._replace(radius=0.1 * (1.0 + 1e-9), height=height)
        level = [
            yaw.from_axis(point)[0] for point in likely_points(yaw, arc, place)
            if abs(yaw.from_axis(point)[1] - height) <= 1e-12
            and abs(math.dist(point, arc.center) - arc.radius) <= 1e-12
        ]  # fmt: skip
        out = yaw.from_axis(arc.center)[0]
        assert min(level) < out < max(level)


def test_no_point_of_an_arc_is_nearer_than_the_likely_ones_by_more_than_the_gain():
    """With the plane close by the axis and far from it; a bound on the gain that is infinite, or
    not needed, is not tested."""
    rng, known, gained, needless = np.random.default_rng(9), 0, 0, 0
    number = cases(100_000)
    for _ in range(number):
        aside = float(10.0 ** rng.uniform(-6.0, -0.7) * rng.choice([-1.0, 1.0]))
        along = tuple(direction(rng, 2).tolist())
        yaw = yaw_joint(LINKS, FREE, aside, rng.uniform(-0.1, 0.1, 2).tolist(), along)
        arc = random_arc(rng)._replace(radius=10.0 ** rng.uniform(-2.0, -0.2))
        place = Place(*rng.uniform((0.0, -3.0, -1.5), (1.5, 3.0, 1.5)).tolist())
        likely = min(yaw.distance_turned(place, p) for p in likely_points(yaw, arc, place))
        least = likely * rng.choice([1.0, 0.999, rng.uniform(0.5, 1.0)])
        most = gain(yaw, arc, place, least)
        some = (yaw.distance_turned(place, p) for p in stationary_points(yaw, arc, place))
        nearer = least - min(some, default=math.inf)
        assert nearer <= most + 1e-14, (aside, arc, place, least)
        known += most < math.inf
        gained += nearer > 1e-13 and most < math.inf
        needless += abs(aside) < 1e-4 and most < 1e-14
    assert known > number / 2 and gained > number / 20 and needless > number / 10


def test_an_arm_faces_a_point_that_is_too_far():
    """The ur5e as well reaches backwards: rounding had it do that, up to the last bit of the
    distance."""
    arm, rng = load_arm(URDF / 'ur5e.urdf'), np.random.default_rng(6)
    for _ in range(200):
        point = (*3.0 * direction(rng, 2), rng.uniform(-3.0, 3.0))
        told = arm.check_reachability(point)
        azimuth = math.atan2(point[1], point[0])
        assert math.cos(told.nearest.yaw - azimuth) > 0.0, point


def test_in_a_plane_through_the_axis_turning_keeps_distances():
    """An arc of the radius 0.2 m about a point 0.3 m outwards; the place is at 0.9 m: 0.4 m."""
    yaw, arc = yaw_joint(LINKS), Arc((0.3, 0.0), 0.2, -1.0, 2.0)
    assert bound(yaw, Place(0.9, 0.5, 0.0), arc) == pytest.approx(0.4)
    # As seen from 0.3 m beside it, the place is where it was; the arc is a little farther inwards.
    beside = yaw_joint(LINKS, aside=0.3)
    found = bound(beside, Place(math.hypot(0.9, 0.3), 0.5, 0.0), arc)
    assert 0.2 < found < math.hypot(0.9, 0.3) - math.hypot(0.5, 0.3) < 0.4


def test_a_point_turned_to_face_a_place_is_nearest_to_it():
    rng = np.random.default_rng(0)
    arm = random_arm(rng, True, FREE, random_planar(rng))
    for _ in range(20):
        target = somewhere(rng, arm)
        place = arm.yaw.place_of(*arm.plane.into(target))
        point = arm.yaw.in_plane(*rng.uniform(-0.5, 0.5, 2))
        best = arm.yaw.facing(place, point)
        distance = arm.yaw.distance_turned(place, point)
        assert math.dist(arm.plane.point_at(*point, best), target) == pytest.approx(distance)
        for turned in np.linspace(-3.0, 3.0, 31):
            assert math.dist(arm.plane.point_at(*point, turned), target) >= distance - 1e-12


def test_a_place_far_away_is_brought_near_in_its_direction():
    place = Place(3.0, 0.5, -4.0)
    assert place.brought_within(4.0) is place
    near = place.brought_within(1.0)
    assert (near.radius, near.azimuth, near.height) == pytest.approx((0.75, 0.5, -1.0))


@pytest.mark.parametrize('aside', [0.0, 0.1])
def test_turning_ends_at_half_a_plane(aside):
    """Against the nearest of many points of the half-planes at both limits."""
    rng = np.random.default_rng(8)
    limits = (-1.0, 2.0)
    arm = spatial_arm(LINKS, yaw_joint(LINKS, limits, aside))
    for _ in range(24):
        side, yaw = rng.choice([-1.0, 1.0]), rng.uniform(*limits)
        target = arm.plane.point_at(side * rng.uniform(0.05, 0.6), 0.2, yaw)
        place = arm.yaw.place_of(*arm.plane.into(target))
        some = (shoulder for shoulder, _ in arm.plane.shoulders(target))
        shoulder = next(one for one in some if arm.yaw.faces(one.point) == (side > 0.0))
        found = arm.yaw.distance_to_limit(shoulder, place)
        sampled = min(
            math.dist(arm.plane.point_at(side * out, 0.2, end), target)
            for end in limits
            for out in np.linspace(0.0, 1.0, 401)
        )
        assert sampled - 3e-3 <= found <= sampled + 1e-12
    whole = yaw_joint(LINKS, (-math.pi, math.pi))
    assert whole.ends() == () and whole.distance_to_limit(shoulder, place) == math.inf
    assert yaw_joint(LINKS, (-1.0, 2.0)).ends() == (-1.0, 2.0)
