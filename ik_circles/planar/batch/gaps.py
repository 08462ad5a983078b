# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientations of many points: the gaps between their cuts, and which gaps are reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.circles import meeting_directions_of_many
from ik_circles.geometry.intervals import ONE_ORIENTATION, WIDTH_ROUNDING
from ik_circles.planar.batch.poses import reached, wrapped
from ik_circles.planar.orientations import Orientations


class Gaps(NamedTuple):
    """Orientations between neighboring cuts, for N points with at most K cuts.

    Attributes
    ----------
    lower, upper : (K, N) ends of the gaps [rad], NaN where a point has fewer cuts
    open : (K, N) whether the gaps are reached
    """

    lower: Floats
    upper: Floats
    open: Bools


def gaps_of(orientations: Orientations, x: Floats, y: Floats) -> Gaps:
    """The gaps of each point; see Orientations.intervals.

    No cut is examined alone: if one is reached alone, two cuts meet there, and the gap between them
    is reached.
    """
    cuts, upper, exists = _between(_cuts(orientations, x, y))
    is_open = _reached_between(orientations, x, y, (cuts + upper) / 2.0, exists)
    is_sliver = upper - cuts <= ONE_ORIENTATION  # between two that are open, as in `united`
    is_open[1:-1] |= is_sliver[1:-1] & is_open[:-2] & is_open[2:]
    return Gaps(cuts, upper, is_open)


def share_of_turn(
    orientations: Orientations, places: Sequence[tuple[Floats, Floats]]
) -> Floats:
    """Share of a full turn with which each point is reached at one of its places, (N,) each [m]."""
    lower, upper, exists = _between(np.vstack([_cuts(orientations, x, y) for x, y in places]))
    is_open: Bools = np.zeros(lower.shape, bool)
    for x, y in places:
        middles = (lower + upper) / 2.0
        is_open |= _reached_between(orientations, x, y, middles, exists & ~is_open)
    widths = np.where(is_open, upper - lower, 0.0)
    return np.asarray(np.minimum(widths.sum(axis=0) / TURN, 1.0))


def _between(cuts: Floats) -> tuple[Floats, Floats, Bools]:
    """Neighboring cuts (K, N) [rad], and whether there is a gap; without cuts, one all the way.
    """
    cuts = np.sort(cuts, axis=0)
    cuts[0] = np.where(np.isnan(cuts[0]), 0.0, cuts[0])
    exists = ~np.isnan(cuts)
    upper = np.vstack((cuts[1:], np.full((1, cuts.shape[1]), np.nan)))
    upper[exists.sum(axis=0) - 1, np.arange(cuts.shape[1])] = cuts[0] + TURN
    return cuts, upper, exists


def _reached_between(
    orientations: Orientations, x: Floats, y: Floats, middles: Floats, exists: Bools
) -> Bools:
    """Whether points (N,) are reached in the middles (K, N) of existing gaps."""
    is_open: Bools = np.zeros(middles.shape, bool)
    _, column = np.nonzero(exists)
    is_open[exists] = reached(orientations.solver, x[column], y[column], middles[exists])
    return is_open


def _cuts(orientations: Orientations, x: Floats, y: Floats) -> Floats:
    """Cuts (K, N) in (-pi, pi] [rad], NaN for no cut; see Orientations.cuts."""
    model, circles = orientations.model, orientations.circles
    length_1, length_2, length_3 = model.link_lengths
    tolerance = model.tolerance
    distance, outwards = np.hypot(x, y), np.arctan2(y, x)
    cuts: list[Floats] = []
    for length, angle in circles.rigid:
        cuts += meeting_directions_of_many(outwards + angle, distance, length, length_1, tolerance)
    for reach in circles.spans:
        cuts += meeting_directions_of_many(outwards, distance, length_3, reach, tolerance)
    for elbow_x, elbow_y in circles.elbows:
        away_x, away_y = x - elbow_x, y - elbow_y
        away, direction = np.hypot(away_x, away_y), np.arctan2(away_y, away_x)
        cuts += meeting_directions_of_many(direction, away, length_3, length_2, tolerance)
    found = wrapped(np.array(cuts or [np.full(len(x), np.nan)]))
    return np.where(found > -np.pi, found, np.abs(found))  # in the order of `united`


def open_width(gaps: Gaps) -> Floats:
    """How wide the reached gaps of each point are together (N,) [rad]."""
    return np.asarray(np.where(gaps.open, gaps.upper - gaps.lower, 0.0).sum(axis=0))


def taken_orientation(gaps: Gaps, wanted: Floats | None) -> Floats:
    """`intervals.taken_orientation` for each point (N,) [rad]; NaN where none is reached."""
    return _middle_of_widest(gaps) if wanted is None else _nearest_orientation(gaps, wanted)


def _nearest_orientation(gaps: Gaps, phi: Floats) -> Floats:
    """The reached orientation nearest to `phi` (N,) [rad]; NaN where there is none."""
    into = np.mod(phi - gaps.lower, TURN)
    width = gaps.upper - gaps.lower
    behind = np.where(gaps.open, np.maximum(into - width, 0.0), np.inf)
    ahead = np.where(gaps.open & (into > width), TURN - into, behind)
    columns = np.arange(len(phi))
    first, last = np.argmin(ahead, axis=0), np.argmin(behind, axis=0)
    least_ahead, least_behind = ahead[first, columns], behind[last, columns]
    is_ahead = least_ahead <= least_behind + WIDTH_ROUNDING
    taken = np.where(is_ahead, gaps.lower[first, columns], gaps.upper[last, columns])
    taken = np.where(least_behind == 0.0, phi, taken)
    return wrapped(np.where(np.isfinite(least_behind), taken, np.nan))


def _middle_of_widest(gaps: Gaps) -> Floats:
    """Middle of the widest run of reached gaps (N,) [rad]; NaN where there is none."""
    exists = ~np.isnan(gaps.lower)
    whole: Bools = np.asarray((gaps.open | ~exists).all(axis=0))
    start: Floats = np.zeros(len(whole))
    widest: Floats = np.full(len(whole), -np.inf)
    middle: Floats = np.full(len(whole), np.nan)
    running: Bools = np.zeros(len(whole), bool)
    for turn in (0.0, TURN):  # twice round, because a run may cross the end
        for lower, upper, is_open, there in zip(gaps.lower, gaps.upper, gaps.open, exists):
            start = np.where(is_open & ~running, lower + turn, start)
            width = upper + turn - start
            better = is_open & (width > widest + WIDTH_ROUNDING)
            widest = np.where(better, width, widest)
            middle = np.where(better, start + width / 2.0, middle)
            running = np.where(there, is_open, running)
    middle[whole] = 0.0
    return wrapped(middle)
