# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Reason codes, and the sentences that say why: what is wrong, the figure, and what would work."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

#: A nearest point whose distance differs from the reason's figure by less than this share of the
#: lengths involved is not worth a second figure.
SAME_FIGURE = 1e-6
#: Rounding of a share, in thousandths: 0.57 is 57 %.
SHARE_ROUNDING = 1e-9
#: A target that is too far by more than this many reaches of the arm is probably in millimeters
#: [1]. In millimeters, a target at a twentieth of the reach is already that far.
MILLIMETERS = 50.0
#: A length of this or more is reported as "more than" this [m]: targets in space are brought to
#: within 1e300 m, and the distance between two points of a plane may overflow.
LARGEST = 9.9e299


class Code(IntEnum):
    """Why a target was taken or not; the same numbers as in the messages, services and actions.

    A new code goes here, into IkStatus.msg, CheckReachability.srv and MoveTo.action, and into
    docs/codes.md.
    """

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
    FLOOR = 11
    DISABLED = 12
    NO_FEEDBACK = 13
    CANCELED = 14


class JointLabel(NamedTuple):
    """How a message names a joint, and the sign (+1 or -1) of its own angle in the arm's plane."""

    name: str
    sign: int = 1


JointLabels = tuple[JointLabel, JointLabel, JointLabel]
UNNAMED_JOINTS: JointLabels = JointLabel('joint 1'), JointLabel('joint 2'), JointLabel('joint 3')


class Reason(NamedTuple):
    """Why a point is out of reach, and how much of the distance to it that explains [m]."""

    sentence: str
    explains: float = 0.0


def in_millimeters(missing: float, reach: float) -> str:
    """How the sentence ends about a target that is too far to be in meters [m]; '' for others."""
    return '; is it in millimeters? give meters' if missing > MILLIMETERS * reach else ''


def too_far(missing: float, reach: float, joint: str, margin: float) -> Reason:
    """The target is beyond the outer safe zone by `missing`; lengths in meters."""
    why = f'the links reach {meters_text(reach)} from {joint}{_margin_text(margin)}'
    why += in_millimeters(missing, reach)
    return Reason(f'too far by {meters_text(missing)}: {why}', missing)


def too_close(missing: float, reach: float, joint: str, margin: float) -> Reason:
    """The target is within the inner safe zone by `missing`; lengths in meters."""
    why = f'the links reach to within {meters_text(reach)} of {joint}{_margin_text(margin)}'
    return Reason(f'too close by {meters_text(missing)}: {why}', missing)


def below_floor(part: str, depth: float) -> Reason:
    """A part of the arm would be below the floor by `depth` [m]."""
    return Reason(f'{part} would be {meters_text(depth)} below the floor', depth)


def wrong_orientation(wanted: float, why: str, works: float) -> str:
    """The orientation that was asked for, why it does not work, and the nearest that does [rad].

    The angles have one decimal, or as many as tell them apart.
    """
    asked, nearest = math.degrees(wanted), math.degrees(works)
    decimals = range(1, sys.float_info.dig)
    digits = next((n for n in decimals if f'{asked:.{n}f}' != f'{nearest:.{n}f}'), 1)
    return (
        f'not with tool orientation {asked:.{digits}f} deg: {why}; '
        f'the nearest that works is {nearest:.{digits}f} deg'
    )


def links_too_short(third: str, first: str, too_far: float, too_close: float) -> str:
    """How much too far from the first joint, or too close to it, the third would be [m]."""
    off = f'{meters_text(too_close)} too close to'
    if too_far > too_close:
        off = f'{meters_text(too_far)} too far from'
    return f'{third} would be {off} {first} for the links between them'


def _margin_text(margin: float) -> str:
    return f' and the safe zone margin is {meters_text(margin)}' if margin else ''


def with_nearest(
    reason: Reason,
    target: Sequence[float],
    nearest: Sequence[float] | None,
    reach: float,
    has_floor: bool = False,
) -> str:
    """The reason, and how far away the nearest point is, unless that is the reason's figure.

    Above a floor, another point may be nearer: see section 15 of docs/derivation.md.
    """
    if nearest is None:
        limits = 'the joint limits and the floor allow' if has_floor else 'the joint limits allow'
        return f'{reason.sentence}; {limits} no point inside the safe zones'
    away = math.dist(target, nearest)
    if away == reason.explains or abs(away - reason.explains) <= SAME_FIGURE * (reach + away):
        return reason.sentence
    which = 'a' if has_floor else 'the nearest'
    return f'{reason.sentence}; {which} reachable point is {meters_text(away)} away'


class PassedLimit(NamedTuple):
    """A joint that would have to pass its limit, and by how much [rad]: negative below the lower.
    """

    label: JointLabel
    excess: float


def passed_limits(passed: Sequence[PassedLimit]) -> str:
    """Which limits joints would pass.

    The figure of a single joint is exact. Those of several joints are what some posture needs, and
    another posture may need less of one and more of another.
    """
    if not passed:
        return 'the joint limits keep the arm from it'
    by = 'by' if len(passed) == 1 else 'by at most'
    return ' and '.join(
        f'{label.name} would exceed its {"upper" if excess * label.sign > 0.0 else "lower"} limit '
        f'{by} {degrees_text(abs(excess))}'
        for label, excess in passed
    )


def reachable_with(intervals: list[tuple[float, float]]) -> str:
    """The orientations that work [rad], as a sentence in degrees."""
    if intervals == [(-math.pi, math.pi)]:
        return 'reachable with every tool orientation in the plane of the arm'
    ranges = [
        f'{math.degrees(lower):.1f}' + (f' to {math.degrees(upper):.1f}' if upper > lower else '')
        for lower, upper in intervals
    ]
    is_one = len(intervals) == 1 and intervals[0][0] == intervals[0][1]
    said = 'the tool orientation' if is_one else 'tool orientations'
    *first, last = ranges
    listed = f'{", ".join(first)} and {last}' if first else last
    return f'reachable with {said} {listed} deg'


def meters_text(length: float) -> str:
    """A length [m] with three decimals, more for a small one, powers of ten for a huge one."""
    if length >= LARGEST:
        return f'more than {LARGEST} m'
    if length == 0.0 or 0.0005 <= length < 1e6:  # what three decimals show
        return f'{length:.3f} m'
    return f'{length:.2g} m' if length < 1.0 else f'{length:.4g} m'


def percent_text(share: float) -> str:
    """A share in percent with one decimal, rounded down: only all of it is 100."""
    return f'{math.floor(1000.0 * share + SHARE_ROUNDING) / 10.0:.1f} %'


def degrees_text(angle: float) -> str:
    """An angle [rad] in degrees with one decimal, more for a small one."""
    degrees = math.degrees(angle)
    return f'{degrees:.1f} deg' if degrees >= 0.05 else f'{degrees:.2g} deg'
