"""`ik-circles workspace`: what the arm can reach."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from ik_circles.cli.arms import add_arm_arguments, given_arm
from ik_circles.cli.command import OK, Command
from ik_circles.cli.plots import add_plot_argument
from ik_circles.cli.printing import (
    add_json_argument,
    print_json,
    print_notes,
    print_table,
    readable,
)

#: The joints of an arm of lengths.
JOINTS = 'q1', 'q2', 'q3'
#: The units of what is printed.
UNIT_OF = {'link_lengths': ' m', 'min_reach': ' m', 'max_reach': ' m', 'area': ' m^2'}


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    add_arm_arguments(parser)
    add_json_argument(parser)
    add_plot_argument(parser)


def run(options: Namespace) -> int:
    """Print lengths, safe zones, area and outline."""
    given = given_arm(options)
    boundary = given.planar.workspace_boundary()
    values: dict[str, Any] = {
        'link_lengths': list(given.planar.link_lengths),
        'joints': list(given.arm.commanded_joints if given.arm else JOINTS),
        'min_reach': given.planar.min_reach,
        'max_reach': given.planar.max_reach,
        'area': boundary.area,
    }
    if options.json:
        print_json({**values, 'outline': [arc._asdict() for arc in boundary.arcs]})
    else:
        rows = [[name, readable(value) + UNIT_OF.get(name, '')] for name, value in values.items()]
        print_table(['', ''], [*rows, ['outline', f'{len(boundary.arcs)} arcs']])
    print_notes(given, options)
    if options.plot:
        from ik_circles.pictures.drawing import draw_workspace

        draw_workspace(given.planar, options.plot)
    return OK


COMMAND = Command(
    'workspace', 'what the arm can reach: safe zones, exact outline, area', add_arguments, run
)
