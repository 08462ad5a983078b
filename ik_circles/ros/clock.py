# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The time of a node, at little cost, and timers that do not depend on it."""

import time
from collections.abc import Callable

from rclpy.clock import Clock, ClockType, JumpThreshold, TimeJump
from rclpy.node import Node
from rclpy.timer import Timer


class NodeClock:
    """The node's clock. It asks the system's clock directly, because rclpy takes much longer."""

    def __init__(self, node: Node) -> None:
        self._clock = node.get_clock()
        self._is_simulated = self._clock.ros_time_is_active
        self._changes = self._clock.create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=None), post_callback=self._on_change
        )

    def _on_change(self, _: TimeJump) -> None:
        self._is_simulated = self._clock.ros_time_is_active

    def now(self) -> int:
        """The time since the epoch [ns]."""
        return self._clock.now().nanoseconds if self._is_simulated else time.time_ns()


def steady_timer(node: Node, period: float, act: Callable[[], None]) -> Timer:
    """Call `act` every `period` [s] by a steady clock, because simulated time may stand still."""
    return node.create_timer(period, act, clock=Clock(clock_type=ClockType.STEADY_TIME))
