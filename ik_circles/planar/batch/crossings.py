# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Inside or outside of the workspace, and how far from its outline, for many points at once.

If a point is inside, a ray from it towards +x crosses the outline an odd number of times. Points
next to the outline are left to the code for one target.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.circles import Point
from ik_circles.planar.batch.nearest import distance_to_arcs
from ik_circles.planar.workspace import FAR_OFF, Workspace
from ik_circles.reasons import Code

#: Points nearer to the outline than this share of the reach are left to the code for one target.
#: This is far more than rounding, but hardly any points are that near.
NEXT_TO_OUTLINE = 1e-6
#: Ends of arcs nearer to each other than this share of the reach are one corner. Rounding moves the
#: ends of touching arcs by its square root, which is less than this.
SAME_CORNER = 1e-7


class Verdicts(NamedTuple):
    """Verdicts on N points.

    Attributes
    ----------
    code : (N,) codes of the points
    margin : (N,) signed distances to the boundary [m]
    doubtful : (N,) whether a point is left to the code for one target
    """

    code: Floats
    margin: Floats
    doubtful: Bools


class Half(NamedTuple):
    """A part of a circle to the right or to the left of its center, between two heights [m]."""

    is_right: bool
    lower: float
    upper: float


class OutlineArc(NamedTuple):
    """An arc of the outline in the form that rays and distances need.

    As seen from its center, the arc runs from the direction `first` to the direction `last`; by
    more than half a turn if it is `wide`. Rays may cross its `halves`. It has none if the workspace
    is on neither side of it.
    """

    radius: float
    first: Point
    last: Point
    is_wide: bool
    is_whole: bool
    halves: tuple[Half, ...]

    def is_towards(self, away_x: Floats, away_y: Floats) -> Bools:
        """Whether points are in a direction of the arc, as seen from its center."""
        after_first = self.first[0] * away_y - self.first[1] * away_x >= 0.0
        before_last = self.last[1] * away_x - self.last[0] * away_y >= 0.0
        both: Bools = after_first | before_last if self.is_wide else after_first & before_last
        return both


class Crossings:
    """What the outline of a workspace says about many points."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._model = workspace, workspace.model
        boundary = workspace.boundary
        self._pieces: dict[Point, list[OutlineArc]] = defaultdict(list)
        self._corners: list[Point] = []
        self._ends: list[Point] = []  # of all arcs; nearby ends are one corner
        ends: Counter[Point] = Counter()
        for arc in boundary.arcs:
            corners = self._corner(arc.point_at(arc.start)), self._corner(arc.point_at(arc.end))
            has_width = arc not in boundary.strands
            halves = tuple(_halves(arc, *corners)) if has_width else ()
            # A shorter arc is at its ends. Opposite to it, rounding would call points towards it.
            if arc.sweep * arc.radius > self._model.tolerance:
                self._pieces[arc.center].append(_piece(arc, halves))
            ends.update(corners if has_width else ())
        #: If rounding keeps the outline from closing, all points are left to the code for one.
        self._is_closed = not any(count % 2 for count in ends.values())

    def _corner(self, end: Point) -> Point:
        """The corner at the end of an arc."""
        corner = _first_near(self._corners, end, SAME_CORNER * self._model.max_reach)
        _first_near(self._ends, end, self._model.tolerance)
        return corner

    def verdicts(self, x: Floats, y: Floats, room: Floats | float = 0.0) -> Verdicts:
        """The verdicts on points (N,) [m]; those with less room than `room` [m] are doubtful, too.
        """
        zones = self._workspace.safe_zones
        margin, base = self.distances(x, y), np.hypot(x, y)
        inside = margin > 0.0
        to_zones = zones.outer - base
        if zones.inner > 0.0:
            to_zones = np.minimum(to_zones, base - zones.inner)
        window = NEXT_TO_OUTLINE * self._model.max_reach + room
        nearest = np.minimum(np.abs(margin), np.abs(to_zones))
        doubtful = (nearest <= window) | (not self._is_closed)
        outside = np.array([Code.TOO_CLOSE, Code.JOINT_LIMIT, Code.TOO_FAR], dtype=float)
        code = outside[np.searchsorted((zones.inner, zones.outer), base, 'right')]
        code[inside] = Code.OK
        return Verdicts(code, np.where(inside, np.minimum(margin, to_zones), margin), doubtful)

    def distances(self, x: Floats, y: Floats) -> Floats:
        """Distances of points from the outline (N,), negative outside of it [m]."""
        inside: Bools = np.zeros(len(x), bool)
        least: Floats = np.full(len(x), np.inf)
        for end_x, end_y in self._ends:
            away_x, away_y = x - end_x, y - end_y
            np.minimum(least, away_x * away_x + away_y * away_y, out=least)
        least = np.sqrt(least)
        for (center_x, center_y), pieces in self._pieces.items():
            away_x, away_y = x - center_x, y - center_y
            away, is_left = np.sqrt(away_x * away_x + away_y * away_y), away_x < 0.0
            for piece in pieces:
                distance = np.abs(away - piece.radius)
                if not piece.is_whole:
                    distance = np.where(piece.is_towards(away_x, away_y), distance, np.inf)
                np.minimum(least, distance, out=least)
                in_circle = away < piece.radius
                for is_right, lower, upper in piece.halves:
                    crosses = is_left | in_circle if is_right else is_left & ~in_circle
                    inside ^= crosses & (y >= lower) & (y < upper)
        far = np.flatnonzero(np.maximum(np.abs(x), np.abs(y)) > FAR_OFF * self._model.max_reach)
        if far.size:  # squares may overflow there
            least[far] = distance_to_arcs(self._workspace.boundary.arcs, x[far], y[far])[0]
        return np.where(inside, least, -least)


def _first_near(points: list[Point], one: Point, same: float) -> Point:
    """The first of the points that is within `same` [m] of another one; if there is none, the other
    one is added to them and returned."""
    near = next((point for point in points if math.dist(point, one) <= same), None)
    if near is None:
        points.append(one)
    return near or one


def _piece(arc: Arc, halves: tuple[Half, ...]) -> OutlineArc:
    first, last = ((math.cos(angle), math.sin(angle)) for angle in (arc.start, arc.end))
    return OutlineArc(arc.radius, first, last, arc.sweep > math.pi, arc.sweep >= TURN, halves)


def _halves(arc: Arc, first: Point, last: Point) -> Iterator[Half]:
    """The halves of an arc between its corners.

    Neighboring arcs share the height of a corner, so a ray never passes between them.
    """
    quarters = math.floor(arc.start / math.pi - 0.5) + 1, math.ceil(arc.end / math.pi - 0.5)
    directions = [(number + 0.5) * math.pi for number in range(*quarters)]  # its top and bottom
    angles = [arc.start, *directions, arc.end]
    tops = [arc.center[1] + math.copysign(arc.radius, math.sin(one)) for one in directions]
    heights = [first[1], *tops, last[1]]
    for index in range(len(angles) - 1):
        is_right = math.cos((angles[index] + angles[index + 1]) / 2.0) > 0.0
        yield Half(is_right, *sorted(heights[index : index + 2]))
