# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The fastest way of one joint that may be moving to rest at a goal, in closed form.

The velocity goes linearly to a peak, stays there, and goes linearly to 0. If the way is computed
again at any later moment, from where the joint is then, the result is the same curve. So the curve
is also the control law.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Profile(NamedTuple):
    """Three phases: to the peak velocity, at it, and to rest.

    Parameters
    ----------
    peak : float
        The velocity of the second phase [rad/s].
    rise, cruise, fall : float
        How long each phase takes [s]; the second may be endless.
    """

    peak: float
    rise: float
    cruise: float
    fall: float

    @property
    def duration(self) -> float:
        """Time until it rests [s]."""
        return self.rise + self.cruise + self.fall


def profile(way: float, velocity: float, fastest: float, acceleration: float) -> Profile:
    """The fastest way to rest at `way` from here [rad], which may be infinite.

    A joint faster than `fastest` brakes to it. One that cannot stop before its goal passes it by
    as little as possible, and comes back.
    """
    stop = velocity * abs(velocity) / (2.0 * acceleration)
    sign = math.copysign(1.0, way - stop)
    square = velocity * velocity / 2.0 + sign * acceleration * way
    peak = sign * min(math.sqrt(max(square, 0.0)), fastest)
    rise = abs(peak - velocity) / acceleration
    fall = abs(peak) / acceleration
    left = way - rise * (velocity + peak) / 2.0 - fall * peak / 2.0
    cruise = max(left / peak, 0.0) if abs(peak) == fastest else 0.0
    return Profile(peak, rise, cruise, fall)
