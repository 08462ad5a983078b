# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Poses of an arm without a wrist in columns: the choice, and what is left to the code for one."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from law_cases import cases
from spatial_arms import (
    FREE,
    LINKS,
    checked,
    pose,
    random_configuration,
    same_angle,
    spatial_arm,
    tip_pose,
    yaw_joint,
)
from three_joints import load
from tilted_robots import tilted

from ik_circles import Floor, PlanarArm, load_arm
from ik_circles.planar.redundancy.rules import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.batch.poses import PoseBatch
from ik_circles.spatial.plane import INWARD
from ik_circles.spatial.points.ways import SAME_TILT

ROWS = 20
SAME = 1e-9  # [rad]


def solved(arm, rows, near, policy, tilt=0.01):
    near = np.broadcast_to(near, (len(rows), 4))
    return PoseBatch(arm).solve(np.array(rows), near, policy, tilt)


@pytest.mark.parametrize('branch', ['nearest', 'elbow_up', 'elbow_down'])
@pytest.mark.parametrize('bend', [(0.3, 2.5), (-2.5, -0.3), (-2.5, 2.5)])
def test_the_elbow_is_on_the_branch_if_either_shoulder_has_one(branch, bend):
    """With an elbow that bends to one side only, it is on a branch facing the point, and on the
    other one reaching backwards."""
    planar = PlanarArm((0.4, 0.3, 0.1), [None, bend, None])
    arm, rng = spatial_arm(planar, yaw_joint(planar, aside=0.05)), np.random.default_rng(0)
    policy, turned_round = Policy(branch, 'fixed'), 0
    for _ in range(cases(200)):
        own = [random_configuration(rng, arm) for _ in range(ROWS)]
        points = [(*tip_pose(arm, one)[0], sum(one.q)) for one in own]
        near = Configuration(*rng.uniform(-2.0, 2.0, 1), tuple(rng.uniform(-1.0, 1.0, 3)))
        angles, doubtful = solved(arm, points, (near.yaw, *near.q), policy)
        assert doubtful.mean() < 0.3
        for row in np.flatnonzero(~doubtful):
            told = checked(arm, points[row][:3], points[row][3])
            one = told.choose(near, policy, Redundancy())
            assert angles[row] == pytest.approx((one.yaw, *one.q), abs=SAME)
            turned_round += same_angle(one.yaw, own[row].yaw) > 2.0
    assert turned_round > cases(200)


def test_what_columns_do_not_know_is_left_to_the_code_for_one_target():
    near, policy = np.array([(0.1, 0.2, 0.3, 0.4)]), Policy()
    families = PlanarArm((0.4, 0.4, 0.0)), PlanarArm((0.0, 0.4, 0.3))
    for planar in (*families, PlanarArm((0.4, 1e-9, 0.3)), replace(LINKS, floor=Floor(-9.0, 0.0))):
        arm = spatial_arm(planar, yaw_joint(planar))
        assert solved(arm, [(0.4, 0.1, 0.2, 0.5)], near, policy).doubtful.all()
    known = spatial_arm(LINKS, yaw_joint(LINKS))
    assert not solved(known, [(0.4, 0.1, 0.2, 0.5)], near, policy).doubtful.any()
    exact, leaning = load('so101').spatial, load_arm(tilted('so101', np.random.default_rng(0)))
    for arm, is_left in ((exact, False), (leaning.spatial, True)):
        point = arm.tip_at(Configuration(0.1, (0.5, -1.0, 0.3)))
        assert solved(arm, [(*point, -0.2)], near, policy).doubtful == [is_left]


@pytest.mark.parametrize('tilt', [0.0, 0.01, math.pi, 4.0])
def test_points_with_an_angle_of_the_tool_are_not_tilted_whatever_is_allowed(tilt):
    arm, rng = spatial_arm(LINKS, yaw_joint(LINKS)), np.random.default_rng(1)
    own = [random_configuration(rng, arm) for _ in range(ROWS)]
    points = [(*tip_pose(arm, one)[0], sum(one.q)) for one in own]
    angles, doubtful = solved(arm, points, (0.1, 0.2, 0.3, 0.4), Policy(), tilt)
    assert doubtful.mean() < 0.1 and np.isfinite(angles[~doubtful]).all()


def orientation_with(arm, tool):
    """An orientation (3x3) with the tool in a direction, in the axes of the plane at 0."""
    tool = np.array(tool) / np.linalg.norm(tool)
    across = np.cross((0.0, 0.0, 1.0), tool)
    across /= np.linalg.norm(across)
    axes = arm.plane.pose[:3, :3]
    return axes @ np.array([tool, across, np.cross(tool, across)]).T @ axes.T


def test_rows_in_which_rounding_says_whether_the_tool_points_inwards_are_left():
    """A tool that points inwards by less than INWARD of its level part counts as pointing outwards.
    """
    arm = spatial_arm(LINKS, yaw_joint(LINKS, aside=0.05))
    point = arm.plane.point_at(0.5, 0.1, 0.0)
    for off, is_left in ((-1e-11, False), (-5e-13, True), (5e-13, True), (1e-11, False)):
        wanted = pose(orientation_with(arm, (-0.6 * INWARD + off, 0.8, 0.6)), point)
        assert solved(arm, [wanted], (0.1, 0.2, 0.3, 0.4), Policy(), 4.0).doubtful == [is_left]


def test_rows_in_which_rounding_says_which_shoulders_tilt_the_tool_as_little_are_left():
    """Both shoulders count if their tilts differ by at most SAME_TILT. The tool points along the
    yaw axis, so both tilts are turns about it. An orientation that gives way counts more as equal.
    """
    arm = spatial_arm(LINKS, yaw_joint(LINKS, FREE, 0.05))
    point = 0.4, 0.2, 0.1
    (facing, _), (backwards, _) = arm.plane.shoulders(point)
    middle = (facing.yaw + backwards.yaw) / 2.0
    shares = (0.9, False), (0.99, True), (1.01, True), (1.1, False)
    for (share, is_left), mode in product(shares, ('fixed', 'preferred')):
        is_left = is_left or (share > 1.0 and mode == 'preferred')
        for sign in (-1.0, 1.0):
            heading = middle + sign * share * SAME_TILT / 2.0
            wanted = pose(arm.tool.rotation(math.pi / 2.0, heading), point)
            near = (backwards if sign > 0.0 else facing).yaw, 0.2, 0.3, 0.4
            policy = Policy(orientation_mode=mode)
            (angles,), doubtful = solved(arm, [wanted], near, policy, 4.0)
            assert doubtful == [is_left]
            nearer = near[0] if share < 1.0 else (facing if sign > 0.0 else backwards).yaw
            assert is_left or angles[0] == pytest.approx(nearer, abs=1e-9)
