# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms with leaning axes whose last link is shorter than what the lean moves the tip by."""

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit, robot
from tilted_robots import TiltedRobot, leaned

CLOSES = 1e-9  # [m]


def with_tip_on_joint_3(rng, length):
    """The text of an arm with a last link of this length [m], or none; the tip is beside it."""
    first, second = rng.uniform(0.1, 0.4, 2)
    places = (0, 0, 0), (0.05, rng.uniform(-0.2, 0.2), 0.1), (0, 0, first), (0, 0, second)
    some = [(-low, high) for low, high in rng.uniform(0.3, 2.8, (4, 2))]
    joints = [
        joint(f'j{n}', n, n + 1, 'revolute', place, (0, 0, 0), (0, n > 0, n == 0), limit(*ends))
        for n, (place, ends) in enumerate(zip(places, some))
    ]
    tip = length, rng.uniform(-0.2, 0.2), 0
    return robot(*joints, joint('tip', 4, 5, 'fixed', tip, (0, 0, 0), (0, 0, 1)))


@pytest.mark.parametrize('length', [0.0, 1e-7])
def test_own_points_with_joints_on_limits_are_found_without_a_seed(length):
    """The orientation hardly moves the tip, but decides whether joints are inside their limits.

    One in 20 of these points was refused. With the elbow next to straight or folded, few are."""
    rng, refused = np.random.default_rng(0), 0
    for _ in range(cases(1500, least=100)):
        one = TiltedRobot(leaned(with_tip_on_joint_3(rng, length), rng))
        point = one.tip(one.drawn(rng, int(rng.integers(1, 4))))[:3, 3]
        found = one.arm.solve(point)
        assert found is None or one.arm.check_reachability(point).reachable
        assert found is None or one.miss(found, point) <= CLOSES
        refused += found is None
    assert refused <= 1
