"""What an arm is: link lengths, joint limits, its tolerance and its forward kinematics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ik_circles.errors import InvalidArmError, NotFiniteError
from ik_circles.geometry.angles import TURN, Limits

#: The one tolerance: what misses by no more than this share of the arm's reach is met.
TOLERANCE = 1e-13


#: The longest link of an arm is between these [m].
SHORTEST, LONGEST = 1e-12, 1e12


#: Whole turns of the three joints may make so many solutions of one: all of them are listed.
MOST_SOLUTIONS = 1e5


JointPositions = tuple[float, float, float]


class Pose2D(NamedTuple):
    """Position of the tip [m] and orientation of the tool [rad], counter-clockwise from +x."""

    x: float
    y: float
    phi: float


def _checked_lengths(lengths: Sequence[float]) -> tuple[float, float, float]:
    values = tuple(float(length) for length in lengths)
    if len(values) != 3:
        raise InvalidArmError(f'{len(values)} link lengths given; a planar arm here has 3')
    if not all(math.isfinite(length) for length in values):
        raise NotFiniteError(f'link lengths {values} must be finite numbers of metres')
    if min(values) < 0.0:
        raise InvalidArmError(f'link length {min(values)} m is negative; lengths are at least 0')
    if not SHORTEST <= max(values) <= LONGEST:
        raise InvalidArmError(
            f'the longest of the link lengths {values} is {max(values):.4g} m; '
            f'it must be between {SHORTEST:.0e} and {LONGEST:.0e} m'
        )
    return values[0], values[1], values[2]


def _checked_limits(
    limits: Sequence[Sequence[float] | None] | None,
) -> tuple[Limits | None, Limits | None, Limits | None] | None:
    if limits is None:
        return None
    if len(limits) != 3:
        raise InvalidArmError(f'{len(limits)} joint limits given; a planar arm here has 3')
    a, b, c = (_checked_limit(number, limit) for number, limit in enumerate(limits, 1))
    turns = math.prod(max(1.0, (upper - lower) / TURN) for lower, upper in filter(None, (a, b, c)))
    if turns > MOST_SOLUTIONS:
        raise InvalidArmError(
            f'the joint limits give a pose up to {2.0 * turns:.3g} solutions by whole turns; give '
            'None for a joint that turns without end, or narrow its limits'
        )
    return a, b, c


def _checked_limit(number: int, limit: Sequence[float] | None) -> Limits | None:
    if limit is None:
        return None
    if len(limit) != 2:
        raise InvalidArmError(f'limits of joint {number} are {limit}; give (lower, upper) or None')
    lower, upper = float(limit[0]), float(limit[1])
    if not (math.isfinite(lower) and math.isfinite(upper)):
        raise NotFiniteError(
            f'limits of joint {number} are ({lower}, {upper}) rad; '
            'give finite numbers, or None for a continuous joint'
        )
    if lower > upper:
        raise InvalidArmError(
            f'limits of joint {number} are upside down: lower {lower} rad > upper {upper} rad; '
            'swap them'
        )
    return lower, upper
