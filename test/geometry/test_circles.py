# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The one primitive: points common to two circles."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.geometry.circles import intersect_circles

TOLERANCE = 1e-13


def meet(a, radius_a, b, radius_b):
    return intersect_circles(a, radius_a, b, radius_b, TOLERANCE)


def test_three_four_five():
    left, right = meet((0.0, 0.0), 5.0, (8.0, 0.0), 5.0)
    assert left == pytest.approx((4.0, 3.0), abs=1e-15)
    assert right == pytest.approx((4.0, -3.0), abs=1e-15)


def test_both_points_lie_on_both_circles_the_left_one_first():
    rng = np.random.default_rng(0)
    twice = 0
    for _ in range(cases(5000)):
        a, b = rng.uniform(-1.0, 1.0, (2, 2)).tolist()
        radius_a, radius_b = rng.uniform(0.0, 2.0, 2).tolist()
        points = meet(a, radius_a, b, radius_b)
        apart = math.dist(a, b)
        assert bool(points) == (abs(radius_a - radius_b) <= apart <= radius_a + radius_b)
        for point in points:
            assert math.dist(a, point) == pytest.approx(radius_a, abs=1e-14)
            assert math.dist(b, point) == pytest.approx(radius_b, abs=1e-13)
        if len(points) == 2:
            twice += 1
            sides = [
                (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for x, y in points
            ]
            assert sides[0] > 0.0 > sides[1]
    assert twice > cases(1000)


def test_moving_and_turning_both_circles_moves_the_points():
    rng = np.random.default_rng(0)
    for _ in range(200):
        radius_a, radius_b, apart = rng.uniform(0.6, 1.0, 3).tolist()
        shift, angle = complex(*rng.uniform(-1.0, 1.0, 2)), rng.uniform(-math.pi, math.pi)
        rotation = complex(math.cos(angle), math.sin(angle))
        b = shift + apart * rotation
        plain = meet((0.0, 0.0), radius_a, (apart, 0.0), radius_b)
        moved = meet((shift.real, shift.imag), radius_a, (b.real, b.imag), radius_b)
        for before, after in zip(plain, moved, strict=True):
            assert abs(complex(*after) - (shift + rotation * complex(*before))) < 2e-15


@pytest.mark.parametrize(
    ('radius_a', 'radius_b', 'touch'),
    [(1.0, 2.0, (1.0, 0.0)), (4.0, 1.0, (4.0, 0.0)), (1.0, 4.0, (-1.0, 0.0))],
    ids=['outside', 'b inside a', 'a inside b'],
)
def test_circles_that_touch_have_one_point(radius_a, radius_b, touch):
    assert meet((0.0, 0.0), radius_a, (3.0, 0.0), radius_b) == (touch,)


@pytest.mark.parametrize('away', [1.0, -1.0], ids=['apart', 'inside'])
def test_missing_by_up_to_the_tolerance_still_touches(away):
    radius_b = 0.5
    center = 1.0 + away * radius_b
    (point,) = meet((0.0, 0.0), 1.0, (center + away * 0.9 * TOLERANCE, 0.0), radius_b)
    assert point == pytest.approx((1.0, 0.0), abs=2e-16)
    assert meet((0.0, 0.0), 1.0, (center + away * 2.0 * TOLERANCE, 0.0), radius_b) == ()


def test_circles_about_the_same_centre():
    assert meet((1.0, 2.0), 0.5, (1.0, 2.0), 0.5) == ()
    assert meet((1.0, 2.0), 0.5, (1.0, 2.0), 0.6) == ()


def test_radius_zero():
    assert meet((1.0, 2.0), 0.0, (1.0, 2.0), 0.0) == ((1.0, 2.0),)
    assert meet((0.0, 0.0), 0.0, (3.0, 4.0), 5.0) == ((0.0, 0.0),)
    assert meet((0.0, 0.0), 5.0, (3.0, 4.0), 0.0) == ((3.0, 4.0),)
    assert meet((0.0, 0.0), 0.0, (3.0, 4.0), 4.9) == ()
