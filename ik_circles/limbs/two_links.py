# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two links by angles: joint angles for a target, with a chosen bend and inside joint limits.

Source: Ryan Juckett, "Analytic Two-Bone IK in 2D". The caller chooses the direction of the bend.
The answer says whether it is a solution; if there is none, it is the closest alternative. It is
right in every quadrant, and for lengths of zero.

Added here: both angles come from half-angle formulas instead of an arc cosine of a rounded
quotient. Their factors are the same differences of lengths as in Heron's product (W. Kahan,
"Miscalculating Area and Angles of a Needle-like Triangle"), so they agree with `two_circles` to the
last bits. There is no absolute epsilon. With joint limits, the answer is every solution inside
them, or else the nearest point inside them, in closed form. The batch form repeats the formulas of
the single form for arrays, because a batch of one is slower than plain floats.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.geometry import checks
from ik_circles.geometry.angles import CONTINUOUS
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.tolerances import CLOSURE, TOLERANCE
from ik_circles.limbs.two_link_limits import TwoJoints, TwoLinkLimb
from ik_circles.planar.selection import ELBOWS

ELBOW_UP, ELBOW_DOWN = ELBOWS


class TwoLinks(NamedTuple):
    """Joint positions for a target.

    Attributes
    ----------
    joint_positions : tuple of two floats
        (q1, q2) [rad]: the solution, or the positions whose tip is nearest to the target.
    miss : float
        Distance from that tip to the target [m], 0.0 if it is a solution.
    """

    joint_positions: TwoJoints
    miss: float

    @property
    def reached(self) -> bool:
        """Whether the target is reached inside the limits."""
        return self.miss == 0.0


class TwoLinksBatch(NamedTuple):
    """Joint positions for N targets.

    Attributes
    ----------
    joint_positions : array (N, 2)
        (q1, q2) of each target [rad].
    miss : array (N,)
        As `TwoLinks.miss` [m].
    """

    joint_positions: Floats
    miss: Floats


def solve_two_links(
    x: float,
    y: float,
    length_1: float,
    length_2: float,
    *,
    branch: str = ELBOW_UP,
    joint_limits: Sequence[Sequence[float] | None] | None = None,
) -> TwoLinks:
    """The joint positions with one bend, or those that bring the tip nearest to the target.

    If any q1 works (target on the base), the result has the q1 for a target in direction +x. If a
    link has no length, q2 is 0 where the limits allow that.

    Parameters
    ----------
    x, y : float
        Target [m], the base at the origin.
    length_1, length_2 : float
        Lengths of the links [m], at least 0, not both 0.
    branch : {'elbow_up', 'elbow_down'}
        'elbow_up' has the elbow on the left of the line to the target, and a negative q2. The other
        bend is returned only if the limits leave no solution with this one.
    joint_limits : sequence of pairs, optional
        For each joint (lower, upper) [rad], or None for a continuous one.

    Returns
    -------
    TwoLinks
        The joint positions, and how far the tip misses the target.

    Raises
    ------
    NotFiniteError
        A number is NaN or infinite, or the target is too far away for a float.
    InvalidArmError
        A length is negative, both are 0, or limits are upside down.
    InvalidSettingError
        `branch` is none of the choices.

    Examples
    --------
    >>> found = solve_two_links(0.0, 1.0, 1.0, 1.0)
    >>> found.reached, [round(angle, 6) for angle in found.joint_positions]
    (True, [2.617994, -2.094395])
    """
    checks.choice('branch', branch, ELBOWS)
    limb = _checked(x, y, length_1, length_2, joint_limits)
    up = branch == ELBOW_UP
    for elbow_up in (up, not up):
        solutions = limb.solutions(elbow_up)
        if solutions:
            return TwoLinks(solutions[0], 0.0)
    q, miss = limb.nearest()
    return TwoLinks(q, 0.0 if miss <= CLOSURE * limb.tolerance else miss)


def two_link_solutions(
    x: float,
    y: float,
    length_1: float,
    length_2: float,
    joint_limits: Sequence[Sequence[float] | None] | None = None,
) -> list[TwoJoints]:
    """Every pair of joint positions inside the limits that reaches the target.

    If a whole family of them does (a link without length, or a target on the base with equal
    lengths), one member is returned.

    Parameters
    ----------
    x, y : float
        Target [m], the base at the origin.
    length_1, length_2 : float
        Lengths of the links [m], at least 0, not both 0.
    joint_limits : sequence of pairs, optional
        For each joint (lower, upper) [rad], or None for a continuous one.

    Returns
    -------
    list of tuples
        (q1, q2) [rad], elbow up first; [] if the target cannot be reached.

    Raises
    ------
    NotFiniteError, InvalidArmError
        As of `solve_two_links`.
    """
    limb = _checked(x, y, length_1, length_2, joint_limits)
    if limb.has_family:
        q, miss = limb.nearest()
        return [q] if miss <= CLOSURE * limb.tolerance else []
    found: list[TwoJoints] = []
    for elbow_up in (True, False):
        found += [q for q in limb.solutions(elbow_up) if q not in found]
    return found


def solve_two_links_batch(
    targets: ArrayLike, length_1: float, length_2: float, *, branch: str = ELBOW_UP
) -> TwoLinksBatch:
    """`solve_two_links` without limits for many targets, without a loop over them.

    Parameters
    ----------
    targets : array (N, 2)
        Points (x, y) [m], the base at the origin.
    length_1, length_2 : float
        Lengths of the links [m], at least 0, not both 0.
    branch : {'elbow_up', 'elbow_down'}
        As of `solve_two_links`.

    Returns
    -------
    TwoLinksBatch
        Joint positions and misses as arrays.

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
        As of `solve_two_links`.
    """
    checks.choice('branch', branch, ELBOWS)
    points = checks.points('targets', targets)
    length_1, length_2 = checks.link_lengths('link_lengths', (length_1, length_2))
    distance = checks.distances('targets', points)
    total, difference = length_1 + length_2, length_1 - length_2
    tolerance = TOLERANCE * total
    slacks = np.stack((total - distance, distance + difference, distance - difference))
    miss = np.maximum(0.0, -slacks.min(axis=0))
    stretch, fold_1, fold_2 = np.where(slacks > tolerance, slacks, 0.0)
    outer = total + np.minimum(distance, total)
    at_base = 2.0 * np.arctan2(np.sqrt(fold_2 * stretch), np.sqrt(outer * fold_1))
    bend = 2.0 * np.arctan2(np.sqrt(outer * stretch), np.sqrt(fold_1 * fold_2))
    if abs(difference) <= tolerance:
        same = distance <= tolerance
        at_base, bend = np.where(same, np.pi / 2.0, at_base), np.where(same, np.pi, bend)
    if min(length_1, length_2) <= tolerance:
        at_base, bend = np.zeros_like(bend), np.zeros_like(bend)
        miss = np.abs(total - distance)
    sign = 1.0 if branch == ELBOW_UP else -1.0
    q1 = np.arctan2(points[:, 1], points[:, 0]) + sign * at_base
    q1 = np.pi - np.mod(np.pi - q1, 2.0 * np.pi)
    miss[miss <= tolerance] = 0.0
    return TwoLinksBatch(np.column_stack((q1, -sign * bend)), miss)


def _checked(
    x: float,
    y: float,
    length_1: float,
    length_2: float,
    limits: Sequence[Sequence[float] | None] | None,
) -> TwoLinkLimb:
    target = checks.number('x', x), checks.number('y', y)
    checks.distances('target', np.array([target]))
    length_1, length_2 = checks.link_lengths('link_lengths', (length_1, length_2))
    limits_1, limits_2 = checks.joint_limits(limits, 2)
    return TwoLinkLimb(target, length_1, length_2, limits_1 or CONTINUOUS, limits_2 or CONTINUOUS)
