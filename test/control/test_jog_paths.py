# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The paths of a jog, which a controller of trajectories is sent one after the other."""

import numpy as np
import pytest
from law_cases import cases
from motions import ROUNDING
from moving_arms import some_robot
from test_jogging import BENT, PERIOD, SETTINGS, SO101, Jogged

from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.plan import State, limits_of
from ik_circles.reasons import Code

#: So much is asked for on a path, as two changes of an acceleration within 1e-5 s are one there.
MERGED = 1.001


@pytest.mark.parametrize('seed', range(cases(60)))
def test_the_arm_is_on_paths_that_begin_on_the_one_before_and_end_at_rest(seed):
    """Who plays them keeps all limits: they are what a controller is sent."""
    robot, random = some_robot(seed)
    jogged = Jogged(robot.arm, robot.drawn(random), stop=float(random.choice([0.0, 0.2])))
    path, begin = jogged.jogging.path, 0.0
    for _ in range(40):
        jogged.hear(tuple(random.normal(size=3) * 0.3), tuple(random.normal(size=3) * 0.5))
        jogged.step(float(random.choice([1.0, 1.0, 0.3, 1.7, 5.0])) * PERIOD)
        here = path.at(jogged.now - begin)
        assert np.array(here) == pytest.approx(np.array(jogged.joints()), abs=ROUNDING)
        if jogged.jogging.path is not path:
            path, begin = jogged.jogging.path, jogged.now
            assert np.array(path.at(0.0)) == pytest.approx(np.array(here), abs=ROUNDING)
        assert not any(path.waypoints[-1].velocities)
        most = path.extremes.accelerations.max(axis=0, initial=0.0)
        assert (most <= np.array(jogged.limits.accelerations) * MERGED).all()


def test_a_path_goes_on_for_two_periods_and_then_brakes():
    jogged = Jogged(SO101, BENT)
    jogged.steps(0.5, (0.0, 0.05, 0.0))
    path, speeds = jogged.jogging.path, jogged.joints()[1]
    assert path.at(2.0 * PERIOD)[1] == pytest.approx(speeds, rel=0.1)
    rests = 2.0 * PERIOD + np.max(np.abs(speeds) / np.array(jogged.limits.accelerations))
    assert path.duration == pytest.approx(rests, abs=0.005)


def test_a_jog_goes_on_along_its_path_while_the_clock_leaves_time_out():
    """Also if it does so twice, and beyond the time for which it goes on without a newer step."""
    jogged = Jogged(SO101, BENT)
    jogged.steps(0.5, (0.0, 0.05, 0.0))
    path, gone = jogged.jogging.path, 0.0
    for _ in range(8):
        jogged.jogging.skip(0.4 * PERIOD, jogged.now)
        gone += 0.4 * PERIOD
        assert np.array(jogged.joints()) == pytest.approx(np.array(path.at(gone)), abs=1e-6)
        later = jogged.jogging.state(jogged.now + 3.0 * PERIOD).of(SO101.commanded_joints)
        assert np.array(later) == pytest.approx(np.array(path.at(gone + 3.0 * PERIOD)), abs=1e-6)


def test_a_jog_stays_where_it_is_until_it_hears_of_a_velocity():
    jogged = Jogged(SO101, BENT)
    for _ in range(5):
        jogged.step()
    assert {*jogged.told} == {Code.OK}
    assert jogged.joints()[0] == pytest.approx([*BENT.values()], abs=ROUNDING)


def test_without_a_controller_a_jog_may_stop_as_soon_as_its_limits_allow():
    """At 5 rad/s^2, a joint at 0.5 rad/s rests after 0.1 s."""
    limits = limits_of(SO101, SO101.commanded_joints, 5.0)
    jogging = Jogging(SO101, SETTINGS, limits, State(BENT, {'shoulder_pan': 0.5}), 0.0)
    assert jogging.path.duration == pytest.approx(0.1, abs=0.003)


def test_a_controller_that_begins_a_path_late_has_time_to_catch_up():
    """The first waypoint is ahead by two periods and the time in which the joints could brake. If
    the joints become slower, it comes nearer, by an eighth of the time that passes."""
    jogged, aheads, needed = Jogged(SO101, BENT, stop=0.2), [], []
    for speed in (*[0.15] * 30, *[0.01] * 30):
        jogged.hear((0.0, speed, 0.0))
        jogged.step()
        braking = np.abs(jogged.joints()[1]) / np.array(jogged.limits.accelerations)
        needed.append(2.0 * PERIOD + np.max(braking))
        aheads.append(jogged.jogging.path.waypoints[1].time)
    assert max(needed[:30]) > 0.1
    assert aheads[:30] == pytest.approx(needed[:30])
    assert all(ahead > least + 0.001 for ahead, least in zip(aheads[31:], needed[31:]))
    assert np.diff(aheads[30:]) == pytest.approx(-PERIOD / 8.0)
