# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Axes that lean, with links 1 and 2 equally long: folded, the wrist is on the first joint.

Parallel axes leave joint 1 free there. The lean picks some of its angles, or leaves it free, too.
"""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import X_AXIS, Z_AXIS, joint, limit, robot
from tilted_robots import TiltedRobot, leaned

from ik_circles.planar.selection import Policy

CLOSES = 1e-9  # [m]
SAME = 1e-5  # [rad] two members may be next to each other
FIXED = Policy(orientation_mode='fixed')


def foldable(rng, has_yaw, is_limited):
    """The text of an arm, and the position of joint 2 that folds it."""
    length, one, other = rng.uniform(0.1, 0.4), *rng.uniform(-3.0, 3.0, 2)
    sign = rng.choice([-1, 1])
    folded = math.remainder(sign * (math.pi - other + one), math.tau)
    if is_limited:
        lowers = rng.uniform(-3.0, 0.5, 4)
        ends = [(lower, lower + rng.uniform(0.5, 5.0)) for lower in lowers]
        ends[2] = folded - rng.choice([0.0, rng.uniform(0.0, 2.0)]), folded + rng.uniform(0.1, 2.0)
    else:
        ends = [(-3.1, 3.1)] * 4
        ends[2] = folded - 2.0, folded + 2.0
    ways = [length * np.array((math.cos(way), 0.0, -math.sin(way))) for way in (one, other)]
    asides = rng.choice([0.0, 1.0]) * rng.uniform(-0.1, 0.1, 2)
    first = rng.uniform(-0.1, 0.1), rng.choice([0.0, rng.uniform(-0.2, 0.2)]), rng.uniform(0.0, 0.2)
    tip = rng.uniform(0.03, 0.3), rng.choice([0.0, 0.05]), rng.choice([0.0, 0.05])
    inner = [limit(*limits) for limits in ends]
    up = ('revolute', (0, 0, 0.1), (0, 0, 0), Z_AXIS, inner[0]) if has_yaw else ()
    turning = [
        joint(f'j{n + 1}', n + 1, n + 2, 'revolute', xyz, (0, 0, 0), (0, turn, 0), inner[n + 1])
        for n, (xyz, turn) in enumerate((
            (first, rng.choice([-1, 1])),
            (ways[0] + (0.0, asides[0], 0.0), sign),
            (ways[1] + (0.0, asides[1], 0.0), rng.choice([-1, 1])),
        ))
    ]
    text = robot(joint('j0', 0, 1, *up), *turning, joint('tip', 4, 5, 'fixed', tip, axis=X_AXIS))
    return text, folded


def drawn(rng, has_yaw):
    """A robot, and positions with a folded elbow, or next to that, and up to two joints on limits.
    """
    text, folded = foldable(rng, has_yaw, rng.random() < 0.5)
    one = TiltedRobot(leaned(text, rng, 10.0 ** rng.uniform(-7.0, -5.0)))
    own = one.drawn(rng)
    off = rng.choice([0.0, 1e-10, 1e-8, 1e-6, 1e-4]) * rng.choice([-1, 1])
    own['j2'] = float(np.clip(folded + off, *one.limits['j2']))
    others = [name for name in own if name != 'j2']
    for name in rng.choice(others, rng.integers(3), replace=False):
        own[name] = one.limits[name][rng.integers(2)]
    return one, own


def gap(found, own):
    """How far the nearest of some positions is [rad]."""
    return min((max(abs(one[n] - own[n]) for n in own) for one in found), default=math.inf)


@pytest.mark.parametrize('has_yaw', [True, False])
def test_own_poses_and_points_are_found(has_yaw):
    """Of 400, 98 were refused, and for 129 there was only another member."""
    rng = np.random.default_rng(1)
    for _ in range(cases(240)):
        robot_of, own = drawn(rng, has_yaw)
        arm, pose, phi = robot_of.arm, robot_of.tip(own), robot_of.phi(own)
        point = tuple(pose[:3, 3].tolist())
        found = arm.inverse_kinematics(point, phi, seed=own)
        assert gap(found, own) <= SAME
        for asked in ({'phi': phi}, {'rotation': pose[:3, :3], 'tilt_tolerance': 1e-6}):
            told = arm.check_reachability(point, **asked)
            assert told.reachable
            found = [*found, *told.all_near(own), *told.solutions]
            assert gap(told.all_near(own), own) <= SAME
            assert gap([told.solve(own, FIXED)], own) <= SAME
        assert arm.check_reachability(point).reachable
        assert gap([arm.solve(point, seed=own)], own) <= SAME
        assert all(robot_of.miss(one, point) <= CLOSES for one in found)
