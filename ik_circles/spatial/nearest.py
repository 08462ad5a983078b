"""Behind a yaw joint: the nearest configuration to a place, and the margin of a reachable one.

Derived in docs/derivation.md, section 12.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ik_circles.geometry.circles import Point
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.model import Configuration
from ik_circles.spatial.question import Way
from ik_circles.spatial.turned_arcs import likely_points, stationary_points
from ik_circles.spatial.yaw import Place, Yaw

#: A tip in the plane [m] with joint angles that put it there [rad].
Tip = tuple[Point, JointPositions]


def nearest_configuration(
    planar: PlanarArm, yaw: Yaw, place: Place, zones: SafeZones
) -> Configuration | None:
    """The configuration with the tip nearest to a place that cannot be reached.

    Either the yaw joint is on a limit, or it is free: then the tip lies towards the place, as seen
    from the axis.
    """
    best, least = None, math.inf
    for end in yaw.ends():
        outwards, off = yaw.seen_at(end, place)
        found = Reachability(planar.workspace, yaw.in_plane(outwards, place.height), None, zones)
        q = found.nearest_joint_positions
        if q is not None:
            distance = math.hypot(off, min(0.0, found.margin))
            if distance < least:
                best, least = Configuration(end, q), distance
    for tips in (_likely_tips, _stationary_tips):
        for tip, q in tips(planar, yaw, place, zones, least):
            distance = yaw.distance_turned(place, tip)
            turns = yaw.turns(yaw.facing(place, tip)) if distance < least else []
            if turns:
                best, least = Configuration(turns[0], q), distance
    return best


def _likely_tips(
    planar: PlanarArm, yaw: Yaw, place: Place, zones: SafeZones, _: float
) -> Iterator[Tip]:
    """Tips that may be nearest when turned: those nearest to where the plane meets the place.

    If the plane passes the axis, points on each critical arc are added.
    """
    sides = [place.radius, -place.radius] if yaw.holds_axis else [0.0]
    for outwards in sides:
        found = Reachability(planar.workspace, yaw.in_plane(outwards, place.height), None, zones)
        q = found.nearest_joint_positions
        if q is not None:
            yield planar.forward_kinematics(q)[:2], q
    if not yaw.holds_axis:
        yield from planar.workspace.tips_on_arcs(
            lambda arc: likely_points(yaw, arc, place), zones
        )


def _stationary_tips(
    planar: PlanarArm, yaw: Yaw, place: Place, zones: SafeZones, least: float
) -> Iterator[Tip]:
    """All other tips that may be nearer than `least` [m]."""
    if not yaw.holds_axis:
        yield from planar.workspace.tips_on_arcs(
            lambda arc: stationary_points(yaw, arc, place, least), zones
        )


def margin(planar: PlanarArm, yaw: Yaw, place: Place, way: Way, zones: SafeZones) -> float:
    """How far around a reachable place the same shoulder reaches every point [m]."""
    least = yaw.distance_to_limit(way.shoulder, place)
    if yaw.holds_axis:
        return min(way.found.margin, least)
    least = min(least, place.radius - abs(yaw.aside))
    faces = yaw.faces(way.shoulder)
    for arc in (*planar.workspace_boundary().arcs, *zones.circles):
        for points in (likely_points(yaw, arc, place), stationary_points(yaw, arc, place, least)):
            for point in points:
                if (yaw.from_axis(point)[0] >= 0.0) == faces:
                    least = min(least, yaw.distance_turned(place, point))
    return max(0.0, least)
