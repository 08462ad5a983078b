# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots whose axes are parallel or perpendicular only to rounding, solved as they are."""

import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit, robot
from tilted_robots import TiltedRobot, leaned, tilted
from wrist_robots import gap, pose_of, random_robot, turned_away

from ik_circles.control import Settings, Target, decide

CLOSES = 1e-9  # [m]


@pytest.mark.parametrize('name', ['planar_3r', 'open_manipulator_x', 'so101', 'ur5e'])
def test_joints_are_corrected_to_the_true_axes(name):
    """The slack is far larger, so parallel axes would miss."""
    rng = np.random.default_rng(0)
    for wrist in (False, True):
        robot = TiltedRobot(tilted(name, rng, wrist=wrist))
        point, rotation = pose_of(robot, robot.drawn(rng))
        found = robot.arm.inverse_kinematics(point, rotation=rotation)
        assert found
        for one in found:
            assert robot.miss(one, point) <= CLOSES
            if robot.arm.whole is not None and robot.arm.whole.wrist.has_two:
                assert turned_away(robot.tip(one)[:3, :3], rotation) <= CLOSES


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_what_the_plane_sees_of_a_wrist_is_turned_and_not_bent(name):
    rng = np.random.default_rng(1)
    for _ in range(5):
        wrist = TiltedRobot(tilted(name, rng, wrist=True)).arm.whole.wrist
        for frame in map(np.array, (wrist.before, wrist.after)):
            np.testing.assert_allclose(frame @ frame.T, np.eye(3), rtol=0.0, atol=1e-14)
            assert np.linalg.det(frame) > 0.0


def test_axes_that_lean_by_the_last_digit_of_a_urdf_keep_own_poses():
    """Law: on limits, asked for its own pose, the arm is there.

    With 3.14159265359 for pi, axes lean by 2e-13 rad.
    """
    rng = np.random.default_rng(8)
    for number in range(cases(8000)):
        if number % 10 == 0:
            kind = [(True, 1), (True, 2), (False, 2)][number // 10 % 3]
            one = TiltedRobot(leaned(random_robot(rng, *kind).text, rng, 4e-13))
        own = one.drawn(rng, 2)
        own = one.bent(own, 1, 0.0 if number % 3 else rng.uniform(-0.3, 0.3)) or own
        point, rotation = pose_of(one, own)
        found = one.arm.solve(point, rotation=rotation, seed=own, orientation_mode='fixed')
        assert found is not None, own
        assert gap(found, own) <= 1e-4


def nearly_folding(robot, rng):
    """The same robot, whose elbow has its limits just short of folded."""
    tree = ElementTree.fromstring(robot.text)
    (elbow,) = (one for one in tree.findall('joint') if one.get('name') == 'j2')
    elbow.set('type', 'revolute')
    for old in elbow.findall('limit'):
        elbow.remove(old)
    most = math.pi - 10.0 ** rng.uniform(-6.0, -1.5)
    ElementTree.SubElement(elbow, 'limit', lower=str(-most), upper=str(most), velocity='2')
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


@pytest.mark.parametrize('branch', ['elbow_up', 'elbow_down'])
def test_an_elbow_that_is_named_is_not_folded_past_its_limit(branch):
    """Law: what is given has the tip at the point, inside the limits, by the URDF's own axes."""
    rng = np.random.default_rng(5)
    for _ in range(cases(300, 120)):
        robot = nearly_folding(TiltedRobot(leaned(random_robot(rng, True, 1).text, rng)), rng)
        for _ in range(15):
            own = robot.drawn(rng)
            angle = float(rng.choice([-1, 1]) * (math.pi - rng.uniform(0.0, 0.3)))
            own = robot.bent(own, 1, angle) or own
            point = tuple(robot.tip(own)[:3, 3].tolist())
            found = robot.arm.solve(point, seed=own, branch=branch)
            assert found is not None
            assert robot.miss(found, point) <= CLOSES
            assert robot.arm.turns(found)


def test_a_seed_past_the_limit_of_the_yaw_joint_is_taken_as_on_it():
    """On axes that lean, with the yaw joint on its limit, only some orientations reach a point."""
    rng, away = np.random.default_rng(27), 1e-6 * np.array([[-3.0, -2.6], [5.8, -1.5], [2.4, 0.8]])
    (x_0, y_0), (x_1, z_1), (x_2, z_2) = away
    one = TiltedRobot(robot(
        joint('yaw', 0, 1, 'revolute', axis=(x_0, y_0, -1.0), inner=limit(-6.849, 5.128)),
        joint('j1', 1, 2, 'revolute', (-0.029, 0.0185, 0.045), (0, 0, 0), (x_1, 1.0, z_1),
              limit(-1.554, 4.879)),
        joint('j2', 2, 3, 'revolute', (0.106, 0, 0), (0, 0, 0), (x_2, -1.0, z_2),
              limit(-1.7225, 2.338)),
        joint('j3', 3, 4, 'continuous', (0.106, 0.0435, 0), axis=(-6.4e-6, -1.0, -4.6e-6)),
        joint('tip', 4, 5, xyz=(0.4607, 0, 0)),
    ))  # fmt: skip
    for _ in range(cases(400)):
        j1, j2, j3 = rng.normal((-0.665, -1.7037, -6.34), 0.03)
        own = {'yaw': -6.849, 'j1': j1, 'j2': max(j2, -1.7225), 'j3': j3}
        seed = {name: angle + rng.normal(0.0, 0.02) for name, angle in own.items()}
        for name in ('yaw', 'j2'):
            seed[name] = one.limits[name][0] - rng.uniform(0.0, 0.09)
        command = decide(one.arm, Settings(), Target(pose_of(one, own)[0]), seed).command
        assert gap(command, seed) <= 3.0 * gap(seed, own) + 0.05


def test_the_limit_of_the_yaw_joint_does_not_turn_the_arm_round():
    """Law: with its yaw joint on a limit, asked for its own place with the tool's heading 0.1 rad
    off, an arm of four joints tells no roll of half a turn, which only the other shoulder has."""
    rng = np.random.default_rng(3)
    for number in range(cases(2000, least=100)):
        if number % 10 == 0:
            text = random_robot(rng, True, 1, on_axis=True).text
            text = re.sub('name="w1" type="[a-z]*"', 'name="w1" type="fixed"', text)
            one = TiltedRobot(leaned(text, rng))
        own = one.drawn(rng)
        own['yaw'] = one.limits['yaw'][rng.integers(2)]
        turned = one.tip({**own, 'yaw': own['yaw'] + 0.1})[:3, :3]
        told = one.arm.check_reachability(pose_of(one, own)[0], rotation=turned)
        assert 'roll is 180.0 deg' not in told.message
