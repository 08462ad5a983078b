# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Names and values from outside: how they are checked, and how a sentence quotes them."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ik_circles.errors import InvalidUrdfError

#: Longest name [characters]. A longer one would make a sentence that nobody can read.
MAX_NAME = 200
#: A longer value is cut where a sentence quotes it [characters].
MAX_SHOWN = 60
#: A list of names in a sentence ends after about this many characters.
LIST_WIDTH = 200
#: A list of names in a sentence has at most this many of them.
LIST_LENGTH = 20


def shown(value: str, most: int = MAX_SHOWN) -> str:
    """A value from outside as a sentence quotes it: on one line, and not too long."""
    text = ''.join(c if c.isprintable() else ascii(c)[1:-1] for c in value[:most])
    return text if len(value) <= most else f'{text}… ({len(value)} characters)'


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them: the first ones, and how many more there are."""
    said: list[str] = []
    room = LIST_WIDTH
    for name in names:
        text = shown(name)
        room -= len(text) + 2
        if said and (room < 0 or len(said) == LIST_LENGTH):
            return f'{", ".join(said)} and {len(names) - len(said)} more'
        said.append(text)
    return ', '.join(said)


def suggested(name: str, names: Iterable[str]) -> str:
    """The beginning of a sentence about an unknown name: a known name that it resembles, if any."""
    return ''.join(f"did you mean '{shown(one)}'? " for one in get_close_matches(name, names, 1))


def checked_name(kind: str, name: str) -> str:
    """The name itself. Raises InvalidUrdfError if it is too long, not printable, or still xacro."""
    if len(name) > MAX_NAME or not name.isprintable():
        raise InvalidUrdfError(
            f"a {kind} is named '{shown(name)}'; names have at most {MAX_NAME} characters, "
            'all of them printable'
        )
    if '${' in name or '$(' in name:
        raise InvalidUrdfError(f"a {kind} is named '{shown(name)}'; expand xacro first")
    return name


def required_name(tag: str, name: str) -> str:
    """The name of an element, which must not be missing; see `checked_name`."""
    if not name:
        raise InvalidUrdfError(f'a <{tag}> has no name; add one')
    return checked_name(tag, name)
