# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A floor under a robot: what is answered with it, against the same robot without it."""

import math
from pathlib import Path

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from tilted_robots import TiltedRobot, tilted
from wrist_robots import (
    KINDS,
    heights,
    pose_of,
    random_robot,
    shipped_robots,
    singular,
    upright,
)

from ik_circles import Code, InvalidArmError, NotFiniteError, SafeZones, load_arm
from ik_circles.spatial.poses.whole_floor import is_above_floor, lowest_part

#: More than the floor's tolerance, and than a pose that is closed misses by [m].
BAND = 1e-8
ROBOTS = [*shipped_robots().values()]
TABLE = """<link name="table"/> <joint name="mount" type="fixed">
    <parent link="table"/> <child link="base_link"/> <origin rpy="0.1 0 0"/> </joint>"""


def some_robot(seed):
    """A shipped robot with a wrist, or a random one; its generator of numbers."""
    rng = np.random.default_rng(seed)
    if seed % 4 == 0:
        return ROBOTS[seed // 4 % len(ROBOTS)], rng
    yaw, count = KINDS[seed % 2]
    return upright(random_robot(rng, yaw, count)), rng


def floor_for(rng, arm, positions):
    """A height at which the lowest part is now and then, or one near to it [m]."""
    low = min(heights(arm, positions))
    return low if rng.random() < 0.2 else low + rng.normal() * 0.1


def is_new(one, others):
    """Whether joint positions differ from all others, by more than whole turns."""
    return not any(
        max(abs(math.remainder(one[name] - other[name], math.tau)) for name in one) < 1e-3
        for other in others
    )


@pytest.mark.parametrize('seed', range(cases(400, 60)))
def test_full_poses_have_the_solutions_that_are_above_the_floor(seed):
    robot, rng = some_robot(seed)
    for _ in range(3):
        own = robot.drawn(rng, rng.integers(2))
        point, rotation = pose_of(robot, own)
        height = floor_for(rng, robot.arm, own)
        arm, told = robot.arm.above(height), f'{seed}: {own!r}, {height!r}'
        found = arm.inverse_kinematics(point, rotation=rotation)
        answer = arm.check_reachability(point, rotation=rotation)
        assert answer.reachable == bool(found), told
        for one in found:
            assert min(heights(arm, one)) >= height - BAND, told
        free = robot.arm.check_reachability(point, rotation=rotation)
        if 'free' in free.message:  # of a family, one member is given
            continue
        if min(heights(arm, own)) >= height:
            assert found, told
        for one in free.solutions:
            assert min(heights(arm, one)) <= height + BAND or not is_new(one, found), told
        assert (answer.code is Code.FLOOR) == (not found and free.reachable), told
        if answer.code is Code.FLOOR:
            assert 'below the floor' in answer.message, told
            joints = answer.nearest_joint_positions
            assert (joints is None) == (answer.nearest is None), told
            if joints is not None:
                assert min(heights(arm, joints)) >= height - BAND, told
                away = math.dist(arm.forward_kinematics(joints)[:3, 3], point)
                assert answer.position_reachable == (away <= 1e-8), told


@pytest.mark.parametrize('yaw', [False, True])
def test_a_singular_wrist_has_a_member_above_the_floor(yaw):
    """Law: whatever member of the family is nearest to 0, where the arm is counts."""
    rng = np.random.default_rng(3)
    for _ in range(cases(1200, 120)):
        robot = upright(random_robot(rng, yaw, 2))
        for _ in range(5):
            own = singular(robot, robot.drawn(rng), rng, 0.0)
            if own is not None:
                height = min(heights(robot.arm, own)) - rng.uniform(0.001, 0.05)
                point, rotation = pose_of(robot, own)
                answer = robot.arm.above(height).check_reachability(point, rotation=rotation)
                assert answer.reachable, f'{own!r}, {height!r}'


@pytest.mark.parametrize('seed', range(cases(400)))
def test_the_code_of_full_poses(seed):
    """Law: FLOOR where the pose, or else its position, can be reached only without the floor."""
    robot, rng = some_robot(seed)
    own = robot.drawn(rng, rng.integers(2))
    point, rotation = pose_of(robot, own)
    arm = robot.arm.above(floor_for(rng, robot.arm, own))
    turned = rotation @ rotation_by((0.0, 0.0, 1.0), rng.choice([0.05, 1.0]))
    found, free = (one.check_reachability(point, rotation=turned) for one in (arm, robot.arm))
    is_floor = free.reachable or (free.position_reachable and not found.position_reachable)
    assert (found.code is Code.FLOOR) == (not found.reachable and is_floor), f'{seed}: {own!r}'
    assert found.message, seed


@pytest.mark.parametrize('seed', range(cases(400, 40)))
def test_points_above_the_floor(seed):
    robot, rng = some_robot(seed)
    own = robot.drawn(rng, rng.integers(2))
    height = floor_for(rng, robot.arm, own)
    held = robot.arm.holding(own)
    arm, told = held.above(height), f'{seed}: {own!r}, {height!r}'
    point, _ = pose_of(robot, own)
    phi = sum(arm.naming.arm_angles(own))
    found = arm.inverse_kinematics(point, phi, seed=own)
    assert all(min(heights(arm, one)) >= height - BAND for one in found), told
    if min(heights(arm, own)) >= height:
        assert found, told
    if not held.arm.has_families:
        for one in held.inverse_kinematics(point, phi, seed=own):
            assert min(heights(arm, one)) <= height + BAND or not is_new(one, found), told
    points = [point, tuple(np.add(point, rng.normal(size=3) * 0.1)), tuple(rng.normal(size=3))]
    for target in points:
        for phi_asked in (None, phi):
            answer = arm.check_reachability(target, phi_asked)
            free = held.check_reachability(target, phi_asked)
            if free.reachable and not answer.reachable:
                assert answer.code is Code.FLOOR, told
            elif answer.code is Code.FLOOR:
                assert free.code is Code.ORIENTATION, told
                assert not answer.position_reachable, told
            else:
                assert answer.code is free.code, told
            assert (answer.code is Code.FLOOR) == ('below the floor' in answer.message), told
            joints = answer.nearest_joint_positions
            if joints is not None:
                assert min(heights(arm, joints)) >= height - BAND, told
                reached = arm.forward_kinematics({**own, **joints})[:3, 3]
                assert math.dist(reached, answer.nearest[:3]) <= 1e-8, told


@pytest.mark.parametrize('seed', range(cases(400, 40)))
def test_every_point_nearer_than_the_margin_is_reached(seed):
    robot, rng = some_robot(seed)
    own = robot.drawn(rng)
    height = floor_for(rng, robot.arm, own)
    arm, told = robot.arm.holding(own).above(height), f'{seed}: {own!r}, {height!r}'
    point, _ = pose_of(robot, own)
    answer = arm.check_reachability(point)
    if answer.reachable and answer.margin > 1e-6 and arm.yaw_joint is not None:
        yaw, plane = arm.spatial.yaw, arm.spatial.plane
        axis = plane.in_space(*yaw.in_plane(0.0, 0.0), yaw.aside)
        inwards = np.subtract(axis, point) * (1.0, 1.0, 0.0)
        for away in (inwards, -inwards, (0.0, 0.0, -1.0), *rng.normal(size=(4, 3))):
            near = np.add(point, away / np.linalg.norm(away) * answer.margin * (1.0 - 1e-9))
            assert arm.check_reachability(near).reachable, told


@pytest.mark.parametrize('seed', range(cases(100)))
def test_leaning_axes(seed):
    """Law: the floor counts to within the slack."""
    rng = np.random.default_rng(seed)
    name = ['so101', 'xarm5', 'px100', 'ur5e'][seed % 4]
    robot = TiltedRobot(tilted(name, rng, most=3e-6, wrist=seed % 3 > 0))
    own = robot.drawn(rng)
    height = floor_for(rng, robot.arm, own)
    arm, told = robot.arm.holding(own).above(height), f'{seed}: {own!r}, {height!r}'
    free, slack = robot.arm.holding(own), 10.0 * arm.spatial.plane.slack + BAND
    pose = arm.forward_kinematics(own)
    point, phi = tuple(pose[:3, 3].tolist()), sum(arm.naming.arm_angles(own))
    for asked in ({'phi': phi}, {'rotation': pose[:3, :3]}):
        found = arm.inverse_kinematics(point, seed=own, **asked)
        assert all(min(heights(arm, one)) >= height - slack for one in found), told
        for one in free.inverse_kinematics(point, seed=own, **asked):
            assert min(heights(arm, one)) <= height + slack or not is_new(one, found), told
    for asked in ({}, {'phi': phi}):
        answer = arm.check_reachability(point, **asked)
        assert answer.reachable == bool(answer.solutions), told
    answer = arm.check_reachability(point)
    if min(heights(arm, own)) >= height + slack:
        assert answer.reachable, told
    if answer.nearest is not None:
        assert min(heights(arm, answer.nearest_joint_positions)) >= height - slack, told


@pytest.mark.parametrize('seed', range(cases(400)))
def test_the_lowest_part_of_a_whole_arm(seed):
    robot, rng = some_robot(seed)
    own, height = robot.drawn(rng), float(rng.uniform(-0.1, 0.1))
    arm = robot.arm.above(height)
    part = lowest_part(arm.whole, arm.whole_naming.whole(own), pose_of(robot, own)[0])
    every = np.array(heights(arm, own))
    assert part.clearance == pytest.approx(every.min() - height, abs=1e-9)
    names = np.array(['the elbow', arm.joint_names[2], 'the tip', 'the wrist center'])
    assert part.name in names[every <= every.min() + 1e-9]


@pytest.mark.parametrize('name', ['so101', 'ur5e'])
def test_axes_that_lean_are_above_a_floor_to_within_their_slack(name):
    rng = np.random.default_rng(0)
    robot = TiltedRobot(tilted(name, rng, most=1e-5, wrist=True))
    slack = robot.arm.whole.carrier.plane.slack
    for _ in range(cases(200)):
        own = robot.drawn(rng)
        one, tip = robot.arm.whole_naming.whole(own), pose_of(robot, own)[0]
        low = lowest_part(robot.arm.above(0.0).whole, one, tip).clearance
        for share, is_above in ((0.9, True), (1.1, False)):
            arm = robot.arm.above(low + share * slack).whole
            assert is_above_floor(arm, one, tip) == is_above


def test_the_margin_of_a_full_pose_ends_at_the_floor():
    rng, count = np.random.default_rng(1), cases(120, least=4)
    while count:
        robot = upright(random_robot(rng, *KINDS[count % 2]))
        own = robot.drawn(rng)
        point, rotation = pose_of(robot, own)
        height = point[2] - rng.uniform(1e-3, 0.02)
        if min(heights(robot.arm, own)) >= height:
            told = robot.arm.above(height).check_reachability(point, rotation=rotation)
            free = robot.arm.check_reachability(point, rotation=rotation)
            assert 0.0 <= told.margin <= min(free.margin, point[2] - height) + 1e-9
            count -= 1


def test_the_floor_of_an_arm():
    arm = load_arm('so101')
    assert arm.floor is None
    assert arm.above(None) is arm
    above = arm.above(0.0)
    assert (above.floor, above.above(0.0) is above) == (0.0, True)
    assert load_arm('so101', floor=0.05).floor == 0.05
    assert above.holding({'wrist_roll': 1.0}).floor == 0.0
    assert above.above(None).arm == arm.arm
    point = (0.25, 0.0, -0.02)
    assert arm.check_reachability(point).code is Code.OK
    answer = above.check_reachability(point)
    assert answer.code is Code.FLOOR
    assert answer.message == 'the tip would be 0.020 m below the floor; with wrist_roll at 0.0 deg'
    assert answer.nearest[:3] == pytest.approx((0.25, 0.0, 0.0))


def test_arms_that_can_have_no_floor():
    with pytest.raises(InvalidArmError, match=r"the arm's plane leans from the z of base_link"):
        load_arm('planar_3r').above(0.0)
    leaning = Path(__file__).parents[2].joinpath('urdf', 'so101.urdf').read_text()
    leaning = f'{leaning[: leaning.rindex("</robot>")]}{TABLE}</robot>'
    with pytest.raises(InvalidArmError, match=r'leans from the z of base_link by 5\.73 deg'):
        load_arm(leaning, base_link='table', floor=0.0)
    with pytest.raises(InvalidArmError, match="floor is 'high'; give a number"):
        load_arm('so101').above('high')
    with pytest.raises(NotFiniteError, match='floor'):
        load_arm('so101', floor=math.nan)


@pytest.mark.parametrize('name', ['so101', 'px100', 'ur5e'])
def test_batches_above_the_floor_are_as_single_targets(name):
    rng = np.random.default_rng(0)
    robot = TiltedRobot(Path(__file__).parents[2].joinpath('urdf', f'{name}.urdf').read_text())
    arm = robot.arm.above(0.05)
    poses = [arm.forward_kinematics(robot.drawn(rng)) for _ in range(cases(60, least=3))]
    found = arm.solve_batch(np.array(poses), orientation_mode='fixed')
    for pose, row in zip(poses, found):
        one = arm.solve(pose[:3, 3], rotation=pose[:3, :3], orientation_mode='fixed')
        wanted = [math.nan] * len(row) if one is None else [*one.values()]
        np.testing.assert_array_equal(row, wanted)
        assert one is None or min(heights(arm, one)) >= 0.05 - BAND
    points = np.array([pose[:3, 3] for pose in poses])
    some, each = arm.check_reachability_batch(points), [*map(arm.check_reachability, points)]
    assert some.code.tolist() == [one.code for one in each]
    np.testing.assert_array_equal(some.margin, [one.margin for one in each])
    assert Code.FLOOR in some.code
    shares = [sum(upper - lower for lower, upper in one.orientation_intervals) for one in each]
    assert arm.dexterity(points) == pytest.approx(np.array(shares) / math.tau)


def test_safe_zones_and_a_floor_count_both():
    arm = load_arm('px100', floor=0.0)
    zones = SafeZones.of(arm.arm, 0.03)
    beyond = arm.check_reachability((0.25, 0.0, -0.02), zones=zones)
    assert beyond.code is Code.FLOOR
    assert zones.contains(math.hypot(*arm.spatial.plane.into(beyond.nearest[:3])[:2]), 1e-9)
    assert beyond.nearest[2] >= -BAND
    assert arm.check_reachability((2.0, 0.0, 0.1), zones=zones).code is Code.TOO_FAR
