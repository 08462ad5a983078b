# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A wrist as the plane of the three sees it: held anywhere, and its axes as they lean."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from wrist_robots import random_robots

from ik_circles.robot.tree import PlacedJoint
from ik_circles.robot.wrist import error_of

CROSS, NORMAL = np.array((0.0, 1.0, 0.0)), np.array((0.0, 0.0, 1.0))


def test_limits_of_angles_are_those_of_joints_wherever_the_wrist_is_held():
    rng = np.random.default_rng(0)
    for robot in random_robots(rng, cases(800), each=1):
        arm = robot.arm.holding(robot.drawn(rng))
        for one in arm.naming.three:
            ends = sorted(
                one.sign * end + one.offset for end in (one.joint.lower, one.joint.upper)
            )
            assert one.limits == pytest.approx(ends, abs=1e-12)


def test_both_axes_of_a_wrist_add_to_its_lean():
    for first, second in ((1e-5, 2e-5), (3e-5, 1e-6)):
        axis = rotation_by(CROSS, first) @ (1.0, 0.0, 0.0)
        other = rotation_by(NORMAL, second) @ CROSS
        place = np.zeros(3)
        joints = [PlacedJoint(None, axis, place), PlacedJoint(None, other, place)]
        lean, apart = error_of(joints, NORMAL)
        assert lean == pytest.approx(first + second, rel=1e-6)
        assert apart == pytest.approx(0.0, abs=1e-12)
        assert math.isclose(error_of(joints[:1], NORMAL)[0], first, rel_tol=1e-6)
