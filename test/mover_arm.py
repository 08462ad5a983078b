# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A mover with an arm that is measured where it was sent, at times that a test makes up."""

import numpy as np
from moving_arms import PARAMETERS
from three_joints import shipped_arm

from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.jogging import Jogging
from ik_circles.control.moves.mover import Mover
from ik_circles.control.moves.plan import limits_of
from ik_circles.control.moves.playing import Playing
from ik_circles.control.settings import Settings

SO101 = shipped_arm('so101')
NAMES = SO101.commanded_joints
HOME = dict.fromkeys(NAMES, 0.0)
THERE = {'shoulder_pan': 1.0, 'elbow_flex': -0.5}
LIMITS = limits_of(SO101, NAMES, PARAMETERS.max_acceleration)
PERIOD = 0.01
SILENCE = PARAMETERS.feedback_timeout
NEAR = Settings().seed_tolerance


class Arm:
    """A mover, an arm that is measured where it was sent, and the time."""

    def __init__(self, enabled=True):
        self.mover, self.now, self.measured, self.sent = Mover(enabled), 0.0, dict(HOME), []
        self.last = {}
        self.hear()

    @property
    def resting(self):
        """Where a motion begins at rest: where the joints were sent, if they are near to that."""
        near = {n: at for n, at in self.last.items() if abs(at - self.measured[n]) <= NEAR}
        return self.measured | near

    def hear(self):
        self.mover.hear(self.measured, self.now)

    def begin(self, is_goal=True, goal=THERE, beside=None, speed=1.0):
        """Begin to move to joint positions, beside what a controller does with them or not."""
        state = self.mover.state(self.now, self.resting)
        settings = Settings(command_interface='joint_state' if beside is None else 'trajectory')
        planned = plan(SO101, settings, PARAMETERS, Wish(joints=goal, speed=speed), state)
        self.mover.begin(Playing(planned, self.now), is_goal, beside)

    def jog(self, velocity=(0.0, 0.05, 0.0), stop=0.0):
        """Begin to jog from a bent pose."""
        self.measured = HOME | {'shoulder_lift': 0.5, 'elbow_flex': 0.8}
        state = self.mover.state(self.now, self.measured)
        jogging = Jogging(SO101, Settings(), LIMITS, state, self.now, stop=stop)
        jogging.hear(velocity, (0.0, 0.0, 0.0), self.now)
        self.mover.begin(jogging)
        return jogging

    def steps(self, duration, heard=True, follows=True, period=PERIOD):
        """Step for a while; the ending, if there was one."""
        for _ in range(round(duration / period)):
            self.now += period
            if heard:
                self.hear()
            step = self.mover.step(self.now, PARAMETERS, self.measured)
            self.sent.append((self.now, {**self.measured, **step.positions}))
            if follows:
                self.measured.update(step.positions)
            if step.ending:
                return step.ending
        return None

    def check_smooth(self):
        """What was sent keeps velocities and accelerations."""
        times = np.array([time for time, _ in self.sent])
        places = np.array([[at[name] for name in NAMES] for _, at in self.sent])
        spans = np.diff(times)[:, None]
        speeds = np.diff(places, axis=0) / spans
        changes = 2.0 * np.diff(speeds, axis=0) / (spans[1:] + spans[:-1])
        assert np.abs(speeds).max() <= max(LIMITS.velocities) + 1e-6
        assert np.abs(changes).max() <= PARAMETERS.max_acceleration * (1.0 + 1e-6) + 1e-6
