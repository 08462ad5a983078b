# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many poses in arrays: checked, and their orientations made exact."""

from __future__ import annotations

import numpy as np

from ik_circles.errors import InvalidArmError, NotFiniteError
from ik_circles.geometry import checks
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.rigid import ORTHOGONAL, ROTATION_ERROR

EXPECTED = 'poses (N, 4, 4), or points with phi (N, 4)'


def checked_poses(values: object) -> Floats:
    """Poses (N, 4, 4), or points with phi (N, 4). Raises InvalidArmError, NotFiniteError."""
    found = checks.floats('poses', values, EXPECTED)
    if found.ndim not in (2, 3) or found.shape[1:] not in ((4,), (4, 4)):
        raise InvalidArmError(f'poses have shape {found.shape}; give {EXPECTED}')
    is_finite = np.isfinite(found).all(axis=tuple(range(1, found.ndim)))
    for row in np.flatnonzero(~is_finite)[:1]:
        raise NotFiniteError(f'poses: row {row} is {found[row]}; give finite numbers')
    if found.ndim == 2:
        if is_one_pose(found):
            raise InvalidArmError('poses is a single pose (4, 4); give a list of poses (N, 4, 4)')
        checks.check_angles('poses: the phi', found[:, 3:])
        return found
    for row in np.flatnonzero((found[:, 3] != (0.0, 0.0, 0.0, 1.0)).any(axis=1))[:1]:
        raise InvalidArmError(
            f'poses: the last line of row {row} is {found[row, 3]}; it must be 0, 0, 0, 1'
        )
    rotations = found[:, :3, :3]
    for row in np.flatnonzero(~(rotation_errors(rotations) <= ROTATION_ERROR))[:1]:  # NaN, too
        checks.rotation(f'the orientation in row {row} of poses', rotations[row])
    return found


def is_one_pose(rows: Floats) -> bool:
    """Whether rows (N, 4) are a single pose rather than points with phi."""
    if rows.shape != (4, 4) or tuple(rows[3]) != (0.0, 0.0, 0.0, 1.0):
        return False
    return bool(rotation_errors(rows[None, :3, :3])[0] <= ROTATION_ERROR)


def rotation_errors(rotations: Floats) -> Floats:
    """`rotation_error` of each of N matrices (N, 3, 3) [1]; NaN or infinite if they overflow."""
    (a, b, c), (d, e, f), (g, h, i) = np.ascontiguousarray(rotations.transpose(1, 2, 0))
    missed: Floats = np.square((
        a * a + b * b + c * c - 1.0, d * d + e * e + f * f - 1.0, a * d + b * e + c * f,
        b * f - c * e - g, c * d - a * f - h, a * e - b * d - i,
    ))  # fmt: skip
    return np.asarray(np.sqrt(missed.sum(axis=0)))


def exact_rotations(poses: Floats) -> Floats:
    """Poses (N, 4, 4) with `nearest_rotation` for each orientation."""
    rows = np.flatnonzero(rotation_errors(poses[:, :3, :3]) > ORTHOGONAL)
    if len(rows):
        poses = poses.copy()
        left, _, right = np.linalg.svd(poses[rows, :3, :3])
        poses[rows, :3, :3] = left @ right
    return poses
