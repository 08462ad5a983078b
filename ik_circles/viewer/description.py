# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A URDF for a planar arm that was given by its lengths."""

from ik_circles.planar.arm import PlanarArm


def description_of(planar: PlanarArm) -> str:
    """A URDF of the arm in the plane z = 0 of base_link, with joints q1, q2 and q3 about z."""
    parent, joints = 'base_link', []
    offsets = (0.0, *planar.link_lengths[:2])
    for number, (offset, limits) in enumerate(zip(offsets, planar.joint_limits or 3 * (None,)), 1):
        kind = 'continuous' if limits is None else 'revolute'
        bounds = '' if limits is None else f'lower="{limits[0]!r}" upper="{limits[1]!r}"'
        joints.append(
            f'<link name="link_{number}"/><joint name="q{number}" type="{kind}">'
            f'<parent link="{parent}"/><child link="link_{number}"/>'
            f'<origin xyz="{offset!r} 0 0"/><axis xyz="0 0 1"/>'
            f'<limit {bounds} effort="1" velocity="2"/></joint>'
        )
        parent = f'link_{number}'
    return (
        f'<robot name="arm"><link name="base_link"/>{"".join(joints)}'
        '<link name="tip"/><joint name="tip_joint" type="fixed"><parent link="link_3"/>'
        f'<child link="tip"/><origin xyz="{planar.link_lengths[2]!r} 0 0"/></joint></robot>'
    )
