# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A branch along a straight line on which the orientation of the tool changes.

The wrist's way is no polynomial then. It is followed in certified steps: in a step, base, elbow and
wrist move no farther than the rates of position and orientation allow. A circle of the branch that
is farther away than that is not met, and nor is the floor by a part of the arm that is higher above
it. Nothing is met either where its distance bends too little to reach 0 between the ends of the
step. Other steps are cut, down to a millionth of the line, where a change of sign shows what is
met.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.circles import Point
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.lines.branch import Branch
from ik_circles.planar.lines.met_circles import MetCircles, Tips
from ik_circles.planar.lines.track import End, LineWay, Piece, first_end
from ik_circles.planar.model import JointPositions

#: Steps are halved down to this share of the line.
LEAST_STEP = 1e-6
#: The line is cut into this many steps. Powers of 2 need few rounds.
FIRST = 64
#: A step that is not clear is cut into this many.
STEP_PARTS = 4
#: Looks before any step is taken. They find most branches that are not allowed; no step is taken
#: past the first look that is not.
LOOKS = 256
#: Steps of one width are no more than this; the branch ends before any more would be needed.
MOST_STEPS = 2000
#: Corrections of a meeting in a least step, until it is known to the last digit; there the way is
#: nearly straight.
CORRECTIONS = 20
#: Where the wrist turns about the base by more than this from look to look, more are taken [rad].
WIDE = 1.0
#: Looks are no nearer to each other than this [share of the line].
NEAREST_LOOKS = 1e-12


class TurningPhi(Protocol):
    """An orientation that changes along a line."""

    @property
    def breaks(self) -> tuple[float, ...]:
        """The shares at which it changes its rule."""

    def at(self, share: float) -> float:
        """The orientation at a share [rad], counted through whole turns."""

    def many(self, shares: Floats) -> Floats:
        """The same at many shares (N,)."""

    def rates(self, start: Floats, end: Floats) -> Floats:
        """No less than how fast it changes between two shares (N,) [rad for all of the line]."""

    def bends(self, start: Floats, end: Floats) -> Floats:
        """No less than its second derivative between two shares (N,) [rad]."""


class RatedWay(LineWay, Protocol):
    """A way that knows how fast its point moves."""

    def rates(self, start: Floats, end: Floats) -> Floats:
        """No less than how fast it moves between two shares (N,) [m for all of the line]."""

    def rises(self, normal: Point, start: Floats, end: Floats) -> Floats:
        """No less than how fast its product with a normal changes [m for all of the line]."""

    def bends(self, start: Floats, end: Floats) -> Floats:
        """No less than its second derivative between two shares (N,) [m]."""


class Steps(NamedTuple):
    """Where certified steps start, and those of the least width, in which circles may be met. With
    more of one width than MOST_STEPS, there are none after `upto`, else it is inf."""

    starts: Floats
    doubtful: Floats
    least: float
    upto: float


class TurningBranch(Branch):
    """An elbow along a way with an orientation that changes, between two shares."""

    def __init__(
        self,
        solver: PoseSolver,
        way: RatedWay,
        start: JointPositions,
        elbow: int,
        turning: TurningPhi,
    ) -> None:
        self.turning, self._rated = turning, way
        self.breaks = turning.breaks
        self._allowed = first_end(way.events(), way.stop, way.stop_at).share
        super().__init__(solver, way, start, elbow)

    def phi(self, share: float) -> float:
        """Orientation of the tool [rad]."""
        return self.turning.at(share)

    def phis(self, shares: Floats) -> Floats:
        """The same at many shares (N,)."""
        return self.turning.many(shares)

    def refused(self, upto: float) -> list[float]:
        """Those of LOOKS shares up to one at which it is not allowed: no proof, but cheap."""
        shares = np.linspace(0.0, upto, LOOKS + 1)[1:-1]
        found: list[float] = shares[~self._circles.are_allowed(*self._tips(shares))].tolist()
        return found

    def end(self) -> End:
        """How far the branch can be followed, and why it ends there."""
        end, upto = super().end(), self._steps.upto
        if end.share < upto:
            return end
        nearest = int(np.abs(self._misses(np.array([upto]))).argmin())
        return End(upto, self._circles.stops[nearest])

    @cached_property
    def events(self) -> list[float]:
        """The shares at which circles are met, and the ends of steps in which they may be."""
        rows, shares = self._meetings
        return [*self._doubtful, *shares[rows < self._circles.first_of_floor].tolist()]

    @cached_property
    def floor_events(self) -> list[float]:
        """The same of the floor."""
        rows, shares = self._meetings
        return [*self._doubtful, *shares[rows >= self._circles.first_of_floor].tolist()]

    @property
    def _doubtful(self) -> list[float]:
        """The ends of steps in which something may be met, and where the steps end."""
        lower, least = self._steps.doubtful, self._steps.least
        return [*lower.tolist(), *(lower + least).tolist(), *self._looks[1], self._steps.upto]

    @cached_property
    def _circles(self) -> MetCircles:
        """What may be met."""
        return MetCircles(self.solver, self.floor, self.elbow)

    @cached_property
    def _meetings(self) -> tuple[NDArray[np.intp], Floats]:
        """The rows of `_misses` that change their sign in a doubtful step, and the shares where
        they do: by false position, as M. Dowell and P. Jarratt keep it from getting stuck."""
        lower, upper = self._steps.doubtful, self._steps.doubtful + self._steps.least
        at_lower, at_upper = self._misses(lower), self._misses(upper)
        rows, steps = np.nonzero(at_lower * at_upper < 0.0)
        start, end = lower[steps], upper[steps]
        first, last = at_lower[rows, steps], at_upper[rows, steps]
        for _ in range(CORRECTIONS if len(rows) else 0):
            middle = end - last * (end - start) / (last - first)
            found = self._misses(middle)[rows, np.arange(len(rows))]
            passed = found * last < 0.0
            start, first = np.where(passed, end, start), np.where(passed, last, first / 2.0)
            end, last = middle, found
        return rows, end

    @cached_property
    def _steps(self) -> Steps:
        upto = min(self.refused(self._allowed), default=math.inf)
        width = min(self._allowed, upto) / FIRST
        starts = width * np.arange(FIRST, dtype=np.float64)
        kept = []
        while len(starts) and width > LEAST_STEP:
            is_clear = self._is_clear(starts, width)
            kept.append(starts[is_clear])
            width /= STEP_PARTS
            starts = (starts[~is_clear][:, None] + width * np.arange(STEP_PARTS)).ravel()
            if len(starts) > MOST_STEPS:
                upto, starts = float(starts[MOST_STEPS]), starts[:MOST_STEPS]
        kept.append(starts)
        return Steps(np.sort(np.concatenate(kept)), starts, width, upto)

    def _is_clear(self, starts: Floats, width: float) -> Bools:
        """Whether neither a circle nor the floor is met in steps of one width."""
        ends, half = starts + width, width / 2.0
        turned = self.turning.rates(starts, ends) * half
        moved = risen = self._rated.rates(starts, ends) * half
        if self.floor:
            risen = self._rated.rises(self.floor.floor.upwards, starts, ends) * half
        clear = self._circles.are_clear(*self._tips(starts + half), moved, turned, risen)
        rest = np.flatnonzero(~clear.all(axis=0))
        if len(rest):
            starts, ends = starts[rest], ends[rest]
            bent, curled = (
                one.bends(starts, ends) * half * half for one in (self._rated, self.turning)
            )
            tips = self._tips(starts), self._tips(ends)
            keep = self._circles.keep_sides(*tips, moved[rest], turned[rest], bent, curled)
            clear[:-1, rest] |= keep
        found: Bools = np.all(clear, axis=0)
        return found

    def _tips(self, shares: Floats) -> Tips:
        """Where the tip is, and the orientation of the tool: three columns (N,) [m, rad]."""
        return *self.way.places(shares), self.turning.many(shares)

    def _misses(self, shares: Floats) -> Floats:
        """See `MetCircles.misses`."""
        return self._circles.misses(*self._tips(shares))

    @cached_property
    def _looks(self) -> tuple[list[Piece], list[float]]:
        """From look to look, the wrist turns by less than half a turn about the base: a piece each.

        These are the starts of steps, in which the base is not met, and shares between them that it
        takes besides: a wrist next to singular may turn the tool half round inside the least step.
        """
        shares, more = self._steps.starts, list[float]()
        while True:
            x, y = self._circles.wrists(*self._tips(shares))
            x[0], y[0] = self._seen(0.0)
            directions = np.unwrap(np.arctan2(y, x))
            is_wide = np.abs(np.diff(directions)) > WIDE
            wide = np.flatnonzero(is_wide & (np.diff(shares) > NEAREST_LOOKS))
            if not len(wide):
                break
            middles = (shares[wide] + shares[wide + 1]) / 2.0
            shares = np.insert(shares, wide + 1, middles)
            more += middles.tolist()
        wrists = zip(x.tolist(), y.tolist())
        return [Piece(*one) for one in zip(shares.tolist(), wrists, directions.tolist())], more

    @cached_property
    def _pieces(self) -> list[Piece]:
        return self._looks[0]
