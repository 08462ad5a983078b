"""The argument --plot, checked before anything is computed."""

from argparse import ArgumentParser
from pathlib import Path

from ik_circles.errors import InvalidSettingError

SUFFIXES = '.png', '.svg', '.pdf', '.jpg', '.webp'


def add_argument(parser: ArgumentParser) -> None:
    """The argument that names a picture to draw."""
    parser.add_argument('--plot', metavar='FILE', help=f'draw it, as {", ".join(SUFFIXES)}')


def check(file: str | None) -> None:
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
