# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The way of one joint to rest: it covers the way within its limits, as fast as that can be."""

import math

import numpy as np
import pytest
from law_cases import cases
from test_joint_moves import fastest_alone

from ik_circles.control.motion.profile import profile


@pytest.mark.parametrize('seed', range(cases(1000)))
def test_a_joint_gets_to_its_goal_as_fast_as_it_can(seed):
    """Law: also if it begins too fast, and if its goal is near to where it stops."""
    random = np.random.default_rng(seed)
    fastest, strongest = random.uniform(0.5, 2.0), random.uniform(0.5, 5.0)
    velocity = random.uniform(-2.0, 2.0) * fastest * random.choice([0.0, 1.0], p=[0.2, 0.8])
    stop = velocity * abs(velocity) / (2.0 * strongest)
    way = random.choice([random.normal(), stop * random.uniform(0.5, 1.5)])
    peak, rise, cruise, fall = profile(way, velocity, fastest, strongest)
    assert min(rise, cruise, fall) >= 0.0
    assert abs(peak) <= fastest
    assert abs(peak - velocity) == pytest.approx(strongest * rise)
    assert abs(peak) == pytest.approx(strongest * fall)
    gone = (velocity + peak) * rise / 2.0 + peak * cruise + peak * fall / 2.0
    assert gone == pytest.approx(way, abs=1e-9)
    if abs(velocity) <= fastest:
        least = fastest_alone(way, velocity, fastest, strongest)
        assert rise + cruise + fall == pytest.approx(least)


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_joint_without_a_goal_goes_on(side):
    found = profile(side * math.inf, 0.5, 2.0, 1.0)
    assert (found.peak, found.duration) == (side * 2.0, math.inf)
    assert found.rise == 2.0 - side * 0.5
