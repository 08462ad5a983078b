# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arcs of an outline in the order in which they enclose areas."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point


class Passed(NamedTuple):
    """An arc as a loop passes it, from its start or from its end: where it enters the arc, its
    middle, and where it leaves it [m]."""

    arc: Arc
    enters: Point
    middle: Point
    leaves: Point
    is_from_end: bool = False

    def turned(self) -> 'Passed':
        """The other way."""
        return Passed(self.arc, self.leaves, self.middle, self.enters, not self.is_from_end)


def passed(arc: Arc) -> Passed:
    """An arc from its start."""
    first, middle, last = map(arc.point_at, (arc.start, arc.start + arc.sweep / 2.0, arc.end))
    return Passed(arc, first, middle, last)


def loops(arcs: Iterable[Arc], near: float) -> list[list[Passed]]:
    """Arcs as closed loops; ends that are no further apart than `near` [m] are one point.

    At each point, an even number of arcs meet, because each arc has the area on one side. So a loop
    that goes on as long as it can ends where it began, whichever arc it takes. If rounding has left
    a gap, it goes on at its other end, too, and the gap is all that is left open.
    """
    left = {number: passed(arc) for number, arc in enumerate(arcs)}
    found = []
    while left:
        loop = [left.pop(next(iter(left)))]
        for _ in range(2):
            while onward := _onward(loop[-1].leaves, left, near):
                number, way = onward
                del left[number]
                loop.append(way)
            loop = [way.turned() for way in reversed(loop)]
        found.append(loop)
    return found


def _onward(point: Point, ways: dict[int, Passed], near: float) -> tuple[int, Passed] | None:
    """The arc that begins or ends nearest to a point [m], from there; None if there is none."""
    (x, y), least, found = point, near, None
    for number, way in ways.items():
        for (a, b), is_from_end in ((way.enters, False), (way.leaves, True)):
            if abs(a - x) <= least and abs(b - y) <= least and math.hypot(a - x, b - y) <= least:
                least, found = math.hypot(a - x, b - y), (number, is_from_end)
    if found is None:
        return None
    number, is_from_end = found
    return number, ways[number].turned() if is_from_end else ways[number]
