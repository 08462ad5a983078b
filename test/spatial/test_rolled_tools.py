# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A tool that is rolled, or turned about the yaw axis, away from what an arm without a wrist does.
"""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from tilted_robots import LEAN, TiltedRobot, leaned
from turned_robots import drawn, urdf_of, yaw_axis
from wrist_robots import pose_of, turned_away

EACH = 10
SAME = 1e-4  # [rad]; above the lean


def robots(rng, count, lean):
    """Random arms behind a yaw joint, each with several joint positions."""
    for _ in range(count // EACH):
        robot = TiltedRobot(leaned(urdf_of(rng), rng, lean))
        for own in drawn(robot.arm, rng, EACH):
            yield robot, own


def tool_of(arm, own, phi):
    """The direction in which the tool points, and that of the yaw axis."""
    axis, _ = yaw_axis(arm)
    in_plane = arm.plane[:3, :3] @ (math.cos(phi), math.sin(phi), 0.0)
    return rotation_by(axis, own[arm.yaw_joint]) @ in_plane, axis


@pytest.mark.parametrize('lean', [0.0, LEAN])
@pytest.mark.parametrize('about', [0, 1], ids=['rolled', 'turned about the yaw axis'])
def test_the_nearest_orientation_is_no_farther_away_than_one_that_is_known(lean, about):
    """Both shoulders reach many a position, each with other orientations."""
    rng, by_both = np.random.default_rng(0), 0
    for robot, own in robots(rng, cases(20000, 40, least=150), lean):
        arm, (point, rotation) = robot.arm, pose_of(robot, own)
        angle = rng.uniform(0.02, 0.4) * rng.choice([-1, 1])
        axis = tool_of(arm, own, robot.phi(own))[about]
        wanted = rotation_by(axis, angle) @ rotation
        told = arm.check_reachability(point, rotation=wanted)
        assert told.position_reachable
        nearest = told.nearest_joint_positions
        assert robot.miss(nearest, point) <= SAME
        assert turned_away(robot.tip(nearest)[:3, :3], wanted) <= abs(angle) + SAME
        by_both += len({one[arm.yaw_joint] for one in arm.inverse_kinematics(point, 0.0)}) > 1
    assert by_both
