"""Intervals of angles on the circle."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ik_circles.geometry.angles import TURN, wrap

if TYPE_CHECKING:
    pass

Interval = tuple[float, float]


#: Cuts as near to each other as this [rad] are one that rounding has split.
ONE_ORIENTATION = 1e-11


#: Intervals whose widths differ by no more than this [rad] are equally wide.
WIDTH_ROUNDING = 1e-9


EVERY_ORIENTATION: Interval = (-math.pi, math.pi)


def _joined(pieces: list[Interval]) -> list[Interval]:
    """Unite neighbours that share an end; the last may run on into the first, a turn later."""
    joined: list[Interval] = []
    for lower, upper in pieces:
        if joined and lower - joined[-1][1] <= ONE_ORIENTATION:
            joined[-1] = joined[-1][0], upper
        else:
            joined.append((lower, upper))
    if len(joined) > 1 and joined[0][0] + TURN - joined[-1][1] <= ONE_ORIENTATION:
        joined[-1] = joined[-1][0], joined.pop(0)[1] + TURN
    for index, (lower, upper) in enumerate(joined):
        if 0.0 < upper - lower <= ONE_ORIENTATION:  # rounding has made two cuts of one
            lower = upper = wrap((lower + upper) / 2.0)
            joined[index] = lower, upper
        if lower <= -math.pi:
            joined[index] = lower + TURN, upper + TURN
    joined.sort()
    return joined


def united(found: list[Interval]) -> list[Interval]:
    """Intervals that may overlap as the same set in the form of orientation_intervals."""
    joined: list[Interval] = []
    for lower, upper in sorted(set(found)):
        if joined and lower - joined[-1][1] <= ONE_ORIENTATION:
            joined[-1] = joined[-1][0], max(joined[-1][1], upper)
        else:
            joined.append((lower, upper))
    while len(joined) > 1 and joined[0][0] + TURN - joined[-1][1] <= ONE_ORIENTATION:
        first = joined.pop(0)
        joined[-1] = joined[-1][0], max(joined[-1][1], first[1] + TURN)
    if joined and joined[-1][1] - joined[-1][0] >= TURN - ONE_ORIENTATION:
        return [EVERY_ORIENTATION]
    return joined


def contains(found: list[Interval], phi: float) -> bool:
    """Whether a turn of `phi` is in one of the intervals."""
    return any((phi - lower) % TURN <= upper - lower for lower, upper in found)


def nearest_orientation(found: list[Interval], phi: float) -> float:
    """The orientation in the intervals that is the smallest turn away from `phi`, in (-pi, pi]."""
    if contains(found, phi):
        return wrap(phi)
    return wrap(min((end for one in found for end in one), key=lambda end: abs(wrap(end - phi))))


def middle_of_widest(found: list[Interval]) -> float:
    """The orientation farthest from where the answer changes, in (-pi, pi]."""
    lower, upper = found[0]
    for other in found[1:]:
        if other[1] - other[0] > upper - lower + WIDTH_ROUNDING:
            lower, upper = other
    return wrap((lower + upper) / 2.0)


def stand_ins(found: list[Interval]) -> Iterator[float]:
    """Orientations in the intervals to try where rounding leaves the wanted one out: the middle of
    the widest, in which two cuts that have been joined may leave a gap, then the ends."""
    yield middle_of_widest(found)
    for interval in found:
        yield from map(wrap, interval)
