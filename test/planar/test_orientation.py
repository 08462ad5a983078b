# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Orientation intervals; joints sampled at random and a scan of joint 1 decide."""

import math

import numpy as np
import pytest
from consistency import assert_solutions
from law_cases import cases
from random_arms import (
    TURN,
    angle_between,
    outside_by,
    random_arm,
    random_joints,
    ranges,
    tip,
)
from test_floor_in_plane import arm_above

from ik_circles import PlanarArm
from ik_circles.geometry.intervals import nearest_orientation
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.orientations import SPLIT_CUT, nearest_reached
from ik_circles.planar.verdict import Reachability
from ik_circles.reasons import reachable_with

ROUNDING_OF_STRAIGHT = 1e-6  # root of the tolerance: joints near a straight or folded elbow [rad]
SHARES = (0.0, 1e-3, 0.37, 0.5, 0.999, 1.0)


def test_orientations_made_by_joints_are_in_the_intervals_and_those_are_reached():
    rng = np.random.default_rng(0)
    for _ in range(cases(4000)):
        arm = random_arm(rng)
        q = random_joints(rng, arm)
        position, phi = tip(arm, q)
        found = arm.orientation_intervals(position.real, position.imag)
        assert outside_by(found, phi) <= ROUNDING_OF_STRAIGHT, (arm, q, found)
        for lower, upper in found:
            for share in SHARES:
                wanted = lower + share * (upper - lower)
                assert assert_solutions(arm, position, wanted, f'{arm!r}, {q}'), (found, share)


def scanned(arm, target, orientations, count=400):
    """Which orientations work: roots along joint 1 of the forearm's length, by sign change."""
    length_1, length_2, length_3 = arm.link_lengths
    wrists = target - length_3 * np.exp(1j * orientations)
    q1 = np.linspace(*ranges(arm)[0], count)
    error = np.abs(wrists[:, None] - length_1 * np.exp(1j * q1)) - length_2
    row, column = np.nonzero(error[:, :-1] * error[:, 1:] < 0.0)
    low, high = q1[column], q1[column + 1]
    rising = error[row, column] < 0.0
    for _ in range(40):
        middle = (low + high) / 2.0
        below = (np.abs(wrists[row] - length_1 * np.exp(1j * middle)) < length_2) == rising
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    forearm = np.angle(wrists[row] - length_1 * np.exp(1j * low))
    works = np.ones(len(row), dtype=bool)
    for angle, (lower, upper) in zip((forearm - low, orientations[row] - forearm), ranges(arm)[1:]):
        works &= lower + (angle - lower) % TURN <= upper
    return np.isin(np.arange(len(orientations)), row[works])


def test_intervals_agree_with_a_scan_of_joint_1():
    rng = np.random.default_rng(0)
    compared = np.zeros(2, dtype=int)
    orientations = np.arange(0.0, TURN, TURN / 300)
    for _ in range(cases(300)):
        limits = [
            None if rng.integers(4) == 0 else sorted(rng.uniform(-5.0, 5.0, 2)) for _ in range(3)
        ]
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        target = complex(*rng.uniform(-1.0, 1.0, 2))
        found = arm.orientation_intervals(target.real, target.imag)
        ends = [end for interval in found for end in interval]
        for phi, works in zip(orientations, scanned(arm, target, orientations)):
            if all(angle_between(phi, end) > 0.02 for end in ends):
                assert works == (bool(found) and outside_by(found, phi) == 0.0), (arm, target, phi)
                compared[int(works)] += 1
    assert compared.min() > cases(5000)


def test_intervals_end_at_a_joint_limit_or_a_straight_or_folded_elbow():
    rng = np.random.default_rng(0)
    for _ in range(cases(1000)):
        limits_2 = ((-2.5, 2.0), (-0.05, 2.0), (0.0, 2.5), (2.0, 3.2))[rng.integers(4)]
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), [(-2.0, 1.5), limits_2, (-1.0, 2.5)])
        position, _ = tip(arm, random_joints(rng, arm))
        for interval in arm.orientation_intervals(position.real, position.imag):
            for end in interval:
                q = arm.inverse_kinematics(position.real, position.imag, end)
                to_limits = np.abs(np.array(q)[:, :, None] - arm.limits)
                to_straight = np.abs(np.sin([q2 for _, q2, _ in q]))
                assert min(to_limits.min(), to_straight.min()) <= ROUNDING_OF_STRAIGHT


def test_the_orientations_that_work_as_a_sentence():
    every = reachable_with([(-math.pi, math.pi)])
    assert every == 'reachable with every tool orientation in the plane of the arm'
    assert reachable_with([(0.5, 0.5)]) == 'reachable with the tool orientation 28.6 deg'
    assert reachable_with([(0.0, 0.5), (1.0, 1.0)]) == (
        'reachable with tool orientations 0.0 to 28.6 and 57.3 deg'
    )


def test_orientations_of_each_elbow_above_a_floor():
    """Those with which a solution has the elbow up, and those with which one has it down; and where
    there are some, `solve` takes that elbow if it is asked for it."""
    rng = np.random.default_rng(7)
    for _ in range(cases(800)):
        arm = arm_above(rng)
        if arm.has_families:
            continue
        point, _ = tip(arm, random_joints(rng, arm))
        by_elbow = arm.workspace.orientations.intervals_by_elbow(point.real, point.imag)
        reached = arm.orientation_intervals(point.real, point.imag)
        for branch, sign, some in zip(('elbow_up', 'elbow_down'), (-1.0, 1.0), by_elbow):
            if any(upper - lower > 1e-3 for lower, upper in some):
                q = arm.solve(point.real, point.imag, branch=branch)
                assert sign * math.sin(q[1]) >= -1e-9
        for phi in (*(rng.uniform(*one) for one in reached), *rng.uniform(-math.pi, math.pi, 4)):
            found = arm.inverse_kinematics(point.real, point.imag, phi)
            for intervals, sign in zip(by_elbow, (-1.0, 1.0)):
                bends = [sign * math.sin(q[1]) for q in found]
                ends = (angle_between(phi, end) for one in intervals for end in one)
                if min(map(abs, bends), default=1.0) > 1e-4 and min(ends, default=0.0) > 1e-5:
                    is_inside = any((phi - lower) % TURN <= up - lower for lower, up in intervals)
                    assert is_inside == any(one > 0.0 for one in bends)


def test_the_nearest_orientation_is_that_of_the_intervals():
    """Looked for from the one that is wanted, without all intervals."""
    rng, seen, known = np.random.default_rng(11), 0, 0
    for _ in range(cases(3000)):
        arm = random_arm(rng)
        x, y, _ = arm.forward_kinematics(random_joints(rng, arm))
        wanted, orientations = float(rng.uniform(-math.pi, math.pi)), arm.workspace.orientations
        intervals = orientations.of_point(x, y)
        if not intervals or arm.inverse_kinematics(x, y, wanted):
            continue
        seen += 1
        found = orientations.nearest(x, y, orientations.cuts(x, y), wanted)
        if found is not None:
            known += 1
            expected = nearest_orientation(intervals, wanted)
            assert len(found) == 1
            assert abs(math.remainder(found[0] - expected, math.tau)) <= 1e-12, arm
    assert known > 0.25 * seen > cases(100)


@pytest.mark.parametrize('bend', [0.0, math.pi])
def test_a_straight_or_folded_elbow_is_neither_up_nor_down(bend):
    arm = PlanarArm((0.5, 0.3, 0.2), (None, (bend, bend), None))
    x, y, _ = arm.forward_kinematics((0.3, bend, 1.0))
    assert arm.orientation_intervals(x, y)
    assert arm.orientations.intervals_by_elbow(x, y) == ([], [])


@pytest.mark.parametrize('wanted', [0.0, math.pi])
def test_where_both_sides_mirror_each_other_all_orientations_are_looked_at(wanted):
    """Two are equally near, and the one counter-clockwise is taken."""
    rng, seen = np.random.default_rng(13), 0
    for _ in range(cases(1000)):
        limits = [(-one, one) for one in rng.uniform(0.3, 3.1, 3).tolist()]
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        x, found = float(rng.uniform(-1.0, 1.0)) * arm.max_reach, arm.orientations
        intervals = arm.orientation_intervals(x, 0.0)
        if not intervals or arm.inverse_kinematics(x, 0.0, wanted):
            continue
        seen += 1
        assert found.nearest(x, 0.0, found.cuts(x, 0.0), wanted) is None
        taken = sum(arm.solve(x, 0.0, wanted, orientation_mode='preferred'))
        away = min((end - wanted) % TURN for one in intervals for end in one)
        assert angle_between(taken, wanted + away) <= 1e-9
    assert seen > cases(200)


def test_where_no_gap_is_open_the_outline_has_no_more_to_say():
    """Next to it, too: a pose past a limit is refused without it."""
    rng, refused = np.random.default_rng(12), 0
    for _ in range(cases(2000)):
        arm = random_arm(rng)
        asked, judge = arm.workspace, PlanarArm(arm.link_lengths, arm.joint_limits).workspace
        arcs = [one.arc for one in judge.critical_arcs]
        for arc in rng.permutation(len(arcs))[:6]:
            edge = arcs[arc].point_at(arcs[arc].start + rng.uniform(0.0, arcs[arc].sweep))
            away = 1.0 + rng.choice([0.0, 1e-13, 1e-9, 1e-3, 0.3]) * rng.choice([-1.0, 1.0])
            x, y = edge[0] * away, edge[1] * away
            wanted, orientations = float(rng.uniform(-math.pi, math.pi)), asked.orientations
            if arm.inverse_kinematics(x, y, wanted):
                continue
            if orientations.nearest(x, y, orientations.cuts(x, y), wanted) == []:
                refused += 1
                assert judge.orientation_intervals(x, y) == [], arm
                assert not Reachability(asked, (x, y), wanted, judge.safe_zones).position_reachable
        assert 'critical_arcs' not in vars(asked)
    assert refused > cases(500)


def test_beside_the_base_at_least_half_of_the_orientations_work():
    """Law: if the third link is as long as the two others reach, or as their hole is wide.

    The wrist's circle is then a zone's circle, moved by as little as the tip is beside the base.
    """
    random = np.random.default_rng(0)
    for number in range(cases(4000)):
        length_1, length_2 = random.uniform(0.1, 2.0, 2)
        length_3 = length_1 + length_2 if number % 2 else abs(length_1 - length_2)
        arm = PlanarArm((length_1, length_2, length_3))
        direction = random.uniform(-math.pi, math.pi)
        away = TOLERANCE * arm.max_reach * 10.0 ** random.uniform(-3.0, 3.0)
        if number % 4 < 2:  # as far as rounding may put it, and along x
            direction /= 1000.0
            away = TOLERANCE * arm.max_reach * random.uniform(0.999, 1.001)
        point = away * math.cos(direction), away * math.sin(direction)
        intervals = arm.orientation_intervals(*point)
        assert sum(upper - lower for lower, upper in intervals) >= math.pi - 1e-2
        verdict = arm.check_reachability_batch(np.array([point]))
        assert verdict.reachable[0]


def test_a_point_with_a_single_orientation_is_reached():
    """Two joints do not move. Beside the point, nothing is reached."""
    rng = np.random.default_rng(7)
    for _ in range(cases(400, least=10)):
        limits = [(one, one) for one in rng.uniform(-2.5, 2.5, 3).tolist()]
        limits[rng.integers(3)] = (-1.0, 1.0)
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        x, y, phi = arm.forward_kinematics(rng.uniform(*np.transpose(limits)))
        assert arm.orientations.reach(x, y)
        assert outside_by(arm.orientation_intervals(x, y), phi) <= ROUNDING_OF_STRAIGHT
        away = x + rng.uniform(0.01, 0.1), y + rng.uniform(0.01, 0.1)
        assert arm.orientations.reach(*away) == bool(arm.orientation_intervals(*away))


@pytest.mark.parametrize(
    ('cuts', 'wanted', 'nearest'),
    [
        ([0.5, 2.0], 0.0, [0.5]),
        ([0.5, 2.0], 3.0, [2.0]),
        ([-0.5, -2.0], 0.0, [-0.5]),
        ([1.0, TURN - 1.0], 0.0, None),  # both ends of the gap are as near
    ],
)
def test_of_one_open_gap_the_nearer_end_is_taken(cuts, wanted, nearest):
    """Between two cuts it is open, to both sides of them closed."""
    lower, upper = sorted(cuts)
    looks = []

    def reaches(phi):
        looks.append((phi - lower) % TURN < upper - lower)
        return looks[-1]

    assert nearest_reached(cuts, wanted, reaches) == (nearest and pytest.approx(nearest))
    assert looks == [True]  # there is no look at the gap that the wanted one is in
    assert nearest_reached(cuts, wanted, lambda _: False) == []


@pytest.mark.parametrize('parted', [0.3, 0.9, 1.1, 3.0])
@pytest.mark.parametrize('number', range(4))
def test_cuts_that_rounding_may_have_parted_are_left_to_all_intervals(number, parted):
    """One of a pair that wanted is in the middle of, too, and one at its other side."""
    apart, cuts = parted * SPLIT_CUT, [0.0, 1.5, 3.0, 5.0]
    cuts.append(cuts[number] + apart)
    found = nearest_reached(cuts, apart / 2.0, lambda _: False)
    assert found == (None if parted < 1.0 else [])


@pytest.mark.parametrize('side', [-1.0, 1.0])
@pytest.mark.parametrize(('share', 'is_near'), [(0.5, True), (1.5, False)])
def test_beside_a_cut_the_gap_of_the_wanted_orientation_is_looked_at(side, share, is_near):
    """In its middle, and only next to a cut: if it is open there, rounding may decide."""
    cuts, looks = [side * one for one in (share * SPLIT_CUT, 1.0, 2.0, 3.0)], []
    middle = side * (share * SPLIT_CUT + 3.0 - TURN) / 2.0
    assert nearest_reached(cuts, 0.0, looks.append) == []
    assert (min(abs(one - middle) for one in looks) <= 1e-9) == is_near
    found = nearest_reached(cuts, 0.0, lambda phi: abs(phi - middle) < 1.5)
    assert found == (None if is_near else [])
