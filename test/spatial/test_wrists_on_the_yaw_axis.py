# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The wrist center on the yaw axis: the yaw angles at which a joint is on its limit are tried."""

import math
from itertools import combinations

import numpy as np
from law_cases import cases
from wrist_robots import drawn_on_axis, pose_of, random_robot, random_robots

from ik_circles.geometry.angles import stops
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.poses.aims import Aim
from ik_circles.spatial.poses.free_members import is_free_on_axis, yaws_on_axis
from ik_circles.spatial.poses.whole import Whole

SAME = 1e-6  # [rad]


def on_axis(rng, count):
    """A whole arm with its wrist center on the yaw axis, a point of the plane, and orientations
    that the three joints have there: (lower, upper) [rad]."""
    robot = random_robot(rng, True, count, on_axis=True)
    arm = robot.arm.whole
    height = rng.uniform(-0.5, 0.5) * arm.carrier.planar.max_reach
    point = arm.carrier.yaw.in_plane(0.0, height)
    return arm, point, arm.carrier.planar.orientation_intervals(*point)


def inside(rng, limits):
    """Angles inside limits [rad]."""
    return [float(rng.uniform(max(lower, -3.0), min(upper, 3.0))) for lower, upper in limits]


def tried(arm, point, own):
    """The yaw angles that are tried for the orientation of a configuration, from anywhere else."""
    place, rotation = arm.pose(own)
    sight = arm.wrist.sight(rotation.tolist())
    aim = Aim(arm, place, rotation.tolist(), sight, 0.0, arm.home, 0.0, 0.0)
    return sight, yaws_on_axis(aim, arm.carrier.yaw, point)


def is_among(yaw, angles):
    return min((abs(math.remainder(one - yaw, math.tau)) for one in angles), default=9.0) <= SAME


def test_two_wrist_joints_or_the_three_on_a_limit_tell_the_yaw_angle():
    rng, seen = np.random.default_rng(0), [0, 0, 0]
    for _ in range(cases(1600, least=26)):
        arm, point, intervals = on_axis(rng, 2)
        if not intervals:
            continue
        (yaw,), wrist = inside(rng, [arm.carrier.yaw.limits]), inside(rng, arm.wrist.limits)
        (lower, upper), kind = intervals[rng.integers(len(intervals))], int(rng.integers(3))
        phi = float(rng.choice([lower, upper]))
        if kind < 2:
            phi = float(rng.uniform(lower, upper))
            wrist[kind] = arm.wrist.limits[kind][rng.integers(2)]
        if math.isinf(wrist[0] + wrist[1]) or (kind == 2 and upper - lower >= math.tau):
            continue
        own = Whole(yaw, (0.0, 0.0, phi), tuple(wrist))
        assert is_among(yaw, tried(arm, point, own)[1]), (kind, own)
        seen[kind] += 1
    assert min(seen) > cases(100)


def test_a_single_wrist_joint_tells_the_yaw_angle_by_its_axis_or_its_limit():
    """Its axis along the yaw axis is in every plane: then its limits tell."""
    rng, free = np.random.default_rng(1), 0
    for _ in range(cases(1000, least=16)):
        arm, point, _ = on_axis(rng, 1)
        (yaw,), (roll,) = inside(rng, [arm.carrier.yaw.limits]), inside(rng, arm.wrist.limits)
        chi, ends = float(rng.uniform(-3.0, 3.0)), arm.wrist.limits[0]
        yaw = rng.choice([yaw, *stops(arm.carrier.yaw.limits)])
        if rng.random() < 0.5 and math.isfinite(ends[0]):
            chi, roll = math.copysign(math.pi / 2.0, chi), ends[rng.integers(2)]
        own = Whole(yaw, (0.0, 0.0, chi + arm.wrist.phi_at_zero), (roll,))
        sight, angles = tried(arm, point, own)
        assert is_among(yaw, angles), own
        free += is_free_on_axis(arm, sight)
    assert free > cases(100)


def test_the_yaw_joint_stays_or_goes_to_an_end_of_its_range():
    rng = np.random.default_rng(2)
    for _ in range(cases(400)):
        arm, point, _ = on_axis(rng, 2)
        sight = np.linalg.qr(rng.normal(size=(3, 3)))[0].tolist()
        near = Whole(float(rng.uniform(-4.0, 4.0)), (0.0, 0.0, 0.0), (0.0, 0.0))
        aim = Aim(arm, (0.0, 0.0, 0.0), sight, sight, 0.0, near, 0.0, 0.0)
        found = yaws_on_axis(aim, arm.carrier.yaw, point)
        lower, upper = arm.carrier.yaw.limits
        expected = [float(np.clip(near.yaw, lower, upper))]
        expected += [] if math.isinf(lower) else [lower, upper]
        assert {*expected} <= {*found}
        assert found == sorted(found, key=lambda one: abs(one - near.yaw))
        assert all(lower <= one <= upper for one in found)


def test_own_poses_keep_the_margin_of_the_safe_zones():
    """Law: an own pose whose tip keeps a margin is not refused, although only some yaw angles keep
    it. Without the angles that put the tip on an edge of the zones, 1 in 40 is refused."""
    rng, asked = np.random.default_rng(1), 0
    for robot in random_robots(rng, cases(6000, least=900), on_axis=True):
        own = drawn_on_axis(robot, rng, bool(rng.random() < 0.3)) if robot.arm.yaw_joint else None
        if own is None:
            continue
        arm, held = robot.arm, robot.arm.holding(own)
        away = math.hypot(*held.arm.forward_kinematics(held.naming.arm_angles(own))[:2])
        most = min(away - held.arm.min_reach, held.arm.max_reach - away)
        margin = most * rng.choice([1.0 - 1e-6, rng.uniform(0.9, 1.0)]) - 1e-9
        if 0.0 < margin < (arm.arm.max_reach - arm.arm.min_reach) / 2.0:
            asked, (point, rotation) = asked + 1, pose_of(robot, own)
            zones = SafeZones.of(arm.arm, margin)
            told = arm.check_reachability(point, rotation=rotation, zones=zones)
            assert told.reachable, (own, margin)
            for one in told.solutions:
                its = arm.holding(one)
                if any(its.at_rest[name] != one[name] for name in arm.wrist_joints):
                    continue  # `holding` leaves a joint that has hardly moved
                away = math.hypot(*its.arm.forward_kinematics(its.naming.arm_angles(one))[:2])
                slack = min(away - its.arm.min_reach, its.arm.max_reach - away) - margin
                assert slack >= -2.0 * its.arm.tolerance
    assert asked


def test_next_to_the_yaw_axis_no_pose_of_an_arm_with_one_wrist_joint_is_listed_twice():
    """There, tilted planes are solved, too. Without a tilt, they are the plane of the pose."""
    rng, checked = np.random.default_rng(1), 0
    for robot in random_robots(rng, cases(4000, 8, least=400), kinds=[(True, 1)], on_axis=False):
        own = drawn_on_axis(robot, rng, away=rng.uniform(-0.05, 0.05))
        if own:
            checked += 1
            point, rotation = pose_of(robot, own)
            found = robot.arm.inverse_kinematics(point, rotation=rotation)
            for one, other in combinations(found, 2):
                away = [math.remainder(one[name] - other[name], math.tau) for name in one]
                assert max(map(abs, away)) > 1e-8
    assert checked > cases(1500, 8, least=150)
