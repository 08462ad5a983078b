# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines on which the orientation may change: how far any path of it leads.

The windows of orientations are followed from share to share. Where the line meets one of their
circles, a window after it can be reached if it has orientations in common with one before it. The
farthest share with such a window is the answer. The orientation stays as it is while its window
allows that. Otherwise it is led through the windows, and a branch in certified steps proves it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ik_circles.geometry.angles import TURN, nearest_in
from ik_circles.planar.lines.branch import Branch, End, first_end
from ik_circles.planar.lines.phi_path import PhiPath
from ik_circles.planar.lines.turning_branch import LEAST_STEP, RatedWay, TurningBranch
from ik_circles.planar.lines.window_events import WindowEvents
from ik_circles.planar.lines.windows import Window, Windows

#: Windows on both sides of an event are looked at from this near [share of the line].
BESIDE = 1e-8
#: Windows no farther apart than this are those on both sides of one event [share of the line].
BOTH_SIDES = 2.5 * BESIDE
#: Windows are looked at between events that are farther apart than this [share of the line].
ROOM_BETWEEN = 4.0 * BESIDE
#: A window that moves fast, or ends without an event, is followed in steps of at least this
#: [share of the line].
LEAST_ONWARD = BESIDE / 16.0
#: Windows whose ends differ by no more than this are the same [rad].
SAME_WINDOW = 1e-9
#: Between two events, windows are looked at here [share of the part between them].
INSIDE = 0.2, 0.8
#: Shares at which the windows of the start are looked for, and how far the start may be beside one
#: there, by rounding, or because it only begins there [share of the line, rad]. Events up to the
#: last of these shares count as at the start.
AT_START = (0.0, 1e-6), (1e-5, 1e-4)
#: The orientation keeps this far off the ends of a window [rad].
OFF_ENDS = 0.1
#: In a narrow window, it keeps this share of the width off them [1].
SHARE_OFF_ENDS = 0.45
#: With a joint that moves less than this, an orientation is as good as given [rad].
RIGID = 1e-3
#: The orientation stays as it is for this share of what it could [1].
KEPT = 0.9
#: Next to the start and the end, windows may move ever faster: all of them are taken [share].
NEAR_ENDS = 0.02
#: How often knots are added where a path is not yet proven.
ROUNDS = 20


class WindowStep(NamedTuple):
    """A window that can be reached, and the index of the one before it, -1 at the start."""

    window: Window
    before: int


def freed(branch: Branch, way: RatedWay) -> tuple[Branch, End]:
    """The branch that follows a held one where it ends, with an orientation that changes."""
    held = branch.end()
    model = branch.model
    is_rigid = min(upper - lower for lower, upper in model.limits) < RIGID or model.has_families
    if held.share == 1.0 or is_rigid:
        return branch, held
    line = FreeLine(branch, way)
    if held.share >= line.upto - ROOM_BETWEEN:
        return branch, held
    for kept in line.direct(held.share):
        one = _through(line, kept)
        if not one.refused(line.upto) and (end := one.end()).share >= line.upto:
            return one, end
    chain = line.chain()
    if len(chain) < 2 or chain[-1].share <= held.share:
        return branch, held
    return max(((branch, held), *_proven(line, chain, held.share)), key=lambda one: one[1].share)


class FreeLine:
    """The windows that can be reached along a way from where a branch starts."""

    def __init__(self, branch: Branch, way: RatedWay) -> None:
        self.branch, self.way = branch, way
        self.windows = Windows(branch)
        self._steps: list[WindowStep] = []

    def direct(self, held: float) -> Iterator[list[Window]]:
        """Windows at the start and at the end, to be tried without any between them.

        Most often none are needed, and a proof of that costs less than following windows. `held` is
        the share of the line that needs no turn.
        """
        phi, following = sum(self.branch.start), self.windows.following
        for start in (one._replace(share=0.0) for one in self._start_windows()[:1]):
            own = start._replace(lower=phi, upper=phi)
            wide = start._replace(lower=phi - math.pi, upper=phi + math.pi)
            ends = sorted(following(wide, self.upto - BESIDE), key=self._turned)
            for end in ends[:1]:
                yield [start, *(following(own, KEPT * held) if held > BESIDE else ()), end]

    def chain(self) -> list[Window]:
        """The windows to the farthest share, one at each share; the last one where it ends.

        At an event, it is what the windows on both sides have in common.
        """
        last, events, branch = self.upto, [0.0], self.branch
        met = WindowEvents(branch.model, branch.floor, branch.elbow).along(self.way)
        for share in sorted({*met, last}):
            if share - events[-1] > ROOM_BETWEEN and AT_START[-1][0] < share <= last:
                events.append(share)
        reached = self._added([WindowStep(one, -1) for one in self._start_windows()])
        for start, end in pairwise(events):
            reached = self._across(reached, start + BESIDE) if start > 0.0 else reached
            for share in (*(start + part * (end - start) for part in INSIDE), end - BESIDE):
                reached = [one for index in reached for one in self._onward(index, share)]
        return self._back() if self._steps else []

    @cached_property
    def upto(self) -> float:
        """How far the yaw joint lets the line go."""
        return first_end(self.way.events(), self.way.stop, self.way.stop_at).share

    def _turned(self, window: Window) -> float:
        """How far a window turns the tool from the start [rad]."""
        phi = sum(self.branch.start)
        return abs(phi - nearest_in(phi, (window.lower, window.upper)))

    def _start_windows(self) -> list[Window]:
        """The windows at the start, those that turn the tool least first."""
        q, found = self.branch.start, list[Window]()
        phi = sum(q)
        turned = self.branch.joints_whatever_the_limits(0.0)[0]
        for share, beside_it in AT_START:
            own = self.windows.joints(share, phi, 0)
            turns = 0 if own is None else round((turned - own[0]) / TURN)
            beside = Window(share, phi - beside_it, phi + beside_it, turns)
            found = [self.windows.onward(one, share) or one for one in found]
            found += self.windows.following(beside, share)
        return sorted(found, key=self._turned)

    def _across(self, reached: Sequence[int], share: float) -> list[int]:
        """The windows right behind an event that can be reached from those before it."""
        following = self.windows.following
        return self._added([
            WindowStep(one, index)
            for index in reached
            for one in following(self._steps[index].window, share)
        ])

    def _onward(self, index: int, share: float) -> list[int]:
        """The same window at a share before the next event, in as many steps as it takes."""
        window = self._steps[index].window
        one = self.windows.onward(window, share)
        if one is not None:
            return self._added([WindowStep(one, index)])
        if share - window.share <= LEAST_ONWARD:
            return self._across([index], share)
        halfway = self._onward(index, (window.share + share) / 2.0)
        return [after for step in halfway for after in self._onward(step, share)]

    def _added(self, steps: Sequence[WindowStep]) -> list[int]:
        """The steps to windows that differ, by their indices; first those in which the orientation
        changes least from the start."""
        seen: list[Window] = []
        indices = []
        for step in sorted(steps, key=lambda one: self._turned(one.window)):
            if not any(_are_same(step.window, one) for one in seen):
                seen.append(step.window)
                self._steps.append(step)
                indices.append(len(self._steps) - 1)
        return indices

    def between(self, window: Window, share: float) -> list[Window]:
        """The same window at a share before the next event, or nearer if it turns fast."""
        while share - window.share > LEAST_ONWARD:
            one = self.windows.onward(window, share)
            if one is not None:
                return [one]
            share = (window.share + share) / 2.0
        return []

    def _back(self) -> list[Window]:
        """The windows that lead to the farthest one, with one at each event."""
        index = max(range(len(self._steps)), key=lambda one: self._steps[one].window.share)
        chain: list[Window] = []
        while index >= 0:
            chain.append(self._steps[index].window)
            index = self._steps[index].before
        chain.reverse()
        found = [chain[0]._replace(share=0.0)]
        for window in chain[1:]:
            if window.share - found[-1].share <= BOTH_SIDES:
                last = found[-1]
                found[-1] = window._replace(
                    share=last.share and window.share,
                    lower=max(window.lower, last.lower), upper=min(window.upper, last.upper),
                )
            else:
                found.append(window)
        return found


def _are_same(one: Window, other: Window) -> bool:
    """Whether two windows at a share differ by rounding only."""
    apart = max(abs(one.lower - other.lower), abs(one.upper - other.upper))
    return one.turns == other.turns and apart <= SAME_WINDOW


def _proven(
    line: FreeLine, chain: list[Window], held: float
) -> Iterator[tuple[Branch, End]]:
    """Branches through the windows of a chain; knots are added until one follows all of it."""
    wanted = chain[-1].share
    kept = [chain[0], *line.between(chain[0], KEPT * held), chain[-1]]
    for _ in range(ROUNDS):
        kept = _fitted(line, kept, chain)
        one = _through(line, kept)
        end = one.end()
        yield one, end
        if end.share >= wanted - BOTH_SIDES - LEAST_STEP:
            return
        more = [*_refined(line, kept, chain, [*_refused(one, wanted), end.share])]
        if len(more) == len(kept):
            return
        kept = more


def _through(line: FreeLine, kept: Sequence[Window]) -> TurningBranch:
    """A branch through windows."""
    branch = line.branch
    path = _path(sum(branch.start), kept)
    return TurningBranch(branch.solver, line.way, branch.start, branch.elbow, path)


def _fitted(line: FreeLine, kept: list[Window], chain: Sequence[Window]) -> list[Window]:
    """The windows that are kept, with more of them where a branch through these leaves the windows
    of a chain, or is refused between them.

    Looks at single shares find that. They cost little beside the proof, which would fail there.
    """
    for _ in range(ROUNDS):
        path = _path(sum(line.branch.start), kept)
        outside = [
            one.share for one in chain[1:] if not one.lower <= path.at(one.share) <= one.upper
        ] or _through(line, kept).refused(chain[-1].share)
        more = [*_refined(line, kept, chain, outside)]
        if len(more) == len(kept):
            break
        kept = more
    return kept


def _path(phi: float, chain: Sequence[Window]) -> PhiPath:
    """A path through windows that turns no more than they ask for."""
    phis = [phi]
    for window in chain[1:]:
        off = min(OFF_ENDS, SHARE_OFF_ENDS * (window.upper - window.lower))
        phis.append(nearest_in(phis[-1], (window.lower + off, window.upper - off)))
    return PhiPath([window.share for window in chain], phis)


def _refused(branch: Branch, wanted: float) -> list[float]:
    """Shares in the middle of the parts in which a branch is not allowed, up to where it should go.
    """
    met = [*branch.events, *branch.floor_events]
    events = sorted({0.0, *(one for one in met if one < wanted), wanted})
    middles = ((a + b) / 2.0 for a, b in pairwise(events) if b - a > 4.0 * LEAST_STEP)
    return [share for share in middles if branch.stop(share) or branch.below(share)]


def _refined(
    line: FreeLine, kept: Sequence[Window], chain: Sequence[Window], refused: Sequence[float]
) -> Iterator[Window]:
    """The windows that are kept, with one more in each part in which a branch is refused."""
    for before, after in pairwise(kept):
        yield before
        if any(before.share <= share < after.share for share in refused):
            middle = (before.share + after.share) / 2.0
            between = [one for one in chain if before.share < one.share < after.share]
            is_outer = before is kept[0] or after is kept[-1]
            if is_outer and after.share - before.share < NEAR_ENDS:
                yield from between
            elif between:
                yield min(between, key=lambda one: abs(one.share - middle))
            if not between:
                yield from line.between(before, middle)
    yield kept[-1]
