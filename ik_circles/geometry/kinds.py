# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arguments of a wrong kind, such as a number in place of an arm: an error names the argument.

Nothing is checked before a call. If it fails with an error of Python's own, its arguments are
compared with their annotations. So a sound call hardly takes longer, and no function has a list of
checks. An error without such an argument is passed on: it is a fault of this package.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from functools import wraps
from inspect import signature
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from ik_circles.errors import IkCirclesError, InvalidArmError
from ik_circles.geometry.arguments import Answer, Arguments
from ik_circles.geometry.values import UNREADABLE, array_of, quoted, real

#: What Python raises if a value is of another kind than the code expects.
RAISED = (TypeError, AttributeError, ValueError, ArithmeticError, LookupError)
#: How an error says what to give.
WORDS = {float: 'a finite number', int: 'an integer', str: 'a text', bool: 'True or False'}


def names_wrong_kinds(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """A function that raises InvalidArmError for an argument that is not as it is annotated."""

    @wraps(function)
    def asked(*given: Arguments.args, **named: Arguments.kwargs) -> Answer:
        try:
            return function(*given, **named)
        except IkCirclesError:
            raise
        except RAISED:
            _check(function, given, named)
            raise

    return asked


def _check(function: Callable[..., Any], given: Any, named: Any) -> None:
    """Raise InvalidArmError if an argument is not as it is annotated."""
    try:
        arguments = signature(function).bind(*given, **named).arguments
    except TypeError:
        return  # an argument is missing, or there is none of that name
    hints = get_type_hints(function)
    for name, value in arguments.items():
        for one, its, hint in _parts(name, value, hints.get(name, object)):
            if not _fits(its, hint):
                raise InvalidArmError(f'{one} is {quoted(its)}; give {_words(hint)}') from None


def _parts(name: str, value: Any, hint: Any) -> Iterator[tuple[str, Any, Any]]:
    """An argument with its annotation, and then what is in it: the fields of a named tuple or a
    data class, and those of named tuples in a sequence."""
    yield name, value, hint
    kind, of = type(value), '' if name == 'self' else f'{name}.'
    fields = [*getattr(kind, '_fields', ()), *getattr(kind, '__dataclass_fields__', ())]
    hints = get_type_hints(kind) if fields else {}
    for one in fields:
        yield f'{of}{one}', getattr(value, one), hints.get(one, object)
    if kind in (tuple, list):
        for number, one in enumerate(value):
            yield from _parts(f'{name}[{number}]', one, object)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is as it is annotated."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if kind in (int, float):
        return _is_number(value) and (kind is float or isinstance(value, int))
    if kind is np.ndarray:
        return _is_read(array_of, value)
    if kind is tuple and Ellipsis not in inner:
        return _is_sequence(value) and len(value) == len(inner) and all(map(_fits, value, inner))
    if kind in (tuple, Sequence):
        return _is_sequence(value) and all(_fits(one, inner[0]) for one in value)
    if kind is Mapping:
        return isinstance(value, Mapping) and all(_fits(one, inner[1]) for one in value.values())
    return kind is Any or not isinstance(kind, type) or isinstance(value, kind)


def _is_sequence(value: Any) -> bool:
    """Whether a value can be read again and again, and is neither a text nor without an order."""
    ordered = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes))
    return ordered and isinstance(value, Sized)


def _is_number(value: Any) -> bool:
    return _is_read(real, value) and math.isfinite(real(value))


def _is_read(read: Callable[[Any], object], value: Any) -> bool:
    try:
        read(value)
    except UNREADABLE:
        return False
    return True


def _words(hint: Any) -> str:
    """What to give, in words."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return ' or '.join(dict.fromkeys(map(_words, inner)))
    if kind is type(None):
        return 'None'
    if kind in WORDS:
        return WORDS[kind]
    if kind is np.ndarray:
        return 'an array of numbers'
    if kind in (tuple, Sequence):
        words = ['...' if one is Ellipsis else _words(one) for one in inner]
        return f'({", ".join(words)}{", ..." if kind is Sequence else ""})'
    if kind is Mapping:
        return 'a mapping of names to numbers'
    name = getattr(kind, '__name__', 'another value')
    return 'a function' if name == 'Callable' else f'{"an" if name[0] in "AEIO" else "a"} {name}'
