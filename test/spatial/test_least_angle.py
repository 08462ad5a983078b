# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far the tip is turned away at least with the wrist held, before any joint is solved."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction, random_rotation
from three_joints import shipped_text
from tilted_robots import TiltedRobot
from wrist_robots import pose_of, random_robots, shipped_robots, turned_away, without_limits

from ik_circles.spatial.poses.least_angle import least_angle
from ik_circles.spatial.shoulder import Shoulder

#: Steps of the orientation in the plane, and what is missed between two of them [rad].
STEPS = 180
BETWEEN = math.tau / STEPS


def exact_robots(rng, count):
    yield from (one for one in random_robots(rng, count) if not one.arm.whole.is_leaning)
    for robot in shipped_robots().values():
        for _ in range(count // 10):
            yield robot


def drawn(rng, count):
    """A robot with joint positions, the shoulder of their tip, and an orientation of another tip.
    """
    for robot in exact_robots(rng, count):
        own = robot.drawn(rng)
        (point, here), (_, rotation) = pose_of(robot, own), pose_of(robot, robot.drawn(rng))
        whole = robot.arm.whole_naming.whole(own)
        arm = robot.arm.whole
        held, in_plane = arm.holding(whole.wrist), arm.carrier.plane.into(point)
        shoulder = min(
            (shoulder for shoulder, _ in arm.shoulders_at(in_plane, held)),
            key=lambda one: abs(math.remainder(one.yaw - whole.yaw, math.tau)),
        )
        if not shoulder.on_axis:
            yield robot, own, whole, shoulder, (point, here), rotation


def bound(robot, shoulder, whole, rotation):
    arm = robot.arm.whole
    held = arm.holding(whole.wrist)
    return least_angle(arm, arm.wrist.sight(rotation.tolist()), shoulder, held)


def test_no_joint_positions_leave_less_than_the_least_angle():
    rng, seen = np.random.default_rng(0), 0
    for robot, _, whole, shoulder, (_, here), rotation in drawn(rng, cases(6000)):
        least = bound(robot, shoulder, whole, rotation)
        assert least <= turned_away(here, rotation) + 1e-9
        assert bound(robot, shoulder, whole, here) <= 0.0
        seen += least > 0.1
    assert seen > cases(2000)


def test_no_joint_positions_leave_less_when_the_last_joint_turns_the_tip_on_its_axis():
    """Whatever the last joint does: then it is the least turn of its axis."""
    rng, seen, loose = np.random.default_rng(4), 0, 0
    for robot, own, whole, shoulder, (_, here), rotation in drawn(rng, cases(6000)):
        arm = robot.arm.whole
        if not arm.wrist.has_two:
            continue
        held, sight = arm.holding(whole.wrist), arm.wrist.sight(rotation.tolist())
        least = least_angle(arm, sight, shoulder, held, turns_last=True)
        last = robot.arm.wrist_joints[-1]
        for angle in (own[last], *rng.uniform(-math.pi, math.pi, 3).tolist()):
            tip = pose_of(robot, {**own, last: angle})[1]
            assert least <= turned_away(tip, rotation) + 1e-9
        sight_of_here = arm.wrist.sight(here.tolist())
        assert least_angle(arm, sight_of_here, shoulder, held, turns_last=True) <= 0.0
        seen, loose = seen + 1, loose + (least > 0.1)
    assert loose > 0.5 * seen > cases(500)


def test_without_limits_the_least_angle_is_attained():
    """By the best of many orientations in the plane, the wrist and the plane being kept."""
    rng, attained = np.random.default_rng(1), 0
    for robot, own, whole, shoulder, (point, _), rotation in drawn(rng, cases(600, 60, least=5)):
        held = without_limits(robot).arm.holding({n: own[n] for n in robot.arm.wrist_joints})
        tips = [
            pose_of(robot, one)[1]
            for phi in np.linspace(-math.pi, math.pi, STEPS, endpoint=False).tolist()
            for one in held.inverse_kinematics(point, phi, seed=own)
            if abs(math.remainder(_yaw(robot, one) - shoulder.yaw, math.tau)) <= 1e-6
        ]
        if not tips:
            continue
        attained, arm = attained + 1, robot.arm.whole
        angles = [turned_away(tip, rotation) for tip in tips]
        assert min(angles) <= bound(robot, shoulder, whole, rotation) + BETWEEN
        if arm.wrist.has_two:
            last, sight = arm.wrist.after[:, 1], arm.wrist.sight(rotation.tolist())
            its = arm.holding(whole.wrist)
            least = least_angle(arm, sight, shoulder, its, turns_last=True)
            angles = [np.arccos(np.clip(tip @ last @ rotation @ last, -1.0, 1.0)) for tip in tips]
            assert min(angles) <= least + BETWEEN
    assert attained > cases(300, 60)


def _yaw(robot, positions):
    return robot.arm.whole_naming.whole(positions).yaw


def test_a_place_that_the_links_do_not_reach_leaves_no_turn():
    """The so101 straight ahead: its links reach 0.4 m and a bit from the first of the three."""
    robot = TiltedRobot(shipped_text('so101'))
    arm, sight = robot.arm.whole, robot.arm.whole.wrist.sight(np.eye(3).tolist())
    held, into = arm.holding((0.0,)), arm.carrier.plane.into
    near, far = (arm.shoulders_at(into((x, 0.0, 0.1)), held)[0][0] for x in (0.3, 1.0))
    assert 0.0 < least_angle(arm, sight, near, held) <= math.pi
    assert least_angle(arm, sight, far, held) == math.inf


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_the_trace_is_that_of_the_turn(name):
    robot, rng = shipped_robots()[name], np.random.default_rng(2)
    arm = robot.arm.whole
    for _ in range(cases(400)):
        own = robot.drawn(rng)
        (_, here), (_, rotation) = pose_of(robot, own), pose_of(robot, robot.drawn(rng))
        whole = robot.arm.whole_naming.whole(own)
        sight, chi = arm.wrist.sight(rotation.tolist()), sum(whole.q) - arm.wrist.phi_at_zero
        along, across, rest = arm.wrist.trace(sight, whole.yaw, whole.wrist)
        expected = np.trace(here.T @ rotation)
        trace = along * math.cos(chi) + across * math.sin(chi) + rest
        assert trace == pytest.approx(expected, abs=1e-9)


def test_exactly_where_the_links_do_not_reach_no_turn_is_left():
    """The third joint is on a circle about the tip: all of that is too far away, or too near."""
    rng, seen = np.random.default_rng(3), set()
    for robot in exact_robots(rng, cases(2000, least=100)):
        arm, whole = robot.arm.whole, robot.arm.whole_naming.whole(robot.drawn(rng))
        sight, held = arm.wrist.sight(np.eye(3).tolist()), arm.holding(whole.wrist)
        length = held.length
        length_1, length_2, _ = arm.carrier.planar.link_lengths
        straight, folded = length_1 + length_2, abs(length_1 - length_2)
        for away in rng.uniform(0.0, [0.1, 1.0, 1.0, 2.0]):
            too_far, too_near = abs(away - length) - straight, folded - (away + length)
            shoulder = Shoulder(0.0, tuple(away * direction(rng, 2)))
            least = least_angle(arm, sight, shoulder, held)
            if min(abs(too_far), abs(too_near)) > 1e-3:
                seen.add((too_far > 0.0, too_near > 0.0))
                assert (least == math.inf) == (max(too_far, too_near) > 0.0)
    assert len(seen) == 3


def test_a_position_of_the_arm_with_its_wrist_as_it_is_held_can_be_reached():
    """However far out it is, and whichever way the yaw joint has turned the arm."""
    rng, stretched = np.random.default_rng(12), 0
    robots = [*random_robots(rng, cases(1500, 40)), *shipped_robots().values()]
    for robot in robots:
        own = robot.drawn(rng)
        straight = robot.bent(own, 1, rng.normal() * 0.02)
        straight = straight and robot.bent(straight, 2, rng.normal() * 0.02)
        stretched += straight is not None
        own = straight or own
        arm = robot.arm.holding({name: own[name] for name in robot.arm.wrist_joints})
        told = arm.check_reachability(pose_of(robot, own)[0], rotation=random_rotation(rng))
        assert told.position_reachable, (robot.arm, own, told.message)
    assert stretched > cases(300, 40)
