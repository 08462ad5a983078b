# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Postures and tilted planes of many targets in columns, against those of one target."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    checked,
    direction,
    random_arm,
    random_configuration,
    random_rotation,
    rotation_by,
    tip_pose,
)
from wrist_robots import random_robot, random_robots, shipped_robots, singular

from ik_circles.planar.selection import Policy
from ik_circles.spatial.batch.full_poses import FullPoseBatch
from ik_circles.spatial.batch.poses import PoseBatch
from ik_circles.spatial.batch.shoulders import Shoulders
from ik_circles.spatial.batch.wrists import postures
from ik_circles.spatial.wrist import LOOSE, ROUNDING

SAME = 1e-12
ROWS = 40
TILT, USUAL_TILT = 0.05, 0.01  # [rad], the second one is the default


def robots():
    return [*shipped_robots().values(), *random_robots(np.random.default_rng(5), 40, 10)]


def single_wrists():
    """Random robots whose tip is beside the axis of their only wrist joint."""
    rng = np.random.default_rng(7)
    return [random_robot(rng, yaw, 1) for yaw in (True, True, True)]


def shoulder_at(yaw, rounded):
    zeros = np.zeros(len(yaw))
    return Shoulders(
        np.arange(len(yaw)), True, zeros, zeros, yaw, np.cos(yaw), np.sin(yaw), rounded, yaw == yaw
    )


def assert_same_angles(some, others):
    assert np.abs(np.remainder(np.subtract(some, others) + 1.0, math.tau) - 1.0).max() <= SAME


@pytest.mark.parametrize('number', range(9))
def test_postures_in_columns_are_those_of_single_orientations(number):
    """With two joints both flips; with one the roll that leaves the least tilt, however large."""
    rng, robot = np.random.default_rng(number), robots()[number]
    wrist = robot.arm.whole.wrist
    rotations = [random_rotation(rng) for _ in range(ROWS)]
    for _ in range(ROWS):  # and ones that the wrist takes
        rotations.append(robot.tip(robot.drawn(rng))[:3, :3])
    yaw, rounded = rng.uniform(-3.0, 3.0, (2, len(rotations)))
    sights = [wrist.sight(one.tolist()) for one in rotations]
    columns = list(np.array(sights).reshape(-1, 9).T)
    found = postures(wrist, columns, shoulder_at(yaw, np.abs(rounded)))
    singles = [wrist.postures(sight, angle) for sight, angle in zip(sights, yaw.tolist())]
    for flip, many in enumerate(found):
        ones = [some[flip] for some in singles]
        assert_same_angles(many.phi, [one.phi for one in ones])
        assert_same_angles(np.transpose(many.wrist), [one.wrist for one in ones])
        assert many.tilt == pytest.approx([one.tilt for one in ones], abs=SAME)
        loose = np.abs(rounded) * [one.loose for one in ones]
        assert many.rounded / ROUNDING == pytest.approx(loose, rel=1e-6)
        assert not many.doubtful.any()
    assert len(found) == (2 if wrist.has_two else 1)


@pytest.mark.parametrize('robot', [shipped_robots()['so101'], *single_wrists()])
def test_tilted_planes_in_columns_are_those_of_single_poses(robot):
    """A single wrist joint leaves a tilt: in the middle of the ranges, few rows are left to the
    code for one target, those next to the yaw axis, and the tip is at its place exactly."""
    rng = np.random.default_rng(6)
    arm, poses, seeds = robot.arm, [], []
    for _ in range(cases(200, 5, least=40)):
        own = {one: low + rng.uniform(0.3, 0.7) * (up - low)
               for one, (low, up) in robot.limits.items()}  # fmt: skip
        pose = robot.tip(own)
        turned = USUAL_TILT * 10.0 ** rng.uniform(-2.3, 0.0)
        pose[:3, :3] = rotation_by(direction(rng), turned) @ pose[:3, :3]
        poses.append(pose)
        seeds.append([own[one] for one in arm.commanded_joints])
    near = arm.whole_naming.angles_of_rows(np.array(seeds))
    policy = Policy(orientation_mode='fixed')
    found, doubtful = FullPoseBatch(arm.whole).solve(np.array(poses), near, policy, USUAL_TILT)
    assert doubtful.mean() < 0.4
    assert np.isfinite(found[~doubtful]).all(axis=1).mean() > 0.8
    rows = arm.whole_naming.positions_of_rows(found)
    for pose, seed, row, is_doubtful in zip(poses, seeds, rows, doubtful):
        asked = {'rotation': pose[:3, :3], 'seed': dict(zip(arm.commanded_joints, seed))}
        one = arm.solve(pose[:3, 3], **asked, orientation_mode='fixed', tilt_tolerance=USUAL_TILT)
        if is_doubtful:
            continue
        assert (one is None) == np.isnan(row).any()
        if one is not None:
            there = dict(zip(arm.commanded_joints, row.tolist()))
            assert robot.miss(there, pose[:3, 3]) <= 1e-9
            assert there == pytest.approx(one, abs=1e-7)


def test_tilted_planes_with_the_elbow_next_to_straight_or_folded_are_left_if_correction_decides():
    """Own poses of random robots, turned a little: rows have the solution of single poses, and none
    where these have none, also with a joint on its limit and next to where the reach ends."""
    rng, policy, left = np.random.default_rng(11), Policy(orientation_mode='fixed'), []
    kinds = [(True, 1), (True, 1), (False, 1)]
    for robot in random_robots(rng, cases(4000, 40, least=33), 10, kinds):
        own = robot.bent(robot.drawn(rng, rng.integers(2)), 1, elbow_next_to_straight(rng))
        if own is None:
            continue
        arm, pose = robot.arm, robot.tip(own)
        pose[:3, :3] = rotation_by(direction(rng), 10.0 ** rng.uniform(-6.0, -2.3)) @ pose[:3, :3]
        near = arm.whole_naming.angles_of_rows(np.array([list(own.values())]))
        found, doubtful = FullPoseBatch(arm.whole).solve(pose[np.newaxis], near, policy, TILT)
        left.append(doubtful[0])
        if not doubtful[0]:
            asked = {'rotation': pose[:3, :3], 'seed': own, 'orientation_mode': 'fixed'}
            one = arm.solve(pose[:3, 3], **asked, tilt_tolerance=TILT)
            row = arm.whole_naming.positions_of_rows(found)[0]
            wanted = np.full(len(row), np.nan) if one is None else [*one.values()]
            assert row == pytest.approx(wanted, abs=1e-7, nan_ok=True), f'{robot.text}, {pose}'
    assert 0.1 < np.mean(left) < 0.8


def elbow_next_to_straight(rng):
    """An angle of joint 2, up to 0.3 rad from straight or folded."""
    return rng.choice([0.0, math.pi]) + rng.choice([-1, 1]) * 10.0 ** rng.uniform(-4.0, -0.5)


def test_orientations_next_to_a_singular_wrist_are_left_to_the_code_for_one_target():
    """Where rounding may turn the wrist by more than LOOSE, or by a thousandth less than that."""
    wrist, rounded = shipped_robots()['ur5e'].arm.whole.wrist, 3.0
    for off, is_left in ((-0.1, True), (-1e-4, True), (5e-4, True), (3e-3, False), (0.1, False)):
        level = rounded * ROUNDING / LOOSE * (1.0 + off)
        sight = np.array([(0, level, 1), (1, 0, 0), (0, 1, -level)], float).reshape(9, 1)
        yaw = np.zeros(1)
        for one in postures(wrist, list(sight), shoulder_at(yaw, yaw + rounded)):
            assert one.doubtful.tolist() == [is_left]


def test_full_poses_with_a_singular_wrist_are_left_to_the_code_for_one_target():
    rng, checked = np.random.default_rng(9), 0
    for robot in random_robots(rng, cases(200, least=8), 2, [(True, 2)]):
        own = singular(robot, robot.drawn(rng), rng, 0.0)
        if own is not None:
            near = robot.arm.whole_naming.angles_of_rows(np.array([[*own.values()]])) + 0.1
            batch, pose = FullPoseBatch(robot.arm.whole), robot.tip(own)[np.newaxis]
            assert batch.solve(pose, near, Policy(), 0.0).doubtful.all()
            checked += 1
    assert checked


def test_orientations_in_columns_tilt_as_single_ones_whatever_the_yaw_axis():
    """Behind a yaw axis that leans in the plane: own poses, turned by less or more than allowed."""
    rng, policy, solved = np.random.default_rng(8), Policy(orientation_mode='fixed'), []
    for _ in range(cases(200)):
        arm, poses, near = random_arm(rng, bool(rng.integers(2)), FREE), [], []
        for _ in range(12):
            own = random_configuration(rng, arm)
            pose, (point, rotation) = np.eye(4), tip_pose(arm, own)
            turned = rotation_by(direction(rng), rng.choice([0.0, 0.5, 2.0]) * TILT)
            pose[:3, :3], pose[:3, 3] = turned @ rotation, point
            poses.append(pose)
            near.append((own.yaw, *own.q))
        found, doubtful = PoseBatch(arm).solve(np.array(poses), np.array(near), policy, TILT)
        for pose, row, is_left in zip(poses, found, doubtful):
            told = checked(arm, tuple(pose[:3, 3].tolist()), rotation=pose[:3, :3], tilt=TILT)
            solved.append(told.reachable)
            assert np.isfinite(row).all() == told.reachable or is_left, f'{arm}, {pose}'
    assert 0.3 < np.mean(solved) < 0.9
