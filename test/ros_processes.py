# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The installed executables as processes. Importing this skips a module if they are missing."""

import json
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

index = pytest.importorskip('ament_index_python', reason='no ROS 2 is installed or sourced')
if 'ik_circles' not in index.get_packages_with_prefixes():
    pytest.skip('ik_circles is not built for ROS 2, or not sourced', allow_module_level=True)

PREFIX = Path(index.get_package_prefix('ik_circles'))
URDF = PREFIX / 'share' / 'ik_circles' / 'urdf'
PLANAR_3R = (URDF / 'planar_3r.urdf').read_text()
#: Longest time from a signal to the end of a process [s].
END_WITHIN = 10.0
#: Longest time for a process that ends by itself to do so [s].
PATIENCE = 60.0


class Process:
    """One executable of the package with parameters; its output goes to a file."""

    def __init__(self, folder: Path, name: str, parameters: dict, namespace: str) -> None:
        self.name, self.namespace = name, namespace
        self._written = folder / 'output.txt'
        file = folder / 'parameters.yaml'  # JSON is YAML
        file.write_text(json.dumps({'/**': {'ros__parameters': parameters}}))
        program = PREFIX / 'lib' / 'ik_circles' / name
        command = [program, '--ros-args', '--params-file', file, '-r', f'__ns:={namespace}']
        with self._written.open('w') as written:
            self._process = subprocess.Popen(command, stdout=written, stderr=subprocess.STDOUT)

    @property
    def output(self) -> str:
        """What it has written so far."""
        return self._written.read_text(errors='replace')

    @property
    def resident(self) -> int:
        """Memory that it holds now [kB]."""
        lines = Path(f'/proc/{self._process.pid}/status').read_text().splitlines()
        (line,) = (line for line in lines if line.startswith('VmRSS:'))
        return int(line.split()[1])

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def end(self, *signals: signal.Signals) -> None:
        """Send the signals, and check that it ends in time, with exit code 0 and quietly."""
        assert self.running, f'{self.name} ended by itself:\n{self.output}'
        begin = time.monotonic()
        for number in signals:
            self._process.send_signal(number)
        code = self.wait()
        took = time.monotonic() - begin
        assert code == 0, f'{self.name} ended with code {code}:\n{self.output}'
        assert took < END_WITHIN, f'{self.name} took {took:.1f} s to end'
        assert 'Traceback' not in self.output, self.output

    def wait(self) -> int:
        """Exit code, once it has ended."""
        return self._process.wait(timeout=PATIENCE)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It hangs meanwhile."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def started(name: str, parameters: dict | None = None, namespace: str = '/') -> Iterator[Process]:
    """The executable, which the caller ends; killed if it does not."""
    with tempfile.TemporaryDirectory() as folder:
        process = Process(Path(folder), name, parameters or {}, namespace)
        try:
            yield process
        finally:
            if process.running:
                process.kill()


@contextmanager
def running(name: str, parameters: dict | None = None, namespace: str = '/') -> Iterator[Process]:
    """The executable, stopped with SIGINT at the end as `Process.end` checks."""
    with started(name, parameters, namespace) as process:
        yield process
        process.end(signal.SIGINT)
