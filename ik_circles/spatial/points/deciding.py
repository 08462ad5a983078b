# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which of the ways to a target in space decide about it, and the code."""

import math
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from ik_circles.geometry.angles import either_way, wrap
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.limits import tip_circles
from ik_circles.planar.selection import least
from ik_circles.reasons import Code
from ik_circles.spatial.arm import Configuration, SpatialArm
from ik_circles.spatial.points.nearest import nearest_configuration
from ik_circles.spatial.points.ways import SAME_ORIENTATION, SAME_TILT, Question, WayToPoint
from ik_circles.spatial.shoulder import Place, Shoulder, ShoulderAtYaws
from ik_circles.spatial.yaw import Yaw

#: A target is at the edge of what turning can meet if it is as far from the yaw axis as the plane
#: is, to within this share of the reach. There, the root of the rounding counts.
EDGE = 1e-7


class Verdict(NamedTuple):
    """All ways to the target, those that decide (the best first), and the code.

    If no shoulder reaches the position, there is no code yet: see `code_of`. If the links miss it
    at every shoulder, `miss` is the way with the smallest miss. There are no ways to a target that
    is nearer to the yaw axis than the plane is.
    """

    ways: list[WayToPoint]
    deciding: list[WayToPoint]
    code: Code | None
    miss: WayToPoint | None = None


def decided(question: Question) -> Verdict:
    """Whether one of the shoulders reaches the target.

    The code is FLOOR if only the floor keeps the arm from the target, or from its position.
    """
    found = _decided(question)
    if found.code is Code.OK or question.arm.planar.floor is None:
        return found
    code = _decided(question.of(question.arm.without_floor)).code
    if code is Code.OK or (code is Code.ORIENTATION and not found.deciding):
        return found._replace(code=Code.FLOOR)
    return found


def _decided(question: Question) -> Verdict:
    found = question.ways()
    if found and found[0].shoulder.beside > question.out_of_plane_tolerance:
        return Verdict(found, [], Code.OUT_OF_PLANE)
    working = question.reaching(found)
    if working:
        return Verdict(found, working, Code.OK)
    rounded = ways_by_rounding(question, question.near)
    working = question.reaching(rounded)
    if working:
        return Verdict([*found, *rounded], working, Code.OK)
    # Only an orientation in space asks for a yaw angle, which rounding may change.
    ways = found if question.orientation is None else [*found, *rounded]
    at_position = question.reaching_position(ways)
    if at_position:
        level = [way for way in at_position if way.is_level and way.yaws]
        return Verdict(ways, least_rotated(question, level or at_position), Code.ORIENTATION)
    on_edge = _way_on_edge(question)
    if on_edge is not None:
        works = on_edge.is_level and on_edge.found.reachable
        return Verdict([*found, on_edge], [on_edge], Code.OK if works else Code.ORIENTATION)
    if not found or _is_inside_circle(question):
        return Verdict([], [], None)
    return Verdict(found, [], None, _nearest_miss(question.arm, found))


def code_of(question: Question, found: Verdict) -> Code:
    """The code of a verdict. If no shoulder reaches the position, and axes lean, this may take much
    longer than the verdict, which is often all that is asked for."""
    if found.code is not None:
        return found.code
    if found.ways and found.miss is None:
        return Code.JOINT_LIMIT
    if question.shoulders and _is_free_to_reach(question, found.miss):
        return Code.JOINT_LIMIT
    return Code.TOO_CLOSE if found.miss is None else found.miss.found.code


def _is_free_to_reach(question: Question, miss: WayToPoint | None) -> bool:
    """Whether an arm whose axes lean would reach a position without its limits, although parallel
    axes may miss it, as `miss` does."""
    leaning = question.arm.leaning
    if leaning is None or (miss and miss.found.missing > leaning.bounds.nearly):
        return False
    free = question.of(question.arm.lifted(range(len(leaning.limits))), oriented=False)
    return any(way.true and way.true.is_near and way.true.position_met for way in free.ways())


def _nearest_miss(arm: SpatialArm, ways: Sequence[WayToPoint]) -> WayToPoint | None:
    """The shoulder at which the links miss the position by the least; None if they reach it.

    Among equals, it is one that can be turned to the position; facing comes first.
    """
    if any(way.found.code not in (Code.TOO_FAR, Code.TOO_CLOSE) for way in ways):
        return None
    nearest = least(ways, lambda way: way.found.missing, arm.planar.tolerance)
    return min(nearest, key=lambda way: not way.yaws)


def least_rotated(question: Question, ways: Sequence[WayToPoint]) -> list[WayToPoint]:
    """The ways with the least rotation to the orientation that is wanted.

    Each of them takes the orientation in the plane that is nearest to the wanted one.
    """
    return least(ways, lambda way: _rotation_left(question, way), same_rotation(question))


def _rotation_left(question: Question, way: WayToPoint) -> float:
    """How far the nearest orientation in the plane of a way is from the wanted one [rad]."""
    some, q = way.true.least_turned if way.true else [], way.found.nearest_joint_positions
    found = [Configuration(*one) for one in some]
    if not found and q is not None:
        found = [Configuration(way.shoulder.yaw, q)]
    return min((rotation_at(question, one) for one in found), default=math.inf)


def same_rotation(question: Question) -> float:
    """Angles to the orientation that is wanted that differ by no more than this are the same [rad].
    """
    return SAME_ORIENTATION if question.orientation is None else SAME_TILT


def rotation_at(question: Question, one: Configuration) -> float:
    """How far the tip in a configuration is from the orientation that is wanted [rad]."""
    if question.phi is not None:
        return abs(wrap(sum(one.q) - question.phi))
    return question.arm.tilt_at(one, question.orientation)


def _is_inside_circle(question: Question) -> bool:
    """Whether a target is nearer to the yaw axis than the plane is, even by less than the slack.
    """
    yaw = question.arm.yaw
    return yaw is not None and question.place.radius < abs(yaw.aside) - yaw.rounding


def is_on_edge(yaw: Yaw, place: Place, reach: float) -> bool:
    """Whether a place is at the edge of what turning can meet, for an arm of some reach [m]."""
    return abs(place.radius - abs(yaw.aside)) <= EDGE * reach


def _way_on_edge(question: Question) -> WayToPoint | None:
    """A way to a target that is as far from the yaw axis as the plane is, if there is one.

    There, the place in the plane moves by the root of the rounding. So the target counts as reached
    if the nearest configuration reaches it.
    """
    arm, yaw = question.arm, question.arm.yaw
    if yaw is None or yaw.holds_axis:
        return None
    place = question.place
    if not is_on_edge(yaw, place, arm.planar.max_reach):
        return None
    near = nearest_configuration(question, yaw, place)
    way = near and _taken(question, near)
    return way if way and way.found.position_reachable else None


def ways_by_rounding(question: Question, near: Configuration | None) -> list[WayToPoint]:
    """Ways to points that only rounding tells from the target.

    Where the plane just meets the target, or next to the yaw axis, it hardly determines the yaw
    angle. There, the orientation does, if one is asked for, or a yaw limit. If the arm is near the
    target, and its tip is there already, its own way is the last one.
    """
    yaw, some = question.arm.yaw, _shoulders_by_rounding(question)
    if yaw is not None and (some or _is_next_to_axis(question, yaw)):
        wanted = question.orientation
        angles = [*yaw.ends(), *([] if wanted is None else [wanted.yaw_by(yaw)])]
        at_angles = (shoulders_at(yaw, one, question.place, SAME_ORIENTATION) for one in angles)
        some += chain.from_iterable(at_angles)
    found = [WayToPoint(question, *one) for one in some]
    own = near and _taken(question, near)
    return [*found, own] if own else found


def _is_next_to_axis(question: Question, yaw: Yaw) -> bool:
    """Whether rounding turns the plane to a target by more than SAME_TILT."""
    if question.arm.leaning is not None or not yaw.holds_axis:
        return False
    return yaw.rounding < question.place.radius <= CLOSURE * yaw.rounding / SAME_TILT


def _shoulders_by_rounding(question: Question) -> list[ShoulderAtYaws]:
    """The shoulders of such points; see `ArmPlane`.

    With an orientation in the plane, those count at which a joint is on a limit: two joints on
    limits may leave a single point.
    """
    arm, shoulders = question.arm, question.arm.plane.shoulders_by_rounding
    if arm.leaning is not None:
        return []
    found = shoulders(question.point)
    wanted = {question.phi_at(one.yaw) for one, _ in found} - {None}
    if not wanted:
        return found
    circles = (tip_circles(arm.planar, phi) for phi in wanted if phi is not None)
    return shoulders(question.point, chain.from_iterable(circles))


def shoulders_at(
    yaw: Yaw, angle: float, place: Place, window: float, room: float = 0.0
) -> list[ShoulderAtYaws]:
    """The shoulders with the plane at an angle, or turned round [rad], if it holds a place up to
    rounding, or `room` [m]; yaw angles past a limit by no more than `window` [rad] are on it."""
    found: list[ShoulderAtYaws] = []
    for turned in either_way(angle):
        outwards, off = yaw.seen_at(turned, place)
        if abs(off) <= max(CLOSURE * yaw.rounding, room):
            at = Shoulder(turned, yaw.in_plane(outwards, place.height))
            found.append((at, yaw.turns(turned, window)))
    return found


def _taken(question: Question, one: Configuration) -> WayToPoint | None:
    """The way to the target that a configuration takes; None if its tip is elsewhere, or without a
    yaw joint."""
    arm, yaw = question.arm, question.arm.yaw
    if yaw is None or math.dist(arm.tip_at(one), question.point) > CLOSURE * yaw.rounding:
        return None
    tip = arm.planar.pose_at(one.q)[:2]
    return WayToPoint(question, Shoulder(one.yaw, tip), yaw.turns(one.yaw))
