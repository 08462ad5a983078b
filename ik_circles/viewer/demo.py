# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The demo path: which of its targets is next, and when."""

import time
from collections.abc import Sequence

from ik_circles.control.target import Target

#: Time between two targets [s].
DEMO_PAUSE = 2.0
#: How long the arm has to be at a target before the next one is due [s]. Only the ways from target
#: to target are known to stay above the floor.
SETTLING = 0.3


class DemoPath:
    """The targets of a demo path; none until `begin`."""

    def __init__(self) -> None:
        self.begin(())

    def begin(self, targets: Sequence[Target]) -> None:
        """Start with the first target; without targets, the path is over."""
        self._targets, self._sent, self._next_at = targets, 0, 0.0

    def due(self, is_there: bool) -> Target | None:
        """The next target, once it is due; `is_there` says whether the arm is at the last one."""
        now = time.monotonic()
        if self._sent and not is_there:
            self._next_at = max(self._next_at, now + SETTLING)
            return None
        if self._sent == len(self._targets) or now < self._next_at:
            return None
        self._next_at = now + DEMO_PAUSE
        self._sent += 1
        return self._targets[self._sent - 1]

    @property
    def said(self) -> str:
        """Which target was sent last, in words; '' if no path has begun."""
        return f'Demo path: point {self._sent} of {len(self._targets)}.' if self._sent else ''
