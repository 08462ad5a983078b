# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Laws of intervals of angles, rotations and far points, each against the slowest way there is."""

import math
from fractions import Fraction

import numpy as np
from spatial_arms import direction, random_rotation, rotation_by

from ik_circles.geometry.arcs import Arc, nearest_arc_from_afar
from ik_circles.geometry.intervals import united
from ik_circles.geometry.polynomials import roots_between
from ik_circles.geometry.rigid import (
    angle_about,
    angle_between_rotations,
    rotation_about,
    rows_product,
)

CASES = 200


def test_united_intervals_have_the_angles_of_all_and_no_others():
    rng = np.random.default_rng(0)
    for _ in range(CASES):
        starts, widths = rng.uniform(-3.1, 3.1, 4), rng.uniform(0.0, 2.5, 4)
        pieces = [(float(a), float(a + width)) for a, width in zip(starts, widths)]
        found = united(pieces)
        assert all(upper < lower for (_, upper), (lower, _) in zip(found, found[1:]))
        for angle in rng.uniform(-math.pi, math.pi, 40):
            one, other = (
                any((angle - a) % math.tau < b - a for a, b in some) for some in (pieces, found)
            )
            assert one == other


def test_a_turn_about_an_axis_is_that_of_a_quaternion():
    rng = np.random.default_rng(1)
    for _ in range(CASES):
        axis, angle = direction(rng), rng.uniform(-4.0, 4.0)
        slow = rotation_by(axis, angle)
        np.testing.assert_allclose(rotation_about(axis, angle), slow, atol=1e-14)


def test_the_turn_about_an_axis_comes_nearest_to_a_rotation():
    rng = np.random.default_rng(5)
    for _ in range(CASES):
        axis, before, wanted = direction(rng), random_rotation(rng), random_rotation(rng)
        found = angle_about(tuple(axis.tolist()), before.tolist(), wanted.tolist())
        left = [
            angle_between_rotations(before @ rotation_about(axis, found + beside), wanted)
            for beside in (0.0, *rng.uniform(-math.pi, math.pi, 10), -1e-3, 1e-3)
        ]
        assert left[0] <= min(left) + 1e-12


def test_products_of_rows_are_those_of_matrices():
    rng = np.random.default_rng(2)
    for _ in range(CASES):
        one, other, last = (random_rotation(rng) for _ in range(3))
        found = rows_product(one.tolist(), other.tolist(), last.tolist())
        np.testing.assert_allclose(found, one @ other @ last, atol=1e-14)


def test_roots_do_not_depend_on_the_size_of_a_polynomial():
    rng = np.random.default_rng(3)
    for _ in range(CASES):
        roots = np.sort(rng.uniform(-1.0, 1.0, 3))
        if np.diff(roots).min() > 0.05:
            found = roots_between((1e-3 * np.poly(roots)[::-1]).tolist(), -1.5, 1.5)
            np.testing.assert_allclose(found, roots, atol=1e-12)


def test_the_arc_nearest_to_a_far_point_is_that_by_exact_numbers():
    """The distances, some of which differ only in their squares, are compared as fractions."""
    rng = np.random.default_rng(4)
    for _ in range(CASES):
        heading, far = rng.uniform(-math.pi, math.pi), 10.0 ** rng.uniform(2.0, 18.0)
        point = far * math.cos(heading), far * math.sin(heading)
        arcs = [
            Arc(tuple(rng.normal(size=2).tolist()), float(rng.uniform(0.1, 1.0)), 0.0, math.tau)
            for _ in range(5)
        ]

        def square(arc, point=point):
            pairs = zip(arc.nearest_to(point), point)
            return sum((Fraction(a) - Fraction(b)) ** 2 for a, b in pairs)

        assert nearest_arc_from_afar(arcs, point) == min(range(5), key=lambda i: square(arcs[i]))
