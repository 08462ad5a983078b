# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why a target in space cannot be reached, as sentences."""

import math
from collections.abc import Sequence
from typing import cast

from ik_circles.planar.selection import least
from ik_circles.reasons import (
    Code,
    PassedLimit,
    Reason,
    below_floor,
    degrees_text,
    meters_text,
    passed_limits,
    wrong_orientation,
)
from ik_circles.spatial.plane import TurnedAway
from ik_circles.spatial.points.least_passed import LeastPassed, passed_on_true_axes
from ik_circles.spatial.points.ways import SAME_ORIENTATION, Question, WayToPoint
from ik_circles.spatial.yaw import Yaw

#: Why an arm does not reach what it would reach with exactly parallel axes.
ONLY_ROUNDING = "the arm's axes are not exactly parallel, which is just enough to rule this out"


def out_of_plane(question: Question, way: WayToPoint) -> str:
    """The message about a point beside a plane that no joint turns."""
    message = (
        f'out of the plane of {", ".join(label.name for label in question.arm.labels)} by '
        f'{way.shoulder.beside:.3g} m; at most {question.out_of_plane_tolerance:.3g} m is allowed'
    )
    return message if way.found.reachable else f'{message}; in the plane: {way.found.message}'


def tilted(question: Question, way: WayToPoint) -> str:
    """The message about an orientation that no joint can give."""
    if question.arm.yaw is None:
        return (
            f"the orientation tilts the arm's plane by {math.degrees(way.tilt):.1f} deg, which no "
            'joint can do; turn the tool about the joint axes only'
        )
    why = turned_away(way.turned_away, question.tilt_tolerance)
    return f'only the pitch of the tool can be chosen there: {why}'


def turned_away(turned: TurnedAway, least: float) -> str:
    """How far heading, roll and pitch are from those asked for. It names each angle above `least`
    [rad], or else the largest one."""
    heading = f'the position decides the heading, which is {degrees_text(turned.heading)} off'
    roll = f'{turned.no_roll}, so its roll is {degrees_text(turned.roll)} off'
    pitch = f'the shoulder with the least rotation has its pitch {degrees_text(turned.pitch)} off'
    said = [(turned.heading, heading), (turned.roll, roll), (turned.pitch, pitch)]
    worth = [text for angle, text in said if angle > least] or [max(said)[1]]
    return ', and '.join(worth)


def not_oriented(
    question: Question, ways: Sequence[WayToPoint], way: WayToPoint, works: float
) -> str:
    """The message about a reachable position that cannot have the orientation.

    `way` decides, and `works` is the nearest orientation that works [rad]. Perhaps only another
    shoulder could give the one asked for.
    """
    why = _why_not_oriented(question, ways, way)
    if not way.is_level:
        left = turned_away(way.turned_away, question.tilt_tolerance)
        return f'not with this orientation: {why}; otherwise, {left}'
    return wrong_orientation(way.count(cast('float', way.phi)), why, works)


def _why_not_oriented(question: Question, ways: Sequence[WayToPoint], way: WayToPoint) -> str:
    """Why no shoulder gives the orientation.

    Perhaps that is only because axes lean. Of all shoulders, it names the limits of the one where
    they are passed the least, or the one where the links lack the least.
    """
    level = [one for one in _without_floor(question, ways) if one.is_level]
    passed = _least_passed(question, level, True)
    if way.is_level and way.found.reachable and _is_explained(question, passed):
        return ONLY_ROUNDING
    if passed:
        return passed_limits(passed.joints)
    missed = min(level, key=lambda one: one.found.missing_oriented, default=way)
    return missed.found.why_not_oriented


def out_of_reach(
    question: Question, ways: Sequence[WayToPoint], code: Code, miss: WayToPoint | None
) -> Reason:
    """The reason for a position out of reach by every shoulder, or out of reach above the floor.

    The verdict gives the code, and `miss`, the way by which the links miss the position the least.
    """
    if code is Code.FLOOR:
        return _below_floor(ways)
    yaw, ways = question.arm.yaw, _without_floor(question, ways)
    if code is Code.JOINT_LIMIT:
        passed = _least_passed(question, ways, False)
        is_met = any(way.yaws and way.found.position_reachable for way in ways)
        if passed is None or (is_met and _is_explained(question, passed)):
            is_exact = question.arm.leaning is None and not is_met
            return Reason(passed_limits([]) if is_exact else ONLY_ROUNDING)
        return _facing(yaw, passed.way, Reason(passed_limits(passed.joints)))
    if yaw is None:
        return ways[0].found.reason
    if miss is None:
        aside = abs(yaw.aside)
        missing = aside - question.place.radius
        return Reason(
            f'too close to the axis of {yaw.label.name} by {meters_text(missing)}: '
            f"the arm's plane passes it at {meters_text(aside)}",
            missing,
        )
    reason = miss.found.reason
    if not miss.yaws:
        also = passed_limits([_passed_yaw(yaw, miss)])
        reason = Reason(f'{reason.sentence}; also, {also}')
    return _facing(yaw, miss, reason)


def _facing(yaw: Yaw | None, way: WayToPoint, reason: Reason) -> Reason:
    """The reason, which says so if the arm reaches backwards."""
    prefix = '' if yaw is None or yaw.faces(way.shoulder.point) else 'reaching backwards, '
    return reason._replace(sentence=f'{prefix}{reason.sentence}')


def _without_floor(question: Question, ways: Sequence[WayToPoint]) -> Sequence[WayToPoint]:
    """The ways without the floor, if there is one; it is not the reason.

    A joint that only the floor keeps from the target passes no limit.
    """
    if question.arm.planar.floor is None:
        return ways
    return question.of(question.arm.without_floor).ways()


def _below_floor(ways: Sequence[WayToPoint]) -> Reason:
    """The part that would be below the floor, at the shoulder with the least depth."""
    some = [way.found.depth for way in ways if way.yaws and way.found.code is Code.FLOOR]
    if not some:
        return Reason(ONLY_ROUNDING)
    return below_floor(*min(some, key=lambda one: one[1]))


def not_above_floor(way: WayToPoint, reason: Reason, works: float) -> str:
    """The message about a reachable position where the floor rules out the orientation; `works` is
    the nearest one that works [rad]."""
    return wrong_orientation(way.count(cast('float', way.phi)), reason.sentence, works)


def _is_explained(question: Question, passed: LeastPassed | None) -> bool:
    """Whether the lean of axes alone explains that joints would pass their limits so far."""
    leaning = question.arm.leaning
    return leaning is not None and (passed is None or passed.rank[1] <= leaning.turns_on_limit)


def _least_passed(
    question: Question, ways: Sequence[WayToPoint], oriented: bool
) -> LeastPassed | None:
    """The fewest joints that would pass their limits, by the least, with their shoulder.

    If `oriented`, the orientation counts, too. The yaw joint counts as one joint. Among equals, the
    shoulder that faces the position comes first. A shoulder where the links do not reach is left
    out. None if no joint is enough.
    """
    arm = question.arm
    if arm.leaning is not None:
        arm = arm if arm.planar.floor is None else arm.without_floor
        return passed_on_true_axes(question.of(arm, oriented))
    found = list[LeastPassed]()
    for way in ways:
        passed = _passed(way, way.phi if oriented else None)
        if way.found.code not in (Code.TOO_FAR, Code.TOO_CLOSE) and passed is not None:
            if arm.yaw is not None and not way.yaws:
                passed = [*passed, _passed_yaw(arm.yaw, way)]
            if passed:
                found.append(LeastPassed(way, sorted(passed, key=lambda one: -abs(one.excess))))
    found = least(found, lambda one: one.rank[0], 0.0)
    return next(iter(least(found, lambda one: one.rank[1], SAME_ORIENTATION)), None)


def _passed(way: WayToPoint, phi: float | None) -> list[PassedLimit] | None:
    """Which of the three joints would have to pass their limits, with an orientation in the plane
    [rad] or with any, as few as possible. None if links 1 and 2 do not reach the wrist."""
    found = way.found
    if found.position_reachable if phi is None else found.reachable:
        return []
    return found.passed_limits(phi) or (None if phi is not None else [])


def _passed_yaw(yaw: Yaw, way: WayToPoint) -> PassedLimit:
    return PassedLimit(yaw.label, yaw.excess(way.shoulder.yaw))
