# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Each step of a batch against the same step for one target."""

import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_arm, random_joints, tip

from ik_circles import PlanarArm
from ik_circles.geometry.arcs import about_centers, nearest_arc
from ik_circles.geometry.intervals import taken_orientation
from ik_circles.planar.batch import Batch, gaps
from ik_circles.planar.batch.nearest import distance_to_arcs
from ik_circles.planar.batch.poses import chosen, elbows, reached
from ik_circles.planar.selection import BRANCHES, ORIENTATION_MODES, choose

ALIKE = 1e-9  # [rad, 1 of the reach]


def plain_arm(rng):
    """Links of ordinary lengths; limits of less than a turn, of more, or none."""
    limits = []
    for _ in range(3):
        lower = rng.uniform(-7.0, 1.0)
        limits.append((lower, lower + rng.uniform(0.3, 12.0)) if rng.random() < 0.8 else None)
    return PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)


def own_poses(rng, arm, count=12):
    """Poses of an arm, some of them turned to where it may not reach: x, y, phi (N,)."""
    some = [tip(arm, random_joints(rng, arm)) for _ in range(count)]
    points = np.array([point for point, _ in some])
    phi = np.array([phi for _, phi in some]) + rng.choice([0.0, 0.5, 2.0], count)
    return points.real, points.imag, np.remainder(phi + math.pi, math.tau) - math.pi


def test_of_both_elbows_a_batch_chooses_as_for_one_pose():
    """Whatever the branch and the seed; a joint of more than a turn at the turn next to it."""
    rng, seen = np.random.default_rng(0), 0
    for number in range(cases(1500)):
        arm = plain_arm(rng)
        x, y, phi = own_poses(rng, arm)
        seed = rng.uniform(-9.0, 9.0, (len(x), 3)) if number % 3 else None
        branch = BRANCHES[number % 3]
        found = chosen(arm.solver, x, y, phi, seed, branch)
        for row in range(len(x)):
            near = None if seed is None else tuple(seed[row].tolist())
            every = arm.solver.solutions(*map(float, (x[row], y[row], phi[row])), near)
            one = choose(arm.solver.model, every, near, branch) if near else next(iter(every), None)
            if near is None and one:  # of a continuous joint, half a turn is either way round
                off = np.subtract(found[row], one)
                turns = math.tau * np.rint(off / math.tau) * np.isinf(arm.limits)[:, 0]
                found[row] -= turns
            assert found[row] == pytest.approx(one or [math.nan] * 3, abs=1e-6, nan_ok=True)
            seen += one is not None
    assert seen > cases(6000)


def test_what_a_batch_has_no_doubt_about_is_so_for_one_pose():
    rng, doubts, seen = np.random.default_rng(1), 0, {True: 0, False: 0}
    for _ in range(cases(1000)):
        arm = plain_arm(rng)
        x, y, phi = own_poses(rng, arm)
        x, y, phi = (one + rng.choice([0.0, 1e-9]) for one in (x, y, phi))
        both = elbows(arm.solver, x, y, phi)
        works = reached(arm.solver, x, y, phi)
        for row, asked in enumerate(np.column_stack((x, y, phi)).tolist()):
            is_reached = arm.solver.reaches(*asked)
            assert works[row] == is_reached
            assert both.doubtful[row] or both.inside[:, row].any() == is_reached
            assert math.sqrt(both.square[row]) == pytest.approx(
                abs(complex(*asked[:2]) - arm.link_lengths[2] * np.exp(1j * asked[2]))
            )
            seen[is_reached] += 1
            doubts += both.doubtful[row]
    assert min(seen.values()) > cases(1000)
    assert doubts < 0.75 * sum(seen.values())


def test_the_gaps_of_points_are_the_intervals_of_each_and_so_is_what_is_taken_from_them():
    rng, seen = np.random.default_rng(2), 0
    for number in range(cases(800)):
        arm = plain_arm(rng)
        x, y, phi = own_poses(rng, arm)
        phi = phi + rng.uniform(-3.0, 3.0, len(phi))
        some = gaps.gaps_of(arm.orientations, x, y)
        widths = np.where(some.open, some.upper - some.lower, 0.0).sum(axis=0)
        assert widths / math.tau == pytest.approx(
            gaps.share_of_turn(arm.orientations, [(x, y)]), abs=ALIKE
        )
        for wanted in (None, phi):
            taken = gaps.taken_orientation(some, wanted)
            for row, point in enumerate(np.column_stack((x, y)).tolist()):
                every = arm.orientation_intervals(*point)
                assert sum(b - a for a, b in every) == pytest.approx(widths[row], abs=1e-5)
                if max((b - a for a, b in every), default=0.0) > 1e-3:
                    one = taken_orientation(every, None if wanted is None else float(phi[row]))
                    assert abs(math.remainder(taken[row] - one, math.tau)) <= 1e-5
                    seen += 1
        beyond = np.full(1, 1.5 * arm.max_reach)
        nothing = gaps.gaps_of(arm.orientations, beyond, 0.0 * beyond)
        assert not nothing.open.any()
        assert np.isnan(gaps.taken_orientation(nothing, None if number % 2 else beyond))
    assert seen > cases(5000)


def test_of_two_places_of_a_point_the_share_is_that_of_both_together():
    rng = np.random.default_rng(3)
    for _ in range(cases(200)):
        arm = plain_arm(rng)
        x, y, _ = own_poses(rng, arm, 2)
        both = gaps.share_of_turn(arm.orientations, [(x[:1], y[:1]), (x[1:], y[1:])])[0]
        scan = np.linspace(-math.pi, math.pi, 720)
        works = [reached(arm.solver, *np.broadcast_arrays(x[n], y[n], scan)) for n in (0, 1)]
        assert both == pytest.approx(np.mean(works[0] | works[1]), abs=0.02)


def test_distances_to_arcs_are_those_of_each_point_also_from_afar():
    rng = np.random.default_rng(4)
    for _ in range(cases(800)):
        arm = random_arm(rng)
        arcs, same = [one.arc for one in arm.workspace.critical_arcs], arm.workspace.same_distance
        points = rng.normal(size=(8, 2)) * arm.max_reach * 10.0 ** rng.uniform(-1.0, 1.0, (8, 1))
        least, which, offset = distance_to_arcs(arcs, *points.T, same)
        for row, point in enumerate(map(tuple, points.tolist())):
            distance, number = nearest_arc(about_centers(arcs), point, same)
            assert least[row] == pytest.approx(distance, rel=1e-9, abs=ALIKE * arm.max_reach)
            arc = arcs[which[row]]
            assert arc.distance_to(point) <= distance + ALIKE * arm.max_reach
            place = arc.point_at(arc.start + offset[row])
            assert 0.0 <= offset[row] <= arc.sweep
            assert math.dist(place, point) == pytest.approx(least[row], abs=ALIKE * arm.max_reach)
            assert number <= which[row] or least[row] <= distance + 2.0 * same


@pytest.mark.parametrize('mode', ORIENTATION_MODES)
def test_in_a_batch_an_orientation_gives_way_as_far_as_for_one_target(mode):
    """Up to the tolerance; with no seed, with one, and with one for each."""
    rng, seen = np.random.default_rng(5), {True: 0, False: 0}
    for number in range(cases(200, least=10)):
        arm = plain_arm(rng)
        targets = np.column_stack(own_poses(rng, arm, 6))
        targets[:, 2] += rng.uniform(-1.0, 1.0, 6)
        seeds = (None, rng.uniform(-3.0, 3.0, 3), rng.uniform(-3.0, 3.0, (6, 3)))[number % 3]
        near = [None] * 6 if seeds is None else np.broadcast_to(seeds, (6, 3)).tolist()
        for tolerance in (0.0, 0.5, math.pi):
            policy = {'orientation_mode': mode, 'orientation_tolerance': tolerance}
            found = arm.solve_batch(targets, seed=seeds, **policy)
            for row, target, seed in zip(found.tolist(), targets.tolist(), near):
                one = arm.solve(*target, seed=seed, **policy)
                assert (one is None) == math.isnan(row[0])
                if one is not None:
                    assert abs(math.remainder(sum(row) - sum(one), math.tau)) <= 1e-5
                    assert tip(arm, row)[0] == pytest.approx(complex(*target[:2]), abs=ALIKE)
                seen[one is None] += 1
    assert seen[False] > cases(1000)
    assert seen[True] > cases(200) or mode in ('free', 'centered')


@pytest.mark.parametrize(('branch', 'sign'), [('elbow_up', -1.0), ('elbow_down', 1.0)])
def test_in_a_batch_a_named_elbow_is_taken_wherever_it_is_for_one_point(branch, sign):
    rng, other = np.random.default_rng(7), 0
    for _ in range(cases(400)):
        limits = [(-rng.uniform(0.1, 3.0), rng.uniform(0.1, 3.0)) for _ in range(3)]
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        x, y, _ = own_poses(rng, arm)
        found = arm.solve_batch(np.column_stack((x, y)), branch=branch)
        first = arm.solve_batch(np.column_stack((x, y)))
        for row, place in enumerate(zip(x.tolist(), y.tolist())):
            one = arm.solve(*place, branch=branch)
            assert found[row] == pytest.approx(one, abs=1e-6)
            other += sign * math.sin(one[1]) > 1e-3 and sign * math.sin(first[row, 1]) < -1e-3
    assert other > cases(400)


def test_points_with_less_room_than_is_asked_for_are_doubtful():
    rng, seen = np.random.default_rng(8), 0
    for _ in range(cases(200)):
        arm = plain_arm(rng)
        x, y = rng.uniform(-1.1, 1.1, (2, 40)) * arm.max_reach
        room, crossings = rng.uniform(0.0, 0.3) * arm.max_reach, Batch(arm.workspace).crossings
        _, margin, doubtful = crossings.verdicts(x, y, room)
        _, _, without = crossings.verdicts(x, y)
        is_near, is_far = np.abs(margin) < 0.999 * room, np.abs(margin) > 1.001 * room
        assert doubtful[is_near].all()
        beside = np.abs(np.hypot(x, y) - arm.max_reach) > 1.001 * room
        beside &= np.abs(np.hypot(x, y) - arm.min_reach) > 1.001 * room
        assert (doubtful == without)[is_far & beside].all()
        seen += is_near.sum()
    assert seen > cases(1000)


def test_near_the_seed_a_batch_keeps_to_small_steps_as_for_one_point():
    """There, the orientation may give way."""
    rng, gave_way = np.random.default_rng(9), 0
    for _ in range(cases(600)):
        limits = [(-rng.uniform(0.1, 3.0), rng.uniform(0.1, 3.0)) for _ in range(3)]
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        seed = rng.uniform(*np.transpose(limits))
        near = np.clip(seed + rng.uniform(-0.3, 0.3, (12, 3)), *np.transpose(limits))
        points = np.array([tip(arm, q)[0] for q in near])
        found = arm.solve_batch(np.column_stack((points.real, points.imag)), seed=seed)
        for point, row in zip(points.tolist(), found):
            one = arm.solve(point.real, point.imag, seed=seed)
            assert row == pytest.approx(one, abs=1e-6)
            gave_way += abs(sum(one) - sum(seed)) > 1e-3
    assert gave_way > cases(600)


@pytest.mark.parametrize('side', [-1.0, 1.0])
def test_next_to_a_limit_a_batch_flings_no_joint_round_unless_one_point_would(side):
    """The others are next to 0. A little past the limit, the orientation may be kept far away."""
    rng, flung = np.random.default_rng(10), 0
    for _ in range(cases(400, least=10)):
        limits = [(-3.1, 3.1), *([(-3.1, 3.1)] * 2 if rng.random() < 0.5 else [None] * 2)]
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3)), limits)
        near = 10.0 ** rng.uniform(-1.2, -0.3)
        from_end, past = near * rng.uniform(0.0, [[1.0], [2.0]], (2, 12))
        bent = near * rng.normal(scale=0.7, size=(12, 2))
        seeds = np.column_stack((side * (3.1 - from_end), bent))
        turned = bent + near * rng.normal(scale=0.2, size=(12, 2))
        places = [tip(arm, q)[0] for q in np.column_stack((seeds[:, 0] + side * past, turned))]
        points = np.column_stack((np.real(places), np.imag(places)))
        for point, seed, row in zip(points.tolist(), seeds, arm.solve_batch(points, seed=seeds)):
            one = arm.solve(*point, seed=tuple(seed)) or (math.nan,) * 3
            assert row == pytest.approx(one, abs=1e-6, nan_ok=True)
            flung += np.abs(one - seed).max() > 1.0
    assert flung > cases(300)
