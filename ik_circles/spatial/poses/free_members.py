# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses that leave a joint free: which member of the family is nearest to where the arm is?

A joint is free with the wrist center on the yaw axis, and with the last wrist axis along the
plane's normal.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import add, sub

import numpy as np

from ik_circles.geometry.angles import (
    TURN,
    Limits,
    either_way,
    ends,
    nearest_in,
    nearest_turn,
    wrap,
)
from ik_circles.geometry.angles import where_turning_gives as turning_to
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import (
    Interval,
    contains,
    nearest_orientation,
    shared,
    stand_ins,
)
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.selection import NEAR_SEED, SMALL_STEP, is_detour
from ik_circles.spatial.points.deciding import shoulders_at
from ik_circles.spatial.poses.aims import Aim, WayToPose
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.poses.whole_floor import phis_in_zones
from ik_circles.spatial.shoulder import ShoulderAtYaws
from ik_circles.spatial.wrist import SINGULAR, Posture, Sight, Singular
from ik_circles.spatial.yaw import Yaw

#: A wrist axis this near to the direction of the yaw axis is in every plane [1].
ALONG = 1e-10
#: Degree of the polynomials of `exp(i yaw)` that are 0 at an edge of the safe zones, up and down,
#: and the number of values that they are known by: it is more than twice the degree [1].
DEGREE, SAMPLES = 8, 32
#: The ways at one yaw angle.
Ways = Sequence[WayToPose]
#: Yaw angles this far beside such a root are tried, too: far more than its rounding [rad].
BESIDE_ROOT = 1e-6


def member(aim: Aim, point: Point, singular: Singular) -> Posture:
    """The posture of a singular orientation whose phi is nearest to where the arm is. If joints
    would make a detour to that, it is a posture with which they move about as little as possible.

    The wrist center is at a point of the plane [m]. If no posture is inside the limits and the safe
    zones, it is one inside the limits; or else one that all joints except the last can take.
    """
    arm, near, allowed = aim.arm, aim.near, _allowed(aim, point, singular)
    phi = wanted = sum(near.q)
    if allowed:
        wanted = nearest_orientation(allowed, wanted)
        tried = [wanted, *stand_ins(allowed, [wanted])]
        phi, _ = arm.carrier.planar.solver.first_solutions(*point, tried)
        phi = _without_detour(aim, point, singular, allowed, phi)
    return Posture(phi, (singular.first, singular.last(phi)), is_singular=True)


def in_corners(arm: WholeArm, point: Point, singular: Singular) -> Iterator[Posture]:
    """Postures near which leaning axes may have solutions inside the limits of several joints,
    although parallel axes have none.

    If only the yaw axis leans, a family has as many members as with parallel axes, and the lean
    picks none of them.
    """
    reached = arm.carrier.planar.orientation_intervals(*point)
    for lower, upper in arm.bounds.opened.orientation_intervals(*point):
        if not shared([(lower, upper)], reached):
            phi = (lower + upper) / 2.0
            yield Posture(phi, (singular.first, singular.last(phi)), is_singular=True)


def _without_detour(
    aim: Aim, point: Point, singular: Singular, allowed: list[Interval], phi: float
) -> float:
    """The orientation itself, or one near the arm's if joints make a detour to it [rad].

    The rule is the same as for a point alone, see `selection`; the last joint counts, too.
    """
    arm, near = aim.arm, aim.near
    change = _least_change(arm, point, singular, near, phi)
    if change <= SMALL_STEP:
        return phi
    last = near.wrist[1], *ends(arm.wrist_limits[1])
    some = [singular.total - singular.sign * angle for angle in last]
    some += arm.carrier.planar.orientations.near(*point, near.q, arm.limits_of_three)
    if aim.margin:
        some = [phi, *(one for one in some if contains(allowed, one))]
    changes = {one: _least_change(arm, point, singular, near, one) for one in some}
    closest = min(changes, key=changes.__getitem__)
    return closest if is_detour(change, changes[closest]) else phi


def _least_change(
    arm: WholeArm, point: Point, singular: Singular, near: Whole, phi: float
) -> float:
    """The largest change of the three joints and the last one from `near` [rad], with the better
    elbow; infinite without a solution inside the limits."""
    last = nearest_turn(singular.last(phi), near.wrist[1], arm.wrist_limits[1], ON_LIMIT)
    if last is None:
        return math.inf
    found = arm.carrier.planar.solver.solutions(*point, phi, near.q)
    changes = (max(map(abs, map(sub, arm.q_near(q, near.q), near.q))) for q in found)
    return max(abs(last - near.wrist[1]), min(changes, default=math.inf))


def _allowed(aim: Aim, point: Point, singular: Singular) -> list[Interval]:
    """The phi that all joints can take inside the safe zones [rad]; if there are none, those that
    all can take, or else all but the last.
    """
    arm = aim.arm
    reached = arm.carrier.planar.orientation_intervals(*point)
    found = shared(reached, singular.allowed(arm.wrist.limits[1])) or reached
    if not aim.margin:
        return found
    wrist = singular.first, singular.last(0.0)
    return shared(found, phis_in_zones(arm, point, wrist, aim.margin)) or found


def singular_shoulders(
    aim: Aim, center: Point3, others: list[ShoulderAtYaws]
) -> list[ShoulderAtYaws]:
    """The shoulders of a wrist center [m] with a singular wrist, if none of the others has it.

    Where the plane just meets the center, or next to the yaw axis, rounding of the center turns the
    plane by more than what counts as singular. There, the orientation determines the yaw angle.
    """
    arm, yaw = aim.arm, aim.arm.carrier.yaw
    (_, o_y, _), (_, l_y, _), (_, n_y, _) = aim.sight
    if yaw is None or arm.is_leaning or not arm.wrist.has_two or abs(l_y) > SINGULAR:
        return []
    place, angle = yaw.place_of(*arm.carrier.plane.into(center)), math.atan2(o_y, n_y)
    return [
        (at, yaws) for at, yaws in shoulders_at(yaw, angle, place, ON_LIMIT, aim.missed)
        if not any(abs(wrap(at.yaw - one.yaw)) <= SINGULAR for one, _ in others)
    ]  # fmt: skip


def is_free_on_axis(arm: WholeArm, sight: Sight) -> bool:
    """Whether the yaw joint is free with the wrist center on its axis.

    A single wrist joint has its axis in the plane at two yaw angles only, or at all of them.
    """
    (outwards, *_), _, (off, *_) = sight
    return arm.wrist.has_two or math.hypot(outwards, off) <= ALONG


def yaws_on_axis(aim: Aim, yaw: Yaw, point: Point) -> list[float]:
    """Yaw angles to try with the wrist center on the yaw axis, the nearest first [rad]; `yaw` has
    the limits of the joint itself.

    Of all yaw angles that solve the pose, the nearest one is that of `near` itself, or one at which
    a joint comes to a limit, or the tip to an edge of the safe zones.
    """
    arm, sight, near = aim.arm, aim.sight, aim.near
    planar, two = arm.carrier.planar, arm.wrist.has_two
    next_to: Iterator[float] = iter(())
    if two:
        ends_of_phi = chain.from_iterable(planar.orientation_intervals(*point))
        wanted = yaws_of_two(arm, sight, arm.wrist.limits, ends_of_phi)
        if not arm.is_leaning:  # else it is corrected from there
            at_limits = planar.orientations.near(*point, near.q, arm.limits_of_three)
            next_to = yaws_of_two(arm, sight, arm.wrist_limits, at_limits)
    else:
        wanted = iter(_yaws_of_roll(arm, sight))
    room, is_free = max(ON_LIMIT, arm.room), is_free_on_axis(arm, sight)
    if aim.margin and is_free:
        wanted = chain(wanted, _yaws_at_zones(aim, point))
    some = [nearest_turn(one, near.yaw, yaw.limits, room) for one in wanted]
    if is_free:
        some += [nearest_in(near.yaw, yaw.limits), *ends(yaw.limits)]
    # Only for those without a detour: joints that can take every angle meet no limit elsewhere.
    close = (nearest_turn(one, near.yaw, yaw.limits, room) for one in next_to)
    some += (one for one in close if one is not None and abs(one - near.yaw) <= NEAR_SEED)
    return sorted({one for one in some if one is not None}, key=lambda one: abs(one - near.yaw))


def first_solved(
    at_yaws: Sequence[tuple[float, Ways]], solved: Callable[[Ways], list[Whole]], near: Whole
) -> list[Whole]:
    """The solutions of the ways at the first yaw angle that has any; if joints would make a detour
    to these, the solutions at another one where they change least.

    With a joint next to its limit, the first yaw angle may leave only another flip of the wrist.
    """
    first, number = list[Whole](), 0
    while not first and number < len(at_yaws):
        first, number = solved(at_yaws[number][1]), number + 1
    change = _change(first, near)
    if change <= SMALL_STEP:
        return first
    close = (ways for yaw, ways in at_yaws[number:] if abs(yaw - near.yaw) <= NEAR_SEED)
    found = {_change(its, near): its for its in (first, *map(solved, close))}
    least = min(found)
    return found[least] if is_detour(change, least) else first


def _change(some: list[Whole], near: Whole) -> float:
    """The least change from there among some configurations, of their joint that moves most [rad].
    """
    return min((one.change(near)[0] for one in some), default=math.inf)


def _yaws_of_roll(arm: WholeArm, sight: Sight) -> list[float]:
    """Yaw angles that put the wrist axis into the plane; if it always is, those that put the roll
    joint on a limit."""
    (outwards, *_), (up, *_), (off, *_) = sight
    if not is_free_on_axis(arm, sight):
        return [*either_way(math.atan2(-off, outwards))]
    (posture,) = arm.wrist.postures(sight, 0.0)
    sign = math.copysign(1.0, up)
    return [wrap(sign * (posture.wrist[0] - end)) for end in ends(arm.wrist_limits[0])]


def yaws_of_two(
    arm: WholeArm, sight: Sight, limits: Sequence[Limits], phis: Iterable[float]
) -> Iterator[float]:
    """Yaw angles that put a wrist joint on one of its limits, or the last link at an orientation in
    the plane [rad]."""
    (o_x, o_y, o_z), (_, l_y, _), (n_x, n_y, n_z) = sight
    wrist, (first, last) = arm.wrist, limits
    for end in ends(first):
        yield from turning_to(n_y, o_y, math.sin(end + wrist.first_at_zero))
    for end in ends(last):
        x, z = math.cos(end), math.sin(end)
        yield from turning_to(n_x * x + n_z * z, o_x * x + o_z * z, 0.0)
    for phi in phis:
        x, y = math.cos(phi - wrist.phi_at_zero), math.sin(phi - wrist.phi_at_zero)
        yield from turning_to(o_y * x, -n_y * x, -l_y * y)


def _yaws_at_zones(aim: Aim, point: Point) -> Iterator[float]:
    """Yaw angles that put the tip on an edge of the safe zones, and angles a hair beside them, with
    the wrist center at a point of the plane [m].

    Let the tip be `t` from the first joint and `d` from the third. At an edge, `t` is the margin,
    or `t + d` or `t - d` is some `k` or `-k`. So `(t^2 + k^2 - d^2)^2 - 4 k^2 t^2` is 0. Both flips
    multiplied, and by what the wrist divides by, that is a polynomial of `exp(i yaw)`, known by its
    values.
    """
    arm, (length_1, length_2, _) = aim.arm, aim.arm.carrier.planar.link_lengths
    ks = length_1 + length_2 - aim.margin, abs(length_1 - length_2) + aim.margin
    values = []
    for angle in np.arange(SAMPLES) * TURN / SAMPLES:
        some = arm.wrist.postures(aim.sight, float(angle))
        x, y = map(add, point, arm.tip_in_plane_from_center(some[0].phi, some[0].wrist))
        third = (arm.carrier.planar.wrist(*point, one.phi) for one in some)
        squares, away = [math.dist((x, y), one) ** 2 for one in third], x * x + y * y
        edges = ([(away + k * k - one) ** 2 - 4.0 * k * k * away for one in squares] for k in ks)
        level = some[0].loose ** -4
        values.append([away - aim.margin**2, *(level * math.prod(its) for its in edges)])
    for its in np.fft.fft(np.array(values), axis=0).T:
        for root in np.angle(np.roots(its[range(DEGREE, -DEGREE - 1, -1)])).tolist():
            yield from (root, root - BESIDE_ROOT, root + BESIDE_ROOT)
