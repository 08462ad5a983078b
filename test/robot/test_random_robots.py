# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Random robots against kinematics written anew, and what the reduction says of them."""

import math

import numpy as np
import pytest
from robot_texts import THREE, X_AXIS, Y_AXIS, Z_AXIS, in_a_row, joint, limit, robot
from spatial_arms import pose, rotation_by

from ik_circles import load_arm
from ik_circles.robot.urdf import parse_urdf

CLOSURE = 1e-12  # [m] or [rad]
ALLOWED = 'at most 0.0057 deg is allowed'
FROM_THREE = f'being perpendicular to those of the three; {ALLOWED}'


def along(xyz, rpy, axis, position, kind):
    """Pose over a joint: roll, pitch, yaw about fixed axes, then its own motion."""
    roll, pitch, yaw = (rotation_by(row, angle) for row, angle in zip(np.eye(3), rpy))
    origin = pose(yaw @ pitch @ roll, xyz)
    if kind == 'prismatic':
        return origin @ pose(np.eye(3), position * np.asarray(axis))
    return origin @ pose(rotation_by(axis, position if kind != 'fixed' else 0.0), (0, 0, 0))


def unit(rng):
    vector = rng.normal(size=3)
    return vector / np.linalg.norm(vector)


def test_poses_of_all_links_are_those_of_their_joints():
    rng = np.random.default_rng(0)
    for _ in range(20):
        kinds = rng.choice(['revolute', 'continuous', 'prismatic', 'fixed'], 8)
        text, truth, positions = [], {'l0': np.eye(4)}, {}
        for n, kind in enumerate(kinds):
            parent, child = f'l{rng.integers(n + 1)}', f'l{n + 1}'
            xyz, rpy, axis = rng.normal(size=3), rng.uniform(-3, 3, 3), unit(rng)
            text.append(joint(f'j{n}', parent, child, kind, xyz, rpy, axis, limit(-3.0, 3.0)))
            positions[f'j{n}'] = rng.uniform(-3.0, 3.0)
            truth[child] = truth[parent] @ along(xyz, rpy, axis, positions[f'j{n}'], kind)
        tree = parse_urdf(robot(*text))
        for base in ('l0', 'l5'):
            poses = tree.poses(base, positions)
            assert poses.keys() == truth.keys()
            for link, found in poses.items():
                expected = np.linalg.inv(truth[base]) @ truth[link]
                np.testing.assert_allclose(found, expected, atol=1e-11)
                np.testing.assert_allclose(tree.pose(link, base, positions), expected, atol=1e-11)
            for link, found in tree.fixed_to(base).items():
                np.testing.assert_allclose(found, tree.pose(link, base, {}), atol=1e-11)
                assert all(one.type == 'fixed' for one in tree.between(base, link))
        assert [name for name, one in tree.movable_joints.items() if one.type == 'fixed'] == []


def random_robot(rng, yaw):
    """An arm somewhere on a base that leans, with its axes either way, and a joint to be held."""
    up = ('continuous', limit(-2.0, 2.0)) if yaw else ('fixed', '')
    return robot(
        joint('base', 'b', 'c', xyz=rng.normal(size=3), rpy=rng.uniform(-3.0, 3.0, 3)),
        joint('held', 'c', 'd', 'prismatic', rng.normal(size=3), axis=unit(rng), inner=limit(0, 1)),
        joint('yaw', 'd', 'e', up[0], rng.normal(size=3), axis=(0, 0, rng.choice([-1, 1]))),
        *(
            joint(name, parent, child, 'revolute', rng.uniform(-0.5, 0.5, 3),
                  axis=(0, rng.choice([-1, 1]), 0), inner=limit(*np.sort(rng.uniform(-3, 3, 2))))
            for name, parent, child in (('j1', 'e', 'f'), ('j2', 'f', 'g'), ('j3', 'g', 'h'))
        ),
        joint('tip', 'h', 't', xyz=rng.uniform(-0.5, 0.5, 3), rpy=rng.uniform(-3.0, 3.0, 3)),
    )  # fmt: skip


@pytest.mark.parametrize('yaw', [False, True])
def test_the_reduced_arm_moves_as_the_robot_wherever_it_stands(yaw):
    rng = np.random.default_rng(1)
    for _ in range(25):
        arm = load_arm(random_robot(rng, yaw))
        frame = arm.plane[:3, :3]
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=CLOSURE)
        assert np.linalg.det(frame) > 0.0 and frame[2, 1] > 0.0  # y goes up
        assert frame[2, 0] == pytest.approx(0.0, abs=CLOSURE)  # x is level
        assert frame[0, 0] > 0.0 or yaw  # behind a yaw joint it is the front: see test_front.py
        assert arm.commanded_joints == (*(('yaw',) if yaw else ()), 'j1', 'j2', 'j3')
        assert (arm.yaw_joint, arm.base_link, arm.tip_link) == ('yaw' if yaw else None, 'b', 't')
        assert arm.held == {'held': 0.0}
        assert arm.notes == ('held comes before the arm and is held at 0 m',)
        assert arm.spatial.plane.slack <= 1e-15
        assert arm.frames.keys() == {'b', 'c'}
        moving = ('held', *arm.commanded_joints[:-1])
        assert arm.joints_moving('g') == moving
        assert (arm.joints_moving('c'), arm.joints_moving('nowhere')) == ((), None)
        assert arm.naming.configuration({}) == (0.0, arm.joint_offsets)
        if yaw:
            size = arm.arm.max_reach + math.hypot(*arm.spatial.yaw.foot, arm.spatial.yaw.aside)
            assert arm.spatial.yaw.rounding == pytest.approx(1e-13 * size, rel=1e-9, abs=0.0)
        arm = arm.holding({'held': 0.4, 'j1': 1.0})
        assert arm.notes == ('held comes before the arm and is held at 0.4 m',)
        for _ in range(10):
            positions = {
                name: float(rng.uniform(max(one.lower, -3.0), min(one.upper, 3.0)))
                for name, one in arm.tree.movable_joints.items() if name in arm.commanded_joints
            }  # fmt: skip
            tip = arm.forward_kinematics(positions)
            whole = arm.link_pose('t', {**positions, 'held': 0.4})
            np.testing.assert_allclose(tip, whole, atol=CLOSURE)
            turned, q = arm.naming.configuration(positions)
            x, y, phi = arm.arm.forward_kinematics(q)
            assert math.dist(arm.spatial.plane.point_at(x, y, turned), tip[:3, 3]) <= CLOSURE
            rotation = arm.spatial.tool.rotation(phi, turned)
            np.testing.assert_allclose(rotation, tip[:3, :3], atol=CLOSURE)
            assert arm.naming.named((turned, q)) == pytest.approx(positions, abs=CLOSURE)
            assert arm.naming.arm_angles(positions) == q


def test_a_level_plane_that_leans_within_the_tolerance_is_square():
    leaning = (4e-5, -3e-5, 1.0)
    for axis in (leaning, tuple(-number for number in leaning)):
        arm = load_arm(robot(*in_a_row(*[('continuous', axis, '')] * 3, ('fixed', axis, ''))))
        frame = arm.plane[:3, :3]
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), rtol=0.0, atol=1e-15)
        assert frame[2, 2] > 0.0 and frame[0, 0] > 0.999
        assert abs(frame[2, 0]) > 1e-5  # as far towards x as the plane allows


def test_no_position_is_minus_zero():
    arm = load_arm(robot(*in_a_row(*[('continuous', (0, 0, -1), '')] * 3, ('fixed', Z_AXIS, ''))))
    back = load_arm(robot(*in_a_row(*[('continuous', (0, 1, 0), '')] * 3, ('fixed', Z_AXIS, ''))))
    for one in (arm, back):
        at_zero = one.naming.named((0.0, one.joint_offsets))
        assert all(math.copysign(1.0, position) == 1.0 for position in at_zero.values())
    assert {-1} <= {*arm.joint_signs, *back.joint_signs}


def test_joints_move_little_before_the_arm_is_reduced_anew():
    arm = load_arm(robot(
        joint('lift', 'a', 'b', 'prismatic', inner=limit(-1, 1)),
        *(joint(f'j{n}', *('bcdet'[n : n + 2]), 'continuous', (0.2, 0, 0)) for n in range(3)),
        joint('end', 'e', 't', xyz=(0.2, 0, 0)),
    ))  # fmt: skip
    assert arm.holding({'lift': 0.9e-3}) is arm is arm.holding({'lift': 1e-3})
    lifted = arm.holding({'lift': 1.1e-3})
    assert lifted.held == {'lift': 1.1e-3}
    assert lifted.plane[2, 3] == pytest.approx(1.1e-3)
    assert lifted.holding({'lift': 1.5e-3}) is lifted
    assert lifted.holding({'lift': -1.1e-3}).held == {'lift': -1.1e-3}


def test_slack_is_twice_the_lean_times_the_way():
    """Joint a gives the normal; b and c lean from it, the yaw joint does not."""
    lean = 5e-5

    def arm_with(xyz):
        return load_arm(robot(
            joint('yaw', 0, 1, 'continuous'),
            joint('a', 1, 2, 'continuous', xyz, axis=(lean, 1.0, 0.0)),
            joint('b', 2, 3, 'continuous', (0.3, 0, 0), axis=Y_AXIS),
            joint('c', 3, 4, 'continuous', (0.2, 0, 0), axis=Y_AXIS),
            joint('end', 4, 't', xyz=(0.1, 0, 0)),
        ))  # fmt: skip

    rng = np.random.default_rng(2)
    for xyz in ((0.0, 0.3, 0.4), (0.0, 0.0, 0.0)):
        arm = arm_with(xyz)
        slack = arm.spatial.plane.slack
        assert slack == pytest.approx(2.0 * 2.0 * lean * (0.6 + math.hypot(*xyz)), rel=1e-6)
        (note,) = arm.notes
        assert note == (
            'the axes of yaw, a, b, c are only nearly parallel or perpendicular: the '
            f'joints are corrected, by up to {1000.0 * slack:.2g} mm at the tip'
        )
        for _ in range(50):
            positions = dict(zip(arm.commanded_joints, rng.uniform(-3.0, 3.0, 4)))
            yaw, q = arm.naming.configuration(positions)
            planned = arm.spatial.plane.point_at(*arm.arm.forward_kinematics(q)[:2], yaw)
            assert math.dist(planned, arm.forward_kinematics(positions)[:3, 3]) <= slack
    exact = load_arm(robot(*THREE, joint('end', 3, 't')))
    assert (exact.notes, exact.spatial.plane.slack) == ((), 0.0)


def test_a_yaw_axis_that_leans_from_the_plane_counts_as_slack():
    lean = 4e-5
    arm = load_arm(robot(
        joint('yaw', 'a', 0, 'continuous', axis=(0.0, lean, 1.0)),
        *THREE, joint('end', 3, 't', xyz=(0.1, 0, 0)),
    ))  # fmt: skip
    assert arm.yaw_joint == 'yaw'
    assert math.hypot(*arm.spatial.yaw.along) == pytest.approx(1.0, rel=0.0, abs=1e-15)
    assert arm.spatial.plane.slack == pytest.approx(2.0 * lean * (0.3 + 0.3 + 0.3 + 0.1), rel=1e-6)


def test_a_wrist_axis_that_leans_counts_as_slack():
    """The tip is 0.05 m beside the axis of x, and the last link is 0.2 m long."""
    lean = 4e-5
    arm = load_arm(robot(
        *THREE, joint('x', 3, 4, 'continuous', (0.1, 0, 0), axis=(1.0, lean, 0.0)),
        joint('end', 4, 't', xyz=(0.1, 0, 0.05)),
    ))  # fmt: skip
    assert arm.wrist_joints == ('x',)
    assert (arm.whole.lean, arm.whole.lean_of_three) == (pytest.approx(2.0 * lean, rel=1e-6), 0.0)
    slack = arm.whole.carrier.plane.slack
    assert slack == pytest.approx(2.0 * lean * (2.0 * 0.05 + 0.2), rel=1e-3)


@pytest.mark.parametrize(
    ('kind', 'axis', 'inner'),
    [
        ('prismatic', Z_AXIS, '<limit lower="0" upper="1"/>'),
        ('continuous', Z_AXIS, '<mimic joint="g"/>'),
        ('continuous', (0.0, 0.01, 1.0), ''),
    ],
)
def test_what_does_not_turn_the_plane_is_no_yaw_joint(kind, axis, inner):
    arm = load_arm(robot(
        joint('x', 'a', 0, kind, axis=axis, inner=inner), *THREE, joint('end', 3, 't')
    ))  # fmt: skip
    assert (arm.yaw_joint, arm.spatial.yaw, arm.held) == (None, None, {'x': 0.0})
    unit = 'm' if kind == 'prismatic' else 'rad'
    why = f': its axis is 0.573 deg from {FROM_THREE}' if not inner else ''
    assert arm.notes == (f'x comes before the arm and is held at 0 {unit}{why}',)


@pytest.mark.parametrize(
    ('after', 'held', 'why'),
    [
        (('prismatic', Z_AXIS, limit(0, 1)), '0 m', 'it does not turn'),
        (('continuous', X_AXIS, '<mimic joint="g"/>'), '0 rad', 'it follows another joint'),
        (
            ('continuous', (0.0, 0.01, 1.0), ''),
            '0 rad',
            f'its axis is 0.573 deg from {FROM_THREE}',
        ),
    ],
)
def test_notes_on_joints_after_the_arm_that_are_no_wrist(after, held, why):
    kind, axis, inner = after
    first = joint('x', 3, 't', kind, (0.3, 0, 0), axis=axis, inner=inner)
    arm = load_arm(robot(*THREE, first, joint('end', 't', 'tip', xyz=(0.05, 0, 0))))
    assert (arm.held, arm.wrist_joints) == ({'x': 0.0}, ())
    assert arm.notes == (f'x is held at {held}, and is no part of a wrist: {why}',)


@pytest.mark.parametrize(
    ('kind', 'at', 'axis', 'inner', 'why'),
    [
        ('prismatic', (0, 0, 0), Y_AXIS, limit(0, 1), 'it does not turn'),
        ('continuous', (0, 0, 0), Y_AXIS, '<mimic joint="g"/>', 'it follows another joint'),
        ('continuous', (0, 0, 0.02), Y_AXIS, '',
         'its axis misses that of x by 20 mm; at most 0.12 mm is allowed'),
        (
            'continuous', (0, 0, 0), (0.01, 1.0, 0.0), '',
            f'its axis is 0.573 deg from being perpendicular to that of x; {ALLOWED}',
        ),
        ('continuous', (0.1, 0, 0.03), Z_AXIS, '', None),
    ],
)  # fmt: skip
def test_notes_on_the_second_joint_after_the_arm(kind, at, axis, inner, why):
    arm = load_arm(robot(
        *THREE, joint('x', 3, 4, 'continuous', (0.1, 0, 0), axis=X_AXIS),
        joint('y', 4, 't', kind, at, axis=axis, inner=inner),
        joint('end', 't', 'tip', xyz=(0.5, 0, -0.02)),
    ))  # fmt: skip
    unit = 'm' if kind == 'prismatic' else 'rad'
    if why is None:
        assert (arm.wrist_joints, arm.held, arm.notes) == (('x', 'y'), {}, ())
    else:
        assert (arm.wrist_joints, arm.held) == (('x',), {'y': 0.0})
        assert arm.notes == (f'y is held at 0 {unit}, and is no part of a wrist: {why}',)


def test_notes_on_a_third_joint_after_the_arm_and_one_that_follows():
    axes = ('x', X_AXIS, ''), ('y', Y_AXIS, ''), ('z', Z_AXIS, ''), ('w', Z_AXIS, '')
    more = [
        joint(name, 3 + n, 4 + n, 'continuous', (0.05, 0, 0), axis=axis, inner=inner)
        for n, (name, axis, inner) in enumerate(axes)
    ]
    arm = load_arm(robot(*THREE, *more, joint('end', 7, 'tip', xyz=(0.1, 0, 0))))
    assert (arm.wrist_joints, arm.held) == (('x', 'y'), {'z': 0.0, 'w': 0.0})
    assert arm.notes == (
        'z is held at 0 rad, and is no part of a wrist: a wrist has two joints at most',
        'w moves the tip by up to 200 mm; it is held at 0 rad',
    )


def test_the_tip_is_the_leaf_with_the_fewest_joints_after_the_arm():
    longer = [joint('roll', 3, 'wrist', 'continuous', axis=(1, 0, 0)), joint('w', 'wrist', 'hand')]
    assert load_arm(robot(*THREE, *longer, joint('end', 3, 'flange'))).tip_link == 'flange'
    twice = joint('pan', 'wrist', 'eye', 'continuous', axis=(1, 1, 0))
    assert load_arm(robot(*THREE, *longer, twice)).tip_link == 'hand'
    ways = [(0, X_AXIS), ('a', Z_AXIS), ('b', Y_AXIS), ('c', Y_AXIS), ('d', Y_AXIS)]
    other = [  # joints before the three do not count
        joint(f'to_{end}', start, end, 'continuous', (0.3, 0, 0), axis=axis)
        for (start, axis), end in zip(ways, 'abcde')
    ]
    assert load_arm(robot(*THREE, *longer, *other)).tip_link == 'e'
