# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The fastest motion along a path: nearly all the time, a joint is at one of its limits."""

import numpy as np
from law_cases import cases
from motions import RandomChain, random_limits
from test_timed_paths import wave

from ik_circles.control.motion import MotionLimits, along
from ik_circles.control.motion.trajectory import extremes_of

#: How much of their limits the joints use, in the mean over the time, and over motions [1]. Where
#: a path turns sharply, it is less.
USED = 0.98


def test_some_joint_is_always_at_its_limit():
    """Else the path could be followed faster."""
    shares = []
    for seed in range(cases(300)):
        random = np.random.default_rng(seed)
        joints = random.integers(1, 7)
        robot, path = RandomChain(random, joints), wave(random, joints)
        some = random_limits(random, joints)
        limits = MotionLimits(some.velocities, some.accelerations, [(-2.5, 2.5)] * joints)
        found = along(path, limits, robot.chain, tolerance=1e-3).waypoints
        times = np.array([one.time for one in found])
        places = np.array([one.positions for one in found])
        most = extremes_of(times, places, np.array([one.velocities for one in found]))
        used = np.maximum(
            (most.speeds / limits.velocities).max(axis=1),
            (most.accelerations / limits.accelerations).max(axis=1),
        )
        shares.append(np.average(used, weights=np.diff(times)))
    assert np.mean(shares) >= USED
