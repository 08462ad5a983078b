# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The node's parameters in plain words. They follow the node, unless somebody just changed one."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ik_circles.control.settings import Settings
from ik_circles.robot.arm import RobotArm

#: Time after which a control that a user has changed follows the node again [s].
HANDS_OFF = 2.0
MARGIN = 'safe_zone_margin'


class Dropdown(NamedTuple):
    """A parameter as a dropdown: its label, its hint, and the names of its values."""

    label: str
    hint: str
    names: dict[str, str]


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
    """Dropdowns and the slider of the margin; `on_set` gets a parameter's name and value."""

    def __init__(self, gui: Any, on_set: Callable[[str, str | float], None]) -> None:
        self._on_set = on_set
        self._touched: dict[str, float] = {}
        self._controls: dict[str, Any] = {
            name: gui.add_dropdown(one.label, tuple(one.names.values()), hint=one.hint)
            for name, one in CHOICES.items()
        }
        self._controls[MARGIN] = gui.add_slider(
            'Keep from the edge [m]', 0.0, 1.0, 0.001, 0.0, marks=(),
            hint='How far the ball has to stay from the greatest and the least reach of the links, '
            'as the dashed circles show. Joint limits do not count',
        )  # fmt: skip
        for name, control in self._controls.items():
            control.on_update(self._setter(name))

    def begin(self, arm: RobotArm) -> None:
        """Let the margin be as large as another arm allows."""
        zones = arm.arm.safe_zones
        self._controls[MARGIN].max = round((zones.outer - zones.inner) / 2.0, 3)

    def follow(self, settings: Settings) -> None:
        """Show the node's parameters."""
        now = time.monotonic()
        for name, control in self._controls.items():
            value = getattr(settings, name)
            if name in CHOICES:
                value = CHOICES[name].names[value]
            if control.value != value and now - self._touched.get(name, 0.0) > HANDS_OFF:
                control.value = value

    def _setter(self, name: str) -> Any:
        async def changed(event: Any) -> None:
            if event.client is None:  # this page has changed it
                return
            self._touched[name] = time.monotonic()
            value = event.target.value
            if name in CHOICES:
                named = {shown: one for one, shown in CHOICES[name].names.items()}
                value = named[value]
            self._on_set(name, value)

        return changed
