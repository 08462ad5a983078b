# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a ros2_control controller is sent: its joints in its order, and the time to get there."""

import math
import re
from dataclasses import replace

import pytest
from three_joints import shipped_arm, shipped_text

from ik_circles import load_arm
from ik_circles.control.controllers import (
    SHORTEST_TIME,
    UNKNOWN_STEP,
    check_controller_joints,
    duration,
    goal_of,
)
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.errors import InvalidSettingError

PLANAR_3R = shipped_text('planar_3r')
ARM = shipped_arm('planar_3r')
SPATIAL = shipped_arm('open_manipulator_x')
SHOULDER, ELBOW, WRIST = ARM.joint_names
STRAIGHT = dict.fromkeys(ARM.joint_names, 0.0)


def test_the_controller_gets_its_joints_in_its_order():
    joints = (WRIST, SHOULDER, ELBOW)
    settings = Settings(command_interface='position_array', controller_joints=joints)
    command = {SHOULDER: 0.1, ELBOW: 0.2, WRIST: 0.3}
    goal = goal_of(settings, ARM, command, STRAIGHT, {})
    assert list(goal.positions.items()) == [(WRIST, 0.3), (SHOULDER, 0.1), (ELBOW, 0.2)]
    own = goal_of(replace(settings, controller_joints=()), ARM, command, STRAIGHT, {})
    assert own.positions == command
    assert goal_of(Settings(controller_joints=joints), ARM, command, STRAIGHT, {}) is None


@pytest.mark.parametrize('interface', ['trajectory', 'position_array'])
def test_joints_that_are_not_commanded_stay_where_they_were_measured(interface):
    joints = ('gripper_left_joint', *SPATIAL.commanded_joints)
    settings = Settings(command_interface=interface, controller_joints=joints)
    command = dict.fromkeys(SPATIAL.commanded_joints, 0.1)
    goal = goal_of(settings, SPATIAL, command, {}, {joints[0]: 0.01, joints[1]: 9.0})
    assert list(goal.positions.values()) == [0.01, *[0.1] * len(command)]
    words = 'no joint_states received for gripper_left_joint, which controller_joints lists'
    with pytest.raises(Refusal, match=words):
        goal_of(settings, SPATIAL, command, {}, {})


@pytest.mark.parametrize(
    ('joints', 'words'),
    [
        ((SHOULDER, ELBOW), f'lacks {WRIST}; it must have every commanded joint'),
        ((SHOULDER, ELBOW, WRIST, 'moon'), "names 'moon', which is not a movable joint of"),
    ],
)
def test_controller_joints_must_fit_the_robot(joints, words):
    with pytest.raises(InvalidSettingError, match=words):
        check_controller_joints(Settings(controller_joints=joints), ARM)
    check_controller_joints(Settings(), ARM)


def test_a_goal_takes_as_long_as_its_slowest_joint():
    command = {SHOULDER: 1.0, ELBOW: -1.0, WRIST: 0.3}  # at 2, 2.5 and 3 rad/s
    assert duration(ARM, command, STRAIGHT) == pytest.approx(0.5)
    assert duration(ARM, STRAIGHT, STRAIGHT) == SHORTEST_TIME
    assert duration(ARM, command, {ELBOW: -0.9, WRIST: 0.3}) == UNKNOWN_STEP / 2.0
    assert math.pi < UNKNOWN_STEP < math.pi + 0.1  # half a turn, whatever the position
    near = {SHOULDER: 0.9, ELBOW: -0.9, WRIST: 0.6}
    assert duration(ARM, command, near) == pytest.approx(0.1)
    free = load_arm(re.sub(r'velocity="[^"]*"', '', PLANAR_3R))
    assert duration(free, command, STRAIGHT) == pytest.approx(1.0)
    slow = load_arm(re.sub(r'velocity="[^"]*"', 'velocity="1e-300"', PLANAR_3R))
    assert duration(slow, command, STRAIGHT) == 1e6
