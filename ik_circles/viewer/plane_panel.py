# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The panel with the plane view: a picture with a target to drag, and its place as text."""

import re
from collections.abc import Callable
from typing import Any

from ik_circles.geometry.circles import Point
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.viewer import cards, targets, theme
from ik_circles.viewer.notes import note_no_number
from ik_circles.viewer.own_script import DRAGGED, GRIP_ATTRIBUTES, PLANE_FIELD
from ik_circles.viewer.plane_view import plane_view
from ik_circles.viewer.state import Snapshot

#: One number, and two numbers that were typed, or come from a drag.
NUMBER = r'(-?(?:\d+\.?\d*|\.\d+))'
NUMBERS = re.compile(rf'\s*({DRAGGED}?)\s*{NUMBER}\s*[,; ]\s*{NUMBER}\s*', re.ASCII)
HINT = (
    'Where the ball is in this picture: how far to the right of the first of the three joints, and '
    'how far up. Type, then press Enter'
)


class PlanePanel:
    """The plane view. `on_place` is called with each place in the arm's plane [m] that a user types
    or drags the target to, and with whether it was typed."""

    def __init__(self, gui: Any, on_place: Callable[[Point, bool], None]) -> None:
        self._on_place = on_place
        self._is_typing = False
        self._picture = gui.add_html('')
        self._legend = gui.add_html('')
        with gui.add_form(None) as form:
            self._place = gui.add_text(PLANE_FIELD, '', hint=HINT)
        self._place.on_update(self._changed)
        form.on_submit(self._submitted)

    @property
    def is_empty(self) -> bool:
        """Whether there is no picture."""
        return not self._picture.content

    def clear(self) -> None:
        """Show no picture until the next `show`."""
        self._picture.content = ''

    def show(self, arm: RobotArm, outlined: RobotArm, snapshot: Snapshot) -> None:
        """Draw the arm as measured, on the outline that it has while its wrist is at rest."""
        answer, measured, settings = snapshot.answer, snapshot.measured, snapshot.settings
        answer = answer if answer is not None and answer.is_of_target else None
        nearest = None if answer is None or answer.code is Code.OK else answer.nearest
        has_zones = settings.safe_zone_margin > 0.0
        if self._legend.content != (legend := cards.legend(has_zones)):
            self._legend.content = legend
        self._picture.content = plane_view(
            arm.arm,
            outlined.arm,
            settings.zones(outlined) if has_zones else None,
            arm.naming.arm_angles(measured),
            targets.target_in_plane(arm, snapshot),
            color=theme.variable('unanswered' if answer is None else answer.color),
            nearest=nearest and targets.nearest_shoulder(arm, nearest, measured).point,
            grip=GRIP_ATTRIBUTES,
        )

    def place(self, point: Point) -> None:
        """Show where the target is in the plane [m], unless somebody is typing."""
        text = ', '.join(f'{round(value, 3) + 0.0:.3f}' for value in point)
        if not self._is_typing and self._place.value != text:
            self._place.value = text

    def moved(self) -> None:
        """Forget what was typed and not sent, because the target was moved in another way."""
        self._is_typing = False

    async def _changed(self, event: Any) -> None:
        if event.client is None:
            return
        found = NUMBERS.fullmatch(self._place.value)
        self._is_typing = found is None or not found[1]
        if found and found[1]:
            self._on_place((float(found[2]), float(found[3])), False)

    async def _submitted(self, event: Any) -> None:
        found = NUMBERS.fullmatch(self._place.value)
        self._is_typing = False
        if found:
            self._on_place((float(found[2]), float(found[3])), True)
        else:  # the field shows the target again
            note_no_number(event, self._place.value, 'two numbers, such as 0.2, 0.1')
