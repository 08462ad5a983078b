# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joints in the arm's plane, by hand."""

import math

import numpy as np
import pytest
from robot_texts import Y_AXIS, Z_AXIS, joint, limit, robot

from ik_circles.geometry.angles import CONTINUOUS
from ik_circles.robot.projection import angle_of, opened, plane_of, yaw_of
from ik_circles.robot.tree import PlacedJoint
from ik_circles.robot.urdf import parse_urdf

TREE = parse_urdf(robot(joint('a', 0, 1, 'revolute', axis=Z_AXIS, inner=limit(-0.5, 2.0))))
(JOINT,) = TREE.joints


def placed(axis, position):
    return PlacedJoint(JOINT, np.array(axis), np.array(position))


def test_a_joint_that_can_take_every_angle_has_no_limits():
    assert opened((-math.pi, math.pi)) == opened((0.0, 9.0)) == CONTINUOUS
    almost = -math.pi, math.pi - 1e-15
    assert opened(almost) == almost


@pytest.mark.parametrize(
    ('axis', 'x_axis', 'y_axis'),
    [
        (Y_AXIS, (1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
        (Z_AXIS, (1, 0, 0), (0, 1, 0)),
        ((0, 0, -1), (1, 0, 0), (0, 1, 0)),
    ],
)
def test_the_plane_is_upright_or_level_and_looks_forward_or_left(axis, x_axis, y_axis):
    """It goes through the tip; its origin is on the first axis."""
    tip = np.array((3.0, 4.0, 5.0))
    frame = plane_of([placed(axis, (1.0, 2.0, 0.5))] * 3, tip)
    normal = np.cross(x_axis, y_axis)
    assert frame[:3, :3] == pytest.approx(np.column_stack([x_axis, y_axis, normal]))
    assert frame[:3, 3] @ x_axis == pytest.approx(np.dot((1.0, 2.0, 0.5), x_axis))
    assert frame[:3, 3] @ y_axis == pytest.approx(np.dot((1.0, 2.0, 0.5), y_axis))
    assert frame[:3, 3] @ normal == pytest.approx(tip @ normal)


def test_the_angle_of_a_joint_that_turns_the_other_way():
    assert angle_of(JOINT, 1, 0.25).limits == (-0.25, 2.25)
    assert angle_of(JOINT, -1, 0.25).limits == (-1.75, 0.75)


@pytest.mark.parametrize(
    ('axis', 'along', 'limits'),
    [
        ((0.0, 1.0, 0.0), (0.0, 1.0), (-0.5, 2.0)),
        ((0.0, -2.0, 0.0), (0.0, 1.0), (-2.0, 0.5)),
        ((1.0, 0.0, 0.0), (1.0, 0.0), (-0.5, 2.0)),
        ((-1.0, 1e-9, 0.0), (1.0, 0.0), (-2.0, 0.5)),
        ((-3.0, 4.0, 0.0), (-0.6, 0.8), (-0.5, 2.0)),
        ((3.0, -4.0, 1e-5), (-0.6, 0.8), (-2.0, 0.5)),
    ],
)
@pytest.mark.parametrize('aside', [0.0, 1e-14, -0.3])
def test_a_yaw_joint_is_counted_about_the_way_up_or_along(axis, along, limits, aside):
    """In the plane's axes; a plane that rounding alone puts beside the axis is not beside it."""
    found, angle = yaw_of(placed(axis, (0.1, -0.2, aside)), np.eye(4), 2.0)
    assert (found.along, found.foot) == (pytest.approx(along, abs=1e-8), (0.1, -0.2))
    assert found.aside == (aside if abs(aside) > 1e-12 else 0.0)
    assert found.limits == angle.limits == limits
    assert angle.offset == 0.0
