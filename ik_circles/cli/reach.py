# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles reach`: whether a target can be reached, and if not, why."""

from argparse import Namespace

from ik_circles.cli import arms, output, solve, verdicts

SUMMARY = 'whether a target can be reached, and if not, why'
add_arguments = solve.add_question
#: The labels of the values that have a unit.
WITH_UNIT = {
    'margin': 'margin [m]',
    'nearest': 'nearest [m, rad]',
    'nearest_joint_positions': 'nearest_joint_positions [rad]',
    'orientation_intervals': 'orientation_intervals [rad]',
}


def run(options: Namespace) -> bool:
    """Print the verdict."""
    given = arms.given_arm(options)
    verdict = solve.verdict_on(given, options)
    values = verdicts.values_of(given, verdict)
    if options.json:
        output.print_json(values)
    else:
        values.pop('notes', None)  # printed below, each on its own line
        rows = [[WITH_UNIT.get(name, name), output.text(one)] for name, one in values.items()]
        output.print_table(['', ''], rows)
    output.print_notes(given, options)
    verdicts.draw(given, options, verdict)
    return verdict.reachable
