# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Maps of a million points, each in a process of its own so that its memory is known: the
dexterity of an arm in its plane, or with `space` the reachability of one behind a yaw joint."""

import json
import resource
import sys
from time import perf_counter

import numpy as np

from benchmarks.targets import ARMS, points_about, robot

SIDE = 1000
SIDE_IN_SPACE = 100
ROBOT = 'open_manipulator_x'


def main():
    ask, points = in_space() if 'space' in sys.argv else in_plane()
    before = peak_megabytes()
    begin = perf_counter()
    shares = ask(points)
    seconds = perf_counter() - begin
    figures = {
        'seconds': seconds,
        'megabytes': peak_megabytes(),
        'megabytes_before': before,
        'mean': float(np.mean(shares)),
    }
    print(json.dumps(figures))


def in_plane():
    """The share of the full turn for each point, and the points (N, 2)."""
    arm = ARMS['0.4/0.3/0.2']
    axis = np.linspace(-arm.max_reach, arm.max_reach, SIDE)
    points = np.column_stack([grid.ravel() for grid in np.meshgrid(axis, axis)])
    return lambda given: arm.dexterity(given[:, 0], given[:, 1]), points


def in_space():
    """Whether each point is reached, with the margin, and the points (N, 3)."""
    arm = robot(ROBOT)
    axis = np.linspace(-1.0, 1.0, SIDE_IN_SPACE)
    shares = np.column_stack([grid.ravel() for grid in np.meshgrid(axis, axis, axis)])
    return lambda given: arm.check_reachability_batch(given).reachable, points_about(arm, shares)


def peak_megabytes():
    """Largest resident size of this process until now."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


if __name__ == '__main__':
    main()
