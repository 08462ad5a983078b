# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A lower bound on how far the tip is turned away from an orientation, with the wrist held.

At each shoulder, the best orientation of the last link is the one with the largest trace. The third
joint is on a circle about the tip, and the first two links have to reach it. The bound ignores the
joint limits, so candidates may be turned away farther, but never less.
"""

import math

from ik_circles.geometry.angles import TURN
from ik_circles.spatial.poses.whole import HeldWrist
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.wrist import LEAST, Sight
from ik_circles.spatial.yaw import Shoulder

#: Rounding contributes less than this to an angle [rad]: where a trace is largest, its root counts.
ROUNDED = 1e-5


def least_angle(
    arm: WholeArm, sight: Sight, shoulder: Shoulder, held: HeldWrist, turns_last: bool = False
) -> float:
    """No orientation in the plane leaves a smaller angle than this, at a shoulder of the plane
    through the tip with the wrist held [rad]; infinite out of reach.

    If `turns_last`, the last of two joints may turn the tip about its axis.
    """
    triangle, length, (x, y) = arm.carrier.planar.solver.triangle, held.length, shoulder.point
    # The squared distance of the third joint from the first is `middle - swing * cosine`, with the
    # cosine of the angle between the last link and the direction of the tip.
    square = x * x + y * y
    middle = square + length * length
    swing = max(2.0 * length * math.sqrt(square), LEAST)
    straight, folded = (middle - triangle.outer) / swing, (middle - triangle.inner) / swing
    if straight > 1.0 + ROUNDED or folded < -1.0 - ROUNDED:
        return math.inf
    trace = arm.wrist.trace_of_axis if turns_last else arm.wrist.trace
    best, size, rest = trace(sight, shoulder.yaw, held.angles)
    away = abs(math.remainder(best + held.shift - math.atan2(y, x), TURN))
    turn = max(0.0, _angle(folded) - away, away - _angle(straight))
    return _angle((size * math.cos(turn) + rest - 1.0) / 2.0) - ROUNDED


def _angle(cosine: float) -> float:
    """The angle with this cosine, which rounding, or a circle out of reach, may put past 1 or -1.
    """
    return math.acos(max(-1.0, min(cosine, 1.0)))
