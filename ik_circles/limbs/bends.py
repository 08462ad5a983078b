# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How much each joint of a chain bends: the policies 'outermost', 'even' and 'near'.

A bend is the angle at a joint's child, from the direction to the base to the direction to the joint
[rad], positive on the left of the line from base to child.

'even' bends a chain nearly as if base, joints and tip were on one circle. The links and the line
from base to tip are the sides of a polygon. If all its corners are on a circle, equal links bend by
equal angles. For more than three links, no closed formula gives that circle. The formula here comes
close to it. It is exact for straight links, for equal links that close the polygon, and for two
equal links.
"""

import math
from dataclasses import dataclass

from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.circles import Point, angle_between_sides
from ik_circles.geometry.tolerances import STRAIGHT
from ik_circles.limbs.links import Links

OUTERMOST, EVEN, NEAR = POLICIES = ('outermost', 'even', 'near')
LEFT, RIGHT = SIDES = ('left', 'right')

#: If the links before a joint can fold onto the base, 'near' keeps the joint away from the base by
#: this share of its reach. Closer to the base, their direction could turn by any angle in one step.
KEEP_OUT = 0.05


@dataclass(frozen=True)
class Bends:
    """How a chain bends to one side under a policy.

    `before` has the points of the previous shape, relative to the base; only NEAR needs them.
    """

    links: Links
    policy: str
    side: str
    before: tuple[Point, ...]

    def at(self, joint: int, child: Point, distance: float, inwards: float) -> float:
        """The bend [rad] of a joint whose child is at a distance from the base [m].

        `inwards` is the direction from the child to the base [rad].
        """
        sign = 1.0 if self.side == LEFT else -1.0
        if self.policy == NEAR:
            x, y = self.before[joint]
            before = wrap(inwards - math.atan2(y - child[1], x - child[0]))
            return _near_bend(self.links, joint, distance, before, sign)
        if self.policy == EVEN:
            return sign * _even_bend(self.links, joint, distance)
        _, upper = self.links.feasible_radii(joint, distance)
        return sign * _bend(self.links, joint, distance, upper)


def _bend(links: Links, joint: int, distance: float, radius: float) -> float:
    """Angle at a joint's child between the base and the joint, which is `radius` away from the base
    [rad]."""
    return angle_between_sides(distance, links.link_lengths[joint], radius, 0.0)


def _near_bend(links: Links, joint: int, distance: float, before: float, sign: float) -> float:
    """The previous bend, changed only as far as needed to be feasible [rad].

    `sign` decides the side if that bend was straight.
    """
    if distance <= links.tolerance:  # the child is on the base: every direction closes the chain
        return before
    lower, upper = links.feasible_radii(joint, distance)
    lower = max(lower, min(_keep_out(links, joint), upper))
    least, most = (_bend(links, joint, distance, radius) for radius in (lower, upper))
    nearest = nearest_in(abs(before), (least, most))
    return math.copysign(nearest, sign if abs(before) < STRAIGHT else before)


def _keep_out(links: Links, joint: int) -> float:
    """Radius of the disc about the base that the policy 'near' keeps a joint out of [m].

    It is 0 unless the links before the joint, straight or folded, can end nearly on the base.
    """
    if joint < 2:
        return 0.0
    radius = KEEP_OUT * links.zones[joint][1]
    last = links.link_lengths[joint - 1]
    near_base = min(abs(last - end) for end in links.zones[joint - 1])
    return radius if near_base < radius else 0.0


def _even_bend(links: Links, joint: int, distance: float) -> float:
    """The bend nearly on one circle through base and tip [rad]."""
    lower, upper = links.feasible_radii(joint, distance)
    length, (_, rest) = links.link_lengths[joint], links.zones[joint]
    if length > rest:
        share = _even_share(length, rest, links.concentrations[joint])
        return _bend(links, joint, distance, lower + share * (upper - lower))
    least, most = (_bend(links, joint, distance, radius) for radius in (lower, upper))
    zones, concentration = links.zones[joint + 1], links.concentrations[joint + 1]
    return nearest_in(_bend_on_circle(distance, length, zones, concentration), (least, most))


def _bend_on_circle(
    distance: float, length: float, zones: tuple[float, float], concentration: float
) -> float:
    """Bend of a last link that is no longer than the others together [rad].

    It is half the arc over the other links, as if the chain were part of a circle. `distance` is
    from the base to the chain's end [m]; `zones` and `concentration` are those of the whole chain.
    """
    inner, outer = zones
    width = outer - inner
    if width <= 0.0:  # only one shape
        return 0.0
    share = min(max((distance - inner) / width, 0.0), 1.0)
    count = max(1.0 / math.sqrt(concentration), 2.0)
    half = _half_arc(share, count)
    # The circle is that of `count` equal links which together are as long as all links here.
    own = math.asin(min(1.0, length / outer * count * math.sin(half / count)))
    return max(half - own, 0.0)


def _even_share(length: float, rest: float, concentration: float) -> float:
    """For a last link longer than the others together: where the distance of its joint from the
    base lies, from 0 (the smallest with which the chain closes) to 1 (the largest).

    The share is that on a circle so large that the links are nearly straight. `rest` is the length
    of the others together [m], and `concentration` belongs to the others.
    """
    return 1.0 / (1.0 + rest / length * (rest / (rest + length)) * (1.0 - concentration) / 3.0)


def _half_arc(share: float, count: float) -> float:
    """Half the arc over `count` equal links with a chord of a share of their sum [rad], 0 to pi.

    With the half arc h, the share is sin(h) / (count sin(h / count)). The quotient of cos(h / 2)
    and the share is 1 for straight links and count / 2 sin(pi / count) for a closed chain. It is
    approximated by the parabola that has these two values, and the right slope for straight links.
    That gives h to within 0.05 rad.
    """
    closed = count / 2.0 * math.sin(math.pi / count)
    slope = 0.75 / (1.0 - 1.0 / (count * count)) - 1.0
    bent = 1.0 - share
    quotient = 1.0 - bent * (slope - bent * (closed - 1.0 + slope))
    return 2.0 * math.acos(min(share * quotient, 1.0))
