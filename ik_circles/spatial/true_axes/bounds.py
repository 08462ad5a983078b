# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far axes that are parallel only to rounding may move joints, against parallel ones.

Where an arm is stretched or folded, an error of its tip moves joints by the root of it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ik_circles.geometry.angles import TURN, Limits, nearest_in
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.checks import MOST_TURNS
from ik_circles.geometry.circles import Point
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.floor import is_above
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.plane import ArmPlane

#: A solution is given if it closes to this on the true axes [m, and with two wrist joints rad]. The
#: same holds for places on a line.
CLOSES = 1e-9
#: Where an arm is stretched, an error of the tip moves joints by less than this many times the root
#: of its share of a link [1].
ROOTS = 4.0
#: The axes' error moves no joint by more than this many times the cube root of its share of a link,
#: where two bends of the arm make it count more [1]. Its cube is the 2 that two links make of one.
CUBE_ROOTS = 1.3
#: A nearly straight elbow is taken off its limit by this [rad]: corrections square it.
OFF_LIMIT = 1e-6
#: Up to this many times the slack, the place of a wrist next to joint 1 hardly tells its angle [1].
HARDLY_TOLD = 100.0


@dataclass(frozen=True, eq=False)
class Bounds:
    """What the slack of an arm's plane does to its joints."""

    planar: PlanarArm
    plane: ArmPlane

    def is_clear(self, q: JointPositions) -> bool:
        """Whether a solution for parallel axes is so far from limits and from a straight or folded
        elbow, and above the floor, that the true axes have a solution next to it."""
        high = self.room * self.planar.max_reach
        if not is_above(self.planar, q, -high):
            return False
        if self.planar.has_families or abs(math.sin(q[1])) < self.room:
            return False
        return all(
            min(angle - lower, upper - angle) >= self.room
            for angle, (lower, upper) in zip(q, self.planar.limits)
        )

    def on_limit(self, angle: float, limits: Limits) -> float:
        """The limit that the axes' error may put an angle next to; else the angle [rad]."""
        end = min(limits, key=lambda one: abs(angle - one))
        return end if abs(angle - end) <= self.room else angle

    def off_limit(self, angles: Sequence[float], limits: Sequence[Limits]) -> list[float] | None:
        """The angles of a chain with the elbow a hair inside of its limit, if it is on that and
        nearly straight or folded: its bend is known so badly that corrections may put it there,
        where it stays [rad]."""
        *before, elbow, last = angles
        lower, upper = limits[-2]
        if abs(math.sin(elbow)) > self.room or elbow not in (lower, upper) or lower == upper:
            return None
        inside = elbow + OFF_LIMIT if elbow == lower else elbow - OFF_LIMIT
        return [*before, nearest_in(inside, limits[-2]), last]

    def is_yaw_clear(self, yaw: float, outwards: float) -> bool:
        """The same of a yaw angle that has the target so far outwards of its axis [m]."""
        if self.plane.yaw is None:
            return True
        lower, upper = self.plane.yaw.limits
        return self.is_off_axis(outwards) and min(yaw - lower, upper - yaw) >= self.room

    def may_turn_to(self, yaw: float, outwards: float) -> bool:
        """Whether correction may bring such a yaw angle inside its limits."""
        if self.plane.yaw is None or abs(self.plane.yaw.excess(yaw)) <= self.room:
            return True
        return not self.is_off_axis(outwards)

    def is_off_axis(self, outwards: float) -> bool:
        """Whether a place so far outwards of the yaw axis [m] tells the yaw angle."""
        return abs(outwards) >= self.room * (abs(self._aside) + self._shortest)

    @cached_property
    def nearly(self) -> float:
        """How far a place in the plane may be from where parallel axes have it [m].

        It is the root where the plane passes the yaw axis as far as the place does.
        """
        return ROOTS * (self.plane.slack + math.sqrt(self.plane.slack * abs(self._aside)))

    def at(self, outwards: float) -> float:
        """The same of a place that is so far outwards of the yaw axis [m]."""
        slack, aside = self.plane.slack, abs(self._aside)
        if abs(outwards) * self.nearly <= slack * aside:
            return self.nearly
        return min(self.nearly, slack * (2.0 + aside / abs(outwards)))

    def is_folded(self, wrist: Point, outwards: float) -> bool:
        """Whether a folded elbow leaves joint 1 free, but for the lean, with the wrist at a place
        in the plane, and the tip so far outwards of the yaw axis [m]; see `FoldedElbow`."""
        length_1, length_2, _ = self.planar.link_lengths
        near = HARDLY_TOLD * self.plane.slack + self.at(outwards)
        return abs(length_1 - length_2) <= near and math.hypot(*wrist) <= near

    @cached_property
    def opened(self) -> PlanarArm:
        """The planar arm, without its floor, with limits as much wider as the lean may ask for."""
        a, b, c = map(self._opened, self.planar.limits)
        return replace(self.planar, joint_limits=(a, b, c), floor=None)

    def _opened(self, limits: Limits) -> Limits | None:
        lower, upper = limits
        if lower == -math.inf:
            return None
        most = MOST_TURNS * TURN
        room = max(0.0, min(self.room, (most - (upper - lower)) / 2.0, most - upper, most + lower))
        return lower - room, upper + room

    @cached_property
    def _shortest(self) -> float:
        """The shorter of links 1 and 2 that have a length [m]."""
        tolerance = self.planar.tolerance
        lengths = [length for length in self.planar.link_lengths[:2] if length > tolerance]
        return min(lengths, default=self.planar.max_reach)

    @cached_property
    def room(self) -> float:
        """The axes' error moves no joint by more than this [rad].

        With a bend of at least that, by no more than the error's share of a link through the
        square of that: of the elbow, and of the plane beside the yaw axis.
        """
        return min(CUBE_ROOTS * float(np.cbrt(self.plane.slack / self._shortest)), math.pi)

    def of_miss(self, miss: float) -> float:
        """How far a miss of the tip [m] may move a joint of a straight arm [rad]."""
        return ROOTS * math.sqrt(miss / self._shortest)

    @cached_property
    def _aside(self) -> float:
        return self.plane.yaw.aside if self.plane.yaw else 0.0
