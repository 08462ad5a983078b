# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The seed: where the arm is. Solutions are sorted by their distance from it."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from ik_circles.cli.arms import GivenArm
from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks
from ik_circles.robot.naming import NamedPositions, positions_in
from ik_circles.robot.text import listed, shown


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments for the seed, and for the turns of solutions."""
    parser.add_argument(
        '--seed', nargs='+', metavar='JOINT=RAD',
        help='where the joints are, such as shoulder_pan=0.3; others are at 0. The solution with '
        'the smallest largest change of a joint comes first',
    )  # fmt: skip
    parser.add_argument(
        '--turns', action='store_true',
        help='list each solution at every turn of its joints that their limits allow',
    )


def seed_in(given: GivenArm, options: Namespace) -> NamedPositions | None:
    """The given seed by name [rad or m], with joints that it does not name at 0; None if none was
    given."""
    if options.seed is None:
        return None
    named = named_positions('--seed', options.seed)
    if given.arm is not None:
        positions_in(given.arm.tree, '--seed', named)
    elif unknown := [name for name in named if name not in given.joints]:
        raise InvalidArmError(
            f'--seed names {listed(unknown)}; the joints of --lengths are {listed(given.joints)}'
        )
    return {**dict.fromkeys(given.joints, 0.0), **named}


def named_positions(option: str, words: Sequence[str]) -> NamedPositions:
    """Joint positions by name [rad or m], from the words JOINT=RAD of an option."""
    found: NamedPositions = {}
    for word in words:
        name, _, value = word.partition('=')
        if name in found:
            raise InvalidArmError(f"{option} names '{shown(name)}' twice; name it once")
        try:
            position = float(value)
        except ValueError:
            raise InvalidArmError(
                f"{option} has '{shown(word)}'; give JOINT=RAD, such as shoulder_pan=0.3"
            ) from None
        found[name] = checks.number(f'{shown(name)} of {option}', position)
    return found


def in_order(
    solutions: Sequence[NamedPositions], seed: Mapping[str, float] | None
) -> list[NamedPositions]:
    """Solutions sorted by the largest change of a joint from the seed, then by all joints together.
    """
    if seed is None:
        return [*solutions]

    def change(one: NamedPositions) -> tuple[float, float]:
        changes = [abs(position - seed[name]) for name, position in one.items()]
        return max(changes), sum(changes)

    return sorted(solutions, key=change)
