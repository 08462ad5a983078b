# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Full poses of arms with a wrist: every solution, and what is chosen, in awkward places, too."""

import math

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from tilted_robots import TiltedRobot, leaned, tilted
from wrist_robots import (
    KINDS,
    SHIPPED,
    drawn_on_axis,
    gap,
    is_folded_and_singular,
    is_singular,
    least_motion,
    pose_of,
    random_robots,
    shipped_robots,
    singular,
    turned_away,
    with_tip_on_axis,
)

CLOSES = 1e-9  # [m] and [rad]
SAME = 1e-6  # [rad] the root of rounding, where the elbow is straight
#: With the elbow straight or folded, the bend is the root of the axes' error squared [rad].
STRAIGHT = 3e-4
#: What rounding leaves of a pose [m, rad]; next to a singular one it counts many times.
ROUNDING = 3e-15
#: At most so much: a singular wrist stays where it is, and an elbow is straightened [rad].
MOST = 5e-3
ROBOTS = shipped_robots()
TILT = 0.01  # [rad] the default of tilt_tolerance


def check(robot, found, point, rotation):
    """What is given is inside the limits, is different, and closes on the pose.

    With a yaw joint and a single wrist joint, other shoulders may leave a tilt.
    """
    arm = robot.arm
    joints, names = arm.tree.movable_joints, arm.commanded_joints
    assert len(found) <= (4 if len(arm.wrist_joints) == 1 else 8)
    for one in found:
        assert tuple(one) == names
        assert all(joints[n].lower <= q <= joints[n].upper for n, q in one.items())
        assert robot.miss(one, point) <= CLOSES
        is_exact = arm.yaw_joint is None or len(arm.wrist_joints) == 2
        assert turned_away(pose_of(robot, one)[1], rotation) <= (CLOSES if is_exact else TILT)
    for number, one in enumerate(found):
        for other in found[:number]:
            assert max(abs(math.remainder(one[n] - other[n], math.tau)) for n in names) > 1e-8


def check_own(robot, own, same=SAME):
    """The pose that joint positions give is found, with these, and an arm that is there stays."""
    point, rotation = pose_of(robot, own)
    told = robot.arm.check_reachability(point, rotation=rotation)
    for found in (
        robot.arm.inverse_kinematics(point, rotation=rotation, seed=own),
        told.all_near(own),
    ):
        check(robot, found, point, rotation)
        assert min((gap(one, own) for one in found), default=math.inf) <= same, own
    assert told.reachable and told.solutions
    check(robot, told.solutions, point, rotation)


def same_of(robot, own):
    """How far from its joint positions rounding may put those that are found for a pose [rad]."""
    return SAME + min(ROUNDING / max(least_motion(robot, own), ROUNDING), MOST)


def check_stays(robot, own, same=SAME):
    """An arm that is asked for the pose that it is in does not move."""
    point, rotation = pose_of(robot, own)
    for mode in ('preferred', 'fixed'):
        chosen = robot.arm.solve(point, rotation=rotation, seed=own, orientation_mode=mode)
        assert chosen is not None and gap(chosen, own) <= same, own


@pytest.mark.parametrize('on_limits', [0, 1, 2])
@pytest.mark.parametrize(('yaw', 'count'), KINDS)
def test_own_poses_of_random_robots_are_found(yaw, count, on_limits):
    rng = np.random.default_rng(on_limits)
    for robot in random_robots(rng, cases(1700, 170), kinds=[(yaw, count)]):
        own = robot.drawn(rng, on_limits)
        check_own(robot, own)
        check_stays(robot, own)


@pytest.mark.parametrize('on_limits', [0, 1, 2, 4])
@pytest.mark.parametrize('name', SHIPPED)
def test_own_poses_of_shipped_robots_are_found(name, on_limits):
    robot, rng = ROBOTS[name], np.random.default_rng(on_limits)
    for _ in range(cases(2500, 300)):
        own = robot.drawn(rng, on_limits)
        if is_folded_and_singular(own):
            continue
        check_own(robot, own)
        check_stays(robot, own)


def test_a_folded_elbow_on_its_limit_with_a_wrist_next_to_singular():
    """The UR5e's elbow ends 4e-4 rad past folded, its wrist 2e-4 rad before a whole turn."""
    own = dict(zip(ROBOTS['ur5e'].arm.commanded_joints, (0.5, -1.0, 3.142, 0.3, 6.283, 0.7)))
    check_own(ROBOTS['ur5e'], own)
    check_stays(ROBOTS['ur5e'], own)


@pytest.mark.parametrize('base', [0.0, math.pi])
@pytest.mark.parametrize('off', [0.0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-4])
def test_own_poses_with_the_ur5es_wrist_at_singular_places(off, base):
    """Next to it, rounding of the orientation leaves phi loose."""
    robot, rng = ROBOTS['ur5e'], np.random.default_rng(3)
    for _ in range(cases(1000, 400)):
        own = robot.drawn(rng, rng.integers(2))
        own['wrist_2_joint'] = base + off * rng.choice([-1, 1])
        if is_folded_and_singular(own):
            continue
        same = same_of(robot, own)
        check_own(robot, own, same)
        check_stays(robot, own, same)


@pytest.mark.parametrize('off', [0.0, 1e-12, 1e-9, 1e-6])
@pytest.mark.parametrize('yaw', [True, False])
def test_own_poses_of_random_robots_with_singular_wrists(yaw, off):
    rng, checked = np.random.default_rng(4), 0
    for robot in random_robots(rng, cases(1000, 100, least=3), each=2, kinds=[(yaw, 2)]):
        own = singular(robot, robot.drawn(rng, rng.integers(2)), rng, off)
        if own:
            checked += 1
            same = same_of(robot, own)
            check_own(robot, own, same)
            check_stays(robot, own, same)
    assert checked


@pytest.mark.parametrize('count', [1, 2])
def test_own_poses_with_the_wrist_center_on_the_yaw_axis(count):
    rng, checked = np.random.default_rng(5), 0
    for robot in random_robots(rng, cases(3000, 100), kinds=[(True, count)], on_axis=True):
        own = drawn_on_axis(robot, rng)
        if own:
            checked += 1
            check_own(robot, own)
            check_stays(robot, own)
            point, rotation = pose_of(robot, own)
            assert robot.arm.inverse_kinematics(point, rotation=rotation)  # from afar
    assert checked > cases(100, 100)


def on_axis_near_limits(rng):
    """The same with a wrist joint on its limit."""
    for robot in random_robots(rng, cases(3000, 100, least=10), kinds=[(True, 2)], on_axis=True):
        own = drawn_on_axis(robot, rng, on_limit=True)
        if own:
            yield robot, own


def test_own_poses_with_the_wrist_center_on_the_yaw_axis_and_a_joint_on_its_limit():
    """Found without a seed near them, too: only the yaw angle with the joint on its limit works."""
    checked = 0
    for robot, own in on_axis_near_limits(np.random.default_rng(6)):
        checked += 1
        check_own(robot, own)
        check_stays(robot, own)
        point, rotation = pose_of(robot, own)
        assert robot.arm.inverse_kinematics(point, rotation=rotation)
    assert checked > cases(100, 100)


@pytest.mark.parametrize('on_limits', [0, 1])
@pytest.mark.parametrize('name', SHIPPED)
def test_own_poses_are_found_on_tilted_axes(name, on_limits):
    rng = np.random.default_rng(7)
    for number in range(cases(1000, 400)):
        if number % 10 == 0:
            robot = TiltedRobot(tilted(name, rng, wrist=True))
            assert robot.arm.wrist_joints == ROBOTS[name].arm.wrist_joints
        own = robot.drawn(rng, on_limits)
        if is_folded_and_singular(own):
            continue
        check_own(robot, own, STRAIGHT)
        check_stays(robot, own, STRAIGHT)


@pytest.mark.parametrize('on_limits', [0, 1, 2, 3])
@pytest.mark.parametrize('count', [1, 2])
def test_own_poses_are_found_on_tilted_axes_without_a_yaw_joint(count, on_limits):
    """No joint brings the tip back into the plane: the lean alone should not be used for that."""
    rng = np.random.default_rng(31)
    for robot in random_robots(rng, cases(1000, 300), each=1, kinds=[(False, count)]):
        one = TiltedRobot(leaned(with_tip_on_axis(robot.text), rng))
        own = one.drawn(rng, on_limits)
        if is_singular(one, own, 0.02):
            continue  # there, the lean turns joints by much
        point, rotation = pose_of(one, own)
        found = one.arm.inverse_kinematics(point, rotation=rotation, seed=own)
        assert min((gap(each, own) for each in found), default=math.inf) <= STRAIGHT
        assert max(one.miss(each, point) for each in found) <= CLOSES
        assert one.arm.check_reachability(point, rotation=rotation).reachable
        check_stays(one, own, STRAIGHT)


def test_a_folded_elbow_on_its_limit_is_given_at_its_own_turn_on_tilted_axes():
    """The UR5e's elbow ends 4e-4 rad past folded: the same bend from the other side, a whole turn
    away, is inside the limits, too."""
    rng, limits = np.random.default_rng(30), (-3.142, 3.142)
    for number in range(cases(1000, 120)):
        if number % 10 == 0:
            most = 10.0 ** rng.uniform(-8.0, -5.0)
            robot = TiltedRobot(tilted('ur5e', rng, most, wrist=True))
        own = {**robot.drawn(rng), 'elbow_joint': limits[rng.integers(2)]}
        if not is_folded_and_singular(own):
            check_own(robot, own, STRAIGHT)
            check_stays(robot, own, STRAIGHT)


@pytest.mark.parametrize('kind', KINDS)
def test_turns_are_all_turns_inside_the_limits(kind):
    rng = np.random.default_rng(8)
    for robot in random_robots(rng, cases(1000, 100), kinds=[kind]):
        own, joints = robot.drawn(rng), robot.arm.tree.movable_joints
        turns = robot.arm.turns(own)
        expected = 1
        for name, angle in own.items():
            lower, upper = joints[name].lower, joints[name].upper
            whole = range(-4, 5) if upper < math.inf else [0]
            expected *= sum(lower <= angle + math.tau * turn <= upper for turn in whole)
        assert len(turns) == expected == len({tuple(one.values()) for one in turns})
        assert min(gap(one, own) for one in turns) <= 1e-12
        for one in turns[:5]:
            assert np.abs(robot.tip(one) - robot.tip(own)).max() <= 1e-12
            assert all(joints[n].lower <= q <= joints[n].upper for n, q in one.items())


@pytest.mark.parametrize('kind', KINDS)
def test_each_joint_is_at_the_turn_nearest_to_the_seed(kind):
    rng = np.random.default_rng(9)
    for robot in random_robots(rng, cases(1000, 100), kinds=[kind]):
        own, seed, joints = robot.drawn(rng), robot.drawn(rng), robot.arm.tree.movable_joints
        point, rotation = pose_of(robot, own)
        for near in (seed, None):
            for one in robot.arm.inverse_kinematics(point, rotation=rotation, seed=near):
                for name, angle in one.items():
                    start = 0.0 if near is None else near[name]
                    for other in (angle - math.tau, angle + math.tau):
                        if joints[name].lower <= other <= joints[name].upper:
                            assert abs(angle - start) <= abs(other - start) + 1e-9


def straight_down(robot, rng):
    """Joint positions with the tip below the wrist and a bent elbow, well inside the limits."""
    arm = robot.arm
    hand, wrist = arm.whole.carrier, arm.whole.wrist
    towards_tip = -float(wrist.center @ wrist.after[:, 0])  # as the wrist axis points
    down = wrist.phi_at_zero - math.copysign(math.pi / 2.0, towards_tip)
    inside = {name: (a + 0.15, b - 0.15) for name, (a, b) in robot.limits.items()}
    reach = hand.planar.max_reach
    some = [arm.yaw_joint, *arm.wrist_joints]
    while True:
        point = hand.yaw.in_plane(rng.uniform(0.2, 0.8) * reach, rng.uniform(-0.5, 0.5) * reach)
        own = {name: float(rng.uniform(*inside[name])) for name in some}
        for q in hand.planar.inverse_kinematics(*point, down):
            three = arm.whole_naming.named((0.0, q))
            own.update({name: three[name] for name in arm.joint_names})
            if abs(math.sin(q[1])) > 0.3 and all(a < own[n] < b for n, (a, b) in inside.items()):
                return own


@pytest.mark.parametrize('tilt', [0.0, 1e-9, 1e-4, 5e-3, 0.0099, 0.0101, 0.02])
@pytest.mark.parametrize('name', [name for name, count in SHIPPED.items() if count == 1])
def test_straight_down_is_continuous(name, tilt):
    """Small moves of the target, also out of the plane, give small moves of the joints."""
    robot, rng = ROBOTS[name], np.random.default_rng(10)
    for _ in range(cases(1000, 200)):
        own = straight_down(robot, rng)
        point, rotation = pose_of(robot, own)
        step, about = rng.normal(size=(2, 3))
        point = point + step / np.linalg.norm(step) * 1e-4
        wanted = rotation_by(about / np.linalg.norm(about), tilt) @ rotation
        found = robot.arm.solve(tuple(point.tolist()), rotation=wanted, seed=own)
        assert found is not None and gap(found, own) <= 0.02 + 10.0 * tilt, (own, about)
        assert robot.miss(found, point) <= CLOSES
        assert turned_away(pose_of(robot, found)[1], wanted) <= 2.0 * tilt + 0.02


def test_the_joints_at_the_nearest_point_are_at_the_turns_nearest_to_0():
    """A ur5e's shoulder_lift was at 4.88 rad, where -1.40 does as well."""
    arm, rng = ROBOTS['ur5e'].arm, np.random.default_rng(12)
    for point in rng.uniform(-0.6, 0.6, (cases(1000, 100), 3)):
        found = arm.check_reachability(tuple(point.tolist())).nearest_joint_positions
        assert found is None or all(abs(one) <= math.pi + CLOSES for one in found.values())
