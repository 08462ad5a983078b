"""`ik-circles workspace`: what the arm can reach."""

from argparse import ArgumentParser, Namespace
from typing import Any

from ik_circles.cli import arms, plots, printing
from ik_circles.cli.command import OK, Command

#: The joints of an arm of lengths.
JOINTS = 'q1', 'q2', 'q3'
#: The units of what is printed.
UNIT_OF = {'link_lengths': ' m', 'min_reach': ' m', 'max_reach': ' m', 'area': ' m^2'}


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    arms.add_arguments(parser)
    printing.add_argument(parser)
    plots.add_argument(parser)


def run(options: Namespace) -> int:
    """Print lengths, safe zones, area and outline."""
    given = arms.given_arm(options)
    boundary = given.planar.workspace_boundary()
    values: dict[str, Any] = {
        'link_lengths': list(given.planar.link_lengths),
        'joints': list(given.arm.commanded_joints if given.arm else JOINTS),
        'min_reach': given.planar.min_reach,
        'max_reach': given.planar.max_reach,
        'area': boundary.area,
    }
    if options.json:
        printing.print_json({**values, 'outline': [arc._asdict() for arc in boundary.arcs]})
    else:
        rows = [[name, printing.text(one) + UNIT_OF.get(name, '')] for name, one in values.items()]
        printing.print_table(['', ''], [*rows, ['outline', f'{len(boundary.arcs)} arcs']])
    printing.print_notes(given, options)
    if options.plot:
        from ik_circles.pictures.drawing import draw_workspace

        draw_workspace(given.planar, options.plot)
    return OK


COMMAND = Command(
    'workspace', 'what the arm can reach: safe zones, exact outline, area', add_arguments, run
)
