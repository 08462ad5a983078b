# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions that an arm can begin where it was sent, and where it may be instead."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.control.motion.catching_up import caught_up, times_to_rest
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


@pytest.mark.parametrize('seed', range(cases(600)))
def test_a_stop_goes_on_from_its_first_waypoint_that_can_be_reached_from_both(seed):
    """Joints brake evenly; the last waypoint may be later. The way is so short that cubics are near
    to it."""
    rng, strongest = np.random.default_rng(seed), np.array([3.0, 3.0])
    speeds, duration = rng.uniform(-0.01, 0.01, 2), rng.uniform(0.05, 0.2)
    left = np.linspace(1.0, 0.0, 20)
    waypoints = [
        Waypoint((1.0 - rest) * duration, tuple(place), tuple(rest * speeds))
        for rest, place in zip(left, np.outer(1.0 - left**2, speeds * duration / 2.0))
    ]
    instead = rng.uniform(-1.0, 1.0, 2) * rng.choice([1e-4, 2e-3]), rng.uniform(0.0, 1.0) * speeds
    other = Waypoint(0.0, *map(tuple, instead))
    here, following, *_ = caught_up(Trajectory(waypoints), instead, strongest).waypoints
    assert here == waypoints[0]

    def is_near(end):
        return all(max(asked(one, end) / strongest) <= 1.0 + ROUNDED for one in (here, other))

    assert is_near(following)
    sooner = [one for one in waypoints[1:] if one.time < following.time]
    assert not any(map(is_near, sooner))
    assert following in waypoints or len(sooner) == len(waypoints) - 1
