# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles solve`: every set of joint positions that reaches a target."""

from argparse import ArgumentParser, Namespace

from ik_circles.cli import arms, orientation, output, seed, verdicts
from ik_circles.planar.verdict import Reachability
from ik_circles.robot.arm import RobotAnswer

SUMMARY = 'every set of joint positions that reaches a target'


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    add_question(parser)
    seed.add_arguments(parser)


def add_question(parser: ArgumentParser) -> None:
    """The arguments of a question, which `reach` has, too."""
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
    near = seed.seed_in(given, options)
    given = given if near is None else given.holding(near)
    verdict = verdict_on(given, options)
    solutions = seed.in_order(given.solutions(verdict, near, options.turns), near)
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
