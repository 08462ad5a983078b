# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The distances over which a Z exists, in closed form: one interval, or two with a gap between.

The cosine c of the angle at the crossing determines a Z. Its triangles give `u = a c +- p` with
`p^2 = S1 + a^2 c^2`, and `v = b c +- q` with `q^2 = S3 + b^2 c^2` (letters as in `z_form`). The
minus signs count only if the outer link is shorter than its part of the middle link. So the
distance u + v is a curve over c. Its ends are flat shapes. At its turning points,
`a u q + b v p = 0` with signs. These are roots of a polynomial in c^2, which is a cubic because its
leading terms cancel. The source gives L1 + L2 + L3 and, "for a typical setup", L1 - L2 + L3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from ik_circles.geometry import checks
from ik_circles.geometry.polynomials import cubic_roots
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.redundancy.z_form import checked_z_lengths

SIGNS = (1.0, -1.0)


def z_reach(lengths: Sequence[float], k: float) -> list[tuple[float, float]]:
    """Intervals `(nearest, farthest)` of distances [m] over which a Z exists, ascending.

    If `L1 >= k L2` and `L3 >= (1 - k) L2`, it is one interval from L1 + L3 - L2 to L1 + L2 + L3.
    Otherwise there are one or two (a single distance if an outer link has no length). The ends are
    exact to 1e-11 of the reach.

    Parameters
    ----------
    lengths : sequence of three floats
        Lengths of the links [m], each at least 0, not all 0.
    k : float
        Share of the middle link at which it crosses the line from base to target, 0 to 1.

    Returns
    -------
    list of tuples
        (nearest, farthest) of each interval [m].

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
        As in `z_shapes`.
    """
    links = checked_z_lengths(lengths)
    k = checks.share('k', k)
    reach = sum(links)
    length_1, length_2, length_3 = (length / reach for length in links)
    curve = _Curve(length_1, k * length_2, (1.0 - k) * length_2, length_3)
    return [(reach * near, reach * far) for near, far in _merged(curve.intervals())]


class _Curve:
    """The distance as a function of the cosine of the angle at the crossing, in units of the reach.
    """

    def __init__(self, length_1: float, part_1: float, part_2: float, length_3: float) -> None:
        self.length_1, self.part_1 = length_1, part_1
        self.length_3, self.part_2 = length_3, part_2

    def intervals(self) -> Iterator[tuple[float, float]]:
        """One interval for each connected part of the curve."""
        widest_1 = _widest_sine(self.length_1, self.part_1)
        widest_3 = _widest_sine(self.length_3, self.part_2)
        if self.length_1 >= self.part_1 and self.length_3 >= self.part_2:
            outer = self.length_1 + self.length_3
            yield outer - self.part_1 - self.part_2, outer + self.part_1 + self.part_2
            return
        widest = min(widest_1, widest_3)
        sines = [0.0, widest, *(min(sine, widest) for sine in self._turning_points())]
        signs_1 = SIGNS if self.length_1 <= self.part_1 else SIGNS[:1]
        signs_3 = SIGNS if self.length_3 <= self.part_2 else SIGNS[:1]
        if widest_1 <= widest_3:  # link 1 turns back: both of its signs are connected
            parts = [list(product(signs_1, (sign,))) for sign in signs_3]
        else:
            parts = [list(product((sign,), signs_3)) for sign in signs_1]
        for part in parts:
            found = [self._distance(sine, *signs) for sine in sines for signs in part]
            yield min(found), max(found)

    def _distance(self, sine: float, sign_1: float, sign_3: float) -> float:
        cosine = math.sqrt((1.0 - sine) * (1.0 + sine))
        return (
            (self.part_1 + self.part_2) * cosine
            + sign_1 * _leg(self.length_1, self.part_1 * sine)
            + sign_3 * _leg(self.length_3, self.part_2 * sine)
        )

    def _turning_points(self) -> Iterator[float]:
        """Sines at which the distance may turn: `c^2 = L2^2 S1 S3 / (a b w)` with a root w."""
        a, b = self.part_1, self.part_2
        square_1 = (self.length_1 - a) * (self.length_1 + a)
        square_3 = (self.length_3 - b) * (self.length_3 + b)
        length_2, both = a + b, square_1 * square_3
        if a == 0.0 or b == 0.0:
            return
        if 2.0 * self.length_1 < a and 2.0 * self.length_3 < b:
            yield from self._turning_points_of_short_links()
            return
        half = b * (length_2 + b) * square_1 + a * (length_2 + a) * square_3
        linear = half * half + 4.0 * a * b * both * (length_2 * length_2 - a * b)
        rest = 4.0 * a * b * length_2**3 * both * (b * square_1 + a * square_3)
        for root in cubic_roots(2.0 * half, linear, rest):
            if root != 0.0 and 0.0 < (square := length_2 * length_2 * both / (a * b * root)) < 1.0:
                yield math.sqrt(1.0 - square)

    def _turning_points_of_short_links(self) -> Iterator[float]:
        """The same by t = s^2, which is as small as both outer links squared: no digits are lost.

        `m^2 (P Q)^2 - 2 m P Q c^2 N + c^4 R^2 = 0` with m = L2^2, P = p^2, Q = q^2 and
        `N, R = a^4 Q +- b^4 P`. The term in t^4 cancels; the term in t^3 is never 0 for such links.
        """
        a2, b2 = self.part_1 * self.part_1, self.part_2 * self.part_2
        p0, q0 = self.length_1 * self.length_1, self.length_3 * self.length_3
        m = (self.part_1 + self.part_2) * (self.part_1 + self.part_2)
        e0, e1, e2 = p0 * q0, a2 * q0 + b2 * p0, a2 * b2  # P Q = e0 - e1 t + e2 t^2
        n0, n2 = a2 * a2 * q0 + b2 * b2 * p0, a2 * b2 * (a2 + b2)  # c^2 N, the same way
        r0, r2 = a2 * a2 * q0 - b2 * b2 * p0, a2 * b2 * (a2 - b2)  # c^2 R
        n1, r1 = n0 + n2, r0 + r2
        cube = -2.0 * m * m * e1 * e2 + 2.0 * m * (e1 * n2 + e2 * n1) - 2.0 * r1 * r2
        square = m * m * (e1 * e1 + 2.0 * e0 * e2) + r1 * r1 + 2.0 * r0 * r2
        square -= 2.0 * m * (e0 * n2 + e1 * n1 + e2 * n0)
        linear = -2.0 * m * m * e0 * e1 + 2.0 * m * (e0 * n1 + e1 * n0) - 2.0 * r0 * r1
        rest = m * m * e0 * e0 - 2.0 * m * e0 * n0 + r0 * r0
        if cube > 0.0:
            roots = cubic_roots(square / cube, linear / cube, rest / cube)
            yield from (math.sqrt(root) for root in roots if 0.0 < root < 1.0)


def _widest_sine(outer: float, part: float) -> float:
    """Sine of the widest angle that an outer link's triangle allows; above 1 if any angle works."""
    return outer / part if part > 0.0 else math.inf


def _leg(hypotenuse: float, other: float) -> float:
    return math.sqrt(max(0.0, (hypotenuse - other) * (hypotenuse + other)))


def _merged(intervals: Iterator[tuple[float, float]]) -> list[tuple[float, float]]:
    """Ascending intervals; those that touch are united."""
    found: list[tuple[float, float]] = []
    for near, far in sorted(intervals):
        if found and near <= found[-1][1] + TOLERANCE:
            found[-1] = found[-1][0], max(found[-1][1], far)
        else:
            found.append((near, far))
    return found
