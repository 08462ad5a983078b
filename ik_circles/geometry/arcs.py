"""Circular arcs: points on them, distances to them, and what they enclose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import Point


class Arc(NamedTuple):
    """Part of a circle, counter-clockwise: centre [m], radius [m], start angle and sweep [rad]."""

    center: Point
    radius: float
    start: float
    sweep: float

    @property
    def end(self) -> float:
        """Angle at which the arc ends, start + sweep [rad]."""
        return self.start + self.sweep

    def point_at(self, angle: float) -> Point:
        """Point of the circle in the direction `angle` from its centre."""
        return (
            self.center[0] + self.radius * math.cos(angle),
            self.center[1] + self.radius * math.sin(angle),
        )

    def offset_of(self, point: Point) -> float:
        """Angle from the arc's start to the place on the arc that is nearest to `point` [rad]."""
        direction = math.atan2(point[1] - self.center[1], point[0] - self.center[0])
        offset = (direction - self.start) % TURN
        if offset <= self.sweep:
            return offset
        return self.sweep if offset - self.sweep < TURN - offset else 0.0

    def nearest_to(self, point: Point) -> Point:
        """The point of the arc that is nearest to `point`."""
        return self.point_at(self.start + self.offset_of(point))

    def distance_to(self, point: Point) -> float:
        """Distance from `point` to the arc [m]."""
        return nearest_arc(_plain((self,)), point)[0]

    def chords(self, most: float) -> NDArray[np.float64]:
        """Return the corners of chords along the arc, shape (N, 2) [m].

        Parameters
        ----------
        most : float
            Largest angle that a chord may cover, but for rounding [rad].

        Returns
        -------
        array of shape (N, 2)
            Points of the arc from its start to its end, at equal angles.
        """
        angles = np.linspace(self.start, self.end, 2 + int(self.sweep / most))
        return np.array([self.point_at(angle) for angle in angles])


PlainArc = tuple[float, float, float, float, float]


def _plain(arcs: Sequence[Arc]) -> tuple[PlainArc, ...]:
    """Centre, radius, start and sweep of each arc, as plain tuples: Python takes these apart much
    faster."""
    return tuple((*arc.center, arc.radius, arc.start, arc.sweep) for arc in arcs)


def nearest_arc(arcs: Sequence[PlainArc], point: Point) -> tuple[float, int]:
    """Distance [m] from `point` to the nearest of the arcs, and which one it is."""
    hypot, atan2 = math.hypot, math.atan2
    x, y = point
    least, which = math.inf, 0
    for index, (center_x, center_y, radius, start, sweep) in enumerate(arcs):
        away_x, away_y = x - center_x, y - center_y
        distance = abs(hypot(away_x, away_y) - radius)
        if distance >= least:  # no part of an arc is nearer than its circle
            continue
        offset = (atan2(away_y, away_x) - start) % TURN
        if offset > sweep:
            end = start + sweep if offset - sweep < TURN - offset else start
            distance = hypot(away_x - radius * math.cos(end), away_y - radius * math.sin(end))
        if distance < least:
            least, which = distance, index
    return least, which


def _nearest_from_afar(arcs: Sequence[Arc], point: Point) -> int:
    """Which arc is nearest to a point so far away that distances to all of them are alike: the
    distance to each is compared less the distance to the base, with all of its digits."""
    scale = max(abs(point[0]), abs(point[1]))
    x, y = point[0] / scale, point[1] / scale

    def beyond_base(arc: Arc) -> float:
        place_x, place_y = arc.point_at(arc.start + arc.offset_of(point))
        square = (place_x * place_x + place_y * place_y) / scale
        away = math.hypot(x - place_x / scale, y - place_y / scale) + math.hypot(x, y)
        return (square - 2.0 * (x * place_x + y * place_y)) / away

    return min(range(len(arcs)), key=lambda index: beyond_base(arcs[index]))


def _area_towards_origin(piece: Arc) -> float:
    """Area swept from the origin along the piece, by Green's theorem: half of x dy - y dx."""
    (cx, cy), radius = piece.center, piece.radius
    start, end = piece.start, piece.end
    return 0.5 * radius * (
        cx * (math.sin(end) - math.sin(start))
        - cy * (math.cos(end) - math.cos(start))
        + radius * piece.sweep
    )
