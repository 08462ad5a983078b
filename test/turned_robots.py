# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robots with a yaw joint and no wrist: the shipped ones with theirs fixed, and random ones."""

import math

import numpy as np
from three_joints import URDF, load

from ik_circles import load_arm

NAMES = [path.stem for path in sorted(URDF.glob('*.urdf')) if path.stem != 'planar_3r']
RANDOM = 6
IDS = [*NAMES, *(f'random {number}' for number in range(RANDOM))]


def turned_arms():
    """Every shipped robot with a yaw joint, and random ones."""
    yield from map(load, NAMES)
    rng = np.random.default_rng(1)
    yield from (load_arm(urdf_of(rng)) for _ in range(RANDOM))


def commanded(arm):
    """The commanded joints as the URDF has them."""
    return [arm.tree.movable_joints[name] for name in arm.commanded_joints]


def urdf_of(rng):
    """A random arm behind a yaw joint: beside its axis, limited or not, axes either way."""
    beside = rng.choice([0.0, rng.uniform(-0.2, 0.2)])
    yaw_type, *limits = (
        ('continuous', '') if rng.random() < 0.3 else ('revolute', limit(rng)),
        *(limit(rng) for _ in range(3)),
    )
    joints = [
        (yaw_type[0], yaw_type[1], f'0 0 {rng.choice([-1, 1])}', '0 0 0'),
        *(
            ('revolute', limits[index], f'0 {rng.choice([-1, 1])} 0', origin)
            for index, origin in enumerate((
                f'{rng.uniform(-0.1, 0.1)} {beside} {rng.uniform(0.0, 0.2)}',
                f'{rng.uniform(0.1, 0.4)} {rng.uniform(-0.1, 0.1)} {rng.uniform(-0.1, 0.3)}',
                f'{rng.uniform(0.1, 0.4)} {rng.uniform(-0.1, 0.1)} 0',
            ))
        ),
        ('fixed', '', '1 0 0', f'{rng.uniform(0.0, 0.3)} {rng.choice([0.0, 0.05])} 0.05'),
    ]
    links = ''.join(f'<link name="l{n}"/>' for n in range(len(joints) + 1))
    return f'<robot name="r">{links}' + ''.join(
        f'<joint name="j{n}" type="{kind}"><parent link="l{n}"/><child link="l{n + 1}"/>'
        f'<origin xyz="{origin}"/><axis xyz="{axis}"/>{inner}</joint>'
        for n, (kind, inner, axis, origin) in enumerate(joints)
    ) + '</robot>'  # fmt: skip


def limit(rng):
    lower = rng.uniform(-3.0, 0.5)
    return f'<limit lower="{lower}" upper="{lower + rng.uniform(0.5, 5.0)}" velocity="1"/>'


def limits_of(arm):
    return {
        joint.name: (max(joint.lower, -math.pi), min(joint.upper, math.pi))
        for joint in commanded(arm)
    }


def drawn(arm, rng, count):
    """Joint positions inside the limits, now and then on one."""
    for _ in range(count):
        yield {
            name: float(np.clip(rng.uniform(-0.05, 1.05), 0.0, 1.0) * (upper - lower) + lower)
            for name, (lower, upper) in limits_of(arm).items()
        }


def yaw_axis(arm):
    """Direction of the yaw axis in base_link, and a point of it."""
    yaw = commanded(arm)[0]
    pose = arm.link_pose(yaw.child, {})
    return pose[:3, :3] @ yaw.axis, pose[:3, 3]


def somewhere(arm, rng):
    """A point inside or outside of the workspace."""
    _, through = yaw_axis(arm)
    reach = arm.arm.max_reach + math.hypot(*arm.spatial.yaw.foot, arm.spatial.yaw.aside)
    direction = rng.normal(size=3)
    point = through + direction / np.linalg.norm(direction) * reach * rng.uniform(0.0, 1.4)
    return tuple(map(float, point))
