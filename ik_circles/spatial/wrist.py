# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The wrist: one or two joints after the three, and how they turn the tip.

The first wrist axis is perpendicular to the plane's normal. A second one meets it at a right angle.
So there is a point of the first axis that no wrist joint moves: the wrist center. The pose of the
tip determines where it is. The three joints bring it there, as they bring the tip of a planar arm.

Seen from a frame in which x points outwards from the yaw axis, y along it and z along the plane's
normal, with the yaw joint at 0, the orientation is `Ry(yaw)` times a product of turns: by `chi`
about z, which the three joints do, then by `rho` about x, and by `last` about y if there is a
second wrist joint.
Derived in docs/derivation.md, section 14.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ik_circles.geometry.angles import Limits, stops, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.intervals import Interval
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.geometry.rigid import Matrix, Point3, Rows, angle_of_distance, rows_product
from ik_circles.reasons import JointLabel
from ik_circles.spatial.plane import INWARD

#: A last axis this near to the plane's normal counts as along it [1]. The orientation is then met
#: to within that, and determines only the sum of phi and the last joint.
SINGULAR = 5e-10
#: Smallest number that is divided by [1].
LEAST = 1e-12
#: Rounding of an orientation [rad]; loose postures multiply it.
ROUNDING = 1e-14
#: Where rounding moves no joint by more than this, the closed form is the answer [rad]. The tip is
#: where it has to be, because loose joints move together.
LOOSE = 1e-8
#: Rounding may split one solution into some that differ by up to this many times a posture's
#: looseness [1].
FROM_ROUNDING = 10.0
#: A plane that has to be tilted by no more than this counts as not tilted [rad].
LEVEL = 1e-10
#: A tilt of the plane brings no joint inside its limits that is farther past them than this [rad].
MOST_ROOM = 0.2


class Posture(NamedTuple):
    """What an orientation of the tip asks of the joints, with the plane at a yaw angle.

    Attributes
    ----------
    phi : float
        Orientation of the last link in the plane, as the arm to the wrist center counts it [rad].
    wrist : tuple of float
        The wrist's angles [rad].
    tilt : float
        How far the first wrist axis would have to leave the plane [rad]; 0 with two wrist joints.
    loose : float
        Rounding of the orientation moves `phi` by this many times as much [1].
    is_singular : bool
        Whether other values of `phi` would do as well.
    """

    phi: float
    wrist: tuple[float, ...]
    tilt: float = 0.0
    loose: float = 1.0
    is_singular: bool = False


#: A posture in plain floats: `chi` [rad] with its cosine and sine, then the other fields.
AskedOfWrist = tuple[float, float, float, tuple[float, ...], float, float]


class Singular(NamedTuple):
    """An orientation with the last wrist axis along the plane's normal.

    The first wrist joint is at `first` [rad]. For every phi, `phi + sign * last` is `total` [rad].
    """

    first: float
    sign: float
    total: float

    def last(self, phi: float) -> float:
        """The angle of the last joint at an orientation in the plane [rad]."""
        return wrap(self.sign * (self.total - phi))

    def allowed(self, limits: Limits) -> list[Interval]:
        """Orientations in the plane with the last joint inside its limits, up to rounding [rad]."""
        if not stops(limits):
            return [(-math.pi, math.pi)]
        ends = sorted(self.total - self.sign * end for end in limits)
        lower = wrap(ends[0] - ON_LIMIT / 2.0)
        return [(lower, lower + ends[1] - ends[0] + ON_LIMIT)]


#: The trace of a rotation by its parts `along`, `across` and `rest`: it is `along * cos(chi) +
#: across * sin(chi) + rest`, and the angle of the rotation is `acos((trace - 1) / 2)`.
Trace = tuple[float, float, float]


#: An orientation of the tip as the wrist's frame sees it (3x3), with the yaw joint at 0: the rows
#: outwards from the yaw axis, along it, and along the plane's normal.
Sight = tuple[Point3, Point3, Point3]


def seen_at(sight: Sight, yaw: float) -> Sight:
    """An orientation as the plane sees it at a yaw angle [rad]."""
    (a, b, c), along, (d, e, f) = sight
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return (
        (a * cosine - d * sine, b * cosine - e * sine, c * cosine - f * sine),
        along,
        (d * cosine + a * sine, e * cosine + b * sine, f * cosine + c * sine),
    )


@dataclass(frozen=True, eq=False)
class Wrist:
    """One or two joints after the three.

    Attributes
    ----------
    limits : tuple of Limits
        Limits of each wrist joint [rad].
    labels : tuple of JointLabel
        How messages name them.
    center : ndarray, shape (3,)
        The wrist center as the tip sees it [m].
    before, after : ndarray, shape (3, 3)
        `before @ rotation @ after` is an orientation of the tip as the wrist's frame sees it.
    first_at_zero : float
        `rho` minus the angle of the first wrist joint [rad].
    phi_at_zero : float
        `phi` minus `chi` [rad].
    """

    limits: tuple[Limits, ...]
    labels: tuple[JointLabel, ...]
    center: Matrix
    before: Matrix
    after: Matrix
    first_at_zero: float
    phi_at_zero: float

    def center_at(self, point: Point3, rotation: Rows) -> Point3:
        """The wrist center in space [m], with the tip at a point [m] and an orientation (3x3)."""
        (x, y, z), ((a, b, c), (d, e, f), (g, h, i)) = self._center, rotation
        return (
            point[0] + a * x + b * y + c * z,
            point[1] + d * x + e * y + f * z,
            point[2] + g * x + h * y + i * z,
        )

    def sight(self, rotation: Rows) -> Sight:
        """An orientation of the tip (3x3) as the wrist's frame sees it."""
        before, after = self._rows
        return rows_product(before, rotation, after)

    @cached_property
    def _center(self) -> Point3:
        """`center` in plain floats."""
        x, y, z = self.center.tolist()
        return x, y, z

    @cached_property
    def length(self) -> float:
        """How far the tip is from the wrist center [m]."""
        return math.hypot(*self._center)

    @cached_property
    def _rows(self) -> tuple[Rows, Rows]:
        """`before` and `after` in plain floats."""
        return self.before.tolist(), self.after.tolist()

    @cached_property
    def has_two(self) -> bool:
        """Whether there is a second wrist joint."""
        return len(self.limits) == 2

    def postures(self, sight: Sight, yaw: float) -> list[Posture]:
        """The ways to have an orientation with the plane at a yaw angle, whatever the limits.

        With two wrist joints, these are both flips. Near a singular orientation they are loose.
        """
        chi, _, _, wrist, tilt, loose = self.asked(sight, math.cos(yaw), math.sin(yaw))
        phi = chi + self.phi_at_zero
        found = [Posture(phi, wrist, tilt, loose)]
        if self.has_two:
            found.append(Posture(phi + math.pi, self.flipped(wrist), tilt, loose))
        return found

    @cached_property
    def asked(self) -> Callable[[Sight, float, float], AskedOfWrist]:
        """The posture of a single wrist joint, or the first flip of two joints, in plain floats.

        The arguments are an orientation, and the cosine and the sine of the yaw angle.
        """
        return self._of_two if self.has_two else self._of_one

    def flipped(self, wrist: Sequence[float]) -> tuple[float, float]:
        """The other angles of two wrist joints that give the same orientation, with phi half a turn
        farther [rad]."""
        (first, last), at_zero = wrist, self.first_at_zero
        return wrap(math.pi - at_zero - first) - at_zero, wrap(last + math.pi)

    def _of_two(self, sight: Sight, yaw_x: float, yaw_z: float) -> AskedOfWrist:
        (a, b, c), (x, y, z), (d, e, f) = sight
        across = b * yaw_x - e * yaw_z
        level = math.hypot(across, y)
        chi, rho = math.atan2(-across, y), math.atan2(e * yaw_x + b * yaw_z, level)
        # Computed from chi, not independently: where both are loose, their sum is not.
        cosine, sine = math.cos(chi), math.sin(chi)
        yaw_x, yaw_z = cosine * yaw_x, cosine * yaw_z
        last = math.atan2(c * yaw_x - f * yaw_z + sine * z, a * yaw_x - d * yaw_z + sine * x)
        wrist = rho - self.first_at_zero, last
        return chi, cosine, sine, wrist, 0.0, 1.0 / max(level, LEAST)

    def two_at(self, sight: Sight, yaw: float, phi: float) -> tuple[float, ...]:
        """The angles of both joints that come nearest to an orientation, with the last link at
        `phi` [rad]."""
        (x_x, x, x_z), (y_x, y, y_z), (_, n_y, _) = seen_at(sight, yaw)
        cosine, sine = math.cos(phi - self.phi_at_zero), math.sin(phi - self.phi_at_zero)
        first = math.atan2(n_y, cosine * y - sine * x) - self.first_at_zero
        return first, math.atan2(cosine * x_z + sine * y_z, cosine * x_x + sine * y_x)

    def last_at(self, sight: Sight, yaw: float, phi: float, first: float) -> float:
        """The angle of the last of both joints that comes nearest to an orientation, with the last
        link at `phi` and the first of both as it is [rad]."""
        (x_x, _, x_z), (y_x, _, y_z), (n_x, _, n_z) = seen_at(sight, yaw)
        chi, rho = phi - self.phi_at_zero, first + self.first_at_zero
        c, s, level, upright = math.cos(chi), math.sin(chi), math.cos(rho), math.sin(rho)
        return math.atan2(
            c * x_z + s * y_z - upright * (s * x_x - c * y_x) - level * n_x,
            c * x_x + s * y_x + upright * (s * x_z - c * y_z) + level * n_z,
        )

    def _of_one(self, sight: Sight, yaw_x: float, yaw_z: float) -> AskedOfWrist:
        """The pitch of the wrist axis that is asked for, and the roll that leaves the least angle
        to the orientation."""
        (a, b, c), (up, d, e), (f, g, h) = sight
        outwards, off = a * yaw_x - f * yaw_z, f * yaw_x + a * yaw_z
        # It and `up` are the cosine and the sine of chi: the axis has length 1.
        length = math.sqrt(outwards * outwards + off * off)
        level = math.copysign(length, outwards + INWARD * length)
        rho = math.atan2(
            g * yaw_x + b * yaw_z + up * (c * yaw_x - h * yaw_z) - level * e,
            level * d - up * (b * yaw_x - g * yaw_z) + h * yaw_x + c * yaw_z,
        )
        tilt = abs(off)
        if tilt > LEVEL:  # else it is its sine
            tilt = math.atan2(tilt, math.hypot(outwards, up))
        return math.atan2(up, level), level, up, (rho - self.first_at_zero,), tilt, 1.0

    def singular(self, sight: Sight, yaw: float) -> Singular:
        """An orientation with the last axis along the plane's normal."""
        (x_x, *_), (y_x, *_), (_, n_y, _) = seen_at(sight, yaw)
        sign = math.copysign(1.0, n_y)
        first = sign * math.pi / 2.0 - self.first_at_zero
        return Singular(first, sign, math.atan2(y_x, x_x) + self.phi_at_zero)

    def trace(self, sight: Sight, yaw: float, wrist: Sequence[float]) -> Trace:
        """The trace of the rotation from the tip's orientation to the one asked for, with the plane
        at a yaw angle and the wrist's joints at angles [rad], by `chi`."""
        (a, b, c), (d, e, f), (g, h, i) = seen_at(sight, yaw)
        first, *last = wrist
        for angle in last:
            cosine, sine = math.cos(angle), math.sin(angle)
            a, c = a * cosine + c * sine, c * cosine - a * sine
            d, f = d * cosine + f * sine, f * cosine - d * sine
            i = i * cosine - g * sine
        rho = first + self.first_at_zero
        cosine, sine = math.cos(rho), math.sin(rho)
        return a + e * cosine - f * sine, d - b * cosine + c * sine, h * sine + i * cosine

    def trace_of_axis(self, sight: Sight, yaw: float, wrist: Sequence[float]) -> Trace:
        """`trace` with the last of two joints where that is largest: its axis is left to turn."""
        (_, across, _), (_, along, _), (_, height, _) = seen_at(sight, yaw)
        rho = wrist[0] + self.first_at_zero
        level, upright = 2.0 * math.cos(rho), 2.0 * math.sin(rho)
        return level * along, -level * across, 1.0 + upright * height

    def turned_away(
        self, sight: Sight, yaw: float, phi: float, wrist: Sequence[float]
    ) -> float:
        """How far the tip is turned away from an orientation, with the plane at a yaw angle, the
        last link at `phi` in it and the wrist's joints at angles [rad]."""
        first, *last = wrist
        chi, rho = phi - self.phi_at_zero, first + self.first_at_zero
        x, z = (math.cos(last[0]), math.sin(last[0])) if last else (1.0, 0.0)
        cosine, sine = math.cos(rho), math.sin(rho)
        d, e, f = sine * z, cosine, -sine * x  # of the turn by `last` and `rho`, the second row
        c, s = math.cos(chi), math.sin(chi)
        tip = (
            c * x - s * d, -s * e, c * z - s * f,
            s * x + c * d, c * e, s * z + c * f,
            -cosine * z, sine, cosine * x,
        )  # fmt: skip
        one, two, three = seen_at(sight, yaw)
        return angle_of_distance(math.dist(tip, (*one, *two, *three)))
