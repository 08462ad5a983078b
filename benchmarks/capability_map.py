"""A capability map of 1000 x 1000 points, in a process of its own so that its memory is known."""

import json
import resource
from time import perf_counter

import numpy as np

from benchmarks.targets import ARMS

SIDE = 1000


def main():
    arm = ARMS['0.4/0.3/0.2']
    axis = np.linspace(-arm.max_reach, arm.max_reach, SIDE)
    points = np.column_stack([grid.ravel() for grid in np.meshgrid(axis, axis)])
    before = peak_megabytes()
    begin = perf_counter()
    shares = dexterity(arm, points)
    seconds = perf_counter() - begin
    figures = {
        'seconds': seconds,
        'megabytes': peak_megabytes(),
        'megabytes_before': before,
        'mean': float(np.mean(shares)),
    }
    print(json.dumps(figures))


def dexterity(arm, points):
    """The share of the full turn for each point (N, 2), by the batch call there is."""
    if hasattr(arm, 'dexterity_batch'):
        return arm.dexterity_batch(points)
    if hasattr(arm, 'dexterity'):
        return arm.dexterity(points[:, 0], points[:, 1])
    raise SystemExit('PlanarArm has no dexterity yet')


def peak_megabytes():
    """Largest resident size of this process until now."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


if __name__ == '__main__':
    main()
