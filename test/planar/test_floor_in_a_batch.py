# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Many targets of an arm above a floor: each row is what a single target gives."""

import numpy as np
import pytest
from law_cases import cases
from test_floor_in_plane import arm_above, targets


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
