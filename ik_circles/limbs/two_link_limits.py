# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two links inside joint limits: every solution, or else the joint positions nearest to the target.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ik_circles.geometry import circles
from ik_circles.geometry.angles import CONTINUOUS, Limits, turns_into
from ik_circles.geometry.limits import next_to, settled
from ik_circles.geometry.tolerances import CLOSURE, TOLERANCE
from ik_circles.planar.model import ROUNDING_AT_FOLD

#: Misses that differ by no more than this share of the reach count as equal; the first is taken.
TIE = 1e-15

TwoJoints = tuple[float, float]


class TwoLinkLimb(NamedTuple):
    """Two links with their limits [rad], and a target [m]. All values are checked."""

    target: tuple[float, float]
    length_1: float
    length_2: float
    limits_1: Limits
    limits_2: Limits

    @property
    def tolerance(self) -> float:
        """TOLERANCE in meters of this limb."""
        return TOLERANCE * (self.length_1 + self.length_2)

    def miss(self, q1: float, q2: float) -> float:
        """Distance from the tip to the target [m]."""
        x = self.length_1 * math.cos(q1) + self.length_2 * math.cos(q1 + q2)
        y = self.length_1 * math.sin(q1) + self.length_2 * math.sin(q1 + q2)
        return math.hypot(x - self.target[0], y - self.target[1])

    @property
    def has_family(self) -> bool:
        """Whether a whole family of joint positions may reach the target: if a link has no length,
        or if the target is on the base and the links are equal."""
        return min(self.length_1, self.length_2) <= self.tolerance or (
            math.hypot(*self.target) <= self.tolerance
            and abs(self.length_1 - self.length_2) <= self.tolerance
        )

    def solutions(self, elbow_up: bool) -> list[TwoJoints]:
        """The solutions with one bend inside the limits; [] if a link has no length."""
        length_1, length_2, tolerance = self.length_1, self.length_2, self.tolerance
        distance = math.hypot(*self.target)
        if min(length_1, length_2) <= tolerance:
            return []
        if not abs(length_1 - length_2) - tolerance <= distance <= length_1 + length_2 + tolerance:
            return []
        at_base, bend = self._angles(distance)
        direction = math.atan2(self.target[1], self.target[0])
        q = (direction + at_base, -bend) if elbow_up else (direction - at_base, bend)
        share = tolerance / max(distance, tolerance)
        at_fold = ROUNDING_AT_FOLD * math.sqrt(tolerance / min(length_1, length_2))
        window = min(at_fold + ROUNDING_AT_FOLD * share**0.5, math.pi)
        return settled(
            q,
            (self.limits_1, self.limits_2),
            window,
            retries=lambda q, _: self._solved_again(*q),
            closes=lambda q: self.miss(*q) <= CLOSURE * tolerance,
        )

    def nearest(self) -> tuple[TwoJoints, float]:
        """The joint positions inside the limits whose tip is nearest to the target, and its miss.

        Over a box of joint positions, the distance [m] is least in one of these places: at a
        solution, on the two circles with a straight or a folded elbow, on an arc with one joint at
        a limit and the other pointing at the target, or at a corner. All of them are compared, so
        there is no search.
        """
        best, least = (0.0, 0.0), math.inf
        tie = TIE * (self.length_1 + self.length_2)
        for q in self._candidates():
            miss = self.miss(*q)
            if miss < least - tie:
                best, least = q, miss
        return best, least

    def _angles(self, distance: float) -> tuple[float, float]:
        """The angle at the base from the target's direction to link 1, and the elbow's bend [rad].

        Both are in [0, pi]. A distance [m] outside of the ring counts as the nearest one inside. If
        a slack is no more than the tolerance, the elbow is straight or folded.
        """
        total, difference = self.length_1 + self.length_2, self.length_1 - self.length_2
        if distance <= self.tolerance and abs(difference) <= self.tolerance:
            return math.pi / 2.0, math.pi
        slacks = total - distance, distance + difference, distance - difference
        stretch, fold_1, fold_2 = (slack if slack > self.tolerance else 0.0 for slack in slacks)
        outer = total + distance
        at_base = 2.0 * math.atan2(math.sqrt(fold_2 * stretch), math.sqrt(outer * fold_1))
        bend = 2.0 * math.atan2(math.sqrt(outer * stretch), math.sqrt(fold_1 * fold_2))
        return at_base, bend

    def _solved_again(self, q1: float, q2: float) -> Iterator[TwoJoints]:
        """Joint positions with one joint on its limit: with either joint solved again, and as they
        are."""
        yield q1, next_to(q2, self._q2_for(q1), self.limits_2)
        yield next_to(q1, self._q1_for(q2), self.limits_1), q2
        yield q1, q2

    def _q2_for(self, q1: float) -> float:
        """The q2 that points link 2 at the target while link 1 is held [rad]."""
        x = self.target[0] - self.length_1 * math.cos(q1)
        y = self.target[1] - self.length_1 * math.sin(q1)
        return math.atan2(y, x) - q1

    def _q1_for(self, q2: float) -> float:
        """The q1 that points the tip at the target while the elbow is held [rad]."""
        tip = circles.bend(self.length_1, self.length_2, q2)
        return math.atan2(self.target[1], self.target[0]) - tip

    def _candidates(self) -> Iterator[TwoJoints]:
        q2_held = [0.0, math.pi, -math.pi] if self.limits_2 == CONTINUOUS else [
            *turns_into(0.0, self.limits_2), *turns_into(math.pi, self.limits_2)
        ]  # fmt: skip
        q2_limits = _finite(self.limits_2)
        for q2 in (*q2_held, *q2_limits):
            for q1 in turns_into(self._q1_for(q2), self.limits_1):
                yield q1, q2
        for q1 in _finite(self.limits_1):
            for q2 in (*turns_into(self._q2_for(q1), self.limits_2), *q2_limits):
                yield q1, q2
        for elbow_up in (True, False):
            yield from self.solutions(elbow_up)


def _finite(limits: Limits) -> list[float]:
    """The finite limits of a joint, the one nearer to 0 first [rad]."""
    return sorted(filter(math.isfinite, limits), key=abs)
