# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How one solution is chosen near a seed and on a branch: no joint is flung round, none given up.

The laws know a solution because they make the target from one. So they need no search.
"""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_joints, tip

from ik_circles import PlanarArm
from ik_circles.planar.redundancy import REDUNDANCIES, Redundancy, candidates
from ik_circles.planar.selection import Policy, choose

#: A solution this near to the seed is near [rad]. Then no joint may move by more than the change of
#: its joints times DETOUR, and SMALL_STEP [rad].
NEAR, DETOUR, SMALL_STEP = 0.2, 3.0, 0.05
#: A wrist nearer to the base than this share of the reach turns joint 1 by any angle.
AT_BASE = 0.01
BENT = 1e-6  # [rad]
SIGNS = {'nearest': 0.0, 'elbow_up': 1.0, 'elbow_down': -1.0}


def change(q, seed):
    return max(abs(a - b) for a, b in zip(q, seed))


def limits_of(rng):
    """A little under a full turn and above it, on both sides of zero; tiny; any; continuous."""
    kind = rng.integers(8)
    end = rng.choice([3.0, 3.1, 3.13, 3.14159, math.pi, 3.1416, 3.15, rng.uniform(3.2, 7.0)])
    lower = rng.uniform(-3.0, 0.5)
    if kind < 4:
        return float(-end), float(end)
    if kind == 4:
        return lower, lower + 10.0 ** rng.uniform(-4.0, -0.5)
    return None if kind == 5 else (lower, lower + rng.uniform(0.5, 5.0))


def limited_arm(rng):
    lengths = rng.uniform(0.05, 1.0, 3)
    if rng.integers(4) == 0:
        lengths[1] = lengths[0]
    return PlanarArm(tuple(map(float, lengths)), [limits_of(rng) for _ in range(3)])


def seed_near(rng, arm, q):
    """Up to NEAR away, inside the limits or a little past them, and any turn away if continuous."""
    most = 10.0 ** rng.uniform(-3.0, math.log10(NEAR))
    seed = np.array(q) + most * rng.choice([rng.uniform(-1.0, 1.0, 3), rng.choice([-1.0, 1.0], 3)])
    if rng.integers(3):
        seed = np.clip(seed, *np.transpose(arm.limits))
    return tuple(map(float, seed))


def is_at_base(arm, *some):
    return any(
        abs(arm.link_lengths[0] + arm.link_lengths[1] * np.exp(1j * q[1])) < AT_BASE * arm.max_reach
        for q in some
    )


def test_a_joint_of_nearly_a_turn_does_not_wrap_to_its_other_limit():
    """With the seed's orientation joint 1 would go from 3.1 to -3.06; 0.031 rad are enough."""
    arm = PlanarArm((0.4, 0.3, 0.2), [(-3.1, 3.1), (-2.5, 2.5), (-2.5, 2.5)])
    target, seed = (-0.7828943449743921, 0.15150254759113113), (3.1, 0.17102911, -1.26570897)
    chosen = arm.solve(*target, seed=seed)
    found = candidates(arm.workspace, *target, seed, Policy(), Redundancy())
    batch = arm.solve_batch([target], seed=seed)[0]
    for q in (chosen, choose(arm, found, seed, 'nearest'), batch):
        assert change(q, seed) < 0.04
        assert tip(arm, q)[0] == pytest.approx(complex(*target), abs=1e-12)


@pytest.mark.parametrize('end', [3.0, 3.1, 3.13, 3.14159, 3.1416])
def test_a_circle_about_the_base_is_followed_without_needless_jumps(end):
    """A joint goes round where its limit ends the way, and nowhere else."""
    arm = PlanarArm((0.4, 0.3, 0.2), [(-end, end), (-2.5, 2.5), (-2.5, 2.5)])
    rng = np.random.default_rng(0)
    for radius in rng.uniform(0.2, 0.85, cases(50, 50)):
        seed = arm.solve(radius, 0.0)
        for angle in np.linspace(0.0, 2.0 * math.tau, cases(1257, 1)):
            x, y = radius * math.cos(angle), radius * math.sin(angle)
            q = arm.solve(x, y, seed=seed)
            if change(q, seed) > 1.0:
                orientations = sum(seed) + np.linspace(-3.0 * NEAR, 3.0 * NEAR, 500)
                ways = (one for phi in orientations for one in arm.inverse_kinematics(x, y, phi))
                assert min((change(one, seed) for one in ways), default=9.0) > NEAR, (x, y, seed)
            seed = q


@pytest.mark.parametrize('branch', SIGNS)
def test_near_a_solution_no_joint_moves_much_farther_than_it_needs_to(branch):
    rng = np.random.default_rng(1)
    far = exempt = 0
    arms = (limited_arm(rng) for _ in range(cases(4000, 120, least=11)))
    for arm in (arm for arm in arms for _ in range(2)):
        made = random_joints(rng, arm)
        if SIGNS[branch] * math.sin(made[1]) > -BENT and branch != 'nearest':
            continue
        (point, _), seed = tip(arm, made), seed_near(rng, arm, made)
        x, y = point.real, point.imag
        told = f'{arm!r}, ({x!r}, {y!r}), seed {seed}, {branch}, made with {made}'
        found = candidates(arm.workspace, x, y, seed, Policy(branch), Redundancy())
        answers = (
            arm.solve(x, y, seed=seed, branch=branch),
            choose(arm, found, seed, branch),
            arm.solve_batch([(x, y)], seed=seed, branch=branch)[0],
        )
        for q in answers:
            assert SIGNS[branch] * math.sin(q[1]) <= BENT, told
            moved = change(q, seed)
            far += moved > SMALL_STEP
            if moved > DETOUR * change(made, seed) + SMALL_STEP:
                exempt += 1
                assert is_at_base(arm, q, made, seed), told
    assert far > cases(1000, 120)
    assert exempt <= 0.002 * far  # up to 3 in 2,274, at the full count


def test_with_two_joints_on_limits_no_joint_is_flung_round():
    """An elbow on a limit at straight or folded, and joint 3 next to folded, leave a solution that
    stands alone: circles that nearly touch miss it."""
    rng = np.random.default_rng(7)
    for _ in range(cases(20000, 20, least=400)):
        limits = [limits_of(rng) or (-4.0, 4.0) for _ in range(3)]
        for joint in 1, 2:
            end = math.pi - 10.0 ** rng.uniform(-8.0, -2.0)
            limits[joint] = [(-end, end), (0.0, 2.0), (-2.0, 0.0)][rng.integers(4 - joint)]
        arm = PlanarArm(tuple(map(float, rng.uniform(0.05, 0.5, 3))), limits)
        seed, moves = [*map(rng.choice, arm.limits)], rng.integers(3)
        seed[moves] = rng.uniform(*arm.limits[moves])
        made = [*seed]
        made[moves] = float(np.clip(made[moves] + rng.normal() * 0.05, *arm.limits[moves]))
        point = tip(arm, made)[0]
        moved = change(arm.solve(point.real, point.imag, seed=seed), seed)
        if moved > DETOUR * change(made, seed) + SMALL_STEP and change(made, seed) <= NEAR:
            assert is_at_base(arm, made, seed), (arm, made, seed)


def test_a_branch_that_a_point_has_is_taken_whatever_the_policy():
    rng = np.random.default_rng(2)
    asked = 0
    for _ in range(cases(1500, 45)):
        arm = limited_arm(rng)
        made, near = random_joints(rng, arm), random_joints(rng, arm)
        if abs(math.sin(made[1])) <= BENT:
            continue
        (point, phi), branch = tip(arm, made), ('elbow_up', 'elbow_down')[math.sin(made[1]) > 0.0]
        x, y = point.real, point.imag
        told = f'{arm!r}, ({x!r}, {y!r}), seed {near}, {branch}, made with {made}'
        for choice in REDUNDANCIES:
            for seed in (near, None):
                found = candidates(arm.workspace, x, y, seed, Policy(branch), Redundancy(choice))
                q = choose(arm, found, seed, branch)
                assert q is not None or choice == 'z_form', told
                assert q is None or SIGNS[branch] * math.sin(q[1]) <= BENT, (choice, told)
        for mode in ('fixed', 'preferred', 'free', 'centered'):
            policy = {'seed': near, 'branch': branch, 'orientation_mode': mode}
            one, batch = arm.solve(x, y, phi, **policy), arm.solve_batch([(x, y, phi)], **policy)[0]
            for q in (one, batch):
                assert SIGNS[branch] * math.sin(q[1]) <= BENT, (mode, told)
            asked += 1
    assert asked > cases(4000, 45)


def tiny_or_even_arm(rng):
    """A link of 1e-10 to 1e-6 of the others, or lengths that make mirror images likely."""
    if rng.integers(2):
        return PlanarArm(
            tuple(rng.choice([0.2, 0.3, 0.4, 1.0], 3).tolist()), [limits_of(rng) for _ in range(3)]
        )
    lengths = rng.uniform(0.05, 1.0, 3)
    lengths[rng.integers(3)] *= 10.0 ** rng.uniform(-10.0, -6.0)
    return PlanarArm(tuple(lengths.tolist()), [limits_of(rng) for _ in range(3)])


def test_a_batch_gives_the_very_solutions_of_single_calls():
    """Also with links of a few tolerances, and where two solutions are mirror images."""
    rng = np.random.default_rng(3)
    for _ in range(cases(200, 42)):
        arm = tiny_or_even_arm(rng)
        targets = arm.forward_kinematics(np.array([random_joints(rng, arm) for _ in range(10)]))
        if rng.integers(2):
            targets[:, 1:] = 0.0, rng.choice([0.0, math.pi / 2.0, math.pi])
        columns, branch = rng.integers(2, 4), str(rng.choice(list(SIGNS)))
        for mode in ('fixed', 'preferred', 'free', 'centered'):
            for seed in (None, (0.0, 0.0, 0.0), random_joints(rng, arm)):
                policy = {'seed': seed, 'branch': branch, 'orientation_mode': mode}
                rows = arm.solve_batch(targets[:, :columns], **policy)
                for target, row in zip(targets[:, :columns].tolist(), rows):
                    q = arm.solve(*target, **policy)
                    told = f'{arm!r}, {target}, {policy}: {q}, in a batch {row}'
                    assert (q is None) == bool(np.isnan(row).any()), told
                    assert q is None or np.abs(row - q).max() <= 1e-5, told
