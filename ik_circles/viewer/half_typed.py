# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Numbers beside sliders that may be only half typed: they wait for the next key, or for Enter.

As of viser 1.1.1, such a number is sent with each key, like the value of a slider that is dragged.
"""

import math
import time

#: How long a number that may be half typed waits for its next key [s].
NEXT_KEY = 1.0
#: Digits of a number as a person sees it.
SHOWN = 6


class HalfTyped:
    """The slider of a group that a user moved last, or beside which a number was typed last."""

    def __init__(self) -> None:
        self._name, self._due, self._shown = '', math.inf, dict[str, float]()

    def show(self, name: str, value: float) -> None:
        """A slider has a value that no user chose."""
        self._shown[name] = value

    def move(self, name: str, value: float) -> None:
        """A user has moved a slider, or typed a key beside it."""
        before, self._shown[name] = self._shown.get(name, math.nan), value
        waits = NEXT_KEY if may_be_half(before, value) else 0.0
        self._name, self._due = name, time.monotonic() + waits

    def finish(self) -> None:
        """The typed number is complete."""
        self._due = min(self._due, 0.0)

    def forget(self) -> None:
        """The typed number does not count."""
        self._name, self._due = '', math.inf

    def take(self) -> str:
        """The slider whose value is complete, returned once; '' if there is none."""
        if time.monotonic() < self._due:
            return ''
        name, self._name, self._due = self._name, '', math.inf
        return name


def may_be_half(before: float, value: float) -> bool:
    """Whether a value may come from a single key: a number of one digit, or the number before with
    characters added or removed at its end. Few values of a dragged slider look like that."""
    old, new = (f'{one:.{SHOWN}g}' for one in (before, value))
    return len(new.removeprefix('-')) == 1 or old.startswith(new) or new.startswith(old)
