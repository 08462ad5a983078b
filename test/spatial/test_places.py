# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Points as the yaw axis sees them, in columns: the plane is turned here as a complex number."""

import cmath
import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, LINKS, direction, limits_of, random_arm, yaw_joint

from ik_circles.spatial.batch.places import Places, points_seen
from ik_circles.spatial.shoulder import Place, Shoulder

SIDES = (1.0, -1.0)
ROWS = 20


def drawn(rng, limits=FREE, aside=None):
    """A yaw joint beside the plane, and places as it sees them: as complex numbers, with heights.
    """
    away = rng.choice(SIDES) * rng.uniform(0.05, 0.3) if aside is None else aside
    foot, along = rng.uniform(-0.2, 0.2, 2).tolist(), tuple(direction(rng, 2).tolist())
    yaw = yaw_joint(LINKS, limits, float(away), foot, along)
    radius = abs(yaw.aside) + rng.uniform(0.01, 1.0, ROWS)
    seen = radius * np.exp(1j * rng.uniform(-math.pi, math.pi, ROWS))
    height = rng.uniform(-1.0, 1.0, ROWS)
    return yaw, seen, height, Places(yaw, seen.real, seen.imag, height)


def test_points_are_placed_where_the_yaw_axis_sees_them():
    rng = np.random.default_rng(5)
    for _ in range(cases(400)):
        arm = random_arm(rng, True, FREE)
        seen, height = rng.normal(size=(4, 2)) @ (1.0, 1j), rng.uniform(-1.0, 1.0)
        points = points_seen(arm.plane, arm.yaw, seen.real, seen.imag, height)
        for point, its in zip(points, seen):
            place = arm.yaw.place_of(*arm.plane.into(point))
            assert tuple(place) == pytest.approx((abs(its), cmath.phase(its), height), abs=1e-12)
        columns = np.array([arm.plane.into(point) for point in points]).T
        places = Places.of(arm.yaw, *columns)
        ahead, off = places.seen_at(0.0)
        assert ahead + 1j * (off + arm.yaw.aside) == pytest.approx(seen, abs=1e-12)
        assert places.height == pytest.approx([height] * len(seen), abs=1e-12)


def test_the_plane_turned_to_points_holds_them():
    """At any yaw angle, too, a point is seen as far from the axis as it is; so are some of them."""
    rng = np.random.default_rng(0)
    for _ in range(cases(1000)):
        yaw, seen, height, places = drawn(rng)
        assert places.radius == pytest.approx(np.abs(seen), abs=1e-12)
        assert np.hypot(places.outwards, yaw.aside) == pytest.approx(np.abs(seen), abs=1e-12)
        for sign in SIDES:
            for aside in (None, rng.uniform(-0.05, 0.05, ROWS)):
                past = yaw.aside if aside is None else aside
                outwards = sign * np.sqrt(np.abs(seen) ** 2 - past**2)
                cosine, sine = places.turned_to(outwards, aside)
                assert (cosine + 1j * sine) * (outwards + 1j * past) == pytest.approx(seen)
            x, y = places.in_plane(sign * places.outwards)
            own = np.array([yaw.from_axis(one) for one in zip(x, y)]).T
            assert own == pytest.approx(np.array([sign * places.outwards, height]), abs=1e-12)
        angle, some = rng.uniform(-4.0, 4.0), rng.permutation(ROWS)[:7]
        turned = seen * cmath.exp(-1j * angle)
        for one, rows in ((places, np.arange(ROWS)), (places.rows(some), some)):
            ahead, off = one.seen_at(angle)
            assert ahead + 1j * (off + yaw.aside) == pytest.approx(turned[rows], abs=1e-12)
            assert one.height.tolist() == height[rows].tolist()


def test_a_point_nearer_to_the_axis_than_the_plane_is_seen_beside_the_axis():
    yaw = yaw_joint(LINKS, aside=-0.2)
    places = Places(yaw, np.array([0.1, 0.0]), np.array([0.0, 0.2]), np.zeros(2))
    assert places.outwards.tolist() == [0.0, 0.0]


@pytest.mark.parametrize('most', [3.0, 6.2, 9.0])
def test_sides_are_inside_their_limits_as_single_shoulders_are(most):
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        yaw, seen, height, places = drawn(rng, limits_of(rng, most), rng.choice([None, 0.0]))
        lower, upper = yaw.limits
        for sign in SIDES:
            side = places.side(sign)
            for row in range(ROWS):
                angle = np.angle(seen[row] / (sign * places.outwards[row] + 1j * yaw.aside))
                is_inside = (angle - lower) % math.tau <= upper - lower
                assert side.is_inside[row] == is_inside
                place = Place(abs(seen[row]), cmath.phase(seen[row]), height[row])
                shoulder = Shoulder(angle, (side.x[row], side.y[row]))
                wanted = yaw.distance_to_limit(shoulder, place)
                assert side.to_limit[row] == pytest.approx(wanted, abs=1e-12)
                assert yaw.from_axis(shoulder.point)[0] * sign >= 0.0


def test_a_point_past_a_limit_of_the_yaw_joint_is_no_nearer_to_tips_that_can_be_turned_to_it():
    """Tips on the same side of the axis are tried densely. Mostly the bound is what they have."""
    rng, found = np.random.default_rng(2), []
    out = np.linspace(0.0, 4.0, 2001)
    for _ in range(cases(400, least=10)):
        yaw, seen, _, places = drawn(rng, limits_of(rng, 4.0))
        lower, upper = yaw.limits
        for sign in SIDES:
            side = places.side(sign)
            for row in np.flatnonzero(~side.is_inside):
                tips = sign * out + 1j * yaw.aside
                inside = (np.angle(seen[row] / tips) - lower) % math.tau <= upper - lower
                away = np.abs(np.abs(tips) - abs(seen[row]))[inside].min(initial=math.inf)
                assert side.past_limit[row] <= away + 1e-12
                if math.isfinite(away):
                    found.append(away - side.past_limit[row])
    assert np.mean(np.array(found) < 4e-3) > 0.8


def test_no_tip_as_far_from_a_point_in_the_plane_is_nearer_when_both_are_turned():
    """Tips all around are tried. Straight inwards, the bound is what one of them has; farther away,
    half of what they have, if the plane passes the axis at less than half their distance."""
    rng = np.random.default_rng(3)
    for _ in range(cases(400)):
        yaw, seen, _, places = drawn(rng)
        aside, radius = abs(yaw.aside), np.abs(seen)
        for share in (0.0, 0.3, 0.9, 1.0, 1.5, 4.0):
            distance = share * places.outwards
            bound = places.turned(distance)
            tips = places.outwards + distance * np.exp(1j * np.linspace(0, math.tau, 721))[:, None]
            away = np.hypot(radius - np.hypot(tips.real, aside), tips.imag)
            least = np.where(tips.real >= -1e-12, away, np.inf).min(axis=0)
            assert (bound <= least + 1e-9).all()
            if share <= 1.0:
                assert bound == pytest.approx(least, abs=1e-9)
            else:
                assert (bound >= 0.5 * least)[radius >= 2.0 * aside].all()


@pytest.mark.parametrize('aside', [0.5, -0.5])
def test_places_nearer_to_the_axis_than_the_plane_are_inside_its_ring(aside):
    ahead = np.array([0.0, 0.5, math.nextafter(0.5, 0.0), -0.5, 0.6])
    places = Places(yaw_joint(LINKS, FREE, aside), ahead, np.zeros(5), np.zeros(5))
    assert places.is_inside_ring.tolist() == [True, False, True, False, False]
