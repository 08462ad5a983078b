# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Next to the yaw axis, or where the plane passes it: a point hardly tells the yaw angle there."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from robot_texts import joint, robot
from spatial_arms import LINKS, yaw_joint
from three_joints import load, shipped_arm
from tilted_robots import TiltedRobot, axis_of, leaned, origin_of, tilted
from wrist_robots import gap, turned_away

from ik_circles.control import Settings, Target, decide
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.plane import ArmPlane

NEAREST = Settings(on_unreachable='nearest')
FIXED = Settings(orientation_mode='fixed')


def next_to_axis(exact, rng, least, most=-5.0):
    """Angles of the three joints with the tip 10 ** least to 10 ** most m outwards of the yaw axis.
    """
    found = []
    while not found:
        outwards = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(least, most)
        point = exact.spatial.yaw.in_plane(outwards, rng.uniform(-0.2, 0.8))
        found = exact.spatial.planar.inverse_kinematics(*point, rng.uniform(-math.pi, math.pi))
    return found[rng.integers(len(found))]


def shaken(positions, limits, most, rng):
    return {
        name: float(np.clip(q + rng.uniform(-most, most), *limits[name]))
        for name, q in positions.items()
    }


def test_a_point_is_next_to_the_yaw_axis_if_it_and_the_plane_are_within_fifty_times_the_slack():
    for aside, radius, is_next in (
        (0.0, 4e-5, True), (0.0, 6e-5, False), (4e-5, 0.0, True), (-6e-5, 0.0, False),
    ):  # fmt: skip
        plane = ArmPlane(np.eye(4), yaw_joint(LINKS, aside=aside), 1e-6)
        assert plane.is_next_to_axis((radius, 0.3, aside)) == is_next
    assert not ArmPlane(np.eye(4), None, 1e-6).is_next_to_axis((0.0, 0.3, 0.0))


def test_a_yaw_joint_on_its_limit_stays_there():
    """Where the plane passes the axis, both shoulders are the same: the joint took a whole turn."""
    exact, rng = load('ur5e'), np.random.default_rng(41)
    joints = exact.tree.movable_joints
    limits = {name: (joints[name].lower, joints[name].upper) for name in exact.commanded_joints}
    for _ in range(cases(2000)):
        end = exact.spatial.yaw.limits[rng.integers(2)]
        own = exact.naming.named(Configuration(end, next_to_axis(exact, rng, -17.0)))
        seed = shaken(own, limits, rng.uniform(0.0, 0.2), rng)
        target = Target(exact.spatial.tip_at(exact.naming.configuration(own)))
        command = decide(exact, NEAREST, target, seed).command
        assert gap(command, seed) <= 3.0 * gap(own, seed) + 0.05


@pytest.mark.parametrize('name', ['open_manipulator_x', 'px100', 'youbot_arm', 'ur5e'])
def test_leaning_axes_have_the_orientation_of_their_own_poses(name):
    """On the axis, the orientation tells the yaw angle; a hair beside it, the point told another.
    """
    exact, rng = load(name), np.random.default_rng(42)
    for _ in range(cases(1000, 240)):
        robot = TiltedRobot(tilted(name, rng))
        yaw = rng.uniform(*np.clip(exact.spatial.yaw.limits, -7.0, 7.0))
        own = exact.naming.named(Configuration(yaw, next_to_axis(exact, rng, -12.0)))
        tip = robot.tip(own)
        point, rotation = tuple(tip[:3, 3].tolist()), tip[:3, :3]
        assert robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=0.01).reachable
        seed = shaken(own, robot.limits, 0.02, rng)
        command = decide(robot.arm, FIXED, Target(point, rotation), seed).command
        assert turned_away(robot.tip(command)[:3, :3], rotation) <= 0.0101
        assert gap(command, seed) <= 3.0 * gap(own, seed) + 0.05


@pytest.mark.parametrize('name', ['open_manipulator_x', 'px100', 'so101', 'ur5e'])
def test_the_solution_with_the_orientation_of_an_own_pose_is_taken(name):
    """Also with the yaw joint on its limit. Where the plane passes the axis, leaning axes let each
    shoulder have the solutions of both, which are turned by far different angles."""
    exact, rng = load(name), np.random.default_rng(45)
    for _ in range(cases(1500, 100)):
        robot = TiltedRobot(tilted(name, rng))
        yaw = rng.uniform(*np.clip(exact.spatial.yaw.limits, -7.0, 7.0))
        if rng.random() < 0.5:
            yaw = exact.spatial.yaw.limits[rng.integers(2)]
        own = exact.naming.named(Configuration(yaw, next_to_axis(exact, rng, -7.0)))
        tip = robot.tip(own)
        point, rotation = tuple(tip[:3, 3].tolist()), tip[:3, :3]
        answer = robot.arm.check_reachability(point, rotation=rotation)
        assert answer.reachable, answer.message
        taken = robot.arm.solve(point, rotation=rotation, seed=robot.drawn(rng))
        for found in (taken, answer.nearest_joint_positions):
            assert turned_away(robot.tip(found)[:3, :3], rotation) <= 1e-3


@pytest.mark.parametrize('name', ['open_manipulator_x', 'px100'])
def test_the_orientation_tells_the_yaw_angle_where_a_point_cannot(name):
    """Where the tip is straight beside the true yaw axis, the yaw angle was off by the root of
    rounding: of 800 own poses, 6 were turned by more than is allowed here."""
    rng, first = np.random.default_rng(47), load(name).naming.three[0].joint.name
    for _ in range(cases(400, least=20)):
        aside = rng.choice([0.0, rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-10.0, -8.0)])
        text = tilted(name, rng, 10.0 ** rng.uniform(-9.0, -5.0))
        check_own(TiltedRobot(beside_axis(text, first, aside)), rng, -14.0, -7.0)


def check_own(robot, rng, *outwards):
    """A pose with the tip this near to the yaw axis, as powers of 10, is reached as it is."""
    arm = robot.arm
    yaw = rng.uniform(*np.clip(arm.spatial.yaw.limits, -7.0, 7.0))
    own = arm.naming.named(Configuration(yaw, next_to_axis(arm, rng, *outwards)))
    tip = robot.tip(own)
    answer = arm.check_reachability(tip[:3, 3], rotation=tip[:3, :3], tilt_tolerance=1e-4)
    assert answer.reachable, answer.message
    taken = robot.tip(answer.nearest_joint_positions)
    assert turned_away(taken[:3, :3], tip[:3, :3]) <= 1.1e-4


def beside_axis(text, joint, aside):
    """A robot's text with a joint put aside along its axis [m]."""
    tree = ElementTree.fromstring(text)
    one = next(one for one in tree.findall('joint') if one.get('name') == joint)
    place = origin_of(one)[:3, :] @ [*(aside * np.array(axis_of(one))), 1.0]
    origin = one.find('origin')
    origin = ElementTree.SubElement(one, 'origin') if origin is None else origin
    origin.set('xyz', ' '.join(map(repr, place.tolist())))
    return ElementTree.tostring(tree, encoding='unicode')


@pytest.mark.parametrize('name', ['open_manipulator_x', 'px100'])
def test_leaning_axes_reach_their_own_poses_where_the_plane_hardly_passes_the_axis(name):
    """There, the lean turns the yaw joint by far more than any other joint."""
    exact, rng = load(name), np.random.default_rng(46)
    first = exact.naming.three[0].joint.name
    for _ in range(cases(800)):
        aside = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-4.0, -2.0)
        robot = TiltedRobot(beside_axis(tilted(name, rng), first, aside))
        for _ in range(5):
            yaw = rng.uniform(*np.clip(exact.spatial.yaw.limits, -7.0, 7.0))
            three = next_to_axis(exact, rng, -9.0, -3.5)
            tip = robot.tip(exact.naming.named(Configuration(yaw, three)))
            answer = robot.arm.check_reachability(tip[:3, 3], rotation=tip[:3, :3])
            assert answer.reachable, answer.message


#: Robots whose tip is up to 1e-7 m from the yaw axis: axis, place in the base and position of each
#: joint, and where the tip is with all joints at 0.
ON_AXIS = [
    (
        ((-8.5e-06, 1e-05, 1.0), (0.0, 0.0, 0.0129603), -2.4783474),
        ((-0.7855657, -0.6187782, -9e-07), (0.0089493, 0.0072521, -0.0341072), 1.2195382),
        ((0.7855701, 0.6187727, 5.8e-06), (-0.0278505, 0.0081583, -0.0150522), 3.0169229),
        ((0.7855673, 0.6187762, 1.3e-06), (-0.0180049, 0.0296772, 0.0372379), -1.0651895),
        (-0.0455603, 0.0578412, 0.0400563),
    ),
    (
        ((1.2e-05, -4.2e-06, 1.0), (0.0, 0.0, -0.0655679), 2.4914752),
        ((0.3027899, 0.9530573, -1.17e-05), (-0.1066453, 0.0026103, 0.0638309), -0.5656913),
        ((-0.3027954, -0.9530556, 2.5e-06), (-0.2271611, 0.084113, 0.5143298), 0.6836236),
        ((0.3027931, 0.9530563, -5e-07), (0.3672521, -0.1453497, 0.9999972), 1.5390777),
        (1.0105599, -0.3210651, 1.2905109),
    ),
]


@pytest.mark.parametrize('numbers', ON_AXIS, ids=['small', 'large'])
def test_a_tip_hardly_beside_the_axis_tells_the_side_of_the_arm(numbers):
    """Corrections took the arm for turned round: before the first, its tip was past the axis."""
    *joints, end = numbers
    places = [place for _, place, _ in joints] + [end]
    steps = np.diff([(0.0, 0.0, 0.0), *places], axis=0)
    texts = [
        joint(f'j{n}', n, n + 1, 'continuous', step, (0, 0, 0), axis)
        for n, (step, (axis, _, _)) in enumerate(zip(steps, joints))
    ]
    to_tip = joint('tip', 4, 5, 'fixed', steps[-1], (0, 0, 0), (0, 0, 1))
    one = TiltedRobot(robot(*texts, to_tip))
    tip = one.tip({f'j{n}': position for n, (_, _, position) in enumerate(joints)})
    answer = one.arm.check_reachability(tip[:3, 3], rotation=tip[:3, :3])
    assert answer.reachable, answer.message


@pytest.mark.parametrize('name', ['youbot_arm', 'braccio', 'so101', 'xarm5'])
def test_full_poses_on_leaning_axes_are_found_with_joints_on_limits(name):
    """With the yaw joint on its limit, the orientation may ask for a hair more."""
    exact, rng = shipped_arm(name), np.random.default_rng(43)
    for _ in range(cases(600, 240)):
        robot = TiltedRobot(tilted(name, rng, wrist=True))
        drawn = robot.drawn(rng, 1)
        yaw = exact.yaw_joint
        if rng.random() < 0.5:
            drawn[yaw] = robot.limits[yaw][rng.integers(2)]
        three = next_to_axis(exact, rng, -12.0)
        own = exact.naming.named_whole(exact.naming.whole(drawn)._replace(q=three))
        tip = robot.tip(own)
        point, rotation = tuple(tip[:3, 3].tolist()), tip[:3, :3]
        assert robot.arm.check_reachability(point, rotation=rotation, tilt_tolerance=1e-6).reachable
        found = robot.arm.inverse_kinematics(point, rotation=rotation, seed=own)
        assert min(gap(one, own) for one in found) <= 1e-4


@pytest.mark.parametrize('name', ['youbot_arm', 'braccio'])
def test_a_joint_is_free_only_with_the_axes_of_yaw_and_roll_in_one_line(name):
    """With the wrist center on the yaw axis, a single wrist joint has its axis in the plane at two
    yaw angles. Along the yaw axis it is always in it."""
    exact, rng, said = shipped_arm(name), np.random.default_rng(44), []
    whole = exact.whole
    yaw, along = whole.carrier.yaw, whole.wrist.phi_at_zero + math.pi / 2.0
    limits = {name: (one.lower, one.upper) for name, one in exact.joints.items()}
    for number in range(cases(2000)):
        is_along = bool(number % 2)
        phi = along + math.pi * rng.integers(2) + (0.0 if is_along else rng.uniform(0.1, 3.0))
        place = yaw.in_plane(0.0, rng.uniform(0.1, 0.4))
        drawn = {name: float(rng.uniform(*some)) for name, some in limits.items()}
        for q in whole.carrier.planar.inverse_kinematics(*place, phi)[:1]:
            own = exact.whole_naming.named_whole(exact.whole_naming.whole(drawn)._replace(q=q))
            tip = exact.forward_kinematics(own)
            message = exact.check_reachability(tip[:3, 3], rotation=tip[:3, :3]).message
            assert ('a joint is free' in message) == is_along
            said.append(is_along)
    assert {*said} == {True, False}


def aligned_next_to_axis(rng):
    """The text of an arm whose plane passes beside the yaw axis, and positions of its joints.

    The links are in line, the longest against the others or with them. So the tip is at the end of
    the reach, close to where the plane passes the axis. The other shoulder cannot reach it.
    """
    links = rng.uniform(0.05, 0.4, 3)
    folded = int(rng.integers(4))
    if folded < 3:
        links[folded] += links.sum()
    ends = [-1.0 if link == folded else 1.0 for link in range(3)]
    tip = sum(end * length for end, length in zip(ends, links))
    away = 10.0 ** rng.uniform(-4.0, -1.5)
    places = [(-away - tip, rng.uniform(0.02, 0.2), 0.2), (links[0], 0, 0), (links[1], 0, 0)]
    names = 'yaw', 'shoulder', 'elbow', 'wrist'
    joints = [
        f'<joint name="{name}" type="revolute"><parent link="{index}"/><child link="{index + 1}"/>'
        f'<origin xyz="{x} {y} {z}"/><axis xyz="{axis}"/><limit lower="-3.2" upper="3.2"/></joint>'
        f'<link name="{index + 1}"/>'
        for index, (name, (x, y, z), axis) in enumerate(
            zip(names, [(0, 0, 0), *places], ['0 0 1', *3 * ['0 -1 0']])
        )
    ]
    text = (
        f'<robot name="r"><link name="0"/>{"".join(joints)}<link name="tip"/><joint name="end" '
        f'type="fixed"><parent link="4"/><child link="tip"/><origin xyz="{links[2]} 0 0"/>'
        '</joint></robot>'
    )
    first, second, third = (math.acos(end) for end in ends)
    turned = first + rng.normal() * 0.01, second - first, third - second
    return text, dict(zip(names, [rng.uniform(-3.2, 3.2), *turned]))


def test_own_points_at_the_end_of_the_reach_are_found():
    """Next to the yaw axis, a lean moves the place in the plane by far more than the tip."""
    rng = np.random.default_rng(46)
    for _ in range(cases(1000)):
        text, own = aligned_next_to_axis(rng)
        robot = TiltedRobot(leaned(text, rng))
        point = robot.tip(own)[:3, 3]
        answer = robot.arm.check_reachability(point)
        assert answer.reachable, answer.message
        assert robot.arm.check_reachability_batch([point]).reachable.all()
        found = robot.arm.solve(point, seed=own)
        assert robot.miss(found, point) <= 1e-9
        assert gap(found, own) <= 0.05
