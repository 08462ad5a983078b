# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""From URDF to planar arm: the figures of known arms, and their full forward kinematics."""

import math
from pathlib import Path

import numpy as np
import pytest
from law_cases import cases
from robot_texts import Y_AXIS, in_a_row, joint, robot

from ik_circles import load_arm
from ik_circles.errors import NotFiniteError
from ik_circles.reasons import Code

URDF = Path(__file__).parents[2] / 'urdf'
ARMS = ('planar_3r', 'open_manipulator_x')
CLOSURE = 1e-12  # [m] or [rad]


def load(name, **ends):
    return load_arm((URDF / f'{name}.urdf').read_bytes(), **ends)


def random_positions(arm, rng):
    """Positions inside the robot's limits, by name; one joint in eight on a limit."""
    lower, upper = np.array(arm.arm.limits).T
    angles = lower + (upper - lower) * rng.uniform(-0.07, 1.07, 3).clip(0.0, 1.0)
    return arm.naming.named((0.0, angles.tolist()))


def test_planar_3r_is_as_drawn():
    arm = load('planar_3r')
    assert arm.joint_names == ('shoulder_joint', 'elbow_joint', 'wrist_joint')
    assert arm.arm.link_lengths == pytest.approx((0.4, 0.3, 0.2), abs=1e-15)
    assert (arm.joint_signs, arm.joint_offsets) == ((1, 1, 1), (0.0, 0.0, 0.0))
    assert arm.arm.joint_limits == ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9))
    assert (arm.yaw_joint, arm.base_link, arm.tip_link) == (None, 'base_link', 'tip')
    assert (arm.plane == np.eye(4)).all()


def test_open_manipulator_x_has_the_published_figures():
    arm = load('open_manipulator_x')
    assert arm.joint_names == ('joint2', 'joint3', 'joint4')
    assert (arm.yaw_joint, arm.tip_link) == ('joint1', 'end_effector_link')
    assert arm.joint_signs == (-1, -1, -1)
    assert arm.arm.link_lengths == pytest.approx((0.130231, 0.124, 0.126), abs=5e-7)
    directions = np.degrees(np.cumsum(arm.joint_offsets))
    assert directions == pytest.approx((79.380, 0.0, 0.0), abs=5e-4)
    bend = math.atan2(0.128, 0.024)
    expected = [(bend - 1.5, bend + 1.5), (-1.4 - bend, 1.5 - bend), (-1.97, 1.7)]
    np.testing.assert_allclose(arm.arm.joint_limits, expected, atol=1e-15)
    np.testing.assert_allclose(arm.plane[:3, 3], (0.0, 0.0, 0.0595), atol=1e-15)
    np.testing.assert_allclose(arm.plane[:3, :3].T, [(1, 0, 0), (0, 0, 1), (0, -1, 0)], atol=1e-15)


def test_a_link_without_length_has_the_direction_of_the_one_before():
    up = {'xyz': (0.3, 0.0, 0.3)}
    to_tip = joint('to_tip', 3, 'tip')  # at the third joint
    arm = load_arm(robot(*in_a_row(*[('continuous', Y_AXIS, '')] * 3, **up), to_tip))
    assert arm.arm.link_lengths[2] == 0.0
    assert arm.joint_offsets == pytest.approx((math.pi / 4.0, 0.0, 0.0), abs=1e-15)


@pytest.mark.parametrize('name', ARMS)
def test_the_planar_arm_moves_as_the_robot_and_its_answers_close(name):
    arm, rng = load(name), np.random.default_rng(0)
    robot_limits = {joint.name: (joint.lower, joint.upper) for joint in arm.found.path}
    for _ in range(cases(8000)):
        positions = random_positions(arm, rng)
        pose = arm.forward_kinematics(positions)
        x, y, phi = arm.arm.forward_kinematics(arm.naming.arm_angles(positions))
        assert math.dist(arm.spatial.plane.point_at(x, y), pose[:3, 3]) <= CLOSURE
        turned = arm.spatial.tool.orientation(pose[:3, :3]).angle(0.0)
        assert abs(math.remainder(turned - phi, 2.0 * math.pi)) <= CLOSURE
        assert arm.spatial.tool.orientation(pose[:3, :3]).tilt(phi, 0.0) <= CLOSURE
        np.testing.assert_allclose(arm.spatial.tool.rotation(phi), pose[:3, :3], atol=CLOSURE)
        found = arm.inverse_kinematics(pose[:3, 3], phi)
        changes = [max(abs(q[j] - positions[j]) for j in positions) for q in found]
        assert min(changes) <= 1e-6  # the root of rounding where the elbow is straight
        for q in found:
            assert math.dist(arm.forward_kinematics(q)[:3, 3], pose[:3, 3]) <= CLOSURE
            assert all(robot_limits[j][0] <= q[j] <= robot_limits[j][1] for j in q)


@pytest.mark.parametrize('name', ARMS)
def test_every_limit_comes_back_to_the_last_bit(name):
    arm = load(name)
    ends = [arm.naming.named((0.0, q)) for q in zip(*arm.arm.limits)]
    for moved in [arm.tree.movable_joints[name] for name in arm.joint_names]:
        assert {end[moved.name] for end in ends} == {moved.lower, moved.upper}


def test_answers_are_in_the_robots_own_terms():
    arm = load('open_manipulator_x')
    far = arm.check_reachability((0.5, 0.0, 0.0595))
    reach = arm.arm.max_reach
    assert far.code is Code.TOO_FAR
    assert far.message.startswith(f'too far by {0.5 - reach:.3f} m')
    assert far.margin == pytest.approx(reach - 0.5, abs=1e-15)
    assert far.nearest[:3] == pytest.approx((reach, 0.0, 0.0595), abs=1e-15)
    tip = arm.forward_kinematics(far.nearest_joint_positions)[:3, 3]
    assert tip == pytest.approx(far.nearest[:3], abs=1e-15)
    level = load('planar_3r')
    aside = level.check_reachability((0.5, 0.2, 0.003))
    assert (aside.code, aside.reachable) == (Code.OUT_OF_PLANE, False)
    assert aside.orientation_intervals == []
    assert aside.margin == pytest.approx(-0.003, abs=1e-15)
    assert 'shoulder_joint, elbow_joint, wrist_joint by 0.003 m' in aside.message
    assert level.inverse_kinematics((0.5, 0.2, 0.003), 0.0) == []
    for point, phi in [((math.nan, 0, 0), None), ((0, 0, 0), math.inf)]:
        with pytest.raises(NotFiniteError):
            arm.check_reachability(point, phi)
    with pytest.raises(NotFiniteError):
        arm.inverse_kinematics((0.1, 0.0, 0.1), math.nan)


@pytest.mark.parametrize('name', ARMS)
def test_points_of_any_float_are_solved_in_double_precision(name):
    arm = load(name)
    point = np.float32([0.2, 0.0, 0.1] if arm.spatial.yaw else [0.6, 0.2, 0.0])
    found = arm.inverse_kinematics(point, 0.0)
    assert found
    for q in found:
        assert math.dist(arm.forward_kinematics(q)[:3, 3], map(float, point)) < 1e-15
