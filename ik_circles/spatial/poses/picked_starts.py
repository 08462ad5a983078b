# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where correction starts near a singular wrist or the yaw axis: at what leaning axes pick.

There, and where the plane touches the circle about the yaw axis on which its shoulders meet, each
posture has a yaw angle of its own. If both elbows meet there, too, solutions start one by one.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ik_circles.geometry.angles import either_way, wrap
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.families import family_member
from ik_circles.spatial.poses.aims import Aim, WayToPose
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.shoulder import Place, Shoulder
from ik_circles.spatial.true_axes.singular_wrist import SAME_SIDE, picked_of
from ik_circles.spatial.true_axes.two_free import AskedOfChain, next_to_double
from ik_circles.spatial.wrist import ROUNDING, Posture
from ik_circles.spatial.yaw import Yaw

#: Leaning axes pick among postures that are at least this loose, to first order [1].
PICKED = 100.0
#: Where the plane may touch that circle with this many times the slack, the square of its turn
#: counts [1].
NEARLY = 1000.0


def least_loose(leaned: float) -> float:
    """The looseness [1] from which on it is better known what axes that lean by an angle [rad] pick
    than what exact axes ask for."""
    return max(PICKED, 1.0 / math.sqrt(max(leaned, ROUNDING)))


class Start(NamedTuple):
    """A shoulder, a posture of the wrist, and the elbow: 0 up, 1 down."""

    shoulder: Shoulder
    posture: Posture
    elbow: int


def picked_at(aim: Aim, shoulder: Shoulder, loose: float) -> Iterator[Start]:
    """What leaning axes pick near a shoulder of the wrist center, with this looseness.

    Where two shoulders meet, the one that faces the center stands for both.
    """
    arm, yaw, angle, most = aim.arm, aim.arm.carrier.yaw, shoulder.yaw, SAME_SIDE
    is_near = shoulder.on_axis or (yaw is not None and _touches(arm, yaw, shoulder, NEARLY))
    place, rotation = arm.carrier.plane.into(aim.point), arm.from_zero(aim.rotation)
    if shoulder.on_axis:
        most = math.pi / 2.0
    elif yaw is not None and _touches(arm, yaw, shoulder):
        if not yaw.faces(shoulder.point):
            return
        angle = yaw.facing(_center(aim, yaw), yaw.foot)
    for phi, turned, elbow in picked_of(arm.chain, angle, place, rotation, most, is_near):
        at = shoulder
        if yaw is not None:
            center = _center(aim, yaw)
            outwards, _ = yaw.seen_at(angle + turned, center)
            at = Shoulder(angle + turned, yaw.in_plane(outwards, center.height))
        wrist = arm.wrist.two_at(aim.sight, at.yaw, phi)
        yield Start(at, Posture(phi, wrist, 0.0, loose), elbow)


def picked_on_axis(aim: Aim) -> Iterator[Start]:
    """What leaning axes pick with the wrist center near the yaw axis, whatever the wrist.

    The yaw angle is within a quarter turn of where the last axis is nearest to the plane's normal.
    """
    yaw, ((_, outwards, _), _, (_, normal, _)) = aim.arm.carrier.yaw, aim.sight
    if yaw is None:
        return
    point = yaw.in_plane(0.0, _center(aim, yaw).height)
    for angle in either_way(math.atan2(outwards, normal)):
        upright = Shoulder(angle, point, on_axis=True)
        yield from picked_at(aim, upright, PICKED)


class ShouldersMeet(NamedTuple):
    """Where the shoulders of a way meet: one in between, the posture there, and how far the lean
    may turn the yaw joint to either side [rad]."""

    shoulder: Shoulder
    posture: Posture
    turned: float


def where_shoulders_meet(aim: Aim, way: WayToPose) -> ShouldersMeet | None:
    """Where the shoulders of a way that faces the center meet, if the plane may touch there."""
    arm, yaw = aim.arm, aim.arm.carrier.yaw
    if yaw is None or not (yaw.faces(way.shoulder.point) and _touches(arm, yaw, way.shoulder)):
        return None
    center = _center(aim, yaw)
    angle = yaw.facing(center, yaw.foot)
    point = yaw.in_plane(yaw.seen_at(angle, center)[0], center.height)
    some = arm.wrist.postures(aim.sight, angle)
    posture = min(some, key=lambda one: abs(wrap(one.phi - way.posture.phi)))
    turned = math.sqrt(2.0 * arm.carrier.plane.slack / abs(yaw.aside))
    return ShouldersMeet(Shoulder(angle, point), posture, turned)


def where_shoulders_and_elbows_meet(
    aim: Aim, way: WayToPose, asked: AskedOfChain
) -> Iterator[Whole]:
    """The member with equal links folded that is nearest to the seed, if only rounding tells the
    wrist from joint 1; and what leaning axes leave next to a straight or folded elbow where both
    shoulders meet, too.

    The shoulder that faces the center stands for both.
    """
    yield from _folded_member(aim, way)
    arm, planar, meeting = aim.arm, aim.arm.carrier.planar, where_shoulders_meet(aim, way)
    if meeting is None:
        return
    (angle, point, *_), (phi, wrist, *_), turned = meeting
    triangle, (x, y) = planar.solver.triangle, planar.wrist(*point, phi)
    if arm.ordinary.bends_clearly(math.hypot(x, y), turned * planar.max_reach):
        return
    end = min((triangle.inner, triangle.outer), key=lambda one: abs(x * x + y * y - one))
    upper_arm, forearm = triangle.elbow_up_and_down(x, y, end)[0]
    both = Whole(angle, (upper_arm, forearm - upper_arm, phi - forearm), wrist)
    yield from map(arm.of_angles, next_to_double(arm.chain, asked, arm.angles(both)))


def _folded_member(aim: Aim, way: WayToPose) -> Iterator[Whole]:
    if way.turns_freely and aim.arm.carrier.planar.may_fold_onto_base:
        # Rounding of phi may put a joint past its limit, too.
        opened = aim.arm.bounds.widened(way.rounded)
        q = family_member(opened, ORIGIN, way.posture.phi, aim.near.q, CLOSURE)
        if q is not None:
            yield Whole(way.shoulder.yaw, q, way.posture.wrist)


def _center(aim: Aim, yaw: Yaw) -> Place:
    """The wrist center as the yaw axis sees it."""
    center = aim.arm.wrist.center_at(aim.point, aim.rotation)
    return yaw.place_of(*aim.arm.carrier.plane.into(center))


def _touches(arm: WholeArm, yaw: Yaw, shoulder: Shoulder, times: float = 1.0) -> bool:
    """Whether the plane may touch the circle on which its shoulders meet, to within the slack of
    leaning axes multiplied by `times`."""
    outwards, _ = yaw.from_axis(shoulder.point)
    return abs(outwards) < math.sqrt(2.0 * times * arm.carrier.plane.slack * abs(yaw.aside))
