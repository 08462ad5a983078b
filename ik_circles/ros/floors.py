# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The floor that scripts and the launch file put under an arm that stands on base_link."""

import math
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from ik_circles.control.floor import stands
from ik_circles.control.settings import NO_FLOOR
from ik_circles.errors import InvalidSettingError
from ik_circles.robot.load import arm_in
from ik_circles.robot.urdf import MAX_BYTES

PARAMETERS = 'ros__parameters'
#: The parameters of `ik_node` that decide which joints of a robot are its arm.
LINKS = 'base_link', 'tip_link'


def floor_under(
    description: str, base_link: str | None = None, tip_link: str | None = None
) -> float:
    """The floor under the arm in a URDF: at 0 if it stands on base_link, else NO_FLOOR [m].

    IkCirclesError if there is no arm between the links, see `arm_in`.
    """
    return 0.0 if stands(arm_in(description, base_link, tip_link, MAX_BYTES)) else NO_FLOOR


def height(text: str) -> float:
    """The height of a floor [m]; InvalidSettingError if it is none."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InvalidSettingError(f"floor: '{text}'; give a height in meters, auto, or none")
    return found


def links_in(params_file: str, namespace: str) -> dict[str, str]:
    """The links that a file of parameters gives to the `ik_node` of a namespace.

    What is wrong with the file, ik_node will say.
    """
    name, given = '/'.join(['', *filter(None, namespace.split('/')), 'ik_node']), {}
    try:
        found = yaml.safe_load(Path(params_file).read_text(encoding='utf-8'))
    except (yaml.YAMLError, UnicodeDecodeError):
        return {}
    for pattern, values in _parameters(found, ''):
        if fnmatchcase(name, pattern.replace('/**', '*')):
            given.update(values)
    return {link: given[link] for link in LINKS if given.get(link) and isinstance(given[link], str)}


def _parameters(found: Any, name: str) -> Iterator[tuple[str, dict[Any, Any]]]:
    """The parameters of each node in a file, and what the node's name has to match."""
    for key, values in found.items() if isinstance(found, dict) else ():
        if key != PARAMETERS:
            yield from _parameters(values, f'{name}/{str(key).strip("/")}')
        elif isinstance(values, dict):
            yield name, values
