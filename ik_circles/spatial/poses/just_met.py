# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The shoulders of a wrist center that only rounding tells from those of the closed form.

Where the plane just meets the center, or next to the yaw axis, rounding of the center turns the
plane. If no pose is found there, joints on their limits may determine the yaw angle.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Circle, Point
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.geometry.rigid import Point3
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.limits import tip_circles
from ik_circles.spatial.points.deciding import shoulders_at
from ik_circles.spatial.poses.aims import Aim
from ik_circles.spatial.poses.free_members import yaws_of_two
from ik_circles.spatial.shoulder import ShoulderAtYaws
from ik_circles.spatial.wrist import LOOSE, ROUNDING

#: Rounding moves the wrist center in the plane. The limits of two joints may leave a single
#: orientation, and none at the moved center. So limits that are wider by this are asked, too [rad].
WIDER = 1e-5


def shoulders_by_rounding(
    aim: Aim, center: Point3, others: Sequence[ShoulderAtYaws]
) -> list[ShoulderAtYaws]:
    """The shoulders of a wrist center [m] that rounding may have put beside the others.

    Axes that lean turn the plane by more; see `picked_starts`.
    """
    arm, yaw = aim.arm, aim.arm.carrier.yaw
    if yaw is None or arm.is_leaning:
        return []
    place = yaw.place_of(*arm.carrier.plane.into(center))
    if yaw.outwards(place) * LOOSE > max(CLOSURE * yaw.rounding, aim.missed):
        return []
    point = yaw.in_plane(0.0, place.height)
    yaws = _yaws_on_limits(aim, point)
    some = [shoulders_at(yaw, one, place, ON_LIMIT, aim.missed) for one in yaws]
    some.append(arm.carrier.plane.shoulders_by_rounding(center, _circles(aim, others)))
    found = list[ShoulderAtYaws]()
    for at, its in chain.from_iterable(some):
        if not any(abs(wrap(at.yaw - one.yaw)) <= ROUNDING for one, _ in (*others, *found)):
            found.append((at, its))
    return found


def _yaws_on_limits(aim: Aim, point: Point) -> Iterator[float]:
    """Yaw angles at which one of the joints is on a limit, and angles between these [rad].

    With two wrist joints that are nearly singular, a turn of the plane that rounding hides turns
    the last link round. The wrist center stays at a point of the plane [m] meanwhile.
    """
    arm = aim.arm
    if arm.wrist.has_two:
        both = arm.carrier.planar, arm.bounds.widened(WIDER)
        found = chain.from_iterable(planar.orientation_intervals(*point) for planar in both)
        phis = chain.from_iterable(found)
        some = sorted({*yaws_of_two(arm, aim.sight, arm.wrist_limits, phis)})
        yield from some
        yield from (one + wrap(other - one) / 2.0 for one, other in pairwise((*some, *some[:1])))


def _circles(aim: Aim, some: Sequence[ShoulderAtYaws]) -> Iterator[Circle]:
    """Circles of the plane that hold the wrist center wherever one of the three joints is on a
    limit, or the elbow straight or folded, with the last link as these shoulders ask for."""
    arm = aim.arm
    for at, _ in some:
        for posture in arm.wrist.postures(aim.sight, at.yaw):
            yield from tip_circles(arm.carrier.planar, posture.phi)
