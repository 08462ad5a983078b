# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The nodes as processes, for `nodes`, `demo --urdf` and `viewer --urdf`, which start them."""

import json
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ik_circles.control.settings import NO_FLOOR
from ik_circles.errors import IkCirclesError, InvalidUrdfError
from ik_circles.robot.load import arm_in
from ik_circles.robot.urdf import MAX_BYTES
from ik_circles.ros.descriptions import text_in

#: Longest time from SIGINT to the end of a process [s].
END_WITHIN = 5.0
#: Safe zone margin of the demonstration [m], which makes both safe zones visible.
DEMO_MARGIN = 0.02


class GivenRobot(NamedTuple):
    """The text of a URDF, and the links between which its arm is; None: `load_arm` finds them."""

    description: str
    base_link: str | None = None
    tip_link: str | None = None


def add_links(parser: ArgumentParser) -> None:
    """The arguments that say between which links of a URDF the arm is."""
    parser.add_argument('--base-link', help='link of the URDF at which the arm starts')
    parser.add_argument('--tip-link', help='link of the URDF that should reach the target')


def check_links(parser: ArgumentParser, arguments: Namespace) -> None:
    """End the program if links are given, but no URDF that has them."""
    if not arguments.urdf and (arguments.base_link or arguments.tip_link):
        parser.error('--base-link and --tip-link go with --urdf')


def robot_in(urdf: str, base_link: str | None = None, tip_link: str | None = None) -> GivenRobot:
    """The robot of a URDF with an arm in it, see `text_in`; IkCirclesError if it has none."""
    robot = GivenRobot(text_in(urdf), base_link, tip_link)
    try:
        arm_in(*robot, MAX_BYTES)
    except IkCirclesError as error:
        raise InvalidUrdfError(f'{urdf}: {error}') from error
    return robot


@contextmanager
def running_nodes(
    robot: GivenRobot, safe_zone_margin: float = DEMO_MARGIN, floor: float = NO_FLOOR
) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """The installed ik_node and sim_arm as processes, by name; they end with the block."""
    with tempfile.TemporaryDirectory() as folder:
        parameters = Path(folder, 'parameters.yaml')
        text = {'robot_description': robot.description}
        links = {'base_link': robot.base_link or '', 'tip_link': robot.tip_link or ''}
        more = {'safe_zone_margin': safe_zone_margin, 'floor': floor, **links}
        given = {'ik_node': {**text, **more}, 'sim_arm': text}
        parameters.write_text(  # JSON is YAML
            json.dumps({f'/**/{name}': {'ros__parameters': it} for name, it in given.items()})
        )
        here = Path(sys.argv[0]).absolute().parent
        processes = {
            name: subprocess.Popen([here / name, '--ros-args', '--params-file', parameters])
            for name in given
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
