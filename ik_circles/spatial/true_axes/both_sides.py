# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A folded elbow where both shoulders meet, with joint 1 held: two errors that vanish together.

How far outwards the target is then has two values. The errors along link 1 that they leave are no
polynomials of joint 1, because of a root, but their product is one.
"""

import cmath
import math
from collections.abc import Sequence
from typing import NamedTuple


class Parabola(NamedTuple):
    """The coefficients of a polynomial of degree 2."""

    square: float
    slope: float
    value: float

    @classmethod
    def of(cls, values: Sequence[float]) -> 'Parabola':
        """The one with these values at -1, 0 and 1."""
        before, middle, after = values
        return cls((before + after) / 2.0 - middle, (after - before) / 2.0, middle)

    def at(self, place: complex) -> complex:
        """Its value at a place."""
        return (self.square * place + self.slope) * place + self.value

    @property
    def roots(self) -> list[complex]:
        """Where it vanishes; without digits being lost."""
        root = cmath.sqrt(self.slope * self.slope - 4.0 * self.square * self.value)
        half = -(self.slope + math.copysign(1.0, self.slope) * root) / 2.0
        return [half / self.square if self.square else half, self.value / half if half else half]


class BothSides(NamedTuple):
    """Errors along link 1, and out of the plane or towards the yaw axis, as the arm is turned to
    either side of where its shoulders meet [m]."""

    along: Parabola
    off: Parabola

    @property
    def product(self) -> float:
        """The product of the errors along link 1 of both shoulders [m^2]."""
        first, second = map(self.along.at, self.off.roots)
        return (first * second).real

    @property
    def best(self) -> float:
        """Where both errors are least.

        Rounding moves a double root by its own root: there, the error along link 1 tells more.
        """
        ways = [way.real for way in (*self.off.roots, *self.along.roots)]
        return min(ways, key=lambda way: abs(self.along.at(way)) + abs(self.off.at(way)))
