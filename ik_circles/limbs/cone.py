"""Two bones under a hip that may only point into a cone: the nearest point that the foot can have.

What the foot can reach is the same all around the cone's axis. So it is enough to know it in a
half-plane that begins at that axis, where the two bones are a planar arm: hip between -angle and
+angle, knee bent either way within its limits. Its outline is made of arcs about the hip, with the
knee at a limit, and of arcs about the knee, with the hip at the cone's edge. Coordinates here are
along the axis and aside from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.circles import Point, angle_between_sides

#: A place may be outside of a limit by so much [rad]: it is rounded.
ROUNDING = 1e-12


class Section(NamedTuple):
    """Lengths of the bones, distances that hip and foot can have [m], the cone's angle and the
    smallest and largest bend of the knee [rad]."""

    upper: float
    lower: float
    nearest: float
    farthest: float
    angle: float
    knee: tuple[float, float]


def nearest_in_section(section: Section, target: Point) -> Point:
    """The point that the foot can have, nearest to one that it cannot: (along, aside), aside at
    least 0."""
    places = _candidates(section, target)
    return min(places, key=lambda place: math.dist(place, target))


def _candidates(section: Section, target: Point) -> Iterator[Point]:
    """Nearest points of the arcs, and their ends; each can be had."""
    direction = math.atan2(target[1], target[0])
    for radius in (section.nearest, section.farthest):
        if abs(_hip_angle(section, radius) - direction) <= section.angle + ROUNDING:
            yield _polar((0.0, 0.0), radius, direction)
    for hip in (section.angle, -section.angle):
        knee = _polar((0.0, 0.0), section.upper, hip)
        towards = math.atan2(target[1] - knee[1], target[0] - knee[0])
        bend = math.remainder(towards - hip, 2.0 * math.pi)
        lower, upper = section.knee
        for one in (math.copysign(nearest_in(abs(bend), section.knee), bend), lower, upper, -lower,
                    -upper):  # fmt: skip
            along, aside = _polar(knee, section.lower, hip + one)
            yield along, abs(aside)


def _hip_angle(section: Section, radius: float) -> float:
    """Angle at the hip between foot and knee with the foot at a distance."""
    within = nearest_in(section.lower, (abs(radius - section.upper), radius + section.upper))
    return angle_between_sides(radius, section.upper, within, 0.0)


def _polar(center: Point, radius: float, direction: float) -> Point:
    return center[0] + radius * math.cos(direction), center[1] + radius * math.sin(direction)
