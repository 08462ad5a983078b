"""Where on an arc of the plane is the point nearest to a place, if the plane may be turned?

Derived in docs/derivation.md, section 12.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point
from ik_circles.spatial.yaw import Place, Yaw


def likely_points(yaw: Yaw, arc: Arc, place: Place) -> Iterator[Point]:
    """Points of an arc that may be nearest to a place when turned about the yaw axis.

    They are the ends of the arc and its points nearest to the place and to the place's mirror
    image. If the plane holds the axis, one of them is the nearest.
    """
    outwards = yaw.outwards(place)
    for side in (outwards, -outwards):
        yield arc.nearest_to(yaw.in_plane(side, place.height))
    yield arc.point_at(arc.start)
    yield arc.point_at(arc.end)


def stationary_points(yaw: Yaw, arc: Arc, place: Place, least: float) -> Iterator[Point]:
    """Points of an arc whose distance from a place, when turned, is stationary.

    None is given if none can be nearer than `least` [m]. At such a point the line from the place
    to the tip meets both the yaw axis and the axis of the arc. If the plane passes the yaw axis,
    these are roots of a polynomial of degree 8.
    """
    if yaw.holds_axis or arc.radius <= yaw.rounding:
        return
    outwards = yaw.outwards(place)
    sides = (yaw.in_plane(side, place.height) for side in (outwards, -outwards))
    shrinks = outwards / (place.radius + abs(yaw.aside))  # distances in the plane, when turned
    if shrinks * min(map(arc.distance_to, sides)) < least:
        for angle in _stationary_angles(yaw, arc, place):
            if (angle - arc.start) % TURN <= arc.sweep:
                yield arc.point_at(angle)


def _stationary_angles(yaw: Yaw, arc: Arc, place: Place) -> list[float]:
    """Directions from the center of an arc in which the distance to a place is stationary [rad].

    Let `t` count from the outward direction, `r(t)` be the tip's distance from the axis and
    `o(t) = c + q cos t` its distance outwards. The derivative of the squared distance vanishes
    where `R o sin t = r (H cos t + c sin t)`, with the place's distance R from the axis and its
    height H above the center. Squared, and with `z = exp(i t)`, it is a polynomial.
    """
    center, height = yaw.from_axis(arc.center)
    above = place.height - height
    outwards = np.array([arc.radius / 2.0, center, arc.radius / 2.0])
    sine = np.array([-0.5j, 0.0, 0.5j])
    tilted = above * np.array([0.5, 0.0, 0.5]) + center * sine
    square = np.convolve(outwards, outwards)
    from_axis = square + yaw.aside**2 * np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    polynomial = place.radius**2 * np.convolve(square, np.convolve(sine, sine))
    polynomial = polynomial - np.convolve(from_axis, np.convolve(tilted, tilted))
    roots = np.roots(polynomial)
    outward = math.atan2(-yaw.along[0], yaw.along[1])
    return [outward + float(angle) for angle in np.angle(roots[roots != 0.0])]
