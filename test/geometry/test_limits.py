# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles inside limits: every turn of them, and retries for those that rounding put on a limit."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.geometry.angles import CONTINUOUS
from ik_circles.geometry.limits import next_to, settled, turns_and_limits

TURN = 2.0 * math.pi
WINDOW = 1e-6


def same_direction(a, b):
    return abs(math.remainder(a - b, TURN)) < 1e-12


def test_turns_are_all_turns_inside_the_limits_and_limits_passed_within_the_window():
    rng = np.random.default_rng(0)
    for _ in range(cases(2000)):
        lower, width = rng.uniform(-7.0, 7.0), rng.uniform(0.0, 20.0)
        angle, limits = rng.uniform(-10.0, 10.0), (lower, lower + width)
        if rng.integers(2):
            angle = limits[rng.integers(2)] + WINDOW * rng.uniform(-2.0, 2.0)
        turns = [angle + k * TURN for k in range(-8, 9)]
        inside = [turn for turn in turns if limits[0] <= turn <= limits[1]]
        near = [
            limit for turn in turns for limit, sign in zip(limits, (1.0, -1.0))
            if 0.0 < sign * (limit - turn) <= WINDOW
        ]  # fmt: skip
        found = turns_and_limits(angle, limits, WINDOW)
        assert sorted(q for q, on in found if not on) == pytest.approx(sorted(inside), abs=1e-12)
        assert sorted(q for q, on in found if on) == sorted(near)


def test_a_continuous_joint_has_one_turn():
    assert turns_and_limits(7.0, CONTINUOUS, WINDOW) == [(7.0 - TURN, False)]


def test_next_to_is_the_nearest_turn_or_the_limit_before_it():
    rng = np.random.default_rng(1)
    for _ in range(cases(2000)):
        near, angle = rng.uniform(-10.0, 10.0, 2)
        limits = near - rng.uniform(0.0, 4.0), near + rng.uniform(0.0, 4.0)
        found = next_to(near, angle, limits)
        nearest = near + math.remainder(angle - near, TURN)
        assert found == pytest.approx(min(max(nearest, limits[0]), limits[1]), abs=1e-12)
        free = next_to(near, angle, CONTINUOUS)
        assert -math.pi < free <= math.pi and same_direction(free, angle)


def test_angles_inside_are_taken_without_a_retry():
    def never(*_):
        raise AssertionError

    found = settled((0.5, 7.0), ((0.0, 1.0), CONTINUOUS), WINDOW, never, never)
    assert found == [(0.5, 7.0 - TURN)]
    assert settled((2.0, 0.0), ((0.0, 1.0), CONTINUOUS), WINDOW, never, never) == []


def test_every_turn_of_every_joint_is_combined():
    limits = (0.0, 2.0 * TURN), (0.0, 1.0), (-TURN, TURN)
    found = settled((0.1, 0.2, 0.3), limits, WINDOW, None, None)
    expected = {(0.1 + a, 0.2, 0.3 - b) for a in (0.0, TURN) for b in (0.0, TURN)}
    assert len(found) == 4
    assert all(any(math.dist(q, other) < 1e-12 for other in expected) for q in found)


def test_on_a_limit_the_first_retry_that_closes_is_taken_once():
    asked = []

    def retries(q, on_limit):
        asked.append((q, on_limit))
        yield from ((1.0, 9.0), (1.0, 8.0), (1.0, 7.0))

    limits = (0.0, 1.0), (0.0, 2.0 * TURN)
    found = settled((1.0 + WINDOW / 2.0, 0.5), limits, WINDOW, retries, lambda q: q[1] < 9.0)
    assert found == [(1.0, 8.0)]
    assert [on for _, on in asked] == [(True, False)] * 2
    assert [q[0] for q, _ in asked] == [1.0, 1.0]


def test_on_a_limit_none_is_given_where_no_retry_closes():
    limits = ((0.0, 1.0),)
    assert settled((-WINDOW / 2.0,), limits, WINDOW, lambda *_: [(0.0,)], lambda _: False) == []
