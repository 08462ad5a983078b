# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The circles and heights that end a branch, and whether any of them is met in a step along a line.

A limit of joint 1 or 3 is a circle that both elbows meet, each at other places. One elbow moves no
faster than the wrist over the sine of joint 2. So where it is farther away from the place at which
the limit puts it, its branch does not meet that limit, though the wrist may cross the circle.
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
from ik_circles.planar.lines.track import Cause, Stop


class MetCircles:
    """What one elbow, 0 up and 1 down, may meet: rows of misses, in the order of `stops`."""

    def __init__(self, solver: PoseSolver, floor: FloorAlong | None, elbow: int) -> None:
        self._model = model = solver.model
        self._triangle, self._floor, self._elbow = solver.triangle, floor, elbow
        self._ends_1, ends_2, self._ends_3 = map(ends, model.limits)
        self._ends_2 = [q2 for q2 in ends_2 if elbow in elbows_at((0.0, q2, 0.0))]
        self.first_of_floor = 2 + len(self._ends_2) + len(self._ends_1) + len(self._ends_3)
        length_1, length_2, _ = model.link_lengths
        bent = [span(length_1, length_2, q2) for q2 in self._ends_2]
        reaches = [length_1 + length_2, abs(length_1 - length_2), *bent]
        self._reaches = np.array(reaches)[:, None]

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
        """Whether nothing is met in steps with the tip and the tool there in their middle (N,).

        To either side, the tip moves no farther than `moved`, `risen` above the floor [m], and the
        tool turns by no more than `turned` [rad].
        """
        _, length_2, length_3 = self._model.link_lengths
        wrist, moved = self.wrists(x, y, phi), moved + length_3 * turned
        away, elbow = np.hypot(*wrist), self._elbows_with(*wrist)
        swept, forearm = self._swept(away, moved), moved + length_2 * turned
        (at_1, on_floor), at_3 = self._elbows, self._elbows_at_limit_3(*wrist, phi)
        near = [_apart(elbow, one) <= swept for one in (at_1, on_floor)]
        near.insert(1, _apart(elbow, at_3) <= swept + forearm)
        bounds = [np.tile(moved, (len(self._reaches), 1))]
        bounds += [np.where(one, most, -1.0) for one, most in zip(near, (moved, forearm, moved))]
        around = [math.hypot(*point) for _, point in self._floor.on_tool] if self._floor else []
        bounds += [risen + (one * turned if one else 0.0) for one in around]
        misses = np.abs(self.misses(x, y, phi))
        found: Bools = np.all(np.vstack((misses, away)) > np.vstack((*bounds, moved)), axis=0)
        return found

    def are_allowed(self, x: Floats, y: Floats, phi: Floats) -> Bools:
        """Whether the elbow may be there (N,), whatever turn each joint is in."""
        wrist_x, wrist_y = wrist = self.wrists(x, y, phi)
        upper_arm, forearm = self._triangle.elbows_up_and_down(*wrist)[self._elbow]
        square = wrist_x * wrist_x + wrist_y * wrist_y
        rows = [self._triangle.inner <= square, square <= self._triangle.outer]
        angles = upper_arm, forearm - upper_arm, phi - forearm
        for angle, (lower, upper) in zip(angles, self._model.limits):
            if lower > -math.inf:
                rows.append(np.mod(angle - lower, TURN) <= upper - lower)
        if self._floor:
            up_x, up_y = self._floor.floor.upwards
            elbow_x, elbow_y = self._elbows_with(*wrist)
            rows.append(elbow_x * up_x + elbow_y * up_y >= self._floor.floor.height)
            rows += [one >= 0.0 for one in self._floor.clearances(x, y, phi)]
        found: Bools = np.all(rows, axis=0)
        return found

    def _elbows_at_limit_3(self, x: Floats, y: Floats, phi: Floats) -> tuple[Floats, Floats]:
        """Where the elbow would be with joint 3 on each limit and the wrist there [m]."""
        forearm, length_2 = phi - np.array(self._ends_3)[:, None], self._model.link_lengths[1]
        return x - length_2 * np.cos(forearm), y - length_2 * np.sin(forearm)

    def _elbows_with(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where the elbow is with the wrist there [m]."""
        upper_arm = self._triangle.elbows_up_and_down(x, y)[self._elbow, 0]
        length_1 = self._model.link_lengths[0]
        return length_1 * np.cos(upper_arm), length_1 * np.sin(upper_arm)

    def _swept(self, away: Floats, moved: Floats) -> Floats:
        """No less than how far the elbow goes while the wrist, so far away from the base, moves by
        no more than `moved` [m]: by that over the least sine of joint 2."""
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
