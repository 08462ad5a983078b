# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A motion is given up if its arm stands still, and not if a controller only plays it slowly."""

import re

import numpy as np
import pytest
from law_cases import cases
from mover_arm import HOME, PERIOD, THERE, Arm
from moving_arms import PARAMETERS
from slowed_controller import SlowedController, arm_beside

from ik_circles.control.moves.feedback import SETTLE, SLOWEST
from ik_circles.control.moves.mover import BESIDE, SETTLED
from ik_circles.reasons import Code

#: The noise of encoders [rad].
NOISE = 1e-3
#: What may be asked of a joint, in acceleration limits.
ASKED = 1.01


@pytest.mark.parametrize('seed', range(cases(160, 10)))
def test_an_arm_that_moves_slowly_is_not_given_up(seed):
    """It may take seconds to move by more than the noise of its encoders."""
    random, arm, controller = arm_beside(seed, slowest=SLOWEST)
    goal = {name: random.uniform(0.2, 1.0) * at for name, at in THERE.items()}
    arm.begin(goal=goal, beside=arm.measured, speed=10.0 ** random.uniform(-1.5, -0.5))
    while (motion := arm.mover.motion) and motion.time_left(arm.now) > 0.0:
        controller.play(PERIOD, controller.speed)
        for name in THERE:
            arm.measured[name] += random.uniform(-NOISE, NOISE)
        arm.now += PERIOD
        arm.hear()
        ending = arm.mover.step(arm.now, PARAMETERS, arm.measured).ending
        assert ending is None or ending.code is Code.OK
    assert arm.measured == pytest.approx(HOME | goal, abs=BESIDE + 3.0 * NOISE)


@pytest.mark.parametrize('speed', [1.0, 0.1])
def test_an_arm_that_never_begins_is_given_up(speed):
    arm = Arm()
    slowed = SlowedController(arm, 0.0)
    arm.begin(beside=arm.measured, speed=speed)
    assert slowed.steps(1.5 / speed).code is Code.CANCELED


@pytest.mark.parametrize('seed', range(cases(200)))
def test_an_arm_that_stands_still_on_its_way_is_not_sent_on(seed):
    """As a UR that is paused, or an arm that is blocked: the motion is given up, or canceled."""
    random, arm = np.random.default_rng(seed), Arm()
    slowed = SlowedController(arm, 0.5)
    arm.begin(beside=arm.measured)
    duration = arm.mover.motion.time_left(0.0)
    assert slowed.steps(random.uniform(0.2, 1.4) * duration) is None
    at, joints = dict(arm.measured), arm.mover.motion.joints
    is_canceled = seed % 2 == 0
    if is_canceled:
        assert slowed.steps(0.5, speed=0.0) is None
        assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    ending = slowed.steps(9.0, speed=0.0)
    assert ending.code is Code.CANCELED and 0.0 < ending.share < 1.0
    if not is_canceled:
        assert re.match('(shoulder_pan|elbow_flex) stands still 0.* before the end', ending.message)
    assert slowed.path.at(99.0)[0] == pytest.approx([at[name] for name in joints])


@pytest.mark.parametrize('seed', range(cases(400, 40)))
def test_an_arm_that_is_paused_in_motion_leaves_a_newer_path_soon(seed):
    """Its controller goes on at the velocity at which it was paused, and has to brake."""
    random, arm, controller = arm_beside(seed, slowest=0.3)
    arm.begin(beside=arm.measured)
    duration = arm.mover.motion.time_left(0.0)
    assert controller.steps(random.uniform(0.1, 0.6) * duration / controller.speed) is None
    goal = dict(zip(THERE, random.uniform(-1.0, 1.0, 2)))
    arm.begin(goal=goal, beside=arm.measured)
    controller.steps(random.uniform(0.0, 0.03))
    assert controller.steps(random.uniform(0.3, 0.9), speed=0.0) is None
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    controller.steps(PERIOD)
    assert controller.asked <= ASKED


def test_after_its_end_a_motion_counts_for_a_while_if_the_arm_is_measured_there():
    """Its controller may still be on the way: then the next motion begins with time to catch up."""
    arm = Arm()
    arm.begin(beside=arm.measured)
    assert arm.steps(9.0).code is Code.OK
    assert arm.mover.state(arm.now + SETTLE, arm.measured).instead
    assert not arm.mover.state(arm.now + 1.01 * SETTLE, arm.measured).instead
    arm.measured['elbow_flex'] += 2.0 * SETTLED
    assert not arm.mover.state(arm.now, arm.measured).instead
