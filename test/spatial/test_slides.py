# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where an arm slides that cannot reach its target: to the nearest place, near to where it is."""

import math

import numpy as np
import pytest
from law_cases import cases
from three_joints import shipped_text
from tilted_robots import TiltedRobot, tilted
from wrist_robots import gap

from ik_circles.planar.selection import Policy

CLOSES = 1e-9  # [m]
SAME = 1e-6  # [rad]
LEANS = 1e-3  # what axes that lean by less make of an orientation [rad]
NEAR = 0.05  # the root of what axes lean, with a straight elbow [rad]


@pytest.mark.parametrize('leans', [False, True])
@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100', 'planar_3r'])
def test_what_is_chosen_at_the_nearest_place_is_there_and_no_farther_than_what_is_found(
    name, leans
):
    rng, misses = np.random.default_rng(3), []
    text = tilted(name, rng) if leans else shipped_text(name)
    robot = TiltedRobot(text)
    for _ in range(cases(1000, 100, least=7)):
        own, seed = robot.drawn(rng), robot.drawn(rng)
        tip = robot.tip(own)
        asked = {} if rng.random() < 0.5 else {'phi': robot.phi(own) + 0.5}
        point = tuple((tip[:3, 3] * rng.choice([1.0, rng.uniform(1.0, 2.0)])).tolist())
        told = robot.arm.check_reachability(point, **asked)
        nearest, found = told.nearest[:3], told.nearest_joint_positions
        for oriented in (False, True):
            q = told.solve_nearest(seed, Policy(), oriented)
            assert robot.miss(q, nearest) <= CLOSES + 2.0 * robot.arm.spatial.plane.slack
            if told.margin < 0.0:
                misses.append(robot.miss(q, nearest))
            turned = math.remainder(robot.phi(q) - told.nearest.phi, math.tau)
            assert not oriented or abs(turned) <= (LEANS if leans else SAME)
            if oriented:
                assert gap(q, seed) <= gap(found, seed) + (LEANS if leans else SAME)
    assert len(misses) > cases(100, 100)
    assert np.quantile(misses, 0.7) <= CLOSES  # at the edge, axes that lean may leave no more


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100'])
def test_axes_that_lean_leave_an_arm_at_the_edge_where_exact_ones_have_it(name):
    """Whichever of the configurations at the edge that is."""
    rng, flung, slides = np.random.default_rng(4), 0, 0
    exact, leaning = TiltedRobot(tilted(name, rng, 0.0)), TiltedRobot(tilted(name, rng))
    for _ in range(cases(400, 40, least=10)):
        point = tuple((exact.tip(exact.drawn(rng))[:3, 3] * rng.uniform(1.0, 2.0)).tolist())
        told = [one.arm.check_reachability(point) for one in (exact, leaning)]
        if max(one.margin for one in told) < 0.0:
            seed = told[0].solve_nearest(exact.drawn(rng), Policy(), False)
            slides += 1
            flung += gap(told[1].solve_nearest(seed, Policy(), False), seed) > NEAR
    assert slides > cases(100, 40)
    assert flung <= slides // 20
