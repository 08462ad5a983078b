# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Who moves the arm, and how each motion ends, at times that the test makes up."""

import re

import numpy as np
import pytest
from law_cases import cases
from moving_arms import PARAMETERS
from three_joints import shipped_arm

from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.mover import (
    BEHIND,
    GIVEN_UP,
    LONGEST_STEP,
    SETTLE,
    SETTLED,
    MotionTime,
    Mover,
)
from ik_circles.control.moves.plan import State, limits_of
from ik_circles.control.moves.playing import Playing
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.target import Refusal
from ik_circles.reasons import Code

SO101 = shipped_arm('so101')
NAMES = SO101.commanded_joints
HOME = dict.fromkeys(NAMES, 0.0)
THERE = {'shoulder_pan': 1.0, 'elbow_flex': -0.5}
LIMITS = limits_of(SO101, NAMES, PARAMETERS.max_acceleration)
PERIOD = 0.01
SILENCE = PARAMETERS.feedback_timeout


class Arm:
    """A mover, an arm that is measured where it was sent, and the time."""

    def __init__(self, enabled=True):
        self.mover, self.now, self.measured, self.sent = Mover(enabled), 0.0, dict(HOME), []
        self.hear()

    def hear(self):
        self.mover.hear(self.measured, self.now)

    def begin(self, is_goal=True, goal=THERE):
        """Begin to move to joint positions."""
        state = self.mover.state(self.now, self.measured)
        planned = plan(SO101, Settings(), PARAMETERS, Wish(joints=goal), state)
        self.mover.begin(Playing(planned, self.now), is_goal)

    def jog(self, velocity=(0.0, 0.05, 0.0)):
        """Begin to jog from a bent pose."""
        self.measured = HOME | {'shoulder_lift': 0.5, 'elbow_flex': 0.8}
        state = self.mover.state(self.now, self.measured)
        jogging = Jogging(SO101, Settings(), LIMITS, state, self.now, PERIOD)
        jogging.hear(velocity, (0.0, 0.0, 0.0), self.now)
        self.mover.begin(jogging)
        return jogging

    def steps(self, duration, heard=True, follows=True, period=PERIOD):
        """Step for a while; the ending, if there was one."""
        for _ in range(round(duration / period)):
            self.now += period
            if heard:
                self.hear()
            step = self.mover.step(self.now, PARAMETERS, self.measured)
            self.sent.append((self.now, {**self.measured, **step.positions}))
            if follows:
                self.measured.update(step.positions)
            if step.ending:
                return step.ending
        return None

    def check_smooth(self):
        """What was sent keeps velocities and accelerations."""
        times = np.array([time for time, _ in self.sent])
        places = np.array([[at[name] for name in NAMES] for _, at in self.sent])
        spans = np.diff(times)[:, None]
        speeds = np.diff(places, axis=0) / spans
        changes = 2.0 * np.diff(speeds, axis=0) / (spans[1:] + spans[:-1])
        assert np.abs(speeds).max() <= max(LIMITS.velocities) + 1e-6
        assert np.abs(changes).max() <= PARAMETERS.max_acceleration * (1.0 + 1e-6) + 1e-6


def test_a_goal_ends_where_it_should():
    arm = Arm()
    arm.begin()
    ending = arm.steps(9.0)
    assert (ending.code, ending.share) == (Code.OK, 1.0)
    assert arm.measured == pytest.approx(HOME | THERE)
    arm.check_smooth()
    assert arm.mover.step(99.0, PARAMETERS, {}).positions == {}


def test_a_goal_waits_until_the_arm_has_settled_but_not_forever():
    """A stream does not wait."""
    arm = Arm()
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    assert arm.steps(duration + SETTLE - 0.05, follows=False) is None
    assert arm.steps(0.1, follows=False).code is Code.OK
    stream = Arm()
    stream.begin(is_goal=False)
    assert stream.steps(duration + 0.02, follows=False).code is Code.OK


class SlowedController:
    """It plays a path in its own time, as that of a UR does with the speed slider below 100 %."""

    def __init__(self, arm, speed, sag=0.0):
        self.arm, self.speed, self.sag = arm, speed, sag
        self.time, self.path = 0.0, None

    def steps(self, duration, speed=None):
        """Step for a while; the ending, if there was one."""
        speed = self.speed if speed is None else speed
        for _ in range(round(duration / PERIOD)):
            motion = self.arm.mover.motion
            if motion.plan.trajectory is not self.path:  # a new path begins at once
                self.path, self.time = motion.plan.trajectory, 0.0
            self.time += speed * PERIOD
            places = [at - self.sag for at in self.path.at(self.time)[0]]
            self.arm.measured.update(zip(motion.joints, places))
            self.arm.now += PERIOD
            self.arm.hear()
            step = self.arm.mover.step(self.arm.now, PARAMETERS, self.arm.measured, waits=True)
            if step.ending:
                return step.ending
        return None


@pytest.mark.parametrize('seed', range(cases(100)))
def test_a_stop_begins_where_a_slowed_controller_is(seed):
    random, arm = np.random.default_rng(seed), Arm()
    slowed = SlowedController(arm, random.uniform(0.1, 1.0))
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    assert slowed.steps(random.uniform(0.0, 0.95 * duration / slowed.speed)) is None
    at = arm.mover.state(arm.now, {}).positions
    assert all(abs(at[name] - arm.measured[name]) <= BEHIND + 0.02 for name in THERE)
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert slowed.steps(60.0).code is Code.CANCELED
    for name, end in arm.mover.state(arm.now, arm.measured).positions.items():
        assert end == pytest.approx(arm.measured[name], abs=SETTLED)


def test_a_goal_ends_when_a_slowed_controller_does():
    arm = Arm()
    slowed = SlowedController(arm, 0.2)
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    assert slowed.steps(4.5 * duration) is None
    assert slowed.steps(0.6 * duration).code is Code.OK
    assert arm.measured == pytest.approx(HOME | THERE, abs=SETTLED)


def test_a_motion_is_given_up_if_the_arm_stands_still_on_its_way():
    """As with a UR that is paused: when it goes on, it only comes to rest."""
    arm = Arm()
    slowed = SlowedController(arm, 0.5)
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    assert slowed.steps(duration) is None
    at, joints = dict(arm.measured), arm.mover.motion.joints
    ending = slowed.steps(9.0, speed=0.0)
    assert ending.code is Code.CANCELED and 0.0 < ending.share < 1.0
    assert re.match('(shoulder_pan|elbow_flex) stands still 0.* before the end', ending.message)
    rest = dict(zip(joints, slowed.path.waypoints[-1].positions))
    assert all(abs(rest[name] - at[name]) < 0.5 * abs(THERE[name]) for name in THERE)


@pytest.mark.parametrize('speed', [0.3, 1.0])
def test_an_arm_that_sags_has_arrived(speed):
    arm = Arm()
    slowed = SlowedController(arm, speed, sag=0.9 * GIVEN_UP)
    arm.begin()
    assert slowed.steps(60.0).code is Code.OK


@pytest.mark.parametrize('seed', range(cases(100)))
def test_a_stop_at_any_moment_comes_to_rest_within_the_limits(seed):
    random, arm = np.random.default_rng(seed), Arm()
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    arm.steps(random.uniform(3.0 * PERIOD, duration))
    share = arm.mover.share(arm.now)
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert not arm.mover.stop(Code.DISABLED, 'the first reason counts', arm.now)
    assert arm.mover.is_stopping
    assert arm.steps(9.0) == (Code.CANCELED, 'canceled', share)
    assert not arm.mover.is_stopping
    arm.check_smooth()


def test_a_goal_goes_first_and_otherwise_the_newest():
    arm = Arm()
    arm.begin(is_goal=False)
    arm.mover.check_free()
    arm.begin(is_goal=True)
    arm.mover.check_free(is_goal=True)
    with pytest.raises(Refusal, match='goes first') as refused:
        arm.mover.check_free()
    assert refused.value.code is Code.CANCELED
    arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    with pytest.raises(Refusal, match='goes first'):
        arm.mover.check_free()  # until it rests
    arm.steps(9.0)
    arm.mover.check_free()


def test_disabled_nothing_may_move():
    arm = Arm(enabled=False)
    for is_goal in (False, True):
        with pytest.raises(Refusal, match='disabled') as refused:
            arm.mover.check_free(is_goal)
        assert refused.value.code is Code.DISABLED
    arm.mover.enabled = True
    arm.mover.check_free()


def test_silent_joints_stop_the_arm_and_no_new_motion_hides_them():
    """Law: a stream of targets does not put the stop off."""
    arm = Arm()
    arm.begin(is_goal=False)
    for _ in range(20):
        assert arm.steps(SILENCE / 25.0, heard=False) is None
        arm.begin(is_goal=False, goal={'shoulder_pan': 1.5})
    arm.mover.check_heard(NAMES, arm.now, SILENCE)
    assert arm.steps(SILENCE / 5.0 + 2.0 * PERIOD, heard=False) is None
    assert arm.mover.is_stopping
    with pytest.raises(Refusal, match='joint_states are silent: nothing of shoulder_pan') as told:
        arm.mover.check_heard(NAMES, arm.now, SILENCE)
    assert told.value.code is Code.NO_FEEDBACK
    ending = arm.steps(9.0, heard=False)
    assert ending.code is Code.NO_FEEDBACK
    assert 'joint_states fell silent' in ending.message
    arm.check_smooth()
    arm.hear()
    arm.mover.check_heard(NAMES, arm.now, SILENCE)


def test_one_silent_joint_is_enough_and_others_do_not_count():
    arm = Arm()
    arm.begin()
    for _ in range(70):
        arm.mover.hear([name for name in NAMES if name != 'wrist_flex'], arm.now)
        assert arm.steps(PERIOD, heard=False) is None
    assert not arm.mover.is_stopping  # wrist_flex is not moved
    arm.hear()
    arm.begin(goal=HOME)
    ending = None
    while ending is None:
        arm.mover.hear([name for name in NAMES if name != 'elbow_flex'], arm.now)
        ending = arm.steps(PERIOD, heard=False)
    assert 'nothing of elbow_flex for 0.5 s' in ending.message


def test_without_a_timeout_silence_does_not_matter():
    arm = Arm()
    arm.mover.check_heard(['never'], 99.0, 0.0)
    arm.begin()
    quiet = MotionParameters(feedback_timeout=0.0)
    arm.mover.step(99.0, quiet, arm.measured)
    assert not arm.mover.is_stopping


def test_a_jog_is_stopped_whatever_is_heard_later():
    arm = Arm()
    jogging = arm.jog()
    arm.steps(0.1)
    assert arm.mover.stop(Code.DISABLED, 'disabled', arm.now)
    assert arm.steps(9.0).code is Code.DISABLED
    arm.check_smooth()
    assert not any(jogging.state(arm.now).velocities.values())


def test_jitter_pauses_and_a_clock_that_is_set():
    """Law: however time passes, the times of motions do not go back, nor on by more than a step."""
    for seed in range(cases(100)):
        random, arm, time, clock = np.random.default_rng(seed), Arm(), MotionTime(), 10**18
        arm.now = time.at(clock)
        arm.hear()
        arm.begin()
        before = arm.now
        for _ in range(2000):
            passed = PERIOD * random.uniform(0.0, 2.0)
            if random.random() < 0.1:
                passed = random.choice([-1e6, -1.0, 0.0, 0.05, 1.0, 1e6])
            clock += int(passed * 1e9)
            arm.now = time.at(clock, LONGEST_STEP)
            assert 0.0 <= arm.now - before <= LONGEST_STEP * (1.0 + 1e-9)
            if passed <= LONGEST_STEP:
                assert arm.now - before == pytest.approx(max(passed, 0.0), abs=2e-9)
            before = arm.now
            arm.hear()
            step = arm.mover.step(arm.now, PARAMETERS, arm.measured)
            for name, position in step.positions.items():
                fastest = LIMITS.velocities[NAMES.index(name)]
                assert abs(position - arm.measured[name]) <= fastest * LONGEST_STEP
            arm.measured.update(step.positions)
            if step.ending:
                break
        assert step.ending.code is Code.OK


def test_times_since_the_epoch_are_not_rounded():
    """Law: at 1000 Hz the time of a step is right to 1 ns; floats since the epoch have 240 ns."""
    time, clock = MotionTime(), 1_795_000_000_123_456_789
    time.at(clock)
    before = time.at(clock)
    for _ in range(1000):
        clock += 1_000_000
        now = time.at(clock, LONGEST_STEP)
        assert now - before == pytest.approx(1e-3, abs=1e-9)
        before = now


def test_at_rest_means_where_the_joints_were_sent():
    """`JointMemory.resting`: gravity bends an arm, a push moves it, a bad zero is not believed."""
    tolerance = Settings().seed_tolerance
    memory, upper = JointMemory(SO101), SO101.joints['shoulder_pan'].upper
    memory.hear(['gripper'], [0.3])  # not a joint of this robot
    assert memory.resting(tolerance) == {}
    memory.hear(['shoulder_pan', 'elbow_flex', 'wrist_roll'], [0.1, 0.2, 0.3])
    assert memory.resting(tolerance) == {'shoulder_pan': 0.1, 'elbow_flex': 0.2, 'wrist_roll': 0.3}
    memory.commanded({'shoulder_pan': 0.11, 'elbow_flex': 0.5, 'wrist_flex': 0.0})
    resting = {'shoulder_pan': 0.11, 'elbow_flex': 0.2, 'wrist_roll': 0.3}
    assert memory.resting(tolerance) == resting
    memory.hear(['shoulder_pan'], [upper + 0.9 * tolerance])
    assert memory.resting(tolerance)['shoulder_pan'] == upper
    memory.hear(['shoulder_pan'], [upper + 1.1 * tolerance])
    assert 'shoulder_pan' not in memory.resting(tolerance)


def test_state_of_a_motion_is_where_the_joints_were_sent():
    arm = Arm()
    assert arm.mover.state(0.0, HOME) == State(HOME)
    arm.begin()
    arm.steps(0.2)
    state = arm.mover.state(arm.now, HOME)
    assert state.positions == pytest.approx(arm.sent[-1][1])
    assert state.velocities['shoulder_pan'] > 0.0 > state.velocities['elbow_flex']
