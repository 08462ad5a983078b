"""The outline of the workspace, cut out of the critical arcs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ik_circles.geometry.angles import sweep_to
from ik_circles.geometry.arcs import Arc, _area_towards_origin
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.geometry.intervals import Interval
from ik_circles.planar.orientations import intervals, orientation_cuts

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm

@dataclass(frozen=True)
class Boundary:
    """Outline of the workspace: arcs [m, rad], and the area that they enclose [m^2]."""

    arcs: tuple[Arc, ...]
    area: float


def _outline(arm: PlanarArm, arcs: Sequence[Arc]) -> Boundary:
    """Cut the arcs at each other; keep the pieces that have the workspace on one side only, those
    that follow each other as one."""
    tolerance = arm.tolerance
    outline: list[Arc] = []
    enclosed, before = 0.0, (False, False)
    for piece in _distinct(_cut_at_each_other(arcs, tolerance), tolerance):
        inner, outer = _sides(arm, piece, arcs)
        if (inner and outer) or (piece.sweep == 0.0 and (inner or outer)):
            continue
        enclosed += (inner - outer) * _area_towards_origin(piece)
        if outline and before == (inner, outer) and _follows(piece, outline[-1], tolerance):
            outline[-1] = outline[-1]._replace(sweep=piece.end - outline[-1].start)
        else:
            outline.append(piece)
        before = inner, outer
    return Boundary(tuple(outline), abs(enclosed))


def _follows(piece: Arc, other: Arc, tolerance: float) -> bool:
    """Whether a piece starts where another of the same arc ends."""
    same_arc = piece.center == other.center and piece.radius == other.radius
    return same_arc and abs(piece.start - other.end) * piece.radius <= tolerance


def _cut_at_each_other(arcs: Sequence[Arc], tolerance: float) -> Iterator[Arc]:
    for arc in arcs:
        cuts = {0.0, arc.sweep}
        for other in arcs:
            meeting = intersect_circles(
                arc.center, arc.radius, other.center, other.radius, tolerance
            )
            if _same_circle(arc, other, tolerance):
                meeting = (other.point_at(other.start), other.point_at(other.end))
            for point in meeting:
                direction = math.atan2(point[1] - arc.center[1], point[0] - arc.center[0])
                cuts.add(min(sweep_to(arc.start, direction), arc.sweep))
        ordered = sorted(cuts)
        for start, end in zip(ordered, ordered[1:], strict=False):
            yield Arc(arc.center, arc.radius, arc.start + start, end - start)
        if arc.sweep * arc.radius <= tolerance:
            yield arc


def _same_circle(arc: Arc, other: Arc, tolerance: float) -> bool:
    apart = math.dist(arc.center, other.center) + abs(arc.radius - other.radius)
    return apart <= 10.0 * tolerance


def _distinct(pieces: Iterator[Arc], tolerance: float) -> list[Arc]:
    """Leave out pieces that lie on an earlier piece of the same circle, and pieces of no length."""
    kept: list[Arc] = []
    for piece in pieces:
        middle = piece.point_at(piece.start + piece.sweep / 2.0)
        on_earlier = any(
            _same_circle(piece, other, tolerance)
            and other.distance_to(middle) <= 10.0 * tolerance
            for other in kept
        )
        if not on_earlier:
            kept.append(piece)
    return kept


def _sides(arm: PlanarArm, piece: Arc, arcs: Sequence[Arc]) -> tuple[bool, bool]:
    """Whether the workspace is inside and outside of the piece, at its middle.

    The looks are half as far away as the nearest other arc, or the far side of the piece's own
    circle, so that nothing lies in between.
    """
    angle = piece.start + piece.sweep / 2.0
    middle = piece.point_at(angle)
    clearances = [
        distance
        for distance in (arc.distance_to(middle) for arc in arcs)
        if distance > 10.0 * arm.tolerance
    ]
    step = min([*clearances, piece.radius or arm.max_reach]) / 2.0
    outer = Arc(piece.center, piece.radius + step, 0.0, 0.0).point_at(angle)
    inner = Arc(piece.center, piece.radius - step, 0.0, 0.0).point_at(angle)
    return bool(_orientations(arm, inner)), bool(_orientations(arm, outer))


def _orientations(arm: PlanarArm, point: Point) -> list[Interval]:
    if math.hypot(*point) > arm.max_reach + arm.tolerance:
        return []
    return intervals(arm, *point, orientation_cuts(arm, *point))
