# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The launch files as a user starts them, with `ros2 launch`."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import which

import pytest
import yaml
from ros_processes import PLANAR_3R, PREFIX, index

pytest.importorskip('launch_ros', reason='launch_ros is missing: it comes with a full ROS 2')
if which('ros2') is None:
    pytest.skip('there is no command ros2: it comes with a full ROS 2', allow_module_level=True)
# isort: split
from ros_probe import READ_ONLY_OF_ROS, IkProbe, Probe
from std_msgs.msg import String

from ik_circles.reasons import Code

#: Longest time for `ros2 launch` to refuse its arguments, or to end [s]. With ten busy processes a
#: core, it takes 40 s.
PATIENCE = 120.0
#: Stands in for a program that has no wheel: it writes down its arguments and waits for the end.
STAND_IN = """#!{python}
import signal, sys
from pathlib import Path
Path({written!r}).write_text('\\n'.join(sys.argv[1:]))
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
signal.pause()
"""


class Launch:
    """A running `ros2 launch`; it has what a probe asks of a process."""

    def __init__(self, folder: Path, arguments: tuple[str, ...], namespace: str = '/') -> None:
        self.namespace = namespace
        self._written = folder / 'launch.txt'
        with self._written.open('w') as written:
            self._process = subprocess.Popen(
                ['ros2', 'launch', 'ik_circles', *arguments],
                stdout=written, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    @property
    def output(self) -> str:
        return self._written.read_text(errors='replace')

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> int:
        return self._process.wait(timeout=PATIENCE)

    def end(self) -> None:
        """Ctrl-C reaches every process of the terminal."""
        if self.running:
            os.killpg(self._process.pid, signal.SIGINT)
        self.wait()


@contextmanager
def launching(folder: Path, *arguments: str) -> Iterator[Launch]:
    launch = Launch(folder, arguments)
    try:
        yield launch
    finally:
        launch.end()


@pytest.mark.parametrize(
    ('content', 'words'),
    [
        (None, 'urdf: there is no file {urdf}; name a URDF file'),
        (b' \n', 'urdf: {urdf} is empty; name the file of a robot'),
        (PLANAR_3R.encode('utf-16'), 'urdf: {urdf} is not UTF-8; convert it'),
    ],
    ids=('missing', 'empty', 'UTF-16'),
)
def test_a_file_that_is_no_urdf_is_named_before_anything_starts(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    urdf = tmp_path / 'arm.urdf'
    if content is not None:
        urdf.write_bytes(content)
    with launching(tmp_path, 'arm.launch.py', f'urdf:={urdf}') as launch:
        assert launch.wait() == 1
    assert words.format(urdf=urdf) in launch.output
    assert 'process started' not in launch.output


def test_the_demonstration_of_a_real_arm_needs_a_second_switch(tmp_path: Path) -> None:
    arguments = 'arm.launch.py', 'demo:=true', 'sim:=false'
    with launching(tmp_path, *arguments) as launch:
        assert launch.wait() == 1
    assert 'if that is meant, add move_real_arm:=true' in launch.output
    assert 'process started' not in launch.output
    with launching(tmp_path, *arguments, 'move_real_arm:=true') as launch:
        probe = Probe(launch)
        probe.wait(lambda: '[demo-' in launch.output, 'the demonstration')
        probe.close()


@pytest.mark.parametrize(
    ('argument', 'words'),
    [
        ('sim:=maybe', 'is not valid'),
        ('udrf:=so101', "udrf: no such argument; did you mean 'urdf'? there are urdf, "),
        ('params_file:=/no/such.yaml', 'params_file: there is no file /no/such.yaml'),
        ('viewer_port:=web', 'viewer_port: web is no port; give one from 0 to 65535'),
        ('urdf:=moon', 'name a URDF file, or one of the robots braccio, '),
        pytest.param(
            'rviz:=true', 'rviz2 is not installed',
            marks=pytest.mark.skipif(
                'rviz2' in index.get_packages_with_prefixes(), reason='rviz2 is installed'
            ),
        ),
        ('two_arms.launch.py viewer:=yes', '"viewer" provided value "yes" is not valid'),
        (
            'two_arms.launch.py viewr:=true',
            "viewr: no such argument; did you mean 'viewer'? there are params_file, sim, viewer",
        ),
    ],
)
def test_an_argument_that_does_not_work_is_named_before_anything_starts(
    tmp_path: Path, argument: str, words: str
) -> None:
    given = argument.split() if ' ' in argument else ['arm.launch.py', argument]
    with launching(tmp_path, *given) as launch:
        assert launch.wait() == 1
    assert words in launch.output
    assert 'process started' not in launch.output


def stand_in(prefix: Path, package: str) -> Path:
    """A package with one program of the same name; the file for the program's arguments."""
    program, written = prefix / 'lib' / package / package, prefix / f'{package}.txt'
    index = prefix / 'share' / 'ament_index' / 'resource_index' / 'packages' / package
    for file in (program, index, prefix / 'share' / package / 'package.xml'):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    program.write_text(STAND_IN.format(python=sys.executable, written=str(written)))
    program.chmod(0o755)
    return written


def test_rviz_gets_a_configuration_and_the_node_a_tolerance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = {name: stand_in(tmp_path, name) for name in ('rviz2', 'robot_state_publisher')}
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'{tmp_path}:{os.environ["AMENT_PREFIX_PATH"]}')
    with launching(tmp_path, 'arm.launch.py', 'rviz:=true') as launch:
        probe = IkProbe(launch)
        probe.connect()
        probe.wait(lambda: all(file.exists() for file in arguments.values()), 'RViz')
        option, config, *_ = arguments['rviz2'].read_text().splitlines()
        manager = yaml.safe_load(Path(config).read_text())['Visualization Manager']
        assert (option, manager['Global Options']['Fixed Frame']) == ('-d', 'base_link')
        assert probe.check((0.6, 0.2, 0.015)).code == Code.OK
        assert probe.check((0.6, 0.2, 0.025)).code == Code.OUT_OF_PLANE
        probe.close()
    assert not Path(config).exists()


def test_the_description_may_come_on_the_topic(tmp_path: Path) -> None:
    with launching(tmp_path, 'arm.launch.py', 'urdf:=topic') as launch:
        probe = IkProbe(launch)
        probe.connect()
        assert probe.check((0.6, 0.2, 0.0)).code == Code.NO_MODEL
        probe.descriptions.publish(String(data=PLANAR_3R))
        probe.wait(lambda: probe.check((0.6, 0.2, 0.0)).code == Code.OK, 'the model')
        probe.close()


def test_a_shipped_robot_is_found_by_its_name(tmp_path: Path) -> None:
    with launching(tmp_path, 'arm.launch.py', 'urdf:=so101') as launch:
        probe = IkProbe(launch)
        probe.connect()
        assert probe.check((0.2, 0.1, 0.1)).code == Code.OK
        probe.close()


def test_the_port_of_the_page_can_be_chosen(tmp_path: Path) -> None:
    pytest.importorskip('viser', reason='the extra viewer is not installed')
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]
    arguments = ('viewer:=true', f'viewer_port:={port}')
    with launching(tmp_path, 'arm.launch.py', *arguments) as launch:
        probe = IkProbe(launch)
        words = f'open http://127.0.0.1:{port}'
        probe.wait(lambda: words in launch.output, 'the page')
        probe.close()


@pytest.mark.parametrize(
    ('arguments', 'said'),
    [
        (('arm.launch.py', 'viewer_port:=8099'), 1),
        (('arm.launch.py',), 0),
        (('two_arms.launch.py',), 0),
    ],
)
def test_a_port_without_a_page_is_said(
    tmp_path: Path, arguments: tuple[str, ...], said: int
) -> None:
    with launching(tmp_path, *arguments) as launch:
        probe = Probe(launch)
        nodes = 2 if arguments[0] == 'two_arms.launch.py' else 1
        probe.wait(lambda: launch.output.count('arm from ') == nodes, 'the nodes')
        probe.close()
    assert launch.output.count('viewer_port:=8099 has no effect without viewer:=true') == said
    assert launch.output.count('has no effect') == said


def test_the_launch_ends_with_a_node_that_cannot_start(tmp_path: Path) -> None:
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]
        arguments = ('viewer:=true', f'viewer_port:={port}')
        with launching(tmp_path, 'arm.launch.py', *arguments) as launch:
            assert launch.wait() == 1
    assert 'viewer has ended with exit code 1, so this launch ends' in launch.output
    assert f'cannot serve on 127.0.0.1:{port}' in launch.output


@pytest.mark.parametrize('node', ['ik_node', 'sim_arm'])
def test_a_node_that_ctrl_c_reaches_before_the_launch_is_no_error(
    tmp_path: Path, node: str
) -> None:
    with launching(tmp_path, 'arm.launch.py') as launch:
        probe = Probe(launch)
        probe.wait(lambda: 'arm from ' in launch.output, 'the nodes')
        probe.close()
        started = re.search(rf'\[{node}-\d+\]: process started with pid \[(\d+)\]', launch.output)
        os.kill(int(started[1]), signal.SIGINT)
        assert launch.wait() == 0
    assert f'[{node}-' in launch.output and 'ERROR' not in launch.output


@pytest.mark.parametrize('node', ['ik_node', 'sim_arm'])
def test_the_parameters_of_a_node_can_be_dumped_and_loaded(tmp_path: Path, node: str) -> None:
    with launching(tmp_path, 'arm.launch.py', 'urdf:=so101') as launch:
        probe = IkProbe(launch)
        probe.connect()
        ask = partial(subprocess.run, capture_output=True, text=True, timeout=PATIENCE)
        options = ['--no-daemon', '--spin-time', '5']
        dumped = ask(['ros2', 'param', 'dump', f'/{node}', *options])
        file = tmp_path / 'dumped.yaml'
        file.write_text(dumped.stdout)
        files = [file]
        if node == 'ik_node':
            files.append(PREFIX / 'share' / 'ik_circles' / 'config' / 'ik_circles.yaml')
        for file in files:
            loaded = ask(['ros2', 'param', 'load', f'/{node}', str(file), *options])
            failed = re.findall('Set parameter (.*) failed: (.*)', loaded.stderr)
            assert loaded.returncode == 0 and 'successful' in loaded.stdout, loaded.stderr
            assert {name for name, _ in failed} <= {READ_ONLY_OF_ROS}
        assert probe.check((0.2, 0.1, 0.1)).code == Code.OK
        probe.close()


def test_a_floor_that_nobody_knows_is_told(tmp_path: Path) -> None:
    with launching(tmp_path, 'arm.launch.py', 'urdf:=topic') as launch:
        probe = Probe(launch)
        said = 'floor: auto is that of params_file if the URDF comes from a topic'
        probe.wait(lambda: said in launch.output, 'the floor')
        probe.close()


def test_the_arguments_of_two_arms_are_those_that_work(tmp_path: Path) -> None:
    with launching(tmp_path, 'two_arms.launch.py', '--show-args') as launch:
        assert launch.wait() == 0
    shown = re.findall(r"^    '(\w+)':$", launch.output, re.MULTILINE)
    assert shown == ['params_file', 'sim', 'viewer']


def test_two_arms(tmp_path: Path) -> None:
    with launching(tmp_path, 'two_arms.launch.py') as launch:
        for namespace in ('/left', '/right'):
            launch.namespace = namespace
            probe = IkProbe(launch)
            probe.connect()
            reach = 0.5 if namespace == '/left' else 0.2
            frame = 'base_link' if namespace == '/left' else 'link1'
            assert probe.check((reach, 0.0, 0.15 * (namespace == '/right')), frame=frame).code == 0
            probe.close()
