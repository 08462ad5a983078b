# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Points beside the yaw axis that the arm's plane just meets, with a straight or folded elbow."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit, robot

from ik_circles import load_arm

LENGTHS, BESIDE = (0.3, 0.2, 0.15), 0.1
#: How near a solution puts the tip to the point [m].
CLOSED = 1e-9


@pytest.fixture(scope='module')
def arm():
    """A plane beside the yaw axis, and exactly parallel axes."""
    places = ((0, 0, 0), (0, BESIDE, 0.1), *((length, 0, 0) for length in LENGTHS[:2]))
    return load_arm(robot(*(
        joint(f'j{n}', n, n + 1, 'revolute', place, (0, 0, 0), (0, n > 0, n == 0), limit(-3.2, 3.2))
        for n, place in enumerate(places)
    ), joint('tip', 4, 5, 'fixed', (LENGTHS[2], 0, 0), (0, 0, 0), (0, 0, 1), '')))  # fmt: skip


@pytest.mark.parametrize('elbow', [0.0, math.pi])
def test_law_an_own_pose_is_found(arm, elbow):
    rng = np.random.default_rng(1)
    for _ in range(cases(1000, least=40)):
        outwards = rng.choice([-1, 1]) * 10 ** rng.uniform(-9, -4)
        lift, yaw = rng.uniform(-2, 2), rng.uniform(-3, 3)
        cosine = (outwards - (0.3 + 0.2 * math.cos(elbow)) * math.cos(lift)) / LENGTHS[2]
        if abs(cosine) > 1.0:
            continue
        last = math.remainder(rng.choice([-1, 1]) * math.acos(cosine) - lift - elbow, math.tau)
        seed = dict(zip(arm.commanded_joints, map(float, (yaw, lift, elbow, last))))
        point = tuple(map(float, arm.forward_kinematics(seed)[:3, 3]))
        phi = math.remainder(sum(arm.naming.arm_angles(seed)), math.tau)
        assert arm.check_reachability(point, phi).reachable, (outwards, seed)
        some = arm.inverse_kinematics(point, phi, seed=seed)
        some.append(arm.solve(point, phi, seed=seed, orientation_mode='fixed'))
        assert len(some) > 1, (outwards, seed)
        for one in some:
            assert math.dist(arm.forward_kinematics(one)[:3, 3], point) < CLOSED, (outwards, seed)
