"""Poses that a whole family of joint triples reaches: links without length, wrist on the base."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ik_circles.geometry.angles import Limits, nearest_in, wrap
from ik_circles.planar.limits import turns_and_limits

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

#: An angle may be past a limit by this much, which is rounding [rad].
ANGLE_ROUNDING = 9e-13


def is_family(arm: PlanarArm, distance: float) -> bool:
    length_1, length_2, _ = arm.link_lengths
    tolerance = arm.tolerance
    return (
        length_1 <= tolerance
        or length_2 <= tolerance
        or (distance <= tolerance and abs(length_1 - length_2) <= tolerance)
    )


def family_member(
    arm: PlanarArm,
    wrist: tuple[float, float],
    phi: float,
    seed: JointPositions,
    closure: float,
) -> JointPositions | None:
    """The member of the family that is inside the limits and nearest to the seed; the wrist may
    be off by half of `closure`, in tolerances, as links without length may be as long as one."""
    length_1, length_2, _ = arm.link_lengths
    tolerance, distance = arm.tolerance, math.hypot(*wrist)
    off = 0.5 * closure * tolerance
    limits_1, limits_2, limits_3 = arm.limits
    direction = math.atan2(wrist[1], wrist[0])
    if length_1 <= tolerance and length_2 <= tolerance:
        if distance > off:
            return None
        rest = limits_2[0] + limits_3[0], limits_2[1] + limits_3[1]
        parts = _share_turns(phi, limits_1, rest, seed[0], seed[1] + seed[2])
        if parts is None:
            return None
        q2, q3 = _share(parts[1], limits_2, limits_3, seed[1], seed[2])
        return parts[0], q2, q3
    if length_1 <= tolerance:
        if abs(distance - length_2) > off:
            return None
        return _with_one_fixed(arm, 2, phi - direction, phi, seed)
    if length_2 <= tolerance:
        if abs(distance - length_1) > off:
            return None
        return _with_one_fixed(arm, 0, direction, phi, seed)
    return _with_one_fixed(arm, 1, math.pi, phi, seed)


def _with_one_fixed(
    arm: PlanarArm, joint: int, angle: float, phi: float, seed: JointPositions
) -> JointPositions | None:
    """`joint` at a turn of `angle`, the other two share the rest of `phi`, nearest to the seed."""
    first, second = (other for other in (0, 1, 2) if other != joint)
    members: list[JointPositions] = []
    window = ANGLE_ROUNDING + 2.0 * arm.tolerance / max(arm.link_lengths[:2])
    for value, _ in turns_and_limits(angle, arm.limits[joint], window):
        parts = _share_turns(
            phi - value, arm.limits[first], arm.limits[second], seed[first], seed[second]
        )
        if parts is not None:
            q = [value, value, value]
            q[first], q[second] = parts
            members.append((q[0], q[1], q[2]))
    return min(
        members,
        key=lambda q: max(abs(a - b) for a, b in zip(q, seed, strict=True)),
        default=None,
    )


def _share_turns(
    total: float, limits_a: Limits, limits_b: Limits, near_a: float, near_b: float
) -> tuple[float, float] | None:
    """Two angles inside their limits that add up to a turn of `total`, nearest to those given."""
    range_of_sum = limits_a[0] + limits_b[0], limits_a[1] + limits_b[1]
    wanted = near_a + near_b
    if range_of_sum[0] == -math.inf:
        sums = [wanted + wrap(total - wanted)]
    else:
        sums = [value for value, _ in turns_and_limits(total, range_of_sum, ANGLE_ROUNDING)]
    if not sums:
        return None
    nearest = min(sums, key=lambda value: abs(value - wanted))
    return _share(nearest, limits_a, limits_b, near_a, near_b)


def _share(
    total: float, limits_a: Limits, limits_b: Limits, near_a: float, near_b: float
) -> tuple[float, float]:
    """Split `total`, which the limits allow, so that both parts are moved equally little."""
    allowed = max(limits_a[0], total - limits_b[1]), min(limits_a[1], total - limits_b[0])
    part_a = nearest_in(nearest_in((near_a + total - near_b) / 2.0, allowed), limits_a)
    return part_a, nearest_in(total - part_a, limits_b)
