# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions of an arm that may not be where it was sent, and has to catch up.

A controller that plays a path in its own time may be late, and nobody knows how late. From where it
is, it goes to the first waypoint of a newer path on a cubic. The accelerations at both ends of that
cubic are linear in the positions and velocities there. In between, the acceleration lies between
those two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ik_circles.control.motion.limits import RANGE_ROUNDING, MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint, cubic, extremes_between
from ik_circles.geometry.arrays import Bools, Floats

#: Where the joints may be [rad], and how fast [rad/s].
Instead = tuple[Sequence[float], Sequence[float]]

#: A cubic from where the joints may be may get this much farther from the way [rad or m].
OFF = 5e-3
#: Joints may also be at these shares of the time between two places.
BETWEEN = 0.25, 0.5, 0.75
#: The first waypoint of a stop is looked for at this many places on the rest of the way,
PLACES = 24
#: and at these times, as multiples of the motion's own time.
SLOWER = np.linspace(0.9, 2.4, 12)
#: A cubic is compared with the way at this many of its places.
LOOKS = 5
#: The way has this many places.
CURVE = 48
#: Cubics are compared in groups of this many.
GROUP = 32
#: The rounding of a velocity or an acceleration, as a share of its limit.
ACCELERATION_ROUNDING = 1e-10


def times_to_rest(first: Floats, behind: Floats, speeds: Floats, strongest: Floats) -> Floats:
    """The times [s] in which each joint can brake evenly from its `first` velocity to rest.

    These times are also enough for joints that are `behind` [rad] and have their own `speeds`: in a
    time t, a cubic from there has accelerations of the form `(a t + b) / t**2` at both ends.
    """
    change = np.abs([first, 4.0 * speeds - 3.0 * first, 3.0 * first - 2.0 * speeds]).max(axis=0)
    return later_root(change, behind, strongest)


def peaks(
    first: Floats, behind: Floats, speeds: Floats, strongest: Floats, rises: Floats
) -> tuple[Floats, Floats]:
    """The lowest and the highest velocity that joints can have after each time [rad/s], even if
    they are `behind` and have their own `speeds`."""
    catch_up = 6.0 * behind / rises
    means = first, 4.0 * speeds - 3.0 * first - catch_up, 3.0 * first - 2.0 * speeds + catch_up
    change = strongest * rises
    return np.maximum.reduce([*means]) - change, np.minimum.reduce([*means]) + change


class Meeting(NamedTuple):
    """A place on the way of a motion where joints are again, wherever they began.

    Attributes
    ----------
    gone : float
        The time at which the motion is there by itself [s].
    pace : float
        How fast it goes on from there, as a share of its own velocity.
    waypoint : Waypoint
        When the joints are there, and how fast.
    """

    gone: float
    pace: float
    waypoint: Waypoint


class _Tried(NamedTuple):
    """Places that are tried: attributes of `Meeting`, in arrays (N,) and (N, joints)."""

    gone: Floats
    paces: Floats
    times: Floats
    places: Floats
    velocities: Floats

    def of(self, chosen: Floats | int) -> _Tried:
        """Some of them."""
        return _Tried(*(one[chosen] for one in self))


def starts_of(motion: Trajectory, time: float, instead: Instead) -> Floats:
    """States of a motion at a time [s], `instead`, and between these: (states, 2, joints)."""
    ends = np.array([motion.at(time), instead])
    (begin, end), (first, last) = ends.swapaxes(0, 1)
    speed = (first + last) / 2.0
    later = (end - begin) @ speed / max(float(speed @ speed), np.finfo(float).tiny)
    return np.array([ends[0], *(motion.at(time + share * later) for share in BETWEEN), ends[1]])


def meeting(motion: Trajectory, starts: Floats, limits: MotionLimits) -> Meeting | None:
    """Where a stop on the way of a motion can begin, if joints may be at any of these starts.

    The cubics from all starts keep all limits and stay near the way. Of all such places, it is one
    from which the joints may rest soonest. There is none if the motion itself rests sooner.
    """
    if motion.duration <= 0.0:
        return None
    tried = _within(motion, starts, np.array(limits.accelerations))
    rests = np.max(np.abs(tried.velocities) / limits.accelerations, axis=1) + tried.times
    order = np.argsort(rests)
    order = order[rests[order] < motion.duration]
    moments = np.linspace(0.0, motion.duration, CURVE).tolist()
    curve = np.array([*starts[::-1, 0], *(motion.at(moment)[0] for moment in moments)])
    for some in (tried.of(order[first : first + GROUP]) for first in range(0, len(order), GROUP)):
        near = _is_inside(some, starts, limits) & (_off(some, starts[[0, -1]], curve) <= OFF)
        if near.any():
            gone, pace, *waypoint = (one.tolist() for one in some.of(int(np.argmax(near))))
            return Meeting(gone, pace, Waypoint(waypoint[0], *map(tuple, waypoint[1:])))
    return None


def _within(motion: Trajectory, starts: Floats, strongest: Floats) -> _Tried:
    """Places, times and paces with which the cubics from all starts keep the accelerations.

    The accelerations at both ends of a cubic are linear in the pace. So the paces with which they
    are within their limits are an interval: the one in it is taken that brakes most evenly.
    """
    gone = motion.duration * np.linspace(0.0, 1.0, PLACES + 1)[1:] ** 2
    places, velocities = (np.array(one) for one in zip(*map(motion.at, gone.tolist())))
    times = gone[:, None] * SLOWER
    length, (begin, first) = times[..., None], starts.swapaxes(0, 1)[:, :, None, None]
    mean, speed = 6.0 * (places[:, None] - begin) / length, velocities[:, None] / length
    ends = [(mean - 4.0 * first) / length, (2.0 * first - mean) / length]
    with np.errstate(divide='ignore', invalid='ignore'):
        bounds = np.array([
            [(sign * strongest - end) / change for sign in (-1.0, 1.0)]
            for end, change in zip(ends, (-2.0 * speed, 4.0 * speed))
        ])
    least = np.maximum(bounds.min(axis=1).max(axis=(0, 1, 4)), 0.0)
    most = np.minimum(bounds.max(axis=1).min(axis=(0, 1, 4)), 1.0)
    chosen = place, _ = np.nonzero(least <= most)
    evenly = 2.0 * gone[place] / times[chosen] - 1.0
    paces = np.clip(evenly, least[chosen], most[chosen])
    there = paces[:, None] * velocities[place]
    return _Tried(gone[place], paces, times[chosen], places[place], there)


def _is_inside(tried: _Tried, starts: Floats, limits: MotionLimits) -> Bools:
    """Whether the cubics from all starts keep the velocities and the ranges of joints.

    A joint that starts too fast, or outside its range, gets no faster, and no farther outside.
    """
    (lower, upper), (begin, first) = np.array(limits.ranges).T, starts.swapaxes(0, 1)[:, :, None]
    shape = np.broadcast_shapes(begin.shape, tried.places.shape)
    ends = (np.broadcast_to(one, shape) for one in (begin, tried.places, first, tried.velocities))
    found = extremes_between(tried.times[:, None], *ends)
    fastest = np.maximum(limits.velocities, np.abs(first)) * (1.0 + ACCELERATION_ROUNDING)
    inside = found.speeds <= fastest
    inside &= found.lower >= np.minimum(lower, begin) - RANGE_ROUNDING
    inside &= found.upper <= np.maximum(upper, begin) + RANGE_ROUNDING
    return np.asarray(inside.all(axis=(0, 2)))


def _off(tried: _Tried, starts: Floats, curve: Floats) -> Floats:
    """How much farther the cubics from all starts get from a curve than their starts are [rad]."""
    shares = np.linspace(0.0, 1.0, LOOKS + 1)[:-1, None, None, None]
    begin, first = starts.swapaxes(0, 1)[:, :, None]
    length = tried.times[:, None]
    points, _ = cubic(begin, tried.places, first, tried.velocities, length, shares)
    away = _away(points.reshape(-1, points.shape[-1]), curve).reshape(points.shape[:-1])
    return np.asarray((away - away[0]).max(axis=(0, 1)))


def _away(points: Floats, curve: Floats) -> Floats:
    """Distances of points from a polygon [rad]."""
    places, ways = curve[:-1], np.diff(curve, axis=0)
    lengths = np.maximum(np.sum(ways * ways, axis=1), np.finfo(float).tiny)
    along = points @ ways.T - np.sum(places * ways, axis=1)
    share = np.clip(along / lengths, 0.0, 1.0)
    squares = np.sum(points * points, axis=1)[:, None] + np.sum(places * places, axis=1)
    squares += share * (share * lengths - 2.0 * along) - 2.0 * points @ places.T
    return np.asarray(np.sqrt(np.maximum(squares.min(axis=1), 0.0)))


def later_root(change: Floats, way: Floats, strongest: Floats) -> Floats:
    """The time t with `strongest * t**2 = change * t + 6 * |way|` [s]."""
    root = np.sqrt(change * change + 24.0 * strongest * np.abs(way))
    return np.asarray((change + root) / (2.0 * strongest))
