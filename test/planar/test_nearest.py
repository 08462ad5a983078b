# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Nearest point, margin and area; a search that proves and a count of random points decide."""

import math

import numpy as np
from law_cases import cases
from random_arms import TURN, random_arm, random_joints, ranges, tip

from ik_circles import Code, PlanarArm

PROVEN_TO = 1e-3  # of the arm's reach
MOST_CELLS = 1_000_000
POINTS = 2_000


def distance_at(arm, q2, q3, target):
    """Distance from the target to the tip with the best joint 1, which turns it on an arc."""
    length_1, length_2, length_3 = arm.link_lengths
    at_zero = length_1 + np.exp(1j * q2) * (length_2 + length_3 * np.exp(1j * q3))
    lower, upper = ranges(arm)[0]
    change = np.mod(np.angle(target) - np.angle(at_zero) - lower, TURN)
    past = change - (upper - lower)
    change = np.where(past <= 0.0, change, np.where(past < TURN - change, upper - lower, 0.0))
    return np.abs(at_zero * np.exp(1j * (lower + change)) - target)


def is_nearer_excluded(arm, target, limit):
    """Prove that no joints inside the limits bring the tip nearer to the target than `limit`.

    A cell of joints 2 and 3 is thrown away where the tip at its middle is farther than that by
    more than the cell can move it, and cut into four otherwise. None: undecided.
    """
    _, length_2, length_3 = arm.link_lengths
    (low_2, high_2), (low_3, high_3) = ranges(arm)[1:]
    q2, q3 = np.array([(low_2 + high_2) / 2.0]), np.array([(low_3 + high_3) / 2.0])
    half_2, half_3 = (high_2 - low_2) / 2.0, (high_3 - low_3) / 2.0
    while len(q2) <= MOST_CELLS:
        distance = distance_at(arm, q2, q3, target)
        if distance.min() < limit:
            return False
        kept = distance - (length_2 + length_3) * half_2 - length_3 * half_3 < limit
        if not kept.any():
            return True
        half_2, half_3 = half_2 / 2.0, half_3 / 2.0
        q2, q3 = (
            np.concatenate([joint[kept] + sign * half for sign in signs])
            for joint, half, signs in ((q2, half_2, (-1, -1, 1, 1)), (q3, half_3, (-1, 1, -1, 1)))
        )
    return None


def test_no_joints_bring_the_tip_nearer_than_nearest():
    rng = np.random.default_rng(0)
    proven = undecided = 0
    while proven < cases(250):
        arm = random_arm(rng)
        target = complex(*rng.uniform(-1.1, 1.1, 2)) * arm.max_reach
        answer = arm.check_reachability(target.real, target.imag)
        away = abs(complex(*answer.nearest[:2]) - target)
        assert answer.reachable == (away == 0.0)
        if away > 2.0 * PROVEN_TO * arm.max_reach:
            excluded = is_nearer_excluded(arm, target, away - PROVEN_TO * arm.max_reach)
            assert excluded is not False, f'{arm!r}, ({target.real!r}, {target.imag!r}): {answer!r}'
            proven, undecided = proven + (excluded is True), undecided + (excluded is None)
    assert undecided < cases(20)


def test_a_point_inside_is_as_far_from_the_outside_as_its_margin_says():
    rng = np.random.default_rng(0)
    decided = 0
    directions = np.exp(1j * np.linspace(0.0, TURN, 180))
    while decided < cases(100):
        arm = random_arm(rng)
        point, _ = tip(arm, random_joints(rng, arm))
        margin = arm.check_reachability(point.real, point.imag).margin
        told = f'{arm!r}, ({point.real!r}, {point.imag!r}): margin {margin!r}'
        assert margin >= 0.0, told
        if margin < 1e-6 * arm.max_reach:
            continue
        around = point + (1.0 - 1e-9) * margin * directions
        inside = arm.check_reachability_batch(np.column_stack((around.real, around.imag)))
        assert inside.reachable.all(), told
        for arc in arm.workspace_boundary().arcs:
            offset = arc.offset_of((point.real, point.imag))
            place = complex(*arc.point_at(arc.start + offset))
            is_foot = 1e-3 < offset < arc.sweep - 1e-3 or arc.sweep > TURN - 1e-9
            if is_foot and abs(abs(place - point) - margin) < 1e-12 * arm.max_reach:
                beyond = point + (place - point) * (1.0 + 1e-6)
                answer = arm.check_reachability(beyond.real, beyond.imag)
                assert answer.code is not Code.OK, told
                assert math.isclose(answer.margin, -1e-6 * margin, rel_tol=1e-3), told
                decided += 1
                break


def test_area_is_that_of_a_count_of_random_points():
    rng = np.random.default_rng(0)
    for _ in range(cases(100)):
        limits = [
            None if rng.integers(4) == 0 else sorted(rng.uniform(-4.0, 4.0, 2)) for _ in range(3)
        ]
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), limits)
        reach = arm.max_reach
        points = rng.uniform(-reach, reach, (POINTS, 2))
        share = arm.check_reachability_batch(points).reachable.mean()
        expected = arm.workspace_boundary().area / (2.0 * reach) ** 2
        deviation = math.sqrt(max(expected * (1.0 - expected), 1.0 / POINTS) / POINTS)
        assert abs(share - expected) <= 4.5 * deviation, (arm, share, expected)
