# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines of robots by joint name: their messages, figures and starts."""

import math

import numpy as np
import pytest
from law_cases import cases
from test_cost_of_lines import random_lines
from three_joints import shipped_arm, shipped_text
from tilted_robots import LEAN, TiltedRobot, tilted
from wrist_robots import gap, shipped_robots, turned_away

from ik_circles import Code, IkCirclesError, load_arm
from ik_circles.planar.lines.track import End
from ik_circles.robot.lines import up_to_closing
from ik_circles.spatial.points.ways import TILT_TOLERANCE

DOWN = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]


def test_shipped_robots_follow_lines_with_a_figure():
    for one in shipped_robots().values():
        arm = one.arm
        start = arm.solve((0.25, 0.05, 0.15))
        if start is None:
            continue
        line = arm.straight_line(start, (0.25, 0.25, 0.15))
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


@pytest.mark.parametrize('digits', [3, 6, 9])
def test_a_singular_wrist_stands_still_on_lines_that_hardly_turn_the_arm(digits):
    """Up by 1 mm, to a typed point: beside the start by as much as digits are left out."""
    rng, robot = np.random.default_rng(5), TiltedRobot(shipped_text('ur5e'))
    for _ in range(cases(400, 40)):
        bent = {'wrist_2_joint': float(rng.choice([0.0, math.pi])), 'elbow_joint': 1.0}
        start = {**robot.drawn(rng), **bent, 'shoulder_lift_joint': rng.uniform(-1.5, 0.0)}
        pose = robot.tip(start)
        place = np.round(pose[:3, 3], digits) + np.array((0.0, 0.0, 1e-3))
        line = robot.arm.straight_line(start, place)
        assert (line.share, line.code) == (1.0, Code.OK)
        for share in (0.0, 0.3, 1.0):
            tip = robot.tip(line.positions(share))
            on_line = pose[:3, 3] + share * (place - pose[:3, 3])
            assert math.dist(tip[:3, 3], on_line) <= 1e-9
            assert turned_away(tip[:3, :3], pose[:3, :3]) <= TILT_TOLERANCE
        far = pose[:3, 3] + 0.1 * np.cross((0.0, 0.0, 1.0), pose[:3, 3])
        assert robot.arm.straight_line(start, far).code is Code.ORIENTATION


def test_a_plane_that_no_joint_turns_and_bad_starts():
    arm = load_arm(shipped_text('planar_3r'))
    start = arm.solve((0.6, 0.1, 0.0), 0.2)
    x, y, z = arm.forward_kinematics(start)[:3, 3]
    off = arm.plane[:3, 2]
    line = arm.straight_line(start, np.array((x, y, z)) + 0.1 * off)
    assert (line.code, line.share) == (Code.OUT_OF_PLANE, pytest.approx(1e-5))
    assert 'the target is 0.100 m beside the plane' in line.message
    with pytest.raises(IkCirclesError, match='start lacks elbow_joint'):
        arm.straight_line({name: 0.0 for name in start if name != 'elbow_joint'}, (0.5, 0.1, 0.0))
    with pytest.raises(IkCirclesError, match='above its limit'):
        arm.straight_line({**start, 'elbow_joint': 9.0}, (0.5, 0.1, 0.0))
    with pytest.raises(IkCirclesError, match='finite'):
        arm.straight_line({**start, 'elbow_joint': math.nan}, (0.5, 0.1, 0.0))
    with pytest.raises(IkCirclesError, match='joint positions by name'):
        arm.straight_line(None, (0.5, 0.1, 0.0))


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


@pytest.mark.parametrize('most', [1e-8, LEAN])
@pytest.mark.parametrize('name', ['so101', 'ur5e', 'planar_3r'])
def test_a_line_on_axes_that_lean_goes_nearly_as_far_as_on_exact_ones(name, most):
    """Law: as far as its end, the tip is on the line, by the URDF's own axes."""
    rng, exact, early = np.random.default_rng(0), shipped_arm(name), 0
    for _ in range(cases(160, 60)):
        robot = TiltedRobot(tilted(name, rng, most, wrist=True))
        start = robot.drawn(rng)
        tip = robot.tip(start)[:3, 3]
        way = 0.3 * rng.normal(size=3)
        if robot.arm.yaw_joint is None:
            way -= robot.arm.plane[:3, 2] * (robot.arm.plane[:3, 2] @ way)
        line, other = (arm.straight_line(start, tip + way) for arm in (robot.arm, exact))
        for share in np.linspace(0.0, line.share, 5).tolist():
            assert robot.miss(line.positions(share), tip + share * way) <= 2e-9
        assert most == LEAN or line.share == pytest.approx(other.share, abs=1e-3)
        early += 0.0 < line.share < 1.0
    assert early


@pytest.mark.parametrize('orientation', ['held', 'free'])
@pytest.mark.parametrize('name', ['so101', 'px100', 'youbot_arm'])
def test_a_line_on_axes_that_lean_does_not_end_in_a_jump(name, orientation):
    """A yaw joint on its limit: the other joints cannot take its place, but far away."""
    rng, stopped = np.random.default_rng(1), 0
    for _ in range(cases(300, 40, least=7)):
        robot = TiltedRobot(tilted(name, rng, 1e-6, wrist=True))
        start = {**robot.drawn(rng), robot.arm.yaw_joint: robot.limits[robot.arm.yaw_joint][1]}
        start[robot.arm.yaw_joint] -= rng.uniform(0.0, 0.3)
        target = robot.tip(start)[:3, 3] + 0.1 * rng.normal(size=3)
        line = robot.arm.straight_line(start, target, orientation=orientation)
        if f'{robot.arm.yaw_joint} reaches its limit' in line.message:
            stopped += 1
            before, end = (line.positions(share * line.share) for share in (1.0 - 1e-7, 1.0))
            lean = robot.arm.spatial.plane.slack / min(robot.arm.arm.link_lengths[:2])
            # Where others take the place of the yaw joint, joints move by the root of the lean; and
            # by the lean itself, before the end, too, where bends of the arm magnify it a little.
            assert gap(before, end) <= 4.0 * (math.sqrt(lean) + lean)
    assert stopped > cases(20, 40)


def test_the_end_of_a_line_on_axes_that_lean_is_where_the_tip_leaves_it():
    stopped, whole = End(0.8, object()), End(1.0, None)
    assert up_to_closing(stopped, lambda share: 0.0) is stopped
    assert up_to_closing(whole, lambda share: 1.0) is whole
    sooner = up_to_closing(stopped, lambda share: 1.0 if share > 0.3 else 0.0)
    assert sooner.share == pytest.approx(0.3, abs=1e-6)
    assert sooner.share <= 0.3
    assert sooner.stop is stopped.stop


def test_next_to_a_singular_wrist_the_tip_is_on_the_line_of_axes_that_lean():
    """Nearer to singular, the joints would turn far away from those of parallel axes."""
    rng, followed = np.random.default_rng(0), 0
    for _ in range(cases(100, 25)):
        robot = TiltedRobot(tilted('ur5e', rng, 3e-6, wrist=True))
        bend = math.pi + 10.0 ** rng.uniform(-7.0, -5.0)
        start = dict(zip(robot.limits, (5.2, -5.7, -2.95, -6.03, bend, -3.16)))
        tip, way = robot.tip(start)[:3, 3], np.array((*1e-5 * rng.normal(size=2), 0.17))
        line = robot.arm.straight_line(start, tip + way)
        for share in (line.share * np.linspace(0.0, 1.0, 20) ** 2).tolist():
            assert robot.miss(line.positions(share), tip + share * way) <= 1e-8
        followed += line.share > 0.1
    assert followed


def test_many_places_of_a_line_are_those_one_by_one():
    """Law: `rows` has what `positions` has, in the order of the commanded joints. At a straight
    elbow, rounding turns joints by its square root."""
    lines = random_lines(np.random.default_rng(1), cases(600))
    for number, (arm, start, target) in enumerate(lines):
        far = 1e3 if number % 5 == 0 else 1.0
        line = arm.straight_line(start, far * target, orientation=['held', 'free'][number % 2])
        shares = np.linspace(0.0, line.share, 7)
        every = [line.positions(share) for share in shares.tolist()]
        found = [dict(zip(arm.commanded_joints, row)) for row in line.rows(shares).tolist()]
        for one, other in zip(found, every):
            assert all(abs(one[name] - other[name]) <= 2e-7 for name in other)
