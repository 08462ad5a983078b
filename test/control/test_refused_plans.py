# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Plans that are refused, each with its code and a sentence."""

import math
import re

import pytest
from moving_arms import PARAMETERS
from three_joints import shipped_arm, shipped_text

from ik_circles import load_arm
from ik_circles.control.motion import MotionLimits
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import Plan, State, in_time
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code

SO101 = shipped_arm('so101')
SETTINGS = Settings()
HOME = dict.fromkeys(SO101.commanded_joints, 0.0)


@pytest.mark.parametrize(
    ('wish', 'code', 'words'),
    (
        (Wish(joints={'nothing': 1.0}), Code.NO_MODEL, "no movable joint 'nothing'"),
        (Wish(), Code.NO_MODEL, 'no joint is named'),
        (Wish(joints={'elbow_flex': 3.0}), Code.JOINT_LIMIT, 'elbow_flex is sent to 3, outside'),
        (Wish(joints={'elbow_flex': 45.0}), Code.JOINT_LIMIT, 'is it in degrees. give radians: 45'),
        (Wish(joints={'elbow_flex': math.nan}), Code.NOT_FINITE, 'elbow_flex is sent to nan'),
        (Wish(joints={'elbow_flex': 0.0}, straight=True), Code.NOT_FINITE, 'without straight'),
        (Wish(joints={'elbow_flex': 0.0}, speed=2.0), Code.NOT_FINITE, 'speed is 2.0'),
        (Wish(joints={'elbow_flex': 0.0}, speed=math.nan), Code.NOT_FINITE, 'speed is nan'),
        (Wish(joints={'elbow_flex': 0.0}, speed=1e-300), Code.NOT_FINITE, 'from 1e-06 to 1'),
        (Wish(Target((0.2, 0.0, 0.1)), straight=True, speed=1e-12), Code.NOT_FINITE, 'is 1e-12'),
        (Wish(Target((1e200, 0.0, 0.1)), straight=True), Code.TOO_FAR, 'for 0.0.. of 1e.200 m'),
        (Wish(Target((2.0, 0.0, 0.1))), Code.TOO_FAR, 'too far'),
        (Wish(Target((2.0, 0.0, 0.1)), straight=True), Code.TOO_FAR, 'for 0.0.. of 1.652 m'),
    ),
)
def test_what_cannot_be_done_is_said(wish, code, words):
    with pytest.raises(IkCirclesError, match=words) as refused:
        plan(SO101, SETTINGS, PARAMETERS, wish, State(dict(HOME)))
    assert refused.value.code is code


def test_a_goal_below_the_floor_is_said():
    """No higher way leads there."""
    wish, arm = Wish(joints={'shoulder_lift': 1.7}), SO101.above(0.0)
    with pytest.raises(Refusal, match=r'its goal is 0\.218 m below the floor') as refused:
        plan(arm, SETTINGS, PARAMETERS, wish, State(dict(HOME)))
    assert refused.value.code is Code.FLOOR
    assert 'higher' not in str(refused.value)


@pytest.mark.parametrize('floor', (None, 0.0))
def test_a_joint_that_nobody_has_measured_is_said(floor):
    """With a floor it may be any joint of the arm: how low it gets depends on it."""
    arm = SO101.above(floor)
    known = {name: 0.0 for name in HOME if name != 'elbow_flex'}
    named = 'elbow_flex' if floor is None else 'shoulder_pan'
    for wish in (Wish(joints={named: 0.1}), Wish(Target((0.2, 0.0, 0.2)))):
        with pytest.raises(Refusal, match='elbow_flex') as refused:
            plan(arm, SETTINGS, PARAMETERS, wish, State(known))
        assert refused.value.code is Code.NO_FEEDBACK


@pytest.mark.parametrize('velocity', ('1e-11', '1e-12'))
def test_a_motion_that_would_take_too_long_for_a_message_is_refused(velocity):
    arm = load_arm(re.sub('velocity="[^"]*"', f'velocity="{velocity}"', shipped_text('so101')))
    rest = State(dict.fromkeys(HOME, 0.3))
    place = arm.forward_kinematics(rest.positions)[:3, 3] + (0.0, 0.01, 0.0)
    for wish in (Wish(joints={'elbow_flex': 1.0}), Wish(Target(tuple(place)), straight=True)):
        with pytest.raises(IkCirclesError, match='the motion would take'):
            plan(arm, SETTINGS, PARAMETERS, wish, rest)


def test_the_slowest_and_the_longest_motion_that_are_begun():
    """To the last bit: 1e9 s, and a millionth of the speed."""
    wish = Wish(joints={'elbow_flex': 0.1}, speed=1e-6)
    slow = plan(SO101, SETTINGS, PARAMETERS, wish, State(HOME))
    assert slow.end == {'elbow_flex': 0.1}
    limits = MotionLimits([1.0], [1.0], [(-9.0, 9.0)])
    for duration in (1e9, 1e9 + 0.5):
        ends = [Waypoint(time, (time / 1e9,), (0.0,)) for time in (0.0, duration)]
        planned = Plan(('a',), Trajectory(ends), limits)
        if duration == 1e9:
            assert in_time(planned) is planned
            continue
        with pytest.raises(Refusal, match='the motion would take') as refused:
            in_time(planned)
        assert refused.value.code is Code.NOT_FINITE
