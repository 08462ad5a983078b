# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The Z-form inside joint limits: joints on a limit, and free ones of links without length."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import inside
from z_cases import (
    CLOSES,
    PI,
    check,
    defects,
    joint_angles,
    random_links,
    random_z,
    random_z_of,
)

from ik_circles import PlanarArm
from ik_circles.planar.redundancy import solve_z_form, z_reach, z_shapes
from ik_circles.planar.redundancy.z_limits import is_z


def test_limits_hold_and_what_is_inside_them_is_found():
    rng = np.random.default_rng(4)
    rows = []
    for case in range(cases(20_000)):
        lengths, k, along, angle, distance = random_z(rng)
        q = joint_angles(lengths, k, along, angle, distance)
        room = rng.uniform(0.0, 2.0, (3, 2)) * rng.choice([0.0, 1.0, 1.0, 3.0], (3, 2))
        limits = [
            (joint - below, joint + above) if limited else None
            for joint, (below, above), limited in zip(q, room.tolist(), rng.integers(6, size=3))
        ]
        arm = PlanarArm(tuple(lengths), limits)
        found = solve_z_form(arm.solver, distance, 0.0, k)
        assert found, (case, lengths, k, distance, limits)
        for one in found:
            assert inside(arm, one)
            rows.append((*lengths, k, distance, 0.0, *one))
    for defect in defects(rows):
        assert defect.max() <= CLOSES


def test_two_joints_on_their_limits():
    """Rounding puts joint 3 past its limit; on it, joint 1 is past its own."""
    q = (-0.013252445773017901, 0.013253227891050903, -1.2201419611251017e-06)
    limits = [(q[0], 1.0), (-1.0, 1.0), (-1.0, q[2])]
    arm = PlanarArm((1.1175007954579976e-08, 0.11080895852975972, 0.1975179602699926), limits)
    (found,) = check(arm, 0.3083269299737261, 0.0, 0.0017087714999616847)
    assert found == pytest.approx(q, abs=1e-9)


@pytest.mark.parametrize('side', [-1.0, 1.0])
def test_joint_one_held_where_link_two_comes_down_square_to_the_line(side):
    """Rounding puts link 1 higher above the line than link 2 is long: it still closes, or not."""
    rng = np.random.default_rng(9)
    rows = []
    for _ in range(cases(4000)):
        middle, last = rng.uniform(0.1, 1.0, 2).tolist()
        first = middle * (1.0 + 10.0 ** rng.uniform(-14.0, -10.0))
        along = math.sqrt(first**2 - middle**2)
        held = math.atan2(side * middle, along)
        arm, target = PlanarArm((first, middle, last), [(held, held), None, None]), along + last
        for q in solve_z_form(arm.solver, target, 0.0, 1.0):
            assert inside(arm, q)
            rows.append((*arm.link_lengths, 1.0, target, 0.0, *q))
    assert len(rows) > cases(1000)
    for defect in defects(rows):
        assert defect.max() <= CLOSES


@pytest.mark.parametrize('k', [0.0, 0.5, 1.0])
def test_what_carries_no_length_is_as_near_to_zero_as_the_limits_allow(k):
    def solve(limits):
        return solve_z_form(PlanarArm((1.0, 0.0, 0.0), limits).solver, 1.0, 0.0, k)

    assert solve(None) == [(0.0, 0.0, 0.0)]
    assert solve([(-2.0, 2.0)] * 3) == [(0.0, 0.0, 0.0)]
    assert solve([None, None, (0.0, 0.0)]) == [(0.0, 0.0, 0.0)]
    assert solve([None, (0.2, 0.3), (-0.6, -0.5)]) == [(0.0, 0.2, -0.5)]
    assert solve([(0.1, 0.2), None, None]) == []


def test_link_one_without_length_and_joint_three_held_near_straight():
    """Rounding moves joint 3 by 2e-12 rad, out of its limits, which are one value."""
    held = 0.0005380810423449844
    arm = PlanarArm((0.0, 1.0, 0.21992828966700131), [None, None, (held, held)])
    check(arm, 0.0731143632840504, 1.217735298878751, 0.0, 2)  # one for each elbow


def test_an_outer_link_without_length_and_the_elbow_held():
    rng = np.random.default_rng(8)
    for _ in range(cases(10_000, 40)):
        one, other = rng.uniform(0.02, 1.0, 2).tolist()
        near = rng.choice([0.0, PI]) + rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-10.0, 0.0)
        bend, first = float(near), rng.uniform(-3.0, 3.0)
        tip = one * np.exp(1j * first) + other * np.exp(1j * (first + bend))
        if abs(tip) > 1e-6:
            elbow = (bend, bend)
            check(PlanarArm((0.0, one, other), [None, None, elbow]), tip.real, tip.imag, 0.0)
            check(PlanarArm((one, other, 0.0), [None, elbow, None]), tip.real, tip.imag, 1.0)


@pytest.mark.parametrize('limits', [None, [(-1.0, 1.0), (0.7, 0.8), (3.0, 3.2)]])
def test_link_one_ends_at_the_target_and_the_others_fold_back(limits):
    check(PlanarArm((0.5, 0.3, 0.3), limits), 0.5, 0.0, 0.0)


@pytest.mark.parametrize('limits', [None, [(0.7, 0.8), (3.0, 3.2), None]])
@pytest.mark.parametrize('target', [(0.5, 0.0), (0.3, 0.4), (-0.4, -0.3)])
def test_link_three_starts_at_the_base(limits, target):
    check(PlanarArm((0.3, 0.3, 0.5), limits), *target, 1.0)


def test_a_middle_link_without_length_leaves_a_bent_arm_of_two_links():
    """It crosses the line only where both others lie on it: that is stretched or folded."""
    rng = np.random.default_rng(13)
    for _ in range(cases(400)):
        (first, last), direction = rng.uniform(0.1, 1.0, 2), rng.uniform(-PI, PI)
        limits = [None, None if rng.random() < 0.5 else (-2.0, 1.0), None]
        arm, k = PlanarArm((first, 0.0, last), limits), rng.choice([0.0, 0.5, 1.0])
        away = (first + last) * np.exp(1j * direction)
        check(arm, away.real, away.imag, k, 1)
        beside = 0.9 * away
        assert solve_z_form(arm.solver, beside.real, beside.imag, k) == []


def test_target_on_the_base():
    """The line has no length: link 2 has to pass the base at its share k."""
    found = check(PlanarArm((0.2, 0.5, 0.3)), 0.0, 0.0, 0.4, 1)
    assert found == [(0.0, PI, PI)]
    model = PlanarArm((0.2, 0.5, 0.3)).solver.model
    assert is_z(model, found[0], (0.0, 0.0), 0.4)
    assert not is_z(model, found[0], (0.0, 0.0), 0.4 + 1e-9)
    check(PlanarArm((0.2, 0.5, 0.3), [(1.0, 2.0), None, (-4.0, -3.0)]), 0.0, 0.0, 0.4)
    assert solve_z_form(PlanarArm((0.3, 0.3, 0.3)).solver, 0.0, 0.0, 0.5) == []
    check(PlanarArm((0.0, 0.3, 0.3)), 0.0, 0.0, 0.0)
    check(PlanarArm((0.3, 0.3, 0.0)), 0.0, 0.0, 1.0)


@pytest.mark.parametrize('k', [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize('zero', [0, 1, 2])
def test_a_link_without_length_on_the_line(zero, k):
    """What is left of the arm is flat, unless the crossing is at the link without length."""
    lengths = [0.5, 0.5, 0.5]
    lengths[zero] = 0.0
    check(PlanarArm(tuple(lengths)), 1.0, 0.0, k)
    bent = [
        ((-3.0, -0.2), (0.2, 3.0), None),
        ((-0.1, 0.1), (0.2, 3.0), (-3.0, 3.0)),
        (None, None, (1.0, 2.0)),
    ]
    check(PlanarArm(tuple(lengths), bent[zero]), 1.0, 0.0, k)


@pytest.mark.parametrize('k', [0.0, 0.3, 0.5, 1.0])
def test_stretched(k):
    assert check(PlanarArm((0.3, 0.4, 0.35)), 1.05, 0.0, k, 1) == [(0.0, 0.0, 0.0)]
    limited = PlanarArm((0.3, 0.4, 0.35), [(0.0, 1.0), (0.0, 1.0), (-1.0, 0.0)])
    assert check(limited, 1.05, 0.0, k, 1) == [(0.0, 0.0, 0.0)]


@pytest.mark.parametrize('k', [0.0, 1.0])
def test_no_z_is_given_twice_where_the_middle_link_ends_on_the_line(k):
    """Only where link 1 ends at the target, or link 3 starts at the base, is a joint free: that
    takes two links alike and the third as long as the way."""
    rng = np.random.default_rng(5)
    for number in range(cases(1000)):
        single, double, middle, away = rng.uniform(0.2, 1.0, 4)
        middle, away = (double, away) if number % 2 else (middle, single)
        lengths = (double, middle, single) if k else (single, middle, double)
        for x, y in ((away, 0.0), (0.0, away)):
            found = np.array(solve_z_form(PlanarArm(lengths).solver, x, y, k))
            for row, q in enumerate(found):
                assert np.abs(found[:row] - q).max(axis=1).min(initial=PI) > 1e-6


def with_joint_held(joint, width, lengths, k, shape, direction):
    """Every Z of an arm with one joint in a range that begins where a Z has it, as rows for
    `defects`; the target is in a direction [rad]."""
    *_, distance = shape
    held = joint_angles(lengths, k, *shape)[joint] + (direction if joint == 0 else 0.0)
    limits = [None, None, None]
    limits[joint] = (held, held + width)
    arm = PlanarArm(tuple(lengths), limits)
    x, y = distance * math.cos(direction), distance * math.sin(direction)
    found = solve_z_form(arm.solver, x, y, k)
    assert found, (arm, x, y, k)
    assert all(inside(arm, one) for one in found)
    return [(*lengths, k, x, y, *one) for one in found]


@pytest.mark.parametrize('joint', range(3))
def test_a_nearly_flat_z_is_found_with_a_joint_held_where_it_is(joint):
    """Rounding moves that joint by far more than it may: the others are solved again."""
    rng, rows = np.random.default_rng(10), []
    for _ in range(cases(6000)):
        lengths, k = random_links(rng)
        along, angle, distance = next(
            filter(None, (random_z_of(lengths, k, rng) for _ in range(99))), (0.0, 0.0, 0.0)
        )
        if distance < 1e-3 * sum(lengths):
            continue
        direction, share = rng.uniform(-PI, PI), 10.0 ** rng.uniform(-7.0, 0.0)
        width = 0.0 if rng.random() < 0.5 else share
        rows += with_joint_held(joint, width, lengths, k, (along, angle, distance), direction)
    assert len(rows) > cases(3000)
    for defect in defects(rows):
        assert defect.max() <= CLOSES


def test_what_is_a_z_is_one_that_crosses_between_base_and_target():
    """An arm may close with the crossing behind the base or past the target: that is none."""
    rng, seen = np.random.default_rng(11), {True: 0, False: 0}
    for _ in range(cases(8000)):
        lengths, k = random_links(rng)
        direction, angle = rng.uniform(-PI, PI), rng.uniform(0.0, PI)
        parts = k * lengths[1], (1.0 - k) * lengths[1]
        outer, sine = lengths[::2], math.sin(angle)
        roots = [one**2 - (part * sine) ** 2 for one, part in zip(outer, parts)]
        if min(roots) < 0.0:
            continue
        sides = [
            part * math.cos(angle) + rng.choice([-1.0, 1.0]) * math.sqrt(root)
            for part, root in zip(parts, roots)
        ]
        reach, distance = sum(lengths), sum(sides)
        if distance < 1e-3 * reach or min(map(abs, sides)) < 1e-6 * reach:
            continue
        first, second, third = joint_angles(lengths, k, sides[0], angle, distance)
        model, q = PlanarArm(tuple(lengths)).solver.model, (direction + first, second, third)
        x, y = distance * math.cos(direction), distance * math.sin(direction)
        found = min(sides) > 0.0
        assert is_z(model, q, (x, y), k) == found
        seen[found] += 1
        turned = q[0] + 1e-9, *q[1:]
        assert not is_z(model, turned, (x, y), k)
        bent = parts[0] * sine > 1e-6 * reach
        assert not (bent and is_z(model, q, (x, y), k * (1.0 - 1e-4)))
    assert min(seen.values()) > cases(400)


def test_an_arm_that_is_larger_by_a_power_of_two_has_the_same_zs_to_the_last_bit():
    """Also with joints held where rounding moves them by far more than it may."""
    rng = np.random.default_rng(12)
    for _ in range(cases(4000)):
        lengths, k, along, angle, distance = random_z(rng)
        q = joint_angles(lengths, k, along, angle, distance)
        room = 10.0 ** rng.uniform(-9.0, 0.0, 3) * rng.integers(0, 2, 3)
        limits = [
            (one, one + most) if is_held else None
            for one, most, is_held in zip(q, room.tolist(), rng.integers(2, size=3))
        ]
        factor = 2.0 ** rng.choice([-12, -6, 6, 12])
        larger = [factor * length for length in lengths]
        found = solve_z_form(PlanarArm(tuple(lengths), limits).solver, distance, 0.0, k)
        assert found == solve_z_form(
            PlanarArm(tuple(larger), limits).solver, factor * distance, 0.0, k
        )
        assert z_shapes(lengths, distance, k) == z_shapes(larger, factor * distance, k)
        ends = np.ravel(z_reach(lengths, k))
        assert (factor * ends).tolist() == np.ravel(z_reach(larger, k)).tolist()


@pytest.mark.parametrize('joint', range(3))
def test_a_z_next_to_the_base_is_found_with_a_joint_held_where_it_is(joint):
    """There, rounding turns the line to the target, and all joints, by far more than elsewhere."""
    rng, rows = np.random.default_rng(14), []
    for _ in range(cases(2000)):
        scale, k = 10.0 ** rng.uniform(-2.0, 2.0), rng.uniform(0.1, 0.9)
        near, angle = 10.0 ** rng.uniform(-11.0, -3.0), rng.uniform(0.0, PI)
        sides = near * rng.uniform(0.2, 1.0, 2)
        first, last = (
            abs(side - part * np.exp(1j * angle)) for side, part in zip(sides, (k, 1.0 - k))
        )
        lengths, distance = scale * np.array([first, 1.0, last]), scale * sum(sides)
        direction, width = rng.uniform(-PI, PI), rng.choice([0.0, 1e-3])
        shape = scale * sides[0], angle, distance
        rows += with_joint_held(joint, width, lengths, k, shape, direction)
    for defect in defects(rows):
        assert defect.max() <= CLOSES
