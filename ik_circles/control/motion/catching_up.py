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

from ik_circles.control.motion.limits import Joints, MotionLimits
from ik_circles.control.motion.trajectory import (
    Extremes,
    Trajectory,
    Waypoint,
    cubic,
    extremes_between,
)
from ik_circles.geometry.arrays import Bools, Floats

#: Where the joints may be [rad], and how fast [rad/s]: one pair for each such state.
Instead = Sequence[tuple[Joints, Joints]]

#: A cubic from where the joints may be gets about this much farther from the way at most
#: [rad or m]: only some of its places are compared.
OFF = 5e-3
#: The first waypoint of a stop is looked for at these times of the rest of the motion, as shares of
#: its duration,
PLACES = np.linspace(0.04, 1.0, 24) ** 2
#: and at these times, as multiples of the motion's own time.
SLOWER = np.linspace(0.9, 6.0, 12)
#: A cubic is compared with the way at these shares of its time,
LOOKS = np.linspace(0.0, 0.8, 5)
#: and the way has this many places.
CURVE = 48
#: Waypoints are at least this far apart [s]: about the period of a fast controller. In a shorter
#: time the rounding of positions would make up more than 1e-8 rad/s^2 of the acceleration.
SHORTEST_PHASE = 2e-3
#: A velocity or an acceleration may be this many times its limit: that is only rounding [1].
AT_LIMIT = 1.0 + 1e-10


def times_to_rest(first: Floats, behind: Floats, speeds: Floats, strongest: Floats) -> Floats:
    """The times [s] in which each joint can brake evenly from its `first` velocity to rest.

    These times are also enough for joints that are `behind` [rad] and have their own `speeds`: in a
    time t, a cubic from there has accelerations of the form `(a t + b) / t**2` at both ends.
    """
    changes = np.abs([4.0 * speeds - 3.0 * first, 3.0 * first - 2.0 * speeds]).max(axis=0)
    return later_root(np.maximum(np.abs(first), changes), behind, strongest)


def peaks(
    first: Floats, behind: Floats, speeds: Floats, strongest: Floats, rises: Floats
) -> tuple[Floats, Floats]:
    """The lowest and the highest velocity that joints can have after each time [rad/s], even if
    they are `behind` and have their own `speeds`, in each row."""
    catch_up = 6.0 * behind / rises
    means = 4.0 * speeds - 3.0 * first - catch_up, 3.0 * first - 2.0 * speeds + catch_up
    both, change = np.concatenate(means), strongest * rises
    return np.asarray(both.max(axis=0) - change), np.asarray(both.min(axis=0) + change)


def resting(starts: Floats, limits: MotionLimits) -> Waypoint | None:
    """The soonest place and time at which joints can rest together, wherever they began.

    The accelerations at both ends of the cubic from a start are linear in where it ends. So a place
    keeps them within the limits if it is in an interval, whose ends are quadratic in the time. It
    suits all starts if that holds for each lower and each upper end: from a root of a quadratic on.
    No joint is sent past the place and back if it starts in the direction of the first start.

    Parameters
    ----------
    starts : array
        Positions and velocities, (states, 2, joints); the first are those that should count.
    limits : MotionLimits
        The velocities do not count.

    Returns
    -------
    Waypoint or None
        Of these places, the one that is the nearest to that of an even stop from the first start.
        None if a joint would pass its limit.
    """
    (begin, first), strongest = starts.swapaxes(0, 1), np.array(limits.accelerations)
    lowers, uppers = (
        np.concatenate([[6.0 * begin, by * first, 0.0 * first + most] for by in (2.0, 4.0)], axis=1)
        for most in (-strongest, strongest)
    )
    passed = np.array([6.0 * begin, 2.0 * first, 0.0 * first])
    is_onward = first * np.sign(first[0]) > 0.0
    is_onward[0] = True
    is_up, is_down = is_onward & (first[0] >= 0.0), is_onward & (first[0] <= 0.0)
    lowers = np.concatenate([lowers, np.where(is_up, passed, lowers[:, :1])], axis=1)
    uppers = np.concatenate([uppers, np.where(is_down, passed, uppers[:, :1])], axis=1)
    time = float(_from_then_on(uppers[:, :, None] - lowers[:, None]).max())
    time = max(time * AT_LIMIT, SHORTEST_PHASE)
    powers = np.array([1.0, time, time * time]) / 6.0
    least, most = (np.tensordot(powers, one, 1) for one in (lowers, uppers))
    lower, upper = np.array(limits.ranges).T
    least = np.maximum(least.max(axis=0), np.minimum(lower, begin[0]))
    most = np.minimum(most.min(axis=0), np.maximum(upper, begin[0]))
    end = np.clip(begin[0] + time * first[0] / 2.0, least, most)[None]
    found = _cubics(np.array([time]), end, np.zeros_like(end), starts)
    if (least > most).any() or not _is_inside(found, begin[:, None], limits).all():
        return None
    return Waypoint(time, tuple(end[0].tolist()), (0.0,) * len(end[0]))


def _from_then_on(terms: Floats) -> Floats:
    """The times from which on these are positive: `terms[0] + terms[1] t + terms[2] t**2` [s]."""
    constant, change, square = terms
    with np.errstate(invalid='ignore'):  # without a root, they are always positive
        root = np.sqrt(change * change - 4.0 * square * constant)
        return np.asarray(np.nan_to_num((root - change) / (2.0 * square)))


def ways_from(path: Trajectory, instead: Instead) -> list[Trajectory]:
    """A path, and how it is played from each of the states in which the joints may be instead."""
    here, *onward = path.waypoints
    starts = [here, *(Waypoint(0.0, *one) for one in instead)]
    return [Trajectory([start, *onward]) for start in starts]


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


def meeting(motion: Trajectory, starts: Floats, limits: MotionLimits) -> Meeting | None:
    """Where a stop on the way of a motion can begin, if joints may be at any of these starts.

    The cubics from all starts keep all limits and stay near the way. Of all such places, it is one
    from which the joints may rest soonest. There is none if the motion itself rests sooner.
    """
    tried = _within(motion, starts, np.array(limits.accelerations))
    moments = np.linspace(0.0, motion.duration, CURVE).tolist()
    curve = np.array([*starts[1:, 0], *(motion.at(one)[0] for one in moments)])
    rests = np.max(np.abs(tried.velocities) / limits.accelerations, axis=1) + tried.times
    near = _is_kept(tried, starts, limits) & (_off(tried, starts[:2], curve) <= OFF)
    best = int(np.argmin(np.append(np.where(near, rests, np.inf), motion.duration)))
    if best == len(rests):
        return None
    gone, pace, *waypoint = (one[best].tolist() for one in tried)
    return Meeting(gone, pace, Waypoint(waypoint[0], *map(tuple, waypoint[1:])))


def _within(motion: Trajectory, starts: Floats, strongest: Floats) -> _Tried:
    """Places, times and paces with which the cubics from all starts keep the accelerations.

    The accelerations at both ends of a cubic are linear in the pace. So the paces with which they
    are within their limits are an interval: the one in it is taken that brakes most evenly.
    """
    gone = motion.duration * PLACES
    places, velocities = (np.array(one) for one in zip(*map(motion.at, gone.tolist())))
    times = gone[:, None] * SLOWER
    length, (begin, first) = times[..., None], starts.swapaxes(0, 1)[:, :, None, None]
    with np.errstate(divide='ignore', invalid='ignore'):
        mean, speed = 6.0 * (places[:, None] - begin) / length, velocities[:, None] / length
        ends = [(mean - 4.0 * first) / length, (2.0 * first - mean) / length]
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


def _is_kept(tried: _Tried, starts: Floats, limits: MotionLimits) -> Bools:
    """Whether the cubics from all starts keep the velocities and the ranges of joints.

    A joint that starts too fast gets no faster.
    """
    begin, first = starts.swapaxes(0, 1)[:, :, None]
    found = _cubics(tried.times, tried.places, tried.velocities, starts)
    fastest = np.maximum(limits.velocities, np.abs(first)) * AT_LIMIT
    inside = (found.speeds <= fastest) & _is_inside(found, begin, limits)
    return np.asarray(inside.all(axis=(0, 2)))


def _cubics(times: Floats, places: Floats, velocities: Floats, starts: Floats) -> Extremes:
    """The extremes of the cubics from all starts, (states, N, joints)."""
    begin, first = starts.swapaxes(0, 1)[:, :, None]
    shape = np.broadcast_shapes(begin.shape, places.shape)
    ends = (np.broadcast_to(one, shape) for one in (begin, places, first, velocities))
    return extremes_between(times[:, None], *ends)


def _is_inside(found: Extremes, begin: Floats, limits: MotionLimits) -> Bools:
    """Whether joints stay inside their ranges; one that starts outside gets no farther outside."""
    lower, upper = np.array(limits.ranges).T
    return ~found.past(np.minimum(lower, begin), np.maximum(upper, begin))


def _off(tried: _Tried, starts: Floats, curve: Floats) -> Floats:
    """How much farther the cubics from all starts get from a curve than their starts are [rad]."""
    shares = LOOKS[:, None, None, None]
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
