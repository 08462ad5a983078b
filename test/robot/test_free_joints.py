# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses that leave a joint free."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import Y_AXIS, Z_AXIS, in_a_row, joint, limit, robot
from wrist_robots import gap

from ik_circles import load_arm


def free_joint_poses(rng, count):
    """An arm on a yaw axis with equal links, and joint positions that leave a joint free: with the
    tip on the yaw axis, and with the wrist on the base."""
    arm = load_arm(robot(
        joint('yaw', 'base', 1, 'revolute', axis=Z_AXIS, inner=limit(-3.0, 3.0)),
        joint('j1', 1, 2, 'revolute', (0.0, 0.0, 0.1), axis=Y_AXIS, inner=limit(-3.0, 3.0)),
        joint('j2', 2, 3, 'revolute', (0.3, 0.0, 0.0), axis=Y_AXIS, inner=limit(-4.0, 4.0)),
        joint('j3', 3, 4, 'revolute', (0.3, 0.0, 0.0), axis=Y_AXIS, inner=limit(-3.0, 3.0)),
        joint('tip', 4, 5, 'fixed', (0.2, 0.0, 0.0)),
    ))  # fmt: skip
    for _ in range(count):
        yaw, q1, q2, q3 = rng.uniform(-2.9, 2.9, 4).tolist()
        folded = float(rng.choice([-math.pi, math.pi]))
        yield arm, {'yaw': yaw, 'j1': q1, 'j2': folded, 'j3': q3}
        outwards = 0.3 * (math.cos(q1) + math.cos(q1 + q2))
        if abs(outwards) < 0.2:
            last = math.acos(-outwards / 0.2) * rng.choice([-1, 1]) - q1 - q2
            last = math.remainder(last, math.tau)
            if abs(last) <= 3.0:
                yield arm, {'yaw': yaw, 'j1': q1, 'j2': q2, 'j3': last}


def test_of_a_family_the_member_nearest_to_the_seed_is_given():
    """Law: an arm that is asked for the pose that it is in finds itself among the solutions."""
    for arm, own in free_joint_poses(np.random.default_rng(0), cases(2000)):
        pose = arm.forward_kinematics(own)
        point, phi = pose[:3, 3], sum(arm.naming.arm_angles(own))
        for asked in ({'phi': phi}, {'rotation': pose[:3, :3]}):
            found = arm.inverse_kinematics(point, seed=own, **asked)
            assert min(gap(one, own) for one in found) <= 1e-6, own
            for mode in ('fixed', 'preferred'):
                chosen = arm.solve(point, seed=own, orientation_mode=mode, **asked)
                assert gap(chosen, own) <= 1e-6, own


@pytest.mark.parametrize('folded', [-math.pi, math.pi])
def test_with_equal_links_the_wrist_on_the_base_leaves_joint_1_to_the_seed(folded):
    """By hand: links of 0.4, 0.4 and 0.2 m. Any joint 1 gives the pose, if joint 3 makes up for it;
    the seed was not looked at."""
    arm = load_arm(robot(
        *in_a_row(*[('continuous', Z_AXIS, '')] * 3, xyz=(0.4, 0.0, 0.0)),
        joint('tip', 3, 4, 'fixed', (0.2, 0.0, 0.0)),
    ))  # fmt: skip
    for first in (-2.5, -0.5, 0.0, 1.0, 3.0):
        own = {'j0': first, 'j1': folded, 'j2': 0.7 - first - folded}
        point = arm.forward_kinematics(own)[:3, 3]
        for seed in (own, {**own, 'j0': first + 0.01}):
            found = arm.solve(point, 0.7, seed=seed)
            assert max(abs(found[name] - own[name]) for name in own) <= 0.01
