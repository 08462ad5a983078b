# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What every answer to a target has to obey; the only reference is forward kinematics."""

import math

import numpy as np
import pytest
from random_arms import TURN, angle_between, inside, outside_by, tip

from ik_circles import Code

CLOSURE = 1e-12  # of the arm's reach, and in radians
#: Root of the tolerance, over the shortest link: orientations where two circles touch [rad].
ROUNDING_OF_TANGENCY = 1e-5


def assert_closes(arm, q, point, phi, told):
    """Joint positions are inside the limits and reach the pose."""
    assert inside(arm, q), told
    reached, orientation = tip(arm, q)
    assert abs(reached - point) <= CLOSURE * arm.max_reach, told
    assert angle_between(orientation, phi) <= CLOSURE, told


def assert_solutions(arm, point, phi, told):
    """Every solution closes inside the limits, none is given twice; returns them."""
    found = arm.inverse_kinematics(point.real, point.imag, phi)
    for q in found:
        assert_closes(arm, q, point, phi, told)
    assert len(set(found)) == len(found), told
    return found


def assert_consistent(arm, point, phi, samples, told):
    """Verdict, code, intervals, solutions, margin and nearest tell the same; returns the verdict.

    `samples` are tips that the arm can reach: none is nearer to the point than `nearest`.
    """
    answer = arm.check_reachability(point.real, point.imag, phi)
    intervals, nearest = answer.orientation_intervals, answer.nearest
    # Next to the base, rounding of the point turns it by much.
    rounding = max(ROUNDING_OF_TANGENCY, CLOSURE * arm.max_reach / max(abs(point), math.ulp(0.0)))
    assert intervals == arm.orientation_intervals(point.real, point.imag), told
    assert answer.reachable == (answer.code is Code.OK) == bool(answer.solutions), told
    assert bool(intervals) == (answer.code in (Code.OK, Code.ORIENTATION)), told
    assert answer.position_reachable == bool(intervals), told
    for lower, upper in intervals:
        assert -math.pi <= lower <= math.pi, told
        assert lower <= upper < lower + TURN or intervals == [(-math.pi, math.pi)], told
    for (_, upper), (lower, _) in zip(intervals, intervals[1:]):
        assert upper < lower, told
    place = complex(nearest.x, nearest.y)
    assert_closes(arm, answer.nearest_joint_positions, place, nearest.phi, told)
    away = abs(place - point)
    assert (away == 0.0) == bool(intervals), told
    nearest_sample = np.abs(samples - point).min(initial=math.inf)
    assert away <= nearest_sample * (1.0 + 1e-15) + CLOSURE * arm.max_reach, told
    if not intervals:
        assert answer.margin == pytest.approx(-away, rel=1e-12), told
    elif phi is not None:
        assert answer.reachable or angle_between(nearest.phi, phi) > 0.0, told
        assert not answer.reachable or outside_by(intervals, phi) <= rounding, told
    assert answer.message, told
    one = arm.solve(point.real, point.imag, phi)
    assert (one is None) == (not intervals), told
    return answer
