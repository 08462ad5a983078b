"""Two bones in space: hip, knee and foot, and a target for the foot.

Source: "3D 2-Bone Inverse Kinematics" (the web page 004 of the project's sources). The knee lies on
the circle where the sphere about the hip meets the sphere about the target, at its point nearest to
where the knee was. A target too far stretches both bones towards it. A target too near points the
longer bone towards it and the other back. Then the smallest rotation of each bone is put into its
transform.

Added: a preferred bend direction (pole), and limits of the knee's bend and of the hip by a cone. A
limit of the bend is a limit of the distance from hip to foot. The cone cuts an arc out of the
knee's circle (see `hip_cone`). Out of reach of these, the foot goes to the nearest point that it
can have. And the cases that the source skips: a target on the hip, a knee on the line to the
target, bones without length.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.angles import nearest_in
from ik_circles.limbs.bones import NO_LIMITS, BoneLimits, Bones, vector
from ik_circles.limbs.hip_cone import bend_inside, nearest_foot, upper_inside
from ik_circles.limbs.space import (
    NO_TURN,
    Quaternion,
    Vector,
    across,
    angle_between,
    any_across,
    cross,
    minus,
    plus,
    rotated,
    rotation_between,
    times,
    turned,
    unit,
)

Outcome = Literal['reached', 'too_far', 'too_near', 'hip_limit']

#: The direction of a bone that has none of its own.
ANY_DIRECTION: Vector = (1.0, 0.0, 0.0)


class TwoBones(NamedTuple):
    """Where knee and foot are put, and how.

    Attributes
    ----------
    knee, foot : tuple of three floats
        (x, y, z) [m].
    outcome : {'reached', 'too_far', 'too_near', 'hip_limit'}
        'too_far' and 'too_near' for the distances that the bones, and the limits of the knee, can
        have; 'hip_limit' where the hip's cone is in the way.
    miss : float
        From the foot to the target [m].
    hip_rotation : tuple of four floats
        The smallest that turns the upper bone, and what hangs on it, to its new direction, as a
        quaternion (w, x, y, z) in the space of the points.
    knee_rotation : tuple of four floats
        The smallest that then turns the lower bone, likewise.
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
    """Knee and foot with the foot on the target, or as near to it as bones and limits allow.

    Parameters
    ----------
    hip, knee, foot : tuple of three floats
        (x, y, z) as they are [m]; the hip stays, and so do the bones' lengths.
    target : tuple of three floats
        (x, y, z) for the foot [m].
    pole : tuple of three floats, optional
        Direction, of any length, to which the knee bends as far as it can. Without one, or where it
        is along the line from hip to target, the knee moves as little as possible.
    limits : BoneLimits
        Of the knee's bend and of the hip.

    Returns
    -------
    TwoBones
        Where knee and foot are, and the rotations that bring the bones there.

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
        raise InvalidSettingError(f'limits are {limits!r:.60}; give BoneLimits(...)')
    upper, lower = minus(middle, start), minus(end, middle)
    bones = Bones.of(math.hypot(*upper), math.hypot(*lower), limits)
    away = minus(goal, start)
    reached, outcome = _nearest_foot(bones, away, upper, lower)
    bent = _knee(bones, reached, upper, wanted)
    reached = _foot_beyond(bones, bent, reached)
    hip_rotation, knee_rotation = _rotations(upper, lower, bent, minus(reached, bent))
    return TwoBones(
        plus(start, bent), plus(start, reached), outcome, math.dist(reached, away),
        hip_rotation, knee_rotation,
    )  # fmt: skip


# --- the foot -------------------------------------------------------------------------------------


def _nearest_foot(
    bones: Bones, away: Vector, upper: Vector, lower: Vector
) -> tuple[Vector, Outcome]:
    """The point nearest to the target that the foot can have, both from the hip."""
    distance = math.hypot(*away)
    direction = unit(away) if distance > bones.tolerance else None
    if direction is None:
        direction = _direction_on_hip(bones, upper, lower)
    radius = nearest_in(distance, (bones.nearest, bones.farthest))
    outcome: Outcome = 'reached'
    if distance > bones.farthest + bones.tolerance:
        outcome = 'too_far'
    elif distance < bones.nearest - bones.tolerance:
        outcome = 'too_near'
    axis = bones.limits.hip_axis
    if axis is None:
        return times(radius, direction), outcome
    off_axis = angle_between(direction, axis)
    if abs(bones.hip_angle(radius) - off_axis) <= bones.limits.hip_angle:
        return times(radius, direction), outcome
    sideways = across(axis, direction) or across(axis, upper) or any_across(axis)
    along, aside = nearest_foot(
        bones, (distance * math.cos(off_axis), distance * math.sin(off_axis))
    )
    foot = plus(times(along, axis), sideways, aside)
    return foot, 'reached' if math.dist(foot, away) <= bones.tolerance else 'hip_limit'


def _direction_on_hip(bones: Bones, upper: Vector, lower: Vector) -> Vector:
    """From hip to foot where the target is on the hip: every direction is as good, and this one
    leaves the knee where it is."""
    if bones.upper <= bones.tolerance:
        return unit(lower) or ANY_DIRECTION
    along = unit(upper) or ANY_DIRECTION
    if bones.nearest <= bones.tolerance:
        return along
    folded = bones.hip_angle(bones.nearest)
    aside = across(along, lower) or any_across(along)
    return turned(unit(cross(along, aside)) or aside, folded, along)


def _foot_beyond(bones: Bones, knee: Vector, foot: Vector) -> Vector:
    """The foot at the lower bone's length from the knee; it differs from the foot only by the
    rounding that a flat triangle or a limit leaves."""
    direction = unit(minus(foot, knee))
    if direction is None:
        return foot
    placed = plus(knee, direction, bones.lower)
    return foot if math.dist(placed, foot) <= bones.tolerance else placed


# --- the knee -------------------------------------------------------------------------------------


def _knee(bones: Bones, foot: Vector, before: Vector, pole: Vector | None) -> Vector:
    """The point of the knee's circle that is nearest to where it was, or to the pole."""
    distance = math.hypot(*foot)
    if distance <= bones.tolerance:
        wanted = (pole and unit(pole)) or unit(before) or ANY_DIRECTION
        return times(bones.upper, upper_inside(bones, wanted))
    axis = unit(foot) or ANY_DIRECTION
    angle = bones.hip_angle(distance)
    wanted = (pole and across(axis, pole)) or across(axis, before) or any_across(axis)
    wanted = bend_inside(bones, axis, angle, wanted)
    return plus(
        times(bones.upper * math.cos(angle), axis), wanted, bones.upper * math.sin(angle)
    )


# --- the rotations --------------------------------------------------------------------------------


def _rotations(
    upper: Vector, lower: Vector, new_upper: Vector, new_lower: Vector
) -> tuple[Quaternion, Quaternion]:
    """Smallest rotations that turn the upper bone, then the lower bone that it has carried along.

    Bones without length are not turned. Half turns are about the axis of the bend.
    """
    bend = cross(new_upper, new_lower)
    hip = _rotation(upper, new_upper, bend)
    return hip, _rotation(rotated(hip, lower), new_lower, bend)


def _rotation(start: Vector, end: Vector, axis: Vector) -> Quaternion:
    first, last = unit(start), unit(end)
    if first is None or last is None:
        return NO_TURN
    return rotation_between(first, last, axis)
