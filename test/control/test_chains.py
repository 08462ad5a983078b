# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Bounds on the motion of the tip of a chain of joints hold at all joint positions."""

import numpy as np
import pytest
from law_cases import cases
from motions import RandomChain
from three_joints import NAMES, shipped_arm

from ik_circles.control.chains import chain_of
from ik_circles.control.motion import Chain
from ik_circles.errors import IkCirclesError


def test_a_link_by_hand():
    swing = Chain([(0.0, 0.0, 2.0)], [(0.0, 0.0, 5.0)], (0.5, 0.0, 0.0))
    assert swing.moved(np.array([[-0.2]])) == pytest.approx([0.1])
    assert swing.bend(np.array([[-0.2]])) == pytest.approx([0.02])


def test_an_orientation_that_is_held_moves_only_the_links_before():
    places = [(0.0, 0.0, 0.0), (0.3, 0.0, 0.0)]
    arm = Chain([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0)], places, (0.5, 0.0, 0.0))
    assert arm.moved(np.array([[0.1, 0.1]])) == pytest.approx([0.03])
    assert arm.bend(np.array([[0.1, 0.1]])) == pytest.approx([0.003])


@pytest.mark.parametrize('seed', range(cases(2000)))
def test_bounds_of_a_chain_hold(seed):
    random = np.random.default_rng(seed)
    joints = random.integers(1, 7)
    robot = RandomChain(random, joints)
    start, change = random.uniform(-3.0, 3.0, joints), random.normal(scale=0.5, size=joints)
    step = 1e-4
    before, here, after = (robot.tip(start + s * change) for s in (-step, 0.0, step))
    bend = np.linalg.norm(after - 2.0 * here + before) / step**2
    assert bend <= robot.chain.bend(change[None])[0] * (1.0 + 1e-4) + 1e-6
    moved = np.linalg.norm(robot.tip(start + change) - here)
    assert moved <= robot.chain.moved(change[None])[0] + 1e-12


@pytest.mark.parametrize('name', NAMES)
def test_bounds_of_the_chain_of_a_robot_hold(name):
    """All of its joints by a little, and each by itself, wherever they are."""
    rng, arm = np.random.default_rng(0), shipped_arm(name)
    chain, joints = chain_of(arm), arm.commanded_joints
    for change in (*np.eye(len(joints)) * 0.01, *rng.normal(scale=0.01, size=(10, len(joints)))):
        start = rng.uniform(-3.0, 3.0, len(joints))
        before, after = (
            arm.forward_kinematics(dict(zip(joints, one.tolist())))[:3, 3]
            for one in (start, start + change)
        )
        assert np.linalg.norm(after - before) <= chain.moved(change[None])[0] + 1e-12


def test_what_is_no_chain_is_said():
    with pytest.raises(IkCirclesError, match='2 axes and 1 places given'):
        Chain([(0.0, 0.0, 1.0)] * 2, [(0.0, 0.0, 0.0)], (0.0, 0.0, 0.0))
    for none in ([], 5):
        with pytest.raises(IkCirclesError, match=r'places have shape .*; give points .N, 3.'):
            Chain([(0.0, 0.0, 1.0)], none, (0.0, 0.0, 0.0))
    with pytest.raises(IkCirclesError, match='the shortest axis of length 0'):
        Chain([(0.0, 0.0, 0.0)], [(0.0, 0.0, 0.0)], (0.0, 0.0, 0.0))
