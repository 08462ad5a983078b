# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses that leave a joint free, against all members of their family."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit
from robot_texts import robot as text_of
from wrist_robots import drawn_on_axis, pose_of, random_robots, singular

from ik_circles import load_arm
from ik_circles.planar.selection import DETOUR, NEAR_SEED, SMALL_STEP
from ik_circles.spatial.poses import ways
from ik_circles.spatial.poses.free_members import singular_shoulders
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.whole import Whole

TILT = 1e-6  # [rad]
STEP = 0.02  # [rad] between members that are looked at
ABOUT = 2.0  # [1] half way between two members that are tried, joints may move half as far
INSIDE = 1e-9  # [rad]


def with_free_last_joint(rng, count):
    """Arms with a pose that leaves the last joint free, their own joints, and others near these.

    Some of the joints are on a limit: not all members are inside the limits, or next to each other.
    """
    for robot in random_robots(rng, count, each=1, kinds=[(True, 2), (False, 2)]):
        own = singular(robot, robot.drawn(rng, rng.integers(3)), rng, 0.0)
        if own is not None:
            last, away = robot.arm.wrist_joints[1], rng.choice([0.1, 0.2])
            own[last] = rng.choice([own[last], *robot.limits[last]])
            moved = {name: q + rng.uniform(-away, away) for name, q in own.items()}
            near = {name: float(np.clip(q, *robot.limits[name])) for name, q in moved.items()}
            naming = robot.arm.whole_naming
            asked = robot.arm.whole, *pose_of(robot, own), TILT, naming.whole(near)
            yield FullPose(*asked), naming.whole(own)


def members(pose, own):
    """The family at the own yaw angle, with each joint at the turn nearest to where the arm is."""
    arm = pose.aim.arm
    planar, free = arm.carrier.planar, arm.wrist.singular(pose.aim.sight, own.yaw)
    x, y, start = planar.pose_at(own.q)
    for phi in start + np.arange(-math.pi, math.pi, STEP):
        for q in planar.solver.solutions(x, y, phi, pose.aim.near.q):
            one = arm.turned(Whole(own.yaw, q, (free.first, free.last(phi))), pose.aim.near)
            pairs = zip(arm.angles(one), arm.limits)
            if all(lower - INSIDE <= angle <= upper + INSIDE for angle, (lower, upper) in pairs):
                yield one


def test_with_a_singular_wrist_no_joint_makes_a_detour():
    rng, seen = np.random.default_rng(0), 0
    for pose, own in with_free_last_joint(rng, cases(800, least=40)):
        near = pose.aim.near
        least = min(one.change(near)[0] for one in (own, *members(pose, own)))
        if pose.has_free_joint and ABOUT * least <= NEAR_SEED:
            found = min(one.change(near)[0] for one in pose.solutions)
            assert found <= DETOUR * ABOUT * least + SMALL_STEP, (own, near)
            seen += 1
    assert seen


@pytest.mark.parametrize('end', [-math.pi, math.pi])
@pytest.mark.parametrize('moved', [-0.2, 0.2])
def test_with_a_singular_wrist_the_last_joint_stays_on_its_limit_rather_than_that_it_turns_round(
    moved, end
):
    """To keep its phi, an arm would have it pass the limit: the third joint moves instead."""
    arm = load_arm(text_of(
        joint('j1', 0, 1, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
        joint('j2', 1, 2, 'revolute', (0.4, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
        joint('j3', 2, 3, 'revolute', (0.3, 0, 0), (0, 0, 0), (0, 0, 1), limit(-3, 3)),
        joint('w1', 3, 4, 'revolute', (0.1, 0, 0), (0, 0, 0), (1, 0, 0), limit(-2, 2)),
        joint('w2', 4, 5, 'revolute', (0, 0, 0), (0, 0, 0), (0, 0, 1), limit(-math.pi, math.pi)),
        joint('tool', 5, 6, 'fixed', (0.1, 0, 0), (0, 0, 0), (1, 0, 0), ''),
    ))  # fmt: skip
    own = {'j1': 0.3, 'j2': 0.5, 'j3': -0.4, 'w1': 0.0, 'w2': end}
    pose = arm.forward_kinematics(own)
    near = {**own, 'j1': own['j1'] + moved / 4.0, 'j3': own['j3'] + moved}
    found = arm.solve(tuple(pose[:3, 3].tolist()), rotation=pose[:3, :3], seed=near)
    assert max(abs(found[name] - near[name]) for name in own) <= 1.25 * abs(moved) + 1e-9
    assert moved * end > 0.0 or abs(found['w2'] - end) <= 1e-9


def test_the_orientation_tells_each_shoulder_of_a_singular_wrist_once():
    """Those that are known from the wrist center are not told again."""
    rng, seen = np.random.default_rng(2), 0
    for robot in random_robots(rng, cases(400, least=20), each=1, kinds=[(True, 2)]):
        own = singular(robot, robot.drawn(rng), rng, 0.0)
        if own is not None and not robot.arm.whole.is_leaning:
            pose = FullPose(robot.arm.whole, *pose_of(robot, own), TILT)
            yaw = robot.arm.whole_naming.whole(own).yaw
            found = singular_shoulders(pose.aim, pose.center, [])
            assert min(abs(math.remainder(one.yaw - yaw, math.tau)) for one, _ in found) <= INSIDE
            for known in found:
                others = singular_shoulders(pose.aim, pose.center, [known])
                assert others == [one for one in found if one != known]
            seen += 1
    assert seen


def test_only_axes_that_lean_pick_members(monkeypatch):
    """Next to a singular wrist, and with the wrist center on the yaw axis."""
    for name in ('picked_at', 'picked_on_axis'):
        monkeypatch.setattr(ways, name, None)
    rng, seen = np.random.default_rng(1), 0
    for robot in random_robots(rng, cases(200, least=5), each=1, kinds=[(True, 2)], on_axis=True):
        next_to = singular(robot, robot.drawn(rng), rng, 10.0 ** rng.uniform(-12.0, -3.0))
        for own in (next_to, drawn_on_axis(robot, rng)):
            if own is not None and not robot.arm.whole.is_leaning:
                assert FullPose(robot.arm.whole, *pose_of(robot, own), TILT).solutions_in_general()
                seen += 1
    assert seen
