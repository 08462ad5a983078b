# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Send a circle of targets to ik_node, twenty a second."""

from contextlib import suppress
from math import cos, sin

import rclpy
from geometry_msgs.msg import PointStamped

rclpy.init()
node, target = rclpy.create_node('circle'), PointStamped()
target.header.frame_id = 'base_link'
targets = node.create_publisher(PointStamped, 'target_point', 1)


def send():
    angle = node.get_clock().now().nanoseconds / 1e9  # one radian a second
    target.point.x, target.point.y = 0.55 + 0.1 * cos(angle), 0.1 * sin(angle)
    targets.publish(target)


node.create_timer(0.05, send)
with suppress(KeyboardInterrupt, rclpy.executors.ExternalShutdownException):  # Ctrl-C
    rclpy.spin(node)
