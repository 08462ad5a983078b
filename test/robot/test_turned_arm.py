# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots with a yaw joint: positions by name against the robot's own forward kinematics."""

import math

import numpy as np
import pytest
from tilted_robots import tilted
from turned_robots import IDS, commanded, drawn, load, turned_arms, yaw_axis

from ik_circles import load_arm
from ik_circles.errors import NotFiniteError
from ik_circles.reasons import Code

CLOSURE = 1e-12  # share of the reach
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight


@pytest.fixture(params=list(turned_arms()), ids=IDS)
def arm(request):
    return request.param


def test_what_joints_reach_is_reached_and_they_are_among_the_solutions(arm):
    rng = np.random.default_rng(0)
    reach = arm.arm.max_reach
    ends = {joint.name: (joint.lower, joint.upper) for joint in commanded(arm)}
    for positions in drawn(arm, rng, 40):
        pose = arm.forward_kinematics(positions)
        point, phi = pose[:3, 3], arm.arm.forward_kinematics(arm.naming.arm_angles(positions)).phi
        found = arm.inverse_kinematics(point, phi)
        apart = [
            max(abs(math.remainder(q[name] - positions[name], math.tau)) for name in q)
            for q in found
        ]
        assert min(apart) <= SAME
        for q in found:
            tip = arm.forward_kinematics(q)[:3, 3]
            assert math.dist(tip, point) <= CLOSURE * reach + arm.spatial.plane.slack
            assert all(ends[name][0] <= q[name] <= ends[name][1] for name in q)
        assert len({tuple(q.values()) for q in found}) == len(found)
        assert arm.check_reachability(point).reachable
        assert arm.check_reachability(point, phi).reachable
        told = arm.check_reachability(point, rotation=pose[:3, :3], tilt_tolerance=1e-6)
        assert told.reachable


def test_the_reason_of_the_yaw_joint_has_its_figure():
    arm = load('so101')
    stretched = {'shoulder_lift': 1.0, 'elbow_flex': -0.8, 'wrist_flex': 0.1}
    axis, through = yaw_axis(arm)
    away = arm.forward_kinematics(stretched)[:3, 3] - through
    turned = 2.5  # the limit is 1.91986
    along = (axis @ away) * axis
    behind = along + math.cos(turned) * (away - along) + math.sin(turned) * np.cross(axis, away)
    answer = arm.check_reachability(behind + through)
    over = math.degrees(turned - 1.91986)
    assert answer.code is Code.JOINT_LIMIT
    assert f'shoulder_pan would exceed its upper limit by {over:.1f} deg' in answer.message


def test_where_axes_lean_no_pose_is_exactly_as_wanted():
    joints = [
        ('yaw', '0 0 1', '0 0 0'), ('a', '5e-5 1 0', '0 0.1 0.1'), ('b', '0 1 0', '0.3 0 0'),
        ('c', '0 1 0', '0.3 0 0'),
    ]  # fmt: skip
    text = '<link name="l0"/>' + ''.join(
        f'<link name="l{i}"/><joint name="{name}" type="continuous"><parent link="l{i - 1}"/>'
        f'<child link="l{i}"/><origin xyz="{xyz}"/><axis xyz="{axis}"/></joint>'
        for i, (name, axis, xyz) in enumerate(joints, 1)
    )
    tip = ('<link name="tip"/><joint name="end" type="fixed"><parent link="l4"/>'
           '<child link="tip"/><origin xyz="0.1 0 0"/></joint>')  # fmt: skip
    arm = load_arm(f'<robot name="r">{text}{tip}</robot>')
    pose = arm.forward_kinematics({'yaw': 0.3, 'a': -0.5, 'b': 0.9, 'c': 0.2})
    told = arm.check_reachability(pose[:3, 3], rotation=pose[:3, :3])
    assert arm.spatial.plane.slack > 0.0
    assert told.reachable and not told.as_wanted


def test_held_joints_are_where_they_are_measured():
    arm = load_arm('so101')
    assert arm.notes == ()
    assert arm.holding({'wrist_roll': 1e-4}) is arm
    rolled = arm.holding({'wrist_roll': 1.2, 'elbow_flex': 0.5})
    assert rolled.naming.wrist_at == {'wrist_roll': 1.2} and rolled.held == {}
    positions = {'shoulder_pan': 0.4, 'shoulder_lift': 0.2, 'elbow_flex': 0.3, 'wrist_flex': -0.2}
    point = arm.forward_kinematics({**positions, 'wrist_roll': 1.2})[:3, 3]
    assert math.dist(rolled.forward_kinematics(positions)[:3, 3], point) <= 1e-15
    assert math.dist(arm.forward_kinematics(positions)[:3, 3], point) > 0.005
    phi = rolled.arm.forward_kinematics(rolled.naming.arm_angles(positions)).phi
    found = rolled.inverse_kinematics(point, phi)
    assert min(max(abs(q[n] - positions[n]) for n in positions) for q in found) <= SAME


def test_the_reason_is_that_of_the_shoulder_that_can_be_turned():
    arm = load('braccio')
    message = arm.check_reachability((-0.068, 0.054, -0.161)).message
    assert message.startswith('reaching backwards, shoulder_joint would exceed its upper limit by')


def test_a_seed_or_rotation_that_is_not_finite_is_refused():
    arm = load('so101')
    seed = dict.fromkeys(arm.commanded_joints, 0.0)
    for wrong in (math.nan, math.inf):
        with pytest.raises(NotFiniteError, match='seed'):
            arm.solve((0.2, 0.1, 0.1), seed={**seed, arm.joint_names[1]: wrong})
        rotation = np.eye(3)
        rotation[0, 1] = wrong
        with pytest.raises(NotFiniteError, match='rotation'):
            arm.check_reachability((0.2, 0.1, 0.1), rotation=rotation)


def test_a_seed_far_past_limits_of_several_turns_is_taken():
    arm = load('ur5e')
    seed = {**dict.fromkeys(arm.commanded_joints, 0.0), arm.commanded_joints[1]: 9.5}
    found = arm.solve((0.3, 0.2, 0.5), seed=seed)
    assert math.dist(arm.forward_kinematics(found)[:3, 3], (0.3, 0.2, 0.5)) <= CLOSURE


def test_the_slack_of_axes_that_lean_does_not_depend_on_where_the_robot_stands():
    """It is the lean times the way from the yaw joint to the tip."""
    text = tilted('ur5e', np.random.default_rng(3))
    first = '<origin xyz="0 0 0.1625"'
    assert text.count(first) == 1
    here, there = (load_arm(text.replace(first, f'<origin xyz="{x} 2 0.1625"')) for x in (0, 5))
    assert here.spatial.plane.slack > 0.0
    assert there.spatial.plane.slack == pytest.approx(here.spatial.plane.slack, rel=1e-9)
