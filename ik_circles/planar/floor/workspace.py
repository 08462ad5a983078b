# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The workspace above a floor: nearest points that are attained, and a certified margin."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import middle_of_widest
from ik_circles.planar.critical_arcs import CriticalArc
from ik_circles.planar.floor.arcs import arcs_above
from ik_circles.planar.floor.clearance import whatever_the_orientation, while_orientation_stays
from ik_circles.planar.floor.depths import least_depth
from ik_circles.planar.floor.orientations import FloorOrientations
from ik_circles.planar.floor.outline import outline_above
from ik_circles.planar.floor.parts import Part
from ik_circles.planar.floor.solver import FloorSolver
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import JointPositions
from ik_circles.planar.orientations import Orientations
from ik_circles.planar.outline import Boundary
from ik_circles.planar.workspace import Workspace
from ik_circles.planar.zones import SafeZones


class FloorWorkspace(Workspace):
    """All points that the tip can reach with every part of the arm above the floor.

    The tip reaches its critical arcs, but they are not all of its boundary. The floor belongs to
    it, too, and so do curves that the tip follows while the wrist slides on the floor. So `nearest`
    can be reached, but there may be a nearer point.
    """

    def __init__(self, solver: FloorSolver) -> None:
        super().__init__(FloorOrientations(solver))
        self._floor, self._above = solver.floor, solver.above
        self._pieces = [Workspace(Orientations(piece)) for piece in solver.distinct]

    @cached_property
    def without_floor(self) -> Workspace:
        """The workspace of the same arm without the floor."""
        return Workspace(Orientations(PoseSolver(self.model)))

    def depth(self, point: Point, phi: float | None) -> Part:
        """The part that would be below the floor at a target, in the solution with the least
        depth."""
        return least_depth(self.without_floor.orientations, self._floor, point, phi)

    @cached_property
    def critical_arcs(self) -> tuple[CriticalArc, ...]:
        """Arcs that the tip can follow above the floor."""
        return tuple(arcs_above(self._above.distinct, self._floor))

    @cached_property
    def boundary(self) -> Boundary:
        """The outline and its area, for pictures; see `floor.outline`."""
        arcs = [critical.arc for critical in self.critical_arcs]
        return outline_above(self.orientations, self._floor, self._above.distinct, arcs)

    def nearest(self, point: Point, zones: SafeZones) -> JointPositions | None:
        """Joint positions at a reachable point inside the zones near to one outside.

        It is the nearest one on the critical arcs and straight above or below the point on the
        floor; None if there is none.
        """
        found = super().nearest(point, zones) if self.critical_arcs else None
        tips = [] if found is None else [(self.model.pose_at(found)[:2], found)]
        tips += self._on_floor(point, zones)
        nearest = min(tips, key=lambda tip: math.dist(point, tip[0]), default=None)
        return nearest and nearest[1]

    def _on_floor(
        self, point: Point, zones: SafeZones
    ) -> Iterator[tuple[Point, JointPositions]]:
        """The tip on the floor straight above a point, or straight below it."""
        clearance = self._floor.clearance(point)
        up_x, up_y = self._floor.upwards
        place = point[0] - clearance * up_x, point[1] - clearance * up_y
        if zones.contains(math.hypot(*place), self.model.tolerance):
            found = self.orientations.of_point(*place)
            joints = found and self.solver.solutions(*place, middle_of_widest(found))
            if joints:
                yield place, joints[0]

    def distance_to_boundary(self, point: Point) -> float:
        """A lower bound of the distance from a reachable point to the outline [m].

        It is proved in `floor.clearance`.
        """
        found = self.orientations.of_point(*point)
        middles = ((lower + upper) / 2.0 for lower, upper in found)
        some = chain.from_iterable(self.solver.solutions(*point, phi) for phi in middles)
        least = [while_orientation_stays(self._above.distinct, self._floor, q) for q in some]
        free = whatever_the_orientation(self.model, self._floor, point)
        if free > 0.0:
            reached = (one for one in self._pieces if one.orientations.reach(*point))
            least += [min(free, one.distance_to_boundary(point)) for one in reached]
        return max(least, default=0.0)
