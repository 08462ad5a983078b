# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A straight line to a far target is the line to a nearer one in the same direction, extended."""

import numpy as np
import pytest
from law_cases import cases
from random_arms import random_arm, random_joints, tip

#: Lengths of the lines [reaches of the arm].
NEAR, FAR = 2.05, (3.0, 40.0, 1e6)


@pytest.mark.parametrize('orientation', ['held', 'free'])
def test_a_line_to_a_far_target_goes_where_one_to_a_nearer_target_goes(orientation):
    rng = np.random.default_rng(31)
    ended = 0
    for _ in range(cases(600)):
        arm = random_arm(rng)
        q, reach = random_joints(rng, arm), arm.max_reach
        start, way = tip(arm, q)[0], np.exp(1j * rng.uniform(-np.pi, np.pi))

        def line_of(length, arm=arm, q=q, start=start, way=way):
            end = start + length * way
            return arm.straight_line(q, (end.real, end.imag), orientation=orientation)

        near = line_of(NEAR * reach)
        followed = near.share * NEAR
        for length in FAR:
            far = line_of(length * reach)
            assert far.share * length == pytest.approx(followed, abs=2e-6 * NEAR)
            # Free lines end to 1e-6 of the line: where two things end one, either may be named.
            assert orientation == 'free' or _reason(far) == _reason(near)
            for part in rng.uniform(0.0, 0.99, 3) * followed * reach:
                place = start + part * way
                share = part / length / reach
                there = tip(arm, far.positions(share))[0]
                assert tip(arm, far.rows(np.array([share]))[0])[0] == pytest.approx(there, abs=1e-8)
                assert there == pytest.approx(place, abs=1e-8)
            for line in (near, far):  # at a break, the tool begins to turn at another rate
                assert all(0.0 < share < line.share for share in line.breaks)
            ended += followed > 0.01
    assert ended > 0


def _reason(line):
    """Why the line ends, without how much of it that is, and without asking for meters."""
    return line.code, line.message.partition(': ')[2].partition('; is it in')[0]
