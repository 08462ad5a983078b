# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms whose axes are parallel only to rounding: what is given closes on the URDF's true axes."""

import math
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from three_joints import NAMES, load
from tilted_robots import LEAN, TiltedRobot, tilted
from wrist_robots import gap

from ik_circles.planar.selection import Policy
from ik_circles.reasons import Code
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain
from ik_circles.spatial.true_axes.yaw_on_limit import orientations_at

CLOSES = 1e-9  # [m]
SAME = 1e-6  # [rad]
#: With the elbow straight or folded, the bend is the root of the axes' error squared [rad].
STRAIGHT = 3e-4
FIXED = Policy(orientation_mode='fixed')


def robots(name, rng, count, each=5, **others):
    """Tilted robots, each `each` times, or as often as there are cases."""
    each = min(each, count)
    for _ in range(0, count, each):
        robot = TiltedRobot(tilted(name, rng, **others))
        for _ in range(each):
            yield robot


def check(robot, found, point):
    """What is given closes on the true axes, inside the limits."""
    joints = robot.arm.tree.movable_joints
    for positions in found:
        assert robot.miss(positions, point) <= CLOSES
        assert all(joints[n].lower <= q <= joints[n].upper for n, q in positions.items())


def check_own(robot, own, same=SAME):
    """A pose that joint positions give is found, by all ways to ask, with these positions."""
    arm, pose, phi = robot.arm, robot.tip(own), robot.phi(own)
    point = tuple(pose[:3, 3].tolist())
    found = arm.inverse_kinematics(point, phi, seed=own)
    check(robot, found, point)
    assert min(gap(one, own) for one in found) <= same
    assert len({tuple(one.values()) for one in found}) == len(found)
    for rotation in (None, pose[:3, :3]):
        told = arm.check_reachability(
            point, phi if rotation is None else None, rotation=rotation, tilt_tolerance=1e-6
        )
        assert told.reachable
        found = told.all_near(own)
        check(robot, [*found, *told.solutions], point)
        assert min(gap(one, own) for one in found) <= same
        for policy in (FIXED, Policy()):
            chosen = told.solve(own, policy)
            check(robot, [chosen], point)
            assert gap(chosen, own) <= same
        assert robot.miss(told.nearest_joint_positions, point) <= CLOSES
    kept = arm.solve(point, seed=own)
    check(robot, [kept], point)
    assert gap(kept, own) <= same


@pytest.mark.parametrize('on_limits', [0, 1, 2])
@pytest.mark.parametrize('name', NAMES)
def test_own_poses_are_found_with_joints_on_limits(name, on_limits):
    rng = np.random.default_rng(on_limits)
    for robot in robots(name, rng, cases(200, 100), each=2):
        check_own(robot, robot.drawn(rng, on_limits), STRAIGHT)


@pytest.mark.parametrize('name', NAMES)
def test_own_poses_are_found_to_the_last_digits_with_a_bent_elbow(name):
    rng = np.random.default_rng(3)
    for robot in robots(name, rng, cases(200, 100), each=2):
        own = robot.drawn(rng, 1)
        if abs(math.sin(robot.arm.naming.arm_angles(own)[1])) > 0.02:
            check_own(robot, own)


@pytest.mark.parametrize('name', [name for name in NAMES if name != 'planar_3r'])
def test_own_poses_are_found_with_the_yaw_joint_on_its_limit(name):
    rng = np.random.default_rng(4)
    for robot in robots(name, rng, cases(200, 100), each=2):
        own, yaw = robot.drawn(rng), robot.arm.yaw_joint
        own[yaw] = robot.limits[yaw][rng.integers(2)]
        check_own(robot, own, STRAIGHT)
        told = robot.arm.check_reachability(robot.tip(own)[:3, 3])
        assert told.margin >= -robot.arm.spatial.plane.slack
        assert told.reachable  # 3 of 1,400 were refused
        check(robot, told.solutions, robot.tip(own)[:3, 3])


@pytest.mark.parametrize('name', [name for name in NAMES if name != 'planar_3r'])
def test_the_own_orientation_is_among_those_that_give_the_own_yaw_angle(name):
    rng = np.random.default_rng(11)
    for robot in robots(name, rng, cases(200)):
        own, arm = robot.drawn(rng), robot.arm
        target = arm.spatial.plane.into(robot.tip(own)[:3, 3])
        yaw = arm.naming.configuration(own).yaw
        found = orientations_at(arm.spatial.leaning.chain, yaw, target)
        assert min(abs(math.remainder(phi - robot.phi(own), math.tau)) for phi in found) <= 1e-3


def test_points_on_a_yaw_limit_are_reached_with_few_orientations():
    """Six orientations missed some of them."""
    for name in ('open_manipulator_x', 'so101'):
        rng = np.random.default_rng(4)
        for robot in robots(name, rng, cases(4000)):
            own, yaw = robot.drawn(rng), robot.arm.yaw_joint
            own[yaw] = robot.limits[yaw][rng.integers(2)]
            assert robot.arm.check_reachability(robot.tip(own)[:3, 3]).reachable


@pytest.mark.parametrize('also', [None, 2, 'limit'])
@pytest.mark.parametrize('elbow', [0.0, math.pi])
@pytest.mark.parametrize('name', NAMES)
def test_own_poses_are_found_with_the_elbow_straight_or_folded(name, elbow, also):
    """To within a bend of no width up to 0.01 rad; or with the wrist straight, too."""
    rng = np.random.default_rng(5)
    for robot in robots(name, rng, cases(200, 100), each=2):
        bend = float(rng.choice([0.0, *10.0 ** np.arange(-9, -1)])) * rng.choice([-1, 1])
        own = robot.bent(robot.drawn(rng, int(also == 'limit')), 1, elbow + bend)
        if own and also == 2:
            own = robot.bent(own, 2, bend * rng.uniform(-1.0, 1.0))
        if own:
            check_own(robot, own, STRAIGHT)


@pytest.mark.parametrize('name', NAMES)
def test_own_poses_are_found_with_a_straight_elbow_a_hair_off_its_limit(name):
    """Corrections put the elbow on the limit, where it stayed, and missed by some nanometers."""
    rng, checked = np.random.default_rng(8), 0
    for robot in robots(name, rng, cases(600, 240), each=1):
        straight = robot.bent(robot.drawn(rng), 1, 0.0)
        if straight is None:
            continue
        elbow, tree = robot.arm.joint_names[1], ElementTree.fromstring(robot.text)
        limit = tree.find(f"joint[@name='{elbow}']/limit")
        limit.set('upper', repr(straight[elbow] + float(rng.choice([0.0, 1e-9]))))
        limit.set('lower', repr(straight[elbow] - 2.0))
        robot = TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))
        own = robot.drawn(rng)
        joint = robot.arm.joint_names[rng.choice([0, 2])]
        own[joint] = robot.limits[joint][rng.integers(2)]
        own[elbow] = straight[elbow] - 10.0 ** rng.uniform(-8.0, -6.0)
        check_own(robot, own, STRAIGHT)
        checked += 1
    assert checked


@pytest.mark.parametrize('name', NAMES)
def test_a_zero_stance_on_limits_is_found(name):
    rng = np.random.default_rng(6)
    for robot in robots(name, rng, cases(200, 160), each=1, at_zero=True):
        check_own(robot, dict.fromkeys(robot.limits, 0.0), STRAIGHT)


@pytest.mark.parametrize('name', NAMES)
def test_what_is_nearest_is_where_its_joint_positions_put_the_tip(name):
    """Also that a refusal and a margin are true: less than the margin away, all is reached."""
    rng = np.random.default_rng(7)
    refused = 0
    for robot in robots(name, rng, cases(300, 25, least=12)):
        arm, own = robot.arm, robot.drawn(rng, 1)
        point = robot.tip(own)[:3, 3] * rng.uniform(0.9, 1.4)
        told = arm.check_reachability(point, out_of_plane_tolerance=1e-3)
        if not told.reachable:
            refused += 1
            tip = robot.tip(told.nearest_joint_positions)[:3, 3]
            assert math.dist(told.nearest[:3], tip) <= CLOSES
            if told.code is not Code.OUT_OF_PLANE:
                assert told.margin <= 0.0
            assert arm.check_reachability(told.nearest[:3]).reachable
        elif told.margin > 0.0 and arm.yaw_joint:
            away = rng.normal(size=3)
            beside = point + away / np.linalg.norm(away) * told.margin * rng.uniform(0.9, 1.0)
            assert arm.check_reachability(beside).reachable
    assert refused


@pytest.mark.parametrize('name', NAMES)
def test_no_tip_is_nearer_than_nearest_by_more_than_twice_the_slack(name):
    """Tips of joint positions beside those of `nearest`, and of any."""
    rng = np.random.default_rng(12)
    refused = 0
    for robot in robots(name, rng, cases(200, 40, least=5)):
        slack, normal = robot.arm.spatial.plane.slack, robot.arm.plane[:3, 2]
        point = robot.tip(robot.drawn(rng))[:3, 3] * rng.uniform(0.0, 2.0)
        told = robot.arm.check_reachability(point, out_of_plane_tolerance=1e-3)
        if told.reachable or told.code is Code.OUT_OF_PLANE:
            continue
        refused += 1
        found = told.nearest_joint_positions
        away = math.dist(told.nearest[:3], point)
        tips = [robot.tip(robot.drawn(rng))[:3, 3] for _ in range(20)]
        for size in 10.0 ** rng.uniform(-7.0, -1.0, 40):
            beside = {
                joint: min(max(found[joint] + size * rng.normal(), lower), upper)
                for joint, (lower, upper) in robot.limits.items()
            }
            tips.append(robot.tip(beside)[:3, 3])
        if robot.arm.yaw_joint is None:  # the target may be beside the plane
            away = np.linalg.norm(np.cross(normal, np.array(told.nearest[:3]) - point))
            tips = [point + np.cross(normal, tip - point) for tip in tips]
        assert min(math.dist(tip, point) for tip in tips) >= away - 2.0 * slack
    assert refused


@pytest.mark.parametrize('name', NAMES)
def test_where_an_orientation_is_refused_the_nearest_one_reaches_the_position(name):
    rng, refused = np.random.default_rng(11), 0
    for robot in robots(name, rng, cases(300, 10, least=30)):
        own = robot.drawn(rng, 1)
        point = robot.tip(own)[:3, 3]
        told = robot.arm.check_reachability(point, robot.phi(own) + rng.uniform(0.5, 5.5))
        if told.code is Code.ORIENTATION:
            refused += 1
            assert robot.miss(told.nearest_joint_positions, point) <= CLOSES
            turned = robot.phi(told.nearest_joint_positions) - told.nearest.phi
            assert abs(math.remainder(turned, math.tau)) <= STRAIGHT
    assert refused


@pytest.mark.parametrize('name', NAMES)
def test_a_tip_is_not_tilted_from_its_own_orientation(name):
    rng = np.random.default_rng(12)
    for robot in robots(name, rng, cases(200)):
        arm, own = robot.arm, robot.drawn(rng)
        orientation = arm.spatial.tool.orientation(robot.tip(own)[:3, :3])
        assert arm.spatial.leaning.tilt(orientation, *arm.naming.configuration(own)) <= CLOSES


def test_a_shoulder_on_its_limit_of_a_whole_turn_stays_there():
    """The issue's UR5e: shoulder_lift went from -360 deg to -5 deg."""
    text = tilted('ur5e', np.random.default_rng(8)).replace('6.283"', f'{math.tau}"')
    robot = TiltedRobot(text)
    own = dict(zip(robot.arm.commanded_joints, (0.1, -math.tau, -0.1, -1.2)))
    check_own(robot, own)


def test_an_orientation_on_the_edge_of_those_that_work_is_not_refused():
    """The issue's SO-101: "not with -176.9 deg ... nearest that works is -176.9 deg"."""
    for seed in range(20):
        robot = TiltedRobot(tilted('so101', np.random.default_rng(seed)))
        check_own(robot, dict(zip(robot.arm.commanded_joints, (-1.0, -1.745, -0.4, -1.1))))


def test_beyond_the_slack_of_a_limit_it_is_refused():
    """Past a limit by 1 mrad: no correction of 1e-5 rad makes up for that."""
    rng = np.random.default_rng(9)
    for robot in robots('so101', rng, cases(300)):
        own = robot.drawn(rng)
        name = robot.arm.joint_names[rng.integers(3)]
        own[name] = robot.limits[name][1] + 1e-3
        if abs(math.sin(robot.arm.naming.arm_angles(own)[1])) < 0.2:
            continue
        found = robot.arm.inverse_kinematics(robot.tip(own)[:3, 3], robot.phi(own))
        assert not found or min(gap(one, own) for one in found) > 0.1


def test_axes_that_lean_three_times_as_much_close_as_well():
    rng = np.random.default_rng(10)
    for robot in robots('ur5e', rng, cases(200, 40), most=3.0 * LEAN):
        check_own(robot, robot.drawn(rng, 1), 10.0 * STRAIGHT)


def test_an_orientation_that_only_the_lean_keeps_from_is_named():
    """The corners of the limits on exact axes: leaning ones miss some by a little."""
    rng, exact, said = np.random.default_rng(13), load('so101'), 0
    for robot in robots('so101', rng, cases(1600, 60, least=26), each=10):
        own = robot.drawn(rng, 3)
        phi = math.remainder(sum(exact.naming.arm_angles(own)), math.tau)
        told = robot.arm.check_reachability(exact.forward_kinematics(own)[:3, 3], phi)
        if told.code is Code.ORIENTATION and 'not exactly parallel' in told.message:
            said += 1
            assert ": the arm's axes " in told.message
            angles = map(float, re.findall(r'-?[\d.]+(?= deg)', told.message))
            for angle, its in zip(angles, (phi, told.nearest.phi), strict=True):
                assert angle == pytest.approx(math.degrees(its), abs=0.051)
    assert said


def test_a_last_link_without_length_has_every_orientation_and_so_none_to_find():
    leaning = enumerate((0.0, 1e-5, -2e-5))
    hinges = [Hinge((0.0, lean, 1.0), (0.4 * at, 0.0, 0.0), 0.0) for at, lean in leaning]
    yaw = Hinge((0.0, 1.0, 0.0), (0.0, 0.0, 0.0), 0.0)
    chain = HingeChain((yaw, *hinges), (0.8, 0.0, 0.0))
    assert [*orientations_at(chain, 0.0, (0.5, 0.0, 0.0))] == []
