# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Send a circle of targets to ik_node, twenty a second."""

from contextlib import suppress
from math import cos, sin
from time import monotonic

import rclpy
from geometry_msgs.msg import PointStamped

rclpy.init()
node = rclpy.create_node('circle')
targets = node.create_publisher(PointStamped, 'target_point', 1)
target = PointStamped()
target.header.frame_id = 'base_link'


def send():
    angle = monotonic()  # one radian a second
    target.point.x, target.point.y = 0.55 + 0.1 * cos(angle), 0.1 * sin(angle)
    targets.publish(target)


node.create_timer(0.05, send)
with suppress(KeyboardInterrupt, rclpy.executors.ExternalShutdownException):  # Ctrl-C
    rclpy.spin(node)
