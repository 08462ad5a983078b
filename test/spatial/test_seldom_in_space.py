# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What is seldom met: one way to a pose, wrists that turn for more than a turn."""

import math

import numpy as np
import pytest
from law_cases import cases
from wrist_robots import narrow_robot, pose_of, shipped_robots, without_limits

from ik_circles.planar.selection import Policy
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.sentences import why_not
from ik_circles.spatial.wrist import Singular

TILT = 1e-6  # [rad]


def test_a_yes_says_in_how_many_ways():
    rng, counts = np.random.default_rng(0), set()
    robots = [*shipped_robots().values(), *(narrow_robot(rng, True, n) for n in (1, 2, 1, 2))]
    for robot in robots:
        for _ in range(cases(100)):
            point, rotation = pose_of(robot, robot.drawn(rng))
            told = robot.arm.check_reachability(point, rotation=rotation)
            count = len(told.solutions)
            counts.add(count)
            ways = f'reachable in {count} ways' if count > 1 else 'reachable in one way'
            assert told.reachable and told.message.startswith(ways), told.message
            assert not told.is_tilted  # a wrist gives an orientation that is near
            assert ('1 way' in told.message) == (count % 10 == 1 < count)
    assert 1 in counts and max(counts) > 1


@pytest.mark.parametrize('sign', [-1.0, 1.0])
def test_a_last_joint_allows_the_orientations_that_it_turns_to(sign):
    """By hand: as wide as its limits are, wherever these are; all of them from a turn on."""
    one = Singular(0.0, sign, 0.3)
    for lower, upper in ((0.5, 6.0), (-6.0, -0.5), (-1.0, 1.0), (3.0, 9.2)):
        ((first, last),) = one.allowed((lower, upper))
        assert last - first == pytest.approx(upper - lower, abs=1e-6)
        for phi in np.linspace(first, last, 9).tolist():
            turned = one.last(phi) - (lower + upper) / 2.0
            assert abs(math.remainder(turned, math.tau)) <= (upper - lower) / 2.0 + 1e-6
    for limits in ((-4.0, 4.0), (0.0, math.tau), (-math.inf, math.inf), (-9.0, -2.0)):
        assert one.allowed(limits) == [(-math.pi, math.pi)]


def test_a_reached_full_pose_slides_nowhere():
    """At the nearest pose, which is the pose itself, the policy chooses as it does for the pose."""
    rng = np.random.default_rng(1)
    for robot in shipped_robots().values():
        for _ in range(cases(60)):
            point, rotation = pose_of(robot, robot.drawn(rng))
            seed = robot.drawn(rng)
            told = robot.arm.check_reachability(point, rotation=rotation)
            chosen = robot.arm.solve(point, rotation=rotation, seed=seed)
            found = told.solve_nearest(seed, Policy(), True)
            assert found == pytest.approx(chosen, abs=1e-6)


def test_a_way_that_only_limits_forbid_is_told_before_one_that_is_out_of_reach():
    """Law: of a pose that the robot would take without its limits, no length is missing."""
    rng, told = np.random.default_rng(3), 0
    for robot in shipped_robots().values():
        free = without_limits(robot)
        for _ in range(cases(400, least=6)):
            drawn = {name: rng.uniform(-3.0, 3.0) for name in robot.arm.commanded_joints}
            point, rotation = pose_of(robot, drawn)
            assert free.arm.check_reachability(point, rotation=rotation).reachable
            pose = FullPose(robot.arm.whole, point, rotation, TILT)
            if not pose.solutions:
                told += 1
                assert 'would exceed its' in why_not(pose).sentence()
    assert told > cases(800)
