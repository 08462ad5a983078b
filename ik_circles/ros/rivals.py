# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Warns when another node publishes on a topic that should have only one publisher."""

from rclpy.node import Node
from rclpy.publisher import Publisher

from ik_circles.control.reporting import Rivals
from ik_circles.ros.clock import steady_timer

#: Time between two searches for other publishers [s].
LOOK_AROUND = 1.0


def watch_for_rivals(node: Node, publisher: Publisher, harm: str) -> None:
    """Warn about other publishers by name, with the harm they do, and say when they are gone."""
    topic, rivals = publisher.topic_name, Rivals(node.get_fully_qualified_name())

    def look() -> None:
        news = rivals.news(
            f'{endpoint.node_namespace.rstrip("/")}/{endpoint.node_name}'
            for endpoint in node.get_publishers_info_by_topic(topic)
        )
        if news:
            node.get_logger().warning(f'{topic} is published by {", ".join(news)} too: {harm}')
        elif news is not None:
            node.get_logger().info(f'{topic} is published only by this node again')

    steady_timer(node, LOOK_AROUND, look)
