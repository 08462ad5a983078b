# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A jog says why its tip does not move as asked, and a busy machine does not slow it down."""

import numpy as np
import pytest
from law_cases import cases
from moving_arms import some_robot
from test_jogging import BENT, PERIOD, SETTINGS, SO101, STILL, Jogged
from three_joints import shipped_arm

from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.plan import State, limits_of
from ik_circles.control.settings import MotionParameters
from ik_circles.reasons import Code

#: A tip has this long to become as fast as asked [s].
RISES = 0.7
#: What the machine takes between two steps of a jog, over and over [s].
BUSY = [(0.01, 0.01, 0.01, 0.085), (0.01, 0.05), 0.085, 0.05, 0.03]


def some_way(robot, random):
    """A velocity of the tip in the arm's plane, if nothing turns the plane [m/s]."""
    way = random.normal(size=3)
    if robot.arm.yaw_joint is None:
        normal = robot.arm.plane[:3, 2]
        way -= normal * (normal @ way)
    return way * random.uniform(0.02, 0.15) / np.linalg.norm(way)


@pytest.mark.parametrize('seed', range(cases(400, least=5)))
def test_what_is_ok_moves_as_asked(seed):
    """Law: where OK was told for 0.3 s, the tip has got on, and not aside."""
    robot, random = some_robot(seed)
    jogged, way = Jogged(robot.arm, robot.drawn(random), period=0.03), some_way(robot, random)
    places = []
    for _ in range(80):
        jogged.hear(tuple(way.tolist()))
        jogged.step()
        places.append(jogged.tip()[:3, 3])
    onward = way / np.linalg.norm(way)
    for end in range(round(RISES / 0.03), 80):
        begin = end - 10
        if {Code.OK} == {*jogged.told[begin : end + 1]}:
            moved = places[end] - places[begin]
            asked = 10 * 0.03 * np.linalg.norm(way)
            assert moved @ onward > 0.5 * asked
            assert np.linalg.norm(moved - (moved @ onward) * onward) < 0.25 * asked


@pytest.mark.parametrize('seed', [3, 62, 125, 106][: cases(80, least=3)])
def test_where_a_joint_comes_to_its_limit_the_tip_stays_near_its_way(seed):
    """Law: it slows down before that. Until the other joints have changed their velocities, it gets
    aside."""
    robot, random = some_robot(seed)
    jogged, way = Jogged(robot.arm, robot.drawn(random), period=0.02), some_way(robot, random)
    begin, onward, aside = jogged.tip()[:3, 3], way / np.linalg.norm(way), []
    for _ in range(150):
        jogged.hear(tuple(way.tolist()))
        jogged.step()
        moved = jogged.tip()[:3, 3] - begin
        aside.append(np.linalg.norm(moved - (moved @ onward) * onward))
    at_edge = [code in {Code.TOO_FAR, Code.TOO_CLOSE} for code in jogged.told]
    end = at_edge.index(True) if any(at_edge) else len(aside)
    assert max(later - now for now, later in zip(aside[:end], aside[15:end])) < 0.016


@pytest.mark.parametrize('busy', BUSY[: cases(100, least=3)])
def test_a_busy_machine_does_not_slow_a_jog_down(busy):
    """Law: steps that take several periods get as far as others, also next to the edge."""
    for way, duration in (((0.0, 0.1, 0.0), 1.0), ((0.15, 0.0, 0.0), 3.0)):
        gone = []
        for lasts in (PERIOD, busy):
            random, jogged = np.random.default_rng(0), Jogged(SO101, BENT)
            begin = jogged.tip()[:3, 3]
            while jogged.now < duration:
                jogged.hear(way)
                jogged.step(float(random.choice(np.atleast_1d(lasts))))
            gone.append(np.linalg.norm(jogged.tip()[:3, 3] - begin))
        assert gone[1] > 0.8 * gone[0]


def last_told(arm, positions, linear, angular=STILL, duration=1.0):
    """What a jog says at its end: code and message."""
    said, now = [], 0.0
    limits = limits_of(arm, arm.commanded_joints, MotionParameters().max_acceleration)
    jogging = Jogging(arm, SETTINGS, limits, State(positions), 0.0, said.append)
    while now < duration:
        now += PERIOD
        jogging.hear(linear, angular, now)
        jogging.step(now, MotionParameters())
    return said[-1]


def test_a_joint_that_would_be_too_fast_is_named():
    """Beside a straight elbow."""
    told = last_told(SO101, BENT, (0.15, 0.0, 0.0))
    assert told.code is Code.JUMP
    assert told.message.startswith('elbow_flex would have to move ')
    assert 'times as fast as its limits allow, so the tip is slower than asked' in told.message


def test_a_joint_that_comes_to_its_limit_is_named():
    """The orientation gives way there, and the other joints have to change their velocities."""
    robot, random = some_robot(62)
    start = robot.drawn(random)
    told = last_told(robot.arm, start, tuple(some_way(robot, random).tolist()), duration=2.3)
    assert told.code is Code.JOINT_LIMIT
    assert told.message.startswith('j3 comes to its limit, so the tip leaves its way')


def test_a_turn_that_no_joint_can_make_is_told():
    arm = shipped_arm('open_manipulator_x')
    start = dict(zip(arm.commanded_joints, (0.2, 0.3, 0.6, 0.4)))
    told = last_told(arm, start, STILL, (0.0, 0.0, 0.5))
    assert told.code is Code.ORIENTATION and 'cannot turn the tip as asked' in told.message
    assert last_told(arm, start, STILL, (0.0, 0.5, 0.0)).code is Code.OK
