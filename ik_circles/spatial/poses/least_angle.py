# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A lower bound on how far the tip is turned away from an orientation, with the wrist held.

At each shoulder, the best orientation of the last link is the one with the largest trace. The third
joint is on a circle about the tip, and the first two links have to reach it. The bound ignores the
joint limits, so candidates may be turned away farther, but never less.
"""

import math
from typing import NamedTuple

from ik_circles.geometry.angles import TURN
from ik_circles.geometry.circles import Point
from ik_circles.spatial.poses.whole import HeldWrist
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.wrist import LEAST, Sight, seen_at
from ik_circles.spatial.yaw import Shoulder

#: Rounding contributes less than this to an angle [rad]: where a trace is largest, its root counts.
ROUNDED = 1e-5


class Least(NamedTuple):
    """No orientation in the plane leaves a smaller angle than `away`, infinite out of reach; `phi`
    is the one that would leave the least if the joints could have it [rad]."""

    away: float
    phi: float


def least_angle(arm: WholeArm, sight: Sight, shoulder: Shoulder, held: HeldWrist) -> Least:
    """The least angle at a shoulder of the plane through the tip, with the wrist held."""
    best, size, rest = arm.wrist.trace(sight, shoulder.yaw, held.angles)
    turn = _turn(arm, shoulder.point, held.length, best + held.shift)
    if math.isinf(turn):
        return Least(turn, best)
    return Least(_angle((size * math.cos(turn) + rest - 1.0) / 2.0) - ROUNDED, best)


def least_angle_of_axis(
    arm: WholeArm, sight: Sight, shoulder: Shoulder, held: HeldWrist
) -> Least:
    """`least_angle` if the last of two joints may turn the tip about its axis: then it is the angle
    between that axis and its wanted direction [rad]."""
    (_, across, _), (_, along, _), (_, height, _) = seen_at(sight, shoulder.yaw)
    rho = held.angles[0] + arm.wrist.first_at_zero
    level = math.cos(rho)
    best = math.atan2(-level * across, level * along) + arm.wrist.phi_at_zero
    turn = _turn(arm, shoulder.point, held.length, best + held.shift)
    if math.isinf(turn):
        return Least(turn, best)
    in_plane = abs(level) * math.hypot(across, along)
    return Least(_angle(in_plane * math.cos(turn) + math.sin(rho) * height) - ROUNDED, best)


def _turn(arm: WholeArm, tip: Point, length: float, wanted: float) -> float:
    """How far the last link to the tip is turned away from a wanted direction, at least [rad].

    The link has this length, and the tip is at a point [m]. Infinite out of reach."""
    (length_1, length_2, _), (x, y) = arm.carrier.planar.link_lengths, tip
    # The squared distance of the third joint from the first is `middle - swing * cosine`, with the
    # cosine of the angle between the last link and the direction of the tip.
    square = x * x + y * y
    middle = square + length * length
    swing = max(2.0 * length * math.sqrt(square), LEAST)
    straight = (middle - (length_1 + length_2) ** 2) / swing
    folded = (middle - (length_1 - length_2) ** 2) / swing
    if max(straight, -folded) > 1.0 + ROUNDED:
        return math.inf
    away = abs(math.remainder(wanted - math.atan2(y, x), TURN))
    return max(0.0, _angle(folded) - away, away - _angle(straight))


def _angle(cosine: float) -> float:
    """The angle with this cosine, which rounding, or a circle out of reach, may put past 1 or -1.
    """
    return math.acos(max(-1.0, min(cosine, 1.0)))
