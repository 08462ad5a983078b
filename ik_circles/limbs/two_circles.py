# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two links by two circles, without trigonometry: where is the elbow?

Source: Inigo Quilez, "Simple inverse kinematics", the single-division form: the elbow is the foot
of a perpendicular on the line from base to target, plus an offset at right angles to it.

Added here: the offset is Heron's product instead of the difference `4 r1^2 h - w^2`, and
differences of squares are factored (W. Kahan). That keeps the digits where the target is near the
base, or where the circles nearly touch. Both elbows are returned. The caller chooses what happens
out of reach; the links keep their lengths in either case. The circles may coincide. The primitive
itself is `circles.intersect_circles`. The batch form has formulas of its own, because a batch of
one is slower than plain floats.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.errors import NotFiniteError
from ik_circles.geometry import checks
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point, intersect_circles
from ik_circles.geometry.tolerances import TOLERANCE

OUT_OF_REACH = ('none', 'nearest')


class TwoCircles(NamedTuple):
    """The possible positions of the elbow.

    Attributes
    ----------
    elbows : tuple of points
        No point, one point if the circles touch, or two points [m]. The first of two is on the left
        of the line from base to target.
    tip : tuple of two floats
        The end of the second link [m]: the target, or the point within reach nearest to it.
    miss : float
        Distance from the tip to the target [m]; 0.0 within reach.
    """

    elbows: tuple[Point, ...]
    tip: Point
    miss: float

    @property
    def reached(self) -> bool:
        """Whether the target is within reach."""
        return self.miss == 0.0


class TwoCirclesBatch(NamedTuple):
    """The possible positions of the elbow for N targets.

    Attributes
    ----------
    elbows : array (N, 2, 2)
        For each target the left and the right elbow [m]: equal if the circles touch, NaN if there
        is none.
    tips : array (N, 2)
        As `TwoCircles.tip` [m].
    miss : array (N,)
        As `TwoCircles.miss` [m].
    """

    elbows: Floats
    tips: Floats
    miss: Floats


def solve_two_circles(
    base: Sequence[float],
    target: Sequence[float],
    length_1: float,
    length_2: float,
    *,
    out_of_reach: str = 'none',
) -> TwoCircles:
    """The elbows of two links from `base` to `target`.

    A target that is missed by no more than TOLERANCE of the reach counts as met. If the circles
    coincide (target on the base, equal lengths), every point of them is an elbow. Then the two at
    right angles to the target's direction are returned; if it has none, to +x.

    Parameters
    ----------
    base, target : sequence of two floats
        (x, y) [m].
    length_1, length_2 : float
        Lengths of the links [m], at least 0, not both 0.
    out_of_reach : {'none', 'nearest'}
        For a target out of reach, 'none' gives no elbow. 'nearest' stretches the links towards the
        target or folds them, which brings the tip as near to it as possible.

    Returns
    -------
    TwoCircles
        The elbows, the tip, and how far it misses the target.

    Raises
    ------
    NotFiniteError
        A number is NaN or infinite, or the target is too far away for a float.
    InvalidArmError
        A length is negative, both are 0, or a point is not two numbers.
    InvalidSettingError
        `out_of_reach` is none of the choices.

    Examples
    --------
    >>> solve_two_circles((0.0, 0.0), (6.0, 0.0), 5.0, 5.0).elbows
    ((3.0, 4.0), (3.0, -4.0))
    """
    checks.choice('out_of_reach', out_of_reach, OUT_OF_REACH)
    a, c = checks.point('base', base), checks.point('target', target)
    length_1, length_2 = checks.link_lengths('link_lengths', (length_1, length_2))
    dx, dy = c[0] - a[0], c[1] - a[1]
    distance = math.hypot(dx, dy)
    if not math.isfinite(distance):
        raise NotFiniteError(f'the target {c} is too far from the base {a}; move it nearer')
    ux, uy = (dx / distance, dy / distance) if distance > 0.0 else (1.0, 0.0)
    tolerance = TOLERANCE * (length_1 + length_2)
    if distance <= tolerance and abs(length_1 - length_2) <= tolerance:
        aside_x, aside_y = -length_1 * uy, length_1 * ux
        return TwoCircles(
            ((a[0] + aside_x, a[1] + aside_y), (a[0] - aside_x, a[1] - aside_y)), c, 0.0
        )
    elbows = intersect_circles(a, length_1, c, length_2, tolerance)
    if elbows:
        return TwoCircles(elbows, c, 0.0)
    along = -length_1 if distance < length_2 - length_1 else length_1
    elbow = a[0] + along * ux, a[1] + along * uy
    radius = min(max(distance, abs(length_1 - length_2)), length_1 + length_2)
    tip = a[0] + radius * ux, a[1] + radius * uy
    return TwoCircles((elbow,) if out_of_reach == 'nearest' else (), tip, abs(distance - radius))


def solve_two_circles_batch(
    base: Sequence[float],
    targets: ArrayLike,
    length_1: float,
    length_2: float,
    *,
    out_of_reach: str = 'none',
) -> TwoCirclesBatch:
    """`solve_two_circles` for many targets, without a loop over them.

    Both functions use the same formulas. They may round the distance to the target differently by a
    unit in the last place. That moves an elbow by this unit, divided by the sine of its bend.

    Parameters
    ----------
    base : sequence of two floats
        (x, y) [m].
    targets : array (N, 2)
        Points (x, y) [m].
    length_1, length_2 : float
        Lengths of the links [m], at least 0, not both 0.
    out_of_reach : {'none', 'nearest'}
        As in `solve_two_circles`.

    Returns
    -------
    TwoCirclesBatch
        Elbows, tips and misses as arrays.

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
        As in `solve_two_circles`.
    """
    checks.choice('out_of_reach', out_of_reach, OUT_OF_REACH)
    a = np.array(checks.point('base', base))
    points = checks.points('targets', targets)
    length_1, length_2 = checks.link_lengths('link_lengths', (length_1, length_2))
    with np.errstate(over='ignore'):
        offset = points - a
    distance = checks.distances('targets', offset)
    total, hole = length_1 + length_2, abs(length_1 - length_2)
    tolerance = TOLERANCE * total
    direction = np.where((distance == 0.0)[:, None], (1.0, 0.0), offset)
    direction /= np.where(distance == 0.0, 1.0, distance)[:, None]
    radius = np.clip(distance, hole, total)
    miss = np.abs(distance - radius)
    miss[miss <= tolerance] = 0.0
    along, aside = _foot_and_offset(radius, length_1, length_2, tolerance)
    across = np.column_stack((-direction[:, 1], direction[:, 0])) * aside[:, None]
    foot = a + along[:, None] * direction
    elbows = np.stack((foot + across, foot - across), axis=1)
    out = miss > 0.0
    if out_of_reach == 'none':
        elbows[out] = np.nan
    tips = np.where(out[:, None], a + radius[:, None] * direction, points)
    return TwoCirclesBatch(elbows, tips, miss)


def _foot_and_offset(
    radius: Floats, length_1: float, length_2: float, tolerance: float
) -> tuple[Floats, Floats]:
    """The elbow's position along the line to the tip and aside from it [m], for radii in the ring.
    """
    total, difference = length_1 + length_2, length_1 - length_2
    stretch, fold = total - radius, radius - abs(difference)
    divisor = np.where(radius <= tolerance, 1.0, radius)
    along = (radius + difference * total / divisor) / 2.0
    aside = np.sqrt(stretch * fold * (radius + total) * (radius + abs(difference)))
    aside /= 2.0 * divisor
    touch = (stretch <= tolerance) | (fold <= tolerance)
    along = np.where(touch, np.copysign(length_1, along), along)
    aside = np.where(touch, 0.0, aside)
    if abs(difference) <= tolerance:  # circles that coincide where the target is on the base
        same = radius <= tolerance
        along, aside = np.where(same, 0.0, along), np.where(same, length_1, aside)
    return along, aside
