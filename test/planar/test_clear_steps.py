# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Steps along a line are not called doubtful without need: that would cost further steps."""

import math
from dataclasses import replace

import numpy as np
from law_cases import cases
from random_arms import tip
from test_met_circles import some_arm

from ik_circles import PlanarArm
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.met_circles import MetCircles
from ik_circles.planar.lines.track import Cause, Stop


def column(*numbers):
    return [np.array([one]) for one in numbers]


def drawn(rng):
    """An arm above a floor, what one of its elbows may meet, and a pose of it."""
    arm = some_arm(rng)
    arm = replace(arm, floor=replace(arm.floor, height=arm.floor.height - rng.uniform(0.0, 2.0)))
    q = rng.uniform(*np.transpose(arm.limits))
    floor = FloorAlong(arm.solver.model, arm.floor)
    return arm, MetCircles(arm.solver, floor, int(math.sin(q[1]) > 0.0)), *tip(arm, q)


def test_what_is_farther_away_than_the_arm_moves_is_clear():
    """A little farther: the wrist moves by as much as the tip and link 3 do, and where joint 3 on
    its limit puts the elbow, by what link 2 turns besides."""
    rng, seen = np.random.default_rng(0), 0
    for _ in range(cases(2000)):
        arm, circles, tool, phi = drawn(rng)
        _, length_2, length_3 = arm.link_lengths
        moved, turned, risen = 10.0 ** rng.uniform(-4.0, -1.0, 3)
        moved, risen = max(moved, risen), min(moved, risen)
        wrist = moved + length_3 * turned
        place = column(tool.real, tool.imag, phi)
        clear = circles.are_clear(*place, *column(moved, turned, risen))[:, 0]
        misses = np.abs(circles.misses(*place)[:, 0])
        for stop, miss, is_clear in zip(circles.stops, misses, clear):
            most = wrist + (length_2 * turned if stop.joint == 2 else 0.0)
            if stop.cause is Cause.FLOOR and stop.part != 'the elbow':
                most = risen + (length_3 * turned if stop.part == 'the wrist' else 0.0)
            if miss > 1.01 * most:
                seen += 1
                assert is_clear
        base = abs(tool - length_3 * np.exp(1j * phi))
        assert clear[-1] == (base > wrist) or abs(base - wrist) < 1e-9
    assert seen > cases(8000)


def test_a_limit_of_joint_1_that_only_the_other_elbow_meets_is_clear():
    """The wrist is on its circle; with joint 2 bent, the elbow moves about as far as the wrist."""
    rng = np.random.default_rng(1)
    for _ in range(cases(1000)):
        lengths, bend = rng.uniform(0.3, 1.0, 3), rng.choice([-1.0, 1.0]) * rng.uniform(1.2, 1.9)
        q = np.array([rng.uniform(-1.0, 1.0), bend, rng.uniform(-3.0, 3.0)])
        tool, phi = tip(PlanarArm(tuple(lengths)), q)
        wrist = tool - lengths[2] * np.exp(1j * phi)
        other = q[0] + 2.0 * math.remainder(np.angle(wrist) - q[0], math.tau)
        limits = sorted((other, q[0] + math.copysign(0.2, q[0] - other)))
        arm = PlanarArm(tuple(lengths), (tuple(limits), None, None))
        circles = MetCircles(arm.solver, None, int(bend > 0.0))
        row = circles.stops.index(Stop(Cause.LIMIT, 0, other == limits[1]))
        step = column(tool.real, tool.imag, phi, 0.01, 0.0, 0.01)
        assert abs(circles.misses(*step[:3])[row, 0]) <= 1e-9
        assert circles.are_clear(*step)[row, 0]


def test_on_a_straight_way_a_circle_keeps_its_side_unless_it_is_nearer_than_a_tangent_says():
    """A chord of a circle is beside it by half a step squared, divided by the radius."""
    rng, seen = np.random.default_rng(2), 0
    for _ in range(cases(3000)):
        arm, circles, tool, phi = drawn(rng)
        half = 10.0 ** rng.uniform(-4.0, -1.0) * np.exp(1j * rng.uniform(0.0, math.tau))
        first, last = (column(one.real, one.imag, phi) for one in (tool - half, tool + half))
        kept = circles.keep_sides(first, last, *column(abs(half), 0.0, 0.0, 0.0))[:, 0]
        ends = [circles.misses(*one)[:, 0] for one in (first, last)]
        least = min(arm.link_lengths[:2])
        for stop, one, other, is_kept in zip(circles.stops, *ends, kept):
            near, is_inside = min(abs(one), abs(other)), max(one, other) < 0.5 * least
            is_limit = stop.cause is Cause.LIMIT and stop.joint != 1
            if one * other <= 0.0:
                assert not is_kept
            elif stop.cause is Cause.FLOOR and stop.part != 'the elbow':
                assert is_kept
            elif is_limit and near * least > 1.01 * abs(half) ** 2 and is_inside:
                seen += 1
                assert is_kept
    assert seen > cases(1500)
