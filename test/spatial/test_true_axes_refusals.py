# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Orientations that axes which are parallel only to rounding take or refuse at a position."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
from law_cases import cases
from tilted_robots import TiltedRobot, leaned, tilted
from turned_robots import urdf_of

from ik_circles import Code, load_arm
from ik_circles.planar.selection import BRANCHES

LEVEL, NARROW = ('so101', 'xarm5', 'youbot_arm', 'open_manipulator_x', 'px100'), 0.3
CLOSES = 1e-9  # [m]
ROUNDED = 0.0501  # [deg]: a sentence has one digit
#: What the lean may turn a tool by on a limit [rad], and how well an orientation is kept there.
TURNED, KEPT = 1e-3, 4e-4
#: A bent pose off limits and yaw circle has its joints to the last digits [rad].
SAME, OFF, BENT = 1e-11, 1e-3, 0.1
#: How far joints are from their limits, so that a small turn of the tool may not reach one [rad].
BESIDE = 1e-2


def refused(robot, own, rng):
    """An orientation that is refused at the own position, and the answer; None if it works."""
    point, phi = robot.tip(own)[:3, 3], float(rng.uniform(-3.0, 3.0))
    told = robot.arm.check_reachability(point, phi)
    assert told.position_reachable
    assert robot.miss(told.nearest_joint_positions, point) <= CLOSES
    return None if told.reachable else (phi, told)


def turned(one, other):
    return abs(math.remainder(one - other, math.tau))


def robots(rng):
    """With joint positions, the elbow straight or the yaw joint on its limit."""
    for _ in range(cases(800)):
        robot = TiltedRobot(leaned(urdf_of(rng), rng))
        own, yaw = robot.drawn(rng), robot.arm.yaw_joint
        straight = robot.bent(own, 1, 0.0)
        yield robot, {**own, yaw: robot.limits[yaw][rng.integers(2)]}
        if straight:
            yield robot, straight


def test_a_refused_orientation_names_the_one_of_nearest():
    """Parallel axes miss a position at the edge by rounding: the sentence had no orientation."""
    rng = np.random.default_rng(1)
    for robot, own in robots(rng):
        if found := refused(robot, own, rng):
            told = found[1]
            assert told.code is Code.ORIENTATION
            said = float(told.message.split('works is ')[1].split(' deg')[0])
            assert abs(math.remainder(said - math.degrees(told.nearest.phi), 360.0)) <= ROUNDED


def cornered(rng):
    """A shipped arm with narrow limits, and joint positions with one to three joints on a limit."""
    tree = ElementTree.fromstring(tilted(rng.choice(LEVEL), rng, 1e-7))
    for limit in tree.iterfind('joint[@type="revolute"]/limit'):
        lower, upper = np.sort(rng.uniform(-2.6, 2.6, 2))
        if upper - lower > NARROW:
            limit.set('lower', repr(float(lower)))
            limit.set('upper', repr(float(upper)))
    robot = TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))
    own = robot.drawn(rng)
    for name in rng.choice([*own], int(rng.integers(1, 4)), replace=False):
        own[name] = float(robot.limits[name][rng.integers(2)])
    return robot, own


def test_the_nearest_orientation_works():
    """In a corner of the limits, correction may reach the position with what nobody gets."""
    rng = np.random.default_rng(11)
    for _ in range(cases(4000, 120)):
        robot, own = cornered(rng)
        if found := refused(robot, own, rng):
            nearest = found[1].nearest
            assert robot.arm.check_reachability(nearest[:3], nearest.phi).reachable


def test_past_a_limit_by_less_than_counts_all_orientations_around_work():
    """There, the yaw joint is put on its limit: correcting that tiny miss turned the tool."""
    rng, looked = np.random.default_rng(12), 0
    for _ in range(cases(800)):
        robot = TiltedRobot(leaned(urdf_of(rng), rng, 1e-7))
        own, yaw = robot.drawn(rng), robot.arm.yaw_joint
        room = min(abs(own[name] - end) for name in own for end in robot.limits[name])
        outwards = rng.integers(2)
        own[yaw] = robot.limits[yaw][outwards]
        bend = robot.arm.naming.arm_angles(own)[1]
        turned_tip = robot.tip({**own, yaw: own[yaw] + (-BESIDE, BESIDE)[outwards]})[:3, 3]
        radius = np.linalg.norm(turned_tip - robot.tip(own)[:3, 3]) / BESIDE
        if room > BESIDE and abs(math.sin(bend)) > BENT and radius > BENT:
            looked += 1
            past = (-1.0, 1.0)[outwards] * CLOSES / 2.0 / radius
            point = robot.tip({**own, yaw: own[yaw] + past})[:3, 3]
            phi = robot.phi(own) + rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-9.0, -4.0)
            assert robot.arm.check_reachability(point, phi).reachable
    assert looked > cases(300)


def test_rounding_is_blamed_for_no_orientation_that_parallel_axes_refuse():
    rng = np.random.default_rng(6)
    for _ in range(cases(1000, 40)):
        text = urdf_of(rng)
        robot = TiltedRobot(leaned(text, rng))
        own = robot.drawn(rng)
        if found := refused(robot, own, rng):
            phi, told = found
            parallel = load_arm(text).check_reachability(robot.tip(own)[:3, 3], phi)
            if parallel.position_reachable and turned(parallel.nearest.phi, phi) > TURNED:
                assert 'rounding' not in told.message


def test_the_nearest_orientation_that_works_is_no_farther_than_the_own_one():
    """On a limit of the yaw joint, few of those of parallel axes work."""
    rng = np.random.default_rng(1)
    for robot, own in robots(rng):
        if found := refused(robot, own, rng):
            phi, told = found
            needed = turned(told.nearest.phi, phi)
            assert needed <= turned(robot.phi(own), phi) + TURNED


def test_no_solution_turns_the_tool_from_the_orientation_in_the_plane():
    """Beside a limit by as much as the lean may ask for, and by more."""
    rng, looked = np.random.default_rng(2), 0
    for _ in range(cases(2000, 40)):
        robot = TiltedRobot(leaned(urdf_of(rng), rng))
        own = robot.drawn(rng, rng.integers(3))
        phi = robot.phi(own) + 10.0 ** rng.uniform(-6.0, -2.0) * rng.choice([-1.0, 1.0])
        found = robot.arm.inverse_kinematics(robot.tip(own)[:3, 3], phi)
        looked += len(found)
        assert all(turned(robot.phi(one), phi) <= KEPT for one in found)
    assert looked > cases(1000, 40)


def test_an_orientation_in_space_gives_the_own_joints_to_the_last_digits():
    rng = np.random.default_rng(3)
    for _ in range(cases(2000, 40)):
        robot = TiltedRobot(leaned(urdf_of(rng), rng))
        own = robot.drawn(rng)
        off = min(abs(end - own[name]) for name, ends in robot.limits.items() for end in ends)
        tip, yaw, plane = robot.tip(own), robot.arm.spatial.yaw, robot.arm.spatial.plane
        past = yaw.place_of(*plane.into(tip[:3, 3])).radius - abs(yaw.aside)
        bend = abs(math.sin(robot.arm.naming.arm_angles(own)[1]))
        if min(off, past) > OFF and bend > BENT:
            found = robot.arm.inverse_kinematics(tip[:3, 3], rotation=tip[:3, :3], seed=own)
            assert min(max(abs(one[n] - own[n]) for n in own) for one in found) <= SAME


def test_what_is_reached_is_solved_whatever_the_branch():
    """With joints on limits, 84 of 800 were given up where only the other elbow reaches."""
    rng = np.random.default_rng(4)
    for _ in range(cases(800, 60)):
        robot = TiltedRobot(leaned(urdf_of(rng), rng))
        own, seed = robot.drawn(rng, rng.integers(4)), robot.drawn(rng)
        point = robot.tip(own)[:3, 3]
        for branch in BRANCHES:
            found = robot.arm.solve(point, seed=seed, branch=branch)
            assert robot.miss(found, point) <= CLOSES


def test_there_is_a_z_where_parallel_axes_have_one():
    """Where there is none, joint angles of no form were given."""
    rng = np.random.default_rng(5)
    for _ in range(cases(400)):
        text = urdf_of(rng)
        parallel, robot = load_arm(text), TiltedRobot(leaned(text, rng))
        own, seed = robot.drawn(rng), robot.drawn(rng)
        kind = {'seed': seed, 'redundancy': 'z_form', 'z_form_k': rng.choice([0.0, 0.5, 1.0])}
        for branch in BRANCHES:
            one, other = (
                arm.solve(robot.tip(own)[:3, 3], branch=branch, **kind)
                for arm in (parallel, robot.arm)
            )
            assert (one is None) == (other is None)


def test_ranges_smaller_than_what_the_lean_moves_joints_by():
    """Own points are reached with several joints that hardly move: solutions are a short curve. Of
    200 like these, 39 were refused."""
    for seed in (8, 9, 10, 12, 15, 16, *range(cases(400, 40))):
        rng = np.random.default_rng(seed)
        text = tilted(sorted((*LEVEL, 'ur5e'))[seed % 6], rng)
        own, tree = TiltedRobot(text).drawn(rng), ElementTree.fromstring(text)
        width = 10.0 ** rng.uniform(-7.0, -5.0)
        for name in rng.choice(list(own), rng.integers(2, len(own) + 1), replace=False):
            element = tree.find(f"joint[@name='{name}']")
            lower = own[name] - rng.uniform(0.0, width)
            element.set('type', 'revolute')
            element.find('limit').set('lower', repr(float(lower)))
            element.find('limit').set('upper', repr(float(lower + width)))
        robot = TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))
        point = tuple(robot.tip(own)[:3, 3].tolist())
        told = robot.arm.check_reachability(point)
        assert told.reachable
        assert all(robot.miss(one, point) <= CLOSES for one in told.solutions)


def test_where_parallel_axes_have_the_yaw_joint_past_its_limit_no_other_point_is_certain():
    rng, past = np.random.default_rng(14), 0
    for robot, own in robots(rng):
        yaw = robot.arm.yaw_joint
        if own[yaw] in robot.limits[yaw]:
            point = robot.tip(own)[:3, 3]
            if not any(yaws for _, yaws in robot.arm.spatial.plane.shoulders(point)):
                told = robot.arm.check_reachability(point)
                assert told.reachable and told.margin == 0.0
                past += 1
    assert past
