# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The page's targets: the slider, the buttons, and what the pointer drags."""

import math

import numpy as np
import pytest
from viewer_arms import ARMS, each_arm

from ik_circles import Code
from ik_circles.control.decision import assess
from ik_circles.control.settings import Settings
from ik_circles.control.target import Target
from ik_circles.viewer.camera import dragged_to, view_of
from ik_circles.viewer.targets import Sliders, demo_path, home_target, sliders_of, target_at

SETTINGS = Settings()
#: The plane of a so101 passes up to this far beside the yaw axis when its wrist is turned [m].
BESIDE_THE_AXIS = 0.02


def drawn(arm, rng):
    """Joint positions anywhere inside the limits, and sliders anywhere."""
    q = {
        joint.name: rng.uniform(max(joint.lower, -3.1), min(joint.upper, 3.1))
        for joint in arm.naming.joints.values()
    }
    phi, *wrist = rng.uniform(-3.0, 3.0, 1 + len(arm.wrist_joints)).tolist()
    return q, Sliders(phi, tuple(wrist))


@each_arm
def test_a_target_has_the_orientation_that_the_sliders_say(name: str) -> None:
    """Law: sliders and target lead to each other; both flips of a wrist lead to the same target.

    But nowhere near the yaw axis, where the plane cannot be turned to the target.
    """
    arm, rng = ARMS[name], np.random.default_rng(1)
    met = 0
    for _ in range(50):
        q, sliders = drawn(arm, rng)
        position = tuple(arm.forward_kinematics(q)[:3, 3].tolist())
        target = target_at(arm, position, sliders)
        found = sliders_of(arm, target)
        if len(arm.wrist_joints) < 2:
            assert np.allclose((found.phi, *found.wrist), (sliders.phi, *sliders.wrist), atol=1e-8)
        met += np.allclose(target_at(arm, position, found).rotation, target.rotation, atol=1e-8)
    assert met == 50 if name != 'ur5e' else met > 40


@each_arm
def test_what_the_arm_is_at_can_be_set_with_the_sliders(name: str) -> None:
    """Law: an own pose that faces its point is the target of its own sliders."""
    arm, rng = ARMS[name], np.random.default_rng(5)
    for _ in range(50):
        q, _ = drawn(arm, rng)
        pose = arm.forward_kinematics(q)
        position = tuple(pose[:3, 3].tolist())
        target = target_at(arm, position, sliders_of(arm, Target(position, pose[:3, :3])))
        facing = arm.holding(q).spatial.plane.shoulders(position)
        yaw = arm.naming.configuration(q).yaw
        if math.cos(yaw - facing[0][0].yaw) > 0.999999:
            assert np.allclose(target.rotation, pose[:3, :3], atol=1e-5)


@each_arm
def test_the_slider_counts_as_the_message_does(name: str) -> None:
    """Also where the arm can only reach backwards. Of a wrist, the message says how far it is."""
    arm, rng = ARMS[name], np.random.default_rng(3)
    refused = 0
    for _ in range(200):
        q, sliders = drawn(arm, rng)
        position = tuple(arm.forward_kinematics(q)[:3, 3].tolist())
        message = assess(arm, SETTINGS, target_at(arm, position, sliders)).message
        if message.startswith('not with'):
            refused += 1
            said = f'not with tool orientation {math.degrees(sliders.phi):.1f} deg'
            assert message.startswith('not with this orientation' if arm.wrist_joints else said)
            if math.hypot(*position[:2]) > BESIDE_THE_AXIS:
                assert "leave the arm's plane" not in message
    assert refused > 10


@each_arm
@pytest.mark.parametrize('margin', [0.0, 0.02])
def test_home_and_the_demo_path_can_be_sent(name: str, margin: float) -> None:
    arm, settings = ARMS[name], Settings(safe_zone_margin=margin)
    turned = arm.holding(dict.fromkeys(arm.wrist_joints, 0.5))
    assert home_target(turned, settings).position == home_target(arm, settings).position
    assert assess(arm, settings, home_target(arm, settings)).code in (Code.OK, Code.ORIENTATION)
    if name != 'planar_3r':  # which is stretched there, at the edge of the safe zones
        tip = arm.forward_kinematics({})[:3, 3]
        assert home_target(arm, settings).position == pytest.approx(tip, abs=1e-12)
    codes = [assess(arm, settings, target).code for target in demo_path(arm, settings)]
    assert codes.count(Code.OK) >= 4
    assert Code.TOO_FAR in codes
    assert Code.NOT_FINITE not in codes


def test_what_is_dragged_without_a_yaw_joint_stays_in_the_plane_under_the_pointer() -> None:
    arm, rng = ARMS['planar_3r'], np.random.default_rng(2)
    for _ in range(50):
        eye = rng.uniform(-1.0, 1.0, 3) + np.array([0.0, 0.0, 3.0])
        point = rng.uniform(-0.5, 0.5, 3)
        found = np.array(dragged_to(arm, eye, point))
        assert abs(found[2]) < 1e-12
        assert np.linalg.norm(np.cross(found - eye, point - eye)) < 1e-9
    along = dragged_to(arm, np.array([3.0, 0.0, 0.5]), np.array([0.2, 0.1, 0.5]))
    assert np.allclose(along, (0.2, 0.1, 0.0))  # nothing of the plane is seen there


@each_arm
def test_the_first_view_is_on_the_plane_from_its_side(name: str) -> None:
    arm = ARMS[name]
    view = view_of(arm)
    sight = np.subtract(view.look_at, view.position)
    assert arm.plane[:3, 2] @ sight / np.linalg.norm(sight) < -0.95
    assert np.allclose(view.look_at, arm.plane[:3, 3])
