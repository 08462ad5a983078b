# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A wrist as the plane of the three sees it: held anywhere, and its axes as they lean."""

import math
import re

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import rotation_by
from three_joints import shipped_text
from tilted_robots import TiltedRobot
from wrist_robots import gap, pose_of, random_robots, shipped_robots

from ik_circles import load_arm
from ik_circles.robot.arm import HELD_TOLERANCE
from ik_circles.robot.model import with_wrist_at
from ik_circles.robot.tree import PlacedJoint
from ik_circles.robot.wrist import error_of

CLOSES, SAME = 1e-9, 1e-6  # [m] and [rad]; the root of rounding at a straight elbow
#: Neighboring values of an encoder with 4096 steps a turn [rad].
STEPS = 0.0, math.tau / 4096, math.tau / 2048
CROSS, NORMAL = np.array((0.0, 1.0, 0.0)), np.array((0.0, 0.0, 1.0))


def test_limits_of_angles_are_those_of_joints_wherever_the_wrist_is_held():
    rng = np.random.default_rng(0)
    for robot in random_robots(rng, cases(800), each=1):
        arm = robot.arm.holding(robot.drawn(rng))
        for one in arm.naming.three:
            ends = sorted(
                one.sign * end + one.offset for end in (one.joint.lower, one.joint.upper)
            )
            assert one.limits == pytest.approx(ends, abs=1e-12)


def test_both_axes_of_a_wrist_add_to_its_lean():
    for first, second in ((1e-5, 2e-5), (3e-5, 1e-6)):
        axis = rotation_by(CROSS, first) @ (1.0, 0.0, 0.0)
        other = rotation_by(NORMAL, second) @ CROSS
        place = np.zeros(3)
        joints = [PlacedJoint(None, axis, place), PlacedJoint(None, other, place)]
        lean, apart = error_of(joints, NORMAL)
        assert lean == pytest.approx(first + second, rel=1e-6)
        assert apart == pytest.approx(0.0, abs=1e-12)
        assert math.isclose(error_of(joints[:1], NORMAL)[0], first, rel_tol=1e-6)


def test_axes_that_miss_each_other_by_more_than_rounding_are_told_as_they_are():
    joints = [PlacedJoint(None, np.eye(3)[0], np.zeros(3)), PlacedJoint(None, CROSS, np.zeros(3))]
    for missed in (0.0, 1e-14, 1e-13, 1e-5):
        joints[1] = joints[1]._replace(position=missed * NORMAL)
        assert error_of(joints, NORMAL) == (0.0, missed if missed > 2e-14 else 0.0)


def test_own_poses_are_found_with_wrist_axes_that_just_miss_each_other():
    """All axes are parallel or perpendicular; only the last two do not meet."""
    rng, text = np.random.default_rng(1), shipped_text('ur5e')
    place = re.search(r'<joint name="wrist_3_joint".*?<origin xyz="(\S+) (\S+) (\S+)"', text, re.S)
    x, y, z = map(float, place.groups())
    moved = place[0].replace(' '.join(place.groups()), f'{x + 1e-5} {y + 1e-5} {z + 1e-5}')
    robot = TiltedRobot(text.replace(place[0], moved))
    assert robot.arm.whole is not None and robot.arm.whole.is_leaning
    for _ in range(cases(400)):
        own = robot.drawn(rng)
        point, rotation = pose_of(robot, own)
        found = robot.arm.inverse_kinematics(point, rotation=rotation, seed=own)
        assert min(gap(one, own) for one in found) <= 1e-6
        assert max(robot.miss(one, point) for one in found) <= 1e-9


@pytest.mark.parametrize('number', [float, np.float64])
@pytest.mark.parametrize('side', [-1.0, 1.0])
def test_a_held_joint_has_moved_if_it_is_farther_away_than_its_tolerance(number, side):
    arm = load_arm('so101')
    for share, has_moved in ((0.5, False), (1.0, False), (1.01, True)):
        moved = {'wrist_roll': number(side * share * HELD_TOLERANCE)}
        assert (arm.holding(moved) is not arm) == has_moved


def test_law_a_point_with_phi_has_the_wrist_where_the_seed_has_it_or_where_it_is_held():
    """Each solution closes on the robot with that wrist, and the own joint positions are among
    them; `solve` keeps it, too."""
    rng, checked = np.random.default_rng(2), 0
    for robot in [*random_robots(rng, cases(2000), each=2), *shipped_robots().values()]:
        own, seed = robot.drawn(rng), robot.drawn(rng)
        wrist = {name: seed[name] for name in robot.arm.wrist_joints}
        here, point = {**own, **wrist}, pose_of(robot, {**own, **wrist})[0]
        held = robot.arm.holding(wrist)
        if held.wrist_at != wrist:
            continue  # a wrist that has hardly moved stays
        phi = math.remainder(sum(held.naming.arm_angles(here)), math.tau)
        for found in (
            robot.arm.inverse_kinematics(point, phi, seed=seed),
            held.inverse_kinematics(point, phi),
            [robot.arm.solve(point, phi, seed=here, orientation_mode='fixed')],
        ):
            checked += len(found)
            assert all({name: one[name] for name in wrist} == wrist for one in found)
            assert max(robot.miss(one, point) for one in found) <= CLOSES
            turned = min(turns_apart(one, here) for one in found)
            assert turned <= SAME, (robot.text, here)
    assert checked > cases(4000)


def turns_apart(one, other):
    """The largest difference of a joint up to whole turns [rad]."""
    return max(abs(math.remainder(one[name] - other[name], math.tau)) for name in other)


def test_law_a_flickering_wrist_costs_one_workspace_for_each_place_and_changes_no_answer():
    """An encoder at rest flickers between neighboring values: the node holds the wrist at each."""
    rng = np.random.default_rng(3)
    for robot in shipped_robots().values():
        rest, some = robot.drawn(rng), {}
        places = [{name: rest[name] + step for name in robot.arm.wrist_joints} for step in STEPS]
        for number in range(cases(200)):
            place = places[int(rng.integers(len(places)))]
            arm = with_wrist_at(robot.arm, place)
            seen = some.setdefault(tuple(place.values()), arm)
            assert arm.arm.workspace is seen.arm.workspace and arm.wrist_at == seen.wrist_at
            point = pose_of(robot, {**robot.drawn(rng), **arm.wrist_at})[0]
            if number % 20 == 0:
                fresh = with_wrist_at(load_arm(robot.text), place)
                assert arm.naming.wrist_at == fresh.naming.wrist_at
                told, its = (one.check_reachability(point) for one in (arm, fresh))
                assert (told.code, told.message) == (its.code, its.message)
                assert (told.margin, told.solutions) == (its.margin, its.solutions)
