# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses whose position the wrist as it is held does not reach, but another wrist does."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction, rotation_by
from tilted_robots import TiltedRobot
from wrist_robots import KINDS, pose_of, random_robots, shipped_robots, without_limits

from ik_circles.reasons import Code
from ik_circles.spatial.poses.candidates import Candidates
from ik_circles.spatial.poses.full_pose import FullPose

CLOSES = 1e-9  # [m]
ASKEW = 0.7  # [rad]
#: The cosine of the second wrist joint of an outstretched ur5e [1].
OUTSTRETCHED = 0.1333 / 0.0996 * math.sqrt((0.0997**2 + 0.0996**2) / (0.8172**2 + 0.1333**2))
UR5E = shipped_robots()['ur5e']
#: Of the positions that some wrist reaches, at least this share is found [1].
FOUND = {(True, 1): 0.99, (True, 2): 0.99, (False, 1): 0.99, (False, 2): 0.9}


def reached(robot, point, rotation):
    """Whether the verdict says yes, or no only to the orientation, and has the joints to show."""
    told = robot.arm.check_reachability(point, rotation=rotation)
    if told.reachable:
        return True
    if told.code is not Code.ORIENTATION:
        return False
    assert told.nearest[:3] == point
    assert robot.miss(told.nearest_joint_positions, point) <= CLOSES
    chosen = robot.arm.solve(point, rotation=rotation)
    assert robot.miss(chosen, point) <= CLOSES
    return True


def stretched(robot, rng):
    """Joint positions of the robot's own, mostly with the links about straight."""
    own = robot.drawn(rng, 0)
    for name, spread in zip(robot.arm.joint_names[1:], (0.05, 0.3)):
        lower, upper = robot.limits[name]
        if rng.random() < 0.7:
            own[name] = float(min(max(rng.normal() * spread, lower), upper))
    return own


def test_a_ur5e_gets_farther_with_its_second_wrist_joint_at_a_right_angle():
    """425 + 392.2 + hypot(99.7, 99.6) mm in the plane, which passes the yaw axis by 133.3 mm."""
    straight = dict.fromkeys(UR5E.arm.commanded_joints, 0.0)
    held, level = pose_of(UR5E, straight)
    assert math.hypot(held[0], held[1]) < 0.95
    away, up = 0.425 + 0.3922 + math.hypot(0.0997, 0.0996), 0.1625
    point = (math.hypot(away - 1e-6, 0.1333), 0.0, up)
    assert UR5E.arm.check_reachability(point).code is Code.TOO_FAR
    assert reached(UR5E, point, level)
    told = UR5E.arm.check_reachability((0.98, 0.0, up), rotation=level)
    assert told.code is Code.TOO_FAR and told.nearest is not None


def test_a_ur5e_is_too_far_exactly_where_no_wrist_reaches():
    """Its first joint is on the yaw axis, and nothing limits its reach but the second wrist joint:
    the farthest is found here by a dense search."""
    angles = np.linspace(0.0, math.tau, 200001)
    links = 0.425 + 0.3922 + np.hypot(0.0997, 0.0996 * np.sin(angles))
    farthest = float(np.hypot(links, 0.1333 + 0.0996 * np.cos(angles)).max())
    rng, robot = np.random.default_rng(0), counted_from('wrist_2_joint', ASKEW)
    seen = 0
    for _ in range(cases(500)):
        azimuth, height = rng.uniform(-math.pi, math.pi), rng.uniform(-0.9, 0.9)
        _, rotation = pose_of(UR5E, UR5E.drawn(rng, 0))
        for off, code in ((-1e-6, Code.ORIENTATION), (1e-6, Code.TOO_FAR)):
            level = math.sqrt((farthest + off) ** 2 - height**2)
            x, y = level * math.cos(azimuth), level * math.sin(azimuth)
            told = robot.arm.check_reachability((x, y, 0.1625 + height), rotation=rotation)
            assert told.code is code
            if code is Code.ORIENTATION:
                seen += check_last_joint(told)
    assert seen > cases(400)


def counted_from(joint, angle):
    """The UR5e with the positions of a joint counted from an angle: the other axes lie askew."""
    tree = ElementTree.fromstring(UR5E.text)
    (origin,) = (one.find('origin') for one in tree.findall('joint') if one.get('name') == joint)
    roll, pitch, yaw = map(float, origin.get('rpy').split())
    about_z, about_y = rotation_by((0, 0, 1), yaw), rotation_by((0, 1, 0), pitch)
    axes = about_z @ about_y @ rotation_by((1, 0, 0), roll)
    (a, _, _), (b, _, _), (c, d, e) = axes @ rotation_by((0, 0, 1), angle)
    rpy = math.atan2(d, e), math.asin(-c), math.atan2(b, a)
    origin.set('rpy', ' '.join(map(repr, map(float, rpy))))
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def check_last_joint(told):
    """The tip is on the last axis: outstretched, that joint leaves the least turn. Whether it is
    outstretched."""
    found = told.nearest_joint_positions
    if abs(math.cos(found['wrist_2_joint'] + ASKEW) - OUTSTRETCHED) > 1e-6:
        return False  # it is asked for
    for step in (-0.1, 0.1):
        turned = {**found, 'wrist_3_joint': found['wrist_3_joint'] + step}
        assert told.tilt_of(turned) >= told.tilt_of(found)
    return True


def test_wrists_have_the_tip_as_far_off_the_plane_as_it_gets():
    """Of a single joint inside its limits, and of two without."""
    rng = np.random.default_rng(5)
    for robot in random_robots(rng, cases(600), kinds=[(True, 1), (True, 2)], each=1):
        one = robot if len(robot.arm.wrist_joints) == 1 else without_limits(robot)
        arm = one.arm.whole
        some = rng.uniform(*np.clip(arm.wrist_limits, -7.0, 7.0).T, (200, len(arm.wrist_limits)))
        anywhere = [arm.tip_from_center(wrist)[2] for wrist in some.tolist()]
        found = [arm.tip_from_center(wrist)[2] for wrist in arm.stretch.wrists(0.0)]
        assert min(found) <= min(anywhere) + CLOSES and max(anywhere) <= max(found) + CLOSES
        off = arm.stretch.wrist.tip(arm.stretch.wrists(0.0)[0])[2] * 0.9
        for wrist in arm.stretch.with_tip_off(off):
            assert abs(arm.stretch.wrist.tip(wrist)[2] - off) <= CLOSES


def test_how_near_to_the_yaw_axis_the_wrist_center_would_be():
    """The plane of a UR5e passes it at 133.3 mm."""
    rng, said = np.random.default_rng(6), 0
    for _ in range(cases(400)):
        (x, y), radius = direction(rng, 2), rng.uniform(0.0, 0.13)
        _, rotation = pose_of(UR5E, UR5E.drawn(rng, 0))
        point = (x * radius, y * radius, 0.5) - rotation @ UR5E.arm.whole.wrist.center
        told = UR5E.arm.check_reachability(tuple(point.tolist()), rotation=rotation)
        words = f'{0.1333 - radius:.3f} m too close to the axis of shoulder_pan_joint, which'
        assert (words in told.message) == (told.code is Code.ORIENTATION)
        said += told.code is Code.ORIENTATION
    assert said


def test_a_ur5e_reaches_every_position_of_its_own():
    rng = np.random.default_rng(1)
    for _ in range(cases(2000)):
        point, _ = pose_of(UR5E, stretched(UR5E, rng))
        _, rotation = pose_of(UR5E, UR5E.drawn(rng, 0))
        assert reached(UR5E, point, rotation)


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_nearly_every_position_of_an_arm_s_own_is_reached(kind):
    """Not all: the list of wrists is finite, and limits can leave a small gap between them."""
    rng, found, count = np.random.default_rng(2), 0, 0
    for robot in random_robots(rng, cases(3000, 120), kinds=[kind]):
        point, _ = pose_of(robot, stretched(robot, rng))
        _, rotation = pose_of(robot, robot.drawn(rng, 0))
        count += 1
        found += reached(robot, point, rotation)
    assert found >= FOUND[kind] * count


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_beyond_the_reach_of_every_wrist_no_way_is_looked_at(kind):
    """Straight away from the first of the three joints, along the yaw axis if there is one."""
    rng = np.random.default_rng(4)
    for robot in random_robots(rng, cases(160, 40), kinds=[kind], each=1):
        arm, carrier = robot.arm.whole, robot.arm.whole.carrier
        reach = carrier.planar.max_reach + float(np.linalg.norm(arm.wrist.center))
        out, height = (0.0, 0.0) if carrier.yaw is None else carrier.yaw.from_axis((0.0, 0.0))
        rotation = pose_of(robot, robot.drawn(rng))[1].tolist()
        for share in (1.0, 1.00001):
            place = share * reach, 0.0
            if carrier.yaw is not None:
                place = carrier.yaw.in_plane(out, height + share * reach)
            pose = FullPose(arm, carrier.plane.point_at(*place), rotation, 1e-6)
            Candidates(pose, arm.home.wrist).within(0.0)
            assert ('ways' in vars(pose)) == (share == 1.0)


def test_without_limits_every_wrist_that_is_solved_reaches_the_position():
    """Half of those of a ur5e were solved in vain: its plane did not meet the position."""
    rng, solved = np.random.default_rng(7), 0
    for robot in random_robots(rng, cases(400), kinds=[(True, 1), (True, 2)], each=2):
        one = without_limits(robot)
        if one.arm.whole.is_leaning:
            continue
        point, _ = pose_of(one, one.drawn(rng))
        rotation = pose_of(one, one.drawn(rng))[1]
        found = Candidates(FullPose(one.arm.whole, point, rotation, 1e-6), one.arm.whole.home.wrist)
        for trial in (*found.trials, *found.other_trials):
            solved += 1
            assert trial.found, (one.text, point, rotation)
    assert solved > cases(1000)


def test_elbow_up_and_down_are_turned_away_alike():
    """To the last bit: rounding does not choose which of them is nearest."""
    rng, both = np.random.default_rng(8), 0
    for _ in range(cases(200)):
        point, _ = pose_of(UR5E, UR5E.drawn(rng))
        _, rotation = pose_of(UR5E, UR5E.drawn(rng))
        arm = UR5E.arm.whole
        bends = {}
        for one in Candidates(FullPose(arm, point, rotation, 1e-6), (0.0, 0.0)).within(0.0):
            key = round(math.cos(one.whole.yaw), 6), round(math.cos(sum(one.whole.q)), 6)
            bends.setdefault(key, []).append(round(math.sin(one.whole.q[1]), 6))
        for some in bends.values():
            both += abs(some[0]) > 1e-3
            assert abs(some[0]) <= 1e-3 or {-one for one in some} == set(some)
    assert both > cases(100)
