# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shares of a line at which windows of orientations may appear, vanish, part or join.

There, two of the cuts meet: two joints are on limits, or a part of the arm is in one line. Two of
the three angles are known then, the tip is on a circle, and the third angle follows from the tip.
Only those count that the branch may have: else no window ends there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from ik_circles.geometry.angles import ends, turns_from
from ik_circles.geometry.circles import ORIGIN, Point, bend, span
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.track import LineWay
from ik_circles.planar.model import ArmModel, JointPositions

#: An angle where cuts meet is known to this [rad]: where they touch, the share is known to the
#: square root of rounding, and so is the sine of a nearly straight elbow.
KNOWN = 1e-3


class WindowEvents:
    """Where two cuts may meet for one elbow, 0 up and 1 down."""

    def __init__(self, model: ArmModel, floor: FloorAlong | None, elbow: int) -> None:
        self._model, self._floor, self._elbow = model, floor, elbow
        on_floor = floor.elbow_ends if floor else ()
        ends_1, ends_2, ends_3 = map(ends, model.limits)
        self._some_1 = [q1 for q1 in (*ends_1, *on_floor) if self._has(0, q1)]
        self._some_2 = [q2 for q2 in (0.0, math.pi, *ends_2) if self._has(1, q2)]
        self._some_3 = [q3 for q3 in (0.0, math.pi, *ends_3) if self._has(2, q3)]

    def along(self, way: LineWay) -> Iterator[float]:
        """The shares of a way."""
        _, length_2, length_3 = self._model.link_lengths
        for q2, q3 in self._bends():
            x, y = self._model.joint_points((0.0, q2, q3))[3]
            yield from self._met(way, (ORIGIN, math.hypot(x, y)), 0, math.atan2(y, x), (q2, q3))
        for q1, q3 in product(self._some_1, self._some_3):
            elbow, reach = self._model.joint_points((q1, 0.0, 0.0))[1], span(length_2, length_3, q3)
            angle = q1 + bend(length_2, length_3, q3)
            yield from self._met(way, (elbow, reach), 1, angle, (q1, q3))
        for q1, q2 in product(self._some_1, self._some_2):
            wrist = self._model.joint_points((q1, q2, 0.0))[2]
            yield from self._met(way, (wrist, length_3), 2, q1 + q2, (q1, q2))
        yield from way.on_circle(ORIGIN, length_3)  # the wrist may go round the base
        yield from self._floor.window_events(way) if self._floor else ()

    def _bends(self) -> Iterator[tuple[float, float]]:
        """Angles of joints 2 and 3 with which two cuts meet wherever joint 1 is [rad]."""
        length_1, length_2, length_3 = self._model.link_lengths
        yield from product(self._some_2, self._some_3)
        for q2, back in product(self._some_2, (0.0, math.pi)):  # link 3 along links 1 and 2
            q3 = bend(length_1, length_2, q2) + back - q2
            if self._has(2, q3):
                yield q2, q3
        for q3, back in product(self._some_3, (0.0, math.pi)):  # links 2 and 3 along link 1
            q2 = back - bend(length_2, length_3, q3)
            if self._has(1, q2):
                yield q2, q3

    def _met(
        self,
        way: LineWay,
        circle: tuple[Point, float],
        joint: int,
        before: float,
        others: tuple[float, float],
    ) -> Iterator[float]:
        """The shares on a circle at which the branch may have a joint where the tip puts it: at the
        direction from the center less `before` [rad], with the others as they are."""
        (center_x, center_y), radius = circle
        for share in way.on_circle(*circle):
            x, y = way.at(share)
            angle = math.atan2(y - center_y, x - center_x) - before
            q = [*others]
            q.insert(joint, angle)
            is_small = radius <= KNOWN * self._model.max_reach  # then the direction is rounding
            if is_small or self._may_be_at((q[0], q[1], q[2])):
                yield share

    def _may_be_at(self, q: JointPositions) -> bool:
        """Whether the branch may have joint positions, to within KNOWN [rad]."""
        if not all(map(self._has, range(3), q)):
            return False
        return self._floor is None or self._floor.clearance(q) > -KNOWN * self._model.max_reach

    def _has(self, joint: int, angle: float) -> bool:
        """Whether the branch may have an angle of a joint, in some turn [rad]."""
        bend = -math.sin(angle) if self._elbow else math.sin(angle)
        if joint == 1 and bend > KNOWN:
            return False  # elbow up, joint 2 turns clockwise
        lower, upper = self._model.limits[joint]
        return bool(turns_from(angle, (lower - KNOWN, upper + KNOWN)))
