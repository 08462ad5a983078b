# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The outline of the workspace: pieces of critical arcs with the workspace on one side only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from ik_circles.geometry.arcs import Arc, area_towards_origin, nearest_on
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.planar.orientations import Orientations

#: Points and circles that differ by up to this many tolerances are the same, also by way of others.
#: A look halfway between arcs that differ by more is not mistaken: a point counts as reached up to
#: CLOSURE tolerances past the outline, and half as far again next to a straight elbow.
EQUAL = 40.0

#: Each circle, by its center [m] and radius [m], with a number that it shares with those that are
#: the same.
Circles = dict[tuple[Point, float], int]


@dataclass(frozen=True)
class Boundary:
    """Outline of the workspace, holes included.

    Attributes
    ----------
    arcs : tuple of Arc
        The pieces of circles that form the outline, each counter-clockwise [m, rad].
    area : float
        The area that they enclose [m^2].
    strands : frozenset of Arc
        The arcs with the workspace on neither side: it has no width there.
    """

    arcs: tuple[Arc, ...]
    area: float
    strands: frozenset[Arc] = frozenset()


def outline(orientations: Orientations, arcs: Sequence[Arc]) -> Boundary:
    """Cut the critical arcs at each other and keep the pieces that separate inside from outside.

    Successive pieces of one arc are joined. No arm reaches everything. So if no piece separates,
    the workspace is a point to within rounding, and every piece is its outline.
    """
    tolerance = orientations.model.tolerance
    circles = _circles(arcs, tolerance)
    pieces = _distinct(_cut_at_each_other(arcs, circles, tolerance), circles, tolerance)
    kept: list[Arc] = []
    sides: list[tuple[bool, bool]] = []
    enclosed = 0.0
    for piece, away in zip(pieces, _distances(pieces, arcs)):
        inner, outer = _sides(orientations, piece, away)
        if (inner and outer) or (piece.sweep == 0.0 and (inner or outer)):
            continue
        enclosed += (inner - outer) * area_towards_origin(piece)
        if kept and sides[-1] == (inner, outer) and _follows(piece, kept[-1], tolerance):
            kept[-1] = kept[-1]._replace(sweep=piece.end - kept[-1].start)
        else:
            kept.append(piece)
            sides.append((inner, outer))
    if not kept:
        return Boundary(tuple(pieces), 0.0, frozenset(pieces))
    strands = frozenset(arc for arc, both in zip(kept, sides) if both == (False, False))
    return Boundary(tuple(kept), max(0.0, enclosed), strands)


def _follows(piece: Arc, other: Arc, tolerance: float) -> bool:
    """Whether a piece starts where another piece of the same arc ends."""
    same_arc = piece.center == other.center and piece.radius == other.radius
    return same_arc and abs(piece.start - other.end) * piece.radius <= tolerance


def _circles(arcs: Sequence[Arc], tolerance: float) -> Circles:
    """Number the circles of the arcs. Two that are each the same as a third one share its number:
    a joint that moves a straight elbow by 1e-6 rad gives a row of them."""
    circles: Circles = {}
    for arc in arcs:
        same = {circles[one] for one in circles if same_circle(arc, Arc(*one, 0.0, 0.0), tolerance)}
        number = min(same, default=len(circles))
        circles.update((one, number) for one in circles if circles[one] in same)
        circles[arc.center, arc.radius] = number
    return circles


def _cut_at_each_other(
    arcs: Sequence[Arc], circles: Circles, tolerance: float
) -> Iterator[Arc]:
    """The pieces between points where the arcs' circles meet; arcs without length stay whole."""
    numbers = [circles[arc.center, arc.radius] for arc in arcs]
    for arc, number in zip(arcs, numbers):
        met = chain.from_iterable(
            meeting_points(arc, other, number == its, tolerance)
            for other, its in zip(arcs, numbers)
        )
        ordered = sorted({0.0, arc.sweep, *map(arc.offset_of, met)})
        for start, end in pairwise(ordered):
            yield Arc(arc.center, arc.radius, arc.start + start, end - start)
        if arc.sweep * arc.radius <= tolerance:
            yield arc


def meeting_points(
    arc: Arc, other: Arc, is_same: bool, tolerance: float
) -> tuple[Point, ...]:
    """The points where the circles of two arcs meet; for the same circle, the other arc's ends."""
    if is_same:
        return other.point_at(other.start), other.point_at(other.end)
    return intersect_circles(arc.center, arc.radius, other.center, other.radius, tolerance)


def same_circle(arc: Arc, other: Arc, tolerance: float) -> bool:
    """Whether rounding may have made the circles of two arcs differ."""
    apart = math.dist(arc.center, other.center) + abs(arc.radius - other.radius)
    return apart <= EQUAL * tolerance


def _distinct(pieces: Iterator[Arc], circles: Circles, tolerance: float) -> list[Arc]:
    """Leave out each piece that lies on an earlier piece of the same circle."""
    kept: list[Arc] = []
    by_circle: dict[int, list[Arc]] = {}
    for piece in pieces:
        same = by_circle.setdefault(circles[piece.center, piece.radius], [])
        middle = piece.start + piece.sweep / 2.0
        distances = (other.distance_to(other.point_at(middle)) for other in same)
        if not any(distance <= EQUAL * tolerance for distance in distances):
            kept.append(piece)
            same.append(piece)
    return kept


def _distances(pieces: Sequence[Arc], arcs: Sequence[Arc]) -> list[list[float]]:
    """For each piece, how far its middle is from each of the arcs, the nearest first [m]."""
    middles = [piece.point_at(piece.start + piece.sweep / 2.0) for piece in pieces]
    x, y = np.reshape(middles, (-1, 2)).T
    nearest = [nearest_on(arc, x, y) for arc in arcs]
    away = np.array([np.hypot(x - its_x, y - its_y) for _, its_x, its_y in nearest])
    by_piece: list[list[float]] = np.sort(away, axis=0).T.tolist()
    return by_piece


def _sides(orientations: Orientations, piece: Arc, away: list[float]) -> tuple[bool, bool]:
    """Whether the workspace is inside and outside of a piece, at its middle.

    Both sides are examined halfway between the arcs that are here and the nearest other arc, or
    half as far away as the center. So nothing lies in between. `away` has the distances of all arcs
    from its middle [m].
    """
    model = orientations.model
    angle = piece.start + piece.sweep / 2.0
    gaps = (two for two in pairwise(away) if two[1] - two[0] > EQUAL * model.tolerance)
    step = min(sum(next(gaps, (0.0, math.inf))), piece.radius or model.max_reach) / 2.0
    inner = piece._replace(radius=piece.radius - step).point_at(angle)
    outer = piece._replace(radius=piece.radius + step).point_at(angle)
    return orientations.reach(*inner), orientations.reach(*outer)
