# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Arguments that people mix up: a point as one argument or x and y as two, and joint positions.

Python's own error would only count the arguments; a sentence here says how to write them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ik_circles.errors import InvalidArmError
from ik_circles.geometry.values import quoted

Arguments = ParamSpec('Arguments')
Answer = TypeVar('Answer')
#: Types of an orientation in space; an angle is a number.
ROWS = (list, tuple, np.ndarray)


def takes_point(method: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """A method that takes a point in space, and phi after it.

    It raises InvalidArmError if the point is given as three numbers, or phi as rows.
    """
    name = method.__name__

    @wraps(method)
    def asked(*given: Arguments.args, **named: Arguments.kwargs) -> Answer:
        if len(given) > 3:
            x, y, z, *phi = map(quoted, given[1:5])
            raise InvalidArmError(
                f'{name} takes a point as one argument, and {len(given) - 1} numbers are given; '
                f'give {name}({", ".join([f"({x}, {y}, {z})", *phi])})'
            )
        if len(given) == 3 and isinstance(given[2], ROWS):
            raise InvalidArmError(
                f'phi of {name} is {quoted(given[2])}; give an orientation in space as rotation=...'
            )
        return method(*given, **named)

    return asked


def takes_x_and_y(method: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """A method that takes x and y; a point raises InvalidArmError."""
    name = method.__name__

    @wraps(method)
    def asked(*given: Arguments.args, **named: Arguments.kwargs) -> Answer:
        if len(given) > 1 and not isinstance(given[1], float) and _coordinates(given[1]):
            _, point, *more = given
            numbers = ', '.join(map(quoted, [*_coordinates(point), *more]))
            raise InvalidArmError(
                f'{name} takes x and y as two arguments, and x is {quoted(point)}; give '
                f'{name}({numbers})'
            )
        return method(*given, **named)

    return asked


def takes_one(
    what: str, written: str, after: int = 0
) -> Callable[[Callable[Arguments, Answer]], Callable[Arguments, Answer]]:
    """A method that takes `what` as one argument, after some others; more raise InvalidArmError.

    The error shows how the arguments are `written`, with the numbers in place of {}.
    """

    def taking_one(method: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        name = method.__name__

        @wraps(method)
        def asked(*given: Arguments.args, **named: Arguments.kwargs) -> Answer:
            if len(given) > 2 + after:
                numbers = given[1 + after :]
                said = ', '.join(map(quoted, numbers))
                raise InvalidArmError(
                    f'{name} takes {what} as one argument, and {len(numbers)} numbers are given; '
                    f'give {name}({written.format(said)})'
                )
            return method(*given, **named)

        return asked

    return taking_one


def _coordinates(value: Any) -> list[Any]:
    """Two or three numbers in a sequence or an array; [] for everything else."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    is_point = isinstance(value, (list, tuple)) and len(value) in (2, 3)
    return [*value] if is_point else []
