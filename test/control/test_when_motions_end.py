# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""When a motion is over, waits, catches up or is given up: numbers that users are told, exactly."""

import pytest
from mover_arm import HOME, Arm

from ik_circles.control.moves.mover import STOP
from ik_circles.control.moves.plan import State
from ik_circles.reasons import Code

#: Floats hold multiples of it exactly [s]; joint_states are not silent for that long.
PERIOD = 1.0 / 128.0


def from_one_to_zero(beside=False):
    """A motion of one joint from 1 rad to 0, to where it is measured exactly."""
    arm = Arm()
    arm.measured = HOME | {'shoulder_pan': 1.0}
    arm.begin(goal={'shoulder_pan': 0.0}, beside=arm.measured if beside else None)
    return arm


def steps_at(arm, place, most=10000):
    """Steps with the joint at a place, until the motion is over."""
    arm.measured['shoulder_pan'] = place
    for _ in range(most):
        ending = arm.steps(PERIOD, follows=False, period=PERIOD)
        if ending is not None:
            return ending
    return None


@pytest.mark.parametrize(('away', 'waits'), [(2e-3, 0.0), (-2e-3, 0.0), (0.002001, 1.0)])
def test_a_joint_has_settled_two_milliradians_from_its_goal(away, waits):
    """Farther away, it has to stand still for a second after the end of the motion."""
    arm = from_one_to_zero()
    duration = arm.mover.motion.time_left(0.0)
    assert steps_at(arm, away).code is Code.OK
    assert duration + waits <= arm.now < duration + waits + PERIOD


def test_a_goal_waits_for_ten_seconds_for_an_arm_that_never_rests():
    arm = from_one_to_zero()
    duration, side = arm.mover.motion.time_left(0.0), 1.0
    while (ending := steps_at(arm, 0.02 * side, 1)) is None:
        side = -side
    assert ending.code is Code.OK
    assert duration + 10.0 <= arm.now < duration + 10.0 + PERIOD


@pytest.mark.parametrize(
    ('away', 'code'), [(0.1, Code.OK), (-0.1, Code.OK), (0.101, Code.CANCELED)]
)
def test_beside_a_controller_a_joint_that_stands_still_farther_than_a_tenth_is_given_up(away, code):
    arm = from_one_to_zero(beside=True)
    ending = steps_at(arm, away)
    assert ending.code is code
    assert (code is Code.OK) == (ending.share == 1.0)


@pytest.mark.parametrize(
    ('away', 'moved'),
    [
        ({'shoulder_pan': 0.0}, 0.0),
        ({'shoulder_pan': -0.0499}, 0.0),
        ({'shoulder_pan': -0.0501}, PERIOD),  # it is behind
        ({'shoulder_pan': 0.0501}, -PERIOD),  # it is ahead
        ({'shoulder_pan': 0.01, 'elbow_flex': 0.0499}, 0.0),
        ({'shoulder_pan': 0.04, 'elbow_flex': 0.0501}, PERIOD),  # it is beside its path
    ],
)
def test_a_motion_waits_for_an_arm_that_is_behind_and_catches_up_with_one_that_is_ahead(
    away, moved
):
    """By one step, if a joint is more than 0.05 rad from where it is sent."""
    arm = Arm()
    arm.begin(goal={'shoulder_pan': 1.5, 'elbow_flex': 0.0}, beside=arm.measured)
    arm.steps(64.0 * PERIOD, period=PERIOD)  # it is measured where it is sent
    motion, gone = arm.mover.motion, arm.mover.motion.gone(arm.now)
    assert gone == arm.now
    there = motion.state(arm.now + PERIOD).positions
    arm.measured.update({name: place + away.get(name, 0.0) for name, place in there.items()})
    assert arm.steps(PERIOD, follows=False, period=PERIOD) is None
    assert motion.gone(arm.now) == pytest.approx(gone + PERIOD - moved)


@pytest.mark.parametrize(('steps', 'stays'), [(25, False), (26, True)])
def test_an_arm_that_has_stood_still_for_a_fifth_of_a_second_is_not_sent_on(steps, stays):
    """Paused or blocked; told to stop, it stays where it is."""
    arm = from_one_to_zero(beside=True)
    arm.steps(0.5, period=PERIOD)
    place = arm.measured['shoulder_pan']
    for _ in range(1 + steps):  # in the first of them, it is seen to have moved
        arm.steps(PERIOD, follows=False, period=PERIOD)
    arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert (arm.mover.motion.end['shoulder_pan'] == place) is stays


@pytest.mark.parametrize(('after', 'away', 'settles'), [
    (1.0, 0.0, True), (1.0 + PERIOD, 0.0, False), (1.0, 2e-3, True), (1.0, 2.001e-3, False),
])  # fmt: skip
def test_a_controller_may_still_be_at_the_end_of_a_path_a_second_later(after, away, settles):
    """So a motion that begins then leaves time to catch up, if the arm has arrived."""
    arm = from_one_to_zero(beside=True)
    while arm.steps(PERIOD, period=PERIOD) is None:
        pass
    arm.measured['shoulder_pan'] = away
    state = arm.mover.state(arm.now + after, arm.measured)
    assert bool(state.instead) is settles


def test_a_jog_beside_a_controller_rests_in_a_fifth_of_a_second_and_is_no_goal():
    """However slow it is: in less time, to correct where the arm is could take too much."""
    arm = Arm()
    jogging = arm.jog((0.0, 0.01, 0.0), STOP)
    arm.mover.check_free()
    for _ in range(100):
        jogging.hear((0.0, 0.01, 0.0), (0.0, 0.0, 0.0), arm.now)
        assert arm.steps(PERIOD, period=PERIOD) is None
    begin = arm.now
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert arm.steps(9.0, period=PERIOD).code is Code.CANCELED
    assert 0.2 <= arm.now - begin <= 0.3


def test_a_motion_that_is_forgotten_leaves_joints_where_they_are_measured():
    arm = from_one_to_zero(beside=True)
    arm.steps(0.5, period=PERIOD)
    arm.mover.skip(0.25, arm.now)
    arm.mover.forget()
    arm.mover.skip(0.25, arm.now)
    assert arm.mover.state(arm.now, arm.measured) == State(arm.measured)


@pytest.mark.parametrize('beside', [True, False])
def test_a_controller_goes_on_while_the_clock_leaves_time_out(beside):
    """What the node plays itself does not."""
    arm = from_one_to_zero(beside)
    arm.steps(0.5, period=PERIOD)
    arm.mover.skip(0.125, arm.now)
    assert arm.mover.motion.gone(arm.now) == 0.5 + 0.125 * beside


def test_a_joint_that_is_measured_on_its_way_rests_where_the_node_sent_it():
    """A controller, though, may have stopped there."""
    for beside, place in ((False, 0.0), (True, 0.25)):
        arm = from_one_to_zero(beside)
        while arm.steps(PERIOD, period=PERIOD) is None:
            pass
        arm.now += 2.0
        arm.measured['shoulder_pan'] = 0.25  # it is measured no more
        assert arm.mover.state(arm.now, arm.measured).positions['shoulder_pan'] == place
