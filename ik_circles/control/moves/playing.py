# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A plan that is under way: where each joint is sent at a time, and how much is left."""

from ik_circles.control.moves.plan import Plan, State, stopped
from ik_circles.robot.arm import NamedPositions


class Playing:
    """A plan that has begun; all times are of one clock [s].

    Parameters
    ----------
    plan : Plan
        The motion.
    begin : float
        The time at which it has begun.
    """

    def __init__(self, plan: Plan, begin: float) -> None:
        self.plan = plan
        self._begin = begin
        self._until = begin + plan.trajectory.duration

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it moves."""
        return self.plan.joints

    def gone(self, now: float) -> float:
        """Time since it has begun [s]."""
        return max(now - self._begin, 0.0)

    def delay(self, duration: float) -> None:
        """Be later by a duration [s], or earlier if that is negative."""
        self._begin += duration
        self._until += duration

    def state(self, now: float) -> State:
        """Where the joints are sent now, and how fast they move there."""
        found = self.plan.trajectory.at(self.gone(now))
        positions, velocities = (dict(zip(self.plan.joints, values)) for values in found)
        return State(positions, velocities)

    @property
    def end(self) -> NamedPositions:
        """Where it rests in the end."""
        return self.plan.end

    def time_left(self, now: float) -> float:
        """Time until it rests [s]; negative after it."""
        return self._until - now

    def share(self, now: float) -> float:
        """Share of its time that is over."""
        duration = self.plan.trajectory.duration
        return 1.0 if duration <= 0.0 else min(self.gone(now) / duration, 1.0)

    def braked(self, now: float) -> 'Playing':
        """What it becomes if it is stopped now; see `stopped`."""
        return Playing(stopped(self.plan, self.gone(now)), now)
