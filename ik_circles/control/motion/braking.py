# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A stop that stays on the way of a motion: the same curve, played ever more slowly.

A motion that keeps its limits also keeps them at every slower pace. So it can stop on its way at
any moment; at the latest, it stops where the motion itself rests.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ik_circles.control.motion.catching_up import AT_LIMIT, Instead, meeting
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.trajectory import MOST_OF_CUBIC, Trajectory, Waypoint, cubic
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.kinds import names_wrong_kinds

#: No joint gets farther from the curve than this [rad or m].
BESIDE = 5e-6
#: The time in which each joint could stop by itself is cut into this many steps.
STEPS = 32
#: Steps are at least this long unless they have to be shorter, in the time of the motion [s].
USUAL = 1e-3
#: No step is shorter than this [s]. In less time, the rounding of positions would make too large an
#: acceleration.
SHORTEST = 1e-4
#: A waypoint of the motion that is nearer than this is skipped [s].
SAME_TIME = 1e-6
#: Steps are computed in groups of at most this many: about half of a stop.
GROUP = 8
#: The last step is tried with its full length, and then with powers of this share of it.
SHORTER = 0.8
#: How many of these lengths are tried.
ENDS = 100
#: If the cubic of a step passes a limit, that step is not slowed, and all others are slowed again.
#: That happens at most this many times.
CORRECTIONS = 8
#: A cubic from 0 to 1 with slopes of at most this stays between 0 and 1 even with doubled slopes.
STEEPEST_STOP = 1.5


@names_wrong_kinds
def braked(
    trajectory: Trajectory, time: float, limits: MotionLimits, instead: Instead = ()
) -> Trajectory | None:
    """A stop that begins at a time [s] of a motion and stays on its way, as soon as limits allow.

    In each step, the pace falls as far as the limits allow for the accelerations at both ends of
    the cubic. That least pace is a root of a quadratic.

    Parameters
    ----------
    trajectory : Trajectory
        It ends at rest.
    time : float
        When the stop begins.
    limits : MotionLimits
        The limits that the motion keeps, or wider ones.
    instead : sequence of tuple, optional
        Where the joints may be instead, and how fast: see `Instead`. They then get time to catch
        up: the stop takes longer, and its first waypoint is farther on the way.

    Returns
    -------
    Trajectory or None
        The stop, from time 0 on; it ends at rest. None if joints that may be elsewhere have no
        acceleration left to catch up, or if the motion rests as soon: let it go on, and try again.
    """
    left = rest_of(trajectory, time)
    if not instead:
        return _paced(left, limits)
    found = meeting(left, np.array([trajectory.at(time), *instead]), limits)
    if found is None:
        return None
    slowed, begin = _slowed(rest_of(left, found.gone), found.pace), found.waypoint.time
    onward = [one._replace(time=one.time + begin) for one in _paced(slowed, limits).waypoints[1:]]
    return Trajectory([left.waypoints[0], found.waypoint, *onward])


def rest_of(trajectory: Trajectory, time: float) -> Trajectory:
    """What is left of a motion at a time [s]."""
    begin = Waypoint(0.0, *trajectory.at(time))
    later = [one for one in trajectory.waypoints if one.time > time + SAME_TIME]
    return Trajectory([begin, *(one._replace(time=one.time - time) for one in later)])


def _slowed(motion: Trajectory, pace: float) -> Trajectory:
    """The same motion at another pace; it stays at its start if that is 0."""
    slowed = [
        Waypoint(one.time / pace, one.positions, tuple(pace * speed for speed in one.velocities))
        for one in (motion.waypoints if pace > 0.0 else [])
    ]
    return Trajectory(slowed or motion.waypoints[:1])


class _Group(NamedTuple):
    """Steps of equal length in a cubic: where they end, and how fast the motion is there."""

    length: float
    places: Floats
    speeds: Floats


def _paced(left: Trajectory, limits: MotionLimits) -> Trajectory:
    """A stop that keeps all limits."""
    quick: set[tuple[int, int]] = set()
    for _ in range(CORRECTIONS):
        waypoints, steps = _steps(left, limits, quick)
        stop = Trajectory(waypoints)
        past = {step for step, is_past in zip(steps, _passing(stop, limits)) if is_past} - quick
        if not past:
            return stop
        quick |= past
    return left


def _steps(
    left: Trajectory, limits: MotionLimits, quick: set[tuple[int, int]]
) -> tuple[list[Waypoint], list[tuple[int, int]]]:
    """Waypoints of a stop, and for each step its group and number; steps in `quick` are not slowed.
    """
    strongest = np.array(limits.accelerations)
    here, *rest = left.waypoints
    longest = max(float(np.max(np.abs(here.velocities) / strongest)) / STEPS, USUAL)
    waypoints, steps, time, pace, count = [here], [], 0.0, 1.0, 0
    while rest and any(here.velocities):
        group, here, is_whole = _group(here, rest[0], longest)
        if is_whole:
            del rest[0]
        starts, ends = _bounds(group)
        for step in range(len(group.places) - 1):
            before, key = pace, (count, step)
            if key not in quick:
                pace = _slowest(starts[step], ends[step], group.length, pace, strongest)
            steps.append(key)
            if pace == 0.0:
                length, places = _last(group, step, before, strongest)
                time += 2.0 * length / before
                return [*waypoints, _waypoint(time, places, 0.0 * places)], steps
            time += 2.0 * group.length / (before + pace)
            waypoints.append(_waypoint(time, group.places[step + 1], pace * group.speeds[step + 1]))
        count += 1
    return waypoints, steps


def _group(here: Waypoint, next_one: Waypoint, longest: float) -> tuple[_Group, Waypoint, bool]:
    """Steps from here towards a waypoint, where they end, and whether that is the waypoint.

    The steps are short enough for their cubics to stay near the curve, whatever their paces are.
    """
    span = next_one.time - here.time
    is_whole = span <= (GROUP + 1) * longest
    end = 1.0 if is_whole else GROUP * longest / span
    count = math.ceil(end * span / longest)
    while True:
        places, speeds = _between(here, next_one, np.linspace(0.0, end, count + 1))
        length = end * span / count
        if length < 2.0 * SHORTEST or _beside(places, length * speeds) <= BESIDE:
            break
        count *= 2
    if is_whole:  # exactly
        places[-1], speeds[-1] = next_one.positions, next_one.velocities
    there = _waypoint(here.time + end * span, places[-1], speeds[-1])
    return _Group(length, places, speeds), next_one if is_whole else there, is_whole


def _between(here: Waypoint, next_one: Waypoint, shares: Floats) -> tuple[Floats, Floats]:
    """Positions and velocities between two waypoints at shares of the time."""
    start, end = np.array(here.positions), np.array(next_one.positions)
    first, last = np.array(here.velocities), np.array(next_one.velocities)
    return cubic(start, end, first, last, next_one.time - here.time, shares[:, None])


def _beside(places: Floats, slopes: Floats) -> float:
    """A bound on how far the cubics between places are from those with slopes twice as large.

    Along the way, both go from 0 to 1. They differ only across it.
    """
    ways, first, last = np.diff(places, axis=0), slopes[:-1], slopes[1:]
    squares = np.maximum(np.sum(ways * ways, axis=1), np.finfo(float).tiny)
    steep = np.stack([np.sum(one * ways, axis=1) / squares for one in (first, last)])
    even = np.clip(steep, 0.0, STEEPEST_STOP)
    start, end = (np.abs(one - u[:, None] * ways) for one, u in zip((first, last), even))
    return float(MOST_OF_CUBIC * np.max(2.0 * start + end))


def _bounds(group: _Group) -> tuple[Floats, Floats]:
    """The vectors a and b of `_slowest`, for each step."""
    first, last = group.speeds[:-1], group.speeds[1:]
    mean = 3.0 * np.diff(group.places, axis=0) / group.length
    a = np.concatenate([mean - 4.0 * first, 2.0 * first - mean], axis=1)
    b = np.concatenate([mean - 2.0 * last, 4.0 * last - mean], axis=1)
    return a, b


def _slowest(a: Floats, b: Floats, length: float, pace: float, strongest: Floats) -> float:
    """The least pace at the end of a step for which the step's cubic keeps the acceleration limits.

    With the pace p before and y after it, the accelerations at the ends of the cubic are
    `(p + y) (a p + b y) / (2 length)`. With y = p they are those of the motion times p * p.
    """
    most = 2.0 * length * np.concatenate([strongest, strongest])
    half = (a + b) * pace / 2.0
    with np.errstate(divide='ignore', invalid='ignore'):
        constant = a * pace * pace - np.stack([most, -most])
        root = np.sqrt(half * half - b * constant)
        large = -(half + np.copysign(root, half))
        tried = np.concatenate([[0.0], (large / b).ravel(), (constant / large).ravel()])
    tried = np.sort(tried[(tried >= 0.0) & (tried < pace)])[:, None]
    kept = np.abs((pace + tried) * (a * pace + b * tried)) <= most * AT_LIMIT
    first = int(np.argmax(kept.all(axis=1)))
    return float(tried[first, 0]) if kept[first].all() else pace


def _last(group: _Group, step: int, pace: float, strongest: Floats) -> tuple[float, Floats]:
    """The length of the last step, and where it ends: the shortest one tried that is long enough.
    """
    ends = zip((0.0, group.length), group.places[step:], group.speeds[step:])
    here, there = (_waypoint(*end) for end in ends)
    shares: Floats = SHORTER ** np.arange(ENDS, dtype=np.float64)
    lengths = (shares * group.length)[:, None]
    places, first = _between(here, there, shares)[0], group.speeds[step]
    mean = 3.0 * (places - group.places[step]) / lengths
    a = np.maximum(np.abs(mean - 4.0 * first), np.abs(2.0 * first - mean))
    most = 2.0 * lengths * strongest * AT_LIMIT
    kept = (a * pace * pace <= most).all(axis=1)
    kept &= lengths[:, 0] >= pace * USUAL
    best = int(np.max(np.flatnonzero(kept), initial=0))
    return float(lengths[best, 0]), places[best]


def _passing(stop: Trajectory, limits: MotionLimits) -> list[bool]:
    """Whether each step's cubic passes a range, or is faster than both the limit and the start.
    """
    lower, upper = np.array(limits.ranges).T
    fastest = np.maximum(np.array(limits.velocities), np.abs(stop.waypoints[0].velocities))
    found = stop.extremes
    past = found.past(lower, upper) | (found.speeds > fastest * AT_LIMIT)
    return [*map(bool, past.any(axis=1))]


def _waypoint(time: float, positions: Floats, velocities: Floats) -> Waypoint:
    return Waypoint(time, tuple(positions.tolist()), tuple(velocities.tolist()))
