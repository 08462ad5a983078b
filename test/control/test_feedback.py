# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What measurements tell, by hand: when joints were measured, and whether they stand still."""

from types import SimpleNamespace

from ik_circles.control.moves.feedback import Feedback, Stillness

BOTH = ('one', 'other')


def test_all_joints_had_been_measured_when_the_last_of_them_was():
    feedback = Feedback()
    assert feedback.seen(BOTH, 9.0) == 9.0
    feedback.hear(['one'], 1.0)
    feedback.hear(['other'], 2.0)
    assert feedback.seen(BOTH, 9.0) == 1.0
    assert feedback.seen(['other', 'silent'], 9.0) == 2.0


def test_what_the_clock_leaves_out_makes_measurements_older():
    feedback = Feedback()
    feedback.hear(BOTH, 1.0)
    feedback.skip(0.25)
    feedback.hear(['other'], 2.0)
    feedback.skip(0.5)
    assert [feedback.seen([name], 9.0) for name in BOTH] == [0.25, 1.5]


def test_a_joint_is_silent_once_it_was_not_measured_for_longer_than_the_timeout():
    feedback = Feedback()
    feedback.hear(['one'], 1.0)
    assert feedback.silent(BOTH, 1.5, 0.5) == ['other']
    assert feedback.silent(BOTH, 1.75, 0.5) == ['one', 'other']
    assert feedback.silent(BOTH, 1.75, 0.0) == []


def test_an_arm_stands_still_once_no_joint_has_moved_for_a_second():
    still, at = Stillness(), dict.fromkeys(BOTH, 0.5)
    still.look(BOTH, at, 3.0)
    still.look(BOTH, {**at, 'other': 0.509}, 3.75)  # an encoder's noise
    assert not still.is_sure(None, 3.75)
    still.look(BOTH, at, 4.0)
    assert still.is_sure(None, 4.0)
    still.look(BOTH, {**at, 'other': 0.511}, 4.5)
    assert (still.time, still.since) == (0.0, 4.5)
    still.look(['other'], at, 5.0)
    assert still.since == 5.0
    still.look(BOTH, {}, 7.0)
    assert still.time == 0.0


def test_a_slow_controller_gets_more_time():
    """At a tenth of its speed, this one moves by 20 mrad in 4 s."""
    slow, still = SimpleNamespace(goes=lambda _, now, age: 0.05 * age), Stillness()
    for now in (0.0, 0.75, 1.0, 3.75, 4.25):
        still.look(['one'], {'one': 0.0}, now)
        assert still.is_sure(slow, now) == (now > 4.0)
    quick = SimpleNamespace(goes=lambda _, now, age: 9.0)
    assert still.is_sure(quick, 4.25)
    still.look(['one'], {'one': 1.0}, 5.0)
    still.look(['one'], {'one': 1.0}, 5.75)
    assert not still.is_sure(quick, 5.75)
