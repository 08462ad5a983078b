"""`ik-circles solve`: every set of joint positions that reaches a target."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ik_circles.cli.arms import add_arm_arguments, given_arm
from ik_circles.cli.command import OK, UNREACHABLE, Command
from ik_circles.cli.plots import add_plot_argument
from ik_circles.cli.printing import (
    add_json_argument,
    print_json,
    print_notes,
    print_table,
    readable_angle,
)
from ik_circles.cli.verdicts import (
    add_phi_argument,
    add_target_argument,
    draw_verdict,
    verdict_values,
)


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command, which are those of `reach` too."""
    add_arm_arguments(parser)
    add_target_argument(parser)
    add_phi_argument(parser)
    add_json_argument(parser)
    add_plot_argument(parser)


def run(options: Namespace) -> int:
    """Print the solutions, or why there are none."""
    given = given_arm(options)
    verdict = given.check(options.target, options.phi)
    solutions = [given.named(q) for q in verdict.solutions]
    if options.json:
        print_json({**verdict_values(given, verdict), 'solutions': solutions})
    elif solutions:
        rows = [
            [str(number), *map(readable_angle, positions.values())]
            for number, positions in enumerate(solutions, 1)
        ]
        print_table(['', *solutions[0]], rows)
    else:
        print(verdict.message)
    print_notes(given, options)
    draw_verdict(given, options, verdict)
    return OK if verdict.reachable else UNREACHABLE


COMMAND = Command(
    'solve', 'every set of joint positions that reaches a target', add_arguments, run
)
