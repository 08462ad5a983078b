# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two bones of a skeleton: new rotations of hip and knee, given their parents' transforms.

Source: "3D 2-Bone Inverse Kinematics" (see two_bones). Each bone is moved and turned relative to
its parent. The new direction of a bone is expressed in the bone's own axes. The smallest rotation
to that direction is applied before the bone's own rotation. Added: the inverse of a rigid transform
instead of a general inverse, opposite directions, and the limits and the pole of two_bones.
"""

from typing import NamedTuple

from numpy.typing import ArrayLike

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.values import quoted
from ik_circles.limbs import space
from ik_circles.limbs.bones import NO_LIMITS, BoneLimits, vector
from ik_circles.limbs.space import Quaternion, Transform, Vector
from ik_circles.limbs.two_bones import TwoBones, place_bones

NO_OFFSET: Vector = (0.0, 0.0, 0.0)


class Bone(NamedTuple):
    """A bone in its parent's axes.

    Attributes
    ----------
    translation : tuple of three floats
        The position of its joint (x, y, z) [m].
    rotation : tuple of four floats
        Its orientation: a quaternion (w, x, y, z) of length 1.
    """

    translation: Vector
    rotation: Quaternion = space.NO_TURN


class TurnedBones(NamedTuple):
    """The orientations and the positions of both bones.

    Attributes
    ----------
    hip_rotation, knee_rotation : tuple of four floats
        New rotations of both bones in their parents' axes, as quaternions (w, x, y, z).
    hip_transform, knee_transform : array (4, 4)
        The transforms that follow from them, in the skeleton's space.
    bones : TwoBones
        Knee and foot in the skeleton's space.
    """

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
    """Turn hip and knee so that the foot is on the target, or as near as `place_bones` puts it.

    Parameters
    ----------
    parent : array (4, 4)
        Rigid transform of the hip's parent in the skeleton's space.
    hip : Bone
        The upper bone in its parent's axes.
    knee : Bone
        The lower bone in the upper bone's axes.
    foot : tuple of three floats
        (x, y, z) in the lower bone's axes [m].
    target : tuple of three floats
        (x, y, z) in the skeleton's space [m].
    pole : tuple of three floats, optional
        Direction in the skeleton's space; the knee bends towards it as far as it can.
    limits : BoneLimits
        Limits of the knee's bend and of the hip. The hip's cone is in the axes of the hip's parent.

    Returns
    -------
    TurnedBones
        The new rotations, transforms and points.

    Raises
    ------
    InvalidArmError, NotFiniteError
        A transform is not rigid, or a bone or a point is invalid.
    InvalidSettingError
        `limits` are no BoneLimits.
    """
    root = space.checked_transform('parent', parent)
    upper, lower, end = _checked('hip', hip), _checked('knee', knee), vector('foot', foot)
    hip_before = root @ space.transform(*upper)
    knee_before = hip_before @ space.transform(*lower)
    hip_at = space.place(hip_before, NO_OFFSET)
    bones = place_bones(
        hip_at, space.place(knee_before, NO_OFFSET), space.place(knee_before, end), target,
        pole=pole, limits=_turned_limits(root, limits),
    )  # fmt: skip
    thigh, shin = space.minus(bones.knee, hip_at), space.minus(bones.foot, bones.knee)
    bend = space.cross(thigh, shin)
    hip_rotation, hip_after = _turned(root, upper, lower.translation, thigh, bend)
    knee_rotation, knee_after = _turned(hip_after, lower, end, shin, bend)
    return TurnedBones(hip_rotation, knee_rotation, hip_after, knee_after, bones)


def _turned(
    parent: Transform, bone: Bone, start: Vector, end: Vector, bend: Vector
) -> tuple[Quaternion, Transform]:
    """A bone's rotation after the smallest rotation that turns `start` to `end`, and its transform.

    `start` is in the bone's axes, `end` is in the skeleton's space. A half turn is about the axis
    of the bend.
    """
    rotation, axes = bone.rotation, parent @ space.transform(*bone)
    first, last = space.unit(start), space.unit(space.direction_in(axes, end))
    if first and last:
        smallest = space.rotation_between(first, last, space.direction_in(axes, bend))
        rotation = space.quaternion_product(rotation, smallest)
    return rotation, parent @ space.transform(bone.translation, rotation)


def _turned_limits(root: Transform, limits: BoneLimits) -> BoneLimits:
    """The same limits with the hip's cone in the skeleton's space."""
    if not isinstance(limits, BoneLimits) or limits.hip_axis is None:
        return limits
    x, y, z = (root[:3, :3] @ limits.hip_axis).tolist()
    return BoneLimits(limits.knee, (x, y, z), limits.hip_angle)


def _checked(name: str, bone: object) -> Bone:
    if not isinstance(bone, tuple) or len(bone) != 2:
        raise InvalidArmError(f'{name} is {quoted(bone)}; give Bone(translation, rotation)')
    w, x, y, z = checks.vector(f'rotation of {name}', bone[1], 4)
    square = w * w + x * x + y * y + z * z
    if not abs(square - 1.0) <= space.RIGID:
        raise InvalidArmError(
            f'rotation of {name} is {(w, x, y, z)}, of length {square**0.5:.6g}; '
            'give a quaternion (w, x, y, z) of length 1'
        )
    # This gives it unit length to the last bits.
    rotation = space.quaternion_product((w, x, y, z), space.NO_TURN)
    return Bone(vector(f'translation of {name}', bone[0]), rotation)
