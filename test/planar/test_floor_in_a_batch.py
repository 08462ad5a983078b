# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many targets of an arm above a floor: each row is what a single target gives."""

import numpy as np
import pytest
from law_cases import cases
from test_floor_in_plane import arm_above, targets

from ik_circles import Floor, PlanarArm


@pytest.mark.parametrize('seed', range(cases(300, 30)))
def test_each_row_is_the_verdict_on_one_target(seed):
    rng = np.random.default_rng(seed)
    arm = arm_above(rng)
    rows = [(point.real, point.imag, phi) for point, phi in targets(rng, arm)]
    for with_phi in (False, True):
        asked = [row if with_phi else row[:2] for row in rows]
        answers = arm.check_reachability_batch(asked)
        for number, row in enumerate(asked):
            one, told = arm.check_reachability(*row), f'{arm!r}, {row}'
            assert answers.code[number] == one.code, told
            np.testing.assert_equal(answers.margin[number], one.margin, told)
            if one.nearest is None:
                assert np.isnan(answers.nearest[number]).all(), told
                assert np.isnan(answers.nearest_joint_positions[number]).all(), told
            else:
                assert tuple(answers.nearest[number]) == one.nearest, told
                q = tuple(answers.nearest_joint_positions[number])
                assert q == one.nearest_joint_positions, told
    found, alone = arm.solve_batch(rows), [arm.solve(*row) for row in rows]
    for q, one in zip(found.tolist(), alone):
        assert np.isnan(q).all() if one is None else tuple(q) == one


@pytest.mark.parametrize('rows', [0, 1, 5])
def test_if_all_of_an_arm_is_below_the_floor_no_row_has_anything_nearest(rows):
    arm = PlanarArm((0.4, 0.3, 0.2), [(0.0, 0.1)] * 3, floor=Floor(0.5))
    for columns in (2, 3):
        found = arm.check_reachability_batch(np.zeros((rows, columns)) + 0.4)
        assert found.nearest.shape == found.nearest_joint_positions.shape == (rows, 3)
        assert np.isnan([found.nearest, found.nearest_joint_positions]).all()
