# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Motions that an arm can begin where it was sent, and where it may be instead."""

import numpy as np
import pytest
from law_cases import cases

from ik_circles.control.motion.catching_up import times_to_rest
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
