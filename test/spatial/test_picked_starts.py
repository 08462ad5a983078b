# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where correction starts next to singular poses: next to where an arm with leaning axes is."""

import math
from itertools import pairwise

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot, leaned
from wrist_robots import drawn_on_axis, random_robot, singular

from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.picked_starts import (
    least_loose,
    picked_at,
    picked_on_axis,
    where_shoulders_and_elbows_meet,
)
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.true_axes.two_free import AskedOfChain

LEAN = 1e-7  # [rad]
BENT = 0.05
#: To first order, a start is where the arm is [rad].
NEXT = 1e-4
#: The same where shoulders and elbows meet: the root of the slack, over the distance of the plane
#: from the yaw axis [rad].
NEXT_TO_MEETING = 0.01


def gap(one, other):
    """The largest difference of angles, up to whole turns [rad]."""
    return max(abs(math.remainder(a - b, math.tau)) for a, b in zip(one, other))


def robots(rng, count, yaw, on_axis=None):
    """Robots whose axes lean, with a wrist of two joints, beside the yaw axis or through it."""
    for _ in range(count):
        one = TiltedRobot(leaned(random_robot(rng, yaw, 2, on_axis=on_axis).text, rng, LEAN))
        if len(one.arm.wrist_joints) == 2:
            aside = one.arm.whole.carrier.yaw.aside if yaw else 0.0
            if on_axis is not False or abs(aside) > 0.04:
                yield one


def posed(arm, own):
    point, rotation = arm.pose(own)
    return FullPose(arm, point, rotation.tolist(), 0.01)


def check_starts(arm, own, starts):
    """One of them is where the arm is, with the elbow as it is; all have the wrist center in their
    plane where it really is."""
    elbow = int(math.sin(own.q[1]) > 0.0)  # 0 up, 1 down
    angles = own.yaw, sum(own.q), *own.wrist
    found = [(one.shoulder.yaw, one.posture.phi, *one.posture.wrist) for one in starts]
    near = [
        one for one, its in zip(starts, found)
        if one.elbow == elbow and gap(its, angles) <= NEXT
    ]  # fmt: skip
    assert near, own
    center = arm.carrier.planar.pose_at(own.q)[:2]
    assert min(math.dist(one.shoulder.point, center) for one in near) <= NEXT, own


@pytest.mark.parametrize('yaw, touches', [(False, False), (True, False), (True, True)])
def test_next_to_a_singular_wrist_a_start_is_where_the_arm_is(yaw, touches):
    """Also where the plane touches the circle about the yaw axis on which its shoulders meet."""
    rng, checked = np.random.default_rng(0), 0
    for robot in robots(rng, cases(600), yaw, on_axis=False if touches else None):
        own, arm = drawn_on_axis(robot, rng) if touches else robot.drawn(rng), robot.arm.whole
        own = own and singular(robot, own, rng, rng.choice([0.0, 1e-7, 1e-5, 1e-3]))
        own = own and robot.arm.whole_naming.whole(own)
        if own and abs(math.sin(own.q[1])) > BENT:
            pose, loose = posed(arm, own), rng.uniform(100.0, 1e4)
            starts = [one for at, _ in pose.in_plane for one in picked_at(pose.aim, at, loose)]
            check_starts(arm, own, starts)
            check_ways(own, pose.ways)
            assert all(one.posture.loose == loose for one in starts)
            checked += 1
    assert checked > cases(120)


def test_with_the_wrist_center_next_to_the_yaw_axis_a_start_is_where_the_arm_is():
    """Whatever the wrist."""
    rng, checked = np.random.default_rng(1), 0
    for robot in robots(rng, cases(600), True, on_axis=True):
        own = drawn_on_axis(robot, rng)
        own = own and singular(robot, own, rng, rng.choice([0.0, 1e-5, 1e-2, 0.5]))
        own = own and robot.arm.whole_naming.whole(own)
        if own and abs(math.sin(own.q[1])) > BENT:
            pose = posed(robot.arm.whole, own)
            check_starts(robot.arm.whole, own, [*picked_on_axis(pose.aim)])
            if robot.arm.whole.carrier.plane.is_next_to_axis(pose.center):
                check_ways(own, pose.ways)
            checked += 1
    assert checked > cases(120)


def check_ways(own, ways):
    """One way is where the arm is, so exact axes, which would have it elsewhere, are not asked."""
    elbow, angles = int(math.sin(own.q[1]) > 0.0), (own.yaw, sum(own.q), *own.wrist)
    found = [
        gap((way.shoulder.yaw, way.posture.phi, *way.posture.wrist), angles)
        for way in ways if elbow in way.elbows
    ]  # fmt: skip
    assert min(found) <= NEXT, own


def touching(robot, rng, bend):
    """A configuration in which the plane touches that circle, with the elbow bent by an angle from
    straight or folded [rad], and the wrist far from singular; None if the links are too short or
    too long for that."""
    planar, yaw = robot.arm.whole.carrier.planar, robot.arm.whole.carrier.yaw
    q2, phi = rng.choice([0.0, math.pi]) + bend, rng.uniform(-3.0, 3.0)

    def at(q1):
        q = float(q1), float(q2), float(phi - q1 - q2)
        return Whole(turn, q, wrist), yaw.from_axis(planar.pose_at(q)[:2])[0]

    turn, last = rng.uniform(-3.0, 3.0, 2).tolist()
    wrist = float(rng.uniform(-1.0, 1.0) - robot.arm.whole.wrist.first_at_zero), last
    some = np.linspace(-math.pi, math.pi, 60)
    for lower, upper in pairwise(some):
        if at(lower)[1] * at(upper)[1] < 0.0:
            for _ in range(60):
                middle = (lower + upper) / 2.0
                is_lower = at(middle)[1] * at(lower)[1] > 0.0
                lower, upper = (middle, upper) if is_lower else (lower, middle)
            return at(lower)[0]
    return None


def test_where_shoulders_and_elbows_meet_a_start_is_where_the_arm_is():
    rng, checked = np.random.default_rng(3), 0
    for robot in robots(rng, cases(300), True, on_axis=False):
        arm, is_bent = robot.arm.whole, rng.random() < 0.2
        own = touching(robot, rng, 1.0 if is_bent else rng.choice([0.0, 1e-7, -1e-5, 1e-4]))
        if own is None:
            continue
        pose = posed(arm, own)
        place, rotation = arm.carrier.plane.into(pose.aim.point), arm.from_zero(pose.aim.rotation)
        asked = AskedOfChain(place, rotation, arm.carrier.plane.count)
        ways = [way for way in pose.ways if gap([sum(own.q)], [way.posture.phi]) < 0.1]
        starts = [
            one for way in ways for one in where_shoulders_and_elbows_meet(pose.aim, way, asked)
        ]
        near = [one for one in starts if gap(arm.angles(one), arm.angles(own)) <= NEXT_TO_MEETING]
        assert bool(near) != is_bent, own
        assert not (is_bent and starts)
        checked += not is_bent
    assert checked > cases(60)


def test_shoulders_meet_as_far_from_where_exact_ones_do_as_the_slack_turns_the_plane():
    """The root of twice the slack times how far the plane passes the axis; the shoulder that faces
    the center stands for both."""
    rng, checked = np.random.default_rng(4), 0
    for robot in robots(rng, cases(300, least=6), True, on_axis=False):
        arm, own = robot.arm.whole, touching(robot, rng, 0.0)
        if own is None:
            continue
        pose, yaw = posed(arm, own), arm.carrier.yaw
        place, rotation = arm.carrier.plane.into(pose.aim.point), arm.from_zero(pose.aim.rotation)
        asked = AskedOfChain(place, rotation, arm.carrier.plane.count)
        way = min(pose.ways, key=lambda one: gap([sum(own.q)], [one.posture.phi]))
        meet = math.sqrt(2.0 * arm.carrier.plane.slack * abs(yaw.aside))
        _, height = yaw.from_axis(way.shoulder.point)
        for share, is_met in ((0.9, True), (1.1, False), (-0.9, False), (0.0, True)):
            at = way.shoulder._replace(point=yaw.in_plane(share * meet, height))
            its = way._replace(shoulder=at)
            found = [*where_shoulders_and_elbows_meet(pose.aim, its, asked)]
            assert bool(found) == is_met, (robot.text, share)
        checked += 1
    assert checked


def test_an_arm_without_a_yaw_joint_has_no_starts_next_to_its_axis():
    (robot, *_) = robots(np.random.default_rng(2), 9, False)
    own = robot.arm.whole.home
    assert [*picked_on_axis(posed(robot.arm.whole, own).aim)] == []


def test_what_leaning_axes_pick_is_better_known_where_exact_axes_would_err_by_more():
    """Exact axes err by the lean times the looseness. The first order errs by the square of how far
    the wrist is from singular, over that distance: by one over the looseness."""
    for lean in (1e-12, 1e-9, 1e-6):
        least = least_loose(lean)
        assert least * lean == pytest.approx(1.0 / least)
    assert least_loose(1e-3) == 100.0
