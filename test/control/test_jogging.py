# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A jog moves the tip as asked: within all limits, above the floor, and never stuck."""

import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from law_cases import FULL, QUICK, cases
from motions import ROUNDING
from moving_arms import PARAMETERS, height, some_robot
from three_joints import shipped_arm

from ik_circles import load_arm
from ik_circles.control.floor import GRAZE
from ik_circles.control.moves.jogging import BACK, Jogging
from ik_circles.control.moves.plan import State, limits_of
from ik_circles.control.settings import Settings
from ik_circles.reasons import Code

SO101 = shipped_arm('so101')
BENT = dict(zip(SO101.commanded_joints, (0.2, 0.3, 0.6, 0.4, 0.1)))
SETTINGS = Settings()
STILL = (0.0, 0.0, 0.0)
AT_REST = MappingProxyType({})
PERIOD, TIMEOUT = 0.01, 0.2
#: Between the steps of long slides: they are slow to test [s].
LONG = PERIOD if FULL else 0.08 if QUICK else 0.04


class Jogged:
    """A jog of an arm, every step of which is checked."""

    def __init__(
        self, arm, positions, velocities=AT_REST, settings=SETTINGS, period=PERIOD, stop=0.0
    ):
        self.period = period
        self.arm, self.now, self.limits = arm, 0.0, limits_of(
            arm, arm.commanded_joints, PARAMETERS.max_acceleration
        )
        state = State(positions, velocities)
        self.told = []
        self.jogging = Jogging(
            arm, settings, self.limits, state, 0.0,
            lambda one: self.told.append(one.code), stop,
        )  # fmt: skip
        self.floor = None if arm.floor is None else min(arm.floor, height(arm, positions))

    def joints(self):
        state = self.jogging.state(self.now)
        return tuple(map(np.array, state.of(self.arm.commanded_joints)))

    def tip(self):
        return self.arm.forward_kinematics(self.jogging.state(self.now).positions)

    def hear(self, linear, angular=STILL):
        self.jogging.hear(linear, angular, self.now)

    def step(self, duration=None):
        """One step within the limits of velocity, acceleration and range, above the floor."""
        before, speeds = self.joints()
        duration = self.period if duration is None else duration
        self.now += duration
        rate = 1.0 / self.period
        parameters = replace(PARAMETERS, command_rate=rate, jog_timeout=TIMEOUT)
        positions = self.jogging.step(self.now, parameters)
        after, later = self.joints()
        assert tuple(positions.values()) == tuple(after)
        fastest, strongest = map(np.array, (self.limits.velocities, self.limits.accelerations))
        low, high = np.array(self.limits.ranges).T
        assert (np.abs(later) <= fastest * (1.0 + ROUNDING)).all()
        assert (np.abs(later - speeds) <= strongest * duration * (1.0 + 1e-6) + 1e-9).all()
        mean = (speeds + later) / 2.0 * duration
        assert (np.abs(after - before - mean) <= strongest * duration**2 / 2.0 + 1e-9).all()
        assert ((low - ROUNDING <= after) & (after <= high + ROUNDING)).all()
        if self.floor is not None:
            assert height(self.arm, positions) >= self.floor - 2.0 * GRAZE

    def steps(self, duration, linear, angular=STILL):
        """Steps of a steady stream."""
        for _ in range(round(duration / self.period)):
            self.hear(linear, angular)
            self.step()

    def comes_to_rest(self):
        """Without a stream it rests, and soon."""
        for _ in range(round((TIMEOUT + 5.0) / self.period)):
            self.step()
            if self.jogging.resting:
                return
        raise AssertionError('it does not come to rest')


@pytest.mark.parametrize('seed', range(cases(300, 100)))
def test_whatever_is_asked_all_limits_are_kept(seed):
    """Law: random velocities, small and absurd, and steps of any duration, with a floor or none."""
    robot, random = some_robot(seed)
    start = robot.drawn(random)
    settings = Settings(orientation_mode=str(random.choice(['preferred', 'free', 'fixed'])))
    arm = robot.arm
    if random.random() < 0.5:
        room = random.choice([0.0, 1e-6, 0.1 * random.random()])
        arm = arm.above(height(arm, start) - float(room))
    jogged = Jogged(arm, start, settings=settings)
    for _ in range(6):
        scale = 10.0 ** random.uniform(-2.0, 1.0)
        linear, angular = random.normal(size=(2, 3)) * scale
        kind = random.integers(4)
        if kind < 2:
            linear, angular = ((linear, (0.0, 0.0, 0.0)), ((0.0, 0.0, 0.0), angular))[kind]
        for _ in range(random.integers(1, 25)):
            jogged.hear(linear, angular)
            jogged.step(PERIOD * random.choice([1.0, random.uniform(0.0, 2.0), 0.0, 5.0]))
    jogged.comes_to_rest()


def is_bent(robot, positions):
    """Whether the elbow is."""
    return abs(np.sin(robot.arm.naming.arm_angles(positions)[1])) >= 0.4


def stays_bent(robot, start, way):
    """Whether the elbow is bent also at the end of a way [m] on which the tool does not turn."""
    line = robot.arm.straight_line(start, tuple((robot.tip(start)[:3, 3] + way).tolist()))
    return line.share == 1.0 and is_bent(robot, line.positions(1.0))


def in_the_open(robot, random):
    """Joint positions far from limits, a bent elbow, and a tip with room around it, or None."""
    own = robot.drawn(random)
    room = min(
        min(own[name] - joint.lower, joint.upper - own[name])
        for name, joint in robot.arm.naming.joints.items()
    )
    tip = robot.tip(own)
    if room < 0.3 or not is_bent(robot, own):
        return None
    found = robot.arm.check_reachability(tuple(tip[:3, 3].tolist()))
    return own if found.reachable and found.margin > 0.06 else None


@pytest.mark.parametrize('seed', range(cases(200, 80)))
def test_in_the_open_the_tip_moves_as_asked(seed):
    """Law: never stuck, and in the direction that is asked for.

    Beside a straight elbow it is slower.
    """
    robot, random = some_robot(seed)
    start = next((one for one in (in_the_open(robot, random) for _ in range(50)) if one), None)
    if start is None:
        return
    jogged = Jogged(robot.arm, start, settings=Settings(orientation_mode='free'))
    way = random.normal(size=3)
    if robot.arm.yaw_joint is None:
        normal = robot.arm.plane[:3, 2]
        way -= normal * (normal @ way)
    way *= 0.02 / np.linalg.norm(way)
    if not stays_bent(robot, start, 0.7 * way):
        return
    jogged.steps(0.2, tuple(way.tolist()))
    begin = jogged.tip()[:3, 3]
    jogged.steps(0.5, tuple(way.tolist()))
    moved = jogged.tip()[:3, 3] - begin
    assert moved == pytest.approx(0.5 * way, abs=0.05 * 0.01)
    jogged.comes_to_rest()


@pytest.mark.parametrize('period', [0.002, 0.02, 0.05])
def test_a_jog_goes_on_as_asked_at_another_command_rate(period):
    jogged, way = Jogged(SO101, BENT), (0.0, 0.03, 0.0)
    jogged.steps(0.2, way)
    jogged.period = period
    jogged.steps(0.2, way)
    begin = jogged.tip()[:3, 3]
    jogged.steps(0.4, way)
    assert jogged.tip()[:3, 3] - begin == pytest.approx(0.4 * np.array(way), abs=4e-4)


def test_a_line_by_hand():
    """The tip is behind by the period before it begins, and by half the time until it is fast."""
    jogged = Jogged(SO101, BENT)
    start, speed = jogged.tip()[:3, 3], 0.05
    jogged.steps(0.1, (0.0, speed, 0.0))
    until_fast = np.max(np.abs(jogged.joints()[1]) / np.array(jogged.limits.accelerations))
    behind = speed * (PERIOD + until_fast / 2.0)
    moved = jogged.tip()[:3, 3] - start
    assert moved == pytest.approx((0.0, 0.1 * speed - behind, 0.0), abs=3e-5)
    jogged.steps(0.9, (0.0, speed, 0.0))
    moved = jogged.tip()[:3, 3] - start
    # Meanwhile the orientation has to give way; there joint paths bend.
    assert moved == pytest.approx((0.0, speed - behind, 0.0), abs=6e-4)
    assert np.abs(moved[::2]).max() < 1e-4
    jogged.comes_to_rest()


@pytest.mark.parametrize('sign', (-1.0, 1.0))
def test_a_turn_by_hand(sign):
    """About the normal of the plane the tip pitches, and stays nearly where it is."""
    jogged = Jogged(SO101, BENT)
    start = jogged.tip()
    normal = np.cross((0.0, 0.0, 1.0), (*start[:2, 3], 0.0))
    normal *= 0.4 * sign / np.linalg.norm(normal)
    jogged.steps(1.0, STILL, tuple(normal.tolist()))
    end = jogged.tip()
    assert np.linalg.norm(end[:3, 3] - start[:3, 3]) < 0.005
    turned = np.arccos((np.trace(start[:3, :3].T @ end[:3, :3]) - 1.0) / 2.0)
    assert turned == pytest.approx(0.4 - 0.4 / BACK, abs=0.02)  # it lags behind


@pytest.mark.parametrize('settings', (SETTINGS, Settings(orientation_mode='free')))
def test_it_slides_along_the_edge_of_the_workspace_and_comes_back(settings):
    jogged = Jogged(SO101, BENT, settings=settings, period=LONG)
    jogged.steps(2.8, (0.15, 0.0, 0.0))
    edge = jogged.tip()[:3, 3]
    jogged.steps(1.0, (0.1, 0.1, 0.0))
    slid = jogged.tip()[:3, 3]
    assert slid[1] - edge[1] > 0.03
    jogged.steps(1.8, (-0.1, 0.0, 0.0))
    assert slid[0] - jogged.tip()[0, 3] > 0.1
    jogged.comes_to_rest()


@pytest.mark.parametrize(
    ('linear', 'angular'),
    [*(((x, y, 0.0), STILL) for x, y in ((50.0, 0.0), (1e300, 0.0), (0.0, 25.0))),
     *((STILL, (0.0, 0.0, fast)) for fast in (math.tau / PERIOD, 1e9, 1e300))],
)  # fmt: skip
def test_a_jog_in_millimeters_is_told_to_be_slower(linear, angular):
    """And so is one by a whole turn in each step, or by more than any number can hold."""
    said, limits = [], limits_of(SO101, SO101.commanded_joints, PARAMETERS.max_acceleration)
    jogging = Jogging(SO101, SETTINGS, limits, State(BENT), 0.0, said.append)
    jogging.hear(linear, angular, 0.0)
    jogging.step(PERIOD, PARAMETERS)
    jogging.hear(linear, angular, PERIOD)
    jogging.step(2.0 * PERIOD, PARAMETERS)
    unit = 'm' if any(linear) else 'rad'
    assert {one.code for one in said} == {Code.JUMP}
    assert all(f'jog slower (in {unit}/s)' in one.message for one in said)
    if unit == 'm':
        assert any(f'{name} would have to jump by' in said[-1].message for name in BENT)


def test_where_a_joint_is_at_its_limit_the_orientation_gives_way():
    """24 mm on, the wrist is at its limit. From there on only the other elbow could keep the pitch;
    with any pitch, the tip can go straight on to the table."""
    page = (Path(__file__).parents[2] / 'docs' / 'how_to' / 'own_arm.md').read_text()
    arm = load_arm(page.partition('```xml\n')[2].partition('```')[0], floor=0.0)
    start = dict(zip(arm.commanded_joints, (-0.3805, 0.849, 1.918, -1.691)))
    jogged = Jogged(arm, start, period=2.0 * PERIOD)
    x, y, z = jogged.tip()[:3, 3]
    jogged.steps(1.2, (0.0, 0.0, -0.1))
    assert Code.JUMP not in jogged.told
    assert jogged.tip()[:3, 3] == pytest.approx((x, y, z - 0.12), abs=0.01)
    jogged.comes_to_rest()


@pytest.mark.parametrize(('arm', 'way', 'code'), (
    (SO101, (0.15, 0.0, 0.0), Code.TOO_FAR),
    (SO101.above(-0.06), (0.0, 0.0, -0.1), Code.FLOOR),
))  # fmt: skip
def test_it_is_told_what_a_jog_does(arm, way, code):
    jogged = Jogged(arm, BENT, period=LONG)
    jogged.steps(0.2, way)
    assert jogged.told[0] is Code.OK
    jogged.steps(2.8, way)
    assert jogged.told[-1] is code
    jogged.steps(0.5, tuple(-0.5 * one for one in way))
    assert jogged.told[-1] is Code.OK


def test_a_silent_stream_stops_after_its_timeout():
    jogged = Jogged(SO101, BENT)
    jogged.steps(0.5, (0.0, 0.05, 0.0))
    begin = jogged.now
    assert Code.STALE not in jogged.told
    while not jogged.jogging.resting:
        jogged.step()
    assert TIMEOUT < jogged.now - begin < TIMEOUT + 0.3
    assert jogged.told[-1] is Code.STALE


@pytest.mark.parametrize('stop', [0.0, 0.2])
def test_the_stop_of_a_silent_stream_begins_at_once_and_only_once(stop):
    """A controller is sent one path for it."""
    jogged = Jogged(SO101, BENT, stop=stop)
    jogged.steps(0.6, (0.0, 0.05, 0.0))
    while jogged.told[-1] is not Code.STALE:
        jogged.step()
    path, speeds = jogged.jogging.path, np.abs(jogged.joints()[1])
    jogged.step()
    assert (np.abs(jogged.joints()[1]) < speeds)[speeds > 0.0].all()
    jogged.comes_to_rest()
    assert jogged.jogging.path is path
