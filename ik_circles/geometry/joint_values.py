# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint positions from outside: which ones are believed, and which are probably in degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import TURN, Limits
from ik_circles.geometry.arrays import Floats


def believable(lower: float, upper: float) -> Limits:
    """The range of joint positions that are believed [rad]; others are probably in degrees.

    A measurement may be somewhat past a limit, or at 0 with limits that do not include it. Without
    limits, a joint may have made any number of turns.
    """
    return min(lower, 0.0) - TURN, max(upper, 0.0) + TURN


def position(name: str, value: object, limits: Limits) -> float:
    """A finite, `believable` joint position [rad]. Raises InvalidArmError, NotFiniteError."""
    found = value if type(value) is float and math.isfinite(value) else checks.number(name, value)
    least, most = believable(*limits)
    if not least <= found <= most:
        raise InvalidArmError(in_degrees(name, found, limits))
    return found


def in_degrees(name: str, found: float, limits: Limits) -> str:
    """For a joint position that is not believed [rad], the question whether it is in degrees."""
    return (
        f'{name} is {found:.6g} rad, more than a turn past its limit of '
        f'{limits[found > 0.0]:.6g} rad; is it in degrees? give radians: '
        f'{found:.6g} deg are {math.radians(found):.6g} rad'
    )


def check_rows(name: str, rows: Floats, limits: Sequence[Limits]) -> None:
    """Joint positions (N, joints) [rad], each of them a `position`, or NaN where there is none."""
    least, most = np.array([believable(*one) for one in limits]).T
    wrong = ~(np.isnan(rows) | (np.isfinite(rows) & (rows >= least) & (rows <= most)))
    for row, joint in np.argwhere(wrong).tolist():
        position(f'{name} {joint + 1} in row {row}', float(rows[row, joint]), limits[joint])


def seed(
    values: Sequence[float] | None, limits: Sequence[Limits]
) -> tuple[float, float, float] | None:
    """Joint positions to stay near to [rad], or None; see `position`."""
    if values is None:
        return None
    q1, q2, q3 = checks.vector('the seed', values, 3)
    for joint, (found, limit) in enumerate(zip((q1, q2, q3), limits), 1):
        position(f'the seed of joint {joint}', found, limit)
    return q1, q2, q3


def seeds(values: object, count: int, limits: Sequence[Limits]) -> Floats | None:
    """`seed` for `count` targets: one for all of them or one for each [rad], or None."""
    if values is None:
        return None
    size = len(limits)
    expected = f'({size},) or ({count}, {size})'
    found = checks.floats('seeds', values, expected)
    if found.shape not in ((size,), (count, size)):
        raise InvalidArmError(f'the seed has shape {found.shape}; give {expected}')
    rows = found.reshape(-1, size)
    checks.check_finite('the seed', rows)
    check_rows('the seed of joint', rows, limits)
    return found
