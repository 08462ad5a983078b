# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The timing of a given path, such as a straight line of the tip, verified on the cubics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import count, pairwise

import numpy as np

from ik_circles.control.motion.chain import Chain
from ik_circles.control.motion.limits import RANGE_ROUNDING, MotionLimits
from ik_circles.control.motion.parametrization import tangents, timed
from ik_circles.control.motion.trajectory import (
    MOST_OF_CUBIC,
    Extremes,
    Trajectory,
    Waypoint,
    extremes_of,
)
from ik_circles.control.refusals import Refusal
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.reasons import Code

Path = Callable[[float], Sequence[float]]

#: The tip may be this far from its line [m].
LINE_TOLERANCE = 1e-4
#: A piece of a path has at least this many segments, so that its speeds are near to the fastest.
FEWEST = 64
#: Segments whose directions at both ends differ by more than this are halved [rad]: a finer grid
#: lets the arm take a corner faster.
SHARP = 0.2
#: For that reason, segments are halved at most this many times.
BENDS_HALVED = 4
#: Segments whose cubics leave the path or the limits are halved at most this many times. A line
#: beside the yaw axis, or from a nearly straight elbow, needs more than 20. A path that needs more
#: than this many jumps.
SEGMENT_HALVINGS = 32
#: A piece has at most this many segments; a path that needs more is not smooth.
MOST_SEGMENTS = 4096
#: Positions closer to each other than this count as the same [rad]: the direction between them
#: would be rounding.
SAME_POSITION = 1e-7
#: A path whose ends are closer than this counts as no motion [rad]: it is nothing but rounding.
STILL = 1e-12
#: A cubic from 0 to 1 stays between 0 and 1 if its slopes at both ends are from 0 to this.
STEEPEST = 3.0


class TimedPath(Trajectory):
    """A trajectory along a path.

    Parameters
    ----------
    waypoints : sequence of Waypoint
        The same as for a Trajectory.
    shares : sequence of float
        Where on the path each waypoint is.
    """

    def __init__(self, waypoints: Sequence[Waypoint], shares: Sequence[float]) -> None:
        super().__init__(waypoints)
        self.shares = tuple(shares)

    def share(self, time: float) -> float:
        """Where on the path the arm is at a time [s]: exact at waypoints, linear between them."""
        return float(np.interp(time, [waypoint.time for waypoint in self.waypoints], self.shares))


@names_wrong_kinds
def along(
    path: Path,
    limits: MotionLimits,
    chain: Chain,
    *,
    end: float = 1.0,
    breaks: Sequence[float] = (),
    tolerance: float = LINE_TOLERANCE,
    rows: Callable[[Floats], Floats] | None = None,
) -> TimedPath:
    """Follow a path as fast as the limits allow, from rest to rest.

    All limits hold on the cubics between waypoints: velocities, accelerations, ranges, and the
    distance of the tip from the polygon of its places at waypoints, which are on the path. That
    distance is bounded in closed form, for revolute joints in a chain. Where the bound is too
    large, segments are halved.

    Parameters
    ----------
    path : callable
        Takes a share of the path, from 0 to `end`; returns joint positions [rad]. It is continuous.
    limits : MotionLimits
        What the joints may do.
    chain : Chain
        The joints up to the tip, in the order of the positions.
    end : float
        The share to go to.
    breaks : sequence of float
        Shares where the path has a corner: the arm rests there. A corner that is not given is
        rounded within the tolerance.
    tolerance : float
        The largest distance of the tip from its line [m].
    rows : callable, optional
        The same for many shares (N,) at once, if the path can do that; returns (N, joints) [rad].

    Returns
    -------
    TimedPath
        The trajectory; `share(time)` is where on the path it is.

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
        If numbers are missing, not finite, or outside their range.
    Refusal
        If the path jumps, or leaves the joint limits.
    """
    end = checks.number('end', end)
    tolerance = checks.number('tolerance', tolerance)
    if min(tolerance, end) <= 0.0:
        raise InvalidSettingError(f'tolerance is {tolerance} m, end {end}; give more than 0')
    corners = [0.0, *(one for one in sorted(breaks) if 0.0 < one < end), end]
    waypoints: list[Waypoint] = []
    shares: list[float] = []
    for first, last in pairwise(corners):
        piece = _Piece(path, first, last, limits, rows)
        begin = waypoints.pop().time if waypoints else 0.0
        del shares[len(waypoints) :]
        waypoints += piece.waypoints(begin, chain, tolerance)
        shares += piece.shares.tolist()
    return TimedPath(waypoints, shares)


class _Piece:
    """A piece of a path without corners: places on it, and where the joints are there."""

    def __init__(
        self,
        path: Path,
        first: float,
        last: float,
        limits: MotionLimits,
        rows: Callable[[Floats], Floats] | None,
    ) -> None:
        self._path, self._limits, self._rows = path, limits, rows
        # The shares at which the joints arrive at each place and leave it; they leave later if the
        # path waits.
        self.shares = self._leaving = np.linspace(first, last, FEWEST + 1)
        self._places = self._sampled(self.shares)

    def waypoints(self, begin: float, chain: Chain, tolerance: float) -> list[Waypoint]:
        """Waypoints along the piece, from rest to rest, with times from `begin` on [s]."""
        for halved in count():
            self._thin_out()
            if len(self.shares) == 1:
                times, velocities = np.zeros_like(self.shares), np.zeros_like(self._places)
                break
            ways = _ways(self._places)
            lengths = np.concatenate([[0.0], np.cumsum(ways)])
            directions = tangents(lengths, self._places)
            coarse = _deviations(ways, self._places, directions, chain) > tolerance
            if halved < BENDS_HALVED:
                bends = np.linalg.norm(np.diff(directions, axis=0), axis=1)
                coarse |= bends > SHARP
            if not coarse.any():
                times, velocities, found = _slowed(lengths, self._places, directions, self._limits)
                coarse = self._outside(found)
                if not coarse.any():
                    break
            if halved == SEGMENT_HALVINGS or len(ways) > MOST_SEGMENTS:
                worst = self.shares[1 + int(np.argmax(ways * coarse))]
                raise Refusal(
                    Code.JUMP, f'the path jumps near its share {worst:.6g}; stop before it'
                )
            self._halve(coarse)
        self.shares[-1] = self._leaving[-1]
        rows = zip((begin + times).tolist(), self._places.tolist(), velocities.tolist())
        return [Waypoint(time, tuple(at), tuple(speed)) for time, at, speed in rows]

    def _sampled(self, shares: Floats) -> Floats:
        """Joint positions on the path [rad]; Refusal if they leave the limits."""
        if self._rows is not None:
            found = self._rows(shares)
            inside: Floats = np.clip(found, *np.transpose(self._limits.ranges))
            if (np.abs(found - inside) <= RANGE_ROUNDING).all():
                return inside
        return np.array([self._inside(float(share)) for share in shares])

    def _inside(self, share: float) -> tuple[float, ...]:
        try:
            return self._limits.inside('the path', self._path(share))
        except InvalidSettingError as error:
            raise Refusal(Code.JOINT_LIMIT, f'{error} (at its share {share:.6g})') from None

    def _halve(self, coarse: Bools) -> None:
        """Add the middle of each segment that is coarse."""
        where = np.flatnonzero(coarse)
        middles = (self._leaving[where] + self.shares[where + 1]) / 2.0
        self.shares = np.insert(self.shares, where + 1, middles)
        self._leaving = np.insert(self._leaving, where + 1, middles)
        self._places = np.insert(self._places, where + 1, self._sampled(middles), axis=0)

    def _thin_out(self) -> None:
        """Merge successive places that are the same, but leave a place between the two ends."""
        places = self._places.tolist()
        kept = [0]
        for place in range(1, len(places)):
            if math.dist(places[place], places[kept[-1]]) > SAME_POSITION:
                kept.append(place)
        last = [one - 1 for one in kept[1:]] + [len(places) - 1]
        if len(kept) == 1 and math.dist(places[0], places[-1]) > STILL:
            kept, last = [0, last[0]], [0, last[0]]
        self._places[kept[-1]] = self._places[-1]  # it ends where the path ends
        self.shares, self._leaving = self.shares[kept], self._leaving[last]
        self._places = self._places[kept]
        if len(kept) == 2:
            self._places = np.insert(self._places, 1, self._places.mean(axis=0), axis=0)
            self.shares = np.insert(self.shares, 1, self.shares.mean())
            self._leaving = np.insert(self._leaving, 1, self.shares[1])

    def _outside(self, found: Extremes) -> Bools:
        """Segments whose cubics pass the limits of a joint."""
        lower, upper = np.array(self._limits.ranges).T
        return np.asarray(found.past(lower, upper).any(axis=1))


def _ways(places: Floats) -> Floats:
    """The distances from each place to the next (N - 1,) [rad]."""
    found: Floats = np.linalg.norm(np.diff(places, axis=0), axis=1)
    return found


def _slowed(
    lengths: Floats, places: Floats, directions: Floats, limits: MotionLimits
) -> tuple[Floats, Floats, Extremes]:
    """Times and velocities, slowed by as much as the cubics exceed the limits. The extremes are
    those of the cubics before they are slowed; slowing does not change their positions."""
    times, velocities = timed(lengths, places, directions, limits)
    found = extremes_of(times, places, velocities)
    factor = max(
        1.0,
        float(np.max(found.speeds / np.array(limits.velocities))),
        math.sqrt(np.max(found.accelerations / np.array(limits.accelerations))),
    )
    return factor * times, velocities / factor, found


def _deviations(ways: Floats, places: Floats, directions: Floats, chain: Chain) -> Floats:
    """A bound on how far the tip is from its chord in each segment, whatever the speeds are [m].

    A cubic is a motion `u` along its chord in joint space, plus a remainder across it: a cubic with
    zeros at both ends. Along the chord, the tip is on a curve whose second derivative is bounded.
    Where the path turns back, `u` may pass 0 and 1 by a little.
    """
    chords = np.diff(places, axis=0)
    units = chords / ways[:, None]
    beside, steepest = np.zeros(len(ways)), np.zeros(len(ways))
    for direction in (directions[:-1], directions[1:]):
        ahead = np.sum(direction * units, axis=1)
        rest = direction - ahead[:, None] * units
        beside = np.maximum(beside, 2.0 * ways * chain.moved(rest))
        steep = (ahead < 0.0) | (2.0 * ahead > STEEPEST)
        steepest = np.maximum(steepest, np.where(steep, 2.0 * np.abs(ahead), 0.0))
    past = MOST_OF_CUBIC * steepest
    bend = chain.bend(chords) * np.maximum(0.25, past * (1.0 + past)) / 2.0
    return bend + past * chain.moved(chords) + MOST_OF_CUBIC * beside
