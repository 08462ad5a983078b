"""A joint that turns the arm's plane: where a point in space lies in the plane, turned to reach it.

Seen along the yaw axis, the tip is at `(outwards + i aside) * exp(i yaw)`: `outwards` is its place
in the plane, measured from the axis, and `aside` how far the plane passes the axis. A point at the
distance `radius` from the axis is therefore in the plane at two yaw angles: the arm faces it, with
`outwards = sqrt(radius^2 - aside^2)`, or reaches backwards, with minus that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import TURN, Limits, ends, nearest_in, turns_into, wrap
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point

#: A yaw angle past a limit by more than this is past it by more than rounding [rad].
NEARLY = 1e-3


class Place(NamedTuple):
    """A point in space, seen from the yaw axis: distance from it [m], direction about it [rad],
    height along it [m]."""

    radius: float
    azimuth: float
    height: float

    def brought_within(self, distance: float) -> Place:
        """The place itself, or one in the same direction about as far away as `distance` [m]."""
        away = max(self.radius, abs(self.height))
        if away <= distance:
            return self
        share = distance / away
        return Place(self.radius * share, self.azimuth, self.height * share)


class Shoulder(NamedTuple):
    """A way to have a place in the arm's plane: the yaw angle [rad], the point there [m], and how
    far beside the plane the place is, where no yaw joint can turn it there [m]."""

    yaw: float
    point: Point
    beside: float = 0.0


class Yaw(NamedTuple):
    """The yaw joint in the terms of the arm's plane, which is at 0 where it was reduced.

    `limits` [rad], about the axis `along`; `foot` is a point of the axis and `along` its direction,
    both projected into the plane; `aside` [m] is how far the plane passes the axis; `rounding` [m]
    is what counts as nothing; `slack` [m] is how far the axes' rounding in the URDF may put the tip
    off.
    """

    limits: Limits
    foot: Point
    along: Point
    aside: float
    rounding: float
    slack: float = 0.0

    @property
    def holds_axis(self) -> bool:
        """Whether the yaw axis lies in the arm's plane."""
        return abs(self.aside) <= self.rounding

    def is_on_axis(self, place: Place) -> bool:
        """Whether the plane holds a place however it is turned."""
        return self.holds_axis and place.radius <= self.rounding

    # --- between space and the plane ---

    def ways(self, place: Place) -> list[tuple[Shoulder, list[float]]]:
        """The ways to have a place in the plane, facing it first, with the yaw angles inside the
        limits, the smallest first; what is past a limit by rounding is on it.

        There is none if the place is nearer to the axis than the plane is. On the axis, every yaw
        angle will do: the one that is nearest to 0 stands for all.
        """
        if self.is_on_axis(place):
            any_turn = nearest_in(0.0, self.limits)
            return [(Shoulder(any_turn, self.in_plane(0.0, place.height)), [any_turn])]
        found: list[tuple[Shoulder, list[float]]] = []
        for shoulder in self._shoulders(place):
            inside = self.turns(shoulder.yaw)
            on_limit = [
                (Shoulder(end, self.in_plane(outwards, place.height)), [end])
                for end in ends(self.limits)
                if abs(wrap(shoulder.yaw - end)) <= NEARLY
                and not any(abs(turn - end) <= NEARLY for turn in inside)
                for outwards, off in [self.seen_at(end, place)]
                if abs(off) <= 4.0 * self.rounding
                and (outwards >= -self.rounding) == self.faces(shoulder)
            ]
            if inside or not on_limit:
                found.append((shoulder, inside))
            found += on_limit
        return found

    def _shoulders(self, place: Place) -> list[Shoulder]:
        if place.radius < abs(self.aside) - self.rounding - self.slack:
            return []
        if place.radius <= abs(self.aside) + self.rounding:
            return [self._shoulder(place, 0.0)]
        outwards = self._outwards(place)
        return [self._shoulder(place, outwards), self._shoulder(place, -outwards)]

    def _shoulder(self, place: Place, outwards: float) -> Shoulder:
        yaw = wrap(place.azimuth - math.atan2(self.aside, outwards))
        return Shoulder(yaw, self.in_plane(outwards, place.height))

    def in_plane(self, outwards: float, height: float) -> Point:
        """Point of the plane [m] at a distance from the axis and a height along it."""
        along_x, along_y = self.along
        return (
            self.foot[0] + outwards * along_y + height * along_x,
            self.foot[1] - outwards * along_x + height * along_y,
        )

    def from_axis(self, point: Point) -> tuple[float, float]:
        """`(outwards, height)` of a point of the plane [m]."""
        x, y = point[0] - self.foot[0], point[1] - self.foot[1]
        along_x, along_y = self.along
        return x * along_y - y * along_x, x * along_x + y * along_y

    def turns(self, yaw: float, window: float = 0.0) -> list[float]:
        """Yaw angles inside the limits that are whole turns from `yaw`, the smallest first; those
        past a limit by no more than `window` are on it [rad]."""
        lower, upper = self.limits
        if lower == -math.inf:
            return [yaw]
        within = turns_into(yaw, (lower - window, upper + window))
        return sorted({nearest_in(turn, self.limits) for turn in within}, key=abs)

    def excess(self, yaw: float) -> float:
        """How far the nearest turn of `yaw` is past a limit [rad], negative below the lower."""
        lower, upper = self.limits
        over = wrap(yaw - (lower + upper) / 2.0)
        return math.copysign(max(0.0, abs(over) - (upper - lower) / 2.0), over)

    # --- distances ---

    def seen_at(self, yaw: float, place: Place) -> tuple[float, float]:
        """`(outwards, off)` of a place with the plane at `yaw`: along the plane, and away from
        it [m]."""
        turned = place.azimuth - yaw
        return (
            place.radius * math.cos(turned),
            place.radius * math.sin(turned) - self.aside,
        )

    def ends(self) -> tuple[float, ...]:
        """The limits of the yaw joint, as far as it has any [rad]."""
        return () if self.limits[1] - self.limits[0] >= TURN else ends(self.limits)

    def facing(self, place: Place, point: Point) -> float:
        """The yaw angle that brings a point of the plane nearest to a place [rad]."""
        return wrap(place.azimuth - math.atan2(self.aside, self.from_axis(point)[0]))

    def distance_turned(self, place: Place, point: Point) -> float:
        """Distance of a place from the circle that a point of the plane is turned along [m]."""
        outwards, height = self.from_axis(point)
        return math.hypot(place.radius - math.hypot(outwards, self.aside), place.height - height)

    def faces(self, shoulder: Shoulder) -> bool:
        """Whether the arm faces the place, in contrast to reaching backwards."""
        return self.from_axis(shoulder.point)[0] >= 0.0

    def distance_to_limit(self, shoulder: Shoulder, place: Place) -> float:
        """Distance of a place in the plane at `shoulder` from where its turning ends [m]: from
        its half, on this side of the axis, at the limits."""
        faces = self.faces(shoulder)
        distance = math.inf
        for end in self.ends():
            outwards, off = self.seen_at(end, place)
            beside = outwards >= 0.0 if faces else outwards <= 0.0
            distance = min(distance, abs(off) if beside else math.hypot(outwards, off))
        return distance

    def likely_on(self, arc: Arc, place: Place) -> Iterator[Point]:
        """Points of an arc of the plane that may be nearest to a place when turned about the axis:
        its ends, and those nearest to the place and to its mirror image. Where the plane holds the
        axis, one of them is."""
        outwards = self._outwards(place)
        for side in (outwards, -outwards):
            yield arc.nearest_to(self.in_plane(side, place.height))
        yield arc.point_at(arc.start)
        yield arc.point_at(arc.end)

    def stationary_on(self, arc: Arc, place: Place, least: float) -> Iterator[Point]:
        """Points of an arc whose distance from a place, when turned about the axis, is stationary,
        if any is nearer than `least` [m].

        They are where the line from the place to the tip meets the yaw axis as well as the axis of
        the arc: with a plane beside the axis, the roots of a polynomial of degree 8.
        """
        if self.holds_axis or arc.radius <= self.rounding:
            return
        outwards = self._outwards(place)
        sides = (self.in_plane(side, place.height) for side in (outwards, -outwards))
        shrinks = outwards / (place.radius + abs(self.aside))  # distances in the plane, if turned
        if shrinks * min(map(arc.distance_to, sides)) < least:
            for angle in self._stationary_angles(arc, place):
                if (angle - arc.start) % TURN <= arc.sweep:
                    yield arc.point_at(angle)

    def _outwards(self, place: Place) -> float:
        """Where the plane meets a place, measured from the axis; 0 if it does not [m]."""
        aside = abs(self.aside)
        return math.sqrt(max(0.0, place.radius - aside)) * math.sqrt(place.radius + aside)

    def _stationary_angles(self, arc: Arc, place: Place) -> Sequence[float]:
        """Directions from an arc's centre at which the distance to a place is stationary [rad].

        With `t` counted from the outward direction, `r(t)` the tip's distance from the axis and
        `o(t) = c + q cos t` its place outwards, the derivative of the squared distance vanishes
        where `R o sin t = r (H cos t + c sin t)`: R is the place's distance from the axis, H its
        height above the centre. Squared, and with `z = exp(i t)`, it is a polynomial.
        """
        center, height = self.from_axis(arc.center)
        above = place.height - height
        outwards = np.array([arc.radius / 2.0, center, arc.radius / 2.0])
        sine = np.array([-0.5j, 0.0, 0.5j])
        tilted = above * np.array([0.5, 0.0, 0.5]) + center * sine
        square = np.convolve(outwards, outwards)
        from_axis = square + self.aside**2 * np.array([0.0, 0.0, 1.0, 0.0, 0.0])
        polynomial = place.radius**2 * np.convolve(square, np.convolve(sine, sine))
        polynomial = polynomial - np.convolve(from_axis, np.convolve(tilted, tilted))
        roots = np.roots(polynomial)
        outward = math.atan2(-self.along[0], self.along[1])
        return [outward + float(angle) for angle in np.angle(roots[roots != 0.0])]
