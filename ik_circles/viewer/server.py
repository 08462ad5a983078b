# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""viser's server for the page: only at the requested address, and only for its own page."""

import contextlib
import io
import ipaddress
import logging
import socket
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from ik_circles.errors import IkCirclesError
from ik_circles.viewer.access import Access
from ik_circles.viewer.frame_rate import with_script
from ik_circles.viewer.websockets_hook import Respond, requests_through

#: Hosts that stand for all addresses of this machine. No other machine can open them.
EVERY_ADDRESS = '', '0.0.0.0', '::'
#: An address that belongs to no network (RFC 5737), and a port.
ELSEWHERE = '192.0.2.1', 9


class CannotServeError(IkCirclesError):
    """viser is missing, or the address cannot be used."""


def start_server(host: str, port: int) -> tuple[Any, str]:
    """Start a viser.ViserServer, and return it with the address of its page.

    A CannotServeError says why that is impossible. By default, viser would take the next free port
    and print a banner; here it does neither. At an address that other machines may reach, the page
    needs a token.
    """
    try:
        import viser
    except ModuleNotFoundError as error:
        raise CannotServeError(
            f"the viewer needs {error.name}; run pip install '.[viewer]' in the repository of "
            'ik_circles'
        ) from None
    from ik_circles.viewer.page_messages import LONGEST_MESSAGE, PageConnection

    check_address(host, port)
    access = None if is_own(host) else Access()
    for name in ('websockets.server', 'asyncio'):
        logging.getLogger(name).addFilter(_one_sentence)
    hooked = requests_through(
        partial(_answer, access), create_connection=PageConnection, max_size=LONGEST_MESSAGE
    )
    with contextlib.redirect_stdout(io.StringIO()), hooked:
        server = viser.ViserServer(host, port, verbose=False)
    query = access.query if access else ''
    return server, f'http://{name_of(host)}:{server.get_port()}{query}'


def name_of(host: str) -> str:
    """The name to open for a host. For all addresses, it is one that others know.

    Then it is the address from which this machine sends to other networks; without a network, it is
    the machine's name.
    """
    if host not in EVERY_ADDRESS:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # which chooses the address, and sends nothing
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def is_own(host: str) -> bool:
    """Whether only this machine can reach a host, judged by all addresses of that host."""
    found = socket.getaddrinfo(host or None, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return all(ipaddress.ip_address(address[0]).is_loopback for *_, address in found)


def check_address(host: str, port: int | str) -> None:
    """Raise CannotServeError if nothing can be served there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except (OSError, OverflowError, ValueError) as error:
            why = 'a port is a number from 0 to 65535'
            if isinstance(error, OSError):
                why = error.strerror or str(error)
            raise CannotServeError(
                f'the viewer cannot serve on {host}:{port} ({why}); choose another address or port'
            ) from None


def _answer(access: Access | None, respond: Respond, connection: Any, request: Any) -> Any:
    """Refuse other web sites. Neither viser nor browsers do, and their pages could move the arm."""
    if is_foreign(request.headers.get('Host', ''), request.headers.get('Origin')):
        return connection.respond(HTTPStatus.FORBIDDEN, 'this is not for other sites\n')
    if 'Accept-Encoding' in request.headers:  # the page must be plain text to get the script
        del request.headers['Accept-Encoding']
    if access is not None:
        respond = partial(access.answer, respond)
    response = respond(connection, request)
    if response is not None:  # other sites must not embed the page, either, and lure a click to it
        response.headers['Content-Security-Policy'] = "frame-ancestors 'self'"
    return with_script(response)


def is_foreign(host: str, origin: str | None) -> bool:
    """Whether a request comes from the page of another web site.

    That includes a request that calls this machine by a name that such a site may have given it.
    Programs send no `origin`. Browsers send none when they open the page itself.
    """
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


def _one_sentence(record: logging.LogRecord) -> bool:
    """Log a sentence, not a traceback, if a browser sends nonsense to its connection or to viser.

    Log nothing if a page has just closed, or a connection that a browser opened in advance.
    """
    error, cause, trace = record.exc_info or (None, None, None)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raised_in = trace.tb_frame.f_globals.get('__name__', '') if trace else ''
    if error and (record.name != 'asyncio' or raised_in.startswith('viser.')):
        if _has_closed(cause):
            return False
        what = 'left out' if record.name == 'asyncio' else 'closed a connection to the page:'
        record.msg = f'viewer: {what} {error.__name__} in a message from it'
        record.args, record.exc_info = (), None
    return True


def _has_closed(error: BaseException | None) -> bool:
    """Whether an error, or one of its causes, says that the other end has closed."""
    from websockets.exceptions import ConnectionClosed

    while error is not None:
        if isinstance(error, (ConnectionClosed, EOFError, ConnectionError)):
            return True
        error = error.__cause__ or error.__context__
    return False
