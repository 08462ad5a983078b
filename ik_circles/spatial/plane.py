"""Between space and the arm's plane, which stands still or is turned by a yaw joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Matrix, Point3
from ik_circles.spatial.yaw import Shoulder, Turns, Yaw

#: Direction of the yaw axis in the plane, if there is a yaw joint.
Y_AXIS: Point = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class ArmPlane:
    """The arm's plane in space.

    `pose` is the plane in space at the yaw angle 0 (4x4): the origin at the arm's first joint, z
    the normal that angles turn about. `yaw` is the joint that turns it, None if nothing does.
    `slack` is how far the tip may be from where the plane has it, because axes are parallel or
    perpendicular only to within rounding [m].
    """

    pose: Matrix
    yaw: Yaw | None = None
    slack: float = 0.0

    def into(self, point: Sequence[float]) -> Point3:
        """A point in space [m] in the axes of the plane at 0: x, y and the distance off it [m]."""
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self.columns
        x, y, z = map(float, point)
        x, y, z = x - x0, y - y0, z - z0
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z

    def point_at(self, x: float, y: float, yaw: float = 0.0) -> Point3:
        """Where a point of the plane [m] is in space [m] with the plane at `yaw` [rad]."""
        z = 0.0
        if self.yaw is not None and yaw != 0.0:
            x, y, z = self.yaw.turned(x, y, yaw)
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self.columns
        return (
            a * x + d * y + g * z + x0,
            b * x + e * y + h * z + y0,
            c * x + f * y + i * z + z0,
        )

    def shoulders(self, point: Sequence[float]) -> list[Turns]:
        """The ways to have a point in space [m] in the plane, each with its yaw angles [rad].

        Without a yaw joint there is one way, at the angle 0, and the point may be beside it.
        """
        x, y, off = self.into(point)
        if self.yaw is None:
            return [(Shoulder(0.0, (x, y), abs(off)), [0.0])]
        return self.yaw.shoulders(self.yaw.place_of(x, y, off), self.slack)

    def seen_at(self, point: Sequence[float]) -> Point:
        """Where in the plane to draw a point in space [m].

        The plane is turned to the point if that is possible, else it is at 0. NaN is drawn nowhere.
        """
        if all(map(math.isfinite, point)):
            for shoulder, yaws in self.shoulders(point):
                if yaws:
                    return shoulder.point
        return self.into(point)[:2]

    @cached_property
    def columns(self) -> tuple[Point3, Point3, Point3, Point3]:
        """The plane's x, y, z and origin: for single points, plain floats are much faster."""
        x, y, z, origin = ((a, b, c) for a, b, c in self.pose[:3].T.tolist())
        return x, y, z, origin

    @property
    def along(self) -> Point:
        """Direction in the plane of the axis that the yaw angle turns about."""
        return self.yaw.along if self.yaw else Y_AXIS

    @property
    def normal(self) -> Point3:
        """Direction that angles turn about, with the yaw joint at 0."""
        return self.columns[2]

    @cached_property
    def yaw_axis(self) -> Point3:
        """Direction in space that the yaw angle turns about."""
        x, y, z = (self.pose[:3, :3] @ np.array([*self.along, 0.0])).tolist()
        return x, y, z
