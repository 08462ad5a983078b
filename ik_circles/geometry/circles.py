"""Intersection of two circles: the one primitive that everything else is made of.

The single-division form follows Inigo Quilez, "Simple inverse kinematics" (formulas 1 to 3); the
offset from the line of centres is taken from Heron's product instead of a difference of squares,
which keeps its digits where the circles nearly touch.
"""

import math

Point = tuple[float, float]

#: A cut is not lost where circles miss each other by so many tolerances: to look there is cheap.
MISS = 4.0


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
    No point, the one where they touch, or two: first the one on the left of the line from a to b.
    The points lie on circle a. Two circles about the same centre have no point in common, or all:
    both give `()`, except for two points that coincide.
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
    """Angle of a triangle between two of its sides [rad]; -1 if the three make none.

    It is the angle at one circle's centre from the other centre to where the circles meet: the
    distance of the centres and a radius are the sides, the other radius is opposite (W. Kahan,
    "Miscalculating Area and Angles of a Needle-like Triangle"). All in metres; a triangle that is
    flat to within half the tolerance is flat, and so is one that misses by MISS tolerances.
    """
    difference, total = side_a - side_b, side_a + side_b
    near, far = opposite - abs(difference), total - opposite
    if near > 0.5 * tolerance and far > 0.5 * tolerance:
        return 2.0 * math.atan2(
            math.sqrt(near * (opposite + abs(difference))), math.sqrt(far * (total + opposite))
        )
    if near < -MISS * tolerance or far < -MISS * tolerance:
        return -1.0
    return 0.0 if near < far else math.pi
