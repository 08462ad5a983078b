# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Values that are computed when they are first asked for, as with `functools.cached_property`.

This one is for classes whose objects every question creates. Before Python 3.12, the one in
`functools` takes a lock. It also makes each object create a dict of its attributes, which slows
down every attribute.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

T = TypeVar('T')

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  (it takes its place)
        """The same without a lock, and without a dict."""

        def __get__(self, instance: object, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = self.func(instance)
            object.__setattr__(instance, self.attrname, value)
            return value


class KeptItems(Generic[T]):
    """Items that are computed one by one when they are first asked for, and kept for later."""

    def __init__(self, items: Iterator[T]) -> None:
        self._items, self._kept = items, list[T]()

    def __iter__(self) -> Iterator[T]:
        for number in count():
            if number == len(self._kept):
                self._kept.extend(islice(self._items, 1))
            if number == len(self._kept):
                return
            yield self._kept[number]
