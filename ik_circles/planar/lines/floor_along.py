# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a floor asks of an arm along a straight line: where parts of the arm may meet it.

Tip, wrist and carried points are fixed to the tool, so they are at fixed places as seen from the
tip. The elbow is on the floor at two places, so the floor is like two limits of joint 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ik_circles.geometry.angles import ends
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import ORIGIN, Point, span
from ik_circles.geometry.intervals import EVERY_ORIENTATION
from ik_circles.planar.floor.parts import (
    AT_FLOOR,
    CENTER,
    TIP,
    WRIST,
    carried_by_tool,
    lowest_part,
)
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.lines.track import Cause, LineWay, Stop
from ik_circles.planar.model import ArmModel, JointPositions

#: A part meets the floor this many tolerances below it. So a part that moves at the height of the
#: floor does not meet it by rounding. Where a line ends, other questions find the arm above the
#: floor.
MEETS = 2.0
#: A part is below the floor from this many tolerances on. A line may start from a solution, which
#: may have parts a little lower than AT_FLOOR.
BELOW = 2.0 * AT_FLOOR


class FloorAlong:
    """The floor of an arm, in terms of what a line meets.

    Attributes
    ----------
    floor : Floor
        Where parts meet it; see MEETS.
    below : float
        How far below `floor` a part may be [m].
    elbow_ends : tuple of float
        Angles of joint 1 that put the elbow on the floor [rad].
    on_tool : list of (name, point)
        The parts of the last link, as seen from the tip with the tool along x [m].
    """

    def __init__(self, model: ArmModel, floor: Floor) -> None:
        self._model, self.below = model, (BELOW - MEETS) * model.tolerance
        self.floor = replace(floor, height=floor.height - MEETS * model.tolerance)
        angles = self.floor.angles(self.floor.clearance(ORIGIN), (model.link_lengths[0], 0.0))
        self.elbow_ends = tuple(
            end for one in angles if one != EVERY_ORIENTATION for end in one
        )
        wrist, *centers = carried_by_tool(model, floor)
        self.on_tool = [(TIP, ORIGIN), (WRIST, wrist), *((CENTER, one) for one in centers)]

    def clearance(self, q: JointPositions) -> float:
        """How far the lowest part is above the floor with the joints at `q` [rad, m]."""
        return lowest_part(self._model, self.floor, q).clearance

    def stop(self, q: JointPositions) -> Stop | None:
        """What is below the floor with the joints at `q` [rad]: the lowest part."""
        name, clearance = lowest_part(self._model, self.floor, q)
        return None if clearance >= -self.below else Stop(Cause.FLOOR, part=name)

    def stop_at_start(self, q: JointPositions) -> Stop | None:
        """The same where a line starts, with the depth."""
        depth = -self.clearance(q)
        found = self.stop(q)
        return found and found._replace(figures=(depth,))

    # --- the orientation is held ---

    def meetings(self, way: LineWay, phi: float) -> Iterator[float]:
        """The shares of a way at which a part of the last link is on the floor, with the tool at an
        orientation [rad]."""
        for _, point in self.on_tool:
            yield from way.on_line(self.floor.upwards, self._tip_height(point, phi))

    def _tip_height(self, point: Point, phi: float) -> float:
        """Height of the tip with a point of the tool on the floor, along `up` [m]."""
        (a, b), (cosine, sine) = self._seen(point), (math.cos(phi), math.sin(phi))
        return self.floor.height - (a * cosine + b * sine)

    def _seen(self, point: Point) -> Point:
        """What cosine and sine of the orientation count for in the height of a point over the tip.
        """
        (x, y), (up_x, up_y) = point, self.floor.upwards
        return x * up_x + y * up_y, x * up_y - y * up_x

    # --- it changes ---

    def clearances(self, x: Floats, y: Floats, phi: Floats) -> list[Floats]:
        """How far above the floor each part of the last link is (N,) [m]."""
        (up_x, up_y), cosine, sine = self.floor.upwards, np.cos(phi), np.sin(phi)
        of_tip = x * up_x + y * up_y - self.floor.height
        seen = (self._seen(point) for _, point in self.on_tool)
        return [of_tip + (a * cosine + b * sine) for a, b in seen]

    def cuts(self, point: Point) -> Iterator[Sequence[float]]:
        """For each part of the last link, the orientations that put it on the floor with the tip at
        a point [rad]: two, or none."""
        clearance = self.floor.clearance(point)
        for _, seen in self.on_tool[1:]:
            angles = self.floor.angles(clearance, seen)
            yield () if angles in ([], [EVERY_ORIENTATION]) else angles[0]

    def window_events(self, way: LineWay) -> Iterator[float]:
        """The shares at which one of the `cuts` may appear, vanish or meet another one, or meet one
        of joint 1 or 2."""
        up, height = self.floor.upwards, self.floor.height
        for number, (_, point) in enumerate(self.on_tool):
            yield from way.on_line(up, height + math.hypot(*point))  # lower, it may be on the floor
            for _, other in self.on_tool[:number]:  # both are on the floor, and the tip above it
                aside = abs(point[0] * other[1] - point[1] * other[0])
                yield from way.on_line(up, height + aside / (math.dist(point, other) or 1.0))
        for wrist in self._wrists():
            yield from way.on_circle(wrist, self._model.link_lengths[2])

    def _wrists(self) -> Iterator[Point]:
        """Where the wrist is on the floor, with joint 1 or 2 at a limit, or the elbow straight or
        folded, or on the floor as well [m]."""
        length_1, length_2, _ = self._model.link_lengths
        limits_1, limits_2, _ = self._model.limits
        arms: list[tuple[Point, float]] = [
            (ORIGIN, span(length_1, length_2, q2)) for q2 in (0.0, math.pi, *ends(limits_2))
        ]
        for q1 in (*ends(limits_1), *self.elbow_ends):
            arms.append(((length_1 * math.cos(q1), length_1 * math.sin(q1)), length_2))
        for (x, y), length in arms:
            for one in self.floor.angles(self.floor.clearance((x, y)), (length, 0.0)):
                for angle in () if one == EVERY_ORIENTATION else one:
                    yield x + length * math.cos(angle), y + length * math.sin(angle)
