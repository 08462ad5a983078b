"""The nodes as processes, for the programs that start them: `demo --urdf` and `viewer --urdf`."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ik_circles.errors import InvalidUrdfError
from ik_circles.robot.arm import load_arm

#: Longest time from SIGINT to the end of a process [s].
END_WITHIN = 5.0
#: Safe zone margin of the demonstration [m], so that both safe zones can be seen.
DEMO_MARGIN = 0.02


def description_in(urdf: str) -> str:
    """The text of a URDF file with an arm in it; IkCirclesError says why it has none."""
    try:
        content = Path(urdf).read_bytes()
        load_arm(content)
        return content.decode()
    except OSError as error:
        raise InvalidUrdfError(f'{urdf}: {error.strerror}') from None
    except UnicodeDecodeError:
        raise InvalidUrdfError(f'{urdf} is not UTF-8 text; convert it') from None


@contextmanager
def running_nodes(description: str) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """The installed ik_node and sim_arm as processes, by name; they end with the block."""
    with tempfile.TemporaryDirectory() as folder:
        parameters = Path(folder, 'parameters.yaml')
        given = {'robot_description': description, 'safe_zone_margin': DEMO_MARGIN}
        parameters.write_text(json.dumps({'/**': {'ros__parameters': given}}))  # JSON is YAML
        here = Path(sys.argv[0]).absolute().parent
        processes = {
            name: subprocess.Popen([here / name, '--ros-args', '--params-file', parameters])
            for name in ('ik_node', 'sim_arm')
        }
        try:
            yield processes
        finally:
            for process in processes.values():
                process.send_signal(signal.SIGINT)
            for process in processes.values():
                try:
                    process.wait(timeout=END_WITHIN)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
