# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why a target in space cannot be reached, as sentences."""

import math
from collections.abc import Sequence
from typing import cast

from ik_circles.geometry.angles import stops
from ik_circles.geometry.limits import excess
from ik_circles.planar.selection import NEAREST, least
from ik_circles.planar.verdict import Reachability
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
from ik_circles.spatial.points.deciding import decided
from ik_circles.spatial.points.ways import SAME_ORIENTATION, Question, WayToPoint
from ik_circles.spatial.true_axes.leaning import ArmAngles
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
    leaning = question.arm.leaning
    single = None if leaning is None else _by_lifting(question)
    explained = 0.0 if leaning is None else leaning.turns_on_limit
    by_rounding = way.is_level and way.found.reachable
    if by_rounding and (single is None or abs(single[1].excess) <= explained):
        return ONLY_ROUNDING
    if single is not None:
        return passed_limits([single[1]])
    level = [one for one in _without_floor(question, ways) if one.is_level]
    passed = [its for _, its in _least_passed(question, level, True) if its]
    if passed:
        return passed_limits(passed[0])
    missed = min(level, key=lambda one: one.found.missing_oriented, default=way)
    return missed.found.why_not_oriented


def _by_lifting(question: Question) -> tuple[WayToPoint, PassedLimit] | None:
    """The joint that would have to pass its limit by the least, with its shoulder, if one alone is
    enough on the true axes.

    The verdict itself tells, with the limits of one joint after the other lifted.
    """
    arm, found = question.arm, list[tuple[WayToPoint, PassedLimit]]()
    limits = [*([arm.yaw.limits] if arm.yaw else []), *arm.planar.limits]
    labels = [*([arm.yaw.label] if arm.yaw else []), *arm.labels]
    for joint, (its, label) in enumerate(zip(limits, labels)):
        if stops(its):
            verdict = decided(question.of(arm.lifted([joint])))
            some = verdict.deciding if verdict.code is Code.OK else []
            for way in some:
                for yaw, q in _every(way):
                    angle = (*([yaw] if arm.yaw else []), *q)[joint]
                    found.append((way, PassedLimit(label, excess(angle, its))))
    return min(found, key=lambda one: abs(one[1].excess), default=None)


def _every(way: WayToPoint) -> Sequence[ArmAngles]:
    """The solutions of a way; with any orientation, those of all that are tried."""
    return way.true.on_branch(NEAREST) if way.true and way.phi is None else way.solutions


def out_of_reach(
    question: Question, ways: Sequence[WayToPoint], code: Code, miss: WayToPoint | None
) -> Reason:
    """The reason for a position out of reach by every shoulder, or out of reach above the floor.

    The verdict gives the code, and `miss`, the way by which the links miss the position the least.
    """
    if code is Code.FLOOR:
        return _below_floor(ways)
    yaw, ways = question.arm.yaw, _without_floor(question, ways)
    if any(way.yaws and way.found.position_reachable for way in ways):
        return Reason(ONLY_ROUNDING)
    if yaw is None:
        if ways[0].found.code is Code.JOINT_LIMIT:
            return Reason(passed_limits(_passed(question, ways[0], None) or []))
        return ways[0].found.reason
    if not ways:
        aside = abs(yaw.aside)
        missing = aside - question.place.radius
        return Reason(
            f'too close to the axis of {yaw.label.name} by {meters_text(missing)}: '
            f"the arm's plane passes it at {meters_text(aside)}",
            missing,
        )
    if miss is not None:
        way, reason = miss, miss.found.reason
        if not way.yaws:
            also = passed_limits([_passed_yaw(yaw, way)])
            reason = Reason(f'{reason.sentence}; also, {also}')
    else:
        way, passed = _least_passed(question, ways, False)[0]
        if way.true and not (way.yaws or way.true.tells_yaw):  # the lean tells the orientation
            single = _by_lifting(question.of(question.arm, oriented=False))
            if single is not None:
                way, passed = single[0], [single[1]]
            elif all(one.label != yaw.label for one in passed):
                passed = [*passed, _passed_yaw(yaw, way)]
        reason = Reason(passed_limits(passed))
    prefix = '' if yaw.faces(way.shoulder.point) else 'reaching backwards, '
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


def _least_passed(
    question: Question, ways: Sequence[WayToPoint], oriented: bool
) -> list[tuple[WayToPoint, list[PassedLimit]]]:
    """The shoulders at which the fewest joints would pass their limits by the least, with them.

    If `oriented`, the orientation counts, too. The yaw joint counts as one joint. Among equals, the
    shoulder that faces the position comes first. A shoulder where the links do not reach is left
    out.
    """
    found: list[tuple[WayToPoint, list[PassedLimit]]] = []
    yaw, leaning = question.arm.yaw, question.arm.leaning
    room = 0.0 if leaning is None else leaning.turns_on_limit
    for way in ways:
        passed = _passed(question, way, way.phi if oriented else None)
        if way.found.code in (Code.TOO_FAR, Code.TOO_CLOSE) or passed is None:
            continue
        if yaw is not None and not way.yaws:
            turned = _passed_yaw(yaw, way)
            passed = passed if passed and abs(turned.excess) <= room else [*passed, turned]
        found.append((way, sorted(passed, key=lambda one: -abs(one.excess))))
    found = least(found, lambda one: len(one[1]) or math.inf, 0.0)
    return least(found, lambda one: abs(one[1][0].excess) if one[1] else 0.0, SAME_ORIENTATION)


def _passed(question: Question, way: WayToPoint, phi: float | None) -> list[PassedLimit] | None:
    """Which of the three joints would have to pass their limits, with an orientation in the plane
    [rad] or with any, as few as possible. None if links 1 and 2 do not reach the wrist.

    With leaning axes, a joint does not count if the lean explains how far it passes its limit,
    unless it is the only reason.
    """
    found, leaning = way.found, question.arm.leaning
    if found.position_reachable if phi is None else found.reachable:
        return []
    if leaning is None:
        return found.passed_limits(phi) or (None if phi is not None else [])
    place, room = way.shoulder.point, leaning.turns_on_limit
    if phi is not None:
        place = leaning.bounds.into_reach(place, phi)
    labels = question.arm.labels
    wider = Reachability(leaning.wider.workspace, place, phi, question.zones, labels)
    passed = [
        one._replace(excess=one.excess + math.copysign(room, one.excess))
        for one in wider.passed_limits(phi)
    ]
    if not passed and (way.yaws or not wider.reachable):
        passed = found.passed_limits(phi)
    return passed or (None if phi is not None and not wider.reachable else [])


def _passed_yaw(yaw: Yaw, way: WayToPoint) -> PassedLimit:
    return PassedLimit(yaw.label, yaw.excess(way.shoulder.yaw))
