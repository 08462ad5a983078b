# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Inverse kinematics of a pose: the wrist point, the triangle of two circles, the joint limits.

The two elbows of a pose's triangle answer every question about it. The plain case ends there. A
longer way through `limits` and `families` is for straight or folded elbows, joints of more than a
turn, links without length, and joints that rounding put past a limit.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos, hypot, inf, nan, sin, sqrt
from typing import NamedTuple

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import ORIGIN, Point, intersect_circles
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.families import family_corners, family_members, is_family
from ik_circles.planar.limits import CLOSURE_OF_LOOKS, Pose, inside_limits, rounding_window
from ik_circles.planar.model import LARGE_ROUNDING, ArmModel, JointPositions
from ik_circles.planar.ranges import NO_EXCESS, JointRanges
from ik_circles.planar.triangle import ElbowTriangle

#: A triangle is ordinary if the squared distance of the wrist is above this share of the squared
#: reach, unless links are tiny.
ORDINARY_SHARE = 1e-8


class JointExcess(NamedTuple):
    """How far a joint (0, 1 or 2) would be past its limit [rad]; negative below the lower one."""

    joint: int
    angle: float


class PoseSolver:
    """Finds the joint positions of poses; owns the arm's constants that it needs for that."""

    def __init__(self, model: ArmModel, ranges: JointRanges | None = None) -> None:
        self.model = model
        self.triangle = ElbowTriangle.of(model)
        self.ranges = ranges or JointRanges.of(model)
        length_1, length_2, self._length_3 = model.link_lengths
        self.is_plain = self.ranges.have_one_turn and min(length_1, length_2) > model.tolerance
        least = ORDINARY_SHARE * model.max_reach**2
        self._ordinary_from = inf if model.has_tiny_links else least

    def solutions(
        self, x: float, y: float, phi: float, seed: JointPositions | None = None
    ) -> list[JointPositions]:
        """Every joint triple inside the limits for a pose; see PlanarArm.inverse_kinematics."""
        length_3 = self._length_3
        try:
            wrist = wrist_x, wrist_y = x - length_3 * cos(phi), y - length_3 * sin(phi)
        except ValueError:  # an infinite angle has no cosine
            return []
        square = wrist_x * wrist_x + wrist_y * wrist_y
        if not (self.is_plain and self.triangle.folded < square < self.triangle.straight):
            return self._special_solutions((x, y, phi), wrist, seed, CLOSURE)
        window = LARGE_ROUNDING if square > self._ordinary_from else TURN
        found: list[JointPositions] = []
        for upper_arm, forearm in self.triangle.elbow_up_and_down(wrist_x, wrist_y, square):
            q = self.ranges.turned(upper_arm, forearm - upper_arm, phi - forearm, window)
            if q is None:
                continue
            if not self.ranges.hold(*q):
                on_limits = inside_limits(self.model, q, (x, y, phi), sqrt(square), CLOSURE)
                found += [one for one in on_limits if one not in found]
            elif q not in found:  # nearly folded, rounding may make both elbows the same
                found.append(q)
        return found

    def reaches(self, x: float, y: float, phi: float) -> bool:
        """Whether a pose has a solution with the stricter closure; stops at the first one."""
        length_3, turned = self._length_3, self.ranges.turned
        wrist = wrist_x, wrist_y = x - length_3 * cos(phi), y - length_3 * sin(phi)
        square = wrist_x * wrist_x + wrist_y * wrist_y
        if not (self.is_plain and self.triangle.folded < square < self.triangle.straight):
            return bool(self._special_solutions((x, y, phi), wrist, None, CLOSURE_OF_LOOKS))
        window = LARGE_ROUNDING if square > self._ordinary_from else TURN
        for upper_arm, forearm in self.triangle.elbow_up_and_down(wrist_x, wrist_y, square):
            q = turned(upper_arm, forearm - upper_arm, phi - forearm, window)
            if q and (
                self.ranges.hold(*q)
                or inside_limits(self.model, q, (x, y, phi), sqrt(square), CLOSURE_OF_LOOKS)
            ):
                return True
        return False

    def first_solutions(
        self, x: float, y: float, orientations: Iterable[float], seed: JointPositions | None = None
    ) -> tuple[float, list[JointPositions]]:
        """The first orientation that has solutions, with these; if none has, the last one with [].
        """
        phi = nan
        found: list[JointPositions] = []
        for phi in orientations:
            if found := self.solutions(x, y, phi, seed):
                break
        return phi, found

    def least_excess(self, x: float, y: float, orientations: Iterable[float]) -> list[JointExcess]:
        """Which joints keep a point from being reached, and by how much.

        All the orientations and both elbows are compared. The case with the fewest joints past
        their limits counts; among equals, the one with the worst joint past its limit the least.

        Returns
        -------
        list of JointExcess
            The worst joint first; empty if the wrist is out of reach with every orientation.
        """
        excess, fewest, least, best = self.ranges.excess, inf, inf, (0.0, 0.0, 0.0)
        for phi in orientations:
            some, room = self._triangles(x, y, phi)
            for q in some:
                better = excess(q, room, fewest, least)
                if better is None and room > NO_EXCESS:  # perhaps nothing is past by more
                    better = excess(q, NO_EXCESS, fewest, least)
                if better is not None:
                    fewest, least, best = better
        past = [JointExcess(joint, angle) for joint, angle in enumerate(best) if angle]
        return sorted(past, key=lambda one: -abs(one.angle))

    def whatever_limits(self, x: float, y: float, phi: float) -> Iterable[JointPositions]:
        """Joint positions of both elbows, regardless of limits; for a family, of its corners."""
        return self._triangles(x, y, phi)[0]

    def _triangles(
        self, x: float, y: float, phi: float
    ) -> tuple[Iterable[JointPositions], float]:
        """Joint positions of both elbows, regardless of limits; for a family, of its corners. Also
        how far rounding may move them, which is much with a straight or folded elbow [rad]."""
        wrist = wrist_x, wrist_y = x - self._length_3 * cos(phi), y - self._length_3 * sin(phi)
        square = wrist_x * wrist_x + wrist_y * wrist_y
        if not self.triangle.closes(square):
            return (), NO_EXCESS
        if self.model.may_have_free_joint and is_family(self.model, sqrt(square)):
            return family_corners(self.model, wrist, phi), NO_EXCESS
        (up_1, up_2), (down_1, down_2) = self.triangle.elbow_up_and_down(wrist_x, wrist_y, square)
        both = (up_1, up_2 - up_1, phi - up_2), (down_1, down_2 - down_1, phi - down_2)
        if square == 0.0 or self.triangle.folded < square < self.triangle.straight:
            return both, NO_EXCESS
        return both, rounding_window(self.model, sqrt(square))

    def _special_solutions(
        self, pose: Pose, wrist: Point, seed: JointPositions | None, closure: float
    ) -> list[JointPositions]:
        """Straight or folded elbows, joints of more than a turn, families, wrists out of reach."""
        square = wrist[0] * wrist[0] + wrist[1] * wrist[1]
        if self.is_plain and not self.triangle.nearest <= square <= self.triangle.farthest:
            return []
        distance = hypot(*wrist)
        if is_family(self.model, distance):
            near = self.model.home if seed is None else seed
            return family_members(self.model, wrist, pose[2], near, closure)
        found: list[JointPositions] = []
        length_1, length_2, _ = self.model.link_lengths
        is_ordinary = self.is_plain and square > self._ordinary_from
        for elbow in intersect_circles(ORIGIN, length_1, wrist, length_2, self.model.tolerance):
            upper_arm = atan2(elbow[1], elbow[0])
            forearm = atan2(wrist[1] - elbow[1], wrist[0] - elbow[0])
            q = upper_arm, forearm - upper_arm, pose[2] - forearm
            turned = self.ranges.turned(*q, LARGE_ROUNDING) if is_ordinary else q
            if turned is None:
                continue
            put = [turned]
            if not (is_ordinary and self.ranges.hold(*turned)):
                put = inside_limits(self.model, q, pose, distance, closure)
            found += [one for one in put if one not in found]
        return found
