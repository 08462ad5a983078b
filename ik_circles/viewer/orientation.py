# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The sliders of a target's orientation: what they say, and where they are for a target."""

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ik_circles.control.target import Target
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.rigid import Matrix, angle_between_rotations, rotation_about
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.viewer.targets import beside_a_hair

#: The values of the orientation's sliders [rad], for an arm that faces the target. Without a wrist:
#: the tool's angle in the plane. With a wrist of one joint: the angle of its axis in the plane, and
#: the angle about that axis. With two joints: roll, pitch and yaw of the tip in base_link.
Sliders = tuple[float, ...]
#: Below this, the cosine of a pitch counts as 0: roll and yaw then turn about the same axis.
GIMBAL = 1e-6
#: The sliders represent a target if its orientation differs by no more than this [rad].
SAME_TARGET = 1e-6


def target_at(
    arm: RobotArm,
    position: Point3,
    sliders: Sliders,
    measured: Mapping[str, float] = MappingProxyType({}),
) -> Target:
    """The target at a position [m] with the orientation of the sliders.

    The position is moved by `beside_a_hair`, to the side where the base is `measured`.
    """
    yaw, is_fixed = arm.naming.configuration(measured).yaw, in_base_link(arm)
    spatial, phi = arm.spatial, sliders[0]
    if arm.whole is not None and not is_fixed:
        spatial = arm.whole.arm_at(sliders[1:])
        phi += arm.whole.holding(sliders[1:]).shift
    position = beside_a_hair(spatial, position, yaw)
    if is_fixed:
        return Target(position, rotation_of(*sliders))
    shoulders = spatial.plane.shoulders(position)
    return Target(position, spatial.tool.rotation(phi, shoulders[0][0].yaw if shoulders else 0.0))


def in_base_link(arm: RobotArm) -> bool:
    """Whether the sliders are roll, pitch and yaw in base_link, as behind a wrist of two joints."""
    return len(arm.wrist_joints) > 1


def sliders_of(arm: RobotArm, target: Target) -> Sliders:
    """The values of the sliders for a target; 0 for what it leaves open.

    If the sliders cannot represent its orientation there, they show the nearest one that they can.
    """
    nothing = (0.0,) * slider_count(arm)
    if target.rotation is None:
        return nothing
    if in_base_link(arm):
        return rpy_of(np.asarray(target.rotation))
    if arm.whole is None:
        shoulders = arm.spatial.plane.shoulders(target.position)
        yaw = shoulders[0][0].yaw if shoulders else 0.0
        return (arm.spatial.tool.orientation(target.rotation).angle(yaw),)
    found, least = nothing, math.inf
    for way in FullPose(arm.whole, target.position, target.rotation, math.inf).ways:
        said = (wrap(way.posture.phi), *map(wrap, way.posture.wrist))
        again = target_at(arm, target.position, said).rotation
        off = angle_between_rotations(np.asarray(again), target.rotation)
        if off < least - SAME_TARGET:
            found, least = said, off
    return found


def slider_count(arm: RobotArm) -> int:
    """How many sliders the orientation has."""
    return 1 + len(arm.wrist_joints)


def rotation_of(roll: float, pitch: float, yaw: float) -> Matrix:
    """The orientation (3x3) of angles about the fixed axes x, y, z [rad]."""
    about_x, about_y, about_z = np.eye(3)
    tilted = rotation_about(about_y, pitch) @ rotation_about(about_x, roll)
    turned: Matrix = rotation_about(about_z, yaw) @ tilted
    return turned


def rpy_of(rotation: Matrix) -> Point3:
    """Roll, pitch and yaw of an orientation (3x3) [rad]; if x points straight up or down, yaw is 0.
    """
    (a, b, _), (d, e, _), (g, h, i) = rotation.tolist()
    level = math.hypot(a, d)
    pitch = math.atan2(-g, level)
    if level < GIMBAL:
        return math.atan2(-b * math.copysign(1.0, g), e), pitch, 0.0
    return math.atan2(h, i), pitch, math.atan2(d, a)
