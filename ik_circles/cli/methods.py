# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles methods`: a target by every method that applies to it.

The links and the target decide which methods apply: see `comparison`.
"""

import math
from argparse import ArgumentParser, Namespace

from ik_circles.cli import arms, output
from ik_circles.cli.comparison import Comparison, MethodAnswer, compare

SUMMARY = 'a target by every method that applies to it'
DESCRIPTION = (
    'A target by every method that applies to it. A URDF or three --lengths: the choices of the '
    'parameter redundancy. Two or more --lengths: two links by circles and by angles, n links by '
    'policy. Two --lengths and --target x y z: two bones in space. --limb, once for each limb: a '
    'tree with the trunk --lengths.'
)


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    parser.description = DESCRIPTION
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
    arms.add_target(parser)
    output.add_arguments(parser)


def run(options: Namespace) -> bool:
    """Print and draw what each method finds."""
    found = compare(options)
    if options.json:
        methods = {one.method: {**one._asdict(), 'reached': one.reached} for one in found.answers}
        output.print_json({**found.verdict, 'methods': methods})
    else:
        _print_answers(options, found)
    output.print_notes(found.given, options)
    if options.plot:
        _draw(options.plot, found)
    return bool(found.verdict['reachable'])


def _print_answers(options: Namespace, found: Comparison) -> None:
    where = "base, joints, tip in the arm's plane [m]" if options.urdf else 'base, joints, tip [m]'
    output.print_table(['', '', 'joint positions [deg]', where], map(_row, found.answers))
    if not found.verdict['reachable']:
        print(found.verdict['message'])


def _row(answer: MethodAnswer) -> list[str]:
    missed = 'none' if answer.miss is None else f'missed by {answer.miss:.3g} m'
    joints = ', '.join(
        f'{name} {round(math.degrees(angle), 2) + 0.0:.2f}'
        for name, angle in (answer.joint_positions or {}).items()
    )
    places = ' | '.join(' '.join(map(output.point, points)) for points in answer.chains)
    return [answer.method, 'reached' if answer.reached else missed, joints, places]


def _draw(file: str, found: Comparison) -> None:
    from ik_circles.pictures.drawing import LabeledShape, methods_figure, write

    shapes = [LabeledShape(one.method, one.chains) for one in found.answers if one.chains]
    planar, robot = (found.given.planar, found.given.arm) if found.given else (None, None)
    write(file, lambda: methods_figure(shapes, found.targets, found.zones, planar, robot))
