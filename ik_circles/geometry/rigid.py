"""Rotations and rigid transforms as matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

    Attributes = AttributesImpl[str]
    #: The attributes of a <joint> and of the first of each element in it, by tag.
    Parts = dict[str, Attributes]

Matrix = NDArray[np.float64]


#: A 3x3 matrix, row by row: for a single target, plain floats are much faster than arrays.
Rows = Sequence[Sequence[float]]


Rotation = Matrix | Rows


def rotation_about(axis: Matrix, angle: float) -> Matrix:
    """Rotation matrix of a turn by `angle` [rad] about the unit vector `axis` (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Matrix = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return turned


def inverse_pose(pose: Matrix) -> Matrix:
    """The parent's pose (4x4) in the frame whose pose in the parent is given."""
    inverse = np.eye(4)
    inverse[:3, :3] = pose[:3, :3].T
    inverse[:3, 3] = -pose[:3, :3].T @ pose[:3, 3]
    return inverse
