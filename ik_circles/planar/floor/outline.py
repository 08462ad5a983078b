# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The outline of the workspace above a floor, for pictures: within 1e-5 of the reach.

It is made of pieces of the critical arcs, of the floor, and of the curves that the tip follows
while a part of the arm slides on the floor. A straight line is an arc of a large radius, and a
curve is a row of arcs through three of its points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

from ik_circles.geometry.arcs import Arc, area_towards_origin, nearest_on
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import united
from ik_circles.planar.floor.sliding import sliding_curves
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel
from ik_circles.planar.orientations import Orientations
from ik_circles.planar.outline import Boundary, meeting_points, same_circle

#: Radius of what is drawn straight, in reaches: over the whole workspace, it bends by 1e-7 reaches.
STRAIGHT_RADIUS = 1e7
#: Points that are nearer than this share of the reach are the same: straight pieces are no more
#: exact than that.
SAME_POINT = 1e-8
#: Both sides of the outline are looked at no farther away than the first share of the reach, and no
#: nearer than the second: arcs through samples of a curve may be beside it by that much.
MOST_LOOK, LEAST_LOOK = 1e-2, 1e-6
#: Largest angle between the points that tell where an arc is [rad].
CHORD = 0.2


def outline_above(
    orientations: Orientations, floor: Floor, pieces: list[ArmModel], arcs: Sequence[Arc]
) -> Boundary:
    """The outline, and the area that it encloses, to about 1e-4 of the square of the reach."""
    reach = orientations.model.max_reach
    lines = _straight(orientations.model, floor)
    every = [*_merged([*arcs, *lines], SAME_POINT * reach)]
    for curve in sliding_curves(orientations.model, floor, pieces):
        every += _arcs_through(curve, reach)
    every = [one for one in every if one.radius * one.sweep > SAME_POINT * reach]
    found = list(_cut(every, SAME_POINT * reach, LEAST_LOOK * reach))
    kept: list[Arc] = []
    strands: list[Arc] = []
    enclosed = 0.0
    looks = zip(found, _looks(found, every, reach))
    for piece, (step, is_near) in sorted(looks, key=lambda one: one[1][1]):
        middle = piece.start + piece.sweep / 2.0
        inner, outer = (
            orientations.reach(*piece._replace(radius=radius).point_at(middle))
            for radius in (piece.radius - step, piece.radius + step)
        )
        is_straight = piece.radius == STRAIGHT_RADIUS * reach  # all others can be reached
        if inner == outer and (inner or is_straight):
            continue
        if is_near and _is_drawn(piece.point_at(middle), kept, LEAST_LOOK * reach):
            continue
        kept.append(piece)
        enclosed += (inner - outer) * area_towards_origin(piece)
        strands += [] if inner or outer else [piece]
    return Boundary(tuple(kept), max(0.0, enclosed), frozenset(strands))


def _is_drawn(point: Point, arcs: Iterable[Arc], near: float) -> bool:
    """Whether a point is on one of the arcs, as far as they can be told apart."""
    return any(one.distance_to(point) <= near for one in arcs)


def _straight(model: ArmModel, floor: Floor) -> Iterator[Arc]:
    """The floor below the whole workspace, and the lines that the tip follows while two parts of
    the last link slide on the floor together."""
    reach, (x, y) = model.max_reach, floor.upwards
    heights = [0.0]
    for one, other in combinations((0j, *(complex(*point) for point in floor.carried)), 2):
        along, tip = other - one, model.link_lengths[2] - one
        heights.append(abs((tip * along.conjugate()).imag) / (abs(along) or 1.0))
    radius, half = STRAIGHT_RADIUS * reach, 2.0 / STRAIGHT_RADIUS
    for height in heights:
        below = floor.height + height - radius
        yield Arc((x * below, y * below), radius, floor.up - half, 2.0 * half)


def _arcs_through(curve: Floats, reach: float) -> Iterator[Arc]:
    """A row of arcs, each through three samples of a curve."""
    samples = [complex(x, y) for x, y in curve.tolist()]
    for three in zip(samples[::2], samples[1::2], samples[2::2]):
        yield _through(*three, reach)


def _through(first: complex, middle: complex, last: complex, reach: float) -> Arc:
    """The arc from a point to another through one between them."""
    chord, other = last - first, middle - first
    side = (chord.conjugate() * other).imag  # twice the area, positive on the left
    if side > 0.0:  # clockwise: arcs are the other way round
        first, last = last, first
        chord, other = -chord, middle - first
    most = STRAIGHT_RADIUS * reach
    away = abs(chord) * abs(other) * abs(middle - last)
    radius = most if 2.0 * most * abs(side) <= away else away / (2.0 * abs(side))
    half = math.asin(min(1.0, abs(chord) / (2.0 * radius)))
    center = (first + last) / 2.0 + 1j * chord / abs(chord or 1.0) * radius * math.cos(half)
    start = first - center
    return Arc((center.real, center.imag), radius, math.atan2(start.imag, start.real), 2.0 * half)


def _cut(arcs: Sequence[Arc], tolerance: float, near: float) -> Iterator[Arc]:
    """Pieces between the places where arcs meet, or one ends on another."""
    corners = [one.chords(CHORD) for one in arcs]
    # A chord of that angle is beside its arc by less than this share of the radius.
    rooms = np.array([one.radius * (1.0 - math.cos(min(one.sweep, CHORD))) for one in arcs])
    lower = np.array([one.min(axis=0) for one in corners]) - rooms[:, None]
    upper = np.array([one.max(axis=0) for one in corners]) + rooms[:, None]
    ends = np.vstack([one[[0, -1]] for one in corners])
    for index, arc in enumerate(arcs):
        may_meet = np.all((lower <= upper[index]) & (upper >= lower[index]), axis=1)
        away = np.hypot(*(ends - arc.center).T) - arc.radius
        met = [*map(tuple, ends[np.abs(away) <= near].tolist())]
        for other in np.flatnonzero(may_meet).tolist():
            if other == index:
                continue
            is_same = same_circle(arc, arcs[other], tolerance)
            for point in meeting_points(arc, arcs[other], is_same, tolerance):
                if math.dist(point, arcs[other].nearest_to(point)) <= near:
                    met.append(point)
        ordered = sorted({0.0, arc.sweep, *map(arc.offset_of, met)})
        for start, end in pairwise(ordered):
            if (end - start) * arc.radius > tolerance:
                yield arc._replace(start=arc.start + start, sweep=end - start)


def _merged(arcs: Iterable[Arc], same: float) -> Iterator[Arc]:
    """The arcs, with those of one circle joined where they meet, as turns of joint 1 make them."""
    circles: dict[tuple[int, ...], list[Arc]] = {}
    for one in arcs:
        key = tuple(round(figure / same) for figure in (*one.center, one.radius))
        circles.setdefault(key, []).append(one)
    for some in circles.values():
        first = some[0]
        for lower, upper in united((one.start, one.end) for one in some):
            yield Arc(first.center, first.radius, lower, upper - lower)


def _looks(
    pieces: Sequence[Arc], arcs: Sequence[Arc], reach: float
) -> Iterator[tuple[float, bool]]:
    """How far to look to both sides of each middle [m]: halfway to the next arc.

    And whether there is an arc that is too near to look between.
    """
    x, y = np.transpose([one.point_at(one.start + one.sweep / 2.0) for one in pieces])
    least = np.full(len(pieces), MOST_LOOK * reach)
    near = np.zeros(len(pieces), dtype=int)
    for arc in arcs:
        _, place_x, place_y = nearest_on(arc, x, y)
        away = np.hypot(x - place_x, y - place_y)
        is_near = away <= LEAST_LOOK * reach
        near += is_near
        least = np.where(is_near, least, np.minimum(least, away / 2.0))
    # Each piece is near the arc that it is a part of.
    yield from zip(least.tolist(), (near > 1).tolist())
