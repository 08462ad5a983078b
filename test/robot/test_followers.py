# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints that follow others, as the second finger of a gripper does."""

import numpy as np
import pytest
from robot_texts import THREE, X_AXIS, Y_AXIS, joint, limit, robot

from ik_circles import NoPlanarArmError, load_arm
from ik_circles.robot.urdf import parse_urdf


def test_a_joint_that_follows_another_is_where_that_one_puts_it():
    """Law: unless its own position is given. Else one finger of a gripper stays as it closes."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        multiplier, offset, at = rng.normal(size=3)
        mimic = f'<mimic joint="j0" multiplier="{multiplier}" offset="{offset}"/>'
        slides = limit(-9.0, 9.0)
        tree = parse_urdf(
            robot(
                joint('j0', 'l0', 'l1', 'prismatic', (0, 0, 0), (0, 0, 0), (0, 1, 0), slides),
                joint('j1', 'l0', 'l2', 'prismatic', (0, 0, 0), (0, 0, 0), (1, 0, 0),
                      slides + mimic),
            )
        )  # fmt: skip
        follows, own = multiplier * at + offset, rng.normal()
        for given, wanted in (({'j0': at}, follows), ({'j0': at, 'j1': own}, own), ({}, 0.0)):
            assert tree.poses('l0', given)['l2'][0, 3] == pytest.approx(wanted)
            assert tree.with_followers(given).get('j1', 0.0) == pytest.approx(wanted)


def fingers(leader):
    """Three joints, two fingers of a gripper, and the tip on the second one, which follows."""
    slides, mimic = limit(0.0, 0.04), f'<mimic joint="{leader}" multiplier="2" offset="0.01"/>'
    first = joint('g1', 3, 4, 'prismatic', (0.3, 0, 0), axis=Y_AXIS, inner=slides)
    second = joint('g2', 3, 5, 'prismatic', (0.3, 0, 0), axis=X_AXIS, inner=slides + mimic)
    return robot(*THREE, first, second)


def test_a_tip_that_follows_another_joint_is_where_the_page_shows_it():
    """In forward kinematics, and where `holding` puts it; solutions then count on that."""
    arm, opened, point = load_arm(fingers('g1'), tip_link='5'), {'g1': 0.01}, (0.9, 0.0, 0.4)
    there = arm.holding(opened)
    for tip in (
        arm.forward_kinematics(opened),
        arm.link_pose('5', opened),
        arm.tree.poses(arm.base_link, opened)['5'],
        there.forward_kinematics({}),
    ):
        assert tip[:3, 3] == pytest.approx((4 * 0.3 + 2 * 0.01 + 0.01, 0.0, 0.0), abs=1e-12)
    tip = arm.forward_kinematics({**there.solve(point), **opened})
    assert tip[:3, 3] == pytest.approx(point, abs=1e-9)
    assert arm.holding({'g2': 0.02}).held['g2'] == 0.02  # some drivers measure it


def test_a_joint_that_follows_one_of_the_arm_is_refused():
    """Held, it would not be where that joint puts it."""
    with pytest.raises(NoPlanarArmError, match="joint 'g2' follows 'j1', which the arm moves"):
        load_arm(fingers('j1'), tip_link='5')
