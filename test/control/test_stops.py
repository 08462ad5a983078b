# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A motion is stopped as soon as its joints can, and what would get below the floor says how deep.
"""

import re

import numpy as np
import pytest
from law_cases import cases
from motions import random_limits, random_places
from moving_arms import (
    PARAMETERS,
    floor_near,
    height,
    lowest_on_the_way,
    moving_state,
    positions_at,
    some_robot,
)
from three_joints import shipped_arm

from ik_circles.control.floor import time_above
from ik_circles.control.motion import to_rest
from ik_circles.control.motion.braking import braked
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import NotBegun, Plan, State, above, standing, stopped, to
from ik_circles.control.settings import Settings

SO101 = shipped_arm('so101')
HOME = dict.fromkeys(SO101.commanded_joints, 0.0)
#: A stop that is no sooner than another one differs from it by no more than this [s].
SAME = 1e-9
#: What is less below the floor than this need not be noticed [m].
HARDLY = 1e-4
#: Motions that are below the floor only for a short part of their way, soon after it begins.
SHORT_DIPS = 14, 155, 191


@pytest.mark.parametrize('seed', range(cases(200, 10)))
def test_without_a_floor_each_joint_brakes_at_its_limit(seed):
    robot, random = some_robot(seed)
    state = moving_state(robot, random)
    planned = to(robot.arm, PARAMETERS, robot.drawn(random), state)
    for time in random.uniform(0.0, planned.trajectory.duration, 3).tolist():
        rest = to_rest(*planned.trajectory.at(time), planned.limits)
        stop = stopped(planned, time).trajectory
        assert stop.duration == pytest.approx(rest.duration, abs=SAME)
        assert stop.waypoints[-1].positions == pytest.approx(rest.waypoints[-1].positions)


@pytest.mark.parametrize('seed', range(cases(200, 10)))
def test_a_motion_that_keeps_its_line_brakes_along_it(seed):
    robot, random = some_robot(seed)
    planned = to(robot.arm, PARAMETERS, robot.drawn(random), State(robot.drawn(random)))
    planned = planned._replace(keeps_line=True)
    time = float(random.uniform(0.0, planned.trajectory.duration))
    along = braked(planned.trajectory, time, planned.limits)
    stop = stopped(planned, time).trajectory
    assert stop.duration == pytest.approx(along.duration, abs=SAME)
    assert stop.waypoints[-1].positions == pytest.approx(along.waypoints[-1].positions)


def test_a_motion_that_would_go_below_the_floor_says_how_deep():
    told = 0
    for seed in sorted({*range(cases(600, 90, least=6)), *SHORT_DIPS}):
        robot, random = some_robot(seed)
        goal, state = robot.drawn(random), State(robot.drawn(random))
        free = to(robot.arm, PARAMETERS, goal, state)
        floor = floor_near(robot.arm, free, state, random)
        deepest = floor - lowest_on_the_way(robot.arm, free, state)
        if height(robot.arm, goal) < floor or deepest < HARDLY:
            continue
        with pytest.raises(NotBegun) as refused:
            plan(robot.arm.above(floor), Settings(), PARAMETERS, Wish(joints=goal), state)
        (deep,) = re.findall(r'by ([0-9.e-]+) m or more', str(refused.value))
        told += 1
        first = refused.value.share * free.trajectory.duration
        times = np.linspace(0.0, free.trajectory.duration, 400)
        below = [floor - height(robot.arm, positions_at(free, state, float(t))) for t in times]
        assert max(below) / 2.0 - 1e-3 <= float(deep) <= max(below) + 1e-3
        assert float(deep) > 0.0
        assert max(below[: int(np.searchsorted(times, first))], default=0.0) <= 1e-3
    assert told


@pytest.mark.parametrize('seed', range(cases(200)))
@pytest.mark.parametrize('away', [False, True])
def test_an_arm_that_stands_still_stays_there_and_has_time_to_come_back(seed, away):
    """Law: from all states; and just enough of it if a joint moves away from where it stands."""
    random = np.random.default_rng(seed)
    limits = random_limits(random, 3)
    places, *others = (random_places(random, limits) for _ in range(3))
    states = []
    for other in others:
        speeds = random.uniform(-1.0, 1.0, 3) * limits.velocities
        if away:
            speeds = np.copysign(speeds, np.subtract(other, places))
        states.append(State(dict(zip('abc', other)), dict(zip('abc', speeds.tolist()))))
    planned = Plan((*'abc',), Trajectory([Waypoint(0.0, places, (0.0,) * 3)]), limits)
    stay = standing(planned, states, dict(zip('abc', places))).trajectory
    assert [(one.positions, any(one.velocities)) for one in stay.waypoints] == [(places, False)] * 2
    ways = (Trajectory([Waypoint(0.0, *one.of('abc')), stay.waypoints[-1]]) for one in states)
    hardest = max((way.extremes.accelerations / limits.accelerations).max() for way in ways)
    assert hardest <= 1.0 + 1e-9
    assert not away or hardest > 1.0 - 1e-9 or stay.duration == 0.1


def test_an_arm_that_stands_still_where_it_is_sent_is_kept_for_a_moment():
    """A joint that is measured past its limit is sent to the limit."""
    planned = plan(SO101, Settings(), PARAMETERS, Wish(joints={'elbow_flex': 0.5}), State(HOME))
    stay = standing(planned, [State(HOME)], HOME)
    assert (stay.trajectory.duration, stay.end) == (0.1, {'elbow_flex': 0.0})
    upper = SO101.joints['elbow_flex'].upper
    assert standing(planned, [State(HOME)], {'elbow_flex': upper + 0.01}).end['elbow_flex'] == upper


def test_joints_that_rest_and_are_not_named_have_no_part_in_a_motion():
    state = State(HOME, {'shoulder_pan': 0.5, 'wrist_flex': 0.0})
    planned = plan(SO101, Settings(), PARAMETERS, Wish(joints={'elbow_flex': 0.3}), state)
    assert {*planned.joints} == {'elbow_flex', 'shoulder_pan'}


def test_a_motion_to_a_goal_below_the_floor_brakes_as_late_as_is_surely_above_it():
    """Law: to one of 64 parts of the time that is clear; also if the arm may be late, after the
    first phase of its motion."""
    found = 0
    for seed in range(cases(400, 40, least=10)):
        robot, random = some_robot(seed)
        state = State(robot.drawn(random))
        state = state._replace(instead=(state,) * (seed % 2))
        free = to(robot.arm, PARAMETERS, robot.drawn(random), state)
        arm, path = robot.arm.above(floor_near(robot.arm, free, state, random)), free.trajectory
        clear = time_above(arm, state.positions, free.joints, path)
        if clear >= path.duration:
            assert above(arm, free, state) is free
            continue
        part = above(arm, free, state).trajectory
        times = [one.time for one in part.waypoints]
        begins = max(t for t in times if np.allclose(part.at(t), path.at(t), rtol=0.0, atol=1e-9))
        late = begins + clear / 64.0
        is_begun = not state.instead or late > path.waypoints[1].time
        if is_begun and late < clear * (1.0 - 1e-9):
            rest = to_rest(*path.at(late), free.limits).waypoints
            way = [one for one in path.waypoints if one.time < late]
            way += [one._replace(time=one.time + late) for one in rest]
            longer = Trajectory(way)
            assert time_above(arm, state.positions, free.joints, longer) < longer.duration
            found += 1
    assert found
