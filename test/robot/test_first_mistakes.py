# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Mistakes of the first hour with a robot's arm: degrees, millimeters, numbers one by one."""

import math
import re
from pathlib import Path

import pytest
from robot_texts import Z_AXIS, in_a_row, joint, robot
from three_joints import load

from ik_circles import InvalidArmError, InvalidUrdfError, load_arm
from ik_circles.robot.shipped import file_of

URDF = Path(__file__).parents[2] / 'urdf'
ARM, LEVEL = load_arm('so101'), load('planar_3r')
ZERO = dict.fromkeys(ARM.commanded_joints, 0.0)
POINT = (0.2, 0.1, 0.1)


def test_positions_in_degrees_are_asked_about_but_for_endless_joints():
    past = 'shoulder_lift is 45 rad, more than a turn past its limit of 1.745 rad; is it in deg'
    degrees = {'shoulder_lift': 45.0}
    for ask in (
        lambda: ARM.forward_kinematics(degrees),
        lambda: ARM.link_pose(ARM.tip_link, degrees),
        lambda: ARM.solve(POINT, seed={**ZERO, **degrees}),
    ):
        with pytest.raises(InvalidArmError, match=past):
            ask()
    with pytest.raises(InvalidArmError, match='wrist_roll is 90 rad, more than a turn past'):
        ARM.holding({'wrist_roll': 90.0})
    text = (URDF / 'so101.urdf').read_text()
    endless = load_arm(re.sub(r'(name="shoulder_pan" type=)"revolute"', r'\1"continuous"', text))
    turned = endless.forward_kinematics({'shoulder_pan': 0.5 + 300.0 * math.pi})
    assert turned == pytest.approx(endless.forward_kinematics({'shoulder_pan': 0.5}), abs=1e-12)


def test_positions_one_by_one_are_no_positions_by_name():
    with pytest.raises(InvalidArmError, match='as one argument, and 5 numbers are given; give '):
        ARM.forward_kinematics(0, 0, 0, 0, 0)


def test_a_urdf_in_millimeters_is_asked_about():
    row = [('continuous', Z_AXIS, '')] * 3
    text = robot(*in_a_row(*row, xyz=(170, 0, 0)), joint('end', 3, 't', xyz=(80, 0, 0)))
    said = 'the robot has links of 170, 170, 80 m: are they in millimeters? give meters'
    with pytest.raises(InvalidUrdfError, match=re.escape(said)):
        load_arm(text)
    text = robot(*in_a_row(*row, xyz=(30, 0, 0)), joint('end', 3, 't', xyz=(40, 0, 0)))
    assert load_arm(text).arm.max_reach == 100.0


def test_numbers_for_the_end_of_a_line_and_a_point_for_its_orientations():
    for arm, numbers in ((ARM, (0.2, 0.1, 0.4)), (LEVEL.arm, (0.5, 0.2))):
        said = f'straight_line takes the point as one argument, and {len(numbers)} numbers are '
        with pytest.raises(InvalidArmError, match=said) as raised:
            arm.straight_line(ZERO, *numbers)
        assert str(raised.value).endswith(f'; give straight_line(start, {numbers})')
    with pytest.raises(InvalidArmError, match='orientation_intervals takes x and y as two'):
        LEVEL.arm.orientation_intervals((0.5, 0.2))


def test_answers_about_many_points_show_how_many_can_be_reached():
    assert repr(ARM.check_reachability_batch([POINT, (9.0, 0.0, 0.0)])) == (
        'SpatialReachabilityBatch(1 of 2 targets can be reached)'
    )
    assert repr(LEVEL.arm.check_reachability_batch([(0.5, 0.2), (0.5, 0.1), (9.0, 0.0)])) == (
        'ReachabilityBatch(2 of 3 targets can be reached)'
    )


def test_a_file_without_its_ending_is_suggested(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path('my_arm.urdf').write_bytes((URDF / 'so101.urdf').read_bytes())
    for name in ('my_arm', './my_arm'):
        for ask in (load_arm, file_of):
            with pytest.raises(InvalidUrdfError, match=f"did you mean '{name}.urdf'"):
                ask(name)


def test_a_folder_is_called_a_folder_and_a_file_that_is_not_there_is_not(tmp_path):
    with pytest.raises(InvalidUrdfError, match=f'^{tmp_path} is a folder; '):
        file_of(str(tmp_path))
    with pytest.raises(InvalidUrdfError, match=f'^there is no file {tmp_path}/nothing; '):
        file_of(f'{tmp_path}/nothing')


def test_the_end_of_a_line_in_millimeters_is_asked_about():
    for arm, start, scale in (
        (ARM, ARM.solve(POINT), (200.0, 100.0, 400.0)),
        (LEVEL.arm, LEVEL.arm.solve(0.5, 0.2), (500.0, 300.0)),
    ):
        hint = '; is it in millimeters? give meters'
        assert arm.straight_line(start, scale).message.endswith(hint)
        near = tuple(value / 100.0 for value in scale)
        line = arm.straight_line(start, near)
        assert line.share < 1.0 and hint not in line.message


def test_a_joint_whose_limits_are_equal_gets_a_note():
    """A URDF that leaves lower and upper out has 0 for both."""
    text = (URDF / 'so101.urdf').read_text()
    for name, one in ARM.joints.items():
        limits = f'lower="{one.lower:g}" upper="{one.upper:g}"'
        assert text.count(limits) == 1
        for left, at in (('', '0'), ('lower="0.3" upper="0.3"', '0.3')):
            arm = load_arm(text.replace(limits, left))
            assert arm.notes == (f'{name} cannot move: both of its limits are {at} rad',)
