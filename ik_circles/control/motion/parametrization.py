# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How fast a path may be followed: the fastest speeds, from rest to rest, on a grid of places.

A backward pass finds the largest speed at each place from which the rest of the path can still be
followed. A forward pass then goes as fast as the acceleration allows, up to that speed. (J. E.
Bobrow, S. Dubowsky and J. S. Gibson, 1985; H. Pham and Q.-C. Pham, TOPP-RA, 2018.) The acceleration
is bounded at both ends of each cubic between waypoints. In between, it is linear.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.trajectory import extremes_of
from ik_circles.geometry.arrays import Floats

#: Waypoints are at least this far apart [s], because a message gives times in whole nanoseconds.
SHORTEST = 1e-4
#: A joint has at least this share of the motion: less is rounding, and could lead to a division by
#: zero.
LEAST_SHARE = 1e-12
#: Speeds are found this many times: segments whose velocities or accelerations come out too large
#: are slowed the next time. After that, little of the excess is left.
PASSES = 2
#: A derivative is that of the polynomial through this many places of the grid.
STENCIL = 5


def tangents(lengths: Floats, positions: Floats) -> Floats:
    """Derivatives of positions (N, joints) by the length of their path (N,), of fourth order."""
    count = len(lengths)
    width = min(STENCIL, count)
    first = np.clip(np.arange(count) - width // 2, 0, count - width)
    columns = first[:, None] + np.arange(width)
    places = lengths[columns]
    own = columns == np.arange(count)[:, None]
    here = np.where(own, 1.0, lengths[:, None] - places)
    between = places[:, :, None] - places[:, None, :]
    between[:, np.arange(width), np.arange(width)] = 1.0
    others = np.prod(here, axis=1)[:, None] / here
    weights = others / np.prod(between, axis=2)  # a place's own counts for a change of 0
    found: Floats = np.einsum('nk,nkj->nj', weights, positions[columns] - positions[:, None])
    return found


def timed(
    lengths: Floats, positions: Floats, directions: Floats, limits: MotionLimits
) -> tuple[Floats, Floats]:
    """Times (N,) [s] and velocities (N, joints) [rad/s], close to the limits; the caller must
    verify them."""
    fastest, strongest = np.array(limits.velocities), np.array(limits.accelerations)
    ways = np.diff(lengths)
    sizes = np.maximum(np.abs(directions), LEAST_SHARE)
    caps = np.minimum(np.min(fastest / sizes, axis=1), _nearer(ways) / SHORTEST)
    bounds = [strongest, np.diff(positions, axis=0), directions]
    turned = sizes.max(axis=0) > LEAST_SHARE  # a joint that stands still bounds nothing
    most, change, slope = _rows(ways, *(one[..., turned] for one in bounds))
    shares = np.ones(len(ways))
    for _ in range(PASSES):
        speeds = _speeds(ways, most, change * shares[:, None], slope, caps)
        times = np.concatenate([[0.0], np.cumsum(2.0 * ways / (speeds[:-1] + speeds[1:]))])
        velocities = speeds[:, None] * directions
        found = extremes_of(times, positions, velocities)
        shares = shares / np.maximum(np.max(found.accelerations / strongest, axis=1), 1.0)
        caps = caps * _nearer(1.0 / np.maximum(np.max(found.speeds / fastest, axis=1), 1.0))
    return times, velocities


def _nearer(values: Floats) -> Floats:
    """For each place of the grid, the smaller value of the two segments beside it."""
    found: Floats = np.minimum(np.append(values, np.inf), np.insert(values, 0, np.inf))
    return found


def _speeds(steps: Floats, most: Floats, change: Floats, slope: Floats, caps: Floats) -> Floats:
    """Speeds along the path at each place of the grid, no larger than the caps there.

    `most`, `change` and `slope` bound the acceleration in each segment: see `_rows`.
    """
    double = (2.0 * steps)[:, None]
    gains, factors = double * change, 1.0 - double * slope
    bounded = factors > 0.0
    with np.errstate(divide='ignore', over='ignore'):
        # Where a row is not bounded, more speed here would leave less speed for the next place, or
        # none.
        even = np.where(bounded, np.inf, change / slope).min(axis=1)
        backward = np.where(bounded, gains / factors, np.inf), np.where(bounded, 1.0 / factors, 1.0)
    bounds = np.minimum(caps * caps, np.append(np.minimum(most, even), np.inf))
    squares = bounds.tolist()
    squares[0] = squares[-1] = 0.0
    rows = np.stack(backward, axis=2).tolist()
    for place in range(len(squares) - 2, 0, -1):
        squares[place] = _least(squares[place + 1], rows[place], squares[place])
    rows = np.stack((gains, factors), axis=2).tolist()
    for place in range(len(squares) - 2):
        reached = _least(squares[place], rows[place], squares[place + 1])
        squares[place + 1] = max(reached, 0.0)
    speeds: Floats = np.sqrt(np.array(squares))
    return speeds


def _least(square: float, rows: Sequence[tuple[float, float]], least: float) -> float:
    """The least of a value and of `gain + factor * square` of each row."""
    for gain, factor in rows:  # a loop takes half the time of `min` over a list
        reached = gain + factor * square
        if reached < least:
            least = reached
    return least


def _rows(
    steps: Floats, strongest: Floats, ways: Floats, directions: Floats
) -> tuple[Floats, Floats, Floats]:
    """For each segment, bounds on the squared speed x at its start, and on the slope a of x.

    The squared speed is linear over a segment. If the two speeds are near to each other, the
    acceleration of a joint at an end of its cubic is then `g a + c x`. The limit |g a + c x| <= A
    is written `|a + slope x| <= change`. Three arrays: the largest x (N - 1,) for which an a
    exists, then `change`, then `slope`.
    """
    step = steps[:, None]
    six, start, end = 6.0 * ways / step, directions[:-1], directions[1:]
    g = np.concatenate([six - 2.0 * start - 3.0 * end, start + 6.0 * end - six], 1)
    c = np.concatenate([six - 4.0 * start - 2.0 * end, 2.0 * start + 4.0 * end - six], 1)
    size = np.copysign(np.maximum(np.abs(g), LEAST_SHARE), g)
    change, slope = np.tile(strongest, 2) / np.abs(size), c / step / size
    apart = slope[:, None, :] - slope[:, :, None]
    together = change[:, None, :] + change[:, :, None]
    with np.errstate(divide='ignore', invalid='ignore'):
        pairs = np.where(apart > 0.0, together / apart, np.inf).min(axis=(1, 2))
    return pairs, change, slope
