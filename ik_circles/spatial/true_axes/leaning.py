# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An arm whose axes are parallel only to rounding: its solutions, corrected to the true axes.

The yaw joint turns exactly, about its own axis. The three lean a little. They put the tip beside
the place that exactly parallel axes give, by an error that hardly changes with the angles. So the
closed form is asked for the target less the error of its last answer. Each time, what is left of
the error is multiplied by the angle by which the axes lean.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from operator import sub
from typing import NamedTuple, TypeVar

import numpy as np

from ik_circles.geometry.angles import Limits, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.limits import turns_and_limits
from ik_circles.geometry.rigid import Point3, angle_between_rotations
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.floor import is_above
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.plane import ArmPlane, TipOrientation
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.true_axes.hinges import HingeChain

#: A solution is given if it closes to this on the true axes [m, and with two wrist joints rad]. The
#: same holds for places on a line.
CLOSES = 1e-9
#: A tip this near to its target needs no further correction [m]: it is rounding.
MET = 1e-14
#: A tip that still misses its target by more than this is corrected once more with all joints [m].
MISSED = 1e-11
#: An orientation this near to the wanted one needs no further correction [rad].
TURNED = 1e-14
#: How often the closed form is asked again: twice is enough, but for a straight or folded elbow.
REPEATS = 5
#: A joint that is put on its limit may turn the tool by this many times the lean [1].
LEANS_ON_LIMIT = 4.0
#: The last change of the joints, this many times, is more than what is left of their errors [1].
ERRORS_LEFT = 4.0
#: Solutions whose angles differ by no more than this are the same [rad].
SAME_SOLUTION = 1e-7
#: Angles before the closed form is asked for any [rad].
UNASKED: JointPositions = (math.tau, math.tau, math.tau)
#: The yaw angle, 0 without a yaw joint, and the joint angles in the plane [rad].
ArmAngles = tuple[float, JointPositions]
T = TypeVar('T', bound=ArmAngles)


class Sought(NamedTuple):
    """The tip at `point` [m] with the tool at `phi` in the plane [rad].

    With an `orientation` of the tip in space, `phi` is what the plane reads from it. A `loose`
    orientation may be off by as much as the limits ask for.
    """

    point: Point3
    phi: float
    orientation: TipOrientation | None = None
    loose: bool = False


class Aimed(NamedTuple):
    """Angles on the true axes, whatever the limits [rad], the orientation that they aim at [rad],
    how far they may still be off [rad], and how far the tip is [m]."""

    angles: Sequence[float]
    phi: float
    off: float
    miss: float


@dataclass(frozen=True, eq=False)
class Leaning:
    """The true axes of an arm.

    `chain` are its joints in the axes of the plane at the yaw angle 0: the yaw joint if there is
    one, and the three. The tip's rotation is up to `lean` from that of the plane [rad].
    """

    planar: PlanarArm
    plane: ArmPlane
    chain: HingeChain
    lean: float

    def solutions(self, sought: Sought, place: Point, outwards: float) -> Iterator[ArmAngles]:
        """The angles inside the limits that reach what is sought; some may come twice.

        With parallel axes it is at a `place` of the plane, `outwards` of the yaw axis [m].
        """
        sides = self._sides(outwards)
        elbows = self._elbows(place, sought.phi) if len(sides) == 1 else (0, 1)
        for side, elbow in product(sides, elbows):
            yield from self._inside(sought, self._aim(sought, side, elbow))

    def corrected(
        self, angles: Sequence[float], point: Point3, limits: Sequence[Limits]
    ) -> ArmAngles | None:
        """The angles of the chain [rad], corrected to have the tip at a point; see `HingeChain`."""
        target, count = self.plane.into(point), self.plane.count
        most = max(CLOSES, self.planar.tolerance)
        found = self.chain.corrected(angles, limits, target, count)
        if self._miss(found, target) > most and (again := self.bounds.off_limit(found, limits)):
            found = self.chain.corrected(again, limits, target, count)
        if self._miss(found, target) > most:
            return None
        yaw, q1, q2, q3 = (0.0, *found) if self.plane.yaw is None else found
        return (yaw, (q1, q2, q3)) if self._is_above((q1, q2, q3)) else None

    def next_to(self, angles: ArmAngles, point: Point3) -> ArmAngles:
        """The angles corrected to a point, or as they are if that moves them too far [rad]."""
        before = self.angles(*angles)
        found = self.corrected(before, point, self.limits) or angles
        changes = map(abs, map(sub, self.angles(*found), before))
        return found if max(changes) <= self.bounds.room else angles

    def tip(self, yaw: float, q: JointPositions) -> Point3:
        """Where the tip is in space [m]."""
        return self.plane.in_space(*self.chain.tip(self.angles(yaw, q)))

    def tilt(self, orientation: TipOrientation, yaw: float, q: JointPositions) -> float:
        """How far the tip is from an orientation [rad]; see `TipOrientation.tilt`."""
        if self.plane.yaw is None:
            return max(0.0, orientation.tilt(sum(q), yaw) - self.lean)
        turned = np.column_stack([self.chain.turned((yaw, *q), axis) for axis in AXES])
        return angle_between_rotations(turned, orientation.from_zero)

    @cached_property
    def limits(self) -> list[Limits]:
        """Of the chain's joints [rad]."""
        yaw = self.plane.yaw
        return [*self.planar.limits] if yaw is None else [yaw.limits, *self.planar.limits]

    # --- one elbow at one side ---

    def _elbows(self, place: Point, phi: float) -> list[int]:
        """Elbows with which correction may bring the joints inside their limits: 0 up, 1 down."""
        solver, (x, y) = self.planar.solver, self.planar.wrist(*place, phi)
        distance, (length_1, length_2, _) = math.hypot(x, y), self.planar.link_lengths
        folded, straight = abs(length_1 - length_2), length_1 + length_2
        if not folded - self.bounds.nearly <= distance <= straight + self.bounds.nearly:
            return []
        both = solver.triangle.elbow_up_and_down(x, y, distance * distance)
        turned, room = solver.ranges.turned, self.bounds.room
        return [
            index
            for index, (upper_arm, forearm) in enumerate(both)
            if turned(upper_arm, forearm - upper_arm, phi - forearm, room)
        ]

    def _aim(self, sought: Sought, side: float, elbow: int) -> Aimed:
        """The angles that put the tip where it is sought, whatever the limits."""
        target, phi = self.seen(self.plane.into(sought.point)), sought.phi
        aside = self.plane.yaw.aside if self.plane.yaw else 0.0
        yaw, beside, error_a, error_b = 0.0, aside, 0.0, 0.0
        q = UNASKED
        a, b = self._in_half_plane(target, side, beside)
        for _ in range(REPEATS + 1):
            last, q = q, self._closed_form(a - error_a, b - error_b, phi, elbow)
            x, y, _ = self.planar.pose_at(q)
            plane_a, plane_b = self._from_axis(x, y)
            tip_a, tip_b, beside = self.seen(self._three.tip(q))
            error_a, error_b = tip_a - plane_a, tip_b - plane_b
            if self.plane.yaw:
                yaw = math.atan2(target[2], target[0]) - math.atan2(beside, tip_a)
            if sought.orientation:
                phi = sum(q) + self._missing(sought.orientation, yaw, q)
            a, b = self._in_half_plane(target, side, beside)
            miss = math.hypot(a - tip_a, b - tip_b)
            if miss <= MET and abs(phi - sum(q)) <= TURNED:
                last = q
                break
            if miss > self.bounds.at(a) and last != UNASKED:
                miss = math.inf  # the orientation is out of reach
                break
        off = max(abs(wrap(i - j)) for i, j in zip(q, last))
        return Aimed(self.angles(yaw, q), phi, off, miss)

    def _closed_form(self, a: float, b: float, phi: float, elbow: int) -> JointPositions:
        """Angles for parallel axes; out of reach, the elbow is straight or folded [rad]."""
        x, y = self.plane.yaw.in_plane(a, b) if self.plane.yaw else (a, b)
        x, y = self.planar.wrist(x, y, phi)
        elbows = self.planar.solver.triangle.elbow_up_and_down(x, y, x * x + y * y)
        upper_arm, forearm = elbows[elbow]
        return upper_arm, forearm - upper_arm, phi - forearm

    def _inside(self, sought: Sought, aim: Aimed) -> Iterator[ArmAngles]:
        """Every turn of the angles inside the limits; joints next to one are put on it, and the
        others corrected."""
        if aim.miss == math.inf:
            return
        window = self.bounds.room
        if not sought.loose:
            window = min(window, ERRORS_LEFT * aim.off + self.turns_on_limit)
        missed = self._miss(aim.angles, self.plane.into(sought.point)) > MISSED
        turns = map(turns_and_limits, aim.angles, self.limits, [window] * len(aim.angles))
        for choice in product(*turns):
            angles, on_limit = zip(*choice)
            found: ArmAngles | None = (angles[0], angles[1:]) if self.plane.yaw else (0.0, angles)
            if any(on_limit) or missed:
                found = self.corrected(angles, sought.point, self.limits)
            most = math.inf if sought.loose else self.turns_on_limit
            if found and self._is_above(found[1]) and abs(wrap(sum(found[1]) - aim.phi)) <= most:
                yield found

    def _miss(self, angles: Sequence[float], target: Point3) -> float:
        """Distance of the tip from a target; without a yaw joint, in the plane [m]."""
        count = self.plane.count
        return math.dist(self.chain.tip(angles)[:count], target[:count])

    def _missing(self, orientation: TipOrientation, yaw: float, q: JointPositions) -> float:
        """How far the tool has to be turned in the plane to be as wanted [rad]."""
        angles = self.angles(yaw, q)
        x, y, z = (self.chain.turned(angles, axis) for axis in AXES)
        now = orientation._replace(from_zero=list(zip(x, y, z)))
        return wrap(orientation.angle(yaw) - now.angle(yaw))

    # --- seen from the true yaw axis ---

    def seen(self, place: Point3) -> Point3:
        """A place in the axes of the plane [m], outwards of the yaw axis, along it and beside it.

        Without a yaw joint, these are the axes of the plane.
        """
        if self.plane.yaw is None:
            return place
        (a, b, c), (d, e, f), (g, h, i) = self._axes
        x, y, z = map(sub, place, self.chain.hinges[0].point)
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z

    def _in_half_plane(self, target: Point3, side: float, beside: float) -> tuple[float, float]:
        """Where a plane meets a turned target that passes the yaw axis at a distance [m]."""
        if self.plane.yaw is None:
            return target[0], target[1]
        radius, past = math.hypot(target[0], target[2]), abs(beside)
        return side * math.sqrt(max(0.0, (radius - past) * (radius + past))), target[1]

    def _from_axis(self, x: float, y: float) -> tuple[float, float]:
        """A place in the plane as the closed form has it, outwards of the yaw axis and along it."""
        return self.plane.yaw.from_axis((x, y)) if self.plane.yaw else (x, y)

    def _sides(self, outwards: float) -> tuple[float, ...]:
        """1 to face a target, -1 to reach backwards; both where errors may exchange them."""
        if self.plane.yaw and abs(outwards) <= self.bounds.nearly:
            return 1.0, -1.0
        return (math.copysign(1.0, outwards) if self.plane.yaw else 1.0,)

    @cached_property
    def _axes(self) -> tuple[Point3, Point3, Point3]:
        """Outwards, along the true yaw axis, and beside the plane against its normal."""
        along = np.array(self.chain.hinges[0].axis)
        normal = np.array(AXES[2]) - along[2] * along
        normal /= np.linalg.norm(normal)
        outwards, height, beside = np.array((np.cross(along, normal), along, -normal)).tolist()
        return outwards, height, beside

    # --- figures ---

    def angles(self, yaw: float, q: JointPositions) -> Sequence[float]:
        """The angles of the chain."""
        return q if self.plane.yaw is None else (yaw, *q)

    @cached_property
    def bounds(self) -> Bounds:
        """How far the axes may move joints."""
        return Bounds(self.planar, self.plane)

    @cached_property
    def turns_on_limit(self) -> float:
        """How far the tool may be turned where a joint is put on its limit [rad]."""
        return LEANS_ON_LIMIT * self.lean + self.bounds.of_miss(MISSED)

    @cached_property
    def _three(self) -> HingeChain:
        return HingeChain(self.chain.hinges[-3:], self.chain.measured)

    def _is_above(self, q: JointPositions) -> bool:
        return is_above(self.planar, q, self.plane.slack)


#: The axes of the plane: x, y and its normal.
AXES: tuple[Point3, Point3, Point3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def distinct(found: Sequence[T]) -> list[T]:
    """The solutions without those that are the same."""
    kept: list[T] = []
    for one in found:
        if not (kept and any(_farthest_apart(one, its) <= SAME_SOLUTION for its in kept)):
            kept.append(one)
    return kept


def _farthest_apart(one: ArmAngles, other: ArmAngles) -> float:
    (yaw, (a, b, c)), (its_yaw, (its_a, its_b, its_c)) = one, other
    return max(abs(yaw - its_yaw), abs(a - its_a), abs(b - its_b), abs(c - its_c))
