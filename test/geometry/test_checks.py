# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Input checks: what is sound comes back as floats; else the error names value, rule and fix."""

import math
import re
from decimal import Decimal
from itertools import combinations, product

import numpy as np
import pytest

from ik_circles import InvalidArmError, InvalidSettingError, NotFiniteError
from ik_circles.geometry import checks, joint_values

HUGE = np.array([[0.0, 0.0], [1.7e308, 1.7e308]])


def test_sound_values_come_back_as_floats():
    assert checks.number('x', Decimal('1.5')) == checks.number('x', np.array(1.5)) == 1.5
    assert checks.numbers('xs', range(3)) == (0.0, 1.0, 2.0)
    assert checks.numbers('xs', ()) == ()
    assert checks.vector('v', np.arange(3), 3) == (0.0, 1.0, 2.0)
    assert checks.point('p', [1, 2]) == (1.0, 2.0)
    assert checks.link_lengths('links', (0, 1, 2), 3) == (0.0, 1.0, 2.0)
    assert checks.link_lengths('links', (1e-12,)) == (1e-12,)
    assert checks.link_lengths('links', (1e12,)) == (1e12,)
    assert checks.joint_limits([None, (0, 1), (2, 2)], 3) == (None, (0.0, 1.0), (2.0, 2.0))
    assert checks.joint_limits(None, 2) == (None, None)
    assert joint_values.seed(None, ()) is None
    assert joint_values.seed(np.array([1, 2, 3]), ()) == (1.0, 2.0, 3.0)
    assert checks.share('k', 0) == 0.0 and checks.share('k', 1) == 1.0
    assert checks.choice('side', 'left', ('left', 'right')) == 'left'
    assert checks.at_least_zero('room', 0.0, 'm') == 0.0
    assert checks.at_least_zero('room', math.inf, 'm') == math.inf
    assert checks.targets([[1, 2]]).shape == (1, 2)
    assert checks.targets(np.empty((0, 3))).shape == (0, 3)
    assert checks.points('points', [[1, 2], [3, 4]]).shape == (2, 2)
    assert checks.distances('points', np.array([[3.0, 4.0]])) == [5.0]


def test_a_rotation_with_numbers_that_are_not_finite_is_refused_as_such():
    """Whichever two of the nine they are: none of them is taken for a rotation."""
    sound = (0.6, -0.8, 0.0), (0.8, 0.6, 0.0), (0.0, 0.0, 1.0)
    assert checks.rotation('rotation', sound) == sound
    unsound = math.nan, math.inf, -math.inf
    for (one, other), a, b in product(combinations(range(9), 2), unsound, (*unsound, 1.0, 1e200)):
        rows = np.array(sound)
        rows.flat[one], rows.flat[other] = a, b
        with pytest.raises(NotFiniteError, match='nine finite numbers'):
            checks.rotation('rotation', rows)


def test_angles_have_five_turns_at_most():
    """Rounding may put a limit of just five turns a little past them."""
    five = 10.0 * math.pi
    assert checks.angle('phi', five) == five
    assert checks.angle('phi', -five - 1e-10) == -five - 1e-10
    pairs = (-five, 0.0), (0.1, five + 0.1)
    assert checks.joint_limits(pairs, 2) == pairs
    for limits in ((0.0, five + 1e-6), (five + 1e-6, 35.0), (-35.0, -five - 1e-6)):
        assert checks.has_many_turns(*limits)
        with pytest.raises(InvalidArmError, match='more than 5 turns; are they in degrees'):
            checks.joint_limits([limits], 1)


@pytest.mark.parametrize(
    ('check', 'error', 'message'),
    [
        (lambda: checks.number('x', 'far'), InvalidArmError, "x is 'far'; give a number"),
        (lambda: checks.number('x', None), InvalidArmError, 'x is None; give a number'),
        (lambda: checks.number('x', 10**400), InvalidArmError, r'x is 10{59}…; give a number'),
        (lambda: checks.number('x', math.nan), NotFiniteError, 'x is nan; it must be a finite nu'),
        (lambda: checks.pose(0.0, -math.inf, 0.0), NotFiniteError, 'y is -inf; it must be a fin'),
        (lambda: checks.numbers('v', 3), InvalidArmError, 'v is 3; give a sequence of numbers'),
        (lambda: checks.numbers('v', (0, math.nan)), NotFiniteError, r'v is \(0.0, nan\); give'),
        (lambda: checks.vector('v', (1, 2), 3), InvalidArmError, 'v has 2 numbers; give 3'),
        (lambda: checks.point('p', (1, 2, 3)), InvalidArmError, 'p has 3 numbers; give 2'),
        (lambda: checks.link_lengths('links', (1, 2), 3), InvalidArmError, '2 links given; give 3'),
        (lambda: checks.link_lengths('links', ()), InvalidArmError, 'links is empty; give one'),
        (lambda: checks.link_lengths('links', (1, -2)), InvalidArmError, 'length -2.0 m is neg'),
        (lambda: checks.link_lengths('links', (0, 1e13)), InvalidArmError, r'1e\+13 m; .* between'),
        (lambda: checks.link_lengths('links', (0, 1e-13)), InvalidArmError, 'is 1e-13 m; it must'),
        (lambda: checks.joint_limits(5, 2), InvalidArmError, 'joint limits are 5; give 2 pairs'),
        (lambda: checks.joint_limits([None], 2), InvalidArmError, '1 joint limits given; give 2'),
        (lambda: checks.joint_limits([None, (1,)], 2), InvalidArmError, r'joint 2 are \(1,\)'),
        (lambda: checks.joint_limits([('a', 1)], 1), InvalidArmError, r"joint 1 are \('a', 1\)"),
        (lambda: checks.joint_limits([(0, math.inf)], 1), NotFiniteError, r'\(0.0, inf\) rad'),
        (lambda: checks.joint_limits([(math.nan, 0)], 1), NotFiniteError, r'\(nan, 0.0\) rad; g'),
        (lambda: checks.joint_limits([(1, 0)], 1), InvalidArmError, '1.0 rad > upper 0.0 rad'),
        (lambda: joint_values.seed((0, 0), ()), InvalidArmError, 'the seed has 2 numbers; give 3'),
        (lambda: joint_values.seed((0, 0, math.nan), ()), NotFiniteError, 'the seed is .*nan'),
        (lambda: checks.share('k', 1.1), InvalidSettingError, 'k is 1.1; it is a share of a len'),
        (lambda: checks.share('k', -0.1), InvalidSettingError, 'k is -0.1; .*give 0 to 1'),
        (lambda: checks.choice('side', 'up', ('l', 'r')), InvalidSettingError, "'up'; .* of l, r"),
        (lambda: checks.choice('side', 7, ('l', 'r')), InvalidSettingError, 'side is 7; choose'),
        (lambda: checks.at_least_zero('room', -1.0, 'm'), InvalidSettingError, '-1.0 m; it must'),
        (lambda: checks.at_least_zero('room', math.nan, 'm'), InvalidSettingError, 'room is nan m'),
        (lambda: checks.targets([1.0, 2.0]), InvalidArmError, r'\(2,\); give positions \(N, 2\)'),
        (lambda: checks.targets([[1.0] * 4]), InvalidArmError, r'shape \(1, 4\)'),
        (lambda: checks.targets('x'), InvalidArmError, 'targets are not all numbers; give pos'),
        (lambda: checks.points('p', [[0] * 3]), InvalidSettingError, r'\(1, 3\); give points'),
        (lambda: checks.points('p', [[0, 0], [0, math.nan]]), NotFiniteError, 'p: row 1 is .*nan'),
        (lambda: checks.distances('p', HUGE), NotFiniteError, 'p: row 1 is too far from the base'),
    ],
)
def test_bad_input_names_the_value_the_rule_and_the_fix(check, error, message):
    with pytest.raises(error) as raised:
        check()
    assert re.search(message, str(raised.value)), raised.value
