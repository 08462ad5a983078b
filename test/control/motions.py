# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Random limits and chains of joints, for the laws of timed motion."""

import numpy as np

from ik_circles.control.motion import Chain, MotionLimits
from ik_circles.geometry.rigid import rotation_about

#: How far a limit may be exceeded, as a share of it, or a position be past one [rad].
ROUNDING = 1e-9
#: What the rounding of positions makes of an acceleration, times the square of the time [rad].
POSITION_ROUNDING = 2e-15


def random_limits(random, joints, endless=0.0):
    """Limits of slow and fast joints; a share of them turns without end."""
    ranges = [
        None if random.random() < endless else (-random.uniform(0.1, 3.0), random.uniform(0.1, 3.0))
        for _ in range(joints)
    ]
    velocities = 10.0 ** random.uniform(-1.5, 1.0, joints)
    braking_times = 10.0 ** random.uniform(-1.7, 0.3, joints)
    return MotionLimits(velocities, velocities / braking_times, ranges)


def random_places(random, limits):
    """Positions inside the limits, at most half a turn from 0."""
    return tuple(random.uniform(max(low, -3.0), min(high, 3.0)) for low, high in limits.ranges)


def check_limits(trajectory, limits, start=None):
    """The cubics keep all limits, except for the velocities that the joints have at the start."""
    speeds, strongest = np.array(limits.velocities), np.array(limits.accelerations)
    if start is not None:
        speeds = np.maximum(speeds, np.abs(start))
    found, (lower, upper) = trajectory.extremes, np.array(limits.ranges).T
    assert (found.speeds <= speeds * (1.0 + ROUNDING)).all()
    steps = np.diff([one.time for one in trajectory.waypoints])[:, None]
    rounding = 1e-8 + POSITION_ROUNDING / steps**2
    assert (found.accelerations <= strongest * (1.0 + ROUNDING) + rounding).all()
    assert (found.lower >= lower - ROUNDING).all()
    assert (found.upper <= upper + ROUNDING).all()


class RandomChain:
    """Up to six joints with any axes; some are parallel to the one before."""

    def __init__(self, random, joints):
        self.axes = random.normal(size=(joints, 3))
        for joint in range(1, joints):
            if random.random() < 0.5:
                self.axes[joint] = random.choice([-1.0, 1.0]) * self.axes[joint - 1]
        self.axes /= np.linalg.norm(self.axes, axis=1)[:, None]
        self.places = np.cumsum(random.normal(scale=0.1, size=(joints, 3)), axis=0)
        self.end = self.places[-1] + random.normal(scale=0.1, size=3)
        self.chain = Chain(self.axes.tolist(), self.places.tolist(), self.end.tolist())

    def tip(self, positions):
        point = self.end
        for axis, place, angle in list(zip(self.axes, self.places, positions))[::-1]:
            point = place + rotation_about(axis, angle) @ (point - place)
        return point
