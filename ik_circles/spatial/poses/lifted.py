# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A whole arm without the limits of some joints: do they alone keep it from a pose, and by how
much?"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ik_circles.geometry.angles import CONTINUOUS, wrap
from ik_circles.geometry.limits import beyond, excess
from ik_circles.reasons import JointLabel
from ik_circles.spatial.poses.aims import Aim, is_out_of_plane, is_tilted
from ik_circles.spatial.poses.corrections import Correction
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.wrist import MOST_ROOM

#: A joint is held nearer to its limit this many times at most; mostly three are enough.
LOOKS = 8
#: The tilt that is allowed counts as used up to within this share of it [1].
USED_UP = 1e-4
#: It is known well enough where the joint has to be if it is known to within this [rad].
NARROW = 2e-4


def labels(arm: WholeArm) -> list[JointLabel]:
    """The names of the chain's joints."""
    yaw = arm.carrier.yaw
    return [*([yaw.label] if yaw else []), *arm.carrier.labels, *arm.wrist.labels]


def lifted(arm: WholeArm, joints: Collection[int]) -> WholeArm:
    """The same arm without the limits of some joints of its chain."""
    wrist, after = arm.wrist, len(arm.limits) - len(arm.wrist.limits)
    limits = [CONTINUOUS if i in joints else one for i, one in enumerate(arm.limits)]
    of_wrist = (
        CONTINUOUS if i in joints else its for i, its in enumerate(wrist.limits, start=after)
    )
    wrist = replace(wrist, limits=tuple(of_wrist))
    return replace(arm, carrier=arm.carrier.lifted(joints), wrist=wrist, limits=limits)


def may_be_enough(pose: FullPose, joints: Sequence[int], least: float) -> bool:
    """Whether joints of the chain might be enough; one joint, with less than `least` past its
    limits [rad].

    One is not if a tilt that is allowed turns joints by too little for that in each way.
    """
    arm, planar = pose.aim.arm, pose.aim.arm.carrier.planar
    if len(joints) > 1 or arm.is_leaning or arm.wrist.has_two or pose.has_free_joint:
        return True
    moved = pose.aim.tilt_tolerance * (arm.wrist.length + planar.link_lengths[2])
    for way in pose.allowed_ways:
        (x, y), phi = way.shoulder.point, way.posture.phi
        distance = math.hypot(*planar.wrist(x, y, phi))
        if max(planar.beyond_reach(distance)) > 2.0 * moved or (pose.is_exact and way.is_level):
            continue
        # `bends_clearly` doubles it.
        if not (pose.is_exact or arm.ordinary.bends_clearly(distance, moved / 2.0)):
            return True
        for q in planar.solver.whatever_limits(x, y, phi):
            angles = arm.angles(Whole(way.shoulder.yaw, q, way.posture.wrist))
            past = [*map(beyond, angles, arm.limits)]
            if -MOST_ROOM <= past.pop(*joints) < least + MOST_ROOM and max(past) <= MOST_ROOM:
                return True
    return False


def least_excesses(pose: FullPose, joints: Sequence[int]) -> Iterator[list[float]]:
    """How far joints of the chain would be past their limits in each solution without those [rad];
    one joint, with all of the tilt that is allowed."""
    arm = pose.aim.arm
    for one in pose.of(lifted(arm, joints)).solutions:
        angles = arm.angles(one)
        if len(joints) == 1 and _takes_a_tilt(pose, one):
            yield [_least_excess(pose.aim, angles, *joints)]
        else:
            yield [excess(angles[i], arm.limits[i]) for i in joints]


def _takes_a_tilt(pose: FullPose, one: Whole) -> bool:
    """Whether a solution needs some of the tilt that is allowed, so that it may use all of it."""
    ways, yaw = pose.allowed_ways, one.yaw
    nearest = min(ways, key=lambda way: abs(wrap(way.shoulder.yaw - yaw)))
    return is_tilted(pose.aim.arm, nearest)


def _least_excess(aim: Aim, angles: Sequence[float], joint: int) -> float:
    """How far one joint has to be past its limits, with the others inside theirs [rad].

    With `angles` of the chain, the tip is turned away from the orientation by less than the tilt
    that is allowed. The rest of it is used up: the joint is held nearer to its limits. The square
    of the angle that is left is about a parabola of how far the joint is moved.
    """
    arm, most = aim.arm, aim.tilt_tolerance
    past = excess(angles[joint], arm.limits[joint])
    _, least = arm.miss(arm.of_angles(angles), aim.point, aim.rotation)
    near, far, rest = 0.0, abs(past), most**2 - least**2
    if least >= most * (1.0 - USED_UP):
        return past
    moved, before, slope_before = min(most, far), 0.0, 0.0
    for _ in range(LOOKS):
        turned = _turned_with(aim, angles, joint, angles[joint] - math.copysign(moved, past))
        near, far = (moved, far) if turned <= most * (1.0 + USED_UP) else (near, moved)
        if abs(turned - most) <= most * USED_UP or far - near <= NARROW:
            break
        # The parabola through the start and the last two looks: `linear * x + square * x * x`.
        slope = (turned**2 - least**2) / moved
        square = (slope - slope_before) / (moved - before)
        linear = slope - square * moved
        before, slope_before = moved, slope
        root = linear**2 + 4.0 * square * rest
        moved = 2.0 * rest / (linear + math.sqrt(root)) if 0.0 < root < math.inf else far
        if not near < moved < far:
            moved = (near + far) / 2.0
    return past - math.copysign(near, past)


def _turned_with(aim: Aim, angles: Sequence[float], joint: int, held: float) -> float:
    """How far the tip is turned away from the orientation with one joint held at an angle, and the
    others inside their limits [rad]; infinite if they cannot bring it to its place."""
    arm, asked = aim.arm, Correction.to(aim, is_free=False, is_tilted=True).asked
    limits, free = [*arm.limits], [CONTINUOUS] * len(angles)
    limits[joint] = free[joint] = held, held
    # Without limits first: a joint that is on one must be able to leave it.
    start = arm.chain.posed(angles, free, *asked)
    found = arm.of_angles(arm.chain.posed(start, limits, *asked))
    away, turned = arm.miss(found, aim.point, aim.rotation)
    return turned if away <= CLOSES and not is_out_of_plane(aim, found.wrist) else math.inf
