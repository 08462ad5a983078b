# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A floor in the plane: what is answered with it, against the same arm without it."""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
from consistency import assert_closes
from law_cases import cases
from random_arms import TURN, outside_by, random_arm, random_joints, tip

from ik_circles import Code, Floor, InvalidArmError, NotFiniteError, PlanarArm
from ik_circles.planar.floor.above import AboveFloor
from ik_circles.planar.redundancy import REDUNDANCIES
from ik_circles.planar.selection import BRANCHES

ROUNDING = 1e-11  # of the arm's reach: more than the tolerance of the floor, and of a closed pose
#: Orientations this near to the end of an interval may be on either side of it [rad].
NEAR_END = 1e-5
ARM = PlanarArm((0.4, 0.3, 0.2))


def arm_above(rng):
    """A random arm with a floor near to its base, up anywhere; now and then a carried point."""
    arm = random_arm(rng)
    carried = [rng.uniform(-0.3, 0.3, 2) * arm.max_reach] if rng.random() < 0.3 else []
    up = math.pi / 2.0 if rng.random() < 0.5 else rng.uniform(-math.pi, math.pi)
    return replace(arm, floor=Floor(rng.uniform(-0.7, 0.3) * arm.max_reach, up, tuple(carried)))


def free(arm):
    """The same arm without its floor."""
    return replace(arm, floor=None)


def lowest(arm, q):
    """Height of the lowest of elbow, wrist, tip and carried points above the floor [m]."""
    q1, q2, q3 = q
    links = arm.link_lengths * np.exp(1j * np.cumsum((q1, q2, q3)))
    points = [*np.cumsum(links)]
    turned = np.exp(1j * (q1 + q2 + q3))
    points += [points[1] + complex(*one) * turned for one in arm.floor.carried]
    up = np.exp(1j * arm.floor.up)
    return min((point * up.conjugate()).real for point in points) - arm.floor.height


def targets(rng, arm):
    """Own poses of the arm, and poses anywhere."""
    for _ in range(3):
        yield tip(arm, random_joints(rng, arm))
    yield complex(*rng.uniform(-0.8, 0.8, 2)) * arm.max_reach, rng.uniform(-math.pi, math.pi)


def same(q, others):
    gaps = ([abs(math.remainder(a - b, TURN)) for a, b in zip(q, one)] for one in others)
    return any(max(gap) < 1e-4 for gap in gaps)


@pytest.mark.parametrize('seed', range(cases(600, 40)))
def test_solutions_are_those_without_the_floor_that_are_above_it(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    band = ROUNDING * arm.max_reach
    for point, phi in targets(rng, arm):
        told = f'{arm!r}, {point!r}, {phi!r}'
        found = arm.inverse_kinematics(point.real, point.imag, phi)
        for q in found:
            assert_closes(arm, q, point, phi, told)
            assert lowest(arm, q) >= -band, told
        wrist = point - arm.link_lengths[2] * cmath.exp(1j * phi)
        if arm.has_families or abs(wrist) <= band:  # joint 1 is free, and another member is taken
            continue
        assert len(set(found)) == len(found), told
        every = free(arm).inverse_kinematics(point.real, point.imag, phi)
        for q in every:
            assert q in found or same(q, found) or lowest(arm, q) <= band, told
        assert all(same(q, every) for q in found), told


@pytest.mark.parametrize('seed', range(cases(600, 40)))
def test_own_poses_above_the_floor_are_reached(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    for _ in range(8):
        q = random_joints(rng, arm)
        (point, phi), told = tip(arm, q), f'{arm!r}, {q!r}'
        if lowest(arm, q) >= 0.0:
            x, y = point.real, point.imag
            assert arm.inverse_kinematics(x, y, phi), told
            assert arm.check_reachability(x, y).code is Code.OK, told
            assert arm.check_reachability(x, y, phi).code is Code.OK, told
            assert outside_by(arm.orientation_intervals(x, y), phi) <= NEAR_END, told
            assert lowest(arm, arm.solve(x, y)) >= -ROUNDING * arm.max_reach, told


@pytest.mark.parametrize('seed', range(cases(300)))
def test_intervals_are_what_a_dense_search_finds(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    if arm.has_families:
        return
    point, _ = tip(arm, random_joints(rng, arm))
    x, y = point.real, point.imag
    found, told = arm.orientation_intervals(x, y), f'{arm!r}, {x!r}, {y!r}'
    for phi in np.linspace(-math.pi, math.pi, 61).tolist():
        above = [q for q in free(arm).inverse_kinematics(x, y, phi) if lowest(arm, q) >= 0.0]
        within = any((phi - a) % TURN <= b - a for a, b in found)
        near_end = min((abs(math.remainder(phi - end, TURN)) for one in found for end in one),
                       default=math.inf)  # fmt: skip
        assert within == bool(above) or near_end <= NEAR_END, told
        assert bool(arm.inverse_kinematics(x, y, phi)) == within or near_end <= NEAR_END, told


def test_the_very_ends_of_intervals_work():
    """Law: a pose may be lower than its interval by what rounding does to that."""
    for seed in range(cases(1200)):
        rng = np.random.default_rng(seed)
        arm = arm_above(rng)
        if arm.has_families:
            continue
        for point, _ in targets(rng, arm):
            x, y = point.real, point.imag
            for end in (end for one in arm.orientation_intervals(x, y) for end in one):
                assert arm.inverse_kinematics(x, y, end), f'{arm!r}, {x!r}, {y!r}, {end!r}'


@pytest.mark.parametrize('seed', range(cases(600, 40)))
def test_the_code_is_floor_where_only_the_floor_is_in_the_way(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    for point, phi in targets(rng, arm):
        x, y = point.real, point.imag
        for target in ((x, y), (x, y, phi)):
            told = f'{arm!r}, {target!r}'
            found, other = arm.check_reachability(*target), free(arm).check_reachability(*target)
            intervals = arm.orientation_intervals(x, y)
            assert found.position_reachable == bool(intervals), told
            assert intervals == found.orientation_intervals, told
            if other.reachable and not found.reachable:
                assert found.code is Code.FLOOR, told
                assert 'below the floor' in found.message, told
            elif found.code is Code.FLOOR:
                assert other.code is Code.ORIENTATION, told
                assert not found.position_reachable, told
            else:
                assert found.code is other.code, told


@pytest.mark.parametrize('seed', range(cases(300, 40)))
def test_nearest_is_attained_and_margin_is_a_lower_bound(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    band = ROUNDING * arm.max_reach
    for point, _ in targets(rng, arm):
        told = f'{arm!r}, {point!r}'
        found = arm.check_reachability(point.real, point.imag)
        nearest, q = found.nearest, found.nearest_joint_positions
        if nearest is None:
            assert math.isnan(found.margin), told
            assert q is None, told
            continue
        place = complex(nearest.x, nearest.y)
        assert_closes(arm, q, place, nearest.phi, told)
        assert lowest(arm, q) >= -band, told
        if not found.reachable:
            assert found.margin == pytest.approx(-abs(place - point), rel=1e-12), told
        elif found.margin > 1e-6 * arm.max_reach:
            for direction in np.exp(1j * rng.uniform(0.0, TURN, 8)):
                around = point + (1.0 - 1e-9) * found.margin * direction
                assert arm.orientation_intervals(around.real, around.imag), told


@pytest.mark.parametrize('seed', range(cases(200, 40)))
def test_the_depth_is_the_least_of_all_solutions(seed):
    rng = np.random.default_rng(seed)
    arm = replace(arm_above(rng), floor=None)
    arm = replace(arm, floor=Floor(rng.uniform(-0.3, 0.5) * arm.max_reach))
    if arm.has_families:
        return
    for point, phi in (*targets(rng, arm), *targets(rng, arm)):
        found = arm.check_reachability(point.real, point.imag)
        if found.code is not Code.FLOOR:
            continue
        _, depth = found.depth
        tried = (free(arm).inverse_kinematics(point.real, point.imag, phi)
                 for phi in np.linspace(0.0, TURN, 120).tolist())  # fmt: skip
        least = min((-lowest(arm, q) for some in tried for q in some), default=math.inf)
        assert depth <= least + ROUNDING * arm.max_reach, f'{arm!r}, {point!r}'


@pytest.mark.parametrize('seed', range(cases(200)))
def test_every_choice_is_above_the_floor(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    point, phi = next(targets(rng, arm))
    near = random_joints(rng, arm)
    for redundancy in REDUNDANCIES:
        for seeded in (None, near):
            for branch in BRANCHES:
                q = arm.solve(point.real, point.imag, seed=seeded, branch=branch,
                              redundancy=redundancy)  # fmt: skip
                assert q is None or lowest(arm, q) >= -ROUNDING * arm.max_reach, f'{arm!r}, {q!r}'
    q = arm.solve(point.real, point.imag, phi)
    assert (q is None) == (arm.orientation_intervals(point.real, point.imag) == []), f'{arm!r}'


def test_batches_are_as_single_targets():
    rng = np.random.default_rng(0)
    for _ in range(cases(60)):
        arm = arm_above(rng)
        rows = np.array([(p.real, p.imag, phi) for p, phi in targets(rng, arm)])
        for some in (rows, rows[:, :2]):
            found = arm.check_reachability_batch(some)
            one = [arm.check_reachability(*row) for row in some.tolist()]
            assert found.code.tolist() == [each.code for each in one]
            np.testing.assert_array_equal(found.margin, [each.margin for each in one])
            solved = [arm.solve(*row) or [math.nan] * 3 for row in some.tolist()]
            np.testing.assert_array_equal(arm.solve_batch(some), solved)
        shares = arm.dexterity(rows[:, 0], rows[:, 1])
        assert shares == pytest.approx([arm.dexterity(x, y) for x, y, _ in rows.tolist()])


def test_a_case_to_check_by_hand():
    """The base is 0.1 m above the floor; link 3 of 0.2 m may not point up from there."""
    arm = replace(ARM, floor=Floor(-0.1))
    found = arm.check_reachability(0.5, 0.0, math.radians(80.0))
    assert found.code is Code.FLOOR
    assert found.position_reachable
    assert found.message == (
        'not with tool orientation 80.0 deg: the wrist would be 0.097 m below the floor; '
        'the nearest that works is 30.0 deg'
    )
    assert arm.check_reachability(0.5, -0.12).message == 'the tip would be 0.020 m below the floor'
    assert arm.check_reachability(0.5, -0.1).reachable
    assert arm.check_reachability(0.5, -0.12).nearest[:2] == pytest.approx((0.5, -0.1))


def test_no_point_above_the_floor():
    found = replace(ARM, floor=Floor(1.0)).check_reachability(0.5, 0.0)
    assert (found.code, found.nearest, found.orientation_intervals) == (Code.FLOOR, None, [])
    assert 'the joint limits and the floor allow no point' in found.message


def test_what_a_floor_may_be():
    with pytest.raises(NotFiniteError, match='the height of the floor'):
        Floor(math.nan)
    with pytest.raises(InvalidArmError, match=r'floor is 0\.1; give Floor'):
        PlanarArm((1.0, 1.0, 1.0), floor=0.1)


def test_ranges_above_the_floor_that_overlap_some_turns_away_both_count():
    """Joint 1 from 1 rad to half a turn, and after a turn from there to 2 rad: all of the half."""
    parted, whole = (
        PlanarArm((0.4, 0.3, 0.2), ((lower, upper), (0.5, 1.0), (0.0, 0.5)), Floor(0.0))
        for lower, upper in ((1.0, math.tau + 2.0), (0.0, math.pi))
    )
    rng = np.random.default_rng(12)
    reached = 0
    for x, y in rng.uniform((-0.9, 0.0), (0.9, 0.9), (60, 2)).tolist():
        found, expected = (one.orientation_intervals(x, y) for one in (parted, whole))
        assert np.allclose(found, expected, rtol=0.0, atol=1e-9)
        reached += bool(found)
    assert reached > 10
    thrice = replace(whole, joint_limits=((0.5, 2.0 * math.tau + 2.0), *whole.joint_limits[1:]))
    for arm, ranges in ((parted, 2), (whole, 1), (thrice, 1)):
        assert len(AboveFloor(arm, arm.floor).distinct) == ranges
