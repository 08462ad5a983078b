"""Joint states, taken together before they are needed: to wake the node for each costs far more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.callback_groups import CallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

#: So many messages are kept, the newest, and taken once in so long at least [s]: where several
#: nodes tell of different joints, nothing is lost up to 500 messages a second.
DEPTH, PERIOD = 50, 0.1


class JointStates:
    """The subscription to joint_states; `take` hands what has arrived since to `hear`."""

    def __init__(self, node: Node, hear: Callable[[JointState], None]) -> None:
        self._hear = hear
        qos = QoSProfile(depth=DEPTH, reliability=ReliabilityPolicy.BEST_EFFORT)
        self._subscription = node.create_subscription(
            JointState, 'joint_states', hear, qos, callback_group=_NeverReady()
        )
        node.create_timer(PERIOD, self.take, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def take(self) -> None:
        """As rclpy's wait_for_message does; a flood is not followed to its end."""
        subscription = self._subscription
        with subscription.handle:
            for _ in range(DEPTH):
                taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
                if taken is None:
                    return
                self._hear(taken[0])


class _NeverReady(CallbackGroup):
    """Of what an executor shall not wait for."""

    def can_execute(self, entity: Any) -> bool:
        return False

    def beginning_execution(self, entity: Any) -> bool:
        return False

    def ending_execution(self, entity: Any) -> None:
        pass
