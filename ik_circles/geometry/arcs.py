# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Circular arcs: points on them, distances to them, their chords, and the area beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.kinds import names_wrong_kinds

#: A point is opposite the middle of an arc if the directions to both ends differ from its own by
#: the same angle, up to this [rad]. The start then counts as the nearer end, whatever the rounding.
EQUALLY_NEAR = 1e-14


class Arc(NamedTuple):
    """Part of a circle, counter-clockwise.

    Attributes
    ----------
    center : tuple of two floats
        Center of the circle `(x, y)` [m].
    radius : float
        Radius [m].
    start, sweep : float
        Direction from the center at which the arc starts, and the angle that it covers [rad].
    """

    center: Point
    radius: float
    start: float
    sweep: float

    @property
    def end(self) -> float:
        """Direction from the center at which the arc ends [rad]."""
        return self.start + self.sweep

    @names_wrong_kinds
    def point_at(self, angle: float) -> Point:
        """Return the point of the circle in a direction from its center.

        Parameters
        ----------
        angle : float
            Direction [rad], on the arc or not.

        Returns
        -------
        tuple of two floats
            Point `(x, y)` [m].
        """
        return (
            self.center[0] + self.radius * math.cos(angle),
            self.center[1] + self.radius * math.sin(angle),
        )

    def offset_of(self, point: Point) -> float:
        """Return where on the arc the nearest point to another point is.

        Parameters
        ----------
        point : tuple of two floats
            Point `(x, y)` [m].

        Returns
        -------
        float
            Angle from the arc's start, 0 to `sweep` [rad].
        """
        direction = math.atan2(point[1] - self.center[1], point[0] - self.center[0])
        offset = (direction - self.start) % TURN
        if offset <= self.sweep:
            return offset
        return self.sweep if offset - self.sweep < TURN - offset - EQUALLY_NEAR else 0.0

    @names_wrong_kinds
    def nearest_to(self, point: Point) -> Point:
        """Return the point of the arc that is nearest to another point.

        Parameters
        ----------
        point : tuple of two floats
            Point `(x, y)` [m].

        Returns
        -------
        tuple of two floats
            Point of the arc `(x, y)` [m].
        """
        return self.point_at(self.start + self.offset_of(point))

    def distance_to(self, point: Point) -> float:
        """Return the distance from a point to the arc.

        Parameters
        ----------
        point : tuple of two floats
            Point `(x, y)` [m].

        Returns
        -------
        float
            Distance [m], at least 0.
        """
        return math.dist(point, self.nearest_to(point))

    @names_wrong_kinds
    def chords(self, most: float) -> NDArray[np.float64]:
        """Return the corners of chords along the arc, shape (N, 2) [m].

        Parameters
        ----------
        most : float
            Largest angle that a chord may cover, apart from rounding [rad].

        Returns
        -------
        array of shape (N, 2)
            Points of the arc from its start to its end, at equal angles.
        """
        angles = np.linspace(self.start, self.end, 2 + int(self.sweep / most))
        return np.array([self.point_at(angle) for angle in angles])


def nearest_on(arc: Arc, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """The points of an arc nearest to other points: their offsets [rad], x and y [m], (N,) each.

    See `Arc.offset_of` for one point.
    """
    (center_x, center_y), radius, start, sweep = arc
    offset = np.mod(np.arctan2(y - center_y, x - center_x) - start, TURN)
    past = np.where(offset - sweep < TURN - offset - EQUALLY_NEAR, sweep, 0.0)
    offset = np.where(offset <= sweep, offset, past)
    angle = start + offset
    return offset, center_x + radius * np.cos(angle), center_y + radius * np.sin(angle)


class ArcsAbout(NamedTuple):
    """Arcs about one center [m], each with its number and the points at which it starts and ends:
    (number, radius, start, sweep, first, last)."""

    center: Point
    arcs: list[tuple[int, float, float, float, Point, Point]]


def about_centers(arcs: Sequence[Arc]) -> list[ArcsAbout]:
    """Group successive arcs that have the same center."""
    return [
        ArcsAbout(
            center,
            [
                (number, *arc[1:], arc.point_at(arc.start), arc.point_at(arc.end))
                for number, arc in some
            ],
        )
        for center, some in groupby(enumerate(arcs), key=lambda one: one[1].center)
    ]


def nearest_arc(
    arcs: Iterable[ArcsAbout], point: Point, same: float = 0.0
) -> tuple[float, int]:
    """Distance from a point to the nearest of the arcs [m], and the number of that arc.

    Of arcs whose distances differ by no more than `same` [m], it is the first one. An arm has a few
    dozen arcs. Most of them are about its base, whose distance is computed once.
    """
    x, y = point
    found, nearest, least = math.inf, 0, math.inf
    for (center_x, center_y), some in arcs:
        away_x, away_y = x - center_x, y - center_y
        away, direction = math.hypot(away_x, away_y), math.atan2(away_y, away_x)
        for number, radius, start, sweep, first, last in some:
            distance = abs(away - radius)
            if distance >= least:  # no part of an arc is nearer than its circle
                continue
            offset = (direction - start) % TURN
            if offset > sweep:
                is_last = offset - sweep < TURN - offset - EQUALLY_NEAR
                distance = math.dist(point, last if is_last else first)
            if distance < least:
                found, nearest, least = distance, number, distance - same
    return found, nearest


def nearest_arc_from_afar(arcs: Sequence[Arc], point: Point, same: float = 0.0) -> int:
    """Index of the arc nearest to a point so far away that all distances to it round alike.

    It compares each distance minus the distance to the origin, computed with all of its digits. For
    `same`, see `nearest_arc`.
    """
    scale = max(abs(point[0]), abs(point[1]))
    x, y = point[0] / scale, point[1] / scale

    def beyond_origin(arc: Arc) -> float:
        place_x, place_y = arc.nearest_to(point)
        square = (place_x * place_x + place_y * place_y) / scale
        away = math.hypot(x - place_x / scale, y - place_y / scale) + math.hypot(x, y)
        return (square - 2.0 * (x * place_x + y * place_y)) / away

    nearest, least = 0, math.inf
    for number, beyond in enumerate(map(beyond_origin, arcs)):
        if beyond < least:
            nearest, least = number, beyond - same
    return nearest


def area_towards_origin(arc: Arc) -> float:
    """Area between an arc and the origin [m^2]: a triangle, and what is between arc and chord.

    So an arc that is almost straight, with a huge radius, keeps its digits.
    """
    (a, b), (c, d) = arc.point_at(arc.start), arc.point_at(arc.end)
    return 0.5 * (a * d - b * c + arc.radius**2 * (arc.sweep - math.sin(arc.sweep)))
