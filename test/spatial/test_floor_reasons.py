# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Above a floor, a reason other than FLOOR is that of the arm without it."""

import math

import numpy as np
from law_cases import cases
from spatial_arms import checked, limits_of, random_planar, spatial_arm, tips, yaw_joint

from ik_circles import Code, Floor, PlanarArm

OF_THE_FLOOR = Code.OK, Code.FLOOR


def lacks(arm, point, phi):
    """How much links 1 and 2 lack at the shoulder where they lack the least [m]."""
    (one, two, three), place = arm.planar.link_lengths, arm.yaw.place_of(*arm.plane.into(point))
    direction = np.array((math.cos(phi or 0.0), math.sin(phi or 0.0)))
    away = [math.hypot(*(at.point - three * direction)) for at, _ in arm.yaw.shoulders(place, 0.0)]
    return min((max(far - one - two, abs(one - two) - far) for far in away), default=math.nan)


def refusals(seeds):
    """Answers with and without a floor to targets that it does not decide; half are of a `phi`."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        planar = random_planar(rng)
        floor = Floor(rng.uniform(-0.6, 0.3) * planar.max_reach)
        above = PlanarArm(planar.link_lengths, planar.joint_limits, floor)
        yaw = yaw_joint(planar, limits_of(rng))
        arms = [spatial_arm(one, yaw) for one in (above, planar)]
        places, _ = tips(rng, arms[1], 4)
        for index, point in enumerate(rng.uniform(0.5, 1.5, (4, 3)) * places):
            phi = rng.uniform(-math.pi, math.pi) if index % 2 else None
            found, free = (checked(arm, tuple(point), phi) for arm in arms)
            if found.code not in OF_THE_FLOOR:
                yield f'{seed}, {index}', found, free, lacks(arms[1], tuple(point), phi)


def test_only_joints_that_the_limits_stop_are_named():
    """Law: a joint that only the floor keeps from the target is not named as past its limit. And if
    no shoulder's links reach with the orientation, the figure is the least of both."""
    compared, count = 0, cases(2000, 40)
    for told, found, free, least in refusals([430, 1356, *range(count)]):
        assert found.code is free.code, told
        assert found.message.split(';')[0] == free.message.split(';')[0], told
        if 'for the links between' in free.message:
            said = float(free.message.split('would be ')[1].split(' m ')[0])
            assert abs(said - least) <= 6e-4, told
        compared += found.code in (Code.JOINT_LIMIT, Code.ORIENTATION)
    assert compared > count // 2
