# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The target in numbers: fields for its place and orientation, and sliders that turn it.

The fields are of text: as of viser 1.1.1, a field of a number loses the minus of -0.1 while it is
typed (https://github.com/s-yadav/react-number-format/issues/829).
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer import targets
from ik_circles.viewer.notes import note_no_number

#: The sliders of the target's orientation, for a wrist of none, one and two joints: name and hint.
ORIENTATION = (
    (('Orientation [°]', "Angle of the tool in the arm's plane; 0 is straight outwards"),),
    (
        ('Pitch [°]', 'How far the tool points up from straight outwards'),
        ('Roll [°]', 'Turns the tool about the axis of the last joint'),
    ),
    (
        ('Wrist pitch [°]', 'How far the wrist points up from straight outwards'),
        ('Wrist roll [°]', 'Turns the tool about the axis of the first wrist joint'),
        ('Wrist turn [°]', 'Turns the tool about the axis of the last joint'),
    ),
)
PLACE = ('x [m]', 'y [m]', 'z [m]')
ANGLES = ('Roll x [°]', 'Pitch y [°]', 'Yaw z [°]')
PLACE_HINT = 'Where the ball is, from {}. Type, then press Enter'
#: The button below the fields, while the arm follows the ball and while it does not: name and hint.
GO = ('Go there', 'The ball goes to the numbers above, and the arm with it')
PUT = ('Put the ball there', 'The ball goes to the numbers above. The arm stays')
ANGLES_HINT = 'Orientation of the tip about the fixed axes x, y, z of {}, as in a URDF'
#: What the hints call the frame of an arm before there is one.
FRAME = 'the base'
FREE_HINT = 'With "Orientation: any" in the settings, the orientation of the target does not count'
#: A cosine of a pitch below this is 0: roll and yaw are about the same axis.
GIMBAL = 1e-6


class Typed(NamedTuple):
    """A place that was typed [m], the orientation (3x3) of the fields below it, None without such
    fields, and whether that was typed, too."""

    position: Point3
    rotation: Matrix | None
    is_turned: bool = False


class TargetFields:
    """Fields and sliders of one target for any arm.

    `on_typed` is called with what somebody has typed, `on_turned` when a slider was moved.
    """

    def __init__(
        self, gui: Any, on_typed: Callable[[Typed], None], on_turned: Callable[[], None]
    ) -> None:
        self._on_typed, self._on_turned = on_typed, on_turned
        self._is_typing = self._turned = False
        self._rotation: Matrix | None = None
        self._asked: targets.Sliders | None = None
        self._counts, self._hints = True, [hint for _, hint in ORIENTATION[-1]]
        self._angles_hint = ANGLES_HINT.format(FRAME)
        with gui.add_form(None) as form:
            self._place = [gui.add_text(name, '', hint=PLACE_HINT.format(FRAME)) for name in PLACE]
            self._angles = [gui.add_text(name, '', hint='', visible=False) for name in ANGLES]
            self._button = gui.add_button(GO[0], hint=GO[1])
        for field in self._place:
            field.on_update(self._typing)
        for field in self._angles:
            field.on_update(self._turning)
        form.on_submit(self._submitted)
        self._button.on_click(self._submitted)
        self.sliders = [
            gui.add_slider(name, -180.0, 180.0, 0.5, 0.0, marks=(), visible=False, hint=hint)
            for name, hint in ORIENTATION[-1]
        ]
        for slider in self.sliders:
            slider.on_update(self._slid)

    def begin(self, arm: RobotArm) -> None:
        """Show what there is of another arm."""
        count = len(arm.wrist_joints)
        for number, slider in enumerate(self.sliders):
            slider.visible = number <= count
            if number <= count:
                slider.label, self._hints[number] = ORIENTATION[count][number]
        self._angles_hint = ANGLES_HINT.format(arm.base_link)
        for field in self._place:
            field.hint = PLACE_HINT.format(arm.base_link)
        self._put_hints()
        for field in self._angles:
            field.visible = count == len(ORIENTATION) - 1
        self._is_typing = self._turned = False
        self._asked = None

    def heed(self, settings: Settings, follows: bool) -> None:
        """Let the orientation be changed as long as it counts; say whether the arm `follows`."""
        label, hint = GO if follows else PUT
        if self._button.label != label:
            self._button.label, self._button.hint = label, hint
        counts = settings.orientation_mode != 'free'
        if counts is self._counts:
            return
        self._counts, self._turned = counts, False
        for control in (*self.sliders, *self._angles):
            control.disabled = not counts
        self._put_hints()

    def _put_hints(self) -> None:
        for slider, hint in zip(self.sliders, self._hints):
            slider.hint = hint if self._counts else FREE_HINT
        for field in self._angles:
            field.hint = self._angles_hint if self._counts else FREE_HINT

    def turns(self, arm: RobotArm) -> targets.Sliders | None:
        """Where the sliders are; None if one is no number."""
        degrees = [slider.value for slider in self.sliders[: 1 + len(arm.wrist_joints)]]
        if not all(map(math.isfinite, degrees)):
            return None
        phi, *wrist = map(math.radians, degrees)
        return targets.Sliders(phi, tuple(wrist))

    def turn_to(self, arm: RobotArm, target: Target, asked: bool = True) -> None:
        """Put the sliders where they are for a target.

        If nobody has `asked` for its orientation, what was asked for before is kept.
        """
        if asked:
            self._asked = None
        elif self._asked is None:
            self._asked = self.turns(arm)
        self._put(targets.sliders_of(arm, target))

    def asked(self, arm: RobotArm) -> targets.Sliders | None:
        """What somebody has asked for, where the sliders go back to; None if it is no number."""
        if self._asked is not None:
            self._put(self._asked)
        self._asked = None
        return self.turns(arm)

    def _put(self, turns: targets.Sliders) -> None:
        phi, wrist = turns
        for slider, angle in zip(self.sliders, (phi, *wrist)):
            slider.value = round(math.degrees(angle), 1)

    def show(self, position: Point3, rotation: Matrix | None) -> None:
        """Show where the target is, unless somebody is typing."""
        self._rotation = rotation if self._angles[0].visible else None
        if self._is_typing:
            return
        angles = () if rotation is None else (math.degrees(one) for one in rpy_of(rotation))
        for field, value in zip((*self._place, *self._angles), (*position, *angles)):
            digits = 3 if field in self._place else 1
            text = f'{round(value, digits) + 0.0:.{digits}f}'.rstrip('0').rstrip('.')
            if field.value != text:
                field.value = text

    def moved(self) -> None:
        """The target was moved otherwise: what was typed and not sent is forgotten."""
        self._is_typing = self._turned = False

    async def _typing(self, event: Any) -> None:
        if event.client is not None:
            self._is_typing = True

    async def _turning(self, event: Any) -> None:
        if event.client is not None:
            self._is_typing = self._turned = True

    async def _submitted(self, event: Any) -> None:
        turned = self._turned
        texts = [field.value for field in self._place + (self._angles if turned else [])]
        self.moved()
        try:
            x, y, z, *degrees = map(_number, texts)
        except ValueError as error:  # the fields show the target again
            note_no_number(event, str(error), 'a number')
            return
        angles = [math.radians(one) for one in degrees]
        rotation = rotation_of(*angles) if turned else self._rotation
        self._on_typed(Typed((x, y, z), rotation, turned))

    async def _slid(self, event: Any) -> None:
        if event.client is not None:
            self._asked = None
            self._on_turned()


def _number(text: str) -> float:
    """The finite number that a text is; else ValueError with the text."""
    try:
        number = float(text.replace(',', '.'))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def rotation_of(roll: float, pitch: float, yaw: float) -> Matrix:
    """The orientation (3x3) of angles about the fixed axes x, y, z [rad]."""
    about_x, about_y, about_z = np.eye(3)
    tilted = rotation_about(about_y, pitch) @ rotation_about(about_x, roll)
    turned: Matrix = rotation_about(about_z, yaw) @ tilted
    return turned


def rpy_of(rotation: Matrix) -> Point3:
    """Roll, pitch and yaw of an orientation (3x3) [rad]; straight up or down, the yaw is 0."""
    (a, b, _), (d, e, _), (g, h, i) = rotation.tolist()
    level = math.hypot(a, d)
    pitch = math.atan2(-g, level)
    if level < GIMBAL:
        return math.atan2(-b * math.copysign(1.0, g), e), pitch, 0.0
    return math.atan2(h, i), pitch, math.atan2(d, a)
