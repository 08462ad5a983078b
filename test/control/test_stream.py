"""A stream of targets without ROS: seed, age, steps, sliding, controllers, warnings, figures."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ik_circles import load_arm
from ik_circles.control.controllers import SHORTEST, check_controller_joints, duration, goal_of
from ik_circles.control.decision import Decision, decide
from ik_circles.control.reporting import ERROR, OK, WARN, Rivals, Tally, Warnings
from ik_circles.control.seed import JointMemory
from ik_circles.control.settings import Settings
from ik_circles.control.stream import jump, staleness
from ik_circles.control.target import Refusal, Target
from ik_circles.errors import InvalidSettingError
from ik_circles.reasons import Code

URDF = Path(__file__).parents[2] / 'urdf'
CHAIN = load_arm((URDF / 'planar_3r.urdf').read_text())  # limits 1.8, 2.2, 1.9 rad
SPATIAL = load_arm((URDF / 'open_manipulator_x.urdf').read_text())
SHOULDER, ELBOW, WRIST = CHAIN.joint_names
STRAIGHT = dict.fromkeys(CHAIN.joint_names, 0.0)
TOLERANCE = Settings().seed_tolerance
SECOND = 10**9
NAN = math.nan


def target(x, y, phi=None):
    return Target((x, y, 0.0), None if phi is None else CHAIN.tool_rotation(phi))


# --- seed ---


def test_the_seed_is_what_was_measured_last_in_any_order():
    memory = JointMemory(CHAIN)
    assert memory.seed(TOLERANCE).positions == {}
    memory.hear(['gripper', WRIST, ELBOW], [7.0, 0.3, 0.2])
    assert memory.seed(TOLERANCE).positions == {WRIST: 0.3, ELBOW: 0.2}
    memory.hear([SHOULDER, ELBOW], [0.1, 0.25])
    memory.hear([SHOULDER, ELBOW, WRIST], [NAN, math.inf])
    memory.hear([], [9.0])
    seed = memory.seed(TOLERANCE)
    assert seed == ({SHOULDER: 0.1, ELBOW: 0.25, WRIST: 0.3}, [])
    assert list(seed.positions) == list(CHAIN.commanded_joints)
    assert set(memory.measured) == set(STRAIGHT)  # a flood of strange names is not kept


def test_the_last_command_stands_in_for_what_is_not_measured():
    memory = JointMemory(CHAIN)
    memory.commanded({SHOULDER: 0.4, ELBOW: 0.5, WRIST: 0.6})
    memory.hear([ELBOW], [0.2])
    assert memory.seed(TOLERANCE).positions == {SHOULDER: 0.4, ELBOW: 0.2, WRIST: 0.6}
    memory.commanded({SHOULDER: -0.4, ELBOW: -0.5, WRIST: -0.6})
    assert memory.seed(TOLERANCE).positions == {SHOULDER: -0.4, ELBOW: 0.2, WRIST: -0.6}


def test_a_joint_a_little_past_its_limit_counts_as_on_it():
    memory = JointMemory(CHAIN)
    memory.hear([SHOULDER, ELBOW], [1.85, -2.3])
    assert memory.seed(0.1 + 1e-12) == ({SHOULDER: 1.8, ELBOW: -2.2}, [])


def test_a_joint_far_past_its_limit_is_not_believed_and_warned_about_once():
    memory = JointMemory(CHAIN)
    memory.hear([SHOULDER, ELBOW], [2.0, 0.1])
    seed = memory.seed(TOLERANCE)
    assert seed.positions == {ELBOW: 0.1}
    (warning,) = seed.warnings
    assert f'{SHOULDER} is measured 11.5 deg past its limit of 103.1 deg' in warning
    memory.commanded(STRAIGHT)
    for past in (2.0, 1.85, 2.0):  # it hangs about there: nothing new
        memory.hear([SHOULDER], [past])
        assert memory.seed(TOLERANCE).warnings == []
    assert memory.seed(TOLERANCE).positions == {**STRAIGHT, ELBOW: 0.1}
    memory.hear([SHOULDER], [1.0])
    assert memory.seed(TOLERANCE).positions[SHOULDER] == 1.0
    memory.hear([SHOULDER], [-1e308])
    assert len(memory.seed(TOLERANCE).warnings) == 1


# --- age ---


@pytest.mark.parametrize(
    ('stamp', 'now', 'timeout', 'words'),
    [
        (100.0, 100.4, 0.5, None),
        (100.0, 100.6, 0.5, 'is 0.600 s old, target_timeout is 0.5 s'),
        (100.0, 1e9, 0.0, None),
        (0.0, 1e9, 0.5, None),  # a stamp of zero means now
        (100.4, 100.0, 0.5, None),
        (100.6, 100.0, 0.5, "0.600 s ahead of this node's clock"),
        (-5.0, 100.0, 0.5, 'is 105.000 s old'),
        (1e9, 0.0, 0.5, 'use_sim_time'),  # a simulated clock that has not started
        (3.0, 3.1, 0.5, None),  # after a bag has started over: stamp and clock went back
    ],
)
def test_the_age_of_a_stamp(stamp, now, timeout, words):
    sentence = staleness(round(stamp * SECOND), round(now * SECOND), timeout)
    assert (sentence is None) == (words is None)
    assert sentence is None or words in sentence


# --- steps ---


def test_a_jump_names_the_joint_and_the_figures():
    near = {**STRAIGHT, ELBOW: 0.3}
    assert jump(near, STRAIGHT, 0.3) is None
    assert jump(near, STRAIGHT, 0.0) is None
    assert jump(near, {}, 0.1) is None
    assert jump(near, {WRIST: 0.0}, 0.1) is None
    assert jump(near, STRAIGHT, 0.2).startswith(
        f'{ELBOW} would move by 17.2 deg in one command, max_joint_step allows 11.5 deg'
    )


def test_a_target_that_is_a_jump_away_is_not_sent():
    settings = Settings(max_joint_step=0.5)
    far = decide(CHAIN, settings, target(0.3, 0.3), STRAIGHT)
    assert (far.code, far.command) == (Code.JUMP, None)
    assert 'max_joint_step allows 28.6 deg' in far.message
    assert far.margin > 0.0 and far.nearest is not None
    assert decide(CHAIN, settings, target(0.3, 0.3), {}).code is Code.OK  # nobody can tell
    assert decide(CHAIN, settings, target(0.89, 0.05), STRAIGHT).code is Code.OK


def test_the_nearest_pose_may_be_a_jump_away_too():
    settings = Settings(max_joint_step=0.5, on_unreachable='nearest')
    far = decide(CHAIN, settings, target(0.0, 2.0), STRAIGHT)
    assert (far.code, far.command) == (Code.JUMP, None)
    assert far.message.startswith('too far by 1.100 m')
    assert 'not moving to the nearest pose' in far.message
    assert 'would move by 90.0 deg' in far.message
    near = decide(CHAIN, settings, target(2.0, 0.5), STRAIGHT)
    assert near.code is Code.TOO_FAR and near.command is not None


def test_the_branch_is_kept_along_a_straight_path():
    for sign in (1.0, -1.0):
        seed = decide(CHAIN, Settings(), target(0.55, -0.3, 0.0), {**STRAIGHT, ELBOW: sign}).command
        settings = Settings(max_joint_step=0.05)
        for y in np.linspace(-0.3, 0.3, 200):
            decision = decide(CHAIN, settings, target(0.55, y, 0.0), seed)
            assert decision.code is Code.OK, decision.message
            assert decision.command[ELBOW] * sign > 0.0
            seed = decision.command


# --- sliding ---


def slide(chain, points, rotation, settings):
    """Largest joint step along unreachable points, each solved from the command before it."""
    seed, largest = None, 0.0
    for x, y in points:
        decision = decide(chain, settings, Target(chain.from_plane(x, y), rotation), seed)
        assert decision.code is not Code.OK
        assert decision.message.endswith('; moving to the nearest pose instead')
        tip = chain.forward_kinematics(decision.command)[:3, 3]
        assert math.dist(tip, decision.nearest[:3]) <= 1e-9
        if seed is not None:
            largest = max(largest, *(abs(decision.command[n] - seed[n]) for n in seed))
        seed = decision.command
    return largest


@pytest.mark.parametrize('oriented', [False, True])
@pytest.mark.parametrize('margin', [0.0, 0.02])
@pytest.mark.parametrize('chain', [CHAIN, SPATIAL], ids=['planar_3r', 'open_manipulator_x'])
def test_unreachable_targets_slide_along_the_boundary(chain, margin, oriented):
    settings = Settings(on_unreachable='nearest', safe_zone_margin=margin)
    rotation = chain.tool_rotation(0.0) if oriented else None
    away = 1.2 * chain.arm.max_reach
    steps = []
    for count in (12, 120, 1200):
        line = [(away, y) for y in np.linspace(-0.4 * away, 0.4 * away, count)]
        steps.append(slide(chain, line, rotation, settings))
    # a third: where an elbow gets straight, it moves by the root of the target's step
    assert steps[1] <= 0.5 * steps[0] and steps[2] <= 0.5 * steps[1], steps


# --- controllers ---


def test_the_controller_gets_its_joints_in_its_order():
    joints = (WRIST, SHOULDER, ELBOW)
    settings = Settings(command_interface='position_array', controller_joints=joints)
    command = {SHOULDER: 0.1, ELBOW: 0.2, WRIST: 0.3}
    goal = goal_of(settings, CHAIN, command, STRAIGHT, {})
    assert list(goal.positions.items()) == [(WRIST, 0.3), (SHOULDER, 0.1), (ELBOW, 0.2)]
    own = goal_of(replace(settings, controller_joints=()), CHAIN, command, STRAIGHT, {})
    assert own.positions == command
    assert goal_of(Settings(controller_joints=joints), CHAIN, command, STRAIGHT, {}) is None


@pytest.mark.parametrize('interface', ['trajectory', 'position_array'])
def test_joints_that_are_not_commanded_stay_where_they_were_measured(interface):
    joints = ('gripper_left_joint', *SPATIAL.commanded_joints)
    settings = Settings(command_interface=interface, controller_joints=joints)
    command = dict.fromkeys(SPATIAL.commanded_joints, 0.1)
    goal = goal_of(settings, SPATIAL, command, {}, {joints[0]: 0.01, joints[1]: 9.0})
    assert list(goal.positions.values()) == [0.01, *[0.1] * len(command)]
    with pytest.raises(Refusal, match='gripper_left_joint, which joint_states has not told of'):
        goal_of(settings, SPATIAL, command, {}, {})


@pytest.mark.parametrize(
    ('joints', 'words'),
    [
        ((SHOULDER, ELBOW), f'lacks {WRIST}; it must have every commanded joint'),
        ((SHOULDER, ELBOW, WRIST, 'moon'), "names 'moon', which is no joint of the robot"),
    ],
)
def test_controller_joints_must_fit_the_robot(joints, words):
    with pytest.raises(InvalidSettingError, match=words):
        check_controller_joints(Settings(controller_joints=joints), CHAIN)
    check_controller_joints(Settings(), CHAIN)


def with_velocity(limit):
    text = (URDF / 'planar_3r.urdf').read_text()
    return load_arm(re.sub('velocity="[^"]*"', f'velocity="{limit}"', text))


def test_a_goal_takes_as_long_as_its_slowest_joint():
    command = {SHOULDER: 1.0, ELBOW: -1.0, WRIST: 0.3}  # at 2, 2.5 and 3 rad/s
    assert duration(CHAIN, command, STRAIGHT) == pytest.approx(0.5)
    assert duration(CHAIN, STRAIGHT, STRAIGHT) == SHORTEST
    assert duration(CHAIN, command, {}) > math.pi / 2.0
    free = with_velocity(0.0)
    assert duration(free, command, STRAIGHT) == pytest.approx(1.0)
    slow = with_velocity(1e-300)
    assert duration(slow, command, STRAIGHT) == pytest.approx(1e6)


@pytest.mark.parametrize(
    'wrong',
    [
        {'seed_tolerance': -0.1}, {'max_joint_step': NAN}, {'target_timeout': math.inf},
        {'command_interface': 'effort'}, {'controller_joints': (SHOULDER, SHOULDER)},
    ],
)
def test_settings_outside_their_choices(wrong):
    with pytest.raises(InvalidSettingError, match=next(iter(wrong))):
        Settings(**wrong)


# --- reports ---


def test_each_reason_is_said_once_a_second_and_recovery_once():
    warnings = Warnings()
    said = [
        warnings.worth_saying(code, now)
        for code, now in [
            (Code.OK, 0.0), (Code.TOO_FAR, 0.1), (Code.TOO_FAR, 0.2), (Code.JUMP, 0.3),
            (Code.TOO_FAR, 0.4), (Code.TOO_FAR, 1.2), (Code.OK, 1.3), (Code.OK, 1.4),
            (Code.TOO_FAR, 1.5), (Code.OK, 1.6), (Code.STALE, 1.7), (Code.OK, 1.8),
        ]
    ]
    assert said == [
        False, True, False, True, False, True, True, False, False, False, True, True
    ]


def test_the_figures_of_a_period():
    tally = Tally()
    assert tally.summary(None, 'nothing yet').level == ERROR
    first = tally.summary(CHAIN, '')
    assert (first.level, first.message) == (OK, 'no target yet')
    assert first.values['model'] == 'planar_3r'
    assert first.values['joints'] == ', '.join(CHAIN.commanded_joints)
    tally.answered(Decision(Code.OK, 'fine', command=STRAIGHT), 0.001)
    tally.answered(Decision(Code.TOO_FAR, 'too far', command=STRAIGHT), 0.002)
    tally.answered(Decision(Code.JUMP, 'a jump'), 0.006)
    summary = tally.summary(CHAIN, '')
    assert (summary.level, summary.message) == (WARN, 'the last target was refused: a jump')
    values = summary.values
    assert (values['targets taken'], values['nearest pose sent instead']) == ('1', '1')
    assert (values['targets refused'], values['refused JUMP']) == ('1', '1')
    assert values['last reason'] == 'a jump' and values['targets in this period'] == '3'
    assert (values['latency median [ms]'], values['latency max [ms]']) == ('2.000', '6.000')
    idle = tally.summary(CHAIN, '')
    assert (idle.level, idle.values['targets in this period']) == (WARN, '0')
    assert idle.values['latency max [ms]'] == '-'
    tally.answered(Decision(Code.OK, 'fine', command=STRAIGHT), 0.001)
    assert tally.summary(CHAIN, '').level == OK


def test_rivals_are_told_of_once_per_change():
    rivals = Rivals('/sim_arm')
    alone, two = ['/sim_arm'], ['/sim_arm', '/driver']
    looks = [[], alone, two, two, two, alone, two, alone, alone, alone]
    assert [rivals.news(look) for look in looks] == [
        None, None, None, ['/driver'], None, None, None, None, [], None
    ]
    assert rivals.news(['/sim_arm'] * 2) is None
    assert rivals.news(['/sim_arm'] * 2) == ['/sim_arm']
