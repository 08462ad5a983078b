# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""How answers are written: tables for people, JSON for programs, and the file of a picture."""

import json
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ik_circles.cli.arms import GivenArm
from ik_circles.errors import InvalidSettingError

#: Distances of targets that are too far away for a float [m]. JSON has no number for these.
INFINITE = math.inf, -math.inf
#: Endings of the files that matplotlib can write.
SUFFIXES = '.png', '.svg', '.pdf', '.jpg', '.webp'


def add_json(parser: ArgumentParser) -> None:
    """The argument that chooses JSON."""
    parser.add_argument('--json', action='store_true', help='print JSON instead of a table')


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments that choose JSON and a picture."""
    add_json(parser)
    parser.add_argument('--plot', metavar='FILE', help=f'draw it, as {", ".join(SUFFIXES)}')


def check_plot(file: str | None) -> None:
    """Raise InvalidSettingError for a file that matplotlib would refuse, or write elsewhere."""
    if file is None:
        return
    path = Path(file)
    if path.suffix.lower() not in SUFFIXES or path.is_dir():
        raise InvalidSettingError(
            f"--plot is '{file}'; give a file that ends in {', '.join(SUFFIXES)}"
        )
    if not path.parent.is_dir():
        raise InvalidSettingError(f"--plot is '{file}', but there is no folder {path.parent}")


def print_json(values: dict[str, Any]) -> None:
    """Print values as JSON, with null for an infinite length."""
    written = {key: None if value in INFINITE else value for key, value in values.items()}
    print(json.dumps(written, indent=1, allow_nan=False))


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print columns under a head; an empty head is left out."""
    lines = [line for line in (head, *rows) if any(line)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print('  '.join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def print_notes(given: GivenArm | None, options: Namespace) -> None:
    """Print what a user should know about the robot; JSON already contains it."""
    if given and given.arm and not options.json:
        for note in given.arm.notes:
            print(f'note: {note}')


def text(value: Any) -> str:
    """Format a value of an answer."""
    if isinstance(value, float):
        return f'{value + 0.0:.6g}'  # + 0.0 turns -0.0 into 0.0
    if isinstance(value, dict):
        return ', '.join(f'{key} {text(one)}' for key, one in value.items())
    if isinstance(value, list):
        return ', '.join(map(text, value)) or 'none'
    if isinstance(value, tuple):
        return ' to '.join(map(text, value))
    return 'none' if value is None else str(value)


def angle(radians: float) -> str:
    """Format an angle in both units."""
    return f'{radians:+.6f} rad ({math.degrees(radians):+.1f} deg)'


def point(coordinates: Sequence[float]) -> str:
    """Format a point [m]."""
    return f'({", ".join(f"{round(value, 12) + 0.0:.4g}" for value in coordinates)})'
