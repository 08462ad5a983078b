# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots whose axes are parallel or perpendicular only to rounding, solved as they are."""

import numpy as np
import pytest
from tilted_robots import TiltedRobot, tilted
from wrist_robots import pose_of, turned_away

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
