# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Translates between the arm's angles and the robot's joint positions by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import joint_values
from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.values import quoted
from ik_circles.planar.model import JointPositions
from ik_circles.robot.text import listed, shown, suggested
from ik_circles.robot.tree import RobotTree, UrdfJoint
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.poses.whole import Whole

#: A position farther than this from the limits is not on a limit [rad]: rounding is far less.
CLEAR = 1e-9

NamedPositions = dict[str, float]


class AngleOf(NamedTuple):
    """A commanded joint with the angle `sign * position + offset` in the arm [rad].

    `limits` are the limits of the angle [rad].
    """

    joint: UrdfJoint
    sign: int
    offset: float
    limits: Limits

    def at(self, positions: Mapping[str, float]) -> float:
        """The angle at joint positions by name [rad]; a joint that is not named is at 0."""
        return self.sign * positions.get(self.joint.name, 0.0) + self.offset


class PositionOf(NamedTuple):
    """A commanded joint with the position `sign * (angle - offset)`, inside its `limits` [rad].

    `at_limits` are the positions at the limits of the angle.
    """

    name: str
    sign: int
    offset: float
    limits: Limits
    at_limits: dict[float, float]

    @classmethod
    def of(cls, one: AngleOf) -> 'PositionOf':
        """Make one from a commanded joint."""
        limits = one.joint.lower, one.joint.upper
        at_limits = dict(zip(one.limits, limits[:: one.sign]))
        return cls(one.joint.name, one.sign, one.offset, limits, at_limits)

    def inside(self, position: float, angle: float) -> float:
        """The position for an angle that may be on a limit [rad]."""
        return self.at_limits.get(angle, nearest_in(position, self.limits))


def named_positions(name: str, positions: object) -> Mapping[str, float]:
    """Joint positions by name; InvalidArmError if they are something else."""
    if not isinstance(positions, (dict, Mapping)):  # the abstract class alone takes longer
        raise InvalidArmError(
            f'{name} is {quoted(positions)}; give joint positions by name, '
            'such as dict(zip(arm.commanded_joints, positions))'
        )
    return positions


def positions_in(tree: RobotTree, name: str, positions: object) -> Mapping[str, float]:
    """Positions of joints of a robot by name; InvalidArmError if it has no such joint."""
    known = named_positions(name, positions)
    if known.keys() <= tree.joint_names:
        return known
    unknown = next(one for one in known if one not in tree.joint_names)
    is_name = isinstance(unknown, str)
    said = f"'{shown(unknown)}'" if is_name else quoted(unknown)
    meant = suggested(unknown, tree.movable_joints) if is_name else ''
    raise InvalidArmError(
        f'{name}: the robot has no joint {said}; {meant}its joints are '
        f'{listed([*tree.movable_joints])}'
    )


@dataclass(frozen=True)
class JointNaming:
    """The commanded joints of a robot with their angles: the yaw joint (if any), the three, and the
    wrist joints. `wrist_at` has the positions of a wrist that is held, by name [rad]."""

    tree: RobotTree = field(repr=False, compare=False)
    yaw: AngleOf | None
    three: tuple[AngleOf, AngleOf, AngleOf]
    wrist: tuple[AngleOf, ...] = ()
    wrist_at: NamedPositions = field(default_factory=dict)

    def held_at(self, wrist: NamedPositions, shift: float) -> 'JointNaming':
        """The same naming with the wrist held at these positions [rad]; the angle of the third
        joint is then larger by `shift` [rad]."""
        a, b, third = self.three
        lower, upper = third.limits
        third = third._replace(
            offset=third.offset + shift, limits=(lower + shift, upper + shift)
        )
        return JointNaming(self.tree, self.yaw, (a, b, third), self.wrist, wrist)

    def named(self, configuration: Configuration) -> NamedPositions:
        """A configuration as the robot's joint positions by name [rad], the wrist where it is held.

        Angles inside the arm's limits give positions inside the robot's limits, to the last bit. An
        angle on a limit gives exactly that limit.
        """
        yaw, q = configuration
        return self.named_angles(q if self.yaw is None else (yaw, *q))

    def named_whole(self, whole: Whole) -> NamedPositions:
        """A configuration with the wrist's angles as the robot's joint positions by name [rad]."""
        yaw, q, wrist = whole
        return self.named_angles((*q, *wrist) if self.yaw is None else (yaw, *q, *wrist))

    def named_angles(self, angles: Sequence[float]) -> NamedPositions:
        """The angles of the joints, the yaw joint's first, as joint positions by name [rad].

        If the angles of the wrist are missing, it is where it is held.
        """
        named = self._blank.copy()
        for angle, (name, sign, at_zero, lower, upper) in zip(angles, self._clear):
            position = sign * angle + at_zero
            if not lower < position < upper:
                position = self._positions[name].inside(position, angle)
            named[name] = position
        return named

    def whole(self, positions: Mapping[str, float]) -> Whole:
        """The robot's joint positions by name [rad] as angles, with the wrist's; not named: 0."""
        return Whole(*self.configuration(positions), tuple(one.at(positions) for one in self.wrist))

    def configuration(self, positions: Mapping[str, float]) -> Configuration:
        """The robot's joint positions by name [rad] as a configuration; not named: 0."""
        yaw = self.yaw.at(positions) if self.yaw else 0.0
        return Configuration(yaw, self.arm_angles(positions))

    @cached_property
    def at_zero(self) -> Configuration:
        """The configuration with all of the robot's joints at 0."""
        return self.configuration({})

    def arm_angles(self, positions: Mapping[str, float]) -> JointPositions:
        """The robot's joint positions by name [rad] as the planar arm's angles; not named: 0."""
        at = positions.get
        q1, q2, q3 = [sign * at(joint.name, 0.0) + offset for joint, sign, offset, _ in self.three]
        return q1, q2, q3

    def angles_of_rows(self, positions: Floats) -> Floats:
        """Positions of all commanded joints (N, joints) as angles [rad]."""
        signs, offsets = np.array([(one.sign, one.offset) for one in self._angles]).T
        return np.asarray(positions * signs + offsets)

    def positions_of_rows(self, angles: Floats) -> Floats:
        """Angles (N, joints) as positions of all commanded joints [rad]; see `named`. If the angles
        of the wrist are missing, it is where it is held."""
        found = np.empty((len(angles), len(self.joints)))
        for column, one in enumerate(self._positions.values()):
            name, sign, offset, limits, at_limits = one
            if column >= angles.shape[1]:
                found[:, column] = np.where(np.isnan(angles[:, 0]), np.nan, self.wrist_at[name])
                continue
            angle = angles[:, column]
            found[:, column] = np.clip(sign * (angle - offset), *limits) + 0.0
            for end, position in at_limits.items():
                found[angle == end, column] = position
        return found

    def seed(self, positions: Mapping[str, float] | None) -> Configuration | None:
        """The configuration to stay near to, which must name every commanded joint; None for None.

        A joint without limits may have made any number of turns.
        """
        known = self.known_seed(positions)
        return None if known is None else self.configuration(known)

    def known_seed(
        self, positions: Mapping[str, float] | None, what: str = 'the seed'
    ) -> NamedPositions | None:
        """The positions of all commanded joints as floats; None for None."""
        if positions is None:
            return None
        known = named_positions(what, positions)
        if not self.joints.keys() <= known.keys():
            positions_in(self.tree, what, known)  # a missing one may be misspelled
            missing = [name for name in self.joints if name not in known]
            raise InvalidArmError(
                f'{what} lacks {listed(missing)}; give the position of every commanded joint'
            )
        return self.read_seed(known)

    def read_seed(self, positions: object) -> NamedPositions:
        """The positions of the commanded joints that are named, as floats."""
        known = named_positions('the seed', positions)
        return {
            name: joint_values.position(called, known[name], limits)
            for name, called, limits in self._seed_checks
            if name in known
        }

    @cached_property
    def _seed_checks(self) -> list[tuple[str, str, Limits]]:
        """For each joint: its name, the name of its seed in messages, and its limits [rad]."""
        return [
            (name, f'the seed of {name}', one.angle_limits) for name, one in self.joints.items()
        ]

    @cached_property
    def joints(self) -> dict[str, UrdfJoint]:
        """The commanded joints by name."""
        return {one.joint.name: one.joint for one in self._angles}

    @cached_property
    def yaw_name(self) -> str | None:
        """Name of the yaw joint; None if there is none."""
        return None if self.yaw is None else self.yaw.joint.name

    @cached_property
    def wrist_names(self) -> tuple[str, ...]:
        """Names of the wrist's joints."""
        return tuple(one.joint.name for one in self.wrist)

    @property
    def _angles(self) -> tuple[AngleOf, ...]:
        first = () if self.yaw is None else (self.yaw,)
        return (*first, *self.three, *self.wrist)

    @cached_property
    def _positions(self) -> dict[str, PositionOf]:
        return {one.joint.name: PositionOf.of(one) for one in self._angles}

    # Plain tuples with the values that each angle needs, and a dict to fill, save a third of the
    # time.

    @cached_property
    def _clear(self) -> list[tuple[str, float, float, float, float]]:
        """Name, sign, position at angle 0, and the range that is clear of the limits [rad]."""
        return [
            (name, float(sign), 0.0 - sign * offset, limits[0] + CLEAR, limits[1] - CLEAR)
            for name, (_, sign, offset, limits, _) in self._positions.items()
        ]

    @cached_property
    def _blank(self) -> NamedPositions:
        return {**dict.fromkeys(self._positions, 0.0), **self.wrist_at}
