# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines of whole arms: five and six joints, a plane, axes that lean, a floor."""

import math
import re

import numpy as np
import pytest
from followed_lines import JUMP, below_past, just_past, largest_step
from law_cases import cases
from spatial_arms import direction
from tilted_robots import TiltedRobot, tilted
from wrist_robots import (
    KINDS,
    gap,
    heights,
    pose_of,
    random_robot,
    random_robots,
    shipped_robots,
    singular,
    turned_away,
    upright,
)

from ik_circles import Code
from ik_circles.spatial.lines.pose_way import TurnedWrist
from ik_circles.spatial.points.ways import TILT_TOLERANCE

AT_LIMIT = re.compile(r'there (\S+) reaches its limit of (\S+) deg')
#: With the wrist up to 1e-7 from singular, rounding counts up to 1e7 times [m, rad].
BESIDE_SINGULAR = 1e-7


def random_lines(rng, count, orientation='held'):
    """Robots with a wrist, in a plane or behind a yaw joint, and targets near or far."""
    for one in random_robots(rng, count):
        own, reach = one.drawn(rng), one.arm.arm.max_reach
        way = direction(rng)
        if one.arm.yaw_joint is None:
            way = one.arm.plane[:3, :2] @ rng.uniform(-1.0, 1.0, 2)
        start = np.array(pose_of(one, own)[0])
        target = start + way * reach * rng.choice([0.2, 0.8])
        yield one, own, start, target, one.arm.straight_line(own, target, orientation=orientation)


def test_a_robot_follows_its_line_and_holds_its_orientation():
    rng = np.random.default_rng(0)
    for one, own, start, target, line in random_lines(rng, cases(500, 40)):
        held = pose_of(one, own)[1]
        is_whole = one.arm.yaw_joint is None or len(one.arm.wrist_joints) == 2
        for share in np.linspace(0.0, line.share, 9).tolist():
            positions = line.positions(share)
            point, rotation = pose_of(one, positions)
            assert np.linalg.norm(point - start - share * (target - start)) <= 1e-9
            assert not is_whole or turned_away(rotation, held) <= 1e-8
            for name, joint in one.arm.joints.items():
                assert joint.lower <= positions[name] <= joint.upper
        jump = largest_step(lambda at, of=line: [*of.positions(at).values()], line.share, 40)
        assert jump <= JUMP
        assert gap(line.positions(0.0), own) <= 1e-9


def test_what_a_wrist_that_keeps_its_orientation_asks_for_goes_on_without_a_jump():
    """All the way round the yaw axis, and the pitch no faster than it is said to."""
    rng = np.random.default_rng(5)
    for one in random_robots(rng, cases(400), each=1, kinds=[(True, 2)]):
        start = one.arm.naming.whole(one.drawn(rng))
        wrist = TurnedWrist(one.arm.whole, start)
        assert wrist.at(start.yaw) == pytest.approx((sum(start.q), *start.wrist), abs=1e-9)
        around = lambda share, of=wrist, at=start.yaw: of.at(at + math.tau * share)  # noqa: E731
        assert largest_step(around, 1.0, 400) <= JUMP
        yaws = np.linspace(-math.pi, math.pi, 401)
        half = math.pi / 400.0
        turned, most = np.diff(wrist.phis(yaws)), wrist.rates(yaws[:-1] + half, half)
        assert (np.abs(turned) <= 2.0 * half * most + 1e-9).all()


def test_a_line_that_ends_at_a_limit_says_which_joint_is_there():
    rng, named = np.random.default_rng(6), set()
    for one in random_robots(rng, cases(1600, 60, least=20), each=2, kinds=[(True, 2)]):
        own = one.drawn(rng)
        target = pose_of(one, own)[0] + direction(rng) * one.arm.arm.max_reach
        line = one.arm.straight_line(own, target)
        if line.code is Code.JOINT_LIMIT:
            name, degrees = AT_LIMIT.search(line.message).groups()
            end = math.degrees(line.positions(line.share)[name])
            assert end == pytest.approx(float(degrees), abs=0.06)
            named.add(name)
    assert {*one.arm.wrist_joints} < named


def test_no_line_with_all_of_an_orientation_goes_on_past_its_end():
    rng = np.random.default_rng(1)
    for one, own, start, target, line in random_lines(rng, cases(500)):
        if len(one.arm.wrist_joints) < 2:
            continue
        held, end = pose_of(one, own)[1], line.positions(line.share)
        for share, room in just_past(line.share):
            point = start + share * (target - start)
            for other in one.arm.inverse_kinematics(point, rotation=held, seed=end):
                assert gap(other, end) >= room


@pytest.mark.parametrize('orientation', ['held', 'free'])
def test_axes_that_lean_follow_lines_on_their_true_axes(orientation):
    """Up to where the slack decides: there, joints on a limit may miss the line by no more."""
    rng = np.random.default_rng(3)
    for name in ('so101', 'px100', 'ur5e', 'open_manipulator_x') * cases(20):
        one = TiltedRobot(tilted(name, rng, wrist=True))
        own = one.drawn(rng)
        start = np.array(pose_of(one, own)[0])
        target = start + direction(rng) * 0.3 * one.arm.arm.max_reach
        line = one.arm.straight_line(own, target, orientation=orientation)
        assert gap(line.positions(0.0), own) <= 1e-9
        whole = one.arm.whole
        slack = (whole.carrier if whole else one.arm.spatial).plane.slack
        for share in np.linspace(0.0, 0.9 * line.share, 9).tolist():
            positions = line.positions(share)
            away = pose_of(one, positions)[0] - start - share * (target - start)
            assert np.linalg.norm(away) <= (1e-9 if share < 0.8 * line.share else 4.0 * slack)
            for joint, limits in one.arm.joints.items():
                assert limits.lower <= positions[joint] <= limits.upper


def test_a_line_that_brings_the_wrist_center_over_the_yaw_axis_holds_its_orientation():
    rng, ended = np.random.default_rng(8), 0
    for _ in range(cases(400)):
        one = random_robot(rng, True, 2, on_axis=True)
        own, yaw = one.drawn(rng), one.arm.joints[one.arm.yaw_joint]
        frame = one.arm.link_pose(yaw.child, own)
        point, held = pose_of(one, own)
        center = np.array(one.arm.whole.wrist.center_at(point, held)) - frame[:3, 3]
        axis = frame[:3, :3] @ yaw.axis
        way = 1.6 * (axis * (axis @ center) - center)
        line = one.arm.straight_line(own, point + way)
        for share in np.linspace(0.0, line.share, 5).tolist():
            assert turned_away(pose_of(one, line.positions(share))[1], held) <= 1e-8
        ended += line.message.endswith('would turn at once')
    assert ended


def test_a_line_that_passes_a_hair_beside_the_yaw_axis_is_followed_up_to_it():
    """Beside it, the plane would turn half round in less of the line than can be told."""
    rng, ended = np.random.default_rng(9), 0
    for _ in range(cases(1000, 60, least=16)):
        one = random_robot(rng, True, int(rng.integers(1, 3)), on_axis=True)
        own, yaw = one.drawn(rng), one.arm.joints[one.arm.yaw_joint]
        frame = one.arm.link_pose(yaw.child, own)
        point, held = pose_of(one, own)
        has_two = len(one.arm.wrist_joints) == 2
        seen = one.arm.whole.wrist.center_at(point, held) if has_two else point
        axis, seen = frame[:3, :3] @ yaw.axis, np.array(seen) - frame[:3, 3]
        inwards = axis * (axis @ seen) - seen
        side = np.cross(axis, inwards) / np.linalg.norm(inwards)
        way = 1.6 * (inwards + 10.0 ** rng.uniform(-12.0, -8.5) * side)
        line = one.arm.straight_line(own, point + way)
        for back in (1.0, 0.5, 0.4, 0.3, 1e-6, 1e-9, 1e-12, 0.0):
            share = (1.0 - back) * line.share
            tip, turned = pose_of(one, line.positions(share))
            assert math.dist(tip, point + share * way) <= 1e-7
            assert not has_two or turned_away(turned, held) <= 1e-7
        jump = largest_step(lambda at, of=line: [*of.positions(at).values()], line.share, 40)
        assert jump <= JUMP
        ended += line.message.endswith('would turn at once')
    assert ended


def lines_past_singular_wrists(rng, count):
    """Robots whose line starts with the wrist next to singular, or meets that on its way."""
    for number in range(count):
        one = shipped_robots()['ur5e'] if number % 2 else random_robot(rng, True, 2)
        met = singular(one, one.drawn(rng), rng, rng.choice([0.0, 1e-12, 2e-9, 1e-8, 1e-6]))
        if met is None:
            continue
        (point, rotation), way = pose_of(one, met), rng.normal(size=3) * 10.0 ** rng.uniform(-4, -1)
        before = point - rng.choice([0.0, 0.3, 0.5]) * way
        found = one.arm.inverse_kinematics(before, rotation=rotation, seed=met)
        start = min(found, key=lambda own: gap(own, met), default=met)
        place = np.array(pose_of(one, start)[0])
        yield one, start, place, place + way, one.arm.straight_line(start, place + way)


def test_next_to_a_singular_wrist_and_at_its_end_the_tip_is_on_the_line():
    rng, ended = np.random.default_rng(7), 0
    for one, own, start, target, line in lines_past_singular_wrists(rng, cases(2000, 60)):
        held = pose_of(one, own)[1]
        for back in (1.0, 0.5, 1e-6, 1e-9, 1e-12, 0.0):
            share = (1.0 - back) * line.share
            positions = line.positions(share)
            point, rotation = pose_of(one, positions)
            assert np.linalg.norm(point - start - share * (target - start)) <= BESIDE_SINGULAR
            stands_still = all(positions[name] == own[name] for name in one.arm.wrist_joints)
            most = TILT_TOLERANCE if stands_still else BESIDE_SINGULAR
            assert turned_away(rotation, held) <= most
        jump = largest_step(lambda at, of=line: [*of.positions(at).values()], line.share, 40)
        assert jump <= JUMP
        ended += 0.0 < line.share < 1.0 and line.code is Code.ORIENTATION
    assert ended


def lines_above_a_floor(rng, count):
    """Robots that stand upright, shipped ones among them, with a floor at their lowest part or
    lower, and lines of any way or level."""
    shipped = [*shipped_robots().values()]
    for number in range(count):
        is_shipped = number % 4 == 0
        one = shipped[number // 4 % len(shipped)] if is_shipped else upright(
            random_robot(rng, *KINDS[number % 2])
        )  # fmt: skip
        own, way = one.drawn(rng), direction(rng) * (1.0, 1.0, rng.choice([0.0, 1.0]))
        floor = min(heights(one.arm, own)) - rng.choice([0.0, 0.01, 0.1, 0.3])
        target = pose_of(one, own)[0] + way * one.arm.arm.max_reach * rng.choice([0.2, 0.8])
        yield one.arm, own, target, floor


@pytest.mark.parametrize('orientation', ['held', 'free'])
def test_a_robot_stays_above_the_floor_and_ends_on_it(orientation):
    """With a floor far below, its line is the same, bit for bit."""
    rng = np.random.default_rng(4)
    ended = 0
    count = cases(200, 40, least=5) if orientation == 'held' else cases(80, 40)
    for arm, own, target, floor in lines_above_a_floor(rng, count):
        line, free = (
            one.straight_line(own, target, orientation=orientation)
            for one in (arm.above(floor), arm)
        )
        for share in np.linspace(0.0, line.share, 30).tolist():
            assert min(heights(arm, line.positions(share))) >= floor - 1e-10
        if orientation == 'free':
            continue
        same = arm.above(floor - 10.0).straight_line(own, target)
        assert (same.share, same.message) == (free.share, free.message)
        shares = np.linspace(0.0, free.share, 9).tolist()
        assert [*map(same.at, shares)] == [*map(free.at, shares)]
        if line.code is not Code.FLOOR:
            assert line.share == pytest.approx(free.share, abs=2e-6)
            continue
        ended += 1
        assert ' reaches the floor' in line.message
        assert line.share <= free.share
        assert below_past(
            line.share, free.share,
            lambda at: min(heights(arm, free.at(at))) - floor,  # noqa: B023
        )  # fmt: skip
    assert orientation == 'free' or ended > cases(20, 40)


@pytest.mark.parametrize('orientation', ['held', 'free'])
@pytest.mark.parametrize('name', ['so101', 'ur5e', 'xarm5'])
def test_lines_of_axes_that_lean_end_on_the_line(name, orientation):
    """The end of parallel axes is not that of the true ones, whose correction has to close."""
    rng = np.random.default_rng(12)
    for _ in range(cases(1000, 300)):
        robot = TiltedRobot(tilted(name, rng, wrist=True))
        arm, start = robot.arm, robot.drawn(rng, 0)
        here = arm.forward_kinematics(start)[:3, 3]
        target = here + rng.normal(size=3) * 0.3 * arm.arm.max_reach
        line = arm.straight_line(start, target, orientation=orientation)
        for share in (0.5 * line.share, line.share):
            place = here + share * (target - here)
            tip = arm.forward_kinematics(line.positions(share))[:3, 3]
            assert math.dist(tip, place) <= 2e-9


@pytest.mark.parametrize('name', ['so101', 'ur5e', 'xarm5'])
def test_axes_that_lean_may_start_with_a_part_on_the_floor(name):
    """Parallel axes may see it below the floor, by up to their slack."""
    rng = np.random.default_rng(13)
    for _ in range(cases(200, 40)):
        robot = TiltedRobot(tilted(name, rng, most=3e-6, wrist=True))
        own = robot.drawn(rng)
        arm = robot.arm.holding(own)
        above = arm.above(min(heights(arm, own)))
        line = above.straight_line(own, pose_of(robot, own)[0] + 0.05 * direction(rng))
        assert not line.message.endswith(' below the floor')
