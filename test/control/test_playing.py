# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A plan that is under way, by hand: its time, and where an arm beside it may be."""

import math

import numpy as np
import pytest

from ik_circles.control.motion import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.plan import Plan
from ik_circles.control.moves.playing import Playing, farthest

#: At 1 rad/s from 0 to 4 rad, and then to rest at 5 rad, 6 s after the beginning.
PATH = Trajectory(
    [
        Waypoint(0.0, (0.0,), (1.0,)),
        Waypoint(4.0, (4.0,), (1.0,)),
        Waypoint(6.0, (5.0,), (0.0,)),
    ]
)
PLAN = Plan(('a',), PATH, MotionLimits([1.0], [1.0], [(-9.0, 9.0)]))
BEGIN = 10.0
#: A measurement may be this old [s].
LATE = 0.05


def test_what_is_gone_and_what_is_left_of_a_plan_are_told_by_the_clock():
    playing = Playing(PLAN, BEGIN)
    for now, gone in ((9.0, 0.0), (10.0, 0.0), (10.5, 0.5), (13.0, 3.0), (16.0, 6.0), (17.0, 7.0)):
        assert playing.gone(now) == gone
        assert playing.time_left(now) == 16.0 - now
        assert playing.share(now) == min(gone / 6.0, 1.0)
        assert playing.may_brake(now) == (now < 16.0)
    stop = Playing(PLAN, BEGIN, 0.25)
    assert stop.share(13.0) == 0.25 and not stop.may_brake(13.0)
    point = Playing(PLAN._replace(trajectory=Trajectory(PATH.waypoints[:1])), BEGIN)
    assert point.share(BEGIN) == 1.0


def test_a_plan_goes_on_by_what_the_clock_leaves_out_but_not_beyond_its_end():
    playing = Playing(PLAN, BEGIN)
    playing.skip(2.0, 11.0)
    assert (playing.gone(11.0), playing.time_left(11.0)) == (3.0, 3.0)
    playing.skip(99.0, 11.5)
    assert (playing.gone(11.5), playing.time_left(11.5)) == (6.0, 0.0)
    playing.skip(1.0, 12.0)
    assert (playing.gone(12.0), playing.time_left(12.0)) == (6.5, -0.5)


@pytest.mark.parametrize(('measured', 'now', 'begin', 'end'), [
    (1.0, 13.0, 1.0, 1.0 + LATE),
    (-1e-3, 13.0, 0.0, LATE),  # noise, beside either end
    (5.001, 15.0, 6.0, 6.0),
    (2.98, 13.0, 2.98, 3.0),  # no farther than it is sent
    (3.5, 13.0, 3.5, 3.5),  # unless it is measured there
    (3.5, 10.0 + 2.0**-5, 2.0**-5, 2.0**-5),  # a plan so new that no measurement can show it
    (0.01, 10.0 + 2.0**-5, 0.01, 2.0**-5),
])  # fmt: skip
def test_an_arm_is_between_where_it_is_measured_and_where_it_may_have_gone(
    measured, now, begin, end
):
    """It may be at each quarter of the way; measured just now, it may also be beside the path."""
    moved, (there, *states) = Playing(PLAN, BEGIN).beside({'a': measured}, now, now)
    assert moved.gone(now) == pytest.approx(end)
    ages = np.linspace(begin, end, 5)[:4].tolist()
    assert [one.positions['a'] for one in states] == pytest.approx([PATH.at(t)[0][0] for t in ages])
    assert there == (states[0]._replace(positions={'a': measured}))


def test_what_is_measured_on_another_way_is_as_fast_as_on_that_way():
    """It began 2 rad farther back, at rest: it may be there, or on the path itself."""
    playing = Playing(PLAN._replace(instead=[((-2.0,), (0.0,))]), BEGIN)
    other = Trajectory([Waypoint(0.0, (-2.0,), (0.0,)), *PATH.waypoints[1:]])
    (place,), (speed,) = other.at(0.5)
    moved, (there, *states) = playing.beside({'a': place}, 13.0, 13.0)
    assert there.positions == {'a': place} and there.velocities['a'] == pytest.approx(speed)
    assert states[0] == there and states[4].positions == {'a': 0.0}
    assert moved.gone(13.0) == pytest.approx(LATE)


def test_a_measurement_that_is_too_old_is_no_place_beside_the_path():
    """Since then, the arm may have gone on by that time, and by as much as a new one is late."""
    moved, states = Playing(PLAN, BEGIN).beside({'a': 1.0}, 13.0, 12.5)
    assert moved.gone(13.0) == pytest.approx(1.0 + 0.5 + LATE)
    assert len(states) == 4 and states[0].positions['a'] == pytest.approx(1.0)


def test_a_plan_and_a_measurement_are_new_for_up_to_a_twentieth_of_a_second():
    """To the last bit: both bounds belong to what is new."""
    playing = Playing(PLAN, 0.0)
    assert playing.beside({'a': 3.0}, LATE, LATE)[0].gone(LATE) == LATE
    assert playing.beside({'a': 3.0}, 0.0625, 0.0625)[0].gone(0.0625) == pytest.approx(3.0)
    assert len(playing.beside({'a': 0.0}, LATE, 0.0)[1]) == 5
    assert len(playing.beside({'a': 0.0}, 0.0625, 0.0)[1]) == 4


def test_a_path_goes_from_where_joints_are_measured_and_without_bound_once_it_ends():
    playing = Playing(PLAN, BEGIN)
    assert playing.goes({'a': 1.0}, 11.0, 2.0) == pytest.approx(2.0)
    assert playing.goes({'a': 1.25}, 11.0, 2.0) == pytest.approx(2.0)
    assert playing.goes({'a': 4.0}, 14.0, 1.5) < 1.0
    assert playing.goes({'a': 4.0}, 14.0, 2.0) == math.inf


def test_the_farthest_joint_is_the_one_measured_farthest_from_where_it_is_sent():
    """One that is not measured is not away, and without joints nothing is."""
    sent = {'a': 1.0, 'b': -1.0, 'c': 0.0}
    assert farthest(sent, {'a': 1.5, 'b': -2.0}) == ('b', 1.0)
    assert farthest(sent, {}).away == farthest({}, {'a': 1.0}).away == 0.0
