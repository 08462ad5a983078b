# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arcs of an outline in the order in which they enclose areas."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point


class Passed(NamedTuple):
    """An arc as a loop passes it, in either direction: the point where the loop enters the arc, the
    middle of the arc, and the point where the loop leaves it [m]."""

    arc: Arc
    enters: Point
    middle: Point
    leaves: Point
    is_from_end: bool = False

    def turned(self) -> 'Passed':
        """The same arc in the other direction."""
        return Passed(self.arc, self.leaves, self.middle, self.enters, not self.is_from_end)


def passed(arc: Arc) -> Passed:
    """An arc that is passed from its start to its end."""
    first, middle, last = map(arc.point_at, (arc.start, arc.start + arc.sweep / 2.0, arc.end))
    return Passed(arc, first, middle, last)


def loops(arcs: Iterable[Arc], near: float) -> list[list[Passed]]:
    """Arcs as closed loops; ends that are no further apart than `near` [m] are one point.

    Each arc has the area on one side only, so an even number of arcs meet at each point. A loop
    that continues as long as it can therefore ends where it began, whichever arcs it takes. If
    rounding has left a gap, the loop also continues from its other end. Only the gap stays open.
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
    """The arc with an end nearest to a point [m], passed from that end; None if none is near."""
    (x, y), least, found = point, near, None
    for number, way in ways.items():
        for (a, b), is_from_end in ((way.enters, False), (way.leaves, True)):
            if abs(a - x) <= least and abs(b - y) <= least and math.hypot(a - x, b - y) <= least:
                least, found = math.hypot(a - x, b - y), (number, is_from_end)
    if found is None:
        return None
    number, is_from_end = found
    return number, ways[number].turned() if is_from_end else ways[number]
