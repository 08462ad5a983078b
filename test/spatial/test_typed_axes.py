# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Own full poses of an arm as vendors type it: the poses that people try first."""

import math

import numpy as np
from law_cases import cases
from robot_texts import joint, limit, robot
from tilted_robots import TiltedRobot
from wrist_robots import pose_of

#: With 1.5708 for a quarter turn, so that axes lean by 2e-5 rad in all.
TYPED = robot(
    joint('j1', 0, 1, 'revolute', (0, 0, 0.173), inner=limit(-2.93, 2.93)),
    joint('j2', 1, 2, 'revolute', (0, -0.086, 0), (0, -1.5708, 1.5708), inner=limit(-2.35, 2.35)),
    joint('j3', 2, 3, 'revolute', (0.136, 0, -0.086), inner=limit(-2.53, 2.53)),
    joint('j4', 3, 4, 'revolute', (0.1195, 0, 0.082), (0, 0, 1.5708), inner=limit(-2.58, 2.58)),
    joint('j5', 4, 5, 'revolute', (0, -0.094, 0), (1.5708, 0, 0), inner=limit(-2.93, 2.93)),
    joint('j6', 5, 6, 'revolute', (0, 0.055, 0), (-1.5708, 0, 0), inner=limit(-3.14, 3.14)),
    joint('tip', 6, 7, xyz=(0, 0, 0.04)),
)
QUARTERS = (-math.pi / 2.0, -1.5708, -math.pi / 4.0, 0.0, 0.7854, math.pi / 4.0, math.pi / 2.0)


def test_law_an_outstretched_arm_as_vendors_type_it_finds_its_own_poses():
    """With joints 3 to 5 at 0, links are in line, and the wrist is singular. Of the family, the
    lean leaves double roots, which rounding hid: 74 of 300 such poses were refused."""
    one, rng = TiltedRobot(TYPED), np.random.default_rng(45)
    for _ in range(cases(1000, least=100)):
        own = {name: float(rng.choice(QUARTERS)) for name in one.limits}
        own.update(j3=0.0, j4=0.0, j5=0.0)
        point, rotation = pose_of(one, own)
        assert one.arm.check_reachability(point, rotation=rotation).reachable, own
