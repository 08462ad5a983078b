# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Every executable ends at once and quietly, and says in a sentence why it cannot start."""

import subprocess
from pathlib import Path
from signal import SIGINT, SIGTERM

import pytest
from ros_processes import PATIENCE, PLANAR_3R, PREFIX, started

# isort: split
from ros_probe import Probe

#: Name of each executable, and of its node.
EXECUTABLES = ('ik_node', 'sim_arm', 'demo')
SIGNALS = ((SIGINT,), (SIGTERM,), (SIGINT, SIGINT), (SIGTERM, SIGINT))


@pytest.mark.parametrize('signals', SIGNALS, ids=lambda s: '+'.join(one.name for one in s))
@pytest.mark.parametrize('name', EXECUTABLES)
def test_signals_end_it_with_code_0(name: str, signals: tuple) -> None:
    description = {} if name == 'demo' else {'robot_description': PLANAR_3R}
    with started(name, description, '/signals') as process:
        probe = Probe(process)
        probe.wait(lambda: name in probe.node.get_node_names(), f'{name} to be there')
        process.end(*signals)
        probe.close()


@pytest.mark.parametrize(
    ('name', 'parameters', 'words'),
    [
        ('ik_node', {'branch': 'foo'}, "branch is 'foo'; choose one of nearest, elbow_up"),
        ('ik_node', {'branch': 3}, 'branch'),
        ('ik_node', {'orientation_mode': ''}, "orientation_mode is ''; choose one of"),
        ('ik_node', {'on_unreachable': 'panic'}, "on_unreachable is 'panic'; choose one of"),
        ('ik_node', {'safe_zone_margin': -0.1}, 'safe_zone_margin'),
        ('ik_node', {'safe_zone_margin': 'wide'}, 'safe_zone_margin'),
        ('ik_node', {'out_of_plane_tolerance': 1e7}, 'out_of_plane_tolerance'),
        ('sim_arm', {'robot_description': '<robot name="r"'}, 'not well-formed'),
        ('sim_arm', {'rate': 0.0}, 'rate'),
        ('sim_arm', {'rate': 'often'}, 'rate'),
    ],
)
def test_bad_start_parameters_are_named(name: str, parameters: dict, words: str) -> None:
    with started(name, parameters, '/signals') as process:
        code = process.wait()
        assert code == 1, process.output
        assert 'Traceback' not in process.output
        (sentence,) = (line for line in process.output.splitlines() if 'cannot start: ' in line)
        assert words in sentence


@pytest.mark.parametrize(
    ('content', 'words'),
    [
        (bytes(range(256)), 'is not UTF-8; convert it'),
        (b'<robot', 'not well-formed'),
        (b'<robot name="x"/>', 'the robot has no links'),
        (PLANAR_3R.encode('utf-16'), 'is not UTF-8; convert it'),
        (None, 'there is no file'),
    ],
)
@pytest.mark.parametrize('name', ['demo', 'viewer'])
def test_for_a_file_without_an_arm_nothing_is_started(
    name: str, content: bytes | None, words: str, tmp_path: Path
) -> None:
    urdf = tmp_path / 'arm.urdf'
    if content is not None:
        urdf.write_bytes(content)
    command = [PREFIX / 'lib' / 'ik_circles' / name, '--urdf', urdf]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (2, '')
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith(f'{name}: ') and words in sentence


@pytest.mark.parametrize('name', (*EXECUTABLES, 'nodes', 'viewer'))
def test_in_a_shell_without_ros_it_says_what_to_source(name: str) -> None:
    program = PREFIX / 'lib' / 'ik_circles' / name
    bare = {'PATH': '/usr/bin:/bin'}
    ended = subprocess.run(
        [program, '--help'], env=bare, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ended.returncode == 1 and len(ended.stderr.splitlines()) == 1
    assert 'source install/setup.sh of the workspace, or scripts/env.sh' in ended.stderr
