# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A whole arm without the limits of some joints: do they alone keep it from a pose, and by how
much?"""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from ik_circles.geometry.angles import CONTINUOUS
from ik_circles.geometry.limits import beyond, excess
from ik_circles.reasons import JointLabel
from ik_circles.spatial.poses.aims import Aim, is_out_of_plane
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


def least_excess(aim: Aim, angles: Sequence[float], joint: int) -> float:
    """How far a joint of the chain has to be past its limits, with the others inside theirs [rad].

    With `angles` of the chain, the tip is at its place, and turned away from the orientation by
    less than is allowed. The rest is used up: with the joint held nearer to its limit, the others
    turn the tip as near to the orientation as they can. The square of the angle that is left grows
    about as the square of how far the joint is moved.
    """
    arm, most = aim.arm, aim.tilt_tolerance
    asked, past = Correction.to(aim, is_free=False, is_tilted=True).asked, excess(angles[joint], arm.limits[joint])
    least = arm.miss(arm.of_angles(angles), aim.point, aim.rotation)[1]
    moved, near, far = min(most, abs(past)), 0.0, abs(past)
    if least >= most * (1.0 - USED_UP):
        return past
    for _ in range(LOOKS):
        held = angles[joint] - math.copysign(moved, past)
        limits, free = [*arm.limits], [CONTINUOUS] * len(angles)
        limits[joint] = free[joint] = held, held
        # Without limits first: a joint that is on one must be able to leave it.
        there = arm.chain.posed(arm.chain.posed(angles, free, *asked), limits, *asked)
        found = arm.of_angles(there)
        away, turned = arm.miss(found, aim.point, aim.rotation)
        closes = away <= CLOSES and not is_out_of_plane(aim, found.wrist)
        if closes and turned <= most * (1.0 + USED_UP):
            near = moved
            if turned >= most * (1.0 - USED_UP):
                break
        else:
            far = moved
        if closes and turned > least:
            moved *= math.sqrt((most**2 - least**2) / (turned**2 - least**2))
        if not (closes and near < moved < far):
            moved = (near + far) / 2.0
    return past - math.copysign(near, past)


def may_be_enough(pose: FullPose, joint: int, least: float) -> bool:
    """Whether one joint of the chain might be enough, with less than `least` past its limits [rad].

    It is not if a tilt that is allowed turns joints by too little for that in each way.
    """
    arm, most = pose.aim.arm, pose.aim.tilt_tolerance
    if arm.is_leaning or arm.wrist.has_two or pose.has_free_joint:
        return True
    planar = arm.carrier.planar
    moved = most * (arm.wrist.length + planar.link_lengths[2])
    for way in pose.allowed_ways:
        (x, y), phi = way.shoulder.point, way.posture.phi
        distance = math.hypot(*planar.wrist(x, y, phi))
        if max(planar.beyond_reach(distance)) > 2.0 * moved or (pose.is_exact and way.is_level):
            continue
        if not (pose.is_exact or arm.ordinary.bends_clearly(distance, moved / 2.0)):
            return True
        some = planar.solver.whatever_limits(x, y, phi)
        for q in some:
            angles = arm.angles(Whole(way.shoulder.yaw, q, way.posture.wrist))
            past = [*map(beyond, angles, arm.limits)]
            if -MOST_ROOM <= past.pop(joint) < least + MOST_ROOM and max(past) <= MOST_ROOM:
                return True
    return False
