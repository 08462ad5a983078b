# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Without a seed, answers are as near to joint positions of 0 as the limits allow, by name."""


import numpy as np
import pytest
from law_cases import cases
from wrist_robots import KINDS, gap, pose_of, random_robots, shipped_robots

from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target

SAME = 1e-6  # [rad]
ROBOTS = shipped_robots()


def some_robots(rng, count):
    yield from random_robots(rng, count)
    for robot in ROBOTS.values():
        for _ in range(count // 10):
            yield robot


def farthest(robot, positions):
    """The largest change of a joint from 0, or from the limit that is nearest to it [rad]."""
    limits = [robot.limits[name] for name in positions]
    home = [min(max(0.0, lower), upper) for lower, upper in limits]
    return max(abs(one - start) for one, start in zip(positions.values(), home))


def test_of_the_turns_of_an_answer_it_is_the_one_nearest_to_zero():
    rng, turned = np.random.default_rng(0), 0
    for robot in some_robots(rng, cases(1500, least=25)):
        point, rotation = pose_of(robot, robot.drawn(rng, 0))
        if rng.random() < 0.5:
            _, rotation = pose_of(robot, robot.drawn(rng, 0))
        for oriented in ({}, {'rotation': rotation}):
            told = robot.arm.check_reachability(point, **oriented)
            for one in (robot.arm.solve(point, **oriented), told.nearest_joint_positions):
                if one is None:
                    continue
                turns = robot.arm.turns(one)
                turned += len(turns) > 1
                assert gap(min(turns, key=lambda q: sum(map(abs, q.values()))), one) <= SAME
    assert turned > 100


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_of_the_solutions_of_a_target_it_is_the_one_nearest_to_zero(kind):
    """Those of a point with phi, and of a full pose."""
    rng, several = np.random.default_rng(1), 0
    for robot in random_robots(rng, cases(1500, least=25), kinds=[kind]):
        point, rotation = pose_of(robot, robot.drawn(rng, 0))
        at_zero = robot.arm.check_reachability(point)
        phi = None if at_zero.nearest is None else at_zero.nearest.phi
        targets = [{'rotation': rotation}, *([{'phi': phi}] if at_zero.reachable else [])]
        for asked in targets:
            found = robot.arm.inverse_kinematics(point, **asked)
            one = robot.arm.solve(point, **asked, orientation_mode='fixed')
            if len(found) < 2 or one is None:
                continue
            several += 1
            assert farthest(robot, one) <= min(farthest(robot, q) for q in found) + SAME
    assert several > cases(600)


def test_a_ur5e_asked_for_where_it_is_near_zero_stays_there():
    """Its shoulder and first wrist joint count from other directions than the arm's angles."""
    robot = ROBOTS['ur5e']
    own = dict.fromkeys(robot.arm.commanded_joints, 0.1)
    held = {**own, **robot.arm.wrist_at}
    point, _ = pose_of(robot, held)
    phi = sum(robot.arm.naming.arm_angles(held))
    assert gap(robot.arm.solve(point, phi), held) <= SAME
    point, rotation = pose_of(robot, own)
    assert gap(robot.arm.solve(point, rotation=rotation), own) <= SAME
    target = Target(tuple(point), rotation)
    assert gap(decide(robot.arm, Settings(), target, None).command, own) <= SAME
