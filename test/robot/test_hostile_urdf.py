# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Hostile robot descriptions: a sentence or a sound arm."""

import re
from pathlib import Path

import pytest
from hostile_texts import (
    ARM,
    JOINTS,
    LONGEST_SENTENCE,
    TURNING,
    arm_with,
    is_the_arm,
    joint,
    outcome,
    robot,
)

SOUND = {
    'a declaration, in a str': '<?xml version="1.0" encoding="UTF-8"?>' + robot(ARM),
    'another declaration, in a str': '<?xml version="1.0" encoding="UTF-16"?>' + robot(ARM),
    'space before the declaration': '\n  <?xml version="1.0"?>' + robot(ARM),
    'UTF-16': robot(ARM).encode('utf-16'),
    'UTF-8 with a mark': robot(ARM).encode('utf-8-sig'),
    'a mark in a str': '\ufeff' + robot(ARM),
    'Latin-1': ('<?xml version="1.0" encoding="latin-1"?><!--ä-->' + robot(ARM)).encode('latin-1'),
    'comments and instructions': '<!--a--><?b c?>' + robot('<!--d-->', ARM, '<?e f?>')
    .replace('/><', '/><!--g--><?h?><'),
    'CDATA': robot('<gazebo><![CDATA[<joint name="1"/>]]></gazebo>', ARM),
    'prefixes that are declared': robot(
        '<gz:joint xmlns:gz="g" name="1"/><gz:link xmlns:gz="g"/>', ARM
    ),
    'prefixes that are not': robot('<gz:joint name="1"/><xacro:if><link/></xacro:if>', ARM),
    'another namespace': robot('<joint xmlns="g"/><link xmlns="g"/>', ARM),
    'a namespace of its own': robot(ARM).replace('<robot', '<robot xmlns="u"'),
    'a prefix of its own': re.sub('<(/?)', r'<\1u:', robot(ARM)),
    'joints of other things': robot(
        '<transmission name="t"><joint name="1"/></transmission>',
        '<ros2_control name="c"><joint name="1"><limit/></joint></ros2_control>',
        '<gazebo reference="a"><link/><joint name="2" type="x"/></gazebo>',
        ARM,
    ),
    'xacro leftovers': robot(
        '<xacro:property name="p" value="${2*pi}"/>',
        ARM.replace('<link name="d"/>', '<link name="d"><mass value="${m}"/></link>'),
        '<!-- <xacro:arm prefix="${p}"/> -->',
    ).replace('<robot', '<robot xmlns:xacro="http://ros.org/wiki/xacro"'),
    'meshes': robot(ARM).replace(
        '<link name="b"/>', '<link name="b"><visual><mesh filename="package://a/b.stl"/></visual>'
        '<collision><origin xyz="nan"/></collision></link>'
    ),
    'branches': robot(
        ARM,
        '<link name="cam"/>',
        joint('cam', 'a', 'cam', '<axis xyz="nan"/><limit lower="x"/>', 'fixed'),
        '<link name="f"/>', joint('f', 'd', 'f', '<mimic joint="9"/>'),
    ),
    'names just so long': robot(ARM, f'<link name="{"x" * 200}"/>')
    .replace('</robot>', joint('y' * 200, 'a', 'x' * 200, '', 'fixed') + '</robot>'),
    'joints first': robot(*JOINTS, ''.join(f'<link name="{name}"/>' for name in 'dcba')),
    'a huge axis': arm_with('<origin xyz="1 0 0"/><axis xyz="0 0 1e308"/>'),
    'limits just so wide': arm_with(TURNING + '<limit lower="-1000" upper="1000"/>', 'revolute'),
    'limits that are none': arm_with(TURNING + '<limit lower="-1e16" upper="1e16"/>', 'revolute'),
}  # fmt: skip


@pytest.mark.parametrize('name', SOUND)
def test_what_is_not_read_disturbs_nothing(name):
    is_the_arm(outcome(SOUND[name]))


UNSOUND = {
    'NUL': (robot(ARM, '\0'), 'not well-formed XML'),
    'NUL behind': (robot(ARM) + '\0', 'not well-formed XML'),
    'no UTF-8': (robot(ARM, '<!--\xff-->').encode('latin-1'), 'not well-formed XML'),
    'half a character': (robot(ARM, '<!--\ud800-->'), 'not well-formed XML'),
    'UTF-32': (robot(ARM).encode('utf-32'), 'not well-formed XML'),
    'no encoding': (b'<?xml version="1.0" encoding="hex"?><robot/>', 'not a text encoding'),
    'an odd encoding': (b'<?xml version="1.0" encoding="unicode_escape"?><robot/>', 'not well'),
    'a path': (Path('arm.urdf'), "'arm.urdf' cannot be read .No such file.*; give the text"),
    'nothing': (None, 'is a NoneType; give the text'),
    'a line break': (robot('<link name="e&#10;f"/>', ARM), r"'e\\nf'; names have at most 200"),
    'a long joint': (robot(joint('x' * 201, 'a', 'b')), 'a joint is named .* 200 characters'),
    'a long robot': (robot(ARM).replace('"r"', f'"{"r" * 201}"'), 'a robot is named'),
    'xacro': (robot('<link name="${p}a"/>', ARM), r"named '\$\{p\}a'; expand xacro first"),
    'a joint with itself': (robot(ARM, joint('9', 'a', 'a')), "joins link 'a' with itself"),
    'onto the root': (robot(ARM, joint('9', 'd', 'a')), 'joints .* form a cycle; .* remove one'),
    'infinite': (arm_with('<origin xyz="1e400 0 0"/>'), "xyz='1e400 0 0'; 3 finite numbers"),
    'infinity': (arm_with('<origin xyz="infinity 0 0"/>'), '3 finite numbers are expected'),
    'underscores': (arm_with('<origin xyz="1_000 0 0"/>'), "xyz='1_000 0 0'; numbers are"),
    'other digits': (arm_with('<origin xyz="٣ 0 0"/>'), 'numbers are expected'),
    'other spaces': (arm_with('<origin xyz="1\u00a00 0"/>'), 'numbers are expected'),
    'far': (arm_with('<origin xyz="1e300 0 0"/>'), r'numbers of at most 1e\+06 are expected'),
    'turned far': (arm_with('<origin rpy="0 -1e300 0"/>'), r'at most 1e\+06 are expected'),
    'a tiny axis': (arm_with('<axis xyz="0 0 1e-320"/>'), 'of no length; give it a direction'),
    'backwards': (arm_with(TURNING + '<limit velocity="-1"/>'), 'has velocity -1; .* at least 0'),
    'no speed': (arm_with(TURNING + '<limit velocity="nan"/>'), 'one finite number is expected'),
    'no limits': (arm_with(TURNING, 'revolute'), 'has no <limit>; a revolute joint needs'),
    'many turns': (
        arm_with(TURNING + '<limit upper="1e9"/>', 'revolute'),
        r"0 to 1e\+09 rad, more than 5 turns; are they in degrees.* 'continuous'",
    ),
    'limits not quite so wide': (
        arm_with(TURNING + '<limit lower="-999" upper="1e9"/>', 'revolute'), 'more than 5 turns'
    ),
    'ten turns': (arm_with('<limit lower="-31" upper="31"/>', 'revolute'), 'more than 5 turns'),
    'degrees': (arm_with('<limit lower="-180" upper="180"/>', 'revolute'), 'are they in degrees'),
    'degrees on one side': (
        arm_with('<limit lower="80" upper="90"/>', 'revolute'), 'are they in degrees'
    ),
    'planar': (arm_with('', 'planar'), "joint '2' is planar"),
    'floating': (arm_with('', 'floating'), "joint '2' is floating"),
}  # fmt: skip


@pytest.mark.parametrize('name', UNSOUND)
def test_what_is_unsound_is_one_sentence(name):
    urdf, message = UNSOUND[name]
    sentence = outcome(urdf)
    assert re.search(message, sentence)
    assert len(sentence) < LONGEST_SENTENCE


def test_links_that_are_asked_for_are_shortened_too():
    for ends in ({'base_link': 'x\n' * 10_000}, {'tip_link': '\ud800' * 10_000}):
        assert re.search(r"has no link '.*… \([0-9]+ characters\)'", outcome(robot(ARM), **ends))
