# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The same arm with another last link: what the first two links decide is taken over.

An arm with a wrist is such an arm for every position of the wrist, so it is made for nearly every
pose that cannot be taken.
"""

from __future__ import annotations

from math import inf

from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.orientations import CutCircles, Orientations, Rigid
from ik_circles.planar.workspace import Workspace


def with_last_link(arm: PlanarArm, length: float, shift: float) -> PlanarArm:
    """An arm without a floor, with another length of its last link [m], and with a last joint whose
    angle is more by a shift [rad]."""
    (length_1, length_2, _), (limits_1, limits_2, (lower, upper)) = arm.link_lengths, arm.limits
    limits = limits_1, limits_2, (lower + shift, upper + shift)
    a, b, c = [None if one[0] == -inf else one for one in limits]
    other = object.__new__(PlanarArm)  # its numbers have been checked
    lengths = length_1, length_2, length
    vars(other).update(link_lengths=lengths, joint_limits=(a, b, c), floor=None, limits=limits)
    ranges, circles = arm.solver.ranges, arm.orientations.circles
    solver = PoseSolver(other, ranges if c is None else ranges.with_last_shifted(shift))
    ends = limits[2] if circles.rigid else ()
    own = CutCircles(circles.spans, circles.elbows, tuple(Rigid.at(other, q3) for q3 in ends))
    vars(other).update(solver=solver, workspace=Workspace(Orientations(solver, own)))
    return other
