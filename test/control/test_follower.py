# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Streams of goals: whatever jumps they make, the joints keep their limits and come to rest."""

import math
from copy import copy

import numpy as np
import pytest
from law_cases import cases
from motions import ROUNDING, random_limits, random_places
from test_joint_moves import fastest_alone

from ik_circles.control.motion import Follower, MotionLimits, Trajectory
from ik_circles.control.motion.follower import APART
from ik_circles.control.motion.limits import RANGE_ROUNDING
from ik_circles.errors import IkCirclesError

ONE = MotionLimits([1.0], [1.0], [(-3.0, 3.0)])
#: Steps between a start and the last goal of a stream.
STEPS = 60


def drawn(seed):
    """A random source, limits, and a follower at rest somewhere."""
    random = np.random.default_rng(seed)
    limits = random_limits(random, random.integers(1, 7), endless=0.2)
    return random, limits, Follower(limits, random_places(random, limits))


def disturb(random, limits, follower):
    """Perhaps a new goal, a stop or velocities."""
    choice = random.random()
    if choice < 0.2:
        follower.goal(random_places(random, limits))
    elif choice < 0.25:
        follower.stop()
    elif choice < 0.35:
        velocities = random.normal(size=len(limits.velocities)) * np.array(limits.velocities)
        wanted = velocities * (random.random(len(velocities)) < 0.8)
        follower.velocity_goal(wanted, float(random.choice([0.0, 0.02, 0.3])))


def any_duration(random):
    """A duration of a step [s]: 0, even, jittered, tiny or large."""
    even, exponent = 0.01, random.uniform(-9.0, 1.0)
    return float(random.choice([0.0, even, even * 2.0 * random.random(), 10.0**exponent]))


def checked_step(follower, limits, duration):
    """A step, of which every law of a step is checked."""
    before, first = np.array(follower.positions), np.array(follower.velocities)
    place, speed = map(np.array, follower.step(duration))
    strongest, fastest = np.array(limits.accelerations), np.array(limits.velocities)
    low, high = np.array(limits.ranges).T
    assert (np.abs(speed) <= np.maximum(fastest, np.abs(first)) * (1.0 + ROUNDING)).all()
    assert (np.abs(speed - first) <= strongest * duration + ROUNDING).all()
    # No curve of that acceleration between both velocities gets farther from their mean.
    spare = (strongest * duration) ** 2 - (speed - first) ** 2
    bound = np.maximum(spare, 0.0) / (4.0 * strongest)
    mean = (first + speed) / 2.0 * duration
    assert (np.abs(place - before - mean) <= bound + ROUNDING * (1.0 + duration)).all()
    assert ((place >= low) & (place <= high)).all()


def test_a_trapezoid_by_hand():
    follower = Follower(ONE, [0.0])
    follower.goal([2.0])
    assert follower.time_left == pytest.approx(3.0)
    assert follower.step(1.0) == (pytest.approx((0.5,)), pytest.approx((1.0,)))
    assert follower.stopping_box() == (pytest.approx((0.5, 1.0)),)
    assert follower.step(1.0) == (pytest.approx((1.5,)), pytest.approx((1.0,)))
    follower.goal([-2.0])
    assert follower.step(1.0) == (pytest.approx((2.0,)), pytest.approx((0.0,), abs=1e-12))
    assert follower.step(9.0) == ((-2.0,), (0.0,))
    assert follower.resting


@pytest.mark.parametrize('side', [-1.0, 1.0])
@pytest.mark.parametrize(('past', 'said'), [(0.5 * RANGE_ROUNDING, 0.0), (1e-8, 1e-8)])
def test_a_joint_that_rounding_stops_past_its_limit_is_said_to_stop_on_it(side, past, said):
    """By hand: from 1 rad/s it stops within half a radian, from a little more in as much more."""
    speed = math.sqrt(1.0 + 2.0 * past)
    follower = Follower(MotionLimits([2.0], [1.0], [(-3.0, 3.0)]), [2.5 * side], [speed * side])
    (box,) = follower.stopping_box()
    assert max(abs(end) for end in box) == pytest.approx(3.0 + said, abs=1e-12)


def test_jumping_goals_and_jittered_steps_keep_every_limit():
    for seed in range(cases(2000, 80)):
        random, limits, follower = drawn(seed)
        for _ in range(STEPS):
            disturb(random, limits, follower)
            checked_step(follower, limits, any_duration(random))


def test_the_last_goal_is_reached_exactly_and_in_finite_time():
    for seed in range(cases(2000, 40)):
        random, limits, follower = drawn(seed)
        for _ in range(3):
            disturb(random, limits, follower)
            follower.step(any_duration(random))
        goal = random_places(random, limits)
        states = zip(
            np.subtract(goal, follower.positions), follower.velocities,
            limits.velocities, limits.accelerations,
        )  # fmt: skip
        least = max(fastest_alone(*state) for state in states)
        follower.goal(goal)
        assert follower.time_left == pytest.approx(least, rel=1e-6, abs=1e-6)
        spent, step = 0.0, least / random.uniform(3.0, 40.0) + 1e-9
        while not follower.resting:
            duration = step * random.choice([0.0, 0.5, 1.0, 1.5])
            checked_step(follower, limits, duration)
            spent += duration
            assert spent <= 1.0001 * least + 2.0 * step + 1e-6
        assert follower.positions == goal
        checked_step(follower, limits, step)
        assert (follower.positions, follower.resting) == (goal, True)


def test_a_goal_is_passed_only_by_what_cannot_stop_before_it():
    for seed in range(cases(3000)):
        random, limits, follower = drawn(seed)
        for _ in range(3):
            disturb(random, limits, follower)
            follower.step(any_duration(random))
        goal = random_places(random, limits)
        boxes = [(*box, end) for box, end in zip(follower.stopping_box(), goal)]
        follower.goal(goal)
        step = follower.time_left / 30.0
        while not follower.resting:
            for position, box in zip(follower.step(step)[0], boxes):
                assert min(box) - ROUNDING <= position <= max(box) + ROUNDING


def test_many_small_steps_are_one_large_step():
    for seed in range(cases(2000)):
        random, limits, follower = drawn(seed)
        disturb(random, limits, follower)
        follower.step(0.1)
        goal = random_places(random, limits)
        other = Follower(limits, follower.positions, follower.velocities)
        for one in (follower, other):
            one.goal(goal)
        shares = random.dirichlet([1.0] * 7) * follower.time_left * random.random()
        for share in shares:
            follower.step(share)
        other.step(sum(shares))
        assert follower.positions == pytest.approx(other.positions, abs=1e-6)
        assert follower.velocities == pytest.approx(other.velocities, abs=1e-5)


def test_a_stop_stays_in_its_box_and_ends_at_rest():
    for seed in range(cases(3000)):
        random, limits, follower = drawn(seed)
        for _ in range(random.integers(1, 9)):
            disturb(random, limits, follower)
            follower.step(any_duration(random))
        box = follower.stopping_box()
        follower.stop()
        time = max(np.abs(follower.velocities) / np.array(limits.accelerations))
        assert follower.time_left == pytest.approx(time, rel=1e-6, abs=1e-6)
        for _ in range(10):
            follower.step(1.001 * time / 10.0 + 1e-7)
            for position, (low, high) in zip(follower.positions, box):
                assert low - ROUNDING <= position <= high + ROUNDING
        assert follower.resting
        assert not any(follower.velocities)


def test_jogging_goes_at_its_velocities_and_ends_at_the_limits():
    limits = MotionLimits([1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [(-1.0, 1.0), (-1.0, 1.0), None])
    follower = Follower(limits, [0.0, 0.0, 0.0])
    follower.velocity_goal([0.5, -5.0, -0.25])
    assert follower.time_left == math.inf
    for _ in range(50):
        checked_step(follower, limits, 0.01)
    assert follower.velocities == pytest.approx((0.5, -1.0, -0.25))
    for _ in range(400):
        checked_step(follower, limits, 0.01)
    assert follower.positions[:2] == (1.0, -1.0)
    assert follower.velocities == (0.0, 0.0, -0.25)
    assert not follower.resting
    follower.velocity_goal([0.0, 0.0, 0.0])
    follower.step(1.0)
    assert follower.resting


def test_slower_limits_in_flight_brake_evenly():
    follower = Follower(ONE, [0.0])
    follower.goal([2.5])
    follower.step(1.0)
    follower.limits = MotionLimits([0.5], ONE.accelerations, ONE.ranges)
    for _ in range(50):
        checked_step(follower, follower.limits, 0.01)
    assert follower.velocities == pytest.approx((0.5,))
    while not follower.resting:
        checked_step(follower, follower.limits, 0.01)
    assert follower.positions == (2.5,)


def test_what_starts_too_fast_passes_its_limit_as_little_as_it_can_and_comes_back():
    follower = Follower(ONE, [2.9], [1.0])
    follower.goal([3.0])
    farthest = max(follower.step(0.01)[0][0] for _ in range(150))
    assert farthest == pytest.approx(3.4, abs=1e-3)
    follower.step(9.0)
    assert follower.positions == (3.0,)


@pytest.mark.parametrize(
    ('question', 'words'),
    (
        (lambda one: one.goal([3.5]), 'the goal: joint 1 at 3.5 rad is past its limit of 3 rad'),
        (lambda one: one.goal([math.nan]), 'finite'),
        (lambda one: one.velocity_goal([]), 'has 0 numbers; give 1'),
        (lambda one: one.step(-1.0), 'the duration of a step is -1.0 s'),
        (lambda one: one.step(math.inf), 'finite'),
    ),
)
def test_bad_goals_and_steps_are_said(question, words):
    with pytest.raises(IkCirclesError, match=words):
        question(Follower(ONE, [0.0]))


def test_an_even_change_of_velocity_takes_its_time_and_cubics_are_the_same_curve():
    random = np.random.default_rng(7)
    limits = MotionLimits([3.0, 2.0], [5.0, 4.0], [(-3.0, 3.0), None])
    for _ in range(cases(300)):
        follower = Follower(limits, random.uniform(-1.0, 1.0, 2), random.uniform(-0.5, 0.5, 2))
        wanted = random.uniform(-0.5, 0.5, 2) * (random.random(2) < 0.8)
        within = float(random.uniform(0.25, 0.5))  # long enough for any of these changes
        follower.velocity_goal(wanted.tolist(), within)
        before, played = np.array(follower.velocities), Trajectory(copy(follower).way(1.0))
        for time in np.linspace(0.0, 1.0, 20).tolist():
            positions, velocities = copy(follower).step(time)
            assert positions == pytest.approx(played.at(time)[0], abs=1e-9)
            share = min(time / within, 1.0)
            assert velocities == pytest.approx(before + share * (wanted - before), abs=1e-9)


def test_waypoints_are_at_every_change_of_an_acceleration():
    """Law: the cubics between them are the motion in steps, except for changes within 10 us."""
    for seed in range(cases(2000, 40)):
        random, limits, follower = drawn(seed)
        within = max(limits.accelerations) * APART
        for _ in range(random.integers(1, 4)):
            disturb(random, limits, follower)
            follower.step(float(random.uniform(0.0, 0.3)))
        disturb(random, limits, follower)
        rest = min(follower.time_left, 3.0)
        just_after = rest + APART / 2.0
        duration = max(float(random.choice([rest * random.uniform(0.01, 1.2), just_after])), 1e-3)
        played = Trajectory(copy(follower).way(duration))
        times = [one.time for one in played.waypoints]
        assert times[-1] == pytest.approx(duration, abs=1e-12)
        assert np.diff(times).min() >= 0.999 * APART
        for time in np.linspace(0.0, duration, 15).tolist():
            positions, velocities = copy(follower).step(time)
            assert positions == pytest.approx(played.at(time)[0], abs=within * duration + 1e-9)
            assert velocities == pytest.approx(played.at(time)[1], abs=2.0 * within + 1e-6)


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_joint_turns_back_at_once_if_an_even_change_would_pass_its_range(side):
    """From 0.25 to -0.5 rad/s, it goes on by 0.0125 rad in 0.3 s, or by 0.003125 rad at once."""
    limits = MotionLimits([1.0], [10.0], [(-3.0, 3.0)])
    for room, velocity in ((0.013, -0.125), (0.012, -0.5)):
        follower = Follower(limits, [side * (3.0 - room)], [side * 0.25])
        follower.velocity_goal([side * -0.5], 0.3)
        assert follower.step(0.15)[1] == pytest.approx((side * velocity,))


def test_changes_that_are_nearly_at_once_share_a_waypoint():
    follower = Follower(MotionLimits([1.0, 1.0], [1.0, 1.000001]), [0.0, 0.0])
    follower.goal([3.0, 3.0])
    times = [one.time for one in follower.way(5.0)]
    assert times == pytest.approx([0.0, 1.0, 3.0, 4.0, 5.0], abs=1e-5)
