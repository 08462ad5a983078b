# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A robot that is a planar arm and nothing else chooses as the planar arm does."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_joints, random_limits
from robot_texts import joint, limit, robot

from ik_circles import PlanarArm, load_arm
from ik_circles.planar.redundancy import REDUNDANCIES
from ik_circles.planar.selection import BRANCHES, ORIENTATION_MODES

SAME = 1e-9  # [rad]


def joint_of(number, length, ends):
    kind, inner = ('continuous', '') if ends is None else ('revolute', limit(*ends))
    return joint(f'j{number}', number, number + 1, kind, xyz=(length, 0, 0), inner=inner)


def planar_robot(rng):
    """Three joints about base_link's z; most with joint limits."""
    *lengths, last = (0.0, *rng.uniform(0.1, 0.6, 3))
    joints = [joint_of(n, length, random_limits(rng)) for n, length in enumerate(lengths)]
    return load_arm(robot(*joints, joint('tip', 3, 4, xyz=(last, 0, 0))))


@cache
def robot_of(number):
    return planar_robot(np.random.default_rng(number))


def drawn(rng, planar):
    free = ((max(lower, -math.pi), min(upper, math.pi)) for lower, upper in planar.limits)
    return tuple(float(rng.uniform(*sorted(pair))) for pair in free)


@pytest.mark.parametrize('redundancy', REDUNDANCIES)
@pytest.mark.parametrize('mode', ORIENTATION_MODES)
def test_a_planar_robot_chooses_as_its_planar_arm(mode, redundancy):
    """With a seed and without phi, the robot weighed both elbows, the planar arm did not."""
    solved = 0
    for number in range(cases(200, least=4)):
        rng, arm = np.random.default_rng(number), robot_of(number)
        planar = arm.spatial.planar
        seed, (x, y, phi) = drawn(rng, planar), planar.forward_kinematics(drawn(rng, planar))
        named = dict(zip(arm.joint_names, seed))
        for branch, wanted, near in product(BRANCHES, (None, phi, phi + 1.0), (None, seed)):
            how = {'branch': branch, 'orientation_mode': mode, 'redundancy': redundancy}
            one = planar.solve(x, y, wanted, seed=near, **how)
            its = arm.solve((x, y, 0.0), wanted, seed=near and named, **how)
            told = planar, (x, y, wanted), near, how
            assert (one is None) == (its is None), told
            if one is not None:
                solved += 1
                assert list(its.values()) == pytest.approx(one, abs=SAME), told
    assert solved > cases(200)


def test_the_orientation_is_kept_before_a_smaller_change_with_another():
    """Links of 0.4, 0.3 and 0.1 m; the robot let its orientation go by 0.67 rad."""
    ends = (-3.0, 3.0), (-3.0, 3.0), (-1.0, 1.0)
    joints = [joint_of(n, length, ends[n]) for n, length in enumerate((0.0, 0.4, 0.3))]
    arm = load_arm(robot(*joints, joint('tip', 3, 4, xyz=(0.1, 0, 0))))
    found = arm.solve((0.7, 0.0, 0.0), seed={'j0': 0.0, 'j1': 1.0, 'j2': 0.0})
    assert sum(found.values()) == pytest.approx(1.0, abs=SAME)


def test_four_things_decide_in_one_order():
    """By hand: links of 0.4, 0.3 and 0.2 m; joint 3 ends at 0.2 rad. The tool's orientation 0.5 rad
    leaves only the lower elbow."""
    ends, own = ((-3.0, 3.0), (-2.5, 2.5), (-2.5, 0.2)), (0.2, 0.9, -0.6)
    joints = [joint_of(n, length, ends[n]) for n, length in enumerate((0.0, 0.4, 0.3))]
    arm = load_arm(robot(*joints, joint('tip', 3, 4, xyz=(0.2, 0, 0))))
    planar, named = PlanarArm((0.4, 0.3, 0.2), ends), dict(zip(arm.joint_names, own))
    x, y, phi = planar.forward_kinematics(own)

    def solved(*wanted, seed=own, **how):
        one = planar.solve(x, y, *wanted, seed=seed, **how)
        its = arm.solve((x, y, 0.0), *wanted, seed=dict(zip(named, seed)), **how)
        assert list(its.values()) == pytest.approx(one, abs=SAME)
        return one

    (only,) = planar.inverse_kinematics(x, y, phi)
    assert only == pytest.approx(own, abs=SAME)
    # the orientation that is asked for, then the branch
    assert solved(phi, branch='elbow_up') == pytest.approx(own, abs=SAME)
    # the branch, then the policy, which would keep the seed's orientation
    up = solved(branch='elbow_up')
    assert up[1] < 0.0 and abs(sum(up) - phi) > 0.1
    # the policy, then the smallest change, which would be none
    ((lower, upper),) = planar.orientation_intervals(x, y)
    centered = solved(redundancy='centered')
    assert sum(centered) == pytest.approx((lower + upper) / 2.0, abs=SAME)
    assert abs(sum(centered) - phi) > 0.05
    # the smallest change
    level = sum(up) - 0.2
    ways = planar.inverse_kinematics(x, y, level)
    assert len(ways) == 2
    for way in ways:
        assert solved(level, seed=way) == pytest.approx(way, abs=SAME)


def test_beside_its_plane_a_planar_robot_solves_nothing():
    """No joint turns the plane to the point. Up to a micrometer beside it, the plane counts."""
    rng = np.random.default_rng(17)
    for number in range(cases(200, least=8)):
        arm = robot_of(number)
        planar = arm.spatial.planar
        x, y, phi = planar.forward_kinematics(random_joints(rng, planar))
        for beside in (1.01e-6, -1.01e-6, 0.2, -0.9e-6, 0.0):
            point, is_there = (x, y, beside), abs(beside) <= 1e-6
            assert arm.check_reachability(point, phi).reachable == is_there
            for mode in ORIENTATION_MODES:
                assert (arm.solve(point, phi, orientation_mode=mode) is not None) == is_there
                rows = arm.solve_batch([[*point, phi]] * 2, orientation_mode=mode)
                assert (not np.isnan(rows).any()) == is_there
            assert (arm.solve(point) is not None) == is_there
