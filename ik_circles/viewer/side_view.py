"""The side view: the arm's plane as an SVG, with the two circles whose intersection solves it.

The wrist is one link 3 behind the target, against the tool's direction. The elbow is one link 1
from the base and one link 2 from the wrist, so it is where those two circles meet.
"""

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
from ik_circles.planar.model import JointPositions
from ik_circles.planar.zones import SafeZones
from ik_circles.viewer.targets import PoseInPlane

#: Width and height of the picture.
SIZE = 340.0
#: Length of the arm's reach in the picture.
REACH = 152.0
AXES = '#dddddd'


def side_view(
    planar: PlanarArm,
    zones: SafeZones,
    q: JointPositions,
    wanted: PoseInPlane | None = None,
    reachable: bool = True,
    nearest: Point | None = None,
) -> str:
    """Draw an SVG element of the arm at joint positions `q` [rad] and of the pose it should have.

    Parameters
    ----------
    wanted : PoseInPlane, optional
        The pose whose construction is drawn.
    reachable : bool
        Whether the target was accepted.
    nearest : point, optional
        The nearest reachable point [m], drawn for a target that was not accepted.
    """
    scale = REACH / planar.max_reach
    parts = [_background(planar, zones)]
    if wanted is not None:
        parts += _construction(planar, wanted, scale)
    parts.append(_links(planar.joint_points(q), scale))
    if wanted is not None:
        parts += _target(wanted.point, scale, None if reachable else nearest, reachable)
    half = SIZE / 2.0
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="side-view" width="100%" '
        f'viewBox="{-half:.0f} {-half:.0f} {SIZE:.0f} {SIZE:.0f}">{"".join(parts)}</svg>'
    )


def _target(point: Point, scale: float, nearest: Point | None, reachable: bool) -> list[str]:
    """The target, and a line to the nearest reachable point if there is one to show."""
    parts = []
    if nearest is not None:
        parts.append(_line([point, nearest], scale, REFUSED, 1.5, dashed='2 3'))
        parts.append(_dot(nearest, scale, 4.5, 'none', REFUSED))
    return [*parts, _dot(point, scale, 6.0, REACHED if reachable else REFUSED, 'white')]


@lru_cache(maxsize=4)
def _background(planar: PlanarArm, zones: SafeZones) -> str:
    """Axes, safe zones and outline, which stay the same while the arm moves."""
    scale = REACH / planar.max_reach
    half = SIZE / 2.0
    axes = ''.join(
        f'<line x1="{a:.0f}" y1="{b:.0f}" x2="{-a:.0f}" y2="{-b:.0f}" stroke="{AXES}"/>'
        for a, b in ((-half, 0.0), (0.0, -half))
    )
    rings = ''.join(
        _circle((0.0, 0.0), radius, scale, SAFE_ZONES, 1.2, dashed='5 4')
        for radius in (zones.outer, zones.inner)
        if radius > 0.0
    )
    arcs = ' '.join(_arc(arc, scale) for arc in planar.workspace_boundary().arcs)
    outline = (
        f'<path class="outline" d="{arcs}" fill="none" stroke="{OUTLINE}" stroke-width="1.4"/>'
    )
    return axes + rings + outline


def _construction(planar: PlanarArm, wanted: PoseInPlane, scale: float) -> list[str]:
    """Both circles, the points where they meet, and the solutions through those points."""
    length_1, length_2, length_3 = planar.link_lengths
    x, y = wanted.point
    wrist = (x - length_3 * math.cos(wanted.phi), y - length_3 * math.sin(wanted.phi))
    parts = [
        _circle((0.0, 0.0), length_1, scale, CIRCLES, 1.3),
        _circle(wrist, length_2, scale, CIRCLES, 1.3),
        _line([wrist, wanted.point], scale, CIRCLES, 1.3),
    ]
    for q in planar.inverse_kinematics(x, y, wanted.phi):
        parts.append(_line(planar.joint_points(q)[:3], scale, GHOST, 1.5, dashed='3 3'))
    for elbow in intersect_circles((0.0, 0.0), length_1, wrist, length_2, planar.tolerance):
        parts.append(_dot(elbow, scale, 3.5, CIRCLES, 'white', 'meeting'))
    parts.append(_dot(wrist, scale, 2.5, CIRCLES, 'white'))
    return parts


def _links(points: Sequence[Point], scale: float) -> str:
    joints = ''.join(_dot(point, scale, 4.0, 'white', ARM) for point in points[:3])
    links = _line(points, scale, ARM, 5.0)
    return f'<g class="arm">{links}{joints}{_dot(points[3], scale, 3.0, ARM, ARM)}</g>'


# --- SVG, whose y axis points down --------------------------------------------------------------


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
    """An arc in two halves, because an SVG arc cannot be a full circle."""
    middle, radius = arc.start + arc.sweep / 2.0, arc.radius * scale
    ends = [_at(arc.point_at(angle), scale) for angle in (arc.start, middle, arc.end)]
    (x, y), *others = ends
    halves = ' '.join(f'A{radius:.2f} {radius:.2f} 0 0 0 {a:.2f} {b:.2f}' for a, b in others)
    return f'M{x:.2f} {y:.2f} {halves}'


def _dashes(dashed: str) -> str:
    return f'stroke-dasharray="{dashed}"' if dashed else ''
