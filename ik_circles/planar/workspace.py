# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The workspace: its outline, the nearest point in it, and the distance to its boundary.

The outline consists of pieces of the critical arcs, and the tip can reach all of these. So the
reachable point nearest to a point outside lies on one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from ik_circles.geometry.arcs import (
    Arc,
    ArcsAbout,
    about_centers,
    nearest_arc,
    nearest_arc_from_afar,
)
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.geometry.intervals import Interval, middle_of_widest
from ik_circles.planar.critical_arcs import CriticalArc, critical_arcs
from ik_circles.planar.model import JointPositions
from ik_circles.planar.orientations import Orientations
from ik_circles.planar.outline import Boundary, outline
from ik_circles.planar.zones import SafeZones

#: If a target is more than this many reaches away, distances from it have too few digits. Then the
#: differences from the distance to the base are compared.
FAR_OFF = 10.0
#: Points of the outline whose distances from a target differ by no more than this are equally near
#: [1, of the tolerance]: it is above rounding, and leaves the tolerance to what it is for.
SAME_DISTANCE = 0.1


class Workspace:
    """All points that the tip can reach; what does not depend on a target is computed once."""

    def __init__(self, orientations: Orientations) -> None:
        self.orientations = orientations
        self.solver, self.model = orientations.solver, orientations.model

    @cached_property
    def safe_zones(self) -> SafeZones:
        """The arm's own safe zones, without a margin."""
        return SafeZones.of(self.model)

    @cached_property
    def critical_arcs(self) -> tuple[CriticalArc, ...]:
        """Every arc that may be part of the outline."""
        return critical_arcs(self.model)

    @cached_property
    def same_distance(self) -> float:
        """Points whose distances differ by no more than this are equally near [m]: the first arc
        has the one that is taken."""
        return SAME_DISTANCE * self.model.tolerance

    @cached_property
    def _arcs(self) -> tuple[Arc, ...]:
        return tuple(critical.arc for critical in self.critical_arcs)

    @cached_property
    def boundary(self) -> Boundary:
        """The outline and its area."""
        return outline(self.orientations, self._arcs)

    @cached_property
    def _arcs_about(self) -> list[ArcsAbout]:
        return about_centers(self._arcs)

    @cached_property
    def radii_about(self) -> list[tuple[Point, list[float]]]:
        """The radii of the critical arcs about each of their centers [m], in the arcs' order."""
        return [(center, [one[1] for one in some]) for center, some in self._arcs_about]

    @cached_property
    def _outline_about(self) -> list[ArcsAbout]:
        """The outline, arcs about the base and long arcs first: the rest is rejected sooner."""
        arcs = sorted(self.boundary.arcs, key=lambda arc: -arc.radius * arc.sweep)
        return about_centers(sorted(arcs, key=lambda arc: (math.hypot(*arc.center), arc.center)))

    def distance_to_boundary(self, point: Point) -> float:
        """Distance from a point to the outline [m]."""
        return nearest_arc(self._outline_about, point)[0]

    def margin(self, point: Point, zones: SafeZones) -> float:
        """Distance of a reachable point to the outline and the safe zones [m]."""
        distance = math.hypot(*point)
        to_zones = zones.outer - distance
        if zones.inner > 0.0:
            to_zones = min(to_zones, distance - zones.inner)
        return max(0.0, min(self.distance_to_boundary(point), to_zones))

    def orientation_intervals(self, x: float, y: float) -> list[Interval]:
        """Orientations with which a point can be reached; see PlanarArm.orientation_intervals."""
        if not self.safe_zones.contains(math.hypot(x, y), self.model.tolerance):
            return []
        found = self.orientations.of_point(x, y)
        return found or self.on_outline((x, y), self.nearest((x, y), self.safe_zones))

    def on_outline(self, point: Point, nearest: JointPositions | None) -> list[Interval]:
        """The orientation of the nearest point, if that is the point itself except for rounding.

        Rounding alone may put a point of the outline out of reach, whichever joint is kept.
        """
        if nearest is None:
            return []
        pose = self.model.pose_at(nearest)
        is_there = math.dist(point, pose[:2]) <= self.model.tolerance
        return [(pose.phi, pose.phi)] if is_there else []

    def nearest(self, point: Point, zones: SafeZones) -> JointPositions | None:
        """Joint positions at the reachable point inside the zones nearest to a point outside.

        None if the joint limits allow no point inside the zones.
        """
        if zones.margin > 0.0:  # the zones cut into the workspace, so their circles bound it, too
            tips = self.tips_on_arcs(lambda arc: (arc.nearest_to(point),), zones)
            nearest = min(tips, key=lambda tip: math.dist(point, tip[0]), default=None)
            return nearest and nearest[1]
        if math.hypot(*point) > FAR_OFF * self.model.max_reach:
            index = nearest_arc_from_afar(self._arcs, point, self.same_distance)
        else:
            index = nearest_arc(self._arcs_about, point, self.same_distance)[1]
        critical = self.critical_arcs[index]
        return critical.joints_at(critical.arc.offset_of(point))

    def tips_on_arcs(
        self,
        points_on: Callable[[Arc], Iterable[Point]],
        zones: SafeZones,
        arcs: Iterable[CriticalArc] | None = None,
    ) -> Iterator[tuple[Point, JointPositions]]:
        """Reachable points inside the zones, chosen by a function of an arc, with joint positions.

        The arcs are the critical ones, or some of these. If the zones cut into the workspace, their
        circles are arcs, too, and points where a critical arc crosses such a circle are chosen.
        """
        tolerance = self.model.tolerance
        for critical in self.critical_arcs if arcs is None else arcs:
            chosen = *points_on(critical.arc), *_crossings(critical.arc, zones, tolerance)
            for point in chosen:
                offset = critical.arc.offset_of(point)
                place = critical.arc.point_at(critical.arc.start + offset)
                if zones.contains(math.hypot(*place), tolerance):
                    yield place, critical.joints_at(offset)
        for circle in zones.circles:
            for point in points_on(circle):
                place = circle.point_at(circle.start + circle.offset_of(point))
                found = self.orientations.of_point(*place)
                joints = found and self.solver.solutions(*place, middle_of_widest(found))
                if joints:
                    yield place, joints[0]


def _crossings(arc: Arc, zones: SafeZones, tolerance: float) -> Iterator[Point]:
    """The points where the circle of an arc crosses a circle of the zones."""
    for circle in zones.circles:
        yield from intersect_circles(
            arc.center, arc.radius, circle.center, circle.radius, tolerance
        )
