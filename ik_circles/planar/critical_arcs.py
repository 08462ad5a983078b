"""The critical arcs: all that the boundary of the workspace can be made of."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ik_circles.geometry.angles import TURN, Limits, turns_into
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point
from ik_circles.planar.orientations import bend, ends

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

class CriticalArc(NamedTuple):
    """An arc that the tip follows while one joint turns from `joints` by the arc's sweep."""

    arc: Arc
    joints: JointPositions
    turning: int

    def joints_at(self, offset: float, limits: Limits) -> JointPositions:
        """Joint positions with the tip at `offset` from the arc's start."""
        q = list(self.joints)
        q[self.turning] = min(q[self.turning] + offset, limits[1])
        return q[0], q[1], q[2]


def _aligned(direction: float, limits: Limits) -> Iterator[float]:
    """Joint angles inside the limits that put a link along `direction` or against it."""
    for angle in (direction, direction + math.pi):
        yield from turns_into(angle, limits)[:1]


def _aligned_or_limited(arm: PlanarArm) -> Iterator[tuple[float, float]]:
    """Positions of joints 2 and 3, both at limits or aligned, while joint 1 turns."""
    length_1, length_2, length_3 = arm.link_lengths
    _, limits_2, limits_3 = arm.limits
    for q2 in (*ends(limits_2), *_aligned(0.0, limits_2)):
        for q3 in (*ends(limits_3), *_aligned(0.0, limits_3)):
            yield q2, q3
    for q3 in ends(limits_3):
        for q2 in _aligned(-bend(length_2, length_3, q3), limits_2):
            yield q2, q3
    for q2 in ends(limits_2):
        for q3 in _aligned(bend(length_1, length_2, q2) - q2, limits_3):
            yield q2, q3


def _critical_arc(arm: PlanarArm, joints: JointPositions, turning: int) -> CriticalArc:
    lower, upper = arm.limits[turning]
    if lower == -math.inf:
        lower, upper = -math.pi, math.pi
    q = list(joints)
    q[turning] = lower
    points = joint_points(arm, (q[0], q[1], q[2]))
    center, tip = points[turning], points[3]
    radius = math.dist(center, tip)
    start = math.atan2(tip[1] - center[1], tip[0] - center[0])
    arc = Arc(center, radius, start, min(upper - lower, TURN))
    return CriticalArc(arc, (q[0], q[1], q[2]), turning)


def joint_points(arm: PlanarArm, q: JointPositions) -> tuple[Point, Point, Point, Point]:
    """Base, elbow, wrist and tip at joint positions `q` [m]."""
    points = [(0.0, 0.0)]
    direction = 0.0
    for length, angle in zip(arm.link_lengths, q, strict=True):
        direction += angle
        x, y = points[-1]
        points.append((x + length * math.cos(direction), y + length * math.sin(direction)))
    return points[0], points[1], points[2], points[3]
