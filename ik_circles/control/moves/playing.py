# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A plan that is under way: where each joint is sent at which time, and how much is left."""

from collections.abc import Iterable, Mapping
from copy import copy
from typing import NamedTuple

from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.moves.plan import Plan, State, standing, stopped
from ik_circles.robot.arm import NamedPositions

#: A place that is nearer by less than this is equally near [rad or m]: that is rounding.
AS_NEAR = 1e-9
#: What is measured may be as old as this [s]: a motion that is ahead of it by less is in time.
MEASURED_LATE = 0.05


class Farthest(NamedTuple):
    """The joint that is farthest from where it should be, and how far [rad or m]."""

    name: str
    away: float


def farthest(positions: NamedPositions, measured: Mapping[str, float]) -> Farthest:
    """Of these joints; one that is not measured is where it should be."""
    away = [Farthest(name, abs(measured.get(name, at) - at)) for name, at in positions.items()]
    return max(away, key=lambda one: one.away, default=Farthest('', 0.0))


def measured_of(measured: Mapping[str, float], joints: Iterable[str]) -> NamedPositions:
    """Where these joints are measured; joints that are not measured are left out."""
    return {name: measured[name] for name in joints if name in measured}


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

    @property
    def path(self) -> Trajectory:
        """What is played."""
        return self.plan.trajectory

    def gone(self, now: float) -> float:
        """Time since it has begun [s]."""
        return max(now - self._begin, 0.0)

    def delay(self, duration: float) -> None:
        """Be later by a duration [s], or earlier if that is negative."""
        self._begin += duration
        self._until += duration

    def beside(self, measured: Mapping[str, float], now: float) -> tuple['Playing', State]:
        """The same where the arm is measured: at a time when one of the joints is there.

        The state says where the arm may be instead. What is measured may be old. So an arm that
        seems to be late may not be where it was measured, and a plan that is put to where the arm
        was measured may be behind it.

        The time is the one at which the other joints are nearest; among equal ones it is the last
        one before now, because most controllers are late. The plan stays as it is if no time is
        nearer than now, as with an arm that sags; if it is later by no more than measurements may
        be; and in its first moments, about which nothing has been measured yet.
        """
        gone, times = self.gone(now), self.plan.trajectory.times_at
        ages = [gone]
        for number, name in enumerate(self.joints):
            if name in measured:
                ages += times(number, measured[name])
        nearest = min(self._away(age, measured) for age in ages) + AS_NEAR
        equal = [age for age in ages if self._away(age, measured) <= nearest]
        late = gone - min(equal, key=lambda age: (age > gone, abs(age - gone)))
        if gone <= MEASURED_LATE:
            late = max(late, 0.0)
        moved = copy(self)
        if late > MEASURED_LATE:
            moved.delay(late)
            return moved, moved.state(now + MEASURED_LATE)
        if late < 0.0:
            moved.delay(late)
        there, seen = moved.state(now - max(late, 0.0)), measured_of(measured, self.joints)
        return moved, State({**there.positions, **seen}, there.velocities)

    def _away(self, age: float, measured: Mapping[str, float]) -> float:
        """How far the joint that is farthest away is from its place at this age [rad or m]."""
        places = dict(zip(self.joints, self.plan.trajectory.at(age)[0]))
        return farthest(places, measured).away

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

    def braked(self, now: float, instead: State | None = None) -> 'Playing':
        """What it becomes if it is stopped now; see `stopped`."""
        there = instead and instead.of(self.joints)
        return Playing(stopped(self.plan, self.gone(now), there), now)

    def standing(self, measured: Mapping[str, float], now: float) -> 'Playing':
        """What it becomes if it is stopped now, and the arm stands still already."""
        return Playing(standing(self.plan, {**self.state(now).positions, **measured}), now)
