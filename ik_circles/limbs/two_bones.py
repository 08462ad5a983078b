# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two bones in space: hip, knee and foot, and a target for the foot.

Source: "3D 2-Bone Inverse Kinematics" (the web page 004 of the project's sources). A sphere about
the hip and a sphere about the target meet in a circle. The knee goes to the point of that circle
nearest to where it was. If the target is too far, both bones stretch towards it. If it is too near,
the longer bone points towards it and the other one back. Then the smallest rotation of each bone is
put into its transform.

Added: a preferred bend direction (pole), limits of the knee's bend, and a cone that limits the hip.
A limit of the bend is a limit of the distance from hip to foot. The cone cuts an arc out of the
knee's circle (see `hip_cone`). If the limits keep the foot from the target, it goes to the nearest
point that it can reach. Also added are the cases that the source skips: a target on the hip, a knee
on the line to the target, and bones without length.
"""

import math
from typing import Literal, NamedTuple

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.values import quoted
from ik_circles.limbs import space
from ik_circles.limbs.bones import NO_LIMITS, BoneLimits, Bones, vector
from ik_circles.limbs.hip_cone import bend_inside, nearest_foot, upper_inside
from ik_circles.limbs.space import Quaternion, Vector

Outcome = Literal['reached', 'too_far', 'too_near', 'hip_limit']

#: The direction of a bone without length.
ANY_DIRECTION: Vector = (1.0, 0.0, 0.0)


class TwoBones(NamedTuple):
    """The new knee and foot, and the rotations that bring them there.

    Attributes
    ----------
    knee, foot : tuple of three floats
        (x, y, z) [m].
    outcome : {'reached', 'too_far', 'too_near', 'hip_limit'}
        'too_far' and 'too_near' if the bones, with the limits of the knee, cannot span the
        distance; 'hip_limit' if the hip's cone is in the way.
    miss : float
        Distance from the foot to the target [m].
    hip_rotation : tuple of four floats
        The smallest rotation that turns the upper bone, and all that follows it, to its new
        direction: a quaternion (w, x, y, z) in the space of the points.
    knee_rotation : tuple of four floats
        The smallest rotation that then turns the lower bone, in the same form.
    """

    knee: Vector
    foot: Vector
    outcome: Outcome
    miss: float
    hip_rotation: Quaternion
    knee_rotation: Quaternion


def place_bones(
    hip: Vector,
    knee: Vector,
    foot: Vector,
    target: Vector,
    *,
    pole: Vector | None = None,
    limits: BoneLimits = NO_LIMITS,
) -> TwoBones:
    """Place knee and foot so that the foot is on the target, or as near as bones and limits allow.

    Parameters
    ----------
    hip, knee, foot : tuple of three floats
        Their present positions (x, y, z) [m]; the hip and the lengths of the bones stay.
    target : tuple of three floats
        (x, y, z) for the foot [m].
    pole : tuple of three floats, optional
        A direction of any length; the knee bends towards it as far as it can. Without a pole, or if
        it is along the line from hip to target, the knee moves as little as possible.
    limits : BoneLimits
        Limits of the knee's bend and of the hip.

    Returns
    -------
    TwoBones
        Knee and foot, and the rotations that bring the bones there.

    Raises
    ------
    InvalidArmError, NotFiniteError
        A point is not three finite numbers, or both bones have no length.
    InvalidSettingError
        `limits` are no BoneLimits.

    Examples
    --------
    >>> found = place_bones((0, 0, 0), (0, 0, -1), (0, 0, -2), (1, 0, -1), pole=(1, 0, 0))
    >>> found.outcome, [round(value, 9) + 0.0 for value in found.knee]
    ('reached', [1.0, 0.0, 0.0])
    """
    start, middle, end = vector('hip', hip), vector('knee', knee), vector('foot', foot)
    goal = vector('target', target)
    wanted = None if pole is None else vector('pole', pole)
    if not isinstance(limits, BoneLimits):
        raise InvalidSettingError(f'limits are {quoted(limits)}; give BoneLimits(...)')
    upper, lower = space.minus(middle, start), space.minus(end, middle)
    bones = Bones(math.hypot(*upper), math.hypot(*lower), limits)
    away = space.minus(goal, start)
    reached, outcome = _nearest_foot(bones, away, upper, lower)
    bent = _knee(bones, reached, upper, wanted)
    reached = _foot_beyond(bones, bent, reached)
    shin = space.minus(reached, bent)
    axis = space.cross(bent, shin)  # for half turns, which do not determine their axis
    hip_rotation = _rotation(upper, bent, axis)
    carried = space.rotated(hip_rotation, lower)
    knee_rotation = _rotation(carried, shin, axis)
    return TwoBones(
        space.plus(start, bent), space.plus(start, reached), outcome, math.dist(reached, away),
        hip_rotation, knee_rotation,
    )  # fmt: skip


# --- the foot -------------------------------------------------------------------------------------


def _nearest_foot(
    bones: Bones, away: Vector, upper: Vector, lower: Vector
) -> tuple[Vector, Outcome]:
    """The point in reach of the foot nearest to the target, both relative to the hip."""
    distance = math.hypot(*away)
    direction = space.unit(away) if distance > bones.tolerance else None
    if direction is None:
        direction = _direction_on_hip(bones, upper, lower)
    radius, (nearest, farthest) = nearest_in(distance, bones.reach), bones.reach
    outcome: Outcome = 'reached'
    if distance > farthest + bones.tolerance:
        outcome = 'too_far'
    elif distance < nearest - bones.tolerance:
        outcome = 'too_near'
    axis = bones.cone_axis
    off_axis = space.angle_between(direction, axis) if axis else 0.0
    if not axis or abs(bones.hip_angle(radius) - off_axis) <= bones.limits.hip_angle:
        return space.times(radius, direction), outcome
    sideways = space.any_across(axis, direction, upper)
    along, aside = nearest_foot(
        bones, (distance * math.cos(off_axis), distance * math.sin(off_axis))
    )
    foot = space.plus(space.times(along, axis), sideways, aside)
    return foot, 'reached' if math.dist(foot, away) <= bones.tolerance else 'hip_limit'


def _direction_on_hip(bones: Bones, upper: Vector, lower: Vector) -> Vector:
    """The direction from hip to foot if the target is on the hip. Every direction is equally good,
    and this one leaves the knee where it is."""
    if bones.upper <= bones.tolerance:
        return space.unit(lower) or ANY_DIRECTION
    along = space.unit(upper) or ANY_DIRECTION
    nearest, _ = bones.reach
    if nearest <= bones.tolerance:
        return along
    folded = bones.hip_angle(nearest)
    aside = space.any_across(along, lower)
    return space.turned(space.unit(space.cross(along, aside)) or aside, folded, along)


def _foot_beyond(bones: Bones, knee: Vector, foot: Vector) -> Vector:
    """The foot, moved to exactly the lower bone's length from the knee. It moves only by the
    rounding that a flat triangle or a limit leaves."""
    direction = space.unit(space.minus(foot, knee))
    if direction is None:
        return foot
    placed = space.plus(knee, direction, bones.lower)
    return foot if math.dist(placed, foot) <= bones.tolerance else placed


# --- the knee -------------------------------------------------------------------------------------


def _knee(bones: Bones, foot: Vector, before: Vector, pole: Vector | None) -> Vector:
    """The point of the knee's circle that is nearest to where the knee was, or to the pole."""
    distance = math.hypot(*foot)
    if distance <= bones.tolerance:
        wanted = (pole and space.unit(pole)) or space.unit(before) or ANY_DIRECTION
        return space.times(bones.upper, upper_inside(bones, wanted))
    axis = space.unit(foot) or ANY_DIRECTION
    angle = bones.hip_angle(distance)
    wanted = bend_inside(bones, axis, angle, space.any_across(axis, pole, before))
    return space.plus(
        space.times(bones.upper * math.cos(angle), axis), wanted, bones.upper * math.sin(angle)
    )


def _rotation(start: Vector, end: Vector, axis: Vector) -> Quaternion:
    """The smallest rotation of a bone, with half turns about the axis; no rotation for a bone
    without length."""
    first, last = space.unit(start), space.unit(end)
    return space.rotation_between(first, last, axis) if first and last else space.NO_TURN
