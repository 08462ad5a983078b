# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two links by angles: as exact as by two circles, and inside joint limits."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_limits
from random_links import links, size, targets_in_ring

from ik_circles.limbs import (
    solve_two_circles_batch,
    solve_two_links,
    solve_two_links_batch,
    two_link_solutions,
)

CLOSES = 1e-12  # of the reach
LAST_BITS = 1e-15  # of the reach: how far the two methods' elbows are apart
PI = math.pi


def ends(q, lengths):
    """Elbow and tip of joint positions (N, 2), each (N, 2)."""
    forearm = q[:, 0] + q[:, 1]
    elbow = lengths[0] * np.column_stack((np.cos(q[:, 0]), np.sin(q[:, 0])))
    return elbow, elbow + lengths[1] * np.column_stack((np.cos(forearm), np.sin(forearm)))


def tip(q, lengths):
    """Tip of one pair of joint positions (x, y)."""
    return tuple(ends(np.array([q]), lengths)[1][0])


# --- by angles ------------------------------------------------------------------------------------


def test_the_two_methods_agree_to_the_last_bits():
    rng = np.random.default_rng(3)
    worst = 0.0
    for _ in range(cases(100, 1)):
        lengths = links(rng)
        while min(lengths) == 0.0:
            lengths = links(rng)
        targets = targets_in_ring(rng, lengths, 10_000)
        circles = solve_two_circles_batch((0.0, 0.0), targets, *lengths)
        for row, branch in enumerate(('elbow_up', 'elbow_down')):
            by_angles = solve_two_links_batch(targets, *lengths, branch=branch)
            elbow, end = ends(by_angles.joint_positions, lengths)
            assert (by_angles.miss == 0.0).all()
            assert size(end - targets).max() <= CLOSES * sum(lengths)
            worst = max(worst, size(elbow - circles.elbows[:, row]).max() / sum(lengths))
    assert worst <= LAST_BITS


def test_every_quadrant_and_both_bends():
    for angle in np.arange(-PI, PI, PI / 8.0) + 0.01:
        x, y = 0.7 * math.cos(angle), 0.7 * math.sin(angle)
        up = solve_two_links(x, y, 0.5, 0.4).joint_positions
        down = solve_two_links(x, y, 0.5, 0.4, branch='elbow_down').joint_positions
        assert tip(up, (0.5, 0.4)) == pytest.approx((x, y), abs=1e-15)
        assert tip(down, (0.5, 0.4)) == pytest.approx((x, y), abs=1e-15)
        assert up[1] < 0.0 < down[1]
        assert up[1] == -down[1]


def test_one_and_batch_give_the_same():
    rng = np.random.default_rng(4)
    for _ in range(cases(300)):
        lengths = links(rng)
        targets = rng.uniform(-1.5, 1.5, (10, 2)) * sum(lengths)
        for branch in ('elbow_up', 'elbow_down'):
            many = solve_two_links_batch(targets, *lengths, branch=branch)
            _, end = ends(many.joint_positions, lengths)
            for row, target in enumerate(targets):
                one = solve_two_links(*target, *lengths, branch=branch)
                room = CLOSES * sum(lengths)
                assert one.reached == (many.miss[row] == 0.0)
                assert one.miss == pytest.approx(many.miss[row], abs=room)
                assert tip(one.joint_positions, lengths) == pytest.approx(end[row], abs=room)


def test_out_of_reach_it_points_at_the_target():
    far = solve_two_links(3.0, 4.0, 1.0, 0.5)
    assert not far.reached
    assert far.miss == pytest.approx(3.5)
    assert tip(far.joint_positions, (1.0, 0.5)) == pytest.approx((0.9, 1.2))
    near = solve_two_links(-0.03, 0.04, 0.5, 1.0)
    assert near.miss == pytest.approx(0.45)
    assert tip(near.joint_positions, (0.5, 1.0)) == pytest.approx((-0.3, 0.4))


def test_small_arms_are_not_lost_to_an_absolute_epsilon():
    """The source takes 2 L1 L2 < 1e-4 for a link of zero: links of 7 mm would not bend."""
    found = solve_two_links(0.004, 0.003, 0.007, 0.007)
    assert found.reached
    assert abs(found.joint_positions[1]) > 2.0


@pytest.mark.parametrize('lengths', [(0.0, 1.0), (1.0, 0.0)])
def test_a_link_without_length(lengths):
    found = solve_two_links(-0.6, -0.8, *lengths)
    assert found.reached
    assert found.joint_positions == pytest.approx((math.atan2(-0.8, -0.6), 0.0))
    assert solve_two_links(-0.6, -0.6, *lengths).miss == pytest.approx(1.0 - 0.6 * math.sqrt(2.0))
    assert two_link_solutions(-0.6, -0.8, *lengths, [None, (1.0, 2.0)])


def test_target_on_the_base():
    found = solve_two_links(0.0, 0.0, 0.5, 0.5)
    assert found.reached
    assert abs(found.joint_positions[1]) == PI
    held = solve_two_links(0.0, 0.0, 0.5, 0.5, joint_limits=[(2.0, 2.1), (-4.0, 4.0)])
    assert held.reached
    assert 2.0 <= held.joint_positions[0] <= 2.1
    assert solve_two_links(0.0, 0.0, 0.5, 0.2).miss == pytest.approx(0.3)


# --- joint limits ---------------------------------------------------------------------------------


def limited(rng):
    """Links, limits as given, limits with one turn for a continuous joint, and joints inside."""
    lengths, limits = links(rng), [random_limits(rng), random_limits(rng)]
    box = [limit or (-PI, PI) for limit in limits]
    q = [rng.uniform(*limit) for limit in box]
    for joint in (0, 1):  # now and then on a limit
        if rng.integers(5) == 0:
            q[joint] = box[joint][rng.integers(2)]
    return lengths, limits, box, q


def inside(q, box):
    return all(lower <= angle <= upper for angle, (lower, upper) in zip(q, box))


def test_limits_what_is_reached_is_found_inside_them():
    rng = np.random.default_rng(5)
    for _ in range(cases(100_000, 50)):
        lengths, limits, box, q = limited(rng)
        x, y = tip(q, lengths)
        found = two_link_solutions(x, y, *lengths, limits)
        assert found
        for solution in found:
            assert math.dist(tip(solution, lengths), (x, y)) <= CLOSES * sum(lengths)
            assert inside(solution, box)


def test_limits_both_bends_and_every_turn():
    x, y = 0.5, 0.3
    free = two_link_solutions(x, y, 0.4, 0.4)
    assert len(free) == 2
    wide = two_link_solutions(x, y, 0.4, 0.4, [(-2.0 * PI, 2.0 * PI), None])
    assert len(wide) == 4
    upper = two_link_solutions(x, y, 0.4, 0.4, [None, (0.0, 3.0)])
    assert upper == free[1:]
    other = solve_two_links(x, y, 0.4, 0.4, joint_limits=[None, (0.0, 3.0)])
    assert other.reached
    assert other.joint_positions == free[1]


def test_limits_the_closest_alternative_is_as_near_as_any_that_a_scan_finds():
    rng = np.random.default_rng(6)
    share = np.linspace(0.0, 1.0, 61)
    for _ in range(cases(2000)):
        lengths, limits, box, _ = limited(rng)
        x, y = rng.uniform(-1.3, 1.3, 2) * sum(lengths)
        found = solve_two_links(x, y, *lengths, joint_limits=limits)
        assert inside(found.joint_positions, box)
        end = tip(found.joint_positions, lengths)
        assert math.dist(end, (x, y)) == pytest.approx(found.miss, abs=CLOSES * sum(lengths))
        q1 = box[0][0] + (box[0][1] - box[0][0]) * share[:, None]
        q2 = box[1][0] + (box[1][1] - box[1][0]) * share[None, :]
        scan_x = lengths[0] * np.cos(q1) + lengths[1] * np.cos(q1 + q2)
        scan_y = lengths[0] * np.sin(q1) + lengths[1] * np.sin(q1 + q2)
        scanned = np.hypot(scan_x - x, scan_y - y).min()
        assert found.miss <= scanned + CLOSES * sum(lengths)
        steps = [(upper - lower) / 60.0 for lower, upper in box]
        assert found.miss >= scanned - sum(lengths) * (steps[0] + steps[1] + CLOSES)


def test_no_targets_no_answers():
    none = np.empty((0, 2))
    assert solve_two_links_batch(none, 1.0, 1.0).joint_positions.shape == (0, 2)
    assert solve_two_circles_batch((0.0, 0.0), none, 1.0, 1.0).elbows.shape == (0, 2, 2)
