# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The critical arcs of an arm above a floor: those of the same arm without it, where all parts of
the arm are above the floor.

More of them have the wrist on the floor and joint 1 or 2 at a limit, while joint 3 turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain

from ik_circles.geometry.angles import TURN, stops, turns_into
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import ORIGIN, Point, bend, span
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval, shared
from ik_circles.planar.critical_arcs import (
    CriticalArc,
    aligned,
    arc_while_turning,
    critical_arcs,
)
from ik_circles.planar.floor.parts import AT_FLOOR
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel, JointPositions


def arcs_above(pieces: Iterable[ArmModel], floor: Floor) -> Iterator[CriticalArc]:
    """Arcs that the tip of an arm follows above the floor; `pieces` have the elbow above it."""
    for model in pieces:
        on_floor = (arc_while_turning(model, q, 2) for q in _with_wrist_on_floor(model, floor))
        for critical in chain(critical_arcs(model), on_floor):
            yield from _above(model, floor, critical)


def _with_wrist_on_floor(model: ArmModel, floor: Floor) -> Iterator[JointPositions]:
    """Joint positions with the wrist on the floor, and joint 1 or 2 on a limit, or the elbow
    straight or folded; joint 3 is at 0 [rad]."""
    length_1, length_2, _ = model.link_lengths
    limits_1, limits_2, _ = model.limits
    for q2 in (*stops(limits_2), *aligned(0.0, limits_2)):
        wrist = span(length_1, length_2, q2), bend(length_1, length_2, q2)
        for one in floor.angles(floor.clearance(ORIGIN), _point(*wrist)):
            for q1 in () if one == EVERY_ORIENTATION else one:
                yield from ((turn, q2, 0.0) for turn in turns_into(q1, limits_1))
    for q1 in stops(limits_1):
        for one in floor.angles(floor.clearance(_point(length_1, q1)), _point(length_2, q1)):
            for q2 in () if one == EVERY_ORIENTATION else one:
                yield from ((q1, turn, 0.0) for turn in turns_into(q2, limits_2))


def _point(length: float, direction: float) -> Point:
    return length * math.cos(direction), length * math.sin(direction)


def _above(model: ArmModel, floor: Floor, critical: CriticalArc) -> Iterator[CriticalArc]:
    """The parts of a critical arc on which all parts of the arm are above the floor."""
    arc, joints, turning, _ = critical
    room = AT_FLOOR * model.tolerance
    found: list[Interval] = [(0.0, arc.sweep)]
    clearance = floor.clearance(arc.center) + room
    for point in _turned_points(model, floor, joints):
        seen = point[0] - arc.center[0], point[1] - arc.center[1]
        angles = floor.angles(clearance, seen)
        if angles != [EVERY_ORIENTATION]:
            found = shared(found, angles)
    for low, high in found:
        start = joints[turning] + low
        q1, q2, q3 = (start if n == turning else angle for n, angle in enumerate(joints))
        part = Arc(arc.center, arc.radius, arc.start + low, min(high - low, TURN))
        yield CriticalArc(part, (q1, q2, q3), turning, min(joints[turning] + high, critical.upper))


def _turned_points(model: ArmModel, floor: Floor, q: JointPositions) -> Iterator[Point]:
    """The parts of the arm other than the elbow, at joint positions [m]."""
    _, _, wrist, tip = model.joint_points(q)
    yield tip
    yield wrist
    turned = complex(math.cos(sum(q)), math.sin(sum(q)))
    for point in floor.carried:
        away = complex(*point) * turned
        yield wrist[0] + away.real, wrist[1] + away.imag
