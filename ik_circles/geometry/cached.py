# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Values that are computed when they are first asked for, as `functools.cached_property` has them.

This one is for classes of which every question makes some. Before Python 3.12, that of `functools`
takes a lock, and has each object make a dict of its attributes, which makes all of them slower.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

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
