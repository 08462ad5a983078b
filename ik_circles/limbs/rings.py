# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Rings in the plane, and the common point of all rings that is nearest to a given point."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ik_circles.geometry.circles import Point, intersect_circles

#: A common point may miss a ring by this many tolerances, because both are rounded.
SLACK = 4.0


class Ring(NamedTuple):
    """Points at distances from `inner` to `outer` about a center [m]."""

    center: Point
    inner: float
    outer: float

    def contains(self, point: Point, tolerance: float) -> bool:
        """Whether a point is in the ring, or misses it by no more than the tolerance [m]."""
        distance = math.hypot(point[0] - self.center[0], point[1] - self.center[1])
        return self.inner - tolerance <= distance <= self.outer + tolerance


def nearest_common(rings: Sequence[Ring], near: Point, tolerance: float) -> Point | None:
    """The common point of all rings that is nearest to a given point; None if there is none."""
    common = [
        place
        for place in _candidates(rings, near, tolerance)
        if all(ring.contains(place, SLACK * tolerance) for ring in rings)
    ]
    return min(common, key=lambda place: math.dist(place, near), default=None)


def _candidates(rings: Sequence[Ring], near: Point, tolerance: float) -> Iterator[Point]:
    """The given point, the nearest point on each circle, and the points where two circles meet."""
    yield near
    circles = [(ring.center, radius) for ring in rings for radius in {ring.inner, ring.outer}]
    for (x, y), radius in circles:
        direction = math.atan2(near[1] - y, near[0] - x)
        yield x + radius * math.cos(direction), y + radius * math.sin(direction)
    for (center_a, radius_a), (center_b, radius_b) in combinations(circles, 2):
        yield from intersect_circles(center_a, radius_a, center_b, radius_b, tolerance)


def eased(rings: Sequence[Ring], share: float) -> list[Ring]:
    """The rings, each narrower on both sides by a share of its width."""
    steps = [share * (ring.outer - ring.inner) for ring in rings]
    return [Ring(at, inner + step, outer - step) for (at, inner, outer), step in zip(rings, steps)]


def on_the_way(rings: Sequence[Ring]) -> Point:
    """A place for the fork: on the line from the base to the mean of the targets, at the trunk's
    share of the whole length. The first ring is the trunk's, the others are those of the limbs."""
    (start_x, start_y), _, trunk = rings[0]
    targets = [ring.center for ring in rings[1:]]
    limbs = sum(ring.outer for ring in rings[1:]) / len(targets)
    share = trunk / (trunk + limbs)
    mean_x = sum(x / len(targets) for x, _ in targets)
    mean_y = sum(y / len(targets) for _, y in targets)
    return start_x + share * (mean_x - start_x), start_y + share * (mean_y - start_y)
