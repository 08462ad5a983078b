# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How low an arm may get while its joints move, and which arms stand on z = 0 of base_link."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import cast

import numpy as np

from ik_circles.control.motion.catching_up import Instead, ways_from
from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arrays import Floats
from ik_circles.planar.model import JointPositions
from ik_circles.robot.arm import NamedPositions, RobotArm
from ik_circles.spatial.floor import LEANING, lean_of
from ik_circles.spatial.plane import ArmPlane

#: A motion counts as above the floor if it, or the bound on how low it gets, is at most this far
#: below the floor [m].
GRAZE = 1e-4
#: A jog that begins below the floor gets at most this much lower than it has been, in total [m].
SINKS = 1e-5
#: A bound on a short piece of a motion is off by less than this [m].
BOUND_ROUNDING = 1e-7
#: The time between two waypoints is cut into halves, and these again, at most this many times.
MOST_HALVINGS = 12
#: The same for a jog above the floor, whose motions are short.
FEW_HALVINGS = 3
#: For each joint, by name, the two positions that it stays between [rad], in any order.
Box = Mapping[str, tuple[float, float]]


def stands(arm: RobotArm) -> bool:
    """Whether the arm turns about base_link's z, with its first joint above z = 0."""
    plane = arm.spatial.plane
    return plane.yaw is not None and lean_of(plane) < LEANING and bool(arm.plane[2, 3] > 0.0)


def lowest(arm: RobotArm, start: NamedPositions, end: NamedPositions) -> float:
    """A height that no part of the arm gets below while each joint moves from `start` to `end`, at
    any speed [m]; see `lowest_in`."""
    return lowest_in(arm, {name: (start[name], end[name]) for name in arm.commanded_joints})


def lowest_in(arm: RobotArm, box: Box) -> float:
    """A height along base_link's z that elbow, wrist, wrist center and tip do not get below [m],
    while each commanded joint stays inside an interval.

    The arm has to be one that may have a floor. The absolute angle of a link lies in the sum of the
    intervals of the joints before it. Within that range, each link has a lowest end; the bound adds
    these up. It holds for every motion inside the box, and is exact if nothing moves, but for the
    lean of a plane that counts as vertical. A moving wrist turns the tip about the wrist center,
    starting from the middle of the wrist's intervals.
    """
    start, end = ({name: ends[side] for name, ends in box.items()} for side in (0, 1))
    whole, three = arm.whole, [arm.whole_naming.arm_angles(one) for one in (start, end)]
    if whole is None:
        return min(_heights(arm.spatial.plane, arm.arm.link_lengths, three))
    plane, lengths = whole.carrier.plane, whole.carrier.planar.link_lengths
    carrier, away = _heights(plane, lengths, three), float(np.linalg.norm(whole.wrist.center))
    swing = sum(abs(start[name] - end[name]) for name in arm.wrist_joints) / 2.0
    held = whole.holding([(start[name] + end[name]) / 2.0 for name in arm.wrist_joints])
    to_tip = [(q1, q2, q3 + held.shift) for q1, q2, q3 in three]
    tip = _heights(plane, (*lengths[:2], held.length), to_tip)[-1]
    return min(*carrier, max(carrier[-1] - away, tip - swing * away))


def time_above(
    arm: RobotArm,
    at: NamedPositions,
    joints: Sequence[str],
    trajectory: Trajectory,
    halvings: int = MOST_HALVINGS,
    instead: Instead = (),
) -> float:
    """The time up to which a trajectory of some joints certainly stays above the floor [s].

    That also holds for a controller whose joints start where they may be `instead`, and not where
    the trajectory starts.

    All other joints stay where they are, `at`. The motion is cut at its waypoints, and then into
    halves, until a bound shows that each piece is above the floor. So the pieces of a quick stop
    are short, however long the slow motion after it takes. The pieces get so short that a motion
    that just touches the floor is accepted: GRAZE leaves room for that. An arm that starts below
    the floor may rise, but never gets lower than at its start.
    """
    if trajectory.duration == 0.0 or arm.floor is None or not arm.joints.keys() & set(joints):
        return trajectory.duration
    if instead:
        ways = ways_from(trajectory, instead)
        return min(time_above(arm, at, joints, way, halvings) for way in ways)
    times, extremes = [one.time for one in trajectory.waypoints], trajectory.extremes
    height, bends = _height_on(arm, at, joints, trajectory), _bends(arm, joints, trajectory)
    floor = min(arm.floor - GRAZE, height(0.0)) - BOUND_ROUNDING
    still = {name: (at[name], at[name]) for name in arm.commanded_joints if name not in joints}

    todo = [(0.0, trajectory.duration, 0)]
    while todo:
        begin, end, halved = todo.pop()
        first, last = bisect_right(times, begin) - 1, bisect_left(times, end)
        strongest = extremes.accelerations[first:last].max(axis=0)
        moved = _box(joints, trajectory, (begin, end), strongest)
        if lowest_in(arm, {**still, **moved}) >= floor:
            continue
        is_one = last - first == 1
        bend = bends[first] * (end - begin) ** 2
        if is_one and _least_height(height(begin), height(end), bend) >= floor:
            continue
        middle = (begin + end) / 2.0 if is_one else times[(first + last) // 2]
        halved += is_one
        if halved > halvings:
            return begin
        todo += [(middle, end, halved), (begin, middle, halved)]
    return trajectory.duration


def _box(
    joints: Sequence[str], path: Trajectory, times: tuple[float, float], strongest: Floats
) -> Box:
    """The intervals that the joints of a path stay inside between two times [s]; see `lowest_in`.

    A joint leaves the interval between its two positions by no more than its strongest acceleration
    can bend its way.
    """
    (begin, first), (end, last) = ((time, path.at(time)[0]) for time in times)
    bends = (strongest * ((end - begin) ** 2 / 8.0)).tolist()
    return {
        name: (min(a, b) - bend, max(a, b) + bend)
        for name, a, b, bend in zip(joints, first, last, bends)
    }


def is_below(arm: RobotArm, at: NamedPositions) -> bool:
    """Whether an arm is below its floor, if it has one."""
    return arm.floor is not None and lowest(arm, at, at) < arm.floor - GRAZE


def risen(arm: RobotArm, at: NamedPositions, before: float = -math.inf) -> float:
    """How high an arm below its floor has got, `before` or now [m]; at most up to the floor."""
    if arm.floor is None:
        return before
    return max(before, min(lowest(arm, at, at), arm.floor - GRAZE))


def stays_above(
    arm: RobotArm, at: NamedPositions, joints: Sequence[str], path: Trajectory, level: float
) -> bool:
    """Whether a bound shows that a short path stays above the floor.

    A path that begins below the floor may rise. Its waypoints must be no lower than the `level` [m]
    that `risen` gives, or than the arm is now, whichever is lower. Between waypoints, the path may
    be lower than that level by SINKS.
    """
    if is_below(arm, at):
        here = lowest(arm, at, at)
        least = min(level - SINKS, here - BOUND_ROUNDING)
        return _is_no_lower(arm, at, joints, path, (min(level, here), least))
    return time_above(arm, at, joints, path, FEW_HALVINGS) >= path.duration


def _is_no_lower(
    arm: RobotArm,
    at: NamedPositions,
    joints: Sequence[str],
    path: Trajectory,
    levels: tuple[float, float],
) -> bool:
    """Whether a path stays above one level at its waypoints, and above another between them [m]."""
    height = _height_on(arm, at, joints, path)
    heights = [(one.time, height(one.time)) for one in path.waypoints]
    at_waypoints, least = levels
    if any(one < at_waypoints for _, one in heights[1:]):
        return False
    bends = _bends(arm, joints, path)
    todo = [(*pair, bend, 0) for pair, bend in zip(pairwise(heights), bends)]
    while todo:
        (begin, first), (end, last), bend, halved = todo.pop()
        if _least_height(first, last, bend * (end - begin) ** 2) >= least:
            continue
        if halved == MOST_HALVINGS:
            return False
        middle = (begin + end) / 2.0
        between = middle, height(middle)
        todo += [
            (between, (end, last), bend, halved + 1), ((begin, first), between, bend, halved + 1)
        ]  # fmt: skip
    return True


def _height_on(
    arm: RobotArm, at: NamedPositions, joints: Sequence[str], path: Trajectory
) -> Callable[[float], float]:
    """How high the lowest part of the arm is at a time of a path [m]."""

    def height(time: float) -> float:
        positions = {**at, **dict(zip(joints, path.at(time)[0]))}
        return lowest(arm, positions, positions)

    return height


def _bends(arm: RobotArm, joints: Sequence[str], path: Trajectory) -> list[float]:
    """How strongly heights may bend on a path, for each pair of waypoints [m/s^2].

    It is an eighth of the largest second derivative: times the squared time between two heights, it
    is the `bend` of `_least_height`. The yaw joint changes no height.
    """
    turned = [number for number, name in enumerate(joints) if name != arm.yaw_joint]
    reach, extremes = sum(arm.arm.link_lengths), path.extremes
    if (whole := arm.whole) is not None:
        away = float(np.linalg.norm(whole.wrist.center))
        reach = sum(whole.carrier.planar.link_lengths) + away
    speeds, changes = (
        one[:, turned].sum(axis=1) for one in (extremes.speeds, extremes.accelerations)
    )
    return cast('list[float]', (reach * (speeds**2 + changes) / 8.0).tolist())


def _least_height(first: float, last: float, bend: float) -> float:
    """A bound on the heights between two [m], if they hang below a straight line by up to `bend`.

    The deepest curve is a parabola. If the heights differ enough, its lowest point is an end.
    """
    hangs = 4.0 * bend - abs(last - first)
    return min(first, last) - (hangs**2 / (16.0 * bend) if hangs > 0.0 else 0.0)


def _heights(
    plane: ArmPlane, lengths: Sequence[float], ends: Sequence[JointPositions]
) -> list[float]:
    """How low the elbow, the wrist and the tip get between two positions [m]."""
    (_, _, up_x), (_, _, up_y), _, (_, _, height) = plane.columns
    level = math.atan2(up_y, up_x) - math.pi / 2.0
    lower = accumulate(map(min, *ends))
    upper = accumulate(map(max, *ends))
    found = []
    for length, first, last in zip(lengths, lower, upper):
        height += length * _least_sine(first - level, last - level)
        found.append(height)
    return found


def _least_sine(first: float, last: float) -> float:
    """The least sine of the angles from `first` to `last` [rad]."""
    to_lowest = (-math.pi / 2.0 - first) % TURN
    return -1.0 if first + to_lowest <= last else min(math.sin(first), math.sin(last))
