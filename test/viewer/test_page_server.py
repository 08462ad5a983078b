# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's server: its address, and whose requests it answers."""

import logging
import socket
import sys
import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from ik_circles.viewer.frame_rate import SCRIPT
from ik_circles.viewer.server import CannotServeError, is_foreign, start_server

#: Time in which the server would have said something about a page that has left [s].
UNHEARD = 1.0


def test_without_viser_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'viser', None)
    with pytest.raises(CannotServeError, match=r"needs viser; .* pip install '.\[viewer\]'"):
        start_server('127.0.0.1', 0)


@pytest.mark.parametrize(('host', 'port'), [('127.0.0.1', 80_000), ('192.0.2.1', 0), ('a b', 0)])
def test_an_address_that_cannot_be_served_is_named(host: str, port: int) -> None:
    pytest.importorskip('viser', reason='the extra viewer is not installed')
    with pytest.raises(CannotServeError, match=f'cannot serve on {host}:{port} '):
        start_server(host, port)


@pytest.mark.parametrize(
    ('host', 'origin', 'foreign'),
    [
        ('127.0.0.1:8080', None, False),
        ('127.0.0.1:8080', 'http://127.0.0.1:8080', False),
        ('localhost:8080', 'http://localhost:8080', False),
        ('[::1]:8080', 'http://[::1]:8080', False),
        ('127.0.0.1:8080', 'http://127.0.0.1:9090', True),
        ('127.0.0.1:8080', 'https://example.com', True),
        ('127.0.0.1:8080', 'null', True),
        ('example.com:8080', 'http://example.com:8080', True),  # a name that was bent to here
        (f'{socket.gethostname()}.local:8080', None, False),
        ('', None, True),
    ],
)
def test_pages_of_other_sites_are_foreign(host: str, origin: str | None, foreign: bool) -> None:
    assert is_foreign(host, origin) is foreign


def test_the_page_is_for_its_own_site_only() -> None:
    viser = pytest.importorskip('viser', reason='the extra viewer is not installed')
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    server, page = start_server('127.0.0.1', 0)
    address = page.removeprefix('http://')
    protocols = [f'viser-v{viser.__version__}']
    try:
        with connect(f'ws://{address}', origin=f'http://{address}', subprotocols=protocols) as own:
            assert own.recv()
        with pytest.raises(InvalidStatus, match='403'):
            connect(f'ws://{address}', origin='http://example.com', subprotocols=protocols)
    finally:
        server.stop()


def test_a_page_that_closes_leaves_no_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Neither politely, nor cut off, nor before it has asked for anything, as browsers do; but a
    message without sense leaves one sentence."""
    viser = pytest.importorskip('viser', reason='the extra viewer is not installed')
    from websockets.sync.client import connect

    server, _ = start_server('127.0.0.1', 0)
    port = server.get_port()

    def open_page() -> Any:
        page = connect(f'ws://127.0.0.1:{port}', subprotocols=[f'viser-v{viser.__version__}'])
        assert page.recv(timeout=20)
        return page

    try:
        with caplog.at_level(logging.WARNING):
            open_page().close()
            open_page().socket.shutdown(socket.SHUT_RDWR)
            socket.create_connection(('127.0.0.1', port)).close()
            with socket.create_connection(('127.0.0.1', port)) as half:
                half.sendall(b'GET / HTTP/1.1\r\n')
            time.sleep(UNHEARD)
            assert not caplog.messages
            page = open_page()
            page.send(b'\xff' * 40)
            give_up = time.monotonic() + 20.0
            while not caplog.messages and time.monotonic() < give_up:
                time.sleep(0.05)
        assert all('left out what a page has sent' in one for one in caplog.messages)
        assert caplog.messages and not any(record.exc_info for record in caplog.records)
    finally:
        server.stop()


def test_the_page_gets_the_script_before_its_own_and_nothing_else_does() -> None:
    pytest.importorskip('viser', reason='the extra viewer is not installed')
    server, address = start_server('127.0.0.1', 0)
    asked = Request(address, headers={'Accept-Encoding': 'gzip'})
    try:
        with urlopen(asked) as answer:
            page = answer.read()
        assert len(page) == int(answer.headers['Content-Length'])
        assert page.index(SCRIPT.encode()) == page.index(b'<script')
        assert page.rstrip().endswith(b'</html>')
        with pytest.raises(HTTPError, match='404'):
            urlopen(f'{address}/nothing')
    finally:
        server.stop()
