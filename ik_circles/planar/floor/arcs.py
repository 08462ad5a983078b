"""The critical arcs of an arm above a floor: those of the arm without it, as far as all parts of
the arm are above it.

Where the floor cuts an arc off and joint 1 or 2 turned on it, joint 3 may turn on from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.arcs import Arc
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import EVERY_ORIENTATION, Interval, shared
from ik_circles.planar.critical_arcs import CriticalArc, arc_while_turning, critical_arcs
from ik_circles.planar.floor.parts import ROUNDING
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel, JointPositions

#: Joints 1 and 2 with these digits in common have the wrist at the same place.
SAME_DIGITS = 9


def arcs_above(pieces: Iterable[ArmModel], floor: Floor) -> Iterator[CriticalArc]:
    """Arcs that the tip of an arm follows above the floor; `pieces` have its elbow above it."""
    for model in pieces:
        corners: dict[Point, JointPositions] = {}
        for critical in critical_arcs(model):
            for one in _above(model, floor, critical):
                yield one
                if critical.turning < 2 and one.arc.sweep < critical.arc.sweep:
                    for q in (one.joints, one.joints_at(one.arc.sweep)):
                        corners[round(q[0], SAME_DIGITS), round(q[1], SAME_DIGITS)] = q
        for q in corners.values():
            yield from _above(model, floor, arc_while_turning(model, q, 2))


def _above(model: ArmModel, floor: Floor, critical: CriticalArc) -> Iterator[CriticalArc]:
    """The parts of a critical arc that have all parts of the arm above the floor."""
    arc, joints, turning, _ = critical
    room = ROUNDING * model.tolerance
    found: list[Interval] = [(0.0, arc.sweep)]
    clearance = floor.clearance(arc.center) + room
    for point in _turned_points(model, floor, joints, turning):
        seen = point[0] - arc.center[0], point[1] - arc.center[1]
        turns = floor.turns(clearance, seen)
        if turns != [EVERY_ORIENTATION]:
            found = shared(found, turns)
    if turning == 2 and clearance < 0.0:  # the wrist is the center
        return
    for low, high in found:
        start = joints[turning] + low
        q1, q2, q3 = (start if n == turning else angle for n, angle in enumerate(joints))
        part = Arc(arc.center, arc.radius, arc.start + low, min(high - low, TURN))
        yield CriticalArc(part, (q1, q2, q3), turning, min(joints[turning] + high, critical.upper))


def _turned_points(
    model: ArmModel, floor: Floor, q: JointPositions, turning: int
) -> Iterator[Point]:
    """The parts of the arm that a joint moves, other than the elbow, at joint positions [m]."""
    _, _, wrist, tip = model.joint_points(q)
    yield tip
    if turning < 2:
        yield wrist
    turned = complex(math.cos(sum(q)), math.sin(sum(q)))
    for point in floor.carried:
        away = complex(*point) * turned
        yield wrist[0] + away.real, wrist[1] + away.imag
