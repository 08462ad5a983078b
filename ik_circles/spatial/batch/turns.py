# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many angles turned inside their limits, and the choice among configurations, in columns.

This is what `geometry.angles.nearest_turn` and `Whole.change` do for one angle or configuration. A
row is doubtful where rounding may decide.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN, Limits
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.planar.batch.poses import wrapped
from ik_circles.planar.ranges import NEARLY_A_TURN
from ik_circles.planar.selection import SAME_CHANGE

RowNumbers = NDArray[np.intp]

#: An angle this near to a limit, or to half a turn from the seed, is left to the code for one
#: target [rad]: it is above what that code puts on a limit, and above LOOSE.
NEXT_TO_LIMIT = 3e-8


def is_next_to(gap: Floats, room: Floats | float = 0.0) -> Bools:
    """Whether figures whose differences are given [rad or m] are so near that rounding decides, or
    as near as some room allows."""
    return np.asarray(np.abs(gap) <= NEXT_TO_LIMIT + room)


class Turned(NamedTuple):
    """N angles of a joint at the turns nearest to a seed, whether they are `inside` the limits, and
    whether rounding decides about that (N,)."""

    angle: Floats
    inside: Bools
    doubtful: Bools


def nearest_turns(angle: Floats, near: Floats, limits: Limits) -> Turned:
    """The turns of angles (..., N) inside the limits that are nearest to those of a seed (N,)."""
    lower, upper = limits
    if math.isfinite(lower) and upper - lower <= NEARLY_A_TURN:
        turned = angle - TURN * np.rint((angle - (lower + upper) / 2.0) / TURN)
        beside = np.minimum(np.abs(turned - lower), np.abs(turned - upper))
        return Turned(turned, (turned >= lower) & (turned <= upper), is_next_to(beside))
    turned = angle - TURN * np.rint((angle - near) / TURN)
    doubtful = is_next_to(np.abs(turned - near) - math.pi)
    least, most = near.min(initial=math.inf), near.max(initial=-math.inf)
    if lower < least - math.pi and most + math.pi < upper:  # it stays clear of limits
        return Turned(turned, np.ones(turned.shape, bool), doubtful)
    for end in limits:
        doubtful |= is_next_to(wrapped(angle - end))
    turned -= TURN * np.ceil(np.maximum(turned - upper, 0.0) / TURN)
    turned += TURN * np.ceil(np.maximum(lower - turned, 0.0) / TURN)
    return Turned(turned, (turned >= lower) & (turned <= upper), doubtful)


class Solved(NamedTuple):
    """Angles of the chosen configurations (N, joints) [rad], NaN where there is none; `doubtful`
    rows (N,) are left to the code for one target."""

    angles: Floats
    doubtful: Bools


def excess_of(angle: Floats, limits: Limits) -> Floats:
    """How far the nearest turns of angles are past a limit, negative inside [rad]."""
    lower, upper = limits
    if math.isinf(lower):
        return np.full(angle.shape, -np.inf)
    return np.abs(wrapped(angle - (lower + upper) / 2.0)) - (upper - lower) / 2.0


class BestSoFar:
    """The best of the configurations (joints, N) shown to it so far: `angles`, NaN where none was.

    It is the one with the smallest largest change from a seed (joints, N), then with the smallest
    sum. `doubtful` are the rows in which rounding decides.
    """

    def __init__(self, near: Floats) -> None:
        count = near.shape[1]
        self.angles = np.full(near.shape, np.nan)
        self.doubtful = np.zeros(count, bool)
        self.near = near
        self._largest, self._total = np.full((2, count), np.inf)

    @property
    def solved(self) -> Solved:
        """The choice."""
        return Solved(self.angles.T, self.doubtful)

    def show(self, rows: RowNumbers, angles: Floats, extra: Floats | float = 0.0) -> None:
        """Consider configurations (joints, M) in some rows (M,); `extra` is added to their largest
        change."""
        change = np.abs(angles - self.near[:, rows])
        largest, total = change.max(axis=0) + extra, change.sum(axis=0)
        with np.errstate(invalid='ignore'):
            more = largest - self._largest[rows]
        better = more < -SAME_CHANGE
        tied = np.flatnonzero(np.abs(more) <= SAME_CHANGE)
        if len(tied):
            better[tied] |= total[tied] < self._total[rows[tied]] - SAME_CHANGE
        taken = rows[better]
        self.angles[:, taken] = angles[:, better]
        self._largest[taken], self._total[taken] = largest[better], total[better]
