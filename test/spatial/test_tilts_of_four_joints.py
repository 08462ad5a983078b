# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses of four joints: the position decides the heading, and the tilt what is a solution."""

import math

import numpy as np
import pytest
from law_cases import cases
from screw_solver import screw
from spatial_arms import direction, rotation_by
from three_joints import NAMES, shipped_text, without_wrist
from tilted_robots import TiltedRobot
from wrist_robots import gap, pose_of, random_robots, turned_away

CLOSES = 1e-9  # [m]
SAME = 1e-6  # [rad] the root of rounding, where an elbow is straight
#: A tilt is clearly less, or more, than it by this share of it [1].
CLEARLY = 1e-3
#: Targets are turned away by no more than this, and tilts are no larger [rad].
MOST = 0.5
#: Less steep tools that point outwards and inwards are farther apart [1].
STEEP = 0.8
WITH_YAW = [name for name in NAMES if name != 'planar_3r']


def tool_of(robot, positions):
    """The direction of link 3, of which the tip's orientation is a part: the tip turns about the
    third joint."""
    half = {**positions, robot.arm.joint_names[2]: positions[robot.arm.joint_names[2]] + math.pi}
    (tip, _), (opposite, _) = pose_of(robot, positions), pose_of(robot, half)
    return np.subtract(tip, opposite) / math.dist(tip, opposite)


def with_pitch(robot, own, wanted):
    """Solutions of the position at which the tool is as steep as in an orientation, at either
    shoulder and elbow, outwards or inwards: those with another steepness are none."""
    arm, (point, rotation) = robot.arm, pose_of(robot, own)
    axis = screw(robot, arm.yaw_joint)[0]
    steep = wanted @ rotation.T @ tool_of(robot, own) @ axis
    third, phi = arm.joint_names[2], robot.phi(own)
    at, after = (
        tool_of(robot, {**own, third: own[third] + change}) @ axis
        for change in (0.0, arm.joint_signs[2] * math.pi / 2.0)
    )
    middle, aside = math.atan2(after, at), math.acos(steep / math.hypot(at, after))
    for change in (middle - aside, middle + aside):
        yield from arm.inverse_kinematics(point, phi + change)


def robots(rng, count):
    for robot in random_robots(rng, count, each=2, kinds=[(True, 1)], on_axis=None):
        yield TiltedRobot(without_wrist(robot.text))


def check_tilts(robot, own, rng):
    """How many solutions there are with some tilt; they are those within it, and no others."""
    (point, rotation), axis = pose_of(robot, own), screw(robot, robot.arm.yaw_joint)[0]
    away = rotation_by(direction(rng), rng.uniform(0.0, MOST))
    wanted = away @ rotation
    if abs(wanted @ rotation.T @ tool_of(robot, own) @ axis) > STEEP:
        return 0
    some = [*with_pitch(robot, own, wanted)]
    tilts = [turned_away(pose_of(robot, one)[1], wanted) for one in some]
    met = 0
    for tilt in (tilt for tilt in tilts if tilt < MOST):
        for share in (1.0 - CLEARLY, 1.0 + CLEARLY):
            most = tilt * share
            found = robot.arm.inverse_kinematics(point, rotation=wanted, tilt_tolerance=most)
            expected = [one for one, its in zip(some, tilts) if its <= most]
            assert len(found) == len(expected), (robot.text, own, wanted, most)
            for one in found:
                assert robot.miss(one, point) <= CLOSES
                assert turned_away(pose_of(robot, one)[1], wanted) <= most + SAME
                assert min(gap(one, its) for its in expected) <= SAME
            met += len(found)
    return met


def test_law_random_arms_give_all_solutions_within_the_tilt_and_no_others():
    rng = np.random.default_rng(0)
    met = [
        check_tilts(robot, robot.drawn(rng), rng) for robot in robots(rng, cases(2000, least=40))
    ]
    assert sum(map(bool, met)) > len(met) / 4


@pytest.mark.parametrize('name', WITH_YAW)
def test_law_shipped_arms_give_all_solutions_within_the_tilt_and_no_others(name):
    robot, rng = TiltedRobot(without_wrist(shipped_text(name))), np.random.default_rng(1)
    assert sum(check_tilts(robot, robot.drawn(rng), rng) for _ in range(cases(400, least=10)))
