# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Wrists with which the tip reaches places that it cannot reach with others.

As the first wrist joint turns, the tip goes round a circle. Its distance from the arm's plane is a
cosine of that joint's angle, and its distance across the wrist axis, in the plane, is a sine. The
wrists here have one of these at a maximum or minimum. Derived in docs/derivation.md, section 14.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import (
    Angles,
    Limits,
    either_way,
    nearest_in,
    nearest_turn,
    stops,
    where_turning_gives,
)
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.rigid import Matrix, Point3
from ik_circles.geometry.tolerances import SAME_DIGITS
from ik_circles.spatial.true_axes.hinges import HingeChain

#: A joint that moves the tip by no more than this counts as not moving it [m].
STILL = 1e-10
NORMAL = (0.0, 0.0, 1.0)
#: Angles a quarter turn apart [rad].
THREE = (0.0, math.pi / 2.0, math.pi)


@dataclass(frozen=True)
class Outstretched:
    """What determines how far the tip gets, in the axes of the plane with all other joints at 0.

    `wrist` are the wrist's joints with the tip, and `limits` are their limits [rad]. `third` is a
    point of the third joint's axis, and `links` is the length of the two links before it [m].
    """

    wrist: HingeChain
    limits: Sequence[Limits]
    third: Point3
    links: float

    def wrists(self, off: float) -> list[Angles]:
        """The angles of wrists that may put the tip farthest away.

        The last of two joints puts the tip farthest along the first axis, or across it. The first
        joint puts it farthest off the plane, or `off` the plane [m], or where the arm then gets
        farthest, or is on a limit.
        """
        first = self.limits[0]
        return [
            (angle, *last)
            for last in self._lasts()
            for angle in [*_inside(self._angles(last, off), first), *stops(first)]
        ]

    def with_tip_off(self, off: float) -> Iterator[Angles]:
        """Wrists with the tip at a distance off the plane [m], the other joint as in `wrists`."""
        for last, height in self._heights_of_first:
            yield from ((angle, *last) for angle in _inside(height.angles(off), self.limits[0]))
        for end, height in self._heights_of_last:
            yield from ((end, angle) for angle in _inside(height.angles(off), self.limits[1]))

    def rolls(self, off: float) -> list[float]:
        """The angles of a single wrist joint with the tip at a distance off the plane [m],
        whatever its limits [rad]."""
        return [angle for _, height in self._heights_of_first for angle in height.angles(off)]

    @cached_property
    def heights(self) -> tuple[float, float]:
        """How far off the plane the first joint takes the tip, at least and at most [m]."""
        ends = [end for _, its in self._heights_of_first for end in its.ends]
        return min(ends), max(ends)

    @cached_property
    def turns_on_tip(self) -> bool:
        """Whether the tip is on the axis of the last of two joints."""
        return len(self.limits) == 2 and self._circle_of_last(0.0).is_still

    @cached_property
    def _heights_of_first(self) -> list[tuple[Angles, 'Height']]:
        return [(last, self._circle_of_first(last).height) for last in self._lasts()]

    @cached_property
    def _heights_of_last(self) -> list[tuple[float, 'Height']]:
        ends = stops(self.limits[0]) if len(self.limits) == 2 else ()
        return [(end, self._circle_of_last(end).height) for end in ends]

    def _circle_of_first(self, last: Angles) -> '_Circle':
        return _Circle.through(self.wrist.tip((angle, *last)) for angle in THREE)

    def _circle_of_last(self, first: float) -> '_Circle':
        return _Circle.through(self.wrist.tip((first, angle)) for angle in THREE)

    def _lasts(self) -> list[Angles]:
        """The angles of the last of two joints that put the tip farthest along the first axis, or
        across it [rad]."""
        if len(self.limits) == 1:
            return [()]
        circle, limits = self._circle_of_last(0.0), self.limits[1]
        if circle.is_still:
            return [(nearest_in(0.0, limits),)]
        angles = circle.quarters(self.wrist.hinges[0].axis)
        return [(angle,) for angle in [*_inside(angles, limits), *stops(limits)]]

    def _angles(self, last: Angles, off: float) -> list[float]:
        circle = self._circle_of_first(last)
        if circle.is_still:
            return [0.0]
        beside = off - circle.middle[2]
        radius = math.hypot(circle.cosine[2], circle.sine[2])
        length = math.hypot(*(circle.middle[:2] - self.third[:2]), radius)
        farthest = off - beside - beside * length / math.hypot(self.links, beside)
        at_heights = chain.from_iterable(map(circle.height.angles, (off, farthest)))
        return [*circle.quarters(NORMAL), *at_heights]


class Height(NamedTuple):
    """How high over the plane a joint takes the tip: `middle + cos(angle) * cosine + sin(angle) *
    sine` [m]."""

    middle: float
    cosine: float
    sine: float

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest, with room for rounding [m]."""
        swing = math.hypot(self.cosine, self.sine) + STILL
        return self.middle - swing, self.middle + swing

    def angles(self, off: float) -> list[float]:
        """The angles at which the tip is at a height [rad]."""
        return where_turning_gives(self.cosine, self.sine, off - self.middle)


class _Circle(NamedTuple):
    """Where a joint takes the tip: `middle + cos(angle) * cosine + sin(angle) * sine` [m]."""

    middle: Matrix
    cosine: Matrix
    sine: Matrix

    @classmethod
    def through(cls, places: Iterable[Point3]) -> '_Circle':
        """The circle through the places at the angles THREE."""
        first, second, third = map(np.array, places)
        middle = (first + third) / 2.0
        return cls(middle, first - middle, second - middle)

    @property
    def is_still(self) -> bool:
        """Whether the joint does not move the tip."""
        return float(np.abs([self.cosine, self.sine]).max()) <= STILL

    def quarters(self, direction: Sequence[float]) -> list[float]:
        """The angles at which the tip is farthest in a direction or against it, and half way."""
        start = math.atan2(self.sine @ direction, self.cosine @ direction)
        return [*either_way(start), *either_way(start + math.pi / 2.0)]

    @property
    def height(self) -> Height:
        """How high the tip is over the plane."""
        return Height(float(self.middle[2]), float(self.cosine[2]), float(self.sine[2]))


def _inside(angles: Iterable[float], limits: Limits) -> list[float]:
    """A turn of each angle inside limits, if there is one; each once [rad]."""
    turned = (nearest_turn(angle, 0.0, limits) for angle in angles)
    return list({round(one, SAME_DIGITS): one for one in turned if one is not None}.values())
