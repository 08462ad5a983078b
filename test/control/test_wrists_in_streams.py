# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A wrist in a stream: its joints count in every step, command, trajectory, report and message."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction
from wrist_robots import gap, pose_of, shipped_robots, turned_away

from ik_circles.control import Settings, Target, decide
from ik_circles.control.controllers import check_controller_joints, duration, goal_of
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.refusals import Refusal
from ik_circles.control.reporting import Tally
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import MotionParameters
from ik_circles.control.simulation import SimulatedArm, TrajectoryPoint
from ik_circles.errors import InvalidSettingError
from ik_circles.reasons import Code

#: An arm of five joints and one of six, each clearly bent.
BENT = {
    'so101': (0.3, -0.4, 0.5, 0.6, -0.7),
    'ur5e': (0.3, -1.2, 1.4, 0.5, -0.9, 0.7),
}
SAME = 1e-6  # [rad]


@pytest.fixture(params=BENT)
def robot(request):
    return shipped_robots()[request.param]


def bent(robot):
    return dict(zip(robot.arm.commanded_joints, BENT[robot.arm.tree.name]))


def target_at(robot, positions):
    return Target(*pose_of(robot, positions))


def test_a_step_of_a_wrist_joint_alone_is_a_jump_that_names_it(robot):
    start = bent(robot)
    for name in robot.arm.wrist_joints:
        there = {**start, name: start[name] + 0.2}
        for most, code in ((0.19, Code.JUMP), (0.21, Code.OK)):
            settings = Settings(max_joint_step=most, orientation_mode='fixed')
            decision = decide(robot.arm, settings, target_at(robot, there), start)
            assert decision.code is code, decision.message
            if code is Code.JUMP:
                assert decision.command is None
                assert decision.message.startswith(f'{name} would move by 11.5 deg in one command')
            else:
                assert gap(decision.command, there) <= SAME


def test_of_a_wrist_joint_that_was_never_measured_nobody_can_tell_a_jump(robot):
    start = bent(robot)
    name = robot.arm.wrist_joints[-1]
    there = {**start, name: start[name] + 0.2}
    known = {one: angle for one, angle in start.items() if one != name}
    settings = Settings(max_joint_step=0.1, orientation_mode='fixed')
    decision = decide(robot.arm, settings, target_at(robot, there), known)
    moved = {one: abs(angle - start[one]) for one, angle in decision.command.items()}
    assert decision.code is Code.OK and moved.pop(name) > 0.1 >= max(moved.values())


@pytest.mark.parametrize('oriented', [False, True])
def test_out_of_reach_an_arm_slides_and_its_wrist_stays(robot, oriented):
    """The smaller the steps of the target, the smaller those of every joint."""
    settings, largest = Settings(on_unreachable='nearest'), []
    _, rotation = pose_of(robot, bent(robot))
    away = 1.5 * robot.arm.arm.max_reach
    for count in (30, 120):
        seed, steps = bent(robot), []
        for number, angle in enumerate(np.linspace(0.2, 0.8, count)):
            point = away * math.cos(angle), away * math.sin(angle), 0.1
            decision = decide(
                robot.arm, settings, Target(point, rotation if oriented else None), seed
            )
            assert decision.code is Code.TOO_FAR
            assert decision.message.endswith('; moving to the nearest pose instead')
            assert tuple(decision.command) == robot.arm.commanded_joints
            assert robot.miss(decision.command, decision.nearest[:3]) <= 1e-9
            assert all(decision.command[n] == bent(robot)[n] for n in robot.arm.wrist_joints)
            steps += [gap(decision.command, seed)] if number else []
            seed = decision.command
        largest.append(max(steps))
    assert largest[1] <= 0.5 * largest[0] <= 0.1


def test_a_controller_has_to_have_the_wrist_and_gets_it_in_its_order(robot):
    names = robot.arm.commanded_joints
    start, turned = bent(robot), tuple(reversed(names))
    settings = Settings(command_interface='position_array', controller_joints=turned)
    check_controller_joints(settings, robot.arm)
    goal = goal_of(settings, robot.arm, start, start, {})
    assert tuple(goal.positions) == turned and goal.positions == start
    for name in robot.arm.wrist_joints:
        some = tuple(one for one in names if one != name)
        without = Settings(command_interface='trajectory', controller_joints=some)
        with pytest.raises(InvalidSettingError, match=f'lacks {name}; it must have every'):
            check_controller_joints(without, robot.arm)
        with pytest.raises(Refusal, match=f'the controller does not have {name};'):
            goal_of(without, robot.arm, start, start, start)


def test_a_goal_takes_as_long_as_the_wrist_if_that_is_slowest(robot):
    start = bent(robot)
    for name in robot.arm.wrist_joints:
        velocity = robot.arm.joints[name].velocity
        there = {**start, name: start[name] + 1.0}
        assert duration(robot.arm, there, start) == pytest.approx(1.0 / velocity)


def test_a_motion_moves_the_wrist_within_its_limits(robot):
    start, parameters = bent(robot), MotionParameters(motion='smooth')
    there = {**start, **{name: start[name] + 0.8 for name in robot.arm.wrist_joints}}
    wish = Wish(target=target_at(robot, there))
    settings = Settings(orientation_mode='fixed')
    planned = plan(robot.arm, settings, parameters, wish, State(start, dict.fromkeys(start, 0.0)))
    curve, times = planned.trajectory, np.linspace(0.0, planned.trajectory.duration, 200)
    places = np.array([curve.at(float(time))[0] for time in times])
    speeds = np.array([curve.at(float(time))[1] for time in times])
    assert dict(zip(planned.joints, places[-1])) == pytest.approx(
        {name: there[name] for name in planned.joints}, abs=SAME
    )
    assert set(robot.arm.wrist_joints) <= set(planned.joints)
    for number, name in enumerate(planned.joints):
        assert np.abs(speeds[:, number]).max() <= robot.arm.joints[name].velocity * (1.0 + 1e-9)


def test_a_simulated_arm_follows_commands_and_trajectories_of_the_wrist(robot):
    start = bent(robot)
    arm = SimulatedArm(robot.arm.tree, start=start)
    there = {name: start[name] + 0.1 for name in robot.arm.wrist_joints}
    assert arm.command([*there], [*there.values()]) is None
    arm.step(5.0)
    assert arm.positions == pytest.approx({**start, **there})
    back = [start[name] for name in there]
    assert arm.follow([*there], [TrajectoryPoint(2.0, back, [0.0] * len(back))]) is None
    for _ in range(100):
        arm.step(0.02)
    assert arm.positions == pytest.approx(start)


def test_what_is_measured_of_the_wrist_is_where_a_point_has_it(robot):
    memory, start = JointMemory(robot.arm), bent(robot)
    assert memory.hear([*start], [*start.values()]) is None
    arm = robot.arm.holding_known(memory.measured)
    assert arm.wrist_at == {name: start[name] for name in arm.wrist_joints}
    seed = memory.seed(Settings().seed_tolerance).positions
    point, _ = pose_of(robot, start)
    decision = decide(arm, Settings(), Target(point), seed)
    assert decision.code is Code.OK and gap(decision.command, start) <= SAME


def test_diagnostics_have_the_wrist_and_its_reason(robot):
    tally, start = Tally(), bent(robot)
    assert tally.summary(robot.arm, '').values['joints'].split(', ') == [*start]
    far = decide(robot.arm, Settings(), Target((9.0, 0.0, 0.0)), start)
    tally.answered(far, 0.001)
    said = tally.summary(robot.arm, '')
    assert said.values['refused TOO_FAR'] == '1' and said.values['last reason'] == far.message
    for name in robot.arm.wrist_joints:
        assert f'{name} at {math.degrees(start[name]):.1f} deg' in said.message


def test_a_wrist_joint_past_its_limit_is_named_and_nothing_is_sent():
    """Six joints of more than a turn have no such limit."""
    robot, settings = shipped_robots()['so101'], Settings(orientation_mode='fixed')
    (name,) = robot.arm.wrist_joints
    there = {**bent(robot), name: robot.limits[name][1] + 0.1}
    decision = decide(robot.arm, settings, target_at(robot, there), bent(robot))
    assert (decision.code, decision.command) == (Code.ORIENTATION, None)
    assert f'{name} would exceed its upper limit by 5.7 deg' in decision.message


def test_law_streams_with_a_step_limit_move_no_joint_farther_in_one_command(robot):
    """Whatever the targets: from command to command, wrist joints included."""
    rng, seed, sent = np.random.default_rng(0), bent(robot), 0
    settings = Settings(max_joint_step=0.3, on_unreachable='nearest')
    for _ in range(cases(2000, least=100)):
        away = {name: float(rng.normal() * 0.15) for name in seed}
        own = {n: float(np.clip(seed[n] + step, *robot.limits[n])) for n, step in away.items()}
        point, rotation = pose_of(robot, own)
        point = tuple((np.array(point) + 0.02 * direction(rng)).tolist())
        decision = decide(robot.arm, settings, Target(point, rotation), seed)
        assert (decision.code is Code.JUMP) == (decision.command is None)
        if decision.command is not None:
            sent += 1
            assert gap(decision.command, seed) <= 0.3
            seed = decision.command
    assert 0 < cases(500) < sent < cases(2000, least=100)


def test_with_a_free_orientation_the_wrist_stays_whatever_is_asked_for(robot):
    start, rng = bent(robot), np.random.default_rng(1)
    settings = Settings(orientation_mode='free')
    for _ in range(10):
        point, rotation = pose_of(robot, robot.drawn(rng))
        free, plain = (
            decide(robot.arm, settings, Target(point, one), start) for one in (rotation, None)
        )
        assert (free.code, free.command, free.message) == (plain.code, plain.command, plain.message)
        if free.command is not None:
            assert all(free.command[name] == start[name] for name in robot.arm.wrist_joints)


@pytest.mark.parametrize('mode', ['preferred', 'fixed'])
def test_the_message_says_how_far_the_command_is_from_the_orientation_that_gives_way(mode):
    rng, told = np.random.default_rng(12), 0
    settings = Settings(orientation_mode=mode, on_unreachable='nearest')
    for name in ('xarm5', 'ur5e'):
        robot = shipped_robots()[name]
        for _ in range(cases(2000, least=150)):
            point, _ = pose_of(robot, robot.drawn(rng))
            _, rotation = pose_of(robot, robot.drawn(rng))
            made = decide(robot.arm, settings, Target(point, rotation), robot.drawn(rng))
            figures = re.findall(r'(\S+) deg away', made.message)
            if made.command is None or not figures:
                continue
            reached, turned = pose_of(robot, made.command)
            assert math.dist(reached, point) <= SAME
            away = math.degrees(turned_away(turned, rotation))
            assert float(figures[-1]) == pytest.approx(away, abs=0.051)
            told += len(figures) == 2
    assert told
