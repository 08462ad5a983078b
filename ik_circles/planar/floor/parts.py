# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The parts of an arm that stay above its floor, and how far above it they are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ik_circles.geometry.circles import Point
from ik_circles.planar.half_plane import Floor
from ik_circles.planar.model import ArmModel, JointPositions

#: Parts up to this many tolerances below the floor count as at its height: that is rounding.
AT_FLOOR = 4.0
#: A solution may have parts this many tolerances below the floor. So there is a solution at both
#: ends of the orientations.
LOWEST_PART = AT_FLOOR + 1.0

TIP, ELBOW, WRIST, CENTER = 'the tip', 'the elbow', 'the wrist', 'the wrist center'


class Part(NamedTuple):
    """A part of the arm and how far above the floor it is [m], negative below it."""

    name: str
    clearance: float


def parts(model: ArmModel, floor: Floor, q: JointPositions) -> Iterator[Part]:
    """The parts of an arm with its joints at `q` [rad]."""
    _, elbow, wrist, tip = model.joint_points(q)
    yield Part(TIP, floor.clearance(tip))
    yield Part(ELBOW, floor.clearance(elbow))
    yield Part(WRIST, floor.clearance(wrist))
    turned = complex(math.cos(sum(q)), math.sin(sum(q)))
    for point in floor.carried:
        away = complex(*point) * turned
        yield Part(CENTER, floor.clearance((wrist[0] + away.real, wrist[1] + away.imag)))


def lowest_part(model: ArmModel, floor: Floor, q: JointPositions) -> Part:
    """The lowest of the parts with the joints at `q` [rad]."""
    return min(parts(model, floor, q), key=lambda part: part.clearance)


def is_above(model: ArmModel, q: JointPositions, slack: float = 0.0) -> bool:
    """Whether all parts are above the floor, if any, to within rounding and a slack [m]."""
    if model.floor is None:
        return True
    below = LOWEST_PART * model.tolerance + slack
    return all(part.clearance >= -below for part in parts(model, model.floor, q))


def carried_by_tool(model: ArmModel, floor: Floor) -> list[Point]:
    """The parts on the last link as seen from the tip, with the tool along x [m]."""
    length_3 = model.link_lengths[2]
    return [(-length_3, 0.0), *((x - length_3, y) for x, y in floor.carried)]
