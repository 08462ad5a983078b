# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a target with numbers that were checked before, as the node checks its messages.
"""

from collections.abc import Mapping

from ik_circles.robot.model import RobotModel
from ik_circles.robot.pose_verdict import RobotPoseReachability
from ik_circles.robot.verdict import RobotReachability
from ik_circles.spatial.points.ways import Question, Wanted
from ik_circles.spatial.poses.full_pose import FullPose

#: The verdict on a target: for a full pose and an arm with a wrist, the second; else the first.
RobotAnswer = RobotReachability | RobotPoseReachability


def answer_of(
    arm: RobotModel, wanted: Wanted, seed: Mapping[str, float] | None = None
) -> RobotAnswer:
    """The verdict on a target; see `RobotArm.check_reachability`, which checks numbers first.

    A target is looked at from a seed, if there is one [rad], and a full pose from where joints are
    at 0, too: next to limits, rounding may hide all solutions from one of them.
    """
    point, phi, rotation, zones, room, tilt_tolerance = wanted
    if rotation is None or phi is not None or arm.whole is None:
        near = None if seed is None else arm.naming.configuration(seed)
        return RobotReachability(Question(arm.spatial, wanted, near=near), arm.naming)
    margin = 0.0 if zones is None else zones.margin
    start = None if seed is None else arm.whole_naming.whole(seed)
    pose = FullPose(arm.whole, point, rotation, tilt_tolerance, start, margin, room)
    if start is not None and not (pose.is_ordinary or pose.angles):
        pose = FullPose(arm.whole, point, rotation, tilt_tolerance, None, margin, room)
    return RobotPoseReachability(pose, arm.whole_naming, arm.wrist_at)
