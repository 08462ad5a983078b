# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A point in space as the yaw axis sees it, and a way to have it in the arm's plane."""

from typing import NamedTuple

from ik_circles.geometry.circles import Point


class Place(NamedTuple):
    """A point in space seen from the yaw axis.

    `radius` is its distance from the axis [m], `azimuth` its direction about the axis [rad] and
    `height` how far along the axis it is [m].
    """

    radius: float
    azimuth: float
    height: float

    def brought_within(self, distance: float) -> 'Place':
        """The place itself, or one in the same direction, about as far away as `distance` [m]."""
        away = max(self.radius, abs(self.height))
        if away <= distance:
            return self
        share = distance / away
        return Place(self.radius * share, self.azimuth, self.height * share)


class Shoulder(NamedTuple):
    """One way to have a point in space in the arm's plane.

    The plane is at the angle `yaw` [rad] and the point at `point` in it [m]. Without a yaw joint
    the point may be `beside` the plane [m]. If `on_axis`, every other yaw angle works as well.
    """

    yaw: float
    point: Point
    beside: float = 0.0
    on_axis: bool = False


#: A shoulder and the yaw angles inside the limits that give it [rad], the smallest first.
ShoulderAtYaws = tuple[Shoulder, list[float]]
