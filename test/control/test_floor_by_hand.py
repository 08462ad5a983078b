# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A level arm that sinks and turns back: when it meets the floor is known by hand."""

import math

import numpy as np
import pytest
from law_cases import cases
from moving_arms import height, some_robot
from three_joints import shipped_arm

from ik_circles.control.floor import (
    BOUND_ROUNDING,
    GRAZE,
    MOST_HALVINGS,
    SINKS,
    lowest,
    lowest_in,
    risen,
    stays_above,
    time_above,
)
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.spatial.arm import Configuration

ARM = shipped_arm('px100')
LEVEL, RAISED = (ARM.naming.named(Configuration(0.0, (angle, 0.0, 0.0))) for angle in (0.0, 0.5))
(SHOULDER,) = [name for name in LEVEL if LEVEL[name] != RAISED[name]]
SIGN = math.copysign(1.0, RAISED[SHOULDER] - LEVEL[SHOULDER])
REACH = sum(ARM.arm.link_lengths)
ROUNDING = 1e-12
HEIGHT = lowest(ARM, LEVEL, LEVEL)


def turning_back(velocity, strongest, duration):
    """The shoulder alone: down at a velocity [rad/s], braked evenly and raised [rad/s^2]."""
    end = -velocity * duration + strongest * duration**2 / 2.0
    ends = (0.0, 0.0, -velocity), (duration, end, -velocity + strongest * duration)
    return Trajectory(
        [
            Waypoint(time, (LEVEL[SHOULDER] + SIGN * angle,), (SIGN * speed,))
            for time, angle, speed in ends
        ]
    )


@pytest.mark.parametrize('seed', range(cases(1000, least=40)))
def test_the_bound_on_a_wrist_that_turns_is_kept_and_near(seed):
    """Law: its tip sinks by up to its distance from the wrist center times half of the turn."""
    robot, random = some_robot(seed)
    arm, at, turn = robot.arm, robot.drawn(random), 0.1
    for name in arm.wrist_joints:
        box = {joint: (one, one) for joint, one in at.items()} | {name: (at[name], at[name] + turn)}
        ways = np.linspace(0.0, turn, 11).tolist()
        low = min(height(arm, {**at, name: at[name] + way}) for way in ways)
        away = math.hypot(*arm.whole.wrist.center) if arm.whole is not None else 0.0
        assert low - turn * away - ROUNDING <= lowest_in(arm, box) <= low + ROUNDING


@pytest.mark.parametrize('seed', range(cases(400)))
def test_a_motion_is_above_the_floor_up_to_where_it_meets_it(seed):
    random = np.random.default_rng(seed)
    velocity, strongest = random.uniform(0.05, 0.2), random.uniform(1.0, 3.0)
    duration, turn = random.uniform(1.2, 3.0) * velocity / strongest, velocity**2 / strongest / 2.0
    path = turning_back(velocity, strongest, duration)
    met = random.uniform(0.3, 1.3) * turn
    arm = ARM.above(HEIGHT - REACH * math.sin(met) + GRAZE + BOUND_ROUNDING)
    found = time_above(arm, LEVEL, [SHOULDER], path)
    if met > 1.02 * turn:
        assert found == duration
    elif met < turn:
        when = (velocity - math.sqrt(velocity**2 - 2.0 * strongest * met)) / strongest
        assert when - 1e-3 * duration <= found <= when + 1e-9
        if met < 0.9 * turn:  # it is not nearly level yet
            assert when - found <= 1.1 * 0.5**MOST_HALVINGS * duration


@pytest.mark.parametrize('share', [0.5, 0.95, 1.05, 2.0])
@pytest.mark.parametrize('longer', [2.1, 2.5, 4.0])
def test_from_below_the_floor_a_path_sinks_no_more_than_it_may(share, longer):
    """Between its waypoints it gets lower by a share of what it may; the last one is higher."""
    strongest = 2.0
    velocity = math.sqrt(2.0 * strongest * share * SINKS / REACH)
    path = turning_back(velocity, strongest, longer * velocity / strongest)
    arm = ARM.above(HEIGHT + 0.02)
    assert stays_above(arm, LEVEL, [SHOULDER], path, risen(arm, LEVEL)) == (share < 1.0)


@pytest.mark.parametrize('sank', [0.5 * SINKS, 2.0 * SINKS])
def test_an_arm_below_the_floor_that_sank_may_stay_where_it_is(sank):
    """Law: it need not rise again to the level that it had."""
    still = turning_back(0.0, 0.0, 0.5)
    arm = ARM.above(HEIGHT + 0.02)
    assert stays_above(arm, LEVEL, [SHOULDER], still, risen(arm, LEVEL) + sank)


def test_a_short_path_is_above_the_floor_if_it_is_by_a_64th_of_what_it_may_bend():
    """Law: it is looked at in eighths. Heights bend as the links' accelerations and speeds say."""
    random, asked = np.random.default_rng(12), 0
    names = ARM.joint_names
    for _ in range(cases(400)):
        duration, rates = random.uniform(0.1, 0.5), random.normal(size=(2, 3))
        here = random.uniform(-0.5, 0.5, 3)
        ends = here, here + random.uniform(0.3, 0.7) * duration * rates.sum(axis=0)
        path = Trajectory(
            [
                Waypoint(time, (*place,), (*speed,))
                for time, place, speed in zip((0.0, duration), ends, rates)
            ]
        )
        at = {**LEVEL, **dict(zip(names, here))}
        along = (path.at(time)[0] for time in np.linspace(0.0, duration, 60))
        low = min(height(ARM, {**at, **dict(zip(names, one))}) for one in along)
        speed, change = (one.sum() for one in path.extremes[2:])
        bends = REACH * (speed**2 + change) * duration**2 / 8.0
        arm = ARM.above(low - 1.05 * bends / 64.0 + GRAZE)
        assert stays_above(arm, at, names, path, -math.inf)
        start, end = ({**at, **dict(zip(names, one))} for one in ends)
        asked += lowest(ARM, start, end) < low - 2.0 * bends / 64.0
    assert asked > cases(120)


@pytest.mark.parametrize('lower', [0.02, 0.05, -0.01])
def test_an_arm_that_may_be_elsewhere_is_above_the_floor_as_long_as_from_each_place(lower):
    """The motion sinks by 0.1 rad; whoever starts lower meets the floor sooner."""
    still, onward = (0.0,), Waypoint(1.0, (LEVEL[SHOULDER] - SIGN * 0.1,), (0.0,))
    starts = [LEVEL[SHOULDER], LEVEL[SHOULDER] - SIGN * lower]
    ways = [Trajectory([Waypoint(0.0, (start,), still), onward]) for start in starts]
    arm = ARM.above(HEIGHT - REACH * math.sin(0.06))
    first, other = (time_above(arm, LEVEL, [SHOULDER], way) for way in ways)
    assert (other < first) is (lower > 0.0)
    for way, start in zip(ways, reversed(starts)):
        instead = [((start,), still)]
        found = time_above(arm, LEVEL, [SHOULDER], way, instead=instead)
        assert found == pytest.approx(min(first, other))
