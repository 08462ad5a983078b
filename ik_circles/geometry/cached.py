# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Values that are computed when they are first asked for, as `functools.cached_property` has them.

It is for classes of which every question makes some: there, the lock that this takes before Python
3.12 counts.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    cached_property = functools.cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  (it takes its place)
        """That of Python 3.12, without a lock."""

        def __get__(self, instance: object, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value
