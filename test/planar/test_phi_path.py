# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An orientation that changes smoothly along a line: through its knots, and never past them."""

from bisect import bisect_left, bisect_right
from itertools import pairwise

import numpy as np
import pytest
from law_cases import cases

from ik_circles.planar.lines.phi_path import PhiPath

ROUNDING = 1e-12
STEP = 1e-6  # [share of the line]


def random_path(rng):
    """Knots at uneven shares; now and then two neighbors have one orientation."""
    count = int(rng.integers(2, 6))
    shares = np.cumsum(rng.uniform(0.02, 0.3, count)) - 0.01
    phis = np.cumsum(rng.uniform(-1.0, 1.0, count) * rng.integers(0, 4, count))
    return PhiPath((shares / max(1.0, shares[-1])).tolist(), phis.tolist())


def test_a_path_goes_through_its_knots_and_turns_back_nowhere_else():
    rng = np.random.default_rng(0)
    for _ in range(cases(1000)):
        path = random_path(rng)
        assert path.many(np.array(path.shares)) == pytest.approx(path.phis, abs=ROUNDING)
        for (start, end), (phi, after) in zip(pairwise(path.shares), pairwise(path.phis)):
            between = path.many(np.linspace(start, end, 60))
            assert (np.diff(between) * np.sign(after - phi) >= -ROUNDING).all()
            assert after != phi or np.abs(between - phi).max() <= ROUNDING
        for share in (*path.shares, *rng.uniform(0.0, 1.0, 10)):
            assert path.at(share) == pytest.approx(path.many(np.array([share]))[0], abs=ROUNDING)
        assert (path.at(0.0), path.at(1.0)) == (path.phis[0], pytest.approx(path.phis[-1]))


def test_a_path_turns_no_faster_than_said_and_nowhere_at_once():
    """Where it changes its rule is among the breaks; there, only its acceleration jumps."""
    rng = np.random.default_rng(1)
    for _ in range(cases(1000)):
        path = random_path(rng)
        start = np.linspace(path.shares[0], path.shares[-1] - 2.0 * STEP, 300)
        rates = np.diff(path.many(np.array([start, start + STEP])), axis=0)[0] / STEP
        assert (np.abs(rates) <= path.rates(start, start + STEP) + 1e-5).all()
        for first, last in np.sort(rng.integers(0, len(start), (40, 2)), axis=1).tolist():
            bound = path.rates(start[[first]], start[[last]] + STEP)[0]
            assert np.abs(rates[first : last + 1]).max() <= bound + 1e-5
            before = bisect_right(path.shares, start[first]) - 1
            after = bisect_left(path.shares, start[last] + STEP)
            touched = (path.shares[before] <= start) & (start <= path.shares[after])
            assert bound <= 3.0 * np.abs(rates[touched]).max() + 1e-5
        whole = path.rates(np.zeros(1), np.ones(1))
        assert np.abs(rates).max() <= whole[0] + 1e-5
        for knot in path.shares[1:-1]:
            before, here, after = path.many(np.array([knot - STEP, knot, knot + STEP]))
            assert (here - before) / STEP == pytest.approx((after - here) / STEP, abs=0.05)


def test_a_path_bends_no_more_than_said_and_its_slope_jumps_behind_its_last_knot_only():
    rng = np.random.default_rng(2)
    for _ in range(cases(1000)):
        path = random_path(rng)
        shares = np.linspace(path.shares[0], path.shares[-1], 301)
        width = shares[1] - shares[0]
        found = np.abs(np.diff(path.many(shares), 2)) / width**2
        bound = path.bends(shares[:-2], np.minimum(shares[2:], path.shares[-1]))
        assert (found <= bound * (1.0 + ROUNDING) + ROUNDING / width**2).all()
        whole = path.bends(shares[:1], shares[-1:])[0]
        assert found.max() <= whole + ROUNDING / width**2
        assert bound.max() == whole
        over = path.bends(shares[-2:-1], shares[-1:] + width)
        assert over == np.inf


def test_the_breaks_are_the_inner_knots_where_something_turns():
    path = PhiPath([0.1, 0.2, 0.5, 0.9, 1.0], [1.0, 2.0, 2.0, 2.0, 3.0])
    assert path.breaks == (0.2, 0.9)
    assert PhiPath([0.0, 1.0], [1.0, 2.0]).breaks == ()
    assert PhiPath([0.0, 0.5, 1.0], [1.0, 1.1, 1.1]).breaks == (0.5,)
    assert PhiPath([0.0, 0.5, 1.0], [1.0, 1.0, 1.1]).breaks == (0.5,)
    assert (path.at(0.0), path.at(0.3), path.at(0.95)) == pytest.approx((1.0, 2.0, 2.375), abs=0.2)


@pytest.mark.parametrize('scale', [-1.0, 0.1, 1.0])
def test_at_a_knot_it_turns_with_the_harmonic_mean_of_both_rates(scale):
    """By hand: 2 before the knot and 6 after it are 3 there."""
    path = PhiPath([0.0, 0.5, 1.0], [0.0, scale, 4.0 * scale])
    for place, rate in ((0.0, 2.0), (0.5, 3.0), (1.0 - STEP, 6.0)):
        turned = path.at(place + STEP) - path.at(place)
        assert turned / STEP == pytest.approx(scale * rate, rel=1e-4)


def test_between_two_knots_the_bounds_are_what_the_cubic_comes_to():
    """Its second derivative is a line, so it is largest at an end; the bound on the first one is at
    most twice what that comes to."""
    rng = np.random.default_rng(4)
    for _ in range(cases(1000)):
        path = random_path(rng)
        for start, end in pairwise(path.shares):
            shares = np.linspace(start, end, 41)
            width, phis = shares[1] - shares[0], path.many(shares)
            change, of_change = np.diff(phis, 2), np.diff(phis, 3)
            at_ends = np.abs([change[0] - of_change[0], change[-1] + of_change[-1]]) / width**2
            between = shares[:1], shares[-1:]
            assert path.bends(*between)[0] == pytest.approx(at_ends.max(), rel=1e-6, abs=1e-6)
            assert path.rates(*between)[0] <= 2.01 * np.abs(np.diff(phis)).max() / width + 1e-6


def test_before_its_first_knot_and_behind_its_last_one_it_stays_and_between_its_slope_has_no_jump():
    path, some = PhiPath([0.25, 0.5, 0.75], [1.0, 2.0, 4.0]), np.array([0.0, 0.25, 0.75, 1.0])
    assert path.many(some).tolist() == [1.0, 1.0, 4.0, 4.0] == [*map(path.at, some.tolist())]
    for start, end, is_finite in (
        (0.25, 0.75, True), (0.125, 0.75, False), (0.25, 0.875, False), (0.75, 1.0, True)
    ):  # fmt: skip
        assert np.isfinite(path.bends(np.array([start]), np.array([end])))[0] == is_finite
