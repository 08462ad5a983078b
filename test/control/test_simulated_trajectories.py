# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The kinematic arm on trajectories: as joint_trajectory_controller, inside the arm's limits."""

import math

import numpy as np
import pytest
from law_cases import cases
from simulated import LIMITS, PLANAR, kept_step

from ik_circles.control.simulation import MAX_POINTS, SimulatedArm, TrajectoryPoint
from ik_circles.robot.urdf import parse_urdf

JOINTS = tuple(LIMITS)
#: Positions on the same cubic by two formulas [rad].
EXACT = 1e-10


def made(acceleration=50.0):
    return SimulatedArm(parse_urdf(PLANAR.read_bytes()), acceleration)


@pytest.fixture
def arm():
    return made()


def trajectory(rng, count, pause, speed=0.2, share=0.5):
    """Random points that end at rest, `pause` [s] apart or more."""
    times = np.cumsum(rng.uniform(pause, 2.0 * pause, count)).tolist()
    sizes = np.array(list(LIMITS.values()))
    positions = rng.uniform(-share * sizes, share * sizes, (count, 3)).tolist()
    velocities = rng.uniform(-speed, speed, (count, 3))
    velocities[-1] = 0.0
    return [TrajectoryPoint(*one) for one in zip(times, positions, velocities.tolist())]


def cubic(first, last, time):
    """Position and velocity of the cubic between (time, position, velocity) and another."""
    rows = [[1.0, t, t * t, t**3] for t in (0.0, last[0] - first[0])]
    slopes = [[0.0, 1.0, 2.0 * t, 3.0 * t * t] for t in (0.0, last[0] - first[0])]
    given = [first[1], last[1], first[2], last[2]]
    coefficients = np.linalg.solve(rows + slopes, given)
    t = time - first[0]
    return coefficients @ [1.0, t, t * t, t**3], coefficients @ [0.0, 1.0, 2.0 * t, 3.0 * t * t]


@pytest.mark.parametrize('seed', range(cases(100, 40)))
def test_a_trajectory_with_velocities_is_the_cubic_in_time(seed):
    """Law: from where the arm is and moves, through every point, in steps of any length."""
    rng, arm = np.random.default_rng(seed), made()
    arm.command(JOINTS, rng.uniform(-0.1, 0.1, 3).tolist())
    arm.step(0.02)  # it moves now
    points = trajectory(rng, 4, 3.0)
    delay = rng.uniform(0.0, 0.5)
    starts = list(zip(arm.positions.values(), arm.velocities.values()))
    assert arm.follow(JOINTS, points, delay) is None
    time = 0.0
    while time < points[-1].time + delay:
        period = rng.uniform(0.001, 0.015)
        time += period
        kept_step(arm, 50.0, period)
        for joint, name in enumerate(JOINTS):
            knots = [(0.0, *starts[joint])]
            knots += [(p.time + delay, p.positions[joint], p.velocities[joint]) for p in points]
            after = min(sum(knot[0] <= time for knot in knots), len(knots) - 1)
            found = cubic(knots[after - 1], knots[after], min(time, knots[-1][0]))
            assert arm.positions[name] == pytest.approx(found[0], abs=EXACT)
            assert arm.velocities[name] == pytest.approx(found[1], abs=EXACT)
    assert list(arm.positions.values()) == points[-1].positions
    assert set(arm.velocities.values()) == {0.0}


@pytest.mark.parametrize('seed', range(cases(200, 40)))
def test_whatever_is_asked_in_flight_every_limit_is_kept_and_the_last_wins(seed):
    """Law: trajectories too fast for the arm, commands and stops, each replacing the one before."""
    rng = np.random.default_rng(seed)
    acceleration = 10.0 ** rng.uniform(0.0, 3.0)
    arm = made(acceleration)
    for _ in range(10):
        points = trajectory(rng, 5, 10.0 ** rng.uniform(-3.0, 0.5), 5.0, 1.0)
        if rng.random() < 0.3:
            points = [TrajectoryPoint(*point[:2]) for point in points]
        assert arm.follow(JOINTS, points, rng.uniform(-0.001, 0.5)) is None
        if rng.random() < 0.3:
            assert arm.follow(JOINTS[:1], []) is None
        if rng.random() < 0.3:
            assert arm.command(JOINTS[1:2], [rng.uniform(-2.2, 2.2)]) is None
        for _ in range(int(rng.integers(1, 60))):
            kept_step(arm, acceleration, 10.0 ** rng.uniform(-8.0, -1.0))
    assert arm.follow(JOINTS, points) is None
    for _ in range(400):
        kept_step(arm, acceleration, 0.02)
    arm.step(points[-1].time + 20.0)
    assert list(arm.positions.values()) == pytest.approx(points[-1].positions, abs=EXACT)
    assert max(map(abs, arm.velocities.values())) < EXACT


def test_by_hand(arm):
    """From rest to rest by 1 rad in 2 s: half way at half time, at 0.75 rad/s."""
    assert arm.follow(['elbow_joint'], [TrajectoryPoint(2.0, [1.0], [0.0])]) is None
    arm.step(1.0)
    assert arm.positions['elbow_joint'] == pytest.approx(0.5, abs=EXACT)
    assert arm.velocities['elbow_joint'] == pytest.approx(0.75, abs=EXACT)
    arm.step(1.0)
    assert (arm.positions['elbow_joint'], arm.velocities['elbow_joint']) == (1.0, 0.0)
    assert arm.positions['shoulder_joint'] == arm.positions['wrist_joint'] == 0.0


def test_points_without_velocities_are_joined_by_lines(arm):
    """At 0.5 rad/s the arm is as far behind as it takes to brake, 0.0025 rad, and not past."""
    points = [TrajectoryPoint(1.0, [0.5]), TrajectoryPoint(3.0, [-0.5])]
    assert arm.follow(['wrist_joint'], points) is None
    for number in range(1, 401):
        kept_step(arm, 50.0, 0.01)
        time = number * 0.01
        line = 0.5 * time if time <= 1.0 else max(1.0 - 0.5 * time, -0.5)
        assert abs(arm.positions['wrist_joint'] - line) <= 0.011
        assert -0.5 <= arm.positions['wrist_joint'] <= 0.5
        if 0.2 < time < 1.0:
            assert line - arm.positions['wrist_joint'] == pytest.approx(0.0025, abs=1e-6)
            assert arm.velocities['wrist_joint'] == pytest.approx(0.5, abs=1e-4)
    assert (arm.positions['wrist_joint'], arm.velocities['wrist_joint']) == (-0.5, 0.0)


def test_a_trajectory_that_began_before_is_caught_up_with(arm):
    """It is 0.1875 rad ahead and moves at 0.625 rad/s; 2 rad/s gain that in less than 0.3 s."""
    ends = (0.0, -1.0, 1.0), (3.0, 1.0, 0.5)
    points = [TrajectoryPoint(at, [where], [speed]) for at, where, speed in ends]
    points.append(TrajectoryPoint(5.0, [1.5], [0.0]))
    assert arm.follow(['shoulder_joint'], points, -1.5) is None
    assert cubic(*ends, 1.5) == pytest.approx((0.1875, 0.625))
    for number in range(1, 101):
        kept_step(arm, 50.0, 0.01)
        found = cubic(*ends, 1.5 + 0.01 * number)
        on_path = abs(arm.positions['shoulder_joint'] - found[0]) < EXACT
        assert on_path or number < 30
    assert arm.velocities['shoulder_joint'] == pytest.approx(found[1], abs=EXACT)


def test_a_cubic_at_the_limit_of_the_acceleration_is_followed():
    """1 rad in 2 s from rest to rest begins and ends with 6 / 2**2 rad/s^2."""
    arm = made(1.5)
    assert arm.follow(['elbow_joint'], [TrajectoryPoint(2.0, [1.0], [0.0])]) is None
    for number in range(1, 2001):
        kept_step(arm, 1.5, 0.001)
        found = cubic((0.0, 0.0, 0.0), (2.0, 1.0, 0.0), 0.001 * number)
        assert arm.positions['elbow_joint'] == pytest.approx(found[0], abs=EXACT)


def test_the_newest_message_moves_the_joints_that_it_names(arm):
    assert arm.follow(JOINTS, [TrajectoryPoint(1.0, [0.5, 0.5, 0.5])]) is None
    assert arm.command(['elbow_joint'], [-0.5]) is None
    assert arm.follow(['wrist_joint'], [TrajectoryPoint(1.0, [-0.5])]) is None
    arm.step(2.0)
    assert list(arm.positions.values()) == [0.5, -0.5, -0.5]


def test_joints_that_follow_a_trajectory_can_be_spared_by_commands(arm):
    both = JOINTS[:2]
    assert arm.command(both, [0.1, 0.1], spare_led=True) is None  # no trajectory yet
    arm.step(1.0)
    assert arm.follow(['shoulder_joint'], [TrajectoryPoint(1.0, [0.5])]) is None
    assert arm.command(both, [-0.5, -0.5], spare_led=True) is None
    arm.step(2.0)  # the trajectory has ended, and still has its joint
    assert arm.command(both, [-0.4, -0.4], spare_led=True) is None
    arm.step(2.0)
    assert list(arm.positions.values()) == [0.5, -0.4, 0.0]
    assert arm.command(both, [-0.3, -0.3]) is None
    assert arm.command(both, [-0.2, -0.2], spare_led=True) is None  # the command has it now
    arm.step(2.0)
    assert list(arm.positions.values()) == [-0.2, -0.2, 0.0]


@pytest.mark.parametrize(('names', 'moving'), [((), ()), (('elbow_joint',), (0, 2))])
def test_a_trajectory_without_points_brakes(arm, names, moving):
    """At 2 rad/s and 50 rad/s^2 that takes 0.04 s and 0.04 rad."""
    assert arm.command(JOINTS, [1.5, 1.5, 1.5]) is None
    arm.step(0.2)
    at, speeds = list(arm.positions.values()), list(arm.velocities.values())
    assert arm.follow(names, []) is None
    for _ in range(10):
        kept_step(arm, 50.0, 0.01)
    for joint, position in enumerate(arm.positions.values()):
        braked = at[joint] + speeds[joint] ** 2 / 100.0
        assert (position == pytest.approx(braked, abs=EXACT)) == (joint not in moving)
    arm.step(5.0)
    for joint in moving:
        assert arm.positions[JOINTS[joint]] == 1.5


def test_a_cubic_that_swings_past_a_limit_is_cut_off_there(arm):
    """Its points are inside, and with its velocities it would get to 1.8 + 0.06 rad."""
    points = [TrajectoryPoint(1.0, [1.7], [1.5]), TrajectoryPoint(1.5, [1.7], [0.0])]
    assert arm.follow(['shoulder_joint'], points) is None
    highest = -math.inf
    for _ in range(200):
        kept_step(arm, 50.0, 0.01)
        highest = max(highest, arm.positions['shoulder_joint'])
    assert 1.79 < highest <= 1.8
    assert arm.positions['shoulder_joint'] == 1.7


POINT = TrajectoryPoint(1.0, [0.1, 0.2], [0.0, 0.0])
HOSTILE = [
    (['elbow_joint', 'moon'], [POINT], 0.0, "unknown joint 'moon'; this arm has shoulder_joint"),
    (['moon'], [], 0.0, "unknown joint 'moon'"),
    (['elbow_joint'] * 2, [POINT], 0.0, 'a joint is named twice in elbow_joint, elbow_joint'),
    ([], [TrajectoryPoint(1.0, [])], 0.0, 'it names no joint; name those that its points are for'),
    (JOINTS, [POINT], 0.0, 'point 1 has 2 positions for 3 joints; give 3'),
    (JOINTS[:2], [POINT, POINT._replace(time=2.0, positions=[])], 0.0, 'point 2 has 0 positions'),
    (JOINTS[:2], [POINT._replace(velocities=[0.0])], 0.0, 'has 1 velocities for 2 joints; give 2'),
    (JOINTS[:2], [POINT, POINT], 0.0, 'point 2 is at 1 s, and the one before it at 1 s; give'),
    (JOINTS[:2], [POINT, POINT._replace(time=0.5)], 0.0, 'point 2 is at 0.5 s, and the one before'),
    (JOINTS[:2], [POINT._replace(time=-0.5)], 0.0, 'point 1 is at -0.5 s from the start; give a'),
    (JOINTS[:2], [POINT._replace(time=math.nan)], 0.0, 'point 1 is at nan s from the start'),
    (JOINTS[:2], [POINT._replace(time=math.inf)], 0.0, 'point 1 is at inf s from the start'),
    (JOINTS[:2], [POINT, POINT._replace(time=math.inf)], 0.0, 'point 2 is at inf s'),
    (JOINTS[:2], [POINT, POINT._replace(time=math.nan)], 0.0, 'point 2 is at nan s'),
    (JOINTS[:2], [POINT._replace(positions=[0.1, math.nan])], 0.0, "point 1: joint 'elbow_joint' "),
    (JOINTS[:2], [POINT._replace(positions=[1.9, 0.0])], 0.0, 'is sent to 1.9, outside its limits'),
    (JOINTS[:2], [POINT._replace(velocities=[0.0, math.inf])], 0.0, 'has velocity inf; give a fin'),
    (JOINTS[:2], [POINT._replace(velocities=[0.0, 1e7])], 0.0, 'has velocity 10000000.0; give a'),
    (JOINTS[:2], [POINT._replace(velocities=[0.0, 0.1])], 0.0, "leaves joint 'elbow_joint' with v"),
    (JOINTS[:2], [POINT], -3.0, 'it ended 2 s ago; give a later stamp, or 0 to start at once'),
    (JOINTS[:2], [POINT] * (MAX_POINTS + 1), 0.0, 'it has 10001 points; give at most 10000'),
]


@pytest.mark.parametrize(('names', 'points', 'delay', 'reason'), HOSTILE)
def test_a_refused_trajectory_changes_nothing(arm, names, points, delay, reason):
    assert arm.follow(JOINTS[:1], [TrajectoryPoint(1.0, [0.3])]) is None
    assert arm.command(JOINTS[1:2], [-0.3]) is None
    assert reason in arm.follow(names, points, delay)
    arm.step(2.0)
    assert list(arm.positions.values()) == [0.3, -0.3, 0.0]


def test_the_longest_trajectory_is_taken_and_rounding_past_a_limit_ends_on_it(arm):
    limit = LIMITS['wrist_joint']
    points = [TrajectoryPoint(0.001 * n, [math.nextafter(limit, 2.0)]) for n in range(MAX_POINTS)]
    assert arm.follow(['wrist_joint'], points) is None
    arm.step(15.0)
    assert arm.positions['wrist_joint'] == limit
