# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The critical arcs: the boundary of the workspace consists of pieces of these.

The tip can be on the boundary only in one case: each joint is either at a limit or free, and the
free joints and the tip lie on one line. Otherwise a free joint could move the tip across the
boundary. Turning the first free joint then moves the tip along a circular arc. There are only two
or three dozen of these arcs, and the tip can be anywhere on them. A joint with a range of a whole
turn is always free.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ik_circles.geometry.angles import TURN, Limits, stops, turns_into
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import bend
from ik_circles.planar.model import ArmModel, JointPositions, with_joint


class CriticalArc(NamedTuple):
    """An arc that the tip follows while one joint turns from `joints` to its upper limit [rad]."""

    arc: Arc
    joints: JointPositions
    turning: int
    upper: float

    def joints_at(self, offset: float) -> JointPositions:
        """Joint positions [rad] with the tip at an angle from the arc's start [rad]."""
        angle = min(self.joints[self.turning] + offset, self.upper)
        return with_joint(self.joints, self.turning, angle)


def critical_arcs(model: ArmModel) -> tuple[CriticalArc, ...]:
    """Every arc that may be part of the outline."""
    limits_1, limits_2, limits_3 = model.limits
    straight_3 = (*stops(limits_3), *aligned(0.0, limits_3))
    fixed = [
        *((0, (0.0, q2, q3)) for q2, q3 in _while_joint_1_turns(model)),
        *((1, (q1, 0.0, q3)) for q1 in stops(limits_1) for q3 in straight_3),
        *((2, (q1, q2, 0.0)) for q1 in stops(limits_1) for q2 in stops(limits_2)),
    ]
    return tuple(arc_while_turning(model, joints, turning) for turning, joints in fixed)


def _while_joint_1_turns(model: ArmModel) -> Iterator[tuple[float, float]]:
    """Positions of joints 2 and 3, each at a limit or aligned, while joint 1 turns."""
    length_1, length_2, length_3 = model.link_lengths
    _, limits_2, limits_3 = model.limits
    for q2 in (*stops(limits_2), *aligned(0.0, limits_2)):
        for q3 in (*stops(limits_3), *aligned(0.0, limits_3)):
            yield q2, q3
    for q3 in stops(limits_3):
        for q2 in aligned(-bend(length_2, length_3, q3), limits_2):
            yield q2, q3
    for q2 in stops(limits_2):
        for q3 in aligned(bend(length_1, length_2, q2) - q2, limits_3):
            yield q2, q3


def aligned(direction: float, limits: Limits) -> Iterator[float]:
    """Joint angles inside the limits that put a link along a direction or against it [rad]."""
    for angle in (direction, direction + math.pi):
        yield from turns_into(angle, limits)[:1]


def arc_while_turning(model: ArmModel, joints: JointPositions, turning: int) -> CriticalArc:
    """The arc that the tip follows while one joint turns from limit to limit."""
    lower, upper = model.limits[turning]
    if lower == -math.inf:
        lower, upper = -math.pi, math.pi
    start = with_joint(joints, turning, lower)
    points = model.joint_points(start)
    center, tip = points[turning], points[3]
    direction = math.atan2(tip[1] - center[1], tip[0] - center[0])
    arc = Arc(center, math.dist(center, tip), direction, min(upper - lower, TURN))
    return CriticalArc(arc, start, turning, model.limits[turning][1])
