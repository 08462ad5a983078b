# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots whose axes are parallel or perpendicular only to rounding, solved as they are."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot, leaned, tilted
from wrist_robots import pose_of, random_robot, turned_away

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
            np.testing.assert_allclose(frame @ frame.T, np.eye(3), rtol=0.0, atol=1e-9)
            assert np.linalg.det(frame) > 0.0


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
    for _ in range(cases(300, 40)):
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
