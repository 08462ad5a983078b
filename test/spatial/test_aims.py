# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far leaning axes turn the joints of a full pose away from those of exact axes."""

import math

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot, leaned
from wrist_robots import drawn_on_axis, random_robot

from ik_circles.spatial.poses.aims import (
    beside_plane,
    is_out_of_plane,
    leans,
    most_tilt,
    turned_by_lean,
)
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.shoulder import Shoulder

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


@pytest.mark.parametrize('lean', [0.0, 1e-6])
def test_the_last_link_turns_by_four_times_the_lean_and_the_angle_of_the_slack_by_hand(lean):
    """Seen from the yaw axis; next to the circle that the plane touches, its root counts."""
    rng = np.random.default_rng(1)
    for number in range(cases(160, least=8)):
        robot = random_robot(rng, number % 2 == 0, 1 + number // 2 % 2, aside=0.1)
        robot = TiltedRobot(leaned(robot.text, rng, lean)) if lean else robot
        arm, yaw = robot.arm.whole, robot.arm.whole.carrier.yaw
        point, rotation = arm.pose(robot.arm.whole_naming.whole(robot.drawn(rng)))
        pose, slack = FullPose(arm, point, rotation.tolist(), 0.01), arm.carrier.plane.slack
        for outwards in (0.3, -0.3, 0.0):
            away_by = arm.carrier.planar.max_reach
            at = Shoulder(0.0, (0.2, 0.1))
            if yaw is not None:
                away_by = max(abs(outwards), slack, math.sqrt(slack * abs(yaw.aside)))
                at = Shoulder(0.0, yaw.in_plane(outwards, 0.4))
            turned = 4.0 * (arm.lean + slack / away_by) if lean else 0.0
            assert turned_by_lean(arm, at) == pytest.approx(turned)
            for way in pose.ways:
                its = way._replace(shoulder=at)
                loose = min(way.posture.loose * turned, math.pi)
                assert leans(arm, its) == pytest.approx((loose, max(arm.room, turned)))
                if outwards:
                    seen = 0.01 if yaw is None else 0.01 * (1.0 + 2.0 * arm.wrist.length / 0.3)
                    assert most_tilt(pose.aim, its) == pytest.approx(seen + loose)


def test_a_tip_as_far_beside_the_plane_as_is_allowed_is_not_out_of_it():
    """No joint turns the plane; another roll of the wrist would put the tip beside it."""
    rng = np.random.default_rng(2)
    robot = random_robot(rng, False, 1)
    arm, own = robot.arm.whole, robot.arm.whole_naming.whole(robot.drawn(rng))
    point, rotation = arm.pose(own)
    aim, wrist = FullPose(arm, point, rotation.tolist(), 0.01).aim, (own.wrist[0] + 0.3,)
    beside = beside_plane(aim, wrist)
    assert beside > 1e-4 and beside_plane(aim, own.wrist) < 1e-12
    for room, is_out in ((beside, False), (math.nextafter(beside, 0.0), True)):
        assert is_out_of_plane(aim._replace(room=room), wrist) == is_out
