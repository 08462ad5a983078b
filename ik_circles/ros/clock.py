# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The time of a node, at little cost, and timers that do not depend on it."""

import time
from collections.abc import Callable

from rclpy.clock import Clock, ClockType, JumpThreshold, TimeJump
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.timer import Timer

#: Simulated time that goes on by more than this at once was set [s]; no simulation steps so far.
JUMP = 5.0


class NodeClock:
    """The node's clock. It asks the system's clock directly, because rclpy takes much longer.

    `on_set` is called when simulated time begins, ends, or is set forward by more than JUMP.
    """

    def __init__(self, node: Node, on_set: Callable[[], None] = lambda: None) -> None:
        self._clock, self._on_set = node.get_clock(), on_set
        self._is_simulated = self._clock.ros_time_is_active
        jump = JumpThreshold(min_forward=Duration(seconds=JUMP), min_backward=None)
        self._changes = self._clock.create_jump_callback(jump, post_callback=self._on_jump)

    def _on_jump(self, _: TimeJump) -> None:
        self._is_simulated = self._clock.ros_time_is_active
        self._on_set()

    def now(self) -> int:
        """The time since the epoch [ns]."""
        return self._clock.now().nanoseconds if self._is_simulated else time.time_ns()


def steady_timer(node: Node, period: float, act: Callable[[], None]) -> Timer:
    """Call `act` every `period` [s] by a steady clock, because simulated time may stand still."""
    return node.create_timer(period, act, clock=Clock(clock_type=ClockType.STEADY_TIME))
