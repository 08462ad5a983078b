# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Who moves a slowed arm next leaves it time to catch up: goals, jogs, and one in place of another.
"""

import numpy as np
import pytest
from law_cases import cases
from mover_arm import HOME, LIMITS, NAMES, PERIOD, SO101, THERE
from moving_arms import PARAMETERS
from slowed_controller import arm_beside

from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.mover import PLANNING, SETTLED, STOP
from ik_circles.control.moves.playing import Playing
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code

#: The most that is asked for, in acceleration limits; and by a jog.
ASKED, JOGGED = 1.02, 1.2
#: A jog in place of a goal that was asked for twice the limit.
FROM_A_GOAL = 4
#: Arms that are far behind a jog, and were measured a while ago; and what may be asked of a joint,
#: in acceleration limits: nobody knows how fast such an arm is.
BEHIND, WHILE_AGO = (8, 33, 41, 131, 232, 258), 3.0
#: Where lines begin, and end [m].
BEGIN, END = (0.22, -0.1, 0.1), (0.22, 0.05, 0.12)
#: A bent pose.
BENT = HOME | {'shoulder_lift': 0.5, 'elbow_flex': 0.8}


def begin_goal(arm, random):
    """Begin to move some way from the bent pose."""
    away = random.choice([-1.0, 1.0], 2) * random.uniform(0.1, 0.6, 2)
    goal = {name: BENT[name] + one for name, one in zip(THERE, away)}
    arm.begin(goal=goal, beside=arm.measured)


def begin_jog(arm, random):
    """Begin to jog some way; the jog, and its velocity."""
    state = arm.mover.state(arm.now, arm.measured)
    jogging = Jogging(SO101, Settings(), LIMITS, state, arm.now, stop=STOP)
    arm.mover.begin(jogging, beside=arm.measured)
    assert arm.mover.share(arm.now) == 0.0  # it has no end
    way = random.normal(size=3)
    speeds = random.uniform(0.02, 0.1), random.uniform(0.3, 1.5)
    return jogging, tuple((way * random.choice(speeds) / np.linalg.norm(way)).tolist())


def jog_for(jogging, velocity, controller, steps):
    """Jog for some steps."""
    for _ in range(steps):
        jogging.hear(velocity, (0.0, 0.0, 0.0), controller.arm.now)
        controller.steps(PERIOD)


@pytest.mark.parametrize('seed', range(cases(600)))
def test_a_goal_right_after_another_one(seed):
    """That one is over when the arm is measured near its end: its controller may not be there.

    Asking for the state before, as for a goal that is refused, changes nothing.
    """
    random, arm, controller = arm_beside(seed, slowest=0.3)
    goal = {name: random.uniform(0.05, 0.3) * at for name, at in THERE.items()}
    arm.begin(goal=goal, beside=arm.measured)
    assert controller.steps(60.0).code is Code.OK
    controller.steps(random.choice([0.0, 0.01, 0.02, 0.05]))
    assert arm.mover.state(arm.now, arm.measured).positions == pytest.approx(
        HOME | goal, abs=SETTLED
    )
    way = random.choice([-1.0, 1.0], 2) * 10.0 ** random.uniform(-4.0, -1.5, 2)
    arm.begin(goal={name: goal[name] + one for name, one in zip(goal, way)}, beside=arm.measured)
    controller.steps(PERIOD)
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', sorted({*range(cases(40)), FROM_A_GOAL}))
def test_a_jog_in_place_of_a_goal(seed):
    random, arm, controller = arm_beside(seed, start=BENT)
    begin_goal(arm, random)
    duration = arm.mover.motion.time_left(0.0)
    controller.steps(random.uniform(0.0, 1.0) * duration / controller.speed)
    jog_for(*begin_jog(arm, random), controller, int(random.integers(2, 30)))
    controller.steps(5.0)
    assert controller.asked <= JOGGED


@pytest.mark.parametrize('seed', range(cases(40)))
def test_a_goal_in_place_of_a_jog(seed):
    random, arm, controller = arm_beside(seed, start=BENT)
    jog_for(*begin_jog(arm, random), controller, int(random.integers(2, 30)))
    begin_goal(arm, random)
    controller.steps(PERIOD)
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', sorted({*range(cases(300, 5)), *BEHIND}))
def test_a_goal_in_place_of_a_jog_whose_arm_was_measured_a_while_ago(seed):
    """Also after a pause of the node: the arm may be far behind the jog."""
    random, arm, controller = arm_beside(seed, start=BENT)
    controller.every = dict.fromkeys(NAMES, 20)
    jogging, way = begin_jog(arm, random)
    jog_for(jogging, way, controller, int(random.integers(2, 60)))
    controller.pause(random.choice([0.15, 0.3, 1.0]))
    jog_for(jogging, way, controller, int(random.integers(1, 20)))
    controller.hardest = []
    begin_goal(arm, random)
    controller.steps(PERIOD)
    assert controller.asked <= WHILE_AGO


@pytest.mark.parametrize('seed', range(cases(60)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_a_line_in_place_of_a_goal(seed, speed):
    """While the line is planned, the controller goes on."""
    random, arm, controller = arm_beside(seed, speed, slowest=0.3, start=SO101.solve(BEGIN))
    goal = {name: arm.measured[name] + random.uniform(-0.6, 0.6) for name in THERE}
    arm.begin(goal=goal, beside=arm.measured)
    duration = arm.mover.motion.time_left(arm.now)
    controller.steps(duration * random.uniform(0.3, 0.8))
    begin, passed = arm.now, random.uniform(0.0, PLANNING)
    state = arm.mover.state(begin, arm.measured)
    planned = plan(SO101, Settings(), PARAMETERS, Wish(Target(END), straight=True), state)
    controller.play(passed, controller.speed)
    arm.now += passed
    arm.mover.begin(Playing(planned, begin), True, arm.measured)
    controller.steps(PERIOD)
    assert controller.asked <= ASKED
