# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The steps of a stop on its way: how long they are, and that none could be slower."""

import itertools

import numpy as np
import pytest
from law_cases import cases
from motions import RandomChain, check_limits, random_limits
from test_braking import from_curve
from test_timed_paths import wave

from ik_circles.control.motion import MotionLimits, Trajectory, Waypoint, along, joint_move
from ik_circles.control.motion.braking import BESIDE, SHORTER, STEPS, USUAL, braked, rest_of

#: Rounding of the limits of accelerations, as a share [1].
ROUNDED = 1e-6
#: Paces that are tried instead of that of a step, as shares of it [1].
SLOWER = 0.0, 0.3, 0.7, 0.9, 0.99, 0.9999


@pytest.mark.parametrize('side', [1.0, -1.0])
@pytest.mark.parametrize(
    ('speed', 'strongest'), [(4.0, 2.0), (0.5, 2.0), (3.0, 0.125), (0.25, 2.0), (1.0, 200.0)]
)
def test_the_steps_of_an_even_stop(speed, strongest, side):
    """By hand: at an even velocity v, the square of the pace falls by 2 a / v in each second of the
    motion's own time. Steps are a 32nd of v / a in that time, or a millisecond."""
    limits = MotionLimits([speed], [strongest])
    motion = joint_move([0.0], [0.0], [side * 4.0 * speed * (1.0 + speed / strongest)], limits)
    begin = motion.waypoints[1].time
    length = max(speed / strongest / STEPS, USUAL)
    stop = braked(motion, begin, limits).waypoints
    squares = 1.0 - 2.0 * strongest / speed * length * np.arange(40)
    paces = np.sqrt(squares[squares > ROUNDED])
    found = np.array([[one.time, one.positions[0], one.velocities[0]] for one in stop])
    expected = [
        (1.0 - paces) * speed / strongest,
        stop[0].positions[0] + side * speed * length * np.arange(len(paces)),
        side * speed * paces,
    ]
    assert len(found) == len(paces) + 1
    assert found[:-1] == pytest.approx(np.transpose(expected), rel=1e-4, abs=1e-5)
    assert found[-1, 2] == 0.0


def own_times(motion, moment, stop):
    """The times of the motion at which it is at the places of its stop."""
    times = [moment]
    for one, other in itertools.pairwise(stop.waypoints):
        joint = int(np.argmax(np.abs(np.subtract(other.positions, one.positions))))
        places = np.array(other.positions)
        later = (time for time in motion.times_at(joint, places[joint]) if time > times[-1])
        times.append(min(at for at in later if np.allclose(motion.at(at)[0], places, 0.0, 1e-8)))
    return times


@pytest.mark.parametrize('seed', range(cases(400, least=6)))
def test_no_step_of_a_stop_could_be_slower(seed):
    """Law: with less pace at its end, its cubic would pass a limit of accelerations. So would a
    last step that is shorter."""
    random = np.random.default_rng(seed)
    joints = random.integers(1, 5)
    some = random_limits(random, joints, endless=1.0)
    motion = along(wave(random, joints), some, RandomChain(random, joints).chain)
    limits = MotionLimits([100.0] * joints, some.accelerations)  # else it may brake less at times
    moment = float(random.uniform(0.1, 0.9)) * motion.duration
    stop = braked(motion, moment, limits)
    check_limits(stop, limits)
    *times, end = own_times(motion, moment, stop)
    paces = [
        np.linalg.norm(one.velocities) / np.linalg.norm(motion.at(time)[1])
        for one, time in zip(stop.waypoints, times)
    ]
    steps = zip(*map(itertools.pairwise, (times, paces, stop.waypoints)))
    for (start, end), (pace, found), (one, other) in steps:
        assert other.time - one.time == pytest.approx(2.0 * (end - start) / (pace + found))
        for slower in np.multiply(SLOWER, min(found, pace)).tolist():
            ends = (slower / found * np.array(other.velocities)).tolist()
            there = Waypoint(2.0 * (end - start) / (pace + slower), other.positions, tuple(ends))
            step = Trajectory([one._replace(time=0.0), there])
            asked = step.extremes.accelerations / limits.accelerations
            assert asked.max() > 1.0 - ROUNDED
    if (length := SHORTER * (end - times[-1])) >= USUAL * paces[-1]:
        there = motion.at(times[-1] + length)[0]
        one = stop.waypoints[-2]._replace(time=0.0)
        last = Waypoint(2.0 * length / paces[-1], there, (0.0,) * joints)
        asked = Trajectory([one, last]).extremes.accelerations / limits.accelerations
        assert asked.max() > 1.0 - ROUNDED


@pytest.mark.parametrize('seed', range(cases(400, least=6)))
def test_a_stop_stays_on_a_way_that_bends_at_every_waypoint(seed):
    """Law: one joint moves evenly, others to and fro, so fast that they leave the way in a step."""
    random = np.random.default_rng(seed)
    count, joints = 60, int(random.integers(2, 5))
    limits = MotionLimits([9.0] * joints, [1.0] + [1e3] * (joints - 1))
    gaps = random.choice([1.0 / STEPS, random.uniform(0.001, 0.1)]) * np.ones(count)
    times = np.concatenate([[0.0], np.cumsum(gaps)])
    places, speeds = np.zeros((2, len(times), joints))
    places[:, 0], speeds[:, 0] = times, 1.0
    speeds[:, 1:] = 0.02 * random.normal(size=(len(times), joints - 1))
    speeds[random.integers(2) :: 2, 1:] = 0.0
    rows = zip(times.tolist(), places.tolist(), speeds.tolist())
    motion = Trajectory([Waypoint(time, tuple(at), tuple(speed)) for time, at, speed in rows])
    stop = braked(motion, 0.0, limits)
    for one, other in itertools.pairwise(stop.waypoints):
        way = Trajectory([one, other])
        span = np.linspace(one.positions[0] - 1e-3, other.positions[0] + 1e-3, 100)
        curve = np.array([motion.at(time)[0] for time in span.tolist()])
        for time in np.linspace(one.time, other.time, 9)[1:-1].tolist():
            assert from_curve(np.array(way.at(time)[0]), curve) <= BESIDE * 1.01


def test_what_is_left_of_a_motion():
    """A waypoint that is hardly later than now is skipped."""
    one, two, three = (Waypoint(float(at), (at / 2.0,), (0.5,)) for at in range(3))
    motion = Trajectory([one, two, three])
    assert rest_of(motion, 0.5).waypoints == (
        Waypoint(0.0, (0.25,), (0.5,)),
        Waypoint(0.5, (0.5,), (0.5,)),
        Waypoint(1.5, (1.0,), (0.5,)),
    )
    for beside in (0.0, 5e-7):
        assert len(rest_of(motion, 1.0 - beside).waypoints) == 2
    assert len(rest_of(motion, 1.0 - 2e-6).waypoints) == 3
    assert rest_of(motion, 9.0).waypoints == (Waypoint(0.0, (1.0,), (0.0,)),)
