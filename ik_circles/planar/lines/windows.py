# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The orientations that work at a share of a line on one branch, as windows, and their neighbors.

At a share the branch works in windows of orientations. Their ends are the cuts of `orientations`,
with every limit of a joint, because a joint that winds may meet any of them, and those of a floor.
Windows may appear, vanish, part or join at some shares, see `window_events`. Between two of them
each window goes on, and its ends are the same two cuts, which move without a jump.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ik_circles.geometry.angles import TURN, ends, wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import ONE_ORIENTATION
from ik_circles.planar.lines.branch import Branch, is_inside
from ik_circles.planar.model import JointPositions
from ik_circles.planar.orientations import CutCircles, cuts_of_each

#: How far windows go to either side of the start's orientation [rad]: no line needs more.
WIDEST = 1.5 * TURN

#: Windows that are narrower are left out: rounding may make them of two cuts that meet [rad].
NEEDLE = 1e-8
#: At a start with two joints on limits, one begins that is hardly wider than this where it is first
#: looked for [rad].
BEGINS = 1e-12
#: A window goes on to where its ends are found if they have turned by less than this [rad].
MOST_TURNED = math.pi / 2.0


#: A cut: the number of its circle or part, and on which side of its direction it is, 0 or 1.
CutNumber = tuple[int, int]


class Cuts(NamedTuple):
    """The cuts at a share by their numbers, and those that differ, ascending in one turn [rad]."""

    angles: dict[CutNumber, float]
    ascending: list[float]
    numbers: list[CutNumber]


class Edge(NamedTuple):
    """The end of a window [rad]: a cut by its number, None if the window goes on for too long."""

    number: CutNumber | None
    angle: float


class Window(NamedTuple):
    """Orientations from `lower` to `upper` [rad] at a share; `turns` count those of joint 1.

    `edges` are the ends of the window that goes on from there; it may be wider.
    """

    share: float
    lower: float
    upper: float
    turns: int
    edges: tuple[Edge, ...] = ()


class Windows:
    """The windows of a branch, around the orientation that it starts with."""

    def __init__(self, branch: Branch) -> None:
        solver, way, elbow, turns = branch.solver, branch.way, branch.elbow, branch.turns[1]
        self._around = sum(branch.start)
        self.solver, self.model, self.way = solver, solver.model, way
        self.elbow, self.turns = elbow, turns
        self.floor, ends_1, *others = branch.floor, *map(ends, self.model.limits)
        ends_1 = *ends_1, *branch.elbow_ends
        self._circles = CutCircles.through(self.model, ends_1, *others)
        self._kept: dict[float, Cuts] = {}
        self._places: dict[float, Point] = {}

    # --- at one share ---

    def _place(self, share: float) -> Point:
        """Where the tip is in the plane [m]."""
        if share not in self._places:
            self._places[share] = self.way.at(share)
        return self._places[share]

    def joints(self, share: float, phi: float, turns: int) -> JointPositions | None:
        """Joint positions [rad] with the wrist `turns` round the base; None if it is too far."""
        x, y = self.model.wrist(*self._place(share), phi)
        square = x * x + y * y
        if not self.solver.triangle.closes(square):
            return None
        both = self.solver.triangle.elbow_up_and_down(x, y, square)
        upper_arm, forearm = both[self.elbow]
        q1 = upper_arm - math.atan2(y, x) + self.direction(share, phi) + turns * TURN
        q2 = forearm - upper_arm + self.turns
        return q1, q2, phi - q1 - q2

    def direction(self, share: float, phi: float) -> float:
        """Direction from the base to the wrist, counted as phi turns, through whole turns [rad]."""
        x, y = self._place(share)
        away, outwards, length_3 = math.hypot(x, y), math.atan2(y, x), self.model.link_lengths[2]
        aside, along = math.sin(phi - outwards), math.cos(phi - outwards)
        if away >= length_3:
            return outwards + math.atan2(-length_3 * aside, away - length_3 * along)
        return phi + math.pi + math.atan2(away * aside, length_3 - away * along)

    def is_open(self, share: float, phi: float, turns: int) -> bool:
        """Whether the branch works with an orientation [rad]."""
        q = self.joints(share, phi, turns)
        if q is None or not all(map(is_inside, q, self.model.limits)):
            return False
        return self.floor is None or self.floor.stop(q) is None

    def at(self, share: float, phi: float, turns: int) -> Window | None:
        """The window around an orientation [rad]; None if it does not work there."""
        first = self._index(share, phi)
        if not self._is_open_cell(share, phi, first, turns):
            return None
        lower = self._edge(share, phi, first, turns, -1)
        upper = self._edge(share, phi, first + 1, turns, 1)
        return Window(share, lower.angle, upper.angle, turns, (lower, upper))

    def _edge(self, share: float, phi: float, index: int, turns: int, step: int) -> Edge:
        """The end of a window, from one of its cuts on by steps down or up."""
        while self._is_open_cell(share, phi, min(index, index + step), turns):
            if step * (self._cut(share, phi, index) - self._around) >= WIDEST:
                return Edge(None, self._cut(share, phi, index))
            index += step
        numbers = self._cuts(share).numbers
        return Edge(numbers[index % len(numbers)], self._cut(share, phi, index))

    def _is_open_cell(self, share: float, phi: float, index: int, turns: int) -> bool:
        """Whether the branch works between a cut and the next one."""
        lower, upper = (self._cut(share, phi, one) for one in (index, index + 1))
        return self.is_open(share, (lower + upper) / 2.0, turns)

    def _index(self, share: float, phi: float) -> int:
        """The number of the cut before an orientation [rad]; see `_cut`."""
        return bisect_right(self._cuts(share).ascending, phi % TURN) - 1

    def _cut(self, share: float, phi: float, index: int) -> float:
        """A cut by its number [rad], counted from the turn in which an orientation is."""
        cuts = self._cuts(share).ascending
        turns, which = divmod(index, len(cuts))
        return phi - phi % TURN + cuts[which] + turns * TURN

    def _cuts(self, share: float) -> Cuts:
        """The cuts at a share."""
        if share not in self._kept:
            point = self._place(share)
            circles = [*cuts_of_each(self._circles, self.model.link_lengths, *point)]
            circles += self.floor.cuts(point) if self.floor else ()
            angles = {
                (number, side): cut % TURN
                for number, cuts in enumerate(circles)
                for side, cut in enumerate(cuts)
            } or {(0, 0): 0.0}
            order = sorted(angles, key=angles.__getitem__)
            numbers = order[:1]
            for one in order:
                if angles[one] - angles[numbers[-1]] > ONE_ORIENTATION:
                    numbers.append(one)
            self._kept[share] = Cuts(angles, [angles[one] for one in numbers], numbers)
        return self._kept[share]

    # --- from one share to another ---

    def onward(self, window: Window, share: float) -> Window | None:
        """What a window is at another share with no event between; None if it has turned too far to
        tell, or ends."""
        angles, moved = self._cuts(share).angles, list[float]()
        for number, angle in window.edges:
            if number is not None and number not in angles:
                return None
            moved.append(0.0 if number is None else wrap(angles[number] - angle))
        if max(map(abs, moved)) >= MOST_TURNED:
            return None
        expected = [edge.angle + turned for edge, turned in zip(window.edges, moved)]
        one = self.at(share, sum(expected) / 2.0, window.turns + self._rounds(window, share))
        if one is None or one.upper - one.lower <= NEEDLE:
            return None
        is_there = all(
            abs(there.angle - angle) <= ONE_ORIENTATION
            for edge, there, angle in zip(window.edges, one.edges, expected)
            if None not in (edge.number, there.number)
        )
        return one if is_there else None

    def _rounds(self, window: Window, share: float) -> int:
        """How often a tip that is farther from the base than the wrist goes past half a turn."""
        (start_x, start_y), (x, y) = self._place(window.share), self._place(share)
        if math.hypot(x, y) < self.model.link_lengths[2]:
            return 0
        return round((math.atan2(start_y, start_x) - math.atan2(y, x)) / TURN)

    def following(
        self, window: Window, share: float, narrowest: float = NEEDLE
    ) -> Iterator[Window]:
        """The windows at another share that share an orientation with one, if they are wider than
        the `narrowest` [rad]."""
        found: list[Window] = []
        base = window.lower
        index, upper = self._index(share, base), -math.inf
        while upper < window.upper:
            lower, upper = (self._cut(share, base, one) for one in (index, index + 1))
            index += 1
            middle = (max(lower, window.lower) + min(upper, window.upper)) / 2.0
            if any(one.lower <= middle <= one.upper for one in found):
                continue
            one = self.at(share, middle, self._turns_at(window, share, middle))
            if one is not None and one.upper - one.lower > narrowest:
                found.append(one)
                yield one

    def _turns_at(self, window: Window, share: float, phi: float) -> int:
        """The turns of joint 1 at another share, with an orientation that both windows have."""
        before, after = (self.direction(one, phi) for one in (window.share, share))
        return window.turns + round((before - after) / TURN)
