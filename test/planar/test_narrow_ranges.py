# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints that can hardly move, and links next to nothing: what they reach is reached."""

import math

import numpy as np
import pytest
from consistency import assert_closes, assert_solutions
from law_cases import cases
from random_arms import tip

from ik_circles import PlanarArm
from ik_circles.geometry.intervals import united

NEXT = math.nextafter(math.pi / 6.0, 9.0)
HALF_TURN = (-math.pi, math.pi)


def narrow_range(rng):
    """No limits, a wide range, a joint that stands still, one ulp, 1e-16 to 1e-9 rad."""
    lower = float(rng.choice([rng.uniform(-3.0, 3.0), 0.0, math.pi / 6.0, math.pi / 2.0, math.pi]))
    upper = lower + rng.uniform(0.1, 3.0), lower, math.nextafter(lower, 9.0)
    kind = rng.integers(5)
    if kind == 4:
        return None
    return lower, upper[kind] if kind < 3 else lower + 10.0 ** rng.uniform(-16.0, -9.0)


def narrow_arm(rng):
    """Often with links of 1e-12 to 1e-6 of the others."""
    lengths = rng.uniform(0.1, 1.0, 3)
    if rng.integers(2):
        lengths[rng.permutation(3)[: rng.integers(3)]] *= 10.0 ** rng.uniform(-12.0, -6.0)
    return PlanarArm(tuple(lengths.tolist()), [narrow_range(rng) for _ in range(3)])


def own_joints(rng, arm):
    """Positions of the joints, half of them at a limit."""
    pairs = [HALF_TURN if math.isinf(pair[0]) else pair for pair in arm.limits]
    inside = (min(max(rng.uniform(*pair), pair[0]), pair[1]) for pair in pairs)
    q = [pair[rng.integers(2)] if rng.integers(2) else one for pair, one in zip(pairs, inside)]
    return tuple(map(float, q))


@pytest.mark.parametrize(
    ('lengths', 'limits'),
    [
        ((0.3, 0.84, 0.33), (HALF_TURN, (math.pi / 6.0, NEXT), HALF_TURN)),
        ((1.0, 0.008, 0.6), ((-3.0, -2.0), (2.0, 2.0 + 5e-15), (-1.5, 1.7))),
    ],
    ids=['one ulp', 'short link'],
)
def test_a_joint_2_that_can_hardly_move_reaches_its_own_points(lengths, limits):
    """Both limits give the same cuts, so the gap in between has no width. 300 of 300 were refused.
    """
    rng = np.random.default_rng(0)
    arm = PlanarArm(lengths, limits)
    for _ in range(300):
        point, phi = tip(arm, own_joints(rng, arm))
        for wanted in (None, phi):
            answer = arm.check_reachability(point.real, point.imag, wanted)
            assert answer.reachable, (point, wanted, answer.message)


def test_arms_with_narrow_ranges_and_tiny_links_reach_their_own_points():
    """By position and by pose; one solution is chosen; a batch says the same."""
    rng = np.random.default_rng(1)
    for _ in range(cases(1000, 80)):
        arm = narrow_arm(rng)
        rows = []
        for _ in range(4):
            q = own_joints(rng, arm)
            point, phi = tip(arm, q)
            told = f'{arm!r}, joints {q}'
            rows.append((point.real, point.imag, phi))
            assert assert_solutions(arm, point, phi, told), told
            for wanted in (None, phi):
                answer = arm.check_reachability(point.real, point.imag, wanted)
                assert answer.reachable, told
                assert_closes(arm, answer.solutions[0], point, answer.nearest.phi, told)
                chosen = arm.solve(point.real, point.imag, wanted, seed=q)
                assert_closes(arm, chosen, point, sum(chosen), told)
        for columns in (2, 3):
            targets = np.array(rows)[:, :columns]
            assert arm.check_reachability_batch(targets).reachable.all(), (arm, rows)
            assert not np.isnan(arm.solve_batch(targets)).any(), (arm, rows)


@pytest.mark.parametrize(
    ('lengths', 'limits', 'q'),
    [
        (
            (1e-9, 0.0, 1e-3),
            (None, (-math.pi, math.nextafter(-math.pi, 0.0)), (0.0, 0.0)),
            (-2.3126920336846846, -3.1415926535897927, 0.0),
        ),
        (
            (8.15866400778818e-07, 4.745309485649776e-12, 1.0),
            (None, (-4.382059031825976, -1.9), (-0.8576168633389023, -0.8576168633389023)),
            (-3.0199624301346057, -4.382059031825976, -0.8576168633389023),
        ),
    ],
    ids=['no link 2', 'two tiny links'],
)
def test_the_direction_of_a_tiny_link_is_only_as_exact_as_the_others_leave_it(lengths, limits, q):
    """Links 1 of 1e-9 m leave a direction to 1e-10 rad: the joint takes what phi leaves."""
    arm = PlanarArm(lengths, limits)
    point, phi = tip(arm, q)
    assert assert_solutions(arm, point, phi, arm)
    assert arm.check_reachability(point.real, point.imag, phi).reachable


def test_links_without_length_beside_tiny_ones_reach_their_own_poses():
    rng = np.random.default_rng(2)
    for _ in range(cases(5000)):
        lengths = 10.0 ** rng.uniform(-12.0, -6.0, 3) * rng.integers(2, size=3)
        lengths[2] = rng.uniform(0.1, 1.0)
        if rng.integers(4) and not lengths[:2].all():
            lengths[rng.integers(2)] = 10.0 ** rng.uniform(-12.0, -6.0)
        arm = PlanarArm(tuple(lengths.tolist()), [narrow_range(rng) for _ in range(3)])
        q = own_joints(rng, arm)
        point, phi = tip(arm, q)
        told = f'{arm!r}, joints {q}'
        assert assert_solutions(arm, point, phi, told), told
        assert arm.check_reachability(point.real, point.imag, phi).reachable, told


def test_what_rounding_has_split_is_one_of_its_pieces():
    """The middle of two orientations that work alone need not work."""
    assert united([(1.0, 1.0), (1.0 + 8e-12, 1.0 + 8e-12)]) == [(1.0, 1.0)]
    (lower, upper), = united([(1.0, 1.0), (1.0 + 5e-12, 1.0 + 9e-12)])
    assert lower == upper == pytest.approx(1.0 + 7e-12, abs=1e-15)
