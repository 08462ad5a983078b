"""Two links by angles: joint angles for a target, with the bend chosen and limits kept.

Source: Ryan Juckett, "Analytic Two-Bone IK in 2D": the bend direction is chosen, validity is
reported, the closest alternative is given where there is none, in every quadrant, for lengths of
zero too.

Added here: both angles come from half-angle formulas whose factors are the same differences of
lengths as in Heron's product (W. Kahan, "Miscalculating Area and Angles of a Needle-like
Triangle"), instead of an arc cosine of a rounded quotient, so that they agree with `two_circles`
to the last bits; no absolute epsilon; joint limits: every solution inside them, and else the
nearest point inside them in closed form; a batch form.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.geometry import checks
from ik_circles.geometry.angles import CONTINUOUS, Limits, turns_into
from ik_circles.geometry.checks import Floats
from ik_circles.geometry.limits import next_to, settled
from ik_circles.geometry.tolerances import CLOSURE, TOLERANCE

BRANCHES = ('elbow_up', 'elbow_down')
#: Alternatives of the same miss, to within this share of the reach, are taken in their order.
TIE = 1e-15

TwoJoints = tuple[float, float]


class TwoLinks(NamedTuple):
    """Joint positions for a target.

    Attributes
    ----------
    joint_positions : (q1, q2) [rad], the solution, or the one whose tip is nearest to the target
    miss : distance from that tip to the target [m], 0.0 if it is a solution
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
    joint_positions : (N, 2) [rad]
    miss : (N,) [m], as `TwoLinks.miss`
    """

    joint_positions: Floats
    miss: Floats


class _Links(NamedTuple):
    """Checked input of one question."""

    target: tuple[float, float]
    length_1: float
    length_2: float
    limits_1: Limits
    limits_2: Limits

    @property
    def tolerance(self) -> float:
        return TOLERANCE * (self.length_1 + self.length_2)

    def miss(self, q1: float, q2: float) -> float:
        """Distance from the tip to the target [m]."""
        x = self.length_1 * math.cos(q1) + self.length_2 * math.cos(q1 + q2)
        y = self.length_1 * math.sin(q1) + self.length_2 * math.sin(q1 + q2)
        return math.hypot(x - self.target[0], y - self.target[1])


def solve_two_links(
    x: float,
    y: float,
    length_1: float,
    length_2: float,
    *,
    branch: str = 'elbow_up',
    joint_limits: Sequence[Sequence[float] | None] | None = None,
) -> TwoLinks:
    """The joint positions of one bend, or those that bring the tip nearest to the target.

    Parameters
    ----------
    x, y : target [m], the base at the origin
    length_1, length_2 : [m], at least 0, not both 0
    branch : 'elbow_up' (elbow on the left of the line to the target, q2 negative) or 'elbow_down';
        the other bend is given only where limits leave no solution of the one that is named
    joint_limits : for each joint (lower, upper) [rad] or None for a continuous one

    Where any q1 will do (target on the base) it is the one for a target in direction +x; where a
    link has no length, q2 is 0, if the limits allow that.

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
    """
    checks.choice('branch', branch, BRANCHES)
    links = _checked(x, y, length_1, length_2, joint_limits)
    up = branch == 'elbow_up'
    for elbow_up in (up, not up):
        solutions = _solutions_of(links, elbow_up)
        if solutions:
            return TwoLinks(solutions[0], 0.0)
    q, miss = nearest_two_links(links)
    return TwoLinks(q, 0.0 if miss <= CLOSURE * links.tolerance else miss)


def two_link_solutions(
    x: float,
    y: float,
    length_1: float,
    length_2: float,
    joint_limits: Sequence[Sequence[float] | None] | None = None,
) -> list[TwoJoints]:
    """Every (q1, q2) [rad] inside the limits that reaches the target; elbow up first.

    Where a whole family of them does (a link without length, target on the base with equal
    lengths) one of it is given. Parameters and errors as of `solve_two_links`.
    """
    links = _checked(x, y, length_1, length_2, joint_limits)
    if _is_family(links):
        q, miss = nearest_two_links(links)
        return [q] if miss <= CLOSURE * links.tolerance else []
    found: list[TwoJoints] = []
    for elbow_up in (True, False):
        found += [q for q in _solutions_of(links, elbow_up) if q not in found]
    return found


def two_link_angles(
    distance: float, length_1: float, length_2: float, tolerance: float
) -> tuple[float, float]:
    """Angle at the base from the target's direction to link 1, and the bend of the elbow [rad].

    Both are in [0, pi]; a distance outside of the ring is taken as the ring's nearest. Slacks of no
    more than the tolerance [m] are none: the elbow is straight or folded then.
    """
    total, difference = length_1 + length_2, length_1 - length_2
    if distance <= tolerance and abs(difference) <= tolerance:
        return math.pi / 2.0, math.pi
    stretch, fold_1, fold_2 = total - distance, distance + difference, distance - difference
    stretch = stretch if stretch > tolerance else 0.0
    fold_1 = fold_1 if fold_1 > tolerance else 0.0
    fold_2 = fold_2 if fold_2 > tolerance else 0.0
    outer = total + distance
    at_base = 2.0 * math.atan2(math.sqrt(fold_2 * stretch), math.sqrt(outer * fold_1))
    bend = 2.0 * math.atan2(math.sqrt(outer * stretch), math.sqrt(fold_1 * fold_2))
    return at_base, bend


def solve_two_links_batch(
    targets: ArrayLike, length_1: float, length_2: float, *, branch: str = 'elbow_up'
) -> TwoLinksBatch:
    """`solve_two_links` without limits for targets (N, 2) [m], without a loop over them.

    Raises
    ------
    NotFiniteError, InvalidArmError, InvalidSettingError
    """
    checks.choice('branch', branch, BRANCHES)
    points = checks.points('targets', targets)
    length_1, length_2 = checks.link_lengths('link lengths', (length_1, length_2))
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
    sign = 1.0 if branch == 'elbow_up' else -1.0
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
) -> _Links:
    target = checks.number('x', x), checks.number('y', y)
    checks.distances('target', np.array([target]))
    length_1, length_2 = checks.link_lengths('link lengths', (length_1, length_2))
    limits_1, limits_2 = checks.joint_limits(limits, 2)
    return _Links(target, length_1, length_2, limits_1 or CONTINUOUS, limits_2 or CONTINUOUS)


def _is_family(links: _Links) -> bool:
    tolerance = links.tolerance
    return min(links.length_1, links.length_2) <= tolerance or (
        math.hypot(*links.target) <= tolerance
        and abs(links.length_1 - links.length_2) <= tolerance
    )


def _solutions_of(links: _Links, elbow_up: bool) -> list[TwoJoints]:
    """Solutions of one bend inside the limits; [] for families that need no bend chosen."""
    length_1, length_2, tolerance = links.length_1, links.length_2, links.tolerance
    distance = math.hypot(*links.target)
    if min(length_1, length_2) <= tolerance:
        return []
    if not abs(length_1 - length_2) - tolerance <= distance <= length_1 + length_2 + tolerance:
        return []
    at_base, bend = two_link_angles(distance, length_1, length_2, tolerance)
    direction = math.atan2(links.target[1], links.target[0])
    q = (direction + at_base, -bend) if elbow_up else (direction - at_base, bend)
    share = tolerance / max(distance, tolerance)
    window = min(4.0 * math.sqrt(tolerance / min(length_1, length_2)) + 4.0 * share**0.5, math.pi)
    return settled(
        q,
        (links.limits_1, links.limits_2),
        window,
        retries=lambda q, _: _solved_again(links, *q),
        closes=lambda q: links.miss(*q) <= CLOSURE * tolerance,
    )


def _solved_again(links: _Links, q1: float, q2: float) -> Iterator[TwoJoints]:
    """Joints of which one is on its limit: with either of them solved again, and as they are."""
    yield q1, next_to(q2, _q2_for(links, q1), links.limits_2)
    yield next_to(q1, _q1_for(links, q2), links.limits_1), q2
    yield q1, q2


def _q2_for(links: _Links, q1: float) -> float:
    """With link 1 held, the q2 that points link 2 at the target [rad]."""
    x = links.target[0] - links.length_1 * math.cos(q1)
    y = links.target[1] - links.length_1 * math.sin(q1)
    return math.atan2(y, x) - q1


def _q1_for(links: _Links, q2: float) -> float:
    """With the elbow held, the q1 that points the tip at the target [rad]."""
    tip = math.atan2(
        links.length_2 * math.sin(q2), links.length_1 + links.length_2 * math.cos(q2)
    )
    return math.atan2(links.target[1], links.target[0]) - tip


def nearest_two_links(links: _Links) -> tuple[TwoJoints, float]:
    """The joint positions inside the limits whose tip is nearest to the target, and its miss [m].

    The least distance over a box of joint positions is at a solution, on the two circles where the
    elbow is straight or folded, on an arc where one joint is at a limit and the other points at
    the target, or at a corner: all of them are compared, so that nothing is searched for.
    """
    best, least = (0.0, 0.0), math.inf
    tie = TIE * (links.length_1 + links.length_2)
    for q in _candidates(links):
        miss = links.miss(*q)
        if miss < least - tie:
            best, least = q, miss
    return best, least


def _candidates(links: _Links) -> Iterator[TwoJoints]:
    limits_1, limits_2 = links.limits_1, links.limits_2
    q2_held = [0.0, math.pi, -math.pi] if limits_2 == CONTINUOUS else [
        *turns_into(0.0, limits_2), *turns_into(math.pi, limits_2)
    ]  # fmt: skip
    q2_held += sorted((q for q in limits_2 if math.isfinite(q)), key=abs)
    for q2 in q2_held:
        for q1 in turns_into(_q1_for(links, q2), limits_1):
            yield q1, q2
    for q1 in sorted((q for q in limits_1 if math.isfinite(q)), key=abs):
        for q2 in turns_into(_q2_for(links, q1), limits_2):
            yield q1, q2
        for q2 in sorted((q for q in limits_2 if math.isfinite(q)), key=abs):
            yield q1, q2
    for elbow_up in (True, False):
        yield from _solutions_of(links, elbow_up)
