# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Messages about a goal of ~/move_to: how far its motion has got, and how it ended."""

import math
from collections.abc import Callable, Mapping

from transforms3d.quaternions import mat2quat

from ik_circles.action import MoveTo
from ik_circles.control.moves.mover import Ending
from ik_circles.control.moves.playing import Playing
from ik_circles.control.seed import JointMemory
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import degrees_text, meters_text
from ik_circles.robot.arm import RobotArm
from ik_circles.ros.conversions import fill_joints
from ik_circles.ros.unexpected import refused
from ik_circles.spatial.points.ways import TILT_TOLERANCE


def feedback(
    motion: Playing, now: float, arm: RobotArm, measured: Mapping[str, float]
) -> MoveTo.Feedback:
    """How far a motion has got at a time of its clock [s]."""
    away, left = _distance_left(motion, arm, measured), max(motion.time_left(now), 0.0)
    return MoveTo.Feedback(share=motion.share(now), distance_left=away, time_left=left)


def whereabouts(motion: Playing, arm: RobotArm, measured: Mapping[str, float]) -> str:
    """How near to its end a motion has brought the arm, as a sentence."""
    away = _distance_left(motion, arm, measured)
    if math.isnan(away):
        return 'arrived; not all joints of the arm are measured'
    text, turned = f'arrived: the tip is measured {meters_text(away)} from its goal', motion.turned
    if turned <= TILT_TOLERANCE:
        return text
    return f'{text}, with the tool turned by {degrees_text(turned)} from the orientation asked for'


def _distance_left(motion: Playing, arm: RobotArm, measured: Mapping[str, float]) -> float:
    """Distance of the measured tip from where it will end [m]; NaN if nobody knows."""
    end = {**measured, **motion.end}
    here, there = tip(arm.holding(measured), measured), tip(arm.holding(end), end)
    if here is None or there is None:
        return math.nan
    return math.dist(here[:3, 3], there[:3, 3])


def conclude(
    end: Callable[[MoveTo.Result], None],
    ending: Ending,
    model: Callable[[], tuple[RobotArm, JointMemory]],
    now: int,
) -> None:
    """Tell a goal how it ended, and where the arm is at `now` [ns], if there is a model."""
    try:
        told = _result_by(model, ending, now)
    except IkCirclesError:  # the model is gone by now
        told = result(ending, None, {}, now)
    end(told)


@refused
def _result_by(
    model: Callable[[], tuple[RobotArm, JointMemory]], ending: Ending, now: int
) -> MoveTo.Result:
    arm, joints = model()
    return result(ending, arm, joints.measured, now)


def result(
    ending: Ending, arm: RobotArm | None, measured: Mapping[str, float], now: int
) -> MoveTo.Result:
    """How a motion ended, and where the arm is measured at `now` [ns]."""
    told = MoveTo.Result(code=int(ending.code), message=ending.message, share=ending.share)
    stamp = told.reached.header.stamp
    stamp.sec, stamp.nanosec = divmod(now, 10**9)
    told.measured.header.stamp = stamp
    if arm is None:
        return told
    known = {name: measured[name] for name in arm.commanded_joints if name in measured}
    fill_joints(told.measured, known)
    pose = tip(arm, measured)
    if pose is not None:
        told.reached.header.frame_id = arm.base_link
        at, q = told.reached.pose.position, told.reached.pose.orientation
        at.x, at.y, at.z = pose[:3, 3].tolist()
        q.w, q.x, q.y, q.z = mat2quat(pose[:3, :3]).tolist()
    return told


def tip(arm: RobotArm, positions: Mapping[str, float]) -> Matrix | None:
    """Pose of the tip in base_link (4x4); None if not all of its joints are known."""
    if not arm.joints.keys() <= positions.keys():
        return None
    return arm.forward_kinematics({name: positions[name] for name in arm.commanded_joints})
