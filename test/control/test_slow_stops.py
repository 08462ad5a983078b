# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A stop that nobody knows where to begin: each place where the arm may be keeps the limits."""

import pytest
from law_cases import cases
from mover_arm import SO101, THERE
from slowed_controller import arm_beside

from ik_circles.reasons import Code

#: The most that is asked for, in acceleration limits.
ASKED = 1.01
#: Rounding of a joint limit [rad].
PASSED = 1e-9


@pytest.mark.parametrize('seed', range(cases(300, 10)))
def test_beside_a_joint_limit(seed):
    """A joint that just stops before its limit leaves the others no time to catch up."""
    random, arm, controller = arm_beside(seed, slowest=0.3)
    goal = {name: random.uniform(0.2, 1.0) * at for name, at in THERE.items()}
    name = random.choice([*goal])
    joint = SO101.joints[name]
    goal[name] = random.choice([joint.lower, joint.upper])
    arm.begin(goal=goal, beside=arm.measured)
    duration = arm.mover.motion.time_left(0.0)
    assert controller.steps(random.uniform(0.3, 0.95) * duration / controller.speed) is None
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert controller.steps(60.0).code is Code.CANCELED
    assert controller.asked <= ASKED
    assert joint.lower - PASSED <= arm.measured[name] <= joint.upper + PASSED
