# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Roots of cubics: made from roots, they are found again with their digits."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.geometry.polynomials import cubic_roots, directions_of_roots


def cubic_of(a, b, c):
    return cubic_roots(-(a + b + c), a * b + b * c + c * a, -a * b * c)


def test_three_roots_are_found_again():
    rng = np.random.default_rng(0)
    for _ in range(cases(5000)):
        roots = sorted((rng.choice([-1.0, 1.0], 3) * rng.uniform(0.1, 1.0, 3)).tolist())
        found = cubic_of(*roots)
        apart = min(b - a for a, b in zip(roots, roots[1:]))
        if apart > 1e-3:
            assert found == pytest.approx(roots, abs=1e-14 / apart**2)


def test_a_root_alone_and_the_real_part_of_a_pair_are_found_again():
    rng = np.random.default_rng(1)
    for _ in range(cases(5000)):
        alone, real = rng.uniform(-1.0, 1.0, 2).tolist()
        imaginary = rng.uniform(0.2, 1.0)
        size = real * real + imaginary * imaginary
        found = cubic_roots(
            -alone - 2.0 * real, size + 2.0 * alone * real, -alone * size
        )
        assert found == pytest.approx(sorted((alone, real)), abs=1e-12)


def test_small_roots_keep_their_digits_beside_a_large_one():
    for small in (1e-3, 1e-9, 1e-15):
        a, b, c = 1.0, small, -2.0 * small
        assert cubic_of(a, b, c) == pytest.approx((c, b, a), rel=1e-14)
        for size in (1e-6, 1e6):
            found = cubic_of(size * a, size * b, size * c)
            assert found == pytest.approx((size * c, size * b, size * a), rel=1e-14)


def test_a_double_root_is_not_lost():
    found = cubic_of(0.5, 0.5, 0.4)
    assert min(abs(root - 0.5) for root in found) < 1e-7
    assert cubic_roots(0.0, 0.0, 0.0) == (0.0,)
    assert cubic_of(1.0, 1.0, 1.0)[0] == pytest.approx(1.0, abs=1e-5)


def test_the_directions_of_roots_are_found_again():
    """Roots at zero and far from the unit circle have none; a pair beside it has two."""
    rng = np.random.default_rng(3)
    for _ in range(cases(1000)):
        angles = rng.uniform(-0.9, 0.9) + np.array([-2.0, 0.0, 2.0])
        far = rng.choice([0.5, 2.0], 2) * np.exp(1j * rng.uniform(-np.pi, np.pi, 2))
        beside = rng.uniform(0.01, 0.1)
        pair = np.exp(1j * angles[0] + np.array([-beside, beside]))
        roots = [*np.exp(1j * angles[1:]), *pair, *far, 0.0]
        expected = [angles[0] - beside, angles[0] + beside, *angles[1:]]
        found = directions_of_roots(np.poly(roots))
        assert sorted(found) == pytest.approx(expected, abs=1e-6)
