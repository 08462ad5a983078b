# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the card advises where the way to a typed place leads below the floor gets the arm there."""

import math

import numpy as np
import pytest
from viewer_arms import ARMS

from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.reasons import Code
from ik_circles.robot.arm import Point3, RobotArm
from ik_circles.viewer.orientation import target_at
from ik_circles.viewer.plain_words import plain
from ik_circles.viewer.targets import answered, point_of

SETTINGS, MOTION = Settings(), MotionParameters()
#: Refused ways that are tried, steps of each part of a drag, and its heights above the higher end,
#: in reaches of the arm.
CASES, STEPS, HEIGHTS = 3, 8, (0.1, 0.3)
#: How near the arm gets [m].
NEAR = 1e-6

Positions = dict[str, float]


def tip(arm: RobotArm, positions: Positions) -> Point3:
    return point_of(arm.forward_kinematics(positions)[:3, 3])


def to(arm: RobotArm, positions: Positions, at: Point3) -> Positions:
    """Where the joints go for a ball there, with the tool level if it can be; stay if refused."""
    answer = answered(arm, SETTINGS, target_at(arm, at, (0.0,), positions), positions)
    return {**positions, **(answer.command or {})}


def refusal(arm: RobotArm, start: Positions, end: Positions) -> str:
    """Why the joints cannot go there together, '' if they can."""
    try:
        plan(arm, SETTINGS, MOTION, Wish(joints=end), State(start, dict.fromkeys(start, 0.0)))
    except Refusal as refused:
        assert refused.code is Code.FLOOR
        return plain(str(refused))
    return ''


def high_arc(start: Point3, end: Point3, height: float) -> list[Point3]:
    """Straight up, around the base, and straight down; a turn that does not pass behind it."""
    (radius, angle), (other, last) = (
        (math.hypot(*one[:2]), math.atan2(one[1], one[0])) for one in (start, end)
    )
    shares = np.linspace(0.0, 1.0, STEPS)
    up = [(*start[:2], start[2] + share * (height - start[2])) for share in shares]
    down = [(*end[:2], height + share * (end[2] - height)) for share in shares]
    around = [
        (r * math.cos(turn), r * math.sin(turn), height)
        for r, turn in zip(np.linspace(radius, other, STEPS), np.linspace(angle, last, STEPS))
    ]
    return [(float(x), float(y), float(z)) for x, y, z in up + around + down]


def test_a_ball_that_is_dragged_in_a_high_arc_leads_to_where_the_joints_together_may_not() -> None:
    arm, rng, tried = ARMS['px100'].above(0.0), np.random.default_rng(0), 0
    reach = arm.arm.max_reach
    while tried < CASES:
        start = {name: float(rng.uniform(-1.5, 1.5)) for name in arm.commanded_joints}
        place = tip(arm, {name: float(rng.uniform(-1.5, 1.5)) for name in start})
        if refusal(arm, start, start):  # it begins below the floor
            continue
        end = to(arm, start, place)
        if not (why := refusal(arm, start, end)):
            continue
        assert 'Drag the ball there in a high arc' in why
        begin, tried = tip(arm, start), tried + 1
        missed = []
        for height in HEIGHTS:
            positions = start
            for at in high_arc(begin, place, max(begin[2], place[2]) + height * reach):
                positions = to(arm, positions, at)
            missed.append(math.dist(tip(arm, positions), place))
        assert min(missed) == pytest.approx(0.0, abs=NEAR)
