# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ways of one shoulder: what counts as singular, what rounding moves, and tilted planes."""

import math

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import drawn_on_axis, pose_of, random_robots, singular

from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.ways import ways_of, ways_with_axis_in_plane
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.wrist import FROM_ROUNDING, ROUNDING, SINGULAR

TILT = 1e-6  # [rad]
#: Shares of a bound that are clearly below it and above it.
BELOW, ABOVE = 0.8, 1.25
#: Of elbow bends, and of the distance from the yaw axis, so that neither hides what is looked at.
CLEAR = 0.05  # [rad, m]
#: Between angles that are looked at in a dense search [rad].
STEP = math.tau / 720


def posed(robot, own, tilt=TILT):
    return FullPose(robot.arm.whole, *pose_of(robot, own), tilt)


def of_all_shoulders(pose):
    return [way for one in pose.in_plane for way in ways_of(pose.aim, *one, False)]


def is_off_axis(pose):
    yaw = pose.aim.arm.carrier.yaw
    return yaw is None or all(
        abs(yaw.from_axis(one.point)[0]) > CLEAR * max(1.0, yaw.aside) for one, _ in pose.in_plane
    )


@pytest.mark.parametrize(('share', 'is_free'), [(BELOW, True), (ABOVE, False)])
def test_the_last_joint_is_free_with_its_axis_along_the_normal_up_to_what_counts_as_singular(
    share, is_free
):
    rng, checked = np.random.default_rng(0), 0
    for robot in random_robots(rng, cases(240), each=1, kinds=[(True, 2), (False, 2)]):
        own = singular(robot, robot.drawn(rng), rng, share * SINGULAR)
        pose = own and posed(robot, own)
        if pose and is_off_axis(pose):
            assert any(way.is_free for way in of_all_shoulders(pose)) == is_free
            checked += 1
    assert checked


def elbow_rounded(pose, shoulder, away):
    """How far rounding moves the elbow, and the wrist, with the third joint `away` from the base
    [m]: each way at a place of its own, in the same direction."""
    planar = pose.aim.arm.carrier.planar
    for way in ways_of(pose.aim, *shoulder, False):
        x, y = planar.wrist(*way.shoulder.point, way.posture.phi)
        share = away / math.hypot(x, y) - 1.0
        point = way.shoulder.point[0] + share * x, way.shoulder.point[1] + share * y
        its = [
            one for one in ways_of(pose.aim, shoulder[0]._replace(point=point), [0.0], False)
            if one.posture.phi == way.posture.phi
        ]  # fmt: skip
        yield from ((one.elbow_rounded, one.rounded) for one in its)


def test_rounding_moves_the_joints_in_the_plane_by_more_the_less_the_elbow_bends():
    """By one over the sine of the bend, and over the distance as a share of the reach; by the root
    where the elbow is straight or folded; and by as much as it turns the wrist out of reach."""
    rng, checked = np.random.default_rng(1), 0
    for robot in random_robots(rng, cases(200), each=1, kinds=[(False, 1), (False, 2)]):
        pose = posed(robot, robot.drawn(rng))
        (shoulder,), planar = pose.in_plane, pose.aim.arm.carrier.planar
        length_1, length_2, _ = planar.link_lengths
        if abs(length_1 - length_2) < CLEAR:
            continue
        bend = float(rng.uniform(CLEAR, math.pi - CLEAR))
        distance = abs(length_1 + length_2 * np.exp(1j * bend))
        for elbow, rounded in elbow_rounded(pose, shoulder, distance):
            expected = rounded / math.sin(bend) * planar.max_reach / distance
            assert elbow == pytest.approx(expected, rel=1e-6, abs=0.0)
        for end, side in ((length_1 + length_2, 1.0), (abs(length_1 - length_2), -1.0)):
            for elbow, rounded in elbow_rounded(pose, shoulder, end):
                assert elbow == pytest.approx(math.sqrt(rounded), rel=0.3, abs=0.0)
            for _, rounded in elbow_rounded(pose, shoulder, end):
                room = planar.tolerance + FROM_ROUNDING * rounded * planar.max_reach
                for share, by_root in ((BELOW, True), (ABOVE, False)):
                    beyond = end + side * share * room
                    for one, its in elbow_rounded(pose, shoulder, beyond):
                        if its == rounded:
                            expected = math.sqrt(its) if by_root else its
                            assert one == pytest.approx(expected, rel=1e-6, abs=0.0)
        checked += 1
    assert checked > cases(60)


def test_rounding_turns_the_plane_by_twice_as_much_at_half_the_distance_from_the_yaw_axis():
    """Nearer than where a point's rounding counts more than an orientation's. On the axis itself,
    no point tells the yaw angle."""
    rng = np.random.default_rng(2)
    for robot in random_robots(rng, cases(200), each=1, kinds=[(True, 1)]):
        pose = posed(robot, robot.drawn(rng))
        plane, ((shoulder, yaws), *_) = pose.aim.arm.carrier.plane, pose.in_plane
        for distance, times in ((2.0, 1.0), (-0.5, 2.0), (0.25, 4.0), (0.0, None)):
            point = plane.yaw.in_plane(distance * plane.loose_within, 0.1)
            (way,) = ways_of(pose.aim, shoulder._replace(point=point), yaws, False)
            if times is not None:
                assert way.rounded == pytest.approx(times * ROUNDING, rel=1e-6, abs=0.0)
            elif plane.yaw.holds_axis:
                assert way.rounded == ROUNDING


def tilt_at(pose, yaw):
    return pose.aim.arm.wrist.postures(pose.aim.sight, yaw)[0].tilt


def next_to_axis(rng, count):
    """Poses of arms with one wrist joint and a tilt that is allowed, next to the yaw axis."""
    for robot in random_robots(rng, count, each=1, kinds=[(True, 1)]):
        own = drawn_on_axis(robot, rng, away=rng.choice([0.0, rng.uniform(-0.1, 0.1)]))
        if own:
            most = float(rng.choice([0.01, 0.1, 0.5, math.pi / 2.0, 3.0]))
            yield posed(robot, own, most), min(most, math.pi / 2.0)


def test_a_plane_that_holds_the_wrist_axis_may_turn_until_the_axis_leaves_it_by_what_is_allowed():
    rng, checked = np.random.default_rng(3), 0
    for pose, most in next_to_axis(rng, cases(600)):
        arm, center = pose.aim.arm, pose.aim.arm.carrier.plane.into(pose.center)
        lower, upper = arm.carrier.yaw.limits
        for way in ways_with_axis_in_plane(pose.aim, pose.center, pose.in_plane):
            yaw, turned = way.shoulder.yaw, way.posture.tilt
            assert tilt_at(pose, yaw) <= 1e-9
            for side in (yaw - turned, yaw + turned):
                if turned < math.pi / 2.0 - 1e-6:
                    assert tilt_at(pose, side) == pytest.approx(most, abs=1e-6)
                assert tilt_at(pose, side) <= most + 1e-6
            assert turned <= math.pi / 2.0
            assert all(lower <= one <= upper for one in way.yaws)
            there = math.dist(center, arm.carrier.yaw.turned(*way.shoulder.point, yaw))
            for step in ((-1e-4, 0.0), (1e-4, 0.0), (0.0, -1e-4), (0.0, 1e-4)):
                beside = np.add(way.shoulder.point, step)
                assert math.dist(center, arm.carrier.yaw.turned(*beside, yaw)) > there
            checked += 1
    assert checked > cases(200)


def test_all_planes_are_tried_whose_turn_and_tilt_may_hold_the_wrist_center():
    """Against a dense search of the turn; a tilt moves the wrist center about the tip."""
    rng, seen = np.random.default_rng(4), set()
    every = np.arange(-math.pi, math.pi, STEP)
    for pose, most in next_to_axis(rng, cases(200)):
        arm = pose.aim.arm
        yaw, place = arm.carrier.yaw, arm.carrier.yaw.place_of(*arm.carrier.plane.into(pose.center))
        found = ways_with_axis_in_plane(pose.aim, pose.center, [])
        tilts = [tilt_at(pose, angle) for angle in every]
        start = float(every[np.argmin(tilts)])
        if min(tilts[: len(tilts) // 4]) == max(tilts):
            continue  # the axis is along the yaw axis
        for angle in (start, start + math.pi):
            turns = [angle]
            for side in (-STEP, STEP):
                one = angle
                while tilt_at(pose, one + side) < most and abs(one - angle) < math.pi / 2.0:
                    one += side
                    turns.append(one)
            nearest = min(abs(yaw.seen_at(one, place)[1]) for one in turns)
            is_found = any(
                abs(math.remainder(way.shoulder.yaw - angle, math.tau)) <= STEP for way in found
            )
            assert is_found or nearest >= BELOW * arm.wrist.length * most
            seen.add(is_found)
    assert seen == {True, False}


def test_where_rounding_decides_nothing_the_closed_form_is_not_corrected(monkeypatch):
    """Of exact axes, also if the pose is looked at as one in which rounding might decide."""
    monkeypatch.setattr(HingeChain, 'posed', None)
    rng, seen = np.random.default_rng(5), 0
    for robot in random_robots(rng, cases(400, least=20), each=1):
        for tilt in (TILT, 0.01):
            pose = posed(robot, robot.drawn(rng), tilt)
            if pose.is_exact:
                assert pose.solutions_in_general()
                seen += 1
    assert seen
