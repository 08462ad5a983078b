# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The demonstration: sends targets to ik_node and a simulated arm, and prints a table."""

import argparse
import math
import os
import shlex
import sys
import textwrap
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any

from ik_circles.control.settings import Settings
from ik_circles.errors import IkCirclesError
from ik_circles.geometry.circles import Point
from ik_circles.reasons import Code
from ik_circles.robot.arm import RobotArm
from ik_circles.ros.processes import GivenRobot, add_links, check_links, robot_in, running_nodes
from ik_circles.ros.scenario_client import Row, run_scenario
from ik_circles.ros.spinning import until_stopped
from ik_circles.ros.usage import own_arguments

#: Characters in a line of the table.
WIDTH = 120
#: How a reason stands below its target.
REASON: dict[str, Any] = {
    'width': WIDTH, 'break_on_hyphens': False, 'initial_indent': '    ', 'subsequent_indent': '    '
}  # fmt: skip


def table(arm: RobotArm, rows: list[Row]) -> str:
    """Two lines for each target: positions [m], joint angles [deg], error [mm]; then the reason."""
    joints = f'joints: {", ".join(arm.commanded_joints)}'
    head = 'target', 'x, y, z [m]', 'verdict', 'joints [deg]', 'error [mm]'
    lines = [head] + [
        (
            row.target.name,
            _meters(row.target.position),
            Code(row.status.code).name,
            ', '.join(_degrees(row.measured[name]) for name in arm.commanded_joints),
            '-' if math.isnan(row.error) else f'{row.error * 1000.0:.6f}',
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines)]
    first, *rest = (
        '  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines
    )
    reasons = [textwrap.fill(row.problem or row.status.message, **REASON) for row in rows]
    return '\n'.join([textwrap.fill(joints, WIDTH), first, *chain(*zip(rest, reasons))])


def _degrees(angle: float) -> str:
    return f'{round(math.degrees(angle), 1) + 0.0:.1f}'


def _meters(point: tuple[float, float, float]) -> str:
    return ', '.join(f'{round(value, 3) + 0.0:.3f}' for value in point)


def draw(arm: RobotArm, settings: Settings, rows: list[Row], output: str) -> None:
    """Draw the arm's poses, both safe zones, and every target with its reason."""
    from ik_circles.pictures.drawing import TargetMark, scenario_figure, shape_of, write

    marks = [
        TargetMark(
            *_place_of(arm, row),
            accepted=bool(row.status.command.name),
            text=row.target.labeled(row.problem or row.status.message),
        )
        for row in rows
    ]
    shapes = [shape_of(arm, row.measured) for row in rows if row.status.command.name]
    write(output, lambda: scenario_figure(arm.arm, settings.zones(arm), shapes, marks, arm))


def _place_of(arm: RobotArm, row: Row) -> Point:
    """Where a target is in the arm's plane [m]; the plane is turned to it if the arm went there."""
    arm, target = arm.holding(row.measured), row.target.position
    if not row.status.command.name:
        return arm.spatial.plane.seen_at(target)
    return arm.spatial.plane.seen_at(target, arm.naming.configuration(row.measured).yaw)


def view_command(urdf: str, robot: GivenRobot) -> str:
    """What to type to see the robot in a browser."""
    links = {'--base-link': robot.base_link, '--tip-link': robot.tip_link}
    given = [(option, link) for option, link in links.items() if link is not None]
    command = ['ros2', 'run', 'ik_circles', 'viewer', '--urdf']
    for folder in Path(sys.argv[0]).absolute().parents:
        if (folder / 'scripts' / 'view').is_file():  # a checkout that scripts/setup has set up
            here = Path() if folder == Path.cwd() else folder
            command = [str(here / 'scripts' / 'view')]
            break
    return shlex.join([*command, urdf, *chain(*given)])


def main() -> int:
    """Run the scenario.

    Exit code 0 if the arm did what the table says, 1 if not, 2 for a file without an arm.
    """
    parser = argparse.ArgumentParser(prog='demo', description=__doc__)
    parser.add_argument('--urdf', help='start ik_node and sim_arm for this file, and stop them')
    parser.add_argument('--output', default='', help='picture to write; default: none')
    add_links(parser)
    arguments = own_arguments(parser)
    check_links(parser, arguments)
    urdf, links = arguments.urdf, (arguments.base_link, arguments.tip_link)
    try:
        robot = robot_in(urdf, *links) if urdf else None
    except IkCirclesError as error:
        print(f'demo: {error}', file=sys.stderr)
        return 2
    return until_stopped(lambda: _demo(urdf, robot, arguments.output))


def _demo(urdf: str, robot: GivenRobot | None, output: str) -> int:
    try:
        with running_nodes(robot) if robot else nullcontext():
            arm, settings, rows = run_scenario(robot and robot.description)
        print(table(arm, rows))
        if output:
            draw(arm, settings, rows, output)
            print(f'picture: {os.path.abspath(output)}')
    except (IkCirclesError, OSError, TimeoutError) as error:
        print(f'demo: {error}', file=sys.stderr)
        return 1
    wrong = [row for row in rows if row.problem]
    print(f'{len(rows) - len(wrong)} of {len(rows)} targets as expected')
    if robot:
        print(f'to steer it in a browser: {view_command(urdf, robot)}')
    return 1 if wrong else 0
