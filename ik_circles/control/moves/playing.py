# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A plan that is under way: where each joint is sent at each time, and how much is left."""

import math
from collections.abc import Iterable, Mapping
from copy import copy
from functools import cached_property
from typing import NamedTuple

from ik_circles.control.motion.catching_up import ways_from
from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.moves.plan import Plan, State, standing, stopped
from ik_circles.robot.arm import NamedPositions

#: Places whose distances differ by less than this are equally near [rad or m]: the rest is
#: rounding.
AS_NEAR = 1e-9
#: A measurement may be this old [s]. A motion that is ahead of it by less than that is in time.
MEASURED_LATE = 0.05
#: The arm may be at these shares of the time from the first to the last place where it may be [1].
BETWEEN = 0.0, 0.25, 0.5, 0.75


class Farthest(NamedTuple):
    """The joint that is farthest from where it should be, and how far [rad or m]."""

    name: str
    away: float


def farthest(positions: NamedPositions, measured: Mapping[str, float]) -> Farthest:
    """The farthest of these joints; one that is not measured counts as being there."""
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

    @cached_property
    def ways(self) -> list[Trajectory]:
        """The trajectory, and how it is played from where the arm may have been instead."""
        return ways_from(self.path, self.plan.instead)

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

    def skip(self, duration: float, now: float) -> None:
        """Go on by a duration [s] that the clock has left out, at most to the end of the plan."""
        self._sent -= duration
        self.delay(-min(duration, max(self.time_left(now), 0.0)))

    def beside(
        self, measured: Mapping[str, float], now: float, seen: float
    ) -> tuple['Playing', tuple[State, ...]]:
        """The plan, put to the latest time at which the arm may be on its path.

        The joints were measured at `seen`: `_age` finds the place of the path where they were then,
        or a little before. Since then, the arm may have stood still, or gone on in time; but no arm
        is farther on than it was sent. In the plan's first moments, no measurement can show that it
        moves.

        The states say where the arm may be instead: at the places since then, and, if it was
        measured just now, where it was measured, because it may be beside its path.
        """
        then, sent, late = self.gone(seen), now - self._sent, now - seen + MEASURED_LATE
        ages = [self._age(way, measured, then) for way in self.ways]
        if sent <= late:
            ages = [min(age, then) for age in ages]
        away = [self._away(way, age, measured) for way, age in zip(self.ways, ages)]
        latest = [min(max(sent, there), there + late) for there in ages]
        states = [
            self._at(self.ways[number], ages[number] + share * (latest[number] - ages[number]))
            for number in sorted({0, away.index(min(away))}, reverse=True)
            for share in BETWEEN
        ]
        moved = copy(self)
        moved.delay(self.gone(now) - latest[0])
        if now - seen <= MEASURED_LATE:
            places = {**states[0].positions, **measured_of(measured, self.joints)}
            states = [states[0]._replace(positions=places), *states]
        return moved, tuple(states)

    def goes(self, measured: Mapping[str, float], now: float, duration: float) -> float:
        """How far the path goes in a duration from where the joints were measured [rad or m].

        It is infinite if the path ends by then.
        """
        begin = self._age(self.path, measured, self.gone(now))
        there = dict(zip(self.joints, self.path.at(begin + duration)[0]))
        is_over = begin + duration >= self.path.duration
        return math.inf if is_over else farthest(there, measured).away

    def _age(self, way: Trajectory, measured: Mapping[str, float], then: float) -> float:
        """The age of the plan at which it is nearest to these measurements [s].

        Of equal ages, it is the last one before `then`, if there is one.
        """
        ages = [then, 0.0, way.duration]  # noise may put joints beside either end
        for number, name in enumerate(self.joints):
            if name in measured:
                ages += way.times_at(number, measured[name])
        nearest = min(self._away(way, age, measured) for age in ages) + AS_NEAR
        equal = [age for age in ages if self._away(way, age, measured) <= nearest]
        return min(equal, key=lambda age: (age > then, abs(age - then)))

    def _away(self, way: Trajectory, age: float, measured: Mapping[str, float]) -> float:
        """The largest distance of a joint from its place at this age of the plan [rad or m]."""
        places = dict(zip(self.joints, way.at(age)[0]))
        return farthest(places, measured).away

    def state(self, now: float) -> State:
        """Where the joints are sent now, and how fast they move there."""
        return self._at(self.path, self.gone(now))

    def _at(self, way: Trajectory, age: float) -> State:
        """Where the joints are at this age of the plan [s], and how fast they move there."""
        found = way.at(age)
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

    def braked(self, now: float, instead: Iterable[State] = ()) -> 'Playing | None':
        """The plan that replaces this one if it is stopped now; None if it has to go on yet, see
        `stopped`."""
        there = [one.of(self.joints) for one in instead]
        stop = stopped(self.plan, self.gone(now), there)
        return stop and Playing(stop, now, self.share(now))

    def standing(
        self, measured: Mapping[str, float], now: float, instead: Iterable[State]
    ) -> 'Playing':
        """The plan that replaces this one if it is stopped now, while the arm stands still."""
        state = self.state(now)
        places = {**state.positions, **measured}
        stay = standing(self.plan, [state, *instead], places)
        return Playing(stay, now, self.share(now))
