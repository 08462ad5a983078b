"""/diagnostics once a second, by a steady clock, because simulated time may stand still."""

from collections.abc import Callable

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from ik_circles.control.reporting import Summary
from ik_circles.ros.executor import NO_EVENTS

#: Time between two reports [s].
PERIOD = 1.0


class Diagnostics:
    """Publishes what `summary` returns, under the node's full name, so that two arms differ."""

    def __init__(self, node: Node, summary: Callable[[], Summary]) -> None:
        self._node, self._summary = node, summary
        self._name = node.get_fully_qualified_name().lstrip('/')
        self._publisher = node.create_publisher(
            DiagnosticArray, '/diagnostics', 10, event_callbacks=NO_EVENTS
        )
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        node.create_timer(PERIOD, self._publish, clock=steady)

    def _publish(self) -> None:
        summary = self._summary()
        status = DiagnosticStatus(
            level=bytes([summary.level]),
            name=f'{self._name}: targets',
            message=summary.message,
            hardware_id=self._name,
            values=[KeyValue(key=key, value=value) for key, value in summary.values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
