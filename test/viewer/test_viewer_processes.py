# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The viewer as a process: ports that it cannot use, and the nodes that it starts."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from ros_processes import PREFIX, URDF, started

from ik_circles.control.settings import NO_FLOOR

pytest.importorskip('viser', reason='the extra viewer is not installed')

#: Longest wait for the end of a viewer that starts other nodes first [s].
PATIENCE = 60.0
VIEWER = PREFIX / 'lib' / 'ik_circles' / 'viewer'


def test_a_port_in_use_is_named() -> None:
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]
        with started('viewer', {'port': port}) as viewer:
            assert viewer.wait() == 1
            assert f'cannot serve on 127.0.0.1:{port}' in viewer.output
            assert 'Traceback' not in viewer.output


@pytest.mark.parametrize('port', ['abc', '99999', 'taken'])
def test_for_a_port_of_no_use_nothing_is_started(port: str) -> None:
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = str(taken.getsockname()[1]) if port == 'taken' else port
        command = [VIEWER, '--urdf', URDF / 'so101.urdf', '--port', port]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=10.0)
    assert (ended.returncode, ended.stdout) == (2, '')
    (sentence,) = ended.stderr.splitlines()
    assert f'cannot serve on 127.0.0.1:{port} ' in sentence


@pytest.mark.parametrize('port', ['abc', '99999', 'taken'])
def test_for_a_file_the_port_of_the_parameter_is_looked_at_first_too(port: str) -> None:
    """Law: what `--port` refuses with a sentence, the parameter does, and no node has started."""
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = str(taken.getsockname()[1]) if port == 'taken' else port
        given = ['--ros-args', '-p', f'port:={port}']
        command = [VIEWER, '--urdf', URDF / 'so101.urdf', *given]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (2, '')
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith('viewer: ') and port in sentence


@contextmanager
def viewing_what_it_started(robot: str = 'so101') -> Iterator[subprocess.Popen[str]]:
    """The viewer with its own nodes, once all are there; no process of its group may stay."""
    command = [VIEWER, '--urdf', URDF / f'{robot}.urdf', '--port', '0']
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            awaited = {'open http://127.0.0.1:', '[ik_node]: arm from base_link'}
            while awaited:
                line = process.stderr.readline()
                assert line, f'it has ended without {awaited}'
                awaited = {words for words in awaited if words not in line}
            yield process
            with pytest.raises(ProcessLookupError):
                os.killpg(process.pid, 0)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize('whom', [os.kill, os.killpg], ids=['it', 'all, as Ctrl-C does'])
def test_all_ends_with_the_viewer_that_has_started_it(whom: Callable) -> None:
    with viewing_what_it_started() as process:
        whom(process.pid, signal.SIGINT)
        assert process.wait(timeout=10.0) == 0
        assert 'ended' not in process.stderr.read()


def child(process: subprocess.Popen[str], name: str) -> Path:
    """The folder in /proc of a node that the viewer has started."""
    children = Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()
    folders = [Path('/proc', number) for number in children]
    (found,) = (one for one in folders if name in (one / 'cmdline').read_text())
    return found


@pytest.mark.parametrize('name', ['ik_node', 'sim_arm'])
def test_the_viewer_ends_with_what_it_has_started(name: str) -> None:
    with viewing_what_it_started() as process:
        os.kill(int(child(process, name).name), signal.SIGKILL)
        assert process.wait(timeout=10.0) == 1
        assert f'viewer: {name} ended, so this ends too' in process.stderr.read()


@pytest.mark.parametrize(('robot', 'floor'), [('so101', 0.0), ('planar_3r', NO_FLOOR)])
def test_an_arm_that_stands_gets_a_floor_to_stand_on(robot: str, floor: float) -> None:
    """Law: `scripts/view` gives it to the node, and a planar arm, which lies in z = 0, has none."""
    with viewing_what_it_started(robot) as process:
        *_, file = (child(process, 'ik_node') / 'cmdline').read_text().rstrip('\0').split('\0')
        (given,) = json.loads(Path(file).read_text())['/**/ik_node'].values()
        assert given['floor'] == floor
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10.0) == 0
