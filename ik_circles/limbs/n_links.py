"""n links by circle intersections from the tip to the base, with both safe zones.

Source: S. Ramachandran and N. W. John, "A Fast Inverse Kinematics Solver using Intersection of
Circles" (TPCG 2013): the joint before the tip lies where the circle about the tip, with the link
as radius, meets a circle about the base; and so on, joint by joint, down to the base. The paper
counts tip and base as joints, so its n - 2 intersections are one less than the links here.

Added: the paper leaves the radius R of the circle about the base open, and its routine may then
find no intersection for a target within reach. A chain of links reaches exactly the distances from
`max(0, 2 longest - sum)` to their `sum`. So the joint before one at distance D, by a link of length
l, may have just the R with

    max(inner zone of the rest, |D - l|)  <=  R  <=  min(outer zone of the rest, D + l),

which is never empty inside the safe zones (`feasible_radii`). With R in there, every step finds
its intersection and leaves one that the next step can do. Both safe zones are formulas, where the
paper searches for the inner one. Policies choose R: 'outermost' (the paper's), 'even', 'near'.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import cast

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.circles import Point, angle_between_sides
from ik_circles.geometry.tolerances import STRAIGHT, TOLERANCE
from ik_circles.limbs.round_shape import concentrations, even_bend, even_share
from ik_circles.planar.zones import SafeZones

POLICIES = ('outermost', 'even', 'near')
SIDES = ('left', 'right')
ORIGIN: Point = (0.0, 0.0)
#: 'near' keeps a joint this share of its reach away from the base where the links before it fold
#: onto the base: close to it, their direction could turn by any angle in one step.
KEEP_OUT = 0.05


@dataclass(frozen=True)
class ChainShape:
    """A chain's joints. `points`: base, joints and tip [m], one more than links. `joint_angles`
    [rad], one for each link, in (-pi, pi], counter-clockwise: the first from the +x axis (or the
    direction given), each other from the link before. A link without length goes straight on."""

    points: tuple[Point, ...]
    joint_angles: tuple[float, ...]


@dataclass(frozen=True)
class LinkChain:
    """Links in a plane, from the base to the tip, with a joint that turns freely before each.

    Parameters
    ----------
    link_lengths : one or more [m], each at least 0, the longest between 1e-12 and 1e12

    Raises
    ------
    InvalidArmError, NotFiniteError
    """

    link_lengths: tuple[float, ...]

    def __post_init__(self) -> None:
        lengths = checks.link_lengths('link_lengths', self.link_lengths)
        object.__setattr__(self, 'link_lengths', lengths)

    @cached_property
    def zones(self) -> tuple[tuple[float, float], ...]:
        """Inner and outer safe zone of each joint and of the tip [m], from the base on: the
        distances from the base that the links up to it can have."""
        longest = accumulate(self.link_lengths, max)
        outer = accumulate(self.link_lengths)
        return ((0.0, 0.0), *((max(0.0, 2.0 * m - s), s) for m, s in zip(longest, outer)))

    @cached_property
    def concentrations(self) -> tuple[float, ...]:
        """Of the lengths of the links up to each joint and the tip (see round_shape)."""
        return concentrations(self.link_lengths)

    @cached_property
    def safe_zones(self) -> SafeZones:
        """The ring of all targets that the tip can reach: nothing in it is out of reach."""
        return SafeZones(*self.zones[-1])

    @cached_property
    def tolerance(self) -> float:
        """TOLERANCE in metres of this chain."""
        return TOLERANCE * self.zones[-1][1]

    def feasible_radii(self, joint: int, distance: float) -> tuple[float, float]:
        """Smallest and largest distance of a joint from the base, with which the links on both of
        its sides can close.

        Parameters
        ----------
        joint : its number; the base is 0
        distance : of the joint after it, or of the tip, from the base [m], inside its own zones
        """
        length = self.link_lengths[joint]
        inner, outer = self.zones[joint]
        folded, straight = abs(distance - length), distance + length
        # Rounding may part the two intervals: the triangle's wins, so that no link is stretched.
        return (
            min(max(inner, folded), straight),
            max(min(outer, straight), folded),
        )

    def nearest_inside(self, target: Point, base: Point = ORIGIN) -> Point:
        """The point inside both safe zones that is nearest to `target` [m]; on the base itself,
        all of the inner zone is as near, and the +x direction is taken."""
        (x, y), (base_x, base_y) = checks.point('target', target), checks.point('base', base)
        away_x, away_y = x - base_x, y - base_y
        distance = math.hypot(away_x, away_y)
        inner, outer = self.zones[-1]
        if inner <= distance <= outer:
            return x, y
        radius = min(max(distance, inner), outer)
        direction = math.atan2(away_y, away_x)
        return base_x + radius * math.cos(direction), base_y + radius * math.sin(direction)

    def solve(
        self,
        target: Point,
        policy: str = 'outermost',
        *,
        side: str = 'left',
        previous: tuple[Point, ...] | None = None,
        base: Point = ORIGIN,
        direction: float = 0.0,
    ) -> ChainShape | None:
        """The joints with the tip on `target`; None exactly if it is outside of the safe zones.

        Parameters
        ----------
        target, base : (x, y) [m]
        policy : how each joint's distance from the base is chosen, from the tip to the base:

            'outermost': as large as possible (the source's).
            'even': nearly as if all joints were on one circle through base and tip, so that the
            chain bends evenly: equal links by angles within 0.06 rad of each other.
            'near': each joint as near as possible to where it was in `previous`, outside of a disc
            of KEEP_OUT about the base where the chain would flip.
        side : on which side of the line from the base to the next joint each joint lies: 'left' or
            'right'; for 'near' only where `previous` has no side
        previous : joint points before, one more than links; for the policy 'near'
        direction : that the first joint angle is measured from [rad]

        Raises
        ------
        InvalidArmError, InvalidSettingError, NotFiniteError
        """
        checks.choice('policy', policy, POLICIES)
        checks.choice('side', side, SIDES)
        start, tip = checks.point('base', base), checks.point('target', target)
        heading = checks.number('direction', direction)
        before = self._checked_previous(policy, previous, start)
        distance = math.hypot(tip[0] - start[0], tip[1] - start[1])
        if not self.safe_zones.contains(distance, self.tolerance):
            return None
        return self.closed(tip, policy, side, before, start, heading)

    def closed(
        self,
        tip: Point,
        policy: str,
        side: str,
        before: tuple[Point, ...],
        start: Point,
        heading: float,
    ) -> ChainShape:
        """`solve` of checked values, `before` relative to the base. A tip that rounding has put
        outside of the safe zones is missed by as much."""
        sign = 1.0 if side == 'left' else -1.0
        x, y = tip[0] - start[0], tip[1] - start[1]
        bends = self._bends_of(policy, sign, before)
        points = self._points((x, y), bends)
        angles = self._joint_angles(points, heading)
        placed = [(px + start[0], py + start[1]) for px, py in points]
        return ChainShape((start, *placed[1:-1], tip), angles)

    def forward_kinematics(
        self, joint_angles: tuple[float, ...], base: Point = ORIGIN, direction: float = 0.0
    ) -> tuple[Point, ...]:
        """Base, joints and tip [m] at joint angles [rad], one for each link."""
        angles = checks.vector('joint_angles', joint_angles, len(self.link_lengths))
        heading = checks.number('direction', direction)
        x, y = checks.point('base', base)
        points = [(x, y)]
        for length, angle in zip(self.link_lengths, angles):
            heading += angle
            x, y = x + length * math.cos(heading), y + length * math.sin(heading)
            points.append((x, y))
        return tuple(points)

    def _checked_previous(
        self, policy: str, previous: object, base: Point
    ) -> tuple[Point, ...]:
        """The shape before, relative to the base; () where the policy needs none."""
        if policy != 'near':
            return ()
        if previous is None:
            raise InvalidSettingError(
                "the policy 'near' has no previous shape to be near to; give `previous`, or choose "
                'outermost or even for the first one'
            )
        try:
            rows = tuple(cast(Iterable[object], previous))
        except TypeError:
            rows = ()
        if len(rows) != len(self.link_lengths) + 1:
            raise InvalidArmError(
                f'the previous shape has {len(rows)} points; a chain of '
                f'{len(self.link_lengths)} links has {len(self.link_lengths) + 1}'
            )
        points = (checks.point('a point of the previous shape', row) for row in rows)
        return tuple((x - base[0], y - base[1]) for x, y in points)

    def _bends_of(self, policy: str, sign: float, before: tuple[Point, ...]) -> Bends:
        if policy == 'near':
            return NearBends(self, sign, before)
        return EvenBends(self, sign) if policy == 'even' else OutermostBends(self, sign)

    def _points(self, tip: Point, bends: Bends) -> list[Point]:
        """Base, joints and tip, placed from the tip to the base: the method itself."""
        points = [tip]
        x, y = tip
        for joint in range(len(self.link_lengths) - 1, 0, -1):
            distance = math.hypot(x, y)
            inwards = math.atan2(-y, -x)
            turn = inwards - bends.at(joint, (x, y), distance, inwards)
            length = self.link_lengths[joint]
            x, y = x + length * math.cos(turn), y + length * math.sin(turn)
            points.append((x, y))
        points.append(ORIGIN)
        return points[::-1]

    def _joint_angles(self, points: list[Point], direction: float) -> tuple[float, ...]:
        angles: list[float] = []
        for length, (x, y), (next_x, next_y) in zip(self.link_lengths, points, points[1:]):
            heading = math.atan2(next_y - y, next_x - x) if length > 0.0 else direction
            angles.append(wrap(heading - direction))
            direction = heading
        return tuple(angles)


@dataclass(frozen=True)
class OutermostBends:
    """Bends of joints that are as far from the base as they can be."""

    chain: LinkChain
    sign: float

    def at(self, joint: int, child: Point, distance: float, inwards: float) -> float:
        """Angle at the child from its direction to the base [rad], positive on the left of the line
        from base to child. `distance` of the child from the base; `inwards` its direction there."""
        _, upper = self.chain.feasible_radii(joint, distance)
        return self.sign * _bend(self.chain, joint, distance, upper)


@dataclass(frozen=True)
class EvenBends:
    """Bends of joints nearly on one circle through base and tip."""

    chain: LinkChain
    sign: float

    def at(self, joint: int, child: Point, distance: float, inwards: float) -> float:
        """As OutermostBends.at."""
        lower, upper = self.chain.feasible_radii(joint, distance)
        length, (_, rest) = self.chain.link_lengths[joint], self.chain.zones[joint]
        if length > rest:
            share = even_share(length, rest, self.chain.concentrations[joint])
            return self.sign * _bend(self.chain, joint, distance, lower + share * (upper - lower))
        least = _bend(self.chain, joint, distance, lower)
        most = _bend(self.chain, joint, distance, upper)
        concentration = self.chain.concentrations[joint + 1]
        bend = even_bend(distance, length, *self.chain.zones[joint + 1], concentration)
        return self.sign * nearest_in(bend, (least, most))


@dataclass(frozen=True)
class NearBends:
    """Bends of joints as near as possible to where they were `before`, relative to the base."""

    chain: LinkChain
    sign: float
    before: tuple[Point, ...]

    def at(self, joint: int, child: Point, distance: float, inwards: float) -> float:
        """As OutermostBends.at: the bend before, turned no more than it takes to be feasible."""
        x, y = self.before[joint]
        bend = wrap(inwards - math.atan2(y - child[1], x - child[0]))
        if distance <= self.chain.tolerance:  # all around the base: every direction closes
            return bend
        lower, upper = self.chain.feasible_radii(joint, distance)
        lower = max(lower, min(keep_out(self.chain, joint), upper))
        least = _bend(self.chain, joint, distance, lower)
        most = _bend(self.chain, joint, distance, upper)
        nearest = nearest_in(abs(bend), (least, most))
        return math.copysign(nearest, self.sign if abs(bend) < STRAIGHT else bend)


Bends = OutermostBends | EvenBends | NearBends


def _bend(chain: LinkChain, joint: int, distance: float, radius: float) -> float:
    """Angle at a joint's child between the base and the joint, which is at the radius [rad]."""
    return angle_between_sides(distance, chain.link_lengths[joint], radius, 0.0)


def keep_out(chain: LinkChain, joint: int) -> float:
    """Radius about the base that 'near' keeps a joint out of [m]: 0 unless the links before it,
    straight or folded, nearly end on the base."""
    if joint < 2:
        return 0.0
    radius = KEEP_OUT * chain.zones[joint][1]
    last = chain.link_lengths[joint - 1]
    near_base = min(abs(last - end) for end in chain.zones[joint - 1])
    return radius if near_base < radius else 0.0
