"""Starting and stopping: quietly, with exit code 0 on SIGINT and SIGTERM."""

import signal
import socket
import sys
from collections.abc import Callable
from threading import Thread
from typing import NoReturn

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.task import Future

from ik_circles.errors import IkCirclesError

try:
    # The other one makes its list of all there is to wait for, in Python, before each message:
    # docs/conventions.md, "Executor".
    from rclpy.experimental.events_executor import EventsExecutor as Executor
except ImportError:  # before Jazzy
    from rclpy.executors import SingleThreadedExecutor as Executor

SIGNALS = signal.SIGINT, signal.SIGTERM
#: The events executor never sleeps without a deadline where it was built for an old C library [s].
DEADLINE = 3600.0


def _interrupt_once(*_: object) -> NoReturn:
    """Under a launch file, Ctrl-C arrives twice: the second must not disturb the end."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    raise KeyboardInterrupt


def until_stopped(work: Callable[[], int]) -> int:
    """Exit code of `work`, which is done with rclpy up; 0 if a signal ends it."""
    for number in SIGNALS:
        signal.signal(number, _interrupt_once)
    try:
        try:
            rclpy.init(args=sys.argv)
        except Exception as error:  # rclpy has several, of which some are private
            print(f'cannot start: {" ".join(str(error).split())}', file=sys.stderr)
            return 1
        try:
            return work()
        except ExternalShutdownException:
            return 0
        except Exception:
            if rclpy.ok():
                raise
            return 0  # a signal has shut ROS down in the middle of something
    except KeyboardInterrupt:
        return 0
    finally:
        try:
            _end()
        except KeyboardInterrupt:  # a first signal in just this moment
            _end()


def _end() -> None:
    """Undisturbed: Python gives its handlers back before all is torn down, so ignore for good."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    rclpy.try_shutdown()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def run(make_node: Callable[[], Node]) -> int:
    """Spin the node that `make_node` returns; exit code 1 with a sentence if it cannot start."""

    def spin() -> int:
        try:
            node = make_node()
        except (IkCirclesError, ParameterException) as error:
            rclpy.logging.get_logger('ik_circles').fatal(f'cannot start: {error}')
            return 1
        _spin(node)
        return 0

    return until_stopped(spin)


def _spin(node: Node) -> None:
    """Until a signal comes, and then to the end of the callback that is at work."""
    told, signalled = socket.socketpair()
    signalled.setblocking(False)
    signal.set_wakeup_fd(signalled.fileno())
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)
    stopped: Future = Future()

    def stop() -> None:
        told.recv(1)
        stopped.set_result(None)

    Thread(target=stop, daemon=True).start()
    executor = Executor()
    executor.add_node(node)
    try:
        while not stopped.done():
            executor.spin_until_future_complete(stopped, timeout_sec=DEADLINE)
    finally:
        signal.set_wakeup_fd(-1)  # a second signal may come when the sockets are gone
