# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Questions to the services of a node that may go away and come back."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from rclpy.client import Client
from rclpy.task import Future

#: After this time without an answer [s], the node of a service counts as gone.
PATIENCE = 2.0


class _Call(NamedTuple):
    asked_at: float
    client: Client
    future: Future


class ServiceCalls:
    """At most one question of each kind is under way; a newer one replaces it."""

    def __init__(self) -> None:
        self._calls: dict[str, _Call] = {}

    def ask(
        self, kind: str, client: Client, request: Any, on_answer: Callable[[Any], None]
    ) -> None:
        """Ask, if there is a node to answer; `on_answer` gets the response, in rclpy's thread."""
        self._drop(kind)
        if not client.service_is_ready():
            return
        future = client.call_async(request)
        call = self._calls[kind] = _Call(time.monotonic(), client, future)

        def answered(future: Future) -> None:
            if self._calls.get(kind) is call:
                del self._calls[kind]
                on_answer(future.result())

        future.add_done_callback(answered)

    def waits_for(self, kind: str) -> bool:
        """Whether a question of this kind is under way."""
        return kind in self._calls

    def drop_lost(self) -> None:
        """Forget the questions to a node that counts as gone."""
        now = time.monotonic()
        for kind, call in tuple(self._calls.items()):
            if now - call.asked_at > PATIENCE:
                self._drop(kind)

    def _drop(self, kind: str) -> None:
        call = self._calls.pop(kind, None)
        if call is not None:
            call.client.remove_pending_request(call.future)
