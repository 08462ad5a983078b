# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The node's parameters in plain words. They follow the node, unless somebody just changed one.

The margin is a text field: beside a slider, 0.5 begins with a 0, which would take the margin away.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ik_circles.control.settings import Settings
from ik_circles.viewer.notes import NOTE_SECONDS, note_no_number
from ik_circles.viewer.target_fields import number_of

#: Time after which a control that a user has changed follows the node again [s].
HANDS_OFF = 2.0
#: The same for a text that somebody has begun to type [s].
HALF_TYPED = NOTE_SECONDS
MARGIN = 'safe_zone_margin'


class Dropdown(NamedTuple):
    """A parameter as a dropdown: its label, its hint, and the names of its values."""

    label: str
    hint: str
    names: dict[str, str]


KEEP = 'Keep from the edge [m]'
KEEP_HINT = (
    'How far the ball has to stay from the greatest and the least reach of the links. '
    'Type, then press Enter'
)
CHOICES = {
    'orientation_mode': Dropdown(
        'Orientation',
        'What happens if the arm cannot turn the tool as asked',
        {'preferred': 'nearest that works', 'fixed': 'as asked, or refuse', 'free': 'any'},
    ),
    'branch': Dropdown(
        'Elbow',
        'Which way the elbow points, even if other joints have to turn far for it. '
        'Where it cannot, it is the other way',
        {'nearest': 'whichever is nearer', 'elbow_up': 'up', 'elbow_down': 'down'},
    ),
    'on_unreachable': Dropdown(
        'Out of reach',
        'What the arm does if the ball is out of reach',
        {'reject': 'stay', 'nearest': 'go to the nearest point'},
    ),
}


class SettingsControls:
    """Dropdowns and the field of the margin; `on_set` gets a parameter's name and value."""

    def __init__(self, gui: Any, on_set: Callable[[str, str | float], None]) -> None:
        self._on_set = on_set
        self._hands_off: dict[str, float] = {}
        self._controls: dict[str, Any] = {
            name: gui.add_dropdown(one.label, tuple(one.names.values()), hint=one.hint)
            for name, one in CHOICES.items()
        }
        for name, control in self._controls.items():
            control.on_update(self._setter(name))
        with gui.add_form(None) as form:
            margin = self._controls[MARGIN] = gui.add_text(KEEP, '0', hint=KEEP_HINT)
        margin.on_update(self._typing)
        form.on_submit(self._submitted)

    def follow(self, settings: Settings) -> None:
        """Show the node's parameters."""
        now = time.monotonic()
        for name, control in self._controls.items():
            value = getattr(settings, name)
            shown = CHOICES[name].names[value] if name in CHOICES else f'{value:g}'
            if control.value != shown and now > self._hands_off.get(name, 0.0):
                control.value = shown

    def _setter(self, name: str) -> Any:
        async def changed(event: Any) -> None:
            if event.client is None:  # this page has changed it
                return
            self._hands_off[name] = time.monotonic() + HANDS_OFF
            named = {shown: one for one, shown in CHOICES[name].names.items()}
            self._on_set(name, named[event.target.value])

        return changed

    async def _typing(self, event: Any) -> None:
        if event.client is not None:
            self._hands_off[MARGIN] = time.monotonic() + HALF_TYPED

    async def _submitted(self, event: Any) -> None:
        """Send the typed number; if the node refuses it, the field shows the one that counts."""
        self._hands_off[MARGIN] = 0.0
        typed = self._controls[MARGIN].value
        try:
            margin = number_of(typed)
        except ValueError:
            note_no_number(event, typed, 'a number')
            return
        self._hands_off[MARGIN] = time.monotonic() + HANDS_OFF
        self._on_set(MARGIN, margin)
