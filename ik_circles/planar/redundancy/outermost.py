"""The three-joint arm with its wrist as far out as the target and the joint limits allow.

Source: the policy for R of S. Ramachandran and N. W. John (see n_links), as far out as possible.
Added: joint limits, in closed form. The wrist's distance from the base grows with the angle of the
tool from the outward direction, from |D - l| to D + l, alike on both sides. So over the exact
intervals of orientations it is largest where they come nearest to the inward direction: on it, or
at an end of one of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.intervals import Interval, contains, middle_of_widest, stand_ins

if TYPE_CHECKING:
    from ik_circles.planar.arm import PlanarArm
    from ik_circles.planar.model import JointPositions

#: Orientations whose angles from the outward direction differ by less [rad] are as far out.
ALIKE = 1e-9


def outermost_orientations(arm: PlanarArm, x: float, y: float) -> list[float]:
    """The tool's orientations with which the wrist is farthest from the base [rad].

    None if the position cannot be reached, the one towards the base where it can be taken, else one
    or two: as far from the outward direction on both of its sides. Where the wrist is as far out
    with all of them (target on the base, last link without length): the middle of the widest
    interval. NotFiniteError.
    """
    found = arm.orientation_intervals(x, y)
    if not found:
        return []
    distance = math.hypot(x, y)
    if min(distance, arm.link_lengths[2]) <= arm.tolerance:
        return [middle_of_widest(found)]
    outwards = math.atan2(y, x)
    inwards = wrap(outwards + math.pi)
    if contains(found, inwards):
        return [inwards]
    ends = sorted({wrap(end) for interval in found for end in interval})
    away = [abs(wrap(end - outwards)) for end in ends]
    return [end for end, angle in zip(ends, away) if angle >= max(away) - ALIKE]


def solve_outermost(arm: PlanarArm, x: float, y: float) -> list[JointPositions]:
    """Every joint triple inside the limits with the tip at (x, y) [m] and the wrist outermost.

    Returns
    -------
    Joint positions [rad], in the order of `outermost_orientations` and of `inverse_kinematics`;
    none exactly if the position cannot be reached. Where rounding leaves an end of an interval
    without solution, the nearest orientation beside it that has one.

    Raises
    ------
    NotFiniteError
    """
    orientations = outermost_orientations(arm, x, y)
    solved = [q for phi in orientations for q in arm.inverse_kinematics(x, y, phi)]
    if solved or not orientations:
        return solved
    found = arm.orientation_intervals(x, y)
    beside = (q for phi in _beside(found, orientations) for q in arm.inverse_kinematics(x, y, phi))
    first = next(beside, None)
    return [] if first is None else [first]


def _beside(found: list[Interval], orientations: list[float]) -> list[float]:
    """Orientations inside the intervals beside their ends, the nearest first; then any."""
    steps = [10.0**exponent for exponent in range(-15, -2)]
    inside = [
        wrap(end + step)
        for size in steps
        for end in orientations
        for step in (size, -size)
        if contains(found, end + step)
    ]
    return [*inside, *stand_ins(found)]
