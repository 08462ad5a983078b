# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientation of the seed is kept, unless that takes a joint much farther than need be."""

import math

import numpy as np
from law_cases import cases

from ik_circles import PlanarArm

#: A joint may move half as far again as to the closest solution, and this much more [rad].
DETOUR, SMALL_STEP = 1.5, 0.05
#: Orientations that are tried, and by how much the closest one may be missed [rad].
TRIED, COARSE = 300, 0.01


def change(q, seed):
    return max(abs(a - b) for a, b in zip(q, seed))


def test_an_orientation_that_is_no_detour_is_kept():
    rng, looked = np.random.default_rng(0), 0
    for _ in range(cases(3000, 40)):
        arm = PlanarArm(tuple(rng.uniform(0.2, 1.0, 3).tolist()), [(-3.0, 3.0)] * 3)
        q = rng.uniform(-2.5, 2.5, 3)
        seed = (q + rng.uniform(-0.4, 0.4, 3)).tolist()
        x, y, _ = arm.forward_kinematics(q.tolist())
        kept = [change(one, seed) for one in arm.inverse_kinematics(x, y, sum(seed))]
        if not kept or min(kept) <= SMALL_STEP:
            continue
        least = min(
            change(one, seed)
            for phi in sum(seed) + np.linspace(-1.2, 1.2, TRIED)
            for one in [q, *arm.inverse_kinematics(x, y, float(phi))]
        )
        if min(kept) <= DETOUR * (least - COARSE) + SMALL_STEP:
            looked += 1
            found = arm.solve(x, y, seed=seed)
            assert abs(math.remainder(sum(found) - sum(seed), math.tau)) <= 1e-9
    assert looked > cases(300, 40)
