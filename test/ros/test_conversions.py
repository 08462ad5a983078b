# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses as messages, beside the full kinematics of the shipped arms."""

import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='no ROS 2 is installed or sourced')
# isort: split
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from transforms3d.quaternions import quat2mat

from ik_circles import load_arm
from ik_circles.control.target import Target
from ik_circles.robot.arm import SpatialPose
from ik_circles.ros.conversions import fill_pose, fill_target

ARMS = sorted((Path(__file__).parents[2] / 'urdf').glob('*.urdf'))
POSES = 300


@pytest.mark.parametrize('file', ARMS, ids=lambda file: file.stem)
def test_a_pose_is_told_as_the_joints_have_it(file: Path) -> None:
    arm = load_arm(file.read_text())
    rng = np.random.default_rng(4)
    message = PoseStamped()
    for angles in rng.uniform(-math.pi, math.pi, (POSES, 4)):
        q1, q2, q3, yaw = map(float, angles)
        yaw = yaw if arm.spatial.yaw else 0.0
        x, y, phi = arm.arm.forward_kinematics((q1, q2, q3))
        place = arm.spatial.plane.point_at(x, y, yaw)
        fill_pose(message, arm, SpatialPose(*place, phi, yaw), Time())
        at, turned = message.pose.position, message.pose.orientation
        tip = arm.forward_kinematics(_unlimited(arm, (yaw, q1, q2, q3)))
        quaternion = turned.w, turned.x, turned.y, turned.z
        assert math.hypot(*quaternion) == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(quat2mat(quaternion), tip[:3, :3], atol=1e-9)
        np.testing.assert_allclose((at.x, at.y, at.z), tip[:3, 3], atol=1e-9)


def test_an_orientation_is_told_by_its_quaternion() -> None:
    """Also half turns, where w is 0, and turns about an axis, where other numbers are."""
    arm, rng, message = load_arm(ARMS[0].read_text()), np.random.default_rng(5), PoseStamped()
    for number in range(POSES):
        wanted = rng.normal(size=4) * rng.choice([0.0, 1e-9, 1.0], 4)
        wanted[number % 4] += 1.0
        rotation = quat2mat(wanted)
        fill_target(message, arm, Target((0.1, 0.2, 0.3), rotation), Time())
        turned = message.pose.orientation
        quaternion = turned.w, turned.x, turned.y, turned.z
        assert turned.w >= 0.0 and math.hypot(*quaternion) == pytest.approx(1.0, abs=1e-14)
        np.testing.assert_allclose(quat2mat(quaternion), rotation, atol=1e-14)


def _unlimited(arm, angles):
    """Joint positions by name at angles of the arm, without regard to limits."""
    yaw, *q = angles
    named = {
        name: (angle - offset) * sign
        for name, angle, sign, offset in zip(
            arm.joint_names, q, arm.joint_signs, arm.joint_offsets, strict=True
        )
    }
    return {**named, arm.yaw_joint: arm.naming.yaw.sign * yaw} if arm.yaw_joint else named
