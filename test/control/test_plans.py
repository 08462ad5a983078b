# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Plans of motions: within the limits, to where they should end, and above the floor."""

import math
from itertools import pairwise

import numpy as np
import pytest
from law_cases import cases
from motions import check_limits
from moving_arms import (
    PARAMETERS,
    beside_a_floor,
    floor_near,
    height,
    lowest_on_the_way,
    moving_state,
    positions_at,
    some_robot,
)
from three_joints import shipped_arm

from ik_circles import load_arm
from ik_circles.control.floor import GRAZE, lowest, time_above
from ik_circles.control.motion import to_rest
from ik_circles.control.moves.goal import Wish, plan
from ik_circles.control.moves.plan import NotBegun, State, above, limits_of, to
from ik_circles.control.moves.playing import Playing
from ik_circles.control.refusals import Refusal
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.reasons import Code

SO101 = shipped_arm('so101')
SETTINGS = Settings()
EXACT = 1e-9
#: A straight line is kept to this [m].
LINE = 1e-4
#: A slow motion of many radians is begun if it stays above the floor by this share of the reach.
CLEAR = 0.01
HOME = dict.fromkeys(SO101.commanded_joints, 0.0)
#: A sliding joint is between the base and the arm.
ON_A_RAIL = """<robot name="railed"> <link name="base_link"/> <link name="cart"/>
<joint name="rail" type="prismatic"> <parent link="base_link"/> <child link="cart"/>
  <axis xyz="0 0 1"/> <limit lower="0" upper="1" effort="1" velocity="1"/> </joint>
""" + ''.join(
    f"""<link name="l{n}"/> <joint name="j{n}" type="revolute">
    <parent link="{parent}"/> <child link="l{n}"/> <origin xyz="{x} 0 {z}"/> <axis xyz="{axis}"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/> </joint>"""
    for n, parent, x, z, axis in (
        (0, 'cart', 0, 0.1, '0 0 1'),
        (1, 'l0', 0, 0.1, '0 1 0'),
        (2, 'l1', 0.3, 0, '0 1 0'),
        (3, 'l2', 0.3, 0, '0 1 0'),
    )
) + """<link name="tip"/> <joint name="end" type="fixed"> <parent link="l3"/> <child link="tip"/>
  <origin xyz="0.1 0 0"/> </joint> </robot>"""  # fmt: skip


def check_plan(arm, planned, state):
    """It begins with how the joints move, leaves none of them moving, and keeps all limits."""
    positions, velocities = state.of(planned.joints)
    begin = planned.trajectory.waypoints[0]
    assert begin.positions == pytest.approx(positions, abs=EXACT)
    assert begin.velocities == pytest.approx(velocities, abs=EXACT)
    assert not any(planned.trajectory.waypoints[-1].velocities)
    assert {name for name, speed in state.velocities.items() if speed} <= set(planned.joints)
    limits = limits_of(arm, planned.joints, PARAMETERS.max_acceleration)
    check_limits(planned.trajectory, limits, velocities)


@pytest.mark.parametrize('seed', range(cases(600)))
def test_goals_of_joints_from_any_motion(seed):
    """Law: joints that move and are not named come to rest, too."""
    robot, random = some_robot(seed)
    state, goal = moving_state(robot, random), robot.drawn(random)
    names = random.choice([*goal], random.integers(1, len(goal) + 1), replace=False).tolist()
    goal = {name: goal[name] for name in names}
    planned = plan(robot.arm, SETTINGS, PARAMETERS, Wish(joints=goal), state)
    check_plan(robot.arm, planned, state)
    assert {name: planned.end[name] for name in goal} == pytest.approx(goal, abs=EXACT)


@pytest.mark.parametrize('seed', range(cases(300)))
def test_goals_of_the_tip_from_any_motion(seed):
    robot, random = some_robot(seed)
    state, wanted = moving_state(robot, random), robot.tip(robot.drawn(random))
    oriented = random.random() < 0.5
    target = Target(tuple(wanted[:3, 3].tolist()), wanted[:3, :3] if oriented else None)
    try:
        planned = plan(robot.arm, SETTINGS, PARAMETERS, Wish(target), state)
    except NotBegun as refused:  # with the wrist as it is, a point may be out of reach
        assert not oriented
        assert refused.code in (Code.TOO_FAR, Code.TOO_CLOSE, Code.JOINT_LIMIT)
        return
    check_plan(robot.arm, planned, state)
    assert math.dist(robot.tip(planned.end)[:3, 3], wanted[:3, 3]) < 1e-6
    if oriented:
        assert robot.tip(planned.end) == pytest.approx(wanted, abs=0.02)


@pytest.mark.parametrize('seed', range(cases(200)))
def test_straight_goals_rest_first_and_keep_the_line(seed):
    """Law: to where the line ends, else a refusal with exactly the share that can be done."""
    robot, random = some_robot(seed)
    arm, state = robot.arm, moving_state(robot, random, 0.3)
    limits = limits_of(arm, state.positions, PARAMETERS.max_acceleration)
    stop = to_rest(*state.of(state.positions), limits)
    start = dict(zip(state.positions, stop.waypoints[-1].positions))
    here = robot.tip(start)
    goal = tuple((here[:3, 3] + random.normal(size=3) * 0.05).tolist())
    held = random.random() < 0.5
    line = arm.straight_line(start, goal, orientation='held' if held else 'free')
    rotation = robot.tip(line.positions(1.0))[:3, :3] if held and line.share == 1.0 else None
    if held and rotation is None:
        return
    wish = Wish(Target(goal, rotation), straight=True)
    try:
        planned = plan(arm, SETTINGS, PARAMETERS, wish, state)
    except NotBegun as refused:
        assert refused.share == pytest.approx(line.share, abs=1e-6)
        assert refused.code is line.code is not Code.OK
        return
    check_plan(arm, planned, state)
    duration = planned.trajectory.duration
    way = np.subtract(goal, here[:3, 3])
    for time in np.linspace(stop.duration, duration, 40).tolist():
        away = robot.tip(positions_at(planned, state, time))[:3, 3] - here[:3, 3]
        along = np.clip(away @ way / (way @ way), 0.0, 1.0)
        assert np.linalg.norm(away - along * way) < LINE
    assert math.dist(robot.tip(planned.end)[:3, 3], goal) < 1e-6


@pytest.mark.parametrize('seed', range(cases(300, 120)))
def test_nothing_goes_below_the_floor(seed):
    """Law: neither a goal that is begun, nor what `above` leaves of one, nor the time that is said
    to be clear."""
    robot, random = some_robot(seed)
    state, goal = moving_state(robot, random, 0.5), robot.drawn(random)
    free = to(robot.arm, PARAMETERS, goal, state)
    arm = robot.arm.above(floor_near(robot.arm, free, state, random))
    limit = arm.floor - 2.0 * GRAZE
    duration = free.trajectory.duration
    clear = time_above(arm, state.positions, free.joints, free.trajectory)
    assert lowest_on_the_way(arm, free, state, clear) >= limit
    if clear < duration:  # the bound is near: soon after, it is below or nearly so
        step = duration / 50.0
        assert min(
            lowest_on_the_way(arm, free, state, min(clear + step, duration)), 1.0
        ) < arm.floor + 0.05
        with pytest.raises(NotBegun) as refused:
            plan(arm, SETTINGS, PARAMETERS, Wish(joints=goal), state)
        assert refused.value.code is Code.FLOOR
        assert refused.value.share == pytest.approx(clear / duration)
    else:
        assert plan(arm, SETTINGS, PARAMETERS, Wish(joints=goal), state).end == free.end
    try:
        part = above(arm, free, state)
    except Refusal as refused:  # joints that are too fast to stop
        assert refused.code is Code.FLOOR
        assert clear < duration
        return
    check_plan(arm, part, state)
    assert lowest_on_the_way(arm, part, state) >= limit


@pytest.mark.parametrize('seed', range(cases(400, 40)))
def test_a_slow_goal_of_a_moving_arm_above_the_floor(seed):
    """Law: a motion that stays above the floor is begun, however short the stop before it is beside
    its time. What is said of one that is refused is no more than how deep it gets."""
    robot, random = some_robot(seed)
    state, speed = moving_state(robot, random, 0.5), 10.0 ** random.uniform(-6.0, -2.0)
    wish = Wish(joints=robot.drawn(random), speed=speed)
    free = plan(robot.arm, SETTINGS, PARAMETERS, wish, state)
    times = [one.time for one in free.trajectory.waypoints]
    looks = np.concatenate([np.linspace(*pair, 60) for pair in pairwise(times)]).tolist()
    low = min(height(robot.arm, positions_at(free, state, time)) for time in looks)
    clear = low - CLEAR * robot.arm.arm.max_reach
    assert plan(robot.arm.above(clear), SETTINGS, PARAMETERS, wish, state).end == free.end
    arm = robot.arm.above(low + random.uniform(1e-3, 0.1))
    if height(arm, state.positions) < arm.floor:
        return  # it begins below the floor, and rises
    with pytest.raises(NotBegun, match='the motion would go below the floor') as refused:
        plan(arm, SETTINGS, PARAMETERS, wish, state)
    said = float(str(refused.value).split(', by ')[1].split(' m')[0])
    assert said <= arm.floor - clear


def test_a_target_that_comes_in_motion_beside_the_floor():
    """Law: either the joints can turn to it above the floor, or their motion is left as it is."""
    taken = refused = 0
    for robot, random, arm, playing, moment in beside_a_floor(cases(800, 80, least=10)):
        state, goal = playing.state(moment), robot.drawn(random)
        try:
            planned = above(arm, to(arm, PARAMETERS, goal, state), state)
        except Refusal as error:
            assert error.code is Code.FLOOR
            refused += 1
        else:
            assert lowest_on_the_way(arm, planned, state) >= arm.floor - 2.0 * GRAZE
            taken += 1
        stop = playing.braked(moment).plan
        assert lowest_on_the_way(arm, stop, state) >= arm.floor - 2.0 * GRAZE
    assert taken > 2 * refused > 0


def test_a_straight_line_of_no_length_and_a_goal_where_the_arm_is():
    rest = State(dict.fromkeys(HOME, 0.3))
    tip = SO101.forward_kinematics(rest.positions)
    here = Target(tuple(tip[:3, 3].tolist()))
    for wish in (Wish(here, straight=True), Wish(here), Wish(joints=rest.positions)):
        planned = plan(SO101, SETTINGS, PARAMETERS, wish, rest)
        assert planned.trajectory.duration < 0.05 and planned.turned == 0.0
        assert planned.end == pytest.approx(rest.positions, abs=1e-6)


def test_the_share_of_the_speed():
    goal, rest = {'shoulder_pan': 1.8}, State(dict(HOME))
    fast = plan(SO101, SETTINGS, PARAMETERS, Wish(joints=goal), rest)
    for share in (0.02, 0.5):
        slow = plan(SO101, SETTINGS, PARAMETERS, Wish(joints=goal, speed=share), rest)
        longer = fast.trajectory.duration / share
        assert slow.trajectory.duration == pytest.approx(longer, rel=0.01)
        fastest = share * fast.trajectory.extremes.speeds.max()
        assert slow.trajectory.extremes.speeds.max() == pytest.approx(fastest, rel=0.01)


def test_joints_that_turn_without_end_may_be_wound_up():
    robot = next(one for one in map(some_robot, range(100)) if any(
        math.isinf(joint.upper) for joint in one[0].arm.naming.joints.values()))[0]  # fmt: skip
    name = next(n for n, joint in robot.arm.naming.joints.items() if math.isinf(joint.upper))
    positions = robot.drawn(np.random.default_rng(1))
    wound = {**positions, name: positions[name] + 7.0 * math.tau}
    tip = robot.tip(wound)
    target = Target(tuple(tip[:3, 3].tolist()), tip[:3, :3])
    planned = plan(robot.arm, SETTINGS, PARAMETERS, Wish(target), State(wound))
    assert planned.end == pytest.approx(wound, abs=1e-6)


def test_a_held_joint_moves_only_without_a_floor():
    arm = load_arm(ON_A_RAIL)
    rest = State(dict.fromkeys([*arm.held, *arm.commanded_joints], 0.1))
    assert plan(arm, SETTINGS, PARAMETERS, Wish(joints={'rail': 0.5}), rest).end == {'rail': 0.5}
    with pytest.raises(NotBegun, match='rail is a held joint') as refused:
        plan(arm.above(0.0), SETTINGS, PARAMETERS, Wish(joints={'rail': 0.5}), rest)
    assert (refused.value.code, refused.value.share) == (Code.FLOOR, 0.0)
    same = Wish(joints={'rail': 0.1, 'j1': 0.0})
    assert plan(arm.above(0.0), SETTINGS, PARAMETERS, same, rest).end == same.joints


def test_a_stop_at_any_moment_stays_above_the_floor_and_keeps_the_limits():
    """Law: braking leaves the way, but not for what is below the floor."""
    arm, rng, near = SO101.above(-0.06), np.random.default_rng(8), 0
    names, joints = arm.commanded_joints, arm.joints.values()
    lower, upper = np.transpose([(joint.lower, joint.upper) for joint in joints])
    for _ in range(cases(4000, 160, least=25)):
        drawn = rng.uniform(lower, upper, (2, len(names)))
        start, end = (dict(zip(names, q.tolist())) for q in drawn)
        if min(lowest(arm, one, one) for one in (start, end)) < arm.floor:
            continue
        try:
            planned = plan(arm, SETTINGS, PARAMETERS, Wish(joints=end), State(start))
        except NotBegun:
            continue
        moment = rng.uniform(0.0, planned.trajectory.duration)
        stop = Playing(planned, 0.0).braked(moment).plan.trajectory
        assert np.allclose(stop.at(0.0), planned.trajectory.at(moment), rtol=0.0, atol=1e-9)
        assert stop.waypoints[-1].velocities == (0.0,) * len(names)
        assert stop.duration <= planned.trajectory.duration - moment + 1.0
        assert stop.extremes.accelerations.max() <= PARAMETERS.max_acceleration * (1.0 + 1e-8)
        places = [dict(zip(names, stop.at(t)[0])) for t in np.linspace(0.0, stop.duration, 60)]
        heights = [lowest(arm, at, at) for at in places]
        near += min(heights) < arm.floor + 0.01
        assert min(heights) >= arm.floor - 2e-4
    assert near


@pytest.mark.parametrize('wish', [
    Wish(joints={'elbow_flex': 0.3}), Wish(Target((0.2, 0.1, 0.1)), straight=True)
])  # fmt: skip
def test_a_joint_that_is_too_fast_to_stop_is_named(wish):
    near = State({**HOME, 'shoulder_pan': 1.90986}, {'shoulder_pan': 0.9})
    with pytest.raises(Refusal, match=r'too fast to stop in time: .*shoulder_pan') as refused:
        plan(SO101, SETTINGS, PARAMETERS, wish, near)
    assert refused.value.code is Code.JOINT_LIMIT
