# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Questions to a node that may go away and come back, and whether it answers them."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from rclpy.client import Client
from rclpy.task import Future

#: After this time without an answer [s], a question is lost: answers take milliseconds.
PATIENCE = 2.0


class _Call(NamedTuple):
    asked_at: float
    forget: Callable[[], None]


class ServiceCalls:
    """At most one question of each kind is under way; a newer one replaces it.

    Attributes
    ----------
    is_silent : bool
        Whether the node has answered nothing since a question was lost.
    """

    def __init__(self) -> None:
        self.is_silent = False
        self._calls: dict[str, _Call] = {}

    def ask(
        self, kind: str, client: Client, request: Any, on_answer: Callable[[Any], None]
    ) -> None:
        """Ask, if there is a node to answer; `on_answer` gets the response, in rclpy's thread."""
        self._drop(kind)
        if not client.service_is_ready():
            return
        future = client.call_async(request)
        forget = partial(client.remove_pending_request, future)
        call = self._calls[kind] = _Call(time.monotonic(), forget)

        def answered(future: Future) -> None:
            if self._calls.get(kind) is call:
                self.heard(kind)
                on_answer(future.result())

        future.add_done_callback(answered)

    def expect(self, kind: str, on_lost: Callable[[], None]) -> None:
        """Expect an answer that comes without a service; the oldest question of a kind counts.

        Whoever gets the answer calls `heard`. If none comes, `on_lost` is called.
        """
        self._calls.setdefault(kind, _Call(time.monotonic(), on_lost))

    def heard(self, kind: str) -> None:
        """The node has answered a question of this kind."""
        self._calls.pop(kind, None)
        self.is_silent = False

    def waits_for(self, kind: str) -> bool:
        """Whether a question of this kind is under way."""
        return kind in self._calls

    def drop_lost(self) -> None:
        """Forget the questions that have waited too long."""
        now = time.monotonic()
        for kind, call in tuple(self._calls.items()):
            if now - call.asked_at > PATIENCE:
                self.is_silent = True
                self._drop(kind)

    def _drop(self, kind: str) -> None:
        call = self._calls.pop(kind, None)
        if call is not None:
            call.forget()
