"""`ik-circles reach`: whether a target can be reached, and if not, why."""

from __future__ import annotations

from argparse import Namespace

from ik_circles.cli.arms import given_arm
from ik_circles.cli.command import OK, UNREACHABLE, Command
from ik_circles.cli.printing import print_json, print_notes, print_table, readable
from ik_circles.cli.solve import add_arguments
from ik_circles.cli.verdicts import draw_verdict, verdict_values

#: The values that have a unit, with it.
WITH_UNIT = {
    'margin': 'margin [m]',
    'nearest': 'nearest [m, rad]',
    'nearest_joint_positions': 'nearest_joint_positions [rad]',
    'orientation_intervals': 'orientation_intervals [rad]',
}


def run(options: Namespace) -> int:
    """Print the verdict."""
    given = given_arm(options)
    verdict = given.check(options.target, options.phi)
    values = verdict_values(given, verdict)
    if options.json:
        print_json(values)
    else:
        values.pop('notes', None)  # printed below, each on its own line
        print_table(
            ['', ''], [[WITH_UNIT.get(name, name), readable(one)] for name, one in values.items()]
        )
    print_notes(given, options)
    draw_verdict(given, options, verdict)
    return OK if verdict.reachable else UNREACHABLE


COMMAND = Command('reach', 'whether a target can be reached, and if not, why', add_arguments, run)
