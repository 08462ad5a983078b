"""`ik-circles reach`: whether a target can be reached, and if not, why."""

from argparse import Namespace

from ik_circles.cli import arms, printing, verdicts
from ik_circles.cli.command import OK, UNREACHABLE, Command
from ik_circles.cli.solve import add_arguments

#: The values that have a unit, with it.
WITH_UNIT = {
    'margin': 'margin [m]',
    'nearest': 'nearest [m, rad]',
    'nearest_joint_positions': 'nearest_joint_positions [rad]',
    'orientation_intervals': 'orientation_intervals [rad]',
}


def run(options: Namespace) -> int:
    """Print the verdict."""
    given = arms.given_arm(options)
    verdict = given.check(options.target, options.phi)
    values = verdicts.values_of(given, verdict)
    if options.json:
        printing.print_json(values)
    else:
        values.pop('notes', None)  # printed below, each on its own line
        rows = [[WITH_UNIT.get(name, name), printing.text(one)] for name, one in values.items()]
        printing.print_table(['', ''], rows)
    printing.print_notes(given, options)
    verdicts.draw(given, options, verdict)
    return OK if verdict.reachable else UNREACHABLE


COMMAND = Command('reach', 'whether a target can be reached, and if not, why', add_arguments, run)
