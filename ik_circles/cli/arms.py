# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm that a command is about: from a URDF, or from link lengths."""

import sys
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ik_circles.cli import orientation
from ik_circles.errors import InvalidArmError
from ik_circles.geometry import joint_values
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Matrix
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import JointPositions
from ik_circles.planar.selection import turned_to
from ik_circles.planar.verdict import Reachability
from ik_circles.robot.arm import NamedPositions, RobotAnswer, RobotArm
from ik_circles.robot.load import load_arm
from ik_circles.robot.shipped import file_of

EITHER = 'give either a URDF file or --lengths'


class GivenArm(NamedTuple):
    """The planar arm, and if a URDF was given, the robot's arm that it belongs to.

    Joint positions of a robot's arm are given by name; otherwise they are three angles [rad].
    """

    planar: PlanarArm
    arm: RobotArm | None

    def check(
        self,
        target: Sequence[float],
        phi: float | None = None,
        rotation: Matrix | None = None,
        option: str = '--target',
    ) -> Reachability | RobotAnswer:
        """The verdict on a target: x, y for lengths, or x, y, z in base_link for a robot [m]. It
        may have a phi [rad], or for a robot the orientation of tip_link (3x3)."""
        wanted = 2 if self.arm is None else 3
        if len(target) != wanted:
            what = 'x y for an arm of lengths' if wanted == 2 else 'x y z in base_link for a robot'
            raise InvalidArmError(f'{option} has {len(target)} numbers; give {what}')
        if self.arm is not None:
            return self.arm.check_reachability(target, phi, rotation=rotation)
        if rotation is not None:
            raise InvalidArmError('an arm of lengths moves in its plane; give its target --phi')
        return self.planar.check_reachability(target[0], target[1], phi)

    def solve(self, target: Sequence[float], redundancy: str, z_form_k: float) -> Any:
        """The joint positions that a redundancy policy chooses for a target (see `check`), or None.
        """
        if self.arm is not None:
            return self.arm.solve(target, redundancy=redundancy, z_form_k=z_form_k)
        x, y = target
        return self.planar.solve(x, y, redundancy=redundancy, z_form_k=z_form_k)

    def named(self, positions: Any) -> dict[str, float]:
        """Joint positions by name [rad]."""
        return dict(positions) if self.arm else named_joints(positions)

    @property
    def joints(self) -> Sequence[str]:
        """The names of the commanded joints."""
        return self.arm.commanded_joints if self.arm else list(named_joints(self.planar.home))

    def solutions(
        self, verdict: Any, seed: Mapping[str, float] | None, turns: bool
    ) -> list[NamedPositions]:
        """The solutions of a verdict by name [rad]: with each joint at the turn nearest to the seed
        (or to 0), or at every turn."""
        arm, planar = self.arm, self.planar
        if arm is not None:
            found = verdict.all_near(seed)
            return [one for each in found for one in arm.turns(each)] if turns else found
        start = joint_values.seed(None if seed is None else [*seed.values()], planar.limits)
        near = planar.home if start is None else start
        return [self.named(turned_to(planar, q, near)) for q in verdict.solutions]

    def holding(self, positions: Any) -> 'GivenArm':
        """The same arm, with the wrist and the held joints of a robot at these joint positions."""
        if self.arm is None:
            return self
        held = self.arm.holding(positions)
        return GivenArm(held.arm, held)

    def arm_angles(self, positions: Any) -> JointPositions:
        """Joint positions as angles of the planar arm [rad]."""
        return self.arm.naming.arm_angles(positions) if self.arm else positions

    def places_in_plane(self, target: Sequence[float]) -> list[Point]:
        """The target in the arm's plane [m], for each shoulder that can be turned to it."""
        if self.arm is None:
            return [(target[0], target[1])]
        plane = self.arm.spatial.plane
        turned = [shoulder.point for shoulder, yaws in plane.shoulders(target) if yaws]
        return turned or [plane.seen_at(target)]


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments that describe an arm."""
    parser.add_argument(
        'urdf', nargs='?', help='URDF file of the robot, or a name that `ik-circles robots` lists'
    )
    parser.add_argument('--base-link', help='link at which the arm starts')
    parser.add_argument('--tip-link', help='link that should reach the target')
    parser.add_argument(
        '--lengths', nargs='+', type=float, metavar='METERS',
        help='link lengths instead of a URDF: three, or any number for methods',
    )  # fmt: skip
    parser.add_argument(
        '--limits', nargs='+', type=_limit, metavar='RAD',
        help='lower and upper limit of each joint, with --lengths; None None: it turns without end',
    )  # fmt: skip


def add_floor(parser: ArgumentParser) -> None:
    """The argument for a floor under the arm."""
    parser.add_argument(
        '--floor', type=float, metavar='METERS',
        help='height that no part of the arm may be below: z in base_link of a robot, y for '
        '--lengths',
    )  # fmt: skip


def _limit(text: str) -> float | None:
    """One limit; ValueError if it is neither a number nor None."""
    return None if text == 'None' else float(text)


def add_target(parser: ArgumentParser) -> None:
    """The argument for the target's position."""
    parser.add_argument(
        '--target', nargs='+', type=float, required=True, metavar='METERS',
        help='x y z in base_link of a robot; x y for --lengths',
    )  # fmt: skip


def given_arm(options: Namespace) -> GivenArm:
    """The arm that the arguments describe."""
    if (options.urdf is None) == (options.lengths is None):
        raise InvalidArmError(EITHER)
    height: float | None = getattr(options, 'floor', None)
    if options.lengths is not None:
        lengths: Any = tuple(options.lengths)  # PlanarArm checks how many there are
        floor = None if height is None else Floor(height)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter('always')
            planar = PlanarArm(lengths, limits_of(options), floor)
        for one in said:
            print(f'hint: {one.message}', file=sys.stderr)
        orientation.hint_of('--limits', options.limits or (), 'are')
        return GivenArm(planar, None)
    if options.limits:
        raise InvalidArmError('--limits go with --lengths; a URDF has its own limits')
    file = file_of(options.urdf)
    arm = load_arm(file, options.base_link, options.tip_link, floor=height)
    return GivenArm(arm.arm, arm)


def limits_of(options: Namespace) -> Any:
    """Lower and upper limit of each joint of --lengths [rad]; None without --limits."""
    if options.limits is None:
        return None
    wanted = 2 * len(options.lengths)
    if len(options.limits) != wanted:
        raise InvalidArmError(
            f'--limits has {len(options.limits)} numbers; give the lower and upper limit of each '
            f'joint: {wanted} numbers'
        )
    pairs = zip(options.limits[::2], options.limits[1::2])
    return tuple(None if pair == (None, None) else pair for pair in pairs)


def named_joints(positions: Sequence[float]) -> dict[str, float]:
    """Joint positions [rad] by the names q1, q2 and so on."""
    return {f'q{number}': angle for number, angle in enumerate(positions, 1)}
