# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The solutions of one way to a full pose: for exact axes, for a tilted plane, and for the true
axes.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ik_circles.geometry.angles import nearest_turn, wrap
from ik_circles.geometry.limits import ON_LIMIT, nearest_turns
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.poses.aims import (
    Aim,
    WayToPose,
    is_out_of_plane,
    is_tilted,
    leans,
    most_turned,
    turned_by_lean,
)
from ik_circles.spatial.poses.corrections import Correction
from ik_circles.spatial.poses.picked_starts import (
    least_loose,
    where_shoulders_and_elbows_meet,
    where_shoulders_meet,
)
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.true_axes.folded_pose import FoldedPose
from ik_circles.spatial.wrist import MOST_ROOM, ROUNDING, Posture

#: A tilt of the plane moves joints by less than this many times the tilt [1].
TILTS = 4.0
#: A correction starts with the wrist at least this many times the slack away from where the elbow
#: is straight or folded [1].
BENT = 2.0
#: A tilt that puts a joint on its limit, or a loose wrist with a folded elbow, may turn the three
#: joints far. Corrections start with them up to this far past their limits [rad]: the laws in the
#: tests need no more.
ROOM_UNBENT = 1.0


class Others(NamedTuple):
    """The turns of the yaw joint, and of each wrist joint, with which correction starts, and how
    far the three joints may be past their limits there [rad]."""

    yaws: list[float]
    wrist: list[list[float]]
    room: float


def plain(aim: Aim, way: WayToPose) -> list[Whole]:
    """The solutions for exact axes."""
    wrist = _wrist_inside(aim, way.posture)
    if not way.yaws or wrist is None:
        return []
    return _with_carrier_at(aim, way.yaws[0], way.shoulder.point, way.posture.phi, wrist)


def tilted(aim: Aim, way: WayToPose) -> list[Whole]:
    """The solutions for exact axes with the orientation as near as the plane allows.

    The wrist's axis keeps its pitch, and is turned about the yaw axis into the plane. The roll is
    the one that leaves the least angle. The tip is brought exactly to its place.
    """
    arm, wrist = aim.arm, _wrist_inside(aim, way.posture)
    if wrist is None:
        return []
    off = arm.tip_from_center(wrist)[2]
    tip_x, tip_y, beside = arm.carrier.plane.into(aim.point)
    shoulder, yaws = way.shoulder, way.yaws
    if arm.carrier.yaw is not None:
        yaw = arm.carrier.yaw.through(off)
        some = yaw.shoulders(yaw.place_of(tip_x, tip_y, beside - off))
        if not some:
            return []
        shoulder, yaws = min(some, key=lambda one: abs(wrap(one[0].yaw - way.shoulder.yaw)))
        tip_x, tip_y = shoulder.point
    if not yaws:
        return []
    (posture,) = arm.wrist.postures(aim.sight, shoulder.yaw)
    x, y = arm.tip_in_plane_from_center(posture.phi, wrist)
    center = tip_x - x, tip_y - y
    found = _with_carrier_at(aim, yaws[0], center, posture.phi, wrist)
    most = aim.tilt_tolerance + CLOSES
    return [one for one in found if arm.miss(one, aim.point, aim.rotation)[1] <= most]


def _wrist_inside(aim: Aim, posture: Posture) -> tuple[float, ...] | None:
    """The wrist's angles turned inside its limits [rad]; None if one of them has no such turn."""
    found = []
    for angle, near, limits in zip(posture.wrist, aim.near.wrist, aim.arm.wrist_limits):
        turned = nearest_turn(angle, near, limits, ON_LIMIT)
        if turned is None:
            return None
        found.append(turned)
    return tuple(found)


def _with_carrier_at(
    aim: Aim, yaw: float, center: tuple[float, float], phi: float, wrist: tuple[float, ...]
) -> list[Whole]:
    """The solutions with the wrist center at a point of the plane [m] and the carrier at `phi`."""
    arm, near = aim.arm, aim.near
    found = arm.carrier.planar.solver.solutions(*center, phi, near.q)
    if not found:
        return []
    turned = arm.yaw_near(yaw, near.yaw)
    return [Whole(turned, arm.q_near(q, near.q), wrist) for q in found]


# --- the true axes ---


def corrected(aim: Aim, way: WayToPose, closed: Sequence[Whole]) -> Iterator[Whole]:
    """The solutions on the true axes, and those that rounding, or a tilted plane, puts past limits.

    Solutions of the closed form need no correction."""
    arm, others = aim.arm, _others(aim, way, *_rooms(aim, way))
    if others is None:
        return
    correction = Correction.to(aim, way.is_free, is_tilted(arm, way))
    is_closed = way.elbow_rounded <= ON_LIMIT
    if arm.is_leaning and len(way.elbows) > 1:
        is_met = False
        for one in _from_folded(aim, way, correction, others):
            is_met = True
            yield one
        if is_met:
            return  # else a wrist that is a little beside joint 1 may determine it after all
    for q, bent in _elbows(arm, way):
        if is_closed and any(math.sin(one.q[1]) * math.sin(q[1]) > 0.0 for one in closed):
            continue
        start = Whole(way.shoulder.yaw, bent, way.posture.wrist)
        yield from _from_start(aim, way, correction, others, start, q)
    for one in where_shoulders_and_elbows_meet(aim, way, correction.asked):
        yield from _from_start(aim, way, correction, others, one, one.q)


def turned_by_much(aim: Aim, way: WayToPose) -> Iterator[Whole]:
    """The solutions of a tilted plane or of leaning axes in which joints are turned by much from
    those of exact axes, because one is on its limit, or the elbow is straight or folded.

    They take many corrections, which are worth it only if a pose has no other solution."""
    arm, others = aim.arm, _others(aim, way, *_rooms(aim, way))
    if others is None or not (is_tilted(arm, way) or arm.is_leaning):
        return
    others = others._replace(room=ROOM_UNBENT)
    correction, is_found = Correction.to(aim, is_free=True, is_tilted=True), False
    for q, bent in _elbows(arm, way):
        start = Whole(way.shoulder.yaw, bent, way.posture.wrist)
        for one in _from_start(aim, way, correction, others, start, q):
            is_found = True
            yield one
    if not is_found:
        for q in _unbent(aim, way):
            start, held = Whole(way.shoulder.yaw, q, way.posture.wrist), (q[1], q[1])
            yield from _from_start(aim, way, correction._replace(elbow=held), others, start, q)


def _others(aim: Aim, way: WayToPose, of_wrist: float, room: float) -> Others | None:
    """The turns of the yaw joint and of the wrist's joints within these rooms [rad]; None if one of
    them has none."""
    arm, near, yaws = aim.arm, aim.near, [way.shoulder.yaw]
    if arm.carrier.yaw is not None:
        yaws = nearest_turns(way.shoulder.yaw, near.yaw, arm.limits[0], room)
    wrist = [
        nearest_turns(angle, its, limits, of_wrist)
        for angle, its, limits in zip(way.posture.wrist, near.wrist, arm.wrist_limits)
    ]
    return Others(yaws, wrist, room) if yaws and all(wrist) else None


def _from_start(
    aim: Aim,
    way: WayToPose,
    correction: Correction,
    others: Others,
    one: Whole,
    q: JointPositions,
) -> Iterator[Whole]:
    """The solutions that correction finds from a start, one for each choice of turns; `q` are the
    angles in the plane for exact axes [rad]."""
    arm, near, (yaws, wrist, room) = aim.arm, aim.near, others
    angles, rooms = arm.angles(one), [room + abs(a - b) for a, b in zip(q, one.q)]
    of_three = map(nearest_turns, one.q, near.q, arm.limits_of_three, rooms)
    for yaw, q1, q2, q3, *rest in product(yaws, *of_three, *wrist):
        turns = arm.angles(Whole(yaw, (q1, q2, q3), tuple(rest)))
        begun = [near_it + wrap(angle - near_it) for angle, near_it in zip(angles, turns)]
        for found in correction.from_start(begun):
            if _closes(aim, found, way):
                # Next to a limit, only the corrected angle tells which turns are inside.
                yield arm.turned(found, near)
                break


def is_folded(arm: WholeArm, shoulder: Shoulder, posture: Posture, turned: float = 0.0) -> bool:
    """Whether only the lean of the axes, which may have `turned` the plane [rad] and with it the
    last link, determines joint 1, because the elbow is folded."""
    yaw, center, planar = arm.carrier.yaw, shoulder.point, arm.carrier.planar
    outwards = yaw.from_axis(center)[0] if yaw else 0.0
    moved = turned * (abs(arm.carrier.plane.aside) + planar.link_lengths[2] * posture.loose)
    return arm.bounds.is_folded(planar.wrist(*center, posture.phi), outwards, moved)


def _is_loose(arm: WholeArm, way: WayToPose) -> bool:
    """Whether the wrist that leaning axes pick is better known than the one that exact axes ask
    for."""
    return way.posture.loose >= least_loose(turned_by_lean(arm, way.shoulder))


def _from_folded(
    aim: Aim, way: WayToPose, correction: Correction, others: Others
) -> Iterator[Whole]:
    """The solutions with a folded elbow; see `FoldedPose.picked`.

    Where the shoulders meet, those of both are next to where the plane just meets the center."""
    arm, is_loose = aim.arm, _is_loose(aim.arm, way)
    meeting = where_shoulders_meet(aim, way) if arm.wrist.has_two else None
    shoulder, posture, turned = meeting or (way.shoulder, way.posture, 0.0)
    if not is_folded(arm, shoulder, posture, turned):
        return
    if is_loose:
        others = others._replace(room=ROOM_UNBENT)
    exact = Whole(shoulder.yaw, (0.0, math.pi, posture.phi - math.pi), posture.wrist)
    finder = FoldedPose(arm.bounds, arm.chain, arm.limits, correction.asked)
    for some in finder.picked(arm.angles(exact), aim.near.q, is_loose, turned):
        starts = map(arm.of_angles, some)
        found = ([*_from_start(aim, way, correction, others, one, one.q)] for one in starts)
        yield from next(filter(None, found), [])


def _elbows(arm: WholeArm, way: WayToPose) -> list[tuple[JointPositions, JointPositions]]:
    """Joint angles in the plane with the elbow up and down, and bent enough to tell them apart.

    Without a bend, correction could not tell which way to go. What leaning axes pick is known only
    to first order, and another member that they pick may be near. So a smaller bend is tried, too.
    """
    planar, phi = arm.carrier.planar, way.posture.phi
    triangle, reach, slack = planar.solver.triangle, planar.max_reach, arm.carrier.plane.slack
    x, y = planar.wrist(*way.shoulder.point, phi)
    square, middle = x * x + y * y, (triangle.inner + triangle.outer) / 2.0
    bends = dict[float, None]()
    for missed in (slack, slack * slack / reach) if len(way.elbows) == 1 else (slack,):
        room = BENT * (missed + ROUNDING * reach) * reach
        nearest, farthest = min(triangle.inner + room, middle), max(triangle.outer - room, middle)
        bends[min(max(square, nearest), farthest)] = None
    exact, *bent = (
        [
            (upper_arm, forearm - upper_arm, phi - forearm)
            for upper_arm, forearm in triangle.elbow_up_and_down(x, y, one)
        ]
        for one in (square, *bends)
    )
    return [(exact[elbow], some[elbow]) for some in bent for elbow in way.elbows]


def _unbent(aim: Aim, way: WayToPose) -> Iterator[JointPositions]:
    """Joint angles in the plane with a straight and with a folded elbow, if the wrist is about as
    far from the base then.

    In a tilted plane, the smallest rotation may need more reach than the arm has. Another rotation
    that is allowed may have the elbow straight or folded, at the end of the reach, as if on a
    limit.
    """
    arm, planar, near = aim.arm, aim.arm.carrier.planar, aim.near.q[1]
    x, y = planar.wrist(*way.shoulder.point, way.posture.phi)
    length_1, length_2, _ = planar.link_lengths
    room = planar.max_reach + arm.wrist.length
    if arm.carrier.yaw is not None:
        room += abs(arm.carrier.yaw.aside)
    room *= TILTS * aim.tilt_tolerance
    for bend, end in ((0.0, length_1 + length_2), (math.pi, length_1 - length_2)):
        q2 = nearest_turn(bend, near, arm.limits_of_three[1], ON_LIMIT)
        if q2 is not None and abs(math.hypot(x, y) - abs(end)) <= room:
            upper_arm = math.atan2(y, x) + (math.pi if end < 0.0 else 0.0)
            yield upper_arm, q2, way.posture.phi - upper_arm - q2


def _rooms(aim: Aim, way: WayToPose) -> tuple[float, float]:
    """How far the wrist's joints, and the others, may be from what the closed form gives [rad].

    If an orientation is not attained, a joint on its limit may attain it nearly as well.
    """
    of_wrist, of_carrier = leans(aim.arm, way)
    tilt = TILTS * (aim.tilt_tolerance if is_tilted(aim.arm, way) else way.posture.tilt)
    rooms = max(way.rounded, of_wrist, tilt), max(way.elbow_rounded, of_carrier, tilt)
    return min(rooms[0], MOST_ROOM), min(rooms[1], MOST_ROOM)


def _closes(aim: Aim, one: Whole, way: WayToPose) -> bool:
    """Whether a configuration is a solution; a single wrist joint leaves a tilt."""
    away, turned = aim.arm.miss(one, aim.point, aim.rotation)
    if is_out_of_plane(aim, one.wrist) or turned > CLOSES + most_turned(aim, way):
        return False
    return away <= max(CLOSES, aim.arm.carrier.planar.tolerance)
