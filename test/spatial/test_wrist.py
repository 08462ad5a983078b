# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The wrist as a value: its postures, singular orientations, and the whole arm with it held."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import check_alike, rotation_by, same_angle
from three_joints import shipped_text
from tilted_robots import TiltedRobot
from wrist_robots import KINDS, pose_of, random_robots, singular, turned_away

from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.wrist import LEVEL

CLOSES = 1e-12  # [m] or [rad]
SAME = 2e-8  # [rad] what rounding may do to loose joints where the closed form is the answer
TILT = 0.01  # [rad] the default of tilt_tolerance
NORMAL, OUTWARDS, ALONG = (0, 0, 1), (1, 0, 0), (0, 1, 0)


def drawn(rng, count, kinds=KINDS):
    """Random arms with a wrist, and a configuration of each with the pose it gives."""
    for robot in random_robots(rng, count, kinds=kinds):
        own = robot.drawn(rng, rng.integers(2))
        whole = robot.arm.whole_naming.whole(own)
        yield robot, robot.arm.whole, whole, own


def test_the_whole_arm_moves_as_the_robot():
    rng = np.random.default_rng(0)
    for robot, arm, whole, own in drawn(rng, cases(3000, 40)):
        point, rotation = pose_of(robot, own)
        place, turned = arm.pose(whole)
        assert math.dist(place, point) <= CLOSES
        assert turned_away(turned, rotation) <= CLOSES
        assert arm.of_angles(arm.angles(whole)) == whole
        assert robot.arm.whole_naming.named_whole(whole) == pytest.approx(own, abs=1e-12)


def test_the_wrist_center_is_the_tip_of_the_hand():
    """No wrist joint moves it out of the place where the three joints bring it."""
    rng = np.random.default_rng(1)
    for robot, arm, whole, own in drawn(rng, cases(3000, 40)):
        point, rotation = pose_of(robot, own)
        center = arm.wrist.center_at(point, rotation)
        x, y, _ = arm.carrier.planar.forward_kinematics(whole.q)
        assert math.dist(arm.carrier.plane.point_at(x, y, whole.yaw), center) <= CLOSES


def test_the_last_of_two_joints_turns_the_tip_as_near_to_an_orientation_as_it_can():
    rng, seen, away = np.random.default_rng(3), 0, 0
    for robot, arm, whole, own in drawn(rng, cases(1000, 40), kinds=[(True, 2), (False, 2)]):
        wrist, yaw, phi, (first, last) = arm.wrist, whole.yaw, sum(whole.q), whole.wrist
        here = wrist.sight(pose_of(robot, own)[1].tolist())
        assert same_angle(wrist.last_at(here, yaw, phi, first), last) <= 1e-9
        sight = wrist.sight(pose_of(robot, robot.drawn(rng))[1].tolist())
        best = wrist.last_at(sight, yaw, phi, first)
        least = wrist.turned_away(sight, yaw, phi, (first, best))
        for angle in rng.uniform(-math.pi, math.pi, 5).tolist():
            assert least <= wrist.turned_away(sight, yaw, phi, (first, angle)) + 1e-9
        seen, away = seen + 1, away + (least > 0.1)
    assert away > 0.5 * seen > 0


def test_an_orientation_is_the_product_of_turns_about_the_axes_of_the_module():
    """`Ry(-yaw) Rz(chi) Rx(rho) Ry(last)`, in the frame of outwards, along and the normal."""
    rng = np.random.default_rng(2)
    for robot, arm, whole, own in drawn(rng, cases(3000, 40)):
        wrist, yaw = arm.wrist, whole.yaw
        chi = sum(whole.q) - wrist.phi_at_zero
        rho = whole.wrist[0] + wrist.first_at_zero
        last = whole.wrist[1] if wrist.has_two else 0.0
        rotations = (ALONG, yaw), (NORMAL, chi), (OUTWARDS, rho), (ALONG, last)
        first, *others = (rotation_by(axis, angle) for axis, angle in rotations)
        product = np.linalg.multi_dot([first, *others])
        seen = np.array(wrist.sight(pose_of(robot, own)[1]))
        other = np.linalg.multi_dot([first.T, *others])
        assert min(np.abs(seen - one).max() for one in (product, other)) <= CLOSES


def test_one_of_the_postures_is_the_wrists_own_and_both_flips_give_the_orientation():
    rng = np.random.default_rng(3)
    for robot, arm, whole, own in drawn(rng, cases(5000, 40)):
        rotation = pose_of(robot, own)[1]
        found = arm.wrist.postures(arm.wrist.sight(rotation), whole.yaw)
        assert len(found) == len(whole.wrist)
        if found[0].loose > 1e8:  # singular: see below
            continue
        gaps = []
        for one in found:
            assert one.tilt <= CLOSES
            some = [same_angle(one.phi, sum(whole.q)), *map(same_angle, one.wrist, whole.wrist)]
            gaps.append(max(some) / one.loose)
            q1, q2, _ = whole.q
            turned = Whole(whole.yaw, (q1, q2, one.phi - q1 - q2), one.wrist)
            if arm.wrist.has_two or gaps[-1] < 1.0:
                assert turned_away(arm.pose(turned)[1], rotation) <= CLOSES * one.loose
        # a single wrist joint can have its axis point to the other side
        assert min(gaps) <= 1e-12 or not arm.wrist.has_two


def test_how_far_the_tip_is_turned_away_is_the_angle_between_the_orientations():
    rng = np.random.default_rng(11)
    for robot in random_robots(rng, cases(400)):
        own = robot.drawn(rng)
        (_, here), (_, rotation) = pose_of(robot, own), pose_of(robot, robot.drawn(rng))
        arm, (yaw, q, wrist) = robot.arm.whole, robot.arm.whole_naming.whole(own)
        for wanted in (rotation, here):
            sight = arm.wrist.sight(wanted.tolist())
            away = arm.wrist.turned_away(sight, yaw, sum(q), wrist)
            assert away == pytest.approx(turned_away(here, wanted), abs=1e-9)


def test_singular_orientations_leave_the_sum_of_phi_and_the_last_joint():
    rng, checked = np.random.default_rng(4), 0
    for robot, arm, _, own in drawn(rng, cases(3000, 40), kinds=[(True, 2), (False, 2)]):
        there = singular(robot, own, rng, 0.0)
        if there is None:
            continue
        checked += 1
        whole, rotation = robot.arm.whole_naming.whole(there), pose_of(robot, there)[1]
        sight = arm.wrist.sight(rotation)
        found = arm.wrist.singular(sight, whole.yaw)
        assert found is not None
        assert same_angle(found.first, whole.wrist[0]) <= 1e-9
        assert same_angle(found.last(sum(whole.q)), whole.wrist[1]) <= 1e-9
        for phi in rng.uniform(-3.0, 3.0, 3):
            q = 0.0, 0.0, float(phi)
            turned = Whole(whole.yaw, q, (found.first, found.last(phi)))
            assert turned_away(arm.pose(turned)[1], rotation) <= 1e-9
    assert checked


def test_away_from_a_singular_wrist_no_posture_is_loose():
    """Rounding turns phi by as many times as much as the last axis is near to the normal."""
    rng = np.random.default_rng(5)
    for robot, arm, whole, own in drawn(rng, cases(1000, 40)):
        sight, level = arm.wrist.sight(pose_of(robot, own)[1]), 1.0
        if arm.wrist.has_two:
            level = abs(math.cos(whole.wrist[0] + arm.wrist.first_at_zero))
        for posture in arm.wrist.postures(sight, whole.yaw):
            assert not posture.is_singular
            assert posture.loose == pytest.approx(1.0 / max(level, 1e-12), rel=1e-3)


def test_a_held_wrist_leaves_the_arm_that_moves_as_the_robot():
    """Its tip is the robot's, in space or without a yaw joint in the plane."""
    rng = np.random.default_rng(6)
    for robot, arm, whole, own in drawn(rng, cases(3000, 40)):
        held, (point, rotation) = arm.arm_at(whole.wrist), pose_of(robot, own)
        q1, q2, q3 = whole.q
        q = q1, q2, q3 + held.tool.phi_at_zero - arm.carrier.tool.phi_at_zero
        x, y, phi = held.planar.forward_kinematics(q)
        assert math.dist(held.plane.point_at(x, y, whole.yaw), point) <= CLOSES
        assert turned_away(held.tool.rotation(phi, whole.yaw), rotation) <= CLOSES
        for angle, (lower, upper) in zip(q, held.planar.limits):
            assert lower - 1e-12 <= angle <= upper + 1e-12


def test_ordinary_poses_are_answered_as_in_general():
    """Straight through and with a closer look: the same configurations in the same order.

    A joint half a turn away from where it is wanted may be given at either turn.
    """
    rng, ordinary = np.random.default_rng(8), 0
    for robot, arm, _, own in drawn(rng, cases(6000, 40)):
        point, rotation = pose_of(robot, own)
        if rng.random() < 0.2:
            axis = rng.normal(size=3)
            axis, angle = axis / np.linalg.norm(axis), 10.0 ** rng.uniform(-12.0, 0.5)
            rotation = rotation_by(axis, angle) @ rotation
        near = robot.arm.whole_naming.whole(robot.drawn(rng)) if rng.random() < 0.5 else None
        pose = FullPose(arm, point, rotation, TILT, near)
        if not pose.is_ordinary:
            continue
        ordinary, start = ordinary + 1, arm.angles(pose.aim.near)
        general = [*map(arm.angles, pose.solutions_in_general())]
        check_alike(pose.angles, general, start, SAME, (robot.text, own))
    assert ordinary > cases(3000, 40)


def test_an_ordinary_pose_next_to_a_limit_gets_a_closer_look():
    """The so101 and the braccio in the middle of their ranges, and with the roll past its limit by
    rounding."""
    for name in ('so101', 'braccio'):
        robot = TiltedRobot(shipped_text(name))
        own = {one: 0.4 * lower + 0.6 * upper for one, (lower, upper) in robot.limits.items()}
        past = robot.limits[robot.arm.wrist_joints[-1]][1] + 1e-12
        for one, is_ordinary in ((own, True), ({**own, robot.arm.wrist_joints[-1]: past}, False)):
            pose = FullPose(robot.arm.whole, *pose_of(robot, one), 1e-6)
            assert pose.is_ordinary == is_ordinary
            assert pose.solutions


def test_an_arm_whose_plane_is_beside_the_yaw_axis_is_answered_as_in_general():
    """Turned round, it has a tilt within the tolerance. The so101 as it is, in the middle of its
    ranges, cannot turn round; then with its plane farther beside the axis, anywhere."""
    text, rng, ordinary = shipped_text('so101'), np.random.default_rng(18), 0
    first = re.search('<joint name="shoulder_lift".*?<origin[^>]*xyz="([^ ]*) ([^ ]*) ', text, re.S)
    for number in range(cases(4000, 80)):
        beside = number and 10.0 ** rng.uniform(-6.0, -2.0)
        moved = f'{float(first[2]) + beside:.7f}'
        robot = TiltedRobot(text[: first.start(2)] + moved + text[first.end(2) :])
        own = {one: 0.4 * lower + 0.6 * upper for one, (lower, upper) in robot.limits.items()}
        pose = FullPose(robot.arm.whole, *pose_of(robot, robot.drawn(rng) if number else own), TILT)
        if not pose.is_ordinary:
            assert number
            continue
        ordinary += any(LEVEL < way.posture.tilt <= TILT for way in pose.ways)
        general = pose.solutions_in_general()
        assert len(pose.solutions) == len(general)
        for one, other in zip(pose.solutions, general):
            angles = map(robot.arm.whole.angles, (one, other))
            assert max(map(same_angle, *angles)) <= SAME, (moved, own)
    assert ordinary > cases(1000, 80)


def test_a_pose_seen_from_elsewhere_is_the_pose_asked_from_there():
    rng = np.random.default_rng(7)
    for robot, arm, whole, own in drawn(rng, cases(2000, 40)):
        point, rotation = pose_of(robot, own)
        near = robot.arm.whole_naming.whole(robot.drawn(rng))
        first = FullPose(arm, point, rotation, 1e-3)
        here = FullPose(arm, point, rotation, 1e-3, near).solutions
        there = first.seen_from(near).solutions
        assert len(here) == len(there) == len(first.solutions)
        for one, other, angles in zip(here, there, first.angles_near(near)):
            assert arm.angles(one) == pytest.approx(arm.angles(other), abs=1e-9)
            assert arm.angles(one) == pytest.approx(angles, abs=1e-9)
        back = first.seen_from(near).seen_from(whole).solutions
        apart = [np.abs(np.subtract(arm.angles(one), arm.angles(whole))).max() for one in back]
        assert min(apart) <= 1e-6


def test_an_arm_with_its_wrist_held_is_kept_until_that_is_held_elsewhere():
    arm = TiltedRobot(shipped_text('ur5e')).arm.whole
    here = arm.held_at((0.1, 0.2))
    assert arm.held_at([0.1, 0.2]) is here and here.arm is here.arm is not here.opened
    assert here.opened.planar.limits[0] == (-math.inf, math.inf) != here.arm.planar.limits[0]
    assert arm.held_at((0.1, 0.3)) is not here
    assert arm.held_at((0.1, 0.2)) is not here
