"""`ik-circles solve`: every set of joint positions that reaches a target."""

from argparse import ArgumentParser, Namespace

from ik_circles.cli import arms, plots, printing, verdicts
from ik_circles.cli.command import OK, UNREACHABLE, Command


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command, which are those of `reach` too."""
    arms.add_arguments(parser)
    verdicts.add_target(parser)
    verdicts.add_phi(parser)
    printing.add_argument(parser)
    plots.add_argument(parser)


def run(options: Namespace) -> int:
    """Print the solutions, or why there are none."""
    given = arms.given_arm(options)
    verdict = given.check(options.target, options.phi)
    solutions = [given.named(q) for q in verdict.solutions]
    if options.json:
        printing.print_json({**verdicts.values_of(given, verdict), 'solutions': solutions})
    elif solutions:
        rows = [
            [str(number), *map(printing.angle, positions.values())]
            for number, positions in enumerate(solutions, 1)
        ]
        printing.print_table(['', *solutions[0]], rows)
    else:
        print(verdict.message)
    printing.print_notes(given, options)
    verdicts.draw(given, options, verdict)
    return OK if verdict.reachable else UNREACHABLE


COMMAND = Command(
    'solve', 'every set of joint positions that reaches a target', add_arguments, run
)
