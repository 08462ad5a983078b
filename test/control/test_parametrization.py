# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How fast a path may be followed, where that is known: straight ways, circles, few places."""

import math

import numpy as np
import pytest
from law_cases import cases
from motions import random_limits
from test_timed_paths import SWING

from ik_circles.control.motion import along
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.parametrization import SHORTEST, tangents, timed
from ik_circles.control.motion.trajectory import extremes_of


@pytest.mark.parametrize('count', range(2, 10))
def test_tangents_are_those_of_polynomials(count):
    """Law: on uneven places, exact up to the fourth degree, or to one less than their number."""
    random = np.random.default_rng(count)
    for size in (1e-3, 1.0, 100.0):
        lengths = np.cumsum(random.uniform(0.5, 1.5, count)) * size / count
        terms = random.normal(size=(min(count, 5), 3))
        terms /= size ** np.arange(len(terms))[:, None]
        places = np.array([[np.polyval(one[::-1], at) for one in terms.T] for at in lengths])
        slopes = np.array(
            [[np.polyval(np.polyder(one[::-1]), at) for one in terms.T] for at in lengths]
        )
        assert tangents(lengths, places) == pytest.approx(slopes, rel=1e-9, abs=1e-9 / size)


@pytest.mark.parametrize('seed', range(cases(2000)))
def test_straight_ways_are_as_fast_as_they_can_be_at_each_place(seed):
    """By hand: from rest and to rest, the squared speed is 2 a s. It is at most the velocity limit,
    and at most so large that places are 0.1 ms apart."""
    random = np.random.default_rng(seed)
    joints, count, size = random.integers(1, 5), random.integers(3, 9), random.choice([1e-4, 1, 9])
    steps = random.uniform(0.05, 1.0, count - 1) * random.choice(
        [1e-4, 1.0], count - 1, p=[0.1, 0.9]
    )
    lengths = size * np.concatenate([[0.0], np.cumsum(steps)])
    direction = random.normal(size=joints)
    direction /= np.linalg.norm(direction)
    direction[1:] *= random.choice([0.0, 1.0])
    fastest, strongest = random.uniform(0.1, 3.0, joints), random.uniform(0.5, 9.0, joints)
    sizes = np.maximum(np.abs(direction), 1e-9)
    limits = MotionLimits(fastest, strongest)
    directions = np.tile(direction, (count, 1))
    times, velocities = timed(lengths, lengths[:, None] * direction, directions, limits)
    change = float(np.min(strongest / sizes))
    gaps = np.diff(lengths) / SHORTEST
    most = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
    speeds = np.minimum(np.minimum(np.min(fastest / sizes), most), 1e9)
    speeds[[0, -1]] = 0.0
    for one in range(count):  # whatever the others are, each of them bounds all
        ways = np.abs(lengths - lengths[one])
        speeds = np.minimum(speeds, np.sqrt(speeds[one] ** 2 + 2.0 * change * ways))
    assert velocities == pytest.approx(speeds[:, None] * direction, rel=1e-6, abs=1e-12)
    spans = 2.0 * np.diff(lengths) / (speeds[1:] + speeds[:-1])
    assert np.diff(times) == pytest.approx(spans, rel=1e-6)
    assert times[0] == 0.0


@pytest.mark.parametrize('radius', [0.01, 1.0, 30.0])
def test_a_circle_is_as_fast_as_its_bends_allow(radius):
    """By hand: where one joint turns back, the squared speed is its acceleration by the radius."""
    angles = np.linspace(0.0, 6.0 * math.pi, 601)
    places = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    directions = np.column_stack([-np.sin(angles), np.cos(angles)])
    limits = MotionLimits([1e3, 1e3], [2.0, 3.0])
    _, velocities = timed(radius * angles, places, directions, limits)
    speeds = np.linalg.norm(velocities, axis=1)
    middle = slice(200, 401, 100)  # the first joint turns back in the second circle
    assert speeds[middle] ** 2 == pytest.approx(np.full(3, 2.0 * radius), rel=0.01)
    assert (speeds[200:401] ** 2 >= 0.99 * 2.0 * radius).all()
    assert (speeds[200:401] ** 2 <= 1.01 * math.hypot(2.0, 3.0) * radius).all()


def test_a_second_pass_leaves_little_of_too_large_accelerations():
    """Law: on winding paths, no more than 1 in 10 have more than 1.02 of the acceleration that is
    allowed; 1 in 4 have it after the first pass."""
    rng, count, past = np.random.default_rng(0), cases(2000, least=60), 0
    for _ in range(count):
        joints, size, terms = rng.integers(1, 6), rng.integers(8, 60), rng.integers(3, 9)
        shares, k = np.linspace(0.0, 1.0, size)[:, None, None], np.arange(1, terms + 1)
        waves = np.sin(math.tau * k * shares + rng.uniform(0.0, math.tau, (joints, terms)))
        places = np.sum(waves * rng.normal(size=(joints, terms)) / k, axis=2)
        lengths = np.cumsum([0.0, *np.linalg.norm(np.diff(places, axis=0), axis=1)])
        limits = MotionLimits(rng.uniform(0.3, 9.0, joints), rng.uniform(0.5, 9.0, joints))
        times, velocities = timed(lengths, places, tangents(lengths, places), limits)
        found = extremes_of(times, places, velocities).accelerations
        past += bool((found > 1.02 * np.array(limits.accelerations)).any())
    assert 10 * past <= count


def test_an_arc_has_as_few_segments_as_the_tolerance_allows():
    """By hand: chords of an arc of 1 m are an eighth of the squared angle away from it. Segments
    are halved from 64 on until that is allowed, and no more often."""
    random, halved = np.random.default_rng(1), 0
    for _ in range(cases(300, least=20)):
        way, tolerance = random.uniform(0.3, 3.0), 10.0 ** random.uniform(-7.0, -4.0)
        limits = random_limits(random, 1, endless=1.0)
        found = along(lambda share, way=way: (way * share,), limits, SWING, tolerance=tolerance)
        count = len(found.waypoints) - 1
        assert (way / count) ** 2 / 8.0 <= tolerance * (1.0 + 1e-9)
        assert count == 64 or (2.0 * way / count) ** 2 / 8.0 > tolerance
        halved += count > 64
    assert halved > cases(100, least=5)
