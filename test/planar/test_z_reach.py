# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where there is a Z: every one is found, and the closed form of its reach says so."""

import math
from itertools import product

import numpy as np
import pytest
from law_cases import cases
from z_cases import CLOSES, check, defects, random_links, random_z_of, short_outer_links

from ik_circles import PlanarArm
from ik_circles.planar.redundancy import solve_z_form, z_reach, z_shapes


def test_every_z_of_short_outer_links_is_found():
    """Down to 3e-7 of the middle link: where both are short, the roots are as close together."""
    rng = np.random.default_rng(7)
    rows = []
    for _ in range(cases(20_000, 40)):
        lengths, k = short_outer_links(rng)
        reach = z_reach(lengths, k)
        assert all(z_shapes(lengths, rng.uniform(near, far), k) for near, far in reach)
        made = random_z_of(lengths, k, rng)
        if made is not None:
            along, _, distance = made
            assert any(near - CLOSES <= distance <= far + CLOSES for near, far in reach)
            shapes = z_shapes(lengths, distance, k)
            nearest = min(abs(shape.crossing * distance - along) for shape in shapes)
            assert nearest <= 1e-3 * min(lengths)
            for q in solve_z_form(PlanarArm(lengths).solver, distance, 0.0, k):
                rows.append((*lengths, k, distance, 0.0, *q))
    assert len(rows) > cases(35_000, 40)
    for defect in defects(rows):
        assert defect.max() <= CLOSES


@pytest.mark.parametrize(
    ('lengths', 'k', 'distance'),
    [
        ((0.001, 1.0, 0.001), 0.45, 0.9980000033322379),
        (
            (0.0015961253461471568, 1.0, 0.001646705826510979),
            0.45914614088122335,
            0.9988403774940964,
        ),
        ((0.002, 1.0, 0.002), 0.45, 0.9960909700346389),
    ],
)
def test_both_outer_links_a_thousandth_of_the_middle_one(lengths, k, distance):
    near, far = z_reach(lengths, k)[0]
    assert near < distance < far
    check(PlanarArm(lengths), distance, 0.0, k)


def test_the_reach_in_closed_form_is_where_there_is_a_z():
    rng = np.random.default_rng(2)
    gaps = turns = 0
    for _ in range(cases(5_000)):
        lengths, k = random_links(rng)
        reach = sum(lengths)
        intervals = z_reach(lengths, k)
        gaps += len(intervals) > 1
        signs = product((1.0, -1.0), repeat=3)
        flats = [abs(sum(a * b for a, b in zip(one, lengths))) for one in signs]
        for end in (end for interval in intervals for end in interval):
            turns += min(abs(end - flat) for flat in flats) > 1e-6 * reach
        for distance in (rng.uniform(0.0, 1.0, 8) * reach).tolist():
            within = any(near <= distance <= far for near, far in intervals)
            on_end = any(
                abs(distance - end) <= CLOSES * reach for pair in intervals for end in pair
            )
            assert on_end or within == bool(z_shapes(lengths, distance, k))
        for near, far in intervals:
            step = min(1e-11 * reach, (far - near) / 2.0)
            assert z_shapes(lengths, near + step, k)
            assert z_shapes(lengths, far - step, k)
            for beyond in (near - 1e-11 * reach, far + 1e-11 * reach):
                other = any(a <= beyond <= b for a, b in intervals)
                if beyond > 0.0 and not other and min(lengths) > 1e-3 * reach:
                    assert not z_shapes(lengths, beyond, k)
    assert gaps > cases(120)
    assert turns > cases(40)  # nearest or farthest where the arm is not flat


def one_short_outer_link(rng):
    """One outer link is much shorter than its part of the middle link, the other about as long."""
    k, shares = rng.uniform(0.2, 0.8), rng.uniform((0.1, 0.5), (0.5, 2.0))
    rng.shuffle(shares)
    return (k * shares[0], 1.0, (1.0 - k) * shares[1]), k


@pytest.mark.parametrize('drawn', [short_outer_links, one_short_outer_link])
def test_the_ends_of_the_reach_of_short_outer_links_are_those_of_a_dense_search(drawn):
    rng = np.random.default_rng(9)
    for _ in range(cases(6000)):
        (one, middle, other), k = drawn(rng)
        part_1, part_2 = k * middle, (1.0 - k) * middle
        widest = min(one / part_1, other / part_2)
        if widest >= 1.0:
            continue
        sine = widest * np.sin(np.linspace(0.0, math.pi / 2.0, 2001))
        legs = [
            np.sqrt(np.maximum(0.0, outer**2 - (part * sine) ** 2))
            for outer, part in ((one, part_1), (other, part_2))
        ]
        found = [
            middle * np.sqrt(1.0 - sine**2) + sign_1 * legs[0] + sign_3 * legs[1]
            for sign_1 in ((1.0, -1.0) if one <= part_1 else (1.0,))
            for sign_3 in ((1.0, -1.0) if other <= part_2 else (1.0,))
        ]
        reach, room = z_reach((one, middle, other), k), 1e-5 * min(one, other)
        inside = [(near - room <= np.array(found)) & (np.array(found) <= far + room)
                  for near, far in reach]  # fmt: skip
        assert np.any(inside, axis=0).all()
        for end in np.ravel(reach).tolist():
            assert np.abs(np.array(found) - end).min() <= room


def test_an_outer_link_as_long_as_its_part_may_fold_back_onto_it():
    """By hand: the middle link then passes the base, or the target, and the other link turns."""
    for lengths in ((1.0, 2.0, 0.5), (0.5, 2.0, 1.0)):
        assert np.ravel(z_reach(lengths, 0.5)) == pytest.approx([0.5, 1.5, 2.5, 3.5])
        assert all(z_shapes(lengths, distance, 0.5) for distance in (0.75, 1.25, 3.0))
        assert not z_shapes(lengths, 2.0, 0.5)


def test_one_z_at_most_where_the_outer_links_are_longer_than_their_parts():
    rng = np.random.default_rng(3)
    for _ in range(cases(5000)):
        k = rng.uniform()
        middle = rng.uniform(0.1, 1.0)
        lengths = [k * middle + rng.uniform(), middle, (1.0 - k) * middle + rng.uniform()]
        near, far = lengths[0] + lengths[2] - middle, sum(lengths)
        assert z_reach(lengths, k) == [pytest.approx((near, far), rel=1e-15)]
        assert len(z_shapes(lengths, rng.uniform(near, far), k)) == 1


def test_a_long_middle_link_leaves_a_gap_in_the_reach():
    (near, gap), (resume, far) = z_reach((0.5, 2.0, 0.1), 0.5)
    assert (near, gap) == pytest.approx((1.4, 1.6))
    assert (resume, far) == pytest.approx((2.4, 2.6))
    assert z_shapes((0.5, 2.0, 0.1), 2.0, 0.5) == []


def test_out_of_reach():
    arm = PlanarArm((0.3, 0.4, 0.35))
    assert solve_z_form(arm.solver, 1.06, 0.0, 0.5) == []
    assert solve_z_form(arm.solver, 1e300, 1e300, 0.5) == []
    assert solve_z_form(arm.solver, 1.7e308, 1.7e308, 0.5) == []
