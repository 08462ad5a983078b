"""Inverse kinematics of a pose: the wrist point, then one intersection of two circles."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from ik_circles.angles import TURN, Limits, nearest_in, turns_into, wrap
from ik_circles.circles import intersect_circles

if TYPE_CHECKING:
    from ik_circles.arm import JointPositions, PlanarArm

ORIGIN = (0.0, 0.0)
#: A solution put exactly on a limit may miss the target by this many tolerances.
CLOSURE = 4.0
#: Range above which a joint may have a second turn inside its limits, even with rounding [rad].
NEARLY_A_TURN = TURN - 1e-3


def solutions(
    arm: PlanarArm, x: float, y: float, phi: float, seed: JointPositions | None = None
) -> list[JointPositions]:
    """Every joint triple inside the limits for the pose; see PlanarArm.inverse_kinematics."""
    length_1, length_2, length_3 = arm.link_lengths
    wrist = x - length_3 * math.cos(phi), y - length_3 * math.sin(phi)
    distance = math.hypot(*wrist)
    if _is_family(arm, distance):
        member = _family_member(arm, wrist, phi, seed or home(arm))
        return [] if member is None else [member]
    found: list[JointPositions] = []
    for elbow in intersect_circles(ORIGIN, length_1, wrist, length_2, arm.tolerance):
        upper_arm = math.atan2(elbow[1], elbow[0])
        forearm = math.atan2(wrist[1] - elbow[1], wrist[0] - elbow[0])
        angles = upper_arm, forearm - upper_arm, phi - forearm
        found += _inside_limits(arm, angles, (x, y, phi), distance)
    return found


def unlimited(arm: PlanarArm, x: float, y: float, phi: float) -> list[JointPositions]:
    """Both elbow branches as if the joints had no limits, each angle in (-pi, pi]."""
    _, length_2, length_3 = arm.link_lengths
    wrist = x - length_3 * math.cos(phi), y - length_3 * math.sin(phi)
    found: list[JointPositions] = []
    for elbow in intersect_circles(
        ORIGIN, arm.link_lengths[0], wrist, length_2, arm.tolerance
    ):
        upper_arm = math.atan2(elbow[1], elbow[0])
        forearm = math.atan2(wrist[1] - elbow[1], wrist[0] - elbow[0])
        found.append((upper_arm, wrap(forearm - upper_arm), wrap(phi - forearm)))
    return found


# --- limits ---------------------------------------------------------------------------------------


def _inside_limits(
    arm: PlanarArm, angles: JointPositions, pose: tuple[float, float, float], distance: float
) -> list[JointPositions]:
    """The turns of `angles` inside the limits; a joint that rounding put past one is put on it."""
    window = _rounding_window(arm, distance)
    choices = [
        _turns_and_limits(angle, limits, window)
        for angle, limits in zip(angles, arm.limits, strict=True)
    ]
    found: list[JointPositions] = []
    for (q1, on_1), (q2, on_2), (q3, on_3) in product(*choices):
        if not (on_1 or on_2 or on_3):
            found.append((q1, q2, q3))
        else:
            met = _on_limits(arm, (q1, q2, q3), (on_1, on_2, on_3), pose)
            if met is not None and met not in found:
                found.append(met)
    return found


def _rounding_window(arm: PlanarArm, distance: float) -> float:
    """How far [rad] a tolerance in metres can move a joint: by its root where the arm is straight
    or folded, by its share of the wrist's distance where the wrist is near the base."""
    shortest = min(length for length in arm.link_lengths if length > arm.tolerance)
    return 4.0 * math.sqrt(arm.tolerance / shortest) + 2.0 * arm.tolerance / distance


def _turns_and_limits(angle: float, limits: Limits, window: float) -> list[tuple[float, bool]]:
    """Turns of `angle` inside the limits, and limits it passes by no more than `window` (True)."""
    lower, upper = limits
    if lower == -math.inf:
        return [(wrap(angle), False)]
    return [
        (nearest_in(turn, limits), not lower <= turn <= upper)
        for turn in turns_into(angle, (lower - window, upper + window))
    ]


def _on_limits(
    arm: PlanarArm,
    q: JointPositions,
    on_limit: tuple[bool, bool, bool],
    pose: tuple[float, float, float],
) -> JointPositions | None:
    """Keep one of the joints on its limit, solve the other two again, accept if that closes;
    where a short link makes that worse than it was, accept `q` itself if it closes."""
    for joint in (0, 1, 2):
        if on_limit[joint]:
            solved = _solve_with_frozen(arm, joint, q, pose)
            if _closes(arm, solved, pose):
                return solved
    return q if _closes(arm, q, pose) else None


def _solve_with_frozen(
    arm: PlanarArm, joint: int, q: JointPositions, pose: tuple[float, float, float]
) -> JointPositions:
    length_1, length_2, length_3 = arm.link_lengths
    x, y, phi = pose
    wrist_x, wrist_y = x - length_3 * math.cos(phi), y - length_3 * math.sin(phi)
    if joint == 0:
        upper_arm = q[0]
        forearm = math.atan2(
            wrist_y - length_1 * math.sin(upper_arm), wrist_x - length_1 * math.cos(upper_arm)
        )
    elif joint == 1:
        bend = math.atan2(length_2 * math.sin(q[1]), length_1 + length_2 * math.cos(q[1]))
        upper_arm = math.atan2(wrist_y, wrist_x) - bend
        forearm = upper_arm + q[1]
    else:
        forearm = phi - q[2]
        upper_arm = math.atan2(
            wrist_y - length_2 * math.sin(forearm), wrist_x - length_2 * math.cos(forearm)
        )
    angles = [upper_arm, forearm - upper_arm, phi - forearm]
    for other, limits in enumerate(arm.limits):
        near = q[other] + wrap(angles[other] - q[other])
        angles[other] = q[other] if other == joint else nearest_in(near, limits)
    return angles[0], angles[1], angles[2]


def _closes(arm: PlanarArm, q: JointPositions, pose: tuple[float, float, float]) -> bool:
    length_1, length_2, length_3 = arm.link_lengths
    forearm, tool = q[0] + q[1], q[0] + q[1] + q[2]
    miss_x = (
        length_1 * math.cos(q[0]) + length_2 * math.cos(forearm) + length_3 * math.cos(tool)
    ) - pose[0]
    miss_y = (
        length_1 * math.sin(q[0]) + length_2 * math.sin(forearm) + length_3 * math.sin(tool)
    ) - pose[1]
    return (
        math.hypot(miss_x, miss_y) <= CLOSURE * arm.tolerance
        and abs(wrap(tool - pose[2])) * arm.max_reach <= CLOSURE * arm.tolerance
    )


# --- families: poses that a whole range of joint triples reaches ----------------------------------


def _is_family(arm: PlanarArm, distance: float) -> bool:
    length_1, length_2, _ = arm.link_lengths
    tolerance = arm.tolerance
    return (
        length_1 <= tolerance
        or length_2 <= tolerance
        or (distance <= tolerance and abs(length_1 - length_2) <= tolerance)
    )


def home(arm: PlanarArm) -> JointPositions:
    """Joint positions as near to zero as the limits allow [rad]."""
    q1, q2, q3 = (nearest_in(0.0, limits) for limits in arm.limits)
    return q1, q2, q3


def _family_member(
    arm: PlanarArm, wrist: tuple[float, float], phi: float, seed: JointPositions
) -> JointPositions | None:
    """The member of the family that is inside the limits and nearest to the seed."""
    length_1, length_2, _ = arm.link_lengths
    tolerance, distance = arm.tolerance, math.hypot(*wrist)
    limits_1, limits_2, limits_3 = arm.limits
    direction = math.atan2(wrist[1], wrist[0])
    if length_1 <= tolerance and length_2 <= tolerance:
        if distance > tolerance:
            return None
        rest = limits_2[0] + limits_3[0], limits_2[1] + limits_3[1]
        parts = _share_turns(phi, limits_1, rest, seed[0], seed[1] + seed[2])
        if parts is None:
            return None
        q2, q3 = _share(parts[1], limits_2, limits_3, seed[1], seed[2])
        return parts[0], q2, q3
    if length_1 <= tolerance:
        if abs(distance - length_2) > tolerance:
            return None
        return _with_one_fixed(arm, 2, phi - direction, direction, seed)
    if length_2 <= tolerance:
        if abs(distance - length_1) > tolerance:
            return None
        return _with_one_fixed(arm, 0, direction, phi - direction, seed)
    return _with_one_fixed(arm, 1, math.pi, phi - math.pi, seed)


def _with_one_fixed(
    arm: PlanarArm, joint: int, angle: float, rest: float, seed: JointPositions
) -> JointPositions | None:
    """`joint` at a turn of `angle`, the other two share a turn of `rest`, nearest to the seed."""
    first, second = (other for other in (0, 1, 2) if other != joint)
    members: list[JointPositions] = []
    for value, _ in _turns_and_limits(angle, arm.limits[joint], arm.tolerance / arm.max_reach):
        parts = _share_turns(
            rest, arm.limits[first], arm.limits[second], seed[first], seed[second]
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
        sums = [value for value, _ in _turns_and_limits(total, range_of_sum, 1e-13)]
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
