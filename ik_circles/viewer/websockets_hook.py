# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A hook into the requests that viser's server answers.

viser calls `websockets.asyncio.server.serve` and answers requests by itself. As of viser 1.1.1, it
has no option to refuse a request or to change a response. viser-project/viser#541 asked for a login
and was closed without one. So this module replaces `serve` while viser starts. Remove it once viser
has such an option.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

#: Answers a request: takes a connection and a Request of websockets, and returns a Response, or
#: None to continue with the handshake of a websocket.
Respond = Callable[[Any, Any], Any]


@contextlib.contextmanager
def requests_through(hook: Callable[[Respond, Any, Any], Any], **more: Any) -> Iterator[None]:
    """Servers that start meanwhile answer a request by `hook(respond, connection, request)`.

    `respond(connection, request)` is the answer that the server would give by itself. `more` are
    options of websockets' `serve` that replace viser's.
    """
    from websockets.asyncio import server

    serve = server.serve

    def hooked(*arguments: Any, process_request: Respond, **options: Any) -> Any:
        def process(connection: Any, request: Any) -> Any:
            return hook(process_request, connection, request)

        return serve(*arguments, process_request=process, **{**options, **more})

    server.serve = hooked  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        server.serve = serve  # type: ignore[misc]
