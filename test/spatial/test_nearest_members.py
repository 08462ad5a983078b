# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses that leave a joint free: of the family, the member nearest to the seed is given, by a
search that knows of the robot only how each joint moves the tip."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from robot_texts import limit
from screw_solver import Awkward, ScrewSolver
from spatial_arms import pose, rotation_by
from tilted_robots import TiltedRobot
from wrist_robots import drawn_on_axis, gap, pose_of, random_robot, random_robots, singular

COUNT = 120
#: Between two angles that are tried [rad].
STEP = math.tau / COUNT
#: Of the least change of the worst joint, a solution that makes no detour has at most this many
#: times as much, and a little [1, rad].
DETOUR, ROOM = 2.0, 0.05
FREE = 'a joint is free'
INSIDE = 1e-6  # [rad]


def nearest_turn(angle, near, limits):
    """The turn of an angle inside the limits that is nearest to another one, or None."""
    turns = [angle + math.tau * number for number in range(-4, 5)]
    inside = [one for one in turns if limits[0] - INSIDE <= one <= limits[1] + INSIDE]
    return min(inside, key=lambda one: abs(one - near), default=None)


def turned(solver, angles, seed):
    """Angles by name at the turns inside the limits nearest to a seed; None if one has no turn."""
    found = {}
    for name, angle, limits in zip(solver.names, angles, solver.limits):
        found[name] = nearest_turn(angle, seed[name], limits)
    return None if None in found.values() else found


def seed_of(robot, own, rng):
    """Joint positions beside the own ones, or anywhere."""
    if rng.random() < 0.5:
        return robot.drawn(rng)
    away = {name: q + rng.uniform(-0.4, 0.4) for name, q in own.items()}
    return {name: float(np.clip(q, *robot.limits[name])) for name, q in away.items()}


def members_by_yaw(solver, asked, seed, most):
    """Solutions at many yaw angles nearer to the seed than this, with the wrist center on the yaw
    axis."""
    moved = asked @ np.linalg.inv(solver.at_zero)
    center = moved[:3, :3] @ solver.center + moved[:3, 3]
    for yaw in (np.arange(COUNT) * STEP).tolist():
        turned_to = nearest_turn(yaw, seed[solver.names[0]], solver.limits[0])
        if turned_to is None or abs(turned_to - seed[solver.names[0]]) > most:
            continue
        level = solver.level(moved[:3, :3], yaw)
        try:
            for phi, wrist in solver.wrists(level):
                for three in solver.three(center, phi):  # a turn about the axis leaves it there
                    yield turned(solver, [yaw, *three, *wrist], seed)
        except Awkward:
            continue


def members_by_phi(solver, asked, own, seed):
    """Solutions with the last link at many angles, the last wrist axis being along the normal, at
    the yaw angle of the own ones."""
    moved = asked @ np.linalg.inv(solver.at_zero)
    center = moved[:3, :3] @ solver.center + moved[:3, 3]
    yaw, *_, first, last = [own[name] for name in solver.names]
    yaw = yaw if solver.yaw else 0.0
    seen, n = center, solver.normal
    if solver.yaw:
        _, through = solver.yaw
        seen = through + solver.level(np.eye(3), yaw) @ (center - through)
    three = [own[name] for name in solver.names[-5:-2]]
    start = sum(sign * q for sign, q in zip(solver.signs, three))
    upright = rotation_by(solver.wrist[0][0], first) @ solver.wrist[1][0]
    along = math.copysign(1.0, n @ upright)
    for change in np.arange(COUNT) * STEP:
        try:
            for q in solver.three(seen, start + change):
                before = [yaw] if solver.yaw else []
                yield turned(solver, [*before, *q, first, last - along * change], seed)
        except Awkward:
            continue


def phi_of(solver, positions):
    return sum(s * positions[name] for s, name in zip(solver.signs, solver.names[-5:-2]))


def posed(robot, own):
    point, rotation = pose_of(robot, own)
    return pose(rotation, point)


def with_yaw_range(robot, lower, upper):
    """The same robot with other limits of its yaw joint."""
    tree = ElementTree.fromstring(robot.text)
    (element,) = (one for one in tree.findall('joint') if one.get('name') == robot.arm.yaw_joint)
    for old in element.findall('limit'):
        element.remove(old)
    element.set('type', 'revolute')
    element.append(ElementTree.fromstring(limit(lower, upper)))
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def check_yaw(robot, own, seed):
    """The wrist center is on the yaw axis: no other yaw angle is nearer, unless joints would make a
    detour to that. Whether it is the nearest one."""
    asked, yaw = posed(robot, own), robot.arm.yaw_joint
    told = robot.arm.check_reachability(asked[:3, 3], rotation=asked[:3, :3])
    assert told.reachable and FREE in told.message
    found = robot.arm.inverse_kinematics(asked[:3, 3], rotation=asked[:3, :3], seed=seed)
    away = min(abs(one[yaw] - seed[yaw]) for one in found)
    some = [*filter(None, members_by_yaw(ScrewSolver(robot), asked, seed, away))]
    is_nearest = all(away <= abs(one[yaw] - seed[yaw]) + INSIDE for one in some)
    least = min((gap(one, seed) for one in some), default=math.inf)
    moved = min(gap(one, seed) for one in found)
    assert is_nearest or moved <= DETOUR * least + ROOM, (robot.text, own, seed)
    return is_nearest


def test_law_with_the_wrist_center_on_the_yaw_axis_no_other_yaw_angle_is_nearer():
    rng, checked, nearest = np.random.default_rng(0), 0, 0
    robots = random_robots(rng, cases(300, least=12), each=3, kinds=[(True, 2)], on_axis=True)
    for robot in robots:
        own = None if robot.arm.whole.is_leaning else drawn_on_axis(robot, rng)
        if own:
            nearest += check_yaw(robot, own, seed_of(robot, own, rng))
            checked += 1
    assert nearest > 0.8 * checked


def test_law_of_more_than_a_turn_a_yaw_joint_takes_a_turn_that_is_inside_its_limits():
    """Next to a limit of its own, the nearest turn may be past it, and another yaw angle nearer. Of
    619 poses, 34 had the yaw joint turn back by more than it had to."""
    checked, nearest = 0, 0
    for seed in (4, 14, 19, 28, *range(cases(600))):
        rng = np.random.default_rng(seed)
        exact, room = random_robot(rng, True, 2, on_axis=True), rng.uniform(0.0, 2.0)
        robot = with_yaw_range(exact, -3.5, 3.5 + room)
        own = None if robot.arm.whole.is_leaning else drawn_on_axis(robot, rng)
        if own:
            near, yaw = seed_of(robot, own, rng), robot.arm.yaw_joint
            near[yaw] = robot.limits[yaw][rng.integers(2)] * rng.uniform(0.8, 1.0)
            nearest += check_yaw(robot, own, near)
            checked += 1
    assert nearest > 0.8 * checked > cases(150)


@pytest.mark.parametrize('count', [1, 2])
def test_law_with_the_wrist_center_on_the_yaw_axis_an_arm_stays_next_to_its_seed(count):
    """With a joint next to its limit, the seed's own yaw angle may leave only another flip of the
    wrist: of 1,287 poses with joints on limits, 253 had a joint turn round."""
    rng, checked = np.random.default_rng(5), 0
    for robot in random_robots(rng, cases(2500), each=1, kinds=[(True, count)], on_axis=True):
        own = drawn_on_axis(robot, rng, on_limit=bool(rng.integers(2)))
        if own:
            most = rng.uniform(0.0, 0.2)
            near = {name: q + rng.uniform(-most, most) for name, q in own.items()}
            near = {name: float(np.clip(q, *robot.limits[name])) for name, q in near.items()}
            point, rotation = pose_of(robot, own)
            found = robot.arm.solve(point, rotation=rotation, seed=near)
            assert gap(found, near) <= 3.0 * gap(own, near) + ROOM, (robot.text, own, near)
            checked += 1
    assert checked > cases(600)


@pytest.mark.parametrize('yaw', [True, False])
def test_law_with_a_singular_wrist_no_other_member_has_its_last_link_nearer(yaw):
    """Unless joints would make a detour to it: then the change is about the least of all."""
    rng, checked, nearest = np.random.default_rng(1), 0, 0
    for robot in random_robots(rng, cases(400, least=10), each=2, kinds=[(yaw, 2)]):
        own = None if robot.arm.whole.is_leaning else singular(robot, robot.drawn(rng), rng, 0.0)
        if own is None:
            continue
        seed, asked, solver = seed_of(robot, own, rng), posed(robot, own), ScrewSolver(robot)
        told = robot.arm.check_reachability(asked[:3, 3], rotation=asked[:3, :3])
        assert told.reachable and FREE in told.message
        found = robot.arm.inverse_kinematics(asked[:3, 3], rotation=asked[:3, :3], seed=seed)
        found = [one for one in found if same_plane(robot, one, own)]
        some = [*filter(None, members_by_phi(solver, asked, own, seed))]
        if not some:
            continue
        checked += 1
        wanted = phi_of(solver, seed)

        def away(one, solver=solver, wanted=wanted):
            return abs(math.remainder(phi_of(solver, one) - wanted, math.tau))

        is_nearest = min(map(away, found)) <= min(map(away, some)) + INSIDE
        least = min(gap(one, seed) for one in some)
        nearest += is_nearest
        assert is_nearest or min(gap(one, seed) for one in found) <= DETOUR * least + ROOM
    assert nearest > checked / 3 > 0


def same_plane(robot, one, own):
    """Whether the yaw joint, if there is one, has turned the plane to where it is."""
    yaw = robot.arm.yaw_joint
    return yaw is None or abs(math.remainder(one[yaw] - own[yaw], math.tau)) <= INSIDE
