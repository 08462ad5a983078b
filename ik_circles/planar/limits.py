"""Turning joint angles into their limits, and onto a limit that rounding put them past."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

from ik_circles.geometry.angles import Limits, nearest_in, turns_into, wrap

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

#: A solution put exactly on a limit may miss the target by this many tolerances.
CLOSURE = 9.0
#: Where only orientations are looked for, by so many: those between two that are near enough are.
CLOSURE_OF_LOOKS = 4.0


def home(arm: PlanarArm) -> JointPositions:
    """Joint positions as near to zero as the limits allow [rad]."""
    q1, q2, q3 = (nearest_in(0.0, limits) for limits in arm.limits)
    return q1, q2, q3


def inside_limits(
    arm: PlanarArm,
    angles: JointPositions,
    pose: tuple[float, float, float],
    distance: float,
    closure: float = CLOSURE,
) -> list[JointPositions]:
    """The turns of `angles` inside the limits; a joint that rounding put past one is put on it."""
    window = rounding_window(arm, distance)
    choices = [
        turns_and_limits(angle, limits, window)
        for angle, limits in zip(angles, arm.limits, strict=True)
    ]
    found: list[JointPositions] = []
    for (q1, on_1), (q2, on_2), (q3, on_3) in product(*choices):
        one: JointPositions | None = q1, q2, q3
        if on_1 or on_2 or on_3:
            one = _on_limits(arm, (q1, q2, q3), (on_1, on_2, on_3), pose, closure)
        if one is not None and one not in found:
            found.append(one)
    return found


def rounding_window(arm: PlanarArm, distance: float) -> float:
    """How far [rad] a tolerance in metres can move a joint: by its root where the arm is straight
    or folded, by its share of the wrist's distance, and its root, where that is near the base."""
    share = arm.tolerance / distance
    return min(arm.rounding_at_fold + 4.0 * math.sqrt(share) + 2.0 * share, math.pi)


def turns_and_limits(angle: float, limits: Limits, window: float) -> list[tuple[float, bool]]:
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
    closure: float,
) -> JointPositions | None:
    """Keep one of the joints on its limit, solve the other two again, accept if that closes;
    where a short link makes that worse than it was, accept `q` itself if it closes."""
    for joint in (0, 1, 2):
        if on_limit[joint]:
            solved = _solve_with_frozen(arm, joint, q, pose)
            if _closes(arm, solved, pose, closure):
                return solved
            for other in (0, 1, 2):  # that put another joint on its limit
                if not on_limit[other] and solved[other] in arm.limits[other]:
                    again = _solve_with_frozen(arm, other, solved, pose)
                    if _closes(arm, again, pose, closure):
                        return again
    return q if _closes(arm, q, pose, closure) else None


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
    q1, q2, q3 = q
    if joint != 0:
        q1 = _turned_next_to(q1, upper_arm, arm.limits[0])
    if joint != 1:
        q2 = _turned_next_to(q2, forearm - q1, arm.limits[1])
    if joint != 2:
        q3 = _turned_next_to(q3, phi - q1 - q2, arm.limits[2])
    return q1, q2, q3


def _turned_next_to(near: float, angle: float, limits: Limits) -> float:
    return nearest_in(near + wrap(angle - near), limits)


def _closes(
    arm: PlanarArm, q: JointPositions, pose: tuple[float, float, float], closure: float
) -> bool:
    length_1, length_2, length_3 = arm.link_lengths
    forearm, tool = q[0] + q[1], q[0] + q[1] + q[2]
    miss_x = (
        length_1 * math.cos(q[0]) + length_2 * math.cos(forearm) + length_3 * math.cos(tool)
    ) - pose[0]
    miss_y = (
        length_1 * math.sin(q[0]) + length_2 * math.sin(forearm) + length_3 * math.sin(tool)
    ) - pose[1]
    return (
        math.hypot(miss_x, miss_y) <= closure * arm.tolerance
        and abs(wrap(tool - pose[2])) * arm.max_reach <= closure * arm.tolerance
    )
