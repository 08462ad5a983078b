"""The roots of a cubic in closed form: by G. Cardano where one root is real, else by F. Viete."""

from __future__ import annotations

import math


def cubic_roots(b: float, c: float, d: float) -> tuple[float, ...]:
    """Real parts of the roots of `t**3 + b t**2 + c t + d`, ascending.

    There are three, or two where a pair is complex. The real part of the pair is given, too,
    because rounding turns a double root into a pair. If only real roots will do, test them.

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
