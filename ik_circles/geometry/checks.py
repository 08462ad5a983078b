"""The one home of input checks: each error names the value, the rule and the fix.

A check takes the name that its error mentions, and returns the value as plain floats:

    x, y, z = checks.vector('point', point, 3)
    checks.finite(x=x, y=y, phi=phi)

A path that is asked a thousand times a second tests `math.isfinite(x + y + phi)` first, and calls
`finite` only to find out which of them it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ik_circles.errors import IkCirclesError, InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.geometry.angles import TURN, Limits
from ik_circles.geometry.circles import Point

Floats = NDArray[np.float64]

#: The shortest that the longest link of an arm or a limb may be [m].
SHORTEST = 1e-12
#: The longest that the longest link of an arm or a limb may be [m].
LONGEST = 1e12
#: A range of a joint, and an angle that is given, have at most this many turns [1]. Degrees taken
#: for radians have more. Three joints of n turns each have up to 2 n^3 solutions of a pose: 5 take
#: 2 ms, 10 take 70 ms.
MOST_TURNS = 5
#: The same as an angle [rad], with room for the rounding of a limit that an offset was added to.
MOST_ANGLE = MOST_TURNS * TURN + 1e-9
#: An error quotes this much of a value that cannot be read [characters].
QUOTED = 60


# --- numbers --------------------------------------------------------------------------------------


def number(name: str, value: object) -> float:
    """A finite number. Raises InvalidArmError, NotFiniteError."""
    try:
        found = float(cast(float, value))
    except (TypeError, ValueError, OverflowError):
        raise InvalidArmError(f'{name} is {repr(value)[:QUOTED]}; give a number') from None
    if not math.isfinite(found):
        raise NotFiniteError(f'{name} is {found}; it must be a finite number')
    return found


def finite(**values: object) -> None:
    """Finite numbers, each by its name. Raises InvalidArmError, NotFiniteError."""
    for name, value in values.items():
        number(name, value)


def numbers(name: str, values: object) -> tuple[float, ...]:
    """Any count of finite numbers. Raises InvalidArmError, NotFiniteError."""
    try:
        found = tuple(map(float, cast(Iterable[float], values)))
    except (TypeError, ValueError, OverflowError):
        raise InvalidArmError(
            f'{name} is {repr(values)[:QUOTED]}; give a sequence of numbers'
        ) from None
    if not all(map(math.isfinite, found)):
        raise NotFiniteError(f'{name} is {found}; it must be finite numbers')
    return found


def vector(name: str, values: object, size: int) -> tuple[float, ...]:
    """`size` finite numbers. Raises InvalidArmError, NotFiniteError."""
    found = numbers(name, values)
    if len(found) != size:
        raise InvalidArmError(f'{name} has {len(found)} numbers; give {size}')
    return found


def angle(name: str, value: object) -> float:
    """A finite angle of a few turns [rad]. Raises InvalidArmError, NotFiniteError."""
    found = number(name, value)
    if abs(found) > MOST_ANGLE:
        raise InvalidArmError(
            f'{name} is {found:.6g} rad, more than {MOST_TURNS} turns; is it in degrees? give '
            f'radians: {found:.6g} deg are {math.radians(found):.6g} rad'
        )
    return found


def pose(x: object, y: object, phi: object) -> tuple[float, float, float]:
    """A position [m] and an orientation [rad]. Raises InvalidArmError, NotFiniteError."""
    return number('x', x), number('y', y), angle('phi', phi)


def rotation(name: str, rows: object) -> None:
    """The rows of an orientation in space (3, 3). Raises InvalidArmError, NotFiniteError."""
    try:
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = cast(Iterable[Iterable[float]], rows)
        is_sound = math.isfinite(xx + xy + xz + yx + yy + yz + zx + zy + zz)
    except (TypeError, ValueError):
        quoted = repr(rows)[:QUOTED]
        raise InvalidArmError(f'{name} is {quoted}; give 3 rows of 3 numbers') from None
    if not is_sound:
        raise NotFiniteError(f'{name} is {repr(rows)[:QUOTED]}; it must be nine finite numbers')


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


def joint_limits(
    limits: Sequence[Sequence[float] | None] | None, count: int
) -> tuple[Limits | None, ...]:
    """For each of `count` joints its (lower, upper) [rad], or None for a continuous joint.

    Raises InvalidArmError, NotFiniteError.
    """
    if limits is None:
        return (None,) * count
    try:
        rows = list(limits)
    except TypeError:
        raise InvalidArmError(f'joint limits are {limits!r}; give {count} pairs') from None
    if len(rows) != count:
        raise InvalidArmError(f'{len(rows)} joint limits given; give {count}')
    return tuple(_limit(f'limits of joint {joint}', row) for joint, row in enumerate(rows, 1))


def _limit(name: str, limit: Sequence[float] | None) -> Limits | None:
    if limit is None:
        return None
    try:
        lower, upper = (float(value) for value in limit)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArmError(
            f'{name} are {repr(limit)[:QUOTED]}; give (lower, upper) or None'
        ) from None
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
    """Whether a range of a joint [rad] is too wide to be meant, or too far from 0."""
    return max(upper - lower, lower, -upper) > MOST_ANGLE


def seed(
    values: Sequence[float] | None, limits: Sequence[Limits]
) -> tuple[float, float, float] | None:
    """Joint positions to stay near to [rad], or None. Raises InvalidArmError, NotFiniteError.

    A joint without limits may have made any number of turns.
    """
    if values is None:
        return None
    q1, q2, q3 = vector('the seed', values, 3)
    for joint, (position, (lower, _)) in enumerate(zip((q1, q2, q3), limits), 1):
        if lower > -math.inf:
            angle(f'the seed of joint {joint}', position)
    return q1, q2, q3


# --- settings -------------------------------------------------------------------------------------


def share(name: str, value: object) -> float:
    """A share from 0 to 1. Raises InvalidArmError, NotFiniteError, InvalidSettingError."""
    found = number(name, value)
    if not 0.0 <= found <= 1.0:
        raise InvalidSettingError(f'{name} is {found}; it is a share of a length: give 0 to 1')
    return found


def choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """One of the choices; InvalidSettingError lists them."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidSettingError(
            f'{name} is {repr(value)[:QUOTED]}; choose one of {", ".join(choices)}'
        )
    return value


def at_least_zero(name: str, value: float, unit: str) -> float:
    """A number of at least 0, infinity included, with its unit. Raises InvalidSettingError."""
    try:
        if value >= 0.0:
            return value
    except (TypeError, ValueError):
        pass
    text = str(value)[:QUOTED]
    raise InvalidSettingError(f'{name} is {text} {unit}; it must be a number of at least 0')


# --- arrays ---------------------------------------------------------------------------------------


def targets(values: ArrayLike) -> Floats:
    """Positions (N, 2) or poses (N, 3). Raises InvalidArmError, NotFiniteError."""
    rows = _rows('targets', values, (2, 3), 'positions (N, 2) or poses (N, 3)', InvalidArmError)
    _check_angles('targets: the phi', rows[:, 2:])
    return rows


def seeds(values: ArrayLike | None, count: int, limits: Sequence[Limits]) -> Floats | None:
    """`seed` for `count` targets: (3,) for all of them or (count, 3) [rad], or None."""
    if values is None:
        return None
    found = _floats('seeds', values, f'(3,) or ({count}, 3)', InvalidArmError)
    if found.shape not in ((3,), (count, 3)) or not np.isfinite(found).all():
        raise InvalidArmError(
            f'the seed has shape {found.shape}; give finite numbers, (3,) or ({count}, 3)'
        )
    for joint, (lower, _) in enumerate(limits):
        if lower > -math.inf:
            _check_angles(f'the seed of joint {joint + 1}', found.reshape(-1, 3)[:, [joint]])
    return found


def _check_angles(name: str, values: Floats) -> None:
    """A column (N, 1) of angles of a few turns [rad], or none. Raises InvalidArmError."""
    for row in np.flatnonzero(np.abs(values) > MOST_ANGLE)[:1]:
        angle(f'{name} in row {row}', values[row, 0])


def points(name: str, values: ArrayLike) -> Floats:
    """Points (N, 2) [m]. Raises InvalidSettingError, NotFiniteError."""
    return _rows(name, values, (2,), 'points (N, 2)', InvalidSettingError)


def _rows(
    name: str, values: ArrayLike, widths: Sequence[int], expected: str, error: type[IkCirclesError]
) -> Floats:
    rows = _floats(name, values, expected, error)
    if rows.ndim != 2 or rows.shape[1] not in widths:
        raise error(f'{name} have shape {rows.shape}; give {expected}')
    finite_rows = np.isfinite(rows).all(axis=1)
    if not finite_rows.all():
        row = int(np.argmin(finite_rows))
        raise NotFiniteError(f'{name}: row {row} is {rows[row]}; it must be finite numbers')
    return rows


def _floats(name: str, values: ArrayLike, expected: str, error: type[IkCirclesError]) -> Floats:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise error(f'{name} are not all numbers; give {expected}') from None


def distances(name: str, offsets: Floats) -> Floats:
    """Lengths (N,) of offsets (N, 2) [m]. Raises NotFiniteError if one overflows."""
    with np.errstate(over='ignore'):
        found: Floats = np.hypot(offsets[:, 0], offsets[:, 1])
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found)))
        raise NotFiniteError(f'{name}: row {row} is too far from the base; move it nearer')
    return found
