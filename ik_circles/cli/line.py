# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`ik-circles line`: how much of a straight line can be followed, and why no more."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ik_circles.cli import arms, orientation, output
from ik_circles.cli.seed import named_positions
from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.planar.lines.straight import HELD, StraightLine
from ik_circles.planar.selection import FREE
from ik_circles.reasons import Code, percent_text
from ik_circles.robot.text import listed, shown

SUMMARY = 'how much of a straight line can be followed without a jump, and why no more'
#: Rows of the table, and of the path in JSON.
ROWS = 11
#: Points of a curve in a picture.
CURVE = 201
#: Shapes of the arm in a picture.
SHAPE_COUNT = 5


class Found(NamedTuple):
    """A line, the joint positions where it starts, and which of how many solutions these are."""

    line: StraightLine[Any]
    start: Any
    number: int
    solutions: int


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of this command."""
    arms.add_arguments(parser)
    arms.add_floor(parser)
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument(
        '--from', nargs='+', type=float, metavar='METERS', dest='start',
        help='point where the line starts, on the branch that goes farthest; as --to',
    )  # fmt: skip
    start.add_argument(
        '--from-joints', nargs='+', metavar='JOINT=RAD',
        help='joint positions where it starts, by name; q1, q2 and q3 for --lengths',
    )  # fmt: skip
    parser.add_argument(
        '--to', nargs='+', type=float, required=True, metavar='METERS',
        help='point where it ends: x y z in base_link of a robot; x y for --lengths',
    )  # fmt: skip
    orientation.add_arguments(parser)
    parser.add_argument(
        '--free', action='store_true',
        help="let the tool's angle in the arm's plane change; else the orientation is held",
    )  # fmt: skip
    output.add_arguments(parser)


def run(options: Namespace) -> bool:
    """Print how much of the line can be followed, and the joint positions on it."""
    given = arms.given_arm(options)
    starts = _starts(given, options)
    if isinstance(starts, str):
        output.print_json({'share': 0.0, 'message': starts}) if options.json else print(starts)
        return False
    found = _farthest(given, options, starts)
    if options.json:
        output.print_json(_values(given, found))
    else:
        _print(given, found, options)
    _hint(found, options)
    output.print_notes(given, options)
    if options.plot:
        _draw(given, found, options.plot)
    return found.line.share == 1.0


def _starts(given: arms.GivenArm, options: Namespace) -> Sequence[Any] | str:
    """The joint positions where the line may start; a sentence if its start cannot be reached."""
    if options.from_joints is not None:
        if (options.phi, options.rpy, options.quaternion) != (None, None, None):
            raise InvalidArmError('--from-joints has an orientation of its own; give --from')
        return [_named(given, options.from_joints)]
    rotation = orientation.rotation_in(options)
    verdict = given.check(options.start, options.phi, rotation, '--from')
    orientation.hint(options)
    return verdict.solutions or f'the start: {verdict.message}'


def _named(given: arms.GivenArm, words: Sequence[str]) -> Any:
    """Joint positions by name, as JOINT=RAD."""
    found = named_positions('--from-joints', words)
    names = given.arm.commanded_joints if given.arm else ('q1', 'q2', 'q3')
    if set(names) != set(found):
        strange = [name for name in found if name not in names]
        unknown = ''.join(f"there is no joint '{shown(name)}'; " for name in strange)
        missing = [name for name in names if name not in found]
        lacks = f'--from-joints lacks {listed(missing)}; ' if missing else '--from-joints: '
        raise InvalidSettingError(f'{lacks}{unknown}give the position of each of {listed(names)}')
    return found if given.arm else tuple(found[name] for name in names)


def _farthest(given: arms.GivenArm, options: Namespace, starts: Sequence[Any]) -> Found:
    """The line from the start with which it goes farthest; the first of them if several do."""
    kept = FREE if options.free else HELD
    asked = given.planar if given.arm is None else given.arm
    wanted = 2 if given.arm is None else 3
    if len(options.to) != wanted:
        raise InvalidArmError(f'--to has {len(options.to)} numbers; give {wanted}')
    lines = [asked.straight_line(start, options.to, orientation=kept) for start in starts]
    best = max(range(len(lines)), key=lambda number: lines[number].share)
    return Found(lines[best], starts[best], best + 1, len(lines))


def _values(given: arms.GivenArm, found: Found) -> dict[str, Any]:
    line = found.line
    return {
        'share': line.share,
        'code': line.code.name,
        'message': line.message,
        'length': line.length,
        'start_point': [*line.start_point],
        'end_point': [*line.end_point],
        'solution': found.number,
        'solutions': found.solutions,
        'breaks': [*line.breaks],
        'path': [
            {'share': share, 'joint_positions': given.named(line.positions(share))}
            for share in _shares(line, ROWS)
        ],
        **({'notes': list(given.arm.notes)} if given.arm else {}),
    }


def _print(given: arms.GivenArm, found: Found, options: Namespace) -> None:
    print(found.line.message)
    if options.start is not None:
        print(f'it starts with solution {found.number} of {found.solutions} at this point')
    rows = []
    for share in _shares(found.line, ROWS):
        positions = given.named(found.line.positions(share))
        rows.append([percent_text(share), *map(output.angle, positions.values())])
    output.print_table(['share', *given.named(found.start)], rows)


def _hint(found: Found, options: Namespace) -> None:
    """Say on standard error why the line ends at once, if no orientation of the wrist was given."""
    line, has_own = found.line, options.from_joints is not None
    given = (options.phi, options.rpy, options.quaternion) != (None, None, None)
    if line.share == 0.0 and line.code is Code.ORIENTATION and not (given or has_own):
        said = 'without an orientation the wrist is held at 0, where it is singular'
        print(f'hint: {said}; give --rpy or --quaternion, or --free', file=sys.stderr)


def _shares(line: StraightLine[Any], count: int) -> list[float]:
    """Evenly spaced shares, from the start to the end of the part that can be followed."""
    return [float(share) for share in np.linspace(0.0, line.share, count if line.share else 1)]


def _draw(given: arms.GivenArm, found: Found, file: str) -> None:
    from ik_circles.pictures.drawing import write
    from ik_circles.pictures.line_drawing import Curve, line_figure

    shares = _shares(found.line, CURVE)
    paths = [given.named(found.line.positions(share)) for share in shares]
    curves = [Curve(name, [one[name] for one in paths]) for name in paths[0]]
    shown = [found.line.positions(share) for share in _shares(found.line, SHAPE_COUNT)]
    shapes = [
        held.planar.joint_points(held.arm_angles(one))
        for held, one in zip(map(given.holding, shown), shown)
    ]
    planar, message = given.holding(shown[-1]).planar, found.line.message
    write(file, lambda: line_figure(planar, shares, curves, shapes, message, given.arm))
