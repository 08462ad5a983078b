# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint positions with names, as the parameter `named_positions` has them."""

import math
from collections.abc import Iterable, Mapping

from ik_circles.errors import InvalidSettingError
from ik_circles.geometry.values import quoted


def named_in(texts: Iterable[str]) -> Mapping[str, Mapping[str, float]]:
    """Joint positions [rad or m] by their names, from texts like 'park elbow=1.5 wrist=0'.

    Raises
    ------
    InvalidSettingError
        If a text is not of that form, or if two have the same name.
    """
    found: dict[str, Mapping[str, float]] = {}
    for text in texts:
        name, *pairs = text.split() or ['']
        positions = dict(map(_read, pairs))
        is_readable = '' not in positions and all(map(math.isfinite, positions.values()))
        if '=' in name or not positions or len(positions) < len(pairs) or not is_readable:
            raise InvalidSettingError(
                f'named_positions has {quoted(text)}; write NAME JOINT=POSITION JOINT=POSITION, '
                "with each joint once, such as 'park elbow=1.5 wrist=0'"
            )
        if name in found:
            raise InvalidSettingError(f'named_positions has {quoted(name)} twice; remove one')
        found[name] = positions
    return found


def _read(pair: str) -> tuple[str, float]:
    """A joint, and its position; NaN if that is no number."""
    joint, _, position = pair.rpartition('=')
    try:
        return joint, float(position)
    except ValueError:
        return joint, math.nan
