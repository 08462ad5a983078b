"""Evenly bent chains: nearly as if base, joints and tip were on one circle.

Links and the line from base to tip are the sides of a polygon. One with all corners on a circle
bends equal links by equal angles, but of more than three links its circle has no closed formula.
Here is one that is near to it, and right where the links are straight, where equal links close
the polygon, and for two equal links.
"""

from __future__ import annotations

import math


def even_bend(
    distance: float, length: float, inner: float, outer: float, concentration: float
) -> float:
    """Angle at the end of a chain between its last link and the line to the base [rad].

    Parameters
    ----------
    distance : of the chain's end from the base [m]
    length : of the last link [m], no more than of the others together
    inner, outer : the chain's zones [m]
    concentration : of its lengths (`concentrations`)

    It is half the arc over the other links, as if the chain were part of a circle.
    """
    width = outer - inner
    if width <= 0.0:  # only one shape
        return 0.0
    share = min(max((distance - inner) / width, 0.0), 1.0)
    count = max(1.0 / math.sqrt(concentration), 2.0)
    half = _half_arc(share, count)
    # Of all links on the circle that `count` equal ones of the same length together would have.
    own = math.asin(min(1.0, length / outer * count * math.sin(half / count)))
    return max(half - own, 0.0)


def even_share(length: float, rest: float, concentration: float) -> float:
    """For a last link longer than the others together: where its joint's distance from the base is
    between the smallest and the largest with which the chain closes, 0 to 1.

    Parameters
    ----------
    length : of the last link [m]
    rest : of the others together [m]
    concentration : of theirs

    It is the one on a circle so large that the links are nearly straight.
    """
    return 1.0 / (1.0 + rest / length * (rest / (rest + length)) * (1.0 - concentration) / 3.0)


def concentrations(lengths: tuple[float, ...]) -> tuple[float, ...]:
    """For the first links, none to all, the sum of their cubes over the cube of their sum.

    It is 1 / n² for n equal ones. On a circle so large that they are nearly straight, links of the
    same sum and of the same value have the same chord.
    """
    found = [1.0]
    outer = 0.0
    for length in lengths:
        before, outer = outer, outer + length
        if outer > 0.0:
            found.append(found[-1] * (before / outer) ** 3 + (length / outer) ** 3)
        else:
            found.append(1.0)
    return tuple(found)


def _half_arc(share: float, count: float) -> float:
    """Half the arc over `count` equal links [rad], 0 to pi, whose chord is a share of their sum.

    With the half arc h, the share is sin(h) / (count sin(h / count)). The quotient of cos(h / 2)
    and the share is 1 where the links are straight and count / 2 sin(pi / count) where they close.
    Here it is the parabola with these values and with the slope that it has where they are
    straight: h is right to within 0.05 rad.
    """
    closed = count / 2.0 * math.sin(math.pi / count)
    slope = 0.75 / (1.0 - 1.0 / (count * count)) - 1.0
    bent = 1.0 - share
    quotient = 1.0 - bent * (slope - bent * (closed - 1.0 + slope))
    return 2.0 * math.acos(min(share * quotient, 1.0))
