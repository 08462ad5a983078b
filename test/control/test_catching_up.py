# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions that an arm can begin where it was sent, and where it may be instead."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.control.motion.catching_up import resting, times_to_rest
from ik_circles.control.motion.limits import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint

#: Rounding of accelerations, as a share of their limits [1].
ROUNDED = 1e-9


def asked(start, end):
    """The hardest acceleration of each joint between two waypoints [rad/s^2]."""
    return Trajectory([start, end]).extremes.accelerations[0]


@pytest.mark.parametrize('seed', range(cases(600)))
def test_a_joint_that_is_behind_comes_to_rest_with_one_that_brakes_evenly(seed):
    rng = np.random.default_rng(seed)
    first, behind, speeds = rng.uniform(-2.0, 2.0, 3)
    behind *= rng.choice([0.0, 0.1])
    (time,) = times_to_rest(*np.array([[first], [behind], [speeds], [3.0]]))
    end = Waypoint(float(time), (first * time / 2.0,), (0.0,))
    for place, speed in ((0.0, first), (-behind, speeds)):
        (hardest,) = asked(Waypoint(0.0, (place,), (speed,)), end)
        assert hardest <= 3.0 * (1.0 + ROUNDED)


def suits(starts, time, strongest, ends):
    """Whether each of these ends suits all states of a joint, and the first does not pass it."""
    kept = np.ones(len(ends), dtype=bool)
    direction = np.sign(starts[0, 1])
    for place, speed in starts:
        mean = 6.0 * (ends - place) / time
        kept &= np.maximum(np.abs(mean - 4.0 * speed), np.abs(2.0 * speed - mean)) <= (
            strongest * time
        )
        if direction * speed > 0.0:
            kept &= direction * (ends - place - speed * time / 3.0) >= 0.0
    return kept


@pytest.mark.parametrize('seed', range(cases(600)))
def test_joints_rest_together_as_soon_as_they_can_from_anywhere(seed):
    """Within the limits from each state; in 1 % less time, there is no such end for some joint."""
    rng = np.random.default_rng(seed)
    joints = rng.integers(1, 4)
    limits = MotionLimits([9.0] * joints, rng.uniform(1.0, 10.0, joints))
    starts = rng.uniform(-1.0, 1.0, (rng.integers(1, 6), 2, joints))
    starts[:, 0] *= rng.choice([0.01, 0.1])
    rest = resting(starts, limits)
    for state in starts.tolist():
        hardest = asked(Waypoint(0.0, *map(tuple, state)), rest)
        assert (hardest <= np.array(limits.accelerations) * (1.0 + ROUNDED)).all()
    ends, sooner = np.linspace(-3.0, 3.0, 30_001), 0.99 * rest.time
    found = [
        suits(starts[..., joint], sooner, limits.accelerations[joint], ends).any()
        for joint in range(joints)
    ]
    assert not all(found)


@pytest.mark.parametrize(('behind', 'time'), [(0.0, 0.2), (0.05, 0.3), (0.55, 0.8)])
def test_how_long_a_stop_takes(behind, time):
    """By hand: at 1 rad/s, with 5 rad/s^2; the documentation has these times."""
    places = np.linspace(0.0, -behind, 5)
    starts = np.stack([places, np.ones(5)], axis=1)[..., None]
    assert resting(starts, MotionLimits([2.0], [5.0])).time == pytest.approx(time, abs=0.02)
