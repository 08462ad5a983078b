# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The viewer: the page for a running IK node, or for a URDF file with nodes of its own."""

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.node import Node

from ik_circles.control.settings import PageParameters
from ik_circles.errors import IkCirclesError
from ik_circles.ros import parameters
from ik_circles.ros.clock import steady_timer
from ik_circles.ros.descriptions import file_of
from ik_circles.ros.floors import floor_under
from ik_circles.ros.processes import add_links, check_links, robot_in, running_nodes
from ik_circles.ros.spinning import run
from ik_circles.ros.usage import described, own_arguments
from ik_circles.ros.viewer_node import Viewer
from ik_circles.viewer.server import check_address

#: Time between two checks whether the nodes that the viewer started are still running [s].
LOOK_AFTER = 1.0
#: The viewer's niceness: it must not keep the IK node waiting for a processor.
NICENESS = 10


def main() -> int:
    """Serve the page until the node is told to stop; exit code 2 for an unusable file or port."""
    parser = argparse.ArgumentParser(
        prog='viewer',
        description=__doc__,
        epilog=described(PageParameters),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--urdf', help='start ik_node and sim_arm for this file, and stop them')
    parser.add_argument('--port', help='the parameter port, with --urdf')
    add_links(parser)
    arguments = own_arguments(parser)
    check_links(parser, arguments)
    if not arguments.urdf:
        if arguments.port is not None:
            parser.error('--port goes with --urdf; without it: --ros-args -p port:=8081')
        os.nice(NICENESS)
        return run(Viewer)
    try:
        robot = robot_in(arguments.urdf, arguments.base_link, arguments.tip_link)
        host, port = _address()
        check_address(host, port if arguments.port is None else arguments.port)
    except (IkCirclesError, ParameterException) as error:
        print(f'viewer: {error}', file=sys.stderr)
        return 2
    given = None if arguments.port is None else int(arguments.port)
    with running_nodes(robot, floor=floor_under(*robot)) as processes:
        os.nice(NICENESS)
        return _run_with(processes, given, file_of(arguments.urdf).parent)


def _address() -> tuple[str, int]:
    """Host and port in the parameters, read by a node that is gone when the others start: they
    would inherit the niceness that the viewer's own threads need from their start."""
    context = rclpy.Context()
    rclpy.init(args=sys.argv, context=context)
    try:
        node = Node(
            'viewer', context=context, enable_rosout=False, start_parameter_services=False
        )
        at = parameters.read(PageParameters, parameters.declare(node, PageParameters))
        return at.host, at.port
    finally:
        rclpy.shutdown(context=context)


def _run_with(
    processes: dict[str, subprocess.Popen[bytes]], port: int | None, folder: Path
) -> int:
    """Run the viewer until it is told to stop (0), or one of the processes ends (1).

    Without a `port`, it is that of the parameter, as ROS has it.
    """
    ended: list[str] = []

    def look_after() -> None:
        ended.extend(name for name, process in processes.items() if process.poll() is not None)
        if ended:
            signal.raise_signal(signal.SIGINT)

    def make_node() -> Viewer:
        node = Viewer(port, folder)
        steady_timer(node, LOOK_AFTER, look_after)
        return node

    code = run(make_node)
    if ended:
        print(f'viewer: {" and ".join(ended)} ended, so this ends too', file=sys.stderr)
    return 1 if ended else code
