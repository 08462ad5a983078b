# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The two nodes as processes, and what the kernel says of them."""

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ament_index_python import get_package_prefix

PREFIX = Path(get_package_prefix('ik_circles'))
ECHO = [sys.executable, str(Path(__file__).with_name('echo.py'))]
NODE = [str(PREFIX / 'lib' / 'ik_circles' / 'ik_node')]


class Kind(NamedTuple):
    """A node: its program, the arm that it gets, and its `motion`."""

    program: list[str]
    robot: str = 'planar_3r'
    motion: str = 'direct'


KINDS = {
    'echo': Kind(ECHO),
    'same': Kind([*ECHO, 'run']),
    'node': Kind(NODE),
    'five': Kind(NODE, 'so101'),
    'smooth': Kind(NODE, motion='smooth'),
}
#: Longest wait for a process to end after it was told to [s].
END_WITHIN = 5.0
TICKS = os.sysconf('SC_CLK_TCK')


class NodeProcess:
    """A running process; what it writes goes to a file."""

    def __init__(self, command, written, domain):
        self._written = written
        environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain)}
        with written.open('w') as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
            )

    def check(self):
        """RuntimeError with its last words if it has ended."""
        if self._process.poll() is not None:
            words = self._written.read_text(errors='replace').strip().splitlines()
            raise RuntimeError(f'the node has ended: {words[-1] if words else "without a word"}')

    def cpu_seconds(self):
        """CPU time of all its threads so far, the kernel's part included."""
        stat = Path(f'/proc/{self._process.pid}/stat').read_text()
        user, system = stat.rpartition(')')[2].split()[11:13]  # the name may hold spaces
        return (int(user) + int(system)) / TICKS

    def resident_megabytes(self):
        """Memory that it holds now."""
        lines = Path(f'/proc/{self._process.pid}/status').read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith('VmRSS')) / 1024

    def end(self):
        """SIGTERM, then SIGKILL if that does not help."""
        self._process.terminate()
        try:
            self._process.wait(END_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def urdf(robot):
    """The text of a shipped robot."""
    return (PREFIX / 'share' / 'ik_circles' / 'urdf' / f'{robot}.urdf').read_text()


@contextmanager
def running(kind, domain):
    """The node of this kind, for as long as the block lasts."""
    program, robot, motion = KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        parameters = Path(folder, 'parameters.yaml')  # JSON is YAML
        values = {'robot_description': urdf(robot), 'motion': motion}
        content = {'/**': {'ros__parameters': values}}
        parameters.write_text(json.dumps(content))
        command = [*program, '--ros-args', '--params-file', str(parameters)]
        process = NodeProcess(command, Path(folder, 'output.txt'), domain)
        try:
            yield process
        finally:
            process.end()


def wait_until(condition, what, process, seconds=20.0):
    """Until the condition holds; an error if it takes too long or the process ends."""
    give_up = time.monotonic() + seconds
    while not condition():
        process.check()
        if time.monotonic() > give_up:
            raise RuntimeError(f'waited {seconds:.0f} s for {what}')
        time.sleep(0.005)
