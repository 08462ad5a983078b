# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""LeRobot's RobotKinematics, as its scripts call it: degrees, 4x4 poses, the gripper behind."""

import inspect
import math

import numpy as np
import pytest
from so101_motors import GRIPPER, MOTORS, SOLVED, anywhere, file_with_jaw, with_motors
from three_joints import shipped_text

from ik_circles import IkCirclesError, load_arm
from ik_circles.bridges.lerobot import RobotKinematics

CLOSED = 1e-9


@pytest.fixture(scope='module')
def with_jaw(tmp_path_factory):
    return file_with_jaw(tmp_path_factory.mktemp('so101'))


@pytest.fixture(scope='module')
def kinematics(with_jaw):
    return with_motors(with_jaw)


# --- the interface ---


def test_names_and_defaults_are_those_that_lerobot_publishes():
    """huggingface/lerobot, src/lerobot/model/kinematics.py, commit 7427f31 (2026-08-23)."""
    published = {
        '__init__': {
            'urdf_path': inspect.Parameter.empty,
            'target_frame_name': 'gripper_frame_link',
            'joint_names': None,
        },
        'forward_kinematics': {'joint_pos_deg': inspect.Parameter.empty},
        'inverse_kinematics': {
            'current_joint_pos': inspect.Parameter.empty,
            'desired_ee_pose': inspect.Parameter.empty,
            'position_weight': 1.0,
            'orientation_weight': 0.01,
        },
    }
    for method, expected in published.items():
        _, *ours = inspect.signature(getattr(RobotKinematics, method)).parameters.values()
        assert {one.name: one.default for one in ours} == expected
        assert [one.name for one in ours] == [*expected]
        assert {one.kind for one in ours} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}


def test_attributes_are_those_that_lerobot_reads(kinematics):
    assert kinematics.target_frame_name == 'gripper_frame_link'
    assert kinematics.joint_names == MOTORS


def test_without_names_the_joints_are_in_pinocchios_order(with_jaw):
    pinocchio = pytest.importorskip('pinocchio')
    names = [*pinocchio.buildModelFromUrdf(with_jaw).names][1:]
    assert RobotKinematics(with_jaw).joint_names == names == MOTORS


def test_the_arm_level_and_straight_ahead():
    """By hand: at zero, wrist_roll's axis is level, and the tip is 7.9 mm below it."""
    pose = RobotKinematics('so101').forward_kinematics(np.zeros(5))
    arm = load_arm('so101')
    assert np.allclose(pose, arm.forward_kinematics(dict.fromkeys(SOLVED, 0.0)))
    turned = RobotKinematics('so101').forward_kinematics([0.0, 0.0, 0.0, 0.0, 180.0 - 90.0])
    axis = pose[:3, :3].T @ turned[:3, :3]
    assert math.isclose(np.trace(axis), 1.0, abs_tol=1e-12)  # a quarter turn
    assert math.isclose(np.linalg.norm(turned[:3, 3] - pose[:3, 3]), 7.9e-3 * 2**0.5, abs_tol=1e-5)


def test_a_pan_of_90_degrees_turns_the_pose_to_the_right():
    """As LeRobot's SO-101 counts it: clockwise seen from above."""
    kinematics = RobotKinematics('so101')
    ahead = kinematics.forward_kinematics([0.0, 10.0, 20.0, 30.0, 40.0])
    aside = kinematics.forward_kinematics([90.0, 10.0, 20.0, 30.0, 40.0])
    right = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert np.allclose(right @ ahead[:3], aside[:3], atol=1e-12)


# --- what passes through ---


def test_the_gripper_and_what_follows_pass_through(kinematics):
    now = np.array([0.0, 10.0, 20.0, 30.0, 40.0, GRIPPER, 7.0, -8.0])
    pose = kinematics.forward_kinematics(now)
    assert np.array_equal(pose, kinematics.forward_kinematics(now[:6]))
    found = kinematics.inverse_kinematics(now, pose)
    assert found.shape == now.shape and np.array_equal(found[5:], now[5:])
    assert np.array_equal(now, [0.0, 10.0, 20.0, 30.0, 40.0, GRIPPER, 7.0, -8.0])  # not written to


def test_five_names_and_six_motors():
    now = [0.0, 10.0, 20.0, 30.0, 40.0, GRIPPER]
    five = RobotKinematics('so101')
    found = five.inverse_kinematics(now, five.forward_kinematics(now))
    assert np.allclose(found, now) and found[5] == GRIPPER
    assert len(five.inverse_kinematics(now[:5], five.forward_kinematics(now[:5]))) == 5


def test_another_order_of_the_motors(with_jaw, kinematics):
    turned = RobotKinematics(with_jaw, joint_names=MOTORS[::-1])
    rng = np.random.default_rng(0)
    for _ in range(20):
        now, wanted = anywhere(kinematics, rng), anywhere(kinematics, rng)
        pose = kinematics.forward_kinematics(wanted)
        assert np.array_equal(pose, turned.forward_kinematics(wanted[::-1]))
        found = turned.inverse_kinematics(now[::-1], pose)
        assert np.array_equal(found[::-1], kinematics.inverse_kinematics(now, pose))


def test_a_held_joint_is_held_where_its_motor_is():
    """The first joint of a 7-joint arm is not solved: it passes through, and the pose heeds it."""
    text = shipped_text('so101').replace(
        '<joint name="shoulder_pan" type="revolute">\n    <parent link="base_link"/>',
        '<link name="turntable"/><joint name="table" type="continuous"><parent link="base_link"/>'
        '<child link="turntable"/><axis xyz="1 0 0"/></joint>\n'
        '<joint name="shoulder_pan" type="revolute">\n    <parent link="turntable"/>',
    )
    held = RobotKinematics(text, joint_names=['table', *SOLVED])
    assert 'table' in held.arm.held
    rng = np.random.default_rng(1)
    for _ in range(20):
        now = np.append(rng.uniform(-170, 170), rng.uniform(-40, 40, 5))
        wanted = np.append(now[0], rng.uniform(-40, 40, 5))
        pose = held.forward_kinematics(wanted)
        for weight in (0.0, 1.0):
            found = held.inverse_kinematics(now, pose, orientation_weight=weight)
            assert found[0] == now[0]
            reached = held.forward_kinematics(found)
            assert np.allclose(reached[:3, 3], pose[:3, 3], atol=CLOSED) or weight == 0.0


# --- bad input ---


def test_a_robot_without_the_frame_that_is_the_default():
    said = "^target_frame_name: the robot has no link 'gripper_frame_link'; its links are base_link"
    with pytest.raises(IkCirclesError, match=said):
        RobotKinematics('planar_3r')


@pytest.mark.parametrize(
    ('call', 'says'),
    [
        (lambda k: k.forward_kinematics([0.0] * 5), r'shape \(5,\); give 6 joint positions'),
        (lambda k: k.forward_kinematics(np.zeros((2, 6))), r'shape \(2, 6\)'),
        (lambda k: k.forward_kinematics([2048] * 6), 'shoulder_pan is 2048 deg, .* of its encoder'),
        (lambda k: k.inverse_kinematics([0, 0, -2048, 0, 0, 0], np.eye(4)), 'flex is -2048 deg'),
        (lambda k: k.forward_kinematics([0, 0, math.nan, 0, 0, 0]), 'give finite numbers'),
        (lambda k: k.forward_kinematics('pan'), 'are not all numbers'),
        (lambda k: k.forward_kinematics(None), 'are not all numbers'),
        (lambda k: k.inverse_kinematics([0.0] * 4, np.eye(4)), r'shape \(4,\)'),
        (lambda k: k.inverse_kinematics([math.inf] * 6, np.eye(4)), 'give finite numbers'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.eye(3)), r'shape \(3, 3\); give a pose'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.full((4, 4), math.nan)), 'finite numbers'),
        (lambda k: k.inverse_kinematics([0.0] * 6, 2.0 * np.eye(4)), 'it must be 0 0 0 1'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.diag([2, 1, 1, 1])), 'right-handed'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.eye(4).T[::-1]), 'it must be 0 0 0 1'),
        (lambda k: k.inverse_kinematics([0.0] * 6, None), r'give a pose \(4, 4\)'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.eye(4), 0.0), 'position_weight is 0'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.eye(4), -1.0), 'position_weight is -1.0'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.eye(4), 1.0, -0.1), 'orientation_weight'),
        (lambda k: k.inverse_kinematics([0.0] * 6, np.eye(4), 1.0, math.nan), 'is nan'),
    ],
)
def test_bad_numbers_are_refused_in_one_sentence(kinematics, call, says):
    with pytest.raises(IkCirclesError, match=says) as error:
        call(kinematics)
    assert '\n' not in str(error.value)


@pytest.mark.parametrize(
    ('names', 'says'),
    [
        ([*SOLVED, 'griper'], "no joint 'griper'; did you mean 'gripper'"),
        (SOLVED[:4], 'joint_names lacks wrist_roll'),
        ([*SOLVED, 'wrist_roll'], "'wrist_roll' twice"),
        ([*SOLVED, 7], 'no joint 7'),
        ([*SOLVED, []], 'give a list of names'),
        (5, 'give a list of names'),
        ('shoulder_pan', "no joint 's'"),
    ],
)
def test_bad_names_are_refused_in_one_sentence(with_jaw, names, says):
    with pytest.raises(IkCirclesError, match=says) as error:
        RobotKinematics(with_jaw, joint_names=names)
    assert '\n' not in str(error.value)


def test_a_motor_that_the_urdf_lacks_may_be_left_out():
    with pytest.raises(IkCirclesError, match=r"no joint 'gripper'.*leave it out: positions after"):
        RobotKinematics('so101', joint_names=MOTORS)


@pytest.mark.parametrize('path', ['no_such_robot.urdf', ''])
def test_a_robot_that_cannot_be_read_is_refused(path):
    with pytest.raises(IkCirclesError):
        RobotKinematics(path)


def test_a_frame_that_the_robot_lacks_is_refused():
    with pytest.raises(IkCirclesError, match='gripper_frame_lnk'):
        RobotKinematics('so101', 'gripper_frame_lnk')
