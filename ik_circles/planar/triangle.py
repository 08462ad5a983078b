# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The triangle of base, elbow and wrist: two circles meet at the elbow.

Link 1 keeps the elbow on a circle about the base, and link 2 keeps it on a circle about the wrist.
Only the directions of the two links matter, so the single-division form (Inigo Quilez, "Simple
inverse kinematics") needs no division here. Heron's product gives the offset from the line of
centers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, sqrt

import numpy as np

from ik_circles.geometry.arrays import Floats
from ik_circles.planar.model import ArmModel

#: Directions of link 1 and of link 2 [rad].
LinkDirections = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ElbowTriangle:
    """Links 1 and 2 of an arm as two sides of a triangle.

    Attributes
    ----------
    difference : float
        Square of link 1 minus square of link 2 [m^2].
    inner, outer : float
        Squared distance of the wrist from the base with a folded and a straight elbow [m^2].
    folded, straight : float
        The same with room for rounding: between these, both elbows are reliable [m^2].
    nearest, farthest : float
        Smallest and largest squared distance of the wrist that counts as reached [m^2].
    """

    difference: float
    inner: float
    outer: float
    folded: float
    straight: float
    nearest: float
    farthest: float

    @classmethod
    def of(cls, model: ArmModel) -> ElbowTriangle:
        """Make the triangle of an arm."""
        length_1, length_2, _ = model.link_lengths
        tolerance, hole = model.tolerance, abs(length_1 - length_2)
        return cls(
            difference=(length_1 - length_2) * (length_1 + length_2),
            inner=(length_1 - length_2) ** 2,
            outer=(length_1 + length_2) ** 2,
            folded=(hole + tolerance) ** 2,
            straight=max(0.0, length_1 + length_2 - tolerance) ** 2,
            nearest=max(0.0, hole - tolerance) ** 2,
            farthest=(length_1 + length_2 + tolerance) ** 2,
        )

    def closes(self, square: float) -> bool:
        """Whether the circles meet if the wrist is at a squared distance [m^2], within rounding."""
        return self.nearest <= square <= self.farthest

    def elbow_up_and_down(
        self, x: float, y: float, square: float
    ) -> tuple[LinkDirections, LinkDirections]:
        """Directions of links 1 and 2 with the elbow up, and with the elbow down [rad].

        Parameters
        ----------
        x, y, square : the wrist and its squared distance from the base [m, m^2]; if rounding puts
            it out of reach, the elbow is straight or folded
        """
        room = (self.outer - square) * (square - self.inner)
        aside = sqrt(room) if room > 0.0 else 0.0
        to_wrist = atan2(y, x)
        at_base = atan2(aside, square + self.difference)
        at_wrist = atan2(aside, square - self.difference)
        return (to_wrist + at_base, to_wrist - at_wrist), (to_wrist - at_base, to_wrist + at_wrist)

    def elbows_up_and_down(self, x: Floats, y: Floats) -> Floats:
        """`elbow_up_and_down` for N wrists: shape (2, 2, N), by elbow, then link [rad]."""
        square = x * x + y * y
        aside = np.sqrt(np.maximum((self.outer - square) * (square - self.inner), 0.0))
        to_wrist = np.arctan2(y, x)
        at_base = np.arctan2(aside, square + self.difference)
        at_wrist = np.arctan2(aside, square - self.difference)
        up = to_wrist + at_base, to_wrist - at_wrist
        down = to_wrist - at_base, to_wrist + at_wrist
        return np.array((up, down))
