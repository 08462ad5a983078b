"""Between messages and plain numbers. A message's content is checked here and nowhere else."""

import math
from collections.abc import Collection
from functools import lru_cache
from typing import Protocol

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
from numpy.typing import NDArray
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat, qmult, quat2mat

from ik_circles.control.target import Refusal, finite
from ik_circles.geometry.rigid import Rotation, Rows
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm, SpatialPose

#: A quaternion whose length differs more than this from 1 is refused: it is a mistake, such as
#: one without w. Many are typed with three digits.
UNIT_TOLERANCE = 0.01
#: A quaternion whose length differs no more than this from 1 differs by rounding only.
UNIT_ROUNDING = 1e-9


class Placed(Protocol):
    """What has a place, and an orientation (3x3) if that counts."""

    @property
    def position(self) -> Point3:
        """Position [m]."""

    @property
    def rotation(self) -> Rotation | None:
        """Rotation matrix (3x3), None if the orientation does not count."""


# --- from messages ---


def nanoseconds(stamp: Time) -> int:
    """Time since the epoch [ns]; negative before it."""
    return int(stamp.sec) * 10**9 + int(stamp.nanosec)


def position_of(point: Point) -> Point3:
    """Position [m]; Refusal if it is not finite."""
    return finite((point.x, point.y, point.z))


def rotation_of(quaternion: Quaternion) -> Rows:
    """Rotation (3x3); Refusal if the quaternion is not finite or not of length 1."""
    x, y, z, w = quaternion.x, quaternion.y, quaternion.z, quaternion.w
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
    rows: Rows = quat2mat((w, x, y, z)).tolist()  # it normalizes
    return rows


def positions_of(message: JointState, wanted: Collection[str]) -> NamedPositions:
    """The finite positions of the wanted joints by name; names without a position are left out."""
    return {
        name: position
        for name, position in zip(message.name, message.position)
        if name in wanted and math.isfinite(position)
    }


def is_written_as_here(message: PoseStamped, arm: RobotArm) -> bool:
    """Whether a pose is written as this node writes one: in base_link, with a unit quaternion."""
    if message.header.frame_id != arm.base_link:
        return False
    q = message.pose.orientation
    return abs(math.hypot(q.x, q.y, q.z, q.w) - 1.0) <= UNIT_ROUNDING


# --- into messages ---


def fill_pose(
    message: PoseStamped, arm: RobotArm | None, pose: SpatialPose | None, stamp: Time
) -> None:
    """Write a pose of the tip in base_link into a message; without a pose, an empty frame."""
    message.header.stamp = stamp
    if arm is None or pose is None:
        message.header.frame_id, message.pose = '', Pose()
        return
    message.header.frame_id = arm.base_link
    _fill_position(message, (pose.x, pose.y, pose.z))
    _fill_orientation(message, _tip_quaternion(arm, pose.phi, pose.yaw))


def fill_target(message: PoseStamped, arm: RobotArm, target: Placed, stamp: Time) -> None:
    """Write a target in base_link into a message."""
    message.header.frame_id, message.header.stamp = arm.base_link, stamp
    _fill_position(message, target.position)
    if target.rotation is not None:
        _fill_orientation(message, mat2quat(np.asarray(target.rotation)))


def fill_joint_state(message: JointState, positions: NamedPositions, stamp: Time) -> None:
    """Write joint positions by name [rad] into a message."""
    message.header.stamp = stamp
    message.name, message.position = list(positions), list(positions.values())


def _fill_position(message: PoseStamped, position: Point3) -> None:
    at = message.pose.position
    at.x, at.y, at.z = position


def _fill_orientation(message: PoseStamped, quaternion: NDArray[np.float64]) -> None:
    """Write a quaternion (w, x, y, z) into a message."""
    turned = message.pose.orientation
    turned.w, turned.x, turned.y, turned.z = quaternion.tolist()


def _tip_quaternion(arm: RobotArm, phi: float, yaw: float) -> NDArray[np.float64]:
    """Quaternion (w, x, y, z) of the tip: turned by phi in the plane, then with it by yaw."""
    turned = qmult(_turn(arm.spatial.plane.normal, phi), _tip_at_zero(arm))
    return turned if yaw == 0.0 else qmult(_turn(arm.spatial.plane.yaw_axis, yaw), turned)


def _turn(axis: Point3, angle: float) -> tuple[float, float, float, float]:
    """Quaternion (w, x, y, z) of a turn about a unit vector; axangle2quat takes 2 us longer."""
    sine = math.sin(angle / 2.0)
    return math.cos(angle / 2.0), sine * axis[0], sine * axis[1], sine * axis[2]


@lru_cache(maxsize=8)
def _tip_at_zero(arm: RobotArm) -> tuple[float, float, float, float]:
    """Quaternion (w, x, y, z) of the tip at phi and yaw 0. Cached: it is an eigenvalue problem."""
    w, x, y, z = mat2quat(arm.spatial.tool.rotation(0.0)).tolist()
    return w, x, y, z
