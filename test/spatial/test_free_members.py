# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses that leave a joint free, against all members of their family."""

import math

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, limit
from robot_texts import robot as text_of
from tilted_robots import TiltedRobot, leaned
from wrist_robots import (
    drawn_on_axis,
    pose_of,
    random_robot,
    random_robots,
    singular,
    without_limits,
)

from ik_circles import load_arm
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.planar.selection import DETOUR, NEAR_SEED, SMALL_STEP
from ik_circles.spatial.poses import ways
from ik_circles.spatial.poses.aims import Aim
from ik_circles.spatial.poses.free_members import (
    ALONG,
    is_free_on_axis,
    singular_shoulders,
    yaws_on_axis,
)
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.wrist import SINGULAR

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


@pytest.mark.parametrize(('share', 'is_found'), [(0.8, True), (1.25, False)])
def test_the_orientation_tells_shoulders_only_of_exact_axes_and_of_a_singular_wrist(
    share, is_found
):
    """Singular is a last axis that leaves the horizontal by no more than counts as that: the first
    one is horizontal here."""
    rng, seen = np.random.default_rng(3), 0
    for robot in random_robots(rng, cases(200, least=10), each=1, kinds=[(True, 2)]):
        one = without_limits(robot)
        arm, own = one.arm.whole, one.arm.whole_naming.whole(one.drawn(rng))
        if arm.is_leaning or len(one.arm.wrist_joints) < 2:
            continue
        upright = math.pi / 2.0 - arm.wrist.first_at_zero
        (q1, q2, _), yaw, phi = own.q, own.yaw, arm.wrist.phi_at_zero
        its = own._replace(q=(q1, q2, phi - q1 - q2), wrist=(upright + share * SINGULAR, 0.3))
        pose = FullPose(arm, *arm.pose(its), TILT)
        found = singular_shoulders(pose.aim, pose.center, [])
        assert any(abs(math.remainder(at.yaw - yaw, math.tau)) <= INSIDE for at, _ in found) == (
            is_found
        )
        leaning = TiltedRobot(leaned(one.text, rng, 1e-9)).arm.whole
        pose = FullPose(leaning, *leaning.pose(its), TILT)
        assert not leaning.is_leaning or singular_shoulders(pose.aim, pose.center, []) == []
        seen += 1
    assert seen


def test_a_single_wrist_axis_along_the_yaw_axis_leaves_the_yaw_joint_free():
    for robot in (random_robot(np.random.default_rng(4), True, count) for count in (1, 2)):
        arm = robot.arm.whole
        for share, is_along in ((0.0, True), (1.0, True), (1.01, False), (1e9, False)):
            for x, z in ((1.0, 0.0), (0.0, -1.0)):
                size = share * ALONG
                sight = (size * x, 0.0, 0.0), (1.0, 0.0, 0.0), (size * z, 0.0, 0.0)
                assert is_free_on_axis(arm, sight) == (is_along or arm.wrist.has_two)


@pytest.mark.parametrize('lean', [0.0, 1e-6])
def test_on_the_yaw_axis_a_yaw_angle_past_its_limit_by_what_the_lean_explains_is_on_it(lean):
    rng = np.random.default_rng(5)
    for robot in random_robots(rng, cases(200, least=5), each=1, kinds=[(True, 1)], on_axis=True):
        one = TiltedRobot(leaned(robot.text, rng, lean)) if lean else robot
        arm, own = one.arm.whole, one.arm.whole_naming.whole(one.drawn(rng))
        _, rotation = arm.pose(own)
        sight, room = arm.wrist.sight(rotation.tolist()), max(ON_LIMIT, arm.room)
        if is_free_on_axis(arm, sight):
            continue
        free = arm.carrier.yaw._replace(limits=(-math.inf, math.inf))
        aim = Aim(arm, (0.0, 0.0, 0.0), rotation.tolist(), sight, 0.0, own, 0.0, 0.0)
        center = arm.carrier.planar.pose_at(own.q)[:2]
        both = yaws_on_axis(aim, free, center)
        assert len(both) == 2 and abs(both[0] - own.yaw) <= 1e-4 + lean
        assert abs(abs(both[0] - both[1]) - math.pi) <= INSIDE
        for share, is_on_limit in ((0.9, True), (1.1, False)):
            for sign in (-1.0, 1.0):
                end = both[0] + sign * share * room
                limits = tuple(sorted((end, end + sign)))
                found = yaws_on_axis(aim, free._replace(limits=limits), center)
                assert found == ([end] if is_on_limit else [])
