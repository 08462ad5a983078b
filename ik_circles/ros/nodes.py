# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Starts ik_node and a simulated arm for one URDF, and stops them: the nodes without a launch file.

They run in the ROS domain of the shell, so that nodes in other shells find them. If the arm stands
on base_link, ik_node has a floor at z = 0 of base_link; its parameter `floor` turns that off.
"""

import argparse
import os
import signal
import sys
import threading

from ik_circles.control.settings import NO_FLOOR
from ik_circles.errors import IkCirclesError
from ik_circles.ros.floors import floor_under
from ik_circles.ros.processes import add_links, robot_in, running_nodes
from ik_circles.ros.usage import own_arguments

#: Time between two checks whether the nodes are still running [s].
LOOK_AFTER = 0.5


def main() -> int:
    """Run until told to stop (0), or until one of the nodes ends (1); 2 for an unusable file."""
    parser = argparse.ArgumentParser(prog='nodes', description=__doc__)
    parser.add_argument('urdf', help='file, package://PACKAGE/PATH, or the name of a shipped robot')
    add_links(parser)
    arguments = own_arguments(parser)
    try:
        robot = robot_in(**vars(arguments))
    except IkCirclesError as error:
        print(f'nodes: {error}', file=sys.stderr)
        return 2
    told = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: told.set())
    domain = os.getenv('ROS_DOMAIN_ID') or '0'
    floor = floor_under(*robot)
    under = '' if floor == NO_FLOOR else ', above a floor at z = 0 of base_link'
    print(f'nodes: in ROS_DOMAIN_ID={domain}{under}; Ctrl-C stops them', file=sys.stderr)
    with running_nodes(robot, safe_zone_margin=0.0, floor=floor) as processes:
        ended: list[str] = []
        while not (ended or told.wait(LOOK_AFTER)):
            ended = [name for name, process in processes.items() if process.poll() is not None]
    if ended:
        print(f'nodes: {" and ".join(ended)} ended, so this ends too', file=sys.stderr)
    return 1 if ended else 0
