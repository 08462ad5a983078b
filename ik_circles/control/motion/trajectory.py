# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Timed waypoints, and the curve that a joint_trajectory_controller plays from them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from ik_circles.control.motion.limits import RANGE_ROUNDING, Joints
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.kinds import names_wrong_kinds

Real = TypeVar('Real', float, Floats)

#: The largest value of `u (1 - u)**2` for u from 0 to 1.
MOST_OF_CUBIC = 4.0 / 27.0
#: A root of a cubic counts as real if its imaginary part is less: double roots are off by 1e-8.
REAL = 1e-6


class Waypoint(NamedTuple):
    """Where the joints are at a time, and how fast.

    Parameters
    ----------
    time : float
        Time from the start [s].
    positions, velocities : tuple of float
        Position [rad] and velocity [rad/s] of each joint.
    """

    time: float
    positions: Joints
    velocities: Joints


class Extremes(NamedTuple):
    """The extremes of each joint between waypoints, shape (waypoints - 1, joints).

    Attributes
    ----------
    lower, upper : array
        The smallest and the largest position [rad].
    speeds, accelerations : array
        The largest magnitudes of the velocity [rad/s] and of the acceleration [rad/s^2].
    """

    lower: Floats
    upper: Floats
    speeds: Floats
    accelerations: Floats

    def past(self, lower: Floats, upper: Floats) -> Bools:
        """Whether joints are past one of these ends by more than rounding, the same shape."""
        excess = np.maximum(lower - self.lower, self.upper - upper)
        return np.asarray(excess > RANGE_ROUNDING)


def cubic(
    start: Real, end: Real, velocity: Real, last: Real, length: Real | float, share: Real
) -> tuple[Real, Real]:
    """Position and velocity at a share, or at many shares, of the time between two waypoints.

    Rounding makes no jump at the ends: there, all other terms are multiplied by 0.
    """
    rest, way = 1.0 - share, end - start
    beside = share * rest * (rest * velocity - share * last) * length
    position = start + share * share * (3.0 - 2.0 * share) * way + beside
    inner = rest * (1.0 - 3.0 * share) * velocity + share * (3.0 * share - 2.0) * last
    return position, 6.0 * share * rest * way / length + inner


class Trajectory:
    """Waypoints, and between two of them the cubic that has their positions and velocities.

    A joint_trajectory_controller plays this curve from points with positions and velocities. Before
    the first waypoint, the arm rests at the first; after the last waypoint, it rests at the last.

    Parameters
    ----------
    waypoints : sequence of Waypoint
        One or more, of ascending times.

    Raises
    ------
    InvalidSettingError
        If there is no waypoint, times do not ascend, or waypoints differ in their count of numbers.
    """

    @names_wrong_kinds
    def __init__(self, waypoints: Sequence[Waypoint]) -> None:
        if not waypoints:
            raise InvalidSettingError('a trajectory has no waypoint; give one or more')
        self.waypoints = tuple(waypoints)
        self._times = [waypoint.time for waypoint in self.waypoints]
        if not all(one < other for one, other in pairwise(self._times)):
            raise InvalidSettingError('times of waypoints do not ascend; give ascending ones')
        counts = {len(some) for _, *both in self.waypoints for some in both}
        if len(counts) > 1:
            raise InvalidSettingError(
                f'waypoints have {min(counts)} to {max(counts)} numbers; give a position and a '
                'velocity of each joint'
            )

    @property
    def duration(self) -> float:
        """Time from the start to the last waypoint [s]."""
        return self._times[-1]

    @names_wrong_kinds
    def at(self, time: float) -> tuple[Joints, Joints]:
        """Positions [rad] and velocities [rad/s] at a time from the start [s]."""
        time = checks.number('time', time)
        if not self._times[0] <= time < self._times[-1]:
            end = self.waypoints[0 if time < self._times[0] else -1]
            resting = time != self._times[-1]
            return end.positions, (0.0,) * len(end.positions) if resting else end.velocities
        last = bisect_right(self._times, time)
        start, end = self.waypoints[last - 1], self.waypoints[last]
        length = end.time - start.time
        share = (time - start.time) / length
        found = [
            cubic(*ends, length, share)
            for ends in zip(start.positions, end.positions, start.velocities, end.velocities)
        ]
        return tuple(one for one, _ in found), tuple(one for _, one in found)

    @names_wrong_kinds
    def times_at(self, joint: int, position: float) -> list[float]:
        """All times [s] at which a joint is at a position: the roots of cubics.

        Parameters
        ----------
        joint : int
            The joint's index in the waypoints, from 0.
        position : float
            The position [rad].

        Returns
        -------
        list of float
            Times from the start. If the joint stands still at the position, only some of the times.
        """
        found = []
        lower, upper = (side[:, joint] for side in self.extremes[:2])
        for number in np.flatnonzero((lower <= position) & (position <= upper)):
            one, other = self.waypoints[number : number + 2]
            length = other.time - one.time
            start, way = one.positions[joint], other.positions[joint] - one.positions[joint]
            first, last = one.velocities[joint] * length, other.velocities[joint] * length
            cube, square = first + last - 2.0 * way, 3.0 * way - 2.0 * first - last
            roots = np.roots([cube, square, first, start - position])
            shares = roots.real[np.abs(roots.imag) < REAL]
            found += [one.time + length * float(share) for share in _inside(shares)]
        return found

    @cached_property
    def extremes(self) -> Extremes:
        """The extremes of each joint between waypoints, in closed form."""
        times = np.array(self._times)
        positions = np.array([waypoint.positions for waypoint in self.waypoints])
        velocities = np.array([waypoint.velocities for waypoint in self.waypoints])
        return extremes_of(times, positions, velocities)


def extremes_of(times: Floats, positions: Floats, velocities: Floats) -> Extremes:
    """The extremes of the cubics between waypoints: times (N,), the others (N, joints)."""
    lengths = (times[1:] - times[:-1])[:, None]
    return extremes_between(lengths, positions[:-1], positions[1:], velocities[:-1], velocities[1:])


def extremes_between(
    length: Floats, start: Floats, end: Floats, velocity: Floats, last: Floats
) -> Extremes:
    """The extremes of cubics that take some time, shape (N, 1), from starts to ends (N, joints)."""
    way, first, last = end - start, velocity * length, last * length
    square, cube = 3.0 * way - 2.0 * first - last, first + last - 2.0 * way
    bends = 2.0 * square, 2.0 * square + 6.0 * cube
    accelerations = np.maximum(*map(np.abs, bends)) / length**2
    with np.errstate(divide='ignore', invalid='ignore', over='ignore'):
        fastest = _share(-square / (3.0 * cube))
        middle = first + fastest * (2.0 * square + 3.0 * cube * fastest)
        root = np.sqrt(np.maximum(square * square - 3.0 * cube * first, 0.0))
        large = -(square + np.copysign(root, square))
        stops = [_share(first / large), _share(large / (3.0 * cube))]
    speeds = np.maximum.reduce(np.abs([first, last, middle])) / length
    places = [start, end, *(start + u * (first + u * (square + u * cube)) for u in stops)]
    lower, upper = np.minimum.reduce(places), np.maximum.reduce(places)
    return Extremes(lower, upper, speeds, accelerations)


def _inside(shares: Floats) -> Floats:
    """The shares that are inside a segment; rounding may have put them past its ends."""
    inside = np.clip(shares, 0.0, 1.0)
    return inside[np.abs(shares - inside) < REAL]


def _share(values: Floats) -> Floats:
    """Shares of a segment; a share that is outside it, or NaN, becomes that of an end."""
    return np.fmin(np.fmax(values, 0.0), 1.0)
