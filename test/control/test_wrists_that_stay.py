# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""For a point, a wrist stays exactly where the seed has it, whatever else the seed names."""

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import SHIPPED, shipped_robots

from ik_circles.control import Settings, Target, decide
from ik_circles.reasons import Code

#: A measured wrist is this near to where it is held [rad].
NEAR = 9e-4
#: No joint moves by more for its own place [rad].
STILL = 1e-9


@pytest.mark.parametrize('name', SHIPPED)
def test_law_an_arm_on_a_limit_stays_whatever_its_wrist_is_measured_at(name):
    robot, rng = shipped_robots()[name], np.random.default_rng(0)
    carried = [joint for joint in robot.limits if joint not in robot.arm.wrist_joints]
    for _ in range(cases(400)):
        seed = robot.drawn(rng)
        on_limit = rng.choice(carried)
        seed[on_limit] = robot.limits[on_limit][rng.integers(2)]
        for joint in robot.arm.wrist_joints:
            lower, upper = robot.limits[joint]
            seed[joint] = min(max(float(rng.uniform(-NEAR, NEAR)), lower), upper)
        point = tuple(map(float, robot.arm.forward_kinematics(seed)[:3, 3]))
        decision = decide(robot.arm, Settings(), Target(point), seed)
        assert decision.code is Code.OK, (seed, decision.message)
        moved = {joint: decision.command[joint] - seed[joint] for joint in seed}
        assert max(map(abs, moved.values())) < STILL, (seed, moved)


def test_names_of_no_joint_in_a_seed_are_ignored_also_with_a_wrist():
    for robot in shipped_robots().values():
        seed = dict.fromkeys(robot.arm.commanded_joints, 0.1)
        point = tuple(map(float, robot.arm.forward_kinematics(seed)[:3, 3]))
        some = decide(robot.arm, Settings(), Target(point), seed)
        more = decide(robot.arm, Settings(), Target(point), {**seed, 'gripper': 1.0, 'lamp': 'on'})
        assert (more.code, more.command) == (some.code, some.command)
