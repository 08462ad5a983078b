# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles workspace`: what the arm can reach."""

from argparse import ArgumentParser, Namespace
from typing import Any

from ik_circles.cli import arms, output

SUMMARY = 'what the arm can reach: safe zones, exact outline, area'
#: Labels of the links' ring in the table. Joint limits may leave only a part of that ring.
LABEL_OF = {name: f'{name}, links alone' for name in ('min_reach', 'max_reach')}
#: The units of what is printed.
UNIT_OF = {'link_lengths': ' m', 'min_reach': ' m', 'max_reach': ' m', 'area': ' m^2'}


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    arms.add_arguments(parser)
    arms.add_floor(parser)
    output.add_arguments(parser)


def run(options: Namespace) -> bool:
    """Print lengths, safe zones, area and outline."""
    given = arms.given_arm(options)
    boundary = given.planar.workspace_boundary()
    values: dict[str, Any] = {
        'link_lengths': list(given.planar.link_lengths),
        'joints': list(given.arm.commanded_joints if given.arm else ('q1', 'q2', 'q3')),
        'min_reach': given.planar.min_reach,
        'max_reach': given.planar.max_reach,
        'area': boundary.area,
    }
    if options.json:
        output.print_json({**values, 'outline': [arc._asdict() for arc in boundary.arcs]})
    else:
        rows = [
            [LABEL_OF.get(name, name), output.text(one) + UNIT_OF.get(name, '')]
            for name, one in values.items()
        ]
        output.print_table(['', ''], [*rows, ['outline', f'{len(boundary.arcs)} arcs']])
    output.print_notes(given, options)
    if options.plot:
        from ik_circles.pictures.drawing import workspace_figure, write

        write(options.plot, lambda: workspace_figure(given.planar, given.arm))
    return True
