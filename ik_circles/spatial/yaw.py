# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The yaw joint: at which angles does the plane that it turns hold a point in space, and where?

Seen along the yaw axis, the tip is at `(outwards + i aside) * exp(i yaw)`. Here `outwards` is its
distance from the axis along the plane, and `aside` is how far the plane passes beside the axis.
A point at the distance `radius` from the axis therefore lies in the plane at two yaw angles. At one
the arm faces it, with `outwards = sqrt(radius^2 - aside^2)`; at the other it reaches backwards,
with minus that.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from ik_circles.geometry.angles import TURN, Limits, ends, nearest_in, stops, turns_into, wrap
from ik_circles.geometry.circles import Circle, Point
from ik_circles.geometry.limits import excess, is_past
from ik_circles.geometry.rigid import Point3, Rows
from ik_circles.reasons import JointLabel
from ik_circles.spatial.shoulder import Place, Shoulder, ShoulderAtYaws

#: Rounding moves a yaw angle past its limit by less than this [rad]. This is generous, because the
#: root of the rounding counts where the plane is about as far from the axis as the point is.
YAW_ROUNDING = 1e-3
#: With the plane put on a yaw limit, a point up to this many roundings [1] beside it is in it: the
#: point, the limit and the plane each bring rounding of their own.
ON_LIMIT_ROUNDINGS = 4.0


class Yaw(NamedTuple):
    """The yaw joint as seen from the arm's plane, which is at the yaw angle 0.

    `limits` [rad] are angles about the yaw axis. Projected into the plane, the axis passes through
    `foot` [m] in the direction `along`. The plane passes the axis at the distance `aside` [m].
    Lengths up to `rounding` [m] count as zero. Messages call the joint by its `label`.
    """

    limits: Limits
    foot: Point
    along: Point
    aside: float
    rounding: float
    label: JointLabel = JointLabel('the yaw joint')

    @property
    def holds_axis(self) -> bool:
        """Whether the yaw axis lies in the arm's plane."""
        return abs(self.aside) <= self.rounding

    def through(self, off: float) -> 'Yaw':
        """The same joint as seen from a parallel plane at a distance [m]."""
        limits, foot, along, aside, rounding, label = self
        aside -= off
        aside = 0.0 if abs(aside) <= rounding else aside
        return Yaw(limits, foot, along, aside, rounding, label)

    # --- between the plane and space ---

    def in_plane(self, outwards: float, height: float) -> Point:
        """The point of the plane at a distance from the axis and a height along it [m]."""
        (x, y), (along_x, along_y) = self.foot, self.along
        return (
            x + outwards * along_y + height * along_x,
            y - outwards * along_x + height * along_y,
        )

    def from_axis(self, point: Point) -> tuple[float, float]:
        """`(outwards, height)` of a point of the plane [m]."""
        x, y = point[0] - self.foot[0], point[1] - self.foot[1]
        along_x, along_y = self.along
        return x * along_y - y * along_x, x * along_x + y * along_y

    def place_of(self, x: float, y: float, off: float) -> Place:
        """The place of a point given in the axes of the plane at yaw 0, `off` that plane [m]."""
        outwards, height = self.from_axis((x, y))
        sideways = self.aside - off
        return Place(math.hypot(outwards, sideways), math.atan2(sideways, outwards), height)

    def turned(self, x: float, y: float, yaw: float) -> Point3:
        """Where turning by `yaw` [rad] brings a point of the plane, in its axes at yaw 0 [m]."""
        outwards, height = self.from_axis((x, y))
        turned = complex(outwards, self.aside) * complex(math.cos(yaw), math.sin(yaw))
        return (*self.in_plane(turned.real, height), self.aside - turned.imag)

    def rotation(self, yaw: float, angle: float) -> Rows:
        """The rotation by an angle in the plane, then by `yaw` [rad], in axes of yaw 0 (3x3)."""
        (x, y), cosine, sine = self.along, math.cos(yaw), math.sin(yaw)
        c, s, rest = math.cos(angle), math.sin(angle), 1.0 - cosine
        xx, xy, yy = cosine + rest * x * x, rest * x * y, cosine + rest * y * y
        return (
            (xx * c + xy * s, xy * c - xx * s, sine * y),
            (xy * c + yy * s, yy * c - xy * s, -sine * x),
            (sine * (x * s - y * c), sine * (y * s + x * c), cosine),
        )

    def seen_at(self, yaw: float, place: Place) -> tuple[float, float]:
        """`(outwards, off)` of a place: along the plane at `yaw` [rad], and out of it [m]."""
        turned = place.azimuth - yaw
        return (
            place.radius * math.cos(turned),
            place.radius * math.sin(turned) - self.aside,
        )

    # --- the shoulders of a place ---

    def shoulders(self, place: Place, slack: float = 0.0) -> list[ShoulderAtYaws]:
        """The ways to have a place in the plane, the one that faces it first.

        An angle that rounding puts past a limit is moved onto it. There is no way if the place is
        nearer to the axis than the plane is, by more than the `slack` [m]. On the axis every yaw
        angle works; the one nearest to 0 stands for all.
        """
        if place.radius <= self.rounding and self.holds_axis:
            any_yaw = nearest_in(0.0, self.limits)
            point = self.in_plane(0.0, place.height)
            return [(Shoulder(any_yaw, point, on_axis=True), [any_yaw])]
        return self._at_yaws(place, self._unlimited(place, self.aside, slack))

    def shoulders_on(
        self, place: Place, circles: Iterable[Circle], rounding: float
    ) -> list[ShoulderAtYaws]:
        """The ways to have a place in the plane on circles of the plane [m], if that moves it
        towards the axis, or away from it, by no more than a rounding [m]."""
        found: list[Shoulder] = []
        for center, radius in circles:
            outwards, height = self.from_axis(center)
            up = abs(place.height - height)
            half = math.sqrt(max(0.0, radius - up)) * math.sqrt(radius + up)
            for reach in (outwards + half, outwards - half):
                if abs(math.hypot(reach, self.aside) - place.radius) <= rounding:
                    found.append(self._reaching(place, reach, self.aside))
        return self._at_yaws(place, found)

    def _reaching(self, place: Place, outwards: float, aside: float) -> Shoulder:
        """The shoulder that has a place outwards from the axis by a distance, in a plane that
        passes the axis at the distance `aside` [m]."""
        yaw = wrap(place.azimuth - math.atan2(aside, outwards))
        return Shoulder(yaw, self.in_plane(outwards, place.height))

    def _at_yaws(self, place: Place, shoulders: Iterable[Shoulder]) -> list[ShoulderAtYaws]:
        """Shoulders of a place, each with its yaw angles; see `shoulders`."""
        found: list[ShoulderAtYaws] = []
        for shoulder in shoulders:
            inside = self._clear_turns(shoulder.yaw, YAW_ROUNDING)
            if inside is not None:
                found.append((shoulder, inside))
                continue
            inside = self.turns(shoulder.yaw)
            on_limits = self._on_limits(shoulder, place, inside)
            if inside or not on_limits:
                found.append((shoulder, inside))
            found += on_limits
        return found

    def _unlimited(self, place: Place, aside: float, slack: float = 0.0) -> list[Shoulder]:
        """The shoulders of a place beside the axis, whatever the yaw limits, if the plane passes
        the axis at the distance `aside` [m]."""
        radius, least = place.radius, abs(aside)
        if radius < least - self.rounding - slack:
            return []
        reaches = [0.0]
        if radius > least + self.rounding:
            outwards = math.sqrt(radius - least) * math.sqrt(radius + least)
            reaches = [outwards, -outwards]
        return [self._reaching(place, reach, aside) for reach in reaches]

    def clear_shoulders(
        self, place: Place, off: float, near: float
    ) -> list[ShoulderAtYaws] | None:
        """The `shoulders` inside the limits, as seen from a parallel plane at a distance `off` [m].

        None if that takes a closer look, as on the axis or next to a yaw limit. So it does if the
        place is nearer to the axis than the plane is, but by no more than `near` [m].
        """
        found: list[ShoulderAtYaws] = []
        aside = self.aside - off
        if abs(aside) <= self.rounding:  # as in `through`
            aside = 0.0
            if place.radius <= self.rounding:
                return None
        some = self._unlimited(place, aside)
        if not some:
            return None if place.radius >= abs(aside) - near else []
        for shoulder in some:
            turns = self._clear_turns(shoulder.yaw, YAW_ROUNDING)
            if turns is None:
                return None
            if turns:
                found.append((shoulder, turns))
        return found

    def _on_limits(
        self, shoulder: Shoulder, place: Place, inside: list[float]
    ) -> list[ShoulderAtYaws]:
        """Shoulders on a yaw limit that differ from the given one by rounding only.

        Where the plane is as far from the axis as the place is, both sides are the same.
        """
        near = [
            end
            for end in ends(self.limits)
            if abs(math.remainder(shoulder.yaw - end, TURN)) <= YAW_ROUNDING
            and not any(abs(turn - end) <= YAW_ROUNDING for turn in inside)
        ]
        found: list[ShoulderAtYaws] = []
        has_side = bool(near) and abs(self.from_axis(shoulder.point)[0]) > self.rounding
        for end in near:
            outwards, off = self.seen_at(end, place)
            point = self.in_plane(outwards, place.height)
            is_other = has_side and self.faces(point) != self.faces(shoulder.point)
            if abs(off) <= ON_LIMIT_ROUNDINGS * self.rounding and not is_other:
                found.append((Shoulder(end, point), [end]))
        return found

    def outwards(self, place: Place) -> float:
        """Where the plane meets a place, measured from the axis; 0 if it does not [m]."""
        aside = abs(self.aside)
        return math.sqrt(max(0.0, place.radius - aside)) * math.sqrt(place.radius + aside)

    def faces(self, point: Point) -> bool:
        """Whether the arm faces a point of the plane [m], rather than reaching backwards."""
        return self.from_axis(point)[0] >= -self.rounding

    # --- limits ---

    def turns(self, yaw: float, window: float = 0.0) -> list[float]:
        """Angles inside the limits that are whole turns from `yaw` [rad], the smallest first.

        Those past a limit by no more than `window` [rad] are moved onto it.
        """
        clear = self._clear_turns(yaw, window)
        if clear is not None:
            return clear
        lower, upper = self.limits
        within = turns_into(yaw, (lower - window, upper + window))
        return sorted({nearest_in(turn, self.limits) for turn in within}, key=abs)

    def _clear_turns(self, yaw: float, room: float) -> list[float] | None:
        """`turns` of an angle [rad], if none of them is near a limit; else None."""
        lower, upper = self.limits
        if lower == -math.inf:
            return [yaw]
        if upper - lower < TURN - 2.0 * room:
            if lower + room <= yaw <= upper - room:
                return [yaw]
            return [] if is_past(yaw, self.limits, room) else None
        away = abs(math.remainder(yaw - lower, TURN)), abs(math.remainder(yaw - upper, TURN))
        if min(away) <= room:
            return None
        return sorted(turns_into(yaw, self.limits), key=abs)

    def excess(self, yaw: float) -> float:
        """How far the nearest turn of `yaw` is past a limit [rad], negative below the lower."""
        return excess(yaw, self.limits)

    def ends(self) -> tuple[float, ...]:
        """The limits at which turning ends [rad]; none if a whole turn lies between them."""
        return stops(self.limits)

    # --- distances ---

    def facing(self, place: Place, point: Point) -> float:
        """The yaw angle that brings a point of the plane nearest to a place [rad]."""
        return wrap(place.azimuth - math.atan2(self.aside, self.from_axis(point)[0]))

    def distance_turned(self, place: Place, point: Point) -> float:
        """Distance of a place from the circle along which a point of the plane is turned [m]."""
        outwards, height = self.from_axis(point)
        return math.hypot(place.radius - math.hypot(outwards, self.aside), place.height - height)

    def distance_to_limit(self, shoulder: Shoulder, place: Place) -> float:
        """Distance from a place to where turning ends [m].

        Turning ends on a half plane at the limit, on the side of the axis that `shoulder` uses.
        """
        side, distance = 1.0 if self.faces(shoulder.point) else -1.0, math.inf
        for end in self.ends():
            outwards, off = self.seen_at(end, place)
            distance = min(distance, math.hypot(min(side * outwards, 0.0), off))
        return distance
