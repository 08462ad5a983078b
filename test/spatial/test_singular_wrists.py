# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses next to singular ones, with most of the joints on their limits."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from three_joints import shipped_text
from tilted_robots import TiltedRobot, leaned, tilted
from wrist_robots import (
    drawn_on_axis,
    gap,
    pose_of,
    random_robot,
    random_robots,
    shipped_robots,
    singular,
)

from ik_circles.control import Settings, Target, decide
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain
from ik_circles.spatial.true_axes.singular_wrist import picked_of

SAME = 1e-4  # [rad] what rounding makes of a wrist 1e-10 rad from singular
#: The same where the elbow is folded or straight, too.
FOLDED = 2e-3
SETTLES = 1e-8  # [rad] a correction from where the arm is
FIXED = Settings(orientation_mode='fixed')


def check_own(robot, own, same=SAME):
    point, rotation = pose_of(robot, own)
    found = robot.arm.inverse_kinematics(point, rotation=rotation, seed=own)
    assert min((gap(one, own) for one in found), default=math.inf) <= same, own
    assert robot.arm.check_reachability(point, rotation=rotation).reachable


@pytest.mark.parametrize('on_limits', [3, 5])
@pytest.mark.parametrize('off', [1e-8, 1e-6, 1e-3])
@pytest.mark.parametrize('yaw', [True, False])
def test_own_poses_with_nearly_singular_wrists_and_most_joints_on_limits(yaw, off, on_limits):
    """Joints on their limits may leave the others no freedom to turn the tip: rounding of what was
    left flung them round. Next to the yaw axis, rounding turns the plane by more than elsewhere."""
    rng, checked = np.random.default_rng(40), 0
    for robot in random_robots(rng, cases(1000, 160, least=6), each=1, kinds=[(yaw, 2)]):
        own = singular(robot, robot.drawn(rng, on_limits), rng, off)
        if own:
            checked += 1
            check_own(robot, own)
    assert checked


@pytest.mark.parametrize('yaw', [True, False])
def test_with_a_singular_wrist_an_arm_stays_next_to_its_seed(yaw):
    """To keep the seed's phi flung a joint from one end of its range to the other."""
    rng, checked = np.random.default_rng(44), 0
    for robot in random_robots(rng, cases(3000, 120), each=1, kinds=[(yaw, 2)]):
        own = singular(robot, robot.drawn(rng, rng.integers(4)), rng, 0.0)
        if own is None:
            continue
        checked, step = checked + 1, rng.uniform(0.0, 0.2)
        seed = {
            name: float(np.clip(q + rng.uniform(-step, step), *robot.limits[name]))
            for name, q in own.items()
        }
        command = decide(robot.arm, FIXED, Target(*pose_of(robot, own)), seed).command
        assert gap(command, seed) <= 3.0 * gap(own, seed) + 0.05
    assert checked


@pytest.mark.parametrize('off', [1e-8, 1e-7, 1e-6, 1e-5])
def test_own_poses_of_a_ur5e_folded_on_the_elbows_limit_with_a_nearly_singular_wrist(off):
    """The elbow ends 4e-4 rad past folded. There, tip and orientation have to be met at once: what
    moves the tip by hardly anything would be spent on rounding of its position."""
    robot, rng = shipped_robots()['ur5e'], np.random.default_rng(41)
    for _ in range(cases(1000, 120)):
        own = robot.drawn(rng, 4)
        own['elbow_joint'] = robot.limits['elbow_joint'][rng.integers(2)]
        check_own(robot, singular(robot, own, rng, off), FOLDED)


def test_a_wrist_that_counts_as_singular_is_put_on_its_limit_all_the_same():
    """1e-10 rad beside singular it has its last axis along the normal: the others follow, which
    may put them past their limits by more than rounding does. One arm in 700 is like that."""
    rng, checked = np.random.default_rng(1043), 0
    for robot in random_robots(rng, cases(1000, 20), each=1, kinds=[(False, 2)]):
        own = singular(robot, robot.drawn(rng, 5), rng, 4e-10)
        if own:
            checked += 1
            check_own(robot, own)
    assert checked


@pytest.mark.parametrize('yaw', [True, False])
def test_own_poses_with_singular_wrists_are_found_on_tilted_axes(yaw):
    """Of a family, axes that lean pick some members, which may be far from where the arm is, and
    with joints on limits there is often no other one."""
    rng, checked = np.random.default_rng(49), 0
    for robot in random_robots(rng, cases(3000, 450), each=1, kinds=[(yaw, 2)]):
        one = TiltedRobot(leaned(robot.text, rng, rng.choice([1e-7, 1e-6, 1e-5])))
        if len(one.arm.wrist_joints) < 2:
            continue
        off = rng.choice([0.0, 1e-10, 1e-8, 1e-6, 1e-4])
        own = singular(one, one.drawn(rng, rng.integers(2, 6 if yaw else 5)), rng, off)
        if own:
            checked += 1
            check_own(one, own)
    assert checked


def test_an_arm_whose_yaw_axis_alone_leans_stays_where_it_is_with_a_singular_wrist():
    """As that of a YAM Pro: the other axes are exact, so that a family is left, of which the lean
    picks no member. 10 of 173 arms moved by up to 2.6 rad, and 3 own poses were refused."""
    for seed in (10, 115, 194, *range(cases(200, 200))):
        rng = np.random.default_rng(seed)
        one = TiltedRobot(leaned(random_robot(rng, True, 2).text, rng, only='yaw'))
        own = singular(one, one.drawn(rng), rng, 0.0)
        if own:
            for name in rng.choice(one.arm.joint_names, rng.integers(1, 4), replace=False):
                own[name] = one.limits[name][rng.integers(2)]
            point, rotation = pose_of(one, own)
            assert gap(one.arm.solve(point, rotation=rotation, seed=own), own) <= SETTLES
            check_own(one, own, SETTLES)


def test_own_poses_of_arms_in_the_plane_of_the_yaw_axis_are_found_next_to_singular_wrists():
    """All that the lean picks came twice, and was known to the fourth root of rounding where both
    elbows are next to each other. Six of the first 500 seeds were missed, or refused."""
    for seed in (10, 89, 160, 288, 290, 401, *range(cases(900, 200))):
        rng = np.random.default_rng(seed)
        text = random_robot(rng, True, 2, on_axis=True).text
        robot = TiltedRobot(leaned(text, rng, 10.0 ** rng.uniform(-7.0, -5.0)))
        if len(robot.arm.wrist_joints) == 2:
            own = singular(robot, robot.drawn(rng, 2), rng, 10.0 ** rng.uniform(-4.0, -2.5))
            if own:
                check_own(robot, own)


@pytest.mark.parametrize('off', [1e-9, 1e-6, 1e-3])
def test_the_first_wrist_axis_is_across_how_the_last_one_leaves_the_normal(off):
    """Stretched along x, the arm has the last axis upright. Turned about y, that leaves the normal
    along x: only the first axis along y leaves a right angle, with the elbow up or down."""
    upright, along = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    at = [(upright, 0.0), (upright, 0.4), (upright, 0.7), (along, 0.9), (upright, 0.9)]
    chain = HingeChain(tuple(Hinge(axis, (x, 0.0, 0.0), 0.0) for axis, x in at), (0.9, 0.0, 0.0))
    rotation = rotation_by((0.0, 1.0, 0.0), off)
    found = [*picked_of(chain, 0.0, (0.5, 0.1, 0.0), rotation.tolist(), 0.0, False)]
    for phi, turned, _ in found:
        assert math.cos(phi) == pytest.approx(0.0, abs=1e-6)
        assert turned == 0.0
    assert {(round(math.sin(phi)), elbow) for phi, _, elbow in found} == {
        (-1, 0), (-1, 1), (1, 0), (1, 1)
    }  # fmt: skip


def test_own_poses_where_the_plane_touches_the_yaw_circle_with_a_singular_wrist():
    """A turn of the plane hardly moves the wrist center there, but turns the last axis."""
    rng, checked = np.random.default_rng(51), 0
    for robot in random_robots(rng, cases(800, 120), each=1, kinds=[(True, 2)], on_axis=False):
        one = TiltedRobot(leaned(robot.text, rng, rng.choice([1e-7, 1e-6, 1e-5])))
        own = drawn_on_axis(one, rng) if len(one.arm.wrist_joints) == 2 else None
        own = own and singular(one, own, rng, rng.choice([0.0, 1e-8, 1e-6, 1e-4]))
        if own:
            last = one.arm.wrist_joints[1]
            own[last] = rng.choice([own[last], *one.limits[last]])
            checked += 1
            check_own(one, own, FOLDED)
    assert checked


def test_own_poses_of_tilted_axes_with_the_wrist_center_next_to_the_yaw_axis():
    """Of a free yaw joint, too, axes that lean pick some angles: 7 of 179 poses were refused."""
    rng, checked = np.random.default_rng(52), 0
    for robot in random_robots(rng, cases(800, 120), each=1, kinds=[(True, 2)], on_axis=True):
        one = TiltedRobot(leaned(robot.text, rng, rng.choice([1e-7, 1e-6, 1e-5])))
        own = drawn_on_axis(one, rng, rng.random() < 0.5)
        own = own and singular(one, own, rng, rng.choice([0.0, 1e-2, 0.1, 1.0]))
        if own and len(one.arm.wrist_joints) == 2:
            checked += 1
            point, rotation = pose_of(one, own)
            assert one.arm.check_reachability(point, rotation=rotation).reachable
    assert checked


def away(one, other):
    """The largest difference of a joint, whatever its turns [rad]."""
    return max(abs(math.remainder(one[name] - other[name], math.tau)) for name in other)


def is_listed(robot, own, rng):
    """Whether an own configuration is among the solutions for some seed."""
    point, rotation = pose_of(robot, own)
    found = robot.arm.inverse_kinematics(point, rotation=rotation, seed=robot.drawn(rng))
    return min(away(one, own) for one in found) <= FOLDED


def test_members_that_leaning_axes_pick_next_to_each_other_are_all_listed_wherever_the_arm_is():
    """Singular, with a nearly straight elbow: the members counted as one, as those of exact axes
    do, or the elbow was bent past one of them. 7 of 136 poses were not listed."""
    rng = np.random.default_rng(53)
    for _ in range(cases(800, 120)):
        robot = TiltedRobot(tilted('ur5e', rng, rng.choice([1e-7, 1e-6, 1e-5]), wrist=True))
        own = robot.drawn(rng, rng.integers(1, 4))
        bend = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-6.0, -0.5)
        own = robot.bent(own, 1, bend) or own
        own = singular(robot, own, rng, rng.choice([0.0, 1e-8, 1e-6, 1.85e-4]))
        assert is_listed(robot, own, rng), f'{robot.text}, {own}'


@pytest.mark.parametrize(('seed', 'leans'), [(54, (-7.0, -5.0)), (60, (-8.5, -7.0))])
def test_members_next_to_the_yaw_axis_are_all_listed_wherever_the_arm_is(seed, leans):
    """The wrist center is where rounding turns the plane by most: they counted as one, as it might
    have moved them. 10 of 57 poses were not listed. Then 1 of 272 was not, and 1 of 199 whose axes
    lean less: joints that hardly move the tip did not move at all. One of the next 60 of these
    still is not."""
    rng, checked, count = np.random.default_rng(seed), 0, cases(500, 32, least=8)
    for robot in random_robots(rng, count, each=1, kinds=[(True, 2)], on_axis=False):
        one = TiltedRobot(leaned(robot.text, rng, 10.0 ** rng.uniform(*leans)))
        own = drawn_on_axis(one, rng, rng.random() < 0.4)
        own = own and singular(one, own, rng, rng.choice([0.0, 1e-8, 1e-6, 1e-4, 1e-3]))
        if own and len(one.arm.wrist_joints) == 2:
            assert is_listed(one, own, rng), f'{one.text}, {own}'
            checked += 1
    assert checked


def one_turn_ur5e():
    """A ur5e whose joints all go from -pi to pi."""
    limits = f'lower="{-math.pi!r}" upper="{math.pi!r}"'
    return TiltedRobot(re.sub('lower="[^"]*" upper="[^"]*"', limits, shipped_text('ur5e')))


def test_with_a_singular_wrist_and_a_straight_elbow_a_joint_keeps_its_side():
    """What rounding put before the other end counted as a detour, and the arm went elsewhere."""
    robot, rng = one_turn_ur5e(), np.random.default_rng(51)
    for _ in range(cases(3000, 40)):
        own = robot.drawn(rng, 2)
        own['wrist_2_joint'] = rng.choice([0.0, -math.pi, math.pi])
        own['elbow_joint'] = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-8.0, -3.0)
        check_own(robot, own)


@pytest.mark.parametrize('joint', ['wrist_2_joint', 'elbow_joint'])
def test_a_joint_at_half_a_turn_is_given_on_its_own_side(joint):
    """From -pi to pi: on one end, rounding next to a singular wrist, or to a straight elbow, may
    have put it before the other end."""
    robot, rng = one_turn_ur5e(), np.random.default_rng(50)
    for _ in range(cases(1000, 40)):
        own = robot.drawn(rng, 2)
        own[joint] = float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-6.0, -4.0))
        check_own(robot, own)
