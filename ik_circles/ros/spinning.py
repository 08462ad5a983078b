# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Starting and stopping a node: quietly, with exit code 0 on SIGINT and SIGTERM."""

import signal
import sys
from collections.abc import Callable
from typing import NoReturn

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node

from ik_circles.errors import IkCirclesError
from ik_circles.robot.text import suggested
from ik_circles.ros.executor import overrides_without_effect, spin_until_signal

SIGNALS = signal.SIGINT, signal.SIGTERM


def _interrupt_once(*_: object) -> NoReturn:
    """Under a launch file, Ctrl-C arrives twice; the second one must not disturb the shutdown."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    raise KeyboardInterrupt


def until_stopped(work: Callable[[], int]) -> int:
    """Initialize rclpy and do `work`; return its exit code, or 0 if a signal ends it."""
    for number in SIGNALS:
        signal.signal(number, _interrupt_once)
    try:
        try:
            rclpy.init(args=sys.argv)
        except Exception as error:  # rclpy has several, some of them private
            print(f'cannot start: {" ".join(str(error).split())}', file=sys.stderr)
            return 1
        try:
            return work()
        except ExternalShutdownException:
            return 0
        except Exception:
            if rclpy.ok():
                raise
            return 0  # a signal shut ROS down while something was under way
    except KeyboardInterrupt:
        return 0
    finally:
        try:
            _end()
        except KeyboardInterrupt:  # the first signal, at just this moment
            _end()


def _end() -> None:
    """Shut down undisturbed. Python restores its signal handlers before it has torn everything
    down, so signals are ignored from here on."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    rclpy.try_shutdown()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def run(make_node: Callable[[], Node]) -> int:
    """Spin the node that `make_node` returns; exit code 1, with a sentence, if it cannot start."""

    def spin() -> int:
        try:
            node = make_node()
        except (IkCirclesError, ParameterException) as error:
            rclpy.logging.get_logger('ik_circles').fatal(f'cannot start: {error}')
            return 1
        unknown = overrides_without_effect(node)
        if unknown:
            known = node.get_parameters_by_prefix('')
            node.get_logger().warning(
                f'this node has no parameter {", ".join(unknown)}: what was given has no effect; '
                f'{"".join(suggested(one, known) for one in unknown)}correct the name, or remove it'
            )
        spin_until_signal(node, SIGNALS)
        return 0

    return until_stopped(spin)
