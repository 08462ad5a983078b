# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two circles and where they meet: the one primitive that everything else is made of.

The intersection follows the single-division form of Inigo Quilez, "Simple inverse kinematics"
(formulas 1 to 3). The offset from the line of centers is taken from Heron's product instead of a
difference of squares, which keeps its digits where the circles nearly touch.
"""

import math

import numpy as np

from ik_circles.geometry.arrays import Floats

Point = tuple[float, float]
#: A center and a radius [m].
Circle = tuple[Point, float]

ORIGIN: Point = (0.0, 0.0)

#: Circles that miss by up to this many tolerances still give an angle. A superfluous cut of the
#: orientations is harmless, a missing one is not.
MISS = 4.0
#: A triangle that is flat to within this many tolerances is flat.
FLAT = 0.5


def intersect_circles(
    center_a: Point, radius_a: float, center_b: Point, radius_b: float, tolerance: float
) -> tuple[Point, ...]:
    """Points common to two circles.

    Parameters
    ----------
    center_a, center_b : (x, y) [m]
    radius_a, radius_b : [m], at least 0
    tolerance : circles that miss each other by no more than this [m] touch

    Returns
    -------
    No point, one where they touch, or two: first the point on the left of the line from a to b. The
    points lie on circle a. Two circles about the same center share no point, or every point. Both
    cases give `()`, except for two circles of radius 0.
    """
    dx, dy = center_b[0] - center_a[0], center_b[1] - center_a[1]
    distance = math.hypot(dx, dy)
    apart = distance - (radius_a + radius_b)
    inside = abs(radius_a - radius_b) - distance
    if apart > tolerance or inside > tolerance:
        return ()
    if distance <= tolerance:
        return (center_a,) if radius_a + radius_b <= tolerance else ()
    along = (distance + (radius_a - radius_b) * (radius_a + radius_b) / distance) / 2.0
    if apart >= -tolerance or inside >= -tolerance:
        scale = math.copysign(radius_a, along) / distance
        return ((center_a[0] + scale * dx, center_a[1] + scale * dy),)
    heron = apart * inside * (distance + radius_a + radius_b) * (
        distance + abs(radius_a - radius_b)
    )
    aside = math.sqrt(heron) / (2.0 * distance)
    ux, uy = dx / distance, dy / distance
    foot_x, foot_y = center_a[0] + along * ux, center_a[1] + along * uy
    return (
        (foot_x - aside * uy, foot_y + aside * ux),
        (foot_x + aside * uy, foot_y - aside * ux),
    )


def angle_between_sides(side_a: float, side_b: float, opposite: float, tolerance: float) -> float:
    """Angle of a triangle between two of its sides, in [0, pi] [m, rad].

    Sides that make no triangle make a flat one: 0 if the opposite side is too short, else pi. So do
    sides that miss flatness by half a tolerance. The formula is W. Kahan's, "Miscalculating Area
    and Angles of a Needle-like Triangle".
    """
    difference, total = abs(side_a - side_b), side_a + side_b
    near, far = opposite - difference, total - opposite
    if near > FLAT * tolerance and far > FLAT * tolerance:
        return 2.0 * math.atan2(
            math.sqrt(near * (opposite + difference)), math.sqrt(far * (total + opposite))
        )
    return 0.0 if near < far else math.pi


def meeting_directions(
    towards: float, distance: float, radius_a: float, radius_b: float, tolerance: float
) -> tuple[float, ...]:
    """Directions from the center of circle a to where it meets circle b [rad].

    Parameters
    ----------
    towards, distance : direction [rad] and distance [m] of the center of circle b
    radius_a, radius_b : [m]
    tolerance : circles that miss each other by up to MISS tolerances [m] still touch

    Returns
    -------
    Two directions, which are equal where the circles touch, or none. There are none if circle a has
    radius 0. Two equal circles about the same center touch, say, opposite to `towards`.
    """
    if radius_a <= tolerance:
        return ()
    apart = abs(distance - radius_a)
    if not apart - MISS * tolerance <= radius_b <= distance + radius_a + MISS * tolerance:
        return ()
    angle = angle_between_sides(distance, radius_a, radius_b, tolerance)
    return towards + angle, towards - angle


def meeting_directions_of_many(
    towards: Floats, distance: Floats, radius_a: float, radius_b: float, tolerance: float
) -> tuple[Floats, Floats]:
    """`meeting_directions` for N centers of circle b: two columns (N,), NaN for none."""
    difference, total = np.abs(distance - radius_a), distance + radius_a
    near, far = radius_b - difference, total - radius_b
    angle: Floats = 2.0 * np.arctan2(
        np.sqrt(np.maximum(near, 0.0) * (radius_b + difference)),
        np.sqrt(np.maximum(far, 0.0) * (total + radius_b)),
    )
    angle[near <= FLAT * tolerance] = 0.0
    angle[far <= FLAT * tolerance] = math.pi
    miss = np.minimum(near, far) < -MISS * tolerance
    angle[miss | (radius_a <= tolerance)] = np.nan
    return towards + angle, towards - angle


def span(side_a: float, side_b: float, bend_angle: float) -> float:
    """Length of two links, the second bent away from the first by an angle, as one [m, rad]."""
    return math.hypot(side_a + side_b * math.cos(bend_angle), side_b * math.sin(bend_angle))


def bend(side_a: float, side_b: float, bend_angle: float) -> float:
    """Direction of the two links as one, from the direction of the first [rad]; see `span`."""
    return math.atan2(side_b * math.sin(bend_angle), side_a + side_b * math.cos(bend_angle))
