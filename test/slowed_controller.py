# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A controller of trajectories that plays them in its own time, and is measured late."""

import numpy as np
from mover_arm import HOME, NAMES, PERIOD, Arm
from moving_arms import PARAMETERS

from ik_circles.control.motion.trajectory import Trajectory
from ik_circles.control.moves.motion_time import LONGEST_STEP


class SlowedController:
    """It plays a path in its own time, as that of a UR does with the speed slider below 100 %.

    As a joint_trajectory_controller, it begins a path where it is, on its way to the first point.
    It is measured some steps late. Some joints may be published only once in `every` steps.
    """

    def __init__(self, arm, speed, sag=0.0, late=0, every=(1,)):
        self.arm, self.speed, self.sag = arm, speed, sag
        self.every = {name: every[joint % len(every)] for joint, name in enumerate(NAMES)}
        self.played, self.published = 0, NAMES
        self.sent, self.path, self.time, self.joints = None, None, 0.0, ()
        self.places, self.at = [dict(arm.measured)] * (late + 1), {}
        #: The hardest that it asked of a joint, of all paths [rad/s^2].
        self.hardest = []

    @property
    def asked(self):
        """The hardest that was asked of a joint, in acceleration limits."""
        return max(self.hardest) * self.speed**2 / PARAMETERS.max_acceleration

    def steps(self, duration, speed=None):
        """Step for a while; the ending, if there was one."""
        for _ in range(round(duration / PERIOD)):
            self.play(PERIOD, self.speed if speed is None else speed)
            self.arm.now += PERIOD
            self.arm.mover.hear(self.published, self.arm.now)
            step = self.arm.mover.step(self.arm.now, PARAMETERS, self.arm.measured)
            self.arm.last.update(step.positions)
            if step.ending:
                return step.ending
        return None

    def play(self, duration, speed):
        """Go on along the path, whatever the node does meanwhile."""
        motion = self.arm.mover.motion
        if motion is not None and motion.path is not self.sent:  # a new path begins at once
            self.begin(motion)
        self.time += speed * duration
        places = [at - self.sag for at in self.path.at(self.time)[0]]
        self.places = [*self.places[1:], dict(zip(self.joints, places))]
        self.played += 1
        self.published = [name for name in NAMES if self.played % self.every[name] == 0]
        published = self.places[0].keys() & {*self.published}
        self.arm.measured.update({name: self.places[0][name] for name in published})

    def pause(self, duration):
        """Go on while the node does nothing, and hears of nothing."""
        seen = dict(self.arm.measured)
        for _ in range(round(duration / PERIOD)):
            self.play(PERIOD, self.speed)
        self.arm.measured.update(seen)
        taken = min(duration, LONGEST_STEP)
        self.arm.now += taken
        self.arm.mover.skip(duration - taken, self.arm.now)

    def begin(self, motion):
        """Take a path in place of what was played; joints of none stay where they are."""
        sent, joints = motion.path, motion.joints
        start = sent.waypoints[0]
        if self.path is not None:
            at, speeds = (dict(zip(self.joints, one)) for one in self.path.at(self.time))
            before = dict(zip(joints, start.positions))
            positions = tuple({**before, **self.at, **at}[name] for name in joints)
            velocities = tuple(speeds.get(name, 0.0) for name in joints)
            start = start._replace(positions=positions, velocities=velocities)
            self.at.update(at)
        self.sent, self.time, self.joints = sent, 0.0, joints
        self.path = Trajectory([start, *sent.waypoints[1:]])
        self.hardest.append(self.path.extremes.accelerations.max(initial=0.0))


def arm_beside(seed, speed='slowed', slowest=0.1, start=HOME):
    """Random numbers, an arm at a start, and its controller: in time, or slowed by any factor."""
    random, arm = np.random.default_rng(seed), Arm()
    arm.measured.update(start)
    factor = 1.0 if speed == 'in time' else random.uniform(slowest, 1.0)
    return random, arm, SlowedController(arm, factor, late=random.integers(3))
