# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The three-joint arm with its wrist as far out as the target and the joint limits allow.

Source: the outermost policy of S. Ramachandran and N. W. John, "A Fast Inverse Kinematics Solver
using Intersection of Circles" (TPCG 2013). Added: joint limits, in closed form. The farther the
tool is turned away from the outward direction, on either side, the larger is the wrist's distance
from the base: it grows from |D - l| to D + l. So among the exact intervals of orientations, the
wrist is outermost where they come nearest to the inward direction. That is the inward direction
itself, or an end of an interval.
"""

from __future__ import annotations

import math
from functools import partial

from ik_circles.geometry import checks
from ik_circles.geometry.angles import wrap
from ik_circles.geometry.intervals import Interval, contains, middle_of_widest
from ik_circles.planar.model import ArmModel, JointPositions
from ik_circles.planar.selection import NEAREST, solve_at
from ik_circles.planar.workspace import Workspace

#: If the angles of two orientations from the outward direction differ by less than this, the wrist
#: is equally far out with both [rad].
ALIKE = 1e-9


def outermost_orientations(workspace: Workspace, x: float, y: float) -> list[float]:
    """The tool's orientations with which the wrist is farthest from the base.

    If the wrist is equally far out with all orientations (target on the base, last link without
    length), the answer is the middle of the widest interval.

    Parameters
    ----------
    workspace : Workspace
        The arm's workspace: `arm.workspace`.
    x, y : float
        Position of the tip [m].

    Returns
    -------
    list of floats
        [] if the position cannot be reached. The orientation towards the base if it is possible.
        Otherwise one orientation, or two that are equally far from the outward direction on its two
        sides [rad].

    Raises
    ------
    NotFiniteError
        A coordinate is NaN or infinite.
    """
    x, y = checks.number('x', x), checks.number('y', y)
    found = workspace.orientation_intervals(x, y)
    return outermost_in(workspace.model, x, y, found) if found else []


def outermost_in(model: ArmModel, x: float, y: float, found: list[Interval]) -> list[float]:
    """The same among the orientations in intervals, of which there is at least one [rad]."""
    distance = math.hypot(x, y)
    if min(distance, model.link_lengths[2]) <= model.tolerance:
        return [middle_of_widest(found)]
    outwards = math.atan2(y, x)
    inwards = wrap(math.atan2(-y, -x))
    if contains(found, inwards):
        return [inwards]
    ends = sorted({wrap(end) for interval in found for end in interval})
    away = [abs(wrap(end - outwards)) for end in ends]
    return [end for end, angle in zip(ends, away) if angle >= max(away) - ALIKE]


def solve_outermost(workspace: Workspace, x: float, y: float) -> list[JointPositions]:
    """Every joint triple inside the limits with the tip at a point and the wrist outermost.

    Parameters
    ----------
    workspace : Workspace
        The arm's workspace: `arm.workspace`.
    x, y : float
        Position of the tip [m].

    Returns
    -------
    list of joint positions
        (q1, q2, q3) [rad], in the order of `outermost_orientations` and of `inverse_kinematics`;
        [] if and only if the position cannot be reached. On the outline, an interval may be so
        narrow that its ends have no solution by rounding. Then the solution is one in its middle.

    Raises
    ------
    NotFiniteError
        A coordinate is NaN or infinite.
    """
    x, y = checks.number('x', x), checks.number('y', y)
    pick = partial(outermost_in, workspace.model, x, y)
    return solve_at(workspace, x, y, pick, None, NEAREST)
