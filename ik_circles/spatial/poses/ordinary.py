# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The ordinary full pose: no joint is free, nothing next to a limit or a straight elbow.

This is what `FullPose` does in general, written out in plain floats: the shoulders of the wrist
center, the postures of the wrist, the triangle. If rounding might decide, or the lean of axes,
there is no answer here. Every full pose is asked here first: with six joints, the general way takes
18 times as long, with five 7 times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import atan2, cos, hypot, pi, sin, sqrt

from ik_circles.geometry.angles import Angles, Limits, wrap
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.model import LARGE_ROUNDING
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.poses.ordinary_leaning import LeaningPoses
from ik_circles.spatial.poses.turning import (
    NotOrdinaryError,
    Range,
    Turning,
    all_turned,
    clearly_turned,
    is_far_past,
)
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.tilts import most_seen, much_turned_within
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.wrist import FROM_ROUNDING, LEVEL, LOOSE, MOST_ROOM, ROUNDING, Sight, Wrist

#: A yaw angle [rad] with its cosine and sine, how far outwards from the axis the wrist center is,
#: and where it is in the plane [m].
PlainShoulder = tuple[float, float, float, float, float, float]

#: A tilt hardly turns the plane if the wrist center is outwards from the yaw axis by at least this
#: many times the length of the tool, and the distance of the plane from the axis [1].
BESIDE = 4.0


class OrdinaryPoses:
    """Finds the configurations of ordinary full poses; owns the constants of the arm for that.

    `apply` is False for arms that have no ordinary poses: links are tiny, or the plane's joints
    have more than a turn. Places are seen from the yaw axis, and in the axes of the plane turned by
    `phi - chi`: there, the last link points along `chi`. The lean of axes counts like rounding, and
    the solutions of exact axes are corrected.

    The elbow is clearly bent if a product of squares is above `flat` times the square of how far
    rounding turns links; see `_elbows`. Otherwise it may be straight or folded, if the squared
    distance of the wrist from the base is between `nearest` and `farthest` [m^2].
    """

    def __init__(
        self, carrier: SpatialArm, wrist: Wrist, limits: Sequence[Limits], home: Whole,
        hinges: HingeChain, lean: float,
    ) -> None:  # fmt: skip
        planar, plane = carrier.planar, carrier.plane
        self.apply = planar.solver.is_plain and not planar.has_tiny_links
        self.leaning: LeaningPoses | None = None
        self._loose, window = LOOSE, LARGE_ROUNDING
        if plane.slack:
            self.leaning = leaning = LeaningPoses(carrier, wrist, hinges, lean)
            self._loose, window = leaning.loose, leaning.window
        self._yaw, self._wrist, self._has_two = plane.yaw, wrist, wrist.has_two
        self._asked, self._aside = wrist.asked, plane.aside
        self._loose_within, self._slack = plane.loose_within, plane.slack
        self._triangle, self._tool = planar.solver.triangle, hypot(*wrist.center)
        self._turned_tool = 0.0 if plane.yaw is None else self._tool
        self._much_turned_within = 0.0 if wrist.has_two else much_turned_within(self._tool, 1.0)
        length_1, length_2, self._length_3 = planar.link_lengths
        self._beyond_reach, self._both_links = planar.beyond_reach, length_1 + length_2
        at = len(limits) - len(wrist.limits)
        self._ranges = ranges = [Range.of(one, window) for one in limits]
        self._of_three, self._of_wrist = ranges[at - 3 : at], ranges[at:]
        self._of_yaw = Range.of((0.0, 0.0)) if plane.yaw is None else ranges[0]
        # With less bend of the elbow than this, errors may move a joint by more than is loose.
        self.flat = (2.0 * length_1 * length_2 * planar.max_reach / self._loose) ** 2
        room = planar.tolerance + max(FROM_ROUNDING * LOOSE, self._loose) * planar.max_reach
        self.nearest = max(0.0, abs(length_1 - length_2) - room) ** 2
        self.farthest = (length_1 + length_2 + room) ** 2
        self._turned_by = wrist.phi_at_zero
        axes, origin = plane.from_yaw_axis
        self._seen_from = (*origin, *chain(*axes))
        # The wrist center as the tip sees it, in the axes of a `Sight`.
        x, y, z = (wrist.after.T @ wrist.center).tolist()
        self._center = x, y, z
        self._in_plane = (*chain(*map(self._turned_back, plane.yaw_axes)),)
        self._home = self._turning(home)

    def _turned_back(self, place: Point) -> Point:
        (x, y), cosine, sine = place, cos(self._turned_by), sin(self._turned_by)
        return cosine * x + sine * y, cosine * y - sine * x

    def _turning(self, near: Whole) -> Turning:
        return Turning(near, self._of_yaw, self._of_three, self._of_wrist)

    def solutions(
        self, point: Point3, sight: Sight, near: Whole | None, tilt: float, room: float
    ) -> list[Angles] | None:
        """Every configuration inside the limits; None if the pose is not ordinary.

        The point [m] and the orientation are as in `FullPose`. The solution may be off by `tilt`
        [rad] and `room` [m]. Each joint is at the turn nearest to `near`, or to home without it.
        """
        found = self.of_exact_axes(point, sight, near, tilt, room)
        if found is None or self.leaning is None:
            return found
        (corrected,) = self.leaning.corrected([found], [(point, sight)], tilt)
        start = self._home.near if near is None else near
        return None if corrected is None else self.turned(corrected, start)

    def of_exact_axes(
        self, point: Point3, sight: Sight, near: Whole | None, tilt: float, room: float
    ) -> list[Angles] | None:
        """`solutions`, before the correction to axes that lean."""
        if not self.apply:
            return None
        turning, found = self._home if near is None else self._turning(near), list[Angles]()
        try:
            self._everywhere(point, sight, turning, tilt, room, found)
        except NotOrdinaryError:
            return None
        return found

    def turned(self, found: Sequence[Sequence[float]], near: Whole) -> list[Angles] | None:
        """`solutions` at the turns nearest to another configuration; None if they are not ordinary
        seen from there."""
        yaw, q, wrist = near
        start = (*q, *wrist) if self._yaw is None else (yaw, *q, *wrist)
        return all_turned(found, start, self._ranges)

    def _everywhere(
        self, point: Point3, sight: Sight, turning: Turning, tilt: float, room: float,
        found: list[Angles],
    ) -> None:  # fmt: skip
        """Add the configurations of both shoulders (`ArmPlane.shoulders`), none on the yaw axis."""
        x0, y0, z0, a, b, c, d, e, f, g, h, i = self._seen_from
        (j, k, m), (n, o, p), (q, r, s) = sight
        (x, y, z), (u, v, w), aside = point, self._center, self._aside
        x, y, z = x - x0, y - y0, z - z0
        ahead = a * x + b * y + c * z + j * u + k * v + m * w
        height = d * x + e * y + f * z + n * u + o * v + p * w
        off = g * x + h * y + i * z + q * u + r * v + s * w
        foot_x, foot_y, out_x, out_y, up_x, up_y = self._in_plane
        x, y = foot_x + height * up_x, foot_y + height * up_y
        if self._yaw is None:
            if (beside := abs(off) - room - self._slack) <= 0.0:
                place = 0.0, 1.0, 0.0, ahead, x + ahead * out_x, y + ahead * out_y
                self._at_shoulder(place, ROUNDING, sight, turning, tilt, found)
            elif beside <= self._moved_off(tilt):
                raise NotOrdinaryError
            return
        sideways, least, rounding = aside - off, abs(aside), self._yaw.rounding + self._slack
        radius = sqrt(square := ahead * ahead + sideways * sideways)
        if radius <= least + rounding:
            if radius < least - rounding - self._moved_off(tilt):
                return
            raise NotOrdinaryError
        outwards = sqrt((radius - least) * (radius + least))
        rounded = ROUNDING * max(1.0, self._loose_within / outwards)
        if rounded > self._loose:
            raise NotOrdinaryError
        is_near = outwards <= self._much_turned_within * tilt
        for reach in (outwards, -outwards):
            # `ahead + i sideways` is `reach + i aside`, turned by the yaw angle.
            cosine = (ahead * reach + sideways * aside) / square
            sine = (sideways * reach - ahead * aside) / square
            if is_near and abs(q * cosine + j * sine) > LEVEL:
                raise NotOrdinaryError
            place = atan2(sine, cosine), cosine, sine, reach, x + reach * out_x, y + reach * out_y
            self._at_shoulder(place, rounded, sight, turning, tilt, found)

    def _moved_off(self, tilt: float) -> float:
        """A tilt of a single wrist axis moves the center off its plane by at most this [m]."""
        return 0.0 if self._has_two else self._tool * min(tilt, 1.0)

    def _at_shoulder(
        self, shoulder: PlainShoulder, rounded: float, sight: Sight, turning: Turning, tilt: float,
        found: list[Angles],
    ) -> None:  # fmt: skip
        """Add all configurations of a shoulder; rounding may turn the plane by `rounded` [rad]."""
        angle, yaw_x, yaw_z, outwards, x, y = shoulder
        leaned = 0.0 if self.leaning is None else self.leaning.leans(abs(outwards))
        if leaned > self._loose:
            raise NotOrdinaryError
        tilt += 2.0 * leaned  # as in `most_tilt`
        before = () if self._yaw is None else turning.yaw(angle)
        if before is None and not self._may_turn(shoulder, sight, tilt):
            return
        chi, cosine, sine, asked, tilted, loose = self._asked(sight, yaw_x, yaw_z)
        rounded = (rounded + leaned) * loose
        if rounded > self._loose:
            raise NotOrdinaryError
        if tilted > LEVEL + leaned:
            if self._may_tilt(shoulder, chi, asked, tilted, tilt):
                raise NotOrdinaryError
            return
        if before is None:
            return
        along_x, along_y = self._length_3 * cosine, self._length_3 * sine
        after = turning.wrist(asked)
        if after is not None:
            ends = before, after
            self._elbows(x - along_x, y - along_y, chi, rounded, turning, ends, found)
        if self._has_two:
            after = turning.wrist(self._wrist.flipped(asked))
            if after is not None:
                ends = before, after
                chi = wrap(chi + pi)
                self._elbows(x + along_x, y + along_y, chi, rounded, turning, ends, found)

    def _may_turn(self, shoulder: PlainShoulder, sight: Sight, tilt: float) -> bool:
        """Whether an allowed tilt of the plane might bring a yaw joint back inside its limits."""
        _, yaw_x, yaw_z, outwards, _, _ = shoulder
        tilted = abs(sight[2][0] * yaw_x + sight[0][0] * yaw_z)
        return LEVEL < tilted <= most_seen(self._turned_tool, tilt, outwards)

    def _hardly_turns(self, outwards: float, tilt: float) -> bool:
        """Whether a tilt [rad] hardly turns the plane, with the center this far outwards [m]."""
        least = BESIDE * (self._tool + abs(self._aside)) + much_turned_within(self._tool, tilt)
        return least <= abs(outwards)

    def _may_tilt(
        self, shoulder: PlainShoulder, chi: float, wrist: Angles, tilted: float, tilt: float
    ) -> bool:
        """Whether a tilt of the plane might bring a solution, with the wrist's axis `tilted` [rad].

        It does not if a joint is far past its limits, or if the third joint is far out of reach.
        The tip stays, and is turned by no more than `tilt` [rad]: the wrist center hardly moves.
        """
        (angle, _, _, outwards, x, y), moved = shoulder, self._tool * tilt
        if tilted > most_seen(self._turned_tool, tilt, outwards):
            return False
        if self._yaw is None or not self._hardly_turns(outwards, tilt):
            return True
        if is_far_past(angle, self._of_yaw) or any(map(is_far_past, wrist, self._of_wrist)):
            return False
        x, y = x - self._length_3 * cos(chi), y - self._length_3 * sin(chi)
        return self._may_bend(x, y, chi, moved, moved + self._length_3 * tilt)

    def _may_bend(self, x: float, y: float, chi: float, moved: float, most: float) -> bool:
        """Whether the three joints might have the third one near a place [m], with the last link at
        `chi` [rad].

        A tilt moves the third joint by at most `moved`, or `most` if it changes the orientation in
        the plane, too [m]. Both are doubled, to be safe.
        """
        distance = hypot(x, y)
        if max(self._beyond_reach(distance)) > 2.0 * most:
            return False
        if not self.bends_clearly(distance, moved):
            return True
        for upper_arm, forearm in self._triangle.elbow_up_and_down(x, y, distance * distance):
            angles = upper_arm + self._turned_by, forearm - upper_arm, chi - forearm
            if not any(map(is_far_past, angles, self._of_three)):
                return True
        return False

    def bends_clearly(self, distance: float, moved: float) -> bool:
        """Whether a tilt that moves the third joint by at most `moved` turns none of the three by
        more than half of MOST_ROOM, with the third one at a distance from the first one [m]."""
        triangle, square = self._triangle, distance * distance
        bend = sqrt(max(0.0, (triangle.outer - square) * (square - triangle.inner)))
        turns = 2.0 * moved * (bend + 4.0 * self._both_links * distance)  # doubled, to be safe
        return turns < MOST_ROOM / 2.0 * distance * bend

    def _elbows(
        self, x: float, y: float, chi: float, rounded: float, turning: Turning,
        ends: tuple[Angles, Angles], found: list[Angles],
    ) -> None:  # fmt: skip
        """Add the configurations with the elbow up and down, and the third joint at a place [m].

        Rounding may turn the last link, which is at `chi`, by some angle [rad]. The joints before
        and after the three are at the `ends`.
        """
        square, triangle = x * x + y * y, self._triangle
        bend = (triangle.outer - square) * (square - triangle.inner) * square
        leaning, flat = self.leaning, self.flat * rounded * rounded
        if bend <= (flat if leaning is None else leaning.flat(rounded) * square):
            if self.nearest <= square <= self.farthest:
                raise NotOrdinaryError
            return
        (before, after), turned_by = ends, self._turned_by
        (a, b, near_1, its_1), (c, d, near_2, its_2), (e, f, near_3, its_3) = turning.three
        for upper_arm, forearm in triangle.elbow_up_and_down(x, y, square):
            q1, q2, q3 = upper_arm + turned_by, forearm - upper_arm, chi - forearm
            if (two := q2 if c <= q2 <= d else clearly_turned(q2, near_2, its_2)) is None:
                continue
            if (one := q1 if a <= q1 <= b else clearly_turned(q1, near_1, its_1)) is None:
                continue
            if (three := q3 if e <= q3 <= f else clearly_turned(q3, near_3, its_3)) is not None:
                found.append((*before, one, two, three, *after))
