# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a smooth target is answered: where the arm will rest, and why if that is not the target."""

import re

import pytest
from law_cases import cases
from moving_arms import PARAMETERS, floor_near, moving_state, some_robot

from ik_circles.control.decision import Decision
from ik_circles.control.moves.plan import to
from ik_circles.control.moves.target_motion import to_target
from ik_circles.control.refusals import Refusal
from ik_circles.reasons import Code

DEEP = re.compile(
    r'after ([\d.e-]+) % of its way, the motion would go below the floor, by \S+ m or more; '
    '.*; the arm comes to rest before that'
)


def test_the_floor_is_told_where_it_stops_a_smooth_motion():
    """Law: FLOOR, with the figure, and the command is where the arm rests; OK if it gets there."""
    told = 0
    for seed in range(cases(1500, least=100)):
        robot, random = some_robot(seed)
        state, goal = moving_state(robot, random, random.choice([0.0, 1.0])), robot.drawn(random)
        whole = Decision(Code.OK, 'reachable', goal)
        try:
            free = to(robot.arm, PARAMETERS, goal, state)
            arm = robot.arm.above(floor_near(robot.arm, free, state, random))
            planned, decision = to_target(arm, PARAMETERS, whole, state)
        except Refusal:
            continue
        if planned.end == pytest.approx(goal, abs=1e-9):
            assert decision is whole
            continue
        told += 1
        assert decision.code is Code.FLOOR
        assert decision.command == planned.end
        share = DEEP.fullmatch(decision.message)
        assert share and 0.0 <= float(share[1]) < 100.0
        beside = Decision(Code.TOO_FAR, 'too far by 0.1 m', goal)
        _, decision = to_target(arm, PARAMETERS, beside, state)
        assert (decision.code, decision.command) == (Code.TOO_FAR, planned.end)
        assert decision.message.startswith('too far by 0.1 m; but after ')
    assert told > 10
