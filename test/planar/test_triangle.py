# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Links 1 and 2 as a triangle, and how far rounding may turn a joint of it."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, random_arm

from ik_circles import PlanarArm
from ik_circles.planar.batch.poses import rounding_windows
from ik_circles.planar.limits import rounding_window


def test_the_circles_meet_to_within_the_tolerance_and_no_farther():
    rng = np.random.default_rng(0)
    for _ in range(cases(3000)):
        arm = random_arm(rng)
        (one, two, _), closes = arm.link_lengths, arm.solver.triangle.closes
        tolerance, hole = arm.tolerance, abs(one - two)
        for ways in (-0.5, 0.0, 0.5):
            assert closes((one + two + ways * tolerance) ** 2)
            assert closes(max(0.0, hole + ways * tolerance) ** 2)
        assert closes((hole + rng.uniform() * min(one, two)) ** 2)
        if one + two > 1e-3 * arm.max_reach:  # else a tolerance is lost in the square's rounding
            assert not closes((one + two + 2.0 * tolerance) ** 2)
        if hole > 1e-3 * arm.max_reach:
            assert not closes((hole - 2.0 * tolerance) ** 2)


def test_both_elbows_in_a_batch_are_those_of_single_wrists():
    rng = np.random.default_rng(1)
    for _ in range(cases(300)):
        triangle, reach = (arm := random_arm(rng)).solver.triangle, arm.max_reach
        x, y = reach * rng.uniform(-1.0, 1.0, (2, 10))
        rows = np.moveaxis(triangle.elbows_up_and_down(x, y), 2, 0)
        for a, b, row in zip(x.tolist(), y.tolist(), rows):
            one = np.array(triangle.elbow_up_and_down(a, b, a * a + b * b))
            assert np.abs(np.remainder(row - one + math.pi, TURN) - math.pi).max() <= 1e-12


def test_the_window_of_rounding_in_a_batch_is_that_of_single_wrists():
    rng = np.random.default_rng(2)
    for _ in range(cases(300)):
        arm = random_arm(rng)
        distances = arm.max_reach * 10.0 ** rng.uniform(-16.0, 0.0, 20)
        windows = rounding_windows(arm.solver, distances**2)
        for distance, window in zip(distances.tolist(), windows.tolist()):
            assert window == pytest.approx(rounding_window(arm, distance), rel=1e-9)
    assert rounding_windows(arm.solver, np.zeros(1)) == [math.pi]


def test_the_window_by_hand():
    """The tolerance is 6e-13 m: 1e-11 of a wrist's distance of 0.06 m, 0.01 of one of 6e-11 m."""
    arm = PlanarArm((3.0, 2.0, 1.0))
    for distance, beyond in ((0.06, 4.0 * math.sqrt(1e-11)), (6e-11, 4.0 * 0.1 + 2.0 * 0.01)):
        window = rounding_window(arm, distance) - arm.rounding_at_fold
        assert window == pytest.approx(beyond, rel=1e-5)
