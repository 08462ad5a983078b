# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The kinematic arm: its limits, partial commands, and what it refuses."""

import math

import numpy as np
import pytest
from law_cases import cases
from simulated import LIMITS, PLANAR, ROUNDING, VELOCITIES, fastest, kept_step

from ik_circles.control.simulation import (
    DEFAULT_VELOCITY,
    LIMIT_ROUNDING,
    SLICE,
    SimulatedArm,
    TrajectoryPoint,
)
from ik_circles.robot.urdf import parse_urdf


@pytest.fixture
def arm():
    return SimulatedArm(parse_urdf(PLANAR.read_bytes()))


@pytest.mark.parametrize('seed', range(cases(200)))
def test_whatever_jumps_the_goals_make_every_limit_is_kept(seed):
    """Law: also in a stream whose goals are replaced in flight, in steps of any length."""
    rng = np.random.default_rng(seed)
    acceleration = 10.0 ** rng.uniform(-1.0, 3.0)
    arm = SimulatedArm(parse_urdf(PLANAR.read_bytes()), acceleration)
    for _ in range(200):
        if rng.random() < 0.2:
            shares = rng.choice((-1.0, 1.0, rng.uniform(-1.0, 1.0)), 3)
            goal = {name: share * LIMITS[name] for name, share in zip(LIMITS, shares)}
            assert arm.command(list(goal), list(goal.values())) is None
        kept_step(arm, acceleration, 10.0 ** rng.uniform(-6.0, -1.0))


@pytest.mark.parametrize('seed', range(cases(200)))
def test_a_goal_is_reached_as_fast_as_the_limits_allow_without_overshoot(seed):
    """Law: within three steps of the closed form for one jump from rest to rest."""
    rng = np.random.default_rng(seed)
    acceleration, period = 10.0 ** rng.uniform(0.0, 3.0), 10.0 ** rng.uniform(-3.0, -1.0)
    arm = SimulatedArm(parse_urdf(PLANAR.read_bytes()), acceleration)
    for _ in range(5):
        goal = {name: rng.uniform(-limit, limit) for name, limit in LIMITS.items()}
        slowest = max(
            fastest(abs(goal[name] - arm.positions[name]), VELOCITIES[name], acceleration)
            for name in goal
        )
        assert arm.command(list(goal), list(goal.values())) is None
        for _ in range(math.ceil(slowest / period) + 2):
            before = dict(arm.positions)
            kept_step(arm, acceleration, period)
            for name, position in arm.positions.items():
                assert (position - before[name]) * (goal[name] - before[name]) >= 0.0
                assert (goal[name] - position) * (goal[name] - before[name]) >= 0.0
        assert arm.positions == goal
        assert set(arm.velocities.values()) == {0.0}


@pytest.mark.parametrize('seed', range(cases(200, 40)))
def test_goals_at_an_even_pace_are_followed_no_later_than_braking_needs(seed):
    """Law: a stream in small steps, one for each period, as 50 to 1000 Hz give it."""
    rng = np.random.default_rng(seed)
    acceleration, period = 10.0 ** rng.uniform(0.5, 3.0), rng.uniform(0.001, SLICE)
    pace = rng.uniform(0.05, 0.95) * VELOCITIES['elbow_joint']
    arm = SimulatedArm(parse_urdf(PLANAR.read_bytes()), acceleration)
    goal = -LIMITS['elbow_joint']
    arm.command(['elbow_joint'], [goal])
    arm.step(100.0)
    while goal + pace * period < LIMITS['elbow_joint']:
        goal += pace * period
        arm.command(['elbow_joint'], [goal])
        kept_step(arm, acceleration, period)
        assert arm.positions['elbow_joint'] <= goal
    if LIMITS['elbow_joint'] > 5.0 * pace * (pace / acceleration + period):  # it is up to speed
        lag = goal - arm.positions['elbow_joint']
        assert lag == pytest.approx(pace * pace / (2.0 * acceleration), abs=1e-6)
        assert arm.velocities['elbow_joint'] == pytest.approx(pace, abs=1e-6)


def test_by_hand(arm):
    """To 2.5 rad/s at 50 rad/s^2 in 0.05 s and 0.0625 rad, then on; braking takes as much."""
    assert arm.positions == arm.velocities == dict.fromkeys(LIMITS, 0.0)
    assert arm.command(['elbow_joint'], [1.0]) is None
    arm.step(0.1)
    assert arm.positions == {'shoulder_joint': 0.0, 'elbow_joint': 0.1875, 'wrist_joint': 0.0}
    assert arm.velocities == {'shoulder_joint': 0.0, 'elbow_joint': 2.5, 'wrist_joint': 0.0}
    for duration in (0.0, -1.0):
        arm.step(duration)
        assert (arm.positions['elbow_joint'], arm.velocities['elbow_joint']) == (0.1875, 2.5)
    arm.step(0.3)
    assert arm.positions['elbow_joint'] == pytest.approx(0.9375, abs=ROUNDING)
    assert arm.command(['elbow_joint'], [0.5]) is None  # too late to stop there
    arm.step(0.05)
    assert arm.positions['elbow_joint'] == pytest.approx(1.0, abs=ROUNDING)
    assert arm.velocities['elbow_joint'] == pytest.approx(0.0, abs=ROUNDING)
    arm.step(10.0)
    assert arm.positions['elbow_joint'] == 0.5


def test_a_clock_that_jumps_costs_no_time_and_does_no_harm(arm):
    assert arm.command(['elbow_joint'], [1.0]) is None
    arm.step(1e9)
    assert arm.positions['elbow_joint'] == pytest.approx(1.0)
    arm.step(1.0)
    assert (arm.positions['elbow_joint'], arm.velocities['elbow_joint']) == (1.0, 0.0)


def test_a_partial_command_leaves_the_other_goals(arm):
    assert arm.command(['shoulder_joint', 'wrist_joint'], [0.5, -0.5]) is None
    assert arm.command(['wrist_joint'], [0.25]) is None
    assert arm.command([], []) is None
    arm.step(1.0)
    assert list(arm.positions.values()) == [0.5, 0.0, 0.25]


@pytest.mark.parametrize(
    ('names', 'positions', 'reason'),
    [
        (['gripper'], [0.1], "unknown joint 'gripper'; this arm has shoulder_joint, elbow_joint"),
        ([''], [0.1], "unknown joint ''; this arm has"),
        (['wrist_joint'], [1.91], 'is sent to 1.91, outside its limits of -1.9 to 1.9'),
        (['wrist_joint'], [-2.0], 'is sent to -2, outside its limits of -1.9 to 1.9'),
        (['wrist_joint'], [math.nan], 'is sent to nan; give a finite number'),
        (['wrist_joint'], [-math.inf], 'is sent to -inf; give a finite number'),
        (['wrist_joint', 'wrist_joint'], [0.1, 0.1], 'a joint is named twice in wrist_joint, '),
        (['wrist_joint'], [], '1 joint names with 0 positions; give one for each'),
        ([], [0.1], '0 joint names with 1 positions; give one for each'),
        (['elbow_joint', 'gripper'], [0.1, 0.1], "unknown joint 'gripper'"),
    ],
)
def test_a_refused_command_changes_nothing(arm, names, positions, reason):
    arm.command(['shoulder_joint', 'elbow_joint'], [0.3, -0.3])
    assert reason in arm.command(names, positions)
    arm.step(1.0)
    assert list(arm.positions.values()) == [0.3, -0.3, 0.0]


@pytest.mark.parametrize(('sign', 'limit'), [(1.0, 1.9), (-1.0, -1.9)])
def test_what_counts_as_rounding_past_a_limit(arm, sign, limit):
    assert arm.command(['wrist_joint'], [limit + sign * LIMIT_ROUNDING]) is None
    assert 'outside its limits' in arm.command(['wrist_joint'], [limit + sign * 1.1e-9])
    arm.step(10.0)
    assert arm.positions['wrist_joint'] == limit


def test_rounding_past_a_limit_ends_on_the_limit(arm):
    assert arm.command(['wrist_joint'], [math.nextafter(1.9, 2.0)]) is None
    arm.step(1.0)
    assert arm.positions['wrist_joint'] == 1.9


def test_starts_inside_the_limits_and_moves_only_what_moves_by_itself():
    kinds = {
        'late': ('revolute', '<limit lower="0.5" upper="1"/>'),
        'early': ('prismatic', '<limit lower="-1" upper="-0.25"/>'),
        'round': ('continuous', ''),
        'copy': ('continuous', '<mimic joint="round"/>'),
        'stiff': ('fixed', ''),
    }
    links = ''.join(f'<link name="{n}"/>' for n in range(6))
    joints = ''.join(
        f'<joint name="{name}" type="{kind}"><parent link="{n}"/><child link="{n + 1}"/>{inner}'
        '</joint>'
        for n, (name, (kind, inner)) in enumerate(kinds.items())
    )
    arm = SimulatedArm(parse_urdf(f'<robot name="r">{links}{joints}</robot>'))
    assert arm.positions == {'late': 0.5, 'early': -0.25, 'round': 0.0}
    assert arm.command(['round'], [100.0]) is None
    arm.step(0.5)  # it gets to its velocity in 0.02 s
    assert arm.positions['round'] == pytest.approx(0.49 * DEFAULT_VELOCITY, abs=ROUNDING)
    assert arm.velocities['round'] == DEFAULT_VELOCITY


def test_numbers_are_taken_up_to_the_largest_ones_and_refused_past_them():
    """To the last bit: 1e6 rad and rad/s, a last velocity of 1e-6 rad/s, and an end just now."""
    joint = '<joint name="round" type="continuous"><parent link="a"/><child link="b"/></joint>'
    text = f'<robot name="r"><link name="a"/><link name="b"/>{joint}</robot>'
    arm = SimulatedArm(parse_urdf(text))
    end, names = TrajectoryPoint(2.0, [0.0], [0.0]), ['round']

    def follow(delay=0.0, position=0.0, velocity=0.0, last=0.0):
        points = [TrajectoryPoint(0.0, [position], [velocity]), end._replace(velocities=[last])]
        return arm.follow(names, points, delay)

    for sign in (1.0, -1.0):
        assert arm.command(names, [sign * 1e6]) is None
        assert 'give a finite number, at most 1e+06' in arm.command(names, [sign * 1000000.5])
        assert follow(position=sign * 1e6) is follow(velocity=sign * 1e6) is None
        assert "round' has velocity" in follow(velocity=sign * 1000000.5)
        assert follow(last=sign * 1e-6) is None
        assert 'a trajectory ends at rest' in follow(last=sign * 1.001e-6)
    assert follow(delay=-2.0) is None
    assert 'it ended 0.001 s ago' in follow(delay=-2.001)


@pytest.mark.parametrize('duration', [0.0, -0.01, -1.0])
def test_a_step_of_no_time_or_back_in_time_changes_nothing(arm, duration):
    arm.command(['elbow_joint'], [1.0])
    arm.step(0.1)
    before = dict(arm.positions), dict(arm.velocities)
    arm.step(duration)
    assert (arm.positions, arm.velocities) == before
    arm.step(0.01)
    assert arm.positions['elbow_joint'] > before[0]['elbow_joint']
