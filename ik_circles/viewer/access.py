# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Who may use a page that other machines can reach: whoever has its token.

The printed address contains the token. A browser that opens it gets the page and a cookie with the
token. It sends the cookie with the handshake of the page's socket.
"""

import secrets
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ik_circles.viewer.websockets_hook import Respond

#: Random bytes of a token.
BYTES = 32
REFUSAL = (
    'This page needs its token: open the whole address that was printed when it started.\n'
    'After a restart there is a new one.\n'
)


class Access:
    """One token, valid for as long as its server runs."""

    def __init__(self) -> None:
        self._token = secrets.token_urlsafe(BYTES)

    @property
    def query(self) -> str:
        """What follows the host and the port in the page's address."""
        return f'/?token={self._token}'

    def answer(self, respond: Respond, connection: Any, request: Any) -> Any:
        """The server's answer to a request with the cookie, or to one for a page with the token."""
        name = f'ik_circles_{connection.local_address[1]}'  # the ports of a host share cookies
        cookies = ';'.join(request.headers.get_all('Cookie')).split(';')
        if any(self._is_token(name, cookie) for cookie in cookies):
            return respond(connection, request)
        given = parse_qs(urlsplit(request.path).query).get('token', [''])[0]
        response = respond(connection, request) if self._same(given) else None
        if response is None:
            return connection.respond(HTTPStatus.FORBIDDEN, REFUSAL)
        cookie = f'{name}={self._token}; HttpOnly; SameSite=Strict; Path=/'
        response.headers['Set-Cookie'] = cookie
        response.headers['Referrer-Policy'] = 'no-referrer'
        return response

    def _is_token(self, name: str, cookie: str) -> bool:
        key, _, value = cookie.strip().partition('=')
        return key == name and self._same(value)

    def _same(self, given: str) -> bool:
        """Compare in constant time, which does not reveal how much of a guess is right."""
        return secrets.compare_digest(given.encode(errors='replace'), self._token.encode())
