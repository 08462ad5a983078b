# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the pointer drags: a target in the arm's plane, and the plane about the yaw axis.

A drag's points lie in a plane parallel to the screen, as viser gives them. The line of sight
through such a point meets the plane in which the target moves.
"""

from typing import NamedTuple

import numpy as np

from ik_circles.geometry.rigid import Matrix, rotation_about
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.targets import point_of

#: A plane seen at a smaller angle counts as seen nearly from its edge: the smaller the angle, the
#: less a target follows the pointer into the depth of the picture. The sine of the angle: of a
#: plane that can be turned, which a phone sees at 0.13 from above, and of the only one of an arm,
#: which is seen at 0.1 or more if it is level.
GRAZING, GRAZING_ONLY = 0.35, 0.1
#: The largest ratio of distances from the eye, between where a target is dragged to and where it
#: was gripped, and of the reverse. It keeps a target between the eye and the horizon.
DEEPEST = 3.0
#: A target nearer to the yaw axis than this does not determine the plane, in reaches of the arm.
ON_THE_AXIS = 0.02
#: Lower bound for the square of the visible share of a ring's direction. It limits how fast a ring
#: turns when it is seen from its edge.
LEAST_SEEN = 0.15


class Axis(NamedTuple):
    """The yaw axis: a point on it [m], and its direction."""

    point: Matrix
    direction: Matrix

    def beside(self, point: Matrix) -> Matrix:
        """The vector from the axis to a point [m], perpendicular to the axis."""
        away = np.subtract(point, self.point)
        beside: Matrix = away - self.direction * float(away @ self.direction)
        return beside

    def turned(self, point: Point3, angle: float) -> Point3:
        """A point [m] turned about the axis by an angle [rad]."""
        away = np.subtract(point, self.point)
        return point_of(self.point + rotation_about(self.direction, angle) @ away)


class DragPlane(NamedTuple):
    """The plane in which a target is dragged: a point of it [m], its normal, and the sine of the
    angle below which it is seen nearly from its edge."""

    point: Matrix
    normal: Matrix
    grazing: float = GRAZING

    def seen(self, eye: Matrix, at: Matrix) -> Matrix:
        """The point of the plane that `eye` sees at `at` [m].

        If the plane is seen from its edge, the line of sight meets it nowhere but at the eye. Then
        it is the plane's point nearest to `at`, which is as far away as `at`. In between, one turns
        into the other.
        """
        sight = np.subtract(at, eye)
        height, off = (float(self.normal @ np.subtract(self.point, one)) for one in (eye, at))
        least = (self.grazing * float(np.linalg.norm(sight))) ** 2
        depth = 1.0 + off * height / max((height - off) * height, least)
        met = eye + sight * min(max(depth, 1.0 / DEEPEST), DEEPEST)
        seen: Matrix = met - self.normal * float(self.normal @ (met - self.point))
        return seen


def axis_of(arm: RobotArm) -> Axis | None:
    """The yaw axis; None without a yaw joint."""
    if arm.spatial.yaw is None:
        return None
    plane = arm.spatial.plane
    across = np.add(plane.point_at(0.0, 0.0), plane.point_at(0.0, 0.0, np.pi)) / 2.0
    return Axis(across, np.array(plane.yaw_axis))


def plane_at(arm: RobotArm, target: Point3, yaw: float) -> DragPlane:
    """The arm's only plane, or the one through the target [m] and the yaw axis.

    For a target on the axis, it is parallel to the arm's plane at the angle `yaw` [rad].
    """
    axis = axis_of(arm)
    if axis is None:
        return DragPlane(arm.plane[:3, 3], arm.plane[:3, 2], GRAZING_ONLY)
    beside = axis.beside(np.array(target))
    distance = float(np.linalg.norm(beside))
    if distance > ON_THE_AXIS * arm.arm.max_reach:
        return DragPlane(axis.point, np.cross(axis.direction, beside) / distance)
    return DragPlane(axis.point, rotation_about(axis.direction, yaw) @ arm.plane[:3, 2])


def in_plane(arm: RobotArm, point: Matrix) -> Point3:
    """The point itself [m]; without a yaw joint, the nearest point of the arm's plane."""
    if arm.spatial.yaw is not None:
        return point_of(point)
    x, y, _ = arm.spatial.plane.into(point.tolist())
    return arm.spatial.plane.point_at(x, y)


def turn_of(axis: Axis, eye: Matrix, start: Matrix, end: Matrix) -> float:
    """The angle by which a ring about the axis turns, gripped at `start` and dragged to `end` [m]:
    it follows the pointer along the ring's direction at `start` [rad]."""
    beside = axis.beside(start)
    radius = float(np.linalg.norm(beside))
    along = np.cross(axis.direction, beside) / radius
    sight = np.subtract(start, eye)
    sight /= np.linalg.norm(sight)
    seen = along - sight * float(along @ sight)
    share = max(float(seen @ seen), LEAST_SEEN)
    return float(np.subtract(end, start) @ seen) / (share * radius)
