# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Why a full pose cannot be taken, as a sentence: the least reason of all ways to it."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from operator import itemgetter
from typing import NamedTuple, cast

from ik_circles.geometry.angles import ends, stops
from ik_circles.geometry.limits import excess
from ik_circles.planar.ranges import NO_EXCESS
from ik_circles.reasons import (
    PassedLimit,
    degrees_text,
    links_too_short,
    meters_text,
    passed_limits,
)
from ik_circles.spatial.poses.aims import WayToPose, beside_plane, is_out_of_plane, most_tilt
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.lifted import labels, least_excesses, may_be_enough
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.wrist import LEVEL, SINGULAR, Posture
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

    @property
    def is_limits(self) -> bool:
        """Whether joint limits alone are in the way."""
        return self.joints > 0


def why_not(pose: FullPose) -> Why:
    """Why no way solves a pose."""
    ways = [one for way in pose.ways for one in _members(pose, way)]
    if ways:
        whys = [_why_not(pose, way) for way in ways]
        lifted_whys = _by_lifting(pose, ways, whys) if _may_decide(pose) else []
        some = lifted_whys if pose.aim.arm.is_leaning else [*whys, *lifted_whys]
        return min(some or whys, key=_RANK)
    carrier = pose.aim.arm.carrier
    yaw, center = cast('Yaw', carrier.yaw), carrier.plane.into(pose.center)
    missing = max(0.0, abs(yaw.aside) - yaw.place_of(*center).radius)
    return Why(True, missing, 0, 0.0, partial(_inside_circle, yaw, missing))


def _may_decide(pose: FullPose) -> bool:
    """Whether rounding, a tilt or the lean of axes may decide."""
    if not pose.is_exact:
        return bool(pose.allowed_ways)
    return any(LEVEL < way.posture.tilt <= most_tilt(pose.aim, way) for way in pose.ways)


def _by_lifting(pose: FullPose, ways: Sequence[WayToPose], whys: Sequence[Why]) -> list[Why]:
    """Where rounding, a tilt or the lean of axes may decide, the verdict itself tells which joints
    would have to pass their limits: as few joints of the chain as possible have none.

    With one joint, it is told only if that may be less than what is known already."""
    names, found = labels(pose.aim.arm), list[Why]()
    for joints in _to_lift(pose, ways):
        if found and found[0].joints < len(joints):
            break
        least = min((why.worst for why in (*whys, *found) if why.joints == 1), default=math.inf)
        if may_be_enough(pose, joints, least):
            for excesses in least_excesses(pose, joints):
                past = map(PassedLimit, (names[i] for i in joints), excesses)
                if passed := _worst_first(past):
                    found.append(_of_limits(pose.aim.arm, passed))
    return found


def _to_lift(pose: FullPose, ways: Sequence[WayToPose]) -> Iterator[tuple[int, ...]]:
    """Each joint of the chain that cannot take every angle. Then, with leaning axes, those that a
    way brings past their limits, without what the lean may explain; the fewest first."""
    arm, several = pose.aim.arm, set[tuple[int, ...]]()
    yield from ((i,) for i, its in enumerate(arm.limits) if stops(its))
    names = [label.name for label in labels(arm)]
    for way, is_clear in product(ways if arm.is_leaning else [], (True, False)):
        joints = [names.index(one.label.name) for one in _passed(pose, way, is_clear)]
        several |= {tuple(sorted(joints[: last + 1])) for last in range(1, len(joints))}
    yield from sorted(several, key=len)


def _members(pose: FullPose, way: WayToPose) -> list[WayToPose]:
    """The way itself, or if the last wrist axis is along the plane's normal, those of its family at
    which a joint comes to a limit or turns back: no other one needs fewer joints, or less.

    Of such a family, axes that lean leave only some members, which are ways already.
    """
    arm, (x, y), angle = pose.aim.arm, way.shoulder.point, way.shoulder.yaw
    exact = way.posture if pose.is_exact else arm.wrist.postures(pose.aim.sight, angle)[0]
    if arm.is_leaning or exact.loose * SINGULAR < 1.0:
        return [way]
    singular = arm.wrist.singular(pose.aim.sight, angle)
    orientations = arm.carrier.planar.orientations
    last = (singular.total - singular.sign * end for end in ends(arm.wrist.limits[1]))
    phis = way.posture.phi, *last, *orientations.cuts(x, y), *orientations.stationary(x, y)
    some = (Posture(phi, (singular.first, singular.last(phi))) for phi in phis)
    return [way._replace(posture=one) for one in some]


def _why_not(pose: FullPose, way: WayToPose) -> Why:
    arm, posture = pose.aim.arm, way.posture
    if is_out_of_plane(pose.aim, posture.wrist):
        beside = beside_plane(pose.aim, posture.wrist)
        return Why(True, beside, 0, 0.0, partial(_out_of_plane, arm, beside))
    if posture.tilt > pose.aim.tilt_tolerance + LEVEL:
        return Why(True, posture.tilt, 0, 0.0, partial(_tilted, arm, way))
    too_far, too_close = _beyond_reach(arm, way)
    missing, rounding = max(too_far, too_close), arm.carrier.planar.tolerance
    room = rounding + arm.bounds.nearly
    passed = [] if missing > room else _passed(pose, way)
    if missing > (room if passed else rounding):
        return Why(False, missing, 0, 0.0, partial(_missing, arm, too_far, too_close))
    if not passed and pose.margin:
        return Why(False, 0.0, 0, 0.0, partial(_off_zones, pose.margin))
    return _of_limits(arm, passed)


def _of_limits(arm: WholeArm, passed: Sequence[PassedLimit]) -> Why:
    worst = max((abs(one.excess) for one in passed), default=0.0)
    count = len(passed) or len(arm.limits)  # only rounding decides: the least telling reason
    return Why(False, 0.0, count, worst, partial(passed_limits, passed))


def _inside_circle(yaw: Yaw, missing: float) -> str:
    return (
        f'the wrist center would be {meters_text(missing)} too close to the axis of '
        f"{yaw.label.name}, which the arm's plane passes at {meters_text(abs(yaw.aside))}"
    )


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


def _passed(pose: FullPose, way: WayToPose, is_clear: bool = False) -> list[PassedLimit]:
    """The joints that a way would bring past their limits, the worst first.

    If `is_clear`, only those count that are farther past them than leaning axes may move joints.
    """
    arm, yaw, passed = pose.aim.arm, pose.aim.arm.carrier.yaw, []
    planar, room = (arm.bounds.opened, arm.room) if is_clear else (arm.carrier.planar, 0.0)
    if yaw is not None:
        passed.append(PassedLimit(yaw.label, yaw.excess(way.shoulder.yaw)))
    for angle, limits, label in zip(way.posture.wrist, arm.wrist.limits, arm.wrist.labels):
        passed.append(PassedLimit(label, excess(angle, limits)))
    point, phi = way.shoulder.point, way.posture.phi
    x, y = arm.bounds.into_reach(point, phi) if arm.is_leaning else point
    if not planar.solver.solutions(x, y, phi):
        for joint, past in planar.solver.least_excess(x, y, (phi,)):
            label = arm.carrier.labels[joint]
            passed.append(PassedLimit(label, past + math.copysign(room, past)))
    return _worst_first(one for one in passed if abs(one.excess) > room)


def _worst_first(passed: Iterable[PassedLimit]) -> list[PassedLimit]:
    """The joints that are past their limits by more than rounding, the worst first."""
    some = [one for one in passed if abs(one.excess) > NO_EXCESS]
    return sorted(some, key=lambda one: -abs(one.excess))
