# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""rclpy's executor, and what its internals demand of the nodes. No other module knows about them.

From Jazzy on, the experimental events executor (ros2/rclpy#1391) spins the nodes. Before each
message, the usual executor makes a list, in Python, of everything that it waits for; see "Executor"
in `docs/streams.md` and the benchmarks.
"""

import signal
import socket
from abc import ABC
from collections.abc import Callable
from threading import Thread
from types import SimpleNamespace
from typing import Any

from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.publisher import Publisher
from rclpy.qos import QoSProfile
from rclpy.service import Service
from rclpy.task import Future

from ik_circles.ros.qos import QUEUED
from ik_circles.ros.unexpected import log_unexpected

try:
    from rclpy.experimental.events_executor import EventsExecutor as Executor
except ImportError:  # before Jazzy
    from rclpy.executors import SingleThreadedExecutor as Executor
try:
    from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
except ImportError:  # before Iron
    from rclpy.qos_event import PublisherEventCallbacks, SubscriptionEventCallbacks

#: For subscriptions that end before their node does. If such a subscription has event handlers, the
#: events executor may crash when it ends (ros2/rclpy#1644).
NO_EVENTS_HEARD = SubscriptionEventCallbacks(use_default_callbacks=False)
#: The events executor sleeps until this deadline [s]: without a deadline, a build for an old C
#: library does not sleep at all.
DEADLINE = 3600.0


def publisher(node: Node, kind: type, topic: str, qos: QoSProfile = QUEUED) -> Publisher:
    """A publisher without event handlers: the usual executor checks each handler for every message.

    If the quality of service of a subscriber does not fit, its own node still warns.
    """
    callbacks = PublisherEventCallbacks(use_default_callbacks=False)
    return node.create_publisher(kind, topic, qos, event_callbacks=callbacks)


def service(node: Node, kind: Any, name: str, answer: Callable[[Any], Any]) -> Service:
    """A service whose callback gets the request, and returns its response or a future of it.

    A future's response is sent as soon as the future has it. rclpy's own way would be a coroutine,
    but Jazzy's events executor refuses coroutines, and later ones call a coroutine over and over
    while it waits. All executors pass what the callback returns to `send_response`.

    For each call, the executors also make an empty response to fill in. That takes longer than many
    answers do, and a callback may reuse a response of its own. So no empty response is made here.
    """

    class NotMade(ABC):  # noqa: B024 - registers the class that it stands for
        """Stands in for the response's class in the executor; `send_response` checks with it."""

        def __new__(cls) -> None:  # type: ignore[misc]
            return None

    NotMade.register(kind.Response)
    made = node.create_service(kind, name, lambda request, _: answer(request))
    made.srv_type = SimpleNamespace(Request=kind.Request, Response=NotMade)
    send = made.send_response

    def send_response(response: Any, header: Any) -> None:
        if isinstance(response, Future):
            response.add_done_callback(lambda done: send(done.result(), header))
        else:
            send(response, header)

    made.send_response = send_response
    return made


def overrides_without_effect(node: Node) -> list[str]:
    """Names of parameters that the node was started with, but does not have."""
    with node.handle:
        given = node.handle.get_parameters(Parameter)
    return sorted(name for name in given if not node.has_parameter(name))


def spin_until_signal(node: Node, signals: tuple[signal.Signals, ...]) -> None:
    """Spin until a signal comes, and then to the end of the callback that is running.

    An exception in a callback ends that callback, but not the node.

    A signal must not interrupt a callback, so the signal handlers do nothing. Python writes a byte
    into a socket for each signal, and a thread that waits for this byte ends the spinning.
    """
    told, signalled = socket.socketpair()
    signalled.setblocking(False)
    signal.set_wakeup_fd(signalled.fileno())
    for number in signals:
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
            try:
                executor.spin_until_future_complete(stopped, timeout_sec=DEADLINE)
            except ExternalShutdownException:
                raise
            except Exception as error:
                if not node.context.ok():
                    raise
                log_unexpected(error)
    finally:
        signal.set_wakeup_fd(-1)  # a second signal may come after the sockets have been closed
