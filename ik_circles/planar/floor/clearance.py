# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How far around a point an arm above a floor reaches every point: a lower bound, with its proof.

Either the orientation is kept. The wrist then moves as the tip does, and the solution moves with it
until the wrist comes to the floor, to a circle on which a joint is at a limit, or to one on which
the elbow is straight or folded. Or the tip is so high that no orientation brings the wrist to the
floor. Then only the outline counts, for the arm with joint 1 inside one of its ranges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ik_circles.geometry.angles import stops
from ik_circles.geometry.circles import ORIGIN, Point, span
from ik_circles.planar.floor.parts import ELBOW, carried_by_tool, parts
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel, JointPositions


def while_orientation_stays(pieces: list[ArmModel], floor: Floor, q: JointPositions) -> float:
    """How far the tip can move any way from joint positions, with its orientation kept [m]."""
    apart = (min(_to_circles(one, q)) for one in pieces)
    clear = (one.clearance for one in parts(pieces[0], floor, q) if one.name != ELBOW)
    return max(0.0, min(*clear, *apart))


def _to_circles(model: ArmModel, q: JointPositions) -> Iterator[float]:
    """How far the wrist is from where a joint is at a limit, or the elbow straight or folded."""
    length_1, length_2, _ = model.link_lengths
    wrist, phi = model.joint_points(q)[2], sum(q)
    limits_1, limits_2, limits_3 = map(stops, model.limits)
    for q2 in (0.0, math.pi, *limits_2):
        yield _apart(wrist, ORIGIN, span(length_1, length_2, q2))
    for q1 in limits_1:
        yield _apart(wrist, (length_1 * math.cos(q1), length_1 * math.sin(q1)), length_2)
    for q3 in limits_3:
        forearm = phi - q3
        link_2 = length_2 * math.cos(forearm), length_2 * math.sin(forearm)
        yield _apart(wrist, link_2, length_1)


def _apart(point: Point, center: Point, radius: float) -> float:
    return abs(math.dist(point, center) - radius)


def whatever_the_orientation(model: ArmModel, floor: Floor, point: Point) -> float:
    """How far the tip can move in any direction before a part of the tool meets the floor [m]."""
    below = max(math.hypot(x, y) for x, y in carried_by_tool(model, floor))
    return max(0.0, floor.clearance(point) - below)
