# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is seldom met in motion: arms below their floor, goals on the rim of what is believed."""

import math

import numpy as np
import pytest
from motions import RandomChain
from mover_arm import Arm
from moving_arms import PARAMETERS, height
from test_jogging import BENT, SO101, Jogged
from test_timed_paths import SWING, wave
from three_joints import shipped_arm

from ik_circles.control.decision import decide
from ik_circles.control.motion import Chain, MotionLimits, along, joint_move, to_rest
from ik_circles.control.motion.braking import STEEPEST_STOP
from ik_circles.control.motion.joint_moves import stop_from
from ik_circles.control.motion.paths import FEWEST, STEEPEST
from ik_circles.control.motion.trajectory import MOST_OF_CUBIC, cubic
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State, limits_of
from ik_circles.control.moves.playing import MEASURED_LATE
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.geometry.joint_values import believable
from ik_circles.reasons import Code

LIMITS_OF_PAN = limits_of(SO101, ['shoulder_pan'], PARAMETERS.max_acceleration)


@pytest.mark.parametrize('depth', [1e-4, 0.02])
def test_an_arm_below_its_floor_rises_and_does_not_sink(depth):
    """No part of it gets lower than the lowest is, also where it is sent down."""
    lowest = height(SO101, BENT)
    jogged = Jogged(SO101.above(lowest + depth), BENT, period=0.02)
    jogged.steps(0.2, (0.0, 0.0, -0.1))
    sunk = height(SO101, jogged.jogging.state(jogged.now).positions)
    assert sunk >= lowest - 1e-9
    jogged.steps(0.3, (0.0, 0.0, 0.1))
    assert height(SO101, jogged.jogging.state(jogged.now).positions) > lowest + 0.005
    jogged.steps(0.1, (0.0, 0.0, -0.1))
    assert height(SO101, jogged.jogging.state(jogged.now).positions) >= lowest - 1e-9


def test_a_goal_on_a_limit_is_taken_and_one_beyond_is_named():
    rest = State(dict.fromkeys(SO101.commanded_joints, 0.0))
    for name, joint in SO101.joints.items():
        for end, beyond in ((joint.lower, -1e-3), (joint.upper, 1e-3)):
            wish = Wish(joints={name: end})
            planned = plan(SO101, Settings(), PARAMETERS, wish, rest)
            assert planned.end[name] == pytest.approx(end, abs=1e-12)
            with pytest.raises(Refusal, match=f'{name} is sent to') as refused:
                wish = Wish(joints={name: end + beyond})
                plan(SO101, Settings(), PARAMETERS, wish, rest)
            assert refused.value.code is Code.JOINT_LIMIT
            rim = believable(joint.lower, joint.upper)[beyond > 0.0]
            with pytest.raises(Refusal, match='outside its limits'):  # believed, to the last bit
                plan(SO101, Settings(), PARAMETERS, Wish(joints={name: rim}), rest)
            far = end + math.copysign(math.tau, beyond) * 1.01
            with pytest.raises(Refusal, match='is it in degrees'):
                plan(SO101, Settings(), PARAMETERS, Wish(joints={name: far}), rest)


def test_a_decision_says_whether_its_target_is_taken_exactly():
    arm = shipped_arm('planar_3r')
    settings = Settings()
    point = arm.forward_kinematics(dict.fromkeys(arm.commanded_joints, 0.3))
    exact = Target(tuple(point[:3, 3].tolist()), point[:3, :3])
    far = Target((9.0, 0.0, 0.0), point[:3, :3])
    for target, as_wanted in ((exact, True), (far, False)):
        assert decide(arm, settings, target, None).as_wanted == as_wanted


def test_a_motion_of_no_time_passes_no_limit():
    """A joint that was put a little past its limit may stay there."""
    limits = MotionLimits([1.0], [1.0], [(-1.0, 1.0)])
    assert joint_move([1.0], [0.0], [1.0], limits).waypoints[-1].positions == (1.0,)
    assert to_rest([1.0], [0.0], limits).duration == 0.0
    rng = np.random.default_rng(0)
    for place in rng.uniform(-1.0, 1.0, 20).tolist():
        assert joint_move([place], [0.0], [place], limits).waypoints[-1].positions == (place,)


@pytest.mark.parametrize('side', [1.0, -1.0])
@pytest.mark.parametrize('start', [0.5, 0.0, -0.5])
def test_a_joint_has_time_to_catch_up_as_far_as_its_range_allows(side, start):
    """By hand: at 1 rad/s, the joint does not pass an end that is at least `t / 3` away.

    One that is behind by x and as fast begins and ends with less than `6 x / t**2`. There is no
    stop if it gets there past the limit of 1 rad.
    """
    limits = MotionLimits([2.0], [10.0], [(-1.0, 1.0)])
    for taken in (0.3, 0.9, 1.4, 4.0):
        behind, end = 10.0 * taken**2 / 6.0, start + taken / 3.0
        elsewhere = ([side * (start - behind)], [side])
        stop = stop_from([side * start], [side], limits, [elsewhere])
        assert (stop is None) == (end > 1.0)
        if stop is not None:
            assert stop.duration == pytest.approx(taken)
            assert stop.waypoints[-1].positions == pytest.approx((side * end,))
    there = stop_from([side * start], [0.0], limits, [([side * (start - 0.6)], [0.0])])
    assert there.duration == pytest.approx(0.6)
    assert there.waypoints[-1].positions == pytest.approx((side * start,))


@pytest.mark.parametrize('duration', [0.1, 0.4, 0.7])
def test_a_motion_that_is_stopped_takes_no_longer_than_its_joints_need(duration):
    arm = Arm()
    arm.begin(goal={'shoulder_pan': 1.5})
    arm.steps(duration)
    state = arm.mover.state(arm.now, arm.measured)
    alone = to_rest(*state.of(['shoulder_pan']), LIMITS_OF_PAN)
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    assert arm.mover.motion.time_left(arm.now) <= 1.1 * alone.duration + 0.01


def test_how_steep_a_cubic_may_be_and_stay_between_its_ends():
    """No steeper at both ends: 3 by itself, and 1.5 if both may be doubled."""
    shares = np.linspace(0.0, 1.0, 1001)
    for factor, most in ((1.0, STEEPEST), (2.0, STEEPEST_STOP)):
        for first, last in np.random.default_rng(0).uniform(0.0, factor * most, (50, 2)).tolist():
            places, _ = cubic(0.0, 1.0, first, last, 1.0, shares)
            assert places.min() >= 0.0 and places.max() <= 1.0
        places, _ = cubic(0.0, 1.0, 1.01 * factor * most, 0.0, 1.0, shares)
        assert places.max() > 1.0
    assert (shares * (1.0 - shares) ** 2).max() == pytest.approx(MOST_OF_CUBIC, rel=1e-5)


def test_a_path_of_one_joint_has_no_more_segments_than_the_fewest_and_no_fewer():
    """Nothing of it bends, so that nothing asks for more."""
    chain = Chain([(0.0, 0.0, 1.0)], [(0.0, 0.0, 0.0)], (0.01, 0.0, 0.0))
    path = along(lambda share: (share,), MotionLimits([1.0], [1.0]), chain)
    assert len(path.waypoints) == FEWEST + 1


@pytest.mark.parametrize(('share', 'segments'), [(1.01, 64), (0.99, 128)])
def test_a_swing_is_cut_no_finer_than_its_tolerance_asks(share, segments):
    """By hand: a tip at 1 m is up to x**2 / 8 beside the chord of a turn by x."""
    tolerance = share * (3.0 / 64.0) ** 2 / 8.0
    limits = MotionLimits([1.0], [5.0])
    found = along(lambda at: (3.0 * at,), limits, SWING, tolerance=tolerance)
    assert len(found.waypoints) == segments + 1


def test_a_path_that_waits_after_a_corner_takes_no_time_for_it():
    limits = MotionLimits([1.0], [5.0])
    waits = along(lambda share: (min(share, 0.5),), limits, SWING, breaks=(0.5,))
    moves = along(lambda share: (share,), limits, SWING, end=0.5)
    assert waits.waypoints == moves.waypoints
    assert waits.share(waits.duration) == 1.0


@pytest.mark.parametrize('seed', range(4))
def test_a_path_that_only_speeds_bound_takes_hardly_longer_than_its_slowest_joint(seed):
    """A speed that is too high between two places costs time next to them, not everywhere."""
    random = np.random.default_rng(seed)
    joints = int(random.integers(2, 5))
    path, limits = wave(random, joints), MotionLimits([0.1] * joints, [100.0] * joints)
    found = along(path, limits, RandomChain(random, joints).chain)
    places = np.array([path(share) for share in np.linspace(0.0, 1.0, 500)])
    least = np.abs(np.diff(places, axis=0)).max(axis=1).sum() / 0.1
    assert least <= found.duration <= 1.04 * least + 0.005


def test_an_arm_that_is_where_it_is_sent_keeps_its_time():
    """A joint that turns back was there before, but that is no sign of an arm that is late."""
    arm = Arm()
    arm.begin(goal={'shoulder_pan': 1.0})
    arm.steps(0.3)
    arm.begin(goal={'shoulder_pan': 0.0})
    playing = arm.mover.motion
    for now in np.linspace(arm.now, arm.now + playing.time_left(arm.now), 20):
        there, _ = playing.beside(playing.state(now).positions, now, now)
        assert there.gone(now) == pytest.approx(playing.gone(now), abs=1e-6)


@pytest.mark.parametrize(
    ('gone', 'late', 'delay', 'ahead'),
    [
        (0.03, 0.01, 0.0, 0.0),
        (0.03, -0.01, 0.0, -0.01),
        (0.3, 0.03, 0.0, 0.0),
        (0.3, -0.03, -0.03, 0.0),
        (0.3, 0.1, 0.1 - MEASURED_LATE, 0.0),
    ],
    ids=['at first', 'ahead at first', 'in time', 'ahead', 'late'],
)
def test_where_an_arm_may_be_that_is_measured_beside_its_motion(gone, late, delay, ahead):
    """It is where it is measured, as fast as there, or farther on: at most where it was sent."""
    arm = Arm()
    arm.begin(goal={'shoulder_pan': 1.0})
    playing, now = arm.mover.motion, arm.now + gone
    measured = playing.state(now - late).positions
    moved, instead = playing.beside(measured, now, now)
    assert moved.gone(now) == pytest.approx(gone - delay, abs=1e-6)
    expected = playing.state(now - late + ahead)
    assert instead[0].positions == pytest.approx(measured, abs=1e-6)
    for one in instead[:2]:
        assert one.velocities == pytest.approx(expected.velocities, abs=1e-5)
    assert instead[1].positions == pytest.approx(expected.positions, abs=1e-6)
