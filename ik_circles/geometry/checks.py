"""Checks of what the methods are given: each sentence names the value, the rule and the fix."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import cast

from ik_circles.errors import InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.geometry.circles import Point

#: The longest link of a chain is between these [m], as PlanarArm's.
SHORTEST, LONGEST = 1e-12, 1e12
#: How much of a value that cannot be read an error quotes [characters].
QUOTED = 60


def numbers(name: str, values: object) -> tuple[float, ...]:
    """Finite numbers of any count; InvalidArmError, NotFiniteError."""
    try:
        found = tuple(float(value) for value in cast(Iterable[float], values))
    except (TypeError, ValueError, OverflowError):
        raise InvalidArmError(
            f'{name} is {repr(values)[:QUOTED]}; give a sequence of numbers'
        ) from None
    if not all(map(math.isfinite, found)):
        raise NotFiniteError(f'{name} is {found}; it must be finite numbers')
    return found


def vector(name: str, values: object, size: int) -> tuple[float, ...]:
    """So many finite numbers."""
    found = numbers(name, values)
    if len(found) != size:
        raise InvalidArmError(f'{name} has {len(found)} numbers; give {size}')
    return found


def point(name: str, values: object) -> Point:
    """A point (x, y) in the plane [m]."""
    x, y = vector(name, values, 2)
    return x, y


def number(name: str, value: object) -> float:
    """A finite number."""
    return vector(name, (value,), 1)[0]


def link_lengths(name: str, values: object) -> tuple[float, ...]:
    """One length or more [m], each at least 0, the longest between SHORTEST and LONGEST."""
    lengths = numbers(name, values)
    if not lengths:
        raise InvalidArmError(f'{name} is empty; give one length [m] or more')
    if min(lengths) < 0.0:
        raise InvalidArmError(
            f'{name} has the negative length {min(lengths)} m; lengths are at least 0'
        )
    if not SHORTEST <= max(lengths) <= LONGEST:
        raise InvalidArmError(
            f'the longest of {name} is {max(lengths):.4g} m; '
            f'it must be between {SHORTEST:.0e} and {LONGEST:.0e} m'
        )
    return lengths


def choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """One of the choices; InvalidSettingError lists them."""
    if not isinstance(value, str) or value not in choices:
        raise InvalidSettingError(
            f'{name} is {repr(value)[:QUOTED]}; choose one of {", ".join(choices)}'
        )
    return value
