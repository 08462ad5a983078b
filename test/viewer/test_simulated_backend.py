"""The page without ROS: the backend's answers, and the URDF of an arm of lengths."""

import math

import numpy as np
import pytest
from viewer_arms import ARMS, TEXTS, each_arm

from ik_circles import Code, PlanarArm, load_arm
from ik_circles.control.target import Target
from ik_circles.viewer.description import description_of
from ik_circles.viewer.standalone import SimulatedBackend
from ik_circles.viewer.state import TargetAnswer
from ik_circles.viewer.targets import target_in_plane


@each_arm
def test_the_backend_on_the_core_answers_and_moves(name: str) -> None:
    arm = ARMS[name]
    backend = SimulatedBackend(arm, TEXTS[name])
    goal = dict.fromkeys(arm.commanded_joints, 0.3)
    pose = arm.forward_kinematics(goal)
    backend.aim(Target(tuple(map(float, pose[:3, 3])), pose[:3, :3]))
    state = backend.step(0.0)
    assert state.answer is not None
    assert state.answer.code is Code.OK
    assert len(state.answer.others) == len(state.answer.solutions) - 1
    for positions in state.answer.solutions:
        assert np.allclose(arm.forward_kinematics(positions)[:3, 3], pose[:3, 3])
    for _ in range(200):
        state = backend.step(0.1)
    assert np.allclose(arm.forward_kinematics(state.measured), pose)
    assert all(abs(state.measured[joint]) > 0.1 for joint in arm.wrist_joints)
    shown, arm = target_in_plane(state.arm, state), state.arm
    assert shown is not None
    place = arm.spatial.plane.point_at(*shown.point, arm.naming.configuration(state.measured).yaw)
    assert np.allclose(place, pose[:3, 3], atol=1e-4)
    assert math.isclose(shown.phi, sum(arm.naming.arm_angles(state.answer.command)), abs_tol=1e-9)


def test_the_command_at_another_turn_is_no_other_solution() -> None:
    command, other = {'joint': 4.0}, {'joint': 1.0}
    solutions = ({'joint': 4.0 - math.tau}, other)
    assert TargetAnswer(Code.OK, '', command=command, solutions=solutions).others == [other]


def test_the_backend_keeps_its_wrist_for_points() -> None:
    arm = ARMS['so101']
    backend = SimulatedBackend(arm, TEXTS['so101'])
    pose = arm.forward_kinematics({'shoulder_lift': -0.3, 'wrist_flex': 0.4, 'wrist_roll': 1.0})
    backend.aim(Target(tuple(map(float, pose[:3, 3])), pose[:3, :3]))
    for _ in range(100):
        state = backend.step(0.1)
    roll = state.measured['wrist_roll']
    assert abs(roll) > 0.5
    backend.set('orientation_mode', 'free', True)
    backend.aim(Target((0.2, 0.1, 0.1)))
    for _ in range(100):
        state = backend.step(0.1)
    assert state.answer is not None and state.measured['wrist_roll'] == pytest.approx(roll)
    tip = arm.forward_kinematics(state.measured)[:3, 3]
    assert np.allclose(tip, (0.2, 0.1, 0.1), atol=1e-9)


def test_a_setting_that_does_not_fit_is_refused_with_the_reason() -> None:
    backend = SimulatedBackend(ARMS['planar_3r'], TEXTS['planar_3r'])
    backend.set('safe_zone_margin', 0.6, True)
    assert 'leaves nothing between the safe zones' in backend.step(0.0).notice
    backend.set('branch', 'sideways', True)
    assert "branch is 'sideways'" in backend.step(0.0).notice
    backend.set('branch', 'elbow_up', True)
    state = backend.step(0.0)
    assert (state.settings.branch, state.settings.safe_zone_margin) == ('elbow_up', 0.0)
    assert not state.notice


@pytest.mark.parametrize('limits', [None, ((-1.0, 1.0), None, (-0.5, 0.25))])
def test_an_arm_of_lengths_becomes_the_same_arm(limits: tuple | None) -> None:
    planar = PlanarArm((0.4, 0.3, 0.2), limits)
    arm = load_arm(description_of(planar))
    assert arm.arm.link_lengths == pytest.approx(planar.link_lengths)
    assert arm.arm.limits == planar.limits
    assert arm.commanded_joints == ('q1', 'q2', 'q3')
