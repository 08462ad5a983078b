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
from ik_circles.viewer.area import Passed, loops, passed
from ik_circles.viewer.targets import PoseInPlane

#: Width and height of the picture.
SIZE, HEIGHT = 340.0, 300.0
#: Length of the arm's reach in the picture.
REACH = 143.0
#: Radius of the ball.
BALL = 6.0
#: Radius around the target in which it can be gripped. It has to be wide enough for a finger.
GRIP = 24.0
#: An arc that bends by less than this is drawn as a line. Browsers draw very large circles wrongly,
#: and these stand for the straight pieces of an outline.
DRAWN_STRAIGHT = 0.05
#: Ends of arcs that are no further apart are one point, in reaches of the arm.
ONE_POINT = 1e-4
OUTLINE_WIDTH = 1.4


class Pen(NamedTuple):
    """Draws SVG elements for points in the arm's plane [m]; SVG's y axis points down.

    `bottom` is where the picture ends.
    """

    scale: float
    bottom: float = HEIGHT / 2.0

    @classmethod
    def of(cls, planar: PlanarArm) -> 'Pen':
        """A pen for an arm; the picture ends at the arm's floor."""
        scale, floor = REACH / planar.max_reach, planar.floor
        if floor is None:
            return cls(scale)
        lowest = max(-y * scale for _, y in floor.line(planar.max_reach))
        return cls(scale, min(max(lowest, 0.0) + GRIP, HEIGHT / 2.0))

    def at(self, point: Point) -> tuple[float, float]:
        """Where a point is in the picture."""
        return point[0] * self.scale, -point[1] * self.scale

    def inside(self, point: Point) -> Point:
        """The point, moved to the edge if it is outside the picture, so that it can be gripped."""
        edges = SIZE / 2.0, HEIGHT / 2.0, self.bottom
        width, highest, lowest = ((edge - BALL) / self.scale for edge in edges)
        return max(-width, min(point[0], width)), max(-lowest, min(point[1], highest))

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

    def area(self, planar: PlanarArm) -> str:
        """What an arm can reach: the filled area with its outline, and strands without width."""
        boundary = planar.workspace_boundary()
        enclosing = [arc for arc in boundary.arcs if arc not in boundary.strands]
        parts = ' '.join(map(self._loop, loops(enclosing, ONE_POINT * planar.max_reach)))
        area = (
            f'<path class="outline" d="{parts}" fill="{theme.AREA}" fill-rule="evenodd" '
            f'stroke="{theme.OUTLINE}" stroke-width="{OUTLINE_WIDTH}"/>'
        )
        strands = self.path(boundary.strands, 'strands', theme.OUTLINE, OUTLINE_WIDTH)
        return area + strands if boundary.strands else area

    def _loop(self, loop: Sequence[Passed]) -> str:
        x, y = self.at(loop[0].enters)
        return f'M{x:.2f} {y:.2f} {" ".join(map(self._onward, loop))}'

    def arc(self, arc: Arc) -> str:
        """A path of one arc."""
        return self._loop([passed(arc)])

    def _onward(self, way: Passed) -> str:
        """The arc from the point where it is entered, in two halves: an SVG arc cannot be a full
        circle."""
        radius, sweep_flag = way.arc.radius * self.scale, int(way.is_from_end)
        middle, end = self.at(way.middle), self.at(way.leaves)
        if radius * (1.0 - math.cos(way.arc.sweep / 2.0)) < DRAWN_STRAIGHT:
            return f'L{end[0]:.2f} {end[1]:.2f}'
        return ' '.join(
            f'A{radius:.2f} {radius:.2f} 0 0 {sweep_flag} {x:.2f} {y:.2f}' for x, y in (middle, end)
        )


def _dashes(dashed: str) -> str:
    return f'stroke-dasharray="{dashed}"' if dashed else ''


def plane_view(
    planar: PlanarArm,
    outlined: PlanarArm,
    zones: SafeZones | None,
    q: JointPositions,
    wanted: PoseInPlane | None = None,
    color: str = theme.UNANSWERED,
    nearest: Point | None = None,
    grip: str = '',
) -> str:
    """Draw an SVG element of the arm at joint positions `q` [rad] and of the pose it should have.

    Parameters
    ----------
    outlined : PlanarArm
        The arm whose outline is drawn: `planar`, or the same arm when its wrist last stood still.
    wanted : PoseInPlane, optional
        The pose whose construction is drawn. Without one, the ball is at the tip.
    color : str
        The color of the target.
    nearest : point, optional
        The nearest reachable point [m], if the target was not accepted.
    grip : str
        The attributes of the circle that can be gripped: around the target, else the tip.
    """
    pen = Pen.of(outlined)
    parts, links = [_background(outlined, zones)], _links(planar.joint_points(q), pen)
    tip = planar.joint_points(q)[3]
    if wanted is None:
        parts += [links, pen.dot(tip, BALL, theme.UNANSWERED, theme.DOT)]
    else:
        target = _target(wanted.point, pen, nearest, color)
        parts += [*_construction(planar, wanted, pen), links, *target]
    if grip:
        x, y = pen.at(pen.inside(wanted.point if wanted else tip))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{GRIP}" {grip}/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{theme.PLANE}" width="100%" '
        f'data-scale="{pen.scale!r}" '
        f'viewBox="{-SIZE / 2:.0f} {-HEIGHT / 2:.0f} {SIZE:.0f} {HEIGHT / 2 + pen.bottom:.0f}">'
        f'{"".join(parts)}</svg>'
    )


def _target(point: Point, pen: Pen, nearest: Point | None, color: str) -> list[str]:
    """The target, and a line to the nearest reachable point if there is one to show."""
    parts = []
    if nearest is not None:
        parts.append(pen.line([point, nearest], theme.REFUSED, 1.5, dashed='2 3'))
        parts.append(pen.dot(nearest, 4.5, 'none', theme.REFUSED))
    return [*parts, pen.dot(pen.inside(point), BALL, color, theme.DOT)]


@lru_cache(maxsize=4)
def _background(planar: PlanarArm, zones: SafeZones | None) -> str:
    """Workspace, axes, safe zones and floor, which stay the same while the arm moves."""
    pen = Pen.of(planar)
    half = SIZE / 2.0
    axes = ''.join(
        f'<line x1="{a:.0f}" y1="{b:.0f}" x2="{-a:.0f}" y2="{-b:.0f}" stroke="{theme.AXES}"/>'
        for a, b in ((-half, 0.0), (0.0, -half))
    )
    rings = floor = ''
    if zones is not None:
        above = (arc for arc in zones.above(planar.floor) if arc.radius > 0.0)
        rings = pen.path(above, 'zones', theme.SAFE_ZONES, 1.2, dashed='5 4')
    if planar.floor is not None:
        floor = pen.line(planar.floor.line(planar.max_reach), theme.TEXT, 2.5)
    return pen.area(planar) + axes + rings + floor


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
