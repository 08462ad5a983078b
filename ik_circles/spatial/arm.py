"""The arm in space and the questions it answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ik_circles.errors import NotFiniteError
from ik_circles.geometry.rigid import Point3, Rotation
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.model import Configuration, SpatialModel
from ik_circles.spatial.question import Question
from ik_circles.spatial.verdict import SpatialReachability

#: A point is in the arm's plane if it is no farther from it than this [m]: less than any robot can
#: tell, and more than the figures of a URDF are rounded by.
OUT_OF_PLANE_TOLERANCE = 1e-6


class SpatialArm(SpatialModel):
    """A planar arm in space, and what may be asked of it; see `SpatialModel` for what it is."""

    def inverse_kinematics(self, point: Sequence[float], phi: float) -> list[Configuration]:
        """Every configuration with the tip at a point in space [m] and the tool at `phi` [rad].

        See `RobotArm.inverse_kinematics`.
        """
        _checked(point, phi)
        return [
            Configuration(yaw, q)
            for shoulder, yaws in self.plane.shoulders(point)
            if shoulder.beside <= OUT_OF_PLANE_TOLERANCE + self.plane.slack
            for yaw in yaws
            for q in self.planar.inverse_kinematics(*shoulder.point, phi)
        ]

    def check_reachability(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        zones: SafeZones | None = None,
        out_of_plane_tolerance: float = OUT_OF_PLANE_TOLERANCE,
        tilt_tolerance: float = math.inf,
    ) -> SpatialReachability:
        """Can the tip be at a point in space [m]? See `RobotArm.check_reachability`."""
        where = _checked(point, phi)
        if rotation is not None and not math.isfinite(sum(map(sum, rotation))):
            rows = np.asarray(rotation).tolist()
            raise NotFiniteError(f'rotation {rows} must be nine finite numbers')
        zones = zones or self.planar.safe_zones
        tolerance = out_of_plane_tolerance + self.plane.slack
        question = Question(where, phi, rotation, zones, tolerance, tilt_tolerance)
        return SpatialReachability(self, question)


def _checked(point: Sequence[float], phi: float | None) -> Point3:
    values = tuple(map(float, point))
    if len(values) != 3 or not all(map(math.isfinite, values)):
        raise NotFiniteError(f'point {[*values]} must be three finite numbers of meters')
    if phi is not None and not math.isfinite(phi):
        raise NotFiniteError(f'phi is {phi}; it must be a finite number')
    return values[0], values[1], values[2]
