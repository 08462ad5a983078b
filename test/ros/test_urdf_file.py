# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Nodes that one line starts: urdf_file, --help, and the program `nodes`."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from ros_processes import PLANAR_3R, PREFIX, URDF, running, started

# isort: split
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters
from rclpy.parameter import Parameter
from ros_probe import READ_ONLY_OF_ROS, Probe, probed
from sensor_msgs.msg import JointState

from ik_circles.control.parameters import parameters_of
from ik_circles.control.settings import ModelParameters, Settings, SimulationParameters
from ik_circles.errors import IkCirclesError
from ik_circles.reasons import Code
from ik_circles.ros.floors import floor_under
from ik_circles.ros.processes import robot_in

PROGRAMS = PREFIX / 'lib' / 'ik_circles'
GOOD = (0.6, 0.2, 0.0)
FILES = {
    'a path': str(URDF / 'planar_3r.urdf'),
    'a relative path': os.path.relpath(URDF / 'planar_3r.urdf'),
    'a path in a package': 'package://ik_circles/urdf/planar_3r.urdf',
    'the name of a shipped robot': 'planar_3r',
}


@pytest.mark.parametrize('file', FILES.values(), ids=FILES.keys())
def test_the_node_takes_a_file_and_shows_its_text_to_others(file: str) -> None:
    with probed({'urdf_file': file}, '/file') as ik:
        assert ik.send(GOOD).code == Code.OK
        client = ik.node.create_client(GetParameters, 'ik_node/get_parameters')
        request = GetParameters.Request(names=['robot_description'])
        (value,) = ik.call(client, request).values
        assert value.string_value == PLANAR_3R
        assert ik.set(urdf_file=file).successful
        refused = ik.set(urdf_file='px100')
        assert not refused.successful and 'urdf_file is read at the start' in refused.reason


def test_the_simulated_arm_takes_a_file() -> None:
    with running('sim_arm', {'urdf_file': 'so101'}, '/file') as process:
        probe, heard = Probe(process), []
        probe.node.create_subscription(JointState, 'joint_states', heard.append, 10)
        probe.wait(lambda: heard, 'joint states')
        assert 'shoulder_pan' in heard[0].name
        probe.close()


@pytest.mark.parametrize(
    ('name', 'given', 'others'),
    [
        ('sim_arm', {'urdf_file': 'so101'}, {'rate': 50.0, 'robot_description': PLANAR_3R}),
        ('viewer', {'port': 0}, {'port': 8080}),
        ('ik_node', {'urdf_file': 'so101'}, {}),
    ],
)
def test_what_is_read_at_the_start_takes_its_own_value_again(
    name: str, given: dict, others: dict
) -> None:
    """As `ros2 param load` gives it, from what `ros2 param dump` has asked for."""
    with running(name, given, '/again') as process:
        probe = Probe(process)
        listed = probe.node.create_client(ListParameters, f'{name}/list_parameters')
        get = probe.node.create_client(GetParameters, f'{name}/get_parameters')
        set_some = probe.node.create_client(SetParameters, f'{name}/set_parameters')
        names = list(probe.call(listed, ListParameters.Request()).result.names)
        assert {*given, *others} <= {*names}
        values = probe.call(get, GetParameters.Request(names=names)).values
        dumped = [ParameterMessage(name=a, value=b) for a, b in zip(names, values, strict=True)]
        results = probe.call(set_some, SetParameters.Request(parameters=dumped)).results
        refused = {a: b.reason for a, b in zip(names, results, strict=True) if not b.successful}
        assert {*refused} <= {READ_ONLY_OF_ROS}, refused
        for other, value in others.items():
            new = [Parameter(other, value=value).to_parameter_msg()]
            (result,) = probe.call(set_some, SetParameters.Request(parameters=new)).results
            assert not result.successful
            assert result.reason == f'{other} is read at the start; start the node again'
        assert list(probe.call(get, GetParameters.Request(names=names)).values) == list(values)
        probe.close()


@pytest.mark.parametrize('name', ['ik_node', 'sim_arm'])
@pytest.mark.parametrize(
    ('parameters', 'words'),
    [
        ({'urdf_file': 'so101', 'robot_description': PLANAR_3R}, 'give only one of them'),
        ({'urdf_file': 'moon'}, 'moon; name a URDF file, or one of the robots braccio, '),
        ({'urdf_file': 'package://moon/arm.urdf'}, "there is no package 'moon'"),
        ({'urdf_file': str(URDF)}, 'is a folder'),
    ],
)
def test_a_file_of_no_use_ends_the_node_with_a_sentence(
    name: str, parameters: dict, words: str
) -> None:
    with started(name, parameters) as process:
        assert process.wait() == 1
        assert words in process.output and 'Traceback' not in process.output


def test_limits_in_degrees_end_the_node_that_was_given_the_file(tmp_path: Path) -> None:
    file = tmp_path / 'degrees.urdf'
    file.write_text(PLANAR_3R.replace('lower="-1.8"', 'lower="-90"'))
    with started('ik_node', {'urdf_file': str(file)}) as process:
        assert process.wait() == 1
        assert f'cannot start: urdf_file {file}: ' in process.output
        assert 'degrees' in process.output


@pytest.mark.parametrize('name', ['ik_node', 'sim_arm', 'viewer', 'demo', 'nodes'])
@pytest.mark.parametrize(
    'arguments', [('--params-file', '/nope.yaml'), ('-p', 'urdf_file'), ('urdf_file:=so101',)]
)
def test_arguments_that_ros_cannot_read_are_one_sentence(
    name: str, arguments: tuple[str, ...]
) -> None:
    command = [PROGRAMS / name, '--ros-args', *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert ended.stderr.startswith('cannot start: ') and 'Traceback' not in ended.stderr
    assert ('needs -p before it' in ended.stderr) == (len(arguments) == 1)


@pytest.mark.parametrize('name', ['ik_node', 'sim_arm', 'viewer', 'demo', 'nodes'])
@pytest.mark.parametrize('domain', ['300', '233', '-1', '7abc', 'seven'])
def test_a_domain_that_ros_does_not_have_is_one_sentence(name: str, domain: str) -> None:
    """Also if the program starts others, which would not meet it."""
    own = {'nodes': ['so101'], 'viewer': ['--urdf', 'so101'], 'demo': ['--urdf', 'so101']}
    ended = subprocess.run(
        [PROGRAMS / name, *own.get(name, [])],
        env={**os.environ, 'ROS_DOMAIN_ID': domain}, capture_output=True, text=True, timeout=30,
    )  # fmt: skip
    assert ended.returncode == 1 and ended.stdout == ''
    (sentence,) = ended.stderr.splitlines()
    rule = 'it must be a whole number from 0 to 232: export ROS_DOMAIN_ID=0, or unset it'
    assert sentence == f"cannot start: ROS_DOMAIN_ID is '{domain}'; {rule}"


@pytest.mark.parametrize('domain', ['', '0', '232'])
def test_the_domains_that_ros_has_are_taken(domain: str) -> None:
    command = [PROGRAMS / 'ik_node', '--ros-args', '-p', 'urdf_file:=moon']
    environment = {**os.environ, 'ROS_DOMAIN_ID': domain}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1 and 'there is no file' in ended.stderr


@pytest.mark.parametrize(
    ('name', 'parameter'), [('ik_node', 'target_timeout'), ('sim_arm', 'rate')]
)
def test_a_whole_number_for_a_float_is_told_the_decimal_point(name: str, parameter: str) -> None:
    command = [PROGRAMS / name, '--ros-args', '-p', f'{parameter}:=1']
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1 and 'Traceback' not in ended.stderr
    words = f'cannot start: {parameter} needs a number with a decimal point, such as 1.0'
    assert words in ended.stderr and len(ended.stderr.splitlines()) == 1


def test_the_viewers_port_goes_with_a_file() -> None:
    command = [PROGRAMS / 'viewer', '--port', '8099']
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2 and '--port goes with --urdf' in ended.stderr


def test_the_same_text_twice_is_no_contradiction() -> None:
    """As `ros2 param dump` writes it."""
    with probed({'urdf_file': 'planar_3r', 'robot_description': PLANAR_3R}, '/twice') as ik:
        assert ik.send(GOOD).code == Code.OK


@pytest.mark.parametrize(
    ('name', 'groups'),
    [('ik_node', (ModelParameters, Settings)), ('sim_arm', (SimulationParameters,))],
)
def test_help_explains_and_ends(name: str, groups: tuple[type, ...]) -> None:
    asked = subprocess.run([PROGRAMS / name, '--help'], capture_output=True, text=True, timeout=30)
    assert asked.returncode == 0 and '-p urdf_file:=' in asked.stdout
    for group in groups:
        for one in parameters_of(group):
            assert f'  {one.name}' in asked.stdout
    wrong = subprocess.run([PROGRAMS / name, 'a.urdf'], capture_output=True, text=True, timeout=30)
    assert wrong.returncode == 2 and 'unrecognized arguments: a.urdf' in wrong.stderr
    assert '--ros-args -p urdf_file:=FILE' in wrong.stderr  # how to give it instead
    assert 'wires' not in asked.stdout  # it is for users


@pytest.mark.parametrize('killed', [None, 'ik_node', 'sim_arm'])
def test_one_command_starts_the_nodes_and_ends_them(killed: str | None) -> None:
    command = [PROGRAMS / 'nodes', 'planar_3r']
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            written = ''
            while 'arm from base_link to tip' not in written:
                written += (line := process.stderr.readline())
                assert line, written
            assert f'in ROS_DOMAIN_ID={os.environ["ROS_DOMAIN_ID"]}' in written
            if killed is None:
                process.send_signal(signal.SIGINT)
            else:
                children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text()
                (child,) = (
                    c for c in children.split() if killed in Path(f'/proc/{c}/cmdline').read_text()
                )
                os.kill(int(child), signal.SIGKILL)
            assert process.wait(timeout=15.0) == (killed is not None)
            assert (f'nodes: {killed} ended' in process.stderr.read()) == (killed is not None)
            with pytest.raises(ProcessLookupError):
                os.killpg(process.pid, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_a_file_that_is_no_urdf_is_not_taken_for_the_name_of_another(tmp_path: Path) -> None:
    file = tmp_path / 'name.txt'
    file.write_text('so101')
    with pytest.raises(IkCirclesError, match='not well-formed'):
        robot_in(str(file))
    with pytest.raises(IkCirclesError, match='not well-formed'):
        floor_under('so101')


def test_a_simulated_arm_says_what_it_waits_for() -> None:
    with running('sim_arm', {}, '/waits') as process:
        probe = Probe(process)
        words = 'waiting: no robot_description yet; publish its topic, or start with urdf_file'
        probe.wait(lambda: words in process.output, 'what it says')
        probe.close()


def test_a_file_without_an_arm_starts_nothing() -> None:
    ended = subprocess.run([PROGRAMS / 'nodes', 'moon'], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 2
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith('nodes: there is no file ')


def test_a_description_whose_lines_were_folded_is_the_same() -> None:
    """As `ros2 param load` folds them, which reads a text as YAML."""
    with running('sim_arm', {'robot_description': PLANAR_3R}, '/folded') as process:
        probe = Probe(process)
        set_some = probe.node.create_client(SetParameters, 'sim_arm/set_parameters')
        folded = Parameter('robot_description', value=' '.join(PLANAR_3R.split()))
        asked = SetParameters.Request(parameters=[folded.to_parameter_msg()])
        (result,) = probe.call(set_some, asked).results
        assert result.successful, result.reason
        probe.close()


def test_the_ik_node_keeps_its_arm_if_only_the_lines_of_its_description_are_folded() -> None:
    parameters = {'robot_description': PLANAR_3R}
    with running('ik_node', parameters, '/folded') as process:
        probe = Probe(process)
        set_some = probe.node.create_client(SetParameters, 'ik_node/set_parameters')
        for text in (' '.join(PLANAR_3R.split()), PLANAR_3R.replace('0.4', '0.45')):
            asked = SetParameters.Request(
                parameters=[Parameter('robot_description', value=text).to_parameter_msg()]
            )
            (result,) = probe.call(set_some, asked).results
            assert result.successful, result.reason
        probe.wait(lambda: 'links of 0.45' in process.output, 'the other arm')
        assert process.output.count('arm from base_link') == 2
        probe.close()
