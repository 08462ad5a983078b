# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Numbers beside sliders that may be typed by half: they wait for the next key, or for Enter.

As of viser 1.1.1, such a number is sent with each key, as the value of a slider that is dragged is.
"""

import math
import time

#: How long a number that may be typed by half waits for its next key [s].
NEXT_KEY = 1.0
#: Digits of a number as a person sees it.
SHOWN = 6


class HalfTyped:
    """The newest slider of a group that a user has moved, or beside which a number was typed."""

    def __init__(self) -> None:
        self._name, self._due, self._shown = '', math.inf, dict[str, float]()

    def show(self, name: str, value: float) -> None:
        """A slider is somewhere without a user."""
        self._shown[name] = value

    def move(self, name: str, value: float) -> None:
        """A user has moved a slider, or typed a key beside it."""
        before, self._shown[name] = self._shown.get(name, math.nan), value
        waits = NEXT_KEY if may_be_half(before, value) else 0.0
        self._name, self._due = name, time.monotonic() + waits

    def finish(self) -> None:
        """What is typed is whole."""
        self._due = min(self._due, 0.0)

    def forget(self) -> None:
        """What is typed does not count."""
        self._name, self._due = '', math.inf

    def take(self) -> str:
        """The slider whose value is whole; '' if there is none. Each is given once."""
        if time.monotonic() < self._due:
            return ''
        name, self._name, self._due = self._name, '', math.inf
        return name


def may_be_half(before: float, value: float) -> bool:
    """Whether a value may come from a key: a number of one digit, or the one before with characters
    more or less at its end. Few values of a slider that is dragged look so."""
    old, new = (f'{one:.{SHOWN}g}' for one in (before, value))
    return len(new.removeprefix('-')) == 1 or old.startswith(new) or new.startswith(old)
