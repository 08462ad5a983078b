# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""With joint 1 held and the elbow folded, which angles of the other joints bring the tip to a
position? See `FoldedElbow`.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial

from ik_circles.geometry.angles import Limits
from ik_circles.spatial.true_axes.aiming import Aimed, Aiming, Sought
from ik_circles.spatial.true_axes.folded_elbow import FoldedElbow, JointHeld


def folded_aims(
    aiming: Aiming, limits: Sequence[Limits], sought: Sought, side: float
) -> Iterator[Sequence[Aimed]]:
    """Angles that put the tip on its target, at one side of the yaw axis; see
    `FoldedElbow.picked`."""
    bounds = aiming.bounds
    near = bounds.planar.home if sought.near is None else sought.near
    elbow = FoldedElbow(bounds, limits, partial(_hold, aiming, sought, side))
    for some in elbow.picked(sought.phi, near):
        yield [_aimed(one) for one in some]


def _aimed(one: JointHeld) -> Aimed:
    angles, along, phi, off, _ = one
    *yaw, q1, q2, q3 = angles
    return Aimed(sum(yaw), (q1, q2, q3), phi, off, abs(along))


def _hold(aiming: Aiming, sought: Sought, side: float, angle: float, bends: int) -> JointHeld:
    """The elbow brings the tip across link 1, and the third joint turns the tool as sought."""
    _, length_2, _ = aiming.bounds.planar.link_lengths
    target, phi, bend, across = aiming.target_of(sought), sought.phi, 0.0, 0.0
    cosine, sine = math.cos(angle), math.sin(angle)
    for _ in range(bends + 1):
        bend -= across / (length_2 * math.cos(bend))
        q = angle, math.pi + bend, phi - angle - math.pi - bend
        seen = aiming.look(q, target, side)
        x, y = aiming.in_plane(seen.target[0] - seen.tip[0], seen.target[1] - seen.tip[1])
        along, across = cosine * x + sine * y, cosine * y - sine * x
        yaw, phi = seen.yaw, aiming.turned_as(sought, seen.yaw, q)
    return JointHeld(q if aiming.bounds.plane.yaw is None else (yaw, *q), along, phi)
