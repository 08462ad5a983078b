# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which solution `solve` chooses: brute force over everything that it may choose from."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, angle_between, inside, outside_by, random_arm, random_joints, tip

from ik_circles import PlanarArm
from ik_circles.planar.selection import (
    SAME_CHANGE,
    SMALL_STEP,
    Policy,
    closest,
    is_detour,
    is_on_branch,
    least,
    turned_to,
)

BRANCHES = ('nearest', 'elbow_up', 'elbow_down')
CLOSURE = 1e-12  # of the arm's reach, and in radians
SAME = 1e-9  # [rad]
ARM = PlanarArm((0.4, 0.3, 0.2), [(-2.5, 2.5), (-2.6, 2.6), (-2.0, 2.0)])


def unwound(arm, q, seed):
    """Continuous joints turned next to the seed."""
    return [
        near + math.remainder(angle - near, TURN) if math.isinf(lower) else angle
        for angle, near, (lower, _) in zip(q, seed, arm.limits)
    ]


def assert_is_chosen(arm, point, q, seed, branch, told):
    """No other solution for the same pose is on the branch with a smaller largest change."""
    candidates = [
        unwound(arm, one, seed)
        for one in arm.inverse_kinematics(point.real, point.imag, sum(q), seed=seed)
    ]
    sign = {'nearest': 0.0, 'elbow_up': 1.0, 'elbow_down': -1.0}[branch]
    on_branch = [one for one in candidates if sign * math.sin(one[1]) <= SAME] or candidates
    change = [max(abs(a - b) for a, b in zip(one, seed)) for one in (q, *on_branch)]
    assert change[0] <= min(change[1:], default=math.inf) + 1e-6, told
    for angle, near, (lower, _) in zip(q, seed, arm.limits):
        assert abs(angle - near) <= math.pi + SAME or math.isfinite(lower), told


def gives_way(arm, point, q, seed, branch, orientations):
    """Whether the policy's orientations have no solution on the branch, or only a long detour."""
    sign = {'nearest': 0.0, 'elbow_up': 1.0, 'elbow_down': -1.0}[branch]
    sign = sign if sign * math.sin(q[1]) <= SAME else 0.0  # the other elbow counts, too
    kept = [
        unwound(arm, one, seed)
        for phi in orientations
        for one in arm.inverse_kinematics(point.real, point.imag, phi, seed=seed)
        if sign * math.sin(one[1]) <= SAME
    ]
    change, *others = (max(abs(a - b) for a, b in zip(one, seed)) for one in (q, *kept))
    return min(others, default=math.inf) > change + 0.05


def keeps_orientation(arm, point, q, seed, branch, found):
    """Whether the seed's orientation, or the nearest to it, is kept or gives way with a reason."""
    away = outside_by(found, sum(seed))
    if angle_between(sum(q), sum(seed)) <= away + SAME:
        return True
    ends = [sum(seed)] + [end for interval in found for end in interval]
    kept = [one for one in ends if angle_between(one, sum(seed)) <= away + SAME]
    return gives_way(arm, point, q, seed, branch, kept)


@pytest.mark.parametrize('branch', BRANCHES)
def test_choice_of_branch_and_orientation(branch):
    rng = np.random.default_rng(0)
    count = dict.fromkeys(('fixed', 'preferred', 'free', 'centered', None), 0)
    for _ in range(cases(1500, 40, least=37)):
        arm = random_arm(rng)
        point, _ = tip(arm, random_joints(rng, arm))
        x, y, wanted = point.real, point.imag, rng.uniform(-4.0, 4.0)
        seed = tuple(rng.uniform(-TURN, TURN, 3)) if rng.integers(2) else random_joints(rng, arm)
        found = arm.orientation_intervals(x, y)
        tolerance = float(rng.choice([0.0, 0.3, math.pi]))
        for mode in ('fixed', 'preferred', 'free', 'centered'):
            policy = {'branch': branch, 'orientation_mode': mode}
            told = f'{arm!r}, ({x!r}, {y!r}, {wanted!r}), seed {seed}, {policy}, {tolerance}'
            q = arm.solve(x, y, wanted, seed=seed, orientation_tolerance=tolerance, **policy)
            if q is None:
                assert mode in ('fixed', 'preferred'), told
                assert not arm.inverse_kinematics(x, y, wanted), told
                assert mode == 'fixed' or outside_by(found, wanted) > tolerance - SAME, told
            count[mode if q else None] += 1
            if q is None:
                continue
            reached, phi = tip(arm, q)
            assert abs(reached - point) <= CLOSURE * arm.max_reach, told
            assert all(a <= b <= c or math.isinf(a) for b, (a, c) in zip(q, arm.limits)), told
            assert_is_chosen(arm, point, q, seed, branch, told)
            away = angle_between(phi, wanted)
            if mode == 'fixed':
                assert away <= CLOSURE, told
            elif mode == 'preferred':
                assert away <= outside_by(found, wanted) + SAME, told
                assert away <= tolerance + SAME, told
            elif mode == 'free':
                assert keeps_orientation(arm, point, q, seed, branch, found), told
            else:
                widest = max(upper - lower for lower, upper in found)
                middles = [(a + b) / 2.0 for a, b in found if b - a >= widest - 2.0 * SAME]
                in_middle = min(angle_between(phi, middle) for middle in middles) <= SAME
                assert in_middle or gives_way(arm, point, q, seed, branch, middles[:1]), told
                assert in_middle or branch != 'nearest', told
    assert min(count.values()) > cases(100, 40)


@pytest.mark.parametrize(('q3', 'chosen'), [(-0.2, 0), (-1.4, 1)])
def test_of_equal_largest_changes_the_smaller_sum_is_chosen(q3, chosen):
    """Both ways round the unit square bend joint 2 by a quarter turn; joint 3 decides."""
    arm, quarter = PlanarArm((1.0, 1.0, 1.0)), math.pi / 2.0
    ways = (quarter, -quarter, 0.0), (0.0, quarter, -quarter)
    seed = quarter / 2.0, 0.0, q3
    assert arm.solve(2.0, 1.0, 0.0, seed=seed) == pytest.approx(ways[chosen], abs=1e-12)
    batch = arm.solve_batch([[2.0, 1.0, 0.0]], seed=seed)
    assert batch[0] == pytest.approx(ways[chosen], abs=1e-12)


def test_without_a_seed_the_joints_nearest_to_zero_are_chosen():
    rng = np.random.default_rng(0)
    for _ in range(cases(1000)):
        point, phi = tip(ARM, random_joints(rng, ARM))
        candidates = ARM.inverse_kinematics(point.real, point.imag, phi)
        assert (q := ARM.solve(point.real, point.imag, phi)) in candidates
        assert max(map(abs, q)) <= min(max(map(abs, one)) for one in candidates) + SAME


@pytest.mark.parametrize('limits', [None, (-9.0, 22.0)], ids=['continuous', 'many turns'])
def test_joints_do_not_unwind_on_a_round_trip(limits):
    """Three times round the base: joint 1 turns on with it instead of jumping back by a turn."""
    arm = PlanarArm((0.4, 0.3, 0.2), [limits] * 3)
    seed = (0.3, 0.8, -0.4)
    start, phi = tip(arm, seed)
    for angle in np.linspace(0.0, 3.0 * TURN, 100):
        point = start * np.exp(1j * angle)
        q = arm.solve(point.real, point.imag, phi + angle, seed=seed, orientation_mode='fixed')
        assert max(abs(a - b) for a, b in zip(q, seed)) < 0.3, (limits, angle)
        seed = q
    assert seed == pytest.approx((0.3 + 3.0 * TURN, 0.8, -0.4), abs=1e-9)


def path_of(rng, arm):
    """Joint positions along a random curve well inside the limits, on one side of the elbow."""
    middle, width = np.array([0.0, 1.3, 0.0]), np.array([1.0, 0.8, 1.0])
    phases, speeds = rng.uniform(0.0, TURN, 3), rng.uniform(0.5, 2.0, 3)
    times = np.linspace(0.0, TURN, 400)[:, None]
    side = np.array([1.0, rng.choice([-1.0, 1.0]), 1.0])
    return side * (middle + width * np.sin(phases + speeds * times))


@pytest.mark.parametrize('branch', BRANCHES)
def test_small_steps_of_a_pose_are_small_steps_of_the_joints(branch):
    rng = np.random.default_rng(0)
    for _ in range(cases(30)):
        wanted = path_of(rng, ARM)
        if branch != 'nearest':
            wanted[:, 1] = np.abs(wanted[:, 1]) * (-1.0 if branch == 'elbow_up' else 1.0)
        seed = tuple(wanted[0])
        for step in wanted:
            point, phi = tip(ARM, step)
            seed = ARM.solve(point.real, point.imag, phi, seed=seed, branch=branch)
            assert seed == pytest.approx(step, abs=SAME)  # it stays on its branch


@pytest.mark.parametrize('mode', ['free', 'preferred', 'centered'])
def test_small_steps_of_a_position_are_small_steps_of_the_joints(mode):
    """The elbow changes only where the seed's cannot have the orientation that the mode keeps."""
    rng = np.random.default_rng(0)
    for _ in range(cases(20)):
        jumps, radius, phi = 0, rng.uniform(0.55, 0.7), float(rng.uniform(-1.0, 1.0))
        seed = ARM.solve(radius, 0.0, phi, orientation_mode=mode, branch='elbow_up')
        for angle in np.concatenate((np.linspace(0.0, 1.0, 400), np.linspace(1.0, -1.0, 800))):
            x, y = radius * math.cos(angle), radius * math.sin(angle)
            q = ARM.solve(x, y, phi, seed=seed, orientation_mode=mode)
            assert inside(ARM, q)
            told = f'({x!r}, {y!r}, {phi!r}), seed {seed}, {mode}: {q}'
            change = np.abs(np.array(q) - seed).max()
            if change >= 0.1:
                jumps += 1
                others = np.array(ARM.inverse_kinematics(x, y, sum(q)))
                assert np.abs(others - seed).max(axis=1).min() >= change - SAME, told
            seed = q
        assert jumps <= (0 if mode == 'centered' else 4)


def test_seen_from_behind_the_other_elbow_is_up():
    for mode in ('fixed', 'free'):
        nearest, up, down = (Policy(branch, mode, 0.5) for branch in BRANCHES)
        assert (up.mirrored, down.mirrored, nearest.mirrored) == (down, up, nearest)


def test_what_costs_least_is_all_that_costs_hardly_more():
    costs = {'a': 2.0, 'b': 1.0, 'c': 1.0 + 1e-3, 'd': 1.0 + 1e-1}
    assert least([*costs], costs.__getitem__, 1e-2) == ['b', 'c']


def test_what_is_alone_costs_least_without_being_asked_for_its_cost():
    """Of two, each is asked: the cost may be that of a search."""
    asked = []
    for some in ([], ['b'], ['b', 'a'], ['b', 'a', 'a']):
        found = least(some, lambda one: asked.append(one) or ord(one), 0.0)
        assert found == [one for one in some if one == min(some)]
    assert asked == ['b', 'a', 'b', 'a', 'a']


@pytest.mark.parametrize(
    ('first', 'second', 'taken'),
    [
        ((1.0, 3.0), (0.5, 9.0), 'second'),  # the largest change counts first
        ((1.0, 3.0), (1.0, 2.0), 'second'),
        ((1.0, 2.0), (1.0, 2.0), 'first'),
        ((0.0, 2.0), (SAME_CHANGE, 1.0), 'second'),  # equal, so the sum counts
        ((0.0, 2.0), (1.5 * SAME_CHANGE, 1.0), 'first'),
        ((SAME_CHANGE, 1.0), (0.0, 5.0), 'first'),
        ((1.5 * SAME_CHANGE, 1.0), (0.0, 5.0), 'second'),
        ((1.0, SAME_CHANGE), (1.0, 0.0), 'first'),  # the sums are equal, too
        ((1.0, 1.5 * SAME_CHANGE), (1.0, 0.0), 'second'),
    ],
)
def test_the_closest_changes_least_and_among_equals_least_in_all(first, second, taken):
    assert closest(['first', 'second'], [first, second]) == taken
    assert closest(['first'], [first]) == 'first'
    assert closest([], []) is None


def test_a_detour_is_far_more_than_a_way_that_stays_near():
    """By hand: half as far again as 0.4 rad at most, and 0.05 rad more [rad]."""
    assert not is_detour(0.05, 0.0)
    assert is_detour(0.051, 0.0)
    assert is_detour(math.pi, 0.4)
    assert not is_detour(math.pi, 0.41)
    assert not is_detour(1.5 * 0.25 + 0.05, 0.25)
    assert is_detour(1.5 * 0.25 + 0.051, 0.25)


def test_only_a_continuous_joint_is_turned_next_to_the_start_and_half_a_turn_goes_up():
    """To within what counts as the same change."""
    model = PlanarArm((1.0, 1.0, 1.0), (None, (-9.0, 9.0), None)).solver.model
    half = math.pi
    for by, turned in (
        (0.5, 0.5), (TURN, 0.0), (-2.0 * TURN - 1.0, -1.0), (half, half), (-half, half),
        (half + 1e-8, 1e-8 - half), (1e-8 - half, 1e-8 - half), (half + 1e-10, half + 1e-10),
        (1e-10 - half, half + 1e-10),
    ):  # fmt: skip
        q = turned_to(model, (7.0 + by, by, -8.0 + by), (7.0, 0.0, -8.0))
        assert q == pytest.approx((7.0 + turned, by, -8.0 + turned), abs=1e-13)


def test_axes_that_lean_put_an_elbow_that_is_nearly_straight_on_either_branch():
    for bend, lean, is_either in ((0.5e-6, 0.0, True), (2e-6, 0.0, False),
                                  (0.0035, 0.001, True), (0.0045, 0.001, False)):  # fmt: skip
        for straight in (0.0, math.pi):
            for sign in (1.0, -1.0):
                q = 0.1, straight + sign * bend, 0.2
                on = [is_on_branch(q, branch, lean) for branch in BRANCHES]
                is_up = math.sin(q[1]) < 0.0
                assert on == [True, is_either or is_up, is_either or not is_up]


def test_a_small_step_is_taken_without_a_search_for_a_shorter_one(monkeypatch):
    """Where each joint moves by less than SMALL_STEP: then that is never a detour."""
    asked = []
    near = type(ARM.workspace.orientations).near
    monkeypatch.setattr(
        type(ARM.workspace.orientations), 'near', lambda *given: asked.append(given) or near(*given)
    )
    seed = 0.3, 0.8, -0.4
    for step, is_looked_for in ((0.9 * SMALL_STEP, False), (0.5, True)):
        q = np.add(seed, (step, -step, 0.0))
        place = tip(ARM, q)[0]
        assert ARM.solve(place.real, place.imag, seed=seed) == pytest.approx(q)
        assert bool(asked) == is_looked_for


def test_an_orientation_is_taken_up_to_the_tolerance_and_no_farther():
    """By hand: with joint 3 fixed at 0.5, one orientation is left at a point; it is asked for one
    beside it."""
    arm = PlanarArm((1.0, 1.0, 0.5), (None, (0.25, 3.0), (0.5, 0.5)))
    q = 0.25, 0.5, 0.5
    x, y, phi = arm.forward_kinematics(q)
    for off in (0.125, -0.125):
        for tolerance, is_taken in ((0.13, True), (0.12, False), (math.pi, True)):
            found = arm.solve(x, y, phi + off, orientation_tolerance=tolerance, branch='elbow_down')
            assert (found == pytest.approx(q)) if is_taken else (found is None)


def test_an_orientation_opposite_to_the_one_asked_for_will_do_if_any_will():
    q = 0.25, 0.5, -0.75
    arm = PlanarArm((1.0, 1.0, 0.5), [(one, one) for one in q])
    assert arm.solve(*arm.forward_kinematics(q)[:2], math.pi) == q
