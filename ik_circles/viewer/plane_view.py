# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The plane view: the arm's plane as an SVG, with the two circles whose intersection solves it.

The wrist is one link 3 behind the target, against the tool's direction. The elbow is one link 1
from the base and one link 2 from the wrist, so it is where those two circles meet.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import ORIGIN, Point, intersect_circles
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.planar.zones import SafeZones
from ik_circles.viewer import theme
from ik_circles.viewer.targets import PoseInPlane

#: Width and height of the picture.
SIZE, HEIGHT = 340.0, 300.0
#: Length of the arm's reach in the picture.
REACH = 143.0
#: Radius of the ball.
BALL = 6.0
#: Radius around the target in which it can be gripped: a finger is wide.
GRIP = 24.0
#: An arc that bends by less than this is drawn as a line: browsers lose their way on the large
#: circles that stand for straight pieces of an outline.
STRAIGHT = 0.05


class Pen(NamedTuple):
    """Draws SVG elements for points in the arm's plane [m]; SVG's y axis points down."""

    scale: float

    def at(self, point: Point) -> tuple[float, float]:
        """Where a point is in the picture."""
        return point[0] * self.scale, -point[1] * self.scale

    def inside(self, point: Point) -> Point:
        """The point, or the one at the edge of the picture: what is gripped must be seen."""
        width, height = (size / 2.0 / self.scale - BALL / self.scale for size in (SIZE, HEIGHT))
        return max(-width, min(point[0], width)), max(-height, min(point[1], height))

    def line(self, points: Iterable[Point], color: str, width: float, dashed: str = '') -> str:
        """A polyline through points."""
        corners = ' '.join(f'{x:.1f},{y:.1f}' for x, y in map(self.at, points))
        return (
            f'<polyline points="{corners}" fill="none" stroke="{color}" stroke-width="{width}" '
            f'stroke-linejoin="round" stroke-linecap="round" {_dashes(dashed)}/>'
        )

    def circle(
        self, center: Point, radius: float, color: str, width: float, dashed: str = ''
    ) -> str:
        """A circle with a radius [m]."""
        x, y = self.at(center)
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius * self.scale:.1f}" fill="none" '
            f'stroke="{color}" stroke-width="{width}" {_dashes(dashed)}/>'
        )

    def dot(self, point: Point, radius: float, fill: str, stroke: str, kind: str = 'dot') -> str:
        """A dot with a radius in the picture."""
        x, y = self.at(point)
        return (
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="1.5"/>'
        )

    def path(
        self, arcs: Iterable[Arc], kind: str, color: str, width: float, dashed: str = ''
    ) -> str:
        """Arcs as one path of a class."""
        return (
            f'<path class="{kind}" d="{" ".join(map(self.arc, arcs))}" fill="none" '
            f'stroke="{color}" stroke-width="{width}" {_dashes(dashed)}/>'
        )

    def arc(self, arc: Arc) -> str:
        """An arc in two halves, because an SVG arc cannot be a full circle."""
        middle, radius = arc.start + arc.sweep / 2.0, arc.radius * self.scale
        (x, y), *others = (self.at(arc.point_at(one)) for one in (arc.start, middle, arc.end))
        if radius * (1.0 - math.cos(arc.sweep / 2.0)) < STRAIGHT:
            return f'M{x:.2f} {y:.2f} L{others[1][0]:.2f} {others[1][1]:.2f}'
        halves = ' '.join(f'A{radius:.2f} {radius:.2f} 0 0 0 {a:.2f} {b:.2f}' for a, b in others)
        return f'M{x:.2f} {y:.2f} {halves}'


def _dashes(dashed: str) -> str:
    return f'stroke-dasharray="{dashed}"' if dashed else ''


def plane_view(
    planar: PlanarArm,
    outlined: PlanarArm,
    zones: SafeZones,
    q: JointPositions,
    wanted: PoseInPlane | None = None,
    reachable: bool | None = True,
    nearest: Point | None = None,
    grip: str = '',
) -> str:
    """Draw an SVG element of the arm at joint positions `q` [rad] and of the pose it should have.

    Parameters
    ----------
    outlined : PlanarArm
        The arm whose outline is drawn: `planar`, or the same while its wrist stood.
    wanted : PoseInPlane, optional
        The pose whose construction is drawn. Without one, the ball is at the tip.
    reachable : bool or None
        Whether the target was accepted; None before there is an answer.
    nearest : point, optional
        The nearest reachable point [m], drawn for a target that was not accepted.
    grip : str
        The attributes of what is gripped: the target, else the tip.
    """
    pen = Pen(REACH / outlined.max_reach)
    parts, links = [_background(outlined, zones)], _links(planar.joint_points(q), pen)
    tip = planar.joint_points(q)[3]
    if wanted is None:
        parts += [links, pen.dot(tip, BALL, theme.UNANSWERED, theme.DOT)]
    else:
        target = _target(wanted.point, pen, None if reachable else nearest, reachable)
        parts += [*_construction(planar, wanted, pen), links, *target]
    if grip:
        x, y = pen.at(pen.inside(wanted.point if wanted else tip))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{GRIP}" {grip}/>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="plane-view" width="100%" '
        f'data-scale="{pen.scale!r}" '
        f'viewBox="{-SIZE / 2:.0f} {-HEIGHT / 2:.0f} {SIZE:.0f} {HEIGHT:.0f}">'
        f'{"".join(parts)}</svg>'
    )


def _target(point: Point, pen: Pen, nearest: Point | None, reachable: bool | None) -> list[str]:
    """The target, and a line to the nearest reachable point if there is one to show."""
    parts = []
    if nearest is not None:
        parts.append(pen.line([point, nearest], theme.REFUSED, 1.5, dashed='2 3'))
        parts.append(pen.dot(nearest, 4.5, 'none', theme.REFUSED))
    color = theme.REACHED if reachable else theme.REFUSED
    color = theme.UNANSWERED if reachable is None else color
    return [*parts, pen.dot(pen.inside(point), BALL, color, theme.DOT)]


@lru_cache(maxsize=4)
def _background(planar: PlanarArm, zones: SafeZones) -> str:
    """Axes, safe zones, outline and floor, which stay the same while the arm moves."""
    pen = Pen(REACH / planar.max_reach)
    half = SIZE / 2.0
    axes = ''.join(
        f'<line x1="{a:.0f}" y1="{b:.0f}" x2="{-a:.0f}" y2="{-b:.0f}" stroke="{theme.AXES}"/>'
        for a, b in ((-half, 0.0), (0.0, -half))
    )
    above = (arc for arc in zones.above(planar.floor) if arc.radius > 0.0)
    rings = pen.path(above, 'zones', theme.SAFE_ZONES, 1.2, dashed='5 4')
    outline = pen.path(planar.workspace_boundary().arcs, 'outline', theme.OUTLINE, 1.4)
    floor = ''
    if planar.floor is not None:
        floor = pen.line(planar.floor.line(planar.max_reach), theme.TEXT, 2.5)
    return axes + rings + outline + floor


def _construction(planar: PlanarArm, wanted: PoseInPlane, pen: Pen) -> list[str]:
    """Both circles, the points where they meet, and the solutions through those points."""
    length_1, length_2, length_3 = planar.link_lengths
    x, y = wanted.point
    wrist = (x - length_3 * math.cos(wanted.phi), y - length_3 * math.sin(wanted.phi))
    parts = [
        pen.circle(ORIGIN, length_1, theme.CIRCLES, 1.3),
        pen.circle(wrist, length_2, theme.CIRCLES, 1.3),
        pen.line([wrist, wanted.point], theme.CIRCLES, 1.3),
    ]
    for q in planar.inverse_kinematics(x, y, wanted.phi):
        parts.append(pen.line(planar.joint_points(q)[:3], theme.GHOST, 1.5, dashed='3 3'))
    for elbow in intersect_circles(ORIGIN, length_1, wrist, length_2, planar.tolerance):
        parts.append(pen.dot(elbow, 3.5, theme.CIRCLES, theme.DOT, 'meeting'))
    parts.append(pen.dot(wrist, 2.5, theme.CIRCLES, theme.DOT))
    return parts


def _links(points: Sequence[Point], pen: Pen) -> str:
    joints = ''.join(pen.dot(point, 4.0, theme.DOT, theme.ARM) for point in points[:3])
    links = pen.line(points, theme.ARM, 5.0)
    return f'<g class="arm">{links}{joints}{pen.dot(points[3], 3.0, theme.ARM, theme.ARM)}</g>'
