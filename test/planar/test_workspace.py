# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The outline of the workspace, and verdicts by hand."""

import cmath
import math
from itertools import pairwise

import numpy as np
import pytest
from consistency import assert_consistent
from law_cases import cases
from random_arms import random_arm, ranges
from spatial_arms import limits_of

from ik_circles import Code, PlanarArm

SIDESTEP = 1e-10  # of the arm's reach: well above rounding, below the width of slivers


def has_point(arm, point):
    return bool(arm.orientation_intervals(*point))


def folded_up(rng):
    """An arm whose links fold onto the base, all but rounding: its workspace is one point there."""
    whole = rng.uniform(0.1, 1.0) * 10.0 ** rng.uniform(-7.0, 3.0)
    part = float(rng.choice([0.0, whole * rng.uniform(), whole * 10.0 ** rng.uniform(-16, 0)]))
    links, angles = (
        ((whole, part, whole - part), (math.pi, 0.0)),
        ((part, whole, whole - part), (math.pi, math.pi)),
        ((whole - part, part, whole), (0.0, math.pi)),
    )[rng.integers(3)]
    held = [angle + rng.choice([0.0, 10.0 ** rng.uniform(-17.0, -11.0)]) for angle in angles]
    first = None if rng.random() < 0.5 else (-1.0, 2.0)
    return PlanarArm(links, (first, *((angle, angle) for angle in held)))


def test_a_workspace_of_one_point_has_no_margin():
    """Links of 0.5, 0.2 and 0.3 m with joint 2 held at 180 degrees put the tip on the base."""
    rng = np.random.default_rng(0)
    by_hand = PlanarArm((0.5, 0.2, 0.3), (None, (math.pi, math.pi), (0.0, 0.0)))
    assert by_hand.check_reachability(0.001, 0.0).code is Code.JOINT_LIMIT
    for arm in (by_hand, *(folded_up(rng) for _ in range(cases(1000)))):
        assert arm.workspace_boundary().arcs
        (of_batch,) = arm.check_reachability_batch([(0.0, 0.0)]).margin
        margins = arm.check_reachability(0.0, 0.0).margin, of_batch
        assert margins == pytest.approx((0.0, 0.0), abs=1e-10 * arm.max_reach), arm


def test_outline_has_the_workspace_on_one_side():
    rng = np.random.default_rng(0)
    divided = 0
    for _ in range(cases(600)):
        arm = random_arm(rng)
        reach = arm.max_reach
        outline = arm.workspace_boundary()
        is_area = min(arm.link_lengths) > 0.0 and np.diff(ranges(arm)).min() > 0.0
        for arc in outline.arcs:
            if arc.radius * arc.sweep > 1e-5 * reach:
                middle = arc.start + rng.uniform(0.1, 0.9) * arc.sweep
                inner, outer = (
                    has_point(arm, arc._replace(radius=arc.radius + step).point_at(middle))
                    for step in (-SIDESTEP * reach, SIDESTEP * reach)
                )
                assert not (inner and outer), (arm, arc)
                assert inner or outer or not is_area, (arm, arc)
                divided += inner or outer
    assert divided > cases(1000)


def test_every_point_of_the_outline_is_reached():
    """Where rounding leaves none of its orientations a solution, the arc's own joints are given."""
    rng = np.random.default_rng(1)
    for _ in range(cases(300, 40)):
        arm = random_arm(rng)
        for arc in arm.workspace_boundary().arcs:
            point = complex(*arc.point_at(arc.start + rng.uniform() * arc.sweep))
            told = f'{arm!r}, ({point.real!r}, {point.imag!r})'
            assert assert_consistent(arm, point, None, np.empty(0), told).reachable, told


def test_a_point_is_reached_where_some_orientation_reaches_it():
    """On the outline, it is often a single one: at a cut, with nothing open beside it."""
    rng, single = np.random.default_rng(9), 0
    for _ in range(cases(1000)):
        arm = random_arm(rng)
        arcs = [critical.arc for critical in arm.workspace.critical_arcs]
        for arc in (arcs[number] for number in rng.integers(len(arcs), size=3)):
            x, y = arc.point_at(arc.start + rng.uniform() * arc.sweep)
            some = arm.orientations.of_point(x, y)
            assert arm.orientations.reach(x, y) == bool(some), (arm, x, y)
            single += bool(some) and all(lower == upper for lower, upper in some)
    assert single > cases(300)


def test_by_hand():
    ring = PlanarArm((1.0, 0.4, 0.2))
    assert ring.max_reach == pytest.approx(1.6, abs=1e-15)
    assert ring.min_reach == pytest.approx(0.4, abs=1e-15)
    outline = ring.workspace_boundary()
    assert outline.area == pytest.approx(math.pi * (1.6**2 - 0.4**2), abs=1e-13)
    assert sorted(arc.radius for arc in outline.arcs) == pytest.approx([0.4, 1.6], abs=1e-15)
    for distance, code, margin in [
        (0.1, Code.TOO_CLOSE, -0.3),
        (0.5, Code.OK, 0.1),
        (1.3, Code.OK, 0.3),
        (2.0, Code.TOO_FAR, -0.4),
    ]:
        answer = ring.check_reachability(0.0, distance)
        assert (answer.code, answer.margin) == (code, pytest.approx(margin, abs=1e-15))
    message = ring.check_reachability(0.0, 2.0).message
    assert message == 'too far by 0.400 m: the links reach 1.600 m from joint 1'
    quarter = PlanarArm((1.0, 1.0, 1.0), [(0.0, math.pi / 2.0), (0.0, 0.0), (0.0, 0.0)])
    answer = quarter.check_reachability(0.0, -3.0)
    assert answer.code is Code.JOINT_LIMIT
    assert answer.message.startswith('joint 1 would exceed its lower limit by 90.0 deg')
    assert answer.nearest == pytest.approx((3.0, 0.0, 0.0), abs=1e-15)
    assert answer.margin == pytest.approx(-math.sqrt(18.0), abs=1e-15)
    assert quarter.workspace_boundary().area == 0.0
    position = 2.0 + cmath.exp(0.5j)
    bent = PlanarArm((1.0, 1.0, 1.0), [(0.0, 0.0), (0.0, 0.0), (-1.0, 1.0)])
    (only,) = bent.orientation_intervals(position.real, position.imag)
    assert only == pytest.approx((0.5, 0.5), abs=1e-13)


def test_a_joint_of_more_than_a_turn_has_the_critical_arcs_of_one_without_limits():
    arms = [PlanarArm((0.4, 0.3, 0.2), [one] * 3) for one in ((-4.0, 4.0), (-1.0, 9.0), None)]
    found = [sorted(one.arc.radius for one in arm.workspace.critical_arcs) for arm in arms]
    assert found[0] == pytest.approx(found[2]) and found[1] == pytest.approx(found[2])


@pytest.mark.parametrize('away', [1e2, 1e4, 1e9, 1e15, 4e15, 1e16, 1e100, 1e300])
def test_the_nearest_point_to_a_target_far_away_is_straight_towards_it(away):
    arm = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
    answer = arm.check_reachability(away, away)
    straight = 0.9 * math.sqrt(0.5), 0.9 * math.sqrt(0.5), math.pi / 4.0
    assert answer.nearest == pytest.approx(straight, abs=1e-12)
    assert arm.check_reachability_batch([[away, away]]).nearest[0] == pytest.approx(straight)


def test_the_outline_of_a_scaled_arm_has_as_many_pieces():
    """By a power of two: that changes no digit of a length."""
    rng = np.random.default_rng(7)
    for _ in range(cases(200)):
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), [limits_of(rng) for _ in range(3)])
        found = arm.workspace_boundary()
        for times in (2.0**-30, 2.0**30):
            links = tuple(times * length for length in arm.link_lengths)
            scaled = PlanarArm(links, arm.joint_limits).workspace_boundary()
            assert [one.sweep for one in scaled.arcs] == [one.sweep for one in found.arcs]


def test_successive_pieces_of_one_arc_are_one_piece():
    """And pieces of different arcs, or with a gap between them, are not."""
    rng, followed = np.random.default_rng(8), 0
    for _ in range(cases(400)):
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), [limits_of(rng) for _ in range(3)])
        boundary = arm.workspace_boundary()
        for one, other in pairwise(boundary.arcs):
            if (one.center, one.radius) == (other.center, other.radius):
                apart = abs(other.start - one.end) * one.radius
                is_next = apart <= 1e-13 * arm.max_reach and min(one.sweep, other.sweep) > 1e-9
                assert not is_next or (one in boundary.strands) != (other in boundary.strands)
                followed += 1
        every = [critical.arc for critical in arm.workspace.critical_arcs]
        for one in boundary.arcs:
            own = [arc for arc in every if (arc.center, arc.radius) == (one.center, one.radius)]
            assert any(one.sweep <= arc.sweep + 1e-9 for arc in own)
            middle = one.point_at(one.start + one.sweep / 2.0)
            assert min(arc.distance_to(middle) for arc in own) <= 1e-9
    assert followed > cases(100)
