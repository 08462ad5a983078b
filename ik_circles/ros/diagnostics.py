# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""/diagnostics once a second, by a steady clock, because simulated time may stand still."""

from collections.abc import Callable

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from ik_circles.control.reporting import Summary
from ik_circles.ros.clock import steady_timer
from ik_circles.ros.executor import publisher

#: Time between two reports [s].
PERIOD = 1.0


def publish_diagnostics(node: Node, summary: Callable[[], Summary]) -> None:
    """Publish what `summary` returns, under the node's full name, which tells two arms apart."""
    name = node.get_fully_qualified_name().lstrip('/')
    diagnostics = publisher(node, DiagnosticArray, '/diagnostics')

    def publish() -> None:
        state = summary()
        status = DiagnosticStatus(
            level=bytes([state.level]),
            name=f'{name}: targets',
            message=state.message,
            hardware_id=name,
            values=[KeyValue(key=key, value=value) for key, value in state.values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = node.get_clock().now().to_msg()
        diagnostics.publish(message)

    steady_timer(node, PERIOD, publish)
