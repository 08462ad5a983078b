# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ordinary full pose: exact axes, no joint free, nothing next to a limit or a straight elbow.

It is what `FullPose` answers in general, straight through and in plain floats: the shoulders of the
wrist center, the postures of the wrist, the triangle. Where rounding might decide, it does not
answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin, sqrt

from ik_circles.geometry.angles import Angles, Limits
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Point3
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.poses.turning import (
    NotOrdinaryError,
    Turning,
    is_far_past,
    turned,
)
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.wrist import (
    FROM_ROUNDING,
    LEVEL,
    LOOSE,
    MOST_ROOM,
    ROUNDING,
    Sight,
    Wrist,
)

#: A yaw angle [rad], how far outwards of its axis the wrist center is [m], where it is in the plane
#: [m], and how far rounding may turn the plane [rad].
PlainShoulder = tuple[float, float, float, float, float]

# A tilt hardly turns the plane where the wrist center is far outwards of the yaw axis.
#: That is at least this many times as far as the plane may be beside the axis [1].
BESIDE = 4.0
#: It is also this many times as far as the tilt moves the wrist center [1].
FAR_OUTWARDS = 20.0


class OrdinaryPoses:
    """Finds the configurations of ordinary full poses; owns the constants that they need of an arm.

    `apply` is False of arms that have none: their axes lean, links are tiny, or the plane's joints
    have more than a turn. Places are seen from the yaw axis, and in the axes of the
    plane turned by what `phi` is more than `chi`: there the last link points along `chi`.

    With a squared distance of the wrist from the base [m^2] between `nearest` and `farthest`, the
    elbow may be straight or folded: it is clearly bent if a product of squares is above `flat`
    times the square of how far rounding turns links; see `_elbows`.
    """

    def __init__(
        self, carrier: SpatialArm, wrist: Wrist, limits: Sequence[Limits], home: Whole
    ) -> None:
        planar, plane = carrier.planar, carrier.plane
        self.apply = plane.slack == 0.0 and planar.solver.is_plain and not planar.has_tiny_links
        self._yaw, self._wrist = plane.yaw, wrist
        self._loose_within = plane.loose_within
        self._triangle, self._tool = planar.solver.triangle, hypot(*wrist.center)
        length_1, length_2, self._length_3 = planar.link_lengths
        self._links = abs(length_1 - length_2), length_1 + length_2
        at = len(limits) - len(wrist.limits)
        self._limits, self._limits_of_three = limits, limits[at - 3 : at]
        self._wrist_limits = limits[at:]
        self._yaw_limits = (0.0, 0.0) if plane.yaw is None else limits[0]
        # With less bend of the elbow than this, rounding may move a joint by more than LOOSE.
        self.flat = (2.0 * length_1 * length_2 * planar.max_reach / LOOSE) ** 2
        room = planar.tolerance + FROM_ROUNDING * LOOSE * planar.max_reach
        self.nearest = max(0.0, abs(length_1 - length_2) - room) ** 2
        self.farthest = (length_1 + length_2 + room) ** 2
        self._turned_by = wrist.phi_at_zero
        self._axes, self._origin = plane.from_yaw_axis
        self._foot, self._outwards, self._up = map(self._turned_back, plane.yaw_axes)
        self._home = self._turning(home)

    def _turned_back(self, place: Point) -> Point:
        x, y = place
        cosine, sine = cos(self._turned_by), sin(self._turned_by)
        return cosine * x + sine * y, cosine * y - sine * x

    def _turning(self, near: Whole) -> Turning:
        return Turning(near, self._yaw_limits, self._limits_of_three, self._wrist_limits)

    def solutions(
        self, center: Point3, sight: Sight, near: Whole, tilt: float, room: float
    ) -> list[Angles] | None:
        """Every configuration inside the limits; None if the pose is not ordinary.

        The wrist center [m] and the orientation are as in `FullPose`, and `tilt` [rad] and `room`
        [m] are what they may be off. Each joint is at the turn nearest to `near`.
        """
        if not self.apply:
            return None
        turning = self._home if near is self._home.near else self._turning(near)
        found: list[Angles] = []
        try:
            for shoulder in self._shoulders(center, room):
                found += self._at_shoulder(shoulder, sight, turning, tilt)
        except NotOrdinaryError:
            return None
        return found

    def turned(self, found: Sequence[Angles], near: Whole) -> list[Angles] | None:
        """`solutions` at the turns nearest to another configuration; None if they are not ordinary
        seen from there."""
        yaw, q, wrist = near
        start = (*q, *wrist) if self._yaw is None else (yaw, *q, *wrist)
        try:
            some = [turned(one, start, self._limits) for one in found]
        except NotOrdinaryError:
            return None
        there = [one for one in some if one is not None]
        return there if len(there) == len(found) else None

    def _shoulders(self, center: Point3, room: float) -> list[PlainShoulder]:
        """The shoulders of a wrist center [m], as `ArmPlane.shoulders`; none is on the yaw axis."""
        (x0, y0, z0), ((a, b, c), (d, e, f), (g, h, i)) = self._origin, self._axes
        x, y, z = center
        x, y, z = x - x0, y - y0, z - z0
        ahead, height = a * x + b * y + c * z, d * x + e * y + f * z
        off, yaw = g * x + h * y + i * z, self._yaw
        (foot_x, foot_y), (out_x, out_y), (up_x, up_y) = self._foot, self._outwards, self._up
        x, y = foot_x + height * up_x, foot_y + height * up_y
        if yaw is None:
            place = 0.0, ahead, x + ahead * out_x, y + ahead * out_y, ROUNDING
            return [] if abs(off) > room else [place]
        aside, sideways = yaw.aside, yaw.aside - off
        radius, least = hypot(ahead, sideways), abs(aside)
        if radius <= least + yaw.rounding:
            if radius < least - yaw.rounding:
                return []
            raise NotOrdinaryError
        outwards = sqrt((radius - least) * (radius + least))
        rounded = ROUNDING * max(1.0, self._loose_within / outwards)
        if rounded > LOOSE:
            raise NotOrdinaryError
        # `ahead + i sideways` is `reach + i aside`, turned by the yaw angle.
        return [
            (
                atan2(sideways * reach - ahead * aside, ahead * reach + sideways * aside),
                reach, x + reach * out_x, y + reach * out_y, rounded,
            )
            for reach in (outwards, -outwards)
        ]  # fmt: skip

    def _at_shoulder(
        self, shoulder: PlainShoulder, sight: Sight, turning: Turning, tilt: float
    ) -> list[Angles]:
        """The configurations of both postures and both elbows."""
        (angle, _, x, y, rounded), wrist = shoulder, self._wrist
        before = () if self._yaw is None else turning.yaw(angle)
        if before is None and not self._may_turn(sight, angle, tilt):
            return []
        chi, cosine, sine, asked, tilted, loose = wrist.asked(sight, angle)
        rounded *= loose
        if rounded > LOOSE:
            raise NotOrdinaryError
        if LEVEL < tilted <= tilt and self._may_tilt(shoulder, chi, asked, tilt):
            raise NotOrdinaryError
        if before is None or tilted > LEVEL:
            return []
        found: list[Angles] = []
        along_x, along_y = self._length_3 * cosine, self._length_3 * sine
        after = turning.wrist(asked)
        if after is not None:
            for q in self._elbows(x - along_x, y - along_y, chi, rounded, turning):
                found.append((*before, *q, *after))
        if not wrist.has_two:
            return found
        after = turning.wrist(wrist.flipped(asked))
        if after is not None:
            for q in self._elbows(x + along_x, y + along_y, chi + pi, rounded, turning):
                found.append((*before, *q, *after))
        return found

    def _may_turn(self, sight: Sight, yaw: float, tilt: float) -> bool:
        """Whether a tilt of the plane, as a single wrist joint allows it, might bring a yaw joint
        back inside its limits."""
        off = sight.normal[0] * cos(yaw) + sight.outwards[0] * sin(yaw)
        return not self._wrist.has_two and LEVEL / 2.0 < abs(off) <= tilt

    def _may_tilt(self, shoulder: PlainShoulder, chi: float, wrist: Angles, tilt: float) -> bool:
        """Whether a tilt of the plane might bring a solution.

        It does not where a joint is far past its limits, or the third joint far out of reach. The
        tip stays, and is turned by no more than `tilt` [rad], so the wrist center hardly moves.
        """
        yaw, (angle, outwards, x, y, _) = self._yaw, shoulder
        if yaw is None:
            return True
        moved, beside = self._tool * tilt, self._tool + abs(yaw.aside)
        if not BESIDE * beside + FAR_OUTWARDS * moved <= abs(outwards):
            return True
        if is_far_past(angle, self._yaw_limits) or any(map(is_far_past, wrist, self._wrist_limits)):
            return False
        x, y = x - self._length_3 * cos(chi), y - self._length_3 * sin(chi)
        return self._may_bend(x, y, chi, moved, moved + self._length_3 * tilt)

    def _may_bend(self, x: float, y: float, chi: float, moved: float, most: float) -> bool:
        """Whether the three joints might have the third one near a place [m], with the last link at
        `chi` [rad].

        A tilt moves the third joint by at most `moved`, or `most` if it changes the orientation in
        the plane, too [m]. Both are doubled, to be safe. Where the elbow is clearly bent, that
        moves no joint by more than half of MOST_ROOM.
        """
        distance, triangle = hypot(x, y), self._triangle
        short, long = self._links
        if not short - 2.0 * most <= distance <= long + 2.0 * most:
            return False
        square = distance * distance
        bend = sqrt(max(0.0, (triangle.outer - square) * (square - triangle.inner)))
        if 2.0 * moved * (bend + 4.0 * long * distance) >= MOST_ROOM / 2.0 * distance * bend:
            return True
        for upper_arm, forearm in triangle.elbow_up_and_down(x, y, square):
            angles = upper_arm + self._turned_by, forearm - upper_arm, chi - forearm
            if not any(map(is_far_past, angles, self._limits_of_three)):
                return True
        return False

    def _elbows(
        self, x: float, y: float, chi: float, rounded: float, turning: Turning
    ) -> list[Angles]:
        """The three joints with the elbow up and down, and the third one at a place [m]; rounding
        may turn the last link by some angle [rad]."""
        square, triangle = x * x + y * y, self._triangle
        bend = (triangle.outer - square) * (square - triangle.inner) * square
        if bend < self.flat * rounded * rounded:
            if self.nearest <= square <= self.farthest:
                raise NotOrdinaryError
            return []
        a, b, c, d, e, f = turning.unturned
        found: list[Angles] = []
        for upper_arm, forearm in triangle.elbow_up_and_down(x, y, square):
            q1, q2, q3 = upper_arm + self._turned_by, forearm - upper_arm, chi - forearm
            if a <= q1 <= b and c <= q2 <= d and e <= q3 <= f:
                found.append((q1, q2, q3))
            elif (q := turning.three((q1, q2, q3))) is not None:
                found.append(q)
        return found
