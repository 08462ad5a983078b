# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Points, rotations and rigid transforms in space."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
#: A 3x3 matrix, row by row: for a single target, plain floats are much faster than arrays.
Rows = Sequence[Sequence[float]]
Rotation = Matrix | Rows
Point3 = tuple[float, float, float]
UNTURNED: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

#: Rows whose `rotation_error` is at most this are taken for a rotation [1].
ROTATION_ERROR = 1e-3
#: Rows whose `rotation_error` is at most this are a rotation up to rounding [1].
ORTHOGONAL = 1e-14


def rotation_about(axis: Matrix, angle: float) -> Matrix:
    """Rotation matrix by `angle` [rad] about the unit vector `axis` (Rodrigues)."""
    x, y, z = map(float, axis)  # plain floats: products of such small arrays are slower
    sine, rest = math.sin(angle), 1.0 - math.cos(angle)
    return np.array((
        (1.0 - rest * (y * y + z * z), rest * x * y - sine * z, rest * x * z + sine * y),
        (rest * x * y + sine * z, 1.0 - rest * (x * x + z * z), rest * y * z - sine * x),
        (rest * x * z - sine * y, rest * y * z + sine * x, 1.0 - rest * (x * x + y * y)),
    ))


def angle_between_rotations(one: Rotation, other: Rotation) -> float:
    """Angle of the turn from one rotation (3x3) to another [rad]."""
    (a, b, c), (d, e, f) = rows_of(one), rows_of(other)
    return angle_of_distance(math.dist((*a, *b, *c), (*d, *e, *f)))


def angle_of_distance(apart: float) -> float:
    """Angle between two rotations [rad] whose matrices are this far apart, as nine numbers [1].

    That distance is `sqrt(8) sin(angle / 2)`.
    """
    return 2.0 * math.asin(min(1.0, apart / math.sqrt(8.0)))


def rotation_error(rows: Rows) -> float:
    """How far three rows are from those of a rotation [1]; NaN or infinite if they are not finite.

    The first two have lengths of 1 and a right angle, and the third is their cross product.
    """
    (a, b, c), (d, e, f), (g, h, i) = rows
    return math.hypot(
        a * a + b * b + c * c - 1.0, d * d + e * e + f * f - 1.0, a * d + b * e + c * f,
        b * f - c * e - g, c * d - a * f - h, a * e - b * d - i,
    )  # fmt: skip


def angle_between_lines(direction: Matrix, other: Matrix) -> float:
    """Angle between two lines along these unit vectors, at most a quarter turn [rad]."""
    (a, b, c), (d, e, f) = direction.tolist(), other.tolist()  # numpy's cross is slower
    aside = math.hypot(b * f - c * e, c * d - a * f, a * e - b * d)
    return math.atan2(aside, abs(a * d + b * e + c * f))


def cross(one: Iterable[float], other: Iterable[float]) -> Point3:
    """Cross product of two vectors, in plain floats."""
    (a, b, c), (x, y, z) = one, other
    return b * z - c * y, c * x - a * z, a * y - b * x


def cross_product(one: Matrix, other: Matrix) -> Matrix:
    """Cross product of two vectors (3,). numpy's own takes ten times as long."""
    return np.array(cross(one.tolist(), other.tolist()))


def inverse_pose(pose: Matrix) -> Matrix:
    """Pose of the parent in the child (4x4), from the pose of the child in the parent."""
    inverse = np.eye(4)
    inverse[:3, :3] = pose[:3, :3].T
    inverse[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return inverse


def rows_product(one: Rows, other: Rows, last: Rows) -> tuple[Point3, Point3, Point3]:
    """Product of three 3x3 matrices given by rows, in plain floats: written out for speed."""
    (a, b, c), (d, e, f), (g, h, i) = one
    (j, k, m), (n, o, p), (q, r, s) = other
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = last
    a, b, c = a * j + b * n + c * q, a * k + b * o + c * r, a * m + b * p + c * s
    d, e, f = d * j + e * n + f * q, d * k + e * o + f * r, d * m + e * p + f * s
    g, h, i = g * j + h * n + i * q, g * k + h * o + i * r, g * m + h * p + i * s
    return (
        (a * xx + b * yx + c * zx, a * xy + b * yy + c * zy, a * xz + b * yz + c * zz),
        (d * xx + e * yx + f * zx, d * xy + e * yy + f * zy, d * xz + e * yz + f * zz),
        (g * xx + h * yx + i * zx, g * xy + h * yy + i * zy, g * xz + h * yz + i * zz),
    )


def angle_about(axis: Point3, before: Rows, wanted: Rows) -> float:
    """The angle about an axis, a unit vector, with which `before @ turn` comes nearest to the
    wanted rotation [rad]; both are 3x3."""
    back = tuple(zip(*before))
    (a, b, c), (d, e, f), (g, h, i) = rows_product(back, wanted, UNTURNED)
    x, y, z = axis
    sine = x * (h - f) + y * (c - g) + z * (d - b)
    along_x, along_y, along_z = a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z
    return math.atan2(sine, a + e + i - x * along_x - y * along_y - z * along_z)


def rows_of(rotation: Rotation) -> Rows:
    """A rotation (3x3) row by row, as plain floats."""
    rows: Rows = rotation.tolist() if isinstance(rotation, np.ndarray) else rotation
    return rows


def nearest_rotation(rows: Rows) -> Rows:
    """The rotation (3x3) nearest to rows that are one to within ROTATION_ERROR."""
    left, _, right = np.linalg.svd(rows)
    found: Rows = (left @ right).tolist()
    return found
