"""Between the orientation of the tip in space and the tool's angle in the arm's plane."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.rigid import (
    Matrix,
    Rotation,
    Rows,
    angle_between_rotations,
    rotation_about,
    rows_product,
)
from ik_circles.spatial.plane import ArmPlane

#: A tool that points towards the yaw axis by less than this share of its length points outwards.
INWARD = 1e-9


class ToolAngle(NamedTuple):
    """The tool's orientation in the plane, and how far that is from what was asked for [rad]."""

    phi: float
    tilt: float


@dataclass(frozen=True, eq=False)
class Tool:
    """How the tip is turned: `at_zero` is its orientation in space (3x3) with the plane at the yaw
    angle 0 and the tool at the angle `phi_at_zero` in it [rad]."""

    plane: ArmPlane
    at_zero: Matrix
    phi_at_zero: float

    def rotation(self, phi: float, yaw: float = 0.0) -> Matrix:
        """Orientation of the tip in space (3x3), with the tool at `phi` and the plane at `yaw`."""
        turn = rotation_about(self.plane.pose[:3, 2], phi - self.phi_at_zero)
        turned: Matrix = rotation_about(np.array(self.plane.yaw_axis), yaw) @ turn @ self.at_zero
        return turned

    def orientation(self, rotation: Rotation, yaw: float = 0.0) -> ToolAngle:
        """The angle that `angle` gives for the tip's orientation (3x3), and its tilt."""
        if self.plane.yaw is None:
            (xx, xy, xz), (yx, yy, yz), (_, _, zz) = self._turn(rotation)
            phi = wrap(math.atan2(yx - xy, xx + yy) + self.phi_at_zero)
            return ToolAngle(phi, math.atan2(math.hypot(xz, yz), zz))
        phi = self.angle(rotation, yaw)
        return ToolAngle(phi, self.tilt(rotation, phi, yaw))

    def angle(self, rotation: Rotation, yaw: float = 0.0) -> float:
        """The tool's angle in the plane at `yaw` for an orientation of the tip (3x3) [rad].

        Behind a yaw joint it is the angle with the same pitch, otherwise the nearest.
        """
        if self.plane.yaw is None:
            return self.orientation(rotation).phi
        turn = self._turn(rotation)
        cosine, sine = math.cos(self.phi_at_zero), math.sin(self.phi_at_zero)
        x, y, side = (row[0] * cosine + row[1] * sine for row in turn)  # of the tool, at yaw 0
        along_x, along_y = self.plane.along
        outwards, up = x * along_y - y * along_x, x * along_x + y * along_y
        seen = outwards * math.cos(yaw) - side * math.sin(yaw)
        level = math.copysign(math.hypot(outwards, side), seen + INWARD)
        return wrap(math.atan2(up, level) - math.atan2(along_x, along_y))

    def yaw_of(self, rotation: Rotation) -> float:
        """The yaw angle that turns the plane's normal as an orientation of the tip (3x3) has it."""
        along_x, along_y = self.plane.along
        x, y, z = (row[2] for row in self._turn(rotation))
        return math.atan2(x * along_y - y * along_x, z)

    def tilt(self, rotation: Rotation, phi: float, yaw: float = 0.0) -> float:
        """How far an orientation of the tip (3x3) is from what the joints can give it [rad].

        Behind a yaw joint all of the difference counts, otherwise only how far it turns the plane.
        """
        if self.plane.yaw is None:
            return self.orientation(rotation).tilt
        return angle_between_rotations(self.rotation(phi, yaw), rotation)

    def _turn(self, rotation: Rotation) -> Rows:
        """The turn from the tip's orientation at zero to another, in the plane's axes (3x3)."""
        rows = rotation.tolist() if isinstance(rotation, np.ndarray) else rotation
        return rows_product(rows_product(self.plane.columns[:3], rows), self._zero_in_plane)

    @cached_property
    def _zero_in_plane(self) -> Rows:
        """The plane's axes as the tip at zero sees them (3x3)."""
        turn: Rows = (self.at_zero.T @ self.plane.pose[:3, :3]).tolist()
        return turn
