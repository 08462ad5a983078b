# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Between messages and plain numbers. A message's content is checked here and nowhere else."""

import math
from functools import lru_cache

import numpy as np
from builtin_interfaces.msg import Duration, Time
from geometry_msgs.msg import Pose, PoseStamped, Vector3
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat, qmult, quat2mat

from ik_circles.control.refusals import Refusal
from ik_circles.control.target import Target, finite
from ik_circles.geometry.rigid import Matrix, Rows
from ik_circles.msg import IkStatus
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm, SpatialPose
from ik_circles.robot.text import listed
from ik_circles.ros.given import Given, Numbers4
from ik_circles.spatial.arm import SpatialArm

#: A quaternion whose length differs from 1 by more than this is refused: it is a mistake, such as a
#: missing w. Many quaternions are typed with only three digits.
UNIT_TOLERANCE = 0.01
#: If the length of a quaternion differs from 1 by no more than this, it differs by rounding only.
UNIT_ROUNDING = 1e-9


# --- from messages ---


def nanoseconds(stamp: Time | Duration) -> int:
    """Time since the epoch, or from a start [ns]; negative before it."""
    return int(stamp.sec) * 10**9 + int(stamp.nanosec)


def rotation_of(quaternion: Numbers4) -> Rows:
    """Rotation (3x3); Refusal if a quaternion (w, x, y, z) is not finite or not of length 1."""
    w, x, y, z = quaternion
    length = math.hypot(x, y, z, w)
    if not math.isfinite(length):
        raise Refusal(
            Code.NOT_FINITE,
            f'the target orientation is ({x}, {y}, {z}, {w}); give a finite quaternion',
        )
    if abs(length - 1.0) > UNIT_TOLERANCE:
        raise Refusal(
            Code.ORIENTATION,
            f'the target orientation ({x:.6g}, {y:.6g}, {z:.6g}, {w:.6g}) has length {length:.3g}; '
            'a quaternion (x, y, z, w) has length 1, no rotation is (0, 0, 0, 1)',
        )
    rows: Rows = quat2mat(quaternion).tolist()  # numbers are faster to pass on than an array
    return rows


def positions_of(message: JointState) -> NamedPositions:
    """Joint positions by name [rad or m]; Refusal unless there is one for each name."""
    names, positions = message.name, message.position
    if len(names) != len(positions):
        raise Refusal(
            Code.NOT_FINITE,
            f'{len(names)} joint names with {len(positions)} positions; give one for each',
        )
    if len(set(names)) < len(names):
        raise Refusal(Code.NOT_FINITE, f'a joint is named twice in {listed(names)}; name each once')
    return dict(zip(names, positions))


def turned(rotation: Matrix, vector: Vector3) -> Point3:
    """A vector of a message in base_link; Refusal if it is not finite."""
    x, y, z = (rotation @ (vector.x, vector.y, vector.z)).tolist()
    if not all(map(math.isfinite, (x, y, z))):
        raise Refusal(
            Code.NOT_FINITE,
            f'the velocity is ({vector.x}, {vector.y}, {vector.z}); give finite numbers',
        )
    return x, y, z


def nearest_of(status: IkStatus) -> tuple[Point3, Matrix] | tuple[None, None]:
    """Position and orientation (3x3) of the nearest pose of a status; None if it has none."""
    nearest = status.nearest
    if not nearest.header.frame_id:
        return None, None
    at, q = nearest.pose.position, nearest.pose.orientation
    return finite((at.x, at.y, at.z)), np.array(rotation_of((q.w, q.x, q.y, q.z)))


def is_written_as_here(given: Given, arm: RobotArm) -> bool:
    """Whether a pose is written as this node writes poses: in base_link, with a unit quaternion."""
    if given.quaternion is None or given.stamped.frame != arm.base_link:
        return False
    return abs(math.hypot(*given.quaternion) - 1.0) <= UNIT_ROUNDING


# --- into messages ---


def fill_pose(
    message: PoseStamped, arm: RobotArm | None, pose: SpatialPose | None, stamp: Time
) -> None:
    """Write a pose of the tip in base_link into a message; without a pose, an empty frame."""
    if arm is None or pose is None:
        message.header.frame_id, message.header.stamp, message.pose = '', stamp, Pose()
        return
    if pose.wrist:
        turned = _quaternion(arm.tip_rotation(pose))
    else:
        turned = _tip_quaternion(arm, pose.phi, pose.yaw)
    _fill(message, arm, pose[:3], turned, stamp)


def fill_given(message: PoseStamped, arm: RobotArm, given: Given, stamp: Time) -> None:
    """Write a pose that was given in base_link into a message."""
    _fill(message, arm, given.position, given.quaternion, stamp)


def fill_target(message: PoseStamped, arm: RobotArm, target: Target, stamp: Time) -> None:
    """Write a target in base_link into a message."""
    turned = None if target.rotation is None else _quaternion(np.asarray(target.rotation))
    _fill(message, arm, target.position, turned, stamp)


def _fill(
    message: PoseStamped, arm: RobotArm, position: Point3, turned: Numbers4 | None, stamp: Time
) -> None:
    """Write a pose into a message; without a quaternion (w first), the message keeps its own."""
    header, pose = message.header, message.pose
    header.frame_id, header.stamp = arm.base_link, stamp
    at, q = pose.position, pose.orientation
    at.x, at.y, at.z = position
    if turned is not None:
        q.w, q.x, q.y, q.z = turned


def fill_joints(message: JointState, positions: NamedPositions) -> None:
    """Write joint positions by name [rad or m] into a message."""
    message.name, message.position = list(positions), list(positions.values())


def _tip_quaternion(arm: RobotArm, phi: float, yaw: float) -> Numbers4:
    """Quaternion (w, x, y, z) of the tip: turned by phi in the plane, then with the plane by yaw.

    A rotation about an axis mixes a quaternion with the quaternion that is half a turn away.
    """
    c, s = math.cos(phi / 2.0), math.sin(phi / 2.0)
    cosine, sine = math.cos(yaw / 2.0), math.sin(yaw / 2.0)
    w, x, y, z = [
        cosine * (c * still + s * by_phi) + sine * (c * by_yaw + s * by_both)
        for still, by_phi, by_yaw, by_both in _tip_quaternions(arm.spatial)
    ]
    return w, x, y, z


@lru_cache(maxsize=8)
def _tip_quaternions(arm: SpatialArm) -> list[Numbers4]:
    """Four quaternions of the tip: at phi 0 and yaw 0, and half a turn away in phi, in yaw, and in
    both. There is a row for each of w, x, y and z."""
    plane, still = arm.plane, mat2quat(arm.tool.rotation(0.0))
    by_phi = qmult((0.0, *plane.normal), still)
    about_yaw = (0.0, *plane.yaw_axis)
    found = still, by_phi, qmult(about_yaw, still), qmult(about_yaw, by_phi)
    return [*zip(*(one.tolist() for one in found))]


def _quaternion(rotation: Matrix) -> Numbers4:
    """Quaternion (w, x, y, z) of a rotation (3x3), w at least 0."""
    w, x, y, z = mat2quat(rotation).tolist()
    return w, x, y, z
