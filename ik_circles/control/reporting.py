# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reports about a stream of answers: warnings that do not flood, and figures for each period."""

from collections import Counter
from collections.abc import Callable, Iterable
from statistics import median
from typing import NamedTuple

from ik_circles.control.decision import Decision
from ik_circles.control.settings import NO_FLOOR, ModelParameters, MotionParameters, Settings
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm

#: The same reason is logged at most once in this time [s].
QUIET = 1.0
#: Levels of diagnostic_msgs/DiagnosticStatus.
OK, WARN, ERROR = 0, 1, 2


class Warnings:
    """Decides which answers to log: each reason once in a while, and OK once after trouble."""

    def __init__(self) -> None:
        self._said: dict[Code, float] = {}
        self._in_trouble = False

    def worth_saying(self, code: Code, now: float) -> bool:
        """Whether to log an answer with this code at `now` [s]; an OK is logged after trouble."""
        if code is Code.OK:
            recovered, self._in_trouble = self._in_trouble, False
            return recovered
        if code in self._said and now - self._said[code] < QUIET:
            return False
        self._said[code] = now
        self._in_trouble = True
        return True


def in_force(
    model: ModelParameters, settings: Settings, motion: MotionParameters, enable: str
) -> str:
    """What a node starts with, as a line of its log; `enable` is the name of that service."""
    floor = f'floor at {model.floor:.6g} m' if model.floor > NO_FLOOR else 'no floor'
    may_move = 'enabled' if motion.start_enabled else f'disabled until {enable} is called with true'
    return f'{floor}, motion {motion.motion}, commands as {settings.command_interface}, {may_move}'


class Rivals:
    """Other publishers on a topic that should have only one.

    A change counts once it has been seen twice: while a node starts or ends, it may appear without
    its name, or twice.
    """

    def __init__(self, own: str) -> None:
        self._own = own
        self._seen: list[str] = []
        self._known: list[str] = []

    def news(self, publishers: Iterable[str]) -> list[str] | None:
        """Names of the other nodes among all `publishers` if they have changed, else None."""
        others = sorted(publishers)
        if self._own in others:
            others.remove(self._own)
        steady, self._seen = others == self._seen, others
        if not steady or others == self._known:
            return None
        self._known = others
        return others


class Summary(NamedTuple):
    """State of the node, in the form of diagnostic_msgs: a level, a sentence, keys and values."""

    level: int
    message: str
    values: dict[str, str]


class Tally:
    """Counts the answers since the model was loaded, and keeps the latencies of this period."""

    def __init__(self) -> None:
        self._taken = 0
        self._nearest = 0
        self._refused: Counter[Code] = Counter()
        self._last: Decision | None = None
        self._last_reason = ''
        self._latencies: list[float] = []

    def answered(self, decision: Decision, latency: float) -> None:
        """Count an answer; `latency` [s] is the time from its callback to its publication."""
        self._last = decision
        self._latencies.append(latency)
        if decision.code is Code.OK:
            self._taken += 1
            return
        self._last_reason = decision.message
        if decision.command is None:
            self._refused[decision.code] += 1
        else:
            self._nearest += 1

    def summary(self, arm: RobotArm | None, no_model: str) -> Summary:
        """The state now, and the figures of the period that this call ends.

        If there is no arm, `no_model` says why.
        """
        values = {
            'model': '' if arm is None else arm.tree.name,
            'joints': '' if arm is None else ', '.join(arm.commanded_joints),
            'targets taken': str(self._taken),
            'nearest pose sent instead': str(self._nearest),
            'targets refused': str(self._refused.total()),
            **{f'refused {code.name}': str(self._refused[code]) for code in sorted(self._refused)},
            'last reason': self._last_reason,
            'targets in this period': str(len(self._latencies)),
            'latency median [ms]': _milliseconds(median, self._latencies),
            'latency max [ms]': _milliseconds(max, self._latencies),
        }
        self._latencies.clear()
        level, sentence = (ERROR, no_model) if arm is None else self._state()
        return Summary(level, sentence, values)

    def _state(self) -> tuple[int, str]:
        if self._last is None:
            return OK, 'no target yet'
        if self._last.code is Code.OK:
            return OK, 'the last target was taken'
        outcome = 'refused' if self._last.command is None else 'not reached'
        return WARN, f'the last target was {outcome}: {self._last.message}'


def _milliseconds(figure: Callable[[list[float]], float], seconds: list[float]) -> str:
    return f'{1000.0 * figure(seconds):.3f}' if seconds else '-'
