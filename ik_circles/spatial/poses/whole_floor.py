# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where a whole arm may be: which part of it is lowest, whether that part is above the floor, and
whether the tip keeps off the edges of the safe zones.
"""

import math
from collections.abc import Sequence

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.floor.parts import CENTER, LOWEST_PART, TIP, WRIST, Part, parts
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm


def lowest_part(arm: WholeArm, one: Whole, tip: Point3) -> Part:
    """The lowest part of a configuration with the tip at a point [m]."""
    planar, height = arm.carrier.planar, arm.floor
    if height is None or planar.floor is None:
        return Part(TIP, math.inf)
    names = {TIP: CENTER, WRIST: arm.carrier.labels[2].name}
    of_carrier = parts(planar, planar.floor, one.q)
    some = [part._replace(name=names.get(part.name, part.name)) for part in of_carrier]
    return min([Part(TIP, tip[2] - height), *some], key=lambda part: part.clearance)


def is_above_floor(arm: WholeArm, one: Whole, tip: Point3) -> bool:
    """Whether a configuration with the tip at a point [m] is above the floor, if there is one.

    With leaning axes, this is right to within their slack.
    """
    below = LOWEST_PART * arm.carrier.planar.tolerance + arm.carrier.plane.slack
    return lowest_part(arm, one, tip).clearance >= -below


def keeps_off_zones(arm: WholeArm, one: Whole, margin: float) -> bool:
    """Whether the tip is inside the safe zones, shrunk by a margin [m], of the arm with the wrist
    held where it is in a configuration."""
    model = arm.planar_at(arm.holding(one.wrist))
    center = arm.carrier.planar.pose_at(one.q)
    x, y = arm.tip_in_plane_from_center(center.phi, one.wrist)
    zones = SafeZones(model.min_reach + margin, model.max_reach - margin, margin)
    return zones.contains(math.hypot(center.x + x, center.y + y), model.tolerance)


def phis_in_zones(
    arm: WholeArm, center: Point, wrist: Sequence[float], margin: float
) -> list[Interval]:
    """The orientations in the plane with which a singular wrist has the tip inside the safe zones,
    shrunk by a margin [m], as intervals [rad].

    The wrist center stays at a point of the plane [m], and the tip where the wrist's angles [rad]
    have it with the last link at 0. Only the length from the third joint to the tip changes, and
    the zones with it.
    """
    planar = arm.carrier.planar
    length_1, length_2, last = planar.link_lengths
    tip = arm.tip_in_plane_from_center(0.0, wrist)
    distance = math.hypot(center[0] + tip[0], center[1] + tip[1])
    # Half the tolerance is left for the rounding of the ends.
    room = planar.tolerance / 2.0
    if distance < margin - room:
        return []
    least = max(
        distance + margin - length_1 - length_2, abs(length_1 - length_2) - distance + margin
    )
    most = length_1 + length_2 + distance - margin + room
    # The squared length is `middle + swing * cos(phi - direction)`, with the tip seen from center.
    away, direction = math.hypot(*tip), math.atan2(tip[1], tip[0])
    middle, swing = away * away + last * last, 2.0 * away * last
    low, high = max(least - room, 0.0) ** 2 - middle, most * most - middle
    if max(low, -high) > swing:
        return []
    if swing == 0.0:
        return [EVERY_ORIENTATION]
    inner, outer = math.acos(min(high / swing, 1.0)), math.acos(max(low / swing, -1.0))
    starts = wrap(direction + inner), wrap(direction - outer)
    return [(start, start + outer - inner) for start in starts]
