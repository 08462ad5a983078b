# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far leaning axes turn the joints of a full pose away from those of exact axes."""

import math

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot, leaned
from wrist_robots import drawn_on_axis, random_robot

from ik_circles.spatial.poses.aims import leans, turned_by_lean
from ik_circles.spatial.poses.full_pose import FullPose

#: A posture that is looser than this is next to a singular one [1].
LOOSE = 50.0
#: The bounds are no more than this many times what is seen [1].
WASTED = 200.0


def away(some, others):
    """The largest difference of angles, up to whole turns [rad]."""
    return max(abs(math.remainder(a - b, math.tau)) for a, b in zip(some, others))


@pytest.mark.parametrize('outwards', [(-3.0, -2.0), (-2.0, -1.0)])
def test_lean_turns_yaw_and_wrist_joints_by_no_more_than_said_and_not_much_less(outwards):
    """Near the yaw axis, where the slack of the plane turns them by far more than the lean."""
    rng, yaws, wrists = np.random.default_rng(0), [], []
    for number in range(cases(1200, 40, least=20)):
        count = 1 + number % 2
        robot = TiltedRobot(leaned(random_robot(rng, True, count, aside=0.1).text, rng, 1e-6))
        side = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(*outwards)
        own = drawn_on_axis(robot, rng, away=side)
        if own is None or len(robot.arm.wrist_joints) < count:
            continue
        arm, whole = robot.arm.whole, robot.arm.whole_naming.whole(own)
        point, rotation = arm.pose(whole)
        ways = FullPose(arm, point, rotation.tolist(), 0.01).ways
        angles = whole.yaw, sum(whole.q)
        found = [(way.shoulder.yaw, way.posture.phi) for way in ways]
        way = ways[min(range(len(ways)), key=lambda one: away(found[one], angles))]
        if way.posture.loose < LOOSE:
            turned = turned_by_lean(arm, way.shoulder)
            yaws.append(away([way.shoulder.yaw], [whole.yaw]) / turned)
            wrists.append(away(way.posture.wrist, whole.wrist) / leans(arm, way)[0])
    for each in (yaws, wrists):
        assert len(each) > cases(200) and 1.0 / WASTED <= max(each) <= 1.0
