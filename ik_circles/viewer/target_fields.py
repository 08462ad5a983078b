# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The target in numbers: fields for its place, and sliders that turn it.

The fields are text fields: a number field of viser 1.1.1 loses the minus of -0.1 while it is typed
(https://github.com/s-yadav/react-number-format/issues/829).
"""

import math
from collections.abc import Callable
from typing import Any

from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.half_typed import HalfTyped
from ik_circles.viewer.notes import note_no_number
from ik_circles.viewer.orientation import Sliders, slider_count, sliders_of

#: The sliders of the target's orientation, for a wrist of none, one and two joints: name and hint.
ORIENTATION = (
    (('Tool angle [°]', "Angle of the tool in the arm's plane; 0 is straight outwards"),),
    (
        ('Pitch [°]', 'How far the tool points up from straight outwards'),
        ('Roll [°]', 'Turns the tool about the axis of the last joint'),
    ),
    (
        ('Roll x [°]', 'Turns the tip about the x axis of {}, before pitch and yaw, as in a URDF'),
        ('Pitch y [°]', 'Turns the tip about the y axis of {}, after roll, as in a URDF'),
        ('Yaw z [°]', 'Turns the tip about the z axis of {}, after roll and pitch, as in a URDF'),
    ),
)
#: Both ends of a slider are the same orientation. Rounding never changes which end is shown: this
#: one [deg].
HALF_TURN = 180.0
PLACE = ('x [m]', 'y [m]', 'z [m]')
PLACE_HINT = 'Where the ball is, measured from {}. Type, then press Enter'
#: The button below the fields, where the arm goes to the ball and where it stays: name and hint.
GO = ('Go there', 'The ball goes to the numbers above, and the arm moves there at "Speed"')
PUT = ('Put the ball there', 'The ball goes to the numbers above. The arm stays')
#: What the hints call the frame of the target until an arm is loaded.
FRAME = 'the base'
FREE_HINT = 'With "Orientation: any" in the settings, the orientation of the target does not count'


class TargetFields:
    """The fields and sliders of the target, for any arm.

    `on_typed` is called with each place that somebody types [m], `on_turned` whenever a slider is
    moved.
    """

    def __init__(
        self, gui: Any, on_typed: Callable[[Point3], None], on_turned: Callable[[], None]
    ) -> None:
        self._on_typed, self._on_turned = on_typed, on_turned
        self._is_typing, self._slid = False, HalfTyped()
        self._asked: Sliders | None = None
        self._counts, self._hints = True, [hint.format(FRAME) for _, hint in ORIENTATION[-1]]
        with gui.add_form(None) as form:
            self._place = [gui.add_text(name, '', hint=PLACE_HINT.format(FRAME)) for name in PLACE]
            self._button = gui.add_button(GO[0])
        for field in self._place:
            field.on_update(self._typing)
        form.on_submit(self._submitted)
        self._button.on_click(self._submitted)
        with gui.add_form(None) as form:
            self.sliders = [
                gui.add_slider(
                    name, -HALF_TURN, HALF_TURN, 0.5, 0.0, marks=(), visible=False, hint=hint
                )
                for (name, _), hint in zip(ORIENTATION[-1], self._hints)
            ]
        for slider in self.sliders:
            slider.on_update(self._moved)
        form.on_submit(self._whole)

    def begin(self, arm: RobotArm) -> None:
        """Show the fields and sliders of another arm."""
        count = slider_count(arm)
        for number, slider in enumerate(self.sliders):
            slider.visible = number < count
            if number < count:
                slider.label, hint = ORIENTATION[count - 1][number]
                self._hints[number] = hint.format(arm.base_link)
        for field in self._place:
            field.hint = PLACE_HINT.format(arm.base_link)
        self._put_hints()
        self.moved()
        self._asked = None

    def heed(self, settings: Settings, moves: bool) -> None:
        """Enable the sliders while the orientation counts. The button says whether the arm `moves`.
        """
        label, _ = GO if moves else PUT
        if self._button.label != label:
            self._button.label = label
        counts = settings.orientation_mode != 'free'
        if counts is self._counts:
            return
        self._counts = counts
        for slider in self.sliders:
            slider.disabled = not counts
        self._put_hints()

    def _put_hints(self) -> None:
        for slider, hint in zip(self.sliders, self._hints):
            slider.hint = hint if self._counts else FREE_HINT

    def angles(self, arm: RobotArm) -> Sliders | None:
        """The values of the sliders [rad]; None if one has no number."""
        degrees = [slider.value for slider in self.sliders[: slider_count(arm)]]
        return tuple(map(math.radians, degrees)) if all(map(math.isfinite, degrees)) else None

    def turn_to(self, arm: RobotArm, target: Target, asked: bool = True) -> None:
        """Move the sliders to the orientation of a target.

        If nobody has `asked` for that orientation, the one asked for before stays in force.
        """
        if asked:
            self._asked = None
        elif self._asked is None:
            self._asked = self.angles(arm)
        self._put(sliders_of(arm, target))

    def asked(self, arm: RobotArm) -> Sliders | None:
        """The orientation that somebody asked for [rad]; the sliders go back to it. None if one has
        no number."""
        if self._asked is not None:
            self._put(self._asked)
        self._asked = None
        return self.angles(arm)

    def _put(self, angles: Sliders) -> None:
        for slider, angle in zip(self.sliders, angles):
            degrees = round(math.degrees(angle), 1)
            slider.value = HALF_TURN if degrees == -HALF_TURN else degrees

    def show(self, position: Point3) -> None:
        """Show where the target is, unless somebody is typing. Report a complete number that was
        typed beside a slider."""
        if self._slid.take():
            self._turn()
        if self._is_typing:
            return
        for field, value in zip(self._place, position):
            text = f'{round(value, 3) + 0.0:.3f}'.rstrip('0').rstrip('.')
            if field.value != text:
                field.value = text

    def moved(self) -> None:
        """Forget what was typed and not sent, because the target was moved in another way."""
        self._is_typing = False
        self._slid.forget()

    async def _typing(self, event: Any) -> None:
        if event.client is not None:
            self._is_typing = True

    async def _submitted(self, event: Any) -> None:
        self._is_typing = False
        try:
            x, y, z = (number_of(field.value) for field in self._place)
        except ValueError as error:  # the fields show the target again
            note_no_number(event, str(error), 'a number')
            return
        self._on_typed((x, y, z))

    async def _moved(self, event: Any) -> None:
        """A slider moved by a pointer counts at once; a number that may be half typed counts later.
        """
        slider = event.target
        if event.client is None:
            self._slid.show(slider.label, slider.value)
            return
        self._slid.move(slider.label, slider.value)
        if self._slid.take():
            self._turn()

    async def _whole(self, event: Any) -> None:
        self._slid.finish()

    def _turn(self) -> None:
        self._asked = None
        self._on_turned()


def number_of(text: str) -> float:
    """The finite number in a text. Raises a ValueError with the text if there is none."""
    try:
        number = float(text.replace(',', '.'))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(text)
    return number
