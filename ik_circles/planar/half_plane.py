# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The floor in the arm's plane: a half plane in which the arm stays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.values import quoted


@dataclass(frozen=True)
class Floor:
    """A floor: elbow, wrist and tip of an arm stay above it; at its height counts as above.

    Parameters
    ----------
    height : float
        Height of the floor above the base joint, along `up` [m].
    up : float
        The upward direction in the arm's plane [rad].
    carried : sequence of (x, y)
        More points of the last link that stay above the floor, such as the center of a held wrist,
        as seen from the third joint with the link along x [m].

    Raises
    ------
    InvalidArmError
        If a value is not a number.
    NotFiniteError
        If a value is NaN or infinite.
    """

    height: float
    up: float = math.pi / 2.0
    carried: tuple[Point, ...] = ()

    @names_wrong_kinds
    def __post_init__(self) -> None:
        object.__setattr__(self, 'height', checks.number('the height of the floor', self.height))
        object.__setattr__(self, 'up', wrap(checks.angle('up', self.up)))
        points = (checks.vector('a carried point', one, 2) for one in self.carried)
        object.__setattr__(self, 'carried', tuple((x, y) for x, y in points))

    @cached_property
    def upwards(self) -> Point:
        """The upward direction, of length 1."""
        return math.cos(self.up), math.sin(self.up)

    def clearance(self, point: Point) -> float:
        """Return the height of a point above the floor.

        Parameters
        ----------
        point : tuple of two floats
            Point `(x, y)` in the arm's plane [m].

        Returns
        -------
        float
            Its height above the floor [m], negative below it.
        """
        return point[0] * self.upwards[0] + point[1] * self.upwards[1] - self.height

    def line(self, half: float) -> tuple[Point, Point]:
        """Return the ends of the floor in a picture.

        Parameters
        ----------
        half : float
            How far the line extends to either side of the base [m].

        Returns
        -------
        tuple of two (x, y)
            Both ends in the arm's plane [m].
        """
        x, y = self.upwards
        foot_x, foot_y = self.height * x, self.height * y
        return (foot_x - half * y, foot_y + half * x), (foot_x + half * y, foot_y - half * x)

    def part_above(self, corners: Sequence[Point]) -> list[Point]:
        """Return the part of a convex polygon that is above the floor.

        Parameters
        ----------
        corners : sequence of (x, y)
            Its corners in the arm's plane [m].

        Returns
        -------
        list of (x, y)
            The corners of that part [m], in the same order; [] if the whole polygon is below.
        """
        kept: list[Point] = []
        for a, b in pairwise([*corners, *corners[:1]]):
            above_a, above_b = self.clearance(a), self.clearance(b)
            if above_a >= 0.0:
                kept.append(a)
            if min(above_a, above_b) < 0.0 < max(above_a, above_b):
                share = above_a / (above_a - above_b)
                kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
        return kept

    def angles(self, clearance: float, around: Point) -> list[Interval]:
        """Return the angles at which a point that turns about a center stays above the floor.

        Parameters
        ----------
        clearance : float
            Height of the center above the floor [m].
        around : tuple of two floats
            The point at the angle 0, as seen from the center [m].

        Returns
        -------
        list of tuples of two floats
            No interval `(lower, upper)`, one, or every angle [rad].
        """
        radius = math.hypot(*around)
        if clearance >= radius:
            return [EVERY_ORIENTATION]
        if clearance < -radius:
            return []
        half = math.acos(-clearance / radius)
        lower = wrap(self.up - math.atan2(around[1], around[0]) - half)
        return [(lower, lower + 2.0 * half)]


def checked_floor(floor: object) -> Floor | None:
    """The floor of an arm, or None. Raises an IkCirclesError if it is neither."""
    if floor is None or isinstance(floor, Floor):
        return floor
    raise InvalidArmError(f'floor is {quoted(floor)}; give Floor(height), or None for no floor')
