# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Angles inside joint limits: every turn of them, and joints that rounding has put past a limit.

A closed form gives angles that are off by rounding. A joint that is past its limit by no more than
that is put on the limit. The other joints are then solved again, so that the target is still met.
The caller says how to solve again, and whether the target is met; `settled` does the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeVar, cast

from ik_circles.geometry.angles import (
    CONTINUOUS,
    LESS_THAN_HALF,
    TURN,
    Limits,
    nearest_in,
    nearest_turn,
    turns_into,
    wrap,
)

#: A joint past its limit by no more than this counts as on it [rad]: the difference is rounding.
ON_LIMIT = 1e-10

#: Joint angles of an arm or a limb [rad].
SomeAngles = TypeVar('SomeAngles', bound=tuple[float, ...])
#: Which of the joints rounding has put on a limit.
OnLimit = tuple[bool, ...]


def settled(
    angles: SomeAngles,
    limits: Sequence[Limits],
    window: float,
    retries: Callable[[SomeAngles, OnLimit], Iterable[SomeAngles]],
    closes: Callable[[SomeAngles], bool],
) -> list[SomeAngles]:
    """Every turn of the angles inside the limits; a joint next to a limit is put on it.

    Parameters
    ----------
    angles : joint angles, as a closed form gives them [rad]
    limits : (lower, upper) of each joint [rad]
    window : how far past a limit rounding may put a joint [rad]
    retries : takes angles with a joint put on its limit; returns the angles to try, in that order
    closes : whether angles meet the target; it is asked only about the retries
    """
    choices = (turns_and_limits(angle, limit, window) for angle, limit in zip(angles, limits))
    found: list[SomeAngles] = []
    for choice in product(*choices):
        q, on_limit = cast('tuple[SomeAngles, OnLimit]', tuple(zip(*choice)))
        one = next(filter(closes, retries(q, on_limit)), None) if any(on_limit) else q
        if one is not None and one not in found:
            found.append(one)
    return found


def turns_and_limits(angle: float, limits: Limits, window: float) -> list[tuple[float, bool]]:
    """Turns of `angle` inside the limits, and limits it passes by no more than `window` (True)."""
    lower, upper = limits
    if lower == -math.inf:
        return [(wrap(angle), False)]
    return [
        (nearest_in(turn, limits), not lower <= turn <= upper)
        for turn in turns_into(angle, (lower - window, upper + window))
    ]


def next_to(near: float, angle: float, limits: Limits) -> float:
    """The turn of `angle` nearest to `near`, or the limit before it; wrapped without limits."""
    if limits == CONTINUOUS:
        return wrap(angle)
    return nearest_in(near + wrap(angle - near), limits)


def nearest_turns(angle: float, near: float, limits: Limits, window: float) -> list[float]:
    """The turn of `angle` inside the limits that is nearest to `near`.

    A limit that the angle passes by no more than `window` counts, too. Such a limit is followed by
    the next nearest turn, because it works only if the other joints can follow.
    """
    if limits[0] == -math.inf:
        return [near + wrap(angle - near)]
    turns = turns_and_limits(angle, limits, window)
    turns.sort(key=lambda one: abs(one[0] - near))
    inside = next((index for index, one in enumerate(turns) if not one[1]), len(turns))
    return [turn for turn, _ in turns[: inside + 1]]


def turns_near(
    angles: Sequence[float],
    near: Sequence[float],
    limits: Sequence[Limits],
    window: float = ON_LIMIT,
) -> list[float]:
    """Angles inside their limits, each at the turn nearest to another angle.

    Of two turns that are equally near, it is the lower one. A limit that an angle passes by no more
    than `window` counts as a turn, too.
    """
    found = []
    for angle, its, limit in zip(angles, near, limits):
        lower, upper = limit
        if not (lower <= angle <= upper and -math.pi <= angle - its <= LESS_THAN_HALF):
            turned = nearest_turn(angle, its, limit, window)
            angle = nearest_in(angle, limit) if turned is None else turned
        found.append(angle)
    return found


def brought_inside(angle: float, limits: Limits) -> float:
    """A turn of the angle inside the limits, else the limit that is nearest to one."""
    lower, upper = limits
    if lower == -math.inf:
        return wrap(angle)
    middle = (lower + upper) / 2.0
    if lower <= angle <= upper and -math.pi <= angle - middle <= math.pi:
        return angle
    return nearest_in(middle + wrap(angle - middle), limits)


def excess(angle: float, limits: Limits) -> float:
    """How far the nearest turn of the angle is past a limit, negative below the lower."""
    return wrap(angle - brought_inside(angle, limits))


def is_past(angle: float, limits: Limits, room: float) -> bool:
    """Whether every turn of an angle is past limits by more than some room [rad]."""
    return beyond(angle, limits) > room


def beyond(angle: float, limits: Limits) -> float:
    """How far the best turn of an angle is past the nearest limit, negative inside [rad]."""
    lower, upper = limits
    if lower == -math.inf:
        return -math.inf
    away = abs(math.remainder(angle - (lower + upper) / 2.0, TURN))
    return away - (upper - lower) / 2.0
