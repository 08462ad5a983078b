# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a batch leaves to the code for one target: families, and joints on limits of a turn."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import TURN, angle_between, random_limits, tip

from ik_circles import PlanarArm
from ik_circles.planar.batch.poses import elbows


@pytest.mark.parametrize('lengths', [(0.0, 1.0, 0.5), (1.0, 0.0, 0.5), (1.0, 1.0, 0.0)], ids=str)
def test_the_nearest_of_families_in_a_batch(lengths):
    rng = np.random.default_rng(0)
    for _ in range(cases(100)):
        arm = PlanarArm(lengths, [random_limits(rng) for _ in range(3)])
        targets = np.column_stack((rng.uniform(-1.6, 1.6, (6, 2)), rng.uniform(-3.0, 3.0, 6)))
        for some in (targets, targets[:, :2]):
            answers = arm.check_reachability_batch(some)
            for number, target in enumerate(some.tolist()):
                one = arm.check_reachability(*target)
                told = f'{arm!r}, {target}'
                assert answers.code[number] == one.code, told
                away = math.dist(one.nearest[:2], target[:2])
                found = answers.nearest[number]
                assert math.dist(found[:2], target[:2]) == pytest.approx(away, abs=1e-12), told
                if one.orientation_intervals:
                    q = answers.nearest_joint_positions[number]
                    assert q == pytest.approx(one.nearest_joint_positions, abs=1e-12), told


@pytest.mark.parametrize('joint', range(3))
@pytest.mark.parametrize('end', range(2))
def test_a_joint_on_a_limit_of_about_a_turn_in_a_batch(joint, end):
    """Rounding puts it past that limit, and a turn of it is inside of the other one."""
    rng = np.random.default_rng(2)
    for _ in range(cases(100)):
        lower = rng.uniform(-4.0, -2.0)
        limits = [None, None, None]
        more = rng.uniform(0.0, 3.0) if rng.integers(2) else -(10.0 ** rng.uniform(-15.0, -8.0))
        limits[joint] = (lower, lower + TURN + more)
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        joints = rng.uniform(-1.5, 1.5, (10, 3))
        joints[:, joint] = limits[joint][end]
        poses = np.array([(point.real, point.imag, phi) for point, phi in (
            tip(arm, q) for q in joints.tolist())])  # fmt: skip
        rows = arm.solve_batch(poses, seed=joints, orientation_mode='fixed')
        for q, pose, row in zip(joints.tolist(), poses.tolist(), rows):
            one = arm.solve(*pose, seed=q, orientation_mode='fixed')
            assert row == pytest.approx(one, abs=1e-12), f'{arm!r}, {q}'
            assert max(map(angle_between, row, q)) <= 1e-6 or joint == 1, f'{arm!r}, {q}'


@pytest.mark.parametrize('most', [1.0, 2.0, 3.14, math.pi + 0.2, 4.0, None])
def test_hardly_any_pose_is_left_to_the_code_for_one_target(most):
    rng = np.random.default_rng(0)
    arm = PlanarArm((0.4, 0.3, 0.2), most and [(-most, most), (-most - 0.1, most), (-most, most)])
    x, y, phi = rng.uniform(-1.0, 1.0, (3, 5_000))
    assert elbows(arm.solver, x, y, phi).doubtful.mean() < 1e-3


@pytest.mark.parametrize('fixed', range(3))
def test_points_whose_orientations_are_single_ones_in_a_batch(fixed):
    """One joint does not move, so that a point has one or two orientations, and no interval."""
    rng = np.random.default_rng(3)
    for _ in range(cases(100, 40)):
        limits = [(rng.uniform(-2.5, -0.5), rng.uniform(0.5, 2.5)) for _ in range(3)]
        limits[fixed] = (limits[fixed][1],) * 2
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        points = arm.forward_kinematics(rng.uniform(*np.transpose(limits), (10, 3)))[:, :2]
        assert arm.check_reachability_batch(points).reachable.all()
        for point, row in zip(points.tolist(), arm.solve_batch(points)):
            assert row == pytest.approx(arm.solve(*point), abs=1e-9), f'{arm!r}, {point}'
        assert (arm.dexterity(*points.T) == 0.0).all()


def test_margins_of_points_opposite_to_arcs_without_a_length():
    """A joint that does not move leaves arcs without a length. A point exactly opposite to one, as
    seen from its center, is far from it."""
    rng = np.random.default_rng(4)
    for _ in range(cases(400, 20, 20)):
        limits = [(rng.uniform(-2.5, -0.5), rng.uniform(0.5, 2.5)) for _ in range(3)]
        for joint in rng.choice((1, 2), rng.integers(1, 3), replace=False):
            limits[joint] = (0.0, 0.0)
        arm = PlanarArm(tuple(rng.uniform(0.1, 0.6, 3)), limits)
        along = rng.uniform(-1.0, 1.0, 5)
        ends = np.array(limits[0])[:, None]
        x, y = along * np.cos(ends), along * np.sin(ends)
        points = np.vstack(([0.0, 0.0], np.column_stack((x.ravel(), y.ravel()))))
        answers = arm.check_reachability_batch(points)
        for point, code, margin in zip(points.tolist(), answers.code, answers.margin):
            one = arm.check_reachability(*point)
            assert code == one.code, f'{arm!r}, {point}'
            assert margin == pytest.approx(one.margin, abs=1e-9), f'{arm!r}, {point}'


def test_of_equally_near_points_a_batch_takes_the_same_one():
    """Limits that are alike on both sides leave two of them to a point on the line between."""
    rng = np.random.default_rng(5)
    for _ in range(cases(1_500)):
        most = [None if rng.random() < 0.1 else rng.uniform(0.2, 3.1) for _ in range(3)]
        arm = PlanarArm(
            tuple(rng.integers(1, 6, 3) / 10.0), [one and (-one, one) for one in most]
        )
        x = rng.uniform(-1.5, 1.5, 20) * 10.0 ** rng.uniform(0.0, 5.0, 20)
        points = np.column_stack((x, np.zeros(20)))
        answers = arm.check_reachability_batch(points)
        for number in np.flatnonzero(~answers.reachable):
            one, told = arm.check_reachability(*points[number]), f'{arm!r}, {points[number]}'
            q = answers.nearest_joint_positions[number]
            assert q == pytest.approx(one.nearest_joint_positions, abs=1e-9), told


@pytest.mark.parametrize('most', [9.0, None])
@pytest.mark.parametrize('joint', range(3))
def test_of_two_turns_that_are_as_near_to_the_seed_a_batch_takes_the_same_one(joint, most):
    """Half a turn away to either side, except for rounding."""
    rng = np.random.default_rng(6)
    limits = [(-2.0, 2.0)] * 3
    limits[joint] = most and (-most, most)
    arm = PlanarArm((0.4, 0.3, 0.2), limits)
    joints = rng.uniform(-1.5, 1.5, (cases(1000, least=40), 3))
    seeds = joints.copy()
    seeds[:, joint] += rng.choice([-math.pi, math.pi], len(seeds))
    seeds[:, joint] += rng.choice([-1e-14, 0.0, 1e-14], len(seeds))
    poses = arm.forward_kinematics(joints)
    rows = arm.solve_batch(poses, seed=seeds, orientation_mode='fixed')
    for pose, seed, row in zip(poses.tolist(), seeds.tolist(), rows):
        one = arm.solve(*pose, seed=seed, orientation_mode='fixed')
        assert row == pytest.approx(one, abs=1e-9), f'{seed}'


@pytest.mark.parametrize('branch', ['nearest', 'elbow_up', 'elbow_down'])
def test_an_elbow_that_is_nearly_folded_is_on_both_branches_in_a_batch(branch):
    """Law: with the wrist next to the base, equal links may point either way, half a turn apart.

    A batch took the named elbow, although the other one is next to the seed.
    """
    rng = np.random.default_rng(5)
    for _ in range(cases(200, 20)):
        length = rng.uniform(0.1, 0.6)
        arm = PlanarArm((length, length, rng.uniform(0.1, 0.6)), [None, (-3.2, 3.2), None])
        q = rng.uniform(-3.0, 3.0, (10, 3))
        q[:, 1] = rng.choice([-1.0, 1.0], 10) * (math.pi - 10.0 ** rng.uniform(-10.0, -5.0, 10))
        poses = arm.forward_kinematics(q)
        rows = arm.solve_batch(poses, seed=q, branch=branch, orientation_mode='fixed')
        for own, pose, row in zip(q.tolist(), poses.tolist(), rows):
            one = arm.solve(*pose, seed=own, branch=branch, orientation_mode='fixed')
            assert row == pytest.approx(one, abs=1e-6), f'{arm!r}, {own}'


def test_half_a_turn_from_the_seed_in_a_batch():
    """Targets typed with nine digits have a joint half a turn from the seed, give or take 1e-9."""
    rng, off = np.random.default_rng(6), 10.0 ** np.arange(-12.0, -7.0, 0.1)
    for _ in range(cases(200, 10)):
        arm = PlanarArm(tuple(rng.uniform(0.2, 0.6, 3)), [(-4.0, 4.0)] * 3)
        q = rng.uniform(-2.0, 2.0, (2 * len(off), 3))
        q[:, 2] = rng.choice([-1.0, 1.0], len(q)) * math.pi + np.concatenate((off, -off))
        poses = arm.forward_kinematics(q)
        for branch in ('elbow_up', 'elbow_down'):
            rows = arm.solve_batch(poses, branch=branch, orientation_mode='fixed')
            for pose, row in zip(poses.tolist(), rows):
                one = arm.solve(*pose, branch=branch, orientation_mode='fixed')
                assert row == pytest.approx(one, abs=1e-6), f'{arm!r}, {pose}'


def test_next_to_half_a_turn_a_batch_takes_the_turn_of_one_target():
    """Law: with the elbow straight or folded, rounding moves a joint by 1e-8 rad. So it may turn to
    either side of a seed half a turn away. Of points, the orientation often is a single one."""
    rng, ranges = np.random.default_rng(2), (None, (-9.0, 9.0), (-TURN, TURN), (0.0, 1.5 * TURN))
    for _ in range(cases(400, 8, 30)):
        lengths = rng.uniform(0.1, 1.0, 3)
        lengths[1] = lengths[rng.integers(2)]
        limits = [ranges[number] for number in rng.integers(len(ranges), size=3)]
        arm = PlanarArm(tuple(lengths), limits)
        low, high = np.transpose([pair or (-math.pi, math.pi) for pair in limits])
        q = math.pi * rng.integers(-2, 4, (30, 3)) / np.array([2.0, 1.0, 2.0])
        q = np.where(rng.random((30, 3)) < [0.3, 0.0, 0.3], rng.uniform(low, high, (30, 3)), q)
        near = rng.choice([-1.0, 0.0, 1.0], (2, 30, 3)) * 10.0 ** rng.uniform(-14, -6, (2, 30, 3))
        q = np.clip(q + near[0], low, high)
        seeds = np.clip(q + math.pi * rng.integers(-1, 2, (30, 3)) + near[1], low, high)
        targets = arm.forward_kinematics(q)[:, : rng.integers(2, 4)]
        for seed in (None, seeds):
            rows = arm.solve_batch(targets, seed=seed)
            for number, (target, row) in enumerate(zip(targets.tolist(), rows)):
                one = arm.solve(*target, seed=None if seed is None else tuple(seed[number]))
                told = f'{arm!r}, {target}, {seed is not None and seed[number].tolist()}'
                assert row == pytest.approx(one, abs=1e-4), told


@pytest.mark.parametrize(
    ('lengths', 'limits', 'point'),
    [
        (
            (0.3, 0.1, 0.4),
            (None, (-7.0, 7.0), (-4.4, 9.4)),
            (-0.13660262265765383, -0.30103458540369366),
        ),
        (
            (0.2, 0.5, 0.3),
            (None, (-1.831214190288489, -0.20633254899040465), (-4.5, 9.5)),
            (0.3957577704267328, -0.040974325101880406),
        ),
        ((0.3, 0.3, 0.3), ((-2.994, TURN - 2.994 - 7e-12), (-0.7, 2.4), (0.0, 9.4)), (0.05, -0.11)),
    ],
    ids=['from half a turn on', 'by either shoulder', 'a sliver'],
)
def test_of_equally_wide_orientations_a_batch_takes_the_same_one(lengths, limits, point):
    """Also where one of them begins at half a turn, or where rounding has split one of them."""
    arm = PlanarArm(lengths, limits)
    for mode in ('free', 'centered'):
        (row,) = arm.solve_batch([point], orientation_mode=mode)
        assert row == pytest.approx(arm.solve(*point, orientation_mode=mode), abs=1e-7)
