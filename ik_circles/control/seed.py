# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where the arm is, as far as the node knows: the positions from which the next command starts."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.joint_values import believable, in_degrees
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.robot.text import listed


class Seed(NamedTuple):
    """Known positions of the commanded joints by name [rad], and new warnings about them."""

    positions: NamedPositions
    warnings: list[str]


def complete(
    arm: RobotArm, positions: Mapping[str, float] | None
) -> Mapping[str, float] | None:
    """The positions if every commanded joint is among them, else None."""
    is_known = positions is not None and arm.joints.keys() <= positions.keys()
    return positions if is_known else None


class JointMemory:
    """The latest measured position of every joint of one robot, and the last command."""

    def __init__(self, arm: RobotArm) -> None:
        self.measured: NamedPositions = {}
        self._movable = arm.tree.movable_joints
        self._limits = {name: (one.lower, one.upper) for name, one in arm.joints.items()}
        self._believable = {
            name: believable(*joint.angle_limits) for name, joint in self._movable.items()
        }
        self._last_command: NamedPositions = {}
        self._distrusted: set[str] = set()
        self._silence_said = False

    def hear(self, names: Sequence[str], positions: Sequence[float]) -> str | None:
        """Keep finite positions of this robot's joints; return what is wrong, if anything.

        A joint that is measured in degrees is no longer known: it may be anywhere. A message
        without any positions is not wrong: its sender may publish velocities only.
        """
        problem = None
        for name, position in zip(names, positions):
            if name in self._movable:
                least, most = self._believable[name]
                if least <= position <= most and math.isfinite(position):
                    self.measured[name] = position
                elif not math.isfinite(position):
                    problem = f'{name} is at {position}; give a finite number'
                else:
                    self.measured.pop(name, None)
                    problem = in_degrees(name, position, self._movable[name].angle_limits)
        if len(names) != len(positions) and len(positions) > 0:
            problem = f'{len(names)} names with {len(positions)} positions; give one for each'
        return problem

    def commanded(self, positions: Mapping[str, float]) -> None:
        """Remember a command that was sent."""
        self._last_command.update(positions)

    def take_over(self, before: 'JointMemory') -> None:
        """Remember where the memory of the previous model sent joints that are measured here."""
        for name in self.measured.keys() & before._last_command.keys():
            self._last_command.setdefault(name, before._last_command[name])

    def resting(self, tolerance: float) -> NamedPositions:
        """Where each known joint rests: the place from which a motion begins.

        A joint rests where it was sent, if it is measured within `tolerance` [rad or m] of that
        place: gravity bends an arm a little, and a command from the measured place would not be
        smooth. Otherwise, it rests where it is measured. A joint that is measured past its limit by
        more than `tolerance` is not believed.
        """
        resting = {}
        for name, measured in self.measured.items():
            joint = self._movable[name]
            inside = nearest_in(measured, (joint.lower, joint.upper))
            sent = self._last_command.get(name, math.inf)
            if abs(measured - inside) <= tolerance:
                resting[name] = sent if abs(sent - inside) <= tolerance else inside
        return resting

    def seed(self, tolerance: float) -> Seed:
        """Each commanded joint where it was measured, else where it was sent; unknown ones are left
        out.

        A joint that is past its limit by at most `tolerance` [rad] is treated as at the limit. A
        measurement farther out is not believed. A warning says so, and is not repeated until the
        joint has been inside its limits again. Another warning says, once, that no joint has been
        measured.
        """
        positions, warnings = dict(self._last_command), list[str]()
        for name, (lower, upper) in self._limits.items():
            position = self.measured.get(name)
            if position is None:
                continue
            if lower <= position <= upper:
                positions[name] = position
                self._distrusted.discard(name)
            else:
                self._take_outside(positions, name, tolerance, warnings)
        if not self._silence_said and self.measured.keys().isdisjoint(self._limits):
            self._silence_said = True
            warnings.append(
                f'no joint_states received for {listed([*self._limits])}: commands are chosen near '
                '0, and then near the last command, wherever the arm is; publish joint_states, or '
                'remap the topic'
            )
        return Seed(positions, warnings)

    def _take_outside(
        self, seed: NamedPositions, name: str, tolerance: float, warnings: list[str]
    ) -> None:
        """Take a joint that was measured outside its limits into the seed, if it is believed."""
        measured = self.measured[name]
        inside = nearest_in(measured, self._limits[name])
        past = abs(measured - inside)
        if past <= tolerance:
            seed[name] = inside
        elif name not in self._distrusted:
            self._distrusted.add(name)
            warnings.append(
                f'{name} is measured {math.degrees(past):.1f} deg past its limit of '
                f'{math.degrees(inside):.1f} deg, more than seed_tolerance '
                f'({math.degrees(tolerance):.1f} deg): using the last command as the seed; '
                'check its zero, or raise seed_tolerance'
            )
