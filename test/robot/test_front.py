# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which way an arm behind a yaw joint looks: the front is the robot's own, not its base's."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import X_AXIS, Y_AXIS, Z_AXIS, joint, limit, robot
from spatial_arms import rotation_by
from three_joints import kinematics
from turned_robots import NAMES, commanded, load, somewhere, urdf_of, yaw_axis

from ik_circles import load_arm
from ik_circles.robot.urdf import parse_urdf

NEAR = 0.05  # share of the reach


def turned(text, angle, away='0 0 0'):
    """The description with all of it turned about base_link's z, and elsewhere [m]: a new root is
    below it."""
    root = parse_urdf(text).root
    joint = (
        '<link name="ground"/><joint name="turned" type="fixed"><parent link="ground"/>'
        f'<child link="{root}"/><origin xyz="{away}" rpy="0 0 {angle!r}"/></joint></robot>'
    )
    return joint.join(text.rsplit('</robot>', 1))


def outwards(arm, positions):
    """How far in front of the yaw axis the tip is [m]: along x of the plane."""
    _, through = yaw_axis(arm)
    return float(arm.plane[:3, 0] @ (arm.forward_kinematics(positions)[:3, 3] - through))


def middles(arm):
    return {
        joint.name: 0.0 if math.isinf(joint.lower) else (joint.lower + joint.upper) / 2.0
        for joint in commanded(arm)[1:]
    }


def texts():
    rng = np.random.default_rng(3)
    return [*map(kinematics, NAMES), *(urdf_of(rng) for _ in range(12))]


@pytest.mark.parametrize('text', texts(), ids=[*NAMES, *map(str, range(12))])
def test_the_tip_is_in_front_with_the_joints_in_the_middle_of_their_limits(text):
    for angle, away in ((0.0, '0 0 0'), (2.0, '-2 3 0'), (math.pi, '2 -3 1'), (0.0, '2 3 0')):
        arm = load_arm(turned(text, angle, away))
        sides = [outwards(arm, middles(arm)), outwards(arm, {})]
        clear = [side for side in sides if abs(side) > NEAR * arm.arm.max_reach]
        assert clear[0] > 0.0
        assert arm.plane[:3, 1] == pytest.approx((0.0, 0.0, 1.0), abs=1e-12)


def test_a_tip_above_the_yaw_axis_has_the_front_of_all_joints_at_0():
    arm = load('braccio')  # by its middle, 2 mm behind the axis
    assert outwards(arm, middles(arm)) == pytest.approx(-0.002 - 0.002, abs=3e-3)
    assert arm.plane[:3, 0] == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)


def in_a_plane(yaw, axis, inner, *links):
    """Three joints about an axis, the links after them, and a yaw joint below them if asked for."""
    kind = 'revolute' if inner else 'continuous'
    below = [joint('yaw', 0, 1, 'continuous', axis=Z_AXIS)] if yaw else []
    ways = (0.0, 0.0, 0.1), *links
    return robot(
        *below,
        *(joint(f'j{n}', n, n + 1, kind, ways[n - 1], axis=axis, inner=inner) for n in (1, 2, 3)),
        joint('tip', 4, 5, 'fixed', ways[3]),
    )


STRAIGHT_UP = ((0.0, 0.0, 0.3),) * 3
BACKWARDS = ((-0.3, 0.0, 0.0),) * 3


@pytest.mark.parametrize('angle', [0.0, math.pi])
@pytest.mark.parametrize(('axis', 'front'), [(Y_AXIS, X_AXIS), (X_AXIS, Y_AXIS)])
def test_a_tip_above_the_yaw_axis_at_0_too_leaves_the_front_to_x_or_else_y(axis, front, angle):
    """By hand: all links straight up, in the middle of the limits and at 0."""
    arm = load_arm(turned(in_a_plane(True, axis, limit(-1.0, 1.0), *STRAIGHT_UP), angle))
    assert arm.plane[:3, 0] == pytest.approx(front, abs=1e-12)


@pytest.mark.parametrize('inner', ['', limit(-1.0, 1.0)], ids=['continuous', 'limited'])
@pytest.mark.parametrize('yaw', [True, False])
def test_only_a_yaw_joint_makes_a_front(yaw, inner):
    """By hand: with all joints at 0 the links point to -x. A continuous joint counts as at 0."""
    arm = load_arm(in_a_plane(yaw, Y_AXIS, inner, *BACKWARDS))
    assert arm.yaw_joint == ('yaw' if yaw else None)
    assert arm.plane[:3, 0] == pytest.approx((-1.0 if yaw else 1.0, 0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize('angle', [0.0, -math.pi / 2.0])
@pytest.mark.parametrize('branch', ['elbow_up', 'elbow_down'])
def test_elbow_up_stays_one_bend_over_the_top(branch, angle):
    """By hand: links of 0.3 and 0.3 m and a level tool of 0.5 m. The wrist goes from 0.2 m in front
    of the first joint to 0.2 m behind it; the tip is in front all the way."""
    links = (0.3, 0.0, 0.0), (0.3, 0.0, 0.0), (0.5, 0.0, 0.0)
    arm = load_arm(turned(in_a_plane(True, Y_AXIS, '', *links), angle))
    front, seed, phi = arm.plane[:3, 0], None, 0.0
    sign = -1.0 if branch == 'elbow_up' else 1.0
    for wrist in np.linspace(0.2, -0.2, 81):
        point = tuple((front * (0.5 + wrist) + (0.0, 0.0, 0.5)).tolist())
        found = arm.solve(point, phi, seed=seed, branch=branch)
        assert sign * arm.naming.arm_angles(found)[1] > 0.5
        assert seed is None or max(abs(found[name] - seed[name]) for name in found) < 0.05
        seed = found


@pytest.mark.parametrize(
    ('yaw_axis', 'axis', 'away'),
    [
        (Y_AXIS, Z_AXIS, (-0.3, 0.0, 0.0)),
        (X_AXIS, Z_AXIS, (0.0, -0.3, 0.0)),
        *(
            ((1.0, 0.0, lean), Y_AXIS, (0.0, 0.0, height))
            for lean in (-1e-12, 1e-12) for height in (-0.3, 0.3)
        ),
    ],
)  # fmt: skip
def test_a_level_plane_or_yaw_axis_has_no_front(yaw_axis, axis, away):
    """Wherever the links point and rounding leans the axis, x of the plane is that of the base."""
    inner = limit(-0.5, 0.5)
    arm = load_arm(robot(
        joint('yaw', 0, 1, 'revolute', axis=yaw_axis, inner=inner),
        *(joint(f'j{n}', n, n + 1, 'revolute', away, axis=axis, inner=inner) for n in (1, 2, 3)),
        joint('tip', 4, 5, 'fixed', away),
    ))  # fmt: skip
    assert arm.yaw_joint == 'yaw'
    assert arm.plane[:3, 0] == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)


@pytest.mark.parametrize('angle', [-math.pi / 2.0, math.pi, 2.5])
def test_an_arm_that_looks_another_way_faces_what_is_in_front_of_it(angle):
    """With -90 deg it looks along -y, as the official description of the SO-101."""
    arm, plain = load_arm(turned(kinematics('so101'), angle)), load_arm('so101')
    front = math.cos(angle), math.sin(angle)
    assert arm.plane[:2, 0] == pytest.approx(front, abs=1e-9)
    point = (0.25 * front[0], 0.25 * front[1], 0.1)
    for branch in ('elbow_up', 'elbow_down'):
        found = arm.solve(point, branch=branch)
        assert found == pytest.approx(plain.solve((0.25, 0.0, 0.1), branch=branch))
    far = arm.check_reachability((0.6 * front[0], 0.6 * front[1], 0.1))
    assert far.message.startswith('too far by')


@pytest.mark.parametrize('angle', [-math.pi / 2.0, math.pi, 2.5])
def test_elbow_up_is_the_higher_elbow_whichever_way_the_arm_looks(angle):
    arm = load_arm(turned(kinematics('youbot_arm'), angle))
    front = arm.plane[:3, 0]
    point = 0.2 * front[0], 0.2 * front[1], 0.35
    elbow = arm.tree.movable_joints[arm.joint_names[1]].child
    for phi in (0.5, 3.0):  # facing it, and reaching backwards
        up, down = (
            arm.link_pose(elbow, arm.solve(point, phi, branch=branch))[2, 3]
            for branch in ('elbow_up', 'elbow_down')
        )
        assert up > down + 0.02


@pytest.mark.parametrize('text', texts(), ids=[*NAMES, *map(str, range(12))])
def test_turning_the_description_about_z_changes_no_answer_but_its_frame(text):
    rng, plain = np.random.default_rng(5), load_arm(text)
    arms = {angle: load_arm(turned(text, angle)) for angle in (2.0, -math.pi / 2.0, math.pi)}
    for arm in arms.values():
        assert arm.joint_signs == plain.joint_signs
        assert arm.joint_offsets == pytest.approx(plain.joint_offsets, abs=1e-9)
    for _ in range(cases(60, 30)):
        point, phi = somewhere(plain, rng), float(rng.uniform(-3.0, 3.0))
        told = {wanted: plain.check_reachability(point, wanted) for wanted in (None, phi)}
        branch = ('elbow_up', 'elbow_down')[rng.integers(2)]
        rotation = plain.spatial.tool.rotation(phi, 0.3)
        found = plain.solve(point, rotation=rotation, branch=branch)
        for angle, arm in arms.items():
            spin = rotation_by((0.0, 0.0, 1.0), angle)
            other = tuple((spin @ point).tolist())
            for wanted, one in told.items():
                same = arm.check_reachability(other, wanted)
                assert (one.code, one.message) == (same.code, same.message)
            again = arm.solve(other, rotation=spin @ rotation, branch=branch)
            assert (found is None) == (again is None)
            if found is not None:
                apart = [math.remainder(found[name] - again[name], math.tau) for name in found]
                assert np.max(np.abs(apart)) <= 1e-6
