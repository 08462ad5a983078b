# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses are answered straight through exactly where rounding cannot decide, and at any size."""

import math

import numpy as np
import pytest
from law_cases import cases
from tilted_robots import TiltedRobot
from wrist_robots import enlarged, pose_of, random_robots, without_limits

from ik_circles.spatial.poses.corrections import next_to_seed
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.wrist import FROM_ROUNDING, LOOSE, ROUNDING

TILT = 1e-6
#: Shares of a bound that are clearly below it and above it.
BELOW, ABOVE = 0.8, 1.25


def arms_with_elbow_at(rng, count, bend):
    """Arms without limits and without a yaw joint, with joint positions that have this bend."""
    for robot in random_robots(rng, count, each=1, kinds=[(False, 1), (False, 2)]):
        one = without_limits(robot)
        whole = one.arm.whole_naming.whole(one.drawn(rng))
        q1, _, q3 = whole.q
        yield one, whole._replace(q=(q1, bend, q3))


def asked(one, whole, outwards=0.0):
    """The pose of joint positions, with the third joint farther from the base [m]."""
    arm, (point, rotation) = one.arm.whole, pose_of(one, one.arm.whole_naming.named_whole(whole))
    planar, plane = arm.carrier.planar, arm.carrier.plane
    _, _, (x, y), _ = planar.joint_points(whole.q)
    away = outwards * np.array((x, y)) / math.hypot(x, y)
    moved = np.subtract(plane.point_at(*away, 0.0), plane.point_at(0.0, 0.0, 0.0))
    return FullPose(arm, tuple((point + moved).tolist()), rotation, TILT)


@pytest.mark.parametrize('straight', [0.0, math.pi])
def test_an_elbow_is_clearly_bent_where_rounding_moves_it_by_less_than_loose(straight):
    """Rounding of the orientation turns the last link, which moves the third joint across."""
    rng, checked = np.random.default_rng(0), 0
    for one, whole in arms_with_elbow_at(rng, cases(240), straight):
        planar = one.arm.whole.carrier.planar
        loose = max(way.posture.loose for way in asked(one, whole).ways)
        _, _, wrist, _ = planar.joint_points(whole.q)
        least = planar.max_reach * ROUNDING * loose / LOOSE / math.hypot(*wrist)
        if least > 0.01:
            continue
        checked += 1
        q1, q2, q3 = whole.q
        for times, is_ordinary in ((BELOW, False), (ABOVE, True)):
            bent = whole._replace(q=(q1, q2 + times * least, q3))
            assert asked(one, bent).is_ordinary == is_ordinary
    assert checked


@pytest.mark.parametrize(('elbow', 'sign'), [(0.0, 1.0), (math.pi, -1.0)])
def test_a_third_joint_out_of_reach_by_more_than_rounding_needs_no_closer_look(elbow, sign):
    """What the tolerance allows, and what loose joints may miss, is looked at."""
    rng, checked = np.random.default_rng(1), 0
    for one, whole in arms_with_elbow_at(rng, cases(240), elbow):
        planar = one.arm.whole.carrier.planar
        room = planar.tolerance + FROM_ROUNDING * LOOSE * planar.max_reach
        if sign < 0.0 and abs(planar.link_lengths[0] - planar.link_lengths[1]) < 2.0 * room:
            continue
        checked += 1
        for times, is_ordinary in ((BELOW, False), (ABOVE, True)):
            assert asked(one, whole, sign * times * room).is_ordinary == is_ordinary
    assert checked


def test_what_is_next_to_a_seed_does_not_depend_on_the_size_of_an_arm():
    """Farther away in meters is not farther, if all lengths are as much larger."""
    rng, checked = np.random.default_rng(2), 0
    for robot in random_robots(rng, cases(100), each=1, kinds=[(True, 2)]):
        own, step = robot.drawn(rng), rng.uniform(-0.02, 0.02)
        seed = {name: q + step for name, q in own.items()}
        found = []
        for one in (robot, TiltedRobot(enlarged(robot.text, 20.0))):
            near = one.arm.whole_naming.whole(seed)
            pose = FullPose(one.arm.whole, *pose_of(one, own), TILT, near)
            found.append(len([*next_to_seed(pose.aim)]))
        assert found[0] == found[1]
        checked += found[0]
    assert checked
