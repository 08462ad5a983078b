# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far joints may move because axes are parallel only up to rounding.

If an arm is stretched or folded, joints move by the square root of the error of the tip.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ik_circles.geometry.angles import TURN, Limits, nearest_in, stops, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.checks import MOST_TURNS
from ik_circles.geometry.circles import Point
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.floor import is_above
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.plane import ArmPlane

#: A solution counts if its error on the true axes is no more than this [m, and with two wrist
#: joints rad]. The same holds for places on a line.
CLOSES = 1e-9
#: Where an arm is stretched, an error of the tip moves joints by less than this many times the
#: square root of the error as a share of a link [1].
ROOTS = 4.0
#: The axes' error moves no joint by more than this many times the cube root of the error as a share
#: of a link, where two bends of the arm magnify it [1]. Its cube is about 2: both links move.
CUBE_ROOTS = 1.3
#: A nearly straight elbow is taken off its limit by this [rad]. Corrections square the difference.
OFF_LIMIT = 1e-6
#: A wrist that is within this many times the slack of joint 1 hardly determines the angle of that
#: joint [1].
HARDLY_TOLD = 100.0


@dataclass(frozen=True, eq=False)
class Bounds:
    """What the slack of an arm's plane does to its joints."""

    planar: PlanarArm
    plane: ArmPlane

    def is_clear(self, q: JointPositions) -> bool:
        """Whether the true axes certainly have a solution next to this one for parallel axes.

        They do if it is far enough from limits, from a straight or folded elbow and from the floor.
        """
        high = self.room * self.planar.max_reach
        if not is_above(self.planar, q, -high):
            return False
        if self.planar.has_families or abs(math.sin(q[1])) < self.room:
            return False
        return all(
            min(angle - lower, upper - angle) >= self.room
            for angle, (lower, upper) in zip(q, self.planar.limits)
        )

    def explains(self, gap: float) -> bool:
        """Whether the axes' error may move a joint by this [rad]."""
        return abs(gap) <= self.room

    def on_limit(self, angle: float, limits: Limits) -> float:
        """The limit that the axes' error may put an angle next to; else the angle [rad]."""
        end = min(limits, key=lambda one: abs(angle - one))
        return end if self.explains(angle - end) else angle

    def off_limit(self, angles: Sequence[float], limits: Sequence[Limits]) -> list[float] | None:
        """The angles of a chain with its elbow a hair inside the limit; None if it need not move.

        It has to if it is on the limit and nearly straight or folded. Its bend is then known so
        badly that corrections may put it on the limit, where it would stay [rad].
        """
        *before, elbow, last = angles
        lower, upper = limits[-2]
        if abs(math.sin(elbow)) > self.room or elbow not in (lower, upper) or lower == upper:
            return None
        inside = elbow + OFF_LIMIT if elbow == lower else elbow - OFF_LIMIT
        return [*before, nearest_in(inside, limits[-2]), last]

    def is_yaw_clear(self, yaw: float, outwards: float) -> bool:
        """`is_clear` for a yaw angle, with the target this far outwards from the yaw axis [m]."""
        if self.plane.yaw is None:
            return True
        lower, upper = self.plane.yaw.limits
        return self.is_off_axis(outwards) and min(yaw - lower, upper - yaw) >= self.room

    def tells_yaw(self, yaw: float, outwards: float) -> bool:
        """Whether a yaw angle is certainly on the side of each limit on which parallel axes have
        it."""
        gaps = [wrap(yaw - end) for end in stops(self.plane.yaw.limits)] if self.plane.yaw else []
        return self.is_off_axis(outwards) and not any(map(self.explains, gaps))

    def may_turn_to(self, yaw: float, outwards: float) -> bool:
        """Whether correction may bring a yaw angle inside its limits."""
        if self.plane.yaw is None or self.explains(self.plane.yaw.excess(yaw)):
            return True
        return not self.is_off_axis(outwards)

    def is_off_axis(self, outwards: float) -> bool:
        """Whether a place this far outwards from the yaw axis [m] determines the yaw angle."""
        return abs(outwards) >= self.room * (abs(self.plane.aside) + self._shortest)

    @cached_property
    def nearly(self) -> float:
        """How far a place in the plane may be from where it is for parallel axes [m].

        This allows for the square root of the slack. It counts where a place is as far from the yaw
        axis as the plane is.
        """
        return ROOTS * (self.plane.slack + math.sqrt(self.plane.slack * abs(self.plane.aside)))

    def at(self, outwards: float) -> float:
        """`nearly` for a place that is this far outwards from the yaw axis [m]."""
        if outwards == 0.0:
            return self.nearly
        return min(self.nearly, self.plane.slack * (2.0 + abs(self.plane.aside / outwards)))

    def is_folded(self, wrist: Point, outwards: float, moved: float = 0.0) -> bool:
        """Whether only the lean of the axes determines joint 1, because the elbow is folded.

        The wrist is at a place in the plane, or `moved` from there, and the tip this far outwards
        from the yaw axis [m]; see `FoldedElbow`.
        """
        length_1, length_2, _ = self.planar.link_lengths
        near = HARDLY_TOLD * self.plane.slack + self.at(outwards)
        return abs(length_1 - length_2) <= near and math.hypot(*wrist) <= near + moved

    @cached_property
    def opened(self) -> PlanarArm:
        """The planar arm without its floor, with limits wider by as much as the lean may need."""
        return self.widened(self.room)

    def widened(self, room: float) -> PlanarArm:
        """The planar arm without its floor, with limits wider by an angle [rad]."""
        a, b, c = (_widened(limits, room) for limits in self.planar.limits)
        return replace(self.planar, joint_limits=(a, b, c), floor=None)

    def into_reach(self, point: Point, phi: float) -> Point:
        """The point [m], moved so that links 1 and 2 reach the wrist, if they miss it by no more
        than the slack."""
        wrist = self.planar.wrist(*point, phi)
        away = math.hypot(*wrist)
        far, close = self.planar.beyond_reach(away)
        if not 0.0 < max(far, close) <= self.nearly or away == 0.0:
            return point
        share = (close if close > far else -far) / away
        return point[0] + share * wrist[0], point[1] + share * wrist[1]

    @cached_property
    def _shortest(self) -> float:
        """The shorter of links 1 and 2 that have a length [m]."""
        tolerance = self.planar.tolerance
        lengths = [length for length in self.planar.link_lengths[:2] if length > tolerance]
        return min(lengths, default=self.planar.max_reach)

    @cached_property
    def room(self) -> float:
        """The axes' error moves no joint by more than this [rad].

        If the elbow and the plane beside the yaw axis both bend by at least this, the error moves
        joints by no more than its share of a link, divided by the square of this.
        """
        return min(CUBE_ROOTS * float(np.cbrt(self.plane.slack / self._shortest)), math.pi)

    @cached_property
    def room_of_orientations(self) -> float:
        """Between orientations that are farther apart than twice this, one has every joint at least
        `room` inside its limits [rad]. A short last link moves joints by less than it turns."""
        length_3 = self.planar.link_lengths[2]
        return self.room * max(1.0, self._shortest / length_3) if length_3 else math.inf

    def of_miss(self, miss: float) -> float:
        """How far a miss of the tip [m] may move a joint of a straight arm [rad]."""
        return ROOTS * math.sqrt(miss / self._shortest)


def _widened(limits: Limits, room: float) -> Limits | None:
    """Limits wider by an angle [rad], as far as limits may be; None if there are none."""
    lower, upper = limits
    if lower == -math.inf:
        return None
    most = MOST_TURNS * TURN
    room = max(0.0, min(room, (most - (upper - lower)) / 2.0, most - upper, most + lower))
    return lower - room, upper + room
