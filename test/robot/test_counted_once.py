# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Solutions that differ by whole turns are one; of two turns equally near, it is the lower one."""

import math

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import KINDS, gap, pose_of, random_robots

from ik_circles.geometry.angles import wrap

SAME, NEAR = 1e-6, 1e-4  # [rad]
HALF_TURNS = (-math.pi, math.pi)


def at_half_turns(robot, rng):
    """Joint positions, at -pi or pi where these are limits, and the names of those joints."""
    own, joints = robot.drawn(rng, 0), robot.arm.joints
    ends = [name for name, one in joints.items() if (one.lower, one.upper) == HALF_TURNS]
    return own | {name: float(rng.choice(HALF_TURNS)) for name in ends}, ends


def turned_apart(one, other):
    """The largest difference of a joint, up to whole turns [rad]."""
    return max(abs(math.remainder(one[name] - its, math.tau)) for name, its in other.items())


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_a_solution_with_joints_at_both_of_their_limits_is_given_once(kind):
    """Of points with phi, 96 of 200 were listed twice or more."""
    rng, met = np.random.default_rng(2), 0
    for robot in random_robots(rng, cases(2000, least=25), each=1, kinds=[kind]):
        own, ends = at_half_turns(robot, rng)
        met += bool(ends)
        held = own | robot.arm.wrist_at
        phi = sum(robot.arm.naming.arm_angles(held))
        (point, rotation), (place, _) = pose_of(robot, own), pose_of(robot, held)
        for seed in (None, held, robot.drawn(rng, 0) | robot.arm.wrist_at):
            of_point = robot.arm.inverse_kinematics(place, phi, seed=seed)
            of_pose = robot.arm.inverse_kinematics(point, rotation=rotation, seed=seed)
            for found in (of_point, of_pose):
                for number, one in enumerate(found):
                    assert all(turned_apart(one, its) > SAME for its in found[:number])
            turns = [its for one in of_point for its in robot.arm.turns(one)]
            assert any(all(abs(its[n] - held[n]) <= NEAR for n in ends) for its in turns)
    assert met > cases(400)


def test_of_two_turns_that_are_equally_near_it_is_the_lower_one_everywhere():
    """In the list, in the choice of one solution, and in a batch."""
    rng, ties = np.random.default_rng(3), 0
    for robot in random_robots(rng, cases(4000, least=25), each=1, kinds=KINDS[2:]):
        arm, (own, ends) = robot.arm, at_half_turns(robot, rng)
        held = own | arm.wrist_at
        (point, _), phi = pose_of(robot, held), wrap(sum(arm.naming.arm_angles(held)))
        for seed in (None, held | dict.fromkeys(ends, 0.0)):
            near = None if seed is None else [seed[name] for name in arm.commanded_joints]
            row = arm.solve_batch([[*point, phi]], seed=near, orientation_mode='fixed')[0]
            chosen = arm.solve(point, phi, seed=seed, orientation_mode='fixed')
            assert gap(dict(zip(chosen, row.tolist())), chosen) <= SAME
            for one in [*arm.inverse_kinematics(point, phi, seed=seed), chosen]:
                for name in {*ends} - {*arm.wrist_at}:
                    if abs(one[name]) > math.pi - 1e-12:
                        sign = next(its.sign for its in arm.naming.three if its.joint.name == name)
                        assert one[name] * sign < 0.0
                        ties += 1
    assert ties > cases(1000)
