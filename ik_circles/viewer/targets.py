"""The page's targets: made from the slider and the buttons, and seen in the arm's plane."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from ik_circles.control.decision import assess
from ik_circles.control.scenario import scenario_targets
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Matrix
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.spatial.yaw import Shoulder
from ik_circles.viewer.state import Snapshot


class PoseInPlane(NamedTuple):
    """A point in the arm's plane [m], and the tool's orientation there [rad]."""

    point: Point
    phi: float


def target_at(arm: RobotArm, position: Point3, phi: float) -> Target:
    """A target with the tool's orientation `phi` [rad] in the arm's plane, turned to face it."""
    shoulders = arm.spatial.plane.shoulders(position)
    yaw = shoulders[0][0].yaw if shoulders else 0.0
    return Target(position, arm.spatial.tool.rotation(phi, yaw))


def orientation_of(arm: RobotArm, target: Target) -> float:
    """The tool's orientation in the arm's plane [rad] that a target asks for; 0 without one."""
    if target.rotation is None:
        return 0.0
    shoulders = arm.spatial.plane.shoulders(target.position)
    yaw = shoulders[0][0].yaw if shoulders else 0.0
    return arm.spatial.tool.orientation(target.rotation).angle(yaw)


def home_target(arm: RobotArm, settings: Settings) -> Target:
    """The tip's pose with all joints at 0, or the nearest that limits and safe zones allow."""
    pose = arm.forward_kinematics({})
    target = Target(point_of(pose[:3, 3]), pose[:3, :3])
    found = assess(arm, settings, target)
    if found.code in (Code.OK, Code.ORIENTATION) or found.nearest is None:
        return target
    return Target(found.nearest[:3], arm.tip_rotation(found.nearest))


def demo_path(
    arm: RobotArm, settings: Settings, start: Mapping[str, float] | None = None
) -> list[Target]:
    """The finite targets of the demonstration, for an arm whose joints are at `start` [rad]."""
    return [
        Target(wanted.position, wanted.rotation)
        for wanted in scenario_targets(arm, settings, start)
        if all(map(math.isfinite, wanted.position))
    ]


def target_in_plane(arm: RobotArm, snapshot: Snapshot) -> PoseInPlane | None:
    """The pose in the arm's plane that was commanded, else the one that was asked for.

    None without a target.
    """
    target, answer = snapshot.target, snapshot.answer
    if target is None:
        return None
    if answer is not None and answer.code is Code.OK and answer.command:
        pose = arm.arm.forward_kinematics(arm.naming.arm_angles(answer.command))
        return PoseInPlane((pose.x, pose.y), pose.phi)
    shoulder = nearest_shoulder(arm, target.position, snapshot.measured)
    rotation = target.rotation
    tool = arm.spatial.tool
    phi = 0.0 if rotation is None else tool.orientation(rotation).angle(shoulder.yaw)
    return PoseInPlane(shoulder.point, phi)


def nearest_shoulder(arm: RobotArm, point: Point3, measured: Mapping[str, float]) -> Shoulder:
    """The shoulder to which the plane turns the shorter way from where it is measured.

    If the plane cannot be turned to the point, the point as seen from where the plane is.
    """
    yaw = arm.naming.configuration(measured).yaw
    shoulders = [shoulder for shoulder, _ in arm.spatial.plane.shoulders(point)]
    if not shoulders:
        return Shoulder(yaw, arm.spatial.plane.into(point)[:2])
    return min(shoulders, key=lambda shoulder: abs(wrap(shoulder.yaw - yaw)))


def point_of(values: Matrix) -> Point3:
    """Three numbers of an array as a point."""
    x, y, z = map(float, values)
    return x, y, z
