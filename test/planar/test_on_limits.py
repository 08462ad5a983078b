# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints exactly on their limits, where rounding alone puts the closed form past them."""

import math

import numpy as np
import pytest
from consistency import assert_solutions
from law_cases import cases
from random_arms import tip

from ik_circles import PlanarArm


def near_fold(rng):
    """Lengths, and joint positions with the elbow straight, folded, next to that, or bent."""
    lengths = rng.uniform(0.1, 1.0, 3)
    if rng.integers(3) == 0:
        lengths[rng.integers(3)] *= 10.0 ** rng.uniform(-11.0, 0.0)
    if rng.integers(3) == 0:
        lengths[1] = lengths[0] * (1.0 + 10.0 ** rng.uniform(-15.0, -3.0))
    q = rng.uniform(-3.0, 3.0, 3)
    if rng.integers(4):
        off = rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-9.0, -3.0)
        q[1] = rng.choice([0.0, math.pi]) + off
    return tuple(lengths.tolist()), tuple(q.tolist())


def limits_at(rng, angle):
    """Limits of which one, or each, is the angle itself."""
    width = float(rng.uniform(0.0, 1.5))
    return ((angle, angle + width), (angle - width, angle), (angle, angle))[rng.integers(3)]


@pytest.mark.parametrize('limited', [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)], ids=str)
def test_what_joints_on_their_limits_reach_is_reached(limited):
    """Near a straight elbow rounding moves a joint by 1e-8 rad: the others have to follow it."""
    rng = np.random.default_rng(0)
    for _ in range(cases(2000)):
        lengths, q = near_fold(rng)
        arm = PlanarArm(
            lengths, [limits_at(rng, q[joint]) if joint in limited else None for joint in range(3)]
        )
        point, phi = tip(arm, q)
        told = f'{arm!r}, joints {q}'
        assert assert_solutions(arm, point, phi, told), told
        assert arm.check_reachability(point.real, point.imag, phi).reachable, told


def test_an_elbow_on_its_limit_is_given_once():
    """Nearly folded links: one elbow is on the limit, and rounding puts the other one there."""
    lengths = 0.7343286797938016, 0.7343286826213248, 6.470783970459744e-12
    q = 0.18743193413018933, 2.916372339223927, -0.7879285909477263
    arm = PlanarArm(lengths, (None, (1.7591874070044973, q[1]), None))
    point, phi = tip(arm, q)
    assert assert_solutions(arm, point, phi, repr(arm)) == [q]


@pytest.mark.parametrize('joint', [0, 1, 2])
def test_a_joint_well_past_its_limit_is_not_put_on_it(joint):
    rng = np.random.default_rng(1)
    for _ in range(cases(2000)):
        lengths, q = tuple(rng.uniform(0.2, 1.0, 3)), rng.uniform(0.3, 2.5, 3).tolist()
        point, phi = tip(PlanarArm(lengths), q)
        other = PlanarArm(lengths).inverse_kinematics(point.real, point.imag, phi)
        for past in (1e-9, 1e-5, 0.1):
            limits = [None, None, None]
            limits[joint] = q[joint] + past, q[joint] + 2.0 * past
            found = PlanarArm(lengths, limits).inverse_kinematics(point.real, point.imag, phi)
            assert all(abs(one[joint] - q[joint]) >= past for one in found)
            assert len(found) < len(other) or past == 0.1


def test_each_turn_inside_the_limits_is_a_solution():
    """Joints of up to three turns: what joints reach is found at each turn of each of them."""
    rng = np.random.default_rng(2)
    for _ in range(cases(500)):
        lower = rng.uniform(-9.0, 3.0, 3)
        limits = np.column_stack((lower, lower + rng.uniform(1.0, 19.0, 3))).tolist()
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        q = [rng.uniform(*pair) for pair in limits]
        point, phi = tip(arm, q)
        found = assert_solutions(arm, point, phi, f'{arm!r}, {q}')
        alike = [
            one for one in found
            if max(abs(math.remainder(a - b, 2.0 * math.pi)) for a, b in zip(one, q)) < 1e-6
        ]  # fmt: skip
        turns = [
            sum(a <= angle + turn * 2.0 * math.pi <= b for turn in range(-4, 5))
            for angle, (a, b) in zip(q, limits)
        ]
        assert len(alike) == math.prod(turns)


def test_ranges_of_nearly_a_turn_anywhere():
    """An angle is turned into its range from the middle of that, however far from 0 it is."""
    rng = np.random.default_rng(1)
    for _ in range(cases(2000)):
        starts, widths = rng.uniform(-12.0, 12.0, 3), rng.uniform(0.9, 1.0, 3) * math.tau
        q = tuple((starts + rng.uniform(0.0, 1.0, 3) * widths).tolist())
        limits = list(zip(starts.tolist(), (starts + widths).tolist()))
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3).tolist()), limits)
        point, phi = tip(arm, q)
        found = arm.inverse_kinematics(point.real, point.imag, math.remainder(phi, math.tau))
        assert min(max(abs(a - b) for a, b in zip(one, q)) for one in found) <= 1e-6
