"""Starting and stopping a node: quietly, with exit code 0 on SIGINT and SIGTERM."""

import sys
from collections.abc import Callable

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node

from ik_circles.errors import IkCirclesError


def run(make_node: Callable[[], Node]) -> int:
    """Spin the node that `make_node` returns; exit code 1 with a sentence if it cannot start."""
    try:
        rclpy.init(args=sys.argv)
        try:
            node = make_node()
        except (IkCirclesError, ParameterException) as error:
            rclpy.logging.get_logger('ik_circles').fatal(f'cannot start: {error}')
            return 1
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()
    return 0
