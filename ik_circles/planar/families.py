# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses that a whole family of joint positions reaches: links without length, wrist on the base.

One joint is free there, or two joints share a sum. The answer has the member of the family inside
the limits that is nearest to the seed, and the nearest one with the other elbow, if there is one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits, ends, nearest_in, wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.limits import turns_and_limits
from ik_circles.geometry.tolerances import EITHER_ELBOW
from ik_circles.planar.model import ArmModel, JointPositions

#: Rounding may put a sum of joint angles past the sum of their limits by this much [rad].
ANGLE_ROUNDING = 9e-13
#: The wrist may be off by this share of the closure, because even a link without length may be one
#: tolerance long.
SHARE_OF_CLOSURE = 0.5
#: A miss of one tolerance turns a direction by up to this many tolerances per longer link.
DIRECTION_ROUNDING = 2.0


def is_family(model: ArmModel, distance: float) -> bool:
    """Whether a wrist at a distance from the base [m] leaves a joint free."""
    is_on_base = model.may_fold_onto_base and distance <= model.tolerance
    return any(model.without_length[:2]) or is_on_base


def family_members(
    model: ArmModel, wrist: Point, phi: float, seed: JointPositions, closure: float
) -> list[JointPositions]:
    """The member of a family that is nearest to the seed, and the nearest one with the other elbow;
    see `family_member`."""
    nearest = family_member(model, wrist, phi, seed, closure)
    if nearest is None:
        return []
    first, limits, last = model.limits
    bent = (
        family_member(model, wrist, phi, seed, closure, (first, bends, last))
        for bends in _half_turns(limits, seed[1])
    )
    return one_of_each_elbow(model, [nearest, *filter(None, bent)], seed)


def one_of_each_elbow(
    model: ArmModel, members: Sequence[JointPositions], seed: JointPositions
) -> list[JointPositions]:
    """Of some members, the nearest to the seed, and the nearest one with the other elbow."""
    nearest, *others = sorted(members, key=lambda q: _largest_turn(model, q, seed))
    bend = math.sin(nearest[1])
    if abs(bend) <= EITHER_ELBOW:
        return [nearest]
    side = math.copysign(1.0, bend)
    return [nearest, *[q for q in others if side * math.sin(q[1]) <= EITHER_ELBOW][:1]]


def family_member(
    model: ArmModel,
    wrist: Point,
    phi: float,
    seed: JointPositions,
    closure: float,
    limits: Sequence[Limits] | None = None,
) -> JointPositions | None:
    """The member of a family inside the limits that is nearest to the seed; None if there is none.

    The wrist [m] may be off by half of `closure`, which is in tolerances. The `limits` are those of
    the model, unless they are given [rad].
    """
    limits = limits or model.limits
    length_1, length_2, _ = model.link_lengths
    distance, direction = math.hypot(*wrist), math.atan2(wrist[1], wrist[0])
    has_no_1, has_no_2, _ = model.without_length
    reach = 0.0 if has_no_1 and has_no_2 else length_2 if has_no_1 else length_1
    room = SHARE_OF_CLOSURE * closure * model.tolerance
    if (has_no_1 or has_no_2) and abs(distance - reach) > room:
        return None
    if has_no_1 and has_no_2:
        members = _share_turns(phi, limits, seed, ANGLE_ROUNDING)
        return None if members is None else (members[0], members[1], members[2])
    fixed = (2, phi - direction) if has_no_1 else (0, direction) if has_no_2 else (1, math.pi)
    return _with_one_fixed(model, limits, *fixed, phi, seed)


def family_corners(model: ArmModel, wrist: Point, phi: float) -> Iterator[JointPositions]:
    """Members of a family with all free joints except one at a limit; limits may be passed [rad].

    Among the members that pass the fewest limits, and these by the least, is always one of these.
    """
    direction = math.atan2(wrist[1], wrist[0])
    has_no_1, has_no_2, _ = model.without_length
    fixed = {2: phi - direction} if has_no_1 else {0: direction} if has_no_2 else {1: math.pi}
    if has_no_1 and has_no_2:
        fixed = {}
    for last in {0, 1, 2} - fixed.keys():
        choices = [
            (fixed[joint],) if joint in fixed else ends(limits) or (0.0,)
            for joint, limits in enumerate(model.limits)
        ]
        choices[last] = (0.0,)
        for q in map(list, product(*choices)):
            q[last] = phi - sum(q)
            yield q[0], q[1], q[2]


def family_orientations(model: ArmModel, direction: float) -> list[float]:
    """Orientations at which a family may end, for a point in a direction from the base [rad].

    If links without length share a point, all joints of the family are at limits there.
    """
    has_no_1, has_no_2, has_no_3 = model.without_length
    angles: list[Sequence[float]] = [*model.limits]
    if not has_no_3:  # links 2 and 3 may fold onto the base, with the wrist on it
        angles[2] = (math.pi,)
    elif not has_no_2:
        angles[1] = (math.pi,)
    elif not has_no_1:
        angles[0] = (direction,)
    return [total for total in map(sum, product(*angles)) if math.isfinite(total)]


def _with_one_fixed(
    model: ArmModel,
    limits: Sequence[Limits],
    joint: int,
    angle: float,
    phi: float,
    seed: JointPositions,
) -> JointPositions | None:
    """The member with one joint at a turn of `angle`; the others share the rest of `phi`, as near
    to the seed as possible."""
    first, second = (other for other in (0, 1, 2) if other != joint)
    members: list[JointPositions] = []
    window = ANGLE_ROUNDING + DIRECTION_ROUNDING * model.tolerance / max(model.link_lengths[:2])
    for value, _ in turns_and_limits(angle, limits[joint], window):
        parts = _share_turns(
            phi - value,
            (limits[first], limits[second]),
            (seed[first], seed[second]),
            window,
        )
        if parts is not None:
            q = [value, value, value]
            q[first], q[second] = parts
            missing = wrap(phi - q[0] - q[1] - q[2])
            if abs(missing) > ANGLE_ROUNDING:  # the others are on their limits: it takes the rest
                q[joint] = nearest_in(value + missing, limits[joint])
            if abs(wrap(phi - q[0] - q[1] - q[2])) <= ANGLE_ROUNDING:
                members.append((q[0], q[1], q[2]))
    return min(members, key=lambda q: _largest_turn(model, q, seed), default=None)


def _half_turns(limits: Limits, near: float) -> list[Limits]:
    """The parts of a joint's range in which its angle has a sine of one sign [rad]; of a continuous
    joint, those next to an angle."""
    lower, upper = (near - math.pi, near + math.pi) if limits == CONTINUOUS else limits
    halves = range(math.floor(lower / math.pi), math.ceil(upper / math.pi))
    return [(max(lower, n * math.pi), min(upper, (n + 1) * math.pi)) for n in halves]


def _share_turns(
    total: float, limits: Sequence[Limits], near: Sequence[float], window: float
) -> list[float] | None:
    """Angles inside their limits, nearest to the given ones, with a turn of `total` as their sum.

    Their sum may miss that turn by up to `window` because of the limits [rad].
    """
    range_of_sum = sum(lower for lower, _ in limits), sum(upper for _, upper in limits)
    if range_of_sum[0] == -math.inf:
        wanted = sum(map(nearest_in, near, limits))
        nearest = wanted + wrap(total - wanted)
        sums = [nearest, nearest - TURN, nearest + TURN]  # a limit may be in the way of the nearest
    else:
        sums = [value for value, _ in turns_and_limits(total, range_of_sum, window)]
    return min(
        (_share(value, limits, near) for value in sums),
        key=lambda parts: _largest_change(parts, near),
        default=None,
    )


def _share(total: float, limits: Sequence[Limits], near: Sequence[float]) -> list[float]:
    """Split a sum that the limits allow; all parts move equally far from the given ones, except
    those that a limit stops."""
    parts, moving = list(near), list(range(len(near)))
    while moving:
        move = (total - sum(parts)) / len(moving)
        for part in moving:
            parts[part] = nearest_in(near[part] + move, limits[part])
        missing = {part: near[part] + move - parts[part] for part in moving}
        direction = sum(missing.values())
        kept = [part for part in moving if missing[part] * direction <= 0.0]
        if kept == moving:
            break
        for part in kept:
            parts[part] = near[part]
        moving = kept
    return parts


def _largest_turn(model: ArmModel, q: JointPositions, seed: JointPositions) -> float:
    """The largest change of a joint; continuous ones turn the short way round [rad]."""
    return max(
        abs(wrap(angle - near) if limits == CONTINUOUS else angle - near)
        for angle, near, limits in zip(q, seed, model.limits)
    )


def _largest_change(angles: Sequence[float], near: Sequence[float]) -> float:
    return max(abs(angle - its) for angle, its in zip(angles, near))
