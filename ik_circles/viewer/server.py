"""viser's server for the page, at the address that was asked for or not at all."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import logging
import socket
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from ik_circles.errors import IkCirclesError
from ik_circles.viewer.frame_rate import paced


class CannotServeError(IkCirclesError):
    """viser is missing, or the address is taken."""


def start_server(host: str, port: int) -> Any:
    """A viser.ViserServer; CannotServeError says why there can be none.

    By itself it would go on to the next free port, and write a banner.
    """
    try:
        import viser
    except ModuleNotFoundError as error:
        raise CannotServeError(
            f"the viewer needs {error.name}; in its repository: pip install '.[viewer]'"
        ) from None
    check_address(host, port)
    logging.getLogger('websockets.server').addFilter(_in_a_sentence)
    with contextlib.redirect_stdout(io.StringIO()), _for_its_own_page_only():
        return viser.ViserServer(host, port, verbose=False)


def check_address(host: str, port: int | str) -> None:
    """CannotServeError says why nothing can be served there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except (OSError, OverflowError, ValueError) as error:
            why = 'no port: it must be 0-65535'
            if isinstance(error, OSError):
                why = error.strerror or str(error)
            raise CannotServeError(
                f'the viewer cannot serve on {host}:{port} ({why}); choose another address or port'
            ) from None


@contextlib.contextmanager
def _for_its_own_page_only() -> Iterator[None]:
    """What is served meanwhile refuses other web sites, whose pages could else move the arm of who
    visits them: viser and the browser leave that to us, and viser has no option for it."""
    from websockets.asyncio import server

    serve = server.serve

    def careful(*arguments: Any, process_request: Any, **options: Any) -> Any:
        def checked(connection: Any, request: Any) -> Any:
            if is_foreign(request.headers.get('Host', ''), request.headers.get('Origin')):
                return connection.respond(HTTPStatus.FORBIDDEN, 'this is not for other sites\n')
            if 'Accept-Encoding' in request.headers:  # the page is added to, as plain text
                del request.headers['Accept-Encoding']
            return paced(process_request(connection, request))

        return serve(*arguments, process_request=checked, **options)

    server.serve = careful  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        server.serve = serve  # type: ignore[misc]


def is_foreign(host: str, origin: str | None) -> bool:
    """Whether a request comes from another web site's page, or by a name that some site may have
    given to this machine. Programs say no `origin`, and browsers none for the page itself."""
    if origin is not None and urlsplit(origin).netloc != host:
        return True
    name = urlsplit(f'//{host}').hostname or ''
    own = 'localhost', socket.gethostname().lower().partition('.')[0]
    return name.partition('.')[0] not in own and not _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _in_a_sentence(record: logging.LogRecord) -> bool:
    """What a browser sends that is no message closes its connection: no reason for a traceback."""
    if record.exc_info and record.exc_info[0]:
        what = record.exc_info[0].__name__
        record.msg = f'viewer: a connection to the page was closed: {what} in what it had sent'
        record.args, record.exc_info = (), None
    return True
