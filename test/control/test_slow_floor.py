# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A slowed arm beside the floor, whose next motion begins behind: it has time, and stays above."""

import numpy as np
import pytest
from law_cases import cases
from mover_arm import PERIOD, SO101, Arm
from moving_arms import PARAMETERS, height, lowest_on_the_way, positions_at
from slowed_controller import SlowedController

from ik_circles.control.floor import BOUND_ROUNDING, GRAZE
from ik_circles.control.moves.plan import Plan, State, above, to
from ik_circles.control.moves.playing import Playing
from ik_circles.control.refusals import Refusal
from ik_circles.reasons import Code

#: So much is asked for at most, in acceleration limits.
SLOWED = 1.02
#: A target that is taken stays above the floor to within this, a stop to within that [m].
TARGET_BELOW, STOP_BELOW = GRAZE + 2.0 * BOUND_ROUNDING, 2.0 * GRAZE
#: Targets that were asked for three times the limit, because only the stop above the floor is left.
ONLY_A_STOP = 19, 51


def drawn(random):
    return {
        name: random.uniform(max(joint.lower, -1.9), min(joint.upper, 1.9)) * 0.9
        for name, joint in SO101.joints.items()
    }


def beside_the_floor(random):
    """An arm with a floor beside its way, and its slowed controller near the lowest place."""
    arm, start = Arm(), State(drawn(random))
    arm.measured.update(start.positions)
    planned = to(SO101, PARAMETERS, drawn(random), start)
    room = float(random.choice([2e-4, 1e-3, 1e-2]))
    floored = SO101.above(lowest_on_the_way(SO101, planned, start, count=80) - room)
    controller = SlowedController(arm, random.uniform(0.1, 1.0), late=random.integers(3))
    duration = planned.trajectory.duration
    arm.mover.begin(Playing(planned._replace(arm=floored), 0.0), True, arm.measured)
    times = np.linspace(0.0, duration, 80).tolist()
    heights = [height(SO101, positions_at(planned, start, time)) for time in times]
    when = times[int(np.argmin(heights))] - random.uniform(-0.1, 0.4)
    controller.steps(max(min(when, 0.95 * duration), 0.02) / controller.speed)
    return arm, controller, floored, planned.end


def depth(controller, floor):
    """How far the path that a controller plays gets below a floor [m]."""
    played = Plan(controller.joints, controller.path, None)
    return floor - lowest_on_the_way(SO101, played, State(controller.arm.measured))


@pytest.mark.parametrize('seed', sorted({*range(cases(40)), *ONLY_A_STOP}))
def test_a_target(seed):
    random = np.random.default_rng(seed)
    arm, controller, floored, end = beside_the_floor(random)
    ranges = {name: (joint.lower, joint.upper) for name, joint in SO101.joints.items()}
    goal = {name: np.clip(at + 0.2 * random.normal(), *ranges[name]) for name, at in end.items()}
    state = arm.mover.state(arm.now, arm.measured)
    try:
        planned = above(floored, to(floored, PARAMETERS, goal, state), state)
    except Refusal as refusal:
        assert refusal.code is Code.FLOOR
        return
    arm.mover.begin(Playing(planned, arm.now), False, arm.measured)
    controller.steps(PERIOD)
    assert controller.asked <= SLOWED
    assert depth(controller, floored.floor) <= TARGET_BELOW


@pytest.mark.parametrize('seed', range(cases(40)))
def test_a_stop(seed):
    arm, controller, floored, _ = beside_the_floor(np.random.default_rng(seed))
    assert arm.mover.stop(Code.CANCELED, 'canceled', arm.now)
    controller.steps(PERIOD)
    assert controller.asked <= SLOWED
    assert depth(controller, floored.floor) <= STOP_BELOW
