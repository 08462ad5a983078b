# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots with links 1 and 2 equally long, which can fold their elbow."""

import math

import numpy as np
from robot_texts import X_AXIS, Z_AXIS, joint, limit, robot
from spatial_arms import rotation_by
from wrist_robots import second_axis


def foldable(rng, has_yaw, is_limited, wrist=0):
    """The text of an arm with some wrist joints, and the position of joint 2 that folds it."""
    length, one, other = rng.uniform(0.1, 0.4), *rng.uniform(-3.0, 3.0, 2)
    sign = rng.choice([-1, 1])
    folded = math.remainder(sign * (math.pi - other + one), math.tau)
    if is_limited:
        lowers = rng.uniform(-3.0, 0.5, 4 + wrist)
        ends = [(lower, lower + rng.uniform(0.5, 5.0)) for lower in lowers]
        ends[2] = folded - rng.choice([0.0, rng.uniform(0.0, 2.0)]), folded + rng.uniform(0.1, 2.0)
    else:
        ends = [(-3.1, 3.1)] * (4 + wrist)
        ends[2] = folded - 2.0, folded + 2.0
    ways = [length * np.array((math.cos(way), 0.0, -math.sin(way))) for way in (one, other)]
    asides = rng.choice([0.0, 1.0]) * rng.uniform(-0.1, 0.1, 2)
    first = rng.uniform(-0.1, 0.1), rng.choice([0.0, rng.uniform(-0.2, 0.2)]), rng.uniform(0.0, 0.2)
    tip = rng.uniform(0.03, 0.3), rng.choice([0.0, 0.05]), rng.choice([0.0, 0.05])
    inner = [limit(*limits) for limits in ends]
    up = ('revolute', (0, 0, 0.1), (0, 0, 0), Z_AXIS, inner[0]) if has_yaw else ()
    turning = [
        joint(f'j{n + 1}', n + 1, n + 2, 'revolute', xyz, (0, 0, 0), (0, turn, 0), inner[n + 1])
        for n, (xyz, turn) in enumerate(
            (
                (first, rng.choice([-1, 1])),
                (ways[0] + (0.0, asides[0], 0.0), sign),
                (ways[1] + (0.0, asides[1], 0.0), rng.choice([-1, 1])),
            )
        )
    ]
    first_axis = rotation_by((0.0, 1.0, 0.0), rng.uniform(-3.0, 3.0)) @ (1.0, 0.0, 0.0)
    way, axis = second_axis(rng, first_axis)
    turning += [
        joint(f'w{n}', 3 + n, 4 + n, 'revolute', xyz, (0, 0, 0), about, inner[3 + n])
        for n, xyz, about in ((1, first_axis * tip[0], first_axis), (2, way, axis))
        if n <= wrist
    ]
    end = joint('tip', 4 + wrist, 5 + wrist, 'fixed', tip, axis=X_AXIS)
    return robot(joint('j0', 0, 1, *up), *turning, end), folded
