# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What a trajectory asks of one joint over time, as joint_trajectory_controller interpolates it."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from ik_circles.control.motion.trajectory import cubic
from ik_circles.control.servo import Reference


class Knot(NamedTuple):
    """Position [rad or m], and velocity [rad/s or m/s] if one is given, at a time [s]."""

    time: float
    position: float
    velocity: float | None


class JointPath:
    """Cubic between two knots that both have a velocity, else linear; it stays at the last knot.

    A linear path has corners, and no joint can follow a corner at the path's velocity. So the
    reference has no velocity there: the joint is sent to each position, as by a stream of commands.

    The first knot is where the joint is now. The other knots follow in the order of their times;
    some may be in the past.
    """

    def __init__(self, knots: Sequence[Knot]) -> None:
        self._knots = knots

    @classmethod
    def hold(cls, position: float) -> 'JointPath':
        """The path that stays at a position [rad or m]."""
        return cls((Knot(0.0, position, None),))

    def at(self, time: float) -> Reference:
        """The reference at a time [s] from now on."""
        after = bisect_right(self._knots, time, key=attrgetter('time'))
        if after == len(self._knots):
            last = self._knots[-1]
            return Reference(last.position, None if last.velocity is None else 0.0)
        return _between(self._knots[after - 1], self._knots[after], time)


def _between(first: Knot, last: Knot, time: float) -> Reference:
    length = last.time - first.time
    share = (time - first.time) / length
    if first.velocity is None or last.velocity is None:
        return Reference(first.position + share * (last.position - first.position))
    ends = first.position, last.position, first.velocity, last.velocity
    return Reference(*cubic(*ends, length, share))
