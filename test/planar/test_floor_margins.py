# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Margins above a floor: a bound that turns with the arm, and is not 0 away from every limit."""

import math
from dataclasses import replace

import numpy as np
import pytest
from law_cases import cases
from random_arms import tip
from test_floor_in_plane import lowest

from ik_circles import Floor, PlanarArm
from ik_circles.planar.floor.clearance import while_orientation_stays


def short_limits(rng):
    """Random limits of less than a turn [rad]."""
    return [(lower, lower + rng.uniform(0.5, 3.0)) for lower in rng.uniform(-2.0, 0.5, 3)]


def test_margins_above_a_floor_turn_with_the_arm():
    """Base and floor turned together: the bound is the same, whatever orientation it is from."""
    rng = np.random.default_rng(13)
    compared = 0
    for _ in range(cases(2000)):
        limits = short_limits(rng)
        height, turned = rng.uniform(-0.6, 0.0), rng.uniform(-1.0, 1.0)
        arm = PlanarArm((0.4, 0.3, 0.2), limits, Floor(height))
        limits[0] = limits[0][0] + turned, limits[0][1] + turned
        other = replace(arm, joint_limits=limits, floor=Floor(height, math.pi / 2.0 + turned))
        point, _ = tip(arm, [rng.uniform(*pair) for pair in arm.limits])
        there = point * np.exp(1j * turned)
        one = arm.check_reachability(point.real, point.imag)
        same = other.check_reachability(there.real, there.imag)
        # NaN where limits and floor leave no point at all.
        assert same.margin == pytest.approx(one.margin, abs=1e-9, nan_ok=True)
        compared += one.reachable and one.margin > 0.0
    assert compared > 0


def test_a_point_reached_away_from_every_limit_has_some_margin():
    """Law: the bound is from an orientation with which the point is reached."""
    rng = np.random.default_rng(13)
    reached = 0
    for _ in range(cases(400, 40, least=3)):
        limits = short_limits(rng)
        arm = PlanarArm((0.4, 0.3, 0.2), limits, Floor(rng.uniform(-0.6, 0.0)))
        q = [lower + rng.uniform(0.1, 0.9) * (upper - lower) for lower, upper in limits]
        point, _ = tip(arm, q)
        if lowest(arm, q) > 0.0:
            assert arm.check_reachability(point.real, point.imag).margin > 0.0
            reached += 1
    assert reached > cases(200, 40)


def test_the_margin_is_the_best_bound_of_the_solutions_that_are_in_the_middle():
    """Each of them may keep its orientation as far as its own bound says."""
    rng, several = np.random.default_rng(14), 0
    for _ in range(cases(400, least=20)):
        arm = PlanarArm((0.4, 0.3, 0.2), short_limits(rng), Floor(rng.uniform(-0.6, 0.0)))
        point, _ = tip(arm, [rng.uniform(*pair) for pair in arm.limits])
        verdict = arm.check_reachability(point.real, point.imag)
        middles = [(lower + upper) / 2.0 for lower, upper in verdict.orientation_intervals]
        bounds = [
            while_orientation_stays(arm.solver.above.distinct, arm.floor, q)
            for phi in middles
            for q in arm.inverse_kinematics(point.real, point.imag, math.remainder(phi, math.tau))
        ]
        assert not bounds or verdict.margin >= min(max(bounds), 0.9 - abs(point)) - 1e-12
        several += len(bounds) > 1 and min(bounds) < max(bounds)
    assert several > cases(15)


def test_as_far_as_the_bound_says_the_same_elbow_keeps_its_orientation():
    """Also where the floor parts the range of joint 1; and the bound is not 0 for nothing."""
    rng, moved, parted = np.random.default_rng(15), 0, 0
    for _ in range(cases(1500, least=75)):
        limits = [(-rng.uniform(0.5, 4.0), rng.uniform(0.5, 4.0)) for _ in range(3)]
        arm = PlanarArm((0.4, 0.3, 0.2), limits, Floor(rng.uniform(-0.3, 0.2)))
        q = rng.uniform(*np.transpose(limits))
        pieces = arm.solver.above.distinct
        if lowest(arm, q) < 0.0 or not pieces:
            continue
        bound = while_orientation_stays(pieces, arm.floor, q)
        point, phi = tip(arm, q)
        moved, parted = moved + (bound > 1e-4), parted + (len(pieces) > 1)
        for way in np.exp(1j * np.linspace(0.0, math.tau, 12)):
            place = point + 0.999 * bound * way
            found = arm.inverse_kinematics(place.real, place.imag, math.remainder(phi, math.tau))
            same = [one for one in found if math.sin(one[1]) * math.sin(q[1]) > 0.0]
            assert any(abs(math.remainder(one[0] - q[0], math.tau)) < 1.6 for one in same)
    assert moved > cases(300)
    assert parted > cases(30)


def test_a_tip_higher_above_the_floor_than_the_tool_is_long_has_room_for_that():
    """No orientation brings the tool to the floor before; and the elbow never gets there."""
    rng = np.random.default_rng(16)
    for _ in range(cases(400, least=20)):
        lengths = *rng.uniform(0.3, 1.0, 2), 0.2
        height = -lengths[0] - 0.1
        arm, without = PlanarArm(lengths, floor=Floor(height)), PlanarArm(lengths)
        point = rng.uniform(0.0, sum(lengths)) * np.exp(1j * rng.uniform(0.3, 2.8))
        room = min(without.check_reachability(point.real, point.imag).margin,
                   point.imag - height - 0.2)  # fmt: skip
        assert arm.check_reachability(point.real, point.imag).margin >= room - 1e-12


def test_within_the_margin_every_point_is_reached_above_the_floor():
    rng, seen = np.random.default_rng(17), 0
    for _ in range(cases(1500, least=75)):
        lengths = *rng.uniform(0.1, 0.5, 2), rng.uniform(0.1, 1.0)
        arm = PlanarArm(lengths, short_limits(rng), Floor(rng.uniform(-0.6, 0.2)))
        point, _ = tip(arm, [rng.uniform(*pair) for pair in arm.limits])
        margin = arm.check_reachability(point.real, point.imag).margin
        if margin > 0.0:
            for way in np.exp(1j * np.linspace(0.0, math.tau, 12)):
                place = point + 0.999 * margin * way
                assert arm.check_reachability(place.real, place.imag).reachable
            seen += 1
    assert seen > cases(100)
