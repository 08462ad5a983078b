# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The way of the tip along a straight line: where it is in the arm's plane, and what it meets.

A share of the line, from 0 to 1, tells where on the line the tip is. A way knows at which shares it
is on a circle or on a line of the plane, as roots of polynomials.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import Enum
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.polynomials import roots_between

#: A joint past its limit by no more than this is on it [rad]: rounding does that.
ON_LIMIT_OF_LINE = 1e-9
#: Two events nearer to each other than this are one [share of the line].
ONE_EVENT = 1e-11


class Cause(Enum):
    """What ends a line."""

    STRAIGHT = 'the elbow is straight'
    FOLDED = 'the elbow is folded'
    LIMIT = 'a joint reaches its limit'
    AXIS = 'the line passes the yaw axis nearer than the plane does'
    THROUGH_AXIS = 'the line passes through the yaw axis'
    SINGULAR = 'the wrist is singular'
    OUT_OF_PLANE = 'the line leaves the plane'
    FLOOR = 'a part of the arm reaches the floor'


class Stop(NamedTuple):
    """Why a line ends.

    `joint` is the one that reaches its `upper` limit or its lower one, or the first of those that
    are concerned: the joints of the plane are 0, 1 and 2, the yaw joint is -1, those of a wrist are
    3 and 4. `figures` are lengths that the sentence quotes [m]. `part` is what reaches the floor.
    """

    cause: Cause
    joint: int = 0
    upper: bool = False
    figures: tuple[float, ...] = ()
    part: str = ''


def past_limit(joint: int, angle: float, limits: Limits) -> Stop | None:
    """What forbids an angle of a joint [rad]: a limit that it is past."""
    inside = nearest_in(angle, limits)
    if abs(angle - inside) <= ON_LIMIT_OF_LINE:
        return None
    return Stop(Cause.LIMIT, joint, angle > inside)


class End(NamedTuple):
    """How far a branch goes, as a share of the line, and why it stops; None at the target."""

    share: float
    stop: Stop | None


class Piece(NamedTuple):
    """A part of the line in which the wrist is seen from the base less than half a turn away from
    `wrist`, where it was seen at `direction` [rad]."""

    start: float
    wrist: Point
    direction: float


class LineWay(Protocol):
    """The way of a point of the plane along a straight line."""

    def at(self, share: float) -> Point:
        """Where the point is [m]."""

    def places(self, shares: Floats) -> tuple[Floats, Floats]:
        """Where it is at many shares: two columns (N,) [m]."""

    def on_circle(self, center: Point, radius: float) -> list[float]:
        """The shares at which it is on a circle [m], some others among them."""

    def on_line(self, normal: Point, distance: float) -> list[float]:
        """The shares at which its product with a normal is a distance [m], some others too."""

    def events(self) -> list[float]:
        """The shares at which something else may end the line: a yaw limit, the yaw axis."""

    def stop(self, share: float) -> Stop | None:
        """What forbids a share, if it is not next to one of the events."""

    def stop_at(self, share: float) -> Stop | None:
        """What ends the line at one of the events, though both sides of it are allowed."""


class PlaneWay(NamedTuple):
    """A straight line in the plane, from `start` on, `along` in all [m]."""

    start: Point
    along: Point

    def at(self, share: float) -> Point:
        """Where the point is [m]."""
        (x, y), (along_x, along_y) = self
        return x + share * along_x, y + share * along_y

    def places(self, shares: Floats) -> tuple[Floats, Floats]:
        """Where it is at many shares: two columns (N,) [m]."""
        (x, y), (along_x, along_y) = self
        return x + shares * along_x, y + shares * along_y

    def on_circle(self, center: Point, radius: float) -> list[float]:
        """The shares at which it is on a circle [m]: a quadratic."""
        x, y = self.start[0] - center[0], self.start[1] - center[1]
        along_x, along_y = self.along
        away = math.hypot(x, y)
        rest = (away - radius) * (away + radius)
        mixed, square = 2.0 * (x * along_x + y * along_y), along_x**2 + along_y**2
        return roots_between((rest, mixed, square), 0.0, 1.0)

    def on_line(self, normal: Point, distance: float) -> list[float]:
        """The share at which its product with a normal is a distance [m]."""
        (x, y), (along_x, along_y), (a, b) = *self, normal
        return roots_between((a * x + b * y - distance, a * along_x + b * along_y), 0.0, 1.0)

    def rates(self, start: Floats, end: Floats) -> Floats:
        """How fast it moves between two shares (N,) [m for all of the line]."""
        return np.full(len(start), math.hypot(*self.along))

    def rises(self, normal: Point, start: Floats, end: Floats) -> Floats:
        """How fast its product with a normal changes [m for all of the line]."""
        (along_x, along_y), (a, b) = self.along, normal
        return np.full(len(start), abs(a * along_x + b * along_y))

    def bends(self, start: Floats, end: Floats) -> Floats:
        """Its second derivative between two shares (N,) [m]."""
        return np.zeros(len(start))

    def events(self) -> list[float]:
        """Nothing else ends a line in the plane."""
        return []

    def stop(self, share: float) -> Stop | None:
        """Nothing else forbids a share."""

    def stop_at(self, share: float) -> Stop | None:
        """Nothing else ends the line."""


def first_end(
    events: Iterable[float],
    stop: Callable[[float], Stop | None],
    stop_at: Callable[[float], Stop | None],
    upto: float = 1.0,
) -> End:
    """Where something is forbidden first up to a share: at an event, or between two neighbors."""
    for share, after in pairwise(sorted({0.0, upto, *(min(one, upto) for one in events)})):
        found = stop_at(share)
        if found is None and after - share > ONE_EVENT:
            found = stop((share + after) / 2.0)
        if found is not None:
            return End(share if share > ONE_EVENT else 0.0, found)
    return End(upto, None)
