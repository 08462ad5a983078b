"""The workspace: its critical arcs, its outline, its area and the nearest point in it.

A configuration can be on the workspace's boundary only where each joint is at its lower limit, at
its upper limit or free, and the free joints and the tip lie on one line: otherwise a free joint
could move the tip across. Turning the first free joint then moves the tip on a circular arc. These
*critical arcs* are few (some two or three dozen), all of them can be reached, and the outline is
made of pieces of them; so the reachable point nearest to anything outside lies on one of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ik_circles.angles import TURN, Limits, sweep_to, turns_into
from ik_circles.circles import Point, intersect_circles
from ik_circles.errors import InvalidSettingError
from ik_circles.inverse import solutions
from ik_circles.orientation import (
    Interval,
    bend,
    ends,
    intervals,
    middle_of_widest,
    orientation_cuts,
)

if TYPE_CHECKING:
    from ik_circles.arm import JointPositions, PlanarArm


#: A target farther away than this many reaches is compared from afar.
FAR = 1e3


class Arc(NamedTuple):
    """Part of a circle, counter-clockwise: centre [m], radius [m], start angle and sweep [rad]."""

    center: Point
    radius: float
    start: float
    sweep: float

    @property
    def end(self) -> float:
        """Angle at which the arc ends, start + sweep [rad]."""
        return self.start + self.sweep

    def point_at(self, angle: float) -> Point:
        """Point of the circle in the direction `angle` from its centre."""
        return (
            self.center[0] + self.radius * math.cos(angle),
            self.center[1] + self.radius * math.sin(angle),
        )

    def offset_of(self, point: Point) -> float:
        """Angle from the arc's start to the place on the arc that is nearest to `point` [rad]."""
        direction = math.atan2(point[1] - self.center[1], point[0] - self.center[0])
        offset = (direction - self.start) % TURN
        if offset <= self.sweep:
            return offset
        return self.sweep if offset - self.sweep < TURN - offset else 0.0

    def nearest_to(self, point: Point) -> Point:
        """The point of the arc that is nearest to `point`."""
        return self.point_at(self.start + self.offset_of(point))

    def distance_to(self, point: Point) -> float:
        """Distance from `point` to the arc [m]."""
        return nearest_arc(_plain((self,)), point)[0]


PlainArc = tuple[float, float, float, float, float]


def _plain(arcs: Sequence[Arc]) -> tuple[PlainArc, ...]:
    """Centre, radius, start and sweep of each arc, as plain tuples: Python takes these apart much
    faster."""
    return tuple((*arc.center, arc.radius, arc.start, arc.sweep) for arc in arcs)


def nearest_arc(arcs: Sequence[PlainArc], point: Point) -> tuple[float, int]:
    """Distance [m] from `point` to the nearest of the arcs, and which one it is."""
    hypot, atan2 = math.hypot, math.atan2
    x, y = point
    least, which = math.inf, 0
    for index, (center_x, center_y, radius, start, sweep) in enumerate(arcs):
        away_x, away_y = x - center_x, y - center_y
        distance = abs(hypot(away_x, away_y) - radius)
        if distance >= least:  # no part of an arc is nearer than its circle
            continue
        offset = (atan2(away_y, away_x) - start) % TURN
        if offset > sweep:
            end = start + sweep if offset - sweep < TURN - offset else start
            distance = hypot(away_x - radius * math.cos(end), away_y - radius * math.sin(end))
        if distance < least:
            least, which = distance, index
    return least, which


def _nearest_from_afar(arcs: Sequence[Arc], point: Point) -> int:
    """Which arc is nearest to a point so far away that distances to all of them are alike: the
    distance to each is compared less the distance to the base, with all of its digits."""
    scale = max(abs(point[0]), abs(point[1]))
    x, y = point[0] / scale, point[1] / scale

    def beyond_base(arc: Arc) -> float:
        place_x, place_y = arc.point_at(arc.start + arc.offset_of(point))
        square = (place_x * place_x + place_y * place_y) / scale
        away = math.hypot(x - place_x / scale, y - place_y / scale) + math.hypot(x, y)
        return (square - 2.0 * (x * place_x + y * place_y)) / away

    return min(range(len(arcs)), key=lambda index: beyond_base(arcs[index]))


class CriticalArc(NamedTuple):
    """An arc that the tip follows while one joint turns from `joints` by the arc's sweep."""

    arc: Arc
    joints: JointPositions
    turning: int

    def joints_at(self, offset: float, limits: Limits) -> JointPositions:
        """Joint positions with the tip at `offset` from the arc's start."""
        q = list(self.joints)
        q[self.turning] = min(q[self.turning] + offset, limits[1])
        return q[0], q[1], q[2]


@dataclass(frozen=True)
class Boundary:
    """Outline of the workspace: arcs [m, rad], and the area that they enclose [m^2]."""

    arcs: tuple[Arc, ...]
    area: float


@dataclass(frozen=True)
class SafeZones:
    """Ring about the base that targets must lie in [m].

    Outer zone: the sum of the links; inner zone: max(0, 2 longest - sum). Each is shrunk by
    `margin`, so that targets keep that far away from the base where the links leave no hole.
    """

    inner: float
    outer: float
    margin: float = 0.0

    @classmethod
    def of(cls, arm: PlanarArm, margin: float = 0.0) -> SafeZones:
        """The arm's zones, shrunk by `margin` [m]; InvalidSettingError if nothing is left."""
        if not margin >= 0.0 or math.isinf(margin):
            raise InvalidSettingError(
                f'safe_zone_margin is {margin} m; it must be a finite length of at least 0 m'
            )
        inner, outer = arm.min_reach + margin, arm.max_reach - margin
        if inner > outer:
            raise InvalidSettingError(
                f'safe_zone_margin {margin:.6g} m leaves nothing between the safe zones of '
                f'{arm.min_reach:.6g} m and {arm.max_reach:.6g} m; make it smaller'
            )
        return cls(inner, outer, margin)

    @property
    def circles(self) -> tuple[Arc, ...]:
        """The zones' own circles, if a margin makes them cut into the workspace."""
        if self.margin == 0.0:
            return ()
        return tuple(
            Arc((0.0, 0.0), radius, -math.pi, TURN) for radius in (self.inner, self.outer)
        )

    def contains(self, distance: float, tolerance: float) -> bool:
        """Whether a point at `distance` from the base is inside both zones."""
        return self.inner - tolerance <= distance <= self.outer + tolerance


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


def _aligned(direction: float, limits: Limits) -> Iterator[float]:
    """Joint angles inside the limits that put a link along `direction` or against it."""
    for angle in (direction, direction + math.pi):
        yield from turns_into(angle, limits)[:1]


def _aligned_or_limited(arm: PlanarArm) -> Iterator[tuple[float, float]]:
    """Positions of joints 2 and 3, both at limits or aligned, while joint 1 turns."""
    length_1, length_2, length_3 = arm.link_lengths
    _, limits_2, limits_3 = arm.limits
    for q2 in (*ends(limits_2), *_aligned(0.0, limits_2)):
        for q3 in (*ends(limits_3), *_aligned(0.0, limits_3)):
            yield q2, q3
    for q3 in ends(limits_3):
        for q2 in _aligned(-bend(length_2, length_3, q3), limits_2):
            yield q2, q3
    for q2 in ends(limits_2):
        for q3 in _aligned(bend(length_1, length_2, q2) - q2, limits_3):
            yield q2, q3


def _critical_arc(arm: PlanarArm, joints: JointPositions, turning: int) -> CriticalArc:
    lower, upper = arm.limits[turning]
    if lower == -math.inf:
        lower, upper = -math.pi, math.pi
    q = list(joints)
    q[turning] = lower
    points = joint_points(arm, (q[0], q[1], q[2]))
    center, tip = points[turning], points[3]
    radius = math.dist(center, tip)
    start = math.atan2(tip[1] - center[1], tip[0] - center[0])
    arc = Arc(center, radius, start, min(upper - lower, TURN))
    return CriticalArc(arc, (q[0], q[1], q[2]), turning)


def joint_points(arm: PlanarArm, q: JointPositions) -> tuple[Point, Point, Point, Point]:
    """Base, elbow, wrist and tip at joint positions `q` [m]."""
    points = [(0.0, 0.0)]
    direction = 0.0
    for length, angle in zip(arm.link_lengths, q, strict=True):
        direction += angle
        x, y = points[-1]
        points.append((x + length * math.cos(direction), y + length * math.sin(direction)))
    return points[0], points[1], points[2], points[3]


def _crossings(arc: Arc, zones: SafeZones, tolerance: float) -> Iterator[Point]:
    """Where the arc crosses a safe zone's circle."""
    for circle in zones.circles:
        for meeting in intersect_circles(
            arc.center, arc.radius, circle.center, circle.radius, tolerance
        ):
            if math.dist(arc.nearest_to(meeting), meeting) <= 10.0 * tolerance:
                yield meeting


# --- outline --------------------------------------------------------------------------------------


def _outline(arm: PlanarArm, arcs: Sequence[Arc]) -> Boundary:
    """Cut the arcs at each other; keep the pieces that have the workspace on one side only, those
    that follow each other as one."""
    tolerance = arm.tolerance
    outline: list[Arc] = []
    enclosed, before = 0.0, (False, False)
    for piece in _distinct(_cut_at_each_other(arcs, tolerance), tolerance):
        inner, outer = _sides(arm, piece, arcs)
        if (inner and outer) or (piece.sweep == 0.0 and (inner or outer)):
            continue
        enclosed += (inner - outer) * _area_towards_origin(piece)
        if outline and before == (inner, outer) and _follows(piece, outline[-1], tolerance):
            outline[-1] = outline[-1]._replace(sweep=piece.end - outline[-1].start)
        else:
            outline.append(piece)
        before = inner, outer
    return Boundary(tuple(outline), abs(enclosed))


def _follows(piece: Arc, other: Arc, tolerance: float) -> bool:
    """Whether a piece starts where another of the same arc ends."""
    same_arc = piece.center == other.center and piece.radius == other.radius
    return same_arc and abs(piece.start - other.end) * piece.radius <= tolerance


def _cut_at_each_other(arcs: Sequence[Arc], tolerance: float) -> Iterator[Arc]:
    for arc in arcs:
        cuts = {0.0, arc.sweep}
        for other in arcs:
            meeting = intersect_circles(
                arc.center, arc.radius, other.center, other.radius, tolerance
            )
            if _same_circle(arc, other, tolerance):
                meeting = (other.point_at(other.start), other.point_at(other.end))
            for point in meeting:
                direction = math.atan2(point[1] - arc.center[1], point[0] - arc.center[0])
                cuts.add(min(sweep_to(arc.start, direction), arc.sweep))
        ordered = sorted(cuts)
        for start, end in zip(ordered, ordered[1:], strict=False):
            yield Arc(arc.center, arc.radius, arc.start + start, end - start)
        if arc.sweep * arc.radius <= tolerance:
            yield arc


def _same_circle(arc: Arc, other: Arc, tolerance: float) -> bool:
    apart = math.dist(arc.center, other.center) + abs(arc.radius - other.radius)
    return apart <= 10.0 * tolerance


def _distinct(pieces: Iterator[Arc], tolerance: float) -> list[Arc]:
    """Leave out pieces that lie on an earlier piece of the same circle, and pieces of no length."""
    kept: list[Arc] = []
    for piece in pieces:
        middle = piece.point_at(piece.start + piece.sweep / 2.0)
        on_earlier = any(
            _same_circle(piece, other, tolerance)
            and other.distance_to(middle) <= 10.0 * tolerance
            for other in kept
        )
        if not on_earlier:
            kept.append(piece)
    return kept


def _sides(arm: PlanarArm, piece: Arc, arcs: Sequence[Arc]) -> tuple[bool, bool]:
    """Whether the workspace is inside and outside of the piece, at its middle.

    The looks are half as far away as the nearest other arc, or the far side of the piece's own
    circle, so that nothing lies in between.
    """
    angle = piece.start + piece.sweep / 2.0
    middle = piece.point_at(angle)
    clearances = [
        distance
        for distance in (arc.distance_to(middle) for arc in arcs)
        if distance > 10.0 * arm.tolerance
    ]
    step = min([*clearances, piece.radius or arm.max_reach]) / 2.0
    outer = Arc(piece.center, piece.radius + step, 0.0, 0.0).point_at(angle)
    inner = Arc(piece.center, piece.radius - step, 0.0, 0.0).point_at(angle)
    return bool(_orientations(arm, inner)), bool(_orientations(arm, outer))


def _orientations(arm: PlanarArm, point: Point) -> list[Interval]:
    if math.hypot(*point) > arm.max_reach + arm.tolerance:
        return []
    return intervals(arm, *point, orientation_cuts(arm, *point))


def _area_towards_origin(piece: Arc) -> float:
    """Area swept from the origin along the piece, by Green's theorem: half of x dy - y dx."""
    (cx, cy), radius = piece.center, piece.radius
    start, end = piece.start, piece.end
    return 0.5 * radius * (
        cx * (math.sin(end) - math.sin(start))
        - cy * (math.cos(end) - math.cos(start))
        + radius * piece.sweep
    )
