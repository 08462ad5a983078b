# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What hinders the tip of a jog: which reason is told, from which value on, and for how long."""

import numpy as np
import pytest

from ik_circles.control.motion import MotionLimits
from ik_circles.control.motion.follower import Follower
from ik_circles.control.moves.progress import (
    AS_ASKED,
    BEHIND,
    COMES_BACK,
    LONGEST_PERIOD,
    NO_TURN,
    Progress,
    expected,
)
from ik_circles.geometry.rigid import rotation_about
from ik_circles.reasons import Code

LIMITS = MotionLimits([1.0, 1.0], [4.0, 4.0], [(-1.0, 1.0)] * 2, ['a', 'b'])
REST = Follower(LIMITS, (0.0, 0.0))
NOTHING = np.zeros(3)
#: What is asked for [m/s, rad/s], and a step [s].
ASKED, TURN, STEP = np.array([0.0, 0.5, 0.0]), np.array([0.0, 0.5, 0.0]), 0.125
#: Numbers like these are exact: ways beside `ASKED`, as shares of it.
ASIDE = np.array([0.0, 0.0, 0.5])


class Tip:
    """A tip that a test moves, and its progress."""

    def __init__(self):
        self.pose, self.progress = np.eye(4), Progress()
        self.go(NOTHING)

    def go(self, way, linear=ASKED, angular=NOTHING, turn=0.0, duration=STEP):
        """Move at a velocity [m/s], and turn by a share of what is asked; return itself."""
        self.pose, speed = self.pose.copy(), np.linalg.norm(angular) or 1.0
        self.pose[:3, 3] += way * duration
        turned = rotation_about(angular / speed, turn * speed * duration)
        self.pose[:3, :3] = turned @ self.pose[:3, :3]
        self.progress.look(self.pose, duration, linear, angular)
        return self

    def told(self, over=1.0, apart=0.0, is_changing=False, joints=REST):
        """What is told, with the second joint too fast, and this far from where it should be."""
        over, apart = np.array([1.0, over]), np.array([0.0, apart])
        return self.progress.why(joints, over, apart, is_changing)


@pytest.mark.parametrize(('onward', 'aside', 'apart', 'told'), [
    (1.0, 0.0, 0.01, AS_ASKED),
    (0.5, 0.25, 0.01, AS_ASKED),  # at each bound
    (0.375, 0.0, BEHIND, AS_ASKED),
    (0.375, 0.0, 0.0051, COMES_BACK),  # slow
    (0.375, 0.0, -0.01, COMES_BACK),
    (0.5, -0.375, 0.01, COMES_BACK),  # aside
    (-1.0, 0.0, 0.01, COMES_BACK),
])  # fmt: skip
def test_a_tip_that_leaves_its_way_or_is_slow_while_the_orientation_comes_back(
    onward, aside, apart, told
):
    tip = Tip().go(onward * ASKED + aside * ASIDE)
    assert tip.told(apart=apart) is told
    tip.go(NOTHING, duration=0.0)  # a step of no time shows nothing
    assert tip.told(apart=apart) is told


def test_joints_that_still_change_their_velocities_need_not_be_fast_yet():
    assert Tip().told(apart=0.01) is AS_ASKED  # nothing has been seen
    assert Tip().go(0.25 * ASKED).told(apart=0.01, is_changing=True) is AS_ASKED
    assert Tip().go(ASKED + ASIDE).told(apart=0.01, is_changing=True) is COMES_BACK
    assert Tip().go(ASIDE, linear=NOTHING).told(apart=0.01) is AS_ASKED


@pytest.mark.parametrize('over', [1.0, 1.5, 2.0, 2.1])
def test_a_joint_that_would_be_more_than_twice_too_fast_is_named(over):
    told = Tip().go(ASKED).told(over)
    assert told.code is (Code.JUMP if over > 2.0 else Code.OK)
    assert told.message.startswith('b would have to move 2.1 times') == (over > 2.0)


def test_what_hindered_the_tip_counts_until_it_moves_as_asked():
    """Its joints have that long to change their velocities, and one step more."""
    tip, slow = Tip(), 0.25 * ASKED
    assert tip.go(slow).told(over=3.0).code is Code.JUMP
    for _ in range(2):
        assert tip.go(slow).told(is_changing=True).code is Code.JUMP
    assert tip.go(ASKED).told(is_changing=True) is AS_ASKED
    assert tip.go(slow).told(is_changing=True) is AS_ASKED
    assert tip.go(slow).told(over=3.0).code is Code.JUMP
    assert tip.go(slow).told(apart=0.01).code is Code.JUMP
    assert tip.go(slow).told(apart=0.01) is COMES_BACK
    assert tip.go(NOTHING, NOTHING, TURN).told(over=3.0).code is Code.JUMP
    assert tip.go(NOTHING, NOTHING, TURN).told(is_changing=True).code is Code.JUMP
    assert tip.go(NOTHING, NOTHING, TURN, turn=1.0).told(is_changing=True) is AS_ASKED


@pytest.mark.parametrize('axis', np.eye(3), ids='xyz')
@pytest.mark.parametrize('share', [-1.0, 0.45, 0.55, 1.0])
def test_a_tip_that_turns_too_slowly_for_half_a_second_is_told_so(share, axis):
    """A step in which it turns as asked begins the time anew."""
    tip, told = Tip(), NO_TURN if share < 0.5 else AS_ASKED
    for speed in (1.0, -0.5):
        tip.go(ASKED, angular=speed * axis, turn=1.0)
        for _ in range(4):
            assert tip.go(ASKED, angular=speed * axis, turn=share).told() is AS_ASKED
        assert tip.go(ASKED, angular=speed * axis, turn=share).told() is told


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_a_joint_that_brakes_before_its_limit_is_named(side):
    """Also once it rests there, until the tip gets on; but not if it leaves its limit."""
    near, slow, onward = side * 0.9995, side * 0.02, ASKED + ASIDE

    def at(place, speed):
        return {'joints': Follower(LIMITS, (0.0, place), (0.0, speed)), 'over': 3.0}

    assert Tip().go(ASKED).told(1.0, joints=at(near, slow)['joints']) is AS_ASKED
    for place, speed in ((near, -slow), (near, 0.0), (0.99 * side, slow)):
        assert Tip().go(onward).told(**at(place, speed)).message.startswith('b would have to move')
    tip = Tip().go(onward)
    for speed in (slow, 0.0):
        assert tip.told(**at(near, speed)).message.startswith('b comes to its limit')
    assert tip.told(**at(near, -slow)).code is Code.JUMP
    assert tip.told(**at(near, 0.0)).code is Code.JUMP


def test_the_next_step_takes_a_period_or_as_long_as_this_one():
    """By hand: the longer one of both; what a long step made of it shrinks by a tenth."""
    assert expected(0.0, 0.0, 100.0) == expected(0.004, 0.0, 100.0) == 0.01
    assert expected(0.03, 0.02, 100.0) == 0.03
    assert expected(0.0, 0.05, 100.0) == pytest.approx(0.045)
    assert expected(9.0, 0.0, 100.0) == expected(0.0, 9.0, 100.0) == LONGEST_PERIOD
    assert expected(9.0, 9.0, 5.0) == 0.2
