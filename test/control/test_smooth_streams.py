# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Smooth streams go on from what was sent, however seldom and however late joints are measured."""

from collections import deque

import numpy as np
import pytest
from law_cases import cases
from mover_arm import HOME, NAMES, NEAR, PERIOD, SO101, THERE, Arm
from moving_arms import PARAMETERS

from ik_circles.control.moves.plan import to
from ik_circles.control.moves.playing import Playing
from ik_circles.control.moves.sent import UNDERWAY
from ik_circles.control.seed import JointMemory


class SeldomMeasured(Arm):
    """An arm that does what it is sent, and is measured every so often, a while ago [s]."""

    def __init__(self, every, ago):
        self.memory, self.every, self.due = JointMemory(SO101), every, 0.0
        self.places = deque([HOME] * (round(ago / PERIOD) + 1))
        super().__init__()

    @property
    def resting(self):
        return self.memory.resting(NEAR)

    def hear(self):
        if self.now >= self.due:
            self.due = self.now + self.every
            self.memory.hear(NAMES, [self.places[0][name] for name in NAMES])
            super().hear()

    def step(self):
        self.steps(PERIOD)
        self.memory.commanded(self.measured)
        self.places.append(dict(self.measured))
        self.places.popleft()


@pytest.mark.parametrize('every', [0.01, 0.1, 0.2, 0.4])
@pytest.mark.parametrize('ago', [0.0, 0.15])
def test_all_limits_are_kept_whenever_joints_are_measured(every, ago):
    """Law: also if a target comes soon after the motion before it has ended."""
    for seed in range(cases(100)):
        random, arm = np.random.default_rng(seed), SeldomMeasured(every, ago)
        target = 0.0
        while arm.now < 12.0:
            if arm.now >= target:
                target = arm.now + random.uniform(0.02, random.choice([0.3, 1.5]))
                goal = {name: float(random.uniform(-1.0, 1.0)) for name in NAMES}
                planned = to(SO101, PARAMETERS, goal, arm.mover.state(arm.now, arm.resting))
                arm.mover.begin(Playing(planned, arm.now))
            arm.step()
        arm.check_smooth()


@pytest.mark.parametrize('is_blocked', [False, True])
def test_an_arm_that_is_elsewhere_later_is_believed(is_blocked):
    """It was blocked, or pushed: the next motion begins where it is measured."""
    arm = Arm()
    arm.begin(is_goal=False)
    arm.steps(9.0, follows=not is_blocked)
    arm.measured = HOME
    assert arm.mover.state(arm.now, arm.measured).positions['elbow_flex'] == THERE['elbow_flex']
    arm.now += UNDERWAY + PERIOD
    arm.hear()
    assert arm.mover.state(arm.now, arm.measured).positions == HOME
