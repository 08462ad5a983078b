# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A smooth motion to a target, and its answer: the floor may stop the arm on the way."""

from ik_circles.control.decision import Decision
from ik_circles.control.moves.plan import Plan, State, above, below, time_above_floor, to
from ik_circles.control.settings import MotionParameters
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm


def to_target(
    arm: RobotArm, parameters: MotionParameters, decision: Decision, state: State
) -> tuple[Plan, Decision]:
    """A motion from how the arm moves now to the command of a decision, and the answer.

    If the motion would go below the floor, it comes to rest before that. Then the answer is FLOOR,
    unless the decision had another reason already, and its command is where the arm will rest.
    """
    asked = to(arm, parameters, decision.command or {}, state)
    planned = above(arm, asked, state)
    if planned is asked:
        return planned, decision

    def sentence() -> str:
        clear = time_above_floor(arm, asked, state)
        why = below(arm, state, asked, clear, clear / asked.trajectory.duration)
        stops = f'{why}; the arm comes to rest before that'
        return stops if decision.code is Code.OK else f'{decision.message}; but {stops}'

    code = Code.FLOOR if decision.code is Code.OK else decision.code
    return planned, Decision(code, sentence, planned.end, decision.found)
