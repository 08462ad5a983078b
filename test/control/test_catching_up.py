# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions that an arm can begin where it was sent, and where it may be instead."""

import numpy as np
import pytest
from law_cases import cases
from test_braking import a_motion

from ik_circles.control.motion.braking import rest_of
from ik_circles.control.motion.catching_up import (
    SHORTEST_PHASE,
    meeting,
    peaks,
    resting,
    times_to_rest,
)
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint

#: Rounding of accelerations, as a share of their limits [1].
ROUNDED = 1e-9
#: A place that is not tried lets joints rest at this share of the time, or later [1].
SOONER = 0.6
#: A cubic stays this near to the way, and one that is not tried would not be as near as this [rad].
NEAR, MUCH_NEARER = 1.5e-2, 5e-4


def asked(start, end):
    """The hardest acceleration of each joint between two waypoints [rad/s^2]."""
    return Trajectory([start, end]).extremes.accelerations[0]


@pytest.mark.parametrize('seed', range(cases(600)))
def test_the_time_to_rest_is_just_enough_for_joints_ahead_and_behind(seed):
    """All of them come to rest with a joint that brakes evenly, at its limit or below it."""
    rng = np.random.default_rng(seed)
    first, behind, speeds = rng.uniform(-2.0, 2.0, 3)
    behind *= rng.choice([0.0, 0.1])
    (time,) = times_to_rest(*np.array([[first], [behind], [speeds], [3.0]]))
    end = Waypoint(float(time), (first * time / 2.0,), (0.0,))
    states = (0.0, first), (-behind, speeds), (behind, speeds)
    hardest = [asked(Waypoint(0.0, (place,), (speed,)), end) for place, speed in states]
    assert np.max(hardest) == pytest.approx(3.0, rel=ROUNDED)


@pytest.mark.parametrize('seed', range(cases(600)))
def test_between_its_peaks_a_joint_can_be_anywhere_else(seed):
    """Law: with the lowest and the highest velocity, some state asks for all of its limit."""
    rng = np.random.default_rng(seed)
    first, speeds = rng.uniform(-1.0, 1.0, (4, 3)), rng.uniform(-1.0, 1.0, (2, 4, 3))
    behind, rises = rng.uniform(-0.1, 0.1, (2, 4, 3)), rng.uniform(0.1, 2.0, (4, 1))
    strongest = rng.uniform(1.0, 9.0, 3)
    lowest, highest = peaks(first, behind, speeds, strongest, rises)
    for peak in (lowest, highest):
        ends = rises * (first + peak) / 2.0, peak
        for row, (rise,) in enumerate(rises):
            end = Waypoint(float(rise), *(tuple(one[row]) for one in ends))
            states = zip((-behind[:, row]).tolist(), speeds[:, row].tolist())
            hardest = np.max(
                [asked(Waypoint(0.0, *map(tuple, one)), end) for one in states], axis=0
            )
            possible = lowest[row] <= highest[row]
            assert hardest[possible] == pytest.approx(strongest[possible], rel=ROUNDED)


def suits(starts, time, strongest, ends):
    """Whether each of these ends suits all states of a joint, and the first does not pass it.

    If the joint stands in the first state, it stays there.
    """
    direction = np.sign(starts[0, 1])
    kept = (np.abs(ends - starts[0, 0]) <= ROUNDED) | (direction != 0.0)
    for place, speed in starts:
        mean = 6.0 * (ends - place) / time
        kept &= np.maximum(np.abs(mean - 4.0 * speed), np.abs(2.0 * speed - mean)) <= (
            strongest * time * (1.0 + ROUNDED)
        )
        if direction * speed > 0.0:
            kept &= direction * (ends - place - speed * time / 3.0) >= -ROUNDED
    return kept


@pytest.mark.parametrize('seed', range(cases(600)))
def test_joints_rest_together_as_soon_as_they_can_from_anywhere(seed):
    """Within the limits from each state, as near to an even stop as these allow; in 1 % less time,
    there is no such end for some joint. Ranges that are just kept change nothing.
    """
    rng = np.random.default_rng(seed)
    joints = rng.integers(1, 4)
    limits = MotionLimits([9.0] * joints, rng.uniform(1.0, 10.0, joints))
    starts = rng.uniform(-2.0, 2.0, (rng.integers(1, 6), 2, joints))
    starts[:, 0] *= rng.choice([0.01, 0.1])
    starts[0, 1] *= rng.choice([0.0, 1.0], joints)
    rest = resting(starts, limits)
    for state in starts.tolist():
        hardest = asked(Waypoint(0.0, *map(tuple, state)), rest)
        assert (hardest <= np.array(limits.accelerations) * (1.0 + ROUNDED)).all()
    sooner, found = 0.99 * rest.time, []
    for joint, strongest in enumerate(limits.accelerations):
        states = starts[..., joint]
        ends = np.append(np.linspace(-3.0, 3.0, 30_001), states[0, 0])
        found.append(suits(states, sooner, strongest, ends).any())
        even = states[0] @ [1.0, rest.time / 2.0]
        assert suits(states, rest.time, strongest, np.array(rest.positions[joint : joint + 1]))
        suited = ends[suits(states, rest.time, strongest, ends)]
        assert np.abs(suited - even).min(initial=9.0) >= abs(rest.positions[joint] - even) - ROUNDED
    assert not all(found) or rest.time == SHORTEST_PHASE
    ways = [Trajectory([Waypoint(0.0, *map(tuple, state)), rest]) for state in starts.tolist()]
    lower = np.min([way.extremes.lower[0] for way in ways], axis=0)
    upper = np.max([way.extremes.upper[0] for way in ways], axis=0)
    ranges = [*zip(lower, upper)]
    assert resting(starts, MotionLimits([9.0] * joints, limits.accelerations, ranges)) == rest


def rests_at(motion, limits, gone, pace, time):
    """When the joints may rest, and the waypoint, if they are on a motion at a time and a pace."""
    positions, velocities = motion.at(gone)
    there = pace * np.array(velocities)
    rest = time + float(np.max(np.abs(there) / limits.accelerations))
    return rest, Waypoint(time, positions, tuple(there.tolist()))


def is_kept(start, end, limits):
    """Whether the cubic keeps the limits; a joint that is too fast gets no faster."""
    found, (lower, upper) = Trajectory([start, end]).extremes, np.array(limits.ranges).T
    fastest = np.maximum(limits.velocities, np.abs(start.velocities))
    kept = (found.accelerations <= np.array(limits.accelerations) * (1.0 + ROUNDED)) & (
        found.speeds <= fastest * (1.0 + ROUNDED)
    )
    return (kept & (found.lower >= lower - 1e-8) & (found.upper <= upper + 1e-8)).all()


def off(start, end, curve):
    """How much farther from a curve the cubic gets than its start is [rad]."""
    way = Trajectory([start, end])
    away = [
        np.linalg.norm(curve - way.at(time)[0], axis=1).min()
        for time in np.linspace(0.0, end.time, 30).tolist()
    ]
    return max(away) - away[0]


@pytest.mark.parametrize('seed', range(cases(600)))
def test_joints_are_on_their_way_again_about_as_soon_as_they_can_be(seed):
    """Law: they keep all limits, stay near the way, and brake as evenly as limits allow. No other
    such place that is drawn lets them rest much sooner.
    """
    rng = np.random.default_rng(seed)
    motion, limits = a_motion(rng)
    late = motion.duration * rng.uniform(0.0, 0.2) * rng.choice([0.0, 1.0], p=[0.1, 0.9])
    starts = [Waypoint(0.0, *motion.at(time)) for time in (late, 0.0, late / 2.0)]
    motion = rest_of(motion, late)
    found = meeting(motion, np.array([one[1:] for one in starts]), limits)
    moments = np.linspace(0.0, motion.duration, 800).tolist()
    known = [starts[one].positions for one in (1, 2, 0)]  # where the arm may be, in this order
    before = np.concatenate([np.linspace(*pair, 100) for pair in zip(known, known[1:])])
    curve = np.concatenate([before, [motion.at(one)[0] for one in moments]])
    soonest = motion.duration
    if found is not None:
        soonest, waypoint = rests_at(motion, limits, *found[:2], found.waypoint.time)
        assert np.ravel(found.waypoint[1:]) == pytest.approx(np.ravel(waypoint[1:]))
        assert soonest < motion.duration
        for start in starts:
            assert is_kept(start, waypoint, limits)
        for start in starts[:2]:
            assert off(start, waypoint, curve) <= NEAR
        even = np.clip(2.0 * found.gone / waypoint.time - 1.0, 0.0, 1.0)
        for pace in (found.pace + (even - found.pace) * np.linspace(1e-3, 1.0, 9)).tolist():
            _, other = rests_at(motion, limits, found.gone, pace, waypoint.time)
            asks = [asked(start, other) / limits.accelerations for start in starts]
            assert pace == pytest.approx(found.pace) or np.max(asks) > 1.0
    for share, pace, longer in rng.uniform((0.0, 0.0, 0.9), (1.0, 1.0, 2.4), (200, 3)).tolist():
        rest, waypoint = rests_at(
            motion,
            limits,
            share * motion.duration,
            pace,
            max(longer * share * motion.duration, 1e-3),
        )
        if rest + SHORTEST_PHASE < SOONER * soonest and all(
            is_kept(start, waypoint, limits) for start in starts
        ):
            assert max(off(start, waypoint, curve) for start in starts[:2]) > MUCH_NEARER


@pytest.mark.parametrize(('behind', 'time'), [(0.0, 0.2), (0.05, 0.3), (0.55, 0.8)])
def test_how_long_a_stop_takes(behind, time):
    """By hand: at 1 rad/s, with 5 rad/s^2; the documentation has these times."""
    places = np.linspace(0.0, -behind, 5)
    starts = np.stack([places, np.ones(5)], axis=1)[..., None]
    assert resting(starts, MotionLimits([2.0], [5.0])).time == pytest.approx(time, abs=0.02)
