# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Along the same path the motion takes at most a tenth longer than that of toppra."""

import numpy as np
import pytest
from law_cases import cases
from motions import check_limits, random_limits

from ik_circles.control.motion import Chain, along

#: Places where toppra bounds the motion: many, so that it is near to the shortest.
GRID = np.linspace(0.0, 1.0, 1001)
#: How much longer ours may take, and how much shorter where toppra's grid is coarse.
LONGER, SHORTER = 1.1, 0.99


@pytest.fixture(scope='module')
def toppra():
    return pytest.importorskip('toppra', reason='toppra, which is compared with, is missing')


@pytest.mark.parametrize('seed', range(cases(150, 50)))
def test_the_motion_takes_little_longer_than_that_of_toppra(seed, toppra):
    random = np.random.default_rng(seed)
    joints, knots = random.integers(1, 7), random.integers(2, 6)
    limits = random_limits(random, joints, endless=1.0)
    steps = random.normal(size=(knots, joints)) * 10.0 ** random.uniform(-2.0, 0.3)
    spline = toppra.SplineInterpolator(np.linspace(0.0, 1.0, knots), np.cumsum(steps, axis=0))
    fastest, strongest = np.array(limits.velocities), np.array(limits.accelerations)
    constraints = [
        toppra.constraint.JointVelocityConstraint(np.column_stack([-fastest, fastest])),
        toppra.constraint.JointAccelerationConstraint(np.column_stack([-strongest, strongest])),
    ]
    solver = toppra.algorithm.TOPPRA(
        constraints, spline, gridpoints=GRID, parametrizer='ParametrizeConstAccel'
    )
    theirs = solver.compute_trajectory(0.0, 0.0)
    # Links of 3 cm: few halvings are for the line, so that the speeds are what is compared.
    places = [(0.03 * joint, 0.0, 0.0) for joint in range(joints)]
    chain = Chain([(0.0, 0.0, 1.0)] * joints, places, (0.03 * joints, 0.0, 0.0))
    ours = along(lambda share: spline(share).tolist(), limits, chain)
    check_limits(ours, limits)
    assert SHORTER * theirs.duration <= ours.duration <= LONGER * theirs.duration
