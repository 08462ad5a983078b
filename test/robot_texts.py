# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Texts of robot descriptions with numbers of any kind."""

X_AXIS, Y_AXIS, Z_AXIS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def joint(name, parent, child, kind='fixed', xyz=(0, 0, 0), rpy=(0, 0, 0), axis=Z_AXIS, inner=''):
    numbers = (' '.join(map(repr, map(float, three))) for three in (xyz, rpy, axis))
    return (
        '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>'
        '<origin xyz="{}" rpy="{}"/><axis xyz="{}"/>{}</joint>'
    ).format(name, kind, parent, child, *numbers, inner)


def robot(*joints):
    """Joints of a URDF with all links that they name."""
    text = ''.join(joints)
    names = dict.fromkeys(part.split('"')[0] for part in text.split('link="')[1:])
    links = ''.join(f'<link name="{name}"/>' for name in names)
    return f'<robot name="r">{links}{text}</robot>'


def limit(lower, upper):
    return f'<limit lower="{float(lower)!r}" upper="{float(upper)!r}" velocity="2"/>'


def in_a_row(*kinds, **others):
    """Joints j0, j1 … between links 0, 1 …; each is a type, an axis and what it contains."""
    return [
        joint(f'j{n}', n, n + 1, kind, others.get('xyz', (0.3, 0, 0)), axis=axis, inner=inner)
        for n, (kind, axis, inner) in enumerate(kinds)
    ]


THREE = in_a_row(*[('continuous', Y_AXIS, '')] * 3)
