# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The declaration of a node's parameter: everything that ROS, the documents and checks need.

A group of parameters is a frozen dataclass whose fields are made by `parameter`. The declaration is
the only place where a parameter is written down: `ik_circles/ros/parameters.py` declares it to ROS
from here, and a test compares `config/ik_circles.yaml` and `docs/parameters.md` with it.
"""

import math
from dataclasses import dataclass, field, fields
from inspect import cleandoc
from typing import Any, TypeVar

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.values import UNREADABLE, quoted, real

Value = bool | int | float | str | tuple[str, ...]
Group = TypeVar('Group')


@dataclass(frozen=True)
class Parameter:
    """One parameter of a node; a number's range includes both ends.

    If the parameter is read at the start only, `start_only` says how to get another value.
    """

    name: str
    default: Value
    sentence: str
    unit: str = ''
    choices: tuple[str, ...] = ()
    lower: float = 0.0
    upper: float = math.inf
    start_only: str = ''


def parameter(default: Value, sentence: str, **more: Any) -> Any:
    """A dataclass field that declares a `Parameter`; the field gives it its name."""
    return field(default=default, metadata={'default': default, 'sentence': sentence, **more})


def parameters_of(group: Any) -> tuple[Parameter, ...]:
    """The parameters that a group, or an instance of it, declares."""
    return tuple(Parameter(name=one.name, **one.metadata) for one in fields(group))


def check(group: Any) -> None:
    """Raise InvalidSettingError if a value is not among its choices, in its range, or a list of
    texts."""
    for declared in parameters_of(group):
        name, value = declared.name, getattr(group, declared.name)
        lower, upper, unit = declared.lower, declared.upper, f' {declared.unit}'.rstrip()
        if declared.choices:
            checks.choice(name, value, declared.choices)
        if isinstance(declared.default, tuple) and not _are_texts(value):
            raise InvalidSettingError(f'{name} is {quoted(value)}; give a list of texts')
        if not isinstance(declared.default, float):
            continue
        if not lower <= _finite(value) <= upper:
            allowed = f'a finite number of at least {lower:g}'
            if upper < math.inf:
                allowed = f'a number from {lower:g} to {upper:g}'
            given = f'{name} is {quoted(value)}{unit}'
            raise InvalidSettingError(f'{given}; it must be {allowed}{unit}')


def _are_texts(value: object) -> bool:
    """Whether a value is a sequence of texts; a single text, a sequence of letters, is not."""
    return isinstance(value, (tuple, list)) and all(isinstance(one, str) for one in value)


def _finite(value: object) -> float:
    """A finite number; for anything else NaN, which is in no range."""
    try:
        found = real(value)
    except UNREADABLE:
        return math.nan
    return found if math.isfinite(found) else math.nan


def documented(group: type[Group]) -> type[Group]:
    """Add the parameters to the docstring of the group, in NumPy style."""
    # Python 3.13 and newer remove the indentation of a docstring; this does so on every Python.
    lines = [cleandoc(group.__doc__ or ''), '', 'Parameters', '----------']
    for declared in parameters_of(group):
        kind = type(declared.default).__name__
        if declared.choices:
            kind = '{' + ', '.join(map(repr, declared.choices)) + '}'
        unit = f' Unit: {declared.unit}.' if declared.unit else ''
        lines.append(f'{declared.name} : {kind}, default {declared.default!r}')
        lines.append(f'    {declared.sentence}{unit}')
    group.__doc__ = '\n'.join([*lines, ''])
    return group
