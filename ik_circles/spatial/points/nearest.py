# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Behind a yaw joint: the nearest configuration to a place, and the margin of a reachable one.

Derived in docs/derivation.md, section 12.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point
from ik_circles.planar.critical_arcs import CriticalArc
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.points.ways import Question
from ik_circles.spatial.shoulder import Place, Shoulder
from ik_circles.spatial.yaw import YAW_ROUNDING, Yaw

#: A place counts as straight beside the axis if it is outwards by less than this share of its
#: distance from the axis: rounding moves it outwards there, and only its height is known well.
STRAIGHT_BESIDE = 1e-3

#: If the distances of tips differ by no more than this share, the first tip is taken, which faces
#: the place; otherwise rounding would choose [1].
SAME_DISTANCE = 1e-15

#: A tip in the plane [m] with joint angles that put it there [rad].
Tip = tuple[Point, JointPositions]
#: The nearest configuration so far, if any, and how far its tip is from a place [m].
Nearest = tuple[Configuration | None, float]


class Met(NamedTuple):
    """Where the plane meets a place, `ahead` of the yaw axis and `behind` it, as `from_axis` [m].

    Turning about the axis shrinks a distance from there to no less than `share` of it.
    """

    ahead: Point
    behind: Point
    share: float

    @classmethod
    def by(cls, yaw: Yaw, place: Place) -> 'Met':
        """Make it for a place. If the place is nearer to the axis than the plane is, the plane
        meets it beside the axis."""
        outwards = yaw.outwards(place)
        share = outwards / (place.radius + abs(yaw.aside))
        return cls((outwards, place.height), (-outwards, place.height), share)

    def from_circles(self, center: Point, radii: Sequence[float]) -> list[float]:
        """No point of circles about a center is nearer to the place than this, when turned [m].
        The center is as `from_axis` gives it."""
        ahead, behind = math.dist(self.ahead, center), math.dist(self.behind, center)
        share = self.share
        return [share * min(abs(ahead - radius), abs(behind - radius)) for radius in radii]


def nearest_configuration(question: Question, yaw: Yaw, place: Place) -> Configuration | None:
    """The configuration with the tip nearest to a place that cannot be reached.

    Either the yaw joint is on a limit, or it is free: then the tip lies towards the place, as seen
    from the axis.
    """
    if not any(yaws for _, yaws in question.shoulders[:1]):
        # The yaw joint cannot face the place: a limit has a tip nearby, which leaves fewer arcs.
        found = _on_yaw_limits(question, yaw, place, math.inf)
        return _turned_freely(question, yaw, place, found)[0]
    best, least = _turned_freely(question, yaw, place, (None, math.inf))
    on_limit, distance = _on_yaw_limits(question, yaw, place, least)
    return on_limit if distance <= least + SAME_DISTANCE * least else best


def _turned_freely(question: Question, yaw: Yaw, place: Place, found: Nearest) -> Nearest:
    """The nearest to a place of what was found, and of the tips that turn towards the place."""
    (best, least), zones = found, question.zones
    on_arcs = question.arm.planar.workspace.tips_on_arcs
    tips = _tips_in_plane(question, yaw, place)
    is_kept_off = False  # whether the yaw joint stops just before a tip that is nearer
    if not yaw.holds_axis:
        arcs = _by_distance(question, yaw, place)

        def hopeful() -> Iterator[CriticalArc]:
            """Arcs that may have a tip nearer than the nearest so far."""
            return (arc for bound, arc in arcs if bound < least)

        def between(arc: Arc) -> Iterable[Point]:
            """Points of an arc that may be nearer although none of its likely points is."""
            rounding = SAME_DISTANCE * (place.radius + least)
            if is_kept_off or gain(yaw, arc, place, least) > rounding:
                return stationary_points(yaw, arc, place)
            return ()

        tips = chain(
            tips,
            on_arcs(lambda arc: likely_points(yaw, arc, place), zones, hopeful()),
            on_arcs(between, zones, hopeful()),
        )
    for tip, q in tips:
        distance = yaw.distance_turned(place, tip)
        if distance < least - SAME_DISTANCE * distance:
            angle = yaw.facing(place, tip)
            turns = yaw.turns(angle)
            if turns:
                best, least = Configuration(turns[0], q), distance
            else:
                is_kept_off = is_kept_off or bool(yaw.turns(angle, YAW_ROUNDING))
    return best, least


def _on_yaw_limits(question: Question, yaw: Yaw, place: Place, most: float) -> Nearest:
    """The nearest to a place of the tips with the yaw joint on a limit, unless all of the tips
    there are farther away than `most` [m]."""
    best, least, zones = None, math.inf, question.zones
    for end in yaw.ends():
        outwards, off = yaw.seen_at(end, place)
        point = yaw.in_plane(outwards, place.height)
        if math.hypot(off, max(0.0, math.hypot(*point) - zones.outer)) > most + yaw.rounding:
            continue
        there = Reachability(question.arm.planar.workspace, point, None, zones)
        q = there.nearest_joint_positions
        if q is not None:
            # The margin of a reached position would need the whole outline.
            distance = math.hypot(off, 0.0 if there.position_reachable else there.margin)
            if distance < least:
                best, least = Configuration(end, q), distance
    return best, least


def _by_distance(question: Question, yaw: Yaw, place: Place) -> list[tuple[float, CriticalArc]]:
    """The critical arcs, each after a bound: when turned, no point of it is nearer to a place [m].

    They are sorted by that bound. So arcs that are too far need no closer look.
    """
    workspace, met = question.arm.planar.workspace, Met.by(yaw, place)
    bounds: list[float] = []
    for center, radii in workspace.radii_about:
        seen = yaw.from_axis(center)
        if abs(seen[0]) <= yaw.rounding:  # turning moves these circles on spheres
            away = math.hypot(place.radius, place.height - seen[1])
            bounds += [abs(away - math.hypot(radius, yaw.aside)) for radius in radii]
        else:
            bounds += met.from_circles(seen, radii)
    return sorted(zip(bounds, workspace.critical_arcs), key=itemgetter(0))


def _tips_in_plane(question: Question, yaw: Yaw, place: Place) -> Iterator[Tip]:
    """The tips nearest to where the plane meets the place, if that may be inside of an arc.

    If the plane passes beside the axis, this is so only for places nearer to the axis than the
    plane: when turned, no tip gets nearer to the axis than the one straight beside it.
    """
    workspace, zones = question.arm.planar.workspace, question.zones
    sides = []
    if yaw.holds_axis:
        sides = [place.radius, -place.radius]
    elif place.radius <= abs(yaw.aside) + yaw.rounding:
        sides = [0.0]
    if workspace.model.floor is not None:  # the floor is no arc
        sides += [yaw.outwards(place), -yaw.outwards(place)]
    for outwards in sides:
        found = Reachability(workspace, yaw.in_plane(outwards, place.height), None, zones)
        q = found.nearest_joint_positions
        if q is not None:
            tip = workspace.model.pose_at(q)
            yield (tip.x, tip.y), q


def margin(yaw: Yaw, place: Place, shoulder: Shoulder, in_plane: float) -> float:
    """The same shoulder reaches every point nearer to a reachable place than this [m].

    The margin `in_plane` is known [m]: the arm reaches a disk of that radius in its plane. If the
    plane passes beside the axis, the result is a bound, the same as in `Places.turned`: how near
    the edge of the turned disk comes to the place, straight inwards.
    """
    to_limit = yaw.distance_to_limit(shoulder, place)
    if yaw.holds_axis:
        return min(in_plane, to_limit)
    outwards, aside = yaw.outwards(place), abs(yaw.aside)
    straight_inwards = place.radius - math.hypot(max(0.0, outwards - in_plane), aside)
    turned = max(straight_inwards, outwards / (place.radius + aside) * in_plane)
    return max(0.0, min(turned, place.radius - aside, to_limit))


# --- on an arc of the plane ---


def likely_points(yaw: Yaw, arc: Arc, place: Place) -> Iterator[Point]:
    """Points of an arc that may be nearest to a place when turned about the yaw axis.

    They are the ends of the arc, and its points nearest to the place and to the place's mirror
    image. If the plane holds the axis, one of them is the nearest. For a place straight beside the
    axis, the points at its height are added. For an arc about a point of the axis, they are its
    ends, if it has any, and its points straight towards the place, and one of them is the nearest.
    """
    if _is_on_axis(yaw, arc.center):
        ends = (arc.start, arc.end) if arc.sweep < TURN else ()
        yield from _on_arc(arc, _straight_towards(yaw, arc, place))
        yield from map(arc.point_at, ends)
        return
    outwards = yaw.outwards(place)
    if outwards <= STRAIGHT_BESIDE * place.radius:
        center, height = yaw.from_axis(arc.center)
        above = abs(place.height - height)
        half = math.sqrt(max(0.0, arc.radius - above)) * math.sqrt(arc.radius + above)
        for side in (half, -half):
            yield yaw.in_plane(center + side, place.height)
    for side in (outwards, -outwards):
        yield arc.nearest_to(yaw.in_plane(side, place.height))
    yield arc.point_at(arc.start)
    yield arc.point_at(arc.end)


def stationary_points(yaw: Yaw, arc: Arc, place: Place) -> Iterator[Point]:
    """Points of an arc whose distance from a place, when turned, is stationary.

    There are none if `likely_points` has them already. At such a point, the line from the place to
    the tip meets both the yaw axis and the axis of the arc. If the plane passes beside the yaw
    axis, they are the roots of a polynomial of degree 8.
    """
    if not (yaw.holds_axis or arc.radius <= yaw.rounding or _is_on_axis(yaw, arc.center)):
        yield from _on_arc(arc, _stationary_angles(yaw, arc, place))


def _on_arc(arc: Arc, angles: Iterable[float]) -> Iterator[Point]:
    """The points of an arc among those in directions from its center [rad]."""
    return (arc.point_at(angle) for angle in angles if (angle - arc.start) % TURN <= arc.sweep)


def gain(yaw: Yaw, arc: Arc, place: Place, least: float) -> float:
    """If no likely point of an arc is nearer to a place than `least` [m], no other point of it is
    nearer by more than this [m].

    If the plane passes close by the axis, this is below rounding, and no roots are needed. Infinite
    if the arc has points near to the axis that may be nearer to the place.
    """
    outwards, aside = yaw.outwards(place), abs(yaw.aside)
    (center, height), radius, gained = yaw.from_axis(arc.center), arc.radius, 0.0
    most = least * (place.radius + aside) / outwards if outwards else math.inf  # see `Met.share`
    for side in (outwards, -outwards):
        away = math.hypot(side - center, place.height - height)
        if away <= most:
            return math.inf
        # In the plane, points that are nearer are within the root of this of the nearest one.
        square = (most + radius - away) * (most - radius + away) * radius / away
        if square >= 0.0:
            nearest = center + (side - center) * radius / away
            from_axis = min(abs(nearest) - math.sqrt(square), place.radius)
            if from_axis <= 0.0:
                return math.inf
            shift = place.radius * (aside / from_axis) ** 2
            gained = max(gained, TURN * radius * shift**2 / (away * least))
    return gained


def _is_on_axis(yaw: Yaw, center: Point) -> bool:
    """Whether arcs are about a point of the yaw axis: turning then moves them on spheres."""
    return abs(yaw.from_axis(center)[0]) <= yaw.rounding


def _straight_towards(yaw: Yaw, arc: Arc, place: Place) -> list[float]:
    """Directions from the center of such an arc to the points that turning brings onto the line
    from that center to a place, or as near to that line as the arc goes up or down [rad]."""
    above = place.height - yaw.from_axis(arc.center)[1]
    level, aside = arc.radius * place.radius, abs(yaw.aside * above)
    outwards = math.sqrt(max(0.0, (level - aside) * (level + aside)))
    up = above * math.hypot(arc.radius, yaw.aside)
    return [_outward(yaw) + math.atan2(up, side) for side in (outwards, -outwards)]


def _outward(yaw: Yaw) -> float:
    """The direction in the plane that leads outwards from the yaw axis [rad]."""
    return math.atan2(-yaw.along[0], yaw.along[1])


def _stationary_angles(yaw: Yaw, arc: Arc, place: Place) -> list[float]:
    """Directions from the center of an arc in which the distance to a place is stationary [rad].

    Let `t` count from the outward direction, `r(t)` be the tip's distance from the axis and
    `o(t) = c + q cos t` its distance outwards. The derivative of the squared distance vanishes
    where `R o sin t = r (H cos t + c sin t)`, with the place's distance R from the axis and its
    height H above the center. Squared, and with `z = exp(i t)`, it is a polynomial.
    """
    center, height = yaw.from_axis(arc.center)
    above = place.height - height
    outwards = np.array([arc.radius / 2.0, center, arc.radius / 2.0])
    sine = np.array([-0.5j, 0.0, 0.5j])
    tilted = above * np.array([0.5, 0.0, 0.5]) + center * sine
    square = np.convolve(outwards, outwards)
    from_axis = square + yaw.aside**2 * np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    polynomial = place.radius**2 * np.convolve(square, np.convolve(sine, sine))
    polynomial = polynomial - np.convolve(from_axis, np.convolve(tilted, tilted))
    roots = np.roots(polynomial)
    return [_outward(yaw) + float(angle) for angle in np.angle(roots)]
