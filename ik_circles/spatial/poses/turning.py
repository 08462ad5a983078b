# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The turns of an ordinary full pose's joints: inside their limits, and nearest to a configuration.

In an ordinary pose, rounding does not decide whether a turn is inside the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, pi, remainder
from typing import NamedTuple

from ik_circles.geometry.angles import (
    CONTINUOUS,
    LESS_THAN_HALF,
    TURN,
    Angles,
    Limits,
    nearest_turn,
)
from ik_circles.planar.model import LARGE_ROUNDING
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.wrist import MOST_ROOM


class NotOrdinaryError(Exception):
    """Rounding might decide, or a joint is free: `FullPose` looks closer."""


class Range(NamedTuple):
    """The limits of a joint, with their middle and half their distance [rad].

    A joint that is past the limits by no more than `window` [rad] may be so by rounding only.
    """

    lower: float
    upper: float
    middle: float
    half: float
    window: float

    @classmethod
    def of(cls, limits: Limits, window: float = LARGE_ROUNDING) -> Range:
        """Make it from limits."""
        lower, upper = limits
        if limits == CONTINUOUS:
            return cls(lower, upper, 0.0, inf, window)
        return cls(lower, upper, (lower + upper) / 2.0, (upper - lower) / 2.0, window)


#: A joint to turn: the two ends of the range in which it needs no turning [rad], the angle to be
#: near to [rad], and its limits.
TurnedJoint = tuple[float, float, float, Range]


class Turning:
    """Turns the joints of an arm to where they are nearest to a configuration, `near`.

    Each method gives None if a joint has no turn inside its limits, and raises NotOrdinaryError if
    rounding might have put it past them. Most angles need no turning: they are inside the limits,
    and less than half a turn away. `three` are the joints in the plane.
    """

    def __init__(
        self, near: Whole, of_yaw: Range, of_three: Sequence[Range], of_wrist: Sequence[Range]
    ) -> None:
        self.near, self._of_wrist = near, of_wrist
        self._yaw, self.three = _turned(near.yaw, of_yaw), [*map(_turned, near.q, of_three)]
        self._wrist = [*map(_turned, near.wrist, of_wrist)]

    def yaw(self, angle: float) -> Angles | None:
        """The yaw joint."""
        lower, upper, near, its = self._yaw
        there = angle if lower <= angle <= upper else clearly_turned(angle, near, its)
        return None if there is None else (there,)

    def wrist(self, angles: Angles) -> Angles | None:
        """The wrist's joints."""
        for angle, (lower, upper, _, _) in zip(angles, self._wrist):
            if not lower <= angle <= upper:
                return turned(angles, self.near.wrist, self._of_wrist)
        return angles


def _turned(near: float, its: Range) -> TurnedJoint:
    """A joint that is to be near to an angle [rad]."""
    return max(its.lower, near - pi), min(its.upper, near + LESS_THAN_HALF), near, its


def turned(
    angles: Sequence[float], near: Sequence[float], ranges: Sequence[Range]
) -> Angles | None:
    """The turns of angles inside limits that are nearest to others [rad]; None if one has none.

    Raises NotOrdinaryError.
    """
    found = []
    for angle, at, its in zip(angles, near, ranges):
        inside = clearly_turned(angle, at, its)
        if inside is None:
            return None
        found.append(inside)
    return tuple(found)


def all_turned(
    some: Sequence[Sequence[float]], near: Sequence[float], ranges: Sequence[Range]
) -> list[Angles] | None:
    """`turned` for several configurations; None if one has no such turns, or rounding decides."""
    try:
        found = [turned(one, near, ranges) for one in some]
    except NotOrdinaryError:
        return None
    there = [one for one in found if one is not None]
    return there if len(there) == len(found) else None


def clearly_turned(angle: float, near: float, its: Range) -> float | None:
    """The turn of an angle inside limits that is nearest to `near`; None if there is none [rad]."""
    lower, upper, middle, half, window = its
    if half < pi and abs(remainder(angle - middle, TURN)) - half > window:
        return None
    if not -pi <= angle - near <= pi:
        angle = near + remainder(angle - near, TURN)
    if lower <= angle <= upper and angle - near <= LESS_THAN_HALF:
        return angle
    nearest = nearest_turn(angle, near, (lower, upper))
    if nearest != nearest_turn(angle, near, (lower, upper), window):
        raise NotOrdinaryError  # a limit is so near that rounding may have put the joint past it
    return nearest


def is_far_past(angle: float, its: Range) -> bool:
    """Whether every turn of an angle is past limits by more than MOST_ROOM [rad]."""
    return abs(remainder(angle - its.middle, TURN)) - its.half > MOST_ROOM
