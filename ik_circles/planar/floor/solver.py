# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Inverse kinematics of a pose above a floor."""

from __future__ import annotations

import math

from ik_circles.geometry.angles import wrap
from ik_circles.planar.families import is_family, one_of_each_elbow
from ik_circles.planar.floor.above import AboveFloor
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import ArmModel, JointPositions


class FloorSolver(PoseSolver):
    """Finds the joint positions of poses above the floor.

    `least_excess` ignores the floor: the limits that joints would pass are those without a floor.
    """

    def __init__(self, model: ArmModel, floor: Floor) -> None:
        super().__init__(model)
        self.floor, self.above = floor, AboveFloor(model, floor)
        self.pieces = [PoseSolver(piece) for piece in self.above.pieces]
        self.distinct = [PoseSolver(piece) for piece in self.above.distinct]

    def solutions(
        self, x: float, y: float, phi: float, seed: JointPositions | None = None
    ) -> list[JointPositions]:
        """Every joint triple inside the limits and above the floor; see
        PlanarArm.inverse_kinematics."""
        if not math.isfinite(phi) or not self.above.allows(x, y, phi):
            return []
        found = [q for piece in self.pieces for q in piece.solutions(x, y, phi, seed)]
        if self.model.limits[0][0] == -math.inf:
            found = [(wrap(q1), q2, q3) for q1, q2, q3 in found]
        if not found or len(self.pieces) == 1:
            return found
        if is_family(self.model, math.hypot(*self.model.wrist(x, y, phi))):
            near = self.model.home if seed is None else seed
            return one_of_each_elbow(self.model, found, near)
        return sorted(found, key=lambda q: (math.sin(q[1]) > 0.0, q))

    def reaches(self, x: float, y: float, phi: float) -> bool:
        """Whether a pose has a solution, with the stricter closure; it stops at the first one."""
        return self.above.allows(x, y, phi) and any(
            piece.reaches(x, y, phi) for piece in self.distinct
        )
