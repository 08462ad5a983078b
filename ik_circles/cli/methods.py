"""`ik-circles methods`: a target by every method that applies to it.

The links and the target decide which methods apply. There are four kinds of questions: about an arm
of three joints, about two bones in space, about a chain of links, and about a tree of limbs.
"""

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ik_circles.cli import arms, comparison, plots, printing, verdicts
from ik_circles.cli.command import OK, UNREACHABLE, Command
from ik_circles.cli.comparison import MethodAnswer
from ik_circles.errors import InvalidArmError
from ik_circles.limbs import BoneLimits, LinkChain
from ik_circles.limbs.bones import NO_LIMITS
from ik_circles.planar.zones import SafeZones


class Comparison(NamedTuple):
    """The answer of each method, and what is printed and drawn with them.

    `verdict` has at least `reachable` and `message`; `targets` are in the space of the picture.
    """

    answers: Sequence[MethodAnswer]
    verdict: dict[str, Any]
    targets: Sequence[Sequence[float]]
    zones: SafeZones | None = None
    given: arms.GivenArm | None = None


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    arms.add_arguments(parser)
    parser.add_argument(
        '--z-form-k', type=float, default=0.5, metavar='SHARE',
        help='share of link 2 at which it crosses the line to the target (z_form)',
    )  # fmt: skip
    parser.add_argument(
        '--pole', nargs=3, type=float, metavar=('X', 'Y', 'Z'),
        help='direction in which the knee of two bones bends',
    )  # fmt: skip
    parser.add_argument(
        '--knee', nargs=2, type=float, metavar=('LOWER', 'UPPER'),
        help='limits of the bend of two bones [rad]',
    )  # fmt: skip
    parser.add_argument(
        '--cone', nargs=4, type=float, metavar=('X', 'Y', 'Z', 'RAD'),
        help='axis of the cone that the upper bone stays in, and the half angle of the cone',
    )  # fmt: skip
    parser.add_argument(
        '--limb', nargs='+', type=float, action='append', metavar='METERS',
        help='link lengths of a limb of a tree; --target then has x y for each limb',
    )  # fmt: skip
    verdicts.add_target(parser)
    printing.add_argument(parser)
    plots.add_argument(parser)


def run(options: Namespace) -> int:
    """Print and draw what each method finds."""
    if options.urdf is not None and options.lengths is not None:
        raise InvalidArmError(arms.EITHER)
    found = _kind_of(options)(options)
    if options.json:
        methods = {one.method: {**one._asdict(), 'reached': one.reached} for one in found.answers}
        printing.print_json({**found.verdict, 'methods': methods})
    else:
        _print_answers(options, found)
    if found.given is not None:
        printing.print_notes(found.given, options)
    if options.plot:
        _draw(options.plot, found)
    return OK if found.verdict['reachable'] else UNREACHABLE


# --- the four kinds -------------------------------------------------------------------------------


def _kind_of(options: Namespace) -> Callable[[Namespace], Comparison]:
    """Choose the kind of question. No lengths: the arm of a robot."""
    links, coordinates = len(options.lengths or ()), len(options.target)
    if options.limb:
        return _tree
    if links == 2 and coordinates == 3:
        return _bones
    return _arm if links in (0, 3) else _chain


def _arm(options: Namespace) -> Comparison:
    """Three joints by each choice of `redundancy`; without limits, by the policies of n links too.
    """
    _refuse_bones(options)
    given, target = arms.given_arm(options), options.target
    verdict = given.check(target)
    answers = comparison.by_redundancy(given.planar, given.arm, target, options.z_form_k)
    if given.arm is None and options.limits is None:
        answers += comparison.n_links(target, options.lengths)
    places = given.places_in_plane(target)
    values = verdicts.values_of(given, verdict)
    return Comparison(answers, values, places, given.planar.safe_zones, given)


def _bones(options: Namespace) -> Comparison:
    """Two bones in space, which bend in any direction."""
    if options.limits:
        raise InvalidArmError('two bones have --knee and --cone, no --limits')
    limits = BoneLimits(options.knee or NO_LIMITS.knee)
    if options.cone:
        *axis, angle = options.cone
        limits = BoneLimits(limits.knee, tuple(axis), angle)
    lengths, target = tuple(options.lengths), options.target
    answers = comparison.two_bones(target, lengths, limits, options.pole)
    return Comparison(answers, _verdict(lengths, target, answers), [target])


def _chain(options: Namespace) -> Comparison:
    """Links in the plane: two by circles and angles, any other number by the policies of n links.
    """
    _refuse_bones(options)
    lengths, target, limits = tuple(options.lengths), options.target, arms.limits_of(options)
    if len(target) != 2:
        raise InvalidArmError(
            f'--target has {len(target)} numbers; give x y, or x y z for two lengths'
        )
    if len(lengths) == 2:
        answers = comparison.two_links(target, lengths, limits)
    elif limits is None:
        answers = comparison.n_links(target, lengths)
    else:
        raise InvalidArmError(
            f'--limits are for two or three --lengths; with {len(lengths)} the joints turn freely'
        )
    zones = LinkChain(lengths).safe_zones
    return Comparison(answers, _verdict(lengths, target, answers), [target], zones)


def _tree(options: Namespace) -> Comparison:
    """A trunk, which may have no links, with limbs: a target for each limb."""
    if options.urdf or options.limits or options.pole or options.knee or options.cone:
        raise InvalidArmError('--limb goes with --lengths and --target, and nothing else')
    numbers, wanted = options.target, 2 * len(options.limb)
    if len(numbers) != wanted:
        raise InvalidArmError(
            f'--target has {len(numbers)} numbers; give x y for each --limb: {wanted} numbers'
        )
    targets = list(zip(numbers[::2], numbers[1::2]))
    answers = comparison.tree(options.lengths or (), options.limb, targets)
    reachable = any(one.reached for one in answers)
    message = 'reachable' if reachable else comparison.NO_FORK
    return Comparison(answers, {'reachable': reachable, 'message': message}, targets)


def _refuse_bones(options: Namespace) -> None:
    if options.pole or options.knee or options.cone:
        raise InvalidArmError('--pole, --knee and --cone are for two lengths and --target x y z')


def _verdict(
    lengths: Sequence[float], target: Sequence[float], answers: Sequence[MethodAnswer]
) -> dict[str, Any]:
    return {
        'reachable': any(one.reached for one in answers),
        'message': comparison.reason(lengths, target, answers),
    }


# --- printing and drawing -------------------------------------------------------------------------


def _print_answers(options: Namespace, found: Comparison) -> None:
    where = "base, joints, tip in the arm's plane [m]" if options.urdf else 'base, joints, tip [m]'
    printing.print_table(['', '', 'joint positions [deg]', where], map(_row, found.answers))
    if not found.verdict['reachable']:
        print(found.verdict['message'])


def _row(answer: MethodAnswer) -> list[str]:
    missed = 'none' if answer.miss is None else f'missed by {answer.miss:.3g} m'
    joints = ', '.join(
        f'{name} {round(math.degrees(angle), 2) + 0.0:.2f}'
        for name, angle in (answer.joint_positions or {}).items()
    )
    places = ' | '.join(' '.join(map(printing.point, points)) for points in answer.chains)
    return [answer.method, 'reached' if answer.reached else missed, joints, places]


def _draw(file: str, found: Comparison) -> None:
    from ik_circles.pictures.drawing import LabeledShape, draw_methods

    shapes = [LabeledShape(one.method, one.chains) for one in found.answers if one.chains]
    planar = found.given.planar if found.given else None
    draw_methods(shapes, found.targets, found.zones, file, planar)


COMMAND = Command(
    'methods',
    'a target by every method that applies to it',
    add_arguments,
    run,
    'A target by every method that applies to it. A URDF or three --lengths: the choices of the '
    'parameter redundancy. Two or more --lengths: two links by circles and by angles, n links by '
    'policy. Two --lengths and --target x y z: two bones in space. --limb, once for each limb: a '
    'tree with the trunk --lengths.',
)
