# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots without a wrist: laws about the three joints and the yaw joint are stated for these."""

import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

from ik_circles import load_arm

URDF = Path(__file__).parents[1] / 'urdf'
#: The names of all shipped robots.
NAMES = [file.stem for file in sorted(URDF.glob('*.urdf'))]


def wrist_of(text):
    """The name of the first joint after the three, None if none moves, and the links after it."""
    arm = load_arm(text)
    path = list(arm.found.path)
    third = path.index(arm.naming.three[2].joint)
    fixed, *gone = [one for one in path[third + 1 :] if one.type != 'fixed'] or [None]
    links = {one.child for one in path[path.index(gone[0]) :]} if gone else set()
    return fixed and fixed.name, links


def without_wrist(text, wrist=None):
    """The text with the first joint after the three fixed; what moves after that is left out."""
    tree = ElementTree.fromstring(text)
    fix(tree, *(wrist or wrist_of(text)))
    return ElementTree.tostring(tree, encoding='unicode')


def fix(tree, fixed, links):
    """Fix a joint of a robot, and leave out links and the joints that carry them."""
    for element in [*tree]:
        child = element.find('child')
        if fixed and element.get('name') == fixed:
            element.set('type', 'fixed')
        if (element.get('name') if child is None else child.get('link')) in links:
            tree.remove(element)


@cache
def shipped_wrist(name):
    """`wrist_of` a shipped robot."""
    return wrist_of(shipped_text(name))


@cache
def kinematics(name):
    """The text of a shipped robot without its shapes, for laws that make many robots of it."""
    tree = ElementTree.fromstring(shipped_text(name))
    for link in tree.findall('link'):
        for part in [*link]:
            link.remove(part)
    return ElementTree.tostring(tree, encoding='unicode')


@cache
def load(name):
    """A shipped robot without its wrist."""
    return load_arm(without_wrist(shipped_text(name)))


def shipped_text(name):
    """The text of a shipped robot, its wrist and all."""
    return (URDF / f'{name}.urdf').read_text()


@cache
def shipped_arm(name):
    """A shipped robot: one for all tests, because its outlines take longer than most laws."""
    return load_arm(shipped_text(name))


def shipped_arms():
    """Every shipped robot by its name."""
    return {name: shipped_arm(name) for name in NAMES}
