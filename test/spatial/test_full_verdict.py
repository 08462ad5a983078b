# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Verdicts on full poses: exact yes and no, the reason, and the nearest pose."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import checked, rotation_by
from three_joints import shipped_text
from tilted_robots import TiltedRobot
from wrist_robots import (
    KINDS,
    SHIPPED,
    beside,
    brought_inside,
    gap,
    narrow_robot,
    pose_of,
    random_robots,
    searched,
    shipped_robots,
    turned_away,
    with_pitch,
    without_limits,
)

from ik_circles.reasons import Code
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE

CLOSES = 1e-9  # [m] and [rad]
TINY, TILT = 1e-9, 0.01  # [rad] more than rounding, and the default of tilt_tolerance
ROBOTS = shipped_robots()
AWAY = re.compile(r'the nearest of those tried is (\S+) deg away')
OUT_OF_PLANE = re.compile(r"would have to leave the arm's plane by (\S+) deg")


def asked(robot, rng):
    """A pose near to one of the robot's own, or anywhere."""
    point, rotation = pose_of(robot, robot.drawn(rng, rng.integers(2)))
    about = rng.normal(size=3)
    most = rng.choice([0.0, 0.05, 0.5, 3.0])
    rotation = rotation_by(about / np.linalg.norm(about), rng.uniform(0.0, most)) @ rotation
    point = np.add(point, rng.normal(size=3) * rng.choice([0.0, 0.0, 0.02, 0.2]))
    return tuple(map(float, point)), rotation


def some_robots(rng, count):
    yield from random_robots(rng, count)
    for robot in ROBOTS.values():
        for _ in range(count // 10):
            yield robot


def is_inside(robot, positions):
    joints = robot.arm.tree.movable_joints
    return all(joints[n].lower <= q <= joints[n].upper for n, q in positions.items())


def test_a_pose_is_reachable_if_and_only_if_there_are_solutions():
    rng, codes = np.random.default_rng(0), set()
    for robot in some_robots(rng, cases(4000, 40)):
        point, rotation = asked(robot, rng)
        told = robot.arm.check_reachability(point, rotation=rotation)
        found = robot.arm.inverse_kinematics(point, rotation=rotation)
        codes.add(told.code)
        assert told.reachable == (told.code is Code.OK) == bool(found)
        assert found == told.solutions
        assert told.message.startswith('reachable in ') == told.reachable
        fixed = robot.arm.solve(point, rotation=rotation, orientation_mode='fixed')
        assert (fixed is not None) == told.reachable
        if told.reachable:
            assert told.nearest[:3] == point and told.nearest_joint_positions in found
    assert {Code.OK, Code.ORIENTATION, Code.TOO_FAR} <= codes


def test_the_nearest_orientation_has_each_joint_at_the_turn_nearest_to_zero():
    """The shoulder lift of the ur5e was given at 3.24 rad, where -3.04 rad are the same."""
    rng, refused = np.random.default_rng(9), 0
    for robot in some_robots(rng, cases(2000)):
        point, rotation = asked(robot, rng)
        told = robot.arm.check_reachability(point, rotation=rotation)
        if told.code is not Code.ORIENTATION:
            continue
        refused += 1
        for name, angle in told.nearest_joint_positions.items():
            nearer = {**told.nearest_joint_positions, name: angle - math.copysign(math.tau, angle)}
            assert abs(angle) <= math.pi + TINY or not is_inside(robot, nearer), (name, angle)
    assert refused > cases(500)


def test_the_nearest_pose_is_attained_by_its_joint_positions():
    """Position first: with code ORIENTATION it is the point itself."""
    rng, kept = np.random.default_rng(1), 0
    for robot in some_robots(rng, cases(4000, 40)):
        point, rotation = asked(robot, rng)
        told = robot.arm.check_reachability(point, rotation=rotation)
        found = told.nearest_joint_positions
        if found is None:
            assert told.nearest is None and told.code is not Code.ORIENTATION
            continue
        assert is_inside(robot, found)
        place, tip = pose_of(robot, found)
        # Without a yaw joint, a point that is asked for may be beside the plane by the tolerance.
        assert math.dist(place, told.nearest[:3]) <= CLOSES + OUT_OF_PLANE_TOLERANCE
        assert robot.miss(found, told.nearest[:3]) <= CLOSES
        # a reachable pose is the one asked for; its solutions may leave a tilt
        if not told.reachable:
            assert turned_away(robot.arm.tip_rotation(told.nearest), tip) <= 1e-7
        assert told.tilt_of(found) == pytest.approx(turned_away(tip, rotation), abs=1e-7)
        if told.code is Code.ORIENTATION:
            kept += 1
            assert robot.miss(found, point) <= CLOSES
            assert told.nearest[:3] == point
            (figure,) = AWAY.findall(told.message)
            turned = math.degrees(told.tilt_of(found))
            assert float(figure) == pytest.approx(turned, rel=0.01, abs=0.06)
            chosen = robot.arm.solve(point, rotation=rotation)
            assert told.tilt_of(chosen) == pytest.approx(told.tilt_of(found), abs=1e-6)
            assert robot.miss(chosen, point) <= CLOSES
            near = told.solve(robot.drawn(rng))  # of the same candidates
            assert told.tilt_of(near) <= told.tilt_of(found) + 0.02 + 1e-6
        elif not told.reachable:
            assert robot.arm.solve(point, rotation=rotation) is None
    assert kept > cases(2000, 40)


def candidates(robot, free, point, rotation):
    """What the documentation lists: the wrists that each shoulder and flip would have without
    limits, brought inside theirs, which moves the shoulder a little; and the wrist where it is
    held. With one wrist joint, the pitch is as asked for.

    Those that would have to leave the plane are not among them: their pitch is a convention.
    """
    wrist, kept = robot.arm.wrist_joints, robot.arm.wrist_at
    for one in free.arm.inverse_kinematics(point, rotation=rotation, tilt_tolerance=TINY):
        asked_for = {name: brought_inside(robot, name, one[name]) for name in wrist}
        for at in (asked_for, kept) if len(wrist) == 1 else (asked_for,):
            here, held = {**one, **at}, (arm.holding(at) for arm in (robot.arm, free.arm))
            found, whole = (with_pitch(arm, point, here) for arm in held)
            least = min((beside(robot.arm, each, one) for each in whole), default=math.inf)
            yield from (each for each in found if beside(robot.arm, each, one) <= least + TINY)
    if len(wrist) == 1:
        return
    held = checked(robot.arm.spatial, point, rotation=rotation)
    if held.nearest_configuration and held.code in (Code.OK, Code.ORIENTATION):
        some = held.configurations or [held.nearest_configuration]
        yield from map(robot.arm.naming.named, some)


def test_no_candidate_of_the_documented_list_is_nearer():
    rng, compared = np.random.default_rng(2), 0
    before, free = None, None
    for robot in some_robots(rng, cases(3000, least=150)):
        if robot is not before:
            before, free = robot, without_limits(robot)
        point, rotation = asked(robot, rng)
        told = robot.arm.check_reachability(point, rotation=rotation)
        if told.reachable:
            continue
        for one in candidates(robot, free, point, rotation):
            if robot.miss(one, point) > CLOSES or not is_inside(robot, one):
                continue
            compared += 1
            assert told.code is Code.ORIENTATION
            found = told.tilt_of(told.nearest_joint_positions)
            assert found <= turned_away(pose_of(robot, one)[1], rotation) + 1e-7
    assert compared > 10


@pytest.mark.parametrize(('yaw', 'count'), KINDS)
def test_a_no_is_right_against_a_dense_search(yaw, count):
    """Of joints with small ranges: where the search comes to the pose, the answer is yes."""
    rng, answers, met = np.random.default_rng(3), [], 0
    for _ in range(cases(100, least=5)):
        robot = narrow_robot(rng, yaw, count)
        own = robot.drawn(rng, rng.integers(3))
        name = str(rng.choice(list(own)))  # one joint just inside or outside
        own[name] = robot.limits[name][rng.integers(2)] + rng.uniform(-0.05, 0.05)
        point, rotation = pose_of(robot, own)
        told = robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=TINY)
        away, where = searched(robot, rng, point, rotation)
        answers.append(told.reachable)
        if away <= 1e-8:
            met += 1
            assert told.reachable, (own, where)
        if is_inside(robot, own):
            assert told.reachable
    assert 0 < sum(answers) < len(answers)
    assert met > sum(answers) / 2  # the search finds most of what there is


@pytest.mark.parametrize('name', SHIPPED)
def test_a_wrist_joint_past_its_limit_is_told_with_its_figure(name):
    """The own pose of joint positions with a wrist joint past its limit, where nothing else works:
    the joint and by how much it would exceed its limit."""
    robot, rng, said = ROBOTS[name], np.random.default_rng(4), 0
    joint = robot.arm.wrist_joints[0]
    lower, upper = robot.limits[joint]
    for _ in range(cases(1000)):
        past = rng.uniform(0.01, 0.2)
        own = {**robot.drawn(rng), joint: upper + past}
        point, rotation = pose_of(robot, own)
        tilt = float(rng.choice([0.0, TILT]))
        told = robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=tilt)
        if told.reachable:
            continue
        if f'{joint} would exceed its upper limit by {math.degrees(past):.1f} deg' in told.message:
            said += 1
            assert told.code is Code.ORIENTATION
    assert said or upper - lower > math.tau


@pytest.mark.parametrize('name', ['xarm5', 'youbot_arm', 'braccio'])
def test_an_axis_out_of_the_plane_is_told_in_degrees(name):
    """Its own pose, turned so that the wrist axis leaves the plane; the tip is on the axis."""
    robot, rng, told_so = ROBOTS[name], np.random.default_rng(5), 0
    joints, arm = robot.arm.tree.movable_joints, robot.arm
    for _ in range(cases(300)):
        own, tilt = robot.drawn(rng), rng.uniform(0.02, 0.3)
        point, rotation = pose_of(robot, own)
        normal, along = (
            arm.link_pose(one.child, own)[:3, :3] @ one.axis
            for one in (joints[arm.joint_names[2]], joints[arm.wrist_joints[0]])
        )
        wanted = rotation_by(np.cross(normal, along), tilt) @ rotation
        told = arm.check_reachability(point, rotation=wanted)
        if told.code is Code.OK:  # from the other shoulder
            continue
        assert told.code is Code.ORIENTATION
        figures = OUT_OF_PLANE.findall(told.message)
        if figures:
            told_so += 1
            assert float(figures[0]) <= math.degrees(tilt) + 0.06
    assert told_so > cases(200)


@pytest.mark.parametrize('name', SHIPPED)
def test_own_poses_are_reachable_without_any_tilt(name):
    """Rounding of the orientation is no tilt: `tilt_tolerance` may be 0."""
    robot, rng = ROBOTS[name], np.random.default_rng(6)
    for _ in range(cases(300)):
        point, rotation = pose_of(robot, robot.drawn(rng))
        told = robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=0.0)
        assert told.reachable, told.message


def test_a_wrist_joint_of_more_than_a_turn_is_inside_its_limits_at_the_nearest_pose():
    """Roll of an SO-101 from 2 to 9 rad: its nearest pose had the turn that is past the limit."""
    text = shipped_text('so101').replace('"-2.74385" upper="2.84121"', '"2.0" upper="9.0"')
    robot, rng, refused = TiltedRobot(text), np.random.default_rng(7), 0
    assert robot.limits['wrist_roll'] == (2.0, 7.0)
    for _ in range(cases(300)):
        point, rotation = pose_of(robot, robot.drawn(rng))
        about = rng.normal(size=3)
        rotation = rotation_by(about / np.linalg.norm(about), 0.2) @ rotation
        told = robot.arm.check_reachability(point, rotation=rotation)
        if told.code is Code.ORIENTATION:
            refused += 1
            found = told.nearest_joint_positions
            assert robot.miss(found, point) <= CLOSES
            assert told.tilt_of(found) == pytest.approx(
                turned_away(pose_of(robot, found)[1], rotation), abs=1e-7
            )
    assert refused


@pytest.mark.parametrize('on_limits', [0, 1])
@pytest.mark.parametrize('name', [name for name, count in SHIPPED.items() if count == 1])
def test_a_pose_out_of_the_plane_by_less_than_the_tolerance_is_reached(name, on_limits):
    """The arm's own configuration has the position, and the orientation to within the tolerance."""
    robot, rng = ROBOTS[name], np.random.default_rng(8)
    joints, arm = robot.arm.tree.movable_joints, robot.arm
    for _ in range(cases(1000, 60)):
        own = robot.drawn(rng, on_limits)
        point, rotation = pose_of(robot, own)
        normal, along = (
            arm.link_pose(one.child, own)[:3, :3] @ one.axis
            for one in (joints[arm.joint_names[2]], joints[arm.wrist_joints[0]])
        )
        wanted = rotation_by(np.cross(normal, along), rng.uniform(-0.0095, 0.0095)) @ rotation
        told = arm.check_reachability(point, rotation=wanted)
        assert told.reachable, (told.message, own)
        for one in told.solutions:
            assert robot.miss(one, point) <= CLOSES
            assert turned_away(pose_of(robot, one)[1], wanted) <= 0.01


def test_the_wrist_held_is_named_with_its_angle():
    arm = ROBOTS['so101'].arm.holding({'wrist_roll': 0.2})
    far = arm.check_reachability((0.6, 0.1, 0.2))
    assert far.message.endswith('; with wrist_roll at 11.5 deg')
    full = arm.check_reachability((0.6, 0.1, 0.2), rotation=np.eye(3))
    assert (full.code, full.message) == (far.code, far.message)
    assert arm.check_reachability((0.2, 0.1, 0.1)).message.count('wrist_roll') == 0
    assert gap(far.nearest_joint_positions, {'wrist_roll': 0.2}) == 0.0
