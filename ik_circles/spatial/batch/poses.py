# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many points in space with an orientation, for an arm without a wrist: `choose` in columns.

Rows that rounding makes doubtful are left to the code for one target. So are all rows of an arm
whose axes lean.
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.planar.batch.poses import chosen, off_branch, wrapped
from ik_circles.planar.selection import SAME_ANGLE_AWAY, Policy
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, SpatialArm
from ik_circles.spatial.batch.shoulders import Shoulders, shoulders
from ik_circles.spatial.batch.turns import (
    NEXT_TO_LIMIT,
    BestSoFar,
    Solved,
    is_next_to,
    nearest_turns,
)
from ik_circles.spatial.batch.wrists import outwards_or_inwards
from ik_circles.spatial.plane import Tool
from ik_circles.spatial.points.ways import SAME_TILT, TILT_TOLERANCE
from ik_circles.spatial.yaw import Yaw


class PoseBatch:
    """Asks one arm about many points with an orientation."""

    def __init__(self, arm: SpatialArm) -> None:
        self._arm = arm
        planar = arm.planar
        self._alone = bool(arm.leaning) or planar.has_families or planar.has_tiny_links
        self._alone |= planar.floor is not None
        self._first = 0 if arm.yaw is None else 1  # index of the first of the three joints

    def solve(self, targets: Floats, near: Floats, policy: Policy, tilt: float) -> Solved:
        """The configurations that take poses (N, 4, 4), or points with the tool's angle in the
        plane (N, 4) [m, rad], chosen as `choose` does.

        The tool may differ from a pose's orientation by `tilt` [rad]. `near` is a configuration
        for each (N, joints) [rad].
        """
        count = len(targets)
        doubtful, near = np.zeros(count, bool), np.ascontiguousarray(near.T)
        choice = BestSoFar(near)
        if self._alone:
            choice.doubtful[:] = True
            return choice.solved
        is_pose = targets.ndim == 3
        x, y, off = self._into(targets[:, :3, 3] if is_pose else targets[:, :3]).T
        wanted = _FromZero.of(self._arm.tool, targets[:, :3, :3]) if is_pose else None
        shown, tilts = [], []
        for one in shoulders(self._arm, x, y, off, doubtful):
            if self._arm.yaw is None:
                beside = np.abs(off) - OUT_OF_PLANE_TOLERANCE
                doubtful |= is_next_to(beside)
                one = one.of(np.flatnonzero(beside <= 0.0))
            tilted: Floats = np.full(count, np.inf)
            phi = targets[one.rows, 3] if wanted is None else wanted.angle(one, doubtful)
            angles = self._angles(one, phi, near, policy, doubtful)
            missed = np.zeros(len(phi)) if wanted is None else wanted.tilt(one, phi)
            if wanted is not None:
                doubtful[one.rows[is_next_to(missed - tilt)]] = True
                missed = np.where(missed <= tilt, missed, np.inf)
            tilted[one.rows] = np.where(np.isnan(angles[-1]), np.inf, missed)
            shown.append((one, angles))
            tilts.append(tilted)
        least = np.min(tilts, axis=0)
        if wanted is not None and self._first and not policy.is_fixed:
            for (one, _), tilted in zip(shown, tilts):
                doubtful[one.rows] |= wanted.may_be_nearer(one, tilted[one.rows], least[one.rows])
        with np.errstate(invalid='ignore'):
            for (one, angles), tilted in zip(shown, tilts):
                more = tilted - least
                doubtful |= is_next_to(more - SAME_TILT)
                kept = np.flatnonzero(more[one.rows] <= SAME_TILT)
                branch = policy.branch if one.faces else policy.mirrored.branch
                extra = off_branch(angles[self._first + 1][kept], branch)
                choice.show(one.rows[kept], angles[:, kept], extra)
        choice.doubtful |= doubtful
        return choice.solved

    def _into(self, points: Floats) -> Floats:
        """See `ArmPlane.into`."""
        pose = self._arm.plane.pose
        return np.asarray((points - pose[:3, 3]) @ pose[:3, :3])

    def _angles(
        self, one: Shoulders, phi: Floats, near: Floats, policy: Policy, doubtful: Bools
    ) -> Floats:
        """The configurations of a shoulder (joints, M) [rad], NaN where there is none."""
        arm, branch, near = self._arm, policy.branch, near[:, one.rows]
        if not one.faces:
            branch = policy.mirrored.branch
        q = chosen(arm.planar.solver, one.x, one.y, phi, near[self._first :].T, branch).T
        if arm.yaw is None:
            return q
        turned = nearest_turns(one.yaw, near[0], arm.yaw.limits)
        doubtful[one.rows[turned.doubtful]] = True
        return np.vstack((turned.angle, q))


class _FromZero:
    """`TipOrientation` in columns: N rotations from the tip at zero, in the plane's axes."""

    def __init__(self, tool: Tool, rotation: Floats) -> None:
        self._tool, self._rotation = tool, rotation

    @classmethod
    def of(cls, tool: Tool, rotations: Floats) -> _FromZero:
        """Make it from orientations of the tip in space (N, 3, 3)."""
        axes, count = tool.plane.pose[:3, :3], len(rotations)
        rotation = np.einsum('ij,kl->iljk', axes.T, tool.at_zero.T @ axes).reshape(9, 9)
        return cls(tool, (rotation @ rotations.reshape(count, 9).T).reshape(3, 3, count))

    def angle(self, one: Shoulders, doubtful: Bools) -> Floats:
        """See `TipOrientation.angle`."""
        plane, phi_at_zero = self._tool.plane, self._tool.phi_at_zero
        rotation = self._rotation[..., one.rows]
        if plane.yaw is None:
            (xx, xy, _), (yx, yy, _), _ = rotation
            return wrapped(np.arctan2(yx - xy, xx + yy) + phi_at_zero)
        x, y, side = rotation[:, 0] * math.cos(phi_at_zero) + rotation[:, 1] * math.sin(phi_at_zero)
        along_x, along_y = plane.yaw.along
        outwards, up = x * along_y - y * along_x, x * along_x + y * along_y
        level, is_doubtful = outwards_or_inwards(
            outwards * one.cosine - side * one.sine, np.hypot(outwards, side)
        )
        doubtful[one.rows[is_doubtful]] = True
        return wrapped(np.arctan2(up, level) - math.atan2(along_x, along_y))

    def may_be_nearer(self, one: Shoulders, tilted: Floats, least: Floats) -> Bools:
        """Whether the arm may take a shoulder that is not `tilted` the least [rad].

        One without the pitch that is asked for (infinite) may have one nearby. If the orientation
        gives way, SAME_ANGLE_AWAY counts as equal. A bound on the angle is enough here.
        """
        room = np.where(least <= TILT_TOLERANCE, SAME_TILT, SAME_ANGLE_AWAY)
        away = np.where(np.isinf(tilted), self._least_tilt(one), tilted)
        return (tilted > least + SAME_TILT) & (away <= least + room + NEXT_TO_LIMIT)

    def _least_tilt(self, one: Shoulders) -> Floats:
        """The least angle to an orientation that any pitch leaves, at the trace that is the largest
        [rad]."""
        r, yawed = self._rotation[..., one.rows], self._yawed(one)
        (xx, xy, _), (yx, yy, _), (_, _, zz) = np.einsum('ijn,ikn->jkn', yawed, r)
        trace = np.hypot(xx + yy, yx - xy) + zz
        return np.asarray(np.arccos(np.clip((trace - 1.0) / 2.0, -1.0, 1.0)))

    def tilt(self, one: Shoulders, phi: Floats) -> Floats:
        """See `TipOrientation.tilt`."""
        rotation, plane = self._rotation[..., one.rows], self._tool.plane
        if plane.yaw is None:
            return np.asarray(np.arctan2(np.hypot(rotation[0, 2], rotation[1, 2]), rotation[2, 2]))
        yawed = self._yawed(one)
        turned = phi - self._tool.phi_at_zero
        c, s = np.cos(turned), np.sin(turned)
        apart = rotation - np.stack((
            c * yawed[:, 0] + s * yawed[:, 1], c * yawed[:, 1] - s * yawed[:, 0], yawed[:, 2]
        ), axis=1)
        square = np.einsum('ijn,ijn->n', apart, apart)
        return np.asarray(2.0 * np.arcsin(np.minimum(1.0, np.sqrt(square / 8.0))))

    def _yawed(self, one: Shoulders) -> Floats:
        """The rotation by the yaw joint of a shoulder, in the plane's axes (3, 3, M)."""
        (a, b), c, s = cast('Yaw', self._tool.plane.yaw).along, one.cosine, one.sine
        v = 1.0 - c
        return np.array([
            (c + v * a * a, v * a * b, s * b),
            (v * a * b, c + v * b * b, -s * a),
            (-s * b, s * a, c),
        ])
