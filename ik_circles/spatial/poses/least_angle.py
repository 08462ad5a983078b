# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A lower bound on how far the tip is turned away from an orientation, with the wrist held.

At each shoulder, the best orientation of the last link is the one with the largest trace. The third
joint is on a circle about the tip, and the first two links have to reach it. The bound ignores the
joint limits, so candidates may be turned away farther, but never less. For axes that lean, it is
the bound of parallel ones, less what the lean may change.
"""

from collections.abc import Sequence
from math import acos, atan2, cos, hypot, inf, sin, sqrt

from ik_circles.spatial.poses.aims import LEANS
from ik_circles.spatial.poses.whole import HeldWrist
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.wrist import LEAST, Sight

#: Rounding contributes less than this to an angle [rad]: where a trace is largest, its root counts.
ROUNDED = 1e-5


def least_at_yaw(arm: WholeArm, sight: Sight, yaw: float, wrist: Sequence[float]) -> float:
    """With the plane at a yaw angle and the wrist at angles [rad], no orientation in the plane
    leaves a smaller angle than this [rad]; 0 for axes that lean."""
    if arm.is_leaning:
        return 0.0
    along, across, rest = arm.wrist.trace(sight, yaw, wrist)
    return _angle_of_trace(hypot(along, across) + rest)


def _angle_of_trace(trace: float) -> float:
    return acos(max(-1.0, min((trace - 1.0) / 2.0, 1.0))) - ROUNDED


def least_angle(
    arm: WholeArm, sight: Sight, shoulder: Shoulder, held: HeldWrist, turns_last: bool = False
) -> float:
    """No orientation in the plane leaves a smaller angle than this, at a shoulder of the plane
    through the tip with the wrist held [rad]; infinite out of reach.

    If `turns_last`, the last of two joints may turn the tip about its axis.
    """
    wrist, triangle, (x, y) = arm.wrist, arm.carrier.planar.solver.triangle, shoulder.point
    (angles, _, length, shift), turned = held, 0.0
    inner, outer = triangle.inner, triangle.outer
    if arm.is_leaning:
        moved, turned = _leaned(arm, shoulder, held)
        inner, outer = max(0.0, sqrt(inner) - moved) ** 2, (sqrt(outer) + moved) ** 2
    # The squared distance of the third joint from the first is `middle - swing * cosine`, with the
    # cosine of the angle between the last link and the direction of the tip.
    square = x * x + y * y
    middle = square + length * length
    swing = max(2.0 * length * sqrt(square), LEAST)
    straight, folded = (middle - outer) / swing, (middle - inner) / swing
    if straight > 1.0 + ROUNDED or folded < -1.0 - ROUNDED:
        return inf
    trace = wrist.trace_of_axis if turns_last else wrist.trace
    along, across, rest = trace(sight, shoulder.yaw, angles)
    # The same trace by the angle from the direction of the tip, on the side that is nearer.
    towards = atan2(y, x) - shift - wrist.phi_at_zero
    cosine, sine = cos(towards), sin(towards)
    along, across = along * cosine + across * sine, abs(across * cosine - along * sine)
    best = along / max(hypot(along, across), LEAST)
    cosine = max(-1.0, straight, min(best, folded, 1.0))
    most = along * cosine + across * sqrt(1.0 - min(cosine * cosine, 1.0)) + rest
    return _angle_of_trace(most) - turned


def _leaned(arm: WholeArm, shoulder: Shoulder, held: HeldWrist) -> tuple[float, float]:
    """How far leaning axes may move the place of the tip in the plane through it [m], and turn the
    tip [rad]. Where they may exchange the shoulders, each stands for both."""
    plane = arm.plane_through(held)
    bounds, slack = Bounds(arm.carrier.planar, plane), plane.slack
    if plane.yaw is None:
        return bounds.nearly, LEANS * arm.lean
    outwards = abs(plane.yaw.from_axis(shoulder.point)[0])
    if outwards > bounds.nearly:
        turned = slack / outwards
    else:  # as far as the shoulders may be apart
        turned = bounds.nearly / max(abs(plane.aside), slack)
    return bounds.at(outwards), LEANS * (arm.lean + turned)
