# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why a full pose cannot be taken, as a sentence: the least reason of all ways to it."""

import math
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import NamedTuple, cast

from ik_circles.geometry.limits import excess
from ik_circles.planar.ranges import NO_EXCESS
from ik_circles.reasons import (
    PassedLimit,
    degrees_text,
    links_too_short,
    meters_text,
    passed_limits,
)
from ik_circles.spatial.poses.aims import WayToPose, beside_plane, is_out_of_plane, leans
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.wrist import LEVEL
from ik_circles.spatial.yaw import Yaw

#: Reasons are compared by all of their fields except the sentence.
_RANK = itemgetter(0, 1, 2, 3)


class Why(NamedTuple):
    """Why one way does not solve a pose; of several, the least counts, in the order of the fields.

    If no joint could help (`hopeless`), `missing` is an angle [rad]; otherwise it is how far out of
    reach the third joint is [m]. Next come the number of joints past their limits, and how far the
    worst of them is [rad].
    """

    hopeless: bool
    missing: float
    joints: int
    worst: float
    sentence: Callable[[], str]


def why_not(pose: FullPose) -> str:
    """Why no way solves a pose."""
    if pose.ways:
        return min([_why_not(pose, way) for way in pose.ways], key=_RANK).sentence()
    carrier = pose.aim.arm.carrier
    yaw, center = cast('Yaw', carrier.yaw), carrier.plane.into(pose.center)
    missing = abs(yaw.aside) - yaw.place_of(*center).radius
    return (
        f'the wrist center would be {meters_text(missing)} too close to the axis of '
        f"{yaw.label.name}, which the arm's plane passes at {meters_text(abs(yaw.aside))}"
    )


def _why_not(pose: FullPose, way: WayToPose) -> Why:
    arm, posture = pose.aim.arm, way.posture
    if is_out_of_plane(pose.aim, posture.wrist):
        beside = beside_plane(pose.aim, posture.wrist)
        return Why(True, beside, 0, 0.0, partial(_out_of_plane, arm, beside))
    if posture.tilt > pose.aim.tilt_tolerance + LEVEL:
        return Why(True, posture.tilt, 0, 0.0, partial(_tilted, arm, way))
    too_far, too_close = _beyond_reach(arm, way)
    missing, rounding = max(too_far, too_close), arm.carrier.planar.tolerance
    room = rounding + arm.carrier.plane.slack
    passed = [] if missing > room else _passed(pose, way)
    if missing > (room if passed else rounding):
        return Why(False, missing, 0, 0.0, partial(_missing, arm, too_far, too_close))
    if not passed and pose.margin:
        return Why(False, 0.0, 0, 0.0, partial(_off_zones, pose.margin))
    worst = max((abs(one.excess) for one in passed), default=0.0)
    count = len(passed) or len(arm.limits)  # only rounding decides: the least telling reason
    return Why(False, 0.0, count, worst, partial(passed_limits, passed))


def _out_of_plane(arm: WholeArm, beside: float) -> str:
    names = (label.name for label in arm.carrier.labels)
    return f'the tip would be {meters_text(beside)} beside the plane of {", ".join(names)}'


def _tilted(arm: WholeArm, way: WayToPose) -> str:
    tilt, name = degrees_text(way.posture.tilt), arm.wrist.labels[0].name
    return f"the axis of {name} would have to leave the arm's plane by {tilt}"


def _missing(arm: WholeArm, too_far: float, too_close: float) -> str:
    first, _, third = (label.name for label in arm.carrier.labels)
    return links_too_short(third, first, too_far, too_close)


def _off_zones(margin: float) -> str:
    return f'the tip would not keep the safe zone margin of {meters_text(margin)}'


def _beyond_reach(arm: WholeArm, way: WayToPose) -> tuple[float, float]:
    """How much too far from the first joint, and too close to it, the third would be [m]."""
    planar = arm.carrier.planar
    third = planar.wrist(*way.shoulder.point, way.posture.phi)
    return planar.beyond_reach(math.hypot(*third))


def _passed(pose: FullPose, way: WayToPose) -> list[PassedLimit]:
    """The joints that a way would bring past their limits, the worst first."""
    arm, yaw, passed = pose.aim.arm, pose.aim.arm.carrier.yaw, []
    if yaw is not None:
        passed.append(PassedLimit(yaw.label, yaw.excess(way.shoulder.yaw)))
    for angle, limits, label in zip(way.posture.wrist, arm.wrist.limits, arm.wrist.labels):
        passed.append(PassedLimit(label, excess(angle, limits)))
    solver, place = arm.carrier.planar.solver, (*way.shoulder.point, way.posture.phi)
    if not solver.solutions(*place):
        for joint, angle in solver.least_excess(*place[:2], place[2:]):
            passed.append(PassedLimit(arm.carrier.labels[joint], angle))
    passed = [one for one in passed if abs(one.excess) > NO_EXCESS]
    room = max(leans(arm, way))  # what the lean explains is no reason beside another one
    passed = [one for one in passed if abs(one.excess) > room] or passed
    return sorted(passed, key=lambda one: -abs(one.excess))
