# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The number of solutions of a full pose is that of another solver, which shares nothing with ours.

EAIK is such a solver, too, but no test may depend on it: `benchmarks/whole_arms.py` compares both.
"""

import math

import numpy as np
import pytest
from law_cases import cases
from screw_solver import Awkward, ScrewSolver
from spatial_arms import pose
from wrist_robots import KINDS, SHIPPED, pose_of, random_robots, shipped_robots

TILT = 1e-7  # [rad] above rounding: what is allowed here is no more than nothing
SAME = 1e-5  # [rad] the root of rounding, next to a double root
#: The most solutions: two shoulders, two elbows and, with two wrist joints, two flips.
MOST = {(True, 2): 8, (True, 1): 4, (False, 2): 4, (False, 1): 2}


def apart(one, angles):
    """The largest difference of a joint up to whole turns [rad]."""
    return max(abs(math.remainder(q - other, math.tau)) for q, other in zip(one, angles))


def counted(robot, solver, rng):
    """How many solutions an own pose has by both solvers: the same. None in an awkward place."""
    point, rotation = pose_of(robot, robot.drawn(rng))
    its = pose(rotation, point)
    try:
        expected = solver.solutions(its)
    except Awkward:
        return None
    found = robot.arm.inverse_kinematics(point, rotation=rotation, tilt_tolerance=TILT)
    assert len(found) == len(expected), (robot.text, point, rotation)
    for one in expected:
        assert min(apart(its.values(), one) for its in found) <= SAME
    for one in found:
        assert min(apart(one.values(), its) for its in expected) <= SAME
    return len(found)


@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_law_random_arms_have_as_many_solutions_as_another_solver_finds(kind):
    rng, counts = np.random.default_rng(0), []
    for robot in random_robots(rng, cases(2000, least=60), each=4, kinds=[kind]):
        if not robot.arm.whole.is_leaning:
            counts.append(counted(robot, ScrewSolver(robot), rng))
    counts = [one for one in counts if one is not None]
    assert min(counts) >= 1 and max(counts) == MOST[kind]
    assert len(set(counts)) > 1 and len(counts) > cases(1000)


@pytest.mark.parametrize('name', SHIPPED)
def test_law_shipped_arms_have_as_many_solutions_as_another_solver_finds(name):
    robot, rng = shipped_robots()[name], np.random.default_rng(1)
    solver = ScrewSolver(robot)
    counts = [counted(robot, solver, rng) for _ in range(cases(2000))]
    counts = [one for one in counts if one is not None]
    assert min(counts) >= 1 and max(counts) <= MOST[True, SHIPPED[name]]
    assert len(counts) > cases(1500)
