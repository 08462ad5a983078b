# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A straight line seen from a plane that a yaw joint turns: what it meets, and how fast it goes."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE, direction, random_planar, yaw_joint

from ik_circles.spatial.lines.turned_way import TurnedWay

SAME = 1e-9
SAMPLES = 400
SHORT = 1e-3  # [share]: bounds of such a part are hardly larger than what they bound
TIGHT = 1.1
BENT = 1e-4  # rounding of second differences in a short part [m]


def random_way(rng, beside=None):
    """A line clear of the ring about the yaw axis that the plane does not hold."""
    aside = float(rng.uniform(-0.2, 0.2)) if rng.random() < 0.6 else 0.0
    aside = aside if beside is None else beside
    foot, along = rng.uniform(-0.1, 0.1, 2).tolist(), direction(rng, 2).tolist()
    yaw = yaw_joint(random_planar(rng), FREE, aside, foot, along)
    while True:
        start, end = rng.uniform(-1.0, 1.0, (2, 3))
        shares = np.linspace(0.0, 1.0, SAMPLES)
        seen = start[:2, None] + shares * (end - start)[:2, None]
        if np.hypot(*seen).min() > abs(aside) + 0.05:
            side = float(rng.choice([-1.0, 1.0]))
            way = tuple((end - start).tolist())
            return TurnedWay(yaw, tuple(start.tolist()), way, side, rng.uniform(-3.0, 3.0))


def test_many_shares_are_as_single_ones_and_turn_as_the_point_is_seen():
    rng = np.random.default_rng(0)
    for _ in range(cases(400)):
        way = random_way(rng)
        shares = rng.uniform(0.0, 1.0, 20)
        assert np.transpose(way.places(shares)) == pytest.approx(
            np.array([way.at(share) for share in shares.tolist()]), abs=SAME
        )
        single = [way.yaw_at(share) for share in shares.tolist()]
        assert way.yaws_at(shares) == pytest.approx(np.array(single), abs=SAME)
        assert way.yaw_at(0.0) == pytest.approx(way.yaw_at_start, abs=SAME)
        fine = way.yaws_at(np.linspace(0.0, 1.0, SAMPLES))
        assert np.abs(np.diff(fine)).max() < 0.5  # no jump by a turn


def test_no_part_goes_faster_than_said_and_a_short_one_hardly_slower():
    rng = np.random.default_rng(1)
    for _ in range(cases(400)):
        way, angle = random_way(rng), rng.uniform(-3.0, 3.0)
        normal = math.cos(angle), math.sin(angle)
        for length in (rng.uniform(0.1, 0.9), SHORT):
            start = rng.uniform(0.0, 1.0 - length)
            some = np.linspace(start, start + length, 60)
            step, places = some[1] - some[0], np.array(way.places(some))
            ends = some[:1], some[-1:]
            for found, bound in (
                (np.hypot(*np.diff(places)) / step, way.rates(*ends)[0]),
                (np.abs(np.diff(normal @ places)) / step, way.rises(normal, *ends)[0]),
                (np.abs(np.diff(way.yaws_at(some))) / step, way.yaw_rates(*ends)[0]),
            ):
                assert found.max() <= bound * (1.0 + 1e-6) + SAME
            bent = np.hypot(*np.diff(places, 2)).max() / step**2
            assert bent <= way.bends(*ends)[0] * (1.0 + 1e-6) + BENT
            if length == SHORT:
                assert way.bends(*ends)[0] <= TIGHT * bent + BENT
            turned = np.abs(np.diff(way.yaws_at(some))).max() / step
            if length == SHORT and way.yaw.aside == 0.0:
                assert way.yaw_rates(*ends)[0] <= TIGHT * turned + SAME


def test_circles_lines_and_the_nearest_share_are_found_where_they_are():
    rng, met = np.random.default_rng(2), 0
    shares = np.linspace(0.0, 1.0, SAMPLES)
    for _ in range(cases(400, least=20)):
        way, angle = random_way(rng), rng.uniform(-3.0, 3.0)
        x, y = way.places(shares)
        center, normal = rng.uniform(-0.5, 0.5, 2), (math.cos(angle), math.sin(angle))
        radius = float(np.hypot(x - center[0], y - center[1])[rng.integers(SAMPLES)])
        distance = float((normal[0] * x + normal[1] * y)[rng.integers(SAMPLES)])
        for miss, found in (
            (np.hypot(x - center[0], y - center[1]) - radius,
             way.on_circle(tuple(center.tolist()), radius)),
            (normal[0] * x + normal[1] * y - distance, way.on_line(normal, distance)),
        ):  # fmt: skip
            passed = np.flatnonzero(miss[:-1] * miss[1:] < 0.0)
            met += len(passed)
            assert all(0.0 <= one <= 1.0 for one in found)
            for index in passed.tolist():
                assert any(shares[index] <= one <= shares[index + 1] for one in found)
        near = shares[np.argmin(np.hypot(*way.seen(shares)))]
        assert min(abs(near - one) for one in way.events()) <= 2.0 / SAMPLES
    assert met > cases(200)


def test_a_line_along_the_axis_stays_where_it_is():
    rng = np.random.default_rng(3)
    yaw = random_way(rng, 0.0).yaw
    way = TurnedWay(yaw, (0.4, 0.3, -0.2), (0.0, 0.0, 0.5), 1.0, 0.7)
    shares = np.linspace(0.0, 1.0, 5)
    assert way.yaws_at(shares) == pytest.approx(np.full(5, 0.7), abs=SAME)
    assert way.rates(shares[:-1], shares[1:]) == pytest.approx(np.full(4, 0.5), abs=SAME)
    assert way.yaw_rates(shares[:-1], shares[1:]) == pytest.approx(np.zeros(4), abs=SAME)
