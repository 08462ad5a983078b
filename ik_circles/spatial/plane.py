# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Translates between space and the arm's plane, which stands still or is turned by a yaw joint.

A point in space has a place in the plane. An orientation of the tip has an angle of the tool.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ik_circles.geometry import rigid
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Circle, Point
from ik_circles.geometry.rigid import Matrix, Point3, Rotation, Rows
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.spatial.shoulder import Shoulder, ShoulderAtYaws
from ik_circles.spatial.yaw import Yaw

#: A tool that points towards the yaw axis by less than this share of its level part counts as
#: pointing outwards. An upright tool has hardly a level part: there, the sign hardly matters.
INWARD = 1e-9
#: A tool nearer to the direction of the yaw axis than this points along it [rad]. A turn about the
#: axis then hardly differs from a turn about the tool.
STEEP = 0.01
#: A point's rounding turns the plane farther than an orientation's does if the point is nearer to
#: the yaw axis than this many times the lengths that are rounded [1].
NEAR_AXIS = 0.1
#: The plane just meets a point that is this near to the circle that it touches [share of its
#: distance from the yaw axis]. Farther out, rounding moves the point in the plane by less than 20
#: times as much, which the tolerance of the triangle covers.
JUST_MET = 1e-3
#: A point within this many times the slack of the yaw axis hardly determines the yaw angle [1].
NEXT_TO_AXIS = 50.0


@dataclass(frozen=True, eq=False)
class ArmPlane:
    """The arm's plane in space.

    `pose` is the plane in space at the yaw angle 0 (4x4): its origin is at the arm's first joint,
    and z is the normal that angles turn about. `yaw` is the joint that turns it, None if there is
    none. `slack` is how far the tip may be from its place in the plane [m], because axes are
    parallel or perpendicular only to within rounding.
    """

    pose: Matrix
    yaw: Yaw | None
    slack: float

    @property
    def count(self) -> int:
        """How many coordinates of the tip the joints can set, in the order of `into`."""
        return 2 if self.yaw is None else 3

    @property
    def aside(self) -> float:
        """How far beside the yaw axis the plane is, with a sign [m]; 0 without a yaw joint."""
        return self.yaw.aside if self.yaw else 0.0

    @cached_property
    def loose_within(self) -> float:
        """Nearer to the yaw axis than this [m], a point's rounding turns the plane farther than an
        orientation's does: at half this distance, twice as far."""
        if self.yaw is None:
            return 0.0
        sizes = self.yaw.rounding / TOLERANCE + float(np.linalg.norm(self.pose[:3, 3]))
        return max(abs(self.yaw.aside), NEAR_AXIS * sizes)

    def into(self, point: Sequence[float]) -> Point3:
        """A point in space, in the axes of the plane at yaw 0: x, y and the distance off it [m]."""
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self.columns
        x, y, z = map(float, point)
        x, y, z = x - x0, y - y0, z - z0
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z

    def point_at(self, x: float, y: float, yaw: float = 0.0) -> Point3:
        """Where a point of the plane [m] is in space [m] with the plane at `yaw` [rad]."""
        z = 0.0
        if self.yaw is not None and yaw != 0.0:
            x, y, z = self.yaw.turned(x, y, yaw)
        return self.in_space(x, y, z)

    def in_space(self, x: float, y: float, z: float) -> Point3:
        """The point in space that `into` brings to x and y of the plane and `z` off it [m]."""
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self.columns
        return (
            a * x + d * y + g * z + x0,
            b * x + e * y + h * z + y0,
            c * x + f * y + i * z + z0,
        )

    def shoulders(self, point: Sequence[float]) -> list[ShoulderAtYaws]:
        """The ways to bring the plane to a point in space [m], each with its yaw angles [rad].

        Without a yaw joint there is one way, at the angle 0, and the point may be beside the plane.
        """
        x, y, off = self.into(point)
        if self.yaw is None:
            return [(Shoulder(0.0, (x, y), abs(off)), [0.0])]
        return self.yaw.shoulders(self.yaw.place_of(x, y, off), self.slack)

    def shoulders_by_rounding(
        self, point: Sequence[float], circles: Iterable[Circle] = ()
    ) -> list[ShoulderAtYaws]:
        """The ways to have points in the plane that only rounding tells from this one [m].

        There are none unless the plane just meets the point beside the yaw axis. Rounding then
        moves it in the plane by far more, such as past a straight elbow. The points are those
        farthest from this one, and those on circles of the plane [m].
        """
        yaw = self.yaw
        if yaw is None or yaw.holds_axis:
            return []
        place = yaw.place_of(*self.into(point))
        radius, off = place.radius, 2.0 * yaw.rounding  # up to one of them, it is met once
        if radius - abs(yaw.aside) > JUST_MET * radius:
            return []
        both = (place._replace(radius=one) for one in (radius + off, radius - off))
        found = [one for place in both for one in yaw.shoulders(place)]
        return [*found, *yaw.shoulders_on(place, circles, off)]

    def is_next_to_axis(self, point: Sequence[float]) -> bool:
        """Whether a point in space [m] may be on the yaw axis, as axes are only nearly parallel."""
        if self.yaw is None:
            return False
        place, near = self.yaw.place_of(*self.into(point)), NEXT_TO_AXIS * self.slack
        return max(abs(self.yaw.aside), place.radius) <= near

    def seen_at(self, point: Sequence[float], taken: float | None = None) -> Point:
        """Where in the plane to draw a point in space [m].

        The plane is turned to the point if that is possible: to face it or, if a yaw angle `taken`
        is given [rad], as near to that as the point allows. Otherwise the plane is at 0. A point
        with NaN is drawn nowhere.
        """
        if all(map(math.isfinite, point)):
            some = [shoulder for shoulder, yaws in self.shoulders(point) if yaws]
            if taken is not None:
                some.sort(key=lambda shoulder: abs(wrap(shoulder.yaw - taken)))
            if some:
                return some[0].point
        return self.into(point)[:2]

    @cached_property
    def columns(self) -> tuple[Point3, Point3, Point3, Point3]:
        """The plane's x, y, z and origin, in plain floats: these are much faster for one point."""
        x, y, z, origin = ((a, b, c) for a, b, c in self.pose[:3].T.tolist())
        return x, y, z, origin

    @cached_property
    def yaw_axes(self) -> tuple[Point, Point, Point]:
        """A point of the yaw axis in the plane [m], the direction outwards, and the direction along
        the axis; without a yaw joint, the plane's origin, x and y."""
        if self.yaw is None:
            return (0.0, 0.0), (1.0, 0.0), (0.0, 1.0)
        along_x, along_y = self.yaw.along
        return self.yaw.foot, (along_y, -along_x), (along_x, along_y)

    @cached_property
    def from_yaw_axis(self) -> tuple[Rows, Point3]:
        """`yaw_axes` in space, with the plane at 0: outwards, along, the normal, and the point."""
        foot, outwards, along = self.yaw_axes
        x_and_y, normal = self.pose[:3, :2], self.pose[:3, 2]
        rows: Rows = np.array((x_and_y @ outwards, x_and_y @ along, normal)).tolist()
        return rows, self.in_space(*foot, 0.0)

    @property
    def normal(self) -> Point3:
        """The direction that angles turn about, with the yaw joint at 0."""
        return self.columns[2]

    @cached_property
    def yaw_axis(self) -> Point3:
        """The direction in space that the yaw angle turns about; without a yaw joint, the plane's
        y."""
        if self.yaw is None:
            return self.columns[1]
        x, y, z = (self.pose[:3, :3] @ np.array([*self.yaw.along, 0.0])).tolist()
        return x, y, z


@dataclass(frozen=True, eq=False)
class Tool:
    """How the tip is turned.

    `at_zero` is its orientation in space (3x3) with the plane at the yaw angle 0 and the tool at
    the angle `phi_at_zero` in the plane [rad]. `no_roll` says why the joints do not roll it.
    """

    plane: ArmPlane
    at_zero: Matrix
    phi_at_zero: float
    no_roll: str = 'no joint rolls the tool'

    def rotation(self, phi: float, yaw: float = 0.0) -> Matrix:
        """Orientation of the tip in space (3x3), with the tool at `phi` and the plane at `yaw`."""
        in_plane = rigid.rotation_about(self.plane.pose[:3, 2], phi - self.phi_at_zero)
        yawed = rigid.rotation_about(np.array(self.plane.yaw_axis), yaw)
        turned: Matrix = yawed @ in_plane @ self.at_zero
        return turned

    def orientation(self, rotation: Rotation) -> 'TipOrientation':
        """An orientation of the tip (3x3) as the plane sees it."""
        columns, rows = self.plane.columns[:3], rigid.rows_of(rotation)
        from_zero = rigid.rows_product(columns, rows, self._zero_in_plane)
        return TipOrientation(self, rotation, from_zero)

    @cached_property
    def _zero_in_plane(self) -> Rows:
        """The plane's axes as the tip at zero sees them (3x3)."""
        rows: Rows = (self.at_zero.T @ self.plane.pose[:3, :3]).tolist()
        return rows


class TurnedAway(NamedTuple):
    """How far a tool is from an orientation [rad].

    `pitch` is the angle in the plane of the arm to the pitch of that orientation. From there,
    `heading` is the angle about the yaw axis, and `roll` the angle about the tool's own direction.
    Each is at least 0. `no_roll` says why the tool is not rolled.
    """

    heading: float
    roll: float
    no_roll: str = ''
    pitch: float = 0.0


class TipOrientation(NamedTuple):
    """An orientation of the tip in space (3x3); `from_zero` is the rotation that leads to it from
    the orientation at zero, in the plane's axes (3x3)."""

    tool: Tool
    rotation: Rotation
    from_zero: Rows

    def angle(self, yaw: float) -> float:
        """The tool's angle in the plane at `yaw` [rad].

        Behind a yaw joint, it is the angle with the same pitch, otherwise the nearest angle.
        """
        plane, phi_at_zero = self.tool.plane, self.tool.phi_at_zero
        if plane.yaw is None:
            (xx, xy, _), (yx, yy, _), _ = self.from_zero
            return wrap(math.atan2(yx - xy, xx + yy) + phi_at_zero)
        cosine, sine = math.cos(phi_at_zero), math.sin(phi_at_zero)
        # The direction of the tool, at yaw 0.
        x, y, side = (row[0] * cosine + row[1] * sine for row in self.from_zero)
        along_x, along_y = plane.yaw.along
        outwards, up = x * along_y - y * along_x, x * along_x + y * along_y
        seen = outwards * math.cos(yaw) - side * math.sin(yaw)
        length = math.hypot(outwards, side)
        level = math.copysign(length, seen + INWARD * length)
        return wrap(math.atan2(up, level) - math.atan2(along_x, along_y))

    def yaw_by(self, joint: Yaw) -> float:
        """The yaw angle with which the plane's normal is where the tip needs it [rad]."""
        along_x, along_y = joint.along
        x, y, z = (row[2] for row in self.from_zero)
        return math.atan2(x * along_y - y * along_x, z)

    def turned_away(self, phi: float, yaw: float) -> TurnedAway:
        """Behind a yaw joint: how far it is from the tool at `phi` with the plane at `yaw` [rad].

        A tool along the yaw axis has no heading of its own, so all of the turn counts as one.
        """
        tool, axis, asked = self.tool, np.array(self.tool.plane.yaw_axis), self.angle(yaw)
        pitch = abs(wrap(phi - asked))
        given, wanted = tool.rotation(asked, yaw), np.asarray(self.rotation)
        x, y = tool.plane.pose[:3, :2].T
        yawed = rigid.rotation_about(axis, yaw)
        before = yawed @ (math.cos(asked) * x + math.sin(asked) * y)
        after = wanted @ given.T @ before
        level = float(before @ before - (axis @ before) ** 2)
        if level <= STEEP**2:
            turn = rigid.angle_between_rotations(given, wanted)
            return TurnedAway(turn, 0.0, tool.no_roll, pitch)
        across = rigid.cross_product(before, after)
        heading = math.atan2(axis @ across, before @ after - (axis @ before) * (axis @ after))
        turned = rigid.rotation_about(axis, heading) @ given
        roll = rigid.angle_between_rotations(turned, wanted)
        return TurnedAway(abs(heading), roll, tool.no_roll, pitch)

    def tilt(self, phi: float, yaw: float) -> float:
        """How far the orientation is from what the joints can give the tip [rad].

        Behind a yaw joint, all of the difference counts. Otherwise, only the tilt of the plane
        counts.
        """
        joint, (row_1, row_2, row_3) = self.tool.plane.yaw, self.from_zero
        if joint is None:
            return math.atan2(math.hypot(row_1[2], row_2[2]), row_3[2])
        one, two, three = joint.rotation(yaw, phi - self.tool.phi_at_zero)
        return rigid.angle_of_distance(math.dist((*one, *two, *three), (*row_1, *row_2, *row_3)))
