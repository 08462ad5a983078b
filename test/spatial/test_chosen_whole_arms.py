# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Of the solutions of a full pose, the branch is chosen first, then the smallest largest change."""

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import bend_seen
from wrist_robots import KINDS, gap, pose_of, random_robots, shipped_robots

from ik_circles.control import Settings, Target, decide
from ik_circles.spatial.arm import Configuration

SAME = 1e-9  # [rad]
#: The sine of an elbow that is clearly on one branch [1].
BENT = 1e-3
SIGNS = {'nearest': 0.0, 'elbow_up': -1.0, 'elbow_down': 1.0}


def bend(robot, positions):
    """The sine of the elbow as it is seen from the side that the arm reaches to."""
    whole = robot.arm.whole_naming.whole(positions)
    return bend_seen(robot.arm.whole.carrier, Configuration(whole.yaw, whole.q))


def check_choice(robot, rng, mode):
    """How many solutions were left out because of the branch."""
    seed, left_out = robot.drawn(rng), 0
    point, rotation = pose_of(robot, robot.drawn(rng))
    some = robot.arm.inverse_kinematics(point, rotation=rotation, seed=seed)
    bends = [bend(robot, one) for one in some]
    if min(map(abs, bends)) < BENT:
        return 0
    for branch, sign in SIGNS.items():
        right = [one for one, its in zip(some, bends) if sign * its >= 0.0] or some
        least = min(gap(one, seed) for one in right)
        settings = Settings(orientation_mode=mode, branch=branch)
        command = decide(robot.arm, settings, Target(point, rotation), seed).command
        chosen = robot.arm.solve(
            point, rotation=rotation, seed=seed, branch=branch, orientation_mode=mode
        )
        assert gap(command, chosen) <= SAME
        assert min(gap(chosen, one) for one in right) <= SAME, (robot.text, branch)
        assert gap(chosen, seed) <= least + SAME, (robot.text, branch)
        left_out += len(some) - len(right)
    return left_out


@pytest.mark.parametrize('mode', ['preferred', 'fixed'])
@pytest.mark.parametrize('kind', KINDS, ids=str)
def test_law_of_the_solutions_on_the_branch_the_one_with_the_least_change_is_chosen(kind, mode):
    rng = np.random.default_rng(0)
    robots = random_robots(rng, cases(2000), each=4, kinds=[kind])
    assert sum(check_choice(robot, rng, mode) for robot in robots) > cases(400)


def test_law_shipped_arms_choose_the_least_change_on_the_branch():
    rng = np.random.default_rng(1)
    for robot in shipped_robots().values():
        assert sum(check_choice(robot, rng, 'fixed') for _ in range(cases(400, least=10)))
