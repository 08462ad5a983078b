# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reasons where a yaw joint is on its limit, or past it."""

import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
from law_cases import cases
from spatial_arms import LINKS, checked, limits_of, random_arm
from three_joints import shipped_text
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robots

from ik_circles import Code, load_arm
from ik_circles.planar.redundancy.rules import Redundancy
from ik_circles.planar.selection import Policy

PASSED = re.compile(r'(\S+) would exceed its (?:lower|upper) limit by (?:at most )?(\S+) deg')
#: Messages are rounded to a tenth of a degree, and the lean moves a joint by some of that [deg].
NEARLY = 0.15
#: Rounding turns the plane by up to this, and the nearest pose may be off by TILT_TOLERANCE [rad].
SAME = 1e-3


def widened(text, name, angle):
    """The arm with the limits of a joint wider by an angle [deg]."""
    tree = ElementTree.fromstring(text)
    (found,) = [one.find('limit') for one in tree.findall('joint') if one.get('name') == name]
    for end, sign in (('lower', -1.0), ('upper', 1.0)):
        found.set(end, repr(float(found.get(end)) + sign * math.radians(angle)))
    return load_arm(ElementTree.tostring(tree, encoding='unicode'))


def narrowed(text, name, limit):
    """The text of a robot with a joint between minus and plus a limit [rad]."""
    tree = ElementTree.fromstring(text)
    (found,) = [one.find('limit') for one in tree.findall('joint') if one.get('name') == name]
    found.set('lower', repr(-limit))
    found.set('upper', repr(limit))
    return ElementTree.tostring(tree, encoding='unicode')


def test_a_position_with_the_yaw_joint_on_its_limit_is_reached_past_the_limit_that_is_named():
    """Law: one other joint past its limit: one joint is named, by no more than that is past, and it
    is enough to move its limit by what is said. 1 in 30 are others if parallel axes tell the
    reason; 1 in 12 if the lean is taken to bring the yaw joint inside with any orientation."""
    rng, told, before = np.random.default_rng(6), 0, None
    for whole in random_robots(rng, cases(3000, least=150), kinds=[(True, 1)]):
        if whole is not before:
            before, robot = whole, TiltedRobot(leaned(whole.text, rng))
        arm, own, past = robot.arm, robot.drawn(rng), rng.uniform(0.05, 0.5)
        for name in arm.wrist_joints:
            own[name] = min(max(0.0, robot.limits[name][0]), robot.limits[name][1])
        own[arm.yaw_joint] = robot.limits[arm.yaw_joint][rng.integers(2)]
        name = str(rng.choice(arm.joint_names))
        own[name] = robot.limits[name][1] + past
        point = pose_of(robot, own)[0]
        answer = arm.check_reachability(point)
        if answer.code is Code.JOINT_LIMIT and 'not exactly parallel' not in answer.message:
            told += 1
            said = [(its, float(figure)) for its, figure in PASSED.findall(answer.message)]
            assert len(said) == 1 and said[0][1] <= math.degrees(past) + NEARLY, answer.message
            wider = widened(robot.text, said[0][0], said[0][1] + NEARLY)
            assert wider.check_reachability(point).reachable
    assert told


def test_on_the_yaw_axis_a_limit_that_forbids_the_yaw_asked_for_is_the_reason():
    """Law: exact axes, no other joint has a limit, and the links reach with that orientation."""
    rng, told = np.random.default_rng(11), 0
    one, two, three = LINKS.link_lengths
    for _ in range(cases(3000, least=100)):
        arm, past = random_arm(rng, False, limits_of(rng, 3.0), LINKS), rng.uniform(1e-3, 0.1)
        (x, y), phi = arm.yaw.in_plane(0.0, rng.uniform(-0.4, 0.4)), rng.uniform(-3.0, 3.0)
        away = math.hypot(x - three * math.cos(phi), y - three * math.sin(phi))
        rotation = arm.tool.rotation(phi, arm.yaw.limits[1] + past)
        answer = checked(arm, arm.plane.point_at(x, y), rotation=rotation, tilt=1e-6)
        if abs(one - two) < away < one + two and not answer.reachable:
            told += 1
            (figure,) = re.findall(r'the yaw joint would exceed .* by (\S+) deg', answer.message)
            assert float(figure) <= math.degrees(past) + NEARLY
    assert told


def beside_axis(rng, most):
    """An arm without limits in the plane, a pose less than `most` beside its yaw axis, and how far
    its yaw joint is past a limit there; None if the links do not reach [m, rad]."""
    one, two, three = LINKS.link_lengths
    arm, past = random_arm(rng, False, limits_of(rng, 3.0), LINKS), 10.0 ** rng.uniform(-4.0, -1.0)
    height, phi = rng.uniform(-0.4, 0.4), rng.uniform(-3.0, 3.0)
    place = arm.yaw.in_plane(10.0 ** rng.uniform(-15.0, math.log10(most)), height)
    away = math.hypot(place[0] - three * math.cos(phi), place[1] - three * math.sin(phi))
    if not abs(one - two) < away < one + two:
        return None
    yaw = arm.yaw.limits[1] + past
    point = arm.plane.in_space(*arm.yaw.turned(*place, yaw))
    return arm, point, arm.tool.rotation(phi, yaw), past


def test_next_to_the_yaw_axis_a_limit_that_forbids_the_yaw_asked_for_is_the_reason():
    """Law: exact axes. Of 3718 reasons, 716 were the heading or the roll, or had the joint farther
    past its limit."""
    rng, told = np.random.default_rng(12), 0
    for _ in range(cases(4000, least=200)):
        drawn = beside_axis(rng, 1e-8)
        if drawn is None:
            continue
        arm, point, rotation, past = drawn
        answer = checked(arm, point, rotation=rotation, tilt=1e-6)
        if not answer.reachable:
            told += 1
            (figure,) = re.findall(r'the yaw joint would exceed .* by (\S+) deg', answer.message)
            assert float(figure) <= math.degrees(past) + NEARLY, answer.message
    assert told


def test_next_to_the_yaw_axis_the_verdict_and_solve_agree():
    """Law: the nearest pose is turned by no more than what `solve` gives, and no position that it
    reaches is refused: 1130 of 3734 were, or were turned by up to half a turn more."""
    rng, told = np.random.default_rng(13), 0
    for _ in range(cases(4000, least=200)):
        drawn = beside_axis(rng, 1e-8)
        if drawn is None:
            continue
        arm, point, rotation, _ = drawn
        answer = checked(arm, point, rotation=rotation)
        wanted = arm.tool.orientation(rotation)
        near = answer.nearest_configuration
        taken = [answer.choose(seed, Policy(), Redundancy()) for seed in (None, near)]
        assert [one is None for one in taken] == [not answer.position_reachable] * 2
        if not answer.position_reachable:
            continue
        turned = [arm.tilt_at(one, wanted) for one in (near, *taken)]
        assert max(turned) - min(turned) <= SAME, turned
        told += 1
    assert told


def test_next_to_a_yaw_axis_that_leans_the_forbidden_yaw_is_the_reason():
    """Law: a px100 whose axes lean, with the tip next to the yaw axis: the heading or the roll was
    the reason in 293 of 300. Now it is the yaw joint, but 1 in 1000 is said to be farther past."""
    rng, told, more, exact = np.random.default_rng(14), 0, 0, load_arm('px100')
    narrow = narrowed(shipped_text('px100'), exact.yaw_joint, 1.0)
    axes, foot = exact.spatial.plane.from_yaw_axis
    for _ in range(cases(1000, least=20)):
        height, past = rng.uniform(0.0, 0.3), rng.uniform(1e-3, 0.1)
        own = exact.solve(np.array(foot) + height * np.array(axes[1]))
        if own is None:
            continue
        robot = TiltedRobot(leaned(narrow, rng, 1e-6))
        own = {**own, exact.yaw_joint: 1.0 + past}
        point, rotation = pose_of(robot, own)
        answer = robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=1e-4)
        told += 1
        (figure,) = re.findall(r'waist would exceed .* by (\S+) deg', answer.message)
        more += float(figure) > math.degrees(past) + NEARLY
    assert told
    assert more <= told / 300.0
