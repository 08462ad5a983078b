# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is exactly at an end counts, with numbers that floats hold exactly; figures by hand."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles import Code, Floor, PlanarArm
from ik_circles.planar.lines.track import PlaneWay

EVERY = [(-math.pi, math.pi)]
#: Up is along x, so that every height is exact.
FLOOR = Floor(0.0, 0.0)


def test_a_point_that_turns_and_just_touches_the_floor_is_above_it():
    for around in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)):
        assert FLOOR.angles(1.0, around) == EVERY
        assert FLOOR.angles(-1.0 - 2.0**-52, around) == []
        ((lower, upper),) = FLOOR.angles(-1.0, around)
        assert lower == upper
        turned = complex(*around) * np.exp(1j * lower)
        assert turned == pytest.approx(1.0, abs=1e-15)
        ((lower, upper),) = FLOOR.angles(1.0 - 2.0**-52, around)
        assert math.tau - 1e-6 < upper - lower < math.tau
    ((lower, upper),) = FLOOR.angles(0.0, (1.0, 0.0))
    assert (lower, upper) == pytest.approx((-math.pi / 2.0, math.pi / 2.0))
    ((lower, upper),) = FLOOR.angles(-0.5, (0.0, 1.0))
    assert (lower, upper) == pytest.approx((-math.pi * 5.0 / 6.0, -math.pi / 6.0))


def test_a_target_misses_by_its_distance_to_the_edge():
    """By hand. Negative inside; with an orientation, it is what links 1 and 2 lack."""
    ring = PlanarArm((1.0, 0.25, 0.25))
    for x, missing, code in (
        (2.0, 0.5, Code.TOO_FAR), (1.5, 0.0, Code.OK), (1.0, -0.5, Code.OK), (0.5, 0.0, Code.OK),
        (0.25, 0.25, Code.TOO_CLOSE),
    ):  # fmt: skip
        found = ring.check_reachability(x, 0.0)
        assert (found.missing, found.code) == (missing, code)
    for x, missing in ((1.75, 0.25), (1.5, 0.0), (1.25, -0.25), (1.0, 0.0), (0.75, 0.25)):
        assert ring.check_reachability(x, 0.0, 0.0).missing_oriented == missing


def test_stretched_to_the_outer_zone_a_point_is_reached_with_one_orientation():
    arm = PlanarArm((1.0, 0.5, 0.5))
    assert arm.orientation_intervals(2.0, 0.0) == [(0.0, 0.0)]
    assert arm.check_reachability(2.0, 0.0).margin == 0.0
    assert arm.check_reachability_batch([[2.0, 0.0]]).reachable[0]
    assert arm.dexterity(2.0, 0.0) == 0.0
    ((q1, q2, q3),) = arm.inverse_kinematics(2.0, 0.0, 0.0)
    assert (q1, q2, q3) == (0.0, 0.0, 0.0)
    assert arm.orientation_intervals(2.0 + 1e-11, 0.0) == []


def test_how_far_rounding_moves_a_joint_by_hand():
    """Four times the root of the tolerance's share of the shortest link that has a length."""
    for lengths, shortest in (
        ((1.0, 1.0, 1.0), 1.0),
        ((2.0, 0.5, 0.0), 0.5),
        ((1.0, 3.0, 0.25), 0.25),
    ):
        model = PlanarArm(lengths).solver.model
        found = 4.0 * math.sqrt(1e-13 * sum(lengths) / shortest)
        assert model.rounding_at_fold == pytest.approx(found, rel=1e-12)
        assert model.without_length == tuple(length == 0.0 for length in lengths)
    for tiny, is_tiny in ((1e-6, True), (1e-4, False)):
        assert PlanarArm((1.0, 1.0, tiny)).solver.model.has_tiny_links == is_tiny


def test_a_way_in_the_plane_passes_the_circles_and_lines_that_it_is_said_to():
    """As fast as the tip does, and it rises as its places do."""
    rng, met = np.random.default_rng(0), 0
    for _ in range(cases(1000)):
        start, along, center, normal = rng.uniform(-1.0, 1.0, (4, 2))
        way, radius, distance = PlaneWay(tuple(start), tuple(along)), *rng.uniform(0.0, 1.0, 2)
        shares = np.linspace(0.0, 1.0, 200)
        places = np.column_stack(way.places(shares))
        assert np.allclose(places, [way.at(share) for share in shares.tolist()])
        assert np.allclose(places[[0, -1]], [start, start + along])
        some = shares[:1], shares[1:2]
        assert way.rates(*some)[0] == pytest.approx(np.hypot(*np.diff(places, axis=0)[0]) * 199.0)
        heights = places @ normal
        assert way.rises(tuple(normal), *some)[0] == pytest.approx(abs(np.diff(heights)[0]) * 199.0)
        assert way.bends(*some) == 0.0
        for found, values in (
            (way.on_circle(tuple(center), radius), np.hypot(*(places - center).T) - radius),
            (way.on_line(tuple(normal), distance), heights - distance),
        ):
            crossed = np.flatnonzero(values[1:] * values[:-1] < 0.0)
            assert len(found) == len(crossed) or np.abs(values).min() < 1e-2
            met += len(crossed)
            for index in crossed:
                assert any(shares[index] <= one <= shares[index + 1] for one in found)
    assert met > cases(250)
