# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Notes to one user about what that user has just done. They vanish by themselves."""

from typing import Any

from ik_circles.robot.text import shown

#: How long a note stays [s].
NOTE_SECONDS = 10.0
#: Most characters of typed text that a note repeats.
REPEATED = 20


def note(event: Any, title: str, text: str) -> None:
    """Show a note in the browser that an event comes from."""
    if event.client is not None:
        event.client.add_notification(title, text, auto_close_seconds=NOTE_SECONDS)


def note_no_number(event: Any, typed: str, wanted: str) -> None:
    """Say that the typed text was dropped, because it is not what was `wanted`."""
    text = f'"{shown(typed, REPEATED)}" is not {wanted}, so what counts is shown again.'
    note(event, 'Nothing was sent', text)
