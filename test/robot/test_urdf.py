# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robot descriptions: what is unsound is refused at once, in one sentence that says what to do."""

import math
import time
from functools import partial

import numpy as np
import pytest
from hostile_texts import joint as text_of_joint
from hostile_texts import robot

from ik_circles.errors import InvalidUrdfError
from ik_circles.robot.urdf import MAX_BYTES, parse_urdf

#: A refusal takes less of the processor than this [s]: a reader that goes astray takes hours.
SECONDS = 5.0
LINKS = '<link name="a"/><link name="b"/><link name="c"/>'
LIMIT = '<limit lower="-1" upper="1"/>'
joint = partial(text_of_joint, inner=LIMIT, kind='revolute')

SECOND = joint('k', 'b', 'c')
SOUND = robot(LINKS, joint(), SECOND)
ENTITIES = '<!DOCTYPE robot [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="r">&x;</robot>'
XACRO = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">{}</robot>'


@pytest.mark.parametrize(
    ('urdf', 'message'),
    [
        ('', 'is empty; give the text of a URDF'),
        (' \n\t', 'is empty; give the text of a URDF'),
        (b'', 'is empty; give the text of a URDF'),
        ('arm.urdf', 'not well-formed XML'),
        ('<robot name="r"><link', 'not well-formed XML'),
        (b'\xff\xfe\x00robot', 'not well-formed XML'),
        (b'<?xml version="1.0" encoding="klingon"?><robot/>', 'not well-formed XML'),
        ('<sdf version="1.9"/>', 'the top element is <sdf>; a URDF starts with <robot>'),
        (robot(), 'the robot has no links; add <link>, or expand xacro first'),
        (robot('<link/>'), 'a <link> has no name; add one'),
        (ENTITIES, 'has a DTD or entities'),
        ('<!DOCTYPE robot SYSTEM "http://localhost:9/x.dtd"><robot/>', 'has a DTD or entities'),
        (robot(LINKS, '<link name="a"/>', joint(), SECOND), "two links are named 'a'"),
        (robot(LINKS, joint(), joint('j', 'b', 'c')), "two joints are named 'j'"),
        (robot(LINKS, joint(), joint('k', 'b', 'd')), "'k' names link 'd', which is not defined"),
        (robot(LINKS, joint(child='c'), SECOND), "link 'c' has two parents, by joints 'j' and 'k'"),
        (robot(LINKS, joint(parent='c'), SECOND), 'joints j, k form a cycle; a robot is a tree'),
        (robot(LINKS, joint(), SECOND, joint('l', 'c', 'a')), 'joints j, l, k form a cycle'),
        (robot(LINKS, joint()), 'links a, c have no parent; a robot has one root'),
        (robot(LINKS, joint(kind='hinge'), SECOND), "has type 'hinge'; it must be one of revolute"),
        (robot(LINKS, '<joint name="j" type="fixed"/>'), "joint 'j' names no parent link"),
        (robot(LINKS, joint(parent=''), SECOND), "joint 'j' names no parent link"),
    ],
)
def test_unsound_descriptions(urdf, message):
    refuses(urdf, message)


@pytest.mark.parametrize(
    ('inner', 'message'),
    [
        ('<limit lower="2" upper="1"/>', 'limits upside down: lower 2 > upper 1; swap them'),
        ('<limit lower="nan" upper="1"/>', "lower='nan'; one finite number is expected"),
        ('<limit lower="-inf" upper="1"/>', "lower='-inf'; one finite number is expected"),
        ('<limit lower="-1" upper="1e999"/>', "upper='1e999'; one finite number is expected"),
        ('<limit lower="" upper="1"/>', "lower=''; one finite number is expected"),
        ('<limit lower="-1" upper="1" velocity="fast"/>', "velocity='fast'; numbers are expected"),
        (f'{LIMIT}<origin xyz="0 0"/>', "xyz='0 0'; 3 finite numbers are expected"),
        (f'{LIMIT}<origin xyz="0 nan 0"/>', "xyz='0 nan 0'; 3 finite numbers are expected"),
        (f'{LIMIT}<origin rpy="0 0 inf"/>', "rpy='0 0 inf'; 3 finite numbers are expected"),
        (f'{LIMIT}<origin xyz="0,0,0"/>', "xyz='0,0,0'; numbers are expected"),
        (f'{LIMIT}<axis xyz="0 0 0"/>', "axis='0 0 0' of no length; give it a direction"),
        (f'{LIMIT}<axis xyz="${{axis}}"/>', r'numbers are expected \(expand xacro'),
    ],
)
def test_unsound_joints_are_named(inner, message):
    refuses(robot(LINKS, joint(inner=inner), SECOND), f"joint 'j'.*{message}")


def refuses(urdf, message):
    begin = time.process_time()
    with pytest.raises(InvalidUrdfError, match=message) as raised:
        parse_urdf(urdf)
    assert time.process_time() - begin < SECONDS
    assert '\n' not in str(raised.value)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize('macro', ['<xacro:arm prefix="left"/>', '<xacro:include filename="x"/>'])
def test_xacro_that_was_not_expanded(macro):
    refuses(XACRO.format(macro), 'the robot has no links; add <link>, or expand xacro first')


def test_size_and_depth_are_bounded():
    refuses('x' * (MAX_BYTES + 1), f'at most {MAX_BYTES} are read')
    chain = [f'<link name="{n}"/>' for n in range(5001)]
    chain += [joint(f'j{n}', str(n), str(n + 1), kind='fixed', inner='') for n in range(5000)]
    begin = time.process_time()
    assert len(parse_urdf(robot(*chain)).path('0', '5000')) == 5000
    refuses(robot(*chain, joint('back', '5000', '0')), 'form a cycle')
    assert time.process_time() - begin < SECONDS
    assert parse_urdf(robot('<a>' * 999 + '</a>' * 999, LINKS, joint(), SECOND)).root == 'a'
    refuses(robot('<a>' * 1000 + '</a>' * 1000), 'more than 1000 deep')


def test_what_joints_share_cannot_be_written():
    bare = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    one = parse_urdf(robot(LINKS, bare, SECOND)).joints[0]
    for shared in (one.origin, one.axis):
        with pytest.raises(ValueError, match='read-only'):
            shared[:] = 0.0


@pytest.mark.parametrize(
    'urdf',
    [
        SOUND,
        SOUND.encode(),
        SOUND.replace('<robot', '<robot xmlns="http://example.com/urdf" version="1.1"'),
        robot('<!-- ä -->', SECOND, joint(), LINKS, '<gazebo><joint name="j"/></gazebo>'),
        robot(LINKS, joint(inner=LIMIT + '<dynamics/><safety_controller/><foo/>'), SECOND),
        robot('<material name="m"/><transmission/>', LINKS, joint(), SECOND),
    ],
)
def test_sound_descriptions_give_the_same_tree(urdf):
    read = parse_urdf(urdf)
    assert (read.root, read.leaves) == ('a', ['c'])
    assert [joint.name for joint in read.path('a', 'c')] == ['j', 'k']


def test_what_a_joint_says():
    inner = (
        '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 2"/>'
        '<limit lower="-0.5" upper="1.5" velocity="3"/><mimic joint="k"/>'
    )
    slide = joint('k', 'b', 'c', inner='<axis xyz="0 1 0"/><limit upper="0.2"/>', kind='prismatic')
    read = parse_urdf(robot(LINKS, joint(inner=inner), slide)).path('a', 'c')
    said = [(joint.lower, joint.upper, joint.velocity, joint.mimic) for joint in read]
    assert said == [(-0.5, 1.5, 3.0, ('k', 1.0, 0.0)), (0.0, 0.2, None, None)]
    half_turn = read[0].transform(math.pi / 2.0)
    np.testing.assert_allclose(half_turn[:3, :3], np.diag([-1.0, -1.0, 1.0]), atol=3e-16)
    assert half_turn[:3, 3].tolist() == [1.0, 2.0, 3.0]
    assert read[1].transform(0.1)[:3, 3].tolist() == [0.0, 0.1, 0.0]
    continuous = parse_urdf(robot(LINKS, joint(inner='', kind='continuous'), SECOND)).joints[0]
    assert (continuous.lower, continuous.upper) == (-math.inf, math.inf)
    assert continuous.axis.tolist() == [1.0, 0.0, 0.0]
