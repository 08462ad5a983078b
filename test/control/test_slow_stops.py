# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A stop that nobody knows where to begin: each place where the arm may be keeps the limits."""

import numpy as np
import pytest
from law_cases import cases
from mover_arm import HOME, NAMES, PERIOD, SO101, THERE, Arm
from moving_arms import PARAMETERS
from slowed_controller import SlowedController, arm_beside

from ik_circles.control.motion.braking import braked
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.moves.playing import Playing
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code

#: The most that is asked for, in acceleration limits.
ASKED = 1.01
#: Rounding of a joint limit [rad].
PASSED = 1e-9
#: Where lines begin, and the box of where they end [m].
BEGIN, ENDS = (0.22, -0.1, 0.1), ((0.12, -0.05, 0.02), (0.3, 0.2, 0.25))
#: A stop of a fast line rests later by this at most than the soonest one that stays on it, beside
#: an arm in time and beside a slowed one [s of the line's own time].
LATER = {'in time': 0.4, 'slowed': 0.7}
#: Two nodes publish half of the joints each, once in this many steps of 0.01 s.
PUBLISHED = [(1, 10), (25, 1), (40,)]


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


def moving(seed, straight, every=(1,), speed=None, slowed=None):
    """A controller on its way along a line, or with joints together; None if there is no way."""
    random, arm = np.random.default_rng(seed), Arm()
    arm.measured.update(SO101.solve(BEGIN) if straight else HOME)
    late = int(random.integers(3))
    controller = SlowedController(arm, slowed or random.uniform(0.3, 1.0), late=late, every=every)
    controller.played = int(random.integers(max(every)))
    goal = {name: random.uniform(0.2, 1.0) * at for name, at in THERE.items()}
    line = Wish(
        Target(tuple(random.uniform(*ENDS))), straight=True, speed=speed or random.choice([0.3, 1])
    )
    try:
        wish = line if straight else Wish(joints=goal)
        planned = plan(SO101, Settings(), PARAMETERS, wish, State(arm.measured))
    except Refusal:
        return random, None
    arm.mover.begin(Playing(planned, 0.0), True, arm.measured)
    gone = random.uniform(0.05, 0.8) * planned.trajectory.duration / controller.speed
    assert controller.steps(gone) is None
    return random, controller


def check_stop(controller):
    """A stop keeps the limits wherever it begins."""
    assert controller.arm.mover.stop(Code.CANCELED, 'canceled', controller.arm.now)
    assert controller.steps(60.0).code is Code.CANCELED
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', range(cases(200)))
@pytest.mark.parametrize('every', PUBLISHED, ids=str)
@pytest.mark.parametrize('straight', [False, True], ids=['joints', 'line'])
def test_of_joints_that_are_published_seldom(seed, every, straight):
    """Nobody knows how far they have gone since."""
    _, controller = moving(seed, straight, every)
    if controller is not None:
        check_stop(controller)


@pytest.mark.parametrize('seed', range(cases(400, 40)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_of_a_newer_goal_that_no_measurement_shows_yet(seed, speed):
    """That goal may lead back to where the arm was measured on the way before."""
    random, arm, controller = arm_beside(seed, speed, slowest=0.3)
    controller.every = dict.fromkeys(NAMES, 1000)
    for sign in (1.0, -1.0):
        goal = {name: sign * random.uniform(0.2, 1.0) * at for name, at in THERE.items()}
        arm.begin(goal=goal, beside=arm.measured)
        controller.steps(random.uniform(0.06, 0.24))
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    controller.steps(60.0)
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', range(cases(400)))
@pytest.mark.parametrize('straight', [False, True], ids=['joints', 'line'])
def test_after_a_pause_of_the_node(seed, straight):
    """The controller has gone on, and may be farther than the node has counted."""
    random, controller = moving(seed, straight)
    if controller is not None:
        controller.pause(random.choice([0.05, 0.15, 0.3, 1.0]))
        controller.steps(0.01 * random.integers(4))
        if controller.arm.mover.motion is not None:
            check_stop(controller)


@pytest.mark.parametrize('seed', range(cases(200)))
@pytest.mark.parametrize('speed', LATER)
def test_of_a_fast_line_is_nearly_as_soon_as_it_can_be(seed, speed):
    """It may wait, but where the line brakes or bends, no other stop on it would rest sooner."""
    _, controller = moving(seed, True, speed=1.0, slowed=1.0 if speed == 'in time' else None)
    if controller is None:
        return
    arm, begin = controller.arm, controller.arm.now
    line = arm.mover.motion
    soonest = braked(line.path, controller.time, line.plan.limits).duration
    assert arm.mover.stop(Code.CANCELED, 'canceled', begin)
    while arm.mover.motion is line:
        controller.steps(PERIOD)
    waited = (arm.now - begin) * controller.speed
    left = arm.mover.motion.time_left(arm.now) if arm.mover.motion else 0.0
    assert waited + left <= soonest + LATER[speed]
