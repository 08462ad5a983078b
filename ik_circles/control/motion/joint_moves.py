# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motion in joint space: all joints together to a goal, or each joint to rest as soon as it can."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ik_circles.control.motion.catching_up import (
    SHORTEST_PHASE,
    Instead,
    peaks,
    resting,
    times_to_rest,
)
from ik_circles.control.motion.follower import APART
from ik_circles.control.motion.limits import RANGE_ROUNDING, MotionLimits
from ik_circles.control.motion.profile import profile
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.refusals import Refusal
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.reasons import Code

#: A share of the acceleration that is left unused, so that rounding does not exceed the limit.
RESERVE = 1e-6
#: The times that are tried for the change from the start's velocities to those of the way: shares
#: of the range from the shortest to the longest.
RISES = np.linspace(0.0, 1.0, 33)
#: Why joints that may be elsewhere cannot stop.
NO_ROOM = (
    'the arm may be behind its path, and has no room to catch up before a joint limit; it goes on '
    'until there is; send the goal again'
)


@names_wrong_kinds
def joint_move(
    start: Sequence[float],
    velocities: Sequence[float],
    goal: Sequence[float],
    limits: MotionLimits,
    instead: Instead = (),
) -> Trajectory:
    """A motion to rest at a goal, all joints together; the joints may be moving at the start.

    Velocities change evenly to those of the way, stay, and change evenly to 0. From rest, that is
    the fastest motion along the straight line in joint space, to within a few ms.

    The limits may not allow that if joints are moving: one joint may need all of its acceleration
    to stop before its limit. Then the joints come to rest first.

    Parameters
    ----------
    start, goal : sequence of float
        Positions [rad], inside the limits.
    velocities : sequence of float
        Velocities at the start [rad/s].
    limits : MotionLimits
        A joint that is faster than its velocity limit brakes to it.
    instead : sequence of tuple, optional
        Where the joints may be instead of the start, and how fast: see `Instead`.

    Returns
    -------
    Trajectory
        It ends at rest.

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
        If numbers are missing, not finite, or outside their range.
    Refusal
        If a joint cannot stop before its limit.
    """
    begin = np.array(limits.inside('the start', start))
    first = np.array(limits.vector('velocities', velocities))
    end = np.array(limits.inside('the goal', goal))
    move = _together(begin, first, end, limits, instead)
    if _past(move, limits) is None:
        return move
    stop = stop_from(start, velocities, limits, instead)
    if stop is None:
        raise Refusal(Code.JOINT_LIMIT, NO_ROOM)
    if problem := _past(stop, limits):
        raise Refusal(Code.JOINT_LIMIT, problem)
    rest = np.array(stop.waypoints[-1].positions)
    onward = _together(rest, np.zeros_like(first), end, limits).waypoints[1:]
    later = [one._replace(time=one.time + stop.duration) for one in onward]
    return Trajectory([*stop.waypoints, *later])


@names_wrong_kinds
def to_rest(
    positions: Sequence[float],
    velocities: Sequence[float],
    limits: MotionLimits,
) -> Trajectory:
    """Brake each joint at its acceleration limit: each rests as soon and as near as it can.

    A joint that cannot stop before its limit passes the limit: there is no better way to stop.

    Parameters
    ----------
    positions, velocities : sequence of float
        Positions [rad] and velocities [rad/s] at the start.
    limits : MotionLimits
        The velocities do not count.

    Returns
    -------
    Trajectory
        It ends at rest. Joints that would rest within 2 ms of each other rest together, if their
        ranges have room for that.

    Raises
    ------
    InvalidArmError, NotFiniteError
        If there is not a finite number for each joint.
    """
    start = np.array(limits.vector('positions', positions))
    first = np.array(limits.vector('velocities', velocities))
    ends = np.abs(first) / np.array(limits.accelerations)
    lower, upper = np.array(limits.ranges).T
    room = np.where(first < 0.0, start - lower, upper - start)
    endless = np.full_like(first, np.inf)
    most = np.divide(2.0 * room, np.abs(first), out=endless, where=first != 0.0)
    times = _spread(ends, np.maximum(ends, most))
    ends = np.array([min(time for time in times if time >= end) for end in ends])
    braking = np.divide(first, ends, out=np.zeros_like(first), where=ends > 0.0)
    waypoints = []
    for time in times:
        gone = np.minimum(time, ends)
        place = start + gone * (first - braking * gone / 2.0)
        speed = np.where(gone < ends, first - braking * gone, 0.0)
        waypoints.append(_waypoint(time, place, speed))
    return Trajectory(waypoints)


def stop_from(
    positions: Sequence[float],
    velocities: Sequence[float],
    limits: MotionLimits,
    instead: Instead,
) -> Trajectory | None:
    """A stop of joints that may be elsewhere: all rest together, as soon as they can from anywhere.

    None if a joint would pass its limit. If joints can be nowhere else, see `to_rest`.
    """
    if not instead:
        return to_rest(positions, velocities, limits)
    start = Waypoint(0.0, tuple(positions), tuple(velocities))
    rest = resting(np.array([start[1:], *instead]), limits)
    return rest and Trajectory([start, rest])


def _spread(ends: Floats, latest: Floats) -> list[float]:
    """0 and these times, ascending; of times that are too near to each other, the last is kept,
    unless a joint has to rest before it: `latest`."""
    times: list[float] = []
    for end, last in sorted(zip(ends.tolist(), latest.tolist()), reverse=True):
        late = min(max(end, SHORTEST_PHASE), max(last, APART))
        is_near = bool(times) and times[0] - late < SHORTEST_PHASE
        if end > 0.0 and not (is_near and (times[0] <= last or times[0] - late < APART)):
            times.insert(0, late)
    return [0.0, *times]


def _together(
    start: Floats,
    first: Floats,
    goal: Floats,
    limits: MotionLimits,
    instead: Instead = (),
) -> Trajectory:
    """Three phases, the same for all joints. It does not check whether joints pass their limits."""
    way = goal - start
    at, speeds = np.array([(start, first), *instead]).swapaxes(0, 1)
    rise, mean, fall = _phases(way, first, start - at, speeds, limits)
    peak = (way - first * rise / 2.0) / mean
    cruise = mean - (rise + fall) / 2.0
    return Trajectory([
        _waypoint(0.0, start, first),
        _waypoint(rise, start + rise * (first + peak) / 2.0, peak),
        _waypoint(rise + cruise, goal - fall * peak / 2.0, peak),
        _waypoint(rise + cruise + fall, goal, np.zeros_like(goal)),
    ])


def _phases(
    way: Floats, first: Floats, behind: Floats, speeds: Floats, limits: MotionLimits
) -> tuple[float, float, float]:
    """Three times [s]: the first phase, the second plus half of both others, and the third.

    For each time of the first phase, the fastest times of the other two are known in closed form. A
    fixed number of times is tried for the first phase, and the best one is taken. Among the tried
    ones are the time that is best from rest, and the fastest time of each joint by itself. The
    first phase leaves time for joints that have to catch up: they are `behind`, and have their own
    `speeds`, in each row.
    """
    fastest = np.array(limits.velocities)
    strongest = np.array(limits.accelerations) * (1.0 - RESERVE)
    brake = float(times_to_rest(first, behind, speeds, strongest).max())
    size = np.abs(way)
    slow, square = float((size / fastest).max()), float((size / strongest).max())
    straight = square / max(slow, math.sqrt(square), SHORTEST_PHASE)
    alone = [
        profile(*joint).rise
        for joint in zip(way.tolist(), first.tolist(), limits.velocities, limits.accelerations)
    ]
    known = np.maximum([brake, straight, *alone], SHORTEST_PHASE)
    # The last one, twice the largest, always works.
    between = known.min() + RISES * (2.0 * known.max() - known.min())
    rises = np.concatenate([known, between])[:, None]
    missing = way - first * rises / 2.0
    # The mean time is limited by the velocity, by the rise from below and above, and by the fall.
    sign = np.copysign(1.0, missing)
    size = np.abs(missing)
    behind, speeds = (sign * one[:, None] for one in (behind, speeds))
    lowest, highest = peaks(sign * first, behind, speeds, strongest, rises)
    with np.errstate(divide='ignore', invalid='ignore'):
        turning = np.where(size > 0.0, size / highest, 0.0)
        least = np.maximum(size / fastest, turning).max(axis=1)
        most = np.where(lowest > 0.0, size / lowest, np.inf)
    least = np.where((highest < np.maximum(lowest, 0.0)).any(axis=1), np.inf, least)
    rise, braked = rises[:, 0], (size / strongest).max(axis=1)
    cycle = rise / 4.0 + SHORTEST_PHASE / 2.0
    least = np.maximum.reduce([
        least,
        cycle + np.sqrt(cycle * cycle + braked / 2.0),
        (rise + 3.0 * SHORTEST_PHASE) / 2.0,
    ])
    fall = np.maximum(braked / least, SHORTEST_PHASE)
    total = np.where(least <= most.min(axis=1), rise / 2.0 + least + fall / 2.0, np.inf)
    best = int(total.argmin())
    return float(rise[best]), float(least[best]), float(fall[best])


def _past(move: Trajectory, limits: MotionLimits) -> str | None:
    """A sentence about a joint that passes its limit; None if no joint does."""
    if move.duration == 0.0:
        return None
    lower, upper = move.extremes.lower.min(axis=0), move.extremes.upper.max(axis=0)
    for joint, (low, high) in enumerate(limits.ranges):
        for excess, limit in ((low - lower[joint], low), (upper[joint] - high, high)):
            if excess > RANGE_ROUNDING:
                velocity = move.waypoints[0].velocities[joint]
                return (
                    f'{limits.names[joint]} moves at {velocity:.3g} rad/s and would pass its limit '
                    f'of {limit:.4g} rad by {excess:.4f} rad before it stops; go slower near limits'
                )
    return None


def _waypoint(time: float, positions: Floats, velocities: Floats) -> Waypoint:
    return Waypoint(time, tuple(positions.tolist()), tuple(velocities.tolist()))
