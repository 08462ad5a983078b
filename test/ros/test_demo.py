# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The demonstration's scenario against the installed executables."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from ros_processes import URDF, running

# isort: split
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.task import Future
from sensor_msgs.msg import JointState

from ik_circles.control.scenario import scenario_targets
from ik_circles.reasons import Code
from ik_circles.ros import qos, scenario_client
from ik_circles.ros.demo import WIDTH, table, view_command
from ik_circles.ros.processes import GivenRobot
from ik_circles.ros.scenario_client import ScenarioClient, run_scenario

EVERYWHERE = {Code.OK, Code.TOO_FAR, Code.NOT_FINITE}
#: Level and upright, with and without a yaw joint, with a wrist of none, one and two joints, joints
#: counted with and against the plane. Refusals: behind a yaw joint no point is out of the plane;
#: youbot_arm and so101 reach what is too close from behind, and ur5e with another wrist.
ROBOTS = {
    'planar_3r.urdf': {Code.JOINT_LIMIT, Code.TOO_CLOSE, Code.OUT_OF_PLANE},
    'open_manipulator_x.urdf': {Code.JOINT_LIMIT, Code.TOO_CLOSE},
    'youbot_arm.urdf': {Code.JOINT_LIMIT},
    'so101.urdf': {Code.JOINT_LIMIT},
    'ur5e.urdf': set(),
}
#: The tip of the simulated arm ends up this near to its target [m].
ALLOWED_ERROR = 1e-6


@pytest.fixture
def ros() -> Iterator[None]:
    rclpy.init()
    yield
    rclpy.try_shutdown()


@pytest.mark.parametrize('robot', ROBOTS)
def test_the_arm_does_what_it_is_told(robot: str, ros: None) -> None:
    description = {'robot_description': (URDF / robot).read_text()}
    # The margin makes a safe zone of its own inside, for a target that is too close.
    with (
        running('ik_node', {**description, 'safe_zone_margin': 0.02}),
        running('sim_arm', description),
    ):
        arm, _, rows = run_scenario(description['robot_description'])
    assert [row.problem for row in rows] == [''] * len(rows)
    assert all(row.moved <= 1e-9 for row in rows if not row.status.command.name)
    sent = [row for row in rows if row.status.command.name]
    assert len(sent) >= 3
    assert all(max(row.error, row.turned) <= ALLOWED_ERROR for row in sent)
    for name in arm.wrist_joints:
        assert len({round(row.measured[name], 3) for row in sent}) >= 3
    assert {Code(row.status.code) for row in rows} == EVERYWHERE | ROBOTS[robot]
    printed = table(arm, rows).splitlines()
    assert max(map(len, printed)) <= WIDTH == 120
    assert all(row.status.message.split(';')[0] in ' '.join(printed) for row in sent)


@contextmanager
def arm_that_is_off(robot: Path, off: float) -> Iterator[None]:
    """An arm whose joints all stop beside their commands by an angle [rad]."""
    node, executor = rclpy.create_node('beside'), SingleThreadedExecutor()

    def pass_on(received: str, sent: str, by: float) -> None:
        publisher = node.create_publisher(JointState, sent, qos.QUEUED)

        def on_message(message: JointState) -> None:
            message.position = [at + by for at in message.position]
            publisher.publish(message)

        node.create_subscription(JointState, received, on_message, qos.QUEUED)

    pass_on('/joint_command', '/inside/joint_command', off)
    pass_on('/inside/joint_states', '/joint_states', 0.0)
    executor.add_node(node)
    thread = Thread(target=executor.spin)
    with running('sim_arm', {'robot_description': robot.read_text()}, namespace='/inside'):
        thread.start()
        try:
            yield
        finally:
            executor.shutdown()
            thread.join()
            node.destroy_node()


def test_an_arm_that_stands_still_beside_its_command_has_arrived(ros: None) -> None:
    """The commands are right; the table tells how far off the tip is."""
    robot, off = URDF / 'planar_3r.urdf', 1e-3
    description = {'robot_description': robot.read_text(), 'safe_zone_margin': 0.02}
    with running('ik_node', description), arm_that_is_off(robot, off):
        arm, _, rows = run_scenario()
    assert [row.problem for row in rows] == [''] * len(rows)
    sent = [row for row in rows if row.status.command.name]
    assert len(sent) >= 3
    for row in sent:
        command = zip(row.status.command.name, row.status.command.position)
        assert all(row.measured[name] - at == pytest.approx(off, abs=1e-9) for name, at in command)
        assert 0.0 < row.error <= 3.0 * off * arm.arm.max_reach


def test_a_printed_command_works_where_it_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def words(urdf: str = 'so101', tip_link: str | None = None) -> list[str]:
        return shlex.split(view_command(urdf, GivenRobot('', tip_link=tip_link)))

    installed = tmp_path / 'a b' / 'install' / 'lib' / 'ik_circles' / 'demo'
    monkeypatch.setattr(sys, 'argv', [str(installed)])
    program = ['ros2', 'run', 'ik_circles', 'viewer', '--urdf']
    assert words() == [*program, 'so101']
    view = tmp_path / 'a b' / 'scripts' / 'view'
    view.parent.mkdir(parents=True)
    view.touch()
    for urdf in ('so101', "my robots/arm's.urdf"):
        assert words(urdf) == [str(view), urdf]
    monkeypatch.chdir(tmp_path / 'a b')
    assert words(tip_link='my tip') == ['scripts/view', 'so101', '--tip-link', 'my tip']


def test_an_answer_that_was_lost_is_asked_for_again(
    ros: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scenario_client, 'AGAIN', 0.1)
    lost, late = Future(), Future()
    late.set_result('the answer')
    answers = iter([lost, late])
    service = SimpleNamespace(
        service_is_ready=lambda: True, call_async=lambda request: next(answers)
    )
    client = ScenarioClient()
    assert client.ask('an answer', service, None) == 'the answer'
    client.destroy_node()


def test_an_arm_that_is_missing_is_named(ros: None, monkeypatch: pytest.MonkeyPatch) -> None:
    client = ScenarioClient()
    with running('ik_node', {'robot_description': (URDF / 'planar_3r.urdf').read_text()}):
        arm, _ = client.model()
        monkeypatch.setattr(scenario_client, 'PATIENCE', 5.0)
        with pytest.raises(TimeoutError, match='the arm: a subscriber'):
            client.wait_for_nodes(arm)
    client.destroy_node()


def test_no_target_is_sent_before_the_node_knows_where_the_arm_is(
    ros: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be refused with `motion: smooth`."""
    description = {'robot_description': (URDF / 'planar_3r.urdf').read_text()}
    client = ScenarioClient()
    client.create_subscription(JointState, 'joint_command', lambda _: None, qos.QUEUED)
    with running('ik_node', {**description, 'motion': 'smooth'}):
        arm, settings = client.model()
        client.measured.update(dict.fromkeys(arm.commanded_joints, 0.0))  # heard here only
        with monkeypatch.context() as patched:
            patched.setattr(scenario_client, 'PATIENCE', 5.0)
            with pytest.raises(TimeoutError, match='for the IK node to hear joint_states'):
                client.wait_for_nodes(arm)
        with running('sim_arm', description):
            client.wait_for_nodes(arm)
            target = scenario_targets(arm, settings, client.measured)[0]
            assert client.run(arm, target).problem == ''
    client.destroy_node()


def test_the_table_says_why_a_good_target_is_refused(ros: None) -> None:
    description = {'robot_description': (URDF / 'planar_3r.urdf').read_text()}
    client = ScenarioClient()
    with (
        running('ik_node', {**description, 'start_enabled': False}),
        running('sim_arm', description),
    ):
        arm, settings = client.model()
        client.wait_for_nodes(arm)
        row = client.run(arm, scenario_targets(arm, settings, client.measured)[0])
    client.destroy_node()
    assert row.problem == (
        'expected OK, the node and its service answered DISABLED and OK: the arm is disabled; '
        'enable it with the service /ik_node/enable'
    )
