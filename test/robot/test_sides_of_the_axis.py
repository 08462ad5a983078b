# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which bend is up: that of the side on which the point of the three joints is.

The point is the tip for a point, with the wrist held, and the wrist center for a full pose.
"""

import numpy as np
from law_cases import cases

from ik_circles import load_arm

STILL = 1e-5  # [rad]
CLEAR = 1e-3  # [m] beside the yaw axis


def sides(arm, q):
    """How far the tip and the wrist center are in front of the yaw axis [m], the z axis."""
    pan = arm.yaw_joint
    before, now = (arm.link_pose('shoulder_link', {pan: at}) for at in (0.0, q[pan]))
    front = (now @ np.linalg.inv(before))[:3, :3] @ arm.plane[:3, 0]
    two, three = (arm.link_pose(f'wrist_{number}_link', q) for number in (2, 3))
    center = three[:3, 3] + three[:3, 2] * (three[:3, 2] @ (two[:3, 3] - three[:3, 3]))
    return arm.forward_kinematics(q)[:3, 3] @ front, center @ front


def test_the_side_of_the_tip_for_a_point_and_of_the_wrist_center_for_a_full_pose():
    arm, rng, apart = load_arm('ur5e'), np.random.default_rng(3), []
    for _ in range(cases(2000, least=200)):
        q = dict(zip(arm.commanded_joints, rng.uniform(-3.0, 3.0, 6)))
        pose, (tip, center) = arm.forward_kinematics(q), sides(arm, q)
        if min(abs(tip), abs(center), abs(q[arm.joint_names[1]])) < CLEAR:
            continue
        bend = arm.joint_signs[1] * q[arm.joint_names[1]]
        for side, asked in ((tip, {}), (center, {'rotation': pose[:3, :3]})):
            branch = 'elbow_up' if (bend < 0.0) == (side > 0.0) else 'elbow_down'
            one = arm.solve(pose[:3, 3], seed=q, branch=branch, **asked)
            moved = max(abs(one[name] - q[name]) for name in one)
            assert moved <= STILL, f'{q}, {branch}, {asked}: {one}'
        apart.append(tip * center < 0.0)
    assert 1 / 50 <= np.mean(apart) <= 1 / 15  # docs/conventions.md says 1 in 25
