# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Batches answer as the single calls do."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, angle_between, inside, random_arm, random_joints, tip

from ik_circles import Code, IkCirclesError, PlanarArm
from ik_circles.planar.batch.crossings import Crossings

ARMS = cases(120)
TARGETS = 20
SAME = 1e-6  # [rad] of joints near a straight elbow, where rounding counts by its root
BRANCHES = ('nearest', 'elbow_up', 'elbow_down')
MODES = ('fixed', 'preferred', 'free', 'centered')
FAR = 1e100  # in reaches


def poses(rng, arm):
    """Made by joints inside the limits, at random, on the base and far away, shape (N, 3)."""
    reach = arm.max_reach
    rows = [(0.0, 0.0, 1.0), (FAR * reach, -FAR * reach, 1.0), (reach * (1.0 + 5e-14), 0.0, 0.0)]
    for _ in range(TARGETS // 2):
        point, phi = tip(arm, random_joints(rng, arm))
        rows.append((point.real, point.imag, phi))
        rows.append((*rng.uniform(-arm.max_reach, arm.max_reach, 2), rng.uniform(-4.0, 4.0)))
    return np.array(rows)


def largest_change(arm, q, start):
    home = [min(max(0.0, lower), upper) for lower, upper in arm.limits]
    return max(abs(a - b) for a, b in zip(q, home if start is None else start))


def is_as_good(arm, one, row, start, target):
    """Whether a row is another solution for the same pose with the same largest change."""
    point, phi = tip(arm, row)
    return (
        all(math.isinf(lower) or lower <= a <= upper for a, (lower, upper) in zip(row, arm.limits))
        and abs(point - complex(*target[:2])) <= 1e-12 * arm.max_reach
        and angle_between(phi, sum(one)) <= 1e-9
        and abs(largest_change(arm, one, start) - largest_change(arm, row, start)) <= SAME
    )


def assert_same_choice(arm, target, start, policy, row):
    one = arm.solve(*target, seed=start, **policy)
    told = f'{arm!r}, target {target}, seed {start}, {policy}: {one} but in a batch {row}'
    assert (one is None) == bool(np.isnan(row).any()), told
    if one is not None and np.abs(np.array(one) - row).max() > SAME:
        assert is_as_good(arm, one, row, start, target), told


@pytest.mark.parametrize('columns', [2, 3], ids=['positions', 'poses'])
@pytest.mark.parametrize('seeds', ['no seed', 'one seed', 'a seed for each'])
def test_solve_batch(columns, seeds):
    rng = np.random.default_rng(0)
    for index in range(ARMS):
        arm = random_arm(rng)
        targets = poses(rng, arm)[:, :columns]
        starts = np.array([random_joints(rng, arm) for _ in targets])
        seed = {'no seed': None, 'one seed': starts[0]}.get(seeds, starts)
        mode, branch = MODES[index % 4], BRANCHES[index % 3]
        policy = {'branch': branch, 'orientation_mode': mode}
        if index % 5 == 0:
            policy['orientation_tolerance'] = 0.3
        rows = arm.solve_batch(targets, seed=seed, **policy)
        assert rows.shape == (len(targets), 3)
        for number, (target, row) in enumerate(zip(targets.tolist(), rows)):
            start = None if seed is None else tuple(np.broadcast_to(seed, rows.shape)[number])
            assert_same_choice(arm, target, start, policy, row)


def assert_same_answer(arm, target, answers, number):
    one = arm.check_reachability(*target)
    nearest, q = answers.nearest[number], answers.nearest_joint_positions[number]
    found = answers.code[number], answers.margin[number], nearest, q
    told = f'{arm!r}, target {target}: {one!r} but in a batch {found}'
    assert answers.code[number] == one.code, told
    assert answers.reachable[number] == one.reachable, told
    assert answers.margin[number] == pytest.approx(one.margin, 1e-12, 1e-12 * arm.max_reach), told
    assert inside(arm, q), told
    point, phi = tip(arm, q)
    assert abs(point - complex(*nearest[:2])) <= 1e-12 * arm.max_reach, told
    assert angle_between(phi, nearest[2]) <= 1e-12, told
    if one.orientation_intervals:
        assert np.abs(nearest[:2] - one.nearest[:2]).max() == 0.0, told
        assert angle_between(nearest[2], one.nearest.phi) <= SAME, told
    else:  # there may be several points that are as near
        away = math.dist(nearest[:2], target[:2])
        assert away == pytest.approx(-one.margin, 1e-12, 1e-12 * arm.max_reach), told


@pytest.mark.parametrize('columns', [2, 3], ids=['positions', 'poses'])
def test_check_reachability_batch(columns):
    rng = np.random.default_rng(0)
    for _ in range(ARMS):
        arm = random_arm(rng)
        targets = poses(rng, arm)[:, :columns]
        answers = arm.check_reachability_batch(targets)
        for number, target in enumerate(targets.tolist()):
            assert_same_answer(arm, target, answers, number)


def points_next_to_the_outline(rng, arm):
    """On each arc's ends and between, off it by down to rounding, and level with each corner."""
    for arc in arm.workspace_boundary().arcs:
        for angle in (arc.start, arc.end, arc.start + arc.sweep * rng.uniform()):
            off = arm.max_reach * rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-14.0, -2.0)
            yield arc._replace(radius=arc.radius + off).point_at(angle)
            yield rng.uniform(-arm.max_reach, arm.max_reach), arc.point_at(angle)[1]


def test_points_next_to_the_outline_in_a_batch():
    rng = np.random.default_rng(0)
    for _ in range(cases(600, 80)):
        arm = random_arm(rng)
        targets = np.array(list(points_next_to_the_outline(rng, arm)))
        answers = arm.check_reachability_batch(targets)
        for number, target in enumerate(targets.tolist()):
            one = arm.check_reachability(*target)
            told = f'{arm!r}, target {target}: {one!r}'
            assert answers.code[number] == one.code, told
            same = pytest.approx(one.margin, 1e-12, 1e-12 * arm.max_reach)
            assert answers.margin[number] == same, told


def test_margins_of_arms_with_a_joint_that_hardly_moves_in_a_batch():
    """The ends of an arc that is shorter than a corner's width are still two ends."""
    rng = np.random.default_rng(31)
    for _ in range(cases(1000, 120)):
        lower, upper = rng.uniform(-2.0, 0.0), rng.uniform(0.5, 2.0)
        hardly = lower, lower + 10.0 ** rng.uniform(-9.0, -6.5)
        limits = [(lower, upper), hardly, (upper, upper)]
        arm = PlanarArm(rng.uniform(0.1, 1.0, 3), [limits[joint] for joint in rng.permutation(3)])
        targets = rng.uniform(-1.0, 1.0, (10, 2)) * arm.max_reach
        batch = arm.check_reachability_batch(targets).margin
        alone = [arm.check_reachability(*target).margin for target in targets]
        assert np.abs(batch - alone).max() <= 1e-12 * arm.max_reach


def test_an_outline_that_does_not_close_by_rounding():
    """Found among 2000 random arms: joint 2 moves by 6e-6 rad."""
    links = 7.466084089720371, 16.524494990783804, 17.015350518179467
    limits = (
        (1.3367698203927594, 1.3422344103655188),
        (2.1097231933660066, 2.109728864366802),
        (-3.893633618553763, 10.935323963266356),
    )
    arm, rng = PlanarArm(links, limits), np.random.default_rng(0)
    outline = [arc.point_at(arc.start) for arc in arm.workspace_boundary().arcs]
    targets = [(x, y) for x in rng.uniform(-41.0, 41.0, 5) for _, y in outline]
    answers = arm.check_reachability_batch(targets)
    codes = [arm.check_reachability(*target).code for target in targets]
    assert answers.code.tolist() == codes


def test_the_rim_of_the_safe_zones_in_a_batch():
    """The code changes at one rounding beyond the tolerance."""
    arm = PlanarArm((0.6, 0.2, 0.15), [(0.0, 1.0)] * 3)
    rng = np.random.default_rng(0)
    for rim in (arm.max_reach + arm.tolerance, arm.min_reach - arm.tolerance):
        angle = rng.uniform(-3.0, -1.0, cases(3000))
        targets = np.column_stack((rim * np.cos(angle), rim * np.sin(angle)))
        codes = [arm.check_reachability(*target).code for target in targets.tolist()]
        assert arm.check_reachability_batch(targets).code.tolist() == codes


def test_a_ring_in_a_batch():
    """From 1.5 m to 4.5 m, whatever the orientation. The points are level with tops and bottoms."""
    arm, nan = PlanarArm((3.0, 1.0, 0.5)), math.nan
    points = [(0, 0), (1, 0), (0, 1.5), (2, 0), (2, 1.5), (0, -3), (-4, 0), (0, 5), (-6, -4.5)]
    answers = arm.check_reachability_batch(points)
    margins = [-1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 0.5, -0.5, 4.5 - 7.5]
    assert answers.margin == pytest.approx(margins, abs=1e-12)
    names = [Code(code).name for code in answers.code]
    assert names == ['TOO_CLOSE'] * 2 + ['OK'] * 5 + ['TOO_FAR'] * 2
    assert answers.reachable.tolist() == [name == 'OK' for name in names]
    nearest = [(nan, nan), (1.5, 0), *points[2:7], (0, 4.5), (-3.6, -2.7)]
    assert answers.nearest[1:, :2] == pytest.approx(np.array(nearest[1:]), abs=1e-12)


def test_hardly_any_point_is_left_to_the_code_for_one_target():
    rng = np.random.default_rng(0)
    for limits in (None, [(-2.0, 2.0), (-2.4, 2.4), (-1.8, 1.8)], [(0.0, 1.0)] * 3):
        arm = PlanarArm((0.4, 0.3, 0.2), limits)
        x, y = rng.uniform(-1.0, 1.0, (2, 10_000))
        assert Crossings(arm.workspace).verdicts(x, y).doubtful.mean() < 1e-3


def test_the_base_in_a_batch_for_arms_of_every_size():
    """An arm that cannot move, with its tip at (3e6, 3e6) m: it was said to be infinitely far away.
    """
    one = PlanarArm((3e6, 2e6, 1e6), ((0.0, 0.0), (math.pi / 2.0,) * 2, (0.0, 0.0)))
    margin = one.check_reachability_batch([(0.0, 0.0)]).margin
    assert margin == pytest.approx(-math.hypot(3e6, 3e6), rel=1e-12)
    rng = np.random.default_rng(3)
    for size in 10.0 ** np.arange(-11, 12):
        for _ in range(cases(110, 50)):
            limits = [sorted(rng.uniform(-3.0, 3.0, 2)) for _ in range(3)]
            arm = PlanarArm(tuple(size * rng.uniform(0.1, 1.0, 3)), limits)
            targets = [(0.0, 0.0), (5e-324, 0.0), (0.0, 1e-30 * size), (1e-17 * size, 0.0)]
            answers = arm.check_reachability_batch(targets)
            for number, target in enumerate(targets):
                assert_same_answer(arm, target, answers, number)


FIXED = (0.4, 0.4)


@pytest.mark.parametrize(
    'limits',
    [(FIXED, FIXED, (-1.0, 1.0)), ((-1.0, 1.0), FIXED, FIXED), (FIXED, (-1.0, 1.0), FIXED)],
)
def test_points_with_a_single_orientation_in_a_batch(limits):
    arm, rng = PlanarArm((1.0, 0.8, 0.6), limits), np.random.default_rng(0)
    poses = arm.forward_kinematics(rng.uniform(*np.transpose(limits), (20, 3)))
    answers = arm.check_reachability_batch(poses[:, :2])
    assert answers.reachable.all()
    rows = arm.solve_batch(poses[:, :2])
    for number, target in enumerate(poses[:, :2].tolist()):
        assert_same_answer(arm, target, answers, number)
        assert_same_choice(arm, target, None, {}, rows[number])


def test_poses_at_a_cut_without_a_reached_gap_beside_it_in_a_batch():
    """Both limits of joint 2 give the same cut, and on either side of it nothing is reached."""
    limits = (-3.0, -2.0), (2.0, 2.0 + 5e-15), (-1.5, 1.7)
    arm, rng = PlanarArm((1.0, 0.008, 0.6), limits), np.random.default_rng(0)
    poses = arm.forward_kinematics(rng.uniform(*np.transpose(limits), (20, 3)))
    assert arm.check_reachability_batch(poses).reachable.all()


def test_dexterity_is_the_share_of_the_turn_that_the_intervals_cover():
    rng = np.random.default_rng(0)
    for _ in range(ARMS):
        arm = random_arm(rng)
        x, y = poses(rng, arm)[:, :2].T.reshape(2, 1, -1)
        shares = arm.dexterity(x, y)
        assert shares.shape == x.shape
        for column, row, share in zip(x.ravel().tolist(), y.ravel().tolist(), shares.ravel()):
            widths = [upper - lower for lower, upper in arm.orientation_intervals(column, row)]
            told = f'{arm!r}, ({column!r}, {row!r})'
            assert arm.dexterity(column, row) == pytest.approx(sum(widths) / TURN, abs=1e-12), told
            assert share == pytest.approx(sum(widths) / TURN, abs=SAME), told


ARM = PlanarArm((1.0, 1.0, 1.0))


def test_dexterity_is_at_most_1():
    x, y = np.random.default_rng(0).uniform(-0.6, 0.6, (2, 5000))
    assert (ARM.dexterity(x, y) == 1.0).all()
    assert ARM.dexterity(0.1, 0.2) == 1.0


def test_answers_stay_when_the_array_of_targets_changes():
    points = np.zeros((1, 2))
    answers, same = ARM.check_reachability_batch(points), ARM.check_reachability_batch([(0, 0)])
    points += 0.1
    assert answers.nearest.tolist() == same.nearest.tolist()


def test_no_targets_are_no_answers():
    assert ARM.solve_batch(np.empty((0, 2))).shape == (0, 3)
    assert ARM.check_reachability_batch(np.empty((0, 3))).nearest.shape == (0, 3)
    assert ARM.dexterity(np.empty((3, 0)), np.empty((3, 0))).shape == (3, 0)


@pytest.mark.parametrize(
    ('ask', 'message'),
    [
        (lambda: ARM.solve_batch([1.0, 2.0]), r'shape \(2,\); give positions \(N, 2\) or poses'),
        (lambda: ARM.check_reachability_batch(np.zeros((2, 4))), r'shape \(2, 4\); give positions'),
        (lambda: ARM.solve_batch([[0, 1], [0, math.nan]]), 'targets: row 1 is .*nan.*finite'),
        (lambda: ARM.solve_batch(np.zeros((4, 2)), seed=np.zeros((3, 3))), r'\(3,\) or \(4, 3\)'),
        (lambda: ARM.solve_batch([[0, 1]], seed=(0, 0, math.inf)), 'row 0 .*give finite n'),
        (lambda: ARM.solve_batch([[0, 1]], branch='left'), "branch is 'left'; choose one of"),
        (lambda: ARM.dexterity(np.array([math.inf]), 0.0), 'targets: row 0 is .*inf.*finite'),
    ],
)
def test_bad_input_names_the_value_the_rule_and_the_fix(ask, message):
    with pytest.raises(IkCirclesError) as raised:
        ask()
    assert re.search(message, str(raised.value))
