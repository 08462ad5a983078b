# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`RobotArm.solve_batch`: a column for each joint, a row for each pose, and what is refused."""

import math
from functools import partial

import numpy as np
import pytest
from robot_texts import joint, robot
from spatial_arms import direction, rotation_by
from three_joints import URDF, shipped_arm

from ik_circles import IkCirclesError, load_arm

SAME = 1e-7  # [rad]: near a straight elbow, rounding counts by its root


def drawn(arm, rng, count):
    """Joint positions (count, joints)."""
    limits = [(one.lower, one.upper) for one in arm.naming.joints.values()]
    return rng.uniform(*np.clip(limits, -7.0, 7.0).T, (count, len(limits)))


def own_poses(arm, joints):
    return np.array([arm.forward_kinematics(named(arm, row)) for row in joints])


def named(arm, row):
    return dict(zip(arm.commanded_joints, row.tolist()))


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'px100', 'planar_3r'])
def test_each_row_is_what_solve_gives_and_each_column_is_a_joint(name):
    rng, arm = np.random.default_rng(0), shipped_arm(name)
    poses, seeds = own_poses(arm, drawn(arm, rng, 5)), drawn(arm, rng, 5)
    for mode in ('preferred', 'free'):
        found = arm.solve_batch(poses, seed=seeds, orientation_mode=mode)
        for row, pose, seed in zip(found, poses, seeds):
            near = named(arm, seed)
            one = arm.solve(pose[:3, 3], rotation=pose[:3, :3], seed=near, orientation_mode=mode)
            wanted = dict.fromkeys(near, math.nan) if one is None else one
            assert named(arm, row) == pytest.approx(wanted, abs=SAME, nan_ok=True)


@pytest.mark.parametrize('name', ['px100', 'so101', 'ur5e'])
@pytest.mark.parametrize('mode', ['fixed', 'preferred'])
def test_how_far_a_rotation_may_be_off_unless_one_says_so(name, mode):
    """0.01 rad if it is fixed or a wrist is solved, and else any: for one pose, and for many."""
    rng, arm = np.random.default_rng(1), shipped_arm(name)
    poses, seeds = own_poses(arm, drawn(arm, rng, 12)), drawn(arm, rng, 12)
    for pose, angle in zip(poses, np.geomspace(1e-3, 0.5, 12)):
        pose[:3, :3] = rotation_by(direction(rng), angle) @ pose[:3, :3]
    most = 0.01 if mode == 'fixed' or arm.whole else math.inf
    said, unsaid = ({'orientation_mode': mode, **one} for one in ({'tilt_tolerance': most}, {}))
    found = arm.solve_batch(poses, seed=seeds, **unsaid)
    np.testing.assert_array_equal(found, arm.solve_batch(poses, seed=seeds, **said))
    for pose, seed in zip(poses, seeds):
        asked = {'point': pose[:3, 3], 'rotation': pose[:3, :3], 'seed': named(arm, seed)}
        assert arm.solve(**asked, **unsaid) == arm.solve(**asked, **said)
    assert np.isnan(found).any() == (mode == 'fixed' and name != 'ur5e')


def test_no_rows():
    arm = shipped_arm('so101')
    assert arm.solve_batch(np.empty((0, 4, 4))).shape == (0, 5)
    assert arm.solve_batch(np.empty((0, 4))).shape == (0, 5)


def test_a_pose_by_hand():
    """The tip of a planar arm, stretched along x: 0.9 m."""
    text = robot(
        *(joint(f'j{n}', n, n + 1, 'continuous', (0.3 * bool(n), 0, 0)) for n in range(3)),
        joint('end', 3, 't', xyz=(0.3, 0, 0)),
    )
    arm, pose = load_arm(text), np.eye(4)
    pose[:3, 3] = 0.6, 0.3, 0.0
    pose[:3, :3] = rotation_by((0.0, 0.0, 1.0), math.pi / 2.0)
    np.testing.assert_allclose(arm.solve_batch([pose]), [[0.0, 0.0, math.pi / 2.0]], atol=1e-6)
    (found,) = arm.solve_batch([(0.6, 0.3, 0.0, math.pi / 2.0)])
    np.testing.assert_allclose(found, [0.0, 0.0, math.pi / 2.0], atol=1e-6)
    pose[0, 3] = 2.0
    assert np.isnan(arm.solve_batch([pose])).all()


def test_thousands_of_rows_are_worked_on_in_parts():
    rng, arm = np.random.default_rng(4), load_arm(URDF / 'ur5e.urdf')
    poses = own_poses(arm, drawn(arm, rng, 50))
    seeds = drawn(arm, rng, 50)
    many = partial(np.tile, reps=(100, 1))
    found = arm.solve_batch(np.tile(poses, (100, 1, 1)), seed=many(seeds))
    np.testing.assert_allclose(found, many(arm.solve_batch(poses, seed=seeds)), atol=SAME)


@pytest.mark.parametrize(
    ('poses', 'words'),
    [
        ([(0.1, 0.2)], 'shape'),
        ([(0.1, 0.2, math.nan, 0.0)], 'row 0'),
        ([(0.1, 0.2, 0.3, 100.0)], 'degrees'),
        ([np.diag((1.0, 1.0, 1.0, 2.0))], 'last line'),
        ([np.diag((1.0, 1.0, -1.0, 1.0))], 'right-handed'),
        (np.eye(4), 'single pose'),
        ('x', 'not all numbers'),
    ],
)
def test_what_is_no_pose_is_refused(poses, words):
    arm = load_arm(URDF / 'so101.urdf')
    with pytest.raises(IkCirclesError, match=words):
        arm.solve_batch(poses)


def test_what_is_no_seed_is_refused():
    arm = load_arm(URDF / 'so101.urdf')
    for seed in ([0.0] * 4, [math.nan] * 5, [[0.0] * 5] * 2):
        with pytest.raises(IkCirclesError, match='seed'):
            arm.solve_batch([(0.1, 0.2, 0.3, 0.0)], seed=seed)
