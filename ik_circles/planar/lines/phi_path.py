# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An orientation that changes smoothly along a line: a monotone cubic between two knots.

The cubics are those of F. N. Fritsch and R. E. Carlson, "Monotone Piecewise Cubic Interpolation",
with the slopes of F. N. Fritsch and J. Butland: between two knots the orientation never leaves the
range of theirs, and its slope has no jump.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ik_circles.geometry.arrays import Floats


class PhiPath:
    """Orientations [rad] at ascending shares; constant before the first and after the last."""

    def __init__(self, shares: Sequence[float], phis: Sequence[float]) -> None:
        self.shares, self.phis = [*shares], [*phis]
        rates = [(b - a) / (d - c) for (a, b), (c, d) in zip(pairwise(phis), pairwise(shares))]
        inner = [
            2.0 * a * b / (a + b) if a * b > 0.0 else 0.0 for a, b in pairwise(rates)
        ]
        self.slopes = [rates[0], *inner, rates[-1]]
        self._knots = np.array((self.shares, self.phis, self.slopes))
        # The derivative is a parabola; in B. Bernstein's form its coefficients bound it.
        self._bounds = [
            max(abs(a), abs(b), abs(3.0 * rate - a - b))
            for rate, (a, b) in zip(rates, pairwise(self.slopes))
        ]

        # The second derivative is a line.
        self._curls = [
            max(abs(6.0 * rate - 4.0 * a - 2.0 * b), abs(6.0 * rate - 2.0 * a - 4.0 * b)) / (d - c)
            for rate, (a, b), (c, d) in zip(rates, pairwise(self.slopes), pairwise(shares))
        ]

    @property
    def breaks(self) -> tuple[float, ...]:
        """The knots between the first and the last, at which another rule begins."""
        bounds = pairwise(self._bounds)
        return tuple(s for s, (a, b) in zip(self.shares[1:-1], bounds) if a > 0.0 or b > 0.0)

    def at(self, share: float) -> float:
        """The orientation at a share [rad]."""
        share = min(max(share, self.shares[0]), self.shares[-1])
        index = min(bisect_right(self.shares, share), len(self._bounds)) - 1
        start, end = self.shares[index : index + 2]
        phi, after = self.phis[index : index + 2]
        width = end - start
        t = (share - start) / width
        first, second = (slope * width for slope in self.slopes[index : index + 2])
        rise = after - phi
        return phi + t * (first + t * (3.0 * rise - 2.0 * first - second
                                       + t * (first + second - 2.0 * rise)))  # fmt: skip

    def many(self, shares: Floats) -> Floats:
        """The same at many shares (N,)."""
        starts, phis, slopes = self._knots
        shares = np.minimum(np.maximum(shares, starts[0]), starts[-1])
        index = np.minimum(starts.searchsorted(shares, 'right'), len(starts) - 1) - 1
        width = starts[index + 1] - starts[index]
        t, rise = (shares - starts[index]) / width, phis[index + 1] - phis[index]
        first, second = slopes[index] * width, slopes[index + 1] * width
        cubic: Floats = phis[index] + t * (
            first + t * (3.0 * rise - 2.0 * first - second + t * (first + second - 2.0 * rise))
        )
        return cubic

    def rates(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on how fast it changes between two shares (N,) [rad for all of the line]."""
        return self._most(np.array(self._bounds), start, end)

    def bends(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on its second derivative there [rad], infinite where its slope jumps: past
        the last knot."""
        found = self._most(np.array(self._curls), start, end)
        is_past = (start < self.shares[-1]) & (self.shares[-1] < end)
        return np.where(is_past | (start < self.shares[0]), np.inf, found)

    def _most(self, bounds: Floats, start: Floats, end: Floats) -> Floats:
        """The largest of the bounds between neighboring knots, for each pair of shares."""
        knots = self._knots[0][:, None]
        touches = (knots[:-1] < end) & (start < knots[1:])
        found: Floats = np.where(touches, bounds[:, None], 0.0).max(axis=0)
        return found
