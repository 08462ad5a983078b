# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A tool that points straight up or down, to within what typed decimals leave of it."""

import math

import numpy as np
import pytest
from law_cases import cases

from ik_circles import load_arm
from ik_circles.robot.shipped import file_of

#: What a tool may miss the vertical by [rad]; 1.57079632679 misses it by 4.9e-12.
MISSES = 0.0, 1e-13, 2e-12, 4.9e-12, 3e-11, 2e-10, 9e-10, 1e-8


def upright(arm, rng, miss):
    """Joint positions with one of the first two on a limit, and the tool upright; None if the third
    joint cannot have it so."""
    own = {name: float(rng.uniform(one.lower, one.upper)) for name, one in arm.joints.items()}
    own.update(dict.fromkeys(arm.wrist_joints, 0.0))
    three, signs, offsets = arm.joint_names, arm.joint_signs, arm.joint_offsets
    on_limit = arm.joints[three[rng.integers(2)]]
    own[on_limit.name] = float(rng.choice([on_limit.lower, on_limit.upper]))
    before = sum(sign * own[name] + at for sign, name, at in zip(signs[:2], three, offsets))
    phi = rng.choice([-0.5, 0.5]) * math.pi + rng.choice([-1.0, 1.0]) * miss
    third, last = math.remainder(signs[2] * (phi - before - offsets[2]), math.tau), three[2]
    own[last] = third
    return own if arm.joints[last].lower < third < arm.joints[last].upper else None


@pytest.mark.parametrize('name', ['open_manipulator_x', 'px100', 'braccio'])
def test_own_poses_with_an_upright_tool_and_a_joint_on_its_limit_stay(name):
    """A tool that leaned inwards by less than 1e-9 was taken for one that leans outwards, which the
    joint on its limit cannot follow: the own pose was refused, or the arm turned round."""
    arm, rng, seen = load_arm(file_of(name)), np.random.default_rng(0), 0
    for number in range(cases(2000, least=40)):
        own = upright(arm, rng, MISSES[number % len(MISSES)])
        if own is None:
            continue
        pose = arm.forward_kinematics(own)
        point, rotation = pose[:3, 3].tolist(), pose[:3, :3]
        found = arm.solve(point, rotation=rotation, seed=own, orientation_mode='fixed')
        assert found is not None, own
        assert max(abs(found[one] - own[one]) for one in own) <= 2e-4, own
        seen += 1
    assert seen
