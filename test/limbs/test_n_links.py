# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""n links by circle intersections: closing everywhere inside the safe zones, and policies.

The only reference is forward kinematics by complex numbers, and the zones by their formula.
"""

import cmath
import math

import numpy as np
import pytest
from law_cases import cases
from random_arms import angle_between

from ik_circles import PlanarArm
from ik_circles.limbs import LinkChain
from ik_circles.planar.redundancy import outermost_orientations

#: Seeded cases of the laws of closing and of the zones, and of others; targets of each chain.
CASES, FEWER_CASES, TARGETS = cases(100_000, 50), cases(20_000, 50), 5
CLOSURE = 1e-12  # of the reach
POLICIES = 'outermost', 'even', 'near'
#: Root of the tolerance: what rounding moves a joint by where links are straight [m, rad].
ROUNDING_OF_STRAIGHT = 1e-6
#: A target's step of this share of the reach moves no joint by more than this times its root.
STEP, JOLT = 1e-4, 2.0


def zones_of(lengths):
    return max(0.0, 2.0 * max(lengths, default=0.0) - sum(lengths)), sum(lengths)


def random_chain(rng):
    """1 to 9 links; equal ones, some of length zero, one longer than the rest, of any sizes."""
    lengths = rng.uniform(0.01, 1.0, rng.integers(1, 10))
    kind = rng.integers(7)
    if kind == 0:
        lengths[:] = lengths[0]
    elif kind == 1:
        lengths[1:][rng.uniform(size=len(lengths) - 1) < 0.5] = 0.0
    elif kind == 2:
        lengths[rng.integers(len(lengths))] = lengths.sum() * rng.uniform(0.5, 2.0)
    elif kind == 3:
        lengths *= 10.0 ** rng.uniform(-8.0, 8.0)
    elif kind == 4:
        lengths = 10.0 ** rng.uniform(-9.0, 3.0, len(lengths))
    return LinkChain(tuple(lengths.tolist()))


def random_target(rng, chain):
    """Anywhere inside the zones: on them, to the last bit and beside them, and on the base."""
    inner, outer = zones_of(chain.link_lengths)
    kind = rng.integers(8)
    distance = rng.uniform(inner, outer)
    if kind < 4:
        beside = 10.0 ** rng.uniform(-17.0, -3.0) * (outer - inner)
        distance = (inner, outer, inner + beside, outer - beside)[kind]
    target = cmath.rect(distance, rng.uniform(-4.0, 4.0))
    return target.real, target.imag


def chains_and_targets(rng, count):
    """`count` targets, TARGETS for each chain."""
    for _ in range(count // TARGETS):
        chain = random_chain(rng)
        for _ in range(TARGETS):
            yield chain, random_target(rng, chain)


def random_shape(rng, chain):
    """Points that need not be a shape of the chain at all."""
    outer = chain.safe_zones.outer
    return [tuple(p) for p in rng.uniform(-outer, outer, (len(chain.link_lengths) + 1, 2)).tolist()]


def corners(lengths, angles):
    place, direction = 0j, 0.0
    yield place
    for length, angle in zip(lengths, angles):
        direction += angle
        place += cmath.rect(length, direction)
        yield place


def largest_miss(chain, shape, target):
    """Of points from those that the joint angles give, and of the tip from the target."""
    placed = list(corners(chain.link_lengths, shape.joint_angles))
    misses = [abs(complex(*a) - b) for a, b in zip(shape.points, placed, strict=True)]
    return max(*misses, abs(placed[-1] - complex(*target)))


def radii(shape):
    return [math.hypot(*point) for point in shape.points]


def test_inside_the_safe_zones_every_policy_closes():
    rng = np.random.default_rng(0)
    for number, (chain, target) in enumerate(chains_and_targets(rng, CASES // 2)):
        side = 'left' if number % 2 else 'right'
        for policy in POLICIES:
            told = chain, target, policy, side
            previous = random_shape(rng, chain)
            shape = chain.solve(target, policy, side=side, previous=previous)
            assert shape is not None, told
            assert shape.points[0] == (0.0, 0.0) and shape.points[-1] == target, told
            miss = largest_miss(chain, shape, target)
            assert miss <= CLOSURE * chain.safe_zones.outer, (miss, told)
            assert all(-math.pi < angle <= math.pi for angle in shape.joint_angles), told


def test_what_joints_can_reach_is_inside_the_safe_zones():
    rng = np.random.default_rng(1)
    for _ in range(CASES // TARGETS):
        chain = random_chain(rng)
        angles = rng.uniform(-3.2, 3.2, (TARGETS, len(chain.link_lengths)))
        angles[rng.uniform(size=angles.shape) < 0.3] = rng.choice([0.0, math.pi])
        for row in angles.tolist():
            *_, place = corners(chain.link_lengths, row)
            assert chain.solve((place.real, place.imag)) is not None, (chain, row)


def test_outside_of_the_safe_zones_there_is_none_and_the_nearest_inside_is_reached():
    rng = np.random.default_rng(2)
    for _ in range(CASES // TARGETS):
        chain = random_chain(rng)
        inner, outer = zones_of(chain.link_lengths)
        outside = (outer * (1.0 + 10.0 ** rng.uniform(-11.0, 100.0, TARGETS))).tolist()
        if inner > 1e-10 * outer:
            short = inner - outer * 10.0 ** rng.uniform(-11.0, 0.0, TARGETS)
            outside += np.maximum(short, 0.0).tolist()
        for distance, direction in zip(outside, rng.uniform(-4.0, 4.0, 2 * TARGETS).tolist()):
            target = cmath.rect(distance, direction)
            point = target.real, target.imag
            assert chain.solve(point) is None, (chain, point)
            nearest = chain.nearest_inside(point)
            assert chain.solve(nearest) is not None
            gap = max(distance - outer, inner - distance)
            assert abs(math.dist(nearest, point) - gap) <= 1e-13 * (outer + distance)


def test_outermost_has_no_larger_radius_with_which_both_sides_close():
    rng = np.random.default_rng(3)
    for chain, target in chains_and_targets(rng, FEWER_CASES):
        found = radii(chain.solve(target, 'outermost'))
        tolerance = 1e-12 * chain.safe_zones.outer
        for joint in range(1, len(chain.link_lengths)):
            _, outer = zones_of(chain.link_lengths[:joint])
            straight = found[joint + 1] + chain.link_lengths[joint]
            assert abs(found[joint] - min(outer, straight)) <= tolerance, (chain, target, joint)


def test_feasible_radii_are_just_those_with_which_both_sides_close():
    rng = np.random.default_rng(4)
    for chain, _ in chains_and_targets(rng, FEWER_CASES):
        joint = int(rng.integers(len(chain.link_lengths)))
        length, inside_zones = chain.link_lengths[joint], zones_of(chain.link_lengths[: joint + 1])
        distance = rng.uniform(*inside_zones)
        lower, upper = chain.feasible_radii(joint, distance)
        inner, outer = zones_of(chain.link_lengths[:joint])
        tolerance = 1e-13 * chain.safe_zones.outer
        assert lower <= upper + tolerance
        assert abs(lower - max(inner, abs(distance - length))) <= tolerance
        assert abs(upper - min(outer, distance + length)) <= tolerance


def test_near_takes_the_last_joint_nearest_to_where_it_was():
    rng = np.random.default_rng(6)
    for _ in range(CASES // 50):
        chain = LinkChain(tuple(rng.uniform(0.1, 1.0, 3).tolist()))
        target, previous = random_target(rng, chain), random_shape(rng, chain)
        shape = chain.solve(target, 'near', previous=previous)
        found = math.dist(shape.points[2], previous[2])
        first, second, third = chain.link_lengths
        for direction in rng.uniform(-4.0, 4.0, 50):
            wrist = complex(*target) + cmath.rect(third, direction)
            if max(abs(first - second), 0.051 * (first + second)) <= abs(wrist) <= first + second:
                assert found <= abs(wrist - complex(*previous[2])) + 1e-9


def test_near_leaves_a_shape_that_reaches_where_it_is():
    rng = np.random.default_rng(7)
    for chain, target in chains_and_targets(rng, FEWER_CASES):
        shape = chain.solve(target, 'outermost')
        if min(radii(shape)[2:], default=0.0) < 0.06 * chain.safe_zones.outer:
            continue  # the disc about the base that 'near' keeps out of
        again = chain.solve(shape.points[-1], 'near', previous=shape.points)
        moved = max(math.dist(a, b) for a, b in zip(shape.points, again.points))
        assert moved <= 1e-6 * chain.safe_zones.outer, (chain, shape, again)


def test_near_makes_small_steps_of_small_steps():
    """Across the workspace and past the base, from any shape; joints move by more than the target
    only where links are straight or folded, and then by its root."""
    rng = np.random.default_rng(8)
    steps, count = 0, cases(100)
    for number in range(count):
        lengths = (1.0,) * int(rng.integers(3, 6)) if number % 2 else rng.uniform(0.1, 1.0, 4)
        chain = LinkChain(tuple(lengths))
        outer = chain.safe_zones.outer
        points = [(p.real, p.imag) for p in corners(lengths, rng.uniform(-3.0, 3.0, len(lengths)))]
        start, end = complex(*points[-1]), complex(*random_target(rng, chain))
        shape = chain.solve(points[-1], 'near', previous=points)
        for share in np.linspace(0.0, min(1.0, 400 * STEP * outer / abs(end - start)), 400):
            place = start + share * (end - start)
            target = chain.nearest_inside((place.real, place.imag))
            moved = chain.solve(target, 'near', previous=shape.points)
            jolt = max(math.dist(a, b) for a, b in zip(shape.points, moved.points))
            step = math.dist(shape.points[-1], target) / outer
            assert jolt <= JOLT * math.sqrt(step + 1e-12) * outer, (chain, shape, target)
            shape, steps = moved, steps + 1
    assert steps == 400 * count


def test_turning_everything_turns_the_shape():
    rng = np.random.default_rng(9)
    for _ in range(300):
        chain = LinkChain(tuple(rng.uniform(0.1, 1.0, 4).tolist()))
        target = chain.safe_zones.outer * cmath.rect(rng.uniform(0.8, 1.0), rng.uniform(-4.0, 4.0))
        rotation = cmath.rect(1.0, rng.uniform(-4.0, 4.0))
        for policy in ('outermost', 'even'):
            shape = chain.solve((target.real, target.imag), policy)
            base = complex(*rng.uniform(-1.0, 1.0, 2))
            moved = base + rotation * target
            other = chain.solve(
                (moved.real, moved.imag), policy,
                base=(base.real, base.imag), direction=cmath.phase(rotation),
            )  # fmt: skip
            for a, b in zip(shape.points, other.points):
                assert abs(base + rotation * complex(*a) - complex(*b)) < ROUNDING_OF_STRAIGHT
            changes = map(angle_between, shape.joint_angles, other.joint_angles)
            assert max(changes) < 10.0 * ROUNDING_OF_STRAIGHT


# --- degenerate cases -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('lengths', 'target'),
    [
        ((1.0, 1.0), (0.0, 0.0)),
        ((1.0, 1.0, 1.0), (0.0, 0.0)),
        ((2.0, 1.0, 1.0), (0.0, 0.0)),
        ((1.0, 1.0, 2.0), (0.0, 0.0)),
        ((1.0, 0.0, 1.0), (0.0, 0.0)),
        ((5.0, 1.0, 1.0), (0.0, 3.0)),
        ((1.0, 5.0, 1.0), (-3.0, 0.0)),
        ((1.0, 1.0, 5.0), (0.0, -3.0)),
        ((1.0, 2.0, 3.0, 4.0), (10.0, 0.0)),
        ((0.0, 0.0, 1.0), (0.0, 1.0)),
        ((1.0, 0.0, 0.0), (0.0, 1.0)),
        ((0.7,), (0.0, 0.7)),
        ((1e12, 1e-12), (1e12, 0.0)),
        ((1e-320, 1e-200, 0.0, 1.0, 1e-320), (1.0, 0.0)),
    ],
    ids=['two on the base', 'three on the base', 'long first on the base', 'long last on the base',
         'middle of no length on the base', 'folded onto the first', 'folded onto the middle',
         'folded onto the last', 'straight', 'first two of no length', 'last two of no length',
         'one link', 'of very different lengths', 'of hardly any length'],
)  # fmt: skip
@pytest.mark.parametrize('policy', POLICIES)
def test_degenerate_chains_close(lengths, target, policy):
    chain = LinkChain(lengths)
    previous = [(0.3 * number, 0.1) for number in range(len(lengths) + 1)]
    shape = chain.solve(target, policy, previous=previous)
    assert largest_miss(chain, shape, target) <= CLOSURE * sum(lengths)


def test_two_links_are_the_two_branches():
    chain = LinkChain((0.4, 0.3))
    up, down = (chain.solve((0.5, 0.2), side=side) for side in ('left', 'right'))
    assert up.joint_angles[1] == pytest.approx(-down.joint_angles[1], abs=1e-14)
    assert up.joint_angles[1] < 0.0


# --- the three-joint arm --------------------------------------------------------------------------


def test_outermost_of_the_arm_without_limits_is_the_chain_s():
    rng = np.random.default_rng(11)
    for _ in range(FEWER_CASES):
        arm = PlanarArm(tuple(rng.uniform(0.1, 1.0, 3).tolist()))
        chain = LinkChain(arm.link_lengths)
        x, y = random_target(rng, chain)
        wrist = radii(chain.solve((x, y)))[2]
        for phi in outermost_orientations(arm.workspace, x, y):
            found = abs(complex(x, y) - cmath.rect(arm.link_lengths[2], phi))
            assert abs(found - wrist) <= 1e-9
