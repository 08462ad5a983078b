"""Straight lines of robots by joint name: five and six joints, a plane, axes that lean."""

import math
import time

import numpy as np
import pytest
from followed_lines import JUMP, below_past, just_past, largest_step
from law_cases import cases
from spatial_arms import direction
from three_joints import shipped_text
from tilted_robots import TiltedRobot, tilted
from wrist_robots import (
    KINDS,
    gap,
    heights,
    pose_of,
    random_robot,
    random_robots,
    shipped_robots,
    turned_away,
    upright,
)

from ik_circles import Code, IkCirclesError, load_arm

DOWN = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]


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
    for one, own, start, target, line in random_lines(rng, cases(500)):
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


def test_shipped_robots_follow_lines_with_a_figure():
    for name, one in shipped_robots().items():
        arm = one.arm
        start = arm.solve((0.25, 0.05, 0.15))
        if start is None:
            continue
        before = time.perf_counter()
        line = arm.straight_line(start, (0.25, 0.25, 0.15))
        assert time.perf_counter() - before < 0.5, name
        assert line.length == pytest.approx(0.2)
        assert line.message.startswith(('the whole line of 0.200 m', 'the line can be followed'))
        assert (line.code is Code.OK) == (line.share == 1.0)
    arm = load_arm(shipped_text('so101'))
    start = arm.solve((0.2, 0.1, 0.1))
    line = arm.straight_line(start, (0.2, 0.1, 0.4))
    joint = line.message.split('there ')[1].split(' reaches')[0]
    assert line.code is Code.JOINT_LIMIT and joint in arm.commanded_joints
    limits = arm.joints[joint]
    end = line.positions(line.share)[joint]
    assert min(abs(end - limits.lower), abs(end - limits.upper)) <= 1e-9
    assert f'its limit of {math.degrees(end):.1f} deg' in line.message


def test_a_vertical_line_of_a_singular_wrist_keeps_the_wrist_still():
    arm = load_arm(shipped_text('ur5e'))
    start = {**dict.fromkeys(arm.commanded_joints, 0.0), 'elbow_joint': 1.0}
    x, y, z = arm.forward_kinematics(start)[:3, 3]
    up = arm.straight_line(start, (x, y, z + 0.1))
    assert up.share > 0.0 and up.positions(up.share)['wrist_2_joint'] == 0.0
    aside = arm.straight_line(start, (x, y + 0.1, z))
    assert aside.code in (Code.ORIENTATION, Code.OK)
    if aside.code is Code.ORIENTATION:
        assert aside.message.endswith('neighbors would turn half round at once; bend it')


def test_a_plane_that_no_joint_turns_and_bad_starts():
    arm = load_arm(shipped_text('planar_3r'))
    start = arm.solve((0.6, 0.1, 0.0), 0.2)
    x, y, z = arm.forward_kinematics(start)[:3, 3]
    off = arm.plane[:3, 2]
    line = arm.straight_line(start, np.array((x, y, z)) + 0.1 * off)
    assert (line.code, line.share) == (Code.OUT_OF_PLANE, pytest.approx(1e-5))
    assert 'its target is 0.100 m beside it' in line.message
    with pytest.raises(IkCirclesError, match='start lacks elbow_joint'):
        arm.straight_line({name: 0.0 for name in start if name != 'elbow_joint'}, (0.5, 0.1, 0.0))
    with pytest.raises(IkCirclesError, match='above its limit'):
        arm.straight_line({**start, 'elbow_joint': 9.0}, (0.5, 0.1, 0.0))
    with pytest.raises(IkCirclesError, match='finite'):
        arm.straight_line({**start, 'elbow_joint': math.nan}, (0.5, 0.1, 0.0))
    with pytest.raises(IkCirclesError, match='joint positions by name'):
        arm.straight_line(None, (0.5, 0.1, 0.0))


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
        slack = (whole.hand if whole else one.arm.spatial).plane.slack
        for share in np.linspace(0.0, 0.9 * line.share, 9).tolist():
            positions = line.positions(share)
            away = pose_of(one, positions)[0] - start - share * (target - start)
            assert np.linalg.norm(away) <= (1e-9 if share < 0.8 * line.share else 4.0 * slack)
            for joint, limits in one.arm.joints.items():
                assert limits.lower <= positions[joint] <= limits.upper


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
    count = cases(200) if orientation == 'held' else cases(80)
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
    assert orientation == 'free' or ended > cases(20)


def test_a_line_down_to_a_table():
    arm = load_arm('so101', floor=0.0)
    start = arm.solve((0.25, 0.05, 0.12))
    for orientation in ('held', 'free'):
        line = arm.straight_line(start, (0.25, 0.05, -0.1), orientation=orientation)
        assert line.code is Code.FLOOR
        assert line.message == (
            'the line can be followed for 0.120 of 0.220 m (54.5 %): there the tip reaches the '
            'floor'
        )
        end = line.positions(line.share)
        along = arm.straight_line(end, (0.2, -0.1, 0.0), orientation=orientation)
        assert along.code is Code.OK
    six = load_arm('ur5e', floor=0.15)
    down = six.inverse_kinematics((0.4, 0.2, 0.15), rotation=DOWN)
    shares = [six.straight_line(one, (0.4, -0.3, 0.15)).share for one in down]
    assert max(shares) == 1.0
    messages = [six.straight_line(one, (0.4, 0.0, 0.0)).message for one in down]
    assert all(one.endswith(' reaches the floor') for one in messages)


@pytest.mark.parametrize('orientation', ['held', 'free'])
@pytest.mark.parametrize('name', ['so101', 'ur5e', 'xarm5'])
def test_lines_of_axes_that_lean_end_on_the_line(name, orientation):
    """The end of parallel axes is not that of the true ones, whose correction has to close."""
    rng = np.random.default_rng(12)
    for _ in range(cases(1000, 100)):
        robot = TiltedRobot(tilted(name, rng, wrist=True))
        arm, start = robot.arm, robot.drawn(rng, 0)
        here = arm.forward_kinematics(start)[:3, 3]
        target = here + rng.normal(size=3) * 0.3 * arm.arm.max_reach
        line = arm.straight_line(start, target, orientation=orientation)
        for share in (0.5 * line.share, line.share):
            place = here + share * (target - here)
            tip = arm.forward_kinematics(line.positions(share))[:3, 3]
            if line.share < 1.0:
                assert math.dist(tip, place) <= 2e-9
