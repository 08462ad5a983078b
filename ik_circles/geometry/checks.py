# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The one home of input checks: each error names the value, the rule and the fix.

A check takes the name that its error mentions, and returns plain floats, read by `values`:

    x, y, z = checks.vector('point', point, 3)
    x, y, phi = checks.pose(x, y, phi)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain

import numpy as np

from ik_circles.errors import IkCirclesError, InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.geometry import rigid
from ik_circles.geometry.angles import TURN, Limits
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.circles import Point
from ik_circles.geometry.rigid import Rows
from ik_circles.geometry.values import UNREADABLE, array_of, quoted, real, real_rows, reals

#: The shortest that the longest link of an arm or a limb may be [m].
SHORTEST = 1e-12
#: The longest that the longest link of an arm or a limb may be [m].
LONGEST = 1e12
#: No arm reaches farther than this [m]: such lengths are probably in millimeters.
FARTHEST_REACH = 100.0
#: A range of a joint, and an angle that is given, have at most this many turns [1]. Degrees taken
#: for radians have more. Three joints of n turns each have up to 2 n^3 solutions of a pose.
MOST_TURNS = 5
#: The same as an angle [rad], with room for the rounding of a limit that an offset was added to.
MOST_ANGLE = MOST_TURNS * TURN + 1e-9


# --- numbers --------------------------------------------------------------------------------------


def number(name: str, value: object) -> float:
    """A finite number. Raises InvalidArmError, NotFiniteError."""
    try:
        found = real(value)
    except UNREADABLE:
        raise InvalidArmError(f'{name} is {quoted(value)}; give a number') from None
    if not math.isfinite(found):
        raise NotFiniteError(f'{name} is {found}; it must be a finite number')
    return found


def numbers(name: str, values: object) -> tuple[float, ...]:
    """Any count of finite numbers. Raises InvalidArmError, NotFiniteError."""
    try:
        found = reals(values)
    except UNREADABLE:
        raise InvalidArmError(f'{name} is {quoted(values)}; give a sequence of numbers') from None
    # A finite sum settles it at once. Large numbers may be finite although their sum is not.
    if not (math.isfinite(sum(found)) or all(map(math.isfinite, found))):
        raise NotFiniteError(f'{name} is {quoted(found)}; give finite numbers')
    return found


def vector(name: str, values: object, size: int) -> tuple[float, ...]:
    """`size` finite numbers. Raises InvalidArmError, NotFiniteError."""
    found = numbers(name, values)
    if len(found) != size:
        raise InvalidArmError(f'{name} has {len(found)} numbers; give {size}')
    return found


def angle(name: str, value: object) -> float:
    """A finite angle of a few turns [rad]. Raises InvalidArmError, NotFiniteError."""
    found = value if type(value) is float and abs(value) <= MOST_ANGLE else number(name, value)
    if abs(found) > MOST_ANGLE:
        raise InvalidArmError(
            f'{name} is {found:.6g} rad, more than {MOST_TURNS} turns; is it in degrees? give '
            f'radians: {found:.6g} deg are {math.radians(found):.6g} rad'
        )
    return found


def pose(x: object, y: object, phi: object) -> tuple[float, float, float]:
    """A position [m] and an orientation [rad]. Raises InvalidArmError, NotFiniteError."""
    return number('x', x), number('y', y), angle('phi', phi)


def rotation(name: str, rows: object) -> Rows:
    """The rotation nearest to rows (3, 3) that are almost a rotation.

    Raises InvalidArmError, NotFiniteError.
    """
    try:
        found = real_rows(rows)
        error = rigid.rotation_error(found)
    except UNREADABLE:
        raise InvalidArmError(f'{name} is {quoted(rows)}; give 3 rows of 3 numbers') from None
    if error <= rigid.ROTATION_ERROR:
        return found if error <= rigid.ORTHOGONAL else rigid.nearest_rotation(found)
    if not all(map(math.isfinite, chain(*found))):
        raise NotFiniteError(f'{name} is {quoted(rows)}; give nine finite numbers')
    raise InvalidArmError(
        f'{name} is {quoted(rows)}; its rows must be right-handed, of length 1 and at right '
        'angles: give a rotation matrix'
    )


def point(name: str, values: object) -> Point:
    """A point (x, y) in the plane [m]. Raises InvalidArmError, NotFiniteError."""
    x, y = vector(name, values, 2)
    return x, y


# --- what an arm is -------------------------------------------------------------------------------


def link_lengths(name: str, values: object, count: int | None = None) -> tuple[float, ...]:
    """`count` lengths [m], or one and more, each at least 0, the longest of a sensible size.

    Raises InvalidArmError, NotFiniteError.
    """
    lengths = numbers(name, values)
    if count is not None and len(lengths) != count:
        raise InvalidArmError(f'{len(lengths)} {name} given; give {count}')
    if not lengths:
        raise InvalidArmError(f'{name} is empty; give one length [m] or more')
    if (least := min(lengths)) < 0.0:
        raise InvalidArmError(f'{name}: length {least} m is negative; lengths are at least 0')
    if not SHORTEST <= max(lengths) <= LONGEST:
        raise InvalidArmError(
            f'the longest of {name} {lengths} is {max(lengths):.4g} m; '
            f'it must be between {SHORTEST:.0e} and {LONGEST:.0e} m'
        )
    return lengths


def links_in_millimeters(name: str, lengths: Sequence[float]) -> str:
    """For links that are too long [m], the question whether they are in millimeters; else ''."""
    if sum(lengths) <= FARTHEST_REACH:
        return ''
    said = ', '.join(f'{length:.6g}' for length in lengths)
    return f'{name} of {said} m: are they in millimeters? give meters'


def joint_limits(
    limits: Sequence[Sequence[float] | None] | None, count: int
) -> tuple[Limits | None, ...]:
    """For each of `count` joints its (lower, upper) [rad], or None for a continuous joint.

    Raises InvalidArmError, NotFiniteError.
    """
    try:
        rows = [None] * count if limits is None else list(limits)
    except TypeError:
        raise InvalidArmError(f'joint limits are {quoted(limits)}; give {count} pairs') from None
    if len(rows) != count:
        raise InvalidArmError(f'{len(rows)} joint limits given; give {count}')
    return tuple(_limit(f'limits of joint {joint}', row) for joint, row in enumerate(rows, 1))


def _limit(name: str, limit: Sequence[float] | None) -> Limits | None:
    if limit is None:
        return None
    try:
        lower, upper = reals(limit)
    except UNREADABLE:
        raise InvalidArmError(f'{name} are {quoted(limit)}; give (lower, upper) or None') from None
    if not (math.isfinite(lower) and math.isfinite(upper)):
        raise NotFiniteError(
            f'{name} are ({lower}, {upper}) rad; '
            'give finite numbers, or None for a continuous joint'
        )
    if lower > upper:
        raise InvalidArmError(
            f'{name} are upside down: lower {lower} rad > upper {upper} rad; swap them'
        )
    if has_many_turns(lower, upper):
        raise InvalidArmError(
            f'{name} are {lower:.6g} to {upper:.6g} rad, more than {MOST_TURNS} turns; are they in '
            'degrees? give radians, or None for a joint that turns without end'
        )
    return lower, upper


def has_many_turns(lower: float, upper: float) -> bool:
    """Whether a joint's range [rad] is wider, or farther from 0, than anyone can mean."""
    return max(upper - lower, lower, -upper) > MOST_ANGLE


# --- settings -------------------------------------------------------------------------------------


def share(name: str, value: object) -> float:
    """A share from 0 to 1. Raises InvalidArmError, NotFiniteError, InvalidSettingError."""
    found = number(name, value)
    if 0.0 <= found <= 1.0:
        return found
    raise InvalidSettingError(f'{name} is {found}; it is a share of a length: give 0 to 1')


def choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """One of the choices; InvalidSettingError lists them."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidSettingError(f'{name} is {quoted(value)}; choose one of {", ".join(choices)}')
    return value


def at_least_zero(name: str, value: object, unit: str) -> float:
    """A number of at least 0, infinity included, with its unit. Raises InvalidSettingError."""
    if type(value) is float and value >= 0.0:
        return value
    try:
        found = real(value)
    except UNREADABLE:
        found = math.nan
    if found >= 0.0:
        return found
    text = quoted(value)
    raise InvalidSettingError(f'{name} is {text} {unit}; it must be a number of at least 0')


# --- arrays ---------------------------------------------------------------------------------------


def targets(values: object) -> Floats:
    """Positions (N, 2) or poses (N, 3). Raises InvalidArmError, NotFiniteError."""
    rows = _rows('targets', values, (2, 3), 'positions (N, 2) or poses (N, 3)', InvalidArmError)
    check_angles('targets: the phi', rows[:, 2:])
    return rows


def check_angles(name: str, values: Floats) -> None:
    """Check angles (N, 1) or (N, 0) [rad]: a few turns at most. Raises InvalidArmError."""
    for row in np.flatnonzero(np.abs(values) > MOST_ANGLE)[:1]:
        angle(f'{name} in row {row}', values[row, 0])


def points(name: str, values: object, width: int = 2) -> Floats:
    """Points (N, width) [m]. Raises InvalidSettingError, NotFiniteError."""
    return _rows(name, values, (width,), f'points (N, {width})', InvalidSettingError)


def _rows(
    name: str, values: object, widths: Sequence[int], expected: str, error: type[IkCirclesError]
) -> Floats:
    rows = floats(name, values, expected, error)
    if rows.ndim != 2 or rows.shape[1] not in widths:
        raise error(f'{name} have shape {rows.shape}; give {expected}')
    check_finite(name, rows)
    return rows


def check_finite(name: str, rows: Floats) -> None:
    """Rows of finite numbers. Raises NotFiniteError."""
    finite_rows = np.isfinite(rows).all(axis=1)
    if not finite_rows.all():
        row = int(np.argmin(finite_rows))
        raise NotFiniteError(f'{name}: row {row} is {rows[row]}; give finite numbers')


def floats(
    name: str, values: object, expected: str, error: type[IkCirclesError] = InvalidArmError
) -> Floats:
    """Numbers in an array, infinite and NaN included; raises the error."""
    try:
        return array_of(values)
    except UNREADABLE:
        raise error(f'{name} are not all numbers; give {expected}') from None


def same_shape(**columns: object) -> tuple[Floats, ...]:
    """Numbers in arrays, repeated to one shape. Raises InvalidArmError."""
    found = [floats(name, column, 'numbers') for name, column in columns.items()]
    try:
        return tuple(np.broadcast_arrays(*found))
    except ValueError as error:
        raise InvalidArmError(f'{" and ".join(columns)}: {error}; give one shape') from None


def distances(name: str, offsets: Floats) -> Floats:
    """Lengths (N,) of offsets (N, 2) [m]. Raises NotFiniteError if one overflows."""
    with np.errstate(over='ignore'):
        found: Floats = np.hypot(offsets[:, 0], offsets[:, 1])
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found)))
        raise NotFiniteError(f'{name}: row {row} is too far from the base; move it nearer')
    return found
