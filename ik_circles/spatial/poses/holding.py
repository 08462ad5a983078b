# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where the tip is with the wrist held, as the last of the three joints sees it.

For exact axes this is written out in plain floats, because most poses that cannot be taken ask for
several wrists.
"""

from collections.abc import Sequence
from math import atan2, cos, hypot, sin

from ik_circles.geometry.angles import Angles
from ik_circles.geometry.rigid import Point3
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.poses.whole import HeldWrist
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.wrist import Wrist

#: A link shorter than this share of the arm's reach has no direction of its own: it is rounding.
NO_LENGTH = 1e-9


class Holding:
    """Holds the wrist of an arm whose joints are a chain; owns the constants that it needs."""

    def __init__(self, carrier: SpatialArm, wrist: Wrist, chain: HingeChain) -> None:
        count, plane = len(wrist.limits), carrier.plane
        self._is_leaning, self._reach = bool(plane.slack), carrier.planar.max_reach
        self._third, self._length_3 = chain.hinges[-1 - count], carrier.planar.link_lengths[2]
        self._after_three = HingeChain(chain.hinges[-count:], chain.measured)
        self._first_at_zero = wrist.first_at_zero
        self._to_tip = tuple((-wrist.after.T @ wrist.center).tolist())
        (_, (x, y), _), phi = plane.yaw_axes, wrist.phi_at_zero
        # The direction of the last link in the axes of a `Sight`, with `chi` at 0.
        self._link = cos(phi) * x + sin(phi) * y, sin(phi) * x - cos(phi) * y
        self._phi_at_zero = carrier.tool.phi_at_zero

    def at(self, wrist: Sequence[float]) -> HeldWrist:
        """The wrist's joints held at angles [rad]."""
        angles = tuple(wrist)
        along, across, off = self._true_tip(angles) if self._is_leaning else self._tip(angles)
        length = hypot(along, across)
        if length <= NO_LENGTH * self._reach:
            return HeldWrist(angles, off, 0.0, -self._third.angle)
        return HeldWrist(angles, off, length, atan2(across, along))

    def _tip(self, wrist: Angles) -> Point3:
        """The tip as the third joint sees it: along the last link, across it and off the plane [m].
        """
        (x, y, z), (first, *last), (link_x, link_y) = self._to_tip, wrist, self._link
        for angle in last:
            cosine, sine = cos(angle), sin(angle)
            x, z = x * cosine + z * sine, z * cosine - x * sine
        rho = first + self._first_at_zero
        cosine, sine = cos(rho), sin(rho)
        y, off = y * cosine - z * sine, y * sine + z * cosine
        return self._length_3 + x * link_x + y * link_y, y * link_x - x * link_y, off

    def _true_tip(self, wrist: Angles) -> Point3:
        """`_tip` for the true axes [m]."""
        (x, y, off), (x0, y0, _) = self._after_three.tip(wrist), self._third.point
        x, y, cosine, sine = x - x0, y - y0, cos(self._phi_at_zero), sin(self._phi_at_zero)
        return cosine * x + sine * y, cosine * y - sine * x, off
