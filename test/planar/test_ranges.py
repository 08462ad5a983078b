# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles turned into the ranges of three joints, against a search among their turns."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles import PlanarArm
from ik_circles.planar.ranges import JointRanges

ROUNDING = 1e-14  # [rad], of an angle of a turn or two
TURNS = math.tau * np.arange(-4.0, 5.0)


def drawn(rng):
    """Limits of three joints, what each of them may take [rad], and an angle for each."""
    limits = []
    for _ in range(3):
        lower = rng.uniform(-6.0, 4.0)
        limits.append((lower, lower + rng.uniform(0.0, 7.0)) if rng.random() < 0.8 else None)
    ranges = JointRanges.of(PlanarArm((1.0, 1.0, 1.0), limits).solver.model)
    own = [limit or (-math.pi, math.pi) for limit in limits]
    q = [low + rng.uniform(-0.4, 1.4) * (high - low) for low, high in own]
    q = [one + rng.choice([0.0, math.tau, -math.tau]) * (rng.random() < 0.3) for one in q]
    return limits, ranges, own, q


def past(angle, lower, upper):
    """How far the turn of an angle that is nearest to the middle of a range is past it [rad]."""
    turn = min(angle + TURNS, key=lambda one: abs(one - (lower + upper) / 2.0))
    return turn - upper if turn > upper else min(0.0, turn - lower)


def test_a_joint_outside_of_its_range_takes_the_turn_nearest_to_its_middle():
    rng, seen = np.random.default_rng(0), {True: 0, False: 0}
    for _ in range(cases(20_000)):
        limits, ranges, own, q = drawn(rng)
        window = rng.choice([1e-3, 0.5, math.tau])
        found = ranges.turned(*q, window)
        is_near = all(abs(past(one, *each)) <= window or each[0] <= one <= each[1]
                      for one, each in zip(q, own))  # fmt: skip
        assert (found is not None) == is_near
        inside = [low <= one <= high for one, (low, high) in zip(q, own)]
        assert ranges.hold(*q) == all(inside)
        widths = [high - low for low, high in filter(None, limits)]
        assert ranges.have_one_turn == (max(widths, default=0.0) < math.tau - 1e-3)
        seen[is_near] += 1
        for angle, one, (low, high), stays in zip(found or (), q, own, inside):
            assert stays or abs(angle - (low + high) / 2.0) <= math.pi + ROUNDING
            assert abs(math.remainder(angle - one, math.tau)) <= ROUNDING
            assert not stays or angle == one
    assert min(seen.values()) > cases(4000)


@pytest.mark.parametrize('joint', range(3))
def test_both_ends_of_a_range_and_of_its_window_belong_to_it(joint):
    """With numbers that floats hold exactly."""
    limits = [(-1.0, 2.0)] * 3
    ranges = JointRanges.of(PlanarArm((1.0, 1.0, 1.0), limits).solver.model)
    for end, just_past, window_end in ((-1.0, -1.0625, -1.5), (2.0, 2.0625, 2.5)):
        q = [0.5, 0.5, 0.5]
        for angle, holds in ((end, True), (just_past, False)):
            q[joint] = angle
            assert ranges.hold(*q) == holds
            assert ranges.turned(*q, 0.5) == tuple(q)
        q[joint] = window_end
        assert ranges.turned(*q, 0.5) == tuple(q)
        assert ranges.turned(*q, 0.4375) is None


def test_the_excess_is_that_of_the_turn_nearest_to_each_range_if_it_is_better():
    """Fewer joints past their ranges are better, then the worst one less past its own."""
    rng, better = np.random.default_rng(1), 0
    for _ in range(cases(20_000)):
        _, ranges, own, q = drawn(rng)
        room = float(rng.choice([1e-9, 0.2]))
        each = [past(one, *its) for one, its in zip(q, own)]
        each = [one if abs(one) > room else 0.0 for one in each]
        count, worst = np.count_nonzero(each), max(map(abs, each))
        fewest, least = rng.choice([1, 2, 3, math.inf]), rng.choice([0.1, 1.0, math.inf])
        found = ranges.excess(tuple(q), room, fewest, least)
        is_better = count > 0 and (count, worst) < (fewest, least)
        assert (found is not None) == is_better
        if found is not None:
            better += 1
            assert found == (count, pytest.approx(worst), pytest.approx(each))
            assert ranges.excess(tuple(q), room, *found[:2]) is None  # it is no better than itself
    assert better > cases(5000)


def test_out_of_reach_with_every_orientation_no_joint_is_past_its_limit():
    assert PlanarArm((0.4, 0.3, 0.2)).solver.least_excess(2.0, 0.0, (0.0, 1.0)) == []


def test_a_joint_on_an_end_of_its_range_stays_on_it_to_the_last_bit():
    """From the middle of the range on, rounding may put it beside."""
    rng = np.random.default_rng(2)
    for _ in range(cases(4000)):
        _, ranges, own, _ = drawn(rng)
        q = tuple(limits[rng.integers(2)] for limits in own)
        assert ranges.turned(*q, 0.0) == q
