"""viser's server for the page, at the address that was asked for or not at all."""

from __future__ import annotations

import contextlib
import io
import logging
import socket
from typing import Any

from ik_circles.errors import IkCirclesError


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
            f"the viewer needs {error.name}; pip install 'ik_circles[viewer]'"
        ) from None
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, 'strerror', None) or error
            raise CannotServeError(
                f'the viewer cannot serve on {host}:{port} ({why}); choose another port'
            ) from None
    logging.getLogger('websockets.server').addFilter(_in_a_sentence)
    with contextlib.redirect_stdout(io.StringIO()):
        return viser.ViserServer(host, port, verbose=False)


def _in_a_sentence(record: logging.LogRecord) -> bool:
    """What a browser sends that is no message closes its connection: no reason for a traceback."""
    if record.exc_info and record.exc_info[0]:
        what = record.exc_info[0].__name__
        record.msg = f'viewer: a connection to the page was closed: {what} in what it had sent'
        record.args, record.exc_info = (), None
    return True
