# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The time of motions, from a clock that may be set."""

import math

#: While the arm moves, time goes on by at most this much at once [s], or by two periods of a slow
#: command_rate. If the node has paused, or the clock was set, the arm must not be sent at once to
#: where it would have been.
LONGEST_STEP = 0.1


class MotionTime:
    """A time for motions [s], from a clock that may be set: it never goes back."""

    def __init__(self) -> None:
        #: How much the last call has left out [s].
        self.skipped = 0.0
        self._time = 0.0
        self._before: int | None = None  # counting from the first call keeps rounding small
        self._most = math.inf

    def clock_is_set(self) -> None:
        """The clock is set now: not all that passes up to the next call is time."""
        self._most = LONGEST_STEP

    def at(self, clock: int, longest: float = math.inf) -> float:
        """The time when the clock is at `clock` [ns]; at most `longest` [s] after the last call."""
        before = clock if self._before is None else self._before
        passed, self._before = (clock - before) * 1e-9, clock
        taken, self._most = min(max(passed, 0.0), longest, self._most), math.inf
        self.skipped, self._time = max(passed - taken, 0.0), self._time + taken
        return self._time
