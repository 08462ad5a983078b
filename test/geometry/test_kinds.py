# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The error of a call that fails because of an argument of another kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from ik_circles import InvalidArmError, InvalidSettingError
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.kinds import names_wrong_kinds


class Stop(NamedTuple):
    time: float
    places: tuple[float, ...] = (0.0,)
    name: str | None = None


@dataclass
class Line:
    ends: tuple[tuple[float, float], ...]

    @names_wrong_kinds
    def __post_init__(self) -> None:
        self.ends = tuple((x + 0.0, y + 0.0) for x, y in self.ends)


@names_wrong_kinds
def total(
    stops: Sequence[Stop],
    weights: Mapping[str, float],
    rows: Floats,
    way: Callable[[float], float],
    count: int = 1,
    whole: bool = False,
    more: Any = 0.0,
) -> float:
    """A sum that fails in some line or other if an argument is of another kind."""
    if whole:
        raise InvalidSettingError('whole is True; give False')
    times = sum(stop.time * weights['one'] + sum(stop.places) for stop in stops)
    return way(times) + float((rows + 0.0).sum()) + [1.0, 2.0][count] + more


SOUND = {'stops': [Stop(1.0)], 'weights': {'one': 2.0}, 'rows': np.zeros((2, 3)), 'way': float}


@pytest.mark.parametrize(
    ('wrong', 'sentence'),
    [
        ({'stops': 5}, 'stops is 5; give (a Stop, ...)'),
        ({'stops': [5]}, 'stops is [5]; give (a Stop, ...)'),
        ({'stops': [Stop(1.0), Stop('a')]}, "stops[1].time is 'a'; give a finite number"),
        ({'stops': (Stop(1.0, 'a'),)}, "stops[0].places is 'a'; give (a finite number, ...)"),
        ({'stops': (one for one in 'ab')}, 'stops is <generator'),
        ({'weights': 'a'}, "weights is 'a'; give a mapping of names to numbers"),
        ({'weights': {'one': 'a'}}, "weights is {'one': 'a'}; give a mapping of names to numbers"),
        ({'rows': None}, 'rows is None; give an array of numbers'),
        ({'way': 5}, 'way is 5; give a function'),
        ({'count': 1.5}, 'count is 1.5; give an integer'),
        ({'whole': np.zeros(3)}, 'whole is array([0., 0., 0.]); give True or False'),
    ],
)
def test_the_error_names_the_argument_and_what_to_give(wrong, sentence):
    with pytest.raises(InvalidArmError) as raised:
        total(**{**SOUND, **wrong})
    assert str(raised.value).startswith(sentence)


def test_a_field_of_a_data_class_has_no_name_before_it():
    assert Line([(1, 2)]).ends == ((1.0, 2.0),)
    for ends in (5, [5], [(1.0, 2.0, 3.0)]):
        with pytest.raises(InvalidArmError, match=r'^ends is .*; give \(\(a finite number, a fin'):
            Line(ends)


def test_a_call_that_is_sound_is_as_without_it():
    assert total(**SOUND) == 4.0
    assert total.__name__ == 'total'
    with pytest.raises(InvalidSettingError, match=r'^whole is True'):
        total(**SOUND, whole=True)


def test_errors_that_no_argument_explains_are_passed_on():
    """They are faults of the code that is called."""
    with pytest.raises(IndexError):
        total(**SOUND, count=7)
    with pytest.raises(KeyError):
        total(**{**SOUND, 'weights': {}})
    with pytest.raises(TypeError):
        total(**SOUND, more='a')
    with pytest.raises(TypeError, match='missing 4 required'):
        total()
