# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Two links and targets for them, for the tests of their solvers."""

import math

import numpy as np


def links(rng):
    """Two lengths [m]: any, equal, one much shorter, one of zero, 1e-6 m to 1e6 m."""
    lengths = rng.uniform(0.05, 1.0, 2)
    kind = rng.integers(8)
    if kind == 0:
        lengths[1] = lengths[0]
    elif kind == 1:
        lengths[rng.integers(2)] *= 10.0 ** rng.uniform(-6.0, 0.0)
    elif kind == 2:
        lengths *= 10.0 ** rng.uniform(-6.0, 6.0)
    elif kind == 3:
        lengths[rng.integers(2)] = 0.0
    return lengths.tolist()


def targets_in_ring(rng, lengths, count):
    """Targets within reach, half of them within any distance of a circle that bounds it."""
    hole, total = abs(lengths[0] - lengths[1]), sum(lengths)
    share = rng.uniform(size=count)
    close = 10.0 ** rng.uniform(-16.0, 0.0, count)
    share = np.choose(rng.integers(4, size=count), (share, share, close, 1.0 - close))
    radius = hole + share * (total - hole)
    angle = rng.uniform(-math.pi, math.pi, count)
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))


def size(offsets):
    return np.hypot(offsets[..., 0], offsets[..., 1])
