# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a floor asks of the joints: limits of joint 1, and intervals of the tool's orientation."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval, shared
from ik_circles.planar.floor.parts import AT_FLOOR, LOWEST_PART, carried_by_tool
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel

#: Ends of ranges that differ by no more than this are the same [rad]: after whole turns are added,
#: no more digits are exact.
SAME_ANGLE = 1e-13


class AboveFloor:
    """The floor of an arm, as limits of the same arm without it."""

    def __init__(self, model: ArmModel, floor: Floor) -> None:
        self._floor, self._room = floor, AT_FLOOR * model.tolerance
        self._least = -LOWEST_PART * model.tolerance
        self._on_tool = carried_by_tool(model, floor)
        _, limits_2, limits_3 = model.joint_limits or (None, None, None)
        #: The arm without the floor, with joint 1 inside one of the ranges in which the elbow is
        #: above it.
        self.pieces = [
            ArmModel(model.link_lengths, (None if one == CONTINUOUS else one, limits_2, limits_3))
            for one in self._ranges(model.link_lengths[0], model.limits[0])
        ]
        #: Those of them that are not another one, or a part of another one, whole turns away.
        self.distinct: list[ArmModel] = []
        for piece in sorted(self.pieces, key=_width, reverse=True):
            if not any(_is_part(piece.limits[0], one.limits[0]) for one in self.distinct):
                self.distinct.append(piece)

    def _ranges(self, length_1: float, limits: Limits) -> Iterator[Limits]:
        """The ranges of joint 1 inside its limits in which the elbow is above the floor [rad]."""
        clearance = self._floor.clearance(ORIGIN) + self._room
        for one in self._floor.angles(clearance, (length_1, 0.0)):
            if one == EVERY_ORIENTATION:
                yield limits
            elif limits == CONTINUOUS:
                yield one
            else:
                first = math.ceil((limits[0] - one[1]) / TURN)
                last = math.floor((limits[1] - one[0]) / TURN)
                for turn in range(first, last + 1):
                    lower, upper = (end + turn * TURN for end in one)
                    yield max(lower, limits[0]), min(upper, limits[1])

    def orientations(self, point: Point) -> list[Interval]:
        """Orientations that keep the tool above the floor with the tip at a point [rad]."""
        clearance = self._floor.clearance(point) + self._room
        found = [EVERY_ORIENTATION] if clearance >= 0.0 else []
        for one in self._on_tool:
            angles = self._floor.angles(clearance, one)
            if angles != [EVERY_ORIENTATION]:
                found = angles if found == [EVERY_ORIENTATION] else shared(found, angles)
        return found

    def allows(self, x: float, y: float, phi: float) -> bool:
        """Whether a pose of the tool is above the floor."""
        floor, (cosine, sine) = self._floor, (math.cos(phi), math.sin(phi))
        if not floor.clearance((x, y)) >= self._least:
            return False
        return all(
            floor.clearance((x + cosine * a - sine * b, y + sine * a + cosine * b)) >= self._least
            for a, b in self._on_tool
        )


def _width(model: ArmModel) -> float:
    lower, upper = model.limits[0]
    return upper - lower


def _is_part(some: Limits, others: Limits) -> bool:
    """Whether a range of angles is inside another one, up to whole turns."""
    if others == CONTINUOUS:
        return True
    turned = round((sum(others) - sum(some)) / 2.0 / TURN) * TURN
    lower, upper = others[0] - SAME_ANGLE, others[1] + SAME_ANGLE
    return lower <= some[0] + turned and some[1] + turned <= upper
