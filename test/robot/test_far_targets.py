# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines to targets that are far away: they go on as those in the same direction do."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_arm, random_joints, tip
from robot_texts import Y_AXIS, Z_AXIS, joint, limit
from robot_texts import robot as urdf_of
from three_joints import shipped_text
from tilted_robots import TiltedRobot

from ik_circles import Code, PlanarArm, load_arm

AWAY = [1e4, 1e9, 1e13, 1e160]


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'planar_3r', 'px100'])
@pytest.mark.parametrize('orientation', ['held', 'free'])
def test_a_far_target_changes_nothing_of_a_line_but_its_length(name, orientation):
    """Law: the line ends where one to a near target in the same direction ends."""
    rng, robot = np.random.default_rng(0), TiltedRobot(shipped_text(name))
    for _ in range(cases(200, 100)):
        start, way = robot.drawn(rng), rng.normal(size=3)
        if robot.arm.yaw_joint is None:
            way -= robot.arm.plane[:3, 2] * (robot.arm.plane[:3, 2] @ way)
        way /= np.linalg.norm(way)  # then the near target is out of reach, too
        place = robot.tip(start)[:3, 3]
        line = robot.arm.straight_line(start, place + 10.0 * way, orientation=orientation)
        for away in AWAY:
            far = robot.arm.straight_line(start, place + away * way, orientation=orientation)
            assert far.code is line.code
            assert far.share * away == pytest.approx(10.0 * line.share, rel=1e-9, abs=1e-9)
            end = far.positions(far.share)
            assert math.dist(robot.tip(end)[:3, 3], place + far.share * away * way) <= 1e-8


def far_from_its_axis(tool):
    """The text of a small arm that a yaw joint carries around at 1 m and 0.4 m aside; or right
    above it, with a wrist that folds a tool [m]."""
    place = (1.0, 0.4, 0.2) if tool == 0.0 else (0.0, 0.0, 0.0)
    places, axes = [(0, 0, 0), place, (0.1, 0, 0), (0.1, 0, 0)], [Z_AXIS, *[Y_AXIS] * 3]
    joints = [
        joint(f'j{n}', n, n + 1, 'revolute', xyz, axis=axis, inner=limit(-3.1, 3.1))
        for n, (xyz, axis) in enumerate(zip([*places, (0.1, 0, 0)], [*axes, Z_AXIS]))
    ]
    return urdf_of(
        *joints[: 5 if tool else 4], joint('tip', 5 if tool else 4, 'tip', xyz=(0.1 - tool, 0, 0))
    )


@pytest.mark.parametrize('orientation', ['held', 'free'])
@pytest.mark.parametrize('tool', [0.0, 0.3])
def test_an_arm_far_from_its_yaw_axis_or_with_a_folded_tool_follows_lines_as_far(tool, orientation):
    """Law: a line to a far target ends where one ends that is longer than any that it can
    follow, and where a short one in the same direction ends."""
    rng, robot = np.random.default_rng(0), TiltedRobot(far_from_its_axis(tool))
    for _ in range(cases(100)):
        start, way = robot.drawn(rng), rng.normal(size=3)
        way /= np.linalg.norm(way)
        place = robot.tip(start)[:3, 3]
        short, near, far = (
            robot.arm.straight_line(start, place + away * way, orientation=orientation)
            for away in (0.2, 3.5, 1e4)
        )
        assert far.code is near.code
        assert far.share * 1e4 == pytest.approx(3.5 * near.share, rel=1e-9, abs=1e-8)
        # Where a line of a free orientation ends is found to a share of what is looked at.
        assert 0.2 * short.share == pytest.approx(min(0.2, 3.5 * near.share), abs=1e-5)


def test_lines_in_the_plane_to_targets_that_are_far_away():
    rng = np.random.default_rng(1)
    for _ in range(cases(1000)):
        arm = random_arm(rng)
        q, way = random_joints(rng, arm), np.exp(1j * rng.uniform(-math.pi, math.pi))
        place, reach = tip(arm, q)[0], arm.max_reach
        near, far = (
            arm.straight_line(q, (to.real, to.imag))
            for to in (place + 10.0 * reach * way, place + 1e160 * way)
        )
        assert far.code is near.code
        assert far.share * (1e160 / reach) == pytest.approx(10.0 * near.share, rel=1e-9, abs=1e-9)


def test_a_far_target_does_not_end_a_line_sooner():
    """Its windows close at a straight elbow, and ends are found to a share of what is looked at."""
    arm = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
    q, way = (1.1687, -0.2011, 1.7037), np.array((-0.976, 0.2177))
    start = np.array(arm.forward_kinematics(q)[:2])
    for away in (2.0, 90.0, *AWAY):
        line = arm.straight_line(q, tuple(start + away * way), orientation='free')
        assert line.code is Code.TOO_FAR
        assert line.share * away == pytest.approx(0.4732174, abs=1e-7)


def test_a_line_that_is_too_long_for_a_number():
    robot = TiltedRobot(shipped_text('so101'))
    start = dict.fromkeys(robot.arm.commanded_joints, 0.3)
    line = robot.arm.straight_line(start, (1.7e308, 1.7e308, 0.0))
    assert 0.0 < line.share < 1e-300
    assert ' of more than 9.9e+299 m (0.0 %)' in line.message
    flat = TiltedRobot(shipped_text('planar_3r'))
    start, off = dict.fromkeys(flat.arm.commanded_joints, 0.3), flat.arm.plane[:3, 2]
    line = flat.arm.straight_line(start, flat.tip(start)[:3, 3] + 1e200 * off)
    assert ': the target is 1e+200 m beside the plane; ' in line.message


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'xarm5', 'braccio'])
def test_a_target_so_far_away_that_distances_are_no_numbers_is_too_far(name):
    """Law: with a figure, with an orientation and without, and on the yaw axis, too."""
    rng, arm = np.random.default_rng(2), load_arm(name)
    for number in range(cases(160)):
        way = rng.normal(size=3) * ((1.0, 1.0, 1.0) if number % 2 else (0.0, 0.0, 1.0))
        target = rng.uniform(1e306, 1.7e308) * (way / np.abs(way).max())
        for rotation in (None, np.eye(3)):
            verdict = arm.check_reachability(target, rotation=rotation)
            assert verdict.margin < -9.9e299
            assert 'more than 9.9e+299 m' in verdict.message or ' 1e+300 m' in verdict.message
            assert 'no point' not in verdict.message
