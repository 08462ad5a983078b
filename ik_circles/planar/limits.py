# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint angles inside their limits, and on a limit that rounding put them past."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ik_circles.geometry.angles import Limits, ends, nearest_in, wrap
from ik_circles.geometry.circles import Circle, bend, span
from ik_circles.geometry.limits import settled
from ik_circles.planar.model import ROUNDING_AT_FOLD, ArmModel, JointPositions, with_joint

Pose = tuple[float, float, float]

#: A stricter closure, in tolerances, for tests of whether an orientation is reachable. If somebody
#: then asks for that pose, which differs from the tested one by rounding, it still closes.
CLOSURE_OF_LOOKS = 4.0
#: Near the base, an error of one tolerance turns the wrist's direction by the tolerance divided by
#: the wrist's distance. Base and wrist each add that much.
ROUNDING_AT_BASE = 2.0


def inside_limits(
    model: ArmModel, angles: JointPositions, pose: Pose, distance: float, closure: float
) -> list[JointPositions]:
    """Every turn of the angles inside the limits; joints that rounding put past a limit are on it.

    Parameters
    ----------
    angles : one solution, of any turns [rad]
    pose : what it must reach `(x, y, phi)` [m, m, rad]
    distance : of the wrist from the base [m]
    closure : by how many tolerances a solution on a limit may miss the pose
    """
    return settled(
        angles,
        model.limits,
        rounding_window(model, distance),
        retries=lambda q, on_limit: _solved_again(model, q, on_limit, pose),
        closes=lambda q: _closes(model, q, pose, closure),
    )


def tip_circles(model: ArmModel, phi: float) -> Iterator[Circle]:
    """The circles that hold the tip wherever a joint is on a limit, or the elbow is straight or
    folded, with the tool at an orientation [rad]."""
    length_1, length_2, length_3 = model.link_lengths
    ends_1, ends_2, ends_3 = map(ends, model.limits)
    x, y = length_3 * math.cos(phi), length_3 * math.sin(phi)
    yield (x, y), length_1 + length_2
    yield (x, y), abs(length_1 - length_2)
    for q2 in ends_2:
        yield (x, y), span(length_1, length_2, q2)
    for q1 in ends_1:
        yield (x + length_1 * math.cos(q1), y + length_1 * math.sin(q1)), length_2
    for q3 in ends_3:
        forearm = phi - q3
        yield (x + length_2 * math.cos(forearm), y + length_2 * math.sin(forearm)), length_1


def rounding_window(model: ArmModel, distance: float) -> float:
    """How far an error of one tolerance can move a joint, with the wrist at a distance [m, rad].

    With the elbow straight or folded, that is the root of the error's share of a link. With the
    wrist near the base, it is the error's share of the wrist's distance, and the root of that.
    """
    share = model.tolerance / distance
    root = ROUNDING_AT_FOLD * math.sqrt(share)
    return min(model.rounding_at_fold + root + ROUNDING_AT_BASE * share, math.pi)


def _solved_again(
    model: ArmModel, q: JointPositions, on_limit: tuple[bool, ...], pose: Pose
) -> Iterator[JointPositions]:
    """The pose solved again with one of the joints kept on its limit, then the joints as they are.

    Solving again may put another joint on its limit, which is then kept instead. If a link is
    short, both may be worse than the joints as they are. If two links are short, the position
    determines only few digits of any joint. In the end, each joint takes the rest of the
    orientation.
    """
    tried: list[JointPositions] = []
    for kept in range(3):
        if on_limit[kept]:
            solved = _solved_with_one_kept(model, kept, q, pose)
            yield solved
            tried.append(solved)
            for other in range(3):
                if solved[other] in model.limits[other]:
                    yield _solved_with_one_kept(model, other, solved, pose)
    yield q
    for one in (q, *tried):
        for joint in range(3):
            left = pose[2] - sum(one) + one[joint]
            one = with_joint(one, joint, _next_to(one[joint], left, model.limits[joint]))
            yield one


def _solved_with_one_kept(
    model: ArmModel, kept: int, q: JointPositions, pose: Pose
) -> JointPositions:
    """The joint positions close to `q` that reach a pose as nearly as possible with one joint kept.
    """
    length_1, length_2, _ = model.link_lengths
    wrist_x, wrist_y = model.wrist(*pose)
    limits_1, limits_2, limits_3 = model.limits
    q1, q2, q3 = q
    if kept == 0:
        forearm = math.atan2(
            wrist_y - length_1 * math.sin(q1), wrist_x - length_1 * math.cos(q1)
        )
        q2 = _next_to(q2, forearm - q1, limits_2)
    elif kept == 1:
        q1 = _next_to(q1, math.atan2(wrist_y, wrist_x) - bend(length_1, length_2, q2), limits_1)
    else:
        forearm = pose[2] - q3
        upper_arm = math.atan2(
            wrist_y - length_2 * math.sin(forearm), wrist_x - length_2 * math.cos(forearm)
        )
        q1 = _next_to(q1, upper_arm, limits_1)
        return q1, _next_to(q2, forearm - q1, limits_2), q3
    return q1, q2, _next_to(q3, pose[2] - q1 - q2, limits_3)


def _next_to(near: float, angle: float, limits: Limits) -> float:
    """The turn of an angle nearest to another angle, or the limit before it [rad]."""
    return nearest_in(near + wrap(angle - near), limits)


def _closes(model: ArmModel, q: JointPositions, pose: Pose, closure: float) -> bool:
    """Whether joint positions reach a pose to within `closure` tolerances."""
    tip = model.pose_at(q)
    turned = abs(wrap(tip.phi - pose[2])) * model.max_reach
    return max(math.dist(tip[:2], pose[:2]), turned) <= closure * model.tolerance
