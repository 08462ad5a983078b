"""Reason codes and the sentences that go with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from ik_circles.geometry.intervals import (
    EVERY_ORIENTATION,
    Interval,
)

if TYPE_CHECKING:
    pass

class Code(IntEnum):
    """Why a target was taken or not; the same numbers in IkStatus.msg and CheckReachability.srv."""

    OK = 0
    TOO_FAR = 1
    TOO_CLOSE = 2
    JOINT_LIMIT = 3
    ORIENTATION = 4
    OUT_OF_PLANE = 5
    BAD_FRAME = 6
    NOT_FINITE = 7
    NO_MODEL = 8
    STALE = 9
    JUMP = 10


class JointLabel(NamedTuple):
    """How a message speaks of a joint: its name, and +1 or -1 for the sense it counts in."""

    name: str
    sign: int = 1


Labels = tuple[JointLabel, JointLabel, JointLabel]


UNNAMED: Labels = JointLabel('joint 1'), JointLabel('joint 2'), JointLabel('joint 3')


class Reason(NamedTuple):
    """Why a position is out of reach, and the distance [m] that this explains."""

    sentence: str
    explains: float


def with_nearest(
    reason: Reason, target: Sequence[float], nearest: Sequence[float] | None, reach: float
) -> str:
    """The reason, and where the nearest reachable point is if that is not the same figure."""
    if nearest is None:
        return f'{reason.sentence}; the joint limits allow no point inside the safe zones'
    away = math.dist(target, nearest)
    if abs(away - reason.explains) <= 1e-6 * (reach + away):
        return reason.sentence
    return f'{reason.sentence}; the nearest reachable point is {metres_text(away)} away'


def excess_text(label: JointLabel, over: float) -> str:
    """Which limit a joint would pass, for an excess [rad] that is negative below the lower."""
    which = 'upper' if over * label.sign > 0.0 else 'lower'
    return f'{label.name} would exceed its {which} limit by {degrees_text(abs(over))}'


def reachable_with(found: list[Interval]) -> str:
    """The orientations that work, as a sentence."""
    if found == [EVERY_ORIENTATION]:
        return 'reachable with every tool orientation'
    ranges = [
        f'{math.degrees(lower):.1f}' + (f' to {math.degrees(upper):.1f}' if upper > lower else '')
        for lower, upper in found
    ]
    return f'reachable with tool orientations {", ".join(ranges)} deg'


def metres_text(length: float) -> str:
    """Three decimals, more for what is smaller than that, powers of ten for what is huge."""
    if length == 0.0 or 0.0005 <= length < 1e6:
        return f'{length:.3f} m'
    return f'{length:.2g} m' if length < 1.0 else f'{length:.4g} m'


def degrees_text(angle: float) -> str:
    """One decimal, more for what is smaller than that."""
    degrees = math.degrees(angle)
    return f'{degrees:.1f} deg' if degrees >= 0.05 else f'{degrees:.2g} deg'
