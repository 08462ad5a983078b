# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ways of one shoulder to a full pose: which angles its orientation needs of the other joints,
and how far rounding may move them.
"""

import math
from collections.abc import Sequence
from functools import partial

from ik_circles.geometry.angles import either_way, wrap
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.families import is_family
from ik_circles.spatial.poses.aims import Aim, WayToPose, is_out_of_plane, turned_by_lean
from ik_circles.spatial.poses.free_members import in_corners, member
from ik_circles.spatial.poses.picked_starts import Start, least_loose, picked_at, picked_on_axis
from ik_circles.spatial.poses.way_solutions import is_folded
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.shoulder import Shoulder, ShoulderAtYaws
from ik_circles.spatial.tilts import much_turned_within
from ik_circles.spatial.wrist import (
    FROM_ROUNDING,
    LEVEL,
    SINGULAR,
    Posture,
)


def ways_of(
    aim: Aim, shoulder: Shoulder, yaws: list[float], is_next_to_axis: bool
) -> list[WayToPose]:
    """The ways of a shoulder with the yaw angles that give it [rad], one for each posture.

    With the wrist center next to the yaw axis, `ways_on_axis` has those that leaning axes pick.
    """
    arm, rounding = aim.arm, _rounding(aim, shoulder)
    postures = [*map(partial(_in_place, aim), arm.wrist.postures(aim.sight, shoulder.yaw))]
    loose, leaned = postures[0].loose, turned_by_lean(arm, shoulder)
    # How near to the normal the last axis counts as along it.
    is_free = arm.wrist.has_two and loose * (SINGULAR + aim.missed + leaned) >= 1.0
    # Next to that, what axes that lean pick is better known than what exact ones ask for.
    least, ways = least_loose(leaned), list[WayToPose]()
    may_pick = arm.is_leaning and arm.wrist.has_two and not is_next_to_axis
    if may_pick and 1.0 / loose <= 1.0 / least + leaned:
        ways = [_way_from(aim, start) for start in picked_at(aim, shoulder, least)]
    is_loose = arm.is_leaning and loose >= least
    picked, in_line = bool(ways) and is_loose, [_in_line(aim, shoulder, loose)] if is_loose else []
    folding = [one for one in in_line if is_folded(arm, shoulder, one)]
    if not (folding or _is_outstretched(arm, shoulder)):
        in_line = []
    postures = [
        one for one in postures if not picked or (is_folded(arm, shoulder, one) and not folding)
    ]
    ways += [_way(arm, shoulder, yaws, one, one.loose * rounding) for one in (*in_line, *postures)]
    if not is_free:
        return ways
    singular = arm.wrist.singular(aim.sight, shoulder.yaw)
    free = [member(aim, shoulder.point, singular)]
    if arm.is_leaning:
        free += in_corners(arm, shoulder.point, singular)
    # With the last axis along the normal, the tip misses the pose a little, as if by rounding.
    members = [_way(arm, shoulder, yaws, one, rounding + 1.0 / loose) for one in free]
    return [*members, *ways] if arm.is_leaning else members


def _in_place(aim: Aim, posture: Posture) -> Posture:
    """A posture that needs a tilt; if no joint turns the plane, with the roll that leaves the tip
    in its place, unless that takes more than the tilt that is allowed."""
    arm, (roll, *_), tilt = aim.arm, posture.wrist, posture.tilt
    if tilt <= LEVEL or not is_out_of_plane(aim, posture.wrist):
        return posture
    some = (wrap(its - roll) for its in arm.stretch.rolls(arm.carrier.plane.into(aim.point)[2]))
    turn = min(some, key=abs, default=math.inf)
    near = math.hypot(tilt, turn) <= aim.tilt_tolerance
    return posture._replace(wrist=(roll + turn,)) if near else posture


def _in_line(aim: Aim, shoulder: Shoulder, loose: float) -> Posture:
    """The posture with the last link in line with joint 1, for a wrist that is loose."""
    (x, y), wrist = shoulder.point, aim.arm.wrist
    phi = math.atan2(y, x)
    return Posture(phi, wrist.two_at(aim.sight, shoulder.yaw, phi), 0.0, loose, is_singular=True)


def _is_outstretched(arm: WholeArm, shoulder: Shoulder) -> bool:
    """Whether the wrist center is as far away as links reach, where rounding may hide what leaning
    axes pick: the roots for both elbows meet there."""
    plane, planar = arm.carrier.plane, arm.carrier.planar
    return math.hypot(*shoulder.point) >= planar.max_reach - plane.slack


def ways_on_axis(aim: Aim) -> list[WayToPose]:
    """The ways that leaning axes pick with the wrist center next to the yaw axis."""
    return [_way_from(aim, start) for start in picked_on_axis(aim)]


def ways_with_axis_in_plane(
    aim: Aim, center: Point3, some: Sequence[ShoulderAtYaws]
) -> list[WayToPose]:
    """The ways with a single wrist joint's axis in the plane, where a tilt turns the plane far.

    The wrist center is at a point in space [m], which has these shoulders. The plane through it may
    be far from the planes with a tilt that is allowed.
    """
    arm, yaw, most = aim.arm, aim.arm.carrier.yaw, min(aim.tilt_tolerance, math.pi / 2.0)
    if yaw is None or most <= LEVEL:
        return []
    within = much_turned_within(arm.wrist.length, most)
    if some and abs(yaw.from_axis(some[0][0].point)[0]) > within:
        return []
    place = yaw.place_of(*arm.carrier.plane.into(center))
    (level, *_), _, (off, *_) = aim.sight
    turned = math.asin(math.sin(most) / max(math.hypot(level, off), math.sin(most)))
    found = []
    for angle in either_way(math.atan2(-off, level)):
        outwards, beside = yaw.seen_at(angle, place)
        near = abs(outwards) * turned + abs(yaw.aside) * turned**2 + arm.wrist.length * most
        if abs(beside) <= near:
            at = Shoulder(angle, yaw.in_plane(outwards, place.height))
            (posture,) = arm.wrist.postures(aim.sight, angle)
            way = _way(arm, at, yaw.turns(angle), posture, _rounding(aim, at))
            found.append(way._replace(posture=posture._replace(tilt=turned)))
    return found


def _way_from(aim: Aim, start: Start) -> WayToPose:
    """A way that leaning axes pick."""
    at, posture, elbow = start
    way = _way(aim.arm, at, [at.yaw], posture, posture.loose * _rounding(aim, at))
    return way._replace(elbows=[elbow])


def _way(
    arm: WholeArm, shoulder: Shoulder, yaws: list[float], posture: Posture, rounded: float
) -> WayToPose:
    """A way; at a straight or folded elbow, joints move by the root of the rounding."""
    planar = arm.carrier.planar
    length_1, length_2, _ = planar.link_lengths
    distance = math.hypot(*planar.wrist(*shoulder.point, posture.phi))
    missing = max(planar.beyond_reach(distance))
    free, elbow = posture.is_singular or is_family(planar, distance), rounded
    if missing <= planar.tolerance + FROM_ROUNDING * rounded * planar.max_reach:
        triangle, square = planar.solver.triangle, distance * distance
        room = max(0.0, (triangle.outer - square) * (square - triangle.inner))
        bend = math.sqrt(room) / max(2.0 * length_1 * length_2, planar.tolerance**2)
        bend *= distance / planar.max_reach  # there, the links turn less by this factor
        elbow = rounded / max(bend, math.sqrt(rounded))
        if planar.may_fold_onto_base and distance <= FROM_ROUNDING * rounded * planar.max_reach:
            elbow, free = math.pi, True  # rounding turns the wrist about joint 1
    return WayToPose(shoulder, yaws, posture, min(rounded, math.pi), min(elbow, math.pi), free)


def _rounding(aim: Aim, shoulder: Shoulder) -> float:
    """How far rounding, or what the pose may be missed by, turns the plane [rad]."""
    plane, yaw, missed = aim.arm.carrier.plane, aim.arm.carrier.yaw, aim.missed
    if yaw is None:
        return missed
    outwards = abs(yaw.from_axis(shoulder.point)[0])
    if yaw.holds_axis and outwards <= yaw.rounding:
        return missed  # on the axis, no point determines the yaw angle
    return missed * max(1.0, plane.loose_within / max(outwards, missed))
