"""Tool orientations with which a point can be reached.

The wrist lies on a circle about the target. That circle is cut where a joint meets a limit or the
elbow is straight or folded; each cut is an intersection of two circles, and between two cuts side
by side nothing changes, so that one look between each pair of cuts decides all of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ik_circles.angles import TURN, wrap
from ik_circles.circles import Point, intersect_circles
from ik_circles.inverse import ORIGIN, solutions

if TYPE_CHECKING:
    from ik_circles.arm import JointPositions, PlanarArm

Interval = tuple[float, float]
#: An interval narrower than this [rad] of which rounding leaves an end out is one orientation.
ONE_ORIENTATION = 1e-9
#: An end that rounding leaves out is moved in by the interval's width halved this often, or less.
MOST_HALVINGS = 50


def intervals(arm: PlanarArm, x: float, y: float) -> list[Interval]:
    """Exact orientations for the point; see PlanarArm.orientation_intervals."""
    outside = math.hypot(x, y) - arm.max_reach
    if outside > arm.tolerance:
        return []
    cuts = sorted({wrap(cut) for cut in orientation_cuts(arm, (x, y))})
    if not cuts:
        return [(-math.pi, math.pi)] if solutions(arm, x, y, 0.0) else []
    ends = [*cuts[1:], cuts[0] + TURN]
    open_gap = [
        bool(solutions(arm, x, y, wrap((start + end) / 2.0)))
        for start, end in zip(cuts, ends, strict=True)
    ]
    if all(open_gap):
        return [(-math.pi, math.pi)]
    joined = _joined(
        [
            (start, end if is_open else start)
            for index, (start, end, is_open) in enumerate(zip(cuts, ends, open_gap, strict=True))
            if is_open or (not open_gap[index - 1] and solutions(arm, x, y, start))
        ]
    )
    return [_with_reached_ends(arm, (x, y), interval) for interval in joined]


def _with_reached_ends(arm: PlanarArm, target: Point, interval: Interval) -> Interval:
    """Rounding may put an end of the interval just outside: move it in until it can be reached."""
    lower, upper = interval
    width = upper - lower
    if 0.0 < width < ONE_ORIENTATION and not (
        solutions(arm, *target, wrap(lower)) and solutions(arm, *target, wrap(upper))
    ):
        middle = wrap((lower + upper) / 2.0)
        return middle, middle
    inwards = [0.0, *(width / 2.0**halvings for halvings in range(MOST_HALVINGS, 0, -1))]
    return (
        next((lower + s for s in inwards if solutions(arm, *target, wrap(lower + s))), lower),
        next((upper - s for s in inwards if solutions(arm, *target, wrap(upper - s))), upper),
    )


def _joined(pieces: list[Interval]) -> list[Interval]:
    """Unite neighbours that share an end; the last may run on into the first, a turn later."""
    joined: list[Interval] = []
    for lower, upper in pieces:
        if joined and joined[-1][1] == lower:
            joined[-1] = joined[-1][0], upper
        else:
            joined.append((lower, upper))
    if len(joined) > 1 and joined[-1][1] == joined[0][0] + TURN:
        joined[-1] = joined[-1][0], joined.pop(0)[1] + TURN
    return joined


def contains(found: list[Interval], phi: float) -> bool:
    """Whether a turn of `phi` is in one of the intervals."""
    return any((phi - lower) % TURN <= upper - lower for lower, upper in found)


def nearest_solutions(
    arm: PlanarArm,
    target: Point,
    found: list[Interval],
    phi: float,
    seed: JointPositions | None = None,
) -> tuple[float, list[JointPositions]]:
    """The orientation in the intervals, in (-pi, pi], that is the smallest turn away from `phi`,
    and the solutions with it."""
    ends = (wrap(end) for interval in found for end in interval)
    nearest_first = sorted(ends, key=lambda end: abs(wrap(end - phi)))
    for orientation in [wrap(phi)] * contains(found, phi) + nearest_first:
        reached = solutions(arm, *target, orientation, seed)
        if reached:
            break
    return orientation, reached


def middle_of_widest(found: list[Interval]) -> float:
    """The orientation farthest from where the answer changes, in (-pi, pi]."""
    lower, upper = max(found, key=lambda interval: interval[1] - interval[0])
    return wrap((lower + upper) / 2.0)


def orientation_cuts(arm: PlanarArm, target: Point) -> Iterator[float]:
    """Orientations at which the answer may change: the only places where it can."""
    length_3 = arm.link_lengths[2]
    if length_3 > arm.tolerance:
        for wrist in _wrist_cuts(arm, target):
            yield math.atan2(target[1] - wrist[1], target[0] - wrist[0])
    yield from _joint_3_cuts(arm, target)
    yield from _family_cuts(arm, target)


def _wrist_cuts(arm: PlanarArm, target: Point) -> Iterator[Point]:
    """Wrist positions with a straight or folded elbow, or with joint 1 or joint 2 at a limit."""
    length_1, length_2, length_3 = arm.link_lengths
    limits_1, limits_2, _ = arm.limits
    spans = [length_1 + length_2, abs(length_1 - length_2)]
    if limits_2[0] != -math.inf:
        spans += [span(length_1, length_2, limit) for limit in limits_2]
    for radius in spans:
        yield from intersect_circles(ORIGIN, radius, target, length_3, arm.tolerance)
    if limits_1[0] != -math.inf:
        for limit in limits_1:
            elbow = length_1 * math.cos(limit), length_1 * math.sin(limit)
            yield from intersect_circles(elbow, length_2, target, length_3, arm.tolerance)


def _joint_3_cuts(arm: PlanarArm, target: Point) -> Iterator[float]:
    """Joint 3 at a limit makes links 2 and 3 one rigid link from the elbow to the target."""
    length_1, length_2, length_3 = arm.link_lengths
    if arm.limits[2][0] == -math.inf:
        return
    for limit in arm.limits[2]:
        reach = span(length_2, length_3, limit)
        if reach <= arm.tolerance:
            continue
        turn = limit - bend(length_2, length_3, limit)
        for elbow in intersect_circles(ORIGIN, length_1, target, reach, arm.tolerance):
            yield math.atan2(target[1] - elbow[1], target[0] - elbow[0]) + turn


def _family_cuts(arm: PlanarArm, target: Point) -> Iterator[float]:
    """Where the last link has no length, a family of triples may share the point: the ends of
    its orientations are where all of its joints are at limits."""
    length_1, length_2, length_3 = arm.link_lengths
    if length_3 > arm.tolerance:
        return
    limits_1, limits_2, limits_3 = arm.limits
    direction = math.atan2(target[1], target[0])
    if length_1 <= arm.tolerance and length_2 <= arm.tolerance:
        sums = [a + b + c for a in limits_1 for b in limits_2 for c in limits_3]
    elif length_2 <= arm.tolerance:
        sums = [direction + b + c for b in limits_2 for c in limits_3]
    else:
        sums = [a + math.pi + c for a in limits_1 for c in limits_3]
    yield from (total for total in sums if math.isfinite(total))


def span(first: float, second: float, angle: float) -> float:
    """Length of two links with `angle` between their directions, frozen into one."""
    return math.hypot(first + second * math.cos(angle), second * math.sin(angle))


def bend(first: float, second: float, angle: float) -> float:
    """Direction of the two frozen links, from the direction of the first."""
    return math.atan2(second * math.sin(angle), first + second * math.cos(angle))
