# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Chains of any number of joints: velocities, and corrections with joints on their limits."""

import math

import numpy as np
import pytest
from hinge_chains import pose_of_chain, random_chain
from law_cases import cases
from tilted_robots import TiltedRobot, tilted

from ik_circles.spatial.true_axes.hinges import MOST_LOOKS, Hinge, HingeChain


def test_the_tip_and_its_velocities():
    rng = np.random.default_rng(0)
    for count in (1, 3, 4, 6):
        for _ in range(cases(100)):
            chain, angles = random_chain(rng, count), rng.uniform(-3.0, 3.0, count)
            expected, _ = pose_of_chain(chain, angles)
            np.testing.assert_allclose(chain.tip(angles), expected, atol=1e-12)
            for joint, velocity in enumerate(chain.placed(angles).moves):
                step = 1e-6 * np.eye(count)[joint]
                there, back = (pose_of_chain(chain, angles + sign * step)[0] for sign in (1, -1))
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
            target = tuple(pose_of_chain(chain, own)[0].tolist())
            others = np.delete(chain.placed(own).moves, kept, axis=0)
            if np.linalg.svd(others)[1][2] < 0.05:
                continue
            found = chain.corrected(off.tolist(), limits, target, 3)
            assert found[kept] == own[kept]
            assert math.dist(pose_of_chain(chain, found)[0], target) <= 1e-12
            assert max(abs(found - own)) <= 1e-3


def test_a_tip_out_of_reach_is_not_chased():
    """A stretched chain has no way outwards: its joints stay next to where they were."""
    hinges = tuple(Hinge((0.0, 0.0, 1.0), (float(x), 0.0, 0.0), 0.0) for x in range(3))
    chain = HingeChain(hinges, (3.0, 0.0, 0.0))
    found = chain.corrected([0.0, 0.0, 0.0], [(-1.0, 1.0)] * 3, (3.1, 0.0, 0.0), 2)
    assert max(map(abs, found)) <= 1e-6


@pytest.mark.parametrize('away', [1e-6, 0.1, 3.0, 100.0])
def test_a_correction_takes_five_looks_or_a_few_more_that_halve_the_miss(away, monkeypatch):
    """Within reach or not, with joints on limits or not: it is no search that may go on."""
    rng, looks, placed = np.random.default_rng(8), [], HingeChain.placed
    monkeypatch.setattr(
        HingeChain, 'placed', lambda chain, angles: looks.append([*angles]) or placed(chain, angles)
    )
    for count in (1, 3, 4, 6):
        for _ in range(cases(600, least=10)):
            chain, angles = random_chain(rng, count), rng.uniform(-3.0, 3.0, count).tolist()
            limits = [(angle - rng.integers(2), angle + 1.0) for angle in angles]
            target = np.add(chain.tip(angles), away * rng.normal(size=3))
            looks.clear()
            chain.corrected(angles, limits, tuple(target.tolist()), 3, MOST_LOOKS)
            missed = [math.dist(chain.tip(one), target) for one in looks]
            assert 1 <= len(looks) <= MOST_LOOKS
            assert all(there <= here / 2.0 for here, there in zip(missed[3:-1], missed[4:-1]))


def test_links_in_line_are_bent_to_come_nearer():
    """Whatever little the target is nearer, and whatever the length of the last link."""
    rng = np.random.default_rng(9)
    for _ in range(cases(1000)):
        last, nearer = 10.0 ** rng.uniform(-4.0, 0.0), 10.0 ** rng.uniform(-8.0, -2.0)
        places = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
        hinges = tuple(Hinge((0.0, 0.0, 1.0), one, 0.0) for one in places)
        chain, angle = HingeChain(hinges, (1.0 + last, 0.0, 0.0)), rng.uniform(-3.0, 3.0)
        target = (1.0 + last * (1.0 - nearer)) * np.array([math.cos(angle), math.sin(angle), 0.0])
        target = tuple(target.tolist())
        found = chain.corrected([angle, 0.0], [(-4.0, 4.0)] * 2, target, 2, MOST_LOOKS)
        assert math.dist(chain.tip(found), target) <= 1e-9


def test_the_rotation_of_a_chain_is_the_product_of_those_of_its_joints():
    rng = np.random.default_rng(6)
    for count in range(7):
        chain, angles = random_chain(rng, count), rng.uniform(-7.0, 7.0, count)
        _, expected = pose_of_chain(chain, angles)
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


def test_where_joints_hardly_move_the_tip_they_approach_it_in_small_steps():
    """An elbow bent by a hair would be flung round by what the tip misses. In the four corrections
    of 0.1 rad, and in those of a pose, it is bent by as much, and the tip is nearer."""
    rng = np.random.default_rng(7)
    for _ in range(cases(100)):
        hinges = tuple(Hinge((0.0, 0.0, 1.0), (float(x), 0.0, 0.0), 0.0) for x in range(2))
        chain, bend = HingeChain(hinges, (2.0, 0.0, 0.0)), rng.choice([-1e-3, 1e-3])
        free, target = [(-4.0, 4.0)] * 2, (rng.uniform(1.3, 1.8), 0.0, 0.0)
        found = chain.corrected([-bend / 2.0, bend], free, target, 2)
        assert 0.3 <= max(map(abs, found)) <= 0.41
        assert math.dist(chain.tip(found), target) < 2.0 - target[0]


def test_a_pose_is_taken_inside_the_limits_whatever_the_last_step():
    """The last small step put joints past their limits, by less than counts as rounding there: a
    joint of more than a turn was then given a turn away. Of 2,000 chains, 287 were past."""
    rng = np.random.default_rng(11)
    for _ in range(cases(2000, least=60)):
        chain = random_chain(rng, int(rng.integers(4, 7)))
        own = rng.uniform(-2.0, 2.0, len(chain.hinges))
        rooms = rng.uniform(0.1, 2.0, (len(own), 2)) * (rng.random((len(own), 2)) < 0.5)
        limits = [(at - below, at + above) for at, (below, above) in zip(own, rooms)]
        target, rotation = pose_of_chain(chain, own.tolist())
        start = own + rng.uniform(-1e-3, 1e-3, len(own))
        found = chain.posed(start.tolist(), limits, tuple(target.tolist()), rotation.tolist())
        assert all(lower <= q <= upper for q, (lower, upper) in zip(found, limits))
