# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The demonstration of an arm that stands on the floor stays above it, on the way, too."""

import math

import numpy as np
import pytest
from law_cases import FULL, QUICK, cases
from moving_arms import height
from three_joints import shipped_arms, shipped_text

from ik_circles import load_arm
from ik_circles.control.decision import decide
from ik_circles.control.floor import (
    BOUND_ROUNDING,
    GRAZE,
    SINKS,
    is_below,
    lowest,
    lowest_in,
    risen,
    stands,
    stays_above,
)
from ik_circles.control.motion.trajectory import Trajectory, Waypoint
from ik_circles.control.moves.plan import State, above, to
from ik_circles.control.refusals import Refusal
from ik_circles.control.scenario import NO_WAY, POSES, scenario_targets
from ik_circles.control.settings import MotionParameters, Settings
from ik_circles.control.simulation import SimulatedArm
from ik_circles.control.target import Target
from ik_circles.errors import InvalidSettingError

ARMS = shipped_arms()
STANDING = sorted(set(ARMS) - {'planar_3r'})
SETTINGS = (
    Settings(),
    Settings(safe_zone_margin=0.02),
    Settings(on_unreachable='nearest'),
    Settings(orientation_mode='free'),
    Settings(branch='elbow_down', max_joint_step=9.0),
)
#: Seeds of starts, 0 for home, and settings: all of them from home, or some of each arm and all of
#: them by all arms, and one from each other start.
EVERY = 1 if FULL else len(SETTINGS) if QUICK else 2
ELSEWHERE = range(1, cases(145, 100) + 1)
STARTS = [
    *(
        (name, 0, settings)
        for number, name in enumerate(STANDING)
        for settings in SETTINGS[number % EVERY :: EVERY]
    ),
    *((name, seed, SETTINGS[seed % len(SETTINGS)]) for seed in ELSEWHERE for name in STANDING),
]
HANGING = """<link name="ceiling"/>
  <joint name="mount" type="fixed">
    <parent link="ceiling"/> <child link="base_link"/> <origin rpy="3.141592653589793 0 0"/>
  </joint>"""
ROUNDING = 1e-12
#: Full poses are closed to this [m].
NEARLY = 1e-8
#: Time between two looks at the arm on its way [s].
LOOK = 0.02 if FULL else 0.05


def drawn(arm, random):
    """Positions of all commanded joints, anywhere inside their limits."""
    joints = arm.naming.joints
    return {
        name: random.uniform(max(joint.lower, -math.pi), min(joint.upper, math.pi))
        for name, joint in joints.items()
    }


def test_which_arms_stand():
    assert [name for name, arm in ARMS.items() if stands(arm)] == STANDING
    hanging = shipped_text('so101').replace('</robot>', f'{HANGING}</robot>')
    assert not stands(load_arm(hanging, base_link='ceiling'))
    down = -float(ARMS['so101'].plane[2, 3])
    lowered = hanging.replace('rpy="3.141592653589793 0 0"', f'xyz="0 0 {down!r}"')
    assert not stands(load_arm(lowered, base_link='ceiling'))  # its first joint is on the floor


@pytest.mark.parametrize('name', STANDING)
@pytest.mark.parametrize('seed', range(cases(60)))
def test_no_motion_gets_lower_than_the_bound(name, seed):
    """Law: each joint goes from start to end in its own time. Without motion the bound is exact."""
    arm, random = ARMS[name], np.random.default_rng(seed)
    start, end = drawn(arm, random), drawn(arm, random)
    if seed % 2:  # a short way, for which the bound is close
        end = {joint: 0.9 * start[joint] + 0.1 * end[joint] for joint in start}
    bound = lowest(arm, start, end)
    for _ in range(50):
        at = {joint: start[joint] + random.uniform() * (end[joint] - start[joint]) for joint in end}
        assert height(arm, at) >= bound - ROUNDING
    assert lowest(arm, end, end) == pytest.approx(height(arm, end), abs=ROUNDING)


@pytest.mark.parametrize('name', STANDING)
@pytest.mark.parametrize('seed', range(cases(60)))
def test_no_motion_inside_a_box_gets_lower_than_the_bound(name, seed):
    """Law: whatever the joints do while each stays inside its interval."""
    arm, random = ARMS[name], np.random.default_rng(seed)
    wide = random.choice([0.0, 0.1, 1.0])
    box = {joint: (at, at + wide * random.normal()) for joint, at in drawn(arm, random).items()}
    bound = lowest_in(arm, box)
    for _ in range(50):
        at = {joint: float(random.choice([*ends, random.uniform(min(ends), max(ends))]))
              for joint, ends in box.items()}  # fmt: skip
        assert height(arm, at) >= bound - ROUNDING
    if wide == 0.0:
        assert bound == pytest.approx(height(arm, at), abs=ROUNDING)


@pytest.mark.parametrize('name', STANDING)
@pytest.mark.parametrize('seed', range(cases(100, 40)))
def test_the_bound_is_exact_where_the_last_joint_alone_moves(name, seed):
    arm, random = ARMS[name], np.random.default_rng(seed)
    start = drawn(arm, random)
    last = arm.joint_names[-1]
    end = {**start, last: drawn(arm, random)[last]}
    ways = np.linspace(0.0, 1.0, 2000 if FULL else 100)
    heights = [height(arm, {**start, last: start[last] + way * (end[last] - start[last])})
               for way in ways.tolist()]  # fmt: skip
    between = arm.arm.link_lengths[-1] * (abs(end[last] - start[last]) / len(ways)) ** 2
    bound = lowest(arm, start, end)
    assert min(heights) - between - ROUNDING <= bound <= min(heights) + ROUNDING


@pytest.mark.parametrize('name', STANDING)
@pytest.mark.parametrize('seed', range(cases(40)))
def test_no_command_for_an_arm_above_a_floor_is_below_it(name, seed):
    """Law: whatever the target and the settings, the nearest point and other orientations too."""
    random = np.random.default_rng(seed)
    arm = ARMS[name].above(0.03)
    for settings in SETTINGS:
        pose = arm.forward_kinematics(drawn(arm, random))
        away = random.normal(size=3) * random.choice([0.0, 0.05])
        target = Target(tuple((pose[:3, 3] + away).tolist()), pose[:3, :3].tolist())
        found = decide(arm, settings, target, dict.fromkeys(arm.commanded_joints, 0.0))
        if found.command is not None:
            assert height(arm, found.command) >= 0.03 - NEARLY, (settings, target)
        if settings.on_unreachable == 'nearest':
            assert found.command is not None


@pytest.mark.parametrize(('name', 'seed', 'settings'), STARTS, ids=range(len(STARTS)))
def test_the_demonstration_stays_above_the_floor(name, seed, settings):
    """Law: from home, and from any start. What comes before the first pose counts only if the start
    is above the floor; without a way from there, the demonstration is refused."""
    arm, random = ARMS[name], np.random.default_rng(seed)
    simulated, lows = SimulatedArm(arm.tree), []
    if seed:
        simulated.positions.update(drawn(arm, random))
    start = dict(simulated.positions)
    is_above = lowest(arm, start, start) >= 0.0
    try:
        targets = scenario_targets(arm, settings, start)
    except InvalidSettingError as error:
        assert seed
        assert is_above
        assert str(error) == NO_WAY
        return
    poses = sum(one.name.startswith('pose ') for one in targets)
    assert [one.name for one in targets[:poses]] == [f'pose {n}' for n in range(1, poses + 1)]
    assert poses == POSES or (is_above and seed)
    for target in targets:
        if not all(map(math.isfinite, target.position)):
            continue
        assert target.expected or target.position[2] > 0.0
        at = {joint: simulated.positions[joint] for joint in arm.commanded_joints}
        command = decide(arm, settings, Target(target.position, target.rotation), at).command
        if command is None:
            continue
        assert simulated.command(list(command), list(command.values())) is None
        low = math.inf
        while any(abs(simulated.positions[joint] - command[joint]) > 1e-9 for joint in command):
            simulated.step(LOOK)
            low = min(low, height(arm, simulated.positions))
        lows.append(low)
    assert len(lows) >= poses > 0
    assert min(lows if is_above else lows[1:]) >= -ROUNDING
    assert height(arm, simulated.positions) >= 0.0


def test_an_arm_without_a_way_above_the_floor_gets_no_demonstration():
    """It went 136 mm below it, on its way to the first pose."""
    arm = ARMS['so101']
    at = dict(zip(arm.commanded_joints, (0.965, 1.544, 1.425, 0.176, 1.119)))
    assert height(arm, at) > 0.06
    with pytest.raises(InvalidSettingError, match='raise the arm'):
        scenario_targets(arm, Settings(), at)


def test_motion_after_motion_does_not_sink():
    """Each motion may be below the floor by a tolerance, but not by one more than the last."""
    arm, parameters = load_arm('so101', floor=0.0), MotionParameters(motion='smooth')
    rng = np.random.default_rng(5)
    positions = arm.solve((0.25, 0.0, 0.02))
    state, sank = State(positions), []
    for _ in range(cases(20_000, 1000, least=20)):
        below = arm.check_reachability((rng.uniform(0.15, 0.35), rng.uniform(-0.2, 0.2), -0.1))
        goal = below.nearest_joint_positions
        inside = {**goal, 'shoulder_lift': min(goal['shoulder_lift'] + rng.choice([0.0, 0.2]), 1.7)}
        try:
            planned, time = above(arm, to(arm, parameters, inside, state), state), 0.05
        except Refusal:  # too fast to turn off: it goes on
            time += 0.05
        after, moving = planned.trajectory.at(time)
        state = State(dict(zip(planned.joints, after)), dict(zip(planned.joints, moving)))
        sank.append(lowest(arm, state.positions, state.positions))
    assert min(sank) >= -GRAZE - len(sank) * BOUND_ROUNDING - 1e-9
    assert min(sank) < 0.005  # it does come near to the floor


def test_from_below_the_floor_a_path_rises_also_between_its_waypoints():
    """Law: what is taken gets no lower than it begins; to waypoints as high, a dip may lead."""
    random, taken, dips = np.random.default_rng(8), 0, 0
    for number in range(cases(1200)):
        arm = ARMS[STANDING[number % len(STANDING)]]
        at = drawn(arm, random)
        names, here = (*at,), np.array([*at.values()])
        arm = arm.above(lowest(arm, at, at) + 0.01)
        there = here + random.normal(size=len(here))
        still = (0.0,) * len(here)
        path = Trajectory([Waypoint(0.0, (*here,), still), Waypoint(0.5, (*there,), still)])
        along = [dict(zip(names, path.at(time)[0])) for time in np.linspace(0.0, 0.5, 25)]
        heights = [lowest(arm, one, one) for one in along]
        is_dip = heights[-1] >= heights[0] > min(heights) + 2.0 * SINKS
        is_taken = stays_above(arm, at, names, path, risen(arm, at))
        assert not (is_taken and min(heights) < heights[0] - 1.01 * SINKS)
        taken, dips = taken + is_taken, dips + is_dip
    assert taken > cases(200)
    assert dips > cases(40)


@pytest.mark.parametrize(('floor', 'below'), [(-0.01, False), (0.5 * GRAZE, False), (0.01, True)])
def test_an_arm_has_risen_to_where_its_lowest_part_is_or_to_where_it_only_grazes(floor, below):
    """Whichever is lower. It is never said to be lower than it was before."""
    random = np.random.default_rng(10)
    for name in STANDING:
        at = drawn(ARMS[name], random)
        high = lowest(ARMS[name], at, at)
        arm = ARMS[name].above(high + floor)
        level = high if below else high + floor - GRAZE
        assert is_below(arm, at) == below
        assert risen(arm, at) == pytest.approx(level, abs=ROUNDING)
        assert risen(arm, at, high - 1.0) == pytest.approx(level, abs=ROUNDING)
        assert risen(arm, at, high + 1.0) == high + 1.0


def sinks(arm, at, planned):
    """How far an arm gets lower than it begins, in a motion [m]."""
    path = planned.trajectory
    times = path.duration * np.append(np.logspace(-8.0, -2.0, 60), np.linspace(0.01, 1.0, 60))
    begun, *heights = (
        height(arm, {**at, **dict(zip(planned.joints, path.at(time)[0]))})
        for time in [0.0, *times.tolist()]
    )
    return begun - min(heights)


def test_from_below_the_floor_a_moving_arm_may_rise():
    """Law: a motion is taken if no part gets lower than the lowest was; none that is taken does."""
    random, taken, refused = np.random.default_rng(9), 0, 0
    for number in range(cases(1000)):
        arm = ARMS[STANDING[number % len(STANDING)]]
        at, goal = drawn(arm, random), drawn(arm, random)
        state = State(at, {name: 0.3 * random.normal() for name in at})
        try:
            planned = to(arm, MotionParameters(), goal, state)
        except Refusal:  # too fast to stop before a limit
            continue
        try:
            assert sinks(arm, at, above(arm.above(height(arm, at) + 0.01), planned, state)) <= 1e-6
            taken += 1
        except Refusal:
            assert sinks(arm, at, planned) >= 1e-9
            refused += 1
    assert taken > cases(100)
    assert refused > cases(100)
