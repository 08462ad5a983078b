# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The way of the tip along a straight line in space, seen from a plane that a yaw joint turns.

Seen along the yaw axis, the tip goes straight, too. In the plane it goes along a hyperbola: its
distance outwards from the axis is the square root of a quadratic in the share, and along the axis
it moves at a constant rate. So it meets a circle of the plane at the roots of a quartic, and a line
at the roots of a quadratic.
Derived in docs/derivation.md, section 16.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ik_circles.geometry.angles import angle_between, wrap
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.polynomials import roots_between
from ik_circles.planar.lines.track import Cause, Stop, past_limit
from ik_circles.spatial.yaw import Yaw

#: A line within this many roundings of the yaw axis counts as passing through it [1]: that is 1e-8
#: of the reach. If it passed so near beside the axis, the plane would turn half round in about as
#: small a share of the line.
ON_AXIS = 1e5
#: If a line leaves the yaw axis in a direction that differs from the plane's by more than this
#: [rad], the plane has to turn at once.
LEAVES_ALONG = 1e-9
#: The number of the yaw joint in a `Stop`.
YAW = -1

Quadratic = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class TurnedWay:
    """A straight line of a point from one place to another.

    Attributes
    ----------
    yaw : Yaw
        The joint that turns the plane.
    start, along : three floats
        Where the point starts, and how far it goes in all [m]: outwards from the yaw axis and
        sideways to that, with the plane at 0, and along the axis.
    side : float
        1 if the arm faces the point, -1 if it reaches backwards.
    yaw_at_start : float
        Angle of the yaw joint at the start [rad].
    """

    yaw: Yaw
    start: tuple[float, float, float]
    along: tuple[float, float, float]
    side: float
    yaw_at_start: float

    # --- the way in the plane ---

    @cached_property
    def square(self) -> Quadratic:
        """Squared distance outwards from the yaw axis, by powers of the share [m^2]."""
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        radius, aside = math.hypot(x, y), abs(self.yaw.aside)
        rest = (radius - aside) * (radius + aside)
        return rest, 2.0 * (x * along_x + y * along_y), along_x**2 + along_y**2

    def outwards(self, share: float) -> float:
        """How far outwards from the yaw axis the point is [m]; negative if the arm reaches back."""
        radius, aside = math.hypot(*self.seen(share)), abs(self.yaw.aside)
        return self.side * math.sqrt(max(0.0, radius - aside)) * math.sqrt(radius + aside)

    def at(self, share: float) -> Point:
        """Where the point is in the plane [m]."""
        return self.yaw.in_plane(self.outwards(share), self.start[2] + share * self.along[2])

    def places(self, shares: Floats) -> tuple[Floats, Floats]:
        """Where the point is in the plane at many shares: two columns (N,) [m]."""
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        radius, aside = np.hypot(x + shares * along_x, y + shares * along_y), abs(self.yaw.aside)
        outwards = self.side * np.sqrt(np.maximum(0.0, radius - aside) * (radius + aside))
        height = self.start[2] + shares * self.along[2]
        (foot_x, foot_y), (along_x, along_y) = self.yaw.foot, self.yaw.along
        return (
            foot_x + outwards * along_y + height * along_x,
            foot_y - outwards * along_x + height * along_y,
        )

    def on_circle(self, center: Point, radius: float) -> list[float]:
        """The shares at which the point is on a circle [m], maybe with the other shoulder."""
        outwards, height = self.yaw.from_axis(center)
        a, b, c = self.square
        z, along_z = self.start[2] - height, self.along[2]
        away = math.hypot(outwards, z)
        rest = (away - radius) * (away + radius) + a
        both = rest, b + 2.0 * z * along_z, c + along_z**2
        if outwards == 0.0:
            return roots_between(both, 0.0, 1.0)
        return roots_between(_less(_times(both, both), 4.0 * outwards**2, self.square), 0.0, 1.0)

    def on_line(self, normal: Point, distance: float) -> list[float]:
        """The shares at which the point's product with a normal is a distance [m], maybe with the
        other shoulder."""
        (along_x, along_y), (a, b) = self.yaw.along, normal
        out, up = a * along_y - b * along_x, a * along_x + b * along_y
        level = self.start[2] * up + self.yaw.foot[0] * a + self.yaw.foot[1] * b - distance
        slope = self.along[2] * up
        squared = (level * level, 2.0 * level * slope, slope * slope)
        return roots_between(_less(squared, out * out, self.square), 0.0, 1.0)

    # --- the yaw joint ---

    def seen(self, share: float) -> Point:
        """Where the point is, seen along the yaw axis [m]."""
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        return x + share * along_x, y + share * along_y

    def yaw_at(self, share: float) -> float:
        """Angle of the yaw joint [rad], counted through whole turns."""
        if self.through_axis:
            return self.yaw_at_start
        turned = angle_between(self.seen(0.0), self.seen(share))
        return self.yaw_at_start + turned - (self._behind(share) - self._behind_at_start)

    def faces_at_start(self) -> bool:
        """Whether a line that starts on the yaw axis leaves it along the plane, on this side."""
        if not (self.through_axis and self._starts_on_axis):
            return True
        if self._is_on_axis(self.along[:2]):
            return True  # it goes along the axis
        x, y = self.seen(1.0)
        heading = math.atan2(y, x)
        back = 0.0 if self.side > 0.0 else math.pi
        return abs(wrap(heading + back - self.yaw_at_start)) <= LEAVES_ALONG

    @cached_property
    def _starts_on_axis(self) -> bool:
        return self._is_on_axis(self.seen(0.0))

    def _is_on_axis(self, seen: Point) -> bool:
        """Whether a point counts as on the yaw axis, seen along that axis [m]."""
        return math.hypot(*seen) <= ON_AXIS * self.yaw.rounding

    def _behind(self, share: float) -> float:
        """How far the plane is behind the direction from the axis to the point [rad]."""
        return self.side * math.atan2(self.yaw.aside, abs(self.outwards(share)))

    @cached_property
    def _behind_at_start(self) -> float:
        return self._behind(0.0)

    @cached_property
    def through_axis(self) -> bool:
        """Whether the line meets the yaw axis and the plane holds it."""
        return self.yaw.holds_axis and self._is_on_axis(self.seen(self._nearest))

    @property
    def _nearest(self) -> float:
        """The share at which the line is nearest to the yaw axis."""
        _, mixed, square = self.square
        return min(max(-mixed / (2.0 * square), 0.0), 1.0) if square else 0.0

    def yaws_at(self, shares: Floats) -> Floats:
        """Angles of the yaw joint at many shares (N,) [rad], counted through whole turns."""
        if self.through_axis:
            return np.full(len(shares), self.yaw_at_start)
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        here_x, here_y = x + shares * along_x, y + shares * along_y
        radius, aside = np.hypot(here_x, here_y), abs(self.yaw.aside)
        outwards = np.sqrt(np.maximum(0.0, radius - aside) * (radius + aside))
        behind = self.side * np.arctan2(self.yaw.aside, outwards) - self._behind_at_start
        turned = np.arctan2(x * here_y - y * here_x, x * here_x + y * here_y)
        found: Floats = self.yaw_at_start + turned - behind
        return found

    def rates(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on how fast the point moves in the plane between two shares (N,) [m]."""
        return np.hypot(self._bounds(start, end)[1], self.along[2])

    def rises(self, normal: Point, start: Floats, end: Floats) -> Floats:
        """Upper bounds on how fast the point's product with a normal changes (N,) [m]."""
        (along_x, along_y), (a, b) = self.yaw.along, normal
        out, up = a * along_y - b * along_x, a * along_x + b * along_y
        with np.errstate(invalid='ignore'):
            return abs(out) * self._bounds(start, end)[1] + abs(up * self.along[2])

    def bends(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on the point's second derivative in the plane between shares (N,) [m]."""
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        nearest, aside = self._bounds(start, end)[0], abs(self.yaw.aside)
        square = np.maximum(0.0, nearest - aside) * (nearest + aside)
        passed = (x * along_y - y * along_x) ** 2 - aside**2 * (along_x**2 + along_y**2)
        with np.errstate(divide='ignore', invalid='ignore'):
            return np.where(square > 0.0, abs(passed) / (square * np.sqrt(square)), np.inf)

    def yaw_rates(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on how fast the yaw joint turns between two shares (N,) [rad]."""
        nearest, outwards = self._bounds(start, end)
        if self.through_axis:
            return np.zeros(len(start))
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        with np.errstate(divide='ignore', invalid='ignore'):
            turned = abs(x * along_y - y * along_x) + abs(self.yaw.aside) * outwards
            return np.asarray(turned / (nearest * nearest))

    def _bounds(self, start: Floats, end: Floats) -> tuple[Floats, Floats]:
        """Lower bounds on how far the point is from the yaw axis between two shares (N,) [m], and
        upper bounds on how fast it moves outwards [m]."""
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        between = np.clip(self._nearest, start, end)
        nearest, *ends = (np.hypot(x + s * along_x, y + s * along_y) for s in (between, start, end))
        aside, speed = abs(self.yaw.aside), math.hypot(along_x, along_y)
        if aside == 0.0 or speed == 0.0:
            return nearest, np.full(len(start), speed)
        outwards = np.sqrt(np.maximum(0.0, nearest - aside) * (nearest + aside))
        with np.errstate(divide='ignore'):
            return nearest, np.maximum(*ends) * speed / outwards

    def at_yaw(self, yaw: float) -> list[float]:
        """The share at which the half plane at a yaw angle [rad], or the one behind it, is met."""
        cosine, sine = math.cos(yaw), math.sin(yaw)
        (x, y, _), (along_x, along_y, _) = self.start, self.along
        off, slope = y * cosine - x * sine, along_y * cosine - along_x * sine
        aside = self.yaw.aside
        return roots_between((off - aside, slope), 0.0, 1.0)

    def events(self) -> list[float]:
        """The shares at which the yaw joint or its axis may end the line."""
        found = roots_between(self.square, 0.0, 1.0)
        for end in self.yaw.limits:
            found += self.at_yaw(end) if math.isfinite(end) else []
        return [*found, self._nearest]

    def stop(self, share: float) -> Stop | None:
        """What forbids a share: the yaw joint's limits, or a place that is too near to its axis."""
        if not self.faces_at_start():
            return Stop(Cause.THROUGH_AXIS, YAW)
        if math.hypot(*self.seen(share)) < abs(self.yaw.aside) - self.yaw.rounding:
            figures = math.hypot(*self.seen(self._nearest)), abs(self.yaw.aside)
            return Stop(Cause.AXIS, YAW, figures=figures)
        return past_limit(YAW, self.yaw_at(share), self.yaw.limits)

    def stop_at(self, share: float) -> Stop | None:
        """A line through the yaw axis ends on it: beyond, the plane would have to turn at once."""
        if self._starts_on_axis or not self.through_axis:
            return None  # a line that starts on the axis leaves it at once
        return Stop(Cause.THROUGH_AXIS, YAW) if self._is_on_axis(self.seen(share)) else None


def _times(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The product of two polynomials, by ascending powers."""
    found = [0.0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            found[i + j] += a * b
    return found


def _less(one: Sequence[float], factor: float, other: Sequence[float]) -> list[float]:
    """A polynomial minus a multiple of a shorter one, by ascending powers."""
    rest = [*other, *[0.0] * (len(one) - len(other))]
    return [a - factor * b for a, b in zip(one, rest)]
