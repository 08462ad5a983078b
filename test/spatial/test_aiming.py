# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the true yaw axis sees, how far a tip is tilted, and which elbows are aimed with."""

from dataclasses import replace

import numpy as np
import pytest
from hinge_chains import random_chain
from law_cases import cases
from spatial_arms import direction, pose, rotation_by, yaw_joint
from three_joints import NAMES
from tilted_robots import LEAN, TiltedRobot, tilted

from ik_circles import PlanarArm
from ik_circles.spatial.plane import ArmPlane
from ik_circles.spatial.true_axes.aiming import Aiming, Sought
from ik_circles.spatial.true_axes.bounds import Bounds

NORMAL = np.array((0.0, 0.0, 1.0))


def aiming_of(chain, along=(0.0, 1.0)):
    planar = PlanarArm((0.4, 0.3, 0.2))
    joint = yaw_joint(planar, (-2.0, 2.5), -0.1)._replace(along=along)
    plane = ArmPlane(pose(np.eye(3), (0.0, 0.0, 0.0)), joint, 1e-6)
    return Aiming(Bounds(planar, plane), chain)


def test_the_yaw_axis_sees_places_along_it_out_of_the_plane_and_outwards():
    """However far it leans: its axes are at right angles, and distances are as they are."""
    rng = np.random.default_rng(0)
    for _ in range(cases(200)):
        chain = random_chain(rng, 4)
        axis, foot = np.array(chain.hinges[0].axis), np.array(chain.hinges[0].point)
        off = rng.normal(size=3)
        outwards, along, beside = np.array(aiming_of(chain).seen(tuple(foot + off)))
        assert along == pytest.approx(axis @ off)
        assert np.linalg.norm((outwards, along, beside)) == pytest.approx(np.linalg.norm(off))
        across = np.cross(axis, NORMAL)  # outwards: across the axis, and in the plane
        assert outwards == pytest.approx(across @ off / np.linalg.norm(across))
        straight_out = aiming_of(chain).seen(tuple(foot + NORMAL))
        assert straight_out[0] == pytest.approx(0.0, abs=1e-12) and straight_out[2] < 0.0


def test_ways_outwards_from_a_yaw_axis_and_along_it_by_hand():
    """The axis leads 3 along x and 4 along y of 5; outwards is to its right."""
    aiming = aiming_of(random_chain(np.random.default_rng(1), 4), (0.6, 0.8))
    assert aiming.in_plane(1.0, 0.0) == pytest.approx((0.8, -0.6))
    assert aiming.in_plane(0.0, 2.0) == pytest.approx((1.2, 1.6))


@pytest.mark.parametrize('name', NAMES)
def test_a_tip_is_tilted_by_the_turn_that_no_joint_makes(name):
    """Behind a yaw joint, every turn counts; without one, a turn about the normal does not."""
    rng = np.random.default_rng(2)
    for _ in range(cases(100)):
        robot = TiltedRobot(tilted(name, rng))
        own, arm = robot.drawn(rng), robot.arm
        normal, about = arm.plane[:3, 2], direction(rng)
        has_yaw = arm.yaw_joint is not None
        if not has_yaw:
            about = np.cross(normal, about) / np.linalg.norm(np.cross(normal, about))
        for axis, tilt in ((about, 0.3), (normal, 0.3 if has_yaw else 0.0)):
            turned = rotation_by(axis, 0.3) @ robot.tip(own)[:3, :3]
            orientation, at = arm.spatial.tool.orientation(turned), arm.naming.configuration(own)
            found = arm.spatial.leaning.tilt(orientation, *at)
            assert found == pytest.approx(tilt, abs=1e-9 if has_yaw else 10.0 * LEAN)


@pytest.mark.parametrize('name', NAMES)
def test_only_an_elbow_that_limits_allow_is_aimed_with(name, monkeypatch):
    rng, asked, closed_form = np.random.default_rng(3), [], Aiming.closed_form

    def counted(self, sought, side, elbow):
        asked.append(elbow)
        return closed_form(self, sought, side, elbow)

    monkeypatch.setattr(Aiming, 'closed_form', counted)
    checked = 0
    for _ in range(cases(200, 40, least=10)):
        robot = TiltedRobot(tilted(name, rng))
        arm, q = robot.arm.spatial, robot.arm.naming.configuration(own := robot.drawn(rng)).q
        point = arm.tip_at(robot.arm.naming.configuration(own))
        for shoulder, yaws in arm.plane.shoulders(point):
            outwards = arm.yaw.from_axis(shoulder.point)[0] if arm.yaw else 0.0
            if not yaws or (abs(outwards) < 0.05 and arm.yaw) or not 0.5 < abs(q[1]) < 2.6:
                continue
            if np.linalg.norm(np.subtract(arm.planar.pose_at(q)[:2], shoulder.point)) > 1e-3:
                continue
            lower, _, upper = arm.planar.joint_limits
            planar = replace(arm.planar, joint_limits=(lower, (q[1] - 0.3, q[1] + 0.3), upper))
            asked.clear()
            leaning = replace(arm.leaning, planar=planar)
            found = [*leaning.solutions(Sought(point, sum(q)), shoulder.point, outwards)]
            assert asked == [0 if q[1] < 0.0 else 1], (q, asked)
            assert min(np.abs(np.subtract(its, q)).max() for _, its in found) <= 1e-6
            far = planar.max_reach + 1.0, 0.0
            assert [*leaning.solutions(Sought(point, sum(q)), far, outwards)] == []
            assert len(asked) == 1
            checked += 1
    assert checked
