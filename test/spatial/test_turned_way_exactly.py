# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A straight line seen from a turned plane, recomputed as a complex number, at any scale."""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, direction, yaw_joint

from ik_circles import PlanarArm
from ik_circles.planar.lines.track import ON_LIMIT_OF_LINE, Cause
from ik_circles.spatial.lines.turned_way import ON_AXIS, YAW, TurnedWay

SHARES = np.linspace(0.0, 1.0, 21)


def scaled_way(rng, limits=FREE, radial=False):
    """A line clear of the ring about the yaw axis, of an arm of 1 cm to 100 m; its size [m]."""
    size = 10.0 ** rng.uniform(-2.0, 2.0)
    planar = PlanarArm((0.4 * size, 0.3 * size, 0.2 * size))
    aside = size * float(rng.choice([0.0, 0.1, -0.2]))
    foot = (size * rng.uniform(-0.1, 0.1, 2)).tolist()
    yaw = yaw_joint(planar, limits, aside, foot, direction(rng, 2).tolist())
    while True:
        start, end = size * rng.uniform(-1.0, 1.0, (2, 3))
        if radial:
            end[:2] = rng.uniform(0.5, 2.0) * start[:2]
        away = np.abs(seen_along(start, end - start, np.linspace(0.0, 1.0, 200)))
        if away.min() > 1.2 * abs(aside) + 0.1 * size:
            side = float(rng.choice([-1.0, 1.0]))
            outwards = side * math.sqrt(math.hypot(*start[:2]) ** 2 - aside**2)
            angle = cmath.phase(complex(*start[:2]) / complex(outwards, aside))
            angle += math.tau * float(rng.choice([-1.0, 0.0, 1.0]))
            return TurnedWay(yaw, tuple(start.tolist()), tuple((end - start).tolist()), side, angle)


def seen_along(start, along, shares):
    """Where the point is, seen along the yaw axis, as a complex number."""
    return complex(*start[:2]) + shares * complex(*along[:2])


def recomputed(way, shares):
    """Where the point is seen, how far it is outwards, and its speed and acceleration outwards."""
    seen, speed = seen_along(way.start, way.along, shares), complex(*way.along[:2])
    outwards = way.side * np.sqrt(np.abs(seen) ** 2 - way.yaw.aside**2)
    moved = (seen.conj() * speed).real / outwards
    return seen, outwards, moved, (abs(speed) ** 2 - moved**2) / outwards


def beside_circle(center, radius):
    """How far places are outside a circle, as a function."""
    return lambda x, y: np.hypot(x - center[0], y - center[1]) - radius


def beside_line(normal, place):
    """How far places are from a line through a place, as a function."""
    return lambda x, y: normal[0] * (x - place[0]) + normal[1] * (y - place[1])


def test_places_and_yaw_angles_are_those_of_complex_numbers():
    rng = np.random.default_rng(0)
    for _ in range(cases(1000, least=30)):
        way = scaled_way(rng)
        seen, outwards, *_ = recomputed(way, SHARES)
        (x, y), (along_x, along_y) = way.yaw.foot, way.yaw.along
        height = way.start[2] + SHARES * way.along[2]
        places = complex(x, y) + outwards * complex(along_y, -along_x)
        places += height * complex(along_x, along_y)
        found_x, found_y = way.places(SHARES)
        same = 1e-11 * way.yaw.rounding / 1e-13
        assert np.abs(found_x + 1j * found_y - places).max() <= same
        turned = np.unwrap(np.angle(seen / (outwards + 1j * way.yaw.aside)))
        angles = way.yaw_at_start + turned - turned[0]
        assert way.yaws_at(SHARES) == pytest.approx(angles, abs=1e-11)
        for index, share in enumerate(SHARES.tolist()):
            assert abs(complex(*way.at(share)) - places[index]) <= same
            assert abs(way.outwards(share) - outwards[index]) <= same
            assert abs(way.yaw_at(share) - angles[index]) <= 1e-11
            square = np.polynomial.polynomial.polyval(share, way.square)
            assert square == pytest.approx(outwards[index] ** 2, rel=1e-10)


def test_at_a_single_share_bounds_are_the_speeds_there_if_the_line_goes_straight_outwards():
    """The acceleration is exact for every line; so is the yaw rate, if the plane holds the axis."""
    rng = np.random.default_rng(1)
    for number in range(cases(1000, least=30)):
        way = scaled_way(rng, radial=bool(number % 2))
        seen, _, moved, bent = recomputed(way, SHARES)
        rise, (along_x, along_y) = way.along[2], way.yaw.along
        turned = (seen.conj() * complex(*way.along[:2])).imag / np.abs(seen) ** 2
        turned += way.yaw.aside * moved / np.abs(seen) ** 2
        assert way.bends(SHARES, SHARES) == pytest.approx(np.abs(bent), rel=1e-9, abs=1e-12)
        if number % 2 or way.yaw.aside == 0.0:
            assert way.yaw_rates(SHARES, SHARES) == pytest.approx(
                np.abs(turned), rel=1e-9, abs=1e-12
            )
        if number % 2 == 0:
            continue
        assert way.rates(SHARES, SHARES) == pytest.approx(np.hypot(moved, rise), rel=1e-9)
        a, b = normal = tuple(direction(rng, 2).tolist())
        level, upright = moved * (a * along_y - b * along_x), rise * (a * along_x + b * along_y)
        either = np.maximum(np.abs(level + upright), np.abs(level - upright))  # of both shoulders
        assert way.rises(normal, SHARES, SHARES) == pytest.approx(either, rel=1e-9)


def test_of_a_longer_part_the_acceleration_is_that_of_its_share_nearest_to_the_axis():
    """So is the yaw rate, if the plane holds the axis."""
    rng = np.random.default_rng(2)
    for _ in range(cases(1000, least=30)):
        way = scaled_way(rng)
        first, last = np.sort(rng.uniform(size=(2, 1)), axis=0)
        shares = np.linspace(first[0], last[0], 4001)
        seen, _, moved, bent = recomputed(way, shares)
        assert way.bends(first, last)[0] == pytest.approx(np.abs(bent).max(), rel=1e-5)
        turned = (seen.conj() * complex(*way.along[:2])).imag / np.abs(seen) ** 2
        if way.yaw.aside == 0.0:
            assert way.yaw_rates(first, last)[0] == pytest.approx(np.abs(turned).max(), rel=1e-5)
            rate = math.hypot(*way.along)
            assert way.rates(first, last)[0] == pytest.approx(rate, rel=1e-12)
        else:
            turned = np.abs(turned) + np.abs(way.yaw.aside * moved) / np.abs(seen) ** 2
            assert way.yaw_rates(first, last)[0] >= turned.max() * (1.0 - 1e-9)
            assert way.rates(first, last)[0] >= np.hypot(moved, way.along[2]).max() * (1 - 1e-9)


def test_the_yaw_joint_is_on_an_angle_and_the_point_on_a_circle_or_a_line_where_it_is_said():
    """All shares are found that are, and no others, if the other shoulder counts, too."""
    rng = np.random.default_rng(3)
    for number in range(cases(1000, least=30)):
        way = scaled_way(rng)
        share = float(rng.uniform())
        assert min(abs(one - share) for one in way.at_yaw(way.yaw_at(share))) <= 1e-9
        limited = replace(way, yaw=way.yaw._replace(limits=tuple(rng.uniform(-3.0, 3.0, 2))))
        assert all(0.0 <= one <= 1.0 for one in limited.events())
        size = way.yaw.rounding / 1e-13
        place, center = np.array(way.at(share)), size * rng.uniform(-0.5, 0.5, 2)
        if number % 2:
            center = np.array(way.yaw.in_plane(0.0, float(center[0])))
        radius, normal = float(np.hypot(*(place - center))), direction(rng, 2)
        on_circle = way.on_circle(tuple(center.tolist()), radius)
        on_line = way.on_line(tuple(normal.tolist()), float(normal @ place))
        for found, miss in (
            (on_circle, beside_circle(center, radius)),
            (on_line, beside_line(normal, place)),
        ):
            assert min((abs(one - share) for one in found), default=1.0) <= 1e-5
            other = TurnedWay(way.yaw, way.start, way.along, -way.side, 0.0)
            for one in found:
                assert 0.0 <= one <= 1.0
                assert min(abs(miss(*its.at(one))) for its in (way, other)) <= 1e-7 * size
            fine = np.linspace(0.0, 1.0, 200)
            for its in (way, other):
                misses = miss(*its.places(fine))
                for index in np.flatnonzero(misses[:-1] * misses[1:] < 0.0):
                    assert any(fine[index] <= one <= fine[index + 1] for one in found)


def flat_way(start, along, side=1.0, angle=0.0, aside=0.0, limits=FREE):
    """In a plane with the yaw axis upwards through its origin; links of 1 m in all."""
    yaw = yaw_joint(PlanarArm((0.5, 0.25, 0.25)), limits, aside)
    return TurnedWay(yaw, start, along, side, angle)


@pytest.mark.parametrize('heading', [0.0, 0.7, -2.5])
def test_a_line_from_the_yaw_axis_has_to_leave_it_along_the_plane(heading):
    along = 0.3 * math.cos(heading), 0.3 * math.sin(heading), 0.1
    for side, back in ((1.0, 0.0), (-1.0, math.pi)):
        for off, turns in ((0.0, 0.0), (5e-10, math.tau), (-5e-10, -math.tau)):
            way = flat_way((0.0, 0.0, 0.2), along, side, heading + back + off + turns)
            assert way.faces_at_start() and way.stop(0.0) is None and way.stop_at(0.0) is None
            assert way.yaw_at(1.0) == way.yaw_at_start
        for off in (2e-9, -2e-9, 0.1, math.pi / 2.0, math.pi):
            way = flat_way((0.0, 0.0, 0.2), along, side, heading + back + off)
            assert not way.faces_at_start()
            assert way.stop(0.5)[:2] == (Cause.THROUGH_AXIS, YAW)
            upwards = flat_way((0.0, 0.0, 0.2), (0.0, 0.0, 0.1), side, heading + back + off)
            assert upwards.faces_at_start() and upwards.stop(0.5) is None
            assert upwards.stop_at(0.5) is None and upwards.yaw_at(0.5) == upwards.yaw_at_start


def test_a_line_through_the_yaw_axis_ends_on_it_and_one_past_it_turns_the_plane_half_round():
    """Within 1e-8 of the reach, it counts as through the axis."""
    for off, side in ((0.0, 1.0), (0.7e-8, -1.0), (-0.7e-8, 1.0)):
        way = flat_way((0.25, off, 0.0), (-0.5, 0.0, 0.1), side)
        assert way.through_axis and way.faces_at_start()
        assert [way.stop_at(s) and way.stop_at(s)[:2] for s in (0.0, 0.5, 1.0)] == [
            None, (Cause.THROUGH_AXIS, YAW), None
        ]  # fmt: skip
        assert way.yaws_at(SHARES).tolist() == [0.0] * len(SHARES)
        assert way.yaw_at(1.0) == 0.0 and min(abs(one - 0.5) for one in way.events()) <= 1e-9
        assert not way.yaw_rates(SHARES[:-1], SHARES[1:]).any()
        ends = flat_way((0.25, off, 0.0), (-0.25, 0.0, 0.1), side)
        assert ends.stop_at(1.0)[:2] == (Cause.THROUGH_AXIS, YAW) and ends.stop_at(0.9) is None
    for off in (2e-8, -2e-8, 0.01):
        way = flat_way((0.25, off, 0.0), (-0.5, 0.0, 0.1))
        assert not way.through_axis and way.stop_at(0.5) is None
        turned = math.copysign(math.pi - 2.0 * math.atan(abs(off) / 0.25), off)
        assert way.yaw_at(1.0) == pytest.approx(turned, abs=1e-12)
        assert way.yaws_at(np.ones(1))[0] == pytest.approx(turned, abs=1e-12)
    beside = flat_way((0.25, 0.1, 0.0), (-0.5, 0.0, 0.1), aside=0.1)
    assert not beside.through_axis and beside.stop_at(0.5) is None


def test_a_line_that_passes_nearer_to_the_axis_than_the_plane_ends_there_with_both_distances():
    for aside, off in ((0.25, 0.125), (-0.25, 0.125), (0.25, -0.125)):
        way = flat_way((0.5, off, 0.0), (-1.0, 0.0, 0.0), aside=aside)
        ring = 0.5 - math.sqrt(0.25**2 - off**2), 0.5 + math.sqrt(0.25**2 - off**2)
        for share in ring:
            assert min(abs(one - share) for one in way.events()) <= 1e-12
        stop = way.stop(0.5)
        assert stop[:2] == (Cause.AXIS, YAW) and stop.figures == (0.125, 0.25)
        assert way.stop(ring[0] - 1e-9) is None and way.stop(ring[0] + 1e-9) is not None
        assert 0.5 in way.events() and way.outwards(0.5) == 0.0
        assert way.bends(np.array([0.25]), np.array([0.75])).tolist() == [math.inf]
    touches = flat_way((0.5, 0.25, 0.0), (-1.0, 0.0, 0.0), aside=0.25)
    assert touches.stop(0.5) is None


@pytest.mark.parametrize('along', [(0.0, 1.0, 0.0), (0.0, -1.0, 0.0)])
def test_a_yaw_limit_ends_a_line_exactly_and_a_billionth_of_a_radian_is_rounding(along):
    sign = along[1]
    for past, is_past in ((0.0, False), (0.7e-9, False), (1.5e-9, True), (0.1, True)):
        end = math.pi / 4.0 - past
        limits = (-1.0, end) if sign > 0.0 else (-end, 1.0)
        stop = flat_way((0.5, 0.0, 0.0), along, limits=limits).stop(0.5)
        assert (stop is not None) == is_past
        assert not is_past or stop[:3] == (Cause.LIMIT, YAW, sign > 0.0)
        way = flat_way((0.5, 0.0, 0.0), along, limits=limits)
        assert min(abs(one - 0.5 * math.tan(end)) for one in way.events()) <= 1e-12
        assert way.events()[-1] == 0.0  # where the line is nearest to the axis


def test_what_counts_as_rounding_counts_up_to_the_last_bit():
    """A yaw limit, and a distance from the axis that floats hold exactly."""
    for limits in ((ON_LIMIT_OF_LINE, 1.0), (-1.0, -ON_LIMIT_OF_LINE)):
        assert flat_way((0.5, 0.0, 0.0), (0.0, 1.0, 0.0), limits=limits).stop(0.0) is None
    fine = flat_way((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), angle=0.1)
    fine = replace(fine, yaw=fine.yaw._replace(rounding=2.0**-40))
    edge = ON_AXIS * fine.yaw.rounding
    assert not replace(fine, start=(edge, 0.0, 0.0), along=(0.5, 0.0, 0.0)).faces_at_start()
    assert replace(fine, along=(edge, 0.0, 0.5)).faces_at_start()
    ends = replace(fine, start=(0.5 + edge, 0.0, 0.0), along=(-0.5, 0.0, 0.0))
    assert ends.stop_at(1.0)[:2] == (Cause.THROUGH_AXIS, YAW)


def test_a_line_from_next_to_the_axis_has_to_leave_it_towards_its_end():
    for off in (0.9e-8, -0.9e-8):
        way = flat_way((0.0, off, 0.0), (0.3, 0.0, 0.1), angle=off / 0.3)
        assert way.faces_at_start()
        assert not replace(way, yaw_at_start=0.0).faces_at_start()


def test_a_point_that_only_rises_moves_neither_outwards_nor_sideways():
    """On the circle that the plane touches, too."""
    first, last = np.array([0.0, 0.5]), np.array([0.5, 1.0])
    for aside in (0.0, 0.25, -0.25):
        for start in ((0.25, 0.0, 0.1), (0.3, 0.4, 0.1)):
            way = flat_way(start, (0.0, 0.0, 0.5), aside=aside)
            assert way.rates(first, last).tolist() == [0.5, 0.5]
            assert way.yaw_rates(first, last).tolist() == [0.0, 0.0]
            assert way.rises((0.0, -1.0), first, last).tolist() == [0.5, 0.5]
