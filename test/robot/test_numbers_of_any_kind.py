# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint positions that are numbers of other kinds, such as observations of 32 bits, are read as
floats: every answer is that of the same floats, and holds nothing else.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from law_cases import cases

from ik_circles import PlanarArm, load_arm
from ik_circles.control.decision import decide
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.robot.shipped import file_of

KINDS = (
    np.float32,
    np.float64,
    np.float16,
    Fraction,
    Decimal,
    lambda value: np.array(value, np.float32),
)
PLANAR = PlanarArm((0.4, 0.3, 0.2))


def fresh(name):
    """An arm that has answered nothing yet."""
    return load_arm(file_of(name))


def answers(arm, own, seed):
    """What an arm says of its own pose, by each question that takes a seed."""
    tip = arm.forward_kinematics(own)
    point, rotation = tip[:3, 3].tolist(), tip[:3, :3]
    pitch = arm.check_reachability(point).nearest.phi
    asked = decide(arm, Settings(), Target(tuple(point), rotation), seed)
    return [
        *arm.inverse_kinematics(point, pitch, seed=seed),
        *arm.inverse_kinematics(point, rotation=rotation, seed=seed),
        arm.solve(point, seed=seed),
        arm.solve(point, pitch, seed=seed),
        arm.solve(point, rotation=rotation, seed=seed),
        asked.command,
        *arm.turns(seed)[:9],
    ]


@pytest.mark.parametrize('name', ['planar_3r', 'so101', 'ur5e', 'xarm5'])
def test_seeds_of_any_kind_count_as_the_same_floats(name):
    """Also for an arm that was asked with the other kind before: it keeps some answers."""
    rng, limits = np.random.default_rng(0), fresh(name).joints.values()
    drawn = ([rng.uniform(one.lower, one.upper) for one in limits] for _ in range(cases(60)))
    for number, row in enumerate(drawn):
        kind = KINDS[number % len(KINDS)]
        given = [kind(float(np.float16(0.99 * value))) for value in row]
        arm, joints = fresh(name), fresh(name).commanded_joints
        other, plain = dict(zip(joints, given)), dict(zip(joints, map(float, given)))
        wanted, found = answers(fresh(name), plain, plain), answers(arm, plain, other)
        assert found == wanted
        assert {type(value) for one in found if one for value in one.values()} <= {float}
        assert answers(arm, plain, plain) == wanted


def test_positions_in_the_plane_are_as_fine_as_floats_whatever_they_come_as():
    rng = np.random.default_rng(1)
    for number in range(cases(400, least=12)):
        kind = KINDS[number % len(KINDS)]
        x, y, phi = np.float16(rng.uniform(-0.5, 0.5, 3)).tolist()
        pose = kind(x), kind(y), phi
        found = PLANAR.inverse_kinematics(*pose)
        assert found == PLANAR.inverse_kinematics(*map(float, pose))
        assert all(type(value) is float for q in found for value in q) or kind is np.float64
