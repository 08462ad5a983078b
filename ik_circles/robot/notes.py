# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a user should know about the reduction of a robot, in one sentence each."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ik_circles.geometry.rigid import Matrix, angle_between_lines, cross_product
from ik_circles.robot.search import AXIS_TOLERANCE
from ik_circles.robot.tree import TURNING, PlacedJoint, UrdfJoint

#: A joint that moves the tip by less than this needs no note [m].
MOVES_THE_TIP = 1e-6


def held_notes(
    before: Sequence[PlacedJoint],
    after: Sequence[PlacedJoint],
    tip: Matrix,
    held: Mapping[str, float],
    why_no_yaw: str,
    why_no_more: str,
) -> Iterator[str]:
    """Notes on the joints before the three and after the wrist that are not commanded, with the
    positions at which they are held; `tip` is the tip's position in the base [m]."""
    for one in before:
        why = f': {why_no_yaw}' if why_no_yaw and one is before[-1] else ''
        yield f'{one.joint.name} comes before the arm and is {_held_at(one.joint, held)}{why}'
    for joint, axis, position in after:
        is_held = _held_at(joint, held)
        moves = _arc_width(joint, held) * float(np.linalg.norm(cross_product(axis, tip - position)))
        if why_no_more:  # only for the first joint after the wrist
            yield f'{joint.name} is {is_held}, and is no part of a wrist: {why_no_more}'
            why_no_more = ''
        elif joint.mimic:
            yield f'{joint.name} follows {joint.mimic.joint}; it is {is_held}'
        elif joint.type not in TURNING:
            yield f'{joint.name} moves the tip; it is {is_held}'
        elif moves > MOVES_THE_TIP:
            yield f'{joint.name} moves the tip by up to {1000.0 * moves:.3g} mm; it is {is_held}'


def why_no_roll(
    after: Sequence[PlacedJoint], normal: Matrix, held: Mapping[str, float], why_no_wrist: str
) -> str:
    """Why nothing rolls the tool of an arm without a wrist: the first joint after the three that
    could roll it is held. '' if no joint could."""
    for one in after:
        if one.joint.type in TURNING and angle_between_lines(one.axis, normal) > AXIS_TOLERANCE:
            first = '' if one is after[0] else f'{after[0].joint.name} is not a wrist: '
            is_held = f'{one.joint.name} is {_held_at(one.joint, held)} ({first}{why_no_wrist})'
            return f'{is_held} and does not roll the tool'
    return ''


def _held_at(joint: UrdfJoint, held: Mapping[str, float]) -> str:
    unit = 'rad' if joint.type in TURNING else 'm'
    return f'held at {held.get(joint.name, 0.0):.4g} {unit}'


def _arc_width(joint: UrdfJoint, held: Mapping[str, float]) -> float:
    """The distance of the farthest two points on the arc that a turning joint can lead a tip along
    [1, of the radius]. Where the joint is held counts, too."""
    at = held.get(joint.name, 0.0)
    sweep = max(joint.upper, at) - min(joint.lower, at)
    return 2.0 * math.sin(0.5 * min(sweep, math.pi))


def stuck_notes(commanded: Sequence[PlacedJoint]) -> Iterator[str]:
    """A note on each joint with equal limits. Both limits are 0 if a URDF leaves them out."""
    for joint, *_ in commanded:
        if joint.lower == joint.upper:
            yield f'{joint.name} cannot move: both of its limits are {joint.lower:.4g} rad'


def slack_notes(commanded: Sequence[PlacedJoint], slack: float) -> Iterator[str]:
    """A note on axes that are parallel or perpendicular only to within `slack` [m] at the tip."""
    if slack > MOVES_THE_TIP:
        yield (
            f'the axes of {", ".join(one.joint.name for one in commanded)} are only nearly '
            'parallel or perpendicular: the '
            f'joints are corrected, by up to {1000.0 * slack:.2g} mm at the tip'
        )
