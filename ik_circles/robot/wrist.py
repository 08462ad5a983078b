# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The wrist of a robot: which joints after the three are solved with them, and which are not."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import Limits, wrap
from ik_circles.geometry.rigid import Matrix, angle_between_lines, cross_product
from ik_circles.geometry.tolerances import EXACT_AXES
from ik_circles.reasons import JointLabel
from ik_circles.robot.search import ALLOWED, AXIS_TOLERANCE
from ik_circles.robot.tree import TURNING, PlacedJoint
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.wrist import Wrist

#: Two axes count as meeting if they are this close, as a share of the arm's reach: vendors round.
MEETING = 1e-4


class WristJoints(NamedTuple):
    """The joints of a wrist, and why the joint after them is not part of it."""

    joints: tuple[PlacedJoint, ...]
    why_no_more: str


def wrist_joints(after: Sequence[PlacedJoint], normal: Matrix, reach: float) -> WristJoints:
    """The wrist among the joints after the three, judged with all of them at 0.

    `normal` is the normal of the arm's plane, and `reach` is the total length of the links [m].
    """
    if not after:
        return WristJoints((), '')
    first = after[0]
    if not _rotates(first):
        return WristJoints((), _why_not_turning(first))
    lean = math.pi / 2.0 - angle_between_lines(first.axis, normal)
    if lean > AXIS_TOLERANCE:
        return WristJoints(
            (),
            f'its axis is {math.degrees(lean):.3g} deg from being perpendicular to those of the '
            f'three; {ALLOWED}',
        )
    if len(after) == 1:
        return WristJoints((first,), '')
    why = _why_no_second(first, after[1], reach)
    if why:
        return WristJoints((first,), why)
    return WristJoints((first, after[1]), 'a wrist has two joints at most')


def _why_no_second(first: PlacedJoint, second: PlacedJoint, reach: float) -> str:
    """Why a joint is not the second joint of a wrist; '' if it is."""
    if not _rotates(second):
        return _why_not_turning(second)
    lean = math.pi / 2.0 - angle_between_lines(second.axis, first.axis)
    if lean > AXIS_TOLERANCE:
        return (
            f'its axis is {math.degrees(lean):.3g} deg from being perpendicular to that of '
            f'{first.joint.name}; {ALLOWED}'
        )
    apart = _apart(first, second)
    if apart > MEETING * reach:
        return (
            f'its axis misses that of {first.joint.name} by {1000.0 * apart:.3g} mm; '
            f'at most {1000.0 * MEETING * reach:.2g} mm is allowed'
        )
    return ''


def _apart(first: PlacedJoint, second: PlacedJoint) -> float:
    """The distance between two axes that are nearly perpendicular [m]."""
    across = cross_product(first.axis, second.axis)
    return abs(float(across @ (second.position - first.position)))


def _rotates(one: PlacedJoint) -> bool:
    """Whether a joint can be commanded and turns."""
    return one.joint.type in TURNING and not one.joint.mimic


def _why_not_turning(one: PlacedJoint) -> str:
    return 'it follows another joint' if one.joint.mimic else 'it does not turn'


def center_of(joints: Sequence[PlacedJoint], tip: Matrix) -> Matrix:
    """The wrist center in the base (3,) [m]: where two axes meet, or the point of a single axis
    nearest to the tip."""
    first = joints[0]
    if len(joints) == 1:
        along = float(first.axis @ (tip - first.position))
    else:  # the point of the first axis that is nearest to the second
        second = joints[1]
        across = cross_product(first.axis, second.axis)
        to_second = second.position - first.position
        along = float(np.linalg.det([to_second, second.axis, across]) / (across @ across))
    center: Matrix = first.position + along * first.axis
    return center


def error_of(joints: Sequence[PlacedJoint], normal: Matrix) -> tuple[float, float]:
    """How far the axes of a wrist are from being perpendicular [rad], and from meeting [m]."""
    first = joints[0]
    lean, apart = math.pi / 2.0 - angle_between_lines(first.axis, normal), 0.0
    if len(joints) == 2:
        second = joints[1]
        lean += math.pi / 2.0 - angle_between_lines(second.axis, first.axis)
        apart = _apart(first, second)
    return (lean if lean > EXACT_AXES else 0.0), (apart if apart > EXACT_AXES else 0.0)


def wrist_of(
    joints: Sequence[PlacedJoint],
    plane: ArmPlane,
    phi_at_zero: float,
    tip_pose: Matrix,
    center: Matrix,
    limits: tuple[Limits, ...],
) -> Wrist:
    """The wrist in the plane's axes, with all joints at 0 and the last link at `phi_at_zero` [rad].
    """
    axes, rotation = plane.pose[:3, :3], tip_pose[:3, :3]
    across, up = _outwards_and_along(plane)
    frame = np.column_stack((across, up, axes[:, 2]))
    # The first axis in the plane, then the direction across it in the plane, then the normal.
    first = joints[0].axis - axes[:, 2] * (axes[:, 2] @ joints[0].axis)
    first /= np.linalg.norm(first)
    wrist_axes = np.column_stack((first, cross_product(axes[:, 2], first), axes[:, 2]))
    chi_at_zero = math.atan2(up @ first, across @ first)
    first_at_zero = 0.0
    if len(joints) == 2:
        _, aside, off = wrist_axes.T @ joints[1].axis
        first_at_zero = math.atan2(off, aside)
    cosine, sine = math.cos(first_at_zero), math.sin(first_at_zero)
    tilted = np.array([[1.0, 0.0, 0.0], [0.0, cosine, -sine], [0.0, sine, cosine]])
    return Wrist(
        limits=limits,
        labels=tuple(JointLabel(one.joint.name) for one in joints),
        center=rotation.T @ (center - tip_pose[:3, 3]),
        before=frame.T,
        after=rotation.T @ wrist_axes @ tilted,
        first_at_zero=first_at_zero,
        phi_at_zero=wrap(phi_at_zero - chi_at_zero),
    )


def _outwards_and_along(plane: ArmPlane) -> tuple[Matrix, Matrix]:
    """Directions in the plane: away from the yaw axis and along it; x and y without a yaw joint."""
    x, y = plane.pose[:3, 0], plane.pose[:3, 1]
    along_x, along_y = plane.yaw.along if plane.yaw else (0.0, 1.0)
    return along_y * x - along_x * y, along_x * x + along_y * y
