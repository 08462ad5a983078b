# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots without just one arm, and numbers and names as descriptions have them."""

import math

import pytest
from robot_texts import Y_AXIS, Z_AXIS, in_a_row, joint, limit, robot

from ik_circles import InvalidUrdfError, NoPlanarArmError, load_arm
from ik_circles.robot.search import AXIS_TOLERANCE
from ik_circles.robot.text import listed, shown
from ik_circles.robot.urdf import parse_urdf

TURNING, ACROSS, SLIDING, FIXED = (
    (kind, axis, limit(-1, 1))
    for kind, axis in (
        ('revolute', Z_AXIS), ('revolute', (0, 1, 1)), ('prismatic', Z_AXIS), ('fixed', Z_AXIS),
    )
)  # fmt: skip
TWO_TIPS = robot(*in_a_row(*[TURNING] * 3), joint('l', 3, 'left'), joint('r', 3, 'right'))


@pytest.mark.parametrize(
    ('urdf', 'message'),
    [
        (robot(*in_a_row(TURNING, TURNING, FIXED)), r'only 2 joint.* can move between .*: j0, j1'),
        (robot(*in_a_row(FIXED)), r'only 0 joint.* can move between .*: none'),
        (robot(*in_a_row(TURNING, ACROSS, TURNING)), 'j0 to j1 45 deg, j1 to j2 45 deg'),
        (robot(*in_a_row(TURNING, SLIDING, TURNING)), "joint 'j1' is prismatic"),
        (robot(*in_a_row(TURNING, ACROSS, TURNING, SLIDING)), 'j1 to j2 45 deg, j2 to j3 0 deg;'),
        (robot(*in_a_row(*[TURNING] * 4)), r'j0, j1, j2 or j1, j2, j3.*choose three with base_lin'),
        (TWO_TIPS, 'any of left, right; choose one with tip_link'),
    ],
)
def test_robots_without_one_answer_say_why(urdf, message):
    with pytest.raises(NoPlanarArmError, match=message):
        load_arm(urdf)


@pytest.mark.parametrize(('second', 'third', 'is_arm'), [
    (0.9, 0.9, True), (-0.9, 0.9, True), (0.9, 1.1, False), (0.6, -1.1, False), (1.1, 0.9, False),
])  # fmt: skip
def test_all_axes_are_parallel_to_the_first_one_within_what_is_allowed(second, third, is_arm):
    """Two of them may differ by twice as much; in shares of what is allowed."""
    leans = (0.0, second * AXIS_TOLERANCE, third * AXIS_TOLERANCE)
    text = robot(*in_a_row(*[('continuous', (one, 0.0, 1.0), '') for one in leans]))
    if is_arm:
        assert load_arm(text).joint_names == ('j0', 'j1', 'j2')
    else:
        with pytest.raises(NoPlanarArmError, match='parallel axes are needed'):
            load_arm(text)


def test_ends_can_be_chosen():
    assert load_arm(TWO_TIPS, tip_link='right').tip_link == 'right'
    four = load_arm(robot(*in_a_row(*[TURNING] * 4)), base_link='1')
    assert four.joint_names == ('j1', 'j2', 'j3')
    with pytest.raises(InvalidUrdfError, match="has no link 'hand'; its links are 0, 1, 2"):
        load_arm(TWO_TIPS, tip_link='hand')
    with pytest.raises(InvalidUrdfError, match="'right' does not hang on 'left'"):
        load_arm(TWO_TIPS, base_link='left', tip_link='right')


@pytest.mark.parametrize(('count', 'ends'), [(11, 'j9 to j10 90 deg'), (12, ' and so on')])
def test_a_sentence_gives_ten_angles_at_most(count, ends):
    axes = [('continuous', (Y_AXIS, Z_AXIS)[n % 2], '') for n in range(count)]
    with pytest.raises(NoPlanarArmError) as raised:
        load_arm(robot(*in_a_row(*axes)))
    assert str(raised.value).endswith(f'{ends}; at most 0.0057 deg is allowed')
    assert str(raised.value).count(' deg') == 10 + 1


def test_three_leaves_say_why_and_joints_that_mimic_are_named():
    coupled = [('continuous', Y_AXIS, '<mimic joint="j0"/>' if n == 1 else '') for n in range(3)]
    with pytest.raises(NoPlanarArmError, match='another one cannot be commanded: j1; '):
        load_arm(robot(*in_a_row(*coupled)))
    fingers = [joint(f'f{n}', 'a', f'tip{n}') for n in range(5)]
    with pytest.raises(NoPlanarArmError) as raised:
        load_arm(robot(*fingers))
    assert str(raised.value).count('towards tip') == 3
    six = in_a_row(*[('continuous', Y_AXIS, '')] * 6)
    with pytest.raises(NoPlanarArmError, match=r'j0, j1, j2 or .* or j2, j3, j4 and so on\)'):
        load_arm(robot(*six), tip_link='6')
    five = in_a_row(*[('continuous', Y_AXIS, '')] * 5)
    with pytest.raises(NoPlanarArmError, match=r'or j2, j3, j4\); choose three'):
        load_arm(robot(*five), tip_link='5')


def test_names_in_a_sentence():
    assert listed(['a', 'b']) == 'a, b'
    assert listed(list('abcdefghijklmnopqrst')).endswith('s, t')
    assert listed(list('abcdefghijklmnopqrstu')).endswith('s, t and 1 more')
    assert listed(['x' * 48] * 10).count('x' * 48) == 4  # with a comma and a space 50 of 200
    assert listed(['x' * 48] * 4).endswith('x')
    assert listed([*['x' * 48] * 3, 'x' * 49]).endswith('x and 1 more')  # 201
    assert shown('x' * 60) == 'x' * 60
    assert shown('x' * 61) == 'x' * 60 + '… (61 characters)'
    assert shown('a\nb\u200b') == r'a\nb\u200b'


def test_the_largest_number_of_an_origin():
    far = parse_urdf(robot(joint('a', 0, 1, xyz=(1e6, 0, -1e6), rpy=(0, -1e6, 0))))
    assert far.pose('1', '0', {})[:3, 3].tolist() == [1e6, 0.0, -1e6]
    with pytest.raises(InvalidUrdfError, match='at most 1e'):
        parse_urdf(robot(joint('a', 0, 1, xyz=(0, 1000000.5, 0))))


def test_limits_that_are_none_and_velocities():
    text = robot(
        joint('a', 0, 1, 'revolute', inner='<limit lower="-1000" upper="1e16" velocity="0"/>'),
        joint('b', 1, 2, 'revolute', inner=limit(-1.0, 2.0)),
        joint('c', 2, 3, 'continuous'),
        joint('d', 3, 4, 'prismatic', inner=limit(-500.0, 500.0)),
    )
    joints = parse_urdf(text).movable_joints
    found = {name: (one.lower, one.upper, one.velocity) for name, one in joints.items()}
    assert found == {
        'a': (-math.inf, math.inf, None), 'b': (-1.0, 2.0, 2.0),
        'c': (-math.inf, math.inf, None), 'd': (-500.0, 500.0, 2.0),
    }  # fmt: skip
