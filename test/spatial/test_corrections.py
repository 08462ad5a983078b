# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Corrected joint positions: which seeds are next to a pose, and which turns are looked at."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import direction
from wrist_robots import pose_of, random_robots, without_limits

from ik_circles.spatial.poses.corrections import Correction, next_to_seed
from ik_circles.spatial.poses.full_pose import FullPose

CLOSES, SAME = 1e-9, 1e-6  # [m] and [rad]
TILT = 0.01  # [rad]
NEXT_TO = 0.1  # [share of the reach, and rad], by hand


def bent(rng, count, **others):
    """Robots with a joint for each number of a pose, and angles far from singular ones."""
    for robot in random_robots(rng, count, each=1, kinds=[(True, 2)], **others):
        own = robot.drawn(rng)
        whole, arm = robot.arm.whole_naming.whole(own), robot.arm.whole
        outwards = arm.carrier.yaw.from_axis(arm.carrier.planar.pose_at(whole.q)[:2])[0]
        rho = whole.wrist[0] + arm.wrist.first_at_zero
        if min(abs(math.sin(whole.q[1])), abs(math.cos(rho)), 2.0 * abs(outwards)) > 0.3:
            yield robot, own, whole


def aim_at(robot, point, rotation, near):
    return FullPose(robot.arm.whole, tuple(point), rotation, TILT, near).aim


def test_the_arm_stays_where_it_is_if_it_has_the_pose_inside_its_limits():
    """To the last bit; a whole turn past its limits it is turned inside."""
    rng, turned = np.random.default_rng(0), 0
    for robot, own, whole in bent(rng, cases(200, least=10)):
        point, rotation = pose_of(robot, own)
        (found,) = next_to_seed(aim_at(robot, point, rotation, whole))
        assert found is whole
        beyond = whole._replace(wrist=(whole.wrist[0], whole.wrist[1] + math.tau))
        if beyond.wrist[1] > robot.arm.whole.wrist_limits[1][1]:
            (found,) = next_to_seed(aim_at(robot, point, rotation, beyond))
            lower, upper = robot.arm.whole.wrist_limits[1]
            assert lower <= found.wrist[1] <= upper and found.is_same(whole, SAME)
            turned += 1
    assert turned


def test_a_seed_is_next_to_a_pose_no_farther_than_a_share_of_the_reach_and_a_small_turn():
    """Whichever of them is more: a seed at the place may be turned too far, and one that is turned
    as wanted may be too far away."""
    rng, seen = np.random.default_rng(1), 0
    for robot, own, _ in bent(rng, cases(200, least=10)):
        one, arm = without_limits(robot), robot.arm.whole
        near = one.arm.whole_naming.whole(own)
        point, rotation = pose_of(one, own)
        for share, is_next in ((0.95, True), (1.05, False), (10.0, False)):
            off = NEXT_TO * share * arm.carrier.planar.max_reach * direction(rng)
            there = aim_at(one, (np.array(point) + off).tolist(), rotation, near)
            found = [*next_to_seed(there)]
            assert is_next or not found
            seen += len(found)
            last = one.arm.wrist_joints[1]
            point_2, rotation_2 = pose_of(one, {**own, last: own[last] + share * NEXT_TO})
            found = [*next_to_seed(aim_at(one, point_2, rotation_2, near))]
            assert bool(found) == is_next
            for each in found:
                assert max(one.arm.whole.miss(each, point_2, rotation_2.tolist())) <= CLOSES
    assert seen


@pytest.mark.parametrize('turns', [-1, 0, 1])
def test_a_start_a_whole_turn_away_leads_to_the_turn_inside_the_limits(turns):
    rng, inside = np.random.default_rng(2), 0
    for robot, own, whole in bent(rng, cases(200, least=10)):
        arm = robot.arm.whole
        correction = Correction.to(aim_at(robot, *pose_of(robot, own), whole), False)
        angles = arm.angles(whole)
        moved = [not a <= angle + turns * math.tau <= b
                 for angle, (a, b) in zip(angles, arm.limits)]  # fmt: skip
        joint, start = int(rng.choice(np.flatnonzero(moved))) if any(moved) else 0, [*angles]
        start[joint] += turns * math.tau
        found = [*correction.from_start(start)]
        for one in found:
            assert all(a <= angle <= b for angle, (a, b) in zip(arm.angles(one), arm.limits))
        assert any(one.is_same(whole, SAME) for one in found)
        inside += any(moved)
    assert inside or turns == 0


@pytest.mark.parametrize('elbow', [0.0, math.pi])
def test_an_elbow_that_is_held_stays_there_and_the_other_joints_take_the_pose(elbow):
    rng, seen = np.random.default_rng(3), 0
    for robot, own, _ in bent(rng, cases(200, least=10)):
        one = without_limits(robot)
        whole, arm = one.arm.whole_naming.whole(own), one.arm.whole
        whole = whole._replace(q=(whole.q[0], elbow, whole.q[2]))
        point, rotation = arm.pose(whole)
        outwards = arm.carrier.yaw.from_axis(arm.carrier.planar.pose_at(whole.q)[:2])[0]
        if abs(outwards) < 0.1:
            continue
        held = Correction.to(aim_at(one, point, rotation, whole), False)._replace(
            elbow=(elbow, elbow)
        )
        start = np.add(arm.angles(whole), 0.01 * rng.uniform(-1.0, 1.0, 6))
        (found,) = held.from_start(start.tolist())
        assert found.q[1] == elbow
        assert max(arm.miss(found, point, rotation.tolist())) <= CLOSES, one.text
        seen += 1
    assert seen
