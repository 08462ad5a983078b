# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reasons where a yaw joint is on its limit, or past it."""

import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
from law_cases import cases
from spatial_arms import LINKS, checked, limits_of, random_arm
from tilted_robots import TiltedRobot, leaned
from wrist_robots import pose_of, random_robots

from ik_circles import Code, load_arm

PASSED = re.compile(r'(\S+) would exceed its (?:lower|upper) limit by (?:at most )?(\S+) deg')
#: Messages are rounded to a tenth of a degree, and the lean moves a joint by some of that [deg].
NEARLY = 0.15


def widened(text, name, angle):
    """The arm with the limits of a joint wider by an angle [deg]."""
    tree = ElementTree.fromstring(text)
    (found,) = [one.find('limit') for one in tree.findall('joint') if one.get('name') == name]
    for end, sign in (('lower', -1.0), ('upper', 1.0)):
        found.set(end, repr(float(found.get(end)) + sign * math.radians(angle)))
    return load_arm(ElementTree.tostring(tree, encoding='unicode'))


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
