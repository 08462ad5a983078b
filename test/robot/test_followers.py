# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints that follow others, as the second finger of a gripper does."""

import numpy as np
import pytest
from robot_texts import THREE, X_AXIS, Y_AXIS, joint, limit, robot

from ik_circles import NoPlanarArmError, load_arm
from ik_circles.robot.arm import HELD_TOLERANCE
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


def chain_of_followers(rng, first=''):
    """Fingers that follow each other, in any order in the text, and what each of them does."""
    count = 5
    ways = [tuple(map(float, rng.normal(size=2))) for _ in range(count)]
    texts = []
    for n, (multiplier, offset) in enumerate(ways):
        leader = f'g{n - 1}' if n else first
        mimic = f'<mimic joint="{leader}" multiplier="{multiplier}" offset="{offset}"/>'
        inner = limit(-99.0, 99.0) + (mimic if leader else '')
        end = 4 if n == count - 1 else f's{n}'  # the tip, or a finger beside it
        texts.append(joint(f'g{n}', 3, end, 'prismatic', (0.3, 0, 0), axis=X_AXIS, inner=inner))
    return robot(*THREE, *map(str, rng.permutation(texts))), ways


def test_followers_of_followers():
    """Law: in forward kinematics, held, and before the first one was measured: it counts as at 0.
    """
    rng = np.random.default_rng(1)
    for _ in range(20):
        text, ways = chain_of_followers(rng)
        arm = load_arm(text, tip_link='4')
        for start in (0.0, float(rng.normal())):
            at = start
            for multiplier, offset in ways[1:]:
                at = multiplier * at + offset
            held = arm.holding({'g0': start} if start else {})
            still = 1e-12 if start == 0.0 else HELD_TOLERANCE
            assert held.held['g4'] == pytest.approx(at, abs=still)
            tip = held.forward_kinematics({'g0': start})
            assert tip[:3, 3] == pytest.approx((1.2 + at, 0.0, 0.0), abs=1e-9)
        _, (multiplier, offset) = ways[-2:]
        own = arm.holding({'g0': 1.0, 'g3': 0.2}).held['g4']  # g3 was measured
        assert own == pytest.approx(multiplier * 0.2 + offset)
        with pytest.raises(NoPlanarArmError, match="joint 'g4' follows 'g3', which the arm moves"):
            load_arm(chain_of_followers(rng, first='j1')[0], tip_link='4')


def test_joints_that_follow_each_other_round_are_at_0():
    slides = limit(0.0, 0.04)
    one, two = (slides + f'<mimic joint="{leader}" offset="0.01"/>' for leader in ('g2', 'g1'))
    first = joint('g1', 3, 4, 'prismatic', (0.3, 0, 0), axis=Y_AXIS, inner=one)
    second = joint('g2', 4, 5, 'prismatic', (0.3, 0, 0), axis=X_AXIS, inner=two)
    assert load_arm(robot(*THREE, first, second)).held == {'g1': 0.0, 'g2': 0.0}


def test_a_long_chain_of_followers_is_read_at_once():
    count = 3000
    some = [
        joint(f'g{n}', 3, f's{n}', 'continuous', inner=f'<mimic joint="g{n + 1}"/>')
        for n in range(count - 1)
    ]
    last = joint(f'g{count - 1}', 3, 4, 'prismatic', inner=limit(0, 1))
    arm = load_arm(robot(*THREE, *some, last), tip_link='4')
    assert arm.tree.with_followers({f'g{count - 1}': 0.5})['g0'] == 0.5


def test_a_joint_that_follows_one_of_the_arm_is_refused():
    """Held, it would not be where that joint puts it."""
    with pytest.raises(NoPlanarArmError, match="joint 'g2' follows 'j1', which the arm moves"):
        load_arm(fingers('j1'), tip_link='5')
