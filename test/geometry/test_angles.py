# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles: wrapping, and turning by whole turns into limits."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.geometry.angles import (
    CONTINUOUS,
    TURN,
    either_way,
    nearest_in,
    sweep_to,
    turns_from,
    turns_into,
    where_turning_gives,
    wrap,
)

ROUNDING = 1e-14
ROOT = 1e-7  # [rad] by which rounding moves an angle at which a sine is greatest
FAR = 1e-13  # [1] more than what counts as reached
#: Angles at which something changes, and what is added to them [rad].
SPECIAL = [quarter * math.pi / 2.0 for quarter in range(-12, 13)]
TINY = [0.0, 5e-324, 1e-300, 1e-17, 4e-16, 1e-15, 1e-12, 1e-8]


def angle_in(rng):
    """Anywhere, or next to a quarter turn [rad]."""
    if rng.random() < 0.5:
        return rng.uniform(-20.0, 20.0)
    tiny = TINY[rng.integers(len(TINY))]
    return SPECIAL[rng.integers(len(SPECIAL))] + (tiny if rng.random() < 0.5 else -tiny)


def test_wrapping_turns_into_half_open_range():
    rng = np.random.default_rng(0)
    for _ in range(cases(20000)):
        angle = angle_in(rng)
        wrapped = wrap(angle)
        assert -math.pi < wrapped <= math.pi, angle
        turns = (angle - wrapped) / TURN
        assert abs(turns - round(turns)) <= ROUNDING, angle


def test_half_a_turn_is_pi_whichever_way_it_is_given():
    assert wrap(math.pi) == wrap(-math.pi) == math.pi
    assert wrap(0.25) == 0.25


def test_either_way_is_a_direction_and_the_opposite_one():
    assert either_way(0.5) == (0.5, pytest.approx(0.5 - math.pi))
    assert either_way(-0.5) == (-0.5, pytest.approx(math.pi - 0.5))
    assert either_way(0.0) == (0.0, math.pi) and either_way(math.pi) == (math.pi, 0.0)
    assert either_way(-math.pi) == (math.pi, 0.0)


def test_sweep_is_counter_clockwise_and_less_than_a_turn():
    rng = np.random.default_rng(1)
    for _ in range(cases(20000)):
        start, end = angle_in(rng), angle_in(rng)
        sweep = sweep_to(start, end)
        assert 0.0 <= sweep < TURN, (start, end)
        assert abs(math.remainder(start + sweep - end, TURN)) <= ROUNDING, (start, end)


def test_turns_are_all_there_ascending_and_inside():
    rng = np.random.default_rng(2)
    for _ in range(cases(20000)):
        angle, lower = angle_in(rng), angle_in(rng)
        lower = angle if rng.random() < 0.1 else lower
        upper = lower + abs(angle_in(rng))
        given = angle, lower, upper
        turns = turns_into(angle, (lower, upper))
        assert all(lower <= turn <= upper for turn in turns), given
        for turn in turns:
            assert abs(math.remainder(turn - angle, TURN)) <= ROUNDING, given
        assert all(abs(b - a - TURN) <= ROUNDING for a, b in zip(turns, turns[1:])), given
        for count in range(-8, 9):
            turn = angle + count * TURN
            if lower + ROUNDING < turn < upper - ROUNDING:
                assert any(abs(turn - found) < ROUNDING for found in turns), given


def test_an_angle_inside_comes_back_to_the_last_bit():
    assert turns_into(0.1, (0.1, 0.1)) == [0.1]
    assert turns_into(0.3, (-1.0, 1.0)) == [0.3]


def test_turns_by_hand():
    assert turns_into(-0.5, (5.0, 6.0)) == [TURN - 0.5]
    assert turns_into(0.0, (-TURN, TURN)) == [-TURN, 0.0, TURN]
    assert turns_into(1.0, (2.0, 3.0)) == []
    assert turns_into(7.0, CONTINUOUS) == [7.0 - TURN]


def test_rounding_puts_no_turn_past_a_limit():
    limits = -7.853981633974484, -7.853981633974484 + 3.0 * TURN
    assert turns_into(-7.853981633974483, limits)[-1] == limits[1]


@pytest.mark.parametrize('limits', [(-math.pi, math.pi), (-TURN, TURN), (-2.0, TURN - 2.0)])
def test_rounding_puts_no_turn_of_an_angle_next_to_a_limit_past_the_other(limits):
    for away in TINY:
        for angle in (limits[0] + away, limits[1] - away):
            turns = turns_from(angle, limits)
            assert angle in turns
            assert all(limits[0] <= turn <= limits[1] for turn in turns), (angle, turns)


def test_nearest_in_does_not_turn():
    assert nearest_in(0.5, (0.0, 1.0)) == 0.5
    assert nearest_in(TURN, (0.0, 1.0)) == 1.0
    assert nearest_in(-3.0, (0.0, 1.0)) == 0.0
    assert nearest_in(9.0, CONTINUOUS) == 9.0


def test_turning_gives_what_it_reaches_at_most():
    """Rounding put what was sought past the most in 1 of 7 cases: there was no angle."""
    rng = np.random.default_rng(1)
    for _ in range(cases(2000)):
        cosine, sine = rng.normal(size=2)
        angle = math.atan2(sine, cosine) + rng.choice([0.0, math.pi])
        sought = cosine * math.cos(angle) + sine * math.sin(angle)
        found = where_turning_gives(cosine, sine, sought)
        assert min(abs(wrap(one - angle)) for one in found) <= ROOT
        assert where_turning_gives(cosine, sine, sought * (1.0 + FAR)) == []
