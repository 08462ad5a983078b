# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The tables of the shipped robots say what `load_arm` finds, and what a second reading finds."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from screw_solver import meeting, screw
from three_joints import NAMES, shipped_arm, shipped_text
from tilted_robots import TiltedRobot

from ik_circles.cli.main import main

DOCS = Path(__file__).parents[2] / 'docs'
ROW = re.compile(r'^\| `(\w+)\.urdf` \| (.*) \|$', re.MULTILINE)
#: Axes this near to parallel, or to a right angle, are so [rad]; axes this near meet [m].
EXACTLY = 1e-4


def moving(text, tip):
    """The joints that move a link, from the root of the robot."""
    above = {one.find('child').get('link'): one for one in ElementTree.fromstring(text)
             if one.tag == 'joint'}  # fmt: skip
    names = []
    while tip in above:
        joint = above[tip]
        tip = joint.find('parent').get('link')
        if joint.get('type') != 'fixed':
            names.insert(0, joint.get('name'))
    return names


def read(text, tip):
    """The joints of the arm in a robot: before the three, the three, its wrist, and the others."""
    robot, names = TiltedRobot(text), moving(text, tip)
    screws = [screw(robot, name) for name in names]

    def product(one, other):
        return abs(screws[one][0] @ screws[other][0])

    (first,) = (
        n for n in range(len(names) - 2)
        if min(product(n, n + 1), product(n, n + 2)) > 1.0 - EXACTLY**2
    )  # fmt: skip
    yaw = [first - 1] if first and product(first - 1, first) < EXACTLY else []
    wrist = [first + 3] if len(names) > first + 3 and product(first, first + 3) < EXACTLY else []
    last = first + 4
    if wrist and len(names) > last and product(first + 3, last) < EXACTLY:
        place = meeting(screws[first + 3], screws[last])
        both = screws[last - 1 : last + 1]
        off = [np.linalg.norm(np.cross(place - point, axis)) for axis, point in both]
        wrist += [last] if max(off) < EXACTLY else []
    three = [first, first + 1, first + 2]
    held = [n for n in range(len(names)) if n not in (*yaw, *three, *wrist)]
    return [[names[n] for n in some] for some in (yaw, three, wrist, held)]


def found(name):
    """The same of `load_arm`."""
    arm = shipped_arm(name)
    yaw = [arm.yaw_joint] if arm.yaw_joint else []
    return [yaw, [*arm.joint_names], [*arm.wrist_joints], [*arm.held]]


@pytest.mark.parametrize('name', NAMES)
def test_a_second_reading_of_the_urdf_finds_the_same_joints(name):
    assert found(name) == read(shipped_text(name), shipped_arm(name).tip_link)


def test_the_command_says_for_each_robot_what_is_solved_and_what_is_held(capsys):
    assert main(['robots', '--json']) == 0
    said = json.loads(capsys.readouterr().out)
    assert list(said) == NAMES
    for name, values in said.items():
        arm = shipped_arm(name)
        yaw = [values['yaw_joint']] if values['yaw_joint'] else []
        others = [values[f'{kind}_joints'] for kind in ('three', 'wrist', 'held')]
        assert [yaw, *others] == found(name)
        assert (values['base_link'], values['tip_link']) == (arm.base_link, arm.tip_link)


def test_the_page_says_for_each_robot_what_is_solved_and_what_is_held():
    page = (DOCS / 'robots.md').read_text()
    rows = dict(ROW.findall(page))
    assert sorted(rows) == NAMES
    for name, row in rows.items():
        solved, *columns, _ = map(str.strip, row.split('|'))
        *expected, held = found(name)
        assert [re.findall(r'`(\w+)`', one) for one in columns] == expected
        count = len(shipped_arm(name).commanded_joints)
        assert solved == f'{count} of {count + len(held)}'
        assert count + len(held) == len(moving(shipped_text(name), shipped_arm(name).tip_link))
        assert held == []  # as the sentence before the table says
    assert 'All their joints are solved.' in page
