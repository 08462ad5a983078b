# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""With joint 1 held and the elbow folded, which angles of the other joints bring the tip to a
position? See `FoldedElbow`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ik_circles.geometry.angles import Limits
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.true_axes.aiming import Aimed, Aiming, Seen, Sought
from ik_circles.spatial.true_axes.both_sides import BothSides, Parabola
from ik_circles.spatial.true_axes.bounds import ROOTS
from ik_circles.spatial.true_axes.folded_elbow import FoldedElbow, JointHeld

#: Where the tip and its target are, as the yaw axis sees them, at angles of the three joints [rad].
Looking = Callable[[JointPositions], Seen]
#: Holds joint 1 at an angle [rad], and corrects the other joints this many times.
HoldingFor = Callable[[Aiming, Sought, float, int], JointHeld]


def folded_aims(
    aiming: Aiming, limits: Sequence[Limits], sought: Sought, sides: Sequence[float]
) -> Iterator[Sequence[Aimed]]:
    """Angles that put the tip on its target, at one side of the yaw axis or where both sides meet;
    see `FoldedElbow.picked`."""
    bounds = aiming.bounds
    near = bounds.planar.home if sought.near is None else sought.near
    some: list[HoldingFor] = [partial(_hold_side, side) for side in sides]
    if sought.orientation and bounds.plane.is_next_to_axis(sought.point):
        some.insert(0, _hold_turned)
    elif len(sides) > 1:
        some = [_hold_where_sides_meet]
    for hold in some:
        elbow = FoldedElbow(bounds, limits, partial(hold, aiming, sought))
        for found in elbow.picked(sought.phi, near):
            yield [_aimed(one) for one in found]


def _aimed(one: JointHeld) -> Aimed:
    *yaw, q1, q2, q3 = one.angles
    return Aimed(sum(yaw), (q1, q2, q3), one.phi, one.off, one.miss)


def _hold_side(
    side: float, aiming: Aiming, sought: Sought, angle: float, bends: int
) -> JointHeld:
    """With one side of the plane turned to the target."""
    target = aiming.target_of(sought)
    bent = _bent(aiming, sought, lambda q: aiming.look(q, target, side), angle, bends)
    angles = bent.q if aiming.bounds.plane.yaw is None else (bent.seen.yaw, *bent.q)
    return JointHeld(angles, bent.along, abs(bent.along), bent.phi)


def _hold_turned(aiming: Aiming, sought: Sought, angle: float, bends: int) -> JointHeld:
    """With the plane turned as the orientation asks, because the target is next to the yaw axis.

    Then the lean moves the tip out of the plane, and by far less along link 1.
    """
    target = aiming.target_of(sought)
    bent = _bent(aiming, sought, partial(aiming.look_turned, sought, target), angle, bends)
    yaw, beside = bent.seen.yaw, bent.seen.beside
    off = beside - (target[2] * math.cos(yaw) - target[0] * math.sin(yaw))
    return JointHeld((yaw, *bent.q), off, math.hypot(bent.along, off), bent.phi)


def _hold_where_sides_meet(
    aiming: Aiming, sought: Sought, angle: float, bends: int
) -> JointHeld:
    """With the plane turned so that the target is at its distance from the yaw axis.

    How far outwards the target is then has two values. The errors along link 1 that they leave are
    no polynomials of joint 1, because of a root, but their product is one.
    """
    target, step = aiming.target_of(sought), aiming.bounds.nearly / ROOTS
    radius = math.hypot(target[0], target[2])

    def at(outwards: float) -> Bent:
        def look(q: JointPositions) -> Seen:
            return aiming.look_outwards(q, target, outwards)

        return _bent(aiming, sought, look, angle, bends)

    def nearer(one: Bent) -> float:
        """By how much the tip is nearer to the axis than the target, in squares [m^2]."""
        outwards, beside = one.seen.target[0], one.seen.beside
        return (radius - beside) * (radius + beside) - outwards * outwards

    some = [at(way * step) for way in (-1.0, 0.0, 1.0)]
    sides = BothSides(
        Parabola.of([one.along for one in some]),
        Parabola.of([nearer(one) / (radius + step) for one in some]),
    )
    best = at(step * sides.best)
    out_of_plane = radius - math.hypot(best.seen.target[0], best.seen.beside)
    miss = math.hypot(best.along, out_of_plane)
    return JointHeld((best.seen.yaw, *best.q), sides.product, miss, best.phi)


class Bent(NamedTuple):
    """Joint angles in the plane [rad], what is `seen` there, the error that is left along link 1
    [m], and the orientation in the plane that is sought [rad]."""

    q: JointPositions
    seen: Seen
    along: float
    phi: float


def _bent(aiming: Aiming, sought: Sought, look: Looking, angle: float, bends: int) -> Bent:
    """The elbow brings the tip across link 1, and the third joint turns the tool as sought."""
    _, length_2, _ = aiming.bounds.planar.link_lengths
    phi, bend, across = sought.phi, 0.0, 0.0
    cosine, sine = math.cos(angle), math.sin(angle)
    for _ in range(bends + 1):
        bend -= across / (length_2 * math.cos(bend))
        q = angle, math.pi + bend, phi - angle - math.pi - bend
        seen = look(q)
        x, y = aiming.in_plane(seen.target[0] - seen.tip[0], seen.target[1] - seen.tip[1])
        along, across = cosine * x + sine * y, cosine * y - sine * x
        phi = aiming.turned_as(sought, seen.yaw, q)
    return Bent(q, seen, along, phi)
