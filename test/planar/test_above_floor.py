# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a floor asks of joints and orientations, against heights in complex numbers."""

import math
from dataclasses import replace

import numpy as np
from law_cases import cases
from random_arms import TURN, tip

from ik_circles import Code, Floor, PlanarArm
from ik_circles.planar.floor.above import AboveFloor
from ik_circles.planar.floor.parts import is_above, parts
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.track import PlaneWay

NEAR = 1e-9  # [m]: nearer to the floor, rounding decides


def arm_above(rng):
    """An arm and its floor, up anywhere, with or without points that the last link carries."""
    limits = []
    for _ in range(3):
        lower = rng.uniform(-7.0, 1.0)
        limits.append((lower, lower + rng.uniform(0.3, 14.0)) if rng.random() < 0.7 else None)
    carried = tuple(map(tuple, rng.uniform(-0.4, 0.4, (rng.integers(3), 2)).tolist()))
    floor = Floor(rng.uniform(-0.8, 0.4), rng.uniform(-math.pi, math.pi), carried)
    return PlanarArm(tuple(rng.uniform(0.2, 0.8, 3)), limits, floor)


def heights(arm, point, phi):
    """Heights of the tip, the wrist and the carried points above the floor [m]."""
    turned = np.exp(1j * phi)
    wrist = point - arm.link_lengths[2] * turned
    places = np.array(
        [point, wrist, *(wrist + complex(*one) * turned for one in arm.floor.carried)]
    )
    return (places * np.exp(-1j * arm.floor.up)).real - arm.floor.height


def is_in(angle, ranges):
    """Whether an angle is in one of some ranges, as it is."""
    return any(lower <= angle <= upper for lower, upper in ranges)


def test_the_ranges_of_joint_1_are_where_the_elbow_is_above_the_floor():
    """Inside its limits, turn by turn; those that differ by turns only count once."""
    rng, seen, fewer = np.random.default_rng(0), [0, 0], 0
    for _ in range(cases(2000)):
        arm = arm_above(rng)
        above = AboveFloor(arm.solver.model, arm.floor)
        lower, upper = arm.limits[0]
        ranges = [piece.limits[0] for piece in above.pieces]
        for q1 in rng.uniform(-8.0, 16.0, 10):
            elbow = arm.link_lengths[0] * np.exp(1j * (q1 - arm.floor.up))
            high = elbow.real - arm.floor.height
            if abs(high) < NEAR:
                continue
            turns = q1 + TURN * np.arange(-4, 5)
            is_there = (
                is_in(q1, ranges) if lower > -math.inf else any(is_in(t, ranges) for t in turns)
            )
            expected = high > 0.0 and lower <= q1 <= upper
            assert is_there == expected
            one_turn = any(is_in(t, [one.limits[0] for one in above.distinct]) for t in turns)
            assert one_turn or not expected
            seen[int(expected)] += 1
        assert all(piece.limits[1:] == arm.limits[1:] for piece in above.pieces)
        assert {id(one) for one in above.distinct} <= {id(one) for one in above.pieces}
        fewer += len(above.distinct) < len(above.pieces)
        for one in above.distinct:
            for other in above.distinct:
                (a, b), (c, d) = one.limits[0], other.limits[0]
                inside = [c <= a + t and b + t <= d for t in TURN * np.arange(-6, 7)]
                assert one is other or not any(inside)
    assert min(seen) > cases(2000)
    assert fewer > cases(200)


def test_orientations_above_a_floor_are_those_with_each_part_of_the_tool_above_it():
    rng, seen = np.random.default_rng(1), [0, 0]
    for _ in range(cases(2000)):
        arm = arm_above(rng)
        above = AboveFloor(arm.solver.model, arm.floor)
        point = complex(*rng.uniform(-1.0, 1.0, 2))
        found = above.orientations((point.real, point.imag))
        for phi in rng.uniform(-math.pi, math.pi, 6).tolist():
            high = heights(arm, point, phi).min()
            if abs(high) > NEAR:
                assert any((phi - a) % TURN <= b - a for a, b in found) == (high > 0.0)
                assert above.allows(point.real, point.imag, phi) == (high > 0.0)
                seen[int(high > 0.0)] += 1
    assert min(seen) > cases(2000)


def test_parts_are_as_high_as_their_places_and_all_of_them_count():
    rng = np.random.default_rng(2)
    for _ in range(cases(2000)):
        arm, q = arm_above(rng), rng.uniform(-3.0, 3.0, 3)
        model, (point, phi) = arm.solver.model, tip(arm, q)
        elbow = (arm.link_lengths[0] * np.exp(1j * (q[0] - arm.floor.up))).real - arm.floor.height
        of_tip, wrist, *carried = heights(arm, point, phi)
        found = [part.clearance for part in parts(model, arm.floor, q)]
        assert np.allclose(found, [of_tip, elbow, wrist, *carried], rtol=0.0, atol=NEAR)
        slack = rng.choice([0.0, 0.25])
        assert is_above(model, q, slack) == (min(found) >= -slack) or abs(min(found) + slack) < NEAR
        along = FloorAlong(model, arm.floor)
        of_tool = along.clearances(*(np.array([one]) for one in (point.real, point.imag, phi)))
        assert np.allclose(np.ravel(of_tool), [of_tip, wrist, *carried], rtol=0.0, atol=NEAR)
        assert abs(along.clearance(q) - min(found)) <= NEAR
        stop = along.stop(q)
        assert (stop is None) == (min(found) > 0.0) or abs(min(found)) < NEAR
        starts = along.stop_at_start(q)
        assert (stop is None) == (starts is None)
        assert starts is None or abs(starts.figures[0] + min(found)) <= NEAR


def test_where_a_part_comes_to_the_floor_on_a_line_and_with_which_orientation():
    """Each part of the tool, with the tool held, and where it turns about the tip."""
    rng = np.random.default_rng(3)
    for _ in range(cases(1000)):
        arm, phi = arm_above(rng), rng.uniform(-math.pi, math.pi)
        point, way = complex(*rng.uniform(-1.0, 1.0, 2)), np.exp(1j * rng.uniform(0.0, TURN))
        for number, high in enumerate(heights(arm, point, phi)):
            floor = replace(arm.floor, height=arm.floor.height + high)
            along, start = FloorAlong(arm.solver.model, floor), point - 0.25 * way
            line = PlaneWay((start.real, start.imag), (0.5 * way.real, 0.5 * way.imag))
            assert min(abs(one - 0.5) for one in along.meetings(line, phi)) <= 1e-9
            if number:
                cuts = [*along.cuts((point.real, point.imag))][number - 1]
                assert min(abs(math.remainder(one - phi, TURN)) for one in cuts) <= 1e-5


def test_orientations_near_joint_positions_are_those_for_the_limits_that_are_given():
    """With other limits than the arm's own, those of the arm without the floor are among them."""
    rng, seen = np.random.default_rng(4), 0
    for _ in range(cases(400)):
        arm, q = arm_above(rng), tuple(rng.uniform(-3.0, 3.0, 3).tolist())
        other = [(lower, lower + 1.0) for lower in rng.uniform(-3.0, 2.0, 3).tolist()]
        point, free = tip(arm, q)[0], replace(arm, floor=None)
        if arm.solver.above.distinct:
            found = arm.orientations.near(point.real, point.imag, q, other)
            expected = free.orientations.near(point.real, point.imag, q, other)
            assert set(expected) <= set(found)
            seen += len(expected)
    assert seen > cases(2000)


def test_no_range_of_joint_1_is_told_twice():
    """Of limits of several turns, a range that is a part of another one, whole turns on, is none of
    the distinct ones."""
    rng, several = np.random.default_rng(20), 0
    for _ in range(cases(2000)):
        limits, up = (-rng.uniform(0.0, 9.0), rng.uniform(0.0, 9.0)), rng.uniform(-3.0, 3.0)
        arm = PlanarArm((0.5, 0.4, 0.3), (limits, None, None), Floor(rng.uniform(-0.6, 0.5), up))
        found = AboveFloor(arm, arm.floor)
        every, distinct = ([one.limits[0] for one in two] for two in (found.pieces, found.distinct))
        turns = math.tau * np.arange(-4, 5)
        for some in every:
            within = [
                (one[0] - 1e-12 <= some[0] + turns) & (some[1] + turns <= one[1] + 1e-12)
                for one in distinct
            ]
            count = np.count_nonzero(np.any(within, axis=1))
            assert count == 1 if some in distinct else count >= 1
        several += len(distinct) < len(every)
    assert several > cases(400)


def test_where_only_the_floor_is_in_the_way_of_a_point_it_is_for_every_orientation():
    rng, seen = np.random.default_rng(8), 0
    for _ in range(cases(2000)):
        arm = arm_above(rng)
        point = (rng.uniform(-1.0, 1.0, 2) * arm.max_reach).tolist()
        if arm.check_reachability(*point).code is Code.FLOOR:
            seen += 1
            for phi in rng.uniform(-math.pi, math.pi, 3).tolist():
                assert arm.check_reachability(*point, phi).code is Code.FLOOR
    assert seen > cases(300)
