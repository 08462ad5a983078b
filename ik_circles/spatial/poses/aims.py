# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A full pose as it is asked for, the ways to it, and how much leaning axes move the joints."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ik_circles.geometry.rigid import Point3, Rows
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.tilts import most_seen
from ik_circles.spatial.wrist import FROM_ROUNDING, LEVEL, ROUNDING, Posture, Sight

#: Leaning axes may turn the last link by up to this many times their lean [1].
LEANS = 4.0
#: If rounding moves a joint by more than this [rad], a solution that misses the pose a little is
#: one, too: the one that the arm is in, or next to, and if there is no other, any.
LOOSE_AT_SEED = 1e-12


class Aim(NamedTuple):
    """A pose of the tip: `point` in space [m] and `rotation` (3x3), as `sight` for the wrist.

    A single wrist joint's axis may leave the plane by `tilt_tolerance` [rad]. Joints are given at
    the turns nearest to `near`. The tip stays `margin` inside the safe zones, and within `room` of
    a plane that no joint turns [m]. Joints may be off by as much as if position [m] and orientation
    [rad] were `missed`: mostly by rounding.
    """

    arm: WholeArm
    point: Point3
    rotation: Rows
    sight: Sight
    tilt_tolerance: float
    near: Whole
    margin: float
    room: float
    missed: float = ROUNDING


class WayToPose(NamedTuple):
    """One shoulder and one posture of the wrist.

    Attributes
    ----------
    shoulder : Shoulder
        Where the wrist center is in the plane.
    yaws : list of float
        The angles that the yaw joint can take for it [rad].
    posture : Posture
        What the orientation asks of the other joints.
    rounded : float
        How far rounding may put the wrist's joints beside what the posture asks [rad].
    elbow_rounded : float
        The same for the other joints, which follow through the bend of the elbow; it is no less
        [rad].
    is_free : bool
        Whether the pose leaves a joint free.
    elbows : sequence of int
        The elbows that may take the pose: 0 up, 1 down.
    """

    shoulder: Shoulder
    yaws: list[float]
    posture: Posture
    rounded: float
    elbow_rounded: float
    is_free: bool
    elbows: Sequence[int] = (0, 1)

    @property
    def is_level(self) -> bool:
        """Whether the first wrist axis is in the plane, up to rounding."""
        return self.posture.tilt <= LEVEL

    @property
    def is_loose(self) -> bool:
        """Whether solutions that miss the pose a little count."""
        return self.elbow_rounded > LOOSE_AT_SEED

    @property
    def turns_freely(self) -> bool:
        """Whether rounding may turn the three joints anywhere."""
        return self.elbow_rounded >= math.pi


def beside_plane(aim: Aim, wrist: Sequence[float]) -> float:
    """How far the arm leaves the tip from its place because no joint turns the plane, with the
    wrist's joints at angles [rad]; 0 behind a yaw joint [m].

    A tilt moves the wrist center off that plane, although the tip stays. So the tip counts.
    """
    plane = aim.arm.carrier.plane
    if plane.yaw is not None:
        return 0.0
    return abs(plane.into(aim.point)[2] - aim.arm.tip_from_center(wrist)[2])


def is_out_of_plane(aim: Aim, wrist: Sequence[float]) -> bool:
    """Whether `beside_plane` is more than is allowed."""
    return beside_plane(aim, wrist) > aim.room + aim.arm.carrier.plane.slack


def leans(arm: WholeArm, way: WayToPose) -> tuple[float, float]:
    """How far leaning axes may move the wrist's joints, and the others [rad]."""
    turned = turned_by_lean(arm, way.shoulder)
    return min(way.posture.loose * turned, math.pi), max(arm.room, turned)


def turned_by_lean(arm: WholeArm, shoulder: Shoulder) -> float:
    """How far leaning axes may turn the last link [rad]: its plane turns by the slack, as seen from
    the yaw axis."""
    if not arm.is_leaning:
        return 0.0
    slack, yaw = arm.carrier.plane.slack, arm.carrier.yaw
    outwards = arm.carrier.planar.max_reach
    if yaw:  # next to the circle that the plane touches, the root of the slack counts
        outwards = max(abs(yaw.from_axis(shoulder.point)[0]), math.sqrt(slack * abs(yaw.aside)))
    return LEANS * (arm.lean + slack / max(outwards, slack))


def is_tilted(arm: WholeArm, way: WayToPose) -> bool:
    """Whether the wrist's axis has to leave the plane, by more than leaning axes have it do."""
    return way.posture.tilt > LEVEL + leans(arm, way)[0]


def most_turned(aim: Aim, way: WayToPose) -> float:
    """How far the tip may be turned away from the orientation [rad].

    A tilt that has to be may be as large as is allowed, whatever keeps joints inside their limits.
    Where none has to be, none is allowed, up to the lean of axes.
    """
    if aim.arm.wrist.has_two:
        return 0.0
    if is_tilted(aim.arm, way):
        return aim.tilt_tolerance
    return min(aim.tilt_tolerance, way.posture.tilt + leans(aim.arm, way)[0])


def most_tilt(aim: Aim, way: WayToPose) -> float:
    """How far the wrist's axis may leave the plane of parallel axes [rad]."""
    arm, tilt = aim.arm, aim.tilt_tolerance
    if arm.carrier.yaw is not None:
        outwards, _ = arm.carrier.yaw.from_axis(way.shoulder.point)
        tilt = most_seen(arm.wrist.length, tilt, outwards)
    return tilt + leans(arm, way)[0] if arm.is_leaning else tilt


def is_out_of_reach(aim: Aim, way: WayToPose) -> bool:
    """Whether links 1 and 2 certainly miss the third joint, so that no correction closes.

    The last link may be turned by rounding, by the lean of axes, or by a tilt that is allowed. A
    joint that is free may take it elsewhere.
    """
    arm, planar, yaw = aim.arm, aim.arm.carrier.planar, aim.arm.carrier.yaw
    outwards = yaw.from_axis(way.shoulder.point)[0] if yaw else 0.0
    turned = max(FROM_ROUNDING * way.rounded, leans(arm, way)[0])
    if not arm.wrist.has_two:
        turned = max(turned, FROM_ROUNDING * most_tilt(aim, way), way.posture.tilt)
    moved = arm.bounds.at(outwards) + turned * planar.max_reach
    third = planar.wrist(*way.shoulder.point, way.posture.phi)
    missing = max(planar.beyond_reach(math.hypot(*third)))
    return not way.is_free and missing > planar.tolerance + moved
