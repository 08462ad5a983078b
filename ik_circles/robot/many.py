# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Questions about many points at once to the arm inside a robot; answers are arrays without names.
"""

from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.geometry import checks
from ik_circles.geometry.arguments import takes_point
from ik_circles.geometry.arrays import Floats
from ik_circles.robot.many_poses import ManyPoses
from ik_circles.spatial.batch.points import SpatialBatch, SpatialReachabilityBatch


class ManyPoints(ManyPoses):
    """The questions about many points to an arm in a robot."""

    def check_reachability_batch(self, points: ArrayLike) -> SpatialReachabilityBatch:
        """Return the verdicts of `check_reachability` on many points at once, as arrays.

        Parameters
        ----------
        points : array of shape (N, 3)
            Positions of the tip in base_link [m].

        Returns
        -------
        SpatialReachabilityBatch
            The codes, margins and nearest poses.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidSettingError
            If the array has another shape.
        """
        return self._batch.check(checks.points('points', points, 3))

    @overload
    def dexterity(self, points: tuple[float, float, float]) -> float: ...

    @overload
    def dexterity(self, points: Floats) -> Floats: ...

    @takes_point
    def dexterity(self, points: ArrayLike) -> float | Floats:
        """Return the share of a full turn of the tool with which points can be reached.

        Parameters
        ----------
        points : three floats, or array of shape (N, 3)
            Positions of the tip in base_link [m].

        Returns
        -------
        float, or array of shape (N,)
            Share of the tool's angles in the arm's plane, 0 to 1. An angle counts once, even if it
            works with several shoulders.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidSettingError
            If the array has another shape.
        InvalidArmError
            If x, y and z are given as three arguments.
        """
        given = checks.floats('points', points, 'points (N, 3)')
        shares = self._batch.dexterity(checks.points('points', np.atleast_2d(given), 3))
        return float(shares[0]) if given.ndim == 1 else shares

    @cached_property
    def _batch(self) -> SpatialBatch:
        return SpatialBatch(self.spatial)
