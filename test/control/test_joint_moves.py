# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motion in joint space: limits, all together, rest at the goal; and stopping."""

import math

import numpy as np
import pytest
from law_cases import cases
from motions import ROUNDING, check_limits, random_limits, random_places

from ik_circles.control.motion import MotionLimits, joint_move, to_rest
from ik_circles.control.motion.catching_up import SHORTEST_PHASE
from ik_circles.control.motion.follower import APART
from ik_circles.control.refusals import Refusal
from ik_circles.errors import InvalidSettingError
from ik_circles.reasons import Code

#: What waypoints at some distance cost at most [s]: each of three phases takes 2 ms or more.
PHASES = 6e-3
ONE = MotionLimits([1.0], [1.0])


def trapezoid(way, fastest, strongest):
    """The shortest time from rest to rest [s]."""
    if way * strongest <= fastest * fastest:
        return 2.0 * math.sqrt(way / strongest)
    return way / fastest + fastest / strongest


def fastest_alone(way, velocity, fastest, strongest):
    """The shortest time to rest of a joint that moves no faster than it may [s]."""
    stop = velocity * abs(velocity) / (2.0 * strongest)
    side = 1.0 if way >= stop else -1.0
    way, velocity = side * way, side * velocity
    peak = math.sqrt(max(velocity * velocity / 2.0 + strongest * way, 0.0))
    if peak <= fastest:
        return (2.0 * peak - velocity) / strongest
    rise = (fastest - velocity) / strongest
    cruise = way - (fastest * fastest * 2.0 - velocity * velocity) / (2.0 * strongest)
    return rise + cruise / fastest + fastest / strongest


def drawn(seed):
    """Limits, start, velocities and goal; some rest, some are slow."""
    random = np.random.default_rng(seed)
    limits = random_limits(random, random.integers(1, 7), endless=0.2)
    start, goal = random_places(random, limits), random_places(random, limits)
    share = random.choice([0.0, 0.2, 1.0])
    velocities = share * random.uniform(-1.0, 1.0, len(start)) * np.array(limits.velocities)
    return limits, start, velocities, goal


def stops(limits, start, velocities):
    """Where each joint rests if it brakes as hard as it can."""
    strongest = np.array(limits.accelerations)
    return np.array(start) + velocities * np.abs(velocities) / (2.0 * strongest)


def test_trapezoids_by_hand():
    move = joint_move([0.0], [0.0], [2.0], ONE)
    assert move.duration == pytest.approx(3.0, abs=PHASES)
    assert move.at(1.5) == (pytest.approx((1.0,)), pytest.approx((1.0,)))
    assert joint_move([0.0], [0.0], [-0.25], ONE).duration == pytest.approx(1.0, abs=PHASES)
    assert joint_move([0.0], [1.0], [0.5], ONE).duration == pytest.approx(1.0, abs=PHASES)
    assert joint_move([0.5], [0.0], [0.5], ONE).duration <= 2.0 * PHASES


def test_slow_joints_move_as_fast_ones_do_in_slow_motion():
    """Law: nothing in a motion depends on the unit of time, but how near waypoints may be."""
    random, slower = np.random.default_rng(0), 20.0
    for _ in range(cases(1000)):
        count = random.integers(1, 5)
        fastest, strongest = random.uniform(0.5, 3.0, count), random.uniform(1.0, 8.0, count)
        start, goal = random.uniform(-2.0, 2.0, (2, count))
        velocities = random.uniform(-1.0, 1.0, count) * fastest
        move = joint_move(start, velocities, goal, MotionLimits(fastest, strongest))
        slow = MotionLimits(fastest / slower, strongest / slower**2)
        other = joint_move(start, velocities / slower, goal, slow)
        assert other.duration == pytest.approx(slower * move.duration, rel=0.01)


def test_a_move_keeps_limits_and_ends_at_rest():
    moved = 0
    for seed in range(cases(10000, 40)):
        limits, start, velocities, goal = drawn(seed)
        try:
            move = joint_move(start, velocities, goal, limits)
        except Refusal as refusal:
            assert refusal.code == Code.JOINT_LIMIT
            low, high = np.array(limits.ranges).T
            # Joints that stop together take up to 2 ms longer than alone.
            near, late = stops(limits, start, velocities), np.abs(velocities) * PHASES
            assert ((near < low + late) | (near > high - late)).any()
            continue
        check_limits(move, limits, velocities)
        assert np.diff([one.time for one in move.waypoints]).min() >= SHORTEST_PHASE - ROUNDING
        assert move.at(0.0) == (start, pytest.approx(tuple(velocities), abs=1e-15))
        assert move.waypoints[-1].positions == pytest.approx(goal, abs=1e-15)
        assert not any(move.waypoints[-1].velocities)
        ways = np.subtract(goal, start)
        joints = zip(ways, velocities, limits.velocities, limits.accelerations)
        least = max(fastest_alone(*joint) for joint in joints)
        assert least * (1.0 - 1e-9) <= move.duration
        if len(start) == 1:
            assert move.duration <= 1.001 * least + PHASES
        moved += 1
    assert moved > cases(10000, 40) // 2


def test_from_rest_the_way_is_straight_and_as_fast_as_it_can_be():
    for seed in range(cases(3000)):
        limits, start, velocities, goal = drawn(seed)
        move = joint_move(start, 0.0 * velocities, goal, limits)
        ways = np.subtract(goal, start)
        fastest = np.min(np.array(limits.velocities) / np.abs(ways))
        strongest = np.min(np.array(limits.accelerations) / np.abs(ways))
        assert move.duration <= 1.001 * trapezoid(1.0, fastest, strongest) + PHASES
        shares = np.array([
            np.subtract(move.at(time)[0], start) / ways
            for time in np.linspace(0.0, move.duration, 9)
        ])
        assert np.ptp(shares, axis=1).max() <= 1e-9
        assert (np.diff(shares, axis=0) >= -1e-12).all()


def test_no_other_three_phases_are_much_faster():
    """Law: of a grid of them, none that keeps the limits takes 2 % less. Joints are slow, so that
    the shortest time of a phase does not count."""
    shares = np.linspace(0.0, 1.0, 60)[:, None, None]
    for seed in range(cases(2000, least=60)):
        random = np.random.default_rng(seed)
        count = random.integers(1, 5)
        fastest, strongest = random.uniform(0.02, 0.2, count), random.uniform(0.002, 0.02, count)
        start, goal = random.uniform(-2.0, 2.0, (2, count))
        first = random.choice([0.0, 1.0]) * random.uniform(-1.0, 1.0, count) * fastest
        move = joint_move(start, first, goal, MotionLimits(fastest, strongest))
        total = 0.98 * move.duration
        rise = total * shares
        fall = (total - rise) * shares[:, 0]
        peak = (goal - start - first * rise / 2.0) / (total - rise / 2.0 - fall / 2.0)
        kept = (np.abs(peak) <= fastest) & (np.abs(peak) <= strongest * fall)
        kept &= np.abs(peak - first) <= strongest * rise
        assert not kept.all(axis=2).any()


def test_a_joint_that_needs_all_its_acceleration_stops_first():
    """Slowed to the other joint's pace it would pass its limit."""
    limits = MotionLimits([1.0, 0.1], [1.0, 1.0], [(-1.0, 0.51), (-3.0, 3.0)])
    move = joint_move([0.0, 0.0], [1.0, 0.0], [-0.9, 2.0], limits)
    check_limits(move, limits, [1.0, 0.0])
    assert move.waypoints[-1].positions == pytest.approx((-0.9, 2.0))


def test_joints_stop_as_soon_as_they_can():
    for seed in range(cases(10000)):
        limits, start, velocities, _ = drawn(seed)
        if not any(velocities):
            continue
        stop = to_rest(start, velocities, limits)
        check_limits(stop, MotionLimits(limits.velocities, limits.accelerations), velocities)
        times = np.abs(velocities) / np.array(limits.accelerations)
        assert max(times) <= stop.duration <= max(times) + PHASES
        late = np.abs(velocities) * 1e-3 * len(start) + 1e-12
        ends = np.array(stop.waypoints[-1].positions)
        assert (np.abs(ends - stops(limits, start, velocities)) <= late).all()
        assert (np.abs(stop.extremes.speeds) <= np.abs(velocities) * (1.0 + ROUNDING)).all()
        assert not any(stop.waypoints[-1].velocities)


def test_a_joint_that_can_stop_before_its_limit_does():
    """Law: also if it would take less than the time between waypoints, or stop next to another."""
    checked = 0
    for seed in range(cases(2000)):
        random = np.random.default_rng(seed)
        braking = random.uniform(1e-4, 0.1) + random.uniform(0.0, 2e-3, random.integers(1, 5))
        strongest = random.uniform(0.1, 30.0, len(braking))
        ways = strongest * braking**2 / 2.0
        start, side = random.uniform(-1.0, 1.0), random.choice([-1.0, 1.0])
        ends = start + side * (ways + 1e-12)
        ranges = [(min(end, start - side), max(end, start - side)) for end in ends]
        limits = MotionLimits(strongest, strongest, ranges)
        stop = to_rest([start] * len(braking), side * strongest * braking, limits)
        times = [one.time for one in stop.waypoints]
        # Of two joints that stop within 10 us, one passes its limit by 5 us times its speed.
        if len(times) - 1 == len(braking):
            check_limits(stop, limits, side * strongest * braking)
            checked += 1
    assert checked > cases(1800)


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_joint_without_room_does_not_wait_for_one_that_stops_a_millisecond_later(side):
    """At 1 rad/s and 2 rad/s^2, it needs 0.5 s and 0.25 rad, which is all of its range."""
    limits = MotionLimits([1.0, 1.0], [2.0, 1.0 / 0.501], [(-0.25, 0.25), None])
    stop = to_rest([0.0, 0.0], [side, side], limits)
    assert [one.time for one in stop.waypoints] == pytest.approx([0.0, 0.5, 0.501])
    assert stop.waypoints[-1].positions == pytest.approx((side * 0.25, side * 0.2505))


@pytest.mark.parametrize(
    ('later', 'room', 'times'),
    [
        (0.5009765625, 0.25048828125, [0.5009765625]),  # both numbers of the first joint are exact
        (0.5 + APART / 2.0, 0.25, [0.5 + APART / 2.0]),
        (0.5 + 2.0 * APART, 0.25, [0.5, 0.5 + 2.0 * APART]),
    ],
)
def test_joints_rest_together_with_just_the_room_for_it_or_if_waypoints_would_coincide(
    later, room, times
):
    """At 1 rad/s and 2 rad/s^2, the first joint needs 0.5 s; evenly it may take twice its room."""
    limits = MotionLimits([1.0, 2.0], [2.0, 2.0], [(-1.0, room), None])
    stop = to_rest([0.0, 0.0], [1.0, 2.0 * later], limits)
    assert [one.time for one in stop.waypoints] == pytest.approx([0.0, *times], abs=1e-9)


def test_a_move_to_where_the_arm_is_has_three_phases_of_the_shortest_time():
    move = joint_move([0.5], [0.0], [0.5], ONE)
    assert [one.time / SHORTEST_PHASE for one in move.waypoints] == pytest.approx([0, 1, 2, 3])
    assert move.at(SHORTEST_PHASE) == (pytest.approx((0.5,)), (0.0,))


def test_what_cannot_stop_says_so():
    limits = MotionLimits([1.0, 2.0], [1.0, 2.0], [None, (-1.0, 0.5)], ['yaw', 'elbow'])
    with pytest.raises(Refusal) as refusal:
        joint_move([0.0, 0.0], [1.0, 2.0], [0.0, 0.0], limits)
    assert refusal.value.code == Code.JOINT_LIMIT
    assert str(refusal.value) == (
        'elbow moves at 2 rad/s and would pass its limit of 0.5 rad by 0.5000 rad before it '
        'stops; go slower near limits'
    )
    stop = to_rest([0.0, 0.0], [1.0, 2.0], limits)
    assert stop.waypoints[-1].positions == pytest.approx((0.5, 1.0), abs=PHASES)


def test_at_rest_there_is_nothing_to_stop():
    still = to_rest([1.0, 2.0], [0.0, 0.0], MotionLimits([1.0, 1.0], [1.0, 1.0]))
    assert still.duration == 0.0
    assert still.at(0.0) == ((1.0, 2.0), (0.0, 0.0))


def test_limits_are_more_than_0():
    assert MotionLimits([0.5, 1e-9], [2.0, 1e-9]).velocities == (0.5, 1e-9)
    for values in ([0.0, 1.0], [-1.0, 1.0], []):
        with pytest.raises(InvalidSettingError, match='each must be more than 0'):
            MotionLimits(values, [1.0, 1.0])
        with pytest.raises(InvalidSettingError, match='each must be more than 0'):
            MotionLimits([1.0, 1.0], values)
