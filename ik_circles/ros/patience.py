# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Targets, goals and questions that wait for a transform, tried again when one comes."""

import time

from rclpy.node import Node

from ik_circles.control.waiting import Attempt, Waiting
from ik_circles.ros.clock import steady_timer

#: A target or question that has waited too long is refused at most this much later [s].
GIVE_UP_EVERY = 0.02


class Patience:
    """Runs `Waiting` by a steady clock, for `timeout` [s], the parameter transform_timeout."""

    def __init__(self, node: Node) -> None:
        self.timeout = 0.0
        self._waiting = Waiting()
        self._timer = steady_timer(node, GIVE_UP_EVERY, self._on_timer)
        self._timer.cancel()

    def target(self, attempt: Attempt, begin: float) -> None:
        """Answer a target that came at `begin` [s], now or later. An answer ends the wait of older
        ones."""
        if attempt(self.timeout == 0.0):
            self._waiting.drop_targets()
        else:
            self._waiting.add_target(attempt, begin + self.timeout)
            self._look_after()

    def question(self, attempt: Attempt) -> None:
        """Answer a question, now or later."""
        if not attempt(self.timeout == 0.0):
            self.question_waits(attempt)

    def question_waits(self, attempt: Attempt) -> None:
        """Answer a question later that could not be answered now."""
        self._waiting.add_question(attempt, time.perf_counter() + self.timeout)
        self._look_after()

    def try_again(self) -> None:
        """A transform has come: try to answer what waits."""
        if self._waiting:
            self._waiting.try_again(time.perf_counter())

    def _look_after(self) -> None:
        """Start the timer unless it runs. If it runs, newcomers do not put it off."""
        if self._timer.is_canceled():
            self._timer.reset()

    def _on_timer(self) -> None:
        """End each wait that may have been too long."""
        self.try_again()
        if not self._waiting:
            self._timer.cancel()
