# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint positions with names: how they are written, and goals that name them."""

import pytest
from three_joints import shipped_arm

from ik_circles.control.floor import lowest
from ik_circles.control.home import home_positions
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.named_positions import named_in
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.values import quoted
from ik_circles.reasons import Code

SO101 = shipped_arm('so101')
HOME = dict.fromkeys(SO101.commanded_joints, 0.0)
BENT = HOME | {'shoulder_lift': -0.3, 'elbow_flex': 0.5, 'wrist_flex': 0.4}
PARK = {'shoulder_lift': -1.7, 'elbow_flex': 1.6}
SETTINGS = Settings()
NAMED = MotionParameters(named_positions=('park shoulder_lift=-1.7 elbow_flex=1.6',))


def end_of(name, parameters=NAMED, arm=SO101):
    return plan(arm, SETTINGS, parameters, Wish(name=name), State(BENT)).end


def test_a_text_is_a_name_and_joints_with_their_positions():
    texts = 'park elbow=1.5 wrist=-2e-1', ' open\tgripper=1 ', 'odd a=b=0'
    assert named_in(texts) == {
        'park': {'elbow': 1.5, 'wrist': -0.2},
        'open': {'gripper': 1.0},
        'odd': {'a=b': 0.0},
    }
    assert named_in(()) == {}


@pytest.mark.parametrize(
    'text',
    (
        '',
        '  ',
        'park',
        'elbow=1.5',
        'elbow=1.5 wrist=0',
        'park elbow',
        'park elbow=',
        'park elbow=up',
        'park elbow=nan',
        'park elbow=inf wrist=0',
        'park =1.5',
        'park 1.5',
        'park: elbow=1.5, wrist=0',
        'park elbow=1 elbow=1',
    ),
)
def test_what_is_no_such_text_is_refused(text):
    with pytest.raises(InvalidSettingError, match='write NAME JOINT=POSITION') as refused:
        MotionParameters(named_positions=('rest elbow=0', text))
    assert quoted(text) in str(refused.value)


def test_a_name_has_one_meaning():
    with pytest.raises(InvalidSettingError, match="'park' twice"):
        MotionParameters(named_positions=('park a=0', 'open b=0', 'park a=0'))


def test_joints_that_a_name_does_not_list_stay():
    found = end_of('park')
    assert {joint: found.get(joint, BENT[joint]) for joint in BENT} == pytest.approx(BENT | PARK)


def test_home_is_known_and_may_be_replaced():
    """Law: by itself, it is where the joints are at 0, as far as limits and floor allow."""
    assert end_of('home') == pytest.approx(HOME)
    high = SO101.above(lowest(SO101, HOME, HOME) + 1e-3)
    away = home_positions(high, SETTINGS)
    assert away != pytest.approx(HOME, abs=1e-4)
    there = plan(high, SETTINGS, NAMED, Wish(name='home'), State(BENT | {'shoulder_lift': -1.0}))
    assert there.end == pytest.approx(away)
    own = MotionParameters(named_positions=('home elbow_flex=0.25',))
    assert end_of('home', own)['elbow_flex'] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ('name', 'words'),
    (
        ('prak', "no joint positions are named 'prak'; did you mean 'park'. the names are home"),
        ('', "are named ''; the names are home"),
    ),
)
def test_an_unknown_name_is_refused(name, words):
    with pytest.raises(Refusal, match=words) as refused:
        end_of(name)
    assert refused.value.code is Code.NOT_FINITE


def test_a_joint_that_the_robot_does_not_have_is_said_when_the_name_is_used():
    wrong = MotionParameters(named_positions=('park elbow=1.5',))
    with pytest.raises(Refusal, match="no movable joint 'elbow'; did you mean 'elbow_flex'"):
        end_of('park', wrong)
    assert end_of('home', wrong) == pytest.approx(HOME)
