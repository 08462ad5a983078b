# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A hip whose upper bone may only point into a cone: the foot and knee nearest to the wanted ones.

What the foot can reach is the same all around the cone's axis. So it is enough to know it in one
half-plane that begins at that axis. There the two bones are a planar arm: the hip turns between
-angle and +angle, and the knee bends either way within its limits. The outline of its workspace
consists of arcs about the hip, with the knee at a limit, and of arcs about the knee, with the hip
at the cone's edge. Points of the half-plane are (along, aside): along the axis, and aside from it
[m].
"""

import math
from collections.abc import Iterator

from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.limbs import space
from ik_circles.limbs.bones import Bones
from ik_circles.limbs.space import Vector

#: Rounding may put a point this far outside of the cone [rad].
CONE_ROUNDING = 1e-12


def nearest_foot(bones: Bones, target: Point) -> Point:
    """The point in reach of the foot nearest to one out of reach: (along, aside) [m]."""
    return min(_feet(bones, target), key=lambda place: math.dist(place, target))


def _feet(bones: Bones, target: Point) -> Iterator[Point]:
    """The nearest points of the arcs, and the ends of the arcs; the foot can reach all of them."""
    direction = math.atan2(target[1], target[0])
    most, (lower, upper) = bones.limits.hip_angle, bones.limits.knee
    for radius in bones.reach:
        if abs(bones.hip_angle(radius) - direction) <= most + CONE_ROUNDING:
            yield _polar(ORIGIN, radius, direction)
    for hip in (most, -most):
        knee = _polar(ORIGIN, bones.upper, hip)
        towards = math.atan2(target[1] - knee[1], target[0] - knee[0])
        bend = math.remainder(towards - hip, 2.0 * math.pi)
        nearest = math.copysign(nearest_in(abs(bend), (lower, upper)), bend)
        for one in (nearest, lower, upper, -lower, -upper):
            along, aside = _polar(knee, bones.lower, hip + one)
            yield along, abs(aside)


def _polar(center: Point, radius: float, direction: float) -> Point:
    return center[0] + radius * math.cos(direction), center[1] + radius * math.sin(direction)


def upper_inside(bones: Bones, wanted: Vector) -> Vector:
    """The direction inside the cone that is nearest to the one wanted for the upper bone."""
    axis, most = bones.cone_axis, bones.limits.hip_angle
    if axis is None or space.angle_between(wanted, axis) <= most:
        return wanted
    sideways = space.any_across(axis, wanted)
    return space.plus(space.times(math.cos(most), axis), sideways, math.sin(most))


def bend_inside(bones: Bones, axis: Vector, angle: float, wanted: Vector) -> Vector:
    """The direction of the bend nearest to the one wanted, with the upper bone inside the cone.

    It is perpendicular to the axis, which is the line from hip to foot. The angle [rad] is between
    that axis and the upper bone.
    """
    cone, most = bones.cone_axis, bones.limits.hip_angle
    if cone is None:
        return wanted
    middle = space.across(axis, cone)
    if middle is None:  # the line is along the cone's axis: all bends are equally good
        return wanted
    widest = _half_arc(angle, space.angle_between(axis, cone), most)
    away = math.atan2(space.dot(space.cross(middle, wanted), axis), space.dot(middle, wanted))
    if abs(away) <= widest:
        return wanted
    return space.turned(axis, wrap(math.copysign(widest, away)), middle)


def _half_arc(angle: float, off_axis: float, most: float) -> float:
    """How far a direction at `angle` from an axis may turn about that axis and stay within `most`
    of another direction, which is at `off_axis` from the axis. It is an angle of a triangle on the
    sphere."""
    half_sum, half_difference = (angle + off_axis) / 2.0, (angle - off_axis) / 2.0
    above = math.sin(most / 2.0) ** 2 - math.sin(half_difference) ** 2
    below = math.sin(half_sum) ** 2 - math.sin(most / 2.0) ** 2
    if below <= 0.0:
        return math.pi
    return 2.0 * math.atan2(math.sqrt(max(above, 0.0)), math.sqrt(below))
