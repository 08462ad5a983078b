# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Ordinary poses of arms whose axes lean: what exact axes give, corrected at once."""

from functools import cache

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import check_alike, rotation_by, same_angle
from three_joints import kinematics
from tilted_robots import TiltedRobot, leaned, tilted
from wrist_robots import KINDS, pose_of, random_robot, turned_away

from ik_circles.spatial.poses.full_pose import FullPose

CLOSES = 1e-9  # [m] or [rad]
SAME = 1e-8  # [rad]
TILTS = (1e-6, 0.01)  # [rad]
QUARTER = '1.570796326794897'
#: Lengths of UR's arms as the shipped ur5e has them, and the same of others [m].
UR = {
    'ur3e': '0.15185 0.24355 0.2132 0.13105 0.08535 0.0921',
    'ur5e': '0.1625 0.425 0.3922 0.1333 0.0997 0.0996',
    'ur10e': '0.1807 0.6127 0.57155 0.17415 0.11985 0.11655',
    'ur16e': '0.1807 0.4784 0.36 0.17415 0.11985 0.11655',
}


@cache
def rounded_ur(name):
    """A UR as its vendor writes it: a quarter of a turn to nine digits."""
    text = kinematics('ur5e').replace(QUARTER, '1.570796327')
    for own, other in zip(UR['ur5e'].split(), UR[name].split()):
        text = text.replace(f' {own}"', f' {other}"').replace(f'"{own} ', f'"{other} ')
        text = text.replace(f' {own} ', f' {other} ')
    return TiltedRobot(text)


def robots(rng, count):
    """Robots whose axes lean: of a vendor, shipped ones, and random ones; each for 20 poses."""
    for number in range(count):
        most, kind = 10.0 ** rng.uniform(-10.0, -5.0), number // 20 % 8
        if number % 20 == 0:
            if kind < 2:
                one = rounded_ur([*UR][number // 160 % 4 if kind else 1])
            elif kind < 4:
                name = ['so101', 'xarm5', 'braccio', 'ur5e'][number // 20 % 4]
                one = TiltedRobot(tilted(name, rng, most, wrist=True))
            else:
                one = TiltedRobot(leaned(random_robot(rng, *KINDS[kind % 4]).text, rng, most))
        yield one


def asked(robot, rng):
    """A pose, mostly the robot's own, and joint positions to be near to, or none."""
    own = robot.drawn(rng)
    point, rotation = pose_of(robot, own)
    if rng.random() < 0.3:
        axis = rng.normal(size=3)
        rotation = rotation_by(axis / np.linalg.norm(axis), 10.0 ** rng.uniform(-12, 0)) @ rotation
    near = robot.arm.whole_naming.whole(robot.drawn(rng)) if rng.random() < 0.5 else None
    return own, (point, rotation), near


def in_general(arm, *asked):
    """The angles of a pose with a closer look."""
    arm.ordinary.apply = False
    found = FullPose(arm, *asked).angles
    arm.ordinary.apply = True
    return found


def test_they_are_answered_as_in_general():
    """The same configurations in the same order; half a turn from the seed, at either turn."""
    rng, ordinary, count = np.random.default_rng(0), 0, cases(2000, 40)
    for robot in robots(rng, count):
        arm, (own, pose, near) = robot.arm.whole, asked(robot, rng)
        tilt = TILTS[rng.integers(2)]
        found = FullPose(arm, *pose, tilt, near)
        if not found.is_ordinary:
            continue
        ordinary, start = ordinary + 1, arm.angles(found.aim.near)
        general = in_general(arm, *pose, tilt, near)
        check_alike(found.angles, general, start, SAME, (robot.text, own))
    assert ordinary > 0.5 * count


def test_they_close_on_the_axes_of_the_text_and_have_the_own_configuration():
    rng, ordinary, count = np.random.default_rng(1), 0, cases(4000)
    for robot in robots(rng, count):
        arm, own = robot.arm, robot.drawn(rng)
        point, rotation = pose_of(robot, own)
        found = FullPose(arm.whole, point, rotation, 0.01)
        if not found.is_ordinary:
            continue
        ordinary, gaps = ordinary + 1, []
        for one in map(arm.whole_naming.named_angles, found.angles):
            assert robot.miss(one, point) <= CLOSES, (robot.text, own)
            gaps.append(max(same_angle(one[name], own[name]) for name in own))
            if arm.whole.wrist.has_two and arm.yaw_joint:
                away = turned_away(robot.tip(one)[:3, :3], rotation)
                assert away <= CLOSES, (robot.text, own)
        assert min(gaps) <= SAME, (robot.text, own)
    assert ordinary > 0.5 * count


@pytest.mark.parametrize('name', UR)
def test_nearly_every_pose_of_an_arm_whose_vendor_rounds_to_nine_digits_is_one(name):
    rng, robot = np.random.default_rng(2), rounded_ur(name)
    assert 0.0 < robot.arm.whole.carrier.plane.slack < 2e-9
    poses = [pose_of(robot, robot.drawn(rng)) for _ in range(100)]
    assert sum(FullPose(robot.arm.whole, *pose, 1e-6).is_ordinary for pose in poses) >= 97


def test_most_poses_of_an_arm_that_leans_by_rounding_to_five_digits_are_ordinary():
    rng, name = np.random.default_rng(3), 'ur5e'
    for _ in range(3):
        robot = TiltedRobot(tilted(name, rng, 1e-5, wrist=True))
        poses = [pose_of(robot, robot.drawn(rng)) for _ in range(100)]
        assert sum(FullPose(robot.arm.whole, *pose, 1e-6).is_ordinary for pose in poses) >= 60


@pytest.mark.parametrize(('bend', 'count'), [(0.0, 1), (1e-5, 1), (1e-4, 2), (1e-3, 2)])
def test_both_bends_of_a_nearly_straight_elbow_are_given_if_rounding_lets_them_be_told_apart(
    bend, count
):
    """A closer look is taken at all of them; the axes lean by rounding to nine digits."""
    rng, robot = np.random.default_rng(4), rounded_ur('ur5e')
    for _ in range(3):
        arm, own = robot.arm.whole, robot.arm.whole_naming.whole(robot.drawn(rng))
        own = own._replace(q=(own.q[0], bend, own.q[2]))
        point, rotation = arm.pose(own)
        found = FullPose(arm, point, rotation.tolist(), 1e-6, own).solutions_in_general()
        changes = [one.change(own)[0] for one in found]
        assert sum(change < 0.1 for change in changes) == count
        assert min(changes) <= 1e-4
