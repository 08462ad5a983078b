# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Links without length, and a wrist on the base: a whole range of joint positions for one pose."""

import math

import numpy as np
import pytest
from consistency import assert_consistent, assert_solutions
from law_cases import cases
from random_arms import TURN, inside, outside_by, random_joints, random_limits, tip

from ik_circles import PlanarArm

FAMILIES = [(0, 1, 1), (1, 0, 1), (0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0.4)]
#: Joints that share a sum, by the lengths of the links.
FREE_JOINTS = {(0, 1, 1): [0, 1], (1, 0, 1): [1, 2], (0, 0, 1): [0, 1, 2], (1, 1, 1): [0, 2]}
CLEAR = 1e-6  # [rad] from the ends of intervals: nearer, rounding decides


def random_family(rng, lengths):
    return PlanarArm(lengths, [random_limits(rng) for _ in range(3)])


@pytest.mark.parametrize('lengths', FAMILIES, ids=str)
def test_intervals_are_the_orientations_with_a_solution(lengths):
    rng = np.random.default_rng(0)
    for _ in range(cases(1000, 40)):
        arm = random_family(rng, lengths)
        q = list(random_joints(rng, arm))
        if lengths == (1, 1, 0) and rng.integers(2) and math.isinf(arm.limits[1][0]):
            q[1] = math.pi  # folded onto the base
        point, phi = tip(arm, q)
        told = f'{arm!r}, joints {q}'
        assert assert_solutions(arm, point, phi, told), told
        found = assert_consistent(arm, point, phi, np.empty(0), told).orientation_intervals
        assert outside_by(found, phi) <= CLEAR, told
        ends = [end for interval in found for end in interval]
        around = [end + sign * 1e-4 for end in ends for sign in (1.0, -1.0)]
        for wanted in (*rng.uniform(-math.pi, math.pi, 8).tolist(), *around):
            if min(abs(math.remainder(wanted - end, 2.0 * math.pi)) for end in ends) > CLEAR:
                solved = assert_solutions(arm, point, wanted, told)
                assert bool(solved) == (outside_by(found, wanted) == 0.0), (told, wanted)


@pytest.mark.parametrize('lengths', [(0, 1, 1), (1, 0, 1), (0, 0, 1), (1, 1, 1)], ids=str)
@pytest.mark.parametrize('limit', [2.0, 7.0, None])
def test_the_member_nearest_to_the_seed_is_the_seed(lengths, limit):
    """The seed reaches the pose itself, whatever its turn."""
    wide = limit and limit + 1.5
    arm = PlanarArm(lengths, limit and [(-limit, limit), (-wide, wide), (-limit, limit)])
    rng = np.random.default_rng(0)
    for _ in range(cases(1000)):
        q = rng.uniform(-(limit or 9.0), limit or 9.0, 3).tolist()
        if lengths == (1, 1, 1):
            q[1] = rng.choice([-math.pi, math.pi])  # folded: the wrist is on the base
        point, phi = tip(arm, q)
        member = arm.solve(point.real, point.imag, phi, seed=q, orientation_mode='fixed')
        assert member == pytest.approx(q, abs=1e-9), (arm, q)


@pytest.mark.parametrize(('lengths', 'free'), FREE_JOINTS.items(), ids=str)
def test_no_other_member_is_nearer_to_the_seed(lengths, free):
    """No largest joint change is smaller, even if a limit is in the way of the nearest turn."""
    rng = np.random.default_rng(1)
    for _ in range(cases(1000)):
        arm = random_family(rng, lengths)
        made, seed = random_joints(rng, arm), random_joints(rng, arm)
        if lengths == (1, 1, 1):
            # folded: the wrist is on the base
            made = made[0], float(rng.choice([-math.pi, math.pi])), made[2]
            if not inside(arm, made):
                continue
        point, phi = tip(arm, made)
        chosen = arm.solve(point.real, point.imag, phi, seed=seed, orientation_mode='fixed')
        for other in others(arm, made, free, rng):
            assert change(chosen, seed) <= change(other, seed) + 1e-9, (arm, made, seed)


@pytest.mark.parametrize('lengths', [(0, 1, 1), (1, 0, 1), (0, 0, 1)], ids=str)
@pytest.mark.parametrize(('branch', 'side'), [('elbow_up', 1.0), ('elbow_down', -1.0)])
def test_a_member_on_the_branch_is_given_if_there_is_one(lengths, branch, side):
    """The one nearest to the seed. The nearest of all was given: 1 in 3 was on the other branch."""
    rng, seen = np.random.default_rng(2), 0
    for _ in range(cases(1000, least=20)):
        arm = random_family(rng, lengths)
        made, seed = random_joints(rng, arm), random_joints(rng, arm)
        point, phi = tip(arm, made)
        some = others(arm, made, FREE_JOINTS[lengths], rng)
        some = [one for one in some if side * math.sin(one[1]) < 0.0]
        for asked in ({'seed': seed}, {'seed': seed, 'orientation_mode': 'fixed'}):
            chosen = arm.solve(point.real, point.imag, phi, branch=branch, **asked)
            assert not some or side * math.sin(chosen[1]) <= CLEAR, (arm, made, seed)
            assert all(change(chosen, seed) <= change(one, seed) + CLEAR for one in some)
        seen += bool(some)
    assert seen > cases(100)


def others(arm, made, free, rng):
    """Some members inside the limits of the family of joint positions, with their free joints."""
    moves = np.zeros((200, 3))
    moves[:, free[:-1]] = rng.uniform(-9.0, 9.0, (200, len(free) - 1))
    moves[:, free[-1]] = TURN * rng.integers(-2, 3, 200) - moves.sum(axis=1)
    return [other for other in made + moves if inside(arm, other)]


def change(one, other):
    return max(abs(a - b) for a, b in zip(one, other))


def test_without_a_seed_the_member_nearest_to_zero_is_given():
    """Both free joints move equally far, as far as their limits allow."""
    arm = PlanarArm((1, 0, 1), [None, (-3.0, 3.0), (-1.0, 1.0)])
    ((q1, q2, q3),) = arm.inverse_kinematics(1.0, 1.0, math.pi / 2.0)
    assert (q1, q2, q3) == pytest.approx((0.0, math.pi / 4.0, math.pi / 4.0), abs=1e-12)
    x, y = 1.0 + math.cos(3.0), math.sin(3.0)
    one, other = arm.inverse_kinematics(x, y, 3.0)
    assert one == pytest.approx((0.0, 2.0, 1.0), abs=1e-12)
    assert other == pytest.approx((0.0, 4.0 - TURN, -1.0), abs=1e-12)
    (*_, q3), _ = arm.inverse_kinematics(x, -y, -3.0)
    assert q3 == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize('lengths', [(0, 1, 1), (1, 0, 1), (0, 0, 1)], ids=str)
def test_a_wrist_that_is_off_the_only_circle_has_no_solution(lengths):
    reach = max(lengths[:2])
    assert PlanarArm(lengths).inverse_kinematics(reach + 1.0, 0.0, 0.0)
    for miss in (-1e-9, 1e-9):
        assert PlanarArm(lengths).inverse_kinematics(reach + 1.0 + miss, 0.0, 0.0) == []
