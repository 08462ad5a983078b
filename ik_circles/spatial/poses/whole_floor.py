# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where a whole arm may be: which part of it is lowest, whether that part is above the floor, and
whether the tip keeps off the edges of the safe zones.
"""

import math

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
