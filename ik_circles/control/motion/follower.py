# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A smooth stream of commands: goals may jump at any time, the joints do not."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ik_circles.control.motion.limits import RANGE_ROUNDING, Joints, MotionLimits
from ik_circles.control.motion.profile import profile
from ik_circles.geometry import checks
from ik_circles.geometry.angles import Limits


class Follower:
    """Follows goals within the limits of velocity and acceleration, each joint by itself.

    In each step a joint takes the fastest way to rest at its goal, see `profile`. Steps may have
    any duration, each another one. A joint passes its goal only if it is too fast to stop before
    it, and a limit of its range only if it is too fast for that at the start.

    Parameters
    ----------
    limits : MotionLimits
        Velocities, accelerations and ranges. They may be exchanged at any time; a joint that is
        faster than it may be then brakes.
    positions : sequence of float
        Where the joints are [rad].
    velocities : sequence of float, optional
        How fast they are [rad/s]; at rest if left out.

    Raises
    ------
    InvalidArmError, NotFiniteError
        If there is not a finite number for each joint.
    """

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
        """Time until all joints rest [s]; infinite if one turns without end."""
        return max(
            profile(goal - position, velocity, min(cap, fastest), acceleration).duration
            for position, velocity, goal, cap, fastest, acceleration in self._states()
        )

    def goal(self, positions: Sequence[float]) -> None:
        """Go to these positions [rad] and rest there.

        Raises InvalidArmError, InvalidSettingError, NotFiniteError if they cannot be a goal.
        """
        self._goals = self.limits.inside('the goal', positions)
        self._caps = (math.inf,) * len(self._goals)

    def velocity_goal(self, velocities: Sequence[float]) -> None:
        """Go on at these velocities [rad/s], as far as the ranges go, and rest at their ends.

        Raises InvalidArmError, NotFiniteError if there is not a finite number for each joint.
        """
        wanted = self.limits.vector('velocities', velocities)
        self.stop()
        self._goals = tuple(
            stop if velocity == 0.0 else limits[velocity > 0.0]
            for velocity, stop, limits in zip(wanted, self._goals, self.limits.ranges)
        )
        self._caps = tuple(abs(velocity) or math.inf for velocity in wanted)

    def stop(self) -> None:
        """Come to rest, each joint as soon as it can."""
        self._goals = tuple(self._stop(joint) for joint in range(len(self.positions)))
        self._caps = (math.inf,) * len(self._goals)

    def step(self, duration: float) -> tuple[Joints, Joints]:
        """Move on for a duration [s]; the positions [rad] and velocities [rad/s] then.

        Raises InvalidArmError, InvalidSettingError, NotFiniteError if it is no duration.
        """
        time = checks.at_least_zero('the duration of a step', checks.number('step', duration), 's')
        moved = [_moved(*state, time) for state in self._states()]
        self.positions = tuple(
            _kept(position, limits) for (position, _), limits in zip(moved, self.limits.ranges)
        )
        self.velocities = tuple(velocity for _, velocity in moved)
        return self.positions, self.velocities

    def stopping_box(self) -> tuple[Limits, ...]:
        """For each joint the interval [rad] that it passes through if it is stopped now."""
        stops = [self._stop(joint) for joint in range(len(self.positions))]
        return tuple((min(pair), max(pair)) for pair in zip(self.positions, stops))

    def _stop(self, joint: int) -> float:
        """Where a joint would rest [rad]; it may be past its range if it is too fast."""
        velocity = self.velocities[joint]
        way = velocity * abs(velocity) / (2.0 * self.limits.accelerations[joint])
        position = self.positions[joint]
        return _kept(position + way, self.limits.ranges[joint]) if way else position

    def _states(self) -> zip[tuple[float, float, float, float, float, float]]:
        """Of each joint: position, velocity, goal, cap, velocity limit, acceleration limit."""
        limits = self.limits
        return zip(
            self.positions, self.velocities, self._goals, self._caps,
            limits.velocities, limits.accelerations,
        )  # fmt: skip


def _moved(
    position: float,
    velocity: float,
    goal: float,
    cap: float,
    fastest: float,
    acceleration: float,
    time: float,
) -> tuple[float, float]:
    """Position and velocity of a joint after a time on its way to its goal."""
    way = goal - position
    peak, rise, cruise, fall = profile(way, velocity, min(cap, fastest), acceleration)
    if time < rise:
        change = math.copysign(acceleration * time, peak - velocity)
        return position + time * (velocity + change / 2.0), velocity + change
    if time < rise + cruise:
        gone = rise * (velocity + peak) / 2.0 + (time - rise) * peak
        return position + gone, peak
    left = rise + cruise + fall - time
    if left > 0.0:
        slow = math.copysign(min(acceleration * left, abs(peak)), peak)
        return goal - left * slow / 2.0, slow
    return goal, 0.0


def _kept(position: float, limits: Limits) -> float:
    """A position that rounding has put past its range, put back into it."""
    inside = min(max(position, limits[0]), limits[1])
    return inside if abs(position - inside) <= RANGE_ROUNDING else position
