# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Intervals of angles on the circle: unions, membership, the nearest angle, the middle.

An interval is `(lower, upper)` [rad], counter-clockwise from lower to upper. A list of them is in
its normal form when it is ascending and disjoint, with each lower end in (-pi, pi] and each upper
end at least that and less than a turn above it. The whole circle is `[(-pi, pi)]`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ik_circles.geometry.angles import TURN, wrap

Interval = tuple[float, float]

EVERY_ORIENTATION: Interval = (-math.pi, math.pi)
#: Ends no farther apart than this are one end that rounding has split [rad].
ONE_ORIENTATION = 1e-11
#: Widths of intervals that differ by no more than this count as equal, and so do distances between
#: angles [rad].
WIDTH_ROUNDING = 1e-9
#: Where rounding has left an angle out, angles this far beside it are tried [rad], in this order.
STEPS_BESIDE = tuple(10.0**exponent for exponent in range(-15, -2))


def united(pieces: Iterable[Interval]) -> list[Interval]:
    """Unite intervals, which may touch or overlap, into the normal form.

    Pieces of one angle that rounding has split become that angle: the middle of the widest piece.
    """
    ordered = sorted(pieces)
    joined: list[Interval] = []
    for lower, upper in ordered:
        if joined and lower - joined[-1][1] <= ONE_ORIENTATION:
            joined[-1] = joined[-1][0], max(joined[-1][1], upper)
        else:
            joined.append((lower, upper))
    while len(joined) > 1 and joined[0][0] + TURN - joined[-1][1] <= ONE_ORIENTATION:
        _, upper = joined.pop(0)
        joined[-1] = joined[-1][0], max(joined[-1][1], upper + TURN)
    if joined and joined[-1][1] - joined[-1][0] >= TURN - ONE_ORIENTATION:
        return [EVERY_ORIENTATION]
    for index, (lower, upper) in enumerate(joined):
        if 0.0 < upper - lower <= ONE_ORIENTATION:
            lower = upper = _middle_of_pieces(ordered, lower, upper)
            joined[index] = lower, upper
        if lower <= -math.pi:
            joined[index] = lower + TURN, upper + TURN
    joined.sort()
    return joined


def _middle_of_pieces(pieces: list[Interval], lower: float, upper: float) -> float:
    """The middle of the widest piece that starts between two angles, in (-pi, pi]."""
    inside = [one for one in pieces if (one[0] - lower) % TURN <= upper - lower]
    start, end = max(inside, key=lambda one: one[1] - one[0])
    return wrap((start + end) / 2.0)


def contains(intervals: Iterable[Interval], angle: float) -> bool:
    """Whether a turn of the angle is in one of the intervals."""
    return any((angle - lower) % TURN <= upper - lower for lower, upper in intervals)


def nearest_orientation(intervals: list[Interval], angle: float) -> float:
    """The angle in the intervals that is the smallest turn away from `angle`, in (-pi, pi].

    Of two that are equally near, it is the one counter-clockwise from `angle`.
    """
    if contains(intervals, angle):
        return wrap(angle)
    changes = {end: wrap(end - angle) for interval in intervals for end in interval}
    least = min(map(abs, changes.values())) + WIDTH_ROUNDING
    nearest = (end for end in changes if abs(changes[end]) <= least)
    return wrap(max(nearest, key=changes.__getitem__))


def middle_of_widest(intervals: list[Interval]) -> float:
    """The angle in the middle of the widest interval, the first of equals, in (-pi, pi]."""
    lower, upper = intervals[0]
    for other in intervals[1:]:
        if other[1] - other[0] > upper - lower + WIDTH_ROUNDING:
            lower, upper = other
    return wrap((lower + upper) / 2.0)


def taken_orientation(intervals: list[Interval], wanted: float | None) -> float:
    """The angle in the intervals nearest to the wanted one, else the middle of the widest."""
    return middle_of_widest(intervals) if wanted is None else nearest_orientation(intervals, wanted)


def stand_ins(intervals: list[Interval], wanted: Sequence[float] = ()) -> Iterator[float]:
    """Angles in the intervals to try where rounding leaves the wanted ones out.

    The nearest ones beside the wanted ones come first, then the middle of the widest interval. That
    middle may lie in a gap between two cuts that were joined, so the ends of all intervals follow.
    """
    for size in STEPS_BESIDE:
        for angle in wanted:
            for step in (size, -size):
                if contains(intervals, angle + step):
                    yield wrap(angle + step)
    yield middle_of_widest(intervals)
    for interval in intervals:
        yield from map(wrap, interval)


def shared(some: Iterable[Interval], others: Sequence[Interval]) -> list[Interval]:
    """The angles that are in both lists of intervals, as intervals in no order."""
    found: list[Interval] = []
    for lower, upper in some:
        for start, end in others:
            for turn in (-TURN, 0.0, TURN):
                low, high = max(lower, start + turn), min(upper, end + turn)
                if low <= high:
                    found.append((low, high))
    return found
