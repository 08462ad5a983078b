# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arms whose axes are parallel only to rounding move as exactly parallel ones do."""

import cmath
import math
from itertools import product

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from three_joints import NAMES, load, shipped_text, without_wrist
from tilted_robots import TiltedRobot, tilted
from wrist_robots import gap

from ik_circles.control import Settings, Target, decide
from ik_circles.reasons import Code

CLOSES = 1e-9  # [m]
#: Where an elbow is straight, the lean may move a joint by its cube root [rad].
BENT = 0.1
STRAIGHT = 1e-9  # [rad]
NEAREST = Settings(on_unreachable='nearest')
UR5E = shipped_text('ur5e')
ELBOW = '<origin xyz="0.425 0 0"'
#: The elbow's axis leans by 1e-5 rad.
LEANING = without_wrist(UR5E.replace(f'{ELBOW}/>', f'{ELBOW} rpy="1e-5 0 0"/>'))


def leaning(*angles):
    robot = TiltedRobot(LEANING)
    return robot, dict(zip(robot.arm.commanded_joints, angles))


def bend(arm, positions):
    return math.sin(arm.naming.arm_angles(positions)[1])


def angle_between(one, other):
    return math.acos(min(1.0, max(-1.0, (np.trace(one.T @ other) - 1.0) / 2.0)))


def test_a_straight_elbow_takes_a_small_step():
    robot, seed = leaning(2.62, 0.46, 0.038, -0.75)
    point = (-0.7182, 0.2563, -0.3133)
    command = decide(robot.arm, Settings(), Target(point), seed).command
    assert gap(command, seed) < 0.05  # it was 2.787
    assert robot.miss(command, point) <= CLOSES


@pytest.mark.parametrize('branch', ['nearest', 'elbow_up', 'elbow_down'])
@pytest.mark.parametrize('name', NAMES)
def test_a_small_step_is_as_small_as_with_parallel_axes(name, branch):
    rng, exact = np.random.default_rng(20), load(name)
    settings, moved = Settings(on_unreachable='nearest', branch=branch), 0
    for _ in range(cases(30)):
        robot = TiltedRobot(tilted(name, rng))
        for on_limits in (0, 1):
            drawn = robot.drawn(rng, on_limits)
            seed = robot.bent(drawn, 1, rng.uniform(-0.05, 0.05)) or drawn
            step = {joint: q + rng.uniform(-0.02, 0.02) for joint, q in seed.items()}
            target = Target(tuple(robot.tip(step)[:3, 3].tolist()))
            one, its = (decide(arm, settings, target, seed) for arm in (robot.arm, exact))
            if Code.OK is one.code is its.code:
                moved += 1
                assert gap(one.command, seed) <= gap(its.command, seed) + BENT
                if abs(bend(exact, its.command)) <= STRAIGHT:  # it is on both branches
                    assert abs(bend(robot.arm, one.command)) <= STRAIGHT
                assert robot.miss(one.command, target.position) <= CLOSES
    assert moved


def test_shoulders_that_do_equally_well_but_for_the_lean_leave_it_to_the_seed():
    """With a straight elbow and a tilted wish, both are as far from it."""
    rng, exact, moved = np.random.default_rng(25), load('ur5e'), 0
    for _ in range(cases(600)):
        robot = TiltedRobot(tilted('ur5e', rng))
        seed = robot.bent(robot.drawn(rng), 1, rng.uniform(-0.05, 0.05))
        tip = robot.tip({joint: q + rng.uniform(-0.05, 0.05) for joint, q in seed.items()})
        about = rng.normal(size=3)
        wanted = rotation_by(about / np.linalg.norm(about), rng.uniform(0.0, 1.0)) @ tip[:3, :3]
        target = Target(tuple(tip[:3, 3].tolist()), wanted)
        one, its = (decide(arm, NEAREST, target, seed) for arm in (robot.arm, exact))
        if Code.OK is one.code is its.code:
            moved += 1
            assert gap(one.command, seed) <= gap(its.command, seed) + BENT
    assert moved


def test_the_yaw_joint_does_not_turn_round():
    robot, seed = leaning(2.19, 4.34, -1.03, -1.36)
    wanted = np.array([[-0.118, -0.72, 0.684], [-0.209, 0.691, 0.692], [-0.971, -0.061, -0.232]])
    target = Target((0.2633, -0.5776, 0.6849), wanted)
    command = decide(robot.arm, NEAREST, target, seed).command
    assert gap(command, seed) < 1.5  # it was 6.263


def test_no_other_turn_of_a_joint_is_nearer():
    robot, rng = TiltedRobot(LEANING), np.random.default_rng(21)
    for _ in range(cases(300)):
        seed, far = robot.drawn(rng), rng.random() < 0.5
        point = robot.tip({name: q + 0.02 for name, q in seed.items()})[:3, 3]
        away = point - np.array([0.0, 0.0, 0.1625])
        wanted = None if far else np.linalg.qr(rng.normal(size=(3, 3)))[0]
        if wanted is not None and np.linalg.det(wanted) < 0.0:
            wanted = -wanted
        point = 1.5 * away / np.linalg.norm(away) if far else point
        command = decide(robot.arm, NEAREST, Target(tuple(point.tolist()), wanted), seed).command
        if command is None:
            continue
        other = dict(command)
        for name, (lower, upper) in robot.limits.items():
            turns = [command[name] + math.tau * turn for turn in range(-2, 3)]
            inside = [turn for turn in turns if lower <= turn <= upper]
            other[name] = min(inside, key=lambda turn: abs(turn - seed[name]))
        assert gap(other, seed) > gap(command, seed) - 0.5


def test_what_is_said_to_be_reached_beside_the_yaw_axis_is_reached():
    """The plane passes the axis at 0.1333 m. At 0.1332636 m, all solutions missed by 4e-5 m."""
    robot, rng = TiltedRobot(LEANING), np.random.default_rng(22)
    reached = []
    for radius in (0.1332636, 0.13336, *(0.1333 + rng.uniform(-6e-5, 6e-5, cases(300, 60)))):
        point = (radius, 0.0, rng.uniform(0.2, 0.8))
        told = robot.arm.check_reachability(point)
        reached.append(told.reachable)
        assert bool(told.solutions) == told.reachable
        for one in told.solutions:
            assert robot.miss(one, point) <= CLOSES
        assert robot.miss(told.nearest_joint_positions, told.nearest[:3]) <= CLOSES
    assert 0 < sum(reached) < len(reached)
    assert not reached[0]


def test_every_solution_has_the_orientation_itself():
    """Beside the yaw axis, the other shoulder's solutions were off by 0.12 rad."""
    robot, own = leaning(-1.66985, -0.37267443809656786, -3.142, -0.025126551708896105)
    rng = np.random.default_rng(23)
    for _ in range(cases(100)):
        tip = robot.tip(own)
        target = Target(tuple(tip[:3, 3].tolist()), tip[:3, :3])
        fixed = decide(robot.arm, Settings(orientation_mode='fixed'), target, None).command
        told = robot.arm.check_reachability(
            target.position, rotation=target.rotation, tilt_tolerance=0.01
        )
        assert told.reachable
        for one in (fixed, *told.solutions):
            assert angle_between(robot.tip(one)[:3, :3], tip[:3, :3]) <= 0.0101
        own['shoulder_pan_joint'] = rng.uniform(-3.0, 3.0)
        own['wrist_1_joint'] += rng.uniform(-1e-5, 1e-5)


@pytest.mark.parametrize('name', ['so101', 'px100', 'open_manipulator_x'])
def test_corners_of_the_limits_are_reached(name):
    """The issue's SO-101: with all joints on their limits, the point was refused by 2.7e-6 m."""
    rng = np.random.default_rng(24)
    for _ in range(cases(20)):
        robot = TiltedRobot(tilted(name, rng))
        for corner in product(*robot.limits.values()):
            own = dict(zip(robot.limits, corner))
            point = tuple(robot.tip(own)[:3, 3].tolist())
            assert robot.arm.check_reachability(point).reachable
            command = decide(robot.arm, NEAREST, Target(point), own).command
            assert gap(command, own) <= 0.01
            assert robot.miss(command, point) <= CLOSES


def test_inside_the_yaw_circle_joints_move_as_with_parallel_axes():
    """Few configurations of leaning axes reach `nearest` there: the elbow flipped for one of them.
    """
    exact, rng, told = load('ur5e'), np.random.default_rng(26), 0
    settings = Settings(on_unreachable='nearest', branch='elbow_down')
    positions = 1.726128, 5.068775, -3.012024, 1.434881
    seed, draws = dict(zip(exact.commanded_joints, positions)), cases(200)
    target = Target((-0.12268000195525187, -0.020223737165418934, 0.30889132329105645))
    for number in range(draws + 5):
        robot = TiltedRobot(tilted('ur5e', rng))
        if number >= 5:  # the target comes first, with five robots
            height, turn_by = rng.uniform(0.2, 0.6), rng.uniform(-3.0, 3.0)
            inside = 0.1333 - 10.0 ** rng.uniform(-4.0, -1.5)
            x, y = inside * math.cos(turn_by), inside * math.sin(turn_by)
            target, seed = Target((x, y, height)), robot.drawn(rng)
            seed = decide(exact, settings, target, seed).command or seed
        one, its = (decide(arm, settings, target, seed) for arm in (robot.arm, exact))
        if one.code is its.code is Code.TOO_CLOSE and its.command:
            told += 1
            assert gap(one.command, seed) <= gap(its.command, seed) + BENT
            tip, slack = robot.tip(one.command)[:3, 3], robot.arm.spatial.plane.slack
            assert math.dist(tip, one.nearest[:3]) <= 2.0 * slack
    assert told > draws // 2


def test_a_refusal_just_inside_the_yaw_circle_is_too_close():
    """By less than the slack: JOINT_LIMIT was said, though no limit is near."""
    rng, refused = np.random.default_rng(27), 0
    for _ in range(cases(200, 100)):
        robot = TiltedRobot(tilted('ur5e', rng))
        plane, height = robot.arm.spatial.plane, rng.uniform(0.2, 0.6)
        radius = abs(plane.yaw.aside) - rng.uniform(0.01, 1.0) * plane.slack
        turn_by = rng.uniform(-3.0, 3.0)
        axis = plane.in_space(*plane.yaw.in_plane(0.0, height), plane.yaw.aside)
        x, y = axis[0] + radius * math.cos(turn_by), axis[1] + radius * math.sin(turn_by)
        told = robot.arm.check_reachability((x, y, axis[2]))
        if not told.reachable:
            refused += 1
            assert told.code is Code.TOO_CLOSE
            assert told.message.startswith('too close to the axis of shoulder_pan_joint')
    assert refused


@pytest.mark.parametrize(
    'own', [(-0.901, -0.67, -1.981, -0.362), (3.075, -0.417, -2.097, -1.422)]
)
def test_a_point_inside_the_yaw_circle_is_reached_next_to_the_seed(own):
    """The plane passes the axis at 0.1333 m. The first moved a joint by 2.1 rad; the second was
    TOO_CLOSE."""
    robot, own = leaning(*own)
    point = tuple(robot.tip(own)[:3, 3].tolist())
    assert 0.133295 < math.hypot(*point[:2]) < 0.1333
    seed = {joint: q + 0.01 for joint, q in own.items()}
    told = decide(robot.arm, NEAREST, Target(point), seed)
    assert told.code is Code.OK
    assert robot.miss(told.command, point) <= CLOSES
    assert gap(told.command, seed) <= 0.05


def beside_the_yaw_axis(exact, slack, rng):
    """Joint positions with the tip where the plane passes the yaw axis, or outside by a slack."""
    plane, found = exact.spatial.plane, []
    while not found:
        height, (turn_by, phi) = rng.uniform(0.0, 0.6), rng.uniform(-math.pi, math.pi, 2)
        radius = abs(plane.yaw.aside) + slack * rng.uniform() ** 8
        axis = plane.in_space(*plane.yaw.in_plane(0.0, height), plane.yaw.aside)
        x, y = axis[0] + radius * math.cos(turn_by), axis[1] + radius * math.sin(turn_by)
        found = exact.inverse_kinematics((x, y, axis[2]), phi)
    return found[rng.integers(len(found))]


def wrist_from_base(robot, positions):
    """Distance of the wrist from joint 1, as a share of link 1."""
    link_1, link_2, _ = robot.arm.link_lengths
    bend = robot.naming.arm_angles(positions)[1]
    return abs(link_1 + link_2 * cmath.exp(1j * bend)) / link_1


@pytest.mark.parametrize('name', ['ur5e', 'so101', 'px100'])
def test_beside_the_yaw_axis_an_arm_stays_next_to_its_seed(name):
    """Few orientations reach a point there: points were refused, and joints flung round."""
    rng, exact, inside = np.random.default_rng(28), load(name), 0
    for _ in range(cases(200, 100, least=2)):
        robot = TiltedRobot(tilted(name, rng))
        plane = robot.arm.spatial.plane
        for _ in range(5):
            own = beside_the_yaw_axis(exact, plane.slack, rng)
            point = tuple(robot.tip(own)[:3, 3].tolist())
            seed = {joint: q + rng.uniform(-0.02, 0.02) for joint, q in own.items()}
            told = decide(robot.arm, NEAREST, Target(point), seed)
            assert told.code is Code.OK
            assert robot.miss(told.command, point) <= CLOSES
            # A folded elbow brings the wrist near the base: there, its bend turns joint 1 by more.
            bent = BENT * max(2.0, 0.2 / wrist_from_base(exact, own))
            assert gap(told.command, seed) <= 3.0 * gap(own, seed) + bent
            inside += plane.yaw.place_of(*plane.into(point)).radius < abs(plane.yaw.aside)
    assert inside or plane.yaw.aside == 0.0


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'xarm5'])
def test_with_joints_on_their_limits_an_arm_stays_next_to_its_seed(name):
    """The limits of parallel axes leave another orientation, or none, where leaning ones are."""
    rng = np.random.default_rng(31)
    for count in range(cases(2000, 240)):
        robot = TiltedRobot(tilted(name, rng))
        there, step = robot.drawn(rng, 2 + count % 2), rng.uniform(0.0, 0.2)
        inside = {joint: np.clip(q, *robot.limits[joint]) for joint, q in there.items()}
        seed = {
            joint: float(np.clip(q + rng.uniform(-step, step), *robot.limits[joint]))
            for joint, q in inside.items()
        }
        target = Target(tuple(robot.tip(inside)[:3, 3].tolist()))
        command = decide(robot.arm, NEAREST, target, seed).command
        assert gap(command, seed) <= 3.0 * gap(inside, seed) + 0.05
        assert robot.miss(command, target.position) <= CLOSES
