# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Laws of LeRobot's kinematics over random poses of an SO-101, and streams of them."""

import math

import numpy as np
import pytest
from law_cases import cases
from so101_motors import GRIPPER, SOLVED, anywhere, file_with_jaw, limits_of, near, with_motors
from three_joints import NAMES

from ik_circles import load_arm
from ik_circles.bridges.lerobot import RobotKinematics
from ik_circles.spatial.points.ways import TILT_TOLERANCE

CLOSED = 1e-9


@pytest.fixture(scope='module')
def kinematics(tmp_path_factory):
    return with_motors(file_with_jaw(tmp_path_factory.mktemp('so101')))


def test_law_the_arm_stays_where_it_is_asked_for_its_own_pose(kinematics):
    rng = np.random.default_rng(2)
    for _ in range(cases(10_000, 80)):
        now = anywhere(kinematics, rng)
        pose = kinematics.forward_kinematics(now)
        for weight in (0.01, 0.0):
            found = kinematics.inverse_kinematics(now, pose, orientation_weight=weight)
            assert np.abs(found - now).max() < 1e-7, now


def test_law_a_reachable_pose_is_closed(kinematics):
    """Its position to 1e-9 m. Its orientation to 1e-9, too, unless other joint positions, which are
    nearer to those of now, have it to within the tolerance of every full pose."""
    rng = np.random.default_rng(3)
    limits = limits_of(kinematics)
    nearer = 0
    for number in range(cases(20_000, 80)):
        wanted = anywhere(kinematics, rng)
        now = near(kinematics, rng, wanted, (5.0, 30.0, 360.0)[number % 3])
        pose = kinematics.forward_kinematics(wanted)
        found = kinematics.inverse_kinematics(now, pose)
        reached = kinematics.forward_kinematics(found)
        assert (limits[0] - 1e-9 <= found[:5]).all() and (found[:5] <= limits[1] + 1e-9).all()
        assert np.abs(reached[:3, 3] - pose[:3, 3]).max() < CLOSED, (now, wanted)
        if np.abs(reached - pose).max() >= CLOSED:
            nearer += 1
            assert np.abs(found - now).max() <= np.abs(wanted - now).max()
            assert np.linalg.norm(reached - pose) < math.sqrt(2) * TILT_TOLERANCE
    assert nearer < 0.05 * cases(20_000, 80)


def test_law_the_orientation_gives_way_and_the_position_does_not(kinematics):
    """A position with any orientation: exact wherever weight 0 reaches it, or the wrist can."""
    rng = np.random.default_rng(4)
    for _ in range(cases(10_000, 160)):
        now, wanted, other = (anywhere(kinematics, rng) for _ in range(3))
        pose = kinematics.forward_kinematics(wanted)
        pose[:3, :3] = kinematics.forward_kinematics(other)[:3, :3]
        now[4] = wanted[4]
        for weight in (1e-6, 0.01, 1.0, 0.0):
            found = kinematics.inverse_kinematics(now, pose, 1.0, weight)
            reached = kinematics.forward_kinematics(found)
            assert np.abs(reached[:3, 3] - pose[:3, 3]).max() < CLOSED, (now, wanted, weight)
            assert weight > 0.0 or abs(found[4] - now[4]) < 1e-9


def test_law_out_of_reach_gives_the_nearest(kinematics):
    """None of many joint positions with the same wrist_roll puts the tip nearer to the target."""
    rng = np.random.default_rng(5)
    for _ in range(cases(200, 40)):
        now = anywhere(kinematics, rng)
        others = np.array([anywhere(kinematics, rng) for _ in range(300)])
        others[:, 4] = now[4]
        tips = np.array([kinematics.forward_kinematics(one)[:3, 3] for one in others])
        pose = kinematics.forward_kinematics(now)
        pose[:3, 3] = rng.normal(size=3) * rng.choice([0.02, 0.6])
        found = kinematics.inverse_kinematics(now, pose, orientation_weight=0.0)
        miss = np.linalg.norm(kinematics.forward_kinematics(found)[:3, 3] - pose[:3, 3])
        arm = kinematics.arm.holding({'wrist_roll': math.radians(now[4])})
        nearest = np.array(arm.check_reachability(pose[:3, 3]).nearest[:3])
        assert miss == pytest.approx(np.linalg.norm(nearest - pose[:3, 3]), abs=CLOSED)
        assert miss <= np.linalg.norm(tips - pose[:3, 3], axis=1).min() + CLOSED


def test_far_ahead_the_arm_is_stretched_out(kinematics):
    """By hand: the nearest place to one far away on the line of the arm is its outermost one."""
    now = np.array([0.0, 0.0, 0.0, 0.0, 0.0, GRIPPER])
    pose = kinematics.forward_kinematics(now)
    shoulder = kinematics.arm.link_pose('upper_arm_link', dict.fromkeys(SOLVED, 0.0))[:3, 3]
    for away in (1.0, 10.0, 1000.0):
        pose[:3, 3] = shoulder + away * np.array([1.0, 0.0, 0.2])
        found = kinematics.inverse_kinematics(now, pose, orientation_weight=0.0)
        reached = kinematics.forward_kinematics(found)[:3, 3]
        assert 0.3 < np.linalg.norm(reached - shoulder) < 0.116 + 0.135 + 0.17
        assert found[5] == GRIPPER


def motion(kinematics, rng, steps):
    """A smooth motion of the joints [deg], on which the elbow does not straighten: there the other
    branch begins, and either is the nearest."""
    low, high = limits_of(kinematics)

    def elbow(joints):
        return kinematics.arm.naming.arm_angles(dict(zip(SOLVED, np.radians(joints))))[1]

    while True:
        start, end = (low + (high - low) * rng.uniform(0.1, 0.9, 5) for _ in range(2))
        if min(elbow(start) * elbow(end), abs(elbow(start)), abs(elbow(end))) > 0.03:
            break
    shares = 0.5 - 0.5 * np.cos(np.linspace(0.0, math.pi, steps))
    return [np.append(start + share * (end - start), GRIPPER) for share in shares]


def test_law_a_stream_of_poses_is_followed_to_the_last_bits(kinematics):
    """Poses along a motion of the joints, each asked from the answer before, give that motion."""
    rng = np.random.default_rng(6)
    for _ in range(cases(300, 60)):
        joints = motion(kinematics, rng, 100)
        now = joints[0]
        for wanted in joints:
            now = kinematics.inverse_kinematics(now, kinematics.forward_kinematics(wanted))
            assert np.abs(now - wanted).max() < 1e-7, wanted


def test_law_a_stream_of_points_is_followed_without_jumps(kinematics):
    """Lines ahead of the arm, 2 mm a step: no joint turns by more than 3 deg at once."""
    rng = np.random.default_rng(7)
    low, high = np.array([0.15, -0.12, 0.06]), np.array([0.24, 0.12, 0.16])
    now, pose = np.array([0.0, 0.0, 0.0, 0.0, 0.0, GRIPPER]), np.eye(4)
    pose[:3, 3] = rng.uniform(low, high)
    now = kinematics.inverse_kinematics(now, pose, orientation_weight=0.0)
    for _ in range(cases(1000, 120)):
        start, end = pose[:3, 3].copy(), rng.uniform(low, high)
        for share in np.linspace(0.0, 1.0, max(2, round(np.linalg.norm(end - start) / 0.002))):
            pose[:3, 3] = start + share * (end - start)
            found = kinematics.inverse_kinematics(now, pose, orientation_weight=0.0)
            assert np.abs(found - now).max() < 3.0, (now, pose)
            reached = kinematics.forward_kinematics(found)
            assert np.abs(reached[:3, 3] - pose[:3, 3]).max() < CLOSED
            now = found


def test_law_out_of_the_workspace_and_back(kinematics):
    """A target that leaves the workspace and comes back: the arm slides along the boundary, and is
    back with the target. At 7 mm a step, the last one before the elbow is straight turns it
    by up to sqrt(2 * 0.007 m * (0.116 m + 0.135 m) / (0.116 m * 0.135 m)) = 27 deg."""
    rng = np.random.default_rng(8)
    for _ in range(cases(60)):
        now = np.append(rng.uniform(-30.0, 30.0, 5), GRIPPER)
        pose = kinematics.forward_kinematics(now)
        start, out = pose[:3, 3].copy(), np.array([0.6, rng.uniform(-0.2, 0.2), 0.3])
        for share in np.sin(np.linspace(0.0, math.pi, 301)):
            pose[:3, 3] = start + share * out
            found = kinematics.inverse_kinematics(now, pose, orientation_weight=0.0)
            assert np.abs(found - now).max() < 30.0
            now = found
        assert np.abs(kinematics.forward_kinematics(now)[:3, 3] - start).max() < CLOSED


@pytest.mark.parametrize('name', NAMES)
def test_law_every_shipped_robot_stays_and_closes(name):
    """Poses and points, from the joint positions themselves and from others near them."""
    kinematics = RobotKinematics(name, load_arm(name).tip_link)
    joints = [kinematics.arm.joints[one] for one in kinematics.joint_names]
    low, high = np.degrees([(one.lower, one.upper) for one in joints]).clip(-360.0, 360.0).T
    rng = np.random.default_rng(9)
    for _ in range(cases(600)):
        wanted = rng.uniform(low, high)
        now = np.clip(wanted + rng.uniform(-5.0, 5.0, len(wanted)), low, high)
        pose = kinematics.forward_kinematics(wanted)
        assert np.abs(kinematics.inverse_kinematics(wanted, pose) - wanted).max() < 1e-6
        found = kinematics.inverse_kinematics(now, pose)
        reached = kinematics.forward_kinematics(found)
        assert np.abs(reached[:3, 3] - pose[:3, 3]).max() < CLOSED
        assert np.linalg.norm(reached - pose) < math.sqrt(2) * TILT_TOLERANCE
