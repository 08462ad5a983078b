# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's targets: those that buttons make, their answers, and how the arm's plane shows them.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ik_circles.control.decision import Decision, assess, decide
from ik_circles.control.scenario import scenario_targets
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Matrix, angle_between_rotations
from ik_circles.planar.selection import NEAREST
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.robot.tree import TURNING
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.viewer.state import NOTHING_TURNS, Snapshot, TargetAnswer, Turn

#: Limits of the base that leave out no more than this on each side of a full turn are meant as a
#: full turn, such as 3.14159 [rad].
HAIR = 1e-4
#: A ball that is no farther than this from where it was put has not been moved [m].
SAME_PLACE = 1e-6


class PoseInPlane(NamedTuple):
    """A point in the arm's plane [m], and the tool's orientation there [rad]."""

    point: Point
    phi: float


def beside_a_hair(spatial: SpatialArm, position: Point3, yaw: float = 0.0) -> Point3:
    """A position [m]; if it is where the base's limits leave out a `HAIR`, one just beside it.

    That one is on the side to which the base turns the shorter way from a yaw angle [rad].
    Otherwise the arm would reach for it backwards over its head, with the tool upside down.
    """
    plane = spatial.plane
    shoulders = plane.shoulders(position)
    if plane.yaw is None or not shoulders:
        return position
    (facing, yaws), (lower, upper) = shoulders[0], plane.yaw.limits
    if yaws or math.tau - (upper - lower) > 2.0 * HAIR:
        return position
    end = min((lower, upper), key=lambda one: abs(one - yaw))
    return plane.point_at(*facing.point, end)


def out_of_reach(arm: RobotArm, settings: Settings, target: Target) -> TargetAnswer | None:
    """The answer to a target whose point no motion reaches, with the nearest point; else None."""
    if settings.orientation_mode == 'free':
        target = Target(target.position)
    found = assess(arm, settings, target)
    if found.position_reachable:
        return None
    return TargetAnswer(found.code, found.message, found.nearest and found.nearest[:3])


def answer_of(
    arm: RobotArm,
    settings: Settings,
    target: Target,
    decision: Decision,
    measured: Mapping[str, float],
) -> TargetAnswer:
    """What a page says about a decision on a target, with the joints at `measured`."""
    nearest, command = decision.nearest, decision.command or {}
    return TargetAnswer(
        decision.code,
        decision.message,
        nearest and nearest[:3],
        nearest and arm.tip_rotation(nearest),
        tilt_of(arm, settings, target, command),
        command,
        other_elbow=other_elbow(arm, settings, target, command),
        farthest=farthest_turn(arm, command, measured),
    )


def answered(
    arm: RobotArm, settings: Settings, target: Target, measured: Mapping[str, float]
) -> TargetAnswer:
    """The answer to a target, if the joints start at `measured`."""
    decision = decide(arm, settings, target, measured)
    return answer_of(arm, settings, target, decision, measured)


def would_be(
    arm: RobotArm, settings: Settings, target: Target, measured: Mapping[str, float]
) -> TargetAnswer:
    """The answer to a target that is not sent, so that the arm stays at `measured`."""
    return replace(answered(arm, settings, target, measured), command={})


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
    """The commanded pose in the arm's plane; if nothing was commanded, the requested pose.

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


def tilt_of(
    arm: RobotArm, settings: Settings, target: Target, command: Mapping[str, float]
) -> float:
    """The angle between a command and the orientation of its target [rad]; 0 if the orientation
    does not count."""
    if target.rotation is None or settings.orientation_mode == 'free' or not command:
        return 0.0
    return angle_between_rotations(arm.forward_kinematics(command)[:3, :3], target.rotation)


def other_elbow(
    arm: RobotArm, settings: Settings, target: Target, command: Mapping[str, float]
) -> str:
    """Where the elbow of a command is, 'up' or 'down', if `branch` asks for the other one; else ''.

    For a full pose, `branch` is about the arm up to the wrist center.
    """
    if settings.branch == NEAREST or not command:
        return ''
    counts = target.rotation is not None and settings.orientation_mode != 'free'
    if counts and arm.whole is not None:
        spatial, q = arm.whole.carrier, arm.whole_naming.arm_angles(command)
    else:
        held = arm.holding(command)
        spatial, q = held.spatial, held.naming.arm_angles(command)
    if spatial.is_on_branch(q, settings.policy):
        return ''
    return 'down' if settings.branch == 'elbow_up' else 'up'


def farthest_turn(
    arm: RobotArm, command: Mapping[str, float], measured: Mapping[str, float]
) -> Turn:
    """The joint that a command turns farthest from its measured position."""
    turns = (
        Turn(name, abs(command[name] - measured[name]))
        for name, joint in arm.tree.movable_joints.items()
        if joint.type in TURNING and name in command and name in measured
    )
    return max(turns, key=lambda turn: turn.angle, default=NOTHING_TURNS)


def nearest_shoulder(arm: RobotArm, point: Point3, measured: Mapping[str, float]) -> Shoulder:
    """The shoulder to which the plane turns the shorter way from its measured angle.

    If the plane cannot be turned to the point, the point is seen from the plane where it is.
    """
    yaw = arm.naming.configuration(measured).yaw
    shoulders = [shoulder for shoulder, _ in arm.spatial.plane.shoulders(point)]
    if not shoulders:
        return Shoulder(yaw, arm.spatial.plane.into(point)[:2])
    return min(shoulders, key=lambda shoulder: abs(wrap(shoulder.yaw - yaw)))


class PlaneDrag:
    """Keeps a target that is dragged in the plane view in one plane.

    Close to the yaw axis, the plane through the target would turn with every step.
    """

    def __init__(self) -> None:
        self._place, self._yaw = (math.inf, 0.0, 0.0), 0.0

    def to(
        self, point: Point, arm: RobotArm, target: Point3, measured: Mapping[str, float]
    ) -> Point3:
        """A point of the plane, in space [m]. The plane is that of the target, unless the target
        was dragged to where it is."""
        if math.dist(self._place, target) > SAME_PLACE:
            self._yaw = nearest_shoulder(arm, target, measured).yaw
        self._place = arm.spatial.plane.point_at(*point, self._yaw)
        return self._place


def point_of(values: Matrix) -> Point3:
    """Three numbers of an array as a point."""
    x, y, z = map(float, values)
    return x, y, z
