# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Chains of any number of joints: velocities, and corrections with joints on their limits."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction, rotation_by
from tilted_robots import TiltedRobot, tilted

from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain


def random_chain(rng, count):
    hinges = [
        Hinge(tuple(direction(rng)), tuple(rng.normal(size=3)), rng.uniform(-2.0, 2.0))
        for _ in range(count)
    ]
    return HingeChain(tuple(hinges), tuple(rng.normal(size=3).tolist()))


def tip_written_anew(chain, angles):
    tip = np.array(chain.measured)
    for hinge, angle in reversed([*zip(chain.hinges, angles)]):
        tip = hinge.point + rotation_by(hinge.axis, angle - hinge.angle) @ (tip - hinge.point)
    return tip


def test_the_tip_and_its_velocities():
    rng = np.random.default_rng(0)
    for count in (1, 3, 4, 6):
        for _ in range(cases(100)):
            chain, angles = random_chain(rng, count), rng.uniform(-3.0, 3.0, count)
            expected = tip_written_anew(chain, angles)
            np.testing.assert_allclose(chain.tip(angles), expected, atol=1e-12)
            for joint, velocity in enumerate(chain.placed(angles).moves):
                step = 1e-6 * np.eye(count)[joint]
                there, back = (tip_written_anew(chain, angles + sign * step) for sign in (1, -1))
                np.testing.assert_allclose(velocity, (there - back) / 2e-6, atol=1e-7)


def test_a_joint_past_its_limit_is_put_on_it_and_the_others_bring_the_tip_back():
    rng = np.random.default_rng(1)
    for count in (4, 5, 6):
        for _ in range(cases(200)):
            chain, own = random_chain(rng, count), rng.uniform(-2.0, 2.0, count)
            limits = [(-3.0, 3.0)] * count
            kept = rng.integers(count)
            limits[kept] = (float(own[kept]), 3.0)
            off = own + rng.uniform(-1e-5, 1e-5, count)
            off[kept] = own[kept] - 1e-5
            target = tuple(tip_written_anew(chain, own).tolist())
            others = np.delete(chain.placed(own).moves, kept, axis=0)
            if np.linalg.svd(others)[1][2] < 0.05:
                continue
            found = chain.corrected(off.tolist(), limits, target, 3)
            assert found[kept] == own[kept]
            assert math.dist(tip_written_anew(chain, found), target) <= 1e-12
            assert max(abs(found - own)) <= 1e-3


def test_a_tip_out_of_reach_is_not_chased():
    """A stretched chain has no way outwards: its joints stay next to where they were."""
    hinges = tuple(Hinge((0.0, 0.0, 1.0), (float(x), 0.0, 0.0), 0.0) for x in range(3))
    chain = HingeChain(hinges, (3.0, 0.0, 0.0))
    found = chain.corrected([0.0, 0.0, 0.0], [(-1.0, 1.0)] * 3, (3.1, 0.0, 0.0), 2)
    assert max(map(abs, found)) <= 1e-6


def test_the_rotation_of_a_chain_is_the_product_of_those_of_its_joints():
    rng = np.random.default_rng(6)
    for count in range(7):
        chain, angles = random_chain(rng, count), rng.uniform(-7.0, 7.0, count)
        expected = np.eye(3)
        for hinge, angle in zip(chain.hinges, angles):
            expected = expected @ rotation_by(hinge.axis, angle - hinge.angle)
        np.testing.assert_allclose(chain.rotation(angles), expected, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize('name', ['planar_3r', 'px100', 'so101', 'ur5e'])
def test_angles_next_to_a_point_are_corrected_to_it_unless_that_moves_them_far(name):
    rng = np.random.default_rng(4)
    for _ in range(cases(100)):
        robot = TiltedRobot(tilted(name, rng))
        arm, own = robot.arm.spatial, robot.arm.naming.configuration(robot.drawn(rng))
        point, room = arm.tip_at(own), arm.leaning.bounds.room
        q1, q2, q3 = own.q
        for off in (0.01 * room, 0.5):
            beside = own._replace(q=(q1, q2 + off, q3))
            found = arm.leaning.next_to(beside, point)
            if off < room:
                assert robot.miss(robot.arm.naming.named(found), point) <= 1e-8
            else:
                assert found == beside
