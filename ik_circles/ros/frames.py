# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses of frames in base_link: links of the robot by its kinematics, other frames through tf2."""

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from rclpy.clock import ClockType, JumpThreshold
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.time import Time
from transforms3d.quaternions import quat2mat

from ik_circles.control.refusals import NotYet, Refusal
from ik_circles.control.target import Target, finite
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.text import listed, shown, suggested
from ik_circles.ros.conversions import rotation_of
from ik_circles.ros.given import Given

#: A clock counts as set back by any time, however short: a simulation starts anew.
BACK = JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1))


class Frames:
    """Reads targets in any frame; listens to tf2 if tf2_ros is installed.

    `on_transforms` is called whenever transforms have come.
    """

    def __init__(self, node: Node, on_transforms: Callable[[], None]) -> None:
        self._buffer: Any = None
        if importlib.util.find_spec('tf2_ros') is not None:
            import tf2_ros

            class Listener(tf2_ros.TransformListener):
                def callback(self, data: object) -> None:
                    super().callback(data)
                    on_transforms()

            self._buffer = tf2_ros.Buffer()
            self._listener = Listener(self._buffer, node)
            # tf2 takes no transform that is older than those of before by more than its memory.
            self._set_back = node.get_clock().create_jump_callback(
                BACK, post_callback=lambda jump: self._buffer.clear()
            )

    def target(
        self,
        arm: RobotArm,
        measured: Mapping[str, float],
        given: Given,
        with_orientation: bool,
    ) -> Target:
        """The target in base_link; Refusal if it is unusable, NotYet if a transform may still come.
        """
        stamped, position, quaternion = given
        position, rotation = finite(position), None
        if quaternion is not None and with_orientation:
            rotation = rotation_of(quaternion)
        if stamped.frame == arm.base_link:
            return Target(position, rotation)
        frame = self.pose_in_base(arm, stamped.frame, stamped.nanoseconds, measured)
        x, y, z = map(float, frame[:3, :3] @ position + frame[:3, 3])
        turned = None if rotation is None else np.asarray(frame[:3, :3] @ rotation)
        return Target(finite((x, y, z)), turned)

    def pose_in_base(
        self, arm: RobotArm, frame: str, stamp: int, measured: Mapping[str, float]
    ) -> Matrix:
        """Pose of `frame` in base_link (4x4).

        A link of the robot is placed by the measured joint positions, any other frame by tf2 at the
        time `stamp` [ns]. Refusal if the frame is unknown, NotYet if its transform at that time has
        not come yet.
        """
        if frame in arm.frames:
            return arm.frames[frame]
        joints = arm.joints_moving(frame)
        if joints is not None:
            known = arm.tree.with_followers(measured)
            unheard = [name for name in joints if name not in known]
            if not unheard:
                return arm.link_pose(frame, measured)
            raise Refusal(
                Code.BAD_FRAME,
                f"no joint_states received for {', '.join(unheard)}, which the target's frame "
                f"'{frame}' moves with; publish joint_states, or give the target in a frame that "
                'does not move',
            )
        if frame == '':
            raise Refusal(Code.BAD_FRAME, f"the target's frame_id is empty; use '{arm.base_link}'")
        problem = 'unknown (tf2_ros is not installed)'
        if self._buffer is not None:
            found = self._by_tf2(arm.base_link, frame, stamp)
            if not isinstance(found, str):
                return found
            problem = found
        links = dict.fromkeys((arm.base_link, arm.tip_link, *arm.tree.links))
        raise Refusal(
            Code.BAD_FRAME,
            f"the target's frame '{shown(frame)}' is {problem}; {suggested(frame, links)}"
            f'the links of the robot are {listed([*links])}',
        )

    def _by_tf2(self, base: str, frame: str, stamp: int) -> Matrix | str:
        """Pose of `frame` in `base` (4x4) at the time `stamp` [ns], or why there is none."""
        import tf2_ros

        if stamp < 0:
            raise Refusal(
                Code.BAD_FRAME,
                "the target's stamp is before 1970; use the stamp 0 for the newest transform",
            )
        try:
            at = Time(nanoseconds=stamp, clock_type=ClockType.ROS_TIME)
            return _matrix(self._buffer.lookup_transform(base, frame, at))
        except tf2_ros.ExtrapolationException as error:
            raise self._beyond(base, frame, stamp, error) from None
        except tf2_ros.ConnectivityException as error:
            return f"not connected with '{base}' ({_said(error)})"
        except tf2_ros.TransformException as error:
            return f'unknown ({_said(error)})'

    def _beyond(self, base: str, frame: str, stamp: int, error: Exception) -> Refusal:
        """Why a known frame has no transform at the time `stamp` [ns]: that is too new, or too old.
        """
        newest = self._buffer.get_latest_common_time(base, frame)
        behind = (stamp - newest.nanoseconds) * 1e-9
        if behind > 0.0:
            return NotYet(
                Code.BAD_FRAME,
                f"the target's frame {frame!r} has no transform at the target's stamp yet: the "
                f'newest one is {behind:.3g} s older, and transform_timeout is over; raise it, '
                'check the clocks, or use the stamp 0 for the newest transform',
            )
        return Refusal(
            Code.BAD_FRAME,
            f"the target's frame {frame!r} has no transform at the target's stamp any more "
            f'({_said(error)}); use a newer stamp, or 0 for the newest transform',
        )


def _said(error: Exception) -> str:
    """What tf2 says, as part of a sentence: tf2's own message ends with a period and a space."""
    return f'tf2 says: {str(error).rstrip(". ")}'


def _matrix(transform: TransformStamped) -> Matrix:
    moved, turned = transform.transform.translation, transform.transform.rotation
    pose = np.eye(4)
    pose[:3, :3] = quat2mat([turned.w, turned.x, turned.y, turned.z])
    pose[:3, 3] = moved.x, moved.y, moved.z
    return pose
