"""More checks of what the methods are given, beside `checks`: shares, limits, points of a batch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ik_circles.errors import InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits
from ik_circles.planar.model import MOST_SOLUTIONS

Floats = NDArray[np.float64]


def share(name: str, value: object) -> float:
    """A share from 0 to 1. Raises NotFiniteError, InvalidSettingError."""
    found = checks.number(name, value)
    if not 0.0 <= found <= 1.0:
        raise InvalidSettingError(f'{name} is {found}; it is a share of a length: give 0 to 1')
    return found


def joint_limits(
    limits: Sequence[Sequence[float] | None] | None, count: int
) -> tuple[Limits, ...]:
    """Limits [rad] of so many joints, (-inf, inf) where one is None.

    Raises NotFiniteError, InvalidArmError.
    """
    if limits is None:
        return (CONTINUOUS,) * count
    try:
        rows = list(limits)
    except TypeError:
        raise InvalidArmError(f'joint limits are {limits!r}; give {count} pairs') from None
    if len(rows) != count:
        raise InvalidArmError(f'{len(rows)} joint limits given; give {count}')
    found = tuple(_limit(f'limits of joint {joint}', row) for joint, row in enumerate(rows, 1))
    turns = math.prod(max(1.0, (b - a) / TURN) for a, b in found if math.isfinite(a))
    if turns > MOST_SOLUTIONS:
        raise InvalidArmError(
            f'the joint limits give a target up to {2.0 * turns:.3g} solutions by whole turns; '
            'give None for a joint that turns without end, or narrow its limits'
        )
    return found


def _limit(name: str, limit: Sequence[float] | None) -> Limits:
    if limit is None:
        return CONTINUOUS
    lower, upper = checks.vector(name, limit, 2)
    if lower > upper:
        raise InvalidArmError(
            f'{name} are upside down: lower {lower} rad > upper {upper} rad; swap them'
        )
    return lower, upper


def points(name: str, values: ArrayLike) -> Floats:
    """Finite points (N, 2). Raises NotFiniteError, InvalidSettingError."""
    try:
        rows = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InvalidSettingError(f'{name} are not all numbers; give points (N, 2)') from None
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise InvalidSettingError(f'{name} have shape {rows.shape}; give points (N, 2)')
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        row = int(np.argmin(finite))
        raise NotFiniteError(f'{name}: row {row} is {rows[row]}; it must be finite numbers')
    return rows


def distances(name: str, offsets: Floats) -> Floats:
    """Lengths (N,) of offsets (N, 2). Raises NotFiniteError where one is too long for a float."""
    with np.errstate(over='ignore'):
        found: Floats = np.hypot(offsets[:, 0], offsets[:, 1])
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found)))
        raise NotFiniteError(f'{name}: row {row} is too far from the base; move it nearer')
    return found
