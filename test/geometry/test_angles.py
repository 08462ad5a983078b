# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles: wrapping, and turning by whole turns into limits."""

import math

import pytest
from hypothesis import given
from hypothesis.strategies import floats

from ik_circles.geometry.angles import CONTINUOUS, TURN, nearest_in, sweep_to, turns_into, wrap

angles = floats(-20.0, 20.0)
ROUNDING = 1e-14


@given(angles)
def test_wrapping_turns_into_half_open_range(angle):
    wrapped = wrap(angle)
    assert -math.pi < wrapped <= math.pi
    turns = (angle - wrapped) / TURN
    assert turns == pytest.approx(round(turns), abs=ROUNDING)


def test_half_a_turn_is_pi_whichever_way_it_is_given():
    assert wrap(math.pi) == wrap(-math.pi) == math.pi
    assert wrap(0.25) == 0.25


@given(angles, angles)
def test_sweep_is_counter_clockwise_and_less_than_a_turn(start, end):
    sweep = sweep_to(start, end)
    assert 0.0 <= sweep < TURN
    assert math.remainder(start + sweep - end, TURN) == pytest.approx(0.0, abs=ROUNDING)


@given(angles, angles, floats(0.0, 20.0))
def test_turns_are_all_there_ascending_and_inside(angle, lower, width):
    upper = lower + width
    turns = turns_into(angle, (lower, upper))
    assert all(lower <= turn <= upper for turn in turns)
    for turn in turns:
        assert math.remainder(turn - angle, TURN) == pytest.approx(0.0, abs=ROUNDING)
    assert all(b - a == pytest.approx(TURN, abs=ROUNDING) for a, b in zip(turns, turns[1:]))
    for count in range(-8, 9):
        turn = angle + count * TURN
        if lower + ROUNDING < turn < upper - ROUNDING:
            assert any(abs(turn - found) < ROUNDING for found in turns)


def test_an_angle_inside_comes_back_to_the_last_bit():
    assert turns_into(0.1, (0.1, 0.1)) == [0.1]
    assert turns_into(0.3, (-1.0, 1.0)) == [0.3]


def test_turns_by_hand():
    assert turns_into(-0.5, (5.0, 6.0)) == [TURN - 0.5]
    assert turns_into(0.0, (-TURN, TURN)) == [-TURN, 0.0, TURN]
    assert turns_into(1.0, (2.0, 3.0)) == []
    assert turns_into(7.0, CONTINUOUS) == [7.0 - TURN]


def test_nearest_in_does_not_turn():
    assert nearest_in(0.5, (0.0, 1.0)) == 0.5
    assert nearest_in(TURN, (0.0, 1.0)) == 1.0
    assert nearest_in(-3.0, (0.0, 1.0)) == 0.0
    assert nearest_in(9.0, CONTINUOUS) == 9.0
