# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many full poses at once: each row is what a single target gives."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import X_AXIS, Y_AXIS, Z_AXIS, joint, limit, robot
from spatial_arms import direction, random_rotation, rotation_by
from three_joints import NAMES, load, shipped_arm
from tilted_robots import tilted
from wrist_robots import with_tip_on_axis

from ik_circles import load_arm
from ik_circles.planar.selection import Policy
from ik_circles.spatial.batch.full_poses import FullPoseBatch
from ik_circles.spatial.batch.poses import PoseBatch

FIXED = {'orientation_mode': 'fixed'}
SAME = 1e-7  # [rad]: near a straight elbow, rounding counts by its root
MODES = [
    {},
    {'branch': 'elbow_up'},
    {'branch': 'elbow_down', 'orientation_mode': 'fixed'},
    {'tilt_tolerance': 0.05, 'orientation_mode': 'fixed'},
]


def limits_of(arm):
    return np.clip([(one.lower, one.upper) for one in arm.naming.joints.values()], -7.0, 7.0)


def drawn(arm, rng, count, on_limits=0.1):
    """Joint positions (count, joints), now and then on a limit."""
    lower, upper = limits_of(arm).T
    found = rng.uniform(lower, upper, (count, len(lower)))
    kind = rng.uniform(size=found.shape)
    found = np.where(kind < on_limits / 2.0, lower, found)
    return np.where(kind > 1.0 - on_limits / 2.0, upper, found)


def own_poses(arm, joints):
    return np.array([arm.forward_kinematics(named(arm, row)) for row in joints])


def named(arm, row):
    return dict(zip(arm.commanded_joints, row.tolist()))


def mixed_poses(arm, rng, count):
    """Own ones, ones turned a little, and ones with the orientation of another."""
    poses = own_poses(arm, drawn(arm, rng, count))
    for row in range(0, count, 4):
        axis = rng.normal(size=3)
        turned = rotation_by(axis / np.linalg.norm(axis), rng.uniform(0.0, 0.02))
        poses[row, :3, :3] = turned @ poses[row, :3, :3]
    poses[1::8, :3, 3] = np.roll(poses[1::8, :3, 3], 1, axis=0)
    return poses


def points_with_phi(arm, rng, count):
    poses = mixed_poses(arm, rng, count)
    return np.column_stack((poses[:, :3, 3], rng.uniform(-4.0, 4.0, count)))


def single(arm, row, seed, **mode):
    near = None if seed is None else named(arm, seed)
    if row.ndim == 2:
        found = arm.solve(row[:3, 3].tolist(), rotation=row[:3, :3], seed=near, **mode)
    else:
        found = arm.solve(row[:3].tolist(), float(row[3]), seed=near, **mode)
    return np.full(len(arm.commanded_joints), np.nan) if found is None else [*found.values()]


def assert_same(arm, rng, rows, modes=MODES):
    """From home, from one seed for all, and from a seed for each."""
    seeds = drawn(arm, rng, len(rows))
    for mode in modes:
        for seed in (None, seeds[0], seeds):
            found = arm.solve_batch(rows, seed=seed, **mode)
            each = [None] * len(rows) if seed is None else np.broadcast_to(seed, seeds.shape)
            expected = [single(arm, row, its, **mode) for row, its in zip(rows, each)]
            told = f'{arm}, {mode}, seed {seed}'
            np.testing.assert_allclose(found, expected, rtol=0.0, atol=SAME, err_msg=told)
            lower, upper = limits_of(arm).T
            known = found[~np.isnan(found[:, 0])]
            assert ((known >= np.minimum(lower, known)) & (known <= np.maximum(upper, known))).all()


@pytest.mark.parametrize('kind', [mixed_poses, points_with_phi])
@pytest.mark.parametrize('name', NAMES)
def test_shipped_robots(name, kind):
    rng, arm = np.random.default_rng(0), shipped_arm(name)
    fixed = [one for one in MODES if 'orientation_mode' in one]
    assert_same(arm, rng, kind(arm, rng, cases(400, 120)), fixed)
    assert_same(arm, rng, kind(arm, rng, cases(60, 60)))


def limited(rng):
    kind = rng.integers(4)
    if kind == 0:
        return 'continuous', ''
    lower = rng.uniform(-3.0, 0.0)
    return 'revolute', limit(lower, lower + (7.0 if kind == 1 else rng.uniform(1.0, 6.0)))


def random_robot(rng, yaw, wrist):
    """An arm with axes either way and offsets, on the yaw axis or beside it, and its wrist."""
    aside = rng.choice([0.0, 0.1]) * rng.uniform(-1.0, 1.0, 4)
    first = rotation_by((0.0, 1.0, 0.0), rng.uniform(-3.0, 3.0)) @ (1.0, 0.0, 0.0)
    second = rotation_by(first, rng.uniform(-3.0, 3.0)) @ (0.0, 1.0, 0.0)
    made = [('yaw', *(limited(rng) if yaw else ('fixed', '')), rng.normal(size=3), (0, 0, 1))]
    for number in range(3):
        xyz = rng.uniform(0.05, 0.4), aside[number], rng.uniform(-0.1, 0.1)
        made.append((f'j{number}', *limited(rng), xyz, (0, rng.choice([-1, 1]), 0)))
    made.append(('w1', *limited(rng), 0.1 * first + (0.0, aside[3], 0.0), first))
    made.append(('w2', *limited(rng), 0.05 * first, second))
    del made[4 + wrist :]
    made.append(('tip', 'fixed', '', rng.uniform(-0.1, 0.1, 3), (0, 0, 1)))
    links = range(len(made))
    return robot(*(
        joint(name, link, link + 1, kind, xyz, axis=axis, inner=inner)
        for link, (name, kind, inner, xyz, axis) in zip(links, made)
    ))  # fmt: skip


@pytest.mark.parametrize('yaw', [True, False])
@pytest.mark.parametrize('wrist', [0, 1, 2])
def test_random_robots(yaw, wrist):
    rng = np.random.default_rng(1)
    for _ in range(cases(40, 40)):
        arm = load_arm(random_robot(rng, yaw, wrist))
        assert len(arm.wrist_joints) == wrist
        for kind in (mixed_poses, points_with_phi):
            assert_same(arm, rng, kind(arm, rng, 16), [MODES[rng.integers(len(MODES))]])


def test_the_axis_of_a_wrist_out_of_a_plane_that_no_joint_turns():
    """The tip is on that axis, so the wrist center stays in the plane."""
    rng, tilted_ones = np.random.default_rng(4), 0
    for _ in range(cases(80)):
        arm = load_arm(with_tip_on_axis(random_robot(rng, False, 1)))
        poses = own_poses(arm, drawn(arm, rng, 8, on_limits=0.0))
        for pose in poses:
            pose[:3, :3] = rotation_by(direction(rng), rng.uniform(0.0, 0.04)) @ pose[:3, :3]
        assert_same(arm, rng, poses, MODES[3:])
        tilted_ones += np.isfinite(arm.solve_batch(poses, **MODES[3])[:, 0]).sum()
    assert tilted_ones > cases(80)


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100'])
def test_robots_whose_axes_lean(name):
    rng = np.random.default_rng(2)
    for _ in range(cases(10, 10)):
        arm = load_arm(tilted(name, rng))
        assert_same(arm, rng, mixed_poses(arm, rng, 5), MODES[2:3])


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_robots_with_a_wrist_whose_axes_lean(name):
    """Most rows are not left to the code for one target."""
    rng = np.random.default_rng(7)
    arm = load_arm(tilted(name, rng, 1e-6, wrist=True))
    assert_same(arm, rng, own_poses(arm, drawn(arm, rng, cases(200), on_limits=0.0)), MODES[1:3])
    poses = own_poses(arm, drawn(arm, rng, 100, on_limits=0.0))
    near = np.zeros((len(poses), len(arm.commanded_joints)))
    solved = FullPoseBatch(arm.whole).solve(poses, near, Policy(), 1e-6)
    assert solved.doubtful.sum() < 30


def test_other_modes():
    rng, arm = np.random.default_rng(3), shipped_arm('so101')
    poses = mixed_poses(arm, rng, 4)
    assert_same(arm, rng, poses, [{'orientation_mode': 'free'}, {'orientation_tolerance': 0.1}])


def test_an_elbow_hardly_bent_before_a_wrist_that_is_loose():
    """A wrist 1e-5 rad from where two of its axes are parallel: rounding turns the last link, and
    an elbow that is nearly straight or folded bends by far more."""
    rng, count, bend = np.random.default_rng(3), cases(40, 6), 1e-5
    axes = Z_AXIS, Y_AXIS, Y_AXIS, Y_AXIS, X_AXIS, Y_AXIS
    arm = load_arm(robot(*(
        joint(f'j{n}', n, n + 1, 'continuous', (length, 0.0, 0.0), axis=axis)
        for n, (length, axis) in enumerate(zip(rng.uniform(0.1, 0.3, 6), axes))
    ), joint('end', 6, 'tip', xyz=(0.05, -0.1, 0.1))))  # fmt: skip
    joints = rng.uniform(-3.0, 3.0, (count, 6))
    joints[:, 2], joints[:, 4] = np.pi * (np.arange(count) % 2) + bend, 1e-5
    poses, seeds = own_poses(arm, joints), joints + rng.uniform(-0.3, 0.3, joints.shape)
    found = arm.solve_batch(poses, seed=seeds, **FIXED)
    expected = [single(arm, pose, seed, **FIXED) for pose, seed in zip(poses, seeds)]
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=SAME)


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100'])
def test_hardly_any_row_is_left_to_the_code_for_one_target(name):
    """Else batches are as slow as that."""
    rng, arm, policy = np.random.default_rng(6), load(name), Policy()
    poses = own_poses(arm, drawn(arm, rng, 200, on_limits=0.0))
    points = np.column_stack((poses[:, :3, 3], rng.uniform(-3.0, 3.0, len(poses))))
    near = np.zeros((len(poses), len(arm.commanded_joints)))
    for rows in (poses, points):
        assert PoseBatch(arm.spatial).solve(rows, near, policy, 0.01).doubtful.mean() <= 0.05
    whole = shipped_arm(name)
    if whole.wrist_joints:
        poses = own_poses(whole, drawn(whole, rng, 200, on_limits=0.0))
        near = np.zeros((len(poses), len(whole.commanded_joints)))
        found = FullPoseBatch(whole.whole).solve(poses, near, policy, 0.01)
        assert found.doubtful.mean() <= 0.05 and np.isfinite(found.angles).any(axis=1).mean() > 0.9


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'planar_3r'])
def test_a_tilt_that_is_just_allowed(name):
    """The tolerance is the tilt of the pose itself, to the last digit and next to that."""
    rng, arm, asked = np.random.default_rng(7), load(name), 0
    for pose in own_poses(arm, drawn(arm, rng, cases(200), on_limits=0.0)):
        pose[:3, :3] = rotation_by(direction(rng), 0.05) @ pose[:3, :3]
        point, rotation = pose[:3, 3].tolist(), pose[:3, :3]
        told = arm.check_reachability(point, rotation=rotation, tilt_tolerance=1.0)
        tilt = told.tilt_of(told.solutions[0]) if told.reachable else 0.0
        for allowed in (tilt, np.nextafter(tilt, 0.0), np.nextafter(tilt, 1.0), 0.9 * tilt):
            mode = {'tilt_tolerance': float(allowed), 'orientation_mode': 'fixed'}
            (found,) = arm.solve_batch(pose[np.newaxis], **mode)
            np.testing.assert_allclose(found, single(arm, pose, None, **mode), rtol=0.0, atol=SAME)
            asked += told.reachable
    assert asked


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_orientations_far_from_what_the_joints_can_give(name):
    """Of a tool that points anywhere, the pitch counts as seen from the plane."""
    rng, arm = np.random.default_rng(8), load(name)
    poses = own_poses(arm, drawn(arm, rng, cases(400)))
    for pose in poses:
        pose[:3, :3] = random_rotation(rng)
    assert_same(arm, rng, poses, [{'tilt_tolerance': 4.0, 'orientation_mode': 'fixed'}])


@pytest.mark.parametrize('name', ['px100', 'open_manipulator_x'])
def test_a_tool_straight_across_the_plane_counts_as_pointing_outwards(name):
    """Rounding would decide between outwards and inwards, with a tool that also points up."""
    arm, rng = shipped_arm(name), np.random.default_rng(6)
    poses = np.tile(np.eye(4), (cases(100), 1, 1))
    for pose in poses:
        across, up = rng.choice([-1.0, 1.0]) * math.pi / 2.0, rng.uniform(-1.0, -0.2)
        heading = rng.uniform(-1.0, 1.0)
        pose[:3, :3] = rotation_by((0, 0, 1), heading + across) @ rotation_by((0, 1, 0), up)
        pose[:3, 3] = rng.uniform(0.1, 0.25) * np.array((math.cos(heading), math.sin(heading), 1.0))
    assert_same(arm, rng, poses, [{}])
