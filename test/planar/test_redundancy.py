# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which joint positions are taken where any orientation works: each choice of `redundancy`."""

import cmath
import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import angle_between, inside, random_arm, random_joints, tip

from ik_circles import InvalidSettingError, NotFiniteError, PlanarArm
from ik_circles.planar.redundancy import (
    REDUNDANCIES,
    Redundancy,
    candidates,
    outermost_orientations,
    solve_outermost,
    solve_z_form,
)
from ik_circles.planar.redundancy.rules import KEEP_ORIENTATION
from ik_circles.planar.selection import Policy

CLOSURE = 1e-12  # of the reach
#: Joint changes up to this are near [rad].
NEAR = 0.4
#: Points of each random arm.
ARM_POINTS = 20


def test_outermost_is_inside_the_limits_and_as_far_out_as_any_orientation():
    """As far out: by looking at the first point of each arm at many orientations."""
    rng = np.random.default_rng(10)
    for _ in range(cases(2000, 40)):
        arm = random_arm(rng)
        for number in range(ARM_POINTS):
            point, _ = tip(arm, random_joints(rng, arm))
            found = solve_outermost(arm.workspace, point.real, point.imag)
            assert found, (arm, point)
            wrists = []
            for q in found:
                assert inside(arm, q), (arm, point)
                place, phi = tip(arm, q)
                assert abs(place - point) <= CLOSURE * arm.max_reach, (arm, point)
                wrists.append(abs(point - cmath.rect(arm.link_lengths[2], phi)))
            for ends in arm.orientation_intervals(point.real, point.imag) if number == 0 else ():
                phi = np.linspace(*ends, 50)
                farthest = np.abs(point - arm.link_lengths[2] * np.exp(1j * phi)).max()
                assert min(wrists) >= farthest - 1e-9 * arm.max_reach, (arm, point)


def test_outermost_on_the_outline_where_rounding_leaves_an_end_without_solution():
    limits = (2.7314750877462943, 2.7329950008768034), None, (6.8721056060056895, 6.886143498027089)
    arm = PlanarArm((0.900739133396961, 0.7797135848968002, 0.9757329481933678), limits)
    x, y = 0.7126167393010522, -0.30854181325994645
    (lower, upper) = arm.orientation_intervals(x, y)[0]
    assert not arm.inverse_kinematics(x, y, upper)
    (q,) = solve_outermost(arm.workspace, x, y)
    assert lower < math.remainder(sum(q), math.tau) < upper


@pytest.mark.parametrize('size', [1e-9, 1e-2, 1.0, 100.0])
def test_outermost_points_inwards_if_the_wrist_reaches_so_far_else_its_links_are_stretched(size):
    """Without limits: towards the base, or the two triangles of base, wrist and tip."""
    rng, inwards = np.random.default_rng(4), 0
    for _ in range(cases(1000)):
        first, second, third = rng.uniform(0.1, 1.0, 3)
        away, direction = third * rng.uniform(0.2, 3.0), rng.uniform(-math.pi, math.pi)
        point, longest = size * cmath.rect(away, direction), first + second
        arm = PlanarArm((size * first, size * second, size * third))
        found = outermost_orientations(arm.workspace, point.real, point.imag)
        if not abs(first - second) < away + third or longest < abs(away - third):
            continue
        cosine = (longest**2 - away**2 - third**2) / (2.0 * away * third)
        turned = math.pi - math.acos(cosine) if away + third > longest else math.pi
        inwards += turned == math.pi
        expected = (direction + math.pi,) if turned == math.pi else (
            direction + turned, direction - turned
        )  # fmt: skip
        assert len(found) == len(expected)
        for phi in expected:
            assert min(angle_between(phi, one) for one in found) <= 1e-6
    assert inwards > cases(100)


def test_of_an_end_on_one_side_only_outermost_is_the_farther_turned():
    """By hand: joint 3 of an arm that is stretched to the wrist lets the tool turn to one side."""
    arm = PlanarArm((1.0, 1.0, 0.5), ((0.0, 0.0), (0.0, 0.0), (-0.5, 1.0)))
    point = 2.0 + cmath.rect(0.5, 1.0)
    (q,) = solve_outermost(arm.workspace, point.real, point.imag)
    assert q == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)


@pytest.mark.parametrize('size', [1e-9, 1e-2, 1.0, 100.0])
def test_where_the_wrist_is_as_far_out_with_all_orientations_outermost_takes_their_middle(size):
    """By hand: the tip on the base, with an elbow that bends one way; or no last link."""
    links, half = (3.0 * size, 4.0 * size, 5.0 * size), math.pi / 2.0
    on_base = PlanarArm(links, ((0.25, 1.0), (0.0, 3.0), None)).workspace
    phi = 0.625 + math.atan2(4.0, 3.0) + math.pi  # of the wrist, whose direction is the middle
    assert outermost_orientations(on_base, 0.0, 0.0) == [pytest.approx(phi - math.tau, abs=1e-9)]
    without = PlanarArm((3.0 * size, 4.0 * size, 0.0), (None, (half, half), (-0.5, 1.0))).workspace
    (phi,) = outermost_orientations(without, 5.0 * size, 0.0)
    assert phi == pytest.approx(half - math.atan2(4.0, 3.0) + 0.25, abs=1e-6)


@pytest.mark.parametrize(('branch', 'sign'), [('elbow_up', -1.0), ('elbow_down', 1.0)])
def test_a_z_of_the_other_elbow_is_taken_only_where_the_named_one_reaches_nothing(branch, sign):
    rng, seen = np.random.default_rng(5), {'own': 0, 'none': 0, 'other': 0}
    for _ in range(cases(2000, least=80)):
        bent = sorted(rng.uniform(-2.0, 2.0, 2).tolist())
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3)), (None, tuple(bent), None))
        point, _ = tip(arm, random_joints(rng, arm))
        every = candidates(
            arm.workspace, point.real, point.imag, None, Policy(), Redundancy('z_form')
        )
        found = candidates(
            arm.workspace, point.real, point.imag, None, Policy(branch), Redundancy('z_form')
        )
        reaches = any(
            sign * math.sin(q[1]) > 1e-3
            for phi in np.linspace(-math.pi, math.pi, 60).tolist()
            for q in arm.inverse_kinematics(point.real, point.imag, phi)
        )
        own = [q for q in every if sign * math.sin(q[1]) >= -1e-12]
        if every and (own or reaches):
            assert found == own
            seen['own' if own else 'none'] += 1
        elif max(sign * one for one in bent) < 0.0:
            assert found == every
            seen['other'] += bool(every)
    assert min(seen.values()) >= cases(20), seen


def test_outermost_out_of_reach():
    assert solve_outermost(PlanarArm((1.0, 1.0, 1.0)).workspace, 4.0, 0.0) == []


def random_question(rng):
    """An arm, a point that it reaches, and a seed inside its limits."""
    arm = random_arm(rng)
    point, _ = tip(arm, random_joints(rng, arm))
    return arm, point, random_joints(rng, arm)


def chosen(question, choice, share=0.5, seed=True):
    arm, point, near = question
    redundancy = Redundancy(choice, share)
    return candidates(
        arm.workspace, point.real, point.imag, near if seed else None, Policy(), redundancy
    )


def test_every_candidate_is_inside_the_limits_and_reaches_the_point():
    rng = np.random.default_rng(1)
    for _ in range(cases(5000, 40)):
        question = random_question(rng)
        arm, point, seed = question
        for choice in REDUNDANCIES:
            found = chosen(question, choice)
            assert found or choice == 'z_form'
            for q in found:
                assert inside(arm, q)
                assert abs(tip(arm, q)[0] - point) <= CLOSURE * arm.max_reach
                for near, angle, (lower, _) in zip(seed, q, arm.limits):
                    assert math.isfinite(lower) or abs(angle - near) <= math.pi + 1e-9


def test_an_orientation_that_works_is_kept():
    rng = np.random.default_rng(2)
    for _ in range(cases(5000)):
        arm = random_arm(rng)
        seed = random_joints(rng, arm)
        point, phi = tip(arm, seed)
        first, *_ = chosen((arm, point, seed), 'keep_orientation')
        assert angle_between(tip(arm, first)[1], phi) <= 1e-7
        assert len(chosen((arm, point, seed), 'keep_orientation', seed=False)) == 1


@pytest.mark.parametrize(('branch', 'sign'), [('elbow_up', -1.0), ('elbow_down', 1.0)])
def test_a_named_elbow_is_as_near_to_the_seeds_orientation_as_any(branch, sign):
    rng = np.random.default_rng(6)
    compared = 0
    for _ in range(cases(2000)):
        limits = np.sort(rng.uniform(-2.8, 2.8, (3, 2))).tolist()
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        seed, (point, _) = random_joints(rng, arm), tip(arm, random_joints(rng, arm))
        found = candidates(
            arm.workspace, point.real, point.imag, seed, Policy(branch), Redundancy()
        )
        if min((max(map(abs, np.subtract(q, seed))) for q in found), default=9.0) <= NEAR:
            continue  # near the seed, the orientation may give way
        away = min(
            (angle_between(sum(q), sum(seed)) for q in found if sign * math.sin(q[1]) >= -1e-6),
            default=math.inf,
        )
        for phi in np.linspace(-math.pi, math.pi, 60).tolist():
            for q in arm.inverse_kinematics(point.real, point.imag, phi):
                if sign * math.sin(q[1]) > 1e-3:
                    assert away <= angle_between(phi, sum(seed)) + 1e-9, (arm, point, seed)
                    compared += 1
    assert compared > cases(2000)


def test_centered_is_in_the_middle_of_the_widest_interval():
    rng = np.random.default_rng(3)
    for _ in range(cases(5000)):
        question = random_question(rng)
        arm, point, _ = question
        (q,) = chosen(question, 'centered')
        widest = max(
            arm.orientation_intervals(point.real, point.imag), key=lambda ends: ends[1] - ends[0]
        )
        width = widest[1] - widest[0]
        found = arm.orientation_intervals(point.real, point.imag)
        middles = [sum(ends) / 2.0 for ends in found if ends[1] - ends[0] >= width - 1e-8]
        assert min(angle_between(tip(arm, q)[1], middle) for middle in middles) <= 1e-8


@pytest.mark.parametrize('choice', REDUNDANCIES)
def test_out_of_reach_there_is_no_candidate(choice):
    question = PlanarArm((0.3, 0.4, 0.35)), 2.0 + 1.0j, (0.0, 0.0, 0.0)
    assert chosen(question, choice) == []


def test_bad_input_names_the_value_and_the_rule():
    with pytest.raises(InvalidSettingError, match="redundancy is 'any'; choose one of keep_orient"):
        Redundancy('any')
    for share in (-0.1, 1.1):
        with pytest.raises(InvalidSettingError, match=f'z_form_k is {share}; .*give 0 to 1'):
            Redundancy('z_form', share)
    with pytest.raises(NotFiniteError, match='z_form_k is nan'):
        Redundancy('z_form', math.nan)
    with pytest.raises(NotFiniteError, match='x is nan'):
        solve_outermost(PlanarArm((1.0, 1.0, 1.0)).workspace, math.nan, 0.0)


def test_solve_chooses_among_the_joint_positions_of_the_policy_that_is_named():
    arm, point = PlanarArm((0.4, 0.3, 0.25), ((-3.0, 3.0), (-2.5, 2.5), (-2.5, 2.5))), (0.5, 0.1)
    widest = max(arm.orientation_intervals(*point), key=lambda one: one[1] - one[0])
    named = {
        'outermost': solve_outermost(arm.workspace, *point),
        'z_form': solve_z_form(arm.solver, *point, 0.5),
        'centered': arm.inverse_kinematics(*point, sum(widest) / 2.0),
    }
    assert {*named} == {*REDUNDANCIES} - {KEEP_ORIENTATION}
    for choice, some in named.items():
        taken = arm.solve(*point, redundancy=choice)
        assert min(math.dist(taken, one) for one in some) < 1e-9, choice
        others = [one for name, found in named.items() if name != choice for one in found]
        assert min(math.dist(taken, one) for one in others) > 1e-3
