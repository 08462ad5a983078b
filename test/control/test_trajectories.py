# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The curve between waypoints: its extremes are in closed form what a dense search finds."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.control.motion import MotionLimits, Trajectory, Waypoint
from ik_circles.control.motion.limits import RANGE_ROUNDING
from ik_circles.control.motion.trajectory import Extremes
from ik_circles.errors import IkCirclesError, InvalidArmError, InvalidSettingError

HALF_A_SECOND = Trajectory([Waypoint(0.0, (0.0,), (0.0,)), Waypoint(0.5, (1.0,), (0.0,))])
#: Places looked at between two waypoints.
LOOKS = 201


def test_a_cubic_by_hand():
    assert HALF_A_SECOND.duration == 0.5
    assert HALF_A_SECOND.at(0.25) == ((0.5,), (3.0,))
    found = HALF_A_SECOND.extremes
    assert [float(one[0, 0]) for one in found] == [0.0, 1.0, 3.0, 24.0]


def test_an_arm_rests_before_and_after():
    moving = Trajectory([Waypoint(1.0, (0.0,), (2.0,)), Waypoint(2.0, (1.0,), (3.0,))])
    assert moving.at(0.5) == ((0.0,), (0.0,))
    assert moving.at(1.0) == ((0.0,), (2.0,))
    assert moving.at(2.0) == ((1.0,), (3.0,))
    assert moving.at(2.5) == ((1.0,), (0.0,))


@pytest.mark.parametrize('seed', range(cases(1000)))
def test_a_joint_is_at_a_position_where_a_dense_search_finds_it(seed):
    random = np.random.default_rng(seed)
    count, joints = random.integers(2, 6), random.integers(1, 4)
    times = np.cumsum(10.0 ** random.uniform(-2.0, 1.0, count))
    positions, velocities = random.normal(size=(2, count, joints))
    waypoints = map(Waypoint, times, map(tuple, positions), map(tuple, velocities))
    trajectory, joint = Trajectory([*waypoints]), int(random.integers(joints))
    position = float(random.normal(scale=0.5))
    found = np.array([*trajectory.times_at(joint, position), np.inf])
    assert all(
        trajectory.at(time)[0][joint] == pytest.approx(position, abs=1e-9) for time in found[:-1]
    )
    looks = np.concatenate([np.linspace(*pair, LOOKS) for pair in zip(times, times[1:])])
    sides = np.array([trajectory.at(time)[0][joint] > position for time in looks])
    for change in np.flatnonzero(sides[1:] != sides[:-1]):
        before, after = looks[change : change + 2]
        assert ((found > before - 1e-9) & (found < after + 1e-9)).any()


def test_a_joint_that_stands_still_is_found():
    still = Trajectory([Waypoint(0.0, (0.5,), (0.0,)), Waypoint(1.0, (0.5,), (0.0,))])
    assert all(0.0 <= time <= 1.0 for time in still.times_at(0, 0.5))
    assert still.times_at(0, 0.6) == []


@pytest.mark.parametrize('seed', range(cases(1000)))
def test_extremes_are_what_a_dense_search_finds(seed):
    random = np.random.default_rng(seed)
    count, joints = random.integers(2, 6), random.integers(1, 4)
    times = np.cumsum(10.0 ** random.uniform(-2.0, 1.0, count))
    positions, velocities = random.normal(size=(2, count, joints)) * random.choice([1.0, 0.0], 2)[
        :, None, None
    ]
    trajectory = Trajectory([
        Waypoint(time, tuple(place), tuple(speed))
        for time, place, speed in zip(times.tolist(), positions.tolist(), velocities.tolist())
    ])
    found = trajectory.extremes
    for segment, (start, end) in enumerate(zip(times, times[1:])):
        looks = np.linspace(start, end, LOOKS)
        seen = [trajectory.at(look) for look in looks]
        places, speeds = (np.array(one) for one in zip(*seen))
        step = looks[1] - looks[0]
        strong = np.max(np.abs(np.diff(speeds, axis=0)), axis=0) / step
        scale = found.accelerations[segment] * (end - start) / LOOKS + 1e-12
        assert (places.min(axis=0) >= found.lower[segment] - 1e-12).all()
        assert (places.max(axis=0) <= found.upper[segment] + 1e-12).all()
        assert (places.min(axis=0) <= found.lower[segment] + scale * (end - start)).all()
        assert (places.max(axis=0) >= found.upper[segment] - scale * (end - start)).all()
        assert (np.abs(speeds) <= found.speeds[segment] + 1e-9).all()
        assert (np.abs(speeds).max(axis=0) >= found.speeds[segment] - scale).all()
        assert (strong <= found.accelerations[segment] * (1.0 + 1e-9) + 1e-6).all()
        assert (strong >= found.accelerations[segment] * (1.0 - 3.0 / LOOKS) - 1e-6).all()
        mean = (speeds[1:] + speeds[:-1]) / 2.0 * step
        assert np.abs(np.diff(places, axis=0) - mean).max() <= max(scale) * step


def test_what_is_no_trajectory_is_said():
    still = Waypoint(0.0, (0.0,), (0.0,))
    for waypoints in ([], [still, still]):
        with pytest.raises(InvalidSettingError, match='give'):
            Trajectory(waypoints)
    assert Trajectory([still]).at(3.0) == ((0.0,), (0.0,))


@pytest.mark.parametrize(
    ('arguments', 'words'),
    (
        (([0.0], [1.0]), 'velocity limits .* more than 0'),
        (([2.0, 0.0], [1.0, 1.0]), 'velocity limits .* more than 0'),
        (([], []), 'velocity limits'),
        (([1.0], [-1.0]), 'acceleration limits .* more than 0'),
        (([1.0], [1.0, 2.0]), 'acceleration limits has 2 numbers; give 1'),
        (([1.0], [1.0], [(1.0, 0.0)]), 'upside down'),
        (([1.0], [1.0], None, ['a', 'b']), '2 joint names given; give 1'),
    ),
)
def test_what_are_no_limits_is_said(arguments, words):
    with pytest.raises(IkCirclesError, match=words):
        MotionLimits(*arguments)


def test_slower_limits():
    limits = MotionLimits([2.0, 1.0], [3.0, 4.0], [(0.0, 1.0), None], ['a', 'b'])
    slow = limits.slowed(0.5)
    assert slow.velocities == (1.0, 0.5)
    assert (slow.accelerations, slow.ranges) == ((0.75, 1.0), limits.ranges)
    assert slow.names == ('a', 'b')
    with pytest.raises(InvalidSettingError, match='more than 0'):
        limits.slowed(0.0)
    with pytest.raises(InvalidArmError, match='has 1 numbers; give 2'):
        limits.inside('the goal', [0.0])
    with pytest.raises(InvalidSettingError, match=r'the goal: a at 1.1 rad is past its limit'):
        limits.inside('the goal', [1.1, 9.0])
    assert limits.inside('the goal', [1.0 + 1e-12, 9.0]) == (1.0, 9.0)


@pytest.mark.parametrize('rounding', [0.0, 1.0, 1.1])
def test_a_joint_is_past_an_end_if_more_than_rounding_takes_it_there(rounding):
    still = Extremes(*np.zeros((4, 1, 1)))
    excess, far = np.array([rounding * RANGE_ROUNDING]), np.ones(1)
    assert not still.past(-far, far).any()
    assert still.past(excess, far) == still.past(-far, -excess) == (rounding > 1.0)
