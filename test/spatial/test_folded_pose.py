# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What axes that lean leave of a folded elbow, before limits and corrections: it takes the pose."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from folding_robots import foldable
from law_cases import cases
from tilted_robots import TiltedRobot, axis_of, leaned, numbers
from wrist_robots import is_singular, least_motion, pose_of, singular

from ik_circles.spatial.true_axes.aiming import Sought
from ik_circles.spatial.true_axes.folded_aim import folded_aims
from ik_circles.spatial.true_axes.folded_pose import FoldedPose
from ik_circles.spatial.true_axes.two_free import AskedOfChain

MET, SAME = 1e-10, 1e-5  # [m], [rad]
ELSEWHERE = 1.0, math.pi, 1.0  # [rad] members next to that are tried, too
NEXT = 0.02  # [m] next to the yaw axis, the lean moves joints farther
TOLD = 1e-7  # [m/rad, 1] if motions do less, the axes hardly pick any


def folded(rng, has_yaw, wrist=0, least=1e-7, short=None):
    """A robot without narrow limits whose axes lean by `least` to 1e-5 rad, and positions with its
    elbow folded, or next to that. Its last link may be `short` [m]."""
    text, angle = foldable(rng, has_yaw, False, wrist)
    text = text if short is None else with_last_link(text, short)
    one = TiltedRobot(leaned(text, rng, 10.0 ** rng.uniform(math.log10(least), -5.0)))
    off = rng.choice([0.0, 1e-8, 1e-6]) * rng.choice([-1, 1])
    return one, {**one.drawn(rng), 'j2': float(np.clip(angle + off, *one.limits['j2']))}


def with_last_link(text, length):
    """The text of a robot with two wrist joints, their center this far from the third joint [m]."""
    tree = ElementTree.fromstring(text)
    first, second = (tree.find(f"joint[@name='{name}']") for name in ('w1', 'w2'))
    axis, way = axis_of(first), numbers(second.find('origin').get('xyz'))
    place = (length - way @ axis) * np.array(axis)
    first.find('origin').set('xyz', ' '.join(map(str, place)))
    return ElementTree.tostring(tree, encoding='unicode')


def apart(some, own):
    """How far the nearest of some angles are from others, up to whole turns [rad]."""
    return min(
        (max(abs(math.remainder(a - b, math.tau)) for a, b in zip(one, own)) for one in some),
        default=math.inf,
    )


@pytest.mark.parametrize('has_yaw', [True, False])
def test_each_misses_its_place_by_what_it_says_and_one_is_where_the_arm_is(has_yaw):
    rng, seen = np.random.default_rng(0), 0
    for _ in range(cases(300)):
        robot, own = folded(rng, has_yaw)
        leaning, (point, _) = robot.arm.spatial.leaning, pose_of(robot, own)
        at, plane = robot.arm.naming.configuration(own), leaning.plane
        sought, found = Sought(point, sum(at.q), near=ELSEWHERE), []
        x, y, _ = leaning.planar.pose_at(at.q)
        outwards = plane.yaw.from_axis((x, y))[0] if has_yaw else 1.0
        if abs(outwards) < NEXT:
            continue
        side = math.copysign(1.0, outwards)
        aims = [*folded_aims(leaning.aiming, leaning.limits, sought, (side,))]
        for some in aims:
            for aim in some:
                tip = leaning.chain.tip(leaning.angles(aim.yaw, aim.q))
                miss = math.dist(tip[: plane.count], plane.into(point)[: plane.count])
                assert aim.miss == pytest.approx(miss, abs=MET)
                assert sum(aim.q) == pytest.approx(sum(at.q))
                found.append((aim.yaw, *aim.q))
        if max(map(len, aims)) == 1:  # else every member closes, and is one of a list
            assert apart(found, (at.yaw, *at.q)) <= SAME, robot.text
            seen += 1
    assert seen > cases(150)


def picked(robot, own, is_loose):
    """What a pose of the robot's own leaves, its own angles, and the pose, with what it misses."""
    arm, (point, rotation) = robot.arm.whole, pose_of(robot, own)
    whole = robot.arm.whole_naming.whole(own)
    phi = sum(whole.q)
    plane = arm.carrier.plane
    asked = AskedOfChain(plane.into(point), arm.from_zero(rotation), plane.count)
    exact = arm.angles(whole._replace(q=(0.0, math.pi, phi - math.pi)))
    some = FoldedPose(arm.bounds, arm.chain, arm.limits, asked).picked(exact, ELSEWHERE, is_loose)
    found = [one for each in some for one in each]
    return (
        found,
        arm.angles(whole),
        [arm.miss(arm.of_angles(one), point, rotation) for one in found],
    )


@pytest.mark.parametrize('has_yaw', [True, False])
def test_each_takes_its_pose_and_one_is_the_arms_own(has_yaw):
    rng, seen = np.random.default_rng(1), 0
    for _ in range(cases(300, least=10)):
        robot, own = folded(rng, has_yaw, 2)
        is_loose = len(robot.arm.wrist_joints) < 2 or is_singular(robot, own, 0.02)
        if is_loose or least_motion(robot, own) < TOLD:
            continue
        found, angles, missed = picked(robot, own, False)
        assert apart(found, angles) <= SAME, robot.text
        assert max(max(one) for one in missed) <= 1e-8
        seen += 1
    assert seen


@pytest.mark.parametrize('has_yaw', [True, False])
def test_next_to_a_singular_wrist_one_is_next_to_the_arms_own(has_yaw):
    """A short last link made a determinant so small that it counted as 0."""
    rng, seen = np.random.default_rng(2), 0
    for _ in range(cases(300, least=40)):
        short = rng.choice([None, 10.0 ** rng.uniform(-7.0, -3.0)])
        robot, own = folded(rng, has_yaw, 2, least=2e-6, short=short)
        if len(robot.arm.wrist_joints) < 2:
            continue
        own = singular(robot, own, rng, 10.0 ** rng.uniform(-8.0, -4.0))
        if own is not None and least_motion(robot, own) > TOLD:
            found, angles, _ = picked(robot, own, True)
            assert apart(found, angles) <= SAME
            seen += 1
    assert seen
