# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A node that only echoes: what rclpy and the middleware cost before anything is computed.

`echo.py` spins as most nodes do, by rclpy.spin; `echo.py run` as the IK node does.
"""

import sys

import rclpy
from geometry_msgs.msg import PoseStamped
from ik_circles.msg import IkStatus
from ik_circles.srv import CheckReachability
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import JointState

from ik_circles.ros.spinning import run

NAMES = ['shoulder_joint', 'elbow_joint', 'wrist_joint']


class EchoNode(Node):
    """Same name, types, topics and QoS as the IK node; it computes nothing."""

    def __init__(self):
        super().__init__('ik_node')
        self._commands = self.create_publisher(JointState, 'joint_command', 10)
        self._statuses = self.create_publisher(IkStatus, '~/status', 10)
        self.create_subscription(
            JointState, 'joint_states', lambda message: None, qos_profile_sensor_data
        )
        self.create_subscription(PoseStamped, 'target_pose', self._on_pose, QoSProfile(depth=1))
        self.create_service(
            CheckReachability, '~/check_reachability', lambda request, response: response
        )

    def _on_pose(self, message):
        position = message.pose.position
        command = JointState(
            header=message.header, name=NAMES, position=[position.x, position.y, position.z]
        )
        self._commands.publish(command)
        self._statuses.publish(IkStatus(header=message.header, command=command))


def spin():
    """As a node's main function is usually written."""
    rclpy.init(args=sys.argv)
    try:
        rclpy.spin(EchoNode())
    except (KeyboardInterrupt, ExternalShutdownException):
        rclpy.try_shutdown()


if __name__ == '__main__':
    raise SystemExit(run(EchoNode) if 'run' in sys.argv else spin())
