# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ordinary full pose: exact axes, no joint free, nothing next to a limit or a straight elbow.

It is what `FullPose` answers in general, straight through and in plain floats: the shoulders of the
wrist center, the postures of the wrist, the triangle. Where rounding might decide, it does not
answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ik_circles.geometry.angles import TURN, Limits, nearest_turn
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.model import LARGE_ROUNDING, JointPositions
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.wrist import (
    FROM_ROUNDING,
    LEVEL,
    LOOSE,
    MOST_ROOM,
    ROUNDING,
    Sight,
    Wrist,
)

#: Angles of the yaw joint, if there is one, the three, and the wrist's [rad].
Angles = tuple[float, ...]
#: A yaw angle [rad], the wrist center in the plane [m], and how far rounding may turn the plane
#: [rad].
Shoulder = tuple[float, float, float, float]


#: A tilt hardly turns the plane where the wrist center is at least this many times as far outwards
#: of the yaw axis as the plane may be beside it [1],
BESIDE = 4.0
#: and this many times as far as the tilt moves the wrist center [1].
FAR = 20.0


class NotOrdinaryError(Exception):
    """Rounding might decide, or a joint is free: `FullPose` looks closer."""


class OrdinaryPoses:
    """Finds the configurations of ordinary full poses; owns the constants that they need of an arm.

    `exist` says whether the arm has any. With a squared distance of the wrist from the base [m^2]
    between `nearest` and `farthest`, the elbow may be straight or folded: it is clearly bent if a
    product of squares is above `flat` times the square of how far rounding turns links; see
    `_elbows`.
    """

    def __init__(self, hand: SpatialArm, wrist: Wrist, limits: Sequence[Limits]) -> None:
        planar, plane = hand.planar, hand.plane
        self.exist = plane.slack == 0.0 and planar.solver.is_plain and not planar.has_tiny_links
        self._plane, self._yaw, self._wrist = plane, plane.yaw, wrist
        self._loose_within = plane.loose_within
        self._triangle, self._tool = planar.solver.triangle, math.hypot(*wrist.center)
        length_1, length_2, self._length_3 = planar.link_lengths
        self._links = abs(length_1 - length_2), length_1 + length_2
        at = len(limits) - len(wrist.limits)
        *first, self._limits_1, self._limits_2, self._limits_3 = limits[:at]
        self._limits, self._limits_of_three = limits, limits[at - 3 : at]
        self._wrist_limits = limits[at:]
        self._yaw_limits = first[0] if first else (0.0, 0.0)
        # With less bend of the elbow than this, rounding may move a joint by more than LOOSE.
        self.flat = (2.0 * length_1 * length_2 * planar.max_reach / LOOSE) ** 2
        room = planar.tolerance + FROM_ROUNDING * LOOSE * planar.max_reach
        self.nearest = max(0.0, abs(length_1 - length_2) - room) ** 2
        self.farthest = (length_1 + length_2 + room) ** 2

    def solutions(
        self,
        center: Point3,
        sight: Sight,
        near: tuple[float, JointPositions, Angles],
        tilt: float,
        room: float,
    ) -> list[Angles] | None:
        """Every configuration inside the limits; None if the pose is not ordinary.

        The wrist center [m] and the orientation are as in `FullPose`, and `tilt` [rad] and `room`
        [m] are what they may be off. Each joint is at the turn nearest to `near`.
        """
        if not self.exist:
            return None
        found: list[Angles] = []
        yaw_near, q_near, wrist_near = near
        try:
            for shoulder in self._shoulders(center, room):
                angle, x, y, rounded = shoulder
                before = self._yaw_at(angle, yaw_near)
                if before is None and self._is_hopeless(sight, angle, tilt):
                    continue
                for phi, wrist, tilted, loose, _ in self._wrist.postures(sight, angle):
                    if loose * rounded > LOOSE:
                        raise NotOrdinaryError
                    if LEVEL < tilted <= tilt and self._may_tilt(shoulder, phi, wrist, tilt):
                        raise NotOrdinaryError
                    if before is None or tilted > LEVEL:
                        continue
                    after = self._wrist_at(wrist, wrist_near)
                    if after is not None:
                        for q in self._elbows(x, y, phi, loose * rounded, q_near):
                            found.append((*before, *q, *after))
        except NotOrdinaryError:
            return None
        return found

    def turned(
        self, found: Sequence[Angles], near: tuple[float, JointPositions, Angles]
    ) -> list[Angles] | None:
        """`solutions` at the turns nearest to another configuration; None if they are not ordinary
        seen from there. It takes 3 us, where asking again takes 20."""
        yaw, q, wrist = near
        start = (*q, *wrist) if self._yaw is None else (yaw, *q, *wrist)
        try:
            some = [map(clearly_turned, one, start, self._limits) for one in found]
            turned = [tuple(angle for angle in one if angle is not None) for one in some]
        except NotOrdinaryError:
            return None
        return turned if all(len(one) == len(start) for one in turned) else None

    def _shoulders(self, center: Point3, room: float) -> list[Shoulder]:
        """The shoulders of a wrist center [m], as `ArmPlane.shoulders`; none is on the yaw axis."""
        x, y, off = self._plane.into(center)
        yaw = self._yaw
        if yaw is None:
            return [] if abs(off) > room else [(0.0, x, y, ROUNDING)]
        ahead, height = yaw.from_axis((x, y))
        aside, sideways = yaw.aside, yaw.aside - off
        radius, least = math.hypot(ahead, sideways), abs(aside)
        if radius <= least + yaw.rounding:
            if radius < least - yaw.rounding:
                return []
            raise NotOrdinaryError
        outwards = math.sqrt((radius - least) * (radius + least))
        rounded = ROUNDING * max(1.0, self._loose_within / outwards)
        found = []
        for reach in (outwards, -outwards):
            # `ahead + i sideways` is `reach + i aside`, turned by the yaw angle.
            angle = math.atan2(sideways * reach - ahead * aside, ahead * reach + sideways * aside)
            found.append((angle, *yaw.in_plane(reach, height), rounded))
        return found

    def _yaw_at(self, angle: float, near: float) -> Angles | None:
        """The yaw joint turned inside its limits; () without one."""
        if self._yaw is None:
            return ()
        turned = clearly_turned(angle, near, self._yaw_limits)
        return None if turned is None else (turned,)

    def _is_hopeless(self, sight: Sight, yaw: float, tilt: float) -> bool:
        """Whether a single wrist joint's axis leaves the plane by more than it may."""
        off = sight.normal[0] * math.cos(yaw) + sight.outwards[0] * math.sin(yaw)
        return abs(off) > max(tilt, LEVEL) and not self._wrist.has_two

    def _may_tilt(self, shoulder: Shoulder, phi: float, wrist: Angles, tilt: float) -> bool:
        """Whether a tilt of the plane might bring a solution.

        It does not where a joint is far past its limits, or the third joint far out of reach. The
        tip stays, and is turned by no more than `tilt` [rad], so the wrist center hardly moves.
        """
        yaw, (angle, x, y, _) = self._yaw, shoulder
        if yaw is None:
            return True
        moved, beside = self._tool * tilt, self._tool + abs(yaw.aside)
        if not BESIDE * beside + FAR * moved <= abs(yaw.from_axis((x, y))[0]):
            return True
        if is_far_past(angle, self._yaw_limits) or any(map(is_far_past, wrist, self._wrist_limits)):
            return False
        x, y = x - self._length_3 * math.cos(phi), y - self._length_3 * math.sin(phi)
        return self._may_bend(x, y, phi, moved, moved + self._length_3 * tilt)

    def _may_bend(self, x: float, y: float, phi: float, moved: float, farthest: float) -> bool:
        """Whether the three joints might have the third one near a place [m].

        Solutions are at the orientation `phi` in the plane [rad] and have it no farther away than
        `moved`, or with another orientation than `farthest` [m], both doubled here. Where the elbow
        is clearly bent, they move no joint by more than half of MOST_ROOM.
        """
        distance, triangle = math.hypot(x, y), self._triangle
        short, long = self._links
        if not short - 2.0 * farthest <= distance <= long + 2.0 * farthest:
            return False
        square = distance * distance
        bend = math.sqrt(max(0.0, (triangle.outer - square) * (square - triangle.inner)))
        if 2.0 * moved * (bend + 4.0 * long * distance) >= MOST_ROOM / 2.0 * distance * bend:
            return True
        for upper_arm, forearm in triangle.elbow_up_and_down(x, y, square):
            angles = upper_arm, forearm - upper_arm, phi - forearm
            if not any(map(is_far_past, angles, self._limits_of_three)):
                return True
        return False

    def _wrist_at(self, wrist: Angles, near: Angles) -> Angles | None:
        """The wrist's joints turned inside their limits."""
        found = []
        for angle, its, limits in zip(wrist, near, self._wrist_limits):
            turned = clearly_turned(angle, its, limits)
            if turned is None:
                return None
            found.append(turned)
        return tuple(found)

    def _elbows(
        self, x: float, y: float, phi: float, rounded: float, near: JointPositions
    ) -> list[JointPositions]:
        """The three joints with the elbow up and down; rounding may turn the last link by some
        angle [rad]."""
        x, y = x - self._length_3 * math.cos(phi), y - self._length_3 * math.sin(phi)
        square, triangle = x * x + y * y, self._triangle
        bend = (triangle.outer - square) * (square - triangle.inner) * square
        if bend < self.flat * rounded * rounded:
            if self.nearest <= square <= self.farthest:
                raise NotOrdinaryError
            return []
        found, (near_1, near_2, near_3) = [], near
        for upper_arm, forearm in triangle.elbow_up_and_down(x, y, square):
            q1 = clearly_turned(upper_arm, near_1, self._limits_1)
            if q1 is None:
                continue
            q2 = clearly_turned(forearm - upper_arm, near_2, self._limits_2)
            if q2 is None:
                continue
            q3 = clearly_turned(phi - forearm, near_3, self._limits_3)
            if q3 is not None:
                found.append((q1, q2, q3))
        return found


def clearly_turned(angle: float, near: float, limits: Limits) -> float | None:
    """The turn of an angle inside limits that is nearest to `near`; None if there is none [rad]."""
    lower, upper = limits
    if not -math.pi <= angle - near <= math.pi:
        angle = near + math.remainder(angle - near, TURN)
    if lower <= angle <= upper:
        return angle
    past = abs(math.remainder(angle - (lower + upper) / 2.0, TURN)) - (upper - lower) / 2.0
    if past > LARGE_ROUNDING:
        return None
    turned = nearest_turn(angle, near, limits)
    if turned != nearest_turn(angle, near, limits, LARGE_ROUNDING):
        raise NotOrdinaryError  # a limit is so near that rounding may have put the joint past it
    return turned


def is_far_past(angle: float, limits: Limits) -> bool:
    """Whether every turn of an angle is past limits by more than MOST_ROOM [rad]."""
    lower, upper = limits
    past = abs(math.remainder(angle - (lower + upper) / 2.0, TURN)) - (upper - lower) / 2.0
    return past > MOST_ROOM
