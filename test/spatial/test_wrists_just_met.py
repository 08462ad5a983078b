# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses whose wrist center the plane just meets: rounding turns the plane there, and with it a
wrist that is next to singular by any angle."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from robot_texts import limit
from tilted_robots import TiltedRobot
from wrist_robots import gap, pose_of, random_robot, turned_away

from ik_circles.spatial.poses.whole import Whole

CLOSES = 1e-9  # [m, rad]
STAYS = 0.05  # [rad] that joints move although the arm is there already


def with_limits(text, rng, own):
    """The text of a robot, each joint on one of its limits, between narrow ones, or without any."""
    tree = ElementTree.fromstring(text)
    for one in tree.findall('joint'):
        if one.get('name') not in own:
            continue
        for old in one.findall('limit'):
            one.remove(old)
        kind, at = rng.integers(4), own[one.get('name')]
        one.set('type', 'revolute' if kind else 'continuous')
        if kind:
            below, above = (10.0 ** rng.uniform(-3.0, 0.5, 2)).tolist()
            ends = ((at, at + above), (at - below, at), (at - below, at + above))[kind - 1]
            one.append(ElementTree.fromstring(limit(*ends)))
    return ElementTree.tostring(tree, encoding='unicode')


def just_met(rng, off, bend):
    """A robot and its positions, with the wrist center up to 1e-5 m outwards of where the plane
    just meets it, and the wrist `off` singular [rad]; None if it does not get there."""
    exact = random_robot(rng, True, 2, on_axis=False)
    whole = exact.arm.whole
    if whole is None or whole.is_leaning or len(exact.arm.wrist_joints) < 2:
        return None
    arm, q1 = whole.carrier, rng.uniform(-math.pi, math.pi)
    outwards = rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-10.0, -5.0)
    third, _ = arm.yaw.from_axis(arm.planar.joint_points((q1, bend, 0.0))[2])
    share = (outwards - third) / arm.planar.link_lengths[2]
    if abs(share) > 1.0:
        return None
    along_x, along_y = arm.yaw.along
    phi = math.atan2(-along_x, along_y) + rng.choice([-1, 1]) * math.acos(share)
    first = rng.choice([-1.0, 1.0]) * math.pi / 2.0 - whole.wrist.first_at_zero + off
    wrist, yaw = (first, rng.uniform(-math.pi, math.pi)), rng.uniform(-math.pi, math.pi)
    named = exact.arm.whole_naming.named_whole(Whole(yaw, (q1, bend, phi - q1 - bend), wrist))
    own = {name: math.remainder(one, math.tau) for name, one in named.items()}
    return TiltedRobot(with_limits(exact.text, rng, own)), own


@pytest.mark.parametrize('is_straight', [False, True])
def test_own_full_poses_next_to_a_singular_wrist_are_found_without_a_seed(is_straight):
    """Only one yaw angle was tried: of 540 with a bent elbow, 17 were refused, of 280 with a
    straight one 6."""
    count = 0
    for seed in (159, 210, 214, 361, 917, 1064, 1265, *range(cases(2000, least=60))):
        rng = np.random.default_rng(seed)
        off = rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-11.0, -5.0)
        bend = rng.choice([0.0, 1e-8, 1e-5]) if is_straight else rng.uniform(-3.0, 3.0)
        drawn = just_met(rng, off, bend)
        if drawn is None:
            continue
        robot, own = drawn
        point, rotation = pose_of(robot, own)
        told = robot.arm.check_reachability(point, rotation=rotation)
        assert told.reachable, (seed, told.message)
        for one in told.solutions:
            there, turned = pose_of(robot, one)
            assert math.dist(there, point) <= CLOSES
            assert turned_away(turned, rotation) <= 2.0 * CLOSES
        taken = robot.arm.solve(point, rotation=rotation, seed=own)
        assert gap(taken, own) <= STAYS, seed
        count += 1
    assert count > cases(200, least=5)


def test_a_hair_beside_own_poses_the_verdict_is_mostly_that_of_a_seed():
    """Where rounding moves joints by much, only a seed found what misses the pose by less than
    1e-9: of 609 verdicts, 205 were no although `solve` had a solution. Now 31 are."""
    count, alone = 0, 0
    for seed in range(cases(3000, least=150)):
        rng = np.random.default_rng(seed)
        off = rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-11.0, -5.0)
        drawn = just_met(rng, off, rng.choice([0.0, rng.uniform(-3.0, 3.0)]))
        if drawn is None:
            continue
        robot, own = drawn
        point, rotation = pose_of(robot, own)
        point = point + 10.0 ** rng.uniform(-13.0, -10.0) * rng.normal(size=3)
        told = robot.arm.check_reachability(point, rotation=rotation)
        asked = {'rotation': rotation, 'orientation_mode': 'fixed'}
        taken = robot.arm.solve(point, seed=own, **asked)
        assert taken is not None or not told.reachable, seed
        for one in told.solutions:
            there, turned = pose_of(robot, one)
            assert math.dist(there, point) <= 2.0 * CLOSES
            assert turned_away(turned, rotation) <= 2.0 * CLOSES
        alone += taken is not None and not told.reachable
        count += 1
    assert count > cases(400, least=20)
    assert alone <= 0.1 * count
