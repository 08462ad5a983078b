# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A slider for each joint of the robot, which sends that joint to a position."""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from ik_circles.robot.arm import RobotArm
from ik_circles.robot.tree import TURNING, UrdfJoint
from ik_circles.viewer.half_typed import HalfTyped

#: Shortest time between two requests while a slider is dragged [s].
PAUSE = 0.15
#: Time after which a slider that was moved follows the joint again [s]. People need less time
#: between two digits.
HELD_FOR = 2.0
#: The range of a slider whose joint has no limits [deg and mm].
NO_LIMIT, NO_LIMIT_STRAIGHT = 360.0, 1000.0
#: Smallest step [deg or mm].
STEP = 0.1
#: Put between two characters, it keeps the second one from beginning a line.
UNBROKEN = '\N{WORD JOINER}'
#: Millimeters per meter.
MILLI = 1e3


class JointSliders:
    """The sliders of one robot at a time, in a form, so that Enter is noticed.

    `on_move` is called with the positions by name [rad or m] of the joints that should move.
    """

    def __init__(self, gui: Any, form: Any, on_move: Callable[[Mapping[str, float]], None]) -> None:
        self._gui, self._form, self._on_move = gui, form, on_move
        self._form.on_submit(self._submitted)
        self._sliders: dict[str, Any] = {}
        self._joints: Mapping[str, UrdfJoint] = {}
        self._commanded: tuple[str, ...] = ()
        self._touched: dict[str, float] = {}
        self._moved = HalfTyped()
        self._on_the_way: dict[str, float] = {}
        self._next_at = 0.0

    def begin(self, arm: RobotArm) -> None:
        """Show the joints of another robot."""
        for slider in self._sliders.values():
            slider.remove()
        self._commanded, self._joints = arm.commanded_joints, arm.tree.movable_joints
        self._touched, self._on_the_way = {}, {}
        self._moved.forget()
        others = [name for name in self._joints if name not in self._commanded]
        with self._form:
            self._sliders = {name: self._add(name) for name in (*self._commanded, *others)}

    def _add(self, name: str) -> Any:
        joint = self._joints[name]
        lower, upper, unit, step = _range(joint)
        hint = f'Moves {name} alone, from {lower:.4g} to {upper:.4g}{unit}'
        if joint.mimic:
            hint = f'{name} moves with another joint'
        slider = self._gui.add_slider(
            f'{name} {_text(lower)}…{UNBROKEN}{_text(upper)}{unit}',
            lower,
            upper,
            step,
            min(max(0.0, lower), upper),
            marks=(),
            disabled=joint.mimic is not None,
            hint=hint,
        )

        async def slid(event: Any) -> None:
            if event.client is None:
                self._moved.show(name, slider.value)
            else:
                self._touched[name] = time.monotonic()
                self._moved.move(name, slider.value)

        self._moved.show(name, slider.value)
        slider.on_update(slid)
        return slider

    async def _submitted(self, event: Any) -> None:
        self._moved.finish()

    def moved(self) -> None:
        """Forget what was typed and not sent, because the arm was sent somewhere in another way."""
        self._moved.forget()

    def go(self, positions: Mapping[str, float]) -> None:
        """Move these joints of the arm together [rad or m]; earlier requests are dropped."""
        self._next_at = time.monotonic() + PAUSE
        self._on_the_way, self._touched = dict(positions), {}
        self._on_move(positions)

    def show(self, measured: Mapping[str, float], moves: bool) -> None:
        """Follow the measured joints, and send a joint whose slider was moved.

        `moves` says whether a motion is under way.
        """
        now = time.monotonic()
        if now >= self._next_at:
            if name := self._moved.take():
                self._ask(name, now)
            elif not moves:
                self._on_the_way = {}
        for name, slider in self._sliders.items():
            if name not in measured or now - self._touched.get(name, -HELD_FOR) < HELD_FOR:
                continue
            lower, upper, _, step = _range(self._joints[name])
            value = min(max(_shown(self._joints[name], measured[name]), lower), upper)
            value = round(round(value / step) * step, 3) + 0.0
            if slider.value != value:
                slider.value = value

    def _ask(self, name: str, now: float) -> None:
        """Send the joint whose slider was moved. Joints of the arm that are on their way continue;
        any other joint is sent alone."""
        self._next_at = now + PAUSE
        value, joint = float(self._sliders[name].value), self._joints[name]
        if not math.isfinite(value):
            return
        position = math.radians(value) if joint.type in TURNING else value / MILLI
        position = min(max(position, joint.lower), joint.upper)
        if name not in self._commanded:
            self._on_the_way = {}
            self._on_move({name: position})
            return
        self._on_the_way[name] = position
        self._on_move(dict(self._on_the_way))


def _range(joint: UrdfJoint) -> tuple[float, float, str, float]:
    """Limits of a joint's slider, their unit, and its step."""
    if joint.type not in TURNING:
        lower, upper = joint.lower * MILLI, joint.upper * MILLI
        return max(lower, -NO_LIMIT_STRAIGHT), min(upper, NO_LIMIT_STRAIGHT), ' mm', STEP
    lower, upper = math.degrees(joint.lower), math.degrees(joint.upper)
    return max(lower, -NO_LIMIT), min(upper, NO_LIMIT), '°', STEP


def _shown(joint: UrdfJoint, position: float) -> float:
    return math.degrees(position) if joint.type in TURNING else position * MILLI


def _text(value: float) -> str:
    """A limit without decimals or hyphens, because viser breaks lines at points and hyphens."""
    return f'{round(value) + 0:d}'.replace('-', '\N{MINUS SIGN}')
