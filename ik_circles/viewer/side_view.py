"""The side view: the arm's plane as an SVG, with the two circles whose intersection solves it.

The wrist must be a link 3 behind the target, against the tool's direction. The elbow is a link 1
from the base and a link 2 from the wrist: it is where these two circles meet, above or below.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.palette import (
    ARM,
    CIRCLES,
    GHOST,
    OUTLINE,
    REACHED,
    REFUSED,
    SAFE_ZONES,
)
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.critical_arcs import joint_points
from ik_circles.planar.model import JointPositions
from ik_circles.planar.zones import SafeZones
from ik_circles.viewer.state import Construction

#: Width and height of the picture, and of the arm's reach in it.
SIZE, REACH = 340.0, 152.0


def side_view(
    arm: PlanarArm,
    zones: SafeZones,
    q: JointPositions,
    wanted: Construction | None = None,
    reachable: bool = True,
    nearest: Point | None = None,
) -> str:
    """An SVG element.

    Parameters
    ----------
    q : where the arm is [rad]
    wanted : the target, if there is one, and how it is to be reached
    reachable : whether the target was taken
    nearest : the nearest point that can be reached, to be shown for a target that was not [m]
    """
    scale = REACH / arm.max_reach
    parts = [_still(arm, zones)]
    if wanted is not None:
        parts += _circles(arm, wanted, scale)
    parts.append(_links(joint_points(arm, q), scale))
    if wanted is not None:
        color = REACHED if reachable else REFUSED
        if not reachable and nearest is not None:
            parts.append(_line([wanted.point, nearest], scale, REFUSED, 1.5, dashed='2 3'))
            parts.append(_dot(nearest, scale, 4.5, 'none', REFUSED))
        parts.append(_dot(wanted.point, scale, 6.0, color, 'white'))
    half = SIZE / 2.0
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="side-view" width="100%" '
        f'viewBox="{-half:.0f} {-half:.0f} {SIZE:.0f} {SIZE:.0f}">{"".join(parts)}</svg>'
    )


@lru_cache(maxsize=4)
def _still(arm: PlanarArm, zones: SafeZones) -> str:
    """What stays: axes, safe zones, outline."""
    scale = REACH / arm.max_reach
    half = SIZE / 2.0
    axes = ''.join(
        f'<line x1="{a:.0f}" y1="{b:.0f}" x2="{-a:.0f}" y2="{-b:.0f}" stroke="#dddddd"/>'
        for a, b in ((-half, 0.0), (0.0, -half))
    )
    rings = ''.join(
        _circle((0.0, 0.0), radius, scale, SAFE_ZONES, 1.2, dashed='5 4')
        for radius in (zones.outer, zones.inner)
        if radius > 0.0
    )
    arcs = ' '.join(_arc(arc, scale) for arc in arm.workspace_boundary().arcs)
    outline = (
        f'<path class="outline" d="{arcs}" fill="none" stroke="{OUTLINE}" stroke-width="1.4"/>'
    )
    return axes + rings + outline


def _circles(arm: PlanarArm, wanted: Construction, scale: float) -> list[str]:
    """Both circles, where they meet, and the solutions over those points."""
    upper_arm, forearm, tool = arm.link_lengths
    x, y = wanted.point
    wrist = (x - tool * math.cos(wanted.phi), y - tool * math.sin(wanted.phi))
    parts = [
        _circle((0.0, 0.0), upper_arm, scale, CIRCLES, 1.3),
        _circle(wrist, forearm, scale, CIRCLES, 1.3),
        _line([wrist, wanted.point], scale, CIRCLES, 1.3),
    ]
    for q in arm.inverse_kinematics(x, y, wanted.phi):
        parts.append(_line(joint_points(arm, q)[:3], scale, GHOST, 1.5, dashed='3 3'))
    for elbow in intersect_circles((0.0, 0.0), upper_arm, wrist, forearm, arm.tolerance):
        parts.append(_dot(elbow, scale, 3.5, CIRCLES, 'white', 'meeting'))
    parts.append(_dot(wrist, scale, 2.5, CIRCLES, 'white'))
    return parts


def _links(points: Sequence[Point], scale: float) -> str:
    joints = ''.join(_dot(point, scale, 4.0, 'white', ARM) for point in points[:3])
    links = _line(points, scale, ARM, 5.0)
    return f'<g class="arm">{links}{joints}{_dot(points[3], scale, 3.0, ARM, ARM)}</g>'


# --- SVG, whose y goes down -------------------------------------------------------------------


def _at(point: Point, scale: float) -> tuple[float, float]:
    return point[0] * scale, -point[1] * scale


def _line(
    points: Iterable[Point], scale: float, color: str, width: float, dashed: str = ''
) -> str:
    corners = ' '.join(f'{x:.1f},{y:.1f}' for x, y in (_at(point, scale) for point in points))
    return (
        f'<polyline points="{corners}" fill="none" stroke="{color}" stroke-width="{width}" '
        f'stroke-linejoin="round" stroke-linecap="round" {_dashes(dashed)}/>'
    )


def _circle(
    center: Point, radius: float, scale: float, color: str, width: float, dashed: str = ''
) -> str:
    x, y = _at(center, scale)
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * scale:.1f}" fill="none" '
        f'stroke="{color}" stroke-width="{width}" {_dashes(dashed)}/>'
    )


def _dot(
    point: Point, scale: float, radius: float, fill: str, stroke: str, kind: str = 'dot'
) -> str:
    x, y = _at(point, scale)
    return (
        f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" '
        f'stroke="{stroke}" stroke-width="1.5"/>'
    )


def _arc(arc: Arc, scale: float) -> str:
    """In two halves: SVG cannot tell a full circle from none."""
    middle, radius = arc.start + arc.sweep / 2.0, arc.radius * scale
    ends = [_at(arc.point_at(angle), scale) for angle in (arc.start, middle, arc.end)]
    (x, y), *others = ends
    halves = ' '.join(f'A{radius:.2f} {radius:.2f} 0 0 0 {a:.2f} {b:.2f}' for a, b in others)
    return f'M{x:.2f} {y:.2f} {halves}'


def _dashes(dashed: str) -> str:
    return f'stroke-dasharray="{dashed}"' if dashed else ''
