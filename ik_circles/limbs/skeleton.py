"""Two bones of a skeleton: new rotations of hip and knee, given their parents' transforms.

Source: "3D 2-Bone Inverse Kinematics" (see two_bones): each bone is moved and turned relative to
its parent; the new direction of a bone is taken into its own axes, and the smallest rotation to it
comes behind the bone's own. Added: the inverse of a rigid transform instead of a general one,
opposite directions, and limits and pole of two_bones.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.limbs.space import (
    NO_TURN,
    RIGID,
    Quaternion,
    Transform,
    Vector,
    checked_transform,
    cross,
    direction_in,
    minus,
    place,
    quaternion_product,
    rotation_between,
    transform,
    unit,
)
from ik_circles.limbs.two_bones import NO_LIMITS, BoneLimits, TwoBones, place_bones, vector

ORIGIN: Vector = (0.0, 0.0, 0.0)


class Bone(NamedTuple):
    """A bone in its parent's axes: where its joint is [m], and how it is turned, (w, x, y, z)."""

    translation: Vector
    rotation: Quaternion = NO_TURN


class TurnedBones(NamedTuple):
    """New rotations of both bones in their parents' axes, (w, x, y, z), the transforms that follow
    in the skeleton's space, and where knee and foot are there."""

    hip_rotation: Quaternion
    knee_rotation: Quaternion
    hip_transform: Transform
    knee_transform: Transform
    bones: TwoBones


def turn_bones(
    parent: ArrayLike,
    hip: Bone,
    knee: Bone,
    foot: Vector,
    target: Vector,
    *,
    pole: Vector | None = None,
    limits: BoneLimits = NO_LIMITS,
) -> TurnedBones:
    """Turn hip and knee so that the foot is on the target, or as near as two_bones puts it.

    Parameters
    ----------
    parent : 4 x 4 rigid transform of the hip's parent in the skeleton's space
    hip : the upper bone in its parent's axes
    knee : the lower bone in the upper bone's axes
    foot : (x, y, z) in the lower bone's axes [m]
    target, pole : in the skeleton's space, as place_bones'
    limits : as place_bones', the hip's cone in its parent's axes

    Raises
    ------
    InvalidArmError, InvalidSettingError, NotFiniteError
    """
    root = checked_transform('parent', parent)
    upper, lower, end = _checked('hip', hip), _checked('knee', knee), vector('foot', foot)
    hip_before = root @ transform(*upper)
    knee_before = hip_before @ transform(*lower)
    bones = place_bones(
        place(hip_before, ORIGIN), place(knee_before, ORIGIN), place(knee_before, end), target,
        pole=pole, limits=_turned_limits(root, limits),
    )  # fmt: skip
    hip_at = place(hip_before, ORIGIN)
    bend = cross(minus(bones.knee, hip_at), minus(bones.foot, bones.knee))
    hip_rotation = _turned(
        upper.rotation, hip_before, lower.translation, minus(bones.knee, hip_at), bend
    )
    hip_after = root @ transform(upper.translation, hip_rotation)
    knee_carried = hip_after @ transform(*lower)
    knee_rotation = _turned(
        lower.rotation, knee_carried, end, minus(bones.foot, bones.knee), bend
    )
    knee_after = hip_after @ transform(lower.translation, knee_rotation)
    return TurnedBones(hip_rotation, knee_rotation, hip_after, knee_after, bones)


def _turned(
    rotation: Quaternion, axes: Transform, start: Vector, end: Vector, bend: Vector
) -> Quaternion:
    """A bone's rotation with the smallest one behind it that turns `start`, in the bone's axes, to
    the direction `end` of the skeleton's space; a half turn about the axis of the bend."""
    first, last = unit(start), unit(direction_in(axes, end))
    if first is None or last is None:
        return rotation
    turn = rotation_between(first, last, direction_in(axes, bend))
    return quaternion_product(rotation, turn)


def _turned_limits(root: Transform, limits: BoneLimits) -> BoneLimits:
    """Limits with the hip's cone in the skeleton's space."""
    if not isinstance(limits, BoneLimits) or limits.hip_axis is None:
        return limits
    x, y, z = (root[:3, :3] @ limits.hip_axis).tolist()
    return BoneLimits(limits.knee, (x, y, z), limits.hip_angle)


def _checked(name: str, bone: object) -> Bone:
    if not isinstance(bone, tuple) or len(bone) != 2:
        raise InvalidArmError(f'{name} is {bone!r:.60}; give Bone(translation, rotation)')
    w, x, y, z = checks.vector(f'rotation of {name}', bone[1], 4)
    square = w * w + x * x + y * y + z * z
    if not abs(square - 1.0) <= RIGID:
        raise InvalidArmError(
            f'rotation of {name} is {(w, x, y, z)}, of length {square**0.5:.6g}; '
            'give a quaternion (w, x, y, z) of length 1'
        )
    rotation = quaternion_product((w, x, y, z), NO_TURN)  # of unit length to the last bits
    return Bone(vector(f'translation of {name}', bone[0]), rotation)
