# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Solutions for many poses at once of the arm inside a robot; answers are arrays without names."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.geometry import checks, joint_values
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.pose_arrays import checked_poses
from ik_circles.geometry.rigid import Rotation
from ik_circles.planar.batch.questions import in_chunks
from ik_circles.planar.selection import Policy
from ik_circles.robot.model import RobotModel
from ik_circles.robot.naming import NamedPositions
from ik_circles.spatial.batch.full_poses import FullPoseBatch
from ik_circles.spatial.batch.poses import PoseBatch
from ik_circles.spatial.batch.turns import Solved
from ik_circles.spatial.points.ways import TILT_TOLERANCE


class ManyPoses(RobotModel, ABC):
    """The questions about many poses to an arm in a robot. For a single pose, there is `solve`."""

    @abstractmethod
    def solve(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        seed: Mapping[str, float] | None = None,
        branch: str = 'nearest',
        orientation_mode: str = 'preferred',
        orientation_tolerance: float = math.pi,
        tilt_tolerance: float | None = None,
    ) -> NamedPositions | None:
        """Return one solution."""

    @abstractmethod
    def _with_wrist_of(self, seed: Mapping[str, float] | None) -> ManyPoses:
        """The arm with its wrist held where it is in a seed."""

    def solve_batch(
        self,
        poses: ArrayLike,
        *,
        seed: ArrayLike | None = None,
        branch: str = 'nearest',
        orientation_mode: str = 'preferred',
        orientation_tolerance: float = math.pi,
        tilt_tolerance: float | None = None,
    ) -> Floats:
        """Return the solutions of `solve` for many poses at once, without a loop over most of them.

        Poses that can be solved only with another orientation, or on a limit, are solved one by
        one. So are all points of an arm with axes that are not exactly parallel or perpendicular.

        Parameters
        ----------
        poses : array of shape (N, 4, 4) or (N, 4)
            Poses of tip_link in base_link, or points with the tool's angle in the arm's plane
            `(x, y, z, phi)` [m, m, m, rad]. For points, the wrist stays where it is in the seed.
        seed : array of shape (joints,) or (N, joints), optional
            Positions of `commanded_joints` to stay near to [rad]: one row for all poses, or one for
            each.
        branch : str
            As in `solve`.
        orientation_mode : str
            As in `solve`.
        orientation_tolerance : float
            As in `solve` [rad].
        tilt_tolerance : float, optional
            As in `solve` [rad].

        Returns
        -------
        array of shape (N, joints)
            Positions of `commanded_joints` [rad]; NaN where `solve` returns None.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If an array has another shape, a matrix is not a pose, or `solve` refuses an angle.
        InvalidSettingError
            If another keyword has a value that `solve` refuses.
        """
        policy = Policy(branch, orientation_mode, orientation_tolerance)
        if tilt_tolerance is None:
            is_exact = policy.is_fixed or self.whole is not None
            tilt_tolerance = TILT_TOLERANCE if is_exact else math.inf
        tilt = checks.at_least_zero('tilt_tolerance', tilt_tolerance, 'rad')
        rows = checked_poses(poses)
        limits = [(one.lower, one.upper) for one in self.naming.joints.values()]
        seeds = joint_values.seeds(seed, len(rows), limits)
        if seeds is not None:
            seeds = np.broadcast_to(seeds, (len(rows), len(limits)))
        found, doubtful = self._solved_by_wrist(rows, seeds, policy, tilt)
        alone = doubtful | (not policy.heeds_target)
        if not policy.is_fixed:
            alone = alone | np.isnan(found[:, 0])
        keywords: dict[str, Any] = {**asdict(policy), 'tilt_tolerance': tilt}
        for row in np.flatnonzero(alone):
            near = None if seeds is None else self._by_name(seeds[row])
            one = self.solve(**_target(rows[row]), seed=near, **keywords)
            found[row] = np.nan if one is None else [*one.values()]
        return found

    def _solved_by_wrist(
        self, rows: Floats, seeds: Floats | None, policy: Policy, tilt: float
    ) -> Solved:
        """Joint positions of the rows that are clear; for points, the wrist is where it is in a
        seed."""
        count = len(self.wrist_joints)
        if rows.ndim == 3 or seeds is None or not count:
            return self._solved(rows, seeds, policy, tilt)
        found = Solved(np.full(seeds.shape, np.nan), np.zeros(len(rows), bool))
        wrists, which = np.unique(seeds[:, -count:], axis=0, return_inverse=True)
        for number in range(len(wrists)):
            some = np.flatnonzero(which.ravel() == number)
            arm = self._with_wrist_of(self._by_name(seeds[some[0]]))
            found.angles[some], found.doubtful[some] = arm._solved(
                rows[some], seeds[some], policy, tilt
            )
        return found

    def _solved(self, rows: Floats, seeds: Floats | None, policy: Policy, tilt: float) -> Solved:
        """The same with a wrist that is solved, or stays as it is."""
        batch: FullPoseBatch | PoseBatch
        if rows.ndim == 3 and self.whole is not None:
            naming, start = self.whole_naming, self.whole.angles(self.whole.home)
            batch = FullPoseBatch(self.whole)
        else:
            naming, batch = self.naming, PoseBatch(self.spatial)
            yaw, q = self.spatial.home
            start = [*q] if self.spatial.yaw is None else [yaw, *q]
        near = np.array([start]) if seeds is None else naming.angles_of_rows(seeds)
        near = np.broadcast_to(near[:, : len(start)], (len(rows), len(start)))

        def work(some: Floats, starts: Floats) -> Floats:
            return np.column_stack(batch.solve(some, starts, policy, tilt))

        found = in_chunks(work, rows, near)
        return Solved(naming.positions_of_rows(found[:, :-1]), found[:, -1] > 0.0)

    def _by_name(self, positions: Floats) -> NamedPositions:
        return dict(zip(self.commanded_joints, positions.tolist()))


def _target(row: Floats) -> dict[str, Any]:
    """A pose (4, 4), or a point with phi (4,), as `solve` takes it."""
    if row.ndim == 2:
        return {'point': row[:3, 3].tolist(), 'rotation': row[:3, :3]}
    *point, phi = row.tolist()
    return {'point': point, 'phi': phi}
