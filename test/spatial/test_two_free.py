# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two joints that are nearly free at once: solutions of formulas of the second order are found."""

from types import SimpleNamespace

import numpy as np
import pytest
from law_cases import cases

from ik_circles.spatial.true_axes.two_free import (
    FARTHEST_STEPS,
    STEP,
    AskedOfChain,
    LeftOver,
    held,
    next_to_double,
)

ASKED = AskedOfChain((0.0, 0.0, 0.0), np.eye(3).tolist(), 3)


class Formulas:
    """Stands for a chain of six joints: four motions have to be at `still`, and of the other two,
    the squares minus `squares` have to vanish. All of it is seen from somewhere else."""

    def __init__(self, rng, squares, still=0.0):
        self.motions, self.sides = (np.linalg.qr(rng.normal(size=(6, 6)))[0] for _ in range(2))
        self.squares, self.still = np.array(squares), still

    def placed(self, angles):
        x = self.motions @ angles
        missing = np.append(x[:4] - self.still, x[4:] ** 2 - self.squares)
        columns = self.sides @ np.diag(np.append(np.ones(4), 2.0 * x[4:])) @ self.motions
        return SimpleNamespace(all_to=lambda *asked: (columns, self.sides @ -missing))

    def at(self, one, other):
        """The angles with two motions at these places, and the others as they have to be."""
        return self.motions.T @ np.append([self.still] * 4, (one, other))


def found_by(some):
    return np.array([*next_to_double(some, ASKED, some.at(0.0, 0.0).tolist())])


@pytest.mark.parametrize('steps', [0.5, 2.5, FARTHEST_STEPS])
def test_all_four_places_where_both_errors_vanish_are_found_as_far_as_they_count(steps):
    """Next to those that are less than a step away, others are looked for."""
    rng = np.random.default_rng(0)
    for _ in range(cases(400, least=4)):
        one, other = steps * STEP * rng.uniform(0.5, 0.7, 2)
        some = Formulas(rng, (one * one, other * other), rng.uniform(-0.1, 0.1))
        found = found_by(some)
        for signs in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            expected = some.at(signs[0] * one, signs[1] * other)
            assert np.abs(found - expected).max(axis=1).min() <= 1e-6 * steps
        assert (len(found) > 4) == (steps < 1.0)


def test_places_too_far_for_the_second_order_do_not_count():
    rng = np.random.default_rng(1)
    far = (1.5 * FARTHEST_STEPS * STEP) ** 2
    for _ in range(cases(200, least=5)):
        assert len(found_by(Formulas(rng, (far, far)))) == 0


def test_errors_that_just_do_not_vanish_have_a_place_beside_where_they_are_least():
    rng = np.random.default_rng(2)
    for _ in range(cases(200, least=5)):
        some = Formulas(rng, (-1e-10, (0.4 * STEP) ** 2))
        expected = some.at(0.0, 0.4 * STEP)
        assert np.abs(found_by(some) - expected).max(axis=1).min() <= 1e-4


def test_what_is_left_with_two_motions_held_is_as_far_as_they_are_off():
    rng = np.random.default_rng(3)
    for _ in range(cases(200, least=5)):
        some, (one, other) = Formulas(rng, (0.04, 0.01), 0.2), rng.uniform(-0.3, 0.3, 2)
        start = some.at(one, other) + some.motions[:4].T @ rng.uniform(-0.1, 0.1, 4)
        ways, lacked = some.motions[4:], some.sides[:, 4:]
        told = held(some, ASKED, LeftOver(start, np.zeros(2)), ways, lacked, 3)
        np.testing.assert_allclose(told.angles, some.at(one, other), atol=1e-12)
        np.testing.assert_allclose(told.left, (0.04 - one * one, 0.01 - other * other), atol=1e-12)
        asked = LeftOver(start, np.array((7.0, 8.0)))
        assert held(some, ASKED, asked, ways, lacked, 0) == asked
