# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A page as the server sees it: its socket, and the messages that viser's script sends."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip('viser', reason='the extra viewer is not installed')
# isort: split
import viser
import zstandard
from msgspec import msgpack
from websockets.sync.client import ClientConnection, connect

CAMERA = {
    'type': 'ViewerCameraMessage', 'wxyz': (1.0, 0.0, 0.0, 0.0), 'position': (0.0, 0.0, 2.0),
    'fov': 1.0, 'near': 0.01, 'far': 100.0, 'image_height': 800, 'image_width': 1280,
    'look_at': (0.0, 0.0, 0.0), 'up_direction': (0.0, 1.0, 0.0),
}  # fmt: skip
DRAG = {
    'type': 'SceneNodeDragMessage', 'phase': 'update', 'name': '/target', 'instance_index': None,
    'start_position': (0.0, 0.0, 0.0), 'start_screen_pos': (0.0, 0.0),
    'end_position': (0.0, 0.0, 0.0), 'end_screen_pos': (0.0, 0.0),
    'button': 'left', 'modifier': None, 'owner': '',
}  # fmt: skip


class Socket:
    """The socket of one page."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []

    def say(self, message: dict[str, Any] | bytes | str) -> None:
        is_message = isinstance(message, dict)
        self.connection.send(msgpack.encode(message) if is_message else message)

    def hear(self, timeout: float = 10.0) -> list[dict[str, Any]]:
        """The messages of the next packet."""
        packet = self.connection.recv(timeout)
        _, length = struct.unpack('<QQ', packet[:16])
        inner = zstandard.ZstdDecompressor().decompressobj().decompress(packet[16 : 16 + length])
        messages = msgpack.decode(inner)['messages']
        self.heard += messages
        return messages

    def hear_of(self, text: str) -> None:
        """Wait for a message with this text in it; TimeoutError if no more messages come."""
        while not any(text in str(message) for message in self.hear()):
            pass


@contextmanager
def page_at(address: str, **options: Any) -> Iterator[Socket]:
    """An open page that has told where its camera is."""
    url = address.replace('http', 'ws').partition('/?')[0]
    protocols = [f'viser-v{viser.__version__}']
    with connect(url, subprotocols=protocols, max_size=None, **options) as connection:
        socket = Socket(connection)
        socket.say(CAMERA)
        yield socket
