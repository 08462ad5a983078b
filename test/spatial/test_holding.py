# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A wrist that is held makes one link of all that comes after the third joint."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit, robot
from tilted_robots import TiltedRobot, leaned, with_wrist_aside
from wrist_robots import KINDS, random_robot

from ik_circles import load_arm
from ik_circles.geometry.angles import CONTINUOUS
from ik_circles.spatial.poses.lifted import lifted

CLOSES = 1e-12  # [m]
#: Axes that lean move the tip by no more than this many times their lean [m].
MOVED = 10.0


@pytest.mark.parametrize('lean', [0.0, 1e-6])
def test_the_link_ends_at_the_tip_off_the_plane_of_the_wrist_center(lean):
    """As the forward kinematics of the whole arm has it, with the plane at yaw 0."""
    rng = np.random.default_rng(0)
    for number in range(cases(200)):
        one = random_robot(rng, *KINDS[number % 4])
        text = with_wrist_aside(rng, one.text)
        arm = TiltedRobot(leaned(text, rng, lean) if lean else text).arm.whole
        own = arm.of_angles([*rng.uniform(-3.0, 3.0, len(arm.limits))])._replace(yaw=0.0)
        held, carrier = arm.holding(own.wrist), arm.carrier
        x, y = carrier.planar.wrist(*carrier.planar.pose_at(own.q))
        phi = sum(own.q) + held.shift
        link = x + held.length * math.cos(phi), y + held.length * math.sin(phi), held.off
        tip = carrier.plane.into(arm.pose(own)[0])
        assert link == pytest.approx(tip, abs=CLOSES + MOVED * lean), one.text
        assert held.length >= 0.0 and held.angles == own.wrist


@pytest.mark.parametrize(('short', 'is_none'), [(1e-11, True), (1e-6, False)])
def test_a_tip_on_the_third_joint_is_a_link_without_length_or_direction(short, is_none):
    """Along the axis of the third joint it is off the plane."""
    arm = load_arm(robot(
        joint('j1', 0, 1, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
        joint('j2', 1, 2, 'revolute', (0.4, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
        joint('j3', 2, 3, 'revolute', (0.3, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
        joint('roll', 3, 4, 'revolute', (0, 0.1, 0), (0, 0, 0), (1, 0, 0), limit(-2, 2)),
        joint('tool', 4, 5, 'fixed', (0, short - 0.1, 0.1), (0, 0, 0), (1, 0, 0), ''),
    )).whole  # fmt: skip
    held = arm.holding((0.0,))
    assert held.off == pytest.approx(0.1)
    if is_none:  # the third joint is then at 0 where the robot's is
        assert held.length == 0.0
        assert arm.home.q[2] + held.shift == pytest.approx(0.0) != pytest.approx(held.shift)
    else:
        assert (held.length, held.shift) == (pytest.approx(short), pytest.approx(0.0, abs=1e-9))


def all_limits(arm):
    """The limits of the chain's joints as the arm has them, and as its carrier and its wrist do."""
    before = [arm.carrier.yaw.limits] if arm.carrier.yaw else []
    return [*arm.limits], [*before, *arm.carrier.planar.limits, *arm.wrist.limits]


@pytest.mark.parametrize('kind', KINDS)
def test_an_arm_without_the_limits_of_some_joints_keeps_those_of_the_others(kind):
    rng = np.random.default_rng(1)
    for _ in range(cases(200, least=8)):
        arm = random_robot(rng, *kind).arm.whole
        joints = set(np.flatnonzero(rng.random(len(arm.limits)) < 0.5).tolist())
        for found, before in zip(all_limits(lifted(arm, joints)), all_limits(arm)):
            assert found == [CONTINUOUS if i in joints else its for i, its in enumerate(before)]
