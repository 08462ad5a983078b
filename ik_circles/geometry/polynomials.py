# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The roots of a cubic in closed form: by G. Cardano if one root is real, otherwise by F. Viete.

Roots of other polynomials are found between their turning points, or by numpy on the unit circle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.geometry.arrays import Floats

#: A polynomial counts as zero where it is no more than this share of the size of its terms [1]:
#: that much is rounding.
TOUCH = 1e-14
#: Steps towards a root. Newton's method needs about six; halving needs this many for every digit.
MOST_STEPS = 100
#: Roots whose logarithm is this near to imaginary count as directions [1]. Terms that a polynomial
#: leaves out may move two neighboring roots off the unit circle; on it, they are no farther apart.
DIRECTED = 0.2


def cubic_roots(b: float, c: float, d: float) -> tuple[float, ...]:
    """Real parts of the roots of `t**3 + b t**2 + c t + d`, ascending.

    There are three, or two if a pair of roots is complex. The real part of such a pair is included,
    because rounding turns a double root into a pair. If you need real roots only, test each one.

    The largest root comes from the closed formula. The other two come from the quadratic that is
    left when it is divided out, so that roots near zero keep their digits beside a large one.
    """
    first, alone = _outer_root(b, c, d)
    if first == 0.0:
        return (0.0,)
    if alone and (size := c + first * (b + first)) > first * first:
        first = -d / size  # the squared size of the pair gives a smaller root all its digits
        return tuple(sorted((first, -(b + first) / 2.0)))
    product = -d / first
    by_sum, by_product = b + first, (product - c) / first
    sum_rounding = max(abs(b), abs(first))
    product_rounding = max(abs(c), abs(product)) / abs(first)
    half = (by_sum if sum_rounding < product_rounding else by_product) / 2.0
    square = half * half - product
    if square <= 0.0:
        return tuple(sorted((first, -half)))
    outer = -half - math.copysign(math.sqrt(square), half)
    return tuple(sorted((first, outer, product / outer)))


def _outer_root(b: float, c: float, d: float) -> tuple[float, bool]:
    """The real root of the largest magnitude, and whether it is the only real root."""
    shift = b / 3.0
    p = c / 3.0 - shift * shift
    q = (2.0 * shift * shift * shift - shift * c + d) / 2.0
    square = q * q + p * p * p
    if square < 0.0:
        third = math.atan2(math.sqrt(-square), -q) / 3.0
        size = 2.0 * math.sqrt(-p)
        ends = size * math.cos(third) - shift, size * math.cos(third + math.tau / 3.0) - shift
        return max(ends, key=abs), False
    large = abs(q) + math.sqrt(square)
    if large == 0.0:
        return -shift, False
    root = -math.copysign(large ** (1.0 / 3.0), q)
    return root - p / root - shift, True


def roots_between(coefficients: Sequence[float], lower: float, upper: float) -> list[float]:
    """Where a polynomial is zero from `lower` to `upper`, ascending; also where it only touches 0.

    Between two neighboring turning points, which are the roots of the derivative, it is monotone.
    There, Newton's method inside a shrinking bracket finds the only root to the last digit.

    Parameters
    ----------
    coefficients : of `c[0] + c[1] t + c[2] t**2 + …`
    lower, upper : ends of the interval
    """
    degree = len(coefficients) - 1
    if degree < 1:
        return []
    size = max(abs(lower), abs(upper))
    touch = TOUCH * sum(abs(c) * size**power for power, c in enumerate(coefficients))
    least, most = _bounds(coefficients, lower, upper)
    if least > touch or most < -touch:
        return []
    slopes = [power * c for power, c in enumerate(coefficients)][1:]
    turning = roots_between(slopes, lower, upper) if degree > 1 else []
    found = [t for t in (lower, *turning, upper) if abs(_value(coefficients, t)) <= touch]
    for start, end in pairwise((lower, *turning, upper)):
        if _value(coefficients, start) * _value(coefficients, end) < 0.0:
            found.append(_only_root(coefficients, slopes, start, end))
    return sorted(found)


def _bounds(coefficients: Sequence[float], lower: float, upper: float) -> tuple[float, float]:
    """Bounds of a polynomial from `lower` to `upper`: the least and the largest coefficient in S.
    Bernstein's form. Without a root there, both mostly have the same sign."""
    degree, found = len(coefficients) - 1, [*coefficients]
    for first in range(degree):  # by powers of t - lower
        for power in range(degree - 1, first - 1, -1):
            found[power] += lower * found[power + 1]
    found = [
        c * (upper - lower) ** power / math.comb(degree, power) for power, c in enumerate(found)
    ]
    for first in range(degree):
        for power in range(degree, first, -1):
            found[power] += found[power - 1]
    return min(found), max(found)


def _value(coefficients: Sequence[float], t: float) -> float:
    """The value of a polynomial (W. Horner)."""
    value = 0.0
    for c in reversed(coefficients):
        value = value * t + c
    return value


def _only_root(
    coefficients: Sequence[float], slopes: Sequence[float], lower: float, upper: float
) -> float:
    """The root of a polynomial that is monotone and has opposite signs at the two ends."""
    rises, t = _value(coefficients, upper) > 0.0, (lower + upper) / 2.0
    for _ in range(MOST_STEPS):
        value, slope = _value(coefficients, t), _value(slopes, t)
        if value == 0.0:
            return t
        lower, upper = (lower, t) if (value > 0.0) == rises else (t, upper)
        newton = t - value / slope if slope else lower
        last, t = t, newton if lower < newton < upper else (lower + upper) / 2.0
        if t == last or not lower < t < upper:
            break
    return t


def directions_of_roots(coefficients: ArrayLike) -> Floats:
    """Angles of the directions near which a polynomial vanishes, the highest power first [rad].

    Two neighboring roots off the unit circle, one inside and one outside, stand for two directions
    that are about as far apart.
    """
    roots = np.roots(coefficients).astype(complex)
    roots = np.log(roots[roots != 0.0])
    roots = roots[np.abs(roots.real) <= DIRECTED]
    return np.asarray(roots.imag + roots.real)
