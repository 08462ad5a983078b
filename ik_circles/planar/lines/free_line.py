# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines on which the orientation may change: how far any path of it leads.

The windows of orientations are followed from share to share. Where the line meets one of their
circles, those after it that share orientations with one before it can be reached. The farthest
share with such a window is the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

from ik_circles.geometry.angles import TURN, nearest_in
from ik_circles.planar.lines.branch import LEAVING, Branch
from ik_circles.planar.lines.track import first_end
from ik_circles.planar.lines.turning_branch import RatedWay
from ik_circles.planar.lines.window_events import WindowEvents
from ik_circles.planar.lines.windows import BEGINS, Window, Windows

#: Windows on both sides of an event are looked at from this near [share of the line].
BESIDE = 1e-8
#: Windows no farther apart than this are those on both sides of one event [share of the line].
BOTH_SIDES = 2.5 * BESIDE
#: Windows are looked at between events that are farther apart than this [share of the line].
ROOM_BETWEEN = 4.0 * BESIDE
#: A window that moves fast, or ends without an event, is followed in steps of at least this
#: [share of the line].
LEAST_ONWARD = BESIDE / 16.0
#: Between two events, windows are looked at here [share of the part between them].
INSIDE = 0.2, 0.8
#: Shares at which the windows of the start are looked for, and how far the start may be beside one
#: there, by rounding, or because it only begins there [share of the line, rad]. Events up to the
#: last of these shares count as at the start.
AT_START = (0.0, 1e-6), (1e-5, 1e-4)
#: A wrist that starts on the base leaves it with an even turn of the tool up to one of these.
LEAVES = 0.1, 0.01, 1e-3
#: The orientation stays as it is for this share of what it could [1].
KEPT = 0.9


class WindowStep(NamedTuple):
    """A window that can be reached, and the step before it, None at the start."""

    window: Window
    before: WindowStep | None = None


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
            wide = start._replace(lower=phi - math.pi, upper=phi + math.pi)
            ends = sorted(following(wide, self.upto - BESIDE), key=self._turned)
            for end, leaving in product(ends[:1], self.leaving):
                yield [start, *(self.kept(start, held) or leaving), end]

    def kept(self, start: Window, held: float) -> list[Window]:
        """The window of the start's orientation, after most of a share up to which it can be held.

        It is found by that orientation. From one end to another it could be found one turn away.
        """
        share, phi = KEPT * held, sum(self.branch.start)
        if share - start.share <= BESIDE:
            return []
        return [*self.windows.following(start._replace(lower=phi, upper=phi), share)]

    def chain(self) -> list[Window]:
        """The windows to the farthest share, one at each share; the last one where it ends.

        At an event, it is what the windows on both sides have in common.
        """
        last, events, branch = self.upto, [AT_START[-1][0]], self.branch
        met = WindowEvents(branch.model, branch.floor, branch.elbow).along(self.way)
        for share in sorted({*met, last}):
            if share - events[-1] > ROOM_BETWEEN and share <= last:
                events.append(share)
        reached = self._added(map(WindowStep, self._start_windows()))
        for start, end in pairwise(events):
            reached = self._across(reached, start + BESIDE) if start > events[0] else reached
            for share in (*(start + part * (end - start) for part in INSIDE), end - BESIDE):
                reached = [one for step in reached for one in self._onward(step, share)]
        return self._back() if self._steps else []

    @cached_property
    def upto(self) -> float:
        """How far the yaw joint lets the line go."""
        return first_end(self.way.events(), self.way.stop, self.way.stop_at).share

    @cached_property
    def rate(self) -> float | None:
        """How fast the tool has to turn for a wrist that starts on the base to leave it square to
        the upper arm [rad for all of the line]; None if it does not start there, or cannot."""
        if self.branch.square is None:
            return None
        (x, y), (a, b), (c, d) = self.branch.square, self.way.at(0.0), self.way.at(LEAVING)
        phi, length_3 = sum(self.branch.start), self.branch.model.link_lengths[2]
        along_x, along_y = (c - a) / LEAVING, (d - b) / LEAVING
        outwards = x * math.cos(phi) + y * math.sin(phi)
        if (along_x * math.cos(phi) + along_y * math.sin(phi)) * outwards <= 0.0:
            return None  # it would leave the other way
        return (along_y * x - along_x * y) / (length_3 * outwards)

    @cached_property
    def leaving(self) -> list[list[Window]]:
        """For a wrist that starts on the base, windows of the orientation with which it has left;
        for others, a single empty list."""
        if self.rate is None:
            return [[]]
        phi, found = sum(self.branch.start), []
        for share in LEAVES:
            turned = phi + self.rate * share
            window = self.windows.at(share, turned, self._turns(share, turned))
            if window is not None:
                found.append([window._replace(lower=turned, upper=turned)])
        return found

    def _turns(self, share: float, phi: float) -> int:
        """The turns of joint 1 right after the start."""
        own = self.windows.joints(share, phi, 0)
        turned = self.branch.joints_whatever_the_limits(0.0)[0]
        return 0 if own is None else round((turned - own[0]) / TURN)

    def _turned(self, window: Window) -> float:
        """How far a window turns the tool from the start [rad]."""
        phi = sum(self.branch.start)
        return abs(phi - nearest_in(phi, (window.lower, window.upper)))

    def _start_windows(self) -> list[Window]:
        """The windows at the start, those that turn the tool least first."""
        found, start = list[Window](), sum(self.branch.start)
        for share, beside_it in AT_START:
            phi, most = start, beside_it
            if self.rate is not None:
                phi, most = start + self.rate * share, 0.0
            beside = Window(share, phi - most, phi + most, self._turns(share, phi))
            found = [self.windows.onward(one, share) or one for one in found]
            found += self.windows.following(beside, share, BEGINS)
        return sorted(found, key=self._turned)

    def _across(self, reached: Sequence[WindowStep], share: float) -> list[WindowStep]:
        """The windows right behind an event that can be reached from those before it."""
        following = self.windows.following
        return self._added(
            WindowStep(one, step) for step in reached for one in following(step.window, share)
        )

    def _onward(self, before: WindowStep, share: float) -> list[WindowStep]:
        """The same window at a share before the next event, in as many steps as it takes."""
        window = before.window
        one = self.windows.onward(window, share)
        if one is not None:
            return self._added([WindowStep(one, before)])
        if share - window.share <= LEAST_ONWARD:
            return self._across([before], share)
        halfway = self._onward(before, (window.share + share) / 2.0)
        return [after for step in halfway for after in self._onward(step, share)]

    def _added(self, steps: Iterable[WindowStep]) -> list[WindowStep]:
        """The steps to windows that differ; first those in which the orientation changes least from
        the start."""
        found: list[WindowStep] = []
        for step in sorted(steps, key=lambda one: self._turned(one.window)):
            if not any(_are_same(step.window, one.window) for one in found):
                found.append(step)
        self._steps += found
        return found

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
        step: WindowStep | None = max(self._steps, key=lambda one: one.window.share)
        chain: list[Window] = []
        while step is not None:
            chain.append(step.window)
            step = step.before
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
    """Whether two windows at a share are one: they share orientations, with the same turns."""
    overlap = min(one.upper, other.upper) - max(one.lower, other.lower)
    return one.turns == other.turns and overlap > 0.0
