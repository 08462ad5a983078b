# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The robots that come with this package: their URDF files, by name."""

import os
from pathlib import Path

from ik_circles.errors import InvalidUrdfError
from ik_circles.robot.text import listed, shown, suggested


def shipped() -> dict[str, Path]:
    """The URDF files of this package, by the name of the robot."""
    package = Path(__file__).parents[1]
    folder = package / 'urdf'  # as pip and colcon install it
    if not folder.is_dir():
        folder = package.parent / 'urdf'  # a checkout
    return {file.stem: file for file in sorted(folder.glob('*.urdf'))}


def path_of(urdf: str) -> str:
    """The path itself; if there is no such file, that of the shipped robot with this name, if any.
    """
    return urdf if os.path.exists(urdf) else str(shipped().get(urdf, urdf))


def meant(urdf: str) -> str:
    """The beginning of a sentence about a missing file: the same file with its ending, or the
    shipped robot with a similar name, if there is one."""
    if urdf.startswith('package://'):
        return 'only nodes and launch files look up package://; '
    if os.path.exists(f'{urdf}.urdf'):
        return f"did you mean '{shown(f'{urdf}.urdf')}'? "
    return '' if os.path.exists(urdf) else suggested(urdf.lower(), shipped())


def file_of(urdf: str) -> Path:
    """The file that a user means by a path or a name. Raises InvalidUrdfError if there is none."""
    file = path_of(os.path.expanduser(urdf))
    if not os.path.exists(file) or os.path.isdir(file):
        path = os.path.abspath(file)
        said = f'{path} is a folder' if os.path.isdir(file) else f'there is no file {path}'
        raise InvalidUrdfError(
            f'{said}; {meant(file)}name a URDF file, or one of the robots {listed([*shipped()])}'
        )
    return Path(file)
