# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses are answered straight through exactly where rounding cannot decide, and at any size."""

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from law_cases import cases
from robot_texts import limit
from spatial_arms import direction, rotation_by
from tilted_robots import TiltedRobot, with_wrist_aside
from wrist_robots import (
    enlarged,
    pose_of,
    random_robot,
    random_robots,
    shipped_robots,
    without_limits,
)

from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE
from ik_circles.spatial.poses.corrections import next_to_seed
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.tilts import much_turned_within
from ik_circles.spatial.wrist import FROM_ROUNDING, LOOSE, MOST_ROOM, ROUNDING

TILT = 1e-6
SAME = 1e-12  # [rad]
#: What clearly bends the elbow is a bound: it may be this much too careful [1].
LITTLE = 0.01
#: Shares of a bound that are clearly below it and above it.
BELOW, ABOVE = 0.8, 1.25


def arms_with_elbow_at(rng, count, bend):
    """Arms without limits and without a yaw joint, with joint positions that have this bend."""
    for robot in random_robots(rng, count, each=1, kinds=[(False, 1), (False, 2)]):
        one = without_limits(robot)
        whole = one.arm.whole_naming.whole(one.drawn(rng))
        q1, _, q3 = whole.q
        yield one, whole._replace(q=(q1, bend, q3))


def with_limit(one, name, lower, upper):
    """The same robot with other limits of a joint [rad]."""
    tree = ElementTree.fromstring(one.text)
    (element,) = [joint for joint in tree.findall('joint') if joint.get('name') == name]
    for old in element.findall('limit'):
        element.remove(old)
    element.set('type', 'revolute')
    element.append(ElementTree.fromstring(limit(lower, upper)))
    return TiltedRobot(ElementTree.tostring(tree, encoding='unicode'))


def asked(one, whole, outwards=0.0):
    """The pose of joint positions, with the third joint farther from the base [m]."""
    arm, (point, rotation) = one.arm.whole, pose_of(one, one.arm.whole_naming.named_whole(whole))
    planar, plane = arm.carrier.planar, arm.carrier.plane
    _, _, (x, y), _ = planar.joint_points(whole.q)
    away = outwards * np.array((x, y)) / math.hypot(x, y)
    moved = np.subtract(plane.point_at(*away, 0.0), plane.point_at(0.0, 0.0, 0.0))
    return FullPose(arm, tuple((point + moved).tolist()), rotation, TILT)


@pytest.mark.parametrize('straight', [0.0, math.pi])
def test_an_elbow_is_clearly_bent_where_rounding_moves_it_by_less_than_loose(straight):
    """Rounding of the orientation turns the last link, which moves the third joint across."""
    rng, checked = np.random.default_rng(0), 0
    for one, whole in arms_with_elbow_at(rng, cases(240), straight):
        planar = one.arm.whole.carrier.planar
        loose = max(way.posture.loose for way in asked(one, whole).ways)
        _, _, wrist, _ = planar.joint_points(whole.q)
        least = planar.max_reach * ROUNDING * loose / LOOSE / math.hypot(*wrist)
        if least > 0.01:
            continue
        checked += 1
        q1, q2, q3 = whole.q
        for times, is_ordinary in ((BELOW, False), (ABOVE, True)):
            bent = whole._replace(q=(q1, q2 + times * least, q3))
            assert asked(one, bent).is_ordinary == is_ordinary
    assert checked


@pytest.mark.parametrize(('elbow', 'sign'), [(0.0, 1.0), (math.pi, -1.0)])
def test_a_third_joint_out_of_reach_by_more_than_rounding_needs_no_closer_look(elbow, sign):
    """What the tolerance allows, and what loose joints may miss, is looked at."""
    rng, checked = np.random.default_rng(1), 0
    for one, whole in arms_with_elbow_at(rng, cases(240), elbow):
        planar = one.arm.whole.carrier.planar
        room = planar.tolerance + FROM_ROUNDING * LOOSE * planar.max_reach
        if sign < 0.0 and abs(planar.link_lengths[0] - planar.link_lengths[1]) < 2.0 * room:
            continue
        checked += 1
        for times, is_ordinary in ((BELOW, False), (ABOVE, True)):
            assert asked(one, whole, sign * times * room).is_ordinary == is_ordinary
    assert checked


@pytest.mark.parametrize(('moved', 'share'), [(0.0, 0.7), (0.1, 0.9)])
def test_most_poses_of_a_plane_beside_the_yaw_axis_need_no_closer_look(moved, share):
    """Turned round, a so101 might take its own poses with a tilt, if it reached so far."""
    rng, robot, count = np.random.default_rng(4), shipped_robots()['so101'], cases(2000, 10)
    ordinary = 0
    for _ in range(count):
        point, rotation = pose_of(robot, robot.drawn(rng))
        point = tuple((point + moved * rng.normal(size=3)).tolist())
        rotation = rotation_by(direction(rng), moved * rng.uniform(0.0, 0.1)) @ rotation
        ordinary += FullPose(robot.arm.whole, point, rotation, 0.01).is_ordinary
    assert ordinary > share * count


def test_a_yaw_joint_next_to_its_limit_may_come_inside_with_a_tilt():
    """Turned round, where a limit is next to that: then what is found in general counts."""
    rng, ordinary, tilted = np.random.default_rng(6), 0, 0
    for _ in range(cases(500, least=25)):
        one = random_robot(
            rng, True, 1, aside=rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-5, -2)
        )
        point, rotation = pose_of(one, one.drawn(rng))
        ways = FullPose(one.arm.whole, point, rotation, 0.01).ways
        yaw = max(ways, key=lambda way: way.posture.tilt).shoulder.yaw
        named = one.arm.whole_naming.named_whole(one.arm.whole.home._replace(yaw=yaw))
        off = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-5.0, -1.0)
        lower = named[one.arm.yaw_joint] + off - (3.0 if off < 0.0 else 0.0)
        arm = with_limit(one, one.arm.yaw_joint, lower, lower + 3.0).arm.whole
        pose = FullPose(arm, point, rotation, 0.01)
        general = FullPose(arm, point, rotation, 0.01).solutions_in_general()
        if pose.is_ordinary:
            ordinary += 1
            assert len(pose.solutions) == len(general), (one.text, lower, point, rotation)
        elif general:
            tilted += 1
    assert ordinary and tilted


def test_an_ordinary_pose_is_seen_from_elsewhere_without_another_pose(monkeypatch):
    """Elsewhere it has the same configurations, each joint at the turn nearest to there."""
    rng, some = np.random.default_rng(5), []
    for robot in random_robots(rng, cases(400), each=1):
        near = robot.arm.whole_naming.whole(robot.drawn(rng))
        asked = robot.arm.whole, *pose_of(robot, robot.drawn(rng)), TILT
        pose = FullPose(*asked)
        if pose.is_ordinary:
            some.append((pose, near, FullPose(*asked, near)))
    monkeypatch.setattr(FullPose, 'seen_from', None)
    for pose, near, there in some:
        found = np.array(pose.angles_near(near))
        np.testing.assert_allclose(found, np.array(there.angles), rtol=0.0, atol=SAME)
    assert some


def test_an_elbow_that_bends_clearly_keeps_the_joints_from_turning_far_as_the_third_one_moves():
    """By no more than half of the most room; where they turn by a small part of that, it does."""
    rng, seen = np.random.default_rng(7), set()
    around = np.exp(1j * np.linspace(0.0, math.tau, 64))
    for one in random_robots(rng, cases(400), each=1):
        length_1, length_2, _ = one.arm.whole.carrier.planar.link_lengths
        for _ in range(20):
            at_bend = rng.choice([rng.uniform(0.0, math.pi), rng.uniform(0.0, 0.3)])
            distance = abs(length_1 + length_2 * np.exp(1j * at_bend))
            moved = distance * 10.0 ** rng.uniform(-4.0, -0.5)
            places = distance + moved * np.append(around, 0.0)
            cosines = (np.abs(places) ** 2 - length_1**2 - length_2**2) / (
                2.0 * length_1 * length_2
            )
            bends = np.arccos(cosines.clip(-1.0, 1.0))
            firsts = np.angle(places / (length_1 + length_2 * np.exp(1j * bends)))
            turned = max(np.abs(some - some[-1]).max() for some in (bends, firsts, bends + firsts))
            is_in_reach = bool((np.abs(cosines) < 1.0).all())
            clearly = one.arm.whole.ordinary.bends_clearly(distance, moved)
            if clearly:
                assert turned <= MOST_ROOM / 2.0
            elif is_in_reach:
                assert turned > LITTLE * MOST_ROOM
            seen.add(clearly)
    assert seen == {False, True}


def test_what_is_next_to_a_seed_does_not_depend_on_the_size_of_an_arm():
    """Farther away in meters is not farther, if all lengths are as much larger."""
    rng, checked = np.random.default_rng(2), 0
    for robot in random_robots(rng, cases(100), each=1, kinds=[(True, 2)]):
        own, step = robot.drawn(rng), rng.uniform(-0.02, 0.02)
        seed = {name: q + step for name, q in own.items()}
        found = []
        for one in (robot, TiltedRobot(enlarged(robot.text, 20.0))):
            near = one.arm.whole_naming.whole(seed)
            pose = FullPose(one.arm.whole, *pose_of(one, own), TILT, near)
            found.append(len([*next_to_seed(pose.aim)]))
        assert found[0] == found[1]
        checked += found[0]
    assert checked


def test_own_poses_are_found_straight_through_with_the_wrist_beside_the_last_link():
    rng, seen = np.random.default_rng(3), 0
    for robot in random_robots(rng, cases(400), each=1):
        one = TiltedRobot(with_wrist_aside(rng, robot.text))
        own, arm = one.drawn(rng), one.arm.whole
        pose = FullPose(arm, *pose_of(one, own), TILT)
        if pose.is_ordinary:
            here = arm.angles(one.arm.whole_naming.whole(own))
            away = [[math.remainder(a - b, math.tau) for a, b in zip(here, its)]
                    for its in pose.angles]  # fmt: skip
            assert np.abs(away).max(axis=1).min() <= 1e-6, (one.text, own)
            seen += 1
    assert seen > cases(200)


@pytest.mark.parametrize('share', [BELOW, ABOVE])
def test_a_wrist_center_that_no_plane_holds_needs_a_closer_look_only_if_a_tilt_may_move_it_there(
    share,
):
    """Off a plane that no joint turns, or inside the circle about the yaw axis that the plane
    touches. A tilt moves it about the tip by no more than the length of the tool."""
    rng, seen = np.random.default_rng(8), 0
    for one in random_robots(rng, cases(400), each=1, on_axis=False):
        arm, (point, rotation) = one.arm.whole, pose_of(one, one.drawn(rng))
        plane, tilt = arm.carrier.plane, float(rng.choice([0.01, 0.1, 3.0]))
        off = share * arm.wrist.length * min(tilt, 1.0)
        if plane.yaw is None:
            x, y, _ = plane.into(arm.wrist.center_at(point, rotation.tolist()))
            center = x, y, OUT_OF_PLANE_TOLERANCE + off
        elif off < abs(plane.aside):
            center = *plane.yaw.in_plane(0.0, 0.1), math.copysign(off, plane.aside)
        else:
            continue
        from_tip = arm.wrist.center_at((0.0, 0.0, 0.0), rotation.tolist())
        moved = np.subtract(plane.in_space(*center), from_tip)
        pose = FullPose(arm, tuple(moved.tolist()), rotation, tilt)
        assert pose.is_ordinary == (arm.wrist.has_two or share > 1.0)
        seen += not arm.wrist.has_two
    assert seen


def test_an_axis_out_of_the_plane_needs_a_closer_look_only_if_a_tilt_may_bring_the_third_joint():
    """With limits on no joint, and the wrist center far from the yaw axis, it moves the third joint
    by no more than the tool and the last link turn it; twice that counts, to be safe."""
    rng, seen, tilt = np.random.default_rng(9), set(), 1e-3
    for robot in random_robots(rng, cases(1200, least=60), each=1, kinds=[(True, 1)], on_axis=True):
        one = without_limits(robot)
        arm, planar = one.arm.whole, one.arm.whole.carrier.planar
        short, long = sorted(abs(planar.link_lengths[0] + side * planar.link_lengths[1])
                             for side in (-1.0, 1.0))  # fmt: skip
        q = float(rng.uniform(-1.0, 1.0)), float(rng.choice([0.0, 0.0, 0.0, math.pi])), 0.0
        point, rotation = arm.pose(arm.home._replace(yaw=0.0, q=q))
        most = 2.0 * tilt * (arm.wrist.length + planar.link_lengths[2])
        outwards = most * rng.uniform(-2.0, 5.0) * math.cos(q[1]) * np.exp(1j * q[0])
        moved = np.subtract(arm.carrier.plane.in_space(outwards.real, outwards.imag, 0.0),
                            arm.carrier.plane.in_space(0.0, 0.0, 0.0))  # fmt: skip
        center = moved + arm.wrist.center_at(point, rotation.tolist())
        rotation = rotation_by(direction(rng), 0.7 * tilt) @ rotation
        pose = FullPose(arm, tuple((center - rotation @ arm.wrist.center).tolist()), rotation, tilt)
        tool = 4.0 * arm.wrist.length + much_turned_within(arm.wrist.length, tilt)
        tilts, clear = [], []
        for way in pose.ways:
            away = math.hypot(*planar.wrist(*way.shoulder.point, way.posture.phi))
            beyond = max(away - long, short - away)
            outwards = abs(arm.carrier.yaw.from_axis(way.shoulder.point)[0])
            tilts.append(outwards < tool or beyond < most)
            clear.append(min(abs(outwards / tool - 1.0), abs(beyond / most - 1.0)) > LITTLE)
        least = min((way.posture.tilt for way in pose.ways), default=0.0)
        if all(clear) and 1e-5 < least < tilt:
            assert pose.is_ordinary != any(tilts), one.text
            seen.add(pose.is_ordinary)
    assert seen == {False, True}
