# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A motion keeps beside a controller that plays its path in its own time, or gives it up."""

import math

import numpy as np
import pytest
from law_cases import cases
from mover_arm import HOME, PERIOD, SILENCE, SO101, THERE, Arm
from moving_arms import PARAMETERS
from slowed_controller import SlowedController, arm_beside

from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.mover import (
    BESIDE,
    GIVEN_UP,
    PATIENCE,
    SETTLED,
    STOP,
)
from ik_circles.control.moves.plan import State
from ik_circles.control.moves.playing import MEASURED_LATE, Playing
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code

#: So much is asked for at most, in acceleration limits; and by the jogs of a slowed controller.
ASKED, JOGGED = 1.001, 1.1
#: A stop leaves its line by about this at most, if it has to leave time to catch up [m].
OFF_THE_LINE = 1e-3
#: Seeds whose stops on a line asked for 1.3 to 2 times the limit, or are the farthest off.
HARD_LINES = 8, 99, 124, 133, 134, 174
#: Where lines begin, and the box of where they end [m].
BEGIN, ENDS = (0.22, -0.1, 0.1), ((0.12, -0.05, 0.02), (0.3, 0.2, 0.25))
#: A jog whose last step leaves a joint 2e-16 rad before its goal, at 9e-17 rad/s.
NEARLY_RESTS = 12
#: Seeds with a motion that has just begun, and an arm that is seen farther along it.
TOO_NEW = 29, 210
#: Seeds and speeds of jogs.
SPEEDS = (0.3, 1.0, 0.1, 0.9, 0.7)
JOGS = [(NEARLY_RESTS, 1.0)]
JOGS += [(seed, SPEEDS[seed % len(SPEEDS)]) for seed in range(cases(200, 40))]


def begun(random, arm):
    """A goal to which the arm begins to move."""
    goal = {name: random.uniform(0.2, 1.0) * at for name, at in THERE.items()}
    arm.begin(goal=goal, beside=arm.measured)
    return goal


@pytest.mark.parametrize('seed', range(cases(300)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_a_stop_begins_where_the_arm_is(seed, speed):
    """An arm in time is where it is sent, though it is measured late; another, where it is seen."""
    random, arm, controller = arm_beside(seed, speed)
    begun(random, arm)
    duration = arm.mover.motion.time_left(0.0)
    assert controller.steps(random.uniform(0.0, 0.95 * duration / controller.speed)) is None
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert controller.steps(60.0).code is Code.CANCELED
    assert controller.asked <= ASKED
    for name, end in arm.mover.state(arm.now, arm.measured).positions.items():
        assert end == pytest.approx(arm.measured[name], abs=SETTLED)


@pytest.mark.parametrize('seed', sorted({*range(cases(300)), *TOO_NEW}))
def test_a_motion_is_put_to_where_a_slowed_controller_is(seed):
    """A joint that turns back is twice at a place, and one that moves later stands still before.

    A motion keeps its time if it is as new as a measurement may be old: what is measured is from
    before it, wherever that is. The next motion is told where the arm is seen all the same.
    """
    random, arm = np.random.default_rng(seed), Arm()
    arm.begin()
    arm.steps(random.uniform(0.05, 0.3))
    arm.begin(goal=dict(zip(THERE, random.uniform(-1.0, 1.0, 2))))
    begin, playing = arm.now, arm.mover.motion
    duration = playing.time_left(begin)
    there, now = begin + duration * random.uniform(0.1, 0.9, 2)
    state = playing.state(there)
    playing, instead = playing.beside(state.positions, now, now)
    if now - begin <= MEASURED_LATE or 0.0 < now - there <= MEASURED_LATE:
        assert playing.gone(now) == pytest.approx(now - begin)
        assert instead[0].positions == state.positions
    else:
        seen = playing.state(now - MEASURED_LATE * (there < now))  # it may be that much farther
        assert seen.positions == pytest.approx(state.positions, abs=1e-8)
        assert seen.velocities == pytest.approx(state.velocities, abs=1e-5)


@pytest.mark.parametrize('seed', range(cases(200, 40)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_newer_goals_are_reached_from_where_the_arm_is(seed, speed):
    random, arm, controller = arm_beside(seed, speed, slowest=0.3)
    for _ in range(4):
        goal = dict(zip(THERE, random.uniform(-1.0, 1.0, 2)))
        arm.begin(goal=goal, beside=arm.measured)
        duration = arm.mover.motion.time_left(arm.now)
        assert controller.steps(random.uniform(0.2, 0.7) * duration) is None
    assert controller.steps(60.0).code is Code.OK
    assert arm.measured == pytest.approx(HOME | goal, abs=SETTLED)
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', range(cases(600, 40)))
def test_a_goal_near_the_end_of_another_one_leaves_time_to_catch_up(seed):
    """A slowed arm is beside its path there, and a short motion would have it back in 2 ms."""
    random, arm, controller = arm_beside(seed)
    goal = begun(random, arm)
    left = random.uniform(PERIOD, 0.04)
    while arm.mover.motion and arm.mover.motion.time_left(arm.now) > left + PERIOD:
        controller.steps(PERIOD)
    way = random.choice([-1.0, 1.0], 2) * 10.0 ** random.uniform(-4.0, -1.0, 2)
    arm.begin(goal={name: goal[name] + one for name, one in zip(goal, way)}, beside=arm.measured)
    assert controller.steps(60.0).code is Code.OK
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', range(cases(200, 60)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_a_stream_of_targets_leaves_time_to_catch_up(seed, speed):
    """With `motion: smooth`, a target may come in each step, before the arm is on its way."""
    random, arm, controller = arm_beside(seed, speed)
    goal, steps = np.zeros(2), int(random.choice([1, 2, 5, 20]))
    size = random.choice([0.005, 0.05, 0.3])
    for _ in range(100 // steps):
        goal = np.clip(goal + size * random.normal(size=2), -1.0, 1.0)
        arm.begin(is_goal=False, goal=dict(zip(THERE, goal.tolist())), beside=arm.measured)
        controller.steps(steps * PERIOD)
    assert controller.asked <= ASKED


@pytest.mark.parametrize('seed', sorted({*range(cases(600, 40)), *HARD_LINES}))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_a_stop_on_a_line_keeps_the_limits(seed, speed):
    """Wherever the arm may be: the stop waits until it can. No arm is asked for more."""
    random, arm, controller = arm_beside(seed, speed, slowest=0.3, start=SO101.solve(BEGIN))
    wish = Wish(Target(tuple(random.uniform(*ENDS))), straight=True, speed=random.choice([0.3, 1]))
    try:
        planned = plan(SO101, Settings(), PARAMETERS, wish, State(arm.measured))
    except Refusal:
        return
    arm.mover.begin(Playing(planned, 0.0), True, arm.measured)
    duration = planned.trajectory.duration
    assert controller.steps(random.uniform(0.0, 0.8) * duration / controller.speed) is None
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert controller.steps(60.0).code is Code.CANCELED
    assert controller.asked <= ASKED
    way = np.array(wish.target.position) - BEGIN
    for time in np.linspace(0.0, controller.path.duration, 20).tolist():
        at = dict(zip(planned.joints, controller.path.at(time)[0]))
        beside = np.cross(SO101.forward_kinematics(at)[:3, 3] - BEGIN, way / np.linalg.norm(way))
        assert np.linalg.norm(beside) <= OFF_THE_LINE


@pytest.mark.parametrize('seed', range(cases(300)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_a_stop_on_a_line_at_half_the_speed_begins_at_once(seed, speed):
    """Such a line leaves acceleration to catch up, so its stop need not wait for the end."""
    random, arm, controller = arm_beside(seed, speed, slowest=0.3, start=SO101.solve(BEGIN))
    wish = Wish(Target(tuple(random.uniform(*ENDS))), straight=True, speed=0.5)
    try:
        planned = plan(SO101, Settings(), PARAMETERS, wish, State(arm.measured))
    except Refusal:
        return
    line = Playing(planned, 0.0)
    arm.mover.begin(line, True, arm.measured)
    controller.steps(random.uniform(0.0, 0.8) * planned.trajectory.duration / controller.speed)
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert arm.mover.motion is not line


@pytest.mark.parametrize('seed', range(cases(60, 20)))
def test_a_line_that_brakes_already_is_not_stopped_anew(seed):
    """No stop rests sooner, and one that is sent anew would leave no acceleration to catch up.

    An arm that is still slower seems to stand by then, and is told to stay where it is.
    """
    _, arm, controller = arm_beside(seed, slowest=0.2, start=SO101.solve(BEGIN))
    wish = Wish(Target(ENDS[1]), straight=True)
    line = Playing(plan(SO101, Settings(), PARAMETERS, wish, State(arm.measured)), 0.0)
    arm.mover.begin(line, True, arm.measured)
    assert controller.steps(0.95 * line.path.duration / controller.speed) is None
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert arm.mover.motion is line
    ending = controller.steps(60.0)
    assert ending.code is Code.CANCELED and ending.share == pytest.approx(1.0)
    assert controller.sent is line.path


@pytest.mark.parametrize(('seed', 'speed'), JOGS)
def test_a_jog_begins_reverses_and_ends_within_the_limits(seed, speed):
    """Of a controller in time exactly; a slowed one begins each path behind where it is sent, and
    has time to catch up."""
    random, arm = np.random.default_rng(seed), Arm()
    controller = SlowedController(arm, speed)
    way = random.normal(size=3)
    speeds = random.uniform(0.02, 0.1), random.uniform(0.3, 1.5)
    way *= random.choice(speeds) / np.linalg.norm(way)
    jogging = arm.jog(tuple(way.tolist()), STOP)
    for sign in (1.0, -1.0, 0.0):
        for _ in range(int(random.integers(2, 60))):
            jogging.hear(tuple((sign * way).tolist()), (0.0, 0.0, 0.0), arm.now)
            ending = controller.steps(PERIOD)
    assert ending or controller.steps(5.0)
    assert controller.asked <= (ASKED if speed == 1.0 else JOGGED)


@pytest.mark.parametrize('seed', range(cases(100)))
def test_a_motion_catches_up_with_an_arm_that_is_ahead(seed):
    """After a pause of the node, a stop does not send the arm back."""
    random, arm = np.random.default_rng(seed), Arm()
    controller = SlowedController(arm, random.uniform(0.5, 1.0))
    arm.begin(beside=arm.measured)
    duration = arm.mover.motion.time_left(0.0)
    assert controller.steps(random.uniform(0.1, 0.3) * duration / controller.speed) is None
    controller.play(random.uniform(0.1, 0.2) * duration, controller.speed)
    assert controller.steps(0.4 * duration) is None
    before = dict(arm.measured)
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert controller.steps(60.0).code is Code.CANCELED
    for name, there in THERE.items():
        assert (arm.measured[name] - before[name]) * np.sign(there) > -BESIDE - 0.02


@pytest.mark.parametrize('seed', range(cases(300)))
@pytest.mark.parametrize('speed', ['in time', 'slowed'])
def test_an_arm_that_is_measured_no_longer_is_not_sent_back(seed, speed):
    """It was sent to where it was measured last in 0.1 s, as if it stood still there: also one that
    moved so gently that it hardly seemed to move."""
    random, arm, controller = arm_beside(seed, speed, slowest=0.3, start=SO101.solve(BEGIN))
    end, gently = tuple(random.uniform(*ENDS)), random.choice([1.0, 0.3, 0.1])
    gently = gently if speed == 'in time' else 1.0
    wish = Wish(Target(end), straight=bool(seed % 2), speed=gently)
    try:
        planned = plan(SO101, Settings(), PARAMETERS, wish, State(arm.measured))
    except Refusal:
        return
    arm.mover.begin(Playing(planned, 0.0), True, arm.measured)
    assert controller.steps(random.uniform(0.01, 0.5) * planned.trajectory.duration) is None
    last, ending, begun = dict(arm.measured), None, arm.now
    canceled = random.choice([0.3 * SILENCE, 0.6 * SILENCE, math.inf])
    while ending is None:
        controller.play(PERIOD, controller.speed)
        arm.measured.update(last)
        arm.now += PERIOD
        if arm.now >= begun + canceled:
            arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
        ending = arm.mover.step(arm.now, PARAMETERS, arm.measured).ending
    assert ending.code in (Code.CANCELED, Code.NO_FEEDBACK, Code.OK)
    assert controller.asked <= ASKED


def test_a_goal_ends_when_a_slowed_controller_does():
    arm = Arm()
    slowed = SlowedController(arm, 0.2)
    arm.begin(beside=arm.measured)
    duration = arm.mover.motion.time_left(0.0)
    assert slowed.steps(4.5 * duration) is None
    assert slowed.steps(0.6 * duration).code is Code.OK
    assert arm.measured == pytest.approx(HOME | THERE, abs=SETTLED)


def test_an_arm_that_never_rests_does_not_keep_a_goal_from_ending():
    """Somebody moves it by hand."""
    arm, ending = Arm(), None
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    while ending is None:
        arm.measured['shoulder_pan'] = 0.5 * np.sin(arm.now)
        ending = arm.steps(PERIOD, follows=False)
    assert ending.code is Code.OK
    assert arm.now == pytest.approx(duration + PATIENCE, abs=2.0 * PERIOD)


@pytest.mark.parametrize('speed', [0.3, 1.0])
def test_an_arm_that_sags_has_arrived(speed):
    arm = Arm()
    slowed = SlowedController(arm, speed, sag=0.9 * GIVEN_UP)
    arm.begin(beside=arm.measured)
    assert slowed.steps(60.0).code is Code.OK
