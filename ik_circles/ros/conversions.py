"""Between messages and plain numbers. Every check of a message's content is here."""

import math
from collections.abc import Collection
from functools import lru_cache

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
from sensor_msgs.msg import JointState
from transforms3d.quaternions import mat2quat

from ik_circles.control.target import Refusal, finite
from ik_circles.geometry.rigid import Rows
from ik_circles.limbs import space
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3, RobotArm, SpatialPose

#: A quaternion's length may differ from 1 by this much before it is refused.
UNIT_TOLERANCE = 0.01
#: One that differs by no more is of length 1.
UNIT_ROUNDING = 1e-9


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
    return space.rows_of((w / length, x / length, y / length, z / length))


def is_ours(message: PoseStamped, chain: RobotArm) -> bool:
    """Whether a pose is as we would tell it: in base_link, with a quaternion of length 1."""
    if message.header.frame_id != chain.base_link:
        return False
    q = message.pose.orientation
    return abs(math.hypot(q.x, q.y, q.z, q.w) - 1.0) <= UNIT_ROUNDING


def fill_pose(
    message: PoseStamped, chain: RobotArm | None, pose: SpatialPose | None, stamp: Time
) -> None:
    """Write the pose of the tip in base_link into a message; without a pose, an empty frame."""
    message.header.stamp = stamp
    if chain is None or pose is None:
        message.header.frame_id, message.pose = '', Pose()
        return
    message.header.frame_id = chain.base_link
    position, orientation = message.pose.position, message.pose.orientation
    position.x, position.y, position.z = pose.x, pose.y, pose.z
    cosine, sine = math.cos(pose.phi / 2.0), math.sin(pose.phi / 2.0)
    (w, x, y, z), (w_pi, x_pi, y_pi, z_pi) = _tip_at_ends(chain)
    quaternion = (
        cosine * w + sine * w_pi,
        cosine * x + sine * x_pi,
        cosine * y + sine * y_pi,
        cosine * z + sine * z_pi,
    )
    if pose.yaw != 0.0:
        quaternion = space.quaternion_product(_turn(chain.yaw_axis, pose.yaw), quaternion)
    orientation.w, orientation.x, orientation.y, orientation.z = quaternion


def _turn(axis: Point3, angle: float) -> space.Quaternion:
    """Quaternion of a turn about a unit vector."""
    sine = math.sin(angle / 2.0)
    return math.cos(angle / 2.0), sine * axis[0], sine * axis[1], sine * axis[2]


@lru_cache(maxsize=8)
def _tip_at_ends(chain: RobotArm) -> tuple[space.Quaternion, space.Quaternion]:
    """Quaternions of the tip with the tool's orientation at 0 and at pi. Those between follow; to
    find one by an eigenvalue problem is too slow for each pose."""
    w, x, y, z = mat2quat(chain.tool_rotation(0.0)).tolist()
    return (w, x, y, z), space.quaternion_product((0.0, *chain.normal), (w, x, y, z))


def fill_joint_state(message: JointState, positions: NamedPositions, stamp: Time) -> None:
    """Write joint positions by name [rad] into a message."""
    message.header.stamp = stamp
    message.name, message.position = list(positions), list(positions.values())


def positions_of(message: JointState, wanted: Collection[str]) -> NamedPositions:
    """The finite positions of the wanted joints by name; names without a position are left out."""
    return {
        name: position
        for name, position in zip(message.name, message.position)
        if name in wanted and math.isfinite(position)
    }
