# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The joints of a Z inside their limits: turns, joints that rounding put past one, free joints."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ik_circles.geometry.circles import Point
from ik_circles.geometry.limits import next_to, settled, turns_and_limits
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import ROUNDING_AT_FOLD, ArmModel, JointPositions


def put_inside(
    solver: PoseSolver, angles: JointPositions, target: Point, k: float
) -> list[JointPositions]:
    """The turns of a Z's angles inside the limits; joints that rounding put past a limit are on it.

    Free joints are as near to zero as the limits allow.
    """
    shared = _with_free_joints(solver, angles, target, k)
    if isinstance(shared, list):
        return shared
    model = solver.model
    return settled(
        shared,
        model.limits,
        _window(model, target),
        retries=lambda q, on_limit: _solved_again(model, q, on_limit, target, k),
        closes=lambda q: is_z(model, q, target, k),
    )


def _solved_again(
    model: ArmModel, q: JointPositions, on_limit: tuple[bool, ...], target: Point, k: float
) -> Iterator[JointPositions]:
    """Joint positions with some joints on a limit: as they are, then with one of these joints held.

    The other joints are solved again. That may put one of them on its limit; it is held next.
    """
    yield q
    for joint in range(3):
        if on_limit[joint]:
            once = _with_one_held(model, joint, q, target, k)
            yield once
            for other in range(3):
                if once[other] in model.limits[other]:
                    yield _with_one_held(model, other, once, target, k)


def _with_free_joints(
    solver: PoseSolver, angles: JointPositions, target: Point, k: float
) -> JointPositions | list[JointPositions]:
    """The angles with free joints near zero; if two joints share a sum, a list inside limits."""
    model = solver.model
    length_1, length_2, length_3 = model.link_lengths
    has_no_1, has_no_2, has_no_3 = model.without_length
    tolerance, distance = model.tolerance, math.hypot(*target)
    near_1, near_2, near_3 = model.home
    q1, q2, q3 = angles
    if distance <= tolerance:  # a line without length may have any direction
        return (
            near_1,
            near_2 if has_no_1 else math.pi,
            near_3 if has_no_3 else math.pi,
        )
    if has_no_2 and has_no_3:
        return q1, near_2, near_3
    if max(k * length_2, abs(length_2 - length_3), abs(length_1 - distance)) <= tolerance:
        return q1, near_2, math.pi  # link 1 ends at the target
    if has_no_3:
        q3 = near_3
    on_base = max((1.0 - k) * length_2, abs(length_1 - length_2), abs(length_3 - distance))
    if has_no_1:
        return _from_elbow_at_base(solver, (q1, q2, q3), target, k)
    if has_no_2 or on_base <= tolerance:  # link 3 starts at the base
        return solver.solutions(*target, q1 + q2 + q3)
    return q1, q2, q3


def _from_elbow_at_base(
    solver: PoseSolver, q: JointPositions, target: Point, k: float
) -> list[JointPositions]:
    """For a link 1 without length: joints 1 and 2 share a sum; joint 3 may be held on its limit."""
    model = solver.model
    _, length_2, length_3 = model.link_lengths
    sums = [sum(q)]
    for q3, on_limit in turns_and_limits(q[2], model.limits[2], _window(model, target)):
        if on_limit:
            tip = math.atan2(length_3 * math.sin(q3), length_2 + length_3 * math.cos(q3))
            sums.append(math.atan2(target[1], target[0]) - tip + q3)
    for phi in sums:
        found = solver.solutions(*target, phi)
        if inside := [one for one in found if is_z(model, one, target, k)]:
            return inside
    return []


def _window(model: ArmModel, target: Point) -> float:
    """How far rounding may have moved a joint [rad]: the square root of its share of a triangle."""
    share = model.tolerance / max(math.hypot(*target), model.tolerance)
    return min(model.rounding_at_fold + ROUNDING_AT_FOLD * math.sqrt(share), math.pi)


def is_z(model: ArmModel, q: JointPositions, target: Point, k: float) -> bool:
    """Whether the tip is at the target and the middle link crosses the line at its share k.

    Both hold to within CLOSURE tolerances of the arm.
    """
    _, elbow, wrist, tip = (complex(*point) for point in model.joint_points(q))
    line, crossing = complex(*target), elbow + k * (wrist - elbow)
    direction = line / (abs(line) or 1.0)  # a line without length is crossed at the base
    along = min(max((crossing * direction.conjugate()).real, 0.0), abs(line))
    beside = abs(crossing - along * direction)
    return max(abs(tip - line), beside) <= CLOSURE * model.tolerance


def _with_one_held(
    model: ArmModel, joint: int, q: JointPositions, target: Point, k: float
) -> JointPositions:
    """The joint positions with one joint held, and link 2 still crossing the line at its share.

    That does not use the length of link 3, or of link 1 if joint 3 is held. This length fits if
    rounding alone put the joint past its limit.
    """
    length_1, length_2, length_3 = model.link_lengths
    distance, line = math.hypot(*target), math.atan2(target[1], target[0])
    part_1, part_2 = k * length_2, (1.0 - k) * length_2
    if joint == 2:
        ahead, aside = part_2 + length_3 * math.cos(q[2]), length_3 * math.sin(q[2])
        forearm, along = -math.atan2(aside, ahead), distance - math.hypot(ahead, aside)
        first = math.atan2(-part_1 * math.sin(forearm), along - part_1 * math.cos(forearm))
        return _next_to(model, q, (line + first, forearm - first, q[2]), joint)
    if joint == 1:
        first = -math.atan2(part_1 * math.sin(q[1]), length_1 + part_1 * math.cos(q[1]))
        forearm = first + q[1]
    else:
        first = q[0] - line
        forearm = _forearm_across(length_1 * math.sin(first), part_1, first + q[1])
    last = math.atan2(
        -length_1 * math.sin(first) - length_2 * math.sin(forearm),
        distance - length_1 * math.cos(first) - length_2 * math.cos(forearm),
    )
    return _next_to(model, q, (line + first, forearm - first, last - forearm), joint)


def _forearm_across(height: float, part: float, near: float) -> float:
    """The direction close to `near` in which a part of link 2 reaches down to the line [rad]."""
    if part == 0.0:
        return near
    rising = math.asin(min(1.0, max(-1.0, -height / part)))
    return rising if math.cos(near) > 0.0 else math.pi - rising


def _next_to(
    model: ArmModel, near: JointPositions, angles: JointPositions, held: int
) -> JointPositions:
    q1, q2, q3 = (
        near[joint] if joint == held else next_to(near[joint], angle, model.limits[joint])
        for joint, angle in enumerate(angles)
    )
    return q1, q2, q3
