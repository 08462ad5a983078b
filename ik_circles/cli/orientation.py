# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientation of a target: phi in the arm's plane, or the orientation of the tip in space."""

import math
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

import numpy as np

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.rigid import Matrix, rotation_about

#: A quaternion is refused if its length differs from 1 by more than this: 0 0 1 1 is a mistake.
#: People often type two digits: 0.7 0 0.7 0 has length 0.99.
UNIT_TOLERANCE = 0.02


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments for the orientation; at most one of them may be given."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        '--phi', type=float, metavar='RAD', help="orientation of the tool in the arm's plane"
    )
    group.add_argument(
        '--rpy', nargs=3, type=float, metavar=('ROLL', 'PITCH', 'YAW'),
        help='orientation of tip_link in base_link, as a URDF has it [rad]; a wrist is solved, too',
    )  # fmt: skip
    group.add_argument(
        '--quaternion', nargs=4, type=float, metavar=('X', 'Y', 'Z', 'W'),
        help='the same as a quaternion',
    )  # fmt: skip


def rotation_in(options: Namespace) -> Matrix | None:
    """The given orientation of tip_link in base_link (3x3); None if none was given."""
    if options.rpy is not None:
        given = zip(('roll', 'pitch', 'yaw'), checks.vector('--rpy', options.rpy, 3))
        return _of_angles(*(checks.angle(f'{name} of --rpy', angle) for name, angle in given))
    if options.quaternion is not None:
        return _of_quaternion(checks.vector('--quaternion', options.quaternion, 4))
    return None


def hint(options: Namespace) -> None:
    """Say so if the given orientation looks like degrees."""
    hint_of('--phi', [options.phi])
    hint_of('--rpy', options.rpy or [])


def hint_of(name: str, angles: Sequence[float | None], verb: str = 'is') -> None:
    """If an angle looks like degrees, say on standard error how many degrees it really is.

    Only the first such angle is mentioned.
    """
    degrees = [(angle, round(math.degrees(angle))) for angle in angles if angle is not None]
    for angle, rounded in [one for one in degrees if abs(one[1]) > 360][:1]:
        print(f'hint: {angle:g} rad is {rounded} deg; {name} {verb} in radians', file=sys.stderr)


def _of_angles(roll: float, pitch: float, yaw: float) -> Matrix:
    """The rotation of a URDF's rpy [rad]: about the fixed axes x, then y, then z."""
    x, y, z = np.eye(3)
    turned: Matrix = rotation_about(z, yaw) @ rotation_about(y, pitch) @ rotation_about(x, roll)
    return turned


def _of_quaternion(quaternion: tuple[float, ...]) -> Matrix:
    length = math.hypot(*quaternion)
    if abs(length - 1.0) > UNIT_TOLERANCE:
        raise InvalidArmError(
            f'--quaternion has length {length:.3g}; a quaternion x y z w has length 1, '
            'no rotation is 0 0 0 1'
        )
    *axis, w = quaternion
    sine = math.hypot(*axis)
    unit = np.divide(axis, sine) if sine else np.array([1.0, 0.0, 0.0])
    return rotation_about(unit, 2.0 * math.atan2(sine, w))
