# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles turned inside limits in columns, and the choice among configurations, one by one."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import FREE

from ik_circles.planar.selection import SAME_CHANGE
from ik_circles.spatial.batch.turns import (
    NEXT_TO_LIMIT,
    BestSoFar,
    excess_of,
    is_next_to,
    nearest_turns,
)

TURN = math.tau
EVERY_TURN = TURN * np.arange(-12, 13)[:, np.newaxis, np.newaxis]
NARROW = [(-2.0, 2.0), (5.0, 8.0), (-3.0, -3.0), (-math.pi, 3.0), (-7.0, -1.0)]
WIDE = [(-math.pi, math.pi), (-5.0, 4.0), (-20.0, 30.0), (2.0, 30.0), (-30.0, -2.0)]


def clipped(limits):
    return np.clip(limits, -25.0, 25.0)


def test_figures_are_next_to_each_other_up_to_what_rounding_decides_and_a_room():
    for room in (0.0, 0.25):
        gaps = np.array([NEXT_TO_LIMIT + room, math.nextafter(NEXT_TO_LIMIT + room, 1.0)])
        for some in (gaps, -gaps):
            assert is_next_to(some, np.array([room])).tolist() == [True, False]
    assert is_next_to(np.array([0.9, 1.1]) * NEXT_TO_LIMIT).tolist() == [True, False]


@pytest.mark.parametrize('limits', [FREE, *NARROW, *WIDE])
def test_angles_are_turned_inside_their_limits_and_next_to_the_seed(limits):
    """All turns are tried here. Hardly any angle is left to the code for one target."""
    rng, count = np.random.default_rng(0), cases(20000, least=400)
    angles, near = rng.uniform(-25.0, 25.0, (2, count)), rng.uniform(*clipped(limits), count)
    found = nearest_turns(angles, near, limits)
    turns = angles + EVERY_TURN
    is_inside = (limits[0] <= turns) & (turns <= limits[1])
    away = np.where(is_inside, np.abs(turns - near), np.inf)
    best = np.take_along_axis(turns, away.argmin(axis=0)[np.newaxis], axis=0)[0]
    np.testing.assert_array_equal(found.inside, is_inside.any(axis=0))
    np.testing.assert_allclose(found.angle[found.inside], best[found.inside], atol=1e-12)
    assert found.doubtful.mean() < 0.01


@pytest.mark.parametrize('limits', [*NARROW, *WIDE])
def test_angles_next_to_a_limit_are_left_to_the_code_for_one_target(limits):
    near = np.zeros(1) + sum(clipped(limits)) / 2.0
    for share in (-2.0, -0.9, 0.0, 0.9, 2.0):
        for end in limits:
            angle, seed = np.array([end + share * NEXT_TO_LIMIT]), np.clip(near, end - 1, end + 1)
            assert nearest_turns(angle, seed, limits).doubtful == [abs(share) < 1.0]


@pytest.mark.parametrize('width', [2.0, 10.0])
def test_an_angle_exactly_on_a_limit_is_inside(width):
    for off in (-NEXT_TO_LIMIT, 0.0, NEXT_TO_LIMIT):
        for side in (1.0, -1.0):
            limits = (0.0, width) if side > 0.0 else (-width, 0.0)
            turned, inside, doubtful = nearest_turns(np.array([off]), np.array([side]), limits)
            assert doubtful.all() and (inside.all() and turned == off) == (side * off >= 0.0)


@pytest.mark.parametrize('limits', [FREE, (-5.0, 4.0), (-20.0, 30.0)])
def test_angles_half_a_turn_from_the_seed_are_left_if_either_turn_may_be_inside(limits):
    seed = np.array([0.5])
    for share, is_left in ((0.9, True), (1.1, False)):
        for half in (math.pi, -math.pi, 3.0 * math.pi):
            for off in (-share, share):
                found = nearest_turns(seed + half + off * NEXT_TO_LIMIT, seed, limits)
                assert found.doubtful == [is_left]
    assert not nearest_turns(seed + math.pi, seed, (-2.0, 4.0)).doubtful.any()


def test_angles_that_stay_clear_of_the_limits_are_not_left_for_being_turns_of_them():
    seeds, limits = np.array([-0.5, 0.5]), (-5.0, 4.0)
    for end in limits:
        assert not nearest_turns(seeds * 0.0 + end, seeds, limits).doubtful.any()
        for seed in limits:  # there, turns next to limits count
            assert nearest_turns(seeds * 0.0 + end, seeds + seed, limits).doubtful.all()


def test_how_far_angles_are_past_a_limit():
    """The limits are -1 and 2; whole turns do not count, and what has no limits is past none."""
    angles = np.array([[0.5, 1.9, -0.9], [2.5, -1.25, 2.5 - math.tau]])
    past = [[-1.5, -0.1, -0.1], [0.5, 0.25, 0.5]]
    np.testing.assert_allclose(excess_of(angles, (-1.0, 2.0)), past, rtol=0.0, atol=1e-12)
    assert (excess_of(angles, FREE) == -math.inf).all()


def test_the_best_configuration_has_the_smallest_largest_change_then_the_smallest_sum():
    """Changes are multiples of a quarter, up to rounding. So many are equal; then the first of them
    stays. Where a configuration is NaN there is none."""
    rng, count, rounding = np.random.default_rng(1), cases(4000, least=100), 1e-10
    near = rng.uniform(-3.0, 3.0, (3, count))
    choice, best = BestSoFar(near), [(math.inf, None)] * count
    for number in range(8):
        rows = np.flatnonzero(rng.random(count) < 0.7)
        steps = rng.integers(-4, 5, (3, len(rows))) / 4.0
        angles = near[:, rows] + steps + rng.uniform(-rounding, rounding, steps.shape)
        angles[:, rng.random(len(rows)) < 0.2] = np.nan
        extra = rng.choice([0.0, 0.25, 1e6], len(rows))
        if number % 2:
            choice.show(rows, angles, extra)
        else:
            choice.show(rows, angles)
            extra = 0.0
        keys = np.array([np.abs(steps).max(axis=0) + extra, np.abs(steps).sum(axis=0)]).T.tolist()
        for row, key, its in zip(rows, map(tuple, keys), angles.T):
            if np.isfinite(its).all() and (best[row][1] is None or key < best[row][0]):
                best[row] = key, its
    expected = [np.full(3, np.nan) if its is None else its for _, its in best]
    np.testing.assert_array_equal(choice.solved.angles, expected)
    assert not choice.solved.doubtful.any()


def test_changes_that_differ_by_no_more_than_what_counts_as_the_same_leave_it_to_the_sum():
    """To the last bit: multiples of a power of two are subtracted without rounding."""
    same = SAME_CHANGE
    for first, second, is_taken in (
        ((same, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), False),  # as large, and so is the sum
        ((same, same, same, same), (2.0 * same, 0.0, 0.0, 0.0), True),
        ((2.0 * same, 2.0 * same, 0.0, 0.0), (2.0 * same, same, 0.0, 0.0), False),
        ((2.0 * same, 2.0 * same, 0.0, 0.0), (2.0 * same, 0.0, 0.0, 0.0), True),
        ((4.0 * same, 0.0, 0.0, 0.0), (2.0 * same, 2.0 * same, 2.0 * same, 0.0), True),
    ):
        choice = BestSoFar(np.zeros((4, 1)))
        for one in (first, second):
            choice.show(np.array([0]), np.array([one]).T)
        assert choice.solved.angles.tolist() == [[*(second if is_taken else first)]]
