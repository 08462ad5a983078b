# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The path of the targets: a circle that the arm can follow, with joints that belong to it."""

import math
from functools import cache
from typing import NamedTuple

from processes import urdf
from transforms3d.quaternions import mat2quat

from ik_circles import load_arm

PLACES = 500
#: For each arm the center of the circle and two radii of it [m], and the tool's angle in the plane
#: [rad].
CIRCLES = {
    'planar_3r': ((0.65, 0.15, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), 0.0),
    'so101': ((0.22, 0.0, 0.12), (0.0, 0.06, 0.0), (0.0, 0.0, 0.06), -0.6),
}


class Path(NamedTuple):
    """Names of the joints, and for each place the tip [m], its quaternion (w first), the joints."""

    names: list[str]
    points: list
    quaternions: list
    joints: list


@cache
def path_of(robot):
    """The path of a shipped robot."""
    arm = load_arm(urdf(robot))
    center, one, other, phi = CIRCLES[robot]
    points, quaternions, joints, seed = [], [], [], None
    for place in range(PLACES):
        turn = 2.0 * math.pi * place / PLACES
        point = [c + math.cos(turn) * a + math.sin(turn) * b for c, a, b in zip(center, one, other)]
        seed = arm.solve(point, phi, seed=seed, orientation_mode='fixed')
        points.append(point)
        quaternions.append(mat2quat(arm.forward_kinematics(seed)[:3, :3]).tolist())
        joints.append(list(seed.values()))
    return Path(list(arm.commanded_joints), points, quaternions, joints)
