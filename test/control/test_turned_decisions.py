# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Decisions for an arm behind a yaw joint: laws over the shipped robots and random ones."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import bend_seen, rotation_by
from turned_robots import IDS, NAMES, drawn, load, somewhere, turned_arms, yaw_axis

from ik_circles.control.decision import assess, decide, sentence_for
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code

CLOSURE = 1e-12  # share of the reach


@pytest.fixture(params=list(turned_arms()), ids=IDS)
def arm(request):
    return request.param


def least_change(arm, point, seed):
    """The least change of the worst joint, over all solutions at orientations near the seed's."""
    phi = arm.arm.forward_kinematics(arm.naming.arm_angles(seed)).phi
    return min(
        (
            max(abs(q[name] - seed[name]) for name in q)
            for change in np.linspace(-0.15, 0.15, 61)
            for q in arm.inverse_kinematics(point, phi + change)
        ),
        default=math.inf,
    )


def test_a_straight_path_gives_small_steps_of_the_joints_where_that_is_possible(arm):
    rng = np.random.default_rng(3)
    settings = Settings(orientation_mode='free')
    steps = 0
    for seed in drawn(arm, rng, 6):
        point = arm.forward_kinematics(seed)[:3, 3]
        step = rng.normal(size=3)
        step *= 0.002 * arm.arm.max_reach / np.linalg.norm(step)
        for number in range(1, 13):
            target = Target(tuple(map(float, point + number * step)))
            decision = decide(arm, settings, target, seed)
            if decision.command is None:
                break
            change = max(abs(decision.command[name] - seed[name]) for name in seed)
            if change >= 0.2:
                assert least_change(arm, target.position, seed) > 0.05, (seed, number)
                break
            seed = decision.command
            steps += 1
    assert steps > 15


def test_pitch_counts_and_the_position_decides_the_heading():
    arm = load('open_manipulator_x')
    level = arm.spatial.tool.rotation(0.0)  # the tool along base_link's +x
    target = Target((0.14, 0.14, 0.12), level)
    preferred = decide(arm, Settings(), target, {})
    assert preferred.code is Code.OK
    assert 'heading, which is 45.0 deg off' in preferred.message
    tip = arm.forward_kinematics(preferred.command)
    assert tip[:3, 3] == pytest.approx(target.position, abs=1e-12)
    assert tip[:3, 0] == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0.0), abs=1e-12)
    asked = sentence_for(arm, assess(arm, Settings(), target))
    assert asked.endswith('heading, which is 45.0 deg off')
    assert 'heading' not in sentence_for(arm, assess(arm, Settings(), Target(target.position)))
    fixed = decide(arm, Settings(orientation_mode='fixed'), target, {})
    assert (fixed.code, fixed.command) == (Code.ORIENTATION, None)
    assert fixed.message.count('45.0 deg') == 1


HEADING = re.compile(r'the position decides the heading, which is (\S+) deg off')
ROLL = re.compile(r'no joint rolls the tool, so its roll is (\S+) deg off')


def test_heading_and_roll_are_said_apart_each_with_its_figure(arm):
    """A pose of the arm itself, with the tool turned about the yaw axis and about link 3."""
    rng, said = np.random.default_rng(7), 0
    axis, _ = yaw_axis(arm)
    for positions in drawn(arm, rng, cases(800)):
        pose, yaw = arm.forward_kinematics(positions), arm.naming.configuration(positions).yaw
        phi = arm.arm.forward_kinematics(arm.naming.arm_angles(positions)).phi
        link_3 = np.subtract(
            arm.spatial.plane.point_at(math.cos(phi), math.sin(phi), yaw),
            arm.spatial.plane.point_at(0.0, 0.0, yaw),
        )
        heading, roll = rng.choice([-1.0, 0.0, 1.0], 2) * rng.uniform(0.05, 0.7, 2)
        if abs(link_3 @ axis) > 0.99 or heading == roll == 0.0:
            continue
        wanted = rotation_by(axis, heading) @ rotation_by(link_3, roll) @ pose[:3, :3]
        target = Target(tuple(pose[:3, 3].tolist()), wanted)
        decision = decide(arm, Settings(), target, positions)
        found, message = arm.naming.configuration(decision.command), decision.message
        if math.cos(found.yaw - yaw) < 1.0 - 1e-9 or math.cos(sum(found.q) - phi) < 1.0 - 1e-9:
            continue  # the other shoulder is nearer to what is wanted
        for pattern, angle in ((HEADING, heading), (ROLL, roll)):
            figures = [float(figure) for figure in pattern.findall(message)]
            assert figures == pytest.approx([abs(math.degrees(angle))] if angle else [], abs=0.051)
            said += len(figures)
    assert said > 2


def test_along_the_yaw_axis_all_of_the_turn_is_the_heading():
    arm = load('open_manipulator_x')
    point = (0.2, 0.0, 0.05)
    down = rotation_by((0.0, 0.0, 1.0), 0.6) @ arm.spatial.tool.rotation(-math.pi / 2.0)
    message = decide(arm, Settings(), Target(point, down), {}).message
    assert HEADING.findall(message) == ['34.4'] and not ROLL.findall(message)


def test_a_fixed_orientation_is_refused_with_heading_and_roll():
    arm = load('open_manipulator_x')
    rolled = arm.spatial.tool.rotation(0.0) @ rotation_by((1.0, 0.0, 0.0), 0.5)
    fixed = Settings(orientation_mode='fixed')
    refused = decide(arm, fixed, Target((0.14, 0.14, 0.12), rolled), {})
    assert refused.code is Code.ORIENTATION
    assert HEADING.findall(refused.message) == ['45.0']
    assert ROLL.findall(refused.message) == ['28.6']
    refused = decide(arm, fixed, Target((0.2, 0.0, 0.12), rolled), {})
    assert refused.message == (
        'only the pitch of the tool can be chosen there: no joint rolls '
        'the tool, so its roll is 28.6 deg off; set orientation_mode to preferred'
    )


def apart(a, b):
    """Angle between two orientations (3x3) [rad]."""
    return 2.0 * math.asin(min(1.0, np.linalg.norm(a - b) / math.sqrt(8.0)))


def somehow(arm, rng):
    """A seed: nowhere, or anywhere inside the limits."""
    return next(drawn(arm, rng, 1)) if rng.random() < 0.7 else {}


def test_the_arms_own_poses_are_taken_exactly_whatever_the_mode(arm):
    rng = np.random.default_rng(4)
    for positions in drawn(arm, rng, cases(300)):
        pose = arm.forward_kinematics(positions)
        target = Target(tuple(map(float, pose[:3, 3])), pose[:3, :3])
        for mode in ('fixed', 'preferred'):
            settings = Settings(orientation_mode=mode)
            decision = decide(arm, settings, target, somehow(arm, rng))
            assert decision.code is Code.OK and 'heading' not in decision.message
            tip = arm.forward_kinematics(decision.command)
            assert apart(tip[:3, :3], pose[:3, :3]) <= 1e-9
            assert math.dist(tip[:3, 3], pose[:3, 3]) <= CLOSURE * arm.arm.max_reach


def test_no_command_leaves_the_safe_zones_and_the_nearest_is_sent_as_told(arm):
    rng = np.random.default_rng(5)
    reach = arm.arm.max_reach
    sent = 0
    for _ in range(cases(300)):
        mode = ['free', 'preferred', 'fixed'][rng.integers(3)]
        settings = Settings(mode, on_unreachable='nearest', safe_zone_margin=0.05 * reach)
        rotation = arm.spatial.tool.rotation(*rng.uniform(-math.pi, math.pi, 2))
        target = Target(somewhere(arm, rng), rotation)
        decision = decide(arm, settings, target, somehow(arm, rng))
        if decision.command is None:
            continue
        sent += 1
        q = arm.naming.configuration(decision.command).q
        distance = math.hypot(*arm.arm.forward_kinematics(q)[:2])
        zones = settings.zones(arm)
        assert zones.inner - 1e-9 * reach <= distance <= zones.outer + 1e-9 * reach
        if decision.code is not Code.OK:
            tip = arm.forward_kinematics(decision.command)
            assert math.dist(tip[:3, 3], decision.nearest[:3]) <= 1e-9 * reach
            if mode == 'fixed' and decision.code is Code.ORIENTATION:
                told = arm.spatial.tool.rotation(decision.nearest.phi, decision.nearest.yaw)
                assert apart(tip[:3, :3], told) <= 1e-6
    assert sent > cases(150)


def test_on_the_yaw_axis_the_orientation_decides_the_yaw():
    arm = load('px100')
    on_axis = arm.spatial.yaw.in_plane(0.0, 0.23)
    q = arm.naming.named((1.0, arm.arm.inverse_kinematics(*on_axis, 2.0)[0]))
    pose = arm.forward_kinematics(q)
    assert np.hypot(*pose[:2, 3]) < 1e-15
    for mode in ('fixed', 'preferred'):
        target = Target(tuple(map(float, pose[:3, 3])), pose[:3, :3])
        decision = decide(arm, Settings(mode), target, {})
        assert decision.code is Code.OK and 'heading' not in decision.message
        assert decision.command['waist'] == pytest.approx(1.0, abs=1e-12)


def test_a_joint_of_a_whole_turn_does_not_go_on_at_its_other_limit():
    arm = load('ur5e')
    seed = dict(zip(arm.commanded_joints, (0.0165, -1.5753, 2.1858, -6.2805)))
    target = Target((0.26281, 0.13976257, 0.27952738))  # 4 mm away
    command = decide(arm, Settings('free'), target, seed).command
    assert max(abs(command[name] - seed[name]) for name in seed) < 0.05


@pytest.mark.parametrize('branch', ['nearest', 'elbow_up', 'elbow_down'])
def test_next_to_its_limits_an_arm_does_not_fling_a_joint_round(arm, branch):
    """Where a solution on the branch is near, no joint moves much farther than it needs to."""
    rng, sign = np.random.default_rng(6), {'elbow_up': 1.0, 'elbow_down': -1.0}.get(branch, 0.0)
    settings, limits = Settings('free', branch=branch), {}
    for name in arm.commanded_joints:
        joint = arm.tree.movable_joints[name]
        limits[name] = (joint.lower, joint.upper) if joint.upper < math.inf else (-4.0, 4.0)
    for _ in range(cases(300)):
        made = {name: rng.choice([*ends, rng.uniform(*ends)]) for name, ends in limits.items()}
        if sign * bend_seen(arm.spatial, arm.naming.configuration(made)) > 0.0:
            continue
        most = 10.0 ** rng.uniform(-3.0, math.log10(0.2))
        seed = {name: angle + rng.uniform(-most, most) for name, angle in made.items()}
        seed = {name: float(np.clip(angle, *limits[name])) for name, angle in seed.items()}
        target = Target(tuple(map(float, arm.forward_kinematics(made)[:3, 3])))
        command = decide(arm, settings, target, seed).command
        needed = max(abs(made[name] - seed[name]) for name in seed)
        assert max(abs(command[n] - seed[n]) for n in seed) <= 3.0 * needed + 0.05, (made, seed)


@pytest.mark.parametrize('name', NAMES)
def test_on_the_yaw_axis_with_an_orientation_there_is_an_answer(name):
    """Also where the yaw limits are all but a turn away, as xarm5's are."""
    arm = load(name)
    x, y, z = arm.spatial.plane.point_at(*arm.spatial.yaw.in_plane(0.0, 0.3 * arm.arm.max_reach))
    for rotation in (np.eye(3), np.eye(3).tolist()):
        for mode in ('fixed', 'preferred'):
            decision = decide(arm, Settings(mode), Target((x, y, z), rotation), None)
            assert decision.message
            if decision.code is Code.OK:
                tip = arm.forward_kinematics(decision.command)[:3, 3]
                allowed = CLOSURE * arm.arm.max_reach + arm.spatial.plane.slack
                assert math.dist(tip, (x, y, z)) <= allowed


@pytest.mark.parametrize('name', NAMES)
def test_where_a_preferred_pitch_is_impossible_the_arm_keeps_its_shoulder(name):
    """Facing and reaching backwards the tool can come equally near to the pitch: rounding alone
    must not swing the arm round."""
    arm = load(name)
    yaw_joint, rng, steps = arm.commanded_joints[0], np.random.default_rng(1), 0
    for _ in range(cases(100, least=5)):
        positions = {
            name: rng.uniform(*(arm.spatial.yaw.limits if name == yaw_joint else (-1.5, 1.5)))
            if arm.spatial.yaw.limits[0] > -math.inf
            else rng.uniform(-1.5, 1.5)
            for name in arm.commanded_joints
        }
        point = arm.forward_kinematics(positions)[:3, 3]
        rotation = arm.spatial.tool.rotation(rng.uniform(-3.0, 3.0), positions[yaw_joint])
        seed, away = None, None
        for _ in range(30):
            point = point + rng.normal(size=3) * 1e-4
            decision = decide(arm, Settings(), Target(tuple(point.tolist()), rotation), seed)
            if decision.command is None:
                break
            yaw, q = arm.naming.configuration(decision.command)
            wanted = arm.spatial.tool.orientation(rotation).angle(yaw)
            now = abs(math.remainder(sum(q) - wanted, math.tau))
            if seed is not None and abs(now - away) < 1e-3 and now > 1e-3:
                steps += 1
                assert abs(decision.command[yaw_joint] - seed[yaw_joint]) < 1.5
            seed, away = decision.command, now
    assert steps > cases(240)
