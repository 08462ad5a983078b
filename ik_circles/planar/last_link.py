# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The same arm with another last link; everything that the first two links decide is reused.

An arm with a wrist is such an arm for each position of the wrist. For most poses that cannot be
reached, a `CarriedPlace` is enough.
"""

from __future__ import annotations

from functools import partial
from math import atan2, cos, hypot, inf, sin

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.circles import Point, meeting_directions
from ik_circles.geometry.intervals import WIDTH_ROUNDING
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.model import JointPositions
from ik_circles.planar.orientations import (
    CutCircles,
    Orientations,
    Rigid,
    nearest_reached,
    wrist_cuts,
)
from ik_circles.planar.workspace import Workspace


def with_last_link(arm: PlanarArm, length: float, shift: float) -> PlanarArm:
    """The arm without a floor, with another length of its last link [m], and with an angle of its
    last joint that is larger by a shift [rad]."""
    (length_1, length_2, _), (limits_1, limits_2, (lower, upper)) = arm.link_lengths, arm.limits
    limits = limits_1, limits_2, (lower + shift, upper + shift)
    a, b, c = [None if one[0] == -inf else one for one in limits]
    other = object.__new__(PlanarArm)  # the numbers are checked already
    lengths = length_1, length_2, length
    vars(other).update(link_lengths=lengths, joint_limits=(a, b, c), floor=None, limits=limits)
    ranges = arm.solver.ranges
    solver = PoseSolver(other, ranges if c is None else ranges.with_last_shifted(shift))
    own = _cut_circles(arm, length, shift)
    vars(other).update(solver=solver, workspace=Workspace(Orientations(solver, own)))
    return other


def _cut_circles(arm: PlanarArm, length: float, shift: float) -> CutCircles:
    """The circles that cut the wrist's circle about the tip of the other last link."""
    circles, (_, length_2, _) = arm.orientations.circles, arm.link_lengths
    ends = arm.limits[2] if circles.rigid else ()
    rigid = tuple(Rigid.at(length_2, length, end + shift) for end in ends)
    return CutCircles(circles.spans, circles.elbows, rigid)


class CarriedPlace:
    """A place on the last link of an arm, seen as the tip of another last link.

    It is `length` away from the third joint [m]. The direction to it is the orientation of the
    arm's own last link plus a shift [rad]. Joint positions and orientations are the arm's own.
    """

    def __init__(self, arm: PlanarArm, length: float, shift: float) -> None:
        self._arm, self._length, self._shift = arm, length, shift
        length_1, length_2, _ = arm.link_lengths
        self._lengths = length_1, length_2, length
        # From the arm's own tip, with its last link along x.
        self._along, self._across = length * cos(shift) - arm.link_lengths[2], length * sin(shift)

    def solutions(self, point: Point, phi: float) -> list[JointPositions]:
        """Joint positions with the place at a point [m], and the last link at `phi` [rad]."""
        return self._arm.solver.solutions(*self._own_tip(point, phi), phi)

    def nearest(self, point: Point, phi: float) -> list[JointPositions] | None:
        """The same with the nearest orientation, for a `phi` without solutions; [] if there is none
        at all, and None if rounding may decide."""
        length, shift = self._length, self._shift
        closest = self._where_elbow_gives_way(point, phi)
        if closest is not None and (found := self.solutions(point, closest)):
            return found
        circles = _cut_circles(self._arm, length, shift)
        cuts = wrist_cuts(circles, self._lengths, *point)
        own = [cut - shift for cut in cuts]
        nearest = nearest_reached(own, phi, partial(self._is_reached, point))
        if nearest:
            return self.solutions(point, nearest[0]) or None
        # A free joint works at orientations that no cut shows.
        return None if nearest is None or self._arm.may_have_free_joint else []

    def _where_elbow_gives_way(self, point: Point, phi: float) -> float | None:
        """If the third joint is out of reach at `phi`: the nearest orientation at which it is not,
        with the elbow straight or folded [rad].

        No nearer orientation has a solution. None if two are equally near.
        """
        (length_1, length_2, _), length, turned = self._lengths, self._length, phi + self._shift
        x, y = point
        third = hypot(x - length * cos(turned), y - length * sin(turned))
        least, most = abs(length_1 - length_2), length_1 + length_2
        if least <= third <= most:
            return None
        reach = most if third > most else least
        tolerance = TOLERANCE * sum(self._lengths)
        cuts = meeting_directions(atan2(y, x), hypot(x, y), length, reach, tolerance)
        some = sorted([(abs(wrap(cut - turned)), cut) for cut in cuts])
        is_clear = len(some) == 2 and some[1][0] - some[0][0] > WIDTH_ROUNDING
        return wrap(some[0][1] - self._shift) if is_clear else None

    def _is_reached(self, point: Point, phi: float) -> bool:
        """Whether there are `solutions`."""
        return self._arm.solver.reaches(*self._own_tip(point, phi), phi)

    def _own_tip(self, point: Point, phi: float) -> Point:
        (x, y), cosine, sine = point, cos(phi), sin(phi)
        along, across = self._along, self._across
        return x - cosine * along + sine * across, y - sine * along - cosine * across
