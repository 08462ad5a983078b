# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many full poses at once, for an arm whose axes lean: their solutions are corrected in columns.

Rows that are not ordinary poses are left to the code for one target.
"""

from __future__ import annotations

import numpy as np

from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.pose_arrays import exact_rotations
from ik_circles.planar.selection import Policy
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE
from ik_circles.spatial.batch.turns import Solved
from ik_circles.spatial.poses.choice import chosen
from ik_circles.spatial.poses.whole_arm import WholeArm


def solve_leaning(
    arm: WholeArm, poses: Floats, near: Floats, policy: Policy, tilt: float
) -> Solved:
    """The configurations that take poses; see `FullPoseBatch.solve`."""
    ordinary, angles = arm.ordinary, np.full(near.shape, np.nan)
    doubtful, starts = np.ones(len(poses), bool), [*map(arm.of_angles, near.tolist())]
    found, asked, rows = [], [], []
    for row, pose in enumerate(exact_rotations(poses)[:, :3].tolist()):
        (a, b, c, x), (d, e, f, y), (g, h, i, z) = pose
        point, sight = (x, y, z), arm.wrist.sight(((a, b, c), (d, e, f), (g, h, i)))
        room = OUT_OF_PLANE_TOLERANCE
        some = ordinary.of_exact_axes(point, sight, starts[row], tilt, room)
        if some is not None:
            found.append(some)
            asked.append((point, sight))
            rows.append(row)
    if ordinary.leaning is None or not rows:
        return Solved(angles, doubtful)
    for row, corrected in zip(rows, ordinary.leaning.corrected(found, asked, tilt)):
        its = None if corrected is None else ordinary.turned(corrected, starts[row])
        doubtful[row] = its is None
        if its:
            angles[row] = chosen(arm, its, starts[row], policy)
    return Solved(angles, doubtful)
