# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A check that `ros2 launch` does not make: it ignores an argument that no launch file has."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ik_circles.errors import InvalidSettingError
from ik_circles.robot.text import suggested


def check_arguments(file: str, given: Iterable[str], names: Sequence[str]) -> None:
    """Refuse an argument (NAME:=VALUE) that a launch file does not have.

    Only the file that was started is checked: a file that includes another one has more arguments
    than that. Raises InvalidSettingError.
    """
    if Path(file).name not in [Path(word).name for word in sys.argv]:
        return
    for name in [word.partition(':=')[0] for word in given]:
        if name not in names:
            meant = suggested(name, names)
            raise InvalidSettingError(
                f'{name}: no such argument; {meant}there are {", ".join(names)}'
            )
