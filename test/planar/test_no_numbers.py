# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is no number is refused in one sentence, wherever a planar arm asks for a number."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from ik_circles import IkCirclesError, PlanarArm
from ik_circles.planar.zones import SafeZones

ARM = PlanarArm((0.4, 0.3, 0.2), ((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
NO_NUMBERS = {
    'list': [],
    'dict': {},
    'tuple': (),
    'set': set(),
    'none': object(),
    'empty text': '',
    'text': '0.5',
    'bytes': b'1',
    'bytearray': bytearray(b'1'),
    'text of numpy': np.array('0.5'),
    'complex zero': 0j,
    'complex': 1j,
    'array of one': np.array([0.5]),
    'array of two': np.array([0.5, 1.0]),
    'too large': 10**400,
    'too large to be written': 10**5000,
    'decimal NaN': Decimal('NaN'),
    'signaling NaN': Decimal('sNaN'),
}
ASKED = {
    'position': lambda v: ARM.check_reachability(v, 0.2),
    'orientation': lambda v: ARM.check_reachability(0.6, 0.2, v),
    'x of a pose': lambda v: ARM.inverse_kinematics(v, 0.2, 0.5),
    'y of a pose': lambda v: ARM.inverse_kinematics(0.6, v, 0.5),
    'phi of a pose': lambda v: ARM.inverse_kinematics(0.6, 0.2, v),
    'phi of a pose afar': lambda v: ARM.inverse_kinematics(6.0, 0.2, v),
    'seed': lambda v: ARM.inverse_kinematics(0.6, 0.2, 0.5, seed=(0.0, v, 0.0)),
    'solve': lambda v: ARM.solve(0.6, 0.2, v),
    'tolerance': lambda v: ARM.solve(0.6, 0.2, 0.5, orientation_tolerance=v),
    'share': lambda v: ARM.solve(0.6, 0.2, redundancy='z_form', z_form_k=v),
    'intervals': lambda v: ARM.orientation_intervals(v, 0.2),
    'joint positions': ARM.forward_kinematics,
    'joint position': lambda v: ARM.forward_kinematics((0.0, v, 0.0)),
    'batch': lambda v: ARM.solve_batch([(v, 0.2)]),
    'batch of verdicts': lambda v: ARM.check_reachability_batch([(0.6, 0.2, v)]),
    'links': lambda v: PlanarArm((1.0, v, 1.0)),
    'limits': lambda v: PlanarArm((1.0, 1.0, 1.0), (None, None, (v, 1.0))),
    'zones': lambda v: SafeZones.of(ARM, v),
}
NAN_IS_TAKEN = {('joint position', 'decimal NaN')}


@pytest.mark.parametrize('asked', ASKED)
def test_what_is_no_number_is_refused(asked):
    for name, value in NO_NUMBERS.items():
        if (asked, name) not in NAN_IS_TAKEN:
            with pytest.raises(IkCirclesError) as raised:
                ASKED[asked](value)
            assert len(str(raised.value)) < 200, name


@pytest.mark.parametrize('value', ['1', 'a', None, 10**400, object()])
def test_dexterity_takes_numbers_and_arrays(value):
    with pytest.raises(IkCirclesError):
        ARM.dexterity(value, 0.2)
    with pytest.raises(IkCirclesError, match=r'x and y: .*; give one shape'):
        ARM.dexterity(np.zeros(2), np.zeros(3))


@pytest.mark.parametrize('number', [Decimal, Fraction, np.float32, np.float64, np.array])
def test_numbers_of_any_kind_are_taken(number):
    """0.5 and 0.25 are the same in all of them."""
    x, y, phi = number(0.5), number(0.25), number(0.5)
    wanted = ARM.inverse_kinematics(0.5, 0.25, 0.5)
    assert wanted and ARM.inverse_kinematics(x, y, phi) == wanted
    assert ARM.check_reachability(x, y, phi).solutions == wanted
    assert ARM.solve(x, y, phi) == ARM.solve(0.5, 0.25, 0.5)
    assert ARM.orientation_intervals(x, y) == ARM.orientation_intervals(0.5, 0.25)
