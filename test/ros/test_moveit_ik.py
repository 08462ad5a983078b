# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""MoveIt's service GetPositionIK: over ROS where moveit_msgs is installed, and everywhere with
stand-ins that have the fields of its messages."""

import importlib.util
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from moveit_asked import (
    ARM,
    TEXT,
    Change,
    MoveItErrorCodes,
    OldErrorCodes,
    OverRos,
    StandIn,
    asks,
    at,
    random_state,
    refused,
    request_of,
    robot_state,
    solution,
    standing_in,
    starting,
)

# isort: split
from geometry_msgs.msg import PoseStamped
from law_cases import cases
from ros_probe import probed

from ik_circles.geometry.rigid import angle_between_rotations

#: An orientation that joints give is what was asked for up to this [rad]: TILT_TOLERANCE.
TILT = 0.01


@pytest.fixture(scope='module')
def stand_in() -> Iterator[StandIn]:
    with standing_in() as answers:
        yield answers


INSTALLED = importlib.util.find_spec('moveit_msgs') is not None


@pytest.fixture(scope='module', params=['stand-in', *(['over ROS'] if INSTALLED else [])])
def backend(request: Any) -> Iterator[Any]:
    """Without moveit_msgs, every test still runs with the stand-ins."""
    if request.param == 'stand-in':
        yield request.getfixturevalue('stand_in')
        return
    with probed({'robot_description': TEXT}) as probe:
        yield OverRos(probe)


@pytest.fixture
def ik(backend: Any) -> Any:
    backend.set()
    backend.measured(dict.fromkeys(ARM.commanded_joints, 0.0))
    return backend


# --- the answer ---


def test_the_pick_of_the_readme(ik: Any) -> None:
    response = ik.ask(asks((0.2, 0.1, 0.05)))
    found = solution(response)
    expected = ARM.solve(
        (0.2, 0.1, 0.05),
        rotation=[[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
        seed=dict.fromkeys(ARM.commanded_joints, 0.0),
    )
    assert found == pytest.approx(expected, abs=1e-9)
    assert response.solution.is_diff
    assert response.solution.joint_state.header.frame_id == 'base_link'


def test_law_a_pose_is_reached_from_any_state(ik: Any) -> None:
    rng = np.random.default_rng(0)
    for _ in range(cases(2000)):
        pose = ARM.forward_kinematics(random_state(rng))
        start = random_state(rng)
        found = solution(ik.ask(starting(at(pose), start)))
        assert found.keys() == ARM.joints.keys()
        reached = ARM.forward_kinematics(found)
        assert np.abs(reached[:3, 3] - pose[:3, 3]).max() < 1e-9
        assert angle_between_rotations(reached[:3, :3], pose[:3, :3]) < TILT


def test_law_the_state_of_the_request_is_the_seed(ik: Any) -> None:
    """Asked for its own pose, the arm stays in this state, wherever it was measured."""
    rng = np.random.default_rng(1)
    for _ in range(cases(1000)):
        start = random_state(rng)
        found = solution(ik.ask(starting(at(ARM.forward_kinematics(start)), start)))
        assert found == pytest.approx(start, abs=1e-9)


def test_without_a_state_the_measured_one_is_the_seed(ik: Any) -> None:
    rng = np.random.default_rng(2)
    for _ in range(10):
        start = random_state(rng)
        ik.measured(start)
        found = solution(ik.ask(at(ARM.forward_kinematics(start))))
        assert found == pytest.approx(start, abs=1e-9)


@pytest.mark.parametrize('is_diff', [False, True])
def test_joints_that_a_state_leaves_out_are_as_measured(ik: Any, is_diff: bool) -> None:
    ik.set(orientation_mode='free')
    ik.measured({**dict.fromkeys(ARM.commanded_joints, 0.0), 'wrist_roll': 0.7})

    def change(wanted: Any) -> None:
        asks((0.2, 0.1, 0.1))(wanted)
        wanted.robot_state.is_diff = is_diff
        wanted.robot_state.joint_state.name = ['elbow_flex']
        wanted.robot_state.joint_state.position = [0.3]

    found = solution(ik.ask(change))
    assert found['wrist_roll'] == pytest.approx(0.7)
    assert next(iter(found)) == 'elbow_flex'  # in the order of the request
    assert {*found} == {*ARM.commanded_joints}


def test_a_state_just_past_a_limit_is_taken_at_the_limit(ik: Any) -> None:
    ik.set(orientation_mode='free')
    high = ARM.joints['wrist_roll'].upper
    start = {**dict.fromkeys(ARM.commanded_joints, 0.0), 'wrist_roll': high + 0.3}
    found = solution(ik.ask(starting(asks((0.2, 0.1, 0.1)), start)))
    assert found['wrist_roll'] == pytest.approx(high)


def test_the_orientation_counts_as_orientation_mode_says(ik: Any) -> None:
    level = (0.0, 0.0, 0.0, 1.0)  # the only wrist joint cannot give it beside the arm's front
    start = {**dict.fromkeys(ARM.commanded_joints, 0.0), 'wrist_roll': 0.5}
    ik.set(orientation_mode='fixed')
    response = ik.ask(starting(asks((0.2, 0.1, 0.05), level), start))
    refused(response, 'NO_IK_SOLUTION', 'the axis of wrist_roll would have to leave')
    ik.set(orientation_mode='preferred')
    response = ik.ask(starting(asks((0.2, 0.1, 0.05), level), start))
    tip = ARM.forward_kinematics(solution(response))
    assert np.allclose(tip[:3, 3], (0.2, 0.1, 0.05), atol=1e-9)
    assert 'not with this orientation' in response.error_code.message
    ik.set(orientation_mode='free')
    found = solution(ik.ask(starting(asks((0.2, 0.1, 0.05), level), start)))
    assert found['wrist_roll'] == pytest.approx(0.5)


def test_settings_for_commands_do_not_count(ik: Any) -> None:
    """A question moves nothing: it may be far from the state, and out of reach is a no."""
    ik.set(max_joint_step=0.01)
    assert solution(ik.ask(asks((0.2, 0.1, 0.05))))
    ik.set(on_unreachable='nearest')
    refused(ik.ask(asks((0.9, 0.1, 0.05))), 'NO_IK_SOLUTION', 'too far by')


def test_out_of_reach_has_the_reason(ik: Any) -> None:
    refused(ik.ask(asks((0.9, 0.0, 0.1))), 'NO_IK_SOLUTION', 'too far by 0.')


# --- collisions ---


def test_collisions_are_not_checked_and_a_wish_to_avoid_them_is_refused(ik: Any) -> None:
    response = ik.ask(asks((0.2, 0.1, 0.05), avoid_collisions=True))
    refused(response, 'COLLISION_CHECKING_UNAVAILABLE', 'this node does not check collisions')


def test_the_plugin_always_wishes_to_avoid_them_and_is_answered(ik: Any) -> None:
    """moveit2's srv_kinematics_plugin.cpp sets it for every request, and MoveIt checks then."""
    plain = solution(ik.ask(asks((0.2, 0.1, 0.05))))
    response = ik.ask(asks((0.2, 0.1, 0.05), avoid_collisions=True), 'solve')
    assert solution(response) == plain
    assert response.error_code.message.endswith('; collisions were not checked')


# --- what the request may be ---


def test_group_and_timeout_are_accepted(ik: Any) -> None:
    def change(wanted: Any) -> None:
        asks((0.2, 0.1, 0.05), group_name='manipulator')(wanted)
        wanted.timeout.sec, wanted.timeout.nanosec = 0, 1

    assert solution(ik.ask(change))


@pytest.mark.parametrize('frame', ['', 'base_link', 'gripper_link'])
def test_frames_of_the_robot(ik: Any, frame: str) -> None:
    """An empty frame is the root, as MoveIt has it; a link is where the request's state has it."""
    rng = np.random.default_rng(3)
    for _ in range(10):
        start = random_state(rng)
        wanted = ARM.forward_kinematics(random_state(rng))
        inside = np.linalg.inv(ARM.link_pose(frame or 'base_link', start)) @ wanted
        found = solution(ik.ask(starting(at(inside, frame=frame), start)))
        assert np.allclose(ARM.forward_kinematics(found)[:3, 3], wanted[:3, 3], atol=1e-9)


def test_a_vector_of_one_pose_counts_as_the_pose(ik: Any) -> None:
    def change(wanted: Any) -> None:
        asks((0.2, 0.1, 0.05))(wanted)
        wanted.pose_stamped_vector = [wanted.pose_stamped]
        wanted.pose_stamped = PoseStamped()
        wanted.ik_link_name = 'ignored'

    assert solution(ik.ask(change)) == solution(ik.ask(asks((0.2, 0.1, 0.05))))


def test_the_tip_may_be_named(ik: Any) -> None:
    assert solution(ik.ask(asks((0.2, 0.1, 0.05), ik_link_name='gripper_frame_link')))


def twice(wanted: Any) -> None:
    asks((0.2, 0.1, 0.05))(wanted)
    wanted.pose_stamped_vector = [wanted.pose_stamped, wanted.pose_stamped]


def with_state(names: list[str], positions: list[float]) -> Change:
    def change(wanted: Any) -> None:
        asks((0.2, 0.1, 0.05))(wanted)
        wanted.robot_state.joint_state.name = names
        wanted.robot_state.joint_state.position = positions

    return change


@pytest.mark.parametrize(
    ('change', 'name', 'says'),
    [
        (asks((0.2, 0.1, 0.05), frame='moon'), 'FRAME_TRANSFORM_FAILURE', "'moon' is unknown"),
        (asks((math.nan, 0.1, 0.05)), 'INVALID_GOAL_CONSTRAINTS', 'give finite numbers'),
        (asks((0.2, 0.1, 0.05), (0, 0, 0, 0)), 'INVALID_GOAL_CONSTRAINTS', 'has length 0'),
        (asks((0.2, 0.1, 0.05), (0, 0, 0, math.inf)), 'INVALID_GOAL_CONSTRAINTS', 'finite'),
        (
            asks((0.2, 0.1, 0.05), ik_link_name='gripper_frme_link'),
            'INVALID_LINK_NAME',
            "did you mean 'gripper_frame_link'?",
        ),
        (asks((0.2, 0.1, 0.05), ik_link_name='wrist_link'), 'INVALID_LINK_NAME', 'set the par'),
        (twice, 'INVALID_LINK_NAME', '2 poses are given'),
        (with_state(['elbow_flx'], [0.0]), 'INVALID_ROBOT_STATE', "did you mean 'elbow_flex'?"),
        (with_state(['elbow_flex'], [math.nan]), 'INVALID_ROBOT_STATE', 'elbow_flex is nan'),
        (with_state(['elbow_flex'], []), 'INVALID_ROBOT_STATE', '1 joint names with 0 positions'),
        (with_state(['elbow_flex'] * 2, [0.0] * 2), 'INVALID_ROBOT_STATE', 'named twice'),
    ],
)
def test_what_cannot_be_answered_has_a_code_and_a_sentence(
    ik: Any, change: Change, name: str, says: str
) -> None:
    for service in ('compute', 'solve'):
        refused(ik.ask(change, service), name, says)


# --- with the stand-ins only ---


def test_constraints_are_refused(stand_in: StandIn) -> None:
    stand_in.set()

    def change(wanted: Any) -> None:
        asks((0.2, 0.1, 0.05))(wanted)
        wanted.constraints.joint_constraints = [object()]

    refused(stand_in.ask(change), 'INVALID_GOAL_CONSTRAINTS', 'joint_constraints are not supported')


def test_without_a_model_there_is_no_answer(stand_in: StandIn) -> None:
    stand_in.arm = None
    refused(stand_in.ask(asks((0.2, 0.1, 0.05))), 'FAILURE', 'no robot_description yet')
    stand_in.arm = ARM


def test_messages_of_humble_have_only_the_code(stand_in: StandIn) -> None:
    stand_in.set()
    stand_in.codes = OldErrorCodes
    assert vars(stand_in.ask(asks((0.9, 0.0, 0.1))).error_code) == {'val': -31}
    assert vars(stand_in.ask(asks((0.2, 0.1, 0.05))).error_code) == {'val': 1}
    stand_in.codes = MoveItErrorCodes


@pytest.mark.skipif(not INSTALLED, reason='moveit_msgs is not installed: compared with nothing')
def test_the_stand_ins_are_as_the_messages() -> None:
    from moveit_msgs.msg import MoveItErrorCodes as Installed
    from moveit_msgs.msg import PositionIKRequest, RobotState

    numbers = {name: value for name, value in vars(MoveItErrorCodes).items() if name.isupper()}
    assert numbers == {name: getattr(Installed, name) for name in numbers}
    for ours, theirs in ((request_of(), PositionIKRequest()), (robot_state(), RobotState())):
        assert {*vars(ours)} == {*theirs.get_fields_and_field_types()}
    constraints = PositionIKRequest().constraints.get_fields_and_field_types()
    assert {*vars(request_of().constraints)} == {*constraints}
