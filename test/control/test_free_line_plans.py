# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight motions on which the orientation changes: smooth, without a rest on the way."""

import math

import numpy as np
import pytest
from law_cases import cases
from motions import check_limits
from moving_arms import PARAMETERS
from test_plans import ON_A_RAIL
from three_joints import shipped_arm

from ik_circles import load_arm
from ik_circles.control.chains import chain_of
from ik_circles.control.motion import along
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import State, limits_of
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target

#: A straight line is kept to this [m].
LINE = 1e-4


def off_line(point, start, end):
    """How far a point is beside a straight line [m]."""
    along = np.subtract(end, start)
    share = np.clip((point - start) @ along / (along @ along), 0.0, 1.0)
    return math.dist(point, start + share * along)


def test_an_arm_that_turns_its_tool_on_a_line_does_not_rest_on_the_way():
    arm, rng, turned = shipped_arm('so101').above(0.0), np.random.default_rng(5), 0
    lower, upper = np.transpose([(one.lower, one.upper) for one in arm.joints.values()])
    while turned < cases(200, 60):
        start = dict(zip(arm.joints, rng.uniform(lower, upper).tolist()))
        first = arm.forward_kinematics(start)[:3, 3]
        way = rng.normal(size=3)
        end = tuple((first + 0.2 * way / np.linalg.norm(way)).tolist())
        if not arm.straight_line(start, end, orientation='free').breaks:
            continue
        wish = Wish(Target(end), straight=True)
        try:
            planned = plan(arm, Settings(), PARAMETERS, wish, State(start))
        except Refusal:
            continue
        turned += 1
        waypoints = planned.trajectory.waypoints
        assert all(any(one.velocities) for one in waypoints[1:-1])
        limits = limits_of(arm, planned.joints, PARAMETERS.max_acceleration)
        check_limits(planned.trajectory, limits)
        for time in np.linspace(0.0, planned.trajectory.duration, 40).tolist():
            at = dict(zip(planned.joints, planned.trajectory.at(time)[0]))
            assert off_line(arm.forward_kinematics(at)[:3, 3], first, end) < LINE


def test_it_does_not_rest_where_a_long_segment_bends_either():
    """A speed that its end allows no part of is too high for its start."""
    arm = shipped_arm('so101').above(0.0)
    q = (1.2858730007311148, -1.5368208727938513, -0.7728218807565996, 0.2909611974308024, -2.293)
    target = Target((-0.19270517384877617, 0.28178023493128473, 0.23791387235289138))
    state = State(dict(zip(arm.joints, q)))
    planned = plan(arm, Settings(), PARAMETERS, Wish(target, straight=True), state)
    inner = planned.trajectory.waypoints[1:-1]
    assert all(any(one.velocities) for one in inner)
    check_limits(planned.trajectory, limits_of(arm, planned.joints, PARAMETERS.max_acceleration))


def test_joints_may_turn_fast_on_a_short_piece_of_a_line():
    """Law: what can be followed is planned, beside the yaw axis and from a nearly straight elbow.

    There, joints turn visibly within a share of 1e-8 of the line, and do not jump.
    """
    arms, rng, followed = [*map(shipped_arm, ('xarm5', 'ur5e'))], np.random.default_rng(3), 0
    while followed < cases(400, 40):
        arm = arms[followed % 2]
        lower, upper = np.transpose([(one.lower, one.upper) for one in arm.joints.values()])
        start = dict(zip(arm.joints, rng.uniform(lower, upper) / 2.0))
        start[arm.joint_names[1]] *= rng.choice([1.0, 1e-3])
        first = arm.forward_kinematics(start)[:3, 3]
        beside = np.append(rng.normal(size=2) * 1e-8, rng.uniform(-0.1, 0.1) + first[2])
        way = rng.choice([beside - first, rng.normal(size=3) / 10.0])
        end = tuple((first + rng.uniform(1.1, 1.5) * way).tolist())
        line = arm.straight_line(start, end, orientation='free')
        if line.share < 1.0:
            continue
        followed += 1
        limits = limits_of(arm, arm.joints, PARAMETERS.max_acceleration)

        def joints_at(share, line=line):
            return [*line.positions(share).values()]

        check_limits(along(joints_at, limits, chain_of(arm)), limits)


def test_a_held_joint_that_moves_comes_to_rest_before_a_line_and_stays():
    arm = load_arm(ON_A_RAIL)
    start = dict.fromkeys([*arm.held, *arm.commanded_joints], 0.3)
    point = arm.forward_kinematics(start)[:3, 3] - (0.05, 0.0, 0.0)
    state = State(start, {'rail': 0.5})
    wish = Wish(Target(tuple(point.tolist())), straight=True)
    planned = plan(arm, Settings(), PARAMETERS, wish, state)
    rail, stops = planned.joints.index('rail'), 0.5 / PARAMETERS.max_acceleration
    rests = [one for one in planned.trajectory.waypoints if one.time >= stops]
    assert len(rests) > 2
    for one in rests:
        assert one.velocities[rail] == 0.0
        assert one.positions[rail] == pytest.approx(0.3 + 0.5 * stops / 2.0)
