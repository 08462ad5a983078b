# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Who moves the arm, and how each motion ends, at times that the test makes up."""

import numpy as np
import pytest
from law_cases import cases
from mover_arm import HOME, LIMITS, NAMES, PERIOD, SILENCE, SO101, THERE, Arm
from moving_arms import PARAMETERS

from ik_circles.control.moves.feedback import SETTLE
from ik_circles.control.moves.motion_time import LONGEST_STEP, MotionTime
from ik_circles.control.moves.plan import State
from ik_circles.control.refusals import Refusal
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.reasons import Code


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


@pytest.mark.parametrize('seed', range(cases(100)))
def test_a_stop_at_any_moment_comes_to_rest_within_the_limits(seed):
    random, arm = np.random.default_rng(seed), Arm()
    arm.begin()
    duration = arm.mover.motion.time_left(0.0)
    arm.steps(random.uniform(3.0 * PERIOD, duration))
    share = arm.mover.share(arm.now)
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert not arm.mover.stop(Code.DISABLED, 'the first reason counts', arm.now)
    assert arm.mover.stopped == (Code.CANCELED, 'canceled', share)
    ending = None
    while ending is None:  # a stop has no share of its own
        assert arm.mover.share(arm.now) == share
        ending = arm.steps(PERIOD)
    assert ending == (Code.CANCELED, 'canceled', share)
    assert not arm.mover.stopped
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
    assert arm.mover.stopped
    with pytest.raises(Refusal, match='are silent: nothing about shoulder_pan') as told:
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
    assert not arm.mover.stopped  # wrist_flex is not moved
    arm.hear()
    arm.begin(goal=HOME)
    ending = None
    while ending is None:
        arm.mover.hear([name for name in NAMES if name != 'elbow_flex'], arm.now)
        ending = arm.steps(PERIOD, heard=False)
    assert 'nothing about elbow_flex for 0.5 s' in ending.message


def test_without_a_timeout_silence_does_not_matter():
    arm = Arm()
    arm.mover.check_heard(['never'], 99.0, 0.0)
    arm.begin()
    quiet = MotionParameters(feedback_timeout=0.0)
    arm.mover.step(99.0, quiet, arm.measured)
    assert not arm.mover.stopped


def test_a_jog_is_stopped_whatever_is_heard_later():
    arm = Arm()
    jogging = arm.jog()
    arm.steps(0.1)
    assert arm.mover.stop(Code.DISABLED, 'disabled', arm.now)
    assert arm.steps(9.0).code is Code.DISABLED
    arm.check_smooth()
    assert not any(jogging.state(arm.now).velocities.values())


def test_a_jog_has_no_share():
    """Who stops it has done nothing of a goal; what nobody asks for any more is over."""
    arm = Arm()
    arm.jog()
    arm.steps(0.1)
    assert arm.mover.share(arm.now) == 0.0
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    stopped = arm.mover.stopped
    assert stopped == arm.steps(9.0) == (Code.CANCELED, 'canceled', 0.0)
    arm.jog()
    assert arm.steps(9.0) == (Code.OK, '', 1.0)


def test_what_replaces_a_jog_between_two_steps_keeps_all_limits():
    """Law: the arm goes on along the jog's path until then, and so does the state."""
    for seed in range(cases(40)):
        random, arm = np.random.default_rng(seed), Arm()
        velocity = (0.0, float(random.choice([-0.3, 0.3])), 0.0)
        jogging = arm.jog(velocity)
        for _ in range(random.integers(5, 15)):
            arm.steps(PERIOD)
            jogging.hear(velocity, (0.0, 0.0, 0.0), arm.now)
        # The path goes on for two periods, and then comes to rest.
        arm.now += PERIOD * random.uniform(0.2, 4.0)
        arm.begin(is_goal=seed % 2 == 0)
        arm.steps(0.1)
        arm.check_smooth()


def test_a_joint_is_sent_all_of_its_way_also_if_what_comes_next_does_not_name_it():
    """Law: it may come to rest between two steps, and the next motion may begin before the second.
    """
    between = 0
    for seed in range(cases(400, least=20)):
        random, arm = np.random.default_rng(seed), Arm()
        arm.begin(is_goal=False)
        arm.steps(random.uniform(0.1, 0.4))
        arm.mover.stop(Code.CANCELED, 'stopped', arm.now)
        stop = arm.mover.motion
        while stop.state(arm.now + PERIOD).velocities['elbow_flex'] != 0.0:
            arm.steps(PERIOD)
        arm.now += PERIOD * random.uniform(0.5, 1.0)
        has_arrived = stop.state(arm.now).velocities['elbow_flex'] == 0.0
        for goal in (1.2, 1.5):  # a target, and a newer one before the next step
            arm.begin(is_goal=False, goal={'shoulder_pan': goal})
        arm.steps(9.0)
        arm.check_smooth()
        if has_arrived:  # else the next motion has a stop for it, too
            assert arm.measured['elbow_flex'] == stop.end['elbow_flex']
            between += 1
    assert between >= 5


def test_what_was_not_sent_yet_is_forgotten_with_the_motion():
    """A command that was sent at once may have moved the joint that had come to rest before."""
    arm = Arm()
    arm.begin(is_goal=False)
    arm.now += 9.0
    arm.begin(is_goal=False, goal={'shoulder_pan': 1.2})
    arm.mover.forget()
    arm.begin(is_goal=False, goal={'shoulder_pan': 1.2})
    arm.hear()
    step = arm.mover.step(arm.now + PERIOD, PARAMETERS, arm.measured)
    assert step.positions.keys() == {'shoulder_pan'}


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
            assert arm.now - before + time.skipped == pytest.approx(max(passed, 0.0), abs=2e-9)
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


def test_a_clock_that_is_set_at_rest_makes_no_measurement_old():
    """Law: only the call after it leaves anything out; what passes later counts again."""
    time, clock = MotionTime(), 10**18
    time.at(clock)
    time.clock_is_set()
    clock += 10**12
    assert time.at(clock) == pytest.approx(LONGEST_STEP)
    assert time.skipped == pytest.approx(1000.0 - LONGEST_STEP)
    assert time.at(clock + 10**10) == pytest.approx(LONGEST_STEP + 10.0)
    assert time.skipped == 0.0


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
