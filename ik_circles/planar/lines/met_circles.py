# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The circles and heights that end a branch, and whether any of them is met in a step along a line.

A limit of joint 1 or 3 is a circle that both elbows meet, each at its own places. An elbow moves at
most as fast as the wrist, divided by the sine of joint 2. If that does not bring it to where the
limit would put it, its branch does not meet that limit, even if the wrist crosses the circle.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ik_circles.geometry.angles import TURN, ends
from ik_circles.geometry.arrays import Bools, Floats
from ik_circles.geometry.circles import span
from ik_circles.planar.floor.parts import ELBOW
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.lines.branch import elbows_at
from ik_circles.planar.lines.floor_along import FloorAlong
from ik_circles.planar.lines.track import ON_LIMIT_OF_LINE, Cause, Stop

#: Where the tip is, and the orientation of the tool: three columns (N,) [m, rad].
Tips = tuple[Floats, Floats, Floats]


class MetCircles:
    """What one elbow, 0 up and 1 down, may meet: rows of misses, in the order of `stops`."""

    def __init__(self, solver: PoseSolver, floor: FloorAlong | None, elbow: int) -> None:
        self._model = model = solver.model
        self._triangle, self._floor, self._elbow = solver.triangle, floor, elbow
        self._ends_1, ends_2, self._ends_3 = map(ends, model.limits)
        self._ends_2 = [q2 for q2 in ends_2 if elbow in elbows_at(q2)]
        self.first_of_floor = 2 + len(self._ends_2) + len(self._ends_1) + len(self._ends_3)
        length_1, length_2, _ = model.link_lengths
        bent = [span(length_1, length_2, q2) for q2 in self._ends_2]
        reaches = [length_1 + length_2, abs(length_1 - length_2), *bent]
        self._reaches = np.array(reaches)[:, None]
        self._tool = [math.hypot(*point) for _, point in floor.on_tool] if floor else []

    @cached_property
    def stops(self) -> list[Stop]:
        """What each row stands for."""
        found = [Stop(Cause.STRAIGHT), Stop(Cause.FOLDED)]
        for joint, some in ((1, self._ends_2), (0, self._ends_1), (2, self._ends_3)):
            upper = self._model.limits[joint][1]
            found += [Stop(Cause.LIMIT, joint, end == upper) for end in some]
        if self._floor:
            parts = [ELBOW] * len(self._floor.elbow_ends)
            parts += [name for name, _ in self._floor.on_tool]
            found += [Stop(Cause.FLOOR, part=part) for part in parts]
        return found

    @cached_property
    def _radii(self) -> Floats:
        """The radius of each circle, in a column [m]."""
        length_1, length_2, _ = self._model.link_lengths
        at_1, on_floor = ([length_2] * len(x) for x, _ in self._elbows)
        at_3 = [length_1] * len(self._ends_3)
        found: Floats = np.vstack((self._reaches, *at_1, *at_3, *on_floor))
        return found

    @cached_property
    def _of_joint_3(self) -> slice:
        """The rows of the limits of joint 3."""
        first = len(self._reaches) + len(self._ends_1)
        return slice(first, first + len(self._ends_3))

    @cached_property
    def _elbows(self) -> list[tuple[Floats, Floats]]:
        """Where the elbow is with joint 1 on a limit, and on the floor: columns [m]."""
        on_floor = self._floor.elbow_ends if self._floor else ()
        angles = (np.array(one)[:, None] for one in (self._ends_1, on_floor))
        length_1 = self._model.link_lengths[0]
        return [(length_1 * np.cos(one), length_1 * np.sin(one)) for one in angles]

    def wrists(self, x: Floats, y: Floats, phi: Floats) -> tuple[Floats, Floats]:
        """Where the wrist is with the tip at places, in orientations: two columns (N,) [m]."""
        length_3 = self._model.link_lengths[2]
        return x - length_3 * np.cos(phi), y - length_3 * np.sin(phi)

    def misses(self, x: Floats, y: Floats, phi: Floats) -> Floats:
        """How far the wrist is outside of each circle [m], and the parts of the tool above the
        floor: (rows, N), with the tip at places (N,), in orientations."""
        length_1, length_2, _ = self._model.link_lengths
        wrist_x, wrist_y = self.wrists(x, y, phi)
        at_limit_3 = self._elbows_at_limit_3(wrist_x, wrist_y, phi)
        (x_1, y_1), (x_floor, y_floor) = self._elbows
        rows = [
            np.hypot(wrist_x, wrist_y) - self._reaches,
            np.hypot(wrist_x - x_1, wrist_y - y_1) - length_2,
            np.hypot(*at_limit_3) - length_1,
            np.hypot(wrist_x - x_floor, wrist_y - y_floor) - length_2,
        ]
        return np.vstack(rows + (self._floor.clearances(x, y, phi) if self._floor else []))

    def are_clear(
        self, x: Floats, y: Floats, phi: Floats, moved: Floats, turned: Floats, risen: Floats
    ) -> Bools:
        """Whether each row, and last the base, is clear of being met in steps (rows + 1, N).

        The tip and the tool are there in the middle of a step. To either side, the tip moves no
        farther than `moved`, `risen` above the floor [m], and the tool turns by no more than
        `turned` [rad].
        """
        _, length_2, length_3 = self._model.link_lengths
        wrist, moved = self.wrists(x, y, phi), moved + length_3 * turned
        away, elbow = np.hypot(*wrist), self._elbows_with(*wrist)
        swept, forearm = self._swept(away, moved), moved + length_2 * turned
        (at_1, on_floor), at_3 = self._elbows, self._elbows_at_limit_3(*wrist, phi)
        near = [_apart(elbow, one) <= swept for one in (at_1, on_floor)]
        near.insert(1, _apart(elbow, at_3) <= swept + forearm)
        bounds = [np.tile(moved, (len(self._reaches), 1))]
        bounds += [np.where(a, b, -np.inf) for a, b in zip(near, (moved, forearm, moved))]
        bounds += [risen + (one * turned if one else 0.0) for one in self._tool]
        misses = np.abs(self.misses(x, y, phi))
        found: Bools = np.vstack((misses, away)) > np.vstack((*bounds, moved))
        return found

    def keep_sides(
        self, first: Tips, last: Tips, moved: Floats, turned: Floats, bent: Floats, curled: Floats
    ) -> Bools:
        """Whether each row keeps its sign in steps between tips, because it bends little (rows, N).

        In half a step, the tip moves no farther than `moved` [m], and the tool turns by no more
        than `turned` [rad]; `bent` and `curled` bound the second derivatives, with half a step as
        the unit [m, rad]. A quantity is no farther from its chord than half its second derivative.
        For a circle, it is the squared distance from the center less the squared radius.
        """
        _, length_2, length_3 = self._model.link_lengths
        with np.errstate(invalid='ignore'):  # no bound: no step is shown to be clear
            spun = curled + turned * turned
            moved, bends = moved + length_3 * turned, bent + length_3 * spun
            rates = np.tile((moved, bends), (len(self._radii), 1, 1))
            rates[self._of_joint_3] += length_2 * np.array((turned, spun))
            ends, count = [self.misses(*tips) for tips in (first, last)], len(self._radii)
            away = np.maximum(*(one[:count] for one in ends)) + self._radii + rates[:, 0]
            rows = [rates[:, 0] ** 2 + away * rates[:, 1]]
            rows += [(bent + one * spun if one else bent) / 2.0 for one in self._tool]
            for one in ends:
                one[:count] *= one[:count] + 2.0 * self._radii
            keep: Bools = ends[0] * ends[1] > 0.0
            return keep & (np.minimum(*map(np.abs, ends)) > np.vstack(rows))

    def are_allowed(self, x: Floats, y: Floats, phi: Floats) -> Bools:
        """Whether limits and floor allow this elbow there (N,), whatever turn each joint is in."""
        wrist_x, wrist_y = wrist = self.wrists(x, y, phi)
        upper_arm, forearm = self._triangle.elbows_up_and_down(*wrist)[self._elbow]
        square = wrist_x * wrist_x + wrist_y * wrist_y
        rows = [np.clip(square, self._triangle.nearest, self._triangle.farthest) == square]
        angles = upper_arm, forearm - upper_arm, phi - forearm
        for angle, (lower, upper) in zip(angles, self._model.limits):
            if lower > -math.inf:
                past = np.mod(angle - lower + ON_LIMIT_OF_LINE, TURN)
                rows.append(past <= upper - lower + 2.0 * ON_LIMIT_OF_LINE)
        if self._floor:
            up_x, up_y = self._floor.floor.upwards
            elbow_x, elbow_y = self._elbows_with(*wrist)
            of_elbow = elbow_x * up_x + elbow_y * up_y - self._floor.floor.height
            of_tool = self._floor.clearances(x, y, phi)
            rows += [one >= -self._floor.below for one in (of_elbow, *of_tool)]
        found: Bools = np.all(rows, axis=0)
        return found

    def _elbows_at_limit_3(self, x: Floats, y: Floats, phi: Floats) -> tuple[Floats, Floats]:
        """Where joint 3 on each limit would put the elbow, with the wrist at places [m]."""
        forearm, length_2 = phi - np.array(self._ends_3)[:, None], self._model.link_lengths[1]
        return x - length_2 * np.cos(forearm), y - length_2 * np.sin(forearm)

    def _elbows_with(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where the elbow is with the wrist at places: two columns (N,) [m]."""
        upper_arm = self._triangle.elbows_up_and_down(x, y)[self._elbow, 0]
        length_1 = self._model.link_lengths[0]
        return length_1 * np.cos(upper_arm), length_1 * np.sin(upper_arm)

    def _swept(self, away: Floats, moved: Floats) -> Floats:
        """A bound on how far the elbow moves while the wrist, `away` from the base, moves by up to
        `moved` [m]: that, divided by the least sine of joint 2."""
        length_1, length_2, _ = self._model.link_lengths
        sides = np.maximum(away - moved, 0.0), away + moved
        with np.errstate(divide='ignore', invalid='ignore'):
            cosines = [(one**2 - length_1**2 - length_2**2) / (2.0 * length_1 * length_2)
                       for one in sides]  # fmt: skip
            sines = [np.sqrt(np.maximum(1.0 - one * one, 0.0)) for one in cosines]
            return np.nan_to_num(moved / np.minimum(*sines), nan=np.inf, posinf=np.inf)


def _apart(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    found: Floats = np.hypot(one[0] - other[0], one[1] - other[1])
    return found
