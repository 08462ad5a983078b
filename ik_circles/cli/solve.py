"""`ik-circles solve`: every set of joint positions that reaches a target."""

from argparse import ArgumentParser, Namespace

from ik_circles.cli import arms, orientation, output, verdicts
from ik_circles.planar.verdict import Reachability
from ik_circles.robot.arm import RobotAnswer

SUMMARY = 'every set of joint positions that reaches a target'


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command, which are those of `reach` too."""
    arms.add_arguments(parser)
    arms.add_floor(parser)
    arms.add_target(parser)
    orientation.add_arguments(parser)
    output.add_arguments(parser)


def verdict_on(given: arms.GivenArm, options: Namespace) -> Reachability | RobotAnswer:
    """The verdict on the target; a hint goes to standard error if angles look like degrees."""
    verdict = given.check(options.target, options.phi, orientation.rotation_in(options))
    orientation.hint(options)
    return verdict


def run(options: Namespace) -> bool:
    """Print the solutions, or why there are none."""
    given = arms.given_arm(options)
    verdict = verdict_on(given, options)
    solutions = [given.named(q) for q in verdict.solutions]
    if options.json:
        output.print_json({**verdicts.values_of(given, verdict), 'solutions': solutions})
    elif solutions:
        rows = [
            [str(number), *map(output.angle, positions.values())]
            for number, positions in enumerate(solutions, 1)
        ]
        output.print_table(['', *solutions[0]], rows)
    else:
        print(verdict.message)
    output.print_notes(given, options)
    verdicts.draw(given, options, verdict)
    return verdict.reachable
