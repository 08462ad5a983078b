# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Texts of robot descriptions, and what loading them gives: the arm, or one sentence."""

import warnings

from ik_circles import IkCirclesError, load_arm

TURNING = '<origin xyz="1 0 0"/><axis xyz="0 0 1"/>'
#: Short enough for a log, on one line.
LONGEST_SENTENCE = 600


def joint(name='j', parent='a', child='b', inner=TURNING, kind='continuous'):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'{inner}</joint>'
    )


def robot(*elements):
    return f'<robot name="r">{"".join(elements)}</robot>'


JOINTS = joint('1', 'a', 'b'), joint('2', 'b', 'c'), joint('3', 'c', 'd')
ARM = '<link name="a"/><link name="b"/><link name="c"/><link name="d"/>' + ''.join(JOINTS)


def arm_with(inner, kind='continuous'):
    """An arm whose second joint says something else."""
    return robot(ARM.replace(JOINTS[1], joint('2', 'b', 'c', inner, kind)))


def many(make, size):
    """About `size` characters of numbered elements."""
    return ''.join(map(make, range(size // len(make(size // 20)))))


def chain_of(count, kind='fixed', inner=''):
    links = (f'<link name="{n}"/>' for n in range(count + 1))
    return robot(*links, *(joint(f'j{n}', n, n + 1, inner, kind) for n in range(count)))


def laughs(body):
    entities = [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
    entities = f'<!ENTITY a0 "{"ha" * 10_000}">{"".join(entities)}'
    return f'<!DOCTYPE robot [{entities}]><robot>{body}</robot>'


def outcome(urdf, **ends):
    """The arm, or the one sentence; warnings and other exceptions fail."""
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        try:
            return load_arm(urdf, **ends)
        except IkCirclesError as error:
            sentence = str(error)
    assert sentence.isprintable()
    return sentence


def is_the_arm(arm):
    assert arm.joint_names == ('1', '2', '3')
    assert (arm.arm.link_lengths[:2], arm.arm.joint_limits) == ((1.0, 1.0), (None,) * 3)
