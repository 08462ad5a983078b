# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What measurements tell about a motion, by hand: their age, joints that stand still, and rest."""

import pytest
from mover_arm import Arm
from moving_arms import PARAMETERS

from ik_circles.control.motion import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.feedback import Feedback, Stillness
from ik_circles.control.moves.plan import Plan
from ik_circles.control.moves.playing import Playing
from ik_circles.control.moves.sent import Sent


def test_joints_are_silent_that_were_not_measured_for_longer_than_the_timeout():
    feedback = Feedback()
    feedback.hear(['a', 'c'], 1.0)
    assert feedback.silent(['a', 'b'], 1.5, 0.5) == ['b']
    assert feedback.silent(['b', 'a'], 1.625, 0.5) == ['b', 'a']
    assert feedback.silent(['b', 'a'], 99.0, 0.0) == []


def test_joints_were_seen_when_the_oldest_of_them_was():
    feedback = Feedback()
    assert feedback.seen(['a'], 2.0) == 2.0  # nobody says when
    feedback.hear(['a'], 1.0)
    feedback.hear(['b'], 1.5)
    assert feedback.seen(['a', 'b', 'c'], 2.0) == 1.0
    feedback.skip(0.5)
    feedback.skip(0.25)
    assert feedback.seen(['a'], 2.0) == 0.25
    assert feedback.silent(['a'], 1.5, 0.5) == []  # what the clock leaves out is no silence
    feedback.hear(['a'], 2.0)
    assert feedback.seen(['a', 'b'], 2.0) == 0.75


def looked(*looks):
    """The stillness of a joint that was at these places [rad], each at a time [s]."""
    still = Stillness()
    for place, now in looks:
        still.look(['a', 'b'], {'a': place, 'c': now}, now)
    return still


def test_a_joint_stands_still_while_it_moves_by_no_more_than_noise():
    assert (Stillness().time, looked((0.0, 1.0)).time) == (0.0, 0.0)
    assert looked((0.0, 1.0), (0.01, 1.5), (-0.01, 2.0)).time == 1.0
    moved = looked((0.0, 1.0), (0.006, 1.5), (0.012, 2.0), (0.012, 2.25))
    assert (moved.time, moved.since, moved.at) == (0.25, 2.0, {'a': 0.012})
    moved.look(['a', 'c'], {'a': 0.012, 'c': 0.0}, 3.0)  # another motion
    assert moved.time == 0.0
    moved.look(['d'], {'a': 0.012}, 4.0)
    moved.look(['d'], {'a': 0.012}, 5.0)
    assert moved.time == 0.0  # nothing is measured


def test_without_a_controller_joints_that_stand_still_for_a_second_do_so_surely():
    assert not Stillness().is_sure(None, 0.0)
    assert not looked((0.0, 1.0), (0.0, 1.75)).is_sure(None, 1.75)
    assert looked((0.0, 1.0), (0.0, 2.0)).is_sure(None, 2.0)


@pytest.mark.parametrize(('time', 'speed', 'is_sure'), [
    (0.75, 1.0, False), (1.0, 1.0, True), (1.0, 0.21, True), (1.0, 0.19, False),
    (1.5, 0.14, True), (1.5, 0.13, False), (50.0, 0.0, False),
])  # fmt: skip
def test_beside_a_slow_controller_it_takes_as_long_as_a_tenth_of_its_speed_needs(
    time, speed, is_sure
):
    """To move by 0.02 rad."""
    ends = [Waypoint(time, (speed * time,), (speed,)) for time in (0.0, 100.0)]
    plan = Plan(('a',), Trajectory(ends), MotionLimits([1.0], [1.0]))
    still = looked((speed, 1.0), (speed, 1.0 + time))
    assert still.is_sure(Playing(plan, 0.0), 1.0 + time) == is_sure


def test_a_joint_rests_where_it_was_sent_until_it_is_measured_half_a_second_later():
    sent, feedback = Sent(), Feedback()
    sent.send({'a': 1.0, 'b': 2.0}, 1.0)
    sent.send({'a': 1.0}, 1.75)  # the same place
    assert sent.resting({'a': 0.9}, feedback, 1.25) == {'a': 1.0}  # nobody says when
    for heard, rests in ((1.5, 1.0), (1.625, 0.9)):
        feedback.hear(['a'], heard)
        assert sent.resting({'a': 0.9, 'c': 3.0}, feedback, 9.0) == {'a': rests, 'c': 3.0}
    sent.send({'a': 1.125}, 1.25)
    assert sent.resting({'a': 0.9}, feedback, 9.0) == {'a': 1.125}


def test_a_controller_that_has_not_begun_by_the_first_step_is_waited_for():
    arm = Arm()
    arm.begin(beside=arm.measured)
    arm.now += 0.5
    arm.hear()
    arm.mover.step(arm.now, PARAMETERS, arm.measured)
    assert arm.mover.share(arm.now) == 0.0


def test_while_the_next_motion_is_planned_a_controller_goes_on_for_up_to_a_tenth_of_a_second():
    arm = Arm()
    arm.begin(beside=arm.measured)
    arm.steps(0.5)
    later = arm.mover.state(arm.now, arm.measured).later
    for after, one in zip((0.1, 0.075, 0.05, 0.025), later, strict=True):
        there = arm.mover.motion.state(arm.now + after)
        assert one.positions == pytest.approx(there.positions)
        assert one.velocities == pytest.approx(there.velocities)
