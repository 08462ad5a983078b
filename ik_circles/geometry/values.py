# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Values from outside as floats: numbers are read and text is not; how an error quotes them."""

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

#: What reading a value as a number raises.
UNREADABLE = (TypeError, ValueError, OverflowError)
#: An error quotes this much of a value [characters].
QUOTED = 60


def real(value: object) -> float:
    """A number as a float, infinite and NaN included; raises one of UNREADABLE for anything else.

    That includes text, which `float` would read, and values that numpy would turn into a float with
    a warning.
    """
    if type(value) is float:
        return value
    if isinstance(value, np.ndarray):
        value = value[()]  # what an array without dimensions holds
    if isinstance(value, (str, bytes, np.ndarray, np.complexfloating)):
        raise TypeError
    return math.ldexp(cast(float, value), 0)  # like `float`, but reads no buffers of text


def reals(values: Any) -> tuple[float, ...]:
    """A sequence of numbers, which is read once; raises one of UNREADABLE."""
    found: tuple[float, ...] = tuple(values)
    for value in found:
        if type(value) is not float:
            break
    else:
        return found  # the usual case, for which nothing has to be called
    if isinstance(values, (bytes, bytearray)):
        raise TypeError
    return tuple(map(real, found))


def real_rows(rows: Any) -> Sequence[Sequence[float]]:
    """Rows of numbers, which are read once; raises one of UNREADABLE."""
    if not isinstance(rows, np.ndarray):
        return tuple(map(reals, rows))
    read: Any = rows.tolist()
    # An array of floats has been converted by now.
    return read if rows.dtype.char == 'd' and rows.ndim == 2 else tuple(map(reals, read))


def array_of(values: object) -> NDArray[np.float64]:
    """Numbers in an array of floats; raises one of UNREADABLE."""
    found = np.asarray(values)
    if found.dtype.kind == 'O':
        return np.array([real(value) for value in found.flat], dtype=float).reshape(found.shape)
    if found.dtype.kind not in 'biuf':
        raise TypeError
    return np.asarray(found, dtype=float)


def quoted(value: object) -> str:
    """A value as an error quotes it: on one line, and not too long."""
    try:
        text = ' '.join(repr(value).split())
    except ValueError:  # of an integer with thousands of digits
        return f'a {type(value).__name__}'
    return text if len(text) <= QUOTED else f'{text[:QUOTED]}…'
