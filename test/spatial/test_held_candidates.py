# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Candidates with a wrist held, at one shoulder: against the planar arm with that wrist."""

import math

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot, leaned
from wrist_robots import KINDS, heights, pose_of, random_robot, random_robots, upright

from ik_circles import Code, SafeZones
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.held_candidates import HeldCandidates

CLOSES = 1e-7  # [m] and [rad]
#: Leaning axes move joints by less than this if the elbow is bent by more than BENT [rad].
MOVED, BENT = 1e-3, 0.2
EVERY = np.linspace(-math.pi, math.pi, 361)


def turned(one, other):
    """The largest difference of joint angles, up to whole turns [rad]."""
    return max(abs(math.remainder(a - b, math.tau)) for a, b in zip(one, other))


class OfShoulder:
    """A point that a robot has at one of its shoulders, with a wrist held; above a floor [m] and
    inside the safe zones by a margin [m]."""

    def __init__(self, robot, rng, height, margin):
        self.robot, self.height, self.margin = robot, height, margin
        self.arm = robot.arm.whole if height is None else robot.arm.above(height).whole
        own, other = (robot.arm.whole_naming.whole(robot.drawn(rng)) for _ in range(2))
        self.point, self.rotation = self.arm.pose(own)
        held = self.held = self.arm.holding((own, own, other)[rng.integers(3)].wrist)
        self.phi = sum(own.q) if rng.random() < 0.5 else rng.uniform(-3.0, 3.0)
        found = self.arm.shoulders_at(self.arm.carrier.plane.into(self.point), held)
        self.all = [one for one in found if one[1] and one[0].beside <= CLOSES]
        self.wrist = dict(zip(robot.arm.wrist_joints, held.angles))
        self.hand = robot.arm.holding(self.wrist)

    def found(self, at):
        """What is to be tested."""
        rotation = self.rotation.tolist()
        pose = FullPose(self.arm, self.point, rotation, 0.01, margin=self.margin)
        return HeldCandidates(pose).at_shoulder(at, self.arm.kept_with(self.held.angles), self.phi)

    def allowed(self, at, phi):
        """The angles in the plane with the last link at `phi`, by the planar arm to the tip."""
        (x, y), planar = at[0].point, self.hand.arm
        if 2.0 * self.margin > planar.max_reach - planar.min_reach:
            return []
        if not SafeZones.of(planar, self.margin).contains(math.hypot(x, y), planar.tolerance):
            return []
        found = planar.inverse_kinematics(x, y, phi + self.held.shift)
        inside = [q for q in found if self.is_above(at, q)]
        return [(q1, q2, q3 - self.held.shift) for q1, q2, q3 in inside]

    def least_away(self, at):
        """How far from `phi` the last link has to be at least, by a dense search [rad]."""
        some_phis = (phi for phi in EVERY if self.allowed(at, phi))
        return min((abs(math.remainder(phi - self.phi, math.tau)) for phi in some_phis),
                   default=math.inf)  # fmt: skip

    def is_above(self, at, q):
        if self.height is None:
            return True
        own = {**self.hand.naming.named((at[0].yaw, q)), **self.wrist}
        return min(heights(self.robot.arm, own)) >= self.height - CLOSES


def some(count, lean=0.0):
    """Cases of all kinds of arms, with floors if they have yaw joints."""
    rng = np.random.default_rng(0)
    for number in range(count):
        robot, height, margin = upright(random_robot(rng, *KINDS[number % 4])), None, 0.0
        if lean:
            robot = TiltedRobot(leaned(robot.text, rng, lean))
        elif number % 4 < 2 and number % 3 == 0:
            height = min(pose_of(robot, robot.drawn(rng))[0][2] for _ in range(3))
        if number % 5 == 0:
            margin = rng.uniform(0.01, 0.3) * robot.arm.arm.max_reach
        one = OfShoulder(robot, rng, height, margin)
        yield from ((one, at) for at in one.all)


def test_they_have_the_last_link_as_asked_for_or_else_as_near_to_that_as_any_has():
    """With it as asked for, they are all that the planar arm has; else there is one."""
    seen = set()
    for one, at in some(cases(800, 40, least=20)):
        told, found = (one.robot.text, one.point), [each.whole.q for each in one.found(at)]
        own = one.allowed(at, one.phi)
        seen.add((bool(own), bool(found), one.height is not None, one.margin > 0.0))
        for each in found or own:
            if own:
                assert min(turned(each, other) for other in own) <= CLOSES, told
        for each in own:
            assert min(turned(each, other) for other in found) <= CLOSES, told
        if not own:
            least = one.least_away(at)
            assert len(found) == (least < math.inf), told
            for each in found:
                assert abs(math.remainder(sum(each) - one.phi, math.tau)) <= least + CLOSES, told
    assert len(seen) >= 4


def test_axes_that_lean_move_them_by_little_and_each_says_how_far_it_is_turned_away():
    compared = 0
    for one, at in some(cases(600, 40), lean=1e-7):
        found = one.found(at)
        for each in found:
            away, its = one.arm.miss(each.whole, one.point, one.rotation)
            assert away <= 1e-8 and each.away == pytest.approx(its, abs=1e-9)
        every = one.allowed(at, one.phi)
        for own in every:
            if abs(math.sin(own[1])) > BENT:
                compared += 1
                assert min(turned(own, each.whole.q) for each in found) <= MOVED, one.robot.text
        if not every and (least := one.least_away(at)) < math.inf:
            (each,) = found
            away = abs(math.remainder(sum(each.whole.q) - one.phi, math.tau))
            assert away <= least + MOVED, one.robot.text
    assert compared > cases(300)


@pytest.mark.parametrize('lean', [0.0, 1e-7])
def test_a_margin_leaves_candidates_only_where_the_position_keeps_it(lean):
    """As far from both zones of the arm with that wrist held as the margin, or not quite."""
    rng, kept = np.random.default_rng(2), 0
    for number in range(cases(400, 40, least=10)):
        robot = random_robot(rng, *KINDS[number % 4])
        robot = TiltedRobot(leaned(robot.text, rng, lean)) if lean else robot
        one = OfShoulder(robot, rng, None, 0.0)
        planar = one.hand.arm
        for at in one.all:
            away = math.hypot(*at[0].point)
            room = min(away - planar.min_reach, planar.max_reach - away)
            if one.found(at) and room > 1e-3:
                one.margin = 0.99 * room
                assert one.found(at), robot.text
                one.margin = 1.01 * room
                assert not one.found(at), robot.text
                one.margin = 0.51 * (planar.max_reach - planar.min_reach)
                assert not one.found(at)
                one.margin, kept = 0.0, kept + 1
    assert kept


def test_a_floor_leaves_the_candidates_that_are_above_it():
    rng, seen = np.random.default_rng(3), 0
    for number in range(cases(400, 40, least=10)):
        robot = upright(random_robot(rng, number % 2 == 0, 1 + number // 2 % 2))
        one = OfShoulder(robot, rng, None, 0.0)
        for at in one.all:
            for whole in [each.whole for each in one.found(at)][:1]:
                whole = robot.arm.whole.turned(whole, robot.arm.whole.home)
                own = robot.arm.whole_naming.named_whole(whole)
                low = min(heights(robot.arm, own))
                for off, is_left in ((-1e-3, True), (1e-3, False)):
                    one.arm = robot.arm.above(low + off).whole
                    some_q = [each.whole.q for each in one.found(at)]
                    assert any(turned(whole.q, q) <= CLOSES for q in some_q) == is_left
                    seen += 1
                one.arm = robot.arm.whole
    assert seen


def test_the_wrist_as_it_is_held_is_a_candidate_wherever_it_reaches_the_point():
    """Law: axes that lean, joints on limits. Before the verdict on the point counted, 1 in 90 was
    refused."""
    rng, checked, before = np.random.default_rng(8), 0, None
    for whole in random_robots(rng, cases(1000, least=300), kinds=KINDS):
        if whole is not before:
            before, robot = whole, TiltedRobot(leaned(whole.text, rng, 1e-6))
        own, other = robot.drawn(rng, rng.integers(4)), robot.drawn(rng)
        point, (_, rotation) = pose_of(robot, own)[0], pose_of(robot, other)
        held = robot.arm.holding(own)
        if held.check_reachability(point).reachable:
            checked += 1
            told = held.check_reachability(point, rotation=rotation)
            assert told.position_reachable and told.reachable is (told.code is Code.OK)
            assert held.solve(point, rotation=rotation, seed=own) is not None
    assert checked
