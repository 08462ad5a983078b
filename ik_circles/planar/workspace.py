"""The workspace: its critical arcs, its outline, its area and the nearest point in it.

A configuration can be on the workspace's boundary only where each joint is at its lower limit, at
its upper limit or free, and the free joints and the tip lie on one line: otherwise a free joint
could move the tip across. Turning the first free joint then moves the tip on a circular arc. These
*critical arcs* are few (some two or three dozen), all of them can be reached, and the outline is
made of pieces of them; so the reachable point nearest to anything outside lies on one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ik_circles.geometry.arcs import Arc, PlainArc, _nearest_from_afar, _plain, nearest_arc
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.geometry.intervals import middle_of_widest
from ik_circles.planar.critical_arcs import (
    CriticalArc,
    _aligned,
    _aligned_or_limited,
    _critical_arc,
)
from ik_circles.planar.inverse import solutions
from ik_circles.planar.orientations import ends
from ik_circles.planar.outline import Boundary, _orientations, _outline
from ik_circles.planar.zones import SafeZones

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions


#: A target farther away than this many reaches is compared from afar.
FAR = 1e3


















class Workspace:
    """What does not depend on the target, computed when it is first asked for."""

    def __init__(self, arm: PlanarArm) -> None:
        self._arm = arm

    @cached_property
    def critical_arcs(self) -> tuple[CriticalArc, ...]:
        """Every arc that may be part of the outline."""
        arm = self._arm
        fixed = [
            *((0, (0.0, q2, q3)) for q2, q3 in _aligned_or_limited(arm)),
            *((1, (q1, 0.0, q3)) for q1 in ends(arm.limits[0])
              for q3 in (*ends(arm.limits[2]), *_aligned(0.0, arm.limits[2]))),
            *((2, (q1, q2, 0.0)) for q1 in ends(arm.limits[0]) for q2 in ends(arm.limits[1])),
        ]
        return tuple(_critical_arc(arm, joints, turning) for turning, joints in fixed)

    @cached_property
    def _arcs(self) -> tuple[Arc, ...]:
        return tuple(critical.arc for critical in self.critical_arcs)

    @cached_property
    def _plain(self) -> tuple[PlainArc, ...]:
        return _plain(self._arcs)

    @cached_property
    def _plain_outline(self) -> tuple[PlainArc, ...]:
        """The longest first: the sooner one is near, the sooner the others are seen to be not."""
        return _plain(sorted(self.boundary.arcs, key=lambda arc: -arc.radius * arc.sweep))

    @cached_property
    def boundary(self) -> Boundary:
        """Pieces of the critical arcs with the workspace on one side only."""
        return _outline(self._arm, self._arcs)

    def nearest(self, point: Point, zones: SafeZones) -> JointPositions | None:
        """Joint positions at the point of the workspace inside `zones` that is nearest to `point`,
        which is outside of one or the other; None if the limits allow no point inside the zones."""
        if zones.margin > 0.0:
            return self._nearest_inside(point, zones)
        far = math.hypot(*point) > FAR * self._arm.max_reach
        index = (
            _nearest_from_afar(self._arcs, point) if far else nearest_arc(self._plain, point)[1]
        )
        critical = self.critical_arcs[index]
        return self._joints_at(critical, critical.arc.offset_of(point))

    def _joints_at(self, critical: CriticalArc, offset: float) -> JointPositions:
        return critical.joints_at(offset, self._arm.limits[critical.turning])

    def _nearest_inside(self, point: Point, zones: SafeZones) -> JointPositions | None:
        """Where the zones cut into the workspace, their circles are part of its boundary, too."""
        tips = self.tips_on_arcs(lambda arc: (arc.nearest_to(point),), zones)
        nearest = min(tips, key=lambda tip: math.dist(point, tip[0]), default=None)
        return nearest and nearest[1]

    def tips_on_arcs(
        self, points_on: Callable[[Arc], Iterable[Point]], zones: SafeZones
    ) -> Iterator[tuple[Point, JointPositions]]:
        """Of the points chosen on each critical arc, and on the safe zones' circles where these cut
        into the workspace, those inside the zones that can be reached; with joint positions."""
        tolerance = self._arm.tolerance
        for critical in self.critical_arcs:
            chosen = *points_on(critical.arc), *_crossings(critical.arc, zones, tolerance)
            for point in chosen:
                offset = critical.arc.offset_of(point)
                place = critical.arc.point_at(critical.arc.start + offset)
                if zones.margin == 0.0 or zones.contains(math.hypot(*place), tolerance):
                    yield place, self._joints_at(critical, offset)
        for circle in zones.circles:
            for place in points_on(circle):
                found = _orientations(self._arm, place)
                joints = found and solutions(self._arm, *place, middle_of_widest(found))
                if joints:
                    yield place, joints[0]

    def distance_to_boundary(self, point: Point) -> float:
        """Distance from `point` to the outline [m]."""
        return nearest_arc(self._plain_outline, point)[0]


# --- critical arcs --------------------------------------------------------------------------------










def _crossings(arc: Arc, zones: SafeZones, tolerance: float) -> Iterator[Point]:
    """Where the arc crosses a safe zone's circle."""
    for circle in zones.circles:
        for meeting in intersect_circles(
            arc.center, arc.radius, circle.center, circle.radius, tolerance
        ):
            if math.dist(arc.nearest_to(meeting), meeting) <= 10.0 * tolerance:
                yield meeting


# --- outline --------------------------------------------------------------------------------------
















