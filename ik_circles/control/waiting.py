# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets and questions that wait a while for a transform; each new transform tries them again."""

from collections.abc import Callable
from typing import NamedTuple

#: Tries to answer; returns False if it has to wait. Called with True, it must answer: the time is
#: over.
Attempt = Callable[[bool], bool]


class _Waiter(NamedTuple):
    attempt: Attempt
    until: float


class Waiting:
    """What could not be answered yet; times are in seconds, of any clock that never stops.

    At most two targets wait: the first one and the newest one. A newer target replaces the newest
    one. If there were one place only, either a burst would lose its newest target, or a stream
    faster than the transforms would never be answered. An answer also ends the wait of all older
    targets.
    """

    def __init__(self) -> None:
        self._targets: list[_Waiter] = []
        self._questions: list[_Waiter] = []

    def __bool__(self) -> bool:
        return bool(self._targets or self._questions)

    def add_target(self, attempt: Attempt, until: float) -> None:
        """Let a target wait, until `until` at the latest."""
        self._targets[1:] = [_Waiter(attempt, until)]

    def add_question(self, attempt: Attempt, until: float) -> None:
        """Let a question wait, until `until` at the latest; no question is dropped."""
        self._questions.append(_Waiter(attempt, until))

    def drop_targets(self) -> None:
        """Drop all targets that wait: a newer one that needed no wait has been answered."""
        self._targets.clear()

    def try_again(self, now: float) -> None:
        """Try again. Call this when a transform has come, and now and then, to end long waits."""
        for place, waiter in reversed(tuple(enumerate(self._targets))):
            if waiter.attempt(now >= waiter.until):
                del self._targets[: place + 1]
                break
        self._questions = [one for one in self._questions if not one.attempt(now >= one.until)]
