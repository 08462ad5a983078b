# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Every shipped URDF: its figures, and its answers against the kinematics of another library."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from law_cases import cases
from three_joints import load
from wrist_robots import is_folded_and_singular

from ik_circles import load_arm

ARMS = {path.stem: path for path in sorted(Path(__file__).parents[2].glob('urdf/*.urdf'))}
CONFIGURATIONS = cases(4000, 60)
CLOSURE = 1e-12  # [m] against full forward kinematics; share of the reach for inverse kinematics
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight


class Figures(NamedTuple):
    """What a URDF must be reduced to: [m], [deg], and limits of the three joints [rad].

    `front` is the sign of base_link's x in which the arm looks with the yaw joint at 0.
    `start` is (r, h) of the first joint in the plane, `aside` the offset along its normal of
    joints 1, 2, 3 and the tip; `yaw` is the joint before, if any, and its direction along z.
    """

    joints: tuple[str, str, str]
    tip: str
    yaw: tuple[str, int] | None
    sign: int
    lengths: tuple[float, float, float]
    directions: tuple[float, float, float]
    start: tuple[float, float]
    aside: tuple[float, float, float, float]
    limits: tuple[tuple[float, float], ...]
    front: int = 1

    @property
    def plane(self):
        """Columns x, y, z: upright with x along the front, or level without a yaw joint."""
        upright = np.array([(self.front, 0, 0), (0, 0, 1), (0, -self.front, 0)]).T
        return upright if self.yaw else np.eye(3)


IN_LINE = (0.0, 0.0, 0.0, 0.0)
FIGURES = {
    'planar_3r': Figures(
        ('shoulder_joint', 'elbow_joint', 'wrist_joint'), 'tip', None, 1,
        (0.4, 0.3, 0.2), (0.0, 0.0, 0.0), (0.0, 0.0), IN_LINE,
        ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9))),
    'open_manipulator_x': Figures(
        ('joint2', 'joint3', 'joint4'), 'end_effector_link', ('joint1', 1), -1,
        (0.130231, 0.124, 0.126), (79.380, 0.0, 0.0), (0.0, 0.0595), IN_LINE,
        ((-1.5, 1.5), (-1.5, 1.4), (-1.7, 1.97))),
    'px100': Figures(
        ('shoulder', 'elbow', 'wrist_angle'), 'px100/ee_gripper_link', ('waist', 1), -1,
        (0.105948, 0.1, 0.113575), (70.710, 0.0, 0.0), (0.0, 0.0931), IN_LINE,
        ((-1.937, 1.868), (-2.112, 1.606), (-1.745, 2.147))),
    'so101': Figures(
        ('shoulder_lift', 'elbow_flex', 'wrist_flex'), 'gripper_frame_link',
        ('shoulder_pan', -1), -1, (0.116, 0.135, 0.159423), (76.032, 2.207, -2.841),
        (0.0303991, 0.1166), (0.018278, 0.018278, 0.018278, 1.0998e-05),
        ((-1.745, 1.745), (-1.69, 1.69), (-1.658, 1.658))),
    'ur5e': Figures(
        ('shoulder_lift_joint', 'elbow_joint', 'wrist_1_joint'), 'wrist_2_link',
        ('shoulder_pan_joint', 1), -1, (0.425, 0.3922, 0.0997), (0.0, 0.0, -90.0),
        (0.0, 0.1625), (0.0, 0.0, -0.1333, -0.1333),
        ((-6.283, 6.283), (-3.142, 3.142), (-6.283, 6.283))),
    'xarm5': Figures(
        ('joint2', 'joint3', 'joint4'), 'link_eef', ('joint1', 1), -1,
        (0.289487, 0.351159, 0.123227), (79.350, -77.250, -51.921), (0.0, 0.267), IN_LINE,
        ((-2.059, 2.094), (-3.927, 0.192), (-1.693, 3.142))),
    'youbot_arm': Figures(
        ('arm_joint_2', 'arm_joint_3', 'arm_joint_4'), 'gripper_palm_link', ('arm_joint_1', -1), -1,
        (0.155, 0.135, 0.130015), (155.0, 9.0, 112.381), (0.033, 0.115), IN_LINE,
        ((0.0, 2.705), (-5.184, 0.0), (0.0, 3.578)), -1),
    'braccio': Figures(
        ('shoulder_joint', 'elbow_joint', 'wrist_pitch_joint'), 'wrist_roll_link',
        ('base_joint', -1), 1, (0.125, 0.125, 0.06), (0.0, -90.0, 179.999), (-0.002, 0.072),
        IN_LINE, ((0.2618, 2.88), (0.0, 3.142), (0.0, 3.142))),
}  # fmt: skip


#: The wrist's joints, the tip, and the wrist center as the tip sees it [m].
WRISTS = {
    'planar_3r': ((), 'tip', None),
    'open_manipulator_x': ((), 'end_effector_link', None),
    'px100': ((), 'px100/ee_gripper_link', None),
    'so101': (('wrist_roll',), 'gripper_frame_link', (0.0, 0.0, 0.0079016)),
    'ur5e': (('wrist_2_joint', 'wrist_3_joint'), 'wrist_3_link', (0.0, 0.0, -0.0996)),
    'xarm5': (('joint5',), 'link_eef', (0.0, 0.0, 0.0)),
    'youbot_arm': (('arm_joint_5',), 'gripper_palm_link', (0.0, 0.0, 0.0)),
    'braccio': (('wrist_roll_joint',), 'wrist_roll_link', (0.0, 0.0, 0.0)),
}
#: The directions about which the wrist's joints turn with all joints at 0, in the plane's axes.
TURNS = {
    'so101': [(-1.0, 0.0, 0.0)],
    'ur5e': [(0.0, -1.0, 0.0), (0.0, 0.0, -1.0)],
    'xarm5': [(0.0, -1.0, 0.0)],
    'youbot_arm': [(0.366501, -0.930418, 0.0)],
    'braccio': [(1.0, 0.0, 0.0)],
}
#: How far the figures of a youbot's last link and of its axis are apart [1].
ROUNDED_FIGURES = 0.016


class Peer:
    """The whole robot in Pinocchio."""

    def __init__(self, name, tip=None):
        self.library = pytest.importorskip('pinocchio', reason='compared with pip install pin')
        self.model = self.library.buildModelFromUrdf(str(ARMS[name]))
        self.data = self.model.createData()
        self.tip = self.model.getFrameId(tip or FIGURES[name].tip)
        ends = zip(self.model.lowerPositionLimit.tolist(), self.model.upperPositionLimit.tolist())
        self.limits = dict(zip(list(self.model.names)[1:], ends))

    def pose(self, positions):
        """Rotation and position of the tip; joints not named are at 0."""
        q = np.zeros(self.model.nq)
        for joint, position in positions.items():
            q[self.model.idx_qs[self.model.getJointId(joint)]] = position
        self.library.forwardKinematics(self.model, self.data, q)
        pose = self.library.updateFramePlacement(self.model, self.data, self.tip)
        return pose.rotation.copy(), pose.translation.copy()


def random_positions(figures):
    """Positions inside the limits, by name; one joint in eight on a limit."""
    lower, upper = np.array(figures.limits).T
    share = np.random.default_rng(0).uniform(-0.07, 1.07, (CONFIGURATIONS, 3)).clip(0.0, 1.0)
    for q in np.clip(lower + (upper - lower) * share, lower, upper).tolist():
        yield dict(zip(figures.joints, q))


@pytest.mark.parametrize('name', ARMS)
def test_the_planar_arm_has_the_figures(name):
    arm, figures = load(name), FIGURES[name]
    assert (arm.joint_names, arm.tip_link) == (figures.joints, figures.tip)
    assert arm.yaw_joint == (figures.yaw and figures.yaw[0])
    assert arm.joint_signs == (figures.sign,) * 3
    assert arm.arm.link_lengths == pytest.approx(figures.lengths, abs=5e-7)
    turned = np.degrees(np.cumsum(arm.joint_offsets)) - figures.directions
    assert [math.remainder(angle, 360.0) for angle in turned] == pytest.approx([0] * 3, abs=5e-4)
    np.testing.assert_allclose(arm.plane[:3, :3], figures.plane, atol=1e-15)
    origin = figures.plane @ (*figures.start, figures.aside[3])
    np.testing.assert_allclose(arm.plane[:3, 3], origin, atol=1e-15)
    ends = np.array(arm.arm.limits) - np.array(arm.joint_offsets)[:, np.newaxis]
    np.testing.assert_allclose(np.sort(figures.sign * ends), figures.limits, atol=1e-15)


@pytest.mark.parametrize('name', ARMS)
def test_the_whole_robot_has_the_figures(name):
    peer, figures = Peer(name), FIGURES[name]
    assert [peer.limits[joint] for joint in figures.joints] == list(figures.limits)
    at_zero, tip = peer.pose({})
    joints = [peer.data.oMi[peer.model.getJointId(name)].translation for name in figures.joints]
    aside = np.array([*joints, tip]) @ figures.plane[:, 2]
    np.testing.assert_allclose(aside, figures.aside, atol=1e-15)
    if figures.yaw:
        rotation = peer.library.log3(peer.pose({figures.yaw[0]: 0.1})[0] @ at_zero.T)
        np.testing.assert_allclose(rotation, (0.0, 0.0, 0.1 * figures.yaw[1]), atol=1e-15)


@pytest.mark.parametrize('name', ARMS)
def test_the_planar_arm_moves_as_the_whole_robot_and_its_answers_close(name):
    arm, peer = load(name), Peer(name)
    for positions in random_positions(FIGURES[name]):
        rotation, target = peer.pose(positions)
        x, y, _ = arm.arm.forward_kinematics(arm.naming.arm_angles(positions))
        assert math.dist(arm.spatial.plane.point_at(x, y), target) <= CLOSURE
        phi = arm.spatial.tool.orientation(rotation).angle(0.0)
        seed = dict.fromkeys(arm.commanded_joints, 0.0) | positions
        found = arm.inverse_kinematics(target, phi, seed=seed)
        changes = [max(abs(q[joint] - positions[joint]) for joint in positions) for q in found]
        assert min(changes, default=math.inf) <= SAME
        for q in found:
            assert math.dist(peer.pose(q)[1], target) <= CLOSURE * arm.arm.max_reach
            assert all(peer.limits[joint][0] <= q[joint] <= peer.limits[joint][1] for joint in q)


def test_a_turn_that_puts_joints_on_their_limits_does_not_move_the_tip():
    """Next to a folded elbow, rounding moves two joints by 3e-11 rad, and a third makes up."""
    arm, peer = load('ur5e'), Peer('ur5e')
    positions = dict(zip(arm.joint_names, (-6.283, -3.142, -0.3267212703220217)))
    rotation, target = peer.pose(positions)
    phi = arm.spatial.tool.orientation(rotation).angle(0.0)
    for q in arm.inverse_kinematics(target, phi, seed={'shoulder_pan_joint': 0.0, **positions}):
        assert math.dist(peer.pose(q)[1], target) <= CLOSURE * arm.arm.max_reach


@pytest.mark.parametrize('name', ARMS)
def test_the_wrist_has_the_figures(name):
    arm, (joints, tip, center) = load_arm(name), WRISTS[name]
    assert (arm.wrist_joints, arm.tip_link) == (joints, tip)
    assert (arm.held, arm.notes) == ({}, ())
    assert (arm.whole is None) == (center is None)
    if center is not None:
        np.testing.assert_allclose(arm.whole.wrist.center, center, atol=1e-15)


@pytest.mark.parametrize('name', TURNS)
def test_the_wrist_turns_as_the_figures_say(name):
    joints, tip, _ = WRISTS[name]
    peer = Peer(name, tip)
    for joint, direction in zip(joints, TURNS[name], strict=True):
        rotation = peer.library.log3(peer.pose({joint: 0.1})[0] @ peer.pose({})[0].T)
        seen = FIGURES[name].plane.T @ rotation / 0.1
        np.testing.assert_allclose(seen, direction, atol=ROUNDED_FIGURES)


def test_a_ur5e_at_zero_is_where_its_published_kinematics_has_it():
    rotation, place = Peer('ur5e', 'wrist_3_link').pose({})
    np.testing.assert_allclose(place, (0.8172, 0.1333 + 0.0996, 0.1625 - 0.0997), atol=1e-12)
    np.testing.assert_allclose(rotation, [(-1, 0, 0), (0, 0, 1), (0, 1, 0)], atol=1e-12)


@pytest.mark.parametrize('name', [name for name, (joints, *_) in WRISTS.items() if joints])
def test_full_poses_of_the_whole_robot_are_found_and_the_answers_close(name):
    """Nothing but the other library says where the tip is; one joint in eight is on a limit."""
    arm, (_, tip, _) = load_arm(name), WRISTS[name]
    peer, rng = Peer(name, tip), np.random.default_rng(1)
    lower, upper = np.array([peer.limits[joint] for joint in arm.commanded_joints]).T
    most = 8 if len(arm.wrist_joints) == 2 else 4
    for _ in range(cases(10_000, 120)):
        share = rng.uniform(-0.07, 1.07, len(lower)).clip(0.0, 1.0)
        q = np.clip(lower + (upper - lower) * share, lower, upper).tolist()
        own = dict(zip(arm.commanded_joints, q))
        if is_folded_and_singular(own):
            continue
        rotation, point = peer.pose(own)
        found = arm.inverse_kinematics(point, rotation=rotation, seed=own)
        assert min(max(abs(one[n] - own[n]) for n in own) for one in found) <= SAME, own
        assert len(found) <= most
        for one in found:
            turned, place = peer.pose(one)
            assert math.dist(place, point) <= 1e-9
            tilt = 2.0 * math.asin(min(1.0, np.linalg.norm(turned - rotation) / math.sqrt(8.0)))
            assert tilt <= (1e-9 if most == 8 else 0.01)  # the default of tilt_tolerance
            assert all(peer.limits[n][0] <= one[n] <= peer.limits[n][1] for n in one)
