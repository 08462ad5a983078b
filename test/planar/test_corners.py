# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Corners: hypothesis looks for arms and targets that break a law, and cases known to be hard."""

import cmath
import math

import numpy as np
import pytest
from consistency import assert_consistent, assert_solutions
from random_arms import tip

from ik_circles import PlanarArm

PI = math.pi


@pytest.fixture(scope='module')
def draws():
    """Imported only here: hypothesis takes a second to import, in each worker that collects."""
    import corner_draws

    return corner_draws


def assert_answers(arm, x, y, phi):
    """Nothing fails, with an orientation and without one, and all answers agree."""
    target = f'{arm!r}, ({x!r}, {y!r}, {phi!r})'
    assert_solutions(arm, complex(x, y), phi, target)
    for wanted in (None, phi):
        assert_consistent(arm, complex(x, y), wanted, np.empty(0), target)


def test_what_joints_reach_is_reached(draws):
    def law(given_one):
        arm, q = given_one
        point, phi = tip(arm, q)
        assert arm.inverse_kinematics(point.real, point.imag, phi)
        assert arm.check_reachability(point.real, point.imag, phi).reachable
        assert arm.check_reachability(point.real, point.imag).margin >= 0.0
        assert_answers(arm, point.real, point.imag, phi)

    draws.search(law, draws.arms_and_joints())


def test_any_target_has_an_answer(draws):
    def law(arm, share, direction, phi, trifle):
        length_1, length_2, length_3 = arm.link_lengths
        for distance in (
            share * arm.max_reach, arm.max_reach, arm.min_reach, length_1, length_1 + length_2,
            abs(length_1 - length_2), abs(length_1 - abs(length_2 - length_3)), 0.0,
        ):
            point = (distance + trifle * arm.max_reach) * cmath.exp(1j * direction)
            assert_answers(arm, point.real, point.imag, phi)

    draws.search(law, *draws.ANY_TARGET)


@pytest.mark.parametrize(
    ('lengths', 'limits', 'q'),
    [
        ((0.7811137559476746, 0.7811137605469464, 0.8011142771271855),
         ((-PI, -3.1344809423834485), (1.1042606046655727, PI), (PI / 2.0, PI / 2.0)),
         (-PI, 3.14159265358908, PI / 2.0)),
        ((0.7389520073300019, 0.7572387293401432, 0.7572387293401432),
         ((PI, 3.141592653609321), (-PI, -3.1415925348181943),
          (0.3168360531751109, 0.31683605317713515)),
         (PI, -3.1415925348181943, 0.3168360531769461)),
        ((0.07950332886507509, 5.272574180414744e-14, 0.7721575395461063),
         ((-2.0 * PI, -2.0 * PI), (-PI / 2.0, -PI / 2.0), (4.560401687851305, 5.230998713533272)),
         (-2.0 * PI, -PI / 2.0, 5.185671005937831)),
        ((0.7738378324504898, 6.0189581946223924e-12, 0.1384380830980329),
         ((0.0, PI), (-0.15548648129098444, 0.1926117930349183), (-14.8, 3.264427988832654)),
         (0.0, -0.15548648129098444, PI)),
        ((0.8106854236149573, 0.6253458922965027, 3.1344531111397967e-10),
         ((-2.0 * PI, -6.283184964133351), (-3.259548577628124, -PI), (-2.5778, 0.1049)),
         (-6.283184964133351, -3.1523449807280017, -0.12258322895987916)),
        ((0.41991666673042616, 1.9164745982187895e-07, 0.32167215966471235),
         ((0.6040459422429271, 0.9305557997033786), None, (1.0039978092517163, 1.461665534223248)),
         (0.9305557997033786, 7.000208206218501e-05, 1.0039978092517163)),
    ],
    ids=['nearly equal links folded', 'folded on two limits', 'a link as short as the tolerance',
         'a short link on two limits', 'no two alike', 'a limit that solving again meets'],
)
def test_solutions_on_limits_that_were_missed_once(lengths, limits, q):
    arm = PlanarArm(lengths, limits)
    point, phi = tip(arm, q)
    found = arm.inverse_kinematics(point.real, point.imag, phi)
    assert found
    assert len(set(found)) == len(found)
    assert_answers(arm, point.real, point.imag, phi)
