# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The seed: where each joint was measured, or sent; what is not believed, and the warning."""

import math

import pytest
from robot_texts import Z_AXIS, in_a_row, joint, robot
from three_joints import shipped_arm

from ik_circles import load_arm
from ik_circles.control.decision import decide
from ik_circles.control.seed import JointMemory, complete
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.joint_values import believable

ARM = shipped_arm('planar_3r')  # limits 1.8, 2.2, 1.9 rad
SHOULDER, ELBOW, WRIST = ARM.joint_names
STRAIGHT = dict.fromkeys(ARM.joint_names, 0.0)
TOLERANCE = Settings().seed_tolerance
NAN = math.nan


def test_the_seed_is_what_was_measured_last_in_any_order():
    memory = JointMemory(ARM)
    assert memory.seed(TOLERANCE).positions == {}
    memory.hear(['gripper', WRIST, ELBOW], [7.0, 0.3, 0.2])
    assert memory.seed(TOLERANCE).positions == {WRIST: 0.3, ELBOW: 0.2}
    memory.hear([SHOULDER, ELBOW], [0.1, 0.25])
    memory.hear([SHOULDER, ELBOW, WRIST], [NAN, math.inf])
    memory.hear([], [9.0])
    seed = memory.seed(TOLERANCE)
    assert seed == ({SHOULDER: 0.1, ELBOW: 0.25, WRIST: 0.3}, [])
    assert list(seed.positions) == list(ARM.commanded_joints)
    assert set(memory.measured) == set(STRAIGHT)  # a flood of strange names is not kept


def test_bad_joint_states_are_told_of():
    memory = JointMemory(ARM)
    assert memory.hear([SHOULDER, 'wheel'], [0.1, NAN]) is None
    assert memory.hear([SHOULDER, ELBOW], []) is None  # velocities only
    assert memory.hear([SHOULDER, ELBOW], [0.2, NAN]) == f'{ELBOW} is at nan; give a finite number'
    words = '2 names with 1 positions; give one for each'
    assert memory.hear([SHOULDER, ELBOW], [0.3]) == words
    assert memory.measured == {SHOULDER: 0.3}


def test_that_no_joint_has_been_measured_is_said_once():
    memory = JointMemory(ARM)
    memory.hear(['gripper'], [0.1])
    (warning,) = memory.seed(TOLERANCE).warnings
    assert warning.startswith(f'no joint_states received for {SHOULDER}, {ELBOW}, {WRIST}: ')
    memory.commanded(STRAIGHT)
    assert memory.seed(TOLERANCE).warnings == []
    heard = JointMemory(ARM)
    heard.hear([WRIST], [0.3])
    assert heard.seed(TOLERANCE).warnings == []


def test_only_a_seed_of_all_commanded_joints_is_complete():
    assert complete(ARM, None) is None
    assert complete(ARM, {}) is None
    assert complete(ARM, {SHOULDER: 0.1, ELBOW: 0.2, 'gripper': 0.3}) is None
    assert complete(ARM, STRAIGHT) is STRAIGHT
    more = {**STRAIGHT, 'gripper': 0.3}
    assert complete(ARM, more) is more


def test_the_last_command_stands_in_for_what_is_not_measured():
    memory = JointMemory(ARM)
    memory.commanded({SHOULDER: 0.4, ELBOW: 0.5, WRIST: 0.6})
    memory.hear([ELBOW], [0.2])
    assert memory.seed(TOLERANCE).positions == {SHOULDER: 0.4, ELBOW: 0.2, WRIST: 0.6}
    memory.commanded({SHOULDER: -0.4, ELBOW: -0.5, WRIST: -0.6})
    assert memory.seed(TOLERANCE).positions == {SHOULDER: -0.4, ELBOW: 0.2, WRIST: -0.6}


def test_a_joint_a_little_past_its_limit_counts_as_on_it():
    memory = JointMemory(ARM)
    memory.hear([SHOULDER, ELBOW], [1.85, -2.3])
    assert memory.seed(0.1 + 1e-12) == ({SHOULDER: 1.8, ELBOW: -2.2}, [])


def test_a_joint_far_past_its_limit_is_not_believed_and_warned_about_once():
    memory = JointMemory(ARM)
    memory.hear([SHOULDER, ELBOW], [2.0, 0.1])
    seed = memory.seed(TOLERANCE)
    assert seed.positions == {ELBOW: 0.1}
    (warning,) = seed.warnings
    assert f'{SHOULDER} is measured 11.5 deg past its limit of 103.1 deg' in warning
    memory.commanded(STRAIGHT)
    for past in (2.0, 1.85, 2.0):  # it hangs about there: nothing new
        memory.hear([SHOULDER], [past])
        assert memory.seed(TOLERANCE).warnings == []
    assert memory.seed(TOLERANCE).positions == {**STRAIGHT, ELBOW: 0.1}
    memory.hear([SHOULDER], [1.0])
    assert memory.seed(TOLERANCE).positions[SHOULDER] == 1.0
    memory.hear([SHOULDER], [-5.0])
    assert len(memory.seed(TOLERANCE).warnings) == 1


def test_joint_states_in_degrees_are_asked_about_and_the_joint_is_not_known():
    memory = JointMemory(ARM)
    memory.hear([SHOULDER, ELBOW], [0.3, 0.1])
    problem = memory.hear([SHOULDER, ELBOW], [45.0, 0.2])
    assert problem == (
        f'{SHOULDER} is 45 rad, more than a turn past its limit of 1.8 rad; is it in degrees? give '
        'radians: 45 deg are 0.785398 rad'
    )
    assert memory.measured == {ELBOW: 0.2}
    assert memory.hear([SHOULDER], [-1e308]) is not None
    assert memory.hear([SHOULDER], [0.4]) is None
    assert memory.measured == {SHOULDER: 0.4, ELBOW: 0.2}


def test_a_measured_joint_without_limits_may_have_wound_up():
    """By any number of turns, and the arm stays where it is measured."""
    arm = load_arm(
        robot(*in_a_row(*[('continuous', Z_AXIS, '')] * 3), joint('tip', 3, 4, xyz=(1, 0, 0)))
    )
    memory, at = (
        JointMemory(arm),
        {'j0': 0.3 + 40.0 * math.pi, 'j1': 0.8, 'j2': 0.1 - 200.0 * math.pi},
    )
    assert memory.hear([*at], [*at.values()]) is None
    seed = memory.seed(TOLERANCE)
    assert seed == (at, [])
    point = tuple(arm.forward_kinematics(at)[:3, 3].tolist())
    command = decide(arm, Settings(), Target(point), seed.positions).command
    assert command == pytest.approx(at, abs=1e-9)


def test_a_joint_that_has_been_on_its_limit_is_warned_of_again():
    """On a limit it is inside, to the last bit; a hair beyond, it is only believed."""
    memory = JointMemory(ARM)
    for end in (-2.2, 2.2):
        for position, warnings in ((3.0 * end, 1), (3.0 * end, 0), (end, 0), (3.0 * end, 1)):
            memory.hear([ELBOW], [position])
            assert len(memory.seed(0.0).warnings) == warnings
        memory.hear([ELBOW], [0.0])
        memory.seed(0.0)


def test_after_a_change_of_the_model_a_joint_rests_where_it_was_sent():
    """Law: the new memory takes that over for joints that it has measured, unless it has sent them
    elsewhere; and it believes the measurement if that is far away, as always."""
    before, after = JointMemory(ARM), JointMemory(ARM)
    before.commanded({SHOULDER: 0.5, ELBOW: 0.6, WRIST: 0.7})
    after.take_over(before)
    assert after.seed(TOLERANCE).positions == {}
    after.hear([SHOULDER, ELBOW], [0.49, -0.6])
    assert after.resting(TOLERANCE) == {SHOULDER: 0.49, ELBOW: -0.6}
    after.take_over(before)
    assert after.resting(TOLERANCE) == {SHOULDER: 0.5, ELBOW: -0.6}
    assert WRIST not in after.seed(TOLERANCE).positions
    after.commanded({SHOULDER: 0.48})
    after.take_over(before)
    assert after.resting(TOLERANCE)[SHOULDER] == 0.48


def test_what_is_just_within_a_tolerance_or_just_believable_is_taken():
    """To the last bit."""
    memory, (lower, upper) = JointMemory(ARM), (ARM.joints[ELBOW].lower, ARM.joints[ELBOW].upper)
    for rim in believable(lower, upper):
        assert memory.hear([ELBOW], [rim]) is None and memory.measured[ELBOW] == rim
    memory.hear([ELBOW], [upper + 0.125])
    past = upper + 0.125 - upper
    assert memory.seed(past).positions == memory.resting(past) == {ELBOW: upper}
    memory.hear([ELBOW], [0.25])
    memory.commanded({ELBOW: 0.375})
    assert memory.resting(0.125) == {ELBOW: 0.375}
    assert memory.resting(0.0625) == memory.resting(0.0) == {ELBOW: 0.25}
