# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Turns of an ordinary pose's joints, against all turns that there are."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.geometry.angles import CONTINUOUS, TURN
from ik_circles.spatial.poses.turning import (
    NotOrdinaryError,
    Range,
    Turning,
    all_turned,
    clearly_turned,
    is_far_past,
    turned,
)
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.wrist import MOST_ROOM

#: How far past a limit a joint may be by rounding only [rad]; angles are drawn next to limits, too.
WINDOW, NEXT = 1e-6, 3e-6


def drawn(rng):
    """Limits, an angle, and one to be near to [rad]: often next to where it is decided."""
    limits = CONTINUOUS
    if rng.random() < 0.8:
        lower = rng.choice([-math.pi, 0.0, rng.uniform(-7.0, 3.0)])
        limits = float(lower), float(lower + rng.choice([TURN, rng.uniform(0.0, 3.0 * TURN)]))
    angle, near = rng.uniform(-10.0, 10.0, 2)
    if rng.random() < 0.5 and limits != CONTINUOUS:
        angle = rng.choice(limits) + rng.uniform(-NEXT, NEXT) + TURN * rng.integers(-2, 3)
    return limits, float(angle), float(near)


def turns_of(angle):
    return angle + TURN * np.arange(-8, 9)


def expected(limits, angle, near):
    """The nearest turn inside, None, or the error if that might be another one by rounding."""
    found = set()
    for window in (0.0, WINDOW):
        turns = turns_of(angle)
        inside = turns[(limits[0] - window <= turns) & (turns <= limits[1] + window)]
        nearest = min(inside, key=lambda one: abs(one - near), default=None)
        found.add(nearest if nearest is None else round(float(np.clip(nearest, *limits)), 9))
    return found


def by(find, angle, near, its):
    """The turn that one of them gives for a joint, in some with another one before it."""
    wide = Range.of(CONTINUOUS)
    turning = Turning(Whole(near, (0.0,) * 3, (0.5, near)), its, [wide] * 3, (wide, its))
    match find:
        case 'clearly_turned':
            return (clearly_turned(angle, near, its),)
        case 'turned':
            return turned((9.0, angle), (0.5, near), (wide, its))
        case 'all_turned':
            return (all_turned(((angle,),), (near,), (its,)) or [None])[0]
        case 'yaw':
            return turning.yaw(angle)
    return turning.wrist((9.0, angle))


@pytest.mark.parametrize('find', ['clearly_turned', 'turned', 'all_turned', 'yaw', 'wrist'])
def test_the_nearest_of_all_turns_inside_the_limits_is_found_if_rounding_does_not_decide(find):
    rng, seen = np.random.default_rng(0), [0, 0, 0]
    for _ in range(cases(8000)):
        limits, angle, near = drawn(rng)
        told = expected(limits, angle, near)
        try:
            found = by(find, angle, near, Range.of(limits, WINDOW))
        except NotOrdinaryError:
            assert len(told) == 2
            seen[2] += 1
            continue
        if len(told) == 2:
            assert find == 'all_turned' and found is None
        elif found is None or found[-1] is None:
            assert told == {None}
            seen[0] += 1
        else:
            assert abs(abs(found[-1] - near) - math.pi) < 1e-9 or told == {round(found[-1], 9)}
            if len(found) == 2:
                assert found[0] == pytest.approx(9.0 - TURN)  # nearest to 0.5
            seen[1] += 1
    assert min(seen[:2]) > 0 and (seen[2] or find == 'all_turned')


def test_one_configuration_without_a_turn_leaves_none():
    its = Range.of((0.0, 1.0))
    assert all_turned([(0.5,), (1.0,)], (0.2,), [its]) == [(0.5,), (1.0,)]
    assert all_turned([(0.5,), (2.0,)], (0.2,), [its]) is None
    assert all_turned([], (0.2,), [its]) == []


def test_far_past_is_past_every_turn_by_more_than_a_room():
    rng, seen = np.random.default_rng(1), set()
    for _ in range(cases(4000)):
        limits, angle, _ = drawn(rng)
        if limits != CONTINUOUS and rng.random() < 0.5:
            angle = limits[1] + MOST_ROOM + rng.choice([-1.0, 1.0]) * NEXT
        turns = turns_of(angle)
        past = float(np.maximum(limits[0] - turns, turns - limits[1]).min())
        assert is_far_past(angle, Range.of(limits)) == (past > MOST_ROOM)
        seen.add(past > MOST_ROOM)
    assert seen == {False, True}


def test_a_turn_that_is_inside_is_given_to_the_last_bit():
    """At the ends of the limits, and exactly half a turn away, too."""
    its = Range.of((-math.pi, math.pi))
    for angle in (-math.pi, 0.25, math.pi):
        for near in (0.0, angle - math.pi, angle + math.pi):
            assert clearly_turned(angle, near, its) == angle
            assert turned((angle,), (near,), (its,)) == (angle,)
            turning = Turning(Whole(near, (near,) * 3, (near,)), its, (its,) * 3, (its,))
            assert turning.yaw(angle) == turning.wrist((angle,)) == (angle,)
            lower, upper, *_ = turning.three[2]
            assert lower <= angle <= upper
