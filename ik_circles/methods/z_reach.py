"""The distances over which a Z exists, in closed form: one interval, or two with a gap between.

A Z is drawn by the angle c = cos(theta) at the crossing: its triangles give `u = a c +- p` with
`p^2 = S1 + a^2 c^2` and `v = b c +- q` with `q^2 = S3 + b^2 c^2` (letters as in `z_form`); the
minus signs count where the outer link is shorter than its part of the middle one. The distance
u + v is therefore a curve over c, whose ends are flat shapes and whose turning points, where
`a u q + b v p = 0` with signs, are roots of a polynomial in c^2: of a cubic, as its leading terms
cancel. The source gives L1 + L2 + L3 and, "for a typical setup", L1 - L2 + L3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from ik_circles.arm import TOLERANCE
from ik_circles.methods import inputs
from ik_circles.methods.cubic import cubic_roots
from ik_circles.methods.z_form import SIGNS, checked_z_lengths


def z_reach(lengths: Sequence[float], k: float) -> list[tuple[float, float]]:
    """Intervals `(nearest, farthest)` of distances [m] over which a Z exists, ascending.

    Parameters
    ----------
    lengths : of the three links [m], each at least 0, not all 0
    k : share of the middle link at which it crosses the line from base to target, 0 to 1

    One interval, from L1 + L3 - L2 to L1 + L2 + L3, where `L1 >= k L2` and `L3 >= (1 - k) L2`; else
    one or two of them (a single distance where the shorter outer link has no length).

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
    """
    links = checked_z_lengths(lengths)
    k = inputs.share('k', k)
    reach = sum(links)
    length_1, length_2, length_3 = (length / reach for length in links)
    curve = _Curve(length_1, k * length_2, (1.0 - k) * length_2, length_3)
    return [(reach * near, reach * far) for near, far in _merged(curve.intervals())]


class _Curve:
    """Distances over the cosine of the angle at the crossing, in units of the reach."""

    def __init__(self, length_1: float, part_1: float, part_2: float, length_3: float) -> None:
        self.part_1, self.part_2 = part_1, part_2
        self.square_1 = (length_1 - part_1) * (length_1 + part_1)
        self.square_3 = (length_3 - part_2) * (length_3 + part_2)
        self.whole = length_1 + part_1 + part_2 + length_3
        self.folded = length_1 + length_3 - part_1 - part_2

    def intervals(self) -> Iterator[tuple[float, float]]:
        """One for each part of the curve that hangs together."""
        if self.square_1 >= 0.0 and self.square_3 >= 0.0:
            yield self.folded, self.whole
            return
        least_1, least_3 = _least(self.square_1, self.part_1), _least(self.square_3, self.part_2)
        cosines = [1.0, math.sqrt(max(least_1, least_3)), *self._turning_points()]
        cosines = [c for c in cosines if c * c >= max(least_1, least_3)]
        signs_1 = SIGNS if self.square_1 <= 0.0 else SIGNS[:1]
        signs_3 = SIGNS if self.square_3 <= 0.0 else SIGNS[:1]
        if least_1 >= least_3:  # link 1 turns back: both of its signs hang together
            parts = [list(product(signs_1, (sign,))) for sign in signs_3]
        else:
            parts = [list(product((sign,), signs_3)) for sign in signs_1]
        for part in parts:
            found = [self._distance(c, *signs) for c in cosines for signs in part]
            yield min(found), max(found)

    def _distance(self, cosine: float, sign_1: float, sign_3: float) -> float:
        root_1 = math.sqrt(max(0.0, self.square_1 + (self.part_1 * cosine) ** 2))
        root_3 = math.sqrt(max(0.0, self.square_3 + (self.part_2 * cosine) ** 2))
        return (self.part_1 + self.part_2) * cosine + sign_1 * root_1 + sign_3 * root_3

    def _turning_points(self) -> Iterator[float]:
        """Cosines at which the distance may turn: `c^2 = L2^2 S1 S3 / (a b w)`, w a root."""
        a, b, square_1, square_3 = self.part_1, self.part_2, self.square_1, self.square_3
        length_2, both = a + b, square_1 * square_3
        if a == 0.0 or b == 0.0 or both == 0.0:
            return
        half = b * (length_2 + b) * square_1 + a * (length_2 + a) * square_3
        linear = half * half + 4.0 * a * b * both * (length_2 * length_2 - a * b)
        rest = 4.0 * a * b * length_2**3 * both * (b * square_1 + a * square_3)
        for root in cubic_roots(2.0 * half, linear, rest):
            if root != 0.0 and 0.0 < (square := length_2 * length_2 * both / (a * b * root)) < 1.0:
                yield math.sqrt(square)


def _least(square: float, part: float) -> float:
    """Least square of the cosine that the triangle of an outer link allows; -1 for every one."""
    if square > 0.0:
        return -1.0
    return min(1.0, -square / (part * part)) if square < 0.0 else 0.0


def _merged(intervals: Iterator[tuple[float, float]]) -> list[tuple[float, float]]:
    """Ascending, those that touch put together."""
    found: list[tuple[float, float]] = []
    for near, far in sorted(intervals):
        if found and near <= found[-1][1] + TOLERANCE:
            found[-1] = found[-1][0], max(found[-1][1], far)
        else:
            found.append((near, far))
    return found
