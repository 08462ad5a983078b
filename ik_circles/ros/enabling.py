# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Whether the arm may move: set by the service ~/enable, shown on the latched topic ~/enabled."""

from collections.abc import Callable

from rclpy.node import Node
from std_msgs.msg import Bool
from std_srvs.srv import SetBool

from ik_circles.ros import qos
from ik_circles.ros.executor import publisher, service

ENABLED, DISABLED = 'enabled', 'disabled: questions are answered, and nothing is sent'


class Enabling:
    """Calls `on_change` with whether the arm may move, whenever somebody calls the service."""

    def __init__(self, node: Node, enabled: bool, on_change: Callable[[bool], None]) -> None:
        self._on_change, self._logger = on_change, node.get_logger()
        self._said = publisher(node, Bool, '~/enabled', qos.LATCHED)
        self._said.publish(Bool(data=enabled))
        service(node, SetBool, '~/enable', self._on_enable)

    def _on_enable(self, request: SetBool.Request) -> SetBool.Response:
        self._on_change(request.data)
        self._said.publish(Bool(data=request.data))
        message = ENABLED if request.data else DISABLED
        self._logger.info(message)
        return SetBool.Response(success=True, message=message)
