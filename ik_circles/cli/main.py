"""The command line `ik-circles`: an arm from a URDF or from lengths, a question, a table or JSON.

Exit code 0: reachable; 1: not; 2: bad input, with a sentence on standard error.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

from ik_circles.cli.comparison import (
    Answer,
    by_redundancy,
    compare,
    named_joints,
    reason,
    tree,
    two_bones,
)
from ik_circles.errors import IkCirclesError, InvalidArmError, InvalidSettingError
from ik_circles.geometry.circles import Point
from ik_circles.limbs import BoneLimits, LinkChain
from ik_circles.limbs.two_bones import NO_LIMITS
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.robot.arm import RobotArm
from ik_circles.robot.reduction import load_arm
from ik_circles.spatial.verdict import SpatialReachability

OK, UNREACHABLE, BAD_INPUT = 0, 1, 2
JOINTS = 'q1', 'q2', 'q3'
#: The units of what `reach` prints.
UNITS = {
    'margin': 'margin [m]',
    'nearest': 'nearest [m, rad]',
    'nearest_joint_positions': 'nearest_joint_positions [rad]',
    'orientation_intervals': 'orientation_intervals [rad]',
}
NEGATIVE = re.compile(r'-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$')
PICTURES = '.png', '.svg', '.pdf', '.jpg', '.webp'


class Parser(argparse.ArgumentParser):
    """Takes -1e-3 for a number, which argparse before Python 3.14 takes for an option."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._negative_number_matcher = NEGATIVE


class Model(NamedTuple):
    """The planar arm, and the robot that it is part of if a URDF was given."""

    arm: PlanarArm
    chain: RobotArm | None

    def ask(
        self, target: Sequence[float], phi: float | None
    ) -> Reachability | SpatialReachability:
        """The verdict on a target: x, y for lengths, x, y, z in base_link for a robot."""
        wanted = 2 if self.chain is None else 3
        if len(target) != wanted:
            what = 'x y for an arm of lengths' if wanted == 2 else 'x y z in base_link for a robot'
            raise InvalidArmError(f'--target has {len(target)} numbers; give {what}')
        if self.chain is None:
            return self.arm.check_reachability(target[0], target[1], phi)
        return self.chain.check_reachability(target, phi)

    def named(self, positions: Any) -> dict[str, float]:
        """Joint positions by name [rad]."""
        return dict(positions) if self.chain else named_joints(positions)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    options = _parser().parse_args(arguments)
    try:
        _check_picture(getattr(options, 'plot', None))
        answer: int = options.run(options)
        sys.stdout.flush()
        return answer
    except IkCirclesError as error:
        return _failed(str(error))
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return OK
    except OSError as error:
        return _failed(f'{error.filename or "standard output"}: {error.strerror}')
    except ValueError as error:  # bytes that are no text
        return _failed(' '.join(str(error).split()))
    except ModuleNotFoundError as error:
        return _failed(f"--plot needs {error.name}; in its repository: pip install '.[plot]'")
    except KeyboardInterrupt:
        return 130


def _check_picture(file: str | None) -> None:
    """Before anything is computed: matplotlib would write elsewhere, or fail at the end."""
    if file is None:
        return
    path = Path(file)
    if path.suffix.lower() not in PICTURES or path.is_dir():
        raise InvalidSettingError(f"--plot is '{file}'; give a file as {', '.join(PICTURES)}")
    if not path.parent.is_dir():
        raise InvalidSettingError(f"--plot is '{file}', but there is no folder {path.parent}")


def _failed(sentence: str) -> int:
    print(f'ik-circles: {sentence}', file=sys.stderr)
    return BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog='ik-circles', description='Can this arm get there, and with which joint angles?'
    )
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    for name, run, text in (
        ('solve', _solve, 'every set of joint positions that reaches a target'),
        ('reach', _reach, 'whether a target can be reached, why not, and what can'),
        ('workspace', _workspace, 'what the arm can reach: safe zones, exact outline, area'),
        ('methods', _methods, 'a target by every method that applies to it'),
        ('view', _view, 'see the arm and steer it in a browser, without ROS'),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(run=run)
        _add_arm(command)
        if name == 'view':
            command.add_argument('--host', default='127.0.0.1', help='address to serve on')
            command.add_argument('--port', type=int, default=8080, help='0: any that is free')
            continue
        if name == 'methods':
            _add_methods(command)
        if name != 'workspace':
            command.add_argument(
                '--target', nargs='+', type=float, required=True, metavar='METRES',
                help='x y z in base_link; x y for --lengths',
            )  # fmt: skip
        if name in ('solve', 'reach'):
            command.add_argument(
                '--phi', type=float, metavar='RAD', help="the tool's angle in the arm's plane"
            )
        command.add_argument('--json', action='store_true', help='print JSON instead of a table')
        command.add_argument(
            '--plot', metavar='FILE', help=f'draw it, as {", ".join(PICTURES)}'
        )
    return parser


def _add_arm(command: argparse.ArgumentParser) -> None:
    command.add_argument('urdf', nargs='?', help='file of the robot')
    command.add_argument('--base-link', default=None, help='where the arm starts')
    command.add_argument('--tip-link', default=None, help='what is to reach the target')
    command.add_argument(
        '--lengths', nargs='+', type=float, metavar='METRES',
        help='links instead of a URDF: three, but for methods',
    )  # fmt: skip
    command.add_argument(
        '--limits', nargs='+', type=float, metavar='RAD', help='lower and upper of each joint'
    )


def _add_methods(command: argparse.ArgumentParser) -> None:
    command.description = (
        'A target by every method that applies to it. A URDF or three --lengths: the choices of '
        'the parameter redundancy. --lengths of any number, two or more: two links by circles and '
        'by angles, n links by policy. Two --lengths and --target x y z: two bones in space. '
        '--limb, once for each: a tree with the trunk --lengths.'
    )
    command.add_argument(
        '--z-form-k', type=float, default=0.5, metavar='SHARE',
        help='where link 2 crosses the line to the target (z_form)',
    )  # fmt: skip
    command.add_argument(
        '--pole', nargs=3, type=float, metavar=('X', 'Y', 'Z'),
        help='to where the knee of two bones bends',
    )  # fmt: skip
    command.add_argument(
        '--knee', nargs=2, type=float, metavar=('LOWER', 'UPPER'),
        help='limits of the bend of two bones [rad]',
    )  # fmt: skip
    command.add_argument(
        '--cone', nargs=4, type=float, metavar=('X', 'Y', 'Z', 'RAD'),
        help='axis of the cone that the upper bone keeps to, and how far from it',
    )  # fmt: skip
    command.add_argument(
        '--limb', nargs='+', type=float, action='append', metavar='METRES',
        help='links of a limb of a tree; the --target then has x y for each',
    )  # fmt: skip


def _model(options: argparse.Namespace) -> Model:
    if (options.urdf is None) == (options.lengths is None):
        raise InvalidArmError('give the file of a URDF or --lengths, one of them')
    if options.lengths is None:
        if options.limits:
            raise InvalidArmError('--limits go with --lengths; a URDF has its own')
        chain = load_arm(
            Path(options.urdf).read_bytes(), options.base_link, options.tip_link
        )
        return Model(chain.arm, chain)
    return Model(PlanarArm(tuple(options.lengths), _limits(options)), None)


def _limits(options: argparse.Namespace) -> Any:
    """Lower and upper limit of each joint [rad]."""
    if options.limits is None:
        return None
    wanted = 2 * len(options.lengths)
    if len(options.limits) != wanted:
        raise InvalidArmError(
            f'--limits has {len(options.limits)} numbers; give lower and upper of each joint: '
            f'{wanted}'
        )
    return tuple(zip(options.limits[::2], options.limits[1::2]))


# --- commands -------------------------------------------------------------------------------------


def _solve(options: argparse.Namespace) -> int:
    model = _model(options)
    answer = model.ask(options.target, options.phi)
    solutions = [model.named(q) for q in answer.solutions]
    if options.json:
        _print_json({**_verdict(model, answer), 'solutions': solutions})
    elif solutions:
        _print_table(['', *solutions[0]], [[str(n), *map(_angle, q.values())]
                                           for n, q in enumerate(solutions, 1)])  # fmt: skip
    else:
        print(answer.message)
    _print_notes(model, options)
    return _drawn(model, options, answer)


def _reach(options: argparse.Namespace) -> int:
    model = _model(options)
    answer = model.ask(options.target, options.phi)
    verdict = _verdict(model, answer)
    if options.json:
        _print_json(verdict)
    else:
        verdict.pop('notes', None)  # follow, each on a line
        _print_table(['', ''], [[UNITS.get(key, key), _shown(one)] for key, one in verdict.items()])
    _print_notes(model, options)
    return _drawn(model, options, answer)


def _methods(options: argparse.Namespace) -> int:
    if options.urdf is not None and options.lengths is not None:
        raise InvalidArmError('give the file of a URDF or --lengths, one of them')
    lengths, target = options.lengths or (), options.target
    if options.limb:
        return _methods_of_tree(options)
    if len(lengths) == 2 and len(target) == 3:
        return _methods_of_bones(options)
    if options.pole or options.knee or options.cone:
        raise InvalidArmError('--pole, --knee and --cone are for two lengths and --target x y z')
    if options.lengths is None or len(lengths) == 3:
        return _methods_of_arm(options)
    answers = compare(lengths, target, _limits(options))
    _print_methods(options, _found(answers, reason(lengths, target, answers)), answers)
    _plot_methods(options, answers, [target], LinkChain(tuple(lengths)).safe_zones)
    return _exit_code(answers)


def _methods_of_bones(options: argparse.Namespace) -> int:
    if options.limits:
        raise InvalidArmError('two bones have --knee and --cone, no --limits')
    limits = BoneLimits(options.knee or NO_LIMITS.knee)
    if options.cone:
        *axis, angle = options.cone
        limits = BoneLimits(limits.knee, tuple(axis), angle)
    answers = two_bones(options.target, tuple(options.lengths), limits, options.pole)
    message = reason(options.lengths, options.target, answers)
    _print_methods(options, _found(answers, message), answers)
    _plot_methods(options, answers, [options.target], None)
    return _exit_code(answers)


def _methods_of_arm(options: argparse.Namespace) -> int:
    """The choices of `redundancy`, then what does without joint limits."""
    model, target = _model(options), options.target
    answer = model.ask(target, None)
    answers = by_redundancy(model.arm, model.chain, target, options.z_form_k)
    if model.chain is None:
        answers += compare(options.lengths, target, _limits(options))
    _print_methods(options, _verdict(model, answer), answers)
    _print_notes(model, options)
    _plot_methods(options, answers, _places(model, target), model.arm.safe_zones, model.arm)
    return OK if answer.reachable else UNREACHABLE


def _methods_of_tree(options: argparse.Namespace) -> int:
    if options.urdf or options.limits or options.pole or options.knee or options.cone:
        raise InvalidArmError('--limb goes with --lengths and --target, and nothing else')
    numbers = options.target
    if len(numbers) != 2 * len(options.limb):
        raise InvalidArmError(
            f'--target has {len(numbers)} numbers; give x y for each --limb: '
            f'{2 * len(options.limb)}'
        )
    targets = list(zip(numbers[::2], numbers[1::2]))
    answers = tree(options.lengths or (), options.limb, targets)
    _print_methods(options, _found(answers, reason((), (), answers)), answers)
    _plot_methods(options, answers, targets, None)
    return _exit_code(answers)


def _found(answers: Sequence[Answer], message: str) -> dict[str, Any]:
    return {'reachable': _exit_code(answers) == OK, 'message': message}


def _exit_code(answers: Sequence[Answer]) -> int:
    return OK if any(answer.reached for answer in answers) else UNREACHABLE


def _print_methods(
    options: argparse.Namespace, verdict: dict[str, Any], answers: Sequence[Answer]
) -> None:
    if options.json:
        methods = {one.method: {**one._asdict(), 'reached': one.reached} for one in answers}
        _print_json({**verdict, 'methods': methods})
        return
    rows = []
    for one in answers:
        missed = 'none' if one.miss is None else f'missed by {one.miss:.3g} m'
        named = one.joint_positions or {}
        joints = ', '.join(
            f'{name} {round(math.degrees(angle), 2) + 0.0:.2f}' for name, angle in named.items()
        )
        places = ' | '.join(' '.join(map(_place, points)) for points in one.chains)
        rows.append([one.method, 'reached' if one.reached else missed, joints, places])
    places = "base, joints, tip in the arm's plane [m]" if options.urdf else 'base, joints, tip [m]'
    _print_table(['', '', 'joint positions [deg]', places], rows)
    if not verdict['reachable']:
        print(verdict['message'])


def _place(point: Sequence[float]) -> str:
    return f'({", ".join(f"{round(value, 12) + 0.0:.4g}" for value in point)})'


def _plot_methods(
    options: argparse.Namespace,
    answers: Sequence[Answer],
    targets: Sequence[Sequence[float]],
    zones: SafeZones | None,
    arm: PlanarArm | None = None,
) -> None:
    if options.plot:
        from ik_circles.pictures.drawing import LabeledShape, draw_methods

        shapes = [LabeledShape(one.method, one.chains) for one in answers if one.chains]
        draw_methods(shapes, targets, zones, options.plot, arm)


def _workspace(options: argparse.Namespace) -> int:
    model = _model(options)
    arm, boundary = model.arm, model.arm.workspace_boundary()
    figures: dict[str, Any] = {
        'link_lengths': list(arm.link_lengths),
        'joints': list(model.chain.commanded_joints if model.chain else JOINTS),
        'min_reach': arm.min_reach,
        'max_reach': arm.max_reach,
        'area': boundary.area,
    }
    if options.json:
        _print_json({**figures, 'outline': [arc._asdict() for arc in boundary.arcs]})
    else:
        units = {'link_lengths': ' m', 'min_reach': ' m', 'max_reach': ' m', 'area': ' m^2'}
        rows = [[key, _shown(value) + units.get(key, '')] for key, value in figures.items()]
        _print_table(['', ''], [*rows, ['outline', f'{len(boundary.arcs)} arcs']])
    _print_notes(model, options)
    if options.plot:
        from ik_circles.pictures.drawing import draw_workspace

        draw_workspace(arm, options.plot)
    return OK


def _view(options: argparse.Namespace) -> int:
    from ik_circles.viewer.standalone import description_of, serve

    model = _model(options)
    chain, folder = model.chain, None
    if chain is None:
        description = description_of(model.arm)
        chain = load_arm(description)
    else:
        path = Path(options.urdf)
        description, folder = path.read_text(), path.parent
    serve(chain, description, folder, options.host, options.port)
    return OK


def _drawn(
    model: Model, options: argparse.Namespace, answer: Reachability | SpatialReachability
) -> int:
    if options.plot:
        from ik_circles.pictures.drawing import TargetMark, draw_scenario

        shown: list[Any] = [*answer.solutions]
        if not shown and answer.nearest_joint_positions is not None:
            shown = [answer.nearest_joint_positions]
        poses = [model.chain.arm_angles(q) for q in shown] if model.chain else shown
        texts = chain((answer.message,), repeat('the same, by the other shoulder'))
        marks = [
            TargetMark(x, y, accepted=answer.reachable, text=text)
            for (x, y), text in zip(_places(model, options.target), texts)
        ]
        draw_scenario(model.arm, model.arm.safe_zones, poses, marks, options.plot)
    return OK if answer.reachable else UNREACHABLE


def _places(model: Model, target: Sequence[float]) -> list[Point]:
    """Where in the arm's plane a target is: by each shoulder that can be turned to it."""
    if model.chain is None:
        return [(target[0], target[1])]
    turned = [shoulder.point for shoulder, yaws in model.chain.shoulders(target) if yaws]
    return turned or [model.chain.seen_in_plane(target)]


def _verdict(model: Model, answer: Reachability | SpatialReachability) -> dict[str, Any]:
    joints = answer.nearest_joint_positions
    return {
        'reachable': answer.reachable,
        'code': answer.code.name,
        'message': answer.message,
        'margin': None if math.isnan(answer.margin) else answer.margin,
        'nearest': None if answer.nearest is None else answer.nearest._asdict(),
        'nearest_joint_positions': None if joints is None else model.named(joints),
        'orientation_intervals': answer.orientation_intervals,
        **({'notes': list(model.chain.notes)} if model.chain else {}),
    }


# --- printing -------------------------------------------------------------------------------------


def _print_json(figures: dict[str, Any]) -> None:
    print(json.dumps(figures, indent=1, allow_nan=False))


def _print_notes(model: Model, options: argparse.Namespace) -> None:
    if model.chain and not options.json:
        for note in model.chain.notes:
            print(f'note: {note}')


def _print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = [line for line in (head, *rows) if any(line)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print('  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f'{value + 0.0:.6g}'
    if isinstance(value, dict):
        return ', '.join(f'{key} {_shown(one)}' for key, one in value.items())
    if isinstance(value, list):
        return ', '.join(map(_shown, value)) or 'none'
    if isinstance(value, tuple):
        return ' to '.join(map(_shown, value))
    return 'none' if value is None else str(value)


def _angle(radians: float) -> str:
    return f'{radians:+.6f} rad ({math.degrees(radians):+.1f} deg)'
