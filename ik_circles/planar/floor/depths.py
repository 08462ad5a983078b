# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""If an arm reached a target without its floor, how far below the floor would it be?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain, combinations

from ik_circles.geometry.circles import ORIGIN, Point, intersect_circles
from ik_circles.planar.floor.parts import TIP, Part, lowest_part
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.orientations import CutCircles, Orientations, wrist_cuts

QUARTER = math.pi / 2.0


def least_depth(free: Orientations, floor: Floor, point: Point, phi: float | None) -> Part:
    """The lowest part of the arm, in the solution in which that is highest; `free` has no floor.

    If any orientation will do, the lowest part is highest where a joint comes to a limit, where the
    elbow is straight, folded or at its highest, or where two parts are level. A carried point that
    is level with the elbow is left out, so another solution may be a little higher.
    """
    model, solver = free.model, free.solver
    tried = [phi] if phi is not None else _orientations(free, floor, point)
    found = (solver.solutions(*point, one) for one in tried)
    lowest = [lowest_part(model, floor, q) for q in chain.from_iterable(found)]
    nothing = Part(TIP, floor.clearance(point))  # rounding alone leaves no solution
    return max(lowest, key=lambda part: part.clearance, default=nothing)


def _orientations(free: Orientations, floor: Floor, point: Point) -> Iterator[float]:
    """Orientations at a point; with one of them, the lowest part is highest [rad]."""
    model, up = free.model, floor.up
    _, length_2, length_3 = model.link_lengths
    yield from free.cuts(*point)
    yield from free.stationary(*point)
    yield from wrist_cuts(CutCircles.through(model, [up], (), ()), model.link_lengths, *point)
    on_tool = (0.0, 0.0), (length_3, 0.0), *floor.carried
    for level in (up + QUARTER, up - QUARTER):
        for (a, b), (x, y) in combinations(on_tool, 2):
            yield level - math.atan2(y - b, x - a)
        end = point[0] - length_2 * math.cos(level), point[1] - length_2 * math.sin(level)
        length_1 = model.link_lengths[0]
        for elbow in intersect_circles(ORIGIN, length_1, end, length_3, model.tolerance):
            yield math.atan2(end[1] - elbow[1], end[0] - elbow[0])
