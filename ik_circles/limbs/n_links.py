# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""n links by circle intersections from the tip to the base, with both safe zones.

Source: S. Ramachandran and N. W. John, "A Fast Inverse Kinematics Solver using Intersection of
Circles" (TPCG 2013). A circle about the tip has the last link as its radius. The joint before the
tip lies where that circle meets a circle about the base. The next joint follows in the same way,
and so on down to the base. The paper counts tip and base as joints, so its n - 2 intersections are
one less than the number of links here.

Added: the paper leaves the radius of the circle about the base open, so its routine may find no
intersection for a target within reach. With a radius from `Links.feasible_radii`, every step finds
its intersection, and so does the step after it. Both safe zones are formulas; the paper searches
for the inner one. A policy chooses the radius (see `bends`).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.limbs.bends import NEAR, POLICIES, SIDES, Bends
from ik_circles.limbs.links import Links
from ik_circles.planar.zones import SafeZones


@dataclass(frozen=True)
class ChainShape:
    """Where the joints of a chain are.

    Parameters
    ----------
    points : tuple of points
        Base, joints and tip (x, y) [m], one more than there are links.
    joint_angles : tuple of floats
        One for each link [rad], in (-pi, pi], counter-clockwise. The first is measured from the +x
        axis or from the given direction, each other from the link before. A link without length
        counts as straight.
    """

    points: tuple[Point, ...]
    joint_angles: tuple[float, ...]


@dataclass(frozen=True)
class LinkChain(Links):
    """Links in a plane, from the base to the tip, with a joint that turns freely before each.

    Parameters
    ----------
    link_lengths : sequence of floats
        One or more [m], each at least 0, the longest between 1e-12 and 1e12.

    Raises
    ------
    InvalidArmError
        A length is negative, no length is given, or the longest is outside of its range.
    NotFiniteError
        A length is NaN or infinite.

    Examples
    --------
    >>> chain = LinkChain((1.0, 1.0, 1.0))
    >>> chain.safe_zones.inner, chain.safe_zones.outer
    (0.0, 3.0)
    >>> shape = chain.solve((1.0, 2.0), 'even')
    >>> shape.points[-1]
    (1.0, 2.0)
    >>> chain.solve((3.1, 0.0)) is None
    True
    """

    @cached_property
    def safe_zones(self) -> SafeZones:
        """The ring of all targets that the tip can reach."""
        return SafeZones(*self.zones[-1], margin=0.0)

    def nearest_inside(self, target: Point, base: Point = ORIGIN) -> Point:
        """The point inside both safe zones that is nearest to a target.

        If the target is on the base itself, all points of the inner zone are equally near. Then the
        one in the +x direction is returned.

        Parameters
        ----------
        target, base : tuple of two floats
            (x, y) [m].

        Returns
        -------
        tuple of two floats
            (x, y) [m].

        Raises
        ------
        InvalidArmError, NotFiniteError
            A point is not two finite numbers.
        """
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
        """Place the joints so that the tip is on a target.

        Parameters
        ----------
        target : tuple of two floats
            (x, y) [m].
        policy : {'outermost', 'even', 'near'}
            How the distance of each joint from the base is chosen, from the tip to the base.
            'outermost': as large as possible, as in the source.
            'even': nearly as if all joints were on one circle through base and tip. Equal links
            then bend by angles within 0.06 rad of each other.
            'near': each joint as near as possible to where it was in `previous`, but outside of a
            disc about the base in which the chain would flip.
        side : {'left', 'right'}
            On which side of the line from the base to the next joint each joint lies; for 'near',
            this counts only where `previous` has no side.
        previous : sequence of points, optional
            Points of the previous shape, one more than there are links; for the policy 'near'.
        base : tuple of two floats
            (x, y) [m].
        direction : float
            What the first joint angle is measured from [rad].

        Returns
        -------
        ChainShape or None
            None if and only if the target is outside of the safe zones.

        Raises
        ------
        InvalidArmError, InvalidSettingError, NotFiniteError
            A point, the direction or a choice is invalid, or 'near' has no previous shape.
        """
        checks.choice('policy', policy, POLICIES)
        checks.choice('side', side, SIDES)
        start, tip = checks.point('base', base), checks.point('target', target)
        heading = checks.number('direction', direction)
        before = self._checked_previous(policy, previous, start)
        distance = math.hypot(tip[0] - start[0], tip[1] - start[1])
        if not self.safe_zones.contains(distance, self.tolerance):
            return None
        return closed(Bends(self, policy, side, before), tip, start, heading)

    def forward_kinematics(
        self, joint_angles: tuple[float, ...], base: Point = ORIGIN, direction: float = 0.0
    ) -> tuple[Point, ...]:
        """The positions of base, joints and tip at given joint angles.

        Parameters
        ----------
        joint_angles : sequence of floats
            One for each link [rad], each from the link before.
        base : tuple of two floats
            (x, y) [m].
        direction : float
            What the first joint angle is measured from [rad].

        Returns
        -------
        tuple of points
            (x, y) [m], one more than there are links.

        Raises
        ------
        InvalidArmError, NotFiniteError
            An angle, the base or the direction is not a finite number, or one is missing.
        """
        angles = checks.vector('joint_angles', joint_angles, len(self.link_lengths))
        heading = checks.number('direction', direction)
        checks.number('the sum of joint_angles', heading + sum(angles))
        x, y = checks.point('base', base)
        points = [(x, y)]
        for length, angle in zip(self.link_lengths, angles):
            heading += angle
            x, y = x + length * math.cos(heading), y + length * math.sin(heading)
            points.append((x, y))
        return tuple(points)

    def _checked_previous(self, policy: str, previous: object, base: Point) -> tuple[Point, ...]:
        """The previous shape, relative to the base; () if the policy needs none."""
        if policy != NEAR:
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
        points = tuple(checks.point('a point of the previous shape', row) for row in rows)
        return relative(points, base)


def relative(points: tuple[Point, ...], base: Point) -> tuple[Point, ...]:
    """Points relative to a base."""
    return tuple((x - base[0], y - base[1]) for x, y in points)


def closed(bends: Bends, tip: Point, start: Point, heading: float) -> ChainShape:
    """The chain from a start to its tip, for checked values.

    If rounding has put the tip outside of the safe zones, the chain misses it by that amount.
    """
    points = _points(bends, (tip[0] - start[0], tip[1] - start[1]))
    placed = [(x + start[0], y + start[1]) for x, y in points[1:-1]]
    return ChainShape((start, *placed, tip), _joint_angles(bends, points, heading))


def _points(bends: Bends, tip: Point) -> list[Point]:
    """Base, joints and tip, placed one by one from the tip to the base. This is the method itself.
    """
    lengths = bends.links.link_lengths
    points = [tip]
    x, y = tip
    for joint in range(len(lengths) - 1, 0, -1):
        distance, inwards = math.hypot(x, y), math.atan2(-y, -x)
        direction = inwards - bends.at(joint, (x, y), distance, inwards)
        x, y = x + lengths[joint] * math.cos(direction), y + lengths[joint] * math.sin(direction)
        points.append((x, y))
    return [ORIGIN, *reversed(points)]


def _joint_angles(bends: Bends, points: list[Point], direction: float) -> tuple[float, ...]:
    angles: list[float] = []
    for length, (x, y), (next_x, next_y) in zip(bends.links.link_lengths, points, points[1:]):
        heading = math.atan2(next_y - y, next_x - x) if length > 0.0 else direction
        angles.append(wrap(heading - direction))
        direction = heading
    return tuple(angles)
