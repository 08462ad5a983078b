# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A tree with several end effectors: a fork wherever there is one, and every tip on its target."""

import cmath
import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles.limbs import LinkTree

#: Trees, and sets of targets for each.
TREES, SETS = cases(10_000, 50), 5
CLOSURE = 1e-12  # of the tree's reach


def random_tree(rng):
    """A trunk of 0 to 3 links and 1 to 5 limbs of 1 to 4."""
    trunk = rng.uniform(0.0, 1.0, rng.integers(4))
    limbs = [rng.uniform(0.05, 1.0, rng.integers(1, 5)) for _ in range(rng.integers(1, 6))]
    kind = rng.integers(6)
    if kind == 0:
        limbs = [np.ones(3) for _ in limbs]
    elif kind == 1:
        limbs[0] *= 1e-4
    size = 10.0 ** rng.uniform(-6.0, 6.0) if kind == 2 else 1.0
    return LinkTree(
        tuple((size * trunk).tolist()), tuple(tuple((size * limb).tolist()) for limb in limbs)
    )


def end_of(lengths, angles, place=0j, direction=0.0):
    for length, angle in zip(lengths, angles):
        direction += angle
        place += cmath.rect(length, direction)
    return place, direction


def random_angles(rng, count):
    """Any, now and then straight or folded."""
    angles = rng.uniform(-math.pi, math.pi, count)
    kind = rng.integers(6)
    if kind < 2:
        angles[1:] = (0.0, math.pi)[kind]
    return angles


def random_truth(rng, tree):
    """A fork, and targets that the limbs reach from it."""
    fork, direction = end_of(tree.trunk, random_angles(rng, len(tree.trunk)))
    tips = [end_of(limb, random_angles(rng, len(limb)), fork, direction)[0] for limb in tree.limbs]
    return fork, [(tip.real, tip.imag) for tip in tips]


def largest_miss(tree, shape, targets):
    """By the joint angles alone: of the fork, and of each tip from its target."""
    fork, direction = end_of(tree.trunk, shape.trunk.joint_angles)
    misses = [abs(fork - complex(*shape.fork))]
    for lengths, limb, target in zip(tree.limbs, shape.limbs, targets, strict=True):
        tip, _ = end_of(lengths, limb.joint_angles, fork, direction)
        misses.append(abs(tip - complex(*target)))
    return max(misses)


def test_whatever_joints_can_do_is_found_and_closes():
    rng = np.random.default_rng(0)
    for _ in range(TREES):
        tree = random_tree(rng)
        for _ in range(SETS):
            _, targets = random_truth(rng, tree)
            for policy in ('even', 'outermost'):
                shape = tree.solve(targets, policy)
                assert shape is not None, (tree, targets)
                miss = largest_miss(tree, shape, targets)
                assert miss <= CLOSURE * tree.reach, (miss, tree, targets)


def test_none_means_that_no_fork_reaches():
    """Forks sampled all over the trunk's disc, against the limbs' zones by their formula."""
    rng = np.random.default_rng(1)
    none = 0
    for _ in range(cases(1500)):
        tree = LinkTree((0.5, 0.4), ((0.5, 0.2), (0.3, 0.4), (0.6, 0.1)))
        targets = [tuple(rng.uniform(-1.0, 1.0, 2).tolist()) for _ in tree.limbs]
        shape = tree.solve(targets)
        forks = rng.uniform(-0.9, 0.9, 4000) + 1j * rng.uniform(-0.9, 0.9, 4000)
        works = (np.abs(forks) >= 0.1) & (np.abs(forks) <= 0.9)
        for target, limb in zip(targets, tree.limbs):
            away = np.abs(forks - complex(*target))
            works &= (away >= 2.0 * max(limb) - sum(limb)) & (away <= sum(limb))
        assert shape is not None or not works.any(), targets
        none += shape is None
    assert cases(150) < none < cases(1350)


def test_the_fork_is_the_nearest_of_all_that_work():
    rng = np.random.default_rng(2)
    for _ in range(cases(4000)):
        tree = random_tree(rng)
        fork, targets = random_truth(rng, tree)
        near = tree.reach * complex(*rng.uniform(-1.0, 1.0, 2))
        found = tree.fork_near(targets, (near.real, near.imag))
        assert abs(complex(*found) - near) <= abs(fork - near) + 1e-9 * tree.reach
        rings = tree.rings(targets)
        assert all(ring.contains(found, 1e-12 * tree.reach) for ring in rings)
        solved = tree.solve(targets, fork=(near.real, near.imag))
        assert solved.fork == pytest.approx(found, abs=1e-15 * tree.reach)


def test_a_fork_that_works_is_kept():
    rng = np.random.default_rng(3)
    for _ in range(1000):
        tree = random_tree(rng)
        fork, targets = random_truth(rng, tree)
        assert tree.fork_near(targets, (fork.real, fork.imag)) == (fork.real, fork.imag)


def test_near_makes_small_steps_of_small_steps():
    """Tips follow circles; joints move by more than their targets only where links are straight or
    folded, and then by the root."""
    tree = LinkTree((0.3, 0.3), ((0.4, 0.3, 0.2), (0.3, 0.3, 0.3), (0.5, 0.4)))
    shape = tree.solve(orbit(0.0))
    assert shape is not None
    steps = cases(20_000)
    step, jolts = 2.0 * math.pi / steps, []
    for number in range(1, steps + 1):
        moved = tree.solve(orbit(number * step), 'near', previous=shape)
        assert moved is not None
        jolts.append(largest_step(shape, moved))
        shape = moved
    assert max(jolts) <= 2.0 * math.sqrt(step)
    assert np.median(jolts) <= 2.0 * step


def orbit(phase):
    return [
        (0.7 + 0.2 * math.cos(phase + number), 0.3 * number - 0.3 + 0.2 * math.sin(phase + number))
        for number in range(3)
    ]


def largest_step(shape, moved):
    return max(
        math.dist(a, b)
        for before, after in zip((shape.trunk, *shape.limbs), (moved.trunk, *moved.limbs))
        for a, b in zip(before.points, after.points)
    )


def test_sides_are_those_of_each_limb():
    tree = LinkTree((), ((1.0, 1.0), (1.0, 1.0)))
    shape = tree.solve([(1.0, 0.0), (1.0, 0.0)], limb_sides=('left', 'right'))
    assert shape.limbs[0].points[1][1] > 0.0 > shape.limbs[1].points[1][1]


def test_moved_with_its_base_the_shape_is_the_same():
    tree = LinkTree((0.5, 0.4), ((0.5, 0.4), (0.5, 0.4, 0.1)))
    targets = [(1.1, 0.3), (0.9, -0.5)]
    there = tree.solve([(x + 3.0, y - 2.0) for x, y in targets], base=(3.0, -2.0))
    here = tree.solve(targets)
    for a, b in zip((here.trunk, *here.limbs), (there.trunk, *there.limbs)):
        assert a.joint_angles == pytest.approx(b.joint_angles, abs=1e-12)


# --- degenerate cases -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('trunk', 'limbs', 'targets'),
    [
        ((), ((1.0, 1.0), (1.0, 1.0)), [(2.0, 0.0), (0.0, 0.0)]),
        ((1.0,), ((1.0,), (1.0,)), [(1.0, 1.0), (2.0, 0.0)]),
        ((1.0, 1.0), ((1.0, 1.0), (1.0, 1.0)), [(4.0, 0.0), (4.0, 0.0)]),
        ((1.0, 0.0), ((1.0, 1.0),), [(0.0, 3.0)]),
        ((1.0, 1.0), ((1.0,), (1.0,)), [(-1.0, 0.0), (1.0, 0.0)]),
        ((1.0, 1.0), ((0.0, 0.0, 1.0), (1.0, 0.0)), [(1.0, 0.0), (1.0, 0.0)]),
        ((1.0, 1.0), ((1.0, 1.0),), [(0.0, 0.0)]),
    ],
    ids=['no trunk', 'all rings are circles', 'straight', 'trunk ends in no length',
         'fork between targets', 'links of no length', 'target on the base'],
)  # fmt: skip
@pytest.mark.parametrize('policy', ['outermost', 'even', 'near'])
def test_degenerate_trees_close(trunk, limbs, targets, policy):
    tree = LinkTree(trunk, limbs)
    shape = tree.solve(targets, policy, previous=tree.solve(targets))
    assert largest_miss(tree, shape, targets) <= CLOSURE * tree.reach


def test_targets_too_far_apart_have_no_shape():
    tree = LinkTree((1.0, 1.0), ((1.0,), (1.0,)))
    assert tree.solve([(1.1, 0.0), (-1.1, 0.0)]) is None
    assert tree.solve([(1e300, 0.0), (-1e300, 0.0)]) is None
    assert tree.fork_near([(1.1, 0.0), (-1.1, 0.0)], (0.0, 0.0)) is None
