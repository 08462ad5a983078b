# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The limits of the three joints as ranges; angles are turned into them."""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, inf, pi, remainder

from ik_circles.geometry.angles import TURN
from ik_circles.planar.model import ArmModel, JointPositions

#: A range wider than this may contain a second turn of the same angle, by rounding [rad].
NEARLY_A_TURN = TURN - 1e-3
#: A joint past its limit by no more than this counts as at it: that is only rounding [rad].
NO_EXCESS = 1e-9


@dataclass(frozen=True, slots=True)
class JointRanges:
    """Lower end, upper end and middle of each joint's range [rad].

    A continuous joint has the range from -pi to pi. Each number has a name of its own, because
    every solution of a pose is compared with them, and loops over three tuples are slower.
    """

    have_one_turn: bool
    lower_1: float
    upper_1: float
    middle_1: float
    lower_2: float
    upper_2: float
    middle_2: float
    lower_3: float
    upper_3: float
    middle_3: float

    @classmethod
    def of(cls, model: ArmModel) -> JointRanges:
        """Make the ranges of an arm."""
        numbers: list[float] = []
        for lower, upper in model.limits:
            if lower == -inf:
                lower, upper = -pi, pi
            numbers += lower, upper, (lower + upper) / 2.0
        have_one_turn = all(
            lower == -inf or upper - lower <= NEARLY_A_TURN for lower, upper in model.limits
        )
        return cls(have_one_turn, *numbers)

    def with_last_shifted(self, shift: float) -> JointRanges:
        """The same ranges with the last one shifted by an angle [rad], unless it is continuous."""
        low_1, high_1, low_2, high_2 = self.lower_1, self.upper_1, self.lower_2, self.upper_2
        low_3, high_3, middle_3 = self.lower_3 + shift, self.upper_3 + shift, self.middle_3 + shift
        return JointRanges(
            self.have_one_turn, low_1, high_1, self.middle_1, low_2, high_2, self.middle_2,
            low_3, high_3, middle_3,
        )  # fmt: skip

    def turned(self, q1: float, q2: float, q3: float, window: float) -> JointPositions | None:
        """The joint angles; one outside of its range is turned as near as possible to its middle.

        None if an angle is then still outside by more than `window` [rad].
        """
        if not self.lower_1 <= q1 <= self.upper_1:
            q1 = self.middle_1 + remainder(q1 - self.middle_1, TURN)
            if not self.lower_1 - window <= q1 <= self.upper_1 + window:
                return None
        if not self.lower_2 <= q2 <= self.upper_2:
            q2 = self.middle_2 + remainder(q2 - self.middle_2, TURN)
            if not self.lower_2 - window <= q2 <= self.upper_2 + window:
                return None
        if not self.lower_3 <= q3 <= self.upper_3:
            q3 = self.middle_3 + remainder(q3 - self.middle_3, TURN)
            if not self.lower_3 - window <= q3 <= self.upper_3 + window:
                return None
        return q1, q2, q3

    def hold(self, q1: float, q2: float, q3: float) -> bool:
        """Whether all joint angles are inside their ranges as they are."""
        return (
            self.lower_1 <= q1 <= self.upper_1
            and self.lower_2 <= q2 <= self.upper_2
            and self.lower_3 <= q3 <= self.upper_3
        )

    def excess(
        self, q: JointPositions, room: float, fewest: float, least: float
    ) -> tuple[int, float, JointPositions] | None:
        """How many joints are past their ranges, by how much the worst, and by how much each [rad].

        Each joint is at the turn nearest to its range; the number is negative below the lower end,
        and 0 if it is past it by no more than `room` [rad]. None if no joint is past its range, or
        if the case is no better than the best one so far: that has `fewest` joints past their
        ranges, the worst by `least` [rad].
        """
        q1, q2, q3 = q
        away_1 = remainder(q1 - self.middle_1, TURN)
        past_1 = abs(away_1) + self.middle_1 - self.upper_1
        away_2 = remainder(q2 - self.middle_2, TURN)
        past_2 = abs(away_2) + self.middle_2 - self.upper_2
        away_3 = remainder(q3 - self.middle_3, TURN)
        past_3 = abs(away_3) + self.middle_3 - self.upper_3
        passed = (past_1 > room) + (past_2 > room) + (past_3 > room)
        worst = max(past_1, past_2, past_3)
        if passed == 0 or passed > fewest or (passed == fewest and worst >= least):
            return None
        return passed, worst, (
            _excess(past_1, away_1, room),
            _excess(past_2, away_2, room),
            _excess(past_3, away_3, room),
        )


def _excess(past: float, away: float, room: float) -> float:
    return copysign(past, away) if past > room else 0.0
