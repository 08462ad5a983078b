# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An arm that is asked for the pose that it has does not move, whatever rounding makes of it."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, tip

from ik_circles import Floor, PlanarArm

STILL = 1e-9  # [rad]
LIMITS = (None, (-2.0, 2.0), (-math.pi, math.pi), (-TURN, TURN), (-2.5, 0.4))


def special_arm(rng, tiny):
    """Links of which one is tiny, or the first two are equal; limits of many kinds."""
    links = rng.uniform(0.05, 1.0, 3)
    if tiny:
        links[rng.integers(3)] = 10.0 ** rng.uniform(-10.0, -3.0)
    else:
        links[1] = links[0]
    return PlanarArm(links, [LIMITS[rng.integers(len(LIMITS))] for _ in range(3)])


def joints_of(rng, arm):
    """Joint positions inside the limits: random ones, on limits, next to a half or a whole turn."""
    q = []
    for low, high in arm.limits:
        low, high = max(low, -math.pi), min(high, math.pi)
        beside = rng.choice((0.0, math.pi)) + rng.choice((-1, 1)) * 10.0 ** rng.uniform(-14, -1)
        one = rng.choice((rng.uniform(low, high), rng.choice((low, high)), beside))
        q.append(float(np.clip(one, low, high)))
    return tuple(q)


@pytest.mark.parametrize('tiny', [True, False])
@pytest.mark.parametrize('mode', ['fixed', 'preferred', 'free'])
def test_an_arm_at_the_target_stays(tiny, mode):
    rng = np.random.default_rng(7)
    for _ in range(cases(1000, least=100)):
        arm = special_arm(rng, tiny)
        own = [joints_of(rng, arm) for _ in range(8)]
        places = [tip(arm, q)[0] for q in own]
        targets = [(place.real, place.imag, sum(q)) for place, q in zip(places, own)]
        rows = arm.solve_batch(targets, seed=own, orientation_mode=mode)
        for target, q, row in zip(targets, own, rows):
            for branch in ('nearest', 'elbow_up' if math.sin(q[1]) <= 0.0 else 'elbow_down'):
                one = arm.solve(*target, seed=q, branch=branch, orientation_mode=mode)
                told = f'{arm!r}, {q}, {branch}: {one}'
                assert one == pytest.approx(q, abs=STILL), told
            assert row == pytest.approx(q, abs=STILL), f'{arm!r}, {q}: {row}'


def test_it_moves_to_the_branch_that_is_asked_for():
    """The joints of both elbows differ by less than a milliradian, which is not rounding."""
    arm = PlanarArm((0.4, 0.3, 0.2))
    seed = (0.3, 4e-4, -0.2)
    place, _ = tip(arm, seed)
    up = arm.solve(place.real, place.imag, sum(seed), seed=seed, branch='elbow_up')
    assert up[1] == pytest.approx(-4e-4, abs=1e-9)
    assert arm.solve(place.real, place.imag, sum(seed), seed=seed) == pytest.approx(seed, abs=STILL)


def test_it_moves_to_a_target_a_hair_away():
    rng = np.random.default_rng(8)
    arm = PlanarArm((0.4, 0.3, 0.2))
    for _ in range(cases(1000, least=20)):
        seed = tuple(rng.uniform(-2.0, 2.0, 3))
        place = tip(arm, seed)[0] + 1e-11 * np.exp(1j * rng.uniform(0.0, TURN))
        for q in (
            arm.solve(place.real, place.imag, sum(seed), seed=seed),
            arm.solve_batch([(place.real, place.imag, sum(seed))], seed=seed)[0],
        ):
            assert abs(tip(arm, q)[0] - place) <= 1e-12, f'{seed}: {q}'


def test_it_moves_to_a_floor_that_it_is_below():
    """Rounding at a straight elbow hides that the elbow is below the floor."""
    seed = (-3e-9, 6e-9, -3e-9)
    arm = PlanarArm((0.4, 0.4, 0.2), floor=Floor(0.0))
    place, phi = tip(arm, seed)
    q = arm.solve(place.real, place.imag, phi, seed=seed)
    assert math.sin(q[0]) * 0.4 >= -1e-12
