# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The wrist along a straight line on which the tip keeps its whole orientation.

The wrist center moves straight, too. As the yaw joint turns, the wrist turns back: its angles and
that of the last link depend on the yaw angle alone. A wrist joint is at a given angle where a
linear combination of the cosine and the sine of the yaw angle has a given value. This determines
the yaw angle, and the line meets the half plane at that angle once. Derived in docs/derivation.md,
section 16.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.angles import TURN, where_turning_gives
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.rigid import rotation_about
from ik_circles.planar.lines.track import Cause, Stop, past_limit
from ik_circles.spatial.lines.turned_way import TurnedWay
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.wrist import seen_at

#: The last axis counts as along the plane's normal if it differs from the normal by no more than
#: this [1]. A line that passes the normal at this distance turns joints half round in less time
#: than any controller can tell. If this were smaller, the rounding of the axis, divided by it,
#: would move joints by more than 1e-9.
ALONG_NORMAL = 1e-7
#: If axes lean, the last axis counts as along the normal to within this many times their lean [1].
#: Nearer to it, the joints that hold the orientation turn more than a tenth of a radian away from
#: those of parallel axes.
LEANS_ALONG = 20.0
#: The numbers of the wrist's joints in a `Stop`.
FIRST, LAST = 3, 4

X, Y, Z = np.eye(3)


class WristAngles(NamedTuple):
    """What an orientation of the tip asks of the joints at a yaw angle [rad]."""

    phi: float
    first: float
    last: float


class TurnedWrist:
    """A wrist of two joints that keeps the tip's orientation, on the flip that it starts with."""

    def __init__(self, arm: WholeArm, start: Whole) -> None:
        self.limits, wrist = arm.wrist_limits, arm.wrist
        self.along_normal = max(ALONG_NORMAL, LEANS_ALONG * arm.lean)
        chi, rho = sum(start.q) - wrist.phi_at_zero, start.wrist[0] + wrist.first_at_zero
        seen = rotation_about(Z, chi) @ rotation_about(X, rho) @ rotation_about(Y, start.wrist[1])
        outwards, along, normal = seen.tolist()
        self.sight = seen_at((outwards, along, normal), -start.yaw)
        self.is_flipped = math.cos(rho) < 0.0
        self.rho_at_zero, self.chi_at_zero = wrist.first_at_zero, wrist.phi_at_zero
        self._turns = WristAngles(0.0, 0.0, 0.0)
        found, own = self.at(start.yaw), (sum(start.q), *start.wrist)
        self._turns = WristAngles(*(round((a - b) / TURN) * TURN for a, b in zip(own, found)))

    def at(self, yaw: float) -> WristAngles:
        """The angles at a yaw angle, counted through whole turns [rad]."""
        cosine, sine = math.cos(yaw), math.sin(yaw)
        (_, x, _), _, (_, n, _) = self.sight
        upwards = n * cosine + x * sine
        rho = math.atan2(upwards, self.level(yaw))
        _, first, last = self._turns
        back = math.pi if self.is_flipped else 0.0
        return WristAngles(
            float(self.phis(np.array(yaw))),
            (back - rho if self.is_flipped else rho) - self.rho_at_zero + first,
            self._last(cosine, sine, yaw) + back + last,
        )

    def _chi(self, yaw: Floats) -> Floats:
        """The angle by which the three joints turn the tool, on the flip that is not flipped [rad].

        The y of the last axis keeps its sign, so this angle is counted without a jump.
        """
        (_, x, _), (_, y, _), (_, n, _) = self.sight
        across = x * np.cos(yaw) - n * np.sin(yaw)
        found: Floats = np.arctan2(-across, y) if y >= 0.0 else np.pi + np.arctan2(across, -y)
        return found

    def phis(self, yaw: Floats) -> Floats:
        """The orientation in the plane at many yaw angles (N,) [rad]."""
        back = math.pi if self.is_flipped else 0.0
        found: Floats = self._chi(yaw) + (back + self._turns.phi + self.chi_at_zero)
        return found

    def _last(self, cosine: float, sine: float, yaw: float) -> float:
        """The last joint's angle: the angle of a point on an ellipse that goes round with the yaw
        angle, or against it, and never differs from that by more than a quarter turn [rad]."""
        (a, b), (c, d) = self._ellipse
        x, y = a * cosine + b * sine, c * cosine + d * sine
        sign = math.copysign(1.0, a * d - b * c)
        middle = math.atan2(c - sign * b, a + sign * d) + sign * yaw
        along_x, along_y = math.cos(middle), math.sin(middle)
        return middle + math.atan2(along_x * y - along_y * x, along_x * x + along_y * y)

    @cached_property
    def _ellipse(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The weights of the yaw angle's cosine and sine in those of the last joint's angle."""
        (x_x, x, x_z), (y_x, y, y_z), (n_x, n, n_z) = self.sight
        return (y * x_x - y_x * x, y_x * n - y * n_x), (y * x_z - y_z * x, y_z * n - y * n_z)

    def level(self, yaw: float) -> float:
        """How far the last axis is from the plane's normal [1, a sine]."""
        (_, x, _), (_, y, _), (_, n, _) = self.sight
        return math.hypot(x * math.cos(yaw) - n * math.sin(yaw), y)

    def yaws(self) -> list[float]:
        """The yaw angles at which a wrist joint is on a limit, or the wrist may be singular, and
        some others [rad]."""
        (_, x, _), (_, y, _), (_, n, _) = self.sight
        found = [math.atan2(x, n)]
        if abs(y) < self.along_normal:  # between these, the wrist is singular
            found += where_turning_gives(x, -n, math.sqrt(self.along_normal**2 - y * y))
        for end in filter(math.isfinite, self.limits[0]):
            found += where_turning_gives(n, x, math.sin(end + self.rho_at_zero))
        (a, b), (c, d) = self._ellipse
        for end in filter(math.isfinite, self.limits[1]):
            cosine, sine = math.cos(end), math.sin(end)
            found.append(math.atan2(a * sine - c * cosine, d * cosine - b * sine))
        return [*found, *(yaw + math.pi for yaw in found)]

    def rates(self, yaw: Floats, turned: Floats) -> Floats:
        """Upper bounds on how fast phi changes with the yaw angle, within a turn of it (N,) [1]."""
        (_, x, _), (_, y, _), (_, n, _) = self.sight
        level = np.hypot(x * np.cos(yaw) - n * np.sin(yaw), y)
        least = np.maximum(level - turned, abs(y))
        if y == 0.0:
            return np.zeros(len(yaw))
        found: Floats = abs(y) * math.hypot(x, n) / (least * least)
        return found


@dataclass(frozen=True, eq=False)
class PoseWay(TurnedWay):
    """The way of the wrist center, with the wrist that goes with it."""

    wrist: TurnedWrist

    def events(self) -> list[float]:
        """The events of the yaw joint, and those of the wrist."""
        return [*super().events(), *(s for yaw in self.wrist.yaws() for s in self.at_yaw(yaw))]

    def stop(self, share: float) -> Stop | None:
        """What forbids a share: the yaw joint, or the wrist."""
        found = super().stop(share)
        if found is not None:
            return found
        if self.wrist.level(self.yaw_at(share)) < self.wrist.along_normal:
            return Stop(Cause.SINGULAR, FIRST)
        angles = self.wrist.at(self.yaw_at(share))[1:]
        some = map(past_limit, (FIRST, LAST), angles, self.wrist.limits)
        return next(filter(None, some), None)

    def stop_at(self, share: float) -> Stop | None:
        """What ends the line although both sides of a share are allowed."""
        if self.wrist.level(self.yaw_at(share)) <= self.wrist.along_normal:
            return Stop(Cause.SINGULAR, FIRST)
        return super().stop_at(share)

    def phi_rates(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on how fast phi changes between two shares (N,) [rad]."""
        rates = self.yaw_rates(start, end)
        turned = rates * (end - start) / 2.0
        return rates * self.wrist.rates(self.yaws_at((start + end) / 2.0), turned)


@dataclass(frozen=True, eq=False)
class WristTurning:
    """The orientation in the plane along a `PoseWay`."""

    way: PoseWay
    breaks: tuple[float, ...] = ()

    def at(self, share: float) -> float:
        """The orientation at a share [rad]."""
        return self.way.wrist.at(self.way.yaw_at(share)).phi

    def many(self, shares: Floats) -> Floats:
        """The orientations at many shares (N,) [rad]."""
        return self.way.wrist.phis(self.way.yaws_at(shares))

    def rates(self, start: Floats, end: Floats) -> Floats:
        """Upper bounds on how fast the orientation changes between two shares (N,)."""
        return self.way.phi_rates(start, end)

    def bends(self, start: Floats, end: Floats) -> Floats:
        """Infinite: no bound on the orientation's second derivative is known (N,)."""
        return np.full(len(start), np.inf)
