# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Parts of a plan, by hand: its limits, what moves, and time to catch up."""

import pytest
from moving_arms import PARAMETERS
from three_joints import shipped_arm

from ik_circles.control.floor import lowest
from ik_circles.control.motion import MotionLimits, Trajectory, Waypoint, to_rest
from ik_circles.control.moves.plan import (
    Plan,
    State,
    below,
    joined,
    limits_of,
    moving,
    standing,
    stopped,
    time_to_catch_up,
    to,
)

ARM = shipped_arm('ur5e')
NAMES = tuple(ARM.commanded_joints)
REST = State(dict.fromkeys(NAMES, 0.0))


def test_limits_are_those_of_the_robot_and_one_acceleration():
    limits, joints = limits_of(ARM, NAMES, 7.0), [ARM.joints[name] for name in NAMES]
    assert limits.velocities == tuple(joint.velocity for joint in joints)
    assert limits.accelerations == (7.0,) * len(NAMES)
    assert limits.ranges == tuple((joint.lower, joint.upper) for joint in joints)
    assert limits.names == NAMES


def test_joints_move_if_they_do_in_any_state():
    pan, lift, elbow, *_ = NAMES
    state = REST._replace(
        velocities={pan: 0.1, elbow: 0.0},
        instead=(REST._replace(velocities={lift: -0.1}),),
        later=(REST._replace(velocities={elbow: 0.1}),),
    )
    assert moving(state) == {pan, lift, elbow}
    assert moving(REST) == set()


def test_the_time_to_catch_up_is_that_of_the_joint_that_needs_most():
    """From rest, over x [rad], with a [rad/s^2] at both ends of a cubic: t**2 = 6 x / a."""
    limits = limits_of(ARM, NAMES, 6.0)
    assert time_to_catch_up(REST, limits) == 0.0
    behind = {**REST.positions, NAMES[0]: 0.04, NAMES[1]: -0.09}
    state = REST._replace(instead=(State(behind), REST))
    assert time_to_catch_up(state, limits) == pytest.approx(0.3)


def test_a_motion_is_begun_where_the_one_before_it_ends():
    stop = Trajectory([Waypoint(0.0, (0.0,), (1.0,)), Waypoint(0.5, (0.25,), (0.0,))])
    onward = Trajectory([Waypoint(0.0, (0.25,), (0.0,)), Waypoint(2.0, (1.0,), (0.0,))])
    assert joined(stop, onward).waypoints == (
        *stop.waypoints,
        Waypoint(2.5, (1.0,), (0.0,)),
    )


def test_a_motion_of_joints_turns_nothing_and_keeps_no_line():
    planned = to(ARM, PARAMETERS, {NAMES[2]: 0.5}, REST)
    assert (planned.turned, planned.keeps_line, planned.instead) == (0.0, False, [])
    assert planned.end == {NAMES[2]: 0.5}


def test_an_arm_that_stands_gets_time_to_come_back():
    """At rest, a tenth of a second; from x away, as long as a cubic takes; inside the range."""
    planned = to(ARM, PARAMETERS, {NAMES[2]: 0.5}, REST)
    there = {**REST.positions, NAMES[2]: 0.2}
    stay = standing(planned, [State(there)], there).trajectory
    assert stay.duration == 0.1
    assert [one.positions for one in stay.waypoints] == [(0.2,)] * 2
    far = State({**there, NAMES[2]: 0.2 + 6.0 * PARAMETERS.max_acceleration / 6.0})
    assert standing(planned, [far, State(there)], there).trajectory.duration == pytest.approx(
        6.0**0.5
    )
    outside = {**there, NAMES[2]: ARM.joints[NAMES[2]].upper + 0.01}
    (place, _) = standing(planned, [State(there)], outside).trajectory.waypoints
    assert place.positions == (ARM.joints[NAMES[2]].upper,)


def test_joints_of_no_arm_stop_each_by_itself():
    """There is nothing that could be below a floor, so nothing keeps them on their way."""
    waypoints = [Waypoint(0.0, (0.0, 0.0), (1.0, 0.2)), Waypoint(9.0, (9.0, 0.0), (0.0, 0.0))]
    planned = Plan(('a', 'b'), Trajectory(waypoints), MotionLimits([9.0, 9.0], [2.0, 3.0]))
    alone = to_rest((0.0, 0.0), (1.0, 0.2), planned.limits)
    assert stopped(planned, 0.0).trajectory.waypoints == alone.waypoints
    along = stopped(planned._replace(keeps_line=True), 0.0).trajectory.waypoints
    assert along != alone.waypoints


@pytest.mark.parametrize('time', [0.0, 0.5, 9.0])
@pytest.mark.parametrize('share', [0.002, 0.02, 0.5])
def test_how_deep_a_motion_gets_is_told_also_if_it_does_so_for_a_short_time(time, share):
    """By hand: the upper arm turns down and up again, soon after a time of a motion of 10 s;
    it stays there for long enough to be seen."""
    arm = ARM.above(0.0)
    up, down = -1.5, 0.3
    (lift,) = [name for name in NAMES if 'shoulder_lift' in name]
    left = 10.0 - time
    turns = (0.4, up), (0.8, down), (1.25, down), (1.6, up)
    ends = [(time + turn * share * left, angle) for turn, angle in turns]
    ends = [(-1.0, up), *ends, (10.0, up)]
    path = Trajectory([Waypoint(at, (angle,), (0.0,)) for at, angle in ends])
    planned = Plan((lift,), path, limits_of(arm, (lift,), 5.0), arm)
    deepest = -lowest(arm, *[{**REST.positions, lift: down}] * 2)
    assert deepest > 0.0 > -lowest(arm, *[{**REST.positions, lift: up}] * 2)
    told = below(arm, REST, planned, time, 0.25)
    assert told.share == 0.25
    deep = float(str(told).split('by ')[1].split(' m ')[0])
    assert deep == pytest.approx(deepest, rel=0.01)
    assert str(told).endswith('go there by way of a higher place')
