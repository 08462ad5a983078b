# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Candidates of full poses that an arm cannot take: what they are, and how few are looked at."""

import math
from functools import partial

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import random_rotation, rotation_by
from tilted_robots import TiltedRobot, leaned
from wrist_robots import (
    KINDS,
    pose_of,
    random_robot,
    random_robots,
    shipped_robots,
    turned_away,
    with_tip_on_axis,
)

from ik_circles.spatial.points.deciding import EDGE
from ik_circles.spatial.poses.candidates import Candidates
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.held_candidates import HeldCandidates
from ik_circles.spatial.yaw import Yaw

CLOSES = 1e-8  # [m] and [rad]
TILT = 0.01  # [rad]


def some_robots(rng, count):
    """Robots of all kinds, some with the tip on the last axis, and some with axes that lean."""
    for number in range(count):
        one = random_robot(rng, *KINDS[number % 4], on_axis=(None, True)[number % 3 == 0])
        if number % 4 in (1, 3) and number % 5 < 3:
            one = TiltedRobot(with_tip_on_axis(one.text))
        yield TiltedRobot(leaned(one.text, rng, 1e-6)) if number % 7 == 0 else one


def drawn(rng, robot):
    """A position of the robot's own, mostly far out, in any orientation, and a wrist to hold."""
    own = robot.drawn(rng)
    for name in robot.arm.joint_names[1:]:
        if rng.random() < 0.5:
            own[name] = float(np.clip(rng.normal() * 0.1, *robot.limits[name]))
    held = robot.arm.whole_naming.whole(own if rng.random() < 0.5 else robot.drawn(rng)).wrist
    return held, pose_of(robot, own)[0], random_rotation(rng)


def candidates(robot, wrist, point, rotation, tilt=TILT, **others):
    return Candidates(FullPose(robot.arm.whole, point, rotation.tolist(), tilt, **others), wrist)


def all_of(trials):
    return [one for trial in trials for one in trial.found]


def test_each_is_at_the_position_and_turned_away_as_it_says_and_no_less_than_its_trial():
    rng, seen = np.random.default_rng(0), 0
    for robot in some_robots(rng, cases(800, 40, least=10)):
        wrist, point, rotation = drawn(rng, robot)
        arm, some = robot.arm.whole, candidates(robot, wrist, point, rotation)
        for trial in (*some.trials, *some.other_trials):
            for one in trial.found:
                seen += trial.least > 0.1
                positions = robot.arm.whole_naming.named_whole(arm.turned(one.whole, arm.home))
                assert robot.miss(positions, point) <= CLOSES, (robot.text, point)
                away = turned_away(pose_of(robot, positions)[1], rotation)
                assert one.away == pytest.approx(away, abs=CLOSES), (robot.text, point)
                assert trial.least <= away + CLOSES, (robot.text, point)
                assert one.shift == pytest.approx(arm.holding(one.whole.wrist).shift)
    assert seen > cases(100, 40)


def test_those_within_an_angle_of_the_least_are_all_that_trials_find():
    """Of all trials with the wrist as asked for or as held, or else of the outstretched ones."""
    rng, others = np.random.default_rng(1), 0
    for robot in some_robots(rng, cases(800, 40, least=10)):
        asked = drawn(rng, robot)
        some, again = candidates(robot, *asked), candidates(robot, *asked)
        asked_for = all_of(again.trials)
        found = asked_for or all_of(again.other_trials)
        others += bool(found) > bool(asked_for)
        least = min((one.away for one in found), default=math.inf)
        for same in (0.0, 0.02, 1.0, math.inf):
            expected = [one for one in found if one.away <= least + same]
            assert sorted(some.within(same)) == sorted(expected)
        nearest = some.nearest.away if some.nearest else math.inf
        assert nearest == least if asked_for else nearest <= least  # held again, it may be less
    assert others


def test_a_trial_that_leaves_a_larger_angle_is_not_solved_and_each_wrist_is_placed_once(
    monkeypatch,
):
    """In poses where rounding decides nothing."""
    rng, solved, looked = np.random.default_rng(2), [], []
    for kind, name, calls in (
        (HeldCandidates, 'at_shoulder', solved),
        (HeldCandidates, 'at_shoulders', solved),
        (Yaw, 'clear_shoulders', looked),
    ):
        as_is = getattr(kind, name)

        def counted(*asked, as_is=as_is, calls=calls):
            calls.append(asked)
            return as_is(*asked)

        monkeypatch.setattr(kind, name, counted)
    trials = 0
    for robot in shipped_robots().values():
        for _ in range(cases(200)):
            some, before = candidates(robot, *drawn(rng, robot)), len(looked)
            if not some.pose.is_exact or not some.trials:
                continue
            assert len(looked) - before <= len(some.pose.ways) + 1
            trials += len(some.trials)
            assert some.nearest is not None
    assert len(solved) < 0.6 * trials and looked


def test_a_wrist_that_is_held_turns_the_third_joint_by_its_shift():
    rng = np.random.default_rng(3)
    for robot in random_robots(rng, cases(400), each=1):
        own = robot.drawn(rng)
        point, rotation = pose_of(robot, own)
        whole = robot.arm.whole_naming.whole(own)
        some = candidates(robot, whole.wrist, point, rotation)
        assert math.dist(some.kept.arm.tip_at(some.to_held(whole)), point) <= CLOSES
        back = some.from_held(some.to_held(whole))
        assert back.wrist == whole.wrist and back.is_same(whole, CLOSES)


def test_without_a_yaw_joint_an_arm_whose_axes_lean_is_where_it_is_with_no_room_beside_its_plane():
    rng = np.random.default_rng(4)
    for number in range(cases(300)):
        robot = TiltedRobot(leaned(random_robot(rng, False, 1 + number % 2).text, rng, 1e-6))
        own = robot.drawn(rng)
        wrist, (point, _) = robot.arm.whole_naming.whole(own).wrist, pose_of(robot, own)
        some = candidates(robot, wrist, point, random_rotation(rng), room=0.0)
        assert some.nearest is not None, (robot.text, own)


def test_with_two_wrist_joints_as_they_are_held_no_orientation_in_the_plane_is_nearer():
    """At either shoulder, with either elbow; next to a pose of the arm with that wrist."""
    rng, compared = np.random.default_rng(8), 0
    for robot in random_robots(rng, cases(1000, 40, least=15)):
        if len(robot.arm.wrist_joints) < 2:
            continue  # the pitch is as asked for, which may leave a larger angle
        point, here = pose_of(robot, {**robot.drawn(rng), **robot.arm.wrist_at})
        about = rng.normal(size=3)
        rotation = rotation_by(about / np.linalg.norm(about), 0.6) @ here
        told = robot.arm.check_reachability(point, rotation=rotation)
        for phi in told.nearest.phi + rng.normal(size=6) * 0.4:
            for one in robot.arm.inverse_kinematics(point, phi):
                compared += not told.reachable
                turned = turned_away(pose_of(robot, one)[1], rotation)
                assert told.tilt_of(told.nearest_joint_positions) <= turned + 1e-7, robot.text
    assert compared > cases(400, 16)


def test_an_arm_whose_orientation_gave_way_stays_when_it_is_asked_again():
    """Law: from where it has moved, no candidate is nearer than before."""
    rng, asked = np.random.default_rng(9), 0
    for robot in [*random_robots(rng, cases(2000), each=2), *shipped_robots().values()]:
        for _ in range(5):
            point, rotation = pose_of(robot, robot.drawn(rng))
            about = rng.normal(size=3)
            turned = rotation_by(about / np.linalg.norm(about), rng.uniform(0.05, 2.5)) @ rotation
            solve = partial(robot.arm.solve, point, rotation=turned)
            there = solve(seed=robot.drawn(rng))
            if there is None or robot.arm.check_reachability(point, rotation=turned).reachable:
                continue
            asked += 1
            assert solve(seed=there) == pytest.approx(there, abs=1e-6), (robot.text, there)
    assert asked > cases(6000, 60)


def test_a_last_joint_that_does_not_move_the_tip_turns_it_as_near_as_it_can():
    """Outstretched, with the tip on its axis; also if another axis leans.

    If a limit stops that joint, the wrist counts as held there; see test_stopped_last_joint."""
    rng, seen = np.random.default_rng(5), [0, 0]
    for number in range(cases(200, least=8)):
        text = with_tip_on_axis(random_robot(rng, *KINDS[(1, 3)[number % 2]]).text)
        is_leaning = number % 4 < 2
        robot = TiltedRobot(leaned(text, rng, 1e-5, only='j2') if is_leaning else text)
        asked = drawn(rng, robot)
        arm, some = robot.arm.whole, candidates(robot, *asked)
        lower, upper = arm.wrist_limits[1]
        for one in all_of(some.other_trials):
            first, last = one.whole.wrist
            for step in () if last in (lower, upper) else (-0.05, 0.05):
                wrist = first, min(max(last + step, lower), upper)
                _, turned = arm.miss(one.whole._replace(wrist=wrist), *asked[1:])
                assert turned >= one.away - CLOSES, (robot.text, asked)
                seen[is_leaning] += 1
    assert min(seen) > 0


def test_far_beside_a_plane_that_no_joint_turns_is_not_too_far_away():
    """Only how far the tip is beside the plane counts there, not how far the links reach."""
    rng = np.random.default_rng(6)
    for robot in random_robots(rng, cases(100), each=1, kinds=[(False, 1), (False, 2)]):
        own = robot.drawn(rng)
        wrist, (point, _) = robot.arm.whole_naming.whole(own).wrist, pose_of(robot, own)
        point = tuple((np.array(point) + 9.0 * robot.arm.plane[:3, 2]).tolist())
        some = candidates(robot, wrist, point, random_rotation(rng), room=10.0)
        assert some.nearest is not None, (robot.text, own)


def test_axes_that_lean_by_next_to_nothing_have_the_least_angle_of_exact_ones():
    rng, seen = np.random.default_rng(7), 0
    for number in range(cases(400, least=20)):
        exact = random_robot(rng, *KINDS[number % 4])
        robot = TiltedRobot(leaned(exact.text, rng, 1e-9))
        asked = drawn(rng, exact)
        nearest, its = (candidates(one, *asked).nearest for one in (robot, exact))
        if nearest is not None and its is not None and robot.arm.whole.is_leaning:
            assert abs(nearest.away - its.away) <= 1e-3, (exact.text, asked)
            seen += 1
    assert seen


@pytest.mark.parametrize(('share', 'is_near'), [(0.9, True), (1.1, False)])
def test_without_a_yaw_joint_leaning_axes_try_the_wrist_next_to_their_plane_only(
    share, is_near
):
    """Within the room beside it and the slack. So is the wrist as it is held, the same one here.
    With a tilt, another roll might bring the position into the plane."""
    rng, seen = np.random.default_rng(8), 0
    for _ in range(cases(200, least=5)):
        robot = TiltedRobot(leaned(random_robot(rng, False, 1).text, rng, 1e-5))
        arm, own = robot.arm.whole, robot.arm.whole_naming.whole(robot.drawn(rng))
        point, rotation = arm.pose(own)
        (_, _, beside), room = arm.carrier.plane.into(point), 1e-5
        off = beside - arm.holding(own.wrist).off
        more = share * (room + arm.slack_at(arm.holding(own.wrist))) - off
        moved = tuple((np.array(point) + more * robot.arm.plane[:3, 2]).tolist())
        some = candidates(robot, own.wrist, moved, rotation, 0.0, room=room)
        assert len(some.trials) == 2 * is_near, robot.text
        seen += 1
    assert seen


@pytest.mark.parametrize(('share', 'is_tried'), [(0.9, True), (1.1, False)])
def test_a_position_is_too_far_beyond_all_links_and_the_wrist_in_a_row(share, is_tried):
    """By more than what the lean of axes explains, and a millionth of that length."""
    rng = np.random.default_rng(9)
    for _ in range(cases(200, least=5)):
        robot = TiltedRobot(leaned(random_robot(rng, False, 1).text, rng, 1e-5))
        arm, plane = robot.arm.whole, robot.arm.whole.carrier.plane
        reach = arm.carrier.planar.max_reach + arm.wrist.length
        away = (1.0 + 1e-6) * reach + share * plane.slack
        angle, beside = rng.uniform(-3.0, 3.0), float(rng.choice([0.0, 0.5]))
        place = plane.in_space(away * math.cos(angle), away * math.sin(angle), beside)
        some = candidates(robot, arm.home.wrist, place, random_rotation(rng), room=1.0)
        assert some.is_too_far is not is_tried
        assert is_tried or not (some.trials or some.other_trials)


def test_on_the_yaw_axis_another_yaw_angle_may_leave_less_so_no_bound_is_told():
    rng, seen = np.random.default_rng(10), 0
    for _ in range(cases(200, least=5)):
        robot = TiltedRobot(with_tip_on_axis(random_robot(rng, True, 1, on_axis=True).text))
        arm, yaw = robot.arm.whole, robot.arm.whole.carrier.yaw
        held = robot.arm.whole_naming.whole(robot.drawn(rng)).wrist
        if yaw.holds_axis and abs(arm.holding(held).off) <= yaw.rounding:
            for away, is_on_axis in ((0.0, True), (0.1, False)):
                height = yaw.from_axis((0.0, 0.0))[1] + 0.4 * arm.carrier.planar.max_reach
                place = arm.carrier.plane.in_space(*yaw.in_plane(away, height), 0.0)
                some = candidates(robot, held, place, random_rotation(rng))
                for kept in some.trials[-1:]:
                    assert (kept.least == 0.0) == is_on_axis, robot.text
                    seen += 1
    assert seen


def test_at_the_edge_of_what_turning_can_meet_the_wrist_as_it_is_held_is_tried_without_a_bound():
    """Nearer to the yaw axis than the plane by a hair, and not by more."""
    rng, seen = np.random.default_rng(11), 0
    for _ in range(cases(200, least=8)):
        robot = random_robot(rng, True, 1, on_axis=False)
        arm, yaw = robot.arm.whole, robot.arm.whole.carrier.yaw
        held = robot.arm.whole_naming.whole(robot.drawn(rng)).wrist
        its, rotation = arm.holding(held), random_rotation(rng)
        beside = yaw.aside - its.off
        edge = EDGE * (arm.carrier.planar.max_reach + its.length)
        if abs(beside) < 0.02 or arm.is_leaning:
            continue
        bounds = []
        for share in (0.9, 1.1):
            radius = math.copysign(abs(beside) - share * edge, beside)
            x, y = yaw.in_plane(0.0, yaw.from_axis((0.0, 0.0))[1])
            point = arm.carrier.plane.in_space(x, y, yaw.aside - radius)
            bounds.append([one.least for one in candidates(robot, held, point, rotation).trials])
        (*ways, kept), others = bounds
        assert kept == 0.0 and ways == pytest.approx(others, abs=1e-3), robot.text
        seen += 1
    assert seen
