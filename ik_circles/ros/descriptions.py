# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Robot descriptions in files: a path, package://PACKAGE/PATH, or the name of a shipped robot."""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory

from ik_circles.errors import InvalidUrdfError
from ik_circles.robot import shipped

PACKAGE = 'package://'


def file_of(urdf: str) -> Path:
    """The file that is meant; InvalidUrdfError if there is none."""
    if not urdf.startswith(PACKAGE):
        return shipped.file_of(urdf)
    package, _, inside = urdf.removeprefix(PACKAGE).partition('/')
    try:
        file = Path(get_package_share_directory(package), inside)
    except (PackageNotFoundError, ValueError):  # ValueError: not the name of a package
        raise InvalidUrdfError(f'{urdf}: there is no package {package!r}') from None
    return shipped.file_of(str(file))


def text_in(urdf: str) -> str:
    """The text of the file that is meant; InvalidUrdfError says why there is none."""
    file = file_of(urdf)
    try:
        text = file.read_text(encoding='utf-8')
    except UnicodeDecodeError:
        raise InvalidUrdfError(f'{file} is not UTF-8; convert it') from None
    except OSError as error:
        raise InvalidUrdfError(f'{file}: {error.strerror}') from None
    if not text.strip():
        raise InvalidUrdfError(f'{file} is empty; name the file of a robot')
    return text
