# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A stop on the way: within the limits, on the curve of its motion, nearly as soon as can be."""

import math

import numpy as np
import pytest
from law_cases import cases
from motions import RandomChain, check_limits, random_limits, random_places
from moving_arms import PARAMETERS, positions_at, some_robot
from test_timed_paths import SWING, wave

from ik_circles.control.motion import (
    MotionLimits,
    Trajectory,
    Waypoint,
    along,
    joint_move,
    to_rest,
)
from ik_circles.control.motion.braking import BESIDE, SHORTER, USUAL, braked
from ik_circles.control.motion.joint_moves import stop_from
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.moves.playing import Playing
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target

#: Places of a curve that are looked at are this far apart, as a share of its time.
FINE = 1.0 / 8000.0
#: What is said of straight lines [m].
LINE = 1e-4


def a_motion(random):
    """Along a random path, or of all joints together from a motion; and its limits."""
    joints = random.integers(1, 7)
    limits = random_limits(random, joints)
    if random.random() < 0.5:
        limits = MotionLimits(limits.velocities, limits.accelerations, [(-2.5, 2.5)] * joints)
        return along(wave(random, joints), limits, RandomChain(random, joints).chain), limits
    start, goal = random_places(random, limits), random_places(random, limits)
    first = 0.3 * random.uniform(-1.0, 1.0, joints) * limits.velocities
    try:
        return joint_move(start, first, goal, limits), limits
    except Refusal:  # a joint cannot stop before its limit
        return joint_move(start, 0.0 * first, goal, limits), limits


def from_curve(place, curve):
    """By how much [rad] a joint is away from the nearest place on a polygon, at most."""
    starts, ways = curve[:-1], np.diff(curve, axis=0)
    squares = np.maximum(np.sum(ways * ways, axis=1), 1e-300)
    shares = np.clip(np.sum((place - starts) * ways, axis=1) / squares, 0.0, 1.0)
    return np.min(np.max(np.abs(starts + shares[:, None] * ways - place), axis=1))


@pytest.mark.parametrize('seed', range(cases(1000, 120)))
def test_a_stop_is_on_the_way_and_within_the_limits(seed):
    """Law: at random moments, and at waypoints and next to them."""
    random = np.random.default_rng(seed)
    motion, limits = a_motion(random)
    moment = random.uniform(0.0, motion.duration)
    if random.random() < 0.3:  # its first step may be as short as 1e-5 s
        near = motion.waypoints[random.integers(len(motion.waypoints))].time
        moment = float(np.clip(near + random.choice([0.0, 1e-5, -1e-5]), 0.0, motion.duration))
    stop = braked(motion, moment, limits)
    positions, velocities = motion.at(moment)
    assert stop.waypoints[0].positions == pytest.approx(positions, abs=1e-12)
    assert stop.waypoints[0].velocities == pytest.approx(velocities, abs=1e-12)
    assert not any(stop.waypoints[-1].velocities)
    if stop.duration == 0.0:
        return
    check_limits(stop, limits, velocities)
    times = np.arange(moment, motion.duration, max(motion.duration * FINE, 1e-7))
    begun = moment + np.linspace(0.0, stop.duration, 1000)  # it may bend at once, of a long motion
    times = np.append(np.unique(np.append(times, begun)), motion.duration)
    curve = np.array([motion.at(min(time, motion.duration))[0] for time in times.tolist()])
    way = np.abs(np.diff(curve, axis=0)).max()
    for time in np.linspace(0.0, stop.duration, 40):
        assert from_curve(np.array(stop.at(time)[0]), curve) <= BESIDE + 0.01 * way


#: The most that is asked for from between two places, in acceleration limits. From both, it is 1.
BETWEEN = 1.2


@pytest.mark.parametrize('seed', range(cases(600, 60)))
def test_a_stop_that_is_sent_keeps_the_limits_wherever_the_arm_may_be(seed):
    """Law: from both ends of what is known, and nearly so from between them; then on the way."""
    random = np.random.default_rng(seed)
    motion, limits = a_motion(random)
    moment = random.uniform(0.0, motion.duration)
    late = random.uniform(-0.05, 0.05)
    other = float(np.clip(moment - late, 0.0, motion.duration))
    states = [motion.at(time) for time in np.linspace(other, moment, 5)[:-1].tolist()]
    stop = braked(motion, moment, limits, states)
    if stop is None:
        return
    assert not any(stop.waypoints[-1].velocities)
    for time in np.linspace(moment, other, 7).tolist():
        start = Waypoint(0.0, *motion.at(time))
        played = Trajectory([start, *stop.waypoints[1:]])
        if time in (moment, other):
            check_limits(played, limits, start.velocities)
        hardest = played.extremes.accelerations / limits.accelerations
        assert hardest.max() <= BETWEEN
    moments = np.linspace(moment, motion.duration, 4000).tolist()
    curve = np.array([motion.at(one)[0] for one in moments])
    way = np.abs(np.diff(curve, axis=0)).max()
    for time in np.linspace(stop.waypoints[1].time, stop.duration, 20).tolist():
        assert from_curve(np.array(stop.at(time)[0]), curve) <= BESIDE + 0.01 * way


def test_a_stop_that_is_sent_on_a_straight_way_hardly_takes_longer_than_any():
    """Law: in the median, half as long again as joints need that may leave their way."""
    shares = []
    for seed in range(cases(600, least=30)):
        random = np.random.default_rng(seed)
        limits = random_limits(random, random.integers(1, 4), endless=1.0)
        start, goal = random_places(random, limits), random_places(random, limits)
        motion = joint_move(start, [0.0] * len(start), goal, limits)
        moment = motion.duration * random.uniform(0.3, 0.6)
        state, instead = motion.at(moment), [motion.at(moment * random.uniform(0.9, 1.0))]
        stop = braked(motion, moment, limits, instead)
        if stop is not None:
            shares.append(stop.duration / stop_from(*state, limits, instead).duration)
    assert len(shares) > cases(300, least=15)
    assert np.median(shares) <= 1.5


#: With these, slowed steps would pass a range by 1e-7 rad: they are found among 2,000 seeds.
PASSED = 262, 264, 892, 1326, 1497, 1671, 1850, 1925


@pytest.mark.parametrize('seed', sorted({*range(cases(2000, 400)), *PASSED}))
def test_a_stop_keeps_limits_that_its_motion_just_keeps(seed):
    """Law: the ranges and the velocities are those of the motion itself."""
    random = np.random.default_rng(seed)
    motion, limits = a_motion(random)
    found = motion.extremes
    ranges = zip(found.lower.min(axis=0), found.upper.max(axis=0))
    fastest = np.maximum(found.speeds.max(axis=0), 1e-6)
    limits = MotionLimits(fastest, limits.accelerations, list(ranges))
    stop = braked(motion, random.uniform(0.0, motion.duration), limits)
    check_limits(stop, limits)


@pytest.mark.parametrize('seed', range(cases(200, least=10)))
def test_on_a_straight_way_it_takes_no_longer_than_the_joints_alone(seed):
    """Law: in joint space, from rest; except for the last of its steps. None needs to be short."""
    random = np.random.default_rng(seed)
    limits = random_limits(random, random.integers(1, 7))
    start, goal = random_places(random, limits), random_places(random, limits)
    motion = joint_move(start, [0.0] * len(start), goal, limits)
    moment = random.uniform(0.0, motion.duration)
    stop, alone = braked(motion, moment, limits), to_rest(*motion.at(moment), limits)
    assert alone.duration * (1.0 - 1e-5) - 0.002 <= stop.duration <= 1.1 * alone.duration + 0.005
    steps = np.diff([waypoint.time for waypoint in stop.waypoints])
    assert len(steps) < 4 or np.median(steps) >= USUAL / 4.0


def test_a_stop_by_hand():
    """One joint at 1 rad/s that may brake with 2 rad/s^2 needs 0.5 s and 0.25 rad."""
    limits = MotionLimits([1.0], [2.0])
    for motion in (
        joint_move([0.0], [0.0], [3.0], limits),
        along(lambda share: (3.0 * share,), limits, SWING),
    ):
        stop = braked(motion, 1.5, limits)
        begin, end = motion.at(1.5)[0][0], stop.waypoints[-1].positions[0]
        assert stop.duration == pytest.approx(0.5, abs=0.01)
        assert end - begin == pytest.approx(0.25, abs=0.005)


@pytest.mark.parametrize('at', [-1.0, 1.0])
def test_a_joint_that_rests_at_its_limit_does_not_hinder_a_stop(at):
    limits = MotionLimits([1.0, 1.0], [2.0, 2.0], [None, (-1.0, 1.0)])
    stop = braked(joint_move([0.0, at], [0.0, 0.0], [3.0, at], limits), 1.5, limits)
    assert stop.duration == pytest.approx(0.5, abs=0.01)
    assert {one.positions[1] for one in stop.waypoints} == {at}


def test_the_last_step_is_hardly_longer_than_the_limit_asks():
    """Law: a joint at its full speed stops over the whole of its way, the last step as well."""
    random = np.random.default_rng(3)
    for _ in range(cases(400, least=20)):
        speed = random.uniform(0.2, 2.0)
        strongest = speed / 10.0 ** random.uniform(-2.4, 0.5)
        limits = MotionLimits([speed], [strongest])
        motion = joint_move([0.0], [0.0], [3.0 * (speed + speed**2 / strongest)], limits)
        stop = braked(motion, motion.duration * random.uniform(0.4, 0.6), limits)
        before, last = stop.waypoints[-2:]
        needed = max(before.velocities[0] / strongest, 2.0 * USUAL)
        assert needed * (1.0 - 1e-6) <= last.time - before.time <= needed / SHORTER * (1.0 + 1e-6)


@pytest.mark.parametrize('seed', range(cases(400, 40)))
def test_a_canceled_straight_line_stays_on_its_line(seed):
    robot, random = some_robot(seed)
    rest = State(robot.drawn(random))
    here = robot.tip(rest.positions)[:3, 3]
    way = random.normal(size=3) * 0.1
    goal = Target(tuple((here + way).tolist()))
    try:
        planned = plan(robot.arm, Settings(), PARAMETERS, Wish(goal, straight=True), rest)
    except Refusal:
        return
    moment = random.uniform(0.0, planned.trajectory.duration)
    playing = Playing(planned, 0.0)
    assert playing.share(moment) == pytest.approx(moment / planned.trajectory.duration)
    assert playing.share(planned.trajectory.duration + 1.0) == 1.0
    stop = playing.braked(moment).plan
    check_limits(stop.trajectory, stop.limits)
    duration = stop.trajectory.duration
    alone = to_rest(*planned.trajectory.at(moment), planned.limits)
    assert duration <= 3.0 * alone.duration + 0.1
    for time in np.linspace(0.0, duration, 60).tolist():
        away = robot.tip(positions_at(stop, rest, time))[:3, 3] - here
        along_it = np.clip(away @ way / (way @ way), 0.0, 1.0)
        assert math.dist(away, along_it * way) < LINE


@pytest.mark.parametrize('seed', range(cases(400, least=15)))
def test_the_last_step_uses_the_acceleration_of_a_joint(seed):
    """Law: on any way; a step with a little less of its length would ask for more than there is."""
    random = np.random.default_rng(seed)
    motion, limits = a_motion(random)
    stop = braked(motion, random.uniform(0.0, motion.duration), limits)
    lasts = np.diff([one.time for one in stop.waypoints[-2:]])
    if lasts.size and lasts[0] > 2.0 * USUAL / SHORTER * (1.0 + 1e-6):
        hardest = (stop.extremes.accelerations[-1] / limits.accelerations).max()
        assert hardest >= 0.98 * SHORTER
