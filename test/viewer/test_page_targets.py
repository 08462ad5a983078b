"""The page's targets: the slider, the buttons, and what the pointer drags."""

import math

import numpy as np
import pytest
from viewer_arms import ARMS, each_arm

from ik_circles import Code
from ik_circles.control.decision import assess
from ik_circles.control.settings import Settings
from ik_circles.viewer.camera import dragged_to, view_of
from ik_circles.viewer.targets import demo_path, home_target, orientation_of, target_at

SETTINGS = Settings()


@each_arm
def test_a_target_has_the_orientation_that_the_slider_says(name: str) -> None:
    arm, rng = ARMS[name], np.random.default_rng(1)
    for _ in range(50):
        q = {joint: rng.uniform(-1.0, 1.0) for joint in arm.commanded_joints}
        pose, phi = arm.forward_kinematics(q), rng.uniform(-3.0, 3.0)
        target = target_at(arm, tuple(pose[:3, 3]), phi)
        assert math.isclose(orientation_of(arm, target), phi, abs_tol=1e-9)


@each_arm
def test_the_slider_counts_as_the_message_does(name: str) -> None:
    """Also where the arm can only reach backwards."""
    arm, rng = ARMS[name], np.random.default_rng(3)
    refused = 0
    for _ in range(200):
        q = {
            joint.name: rng.uniform(max(joint.lower, -3.1), min(joint.upper, 3.1))
            for joint in arm.naming.joints.values()
        }
        phi = rng.uniform(-3.0, 3.0)
        target = target_at(arm, tuple(arm.forward_kinematics(q)[:3, 3].tolist()), phi)
        message = assess(arm, SETTINGS, target).message
        if message.startswith('not with'):
            refused += 1
            assert message.startswith(f'not with tool orientation {math.degrees(phi):.1f} deg')
    assert refused > 10


@each_arm
@pytest.mark.parametrize('margin', [0.0, 0.02])
def test_home_and_the_demo_path_can_be_sent(name: str, margin: float) -> None:
    arm, settings = ARMS[name], Settings(safe_zone_margin=margin)
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
