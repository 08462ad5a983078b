# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What measurements tell about a motion: when the joints were measured, and whether they stand."""

import math
from collections.abc import Iterable, Mapping

from ik_circles.control.moves.playing import Playing, farthest

#: A joint that has moved by no more than this stands still [rad or m]: an encoder's noise is less.
STILL = 0.01
#: The arm stands still once no joint has moved by more than STILL for this long [s].
SETTLE = 1.0
#: A controller that plays a path at this share of its speed [1], or faster, is given the time to
#: move by twice STILL: its arm does not stand still before that.
SLOWEST = 0.1


class Feedback:
    """When each joint was measured last."""

    def __init__(self) -> None:
        self._heard: dict[str, float] = {}
        self._skipped: dict[str, float] = {}

    def skip(self, duration: float) -> None:
        """All measurements are older by a duration that the clock has left out [s]."""
        for name in self._heard:
            self._skipped[name] += duration

    def hear(self, names: Iterable[str], now: float) -> None:
        """Joints have been measured."""
        names = tuple(names)
        self._heard.update(dict.fromkeys(names, now))
        self._skipped.update(dict.fromkeys(names, 0.0))

    def silent(self, names: Iterable[str], now: float, timeout: float) -> list[str]:
        """Those of these joints that have not been measured for `timeout` [s]; 0: none."""
        heard = self._heard
        return [name for name in names if now - heard.get(name, -math.inf) > timeout > 0.0]

    def seen(self, names: Iterable[str], now: float) -> float:
        """The time at which all of these joints had been measured last [s].

        It is now if nobody says when joints are measured.
        """
        heard, skipped = self._heard, self._skipped
        return min((heard[name] - skipped[name] for name in names if name in heard), default=now)


class Stillness:
    """How long the measured joints have stood still: `time` [s], when they were last looked at.
    They have been `at` the same place `since` then [s].
    """

    def __init__(self) -> None:
        self.time = self.since = 0.0
        self.at: dict[str, float] = {}

    def look(self, names: Iterable[str], measured: Mapping[str, float], now: float) -> None:
        """Take note of where these joints are now."""
        at = {name: measured[name] for name in names if name in measured}
        if at.keys() != self.at.keys() or farthest(self.at, at).away > STILL:
            self.at, self.since = at, now
        self.time = now - self.since if at else 0.0

    def is_sure(self, motion: Playing | None, now: float) -> bool:
        """Whether that is long enough, also for the slow controller of a motion, if there is one.
        """
        if self.time < SETTLE or motion is None:
            return self.time >= SETTLE
        return motion.goes(self.at, now, SLOWEST * self.time) > 2.0 * STILL
