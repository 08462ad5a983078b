# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The mesh files that a URDF names, read from packages and from the URDF's folder, up to a size.

A URDF may come from anybody, so no other file is read, whether it is named by `..`, by an absolute
path or through a link. `load` needs trimesh, which comes with viser.
"""

import io
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ik_circles.control.settings import PageParameters

#: Bytes in a megabyte.
MEGABYTE = 1_000_000
#: Default of the largest file that is read [MB].
LARGEST = PageParameters().max_mesh_size
#: Most characters in a line of the log: a URDF may contain a file name of any length.
LOG_LINE = 500


class _NotRead(Exception):
    """Why a file is not read."""


class MeshFiles:
    """The meshes of one robot.

    Parameters
    ----------
    folder : Path or None
        The folder of the URDF, for relative names; None: it was not read from a file.
    largest : float
        The largest file that is read [MB].
    """

    def __init__(self, folder: Path | None = None, largest: float = LARGEST) -> None:
        self._folder = folder.resolve() if folder else None
        self._largest = largest
        self._said: set[str] = set()

    def load(self, name: str) -> list[Any]:
        """The trimeshes of a file; [] if it cannot be shown. The log then says why, once per name.
        """
        import trimesh

        try:
            path = self._path(name)
            data = self.read(path)
            resolver = _Beside(self, path.parent)
            suffix = path.suffix.removeprefix('.')
            scene = trimesh.load_scene(io.BytesIO(data), file_type=suffix, resolver=resolver)
            if meshes := [one for one in scene.dump() if isinstance(one, trimesh.Trimesh)]:
                return meshes
            why = 'has no faces'
        except Exception as error:  # mesh readers raise any exception; the link gets bars instead
            why = str(error) if isinstance(error, _NotRead) else f'cannot be read ({error})'
        if name not in self._said:
            self._said.add(name)
            said = ' '.join(f'viewer: the mesh {name} {why}; bars are drawn instead'.split())
            logging.getLogger(__name__).warning(''.join(filter(str.isprintable, said))[:LOG_LINE])
        return []

    def _path(self, name: str) -> Path:
        """The file that a URDF names by package://, file://, or a path."""
        where = 'is not there'
        if name.startswith('package://'):
            where = 'is in no package that is sourced'
            candidates = list(_in_packages(name.removeprefix('package://')))
        elif name.startswith('file://') or Path(name).is_absolute():
            candidates = [Path(name.removeprefix('file://'))]
        else:
            candidates = [self._folder / name] if self._folder else []
            where = f"is not in the URDF's folder, {self._folder}" if self._folder else where
        for path in candidates:
            if path.is_file():
                return path
        raise _NotRead(where)

    def read(self, path: Path) -> bytes:
        """The content of a file; an error says why it may not be read."""
        real = path.resolve()
        inside = self._folder is not None and real.is_relative_to(self._folder)
        if not (inside or _is_in_package(real)):
            beside = " and not in the URDF's folder" if self._folder else ' that is sourced'
            raise _NotRead(f'is in no package{beside}')
        with real.open('rb') as file:
            data = file.read(int(self._largest * MEGABYTE) + 1)
        if len(data) > self._largest * MEGABYTE:
            raise _NotRead(f'is larger than max_mesh_size, {self._largest:g} MB')
        return data


class _Beside:
    """Gives a reader the files that a mesh names, such as its colors, by the same rules."""

    def __init__(self, files: MeshFiles, folder: Path) -> None:
        self._files, self._folder = files, folder

    def get(self, name: str) -> bytes:
        return self._files.read(self._folder / name.strip())

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)


def _in_packages(name: str) -> Iterator[Path]:
    """The places where packages may have a file; none if the name leaves its package."""
    package, _, rest = name.partition('/')
    parts = rest.split('/')
    if not re.fullmatch(r'\w[\w.-]*', package) or '..' in parts or not parts[0]:
        raise _NotRead('is no name inside a package')
    for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep):
        if prefix:
            yield Path(prefix, 'share', package, *parts)


def _is_in_package(path: Path) -> bool:
    """Whether a file is in an installed package or, as with `--symlink-install`, in its source."""
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    shares = [Path(prefix, 'share').resolve() for prefix in prefixes if prefix]
    return any(
        folder.parent in shares or (folder / 'package.xml').is_file() for folder in path.parents
    )
