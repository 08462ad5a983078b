# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An SO-101 as LeRobot has it: its motors in their order, degrees, and the gripper behind."""

import numpy as np
from three_joints import shipped_text

from ik_circles.bridges.lerobot import RobotKinematics

SOLVED = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll']
MOTORS = [*SOLVED, 'gripper']  # list(robot.bus.motors) of LeRobot's SO-101
GRIPPER = 42.0
CLOSED = 1e-9

JAW = """
  <link name="moving_jaw_so101_v1_link"/>
  <joint name="gripper" type="revolute">
    <parent link="gripper_link"/>
    <child link="moving_jaw_so101_v1_link"/>
    <axis xyz="0 0 1"/>
    <limit lower="-0.174533" upper="1.74533" effort="10" velocity="10"/>
  </joint>
</robot>"""


def file_with_jaw(folder):
    """The file of an SO-101 whose URDF has the gripper, as the vendor's has."""
    file = folder / 'so101.urdf'
    file.write_text(shipped_text('so101').replace('</robot>', JAW))
    return str(file)


def with_motors(file):
    """As LeRobot's scripts make it: joint_names=list(robot.bus.motors)."""
    return RobotKinematics(file, 'gripper_frame_link', MOTORS)


def limits_of(kinematics):
    joints = kinematics.arm.joints
    return np.degrees([(joints[name].lower, joints[name].upper) for name in SOLVED]).T


def anywhere(kinematics, rng):
    """Joint positions inside the limits [deg], and the gripper."""
    return np.append(rng.uniform(*limits_of(kinematics)), GRIPPER)


def near(kinematics, rng, now, most):
    """Others within `most` [deg] of them."""
    moved = now[:5] + rng.uniform(-most, most, 5)
    return np.append(np.clip(moved, *limits_of(kinematics)), GRIPPER)
