# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where the numbers of marks are drawn, so that they cover neither marks nor each other."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import Point

#: Radius that is kept free around the middle of a mark [points].
MARK = 6.5
#: Height of a number, its width per digit, and the padding that is added to its width [points].
HEIGHT, DIGIT, PADDING = 14.0, 7.0, 4.0
#: A number stands on one of these circles around its mark [points].
RINGS = 16.0, 32.0, 48.0, 64.0
#: Number of places on each circle; the first one is to the upper right.
PLACES = 16


class Label(NamedTuple):
    """The middle of a number, its width [points], and whether it is next to its mark."""

    x: float
    y: float
    width: float
    is_next: bool

    def covers(self, mark: Point) -> bool:
        """Whether the number covers part of a mark."""
        beside = max(0.0, abs(mark[0] - self.x) - self.width / 2.0)
        above = max(0.0, abs(mark[1] - self.y) - HEIGHT / 2.0)
        return math.hypot(beside, above) < MARK

    def meets(self, other: 'Label') -> bool:
        """Whether the number covers part of another number."""
        apart = (self.width + other.width) / 2.0
        return abs(self.x - other.x) < apart and abs(self.y - other.y) < HEIGHT


def labels(numbers: Sequence[int], marks: Sequence[Point]) -> list[Label]:
    """Place the number of each mark, one after the other, at the nearest free place.

    If no place is free, the first one is taken. Places and marks are in points.
    """
    placed: list[Label] = []
    for number, mark in zip(numbers, marks):
        places = list(_places(mark, DIGIT * len(str(number)) + PADDING))
        free = (
            one
            for one in places
            if not any(map(one.covers, marks)) and not any(map(one.meets, placed))
        )
        placed.append(next(free, places[0]))
    return placed


def _places(mark: Point, width: float) -> Iterator[Label]:
    for ring in RINGS:
        for place in range(PLACES):
            angle = TURN * (1.0 / 8.0 + place / PLACES)
            x, y = mark[0] + ring * math.cos(angle), mark[1] + ring * math.sin(angle)
            yield Label(x, y, width, ring == RINGS[0])
