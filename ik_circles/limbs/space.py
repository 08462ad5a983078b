# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Vectors, quaternions and transforms in space, as far as two bones and single targets need them.

Quaternions have unit length and the order (w, x, y, z), as in transforms3d. The product of two of
them turns by the second one first. Transforms are 4 x 4 and rigid: a rotation and a translation.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.errors import InvalidArmError, NotFiniteError
from ik_circles.geometry.rigid import Matrix, Point3

Vector = Point3
Transform = Matrix
Quaternion = tuple[float, float, float, float]

NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)
#: A rotation matrix may differ from an orthogonal one, and a quaternion's length from 1, by this.
RIGID = 1e-6
#: The reciprocal of a smaller number than this overflows, or nearly does.
TINY = 1e-300
#: If a difference of vectors is shorter than this share of them, its direction is only rounding.
NO_DIRECTION = 1e-14


def plus(a: Vector, b: Vector, share: float = 1.0) -> Vector:
    """Vector `a` plus a multiple of `b`."""
    return a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """Vector `a` minus `b`."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(share: float, a: Vector) -> Vector:
    """A multiple of vector `a`."""
    return share * a[0], share * a[1], share * a[2]


def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    (a1, a2, a3), (b1, b2, b3) = a, b
    return a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1


def unit(a: Vector) -> Vector | None:
    """Direction of a vector of any size; None if it has no length."""
    largest = max(map(abs, a))
    if largest == 0.0:
        return None
    scaled = times(1.0 / largest, a) if largest > TINY else times(1e300, times(1e10, a))
    return times(1.0 / math.hypot(*scaled), scaled)


def angle_between(a: Vector, b: Vector) -> float:
    """Angle between two unit vectors [rad], as exact near 0 and pi as elsewhere (W. Kahan)."""
    return 2.0 * math.atan2(math.hypot(*minus(a, b)), math.hypot(*plus(a, b)))


def across(axis: Vector, a: Vector) -> Vector | None:
    """Direction of the part of `a` that is perpendicular to a unit axis; None if there is none."""
    direction = unit(a)
    if direction is None:
        return None
    part = plus(direction, axis, -dot(direction, axis))
    if math.hypot(*part) <= NO_DIRECTION:
        return None
    first = unit(part)
    return first and unit(plus(first, axis, -dot(first, axis)))  # again: cancellation left a rest


def any_across(axis: Vector, *preferred: Vector | None) -> Vector:
    """A direction perpendicular to a unit axis: that of the first of these vectors that has one,
    else any."""
    least = min(range(3), key=lambda index: abs(axis[index]))
    another = float(least == 0), float(least == 1), float(least == 2)
    found = (across(axis, a) for a in (*preferred, another) if a is not None)
    return next(direction for direction in found if direction)


def turned(axis: Vector, angle: float, a: Vector) -> Vector:
    """`a` turned about a unit axis by an angle [rad] (O. Rodrigues)."""
    cosine, sine = math.cos(angle), math.sin(angle)
    along = (1.0 - cosine) * dot(axis, a)
    return plus(plus(times(cosine, a), cross(axis, a), sine), axis, along)


# --- quaternions ----------------------------------------------------------------------------------


def quaternion_product(p: Quaternion, q: Quaternion) -> Quaternion:
    """The rotation by q, then by p."""
    (a, b, c, d), (e, f, g, h) = p, q
    w, x = a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g
    y, z = a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e
    size = math.hypot(w, x, y, z)
    return w / size, x / size, y / size, z / size


def rows_of(q: Quaternion) -> tuple[Vector, Vector, Vector]:
    """The rows of a quaternion's rotation matrix, as plain floats: these are enough for one target.
    """
    w, x, y, z = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def rotated(q: Quaternion, a: Vector) -> Vector:
    """A vector turned by a quaternion."""
    w, axis = q[0], q[1:]
    twice = times(2.0, cross(axis, a))
    return plus(plus(a, twice, w), cross(axis, twice))


def rotation_between(start: Vector, end: Vector, axis: Vector | None = None) -> Quaternion:
    """The smallest rotation that turns one unit vector to another.

    The source takes the arc cosine of their product. It does not rotate where the sine is below
    1e-3, which is near no turn and near half a turn. Here the half-way vector gives the rotation.
    An angle of more than a quarter turn is composed of half a turn about the axis and a small rest.
    For opposite vectors, every perpendicular axis works. The one nearest to `axis` is taken, or any
    without `axis`.
    """
    if dot(start, end) >= 0.0:
        return _small_rotation(start, end)
    half_turn = across(start, cross(start, end))
    if half_turn is None:
        half_turn = any_across(start, axis)
    return quaternion_product(_small_rotation(times(-1.0, start), end), (0.0, *half_turn))


def _small_rotation(start: Vector, end: Vector) -> Quaternion:
    """The same for an angle of at most about a quarter turn."""
    twice = math.hypot(*plus(start, end))
    x, y, z = times(1.0 / twice, cross(start, end))
    size = math.hypot(twice / 2.0, x, y, z)
    return twice / 2.0 / size, x / size, y / size, z / size


# --- transforms -----------------------------------------------------------------------------------


def transform(translation: Vector, rotation: Quaternion) -> Transform:
    """The 4 x 4 transform that turns, then moves."""
    rows = zip(rows_of(rotation), translation)
    return np.array([*((*row, moved) for row, moved in rows), (0.0, 0.0, 0.0, 1.0)])


def place(matrix: Transform, point: Vector) -> Vector:
    """Where a transform puts a point."""
    x, y, z = (matrix[:3, :3] @ point + matrix[:3, 3]).tolist()
    return x, y, z


def direction_in(matrix: Transform, direction: Vector) -> Vector:
    """A direction in the parent space of a transform, expressed in the transform's own axes."""
    x, y, z = (matrix[:3, :3].T @ direction).tolist()
    return x, y, z


def checked_transform(name: str, matrix: ArrayLike) -> Transform:
    """A 4 x 4 rigid transform. Raises InvalidArmError, NotFiniteError."""
    try:
        found = np.asarray(matrix, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArmError(f'{name} is not a matrix of numbers; give 4 x 4') from None
    if found.shape != (4, 4):
        raise InvalidArmError(f'{name} has shape {found.shape}; give (4, 4)')
    if not np.isfinite(found).all():
        raise NotFiniteError(f'{name} has numbers that are not finite; give a rigid transform')
    rotation = found[:3, :3]
    with np.errstate(over='ignore', invalid='ignore'):
        rigid = np.abs(rotation.T @ rotation - np.eye(3)).max() <= RIGID
    if not (rigid and np.linalg.det(rotation) > 0.0 and found[3].tolist() == [0, 0, 0, 1]):
        raise InvalidArmError(
            f'{name} is not a rotation and a translation; take scale, shear and mirroring out of it'
        )
    return found
