# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A plan that is under way: where each joint is sent at each time, and how much is left."""

import math
from collections.abc import Iterable, Mapping
from copy import copy
from typing import NamedTuple

from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.moves.plan import Plan, State, standing, stopped
from ik_circles.robot.arm import NamedPositions

#: Places whose distances differ by less than this are equally near [rad or m]: the rest is
#: rounding.
AS_NEAR = 1e-9
#: A measurement may be this old [s]. A motion that is ahead of it by less than that is in time.
MEASURED_LATE = 0.05


class Farthest(NamedTuple):
    """The joint that is farthest from where it should be, and how far [rad or m]."""

    name: str
    away: float


def farthest(positions: NamedPositions, measured: Mapping[str, float]) -> Farthest:
    """The farthest of these joints; a joint that is not measured counts as where it should be."""
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
        The time at which the plan began.
    done : float, optional
        If the plan is a stop: the share of the motion before it that was done.
    """

    def __init__(self, plan: Plan, begin: float, done: float | None = None) -> None:
        self.plan = plan
        self._done = done
        self._begin = self._sent = begin
        self._until = begin + plan.trajectory.duration

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that the plan moves."""
        return self.plan.joints

    @property
    def path(self) -> Trajectory:
        """The trajectory that is played."""
        return self.plan.trajectory

    def gone(self, now: float) -> float:
        """Time since the plan began [s]."""
        return max(now - self._begin, 0.0)

    def delay(self, duration: float) -> None:
        """Delay the plan by a duration [s]; a negative one makes it earlier."""
        self._begin += duration
        self._until += duration

    def beside(
        self, measured: Mapping[str, float], now: float, seen: float
    ) -> tuple['Playing', State]:
        """The plan, put to the time at which one of its joints is where it was measured, at `seen`.

        That is the time at which the other joints are nearest to their measurements. Of equal
        times, it is the last one before now, because most controllers are late. The plan keeps its
        time in three cases: if no time is nearer than now, as with an arm that sags; if the arm is
        late by no more than a measurement may be old; and in the plan's first moments, which no
        measurement can show yet.

        The state says where the arm may be instead. A measurement may be old: an arm that seems to
        be late may have moved on since, and a plan that is put to where the arm was measured may be
        behind the arm. But no arm is farther than it was sent.
        """
        gone, then = self.gone(now), self.gone(seen)
        late = then - self._age(measured, then)
        if gone <= MEASURED_LATE:
            late = max(late, 0.0)
        moved, there = copy(self), gone - late
        if late > MEASURED_LATE:
            moved.delay(late)
            return moved, moved.state(now + MEASURED_LATE)
        latest = min(max(now - self._sent, there), there + MEASURED_LATE)
        moved.delay(gone - latest)
        state = moved.state(now - latest + there)
        if now - seen > MEASURED_LATE:
            return moved, state
        positions = {**state.positions, **measured_of(measured, self.joints)}
        return moved, State(positions, state.velocities)

    def goes(self, measured: Mapping[str, float], now: float, duration: float) -> float:
        """How far the path goes in a duration from where the joints were measured [rad or m].

        It is infinite if the path ends by then.
        """
        begin = self._age(measured, self.gone(now))
        there = dict(zip(self.joints, self.path.at(begin + duration)[0]))
        is_over = begin + duration >= self.path.duration
        return math.inf if is_over else farthest(there, measured).away

    def _age(self, measured: Mapping[str, float], then: float) -> float:
        """The age of the plan at which it is nearest to these measurements [s]. Of equal ages, it is
        the last one before `then`, if there is one."""
        ages = [then, 0.0, self.path.duration]  # noise may put joints beside either end
        for number, name in enumerate(self.joints):
            if name in measured:
                ages += self.path.times_at(number, measured[name])
        nearest = min(self._away(age, measured) for age in ages) + AS_NEAR
        equal = [age for age in ages if self._away(age, measured) <= nearest]
        return min(equal, key=lambda age: (age > then, abs(age - then)))

    def _away(self, age: float, measured: Mapping[str, float]) -> float:
        """The largest distance of a joint from its place at this age of the plan [rad or m]."""
        places = dict(zip(self.joints, self.plan.trajectory.at(age)[0]))
        return farthest(places, measured).away

    def state(self, now: float) -> State:
        """Where the joints are sent now, and how fast they move there."""
        found = self.plan.trajectory.at(self.gone(now))
        positions, velocities = (dict(zip(self.plan.joints, values)) for values in found)
        return State(positions, velocities)

    @property
    def end(self) -> NamedPositions:
        """Where the plan comes to rest."""
        return self.plan.end

    @property
    def turned(self) -> float:
        """How far the tool ends from the orientation that was asked for [rad]."""
        return self.plan.turned

    def time_left(self, now: float) -> float:
        """Time until the plan rests [s]; negative after that."""
        return self._until - now

    def share(self, now: float) -> float:
        """Share of its time that is over; it stays as it is while the plan is stopped."""
        if self._done is not None:
            return self._done
        duration = self.plan.trajectory.duration
        return 1.0 if duration <= 0.0 else min(self.gone(now) / duration, 1.0)

    def may_brake(self, now: float) -> bool:
        """Whether the plan still moves, and is no stop."""
        return self._done is None and self.time_left(now) > 0.0

    def braked(self, now: float, instead: State | None = None) -> 'Playing | None':
        """The plan that replaces this one if it is stopped now; None if it has to go on yet, see
        `stopped`."""
        there = instead and instead.of(self.joints)
        stop = stopped(self.plan, self.gone(now), there)
        return stop and Playing(stop, now, self.share(now))

    def standing(self, measured: Mapping[str, float], now: float) -> 'Playing':
        """The plan that replaces this one if it is stopped now, while the arm stands still."""
        state = self.state(now)
        places = {**state.positions, **measured}
        return Playing(standing(self.plan, state, places), now, self.share(now))
