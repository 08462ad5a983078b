"""The kinematic arm: velocity limits, partial commands, and what it refuses."""

import math
from pathlib import Path

import numpy as np
import pytest

from ik_circles.control.simulation import DEFAULT_VELOCITY, LIMIT_ROUNDING, SimulatedArm
from ik_circles.robot.urdf import parse_urdf

PLANAR = Path(__file__).parents[2] / 'urdf' / 'planar_3r.urdf'
VELOCITIES = {'shoulder_joint': 2.0, 'elbow_joint': 2.5, 'wrist_joint': 3.0}
LIMITS = {'shoulder_joint': 1.8, 'elbow_joint': 2.2, 'wrist_joint': 1.9}
PERIOD = 0.01
ROUNDING = 1e-14


@pytest.fixture
def arm():
    return SimulatedArm(parse_urdf(PLANAR.read_bytes()))


def test_goals_are_reached_no_faster_than_the_velocity_limits_allow(arm):
    rng = np.random.default_rng(0)
    for _ in range(20):
        goal = {name: rng.uniform(-limit, limit) for name, limit in LIMITS.items()}
        start = dict(arm.positions)
        assert arm.command(list(goal), list(goal.values())) is None
        slowest = max(abs(goal[n] - start[n]) / VELOCITIES[n] for n in goal)
        for _ in range(math.ceil(slowest / PERIOD) + 1):
            before = dict(arm.positions)
            arm.step(PERIOD)
            for name, position in arm.positions.items():
                moved = position - before[name]
                assert abs(moved) <= VELOCITIES[name] * PERIOD + ROUNDING
                assert arm.velocities[name] * PERIOD == pytest.approx(moved, abs=ROUNDING)
                assert abs(position) <= LIMITS[name]
                assert abs(goal[name] - position) <= abs(goal[name] - before[name])
        assert arm.positions == goal
    arm.step(PERIOD)
    assert set(arm.velocities.values()) == {0.0}


def test_by_hand(arm):
    assert arm.positions == arm.velocities == dict.fromkeys(LIMITS, 0.0)
    assert arm.command(['elbow_joint'], [1.0]) is None
    arm.step(0.1)
    assert arm.positions == {'shoulder_joint': 0.0, 'elbow_joint': 0.25, 'wrist_joint': 0.0}
    assert arm.velocities['elbow_joint'] == pytest.approx(2.5, abs=ROUNDING)
    arm.step(0.0)
    assert arm.positions['elbow_joint'] == 0.25
    assert set(arm.velocities.values()) == {0.0}
    arm.step(10.0)
    assert arm.positions['elbow_joint'] == 1.0


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
    arm.step(0.5)
    assert arm.positions['round'] == 0.5 * DEFAULT_VELOCITY
