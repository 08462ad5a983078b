# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a page may send to the server: the messages of its controls, and not too many of them.

As of viser 1.1.1, viser accepts any of its messages from any page. One of them opens a tunnel to
the internet (`ShareUrlRequest`), one stores files, and one sets any attribute of a control by name.
No issue about it was found. So this module drops every message that the controls do not send. It
needs websockets, which comes with viser.
"""

import asyncio
import dataclasses
import functools
import logging
import math
from typing import Any

import msgspec
from viser.infra import Message
from websockets.asyncio.server import ServerConnection

#: The messages that a page sends in normal use.
KINDS = {
    'ViewerCameraMessage',
    'GuiUpdateMessage', 'GuiButtonHoldMessage', 'GuiFormSubmitMessage', 'GuiFormDirtyMessage',
    'SceneNodeClickMessage', 'SceneNodeDragMessage', 'ScenePointerMessage',
    'TransformControlsUpdateMessage', 'TransformControlsDragStartMessage',
    'TransformControlsDragEndMessage',
}  # fmt: skip
#: Longest message [bytes]; a page sends a few hundred.
LONGEST_MESSAGE = 65536
#: Most entries of a list, and most characters of a text.
MOST_ENTRIES, MOST_CHARACTERS = 16, 1000
#: Largest number: a time in milliseconds fits.
LARGEST = 1e15
#: Most messages per second, and most at once. During a drag, a page sends about 50 per second.
RATE, BURST = 200.0, 200


class PageConnection(ServerConnection):
    """A connection that drops every message that no control sends."""

    _due = 0.0
    _warned = False

    async def recv(self, decode: bool | None = None) -> Any:
        """The next message of a control, delayed if messages come too fast."""
        while True:
            message = await super().recv(decode)
            now = self.loop.time()
            self._due = max(self._due, now) + 1.0 / RATE
            await asyncio.sleep(max(0.0, self._due - now - BURST / RATE))
            if is_sound(message):
                return message
            if not self._warned:
                self._warned = True
                logging.getLogger(__name__).warning(
                    'viewer: left out what a page has sent: no control sends such a message'
                )


def is_sound(message: Any) -> bool:
    """Whether a message is one of `KINDS`, and each value has the type that viser declares."""
    try:
        fields = msgspec.msgpack.decode(message)
        name = fields.pop('type')
        kind = _kinds()[name]
        declared = {one.name for one in dataclasses.fields(kind)}
        msgspec.convert(fields, kind)
    except Exception:  # decoders raise many kinds
        return False
    updates = fields.pop('updates', {})
    return (
        fields.keys() <= declared
        and all(map(_is_small, fields.values()))
        and updates.keys() <= {'value'}
        and all(map(_is_small, updates.values()))
    )


@functools.cache
def _kinds() -> dict[str, Any]:
    return {one.__name__: one for one in Message.get_subclasses() if one.__name__ in KINDS}


def _is_small(value: Any) -> bool:
    """Whether a value is a short text, a usable number, or a short list of these."""
    if isinstance(value, list):
        return len(value) <= MOST_ENTRIES and all(map(_is_small, value))
    if isinstance(value, str):
        return len(value) <= MOST_CHARACTERS
    if isinstance(value, int | float):
        return math.isfinite(value) and abs(value) <= LARGEST
    return value is None
