# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where motions have sent joints, and since when: measurements from before that are of the way."""

from ik_circles.control.moves.feedback import Feedback
from ik_circles.robot.arm import NamedPositions

#: An arm may be late by this much [s]: what is measured before is of its way.
UNDERWAY = 0.5


class Sent:
    """Where each joint was sent by motions, sample by sample."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[float, float]] = {}

    def send(self, positions: NamedPositions, now: float) -> None:
        """Joints are sent to these positions [rad or m]."""
        for name, place in positions.items():
            if name not in self._since or place != self._since[name][0]:
                self._since[name] = place, now

    def resting(self, at_rest: NamedPositions, feedback: Feedback, now: float) -> NamedPositions:
        """Where joints rest [rad or m]: where they were sent, or `at_rest` if they were measured
        long enough after that."""
        underway = {
            name: place
            for name, (place, since) in self._since.items()
            if name in at_rest and feedback.seen([name], now) <= since + UNDERWAY
        }
        return at_rest | underway
