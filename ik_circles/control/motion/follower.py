# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A smooth stream of commands: goals may jump at any time, but the joints do not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ik_circles.control.motion.limits import RANGE_ROUNDING, Joints, MotionLimits
from ik_circles.control.motion.profile import Profile, profile
from ik_circles.control.motion.trajectory import Waypoint
from ik_circles.geometry import checks
from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.kinds import names_wrong_kinds

#: Joints that brake evenly come to rest at multiples of this time [s], so either together or at
#: least this far apart.
TOGETHER = 2e-3
#: Waypoints are at least this far apart [s]. If they were closer, rounding would be a large part of
#: an acceleration.
APART = 1e-5
#: A joint that is nearer to its goal than this [rad], and slower than this [rad/s], rests there.
#: What is left is rounding; to remove it could take any time.
ROUNDED, AT_REST = 1e-12, 1e-9


class Follower:
    """Follows goals within the limits of velocity and acceleration, each joint by itself.

    In each step a joint takes the fastest way to rest at its goal, see `profile`. Each step may
    have its own duration. A joint passes its goal only if it is too fast to stop before it. It
    passes a limit of its range only if it starts too fast to stop before the limit.

    Parameters
    ----------
    limits : MotionLimits
        Velocities, accelerations and ranges. They may be replaced at any time; a joint that is too
        fast for the new ones brakes.
    positions : sequence of float
        Where the joints are [rad].
    velocities : sequence of float, optional
        How fast they are [rad/s]; at rest if left out.

    Raises
    ------
    InvalidArmError, NotFiniteError
        If there is not a finite number for each joint.
    """

    @names_wrong_kinds
    def __init__(
        self,
        limits: MotionLimits,
        positions: Sequence[float],
        velocities: Sequence[float] | None = None,
    ) -> None:
        self.limits = limits
        self.positions = limits.vector('positions', positions)
        resting = (0.0,) * len(self.positions)
        self.velocities = resting if velocities is None else limits.vector('velocities', velocities)
        self._goals: Joints = ()
        self._caps: Joints = ()
        self.stop()

    @property
    def resting(self) -> bool:
        """Whether every joint is at rest on its goal, and stays there."""
        return not any(self.velocities) and self.positions == self._goals

    @property
    def time_left(self) -> float:
        """Time until all joints rest [s]; infinite if one of them turns forever."""
        return max(curve.duration for curve in self._curves())

    def goal(self, positions: Sequence[float]) -> None:
        """Go to these positions [rad] and rest there.

        Raises InvalidArmError, InvalidSettingError, NotFiniteError if they cannot be a goal.
        """
        self._goals = self.limits.inside('the goal', positions)
        self._caps, self._within = (math.inf,) * len(self._goals), 0.0

    def velocity_goal(self, velocities: Sequence[float], within: float = 0.0) -> None:
        """Go on at these velocities [rad/s], as far as the ranges go, and rest at their ends.

        If it can, a joint takes the whole time `within` [s] to change its velocity, so that a
        single cubic is the same curve.

        Raises InvalidArmError, NotFiniteError unless there is a finite number for each joint.
        """
        wanted = self.limits.vector('velocities', velocities)
        self._goals = tuple(
            self._stop(joint, within) if velocity == 0.0 else limits[velocity > 0.0]
            for joint, (velocity, limits) in enumerate(zip(wanted, self.limits.ranges))
        )
        self._caps, self._within = tuple(map(abs, wanted)), within

    def stop(self) -> None:
        """Come to rest, each joint as soon as it can."""
        self._goals = tuple(self._stop(joint) for joint in range(len(self.positions)))
        self._caps, self._within = (math.inf,) * len(self._goals), 0.0

    def step(self, duration: float) -> tuple[Joints, Joints]:
        """Move on for a duration [s]; return the new positions [rad] and velocities [rad/s].

        Raises InvalidArmError, InvalidSettingError, NotFiniteError if this is not a duration.
        """
        time = checks.at_least_zero('the duration of a step', checks.number('step', duration), 's')
        moved = [
            _moved(curve, position, velocity, goal, time)
            for curve, position, velocity, goal in zip(
                self._curves(), self.positions, self.velocities, self._goals
            )
        ]
        self.positions = self.limits.kept([position for position, _ in moved])
        self.velocities = tuple(velocity for _, velocity in moved)
        self._within = max(self._within - time, 0.0)
        return self.positions, self.velocities

    @names_wrong_kinds
    def way(self, duration: float) -> list[Waypoint]:
        """Waypoints here, at each change of an acceleration, and after a duration [s].

        The follower moves on by that duration, as with `step`. Its motion is exactly the cubics
        between the waypoints.
        """
        changes = {
            time
            for curve in self._curves()
            for time in (curve.rise, curve.rise + curve.cruise, curve.duration)
        }
        waypoints = [Waypoint(0.0, self.positions, self.velocities)]
        for time in (*sorted(time for time in changes if time < duration - APART), duration):
            if time - waypoints[-1].time > APART:
                waypoints.append(Waypoint(time, *self.step(time - waypoints[-1].time)))
        return waypoints

    def stopping_box(self) -> tuple[Limits, ...]:
        """For each joint the interval [rad] that it passes through if it is stopped now."""
        stops = [self._stop(joint) for joint in range(len(self.positions))]
        return tuple((min(pair), max(pair)) for pair in zip(self.positions, stops))

    def _stop(self, joint: int, within: float = 0.0) -> float:
        """Where a joint would rest [rad]; it may be past its range if it is too fast."""
        velocity, limits = self.velocities[joint], self.limits.ranges[joint]
        position = self.positions[joint]
        way = velocity * abs(velocity) / (2.0 * self.limits.accelerations[joint])
        least = abs(velocity) / self.limits.accelerations[joint]
        slow = position + velocity * max(within, TOGETHER * math.ceil(least / TOGETHER)) / 2.0
        if within > 0.0 and limits[0] <= slow <= limits[1]:
            return slow
        rest = position + way
        inside = nearest_in(rest, limits)
        return inside if abs(rest - inside) <= RANGE_ROUNDING else rest

    def _curves(self) -> Iterator[Profile]:
        """The way of each joint to its goal."""
        limits = self.limits
        for position, velocity, goal, cap, fastest, acceleration, (lower, upper) in zip(
            self.positions, self.velocities, self._goals, self._caps,
            limits.velocities, limits.accelerations, limits.ranges,
        ):  # fmt: skip
            way = goal - position
            if abs(way) <= ROUNDED and abs(velocity) <= AT_REST:
                yield Profile(0.0, 0.0, 0.0, 0.0)
            elif cap == 0.0 and way * velocity > 0.0:  # it brakes evenly
                yield Profile(0.0, 2.0 * way / velocity, 0.0, 0.0)
            else:
                found = profile(way, velocity, min(cap or math.inf, fastest), acceleration)
                yield _evened(found, velocity, self._within, (lower - position, upper - position))


def _evened(curve: Profile, velocity: float, within: float, room: Limits) -> Profile:
    """The same profile, but with a rise that takes all of a time; it rests at the same place.

    The cruise must have room for that, and so must the range if the joint turns back. `room` is the
    range as seen from the joint [rad].
    """
    if within <= curve.rise or curve.cruise <= 0.0:
        return curve
    if velocity * curve.peak < 0.0:
        reversal = velocity * velocity * within / (2.0 * (velocity - curve.peak))
        if not room[0] <= reversal <= room[1]:
            return curve
    # The longer rise covers more of the way, so the cruise covers as much less.
    gone = within * (velocity + curve.peak) - curve.rise * (velocity + curve.peak)
    cruise = curve.cruise - gone / (2.0 * curve.peak)
    return curve._replace(rise=within, cruise=cruise) if cruise >= 0.0 else curve


def _moved(
    curve: Profile, position: float, velocity: float, goal: float, time: float
) -> tuple[float, float]:
    """Position and velocity of a joint after a time on its way to its goal."""
    peak, rise, cruise, fall = curve
    if time < rise:
        change = (peak - velocity) * (time / rise)
        return position + time * (velocity + change / 2.0), velocity + change
    if time < rise + cruise:
        gone = rise * (velocity + peak) / 2.0 + (time - rise) * peak
        return position + gone, peak
    left = rise + cruise + fall - time
    if left > 0.0:
        slow = peak * min(left / fall, 1.0)
        return goal - left * slow / 2.0, slow
    return goal, 0.0
