"""Where a frame stands in base_link: links of the robot by its kinematics, others through tf2."""

import importlib.util
from collections.abc import Mapping

import numpy as np
from builtin_interfaces.msg import Time as Stamp
from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from rclpy.time import Time
from transforms3d.quaternions import quat2mat

from ik_circles.control.target import Refusal
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm


class Frames:
    """Poses of frames; listens to tf2 where tf2_ros is installed."""

    def __init__(self, node: Node) -> None:
        self._buffer = None
        if importlib.util.find_spec('tf2_ros') is not None:
            import tf2_ros

            self._buffer = tf2_ros.Buffer()
            self._listener = tf2_ros.TransformListener(self._buffer, node)

    def pose_in_base(
        self, chain: RobotArm, frame: str, stamp: Stamp, measured: Mapping[str, float]
    ) -> Matrix:
        """Pose of `frame` in base_link (4x4): of a link of the robot at the measured joint
        positions, else by tf2 at the time `stamp`; Refusal if it is unknown."""
        if frame in chain.frames:
            return chain.frames[frame]
        joints = chain.joints_moving(frame)
        if joints is not None:
            return _moving(chain, frame, joints, measured)
        if frame == '':
            raise Refusal(
                Code.BAD_FRAME, f"the target's frame_id is empty; use '{chain.base_link}'"
            )
        why = 'tf2_ros is not installed'
        if self._buffer is not None:
            import tf2_ros

            try:
                at = Time.from_msg(stamp)
                return _matrix(self._buffer.lookup_transform(chain.base_link, frame, at))
            except (tf2_ros.TransformException, ValueError) as error:  # ValueError: before 1970
                why = f'tf2 says: {error}'
        raise Refusal(
            Code.BAD_FRAME,
            f"the target's frame {frame!r} is unknown ({why}); "
            f'known are {", ".join(sorted(chain.frames))}, and links that joint_states tells of',
        )


def _moving(
    chain: RobotArm, link: str, joints: tuple[str, ...], measured: Mapping[str, float]
) -> Matrix:
    unheard = [name for name in joints if name not in measured]
    if unheard:
        raise Refusal(
            Code.BAD_FRAME,
            f"the target's frame '{link}' is moved by {', '.join(unheard)}, which joint_states "
            'has not told of; publish it, or give the target in a frame that does not move',
        )
    return chain.link_pose(link, measured)


def _matrix(transform: TransformStamped) -> Matrix:
    moved, turned = transform.transform.translation, transform.transform.rotation
    pose = np.eye(4)
    pose[:3, :3] = quat2mat([turned.w, turned.x, turned.y, turned.z])
    pose[:3, 3] = moved.x, moved.y, moved.z
    return pose
