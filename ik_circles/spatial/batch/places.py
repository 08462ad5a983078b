# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many points in space seen from the yaw axis: their places in the plane, and bounds of distances.

This is the geometry of `yaw`, column by column.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.yaw import Yaw


def points_seen(
    plane: ArmPlane, yaw: Yaw, ahead: Floats, sideways: Floats, height: float
) -> Floats:
    """The points in space (N, 3) [m] that the yaw axis sees as in `Places`."""
    (foot_x, foot_y), (along_x, along_y) = yaw.foot, yaw.along
    x = foot_x + ahead * along_y + height * along_x
    y = foot_y - ahead * along_x + height * along_y
    points = np.column_stack((x, y, yaw.aside - sideways))
    return np.asarray(points @ plane.pose[:3, :3].T + plane.pose[:3, 3])


class Side(NamedTuple):
    """One shoulder of N points.

    Attributes
    ----------
    x, y : (N,) where the points are in the plane [m]
    is_inside : (N,) whether the yaw angle is inside its limits
    to_limit : (N,) distance to where turning ends, see `Yaw.distance_to_limit` [m]
    past_limit : (N,) if a point's own yaw angle is past a limit, a lower bound on its distance to
    the tips on this side that the yaw joint can turn towards it [m]
    """

    x: Floats
    y: Floats
    is_inside: Bools
    to_limit: Floats
    past_limit: Floats


class Places:
    """N points as seen from the yaw axis: their distance `ahead` of it along the plane at the yaw
    angle 0, their distance `sideways`, and their `height` along it [m].

    As in `Place`, `radius` is the distance from the axis. The plane meets the points `outwards`
    from the axis, if it does at all.
    """

    def __init__(self, yaw: Yaw, ahead: Floats, sideways: Floats, height: Floats) -> None:
        self._yaw, self._aside = yaw, abs(yaw.aside)
        self._ahead, self._sideways, self.height = ahead, sideways, height
        self.radius = np.hypot(ahead, sideways)
        past = np.maximum(self.radius - self._aside, 0.0)
        self.outwards = np.sqrt(past) * np.sqrt(self.radius + self._aside)

    @classmethod
    def of(cls, yaw: Yaw, x: Floats, y: Floats, off: Floats) -> Places:
        """Make it from points in the axes of the plane at yaw 0; `off` is how far off it they are
        [m]."""
        x, y = x - yaw.foot[0], y - yaw.foot[1]
        along_x, along_y = yaw.along
        ahead, height = x * along_y - y * along_x, x * along_x + y * along_y
        return cls(yaw, ahead, yaw.aside - off, height)

    def rows(self, rows: NDArray[np.intp]) -> Places:
        """Some of the points."""
        return Places(self._yaw, self._ahead[rows], self._sideways[rows], self.height[rows])

    @property
    def is_inside_ring(self) -> Bools:
        """Whether the points are nearer to the yaw axis than the plane is (N,)."""
        return np.asarray(self.radius < self._aside)

    def in_plane(self, outwards: Floats) -> tuple[Floats, Floats]:
        """The points of the plane that are this far outwards, and as high as these points [m]."""
        (foot_x, foot_y), (along_x, along_y) = self._yaw.foot, self._yaw.along
        return (
            foot_x + outwards * along_y + self.height * along_x,
            foot_y - outwards * along_x + self.height * along_y,
        )

    def turned_to(
        self, outwards: Floats, aside: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """Cosine and sine of the yaw angle that puts the points this far outwards in the plane, or
        in planes that pass the axis at other distances `aside` [m]."""
        ahead, sideways = self._ahead, self._sideways
        past = self._yaw.aside if aside is None else aside
        square = self.radius * self.radius
        cosine = (ahead * outwards + sideways * past) / square
        return cosine, (sideways * outwards - ahead * past) / square

    def seen_at(self, yaw: float) -> tuple[Floats, Floats]:
        """How far the points are outwards along the plane at a yaw angle, and out of it [m]."""
        cosine, sine = math.cos(yaw), math.sin(yaw)
        outwards = self._ahead * cosine + self._sideways * sine
        return outwards, self._sideways * cosine - self._ahead * sine - self._yaw.aside

    def side(self, sign: float) -> Side:
        """The shoulder that faces the points (1) or reaches backwards (-1)."""
        outwards = sign * self.outwards
        is_inside: Bools = np.ones(len(outwards), bool)
        to_limit = np.full(len(outwards), np.inf)
        past_limit = to_limit.copy()
        if self._yaw.ends():
            lower, upper = self._yaw.limits
            angle = np.arctan2(self._sideways, self._ahead) - np.arctan2(self._yaw.aside, outwards)
            over = angle - (lower + upper) / 2.0
            is_inside = np.abs(over - TURN * np.rint(over / TURN)) <= (upper - lower) / 2.0
        for end in self._yaw.ends():
            ahead, off = self.seen_at(end)
            is_beside = sign * ahead >= 0.0
            to_limit = np.minimum(
                to_limit, np.where(is_beside, np.abs(off), np.hypot(ahead, off))
            )
            # A tip at this radius is turned towards the point with the yaw joint at its limit.
            with np.errstate(divide='ignore', invalid='ignore'):
                radius = self._aside * self.radius / np.abs(off + self._yaw.aside)
            between = np.where(is_beside, np.abs(self.radius - radius), np.inf)
            past_limit = np.fmin(past_limit, between)
        return Side(*self.in_plane(outwards), is_inside, to_limit, past_limit)

    def turned(self, distance: Floats) -> Floats:
        """A lower bound on distances in space [m]: no tip that is this far from a point in the
        plane, on the same side of the axis, is nearer to it when both are turned.

        The bound is exact if the tip lies straight inwards. For tips farther away, or above,
        turning shrinks a distance by no more than it shrinks the way to the axis.
        """
        inwards = np.maximum(self.outwards - distance, 0.0)
        shrinks = self.outwards / (self.radius + self._aside)
        straight_inwards = self.radius - np.hypot(inwards, self._aside)
        return np.asarray(np.maximum(straight_inwards, shrinks * distance))
