"""How names and values from outside are written into a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

    Attributes = AttributesImpl[str]
    #: The attributes of a <joint> and of the first of each element in it, by tag.
    Parts = dict[str, Attributes]

#: A list of names in a sentence has about so many characters, and no more names than that.
LIST_WIDTH, LIST_LENGTH = 200, 20


def shown(value: str, most: int = 60) -> str:
    """A value from outside as it is put into a sentence: on one line, and not too long."""
    text = ''.join(c if c.isprintable() else ascii(c)[1:-1] for c in value[:most])
    return text if len(value) <= most else f'{text}… ({len(value)} characters)'


def listed(names: Sequence[str]) -> str:
    """Names as they are put into a sentence: the first ones, and how many there are more."""
    said: list[str] = []
    room = LIST_WIDTH
    for name in names:
        text = shown(name)
        room -= len(text) + 2
        if said and (room < 0 or len(said) == LIST_LENGTH):
            return f'{", ".join(said)} and {len(names) - len(said)} more'
        said.append(text)
    return ', '.join(said)
