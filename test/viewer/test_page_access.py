# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The token of a page that other machines can reach."""

import re
import socket
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from page_socket import page_at
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ik_circles.viewer.server import is_foreign, is_own, name_of, start_server


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a page for all machines, as it is reached from this one."""
    server, address = start_server('0.0.0.0', 0)
    try:
        yield address.replace(name_of('0.0.0.0'), '127.0.0.1')
    finally:
        server.stop()


def test_a_page_for_this_machine_only_needs_no_token() -> None:
    for host in ('127.0.0.1', 'localhost', '127.0.0.2'):
        server, address = start_server(host, 0)
        try:
            assert address == f'http://{host}:{server.get_port()}'
            with page_at(address) as page:
                assert page.hear()
        finally:
            server.stop()


def test_the_token_is_long_and_new_each_time() -> None:
    found = set()
    for _ in range(3):
        server, address = start_server('0.0.0.0', 0)
        server.stop()
        name = re.escape(name_of('0.0.0.0'))
        found.add(re.fullmatch(rf'http://{name}:\d+/\?token=([\w-]{{43}})', address)[1])
    assert len(found) == 3


def test_the_token_gives_the_page_and_a_cookie_that_opens_the_socket(address: str) -> None:
    with urlopen(address) as answer:
        cookie = answer.headers['Set-Cookie']
        assert b'</html>' in answer.read()
        assert answer.headers['Referrer-Policy'] == 'no-referrer'
    pair, *attributes = cookie.split('; ')
    assert attributes == ['HttpOnly', 'SameSite=Strict', 'Path=/']
    site = address.partition('/?')[0]
    for cookies in (pair, f'other=1; {pair}', f'{pair};x=y'):
        with page_at(address, additional_headers={'Cookie': cookies}, origin=site) as page:
            assert page.hear()
        with urlopen(Request(f'{site}/', headers={'Cookie': cookies})) as answer:
            assert 'Set-Cookie' not in answer.headers
    with pytest.raises(InvalidStatus, match='403'):  # another site, even with the cookie
        _open(address, pair, origin='http://example.com')


@pytest.mark.parametrize('path', ['', '/', '/?token=', '/?token=abc', '/?token=%C3%A9', '/?x=1'])
def test_without_the_token_there_is_a_plain_refusal(address: str, path: str) -> None:
    site = address.partition('/?')[0]
    with pytest.raises(HTTPError, match='403') as refusal:
        urlopen(site + path)
    assert refusal.value.headers['Content-Type'].startswith('text/plain')
    assert 'Set-Cookie' not in refusal.value.headers
    assert b'needs its token' in refusal.value.read()


def _open(address: str, cookie: str, **options: str) -> None:
    with page_at(address, additional_headers={'Cookie': cookie}, **options):
        pass


def test_without_the_cookie_there_is_no_socket(address: str) -> None:
    site, _, token = address.partition('/?token=')
    port = site.rpartition(':')[2]
    wrong = ('', 'abc', f'ik_circles_{port}=', f'ik_circles_{port}={token[:-1]}', f'token={token}',
             f'ik_circles_{port}={token}x', f'x{token}={token}')  # fmt: skip
    for cookie in wrong:
        with pytest.raises(InvalidStatus, match='403'):
            _open(address, cookie)
    with pytest.raises(InvalidStatus, match='403'):  # the address alone opens no socket
        connect(address.replace('http', 'ws'))


def test_other_sites_may_not_show_the_page() -> None:
    server, address = start_server('127.0.0.1', 0)
    try:
        with urlopen(address) as answer:
            assert answer.headers['Content-Security-Policy'] == "frame-ancestors 'self'"
    finally:
        server.stop()


@pytest.mark.parametrize(
    ('addresses', 'own'),
    [
        (['127.0.0.1'], True),
        (['127.0.1.1', '::1'], True),  # a machine's own name, in Debian
        (['127.0.1.1', '2001:db8::1'], False),
        (['192.0.2.1'], False),
        (['0.0.0.0', '::'], False),
    ],
)
def test_a_host_is_this_machine_alone_if_all_its_addresses_are(
    addresses: list[str], own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [(0, 0, 0, '', (address, 0)) for address in addresses]
    monkeypatch.setattr(socket, 'getaddrinfo', lambda *_, **__: found)
    assert is_own('a name') is own


class Probe(socket.socket):
    """A socket of a machine at an address, or of one without a network."""

    own: str | None = None

    def connect(self, _: object) -> None:
        if self.own is None:
            raise OSError(101, 'Network is unreachable')

    def getsockname(self) -> tuple[str, int]:
        return str(self.own), 12345


@pytest.mark.parametrize(
    ('own', 'named', 'opened'),
    [
        ('192.168.1.5', 'my-pi', '192.168.1.5'),  # which no network needs to know by name
        (None, 'my-pi', 'my-pi'),
        (None, 'My-PC.lan', 'My-PC.lan'),
    ],
)
def test_the_address_for_all_machines_is_one_that_others_can_open(
    own: str | None, named: str, opened: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, 'gethostname', lambda: named)
    with monkeypatch.context() as patched:
        patched.setattr(Probe, 'own', own)
        patched.setattr(socket, 'socket', Probe)
        assert [name_of(host) for host in ('', '0.0.0.0', '::')] == [opened] * 3
        assert name_of('127.0.0.1') == '127.0.0.1'
    host = f'{opened}:8080'.lower()  # as a browser writes it
    assert not is_foreign(host, f'http://{host}')
    with urlopen(Request(address, headers={'Host': host})) as answer:
        assert answer.status == 200


def test_the_printed_address_can_be_opened_as_it_is() -> None:
    server, printed = start_server('0.0.0.0', 0)
    try:
        with urlopen(printed) as answer:
            assert answer.status == 200
    finally:
        server.stop()


def test_no_host_is_every_address() -> None:
    assert not is_own('') and not is_own('0.0.0.0') and is_own('localhost')
