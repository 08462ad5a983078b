# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""An arm whose axes are parallel only up to rounding: its solutions, corrected to the true axes.

`aiming` and `folded_aim` find angles whatever the limits. Here they are brought inside.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from operator import sub
from typing import TypeVar

import numpy as np

from ik_circles.geometry.angles import CONTINUOUS, Limits, nearest_in, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.limits import turns_and_limits
from ik_circles.geometry.rigid import Point3, angle_between_rotations
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.floor import is_above
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.plane import ArmPlane, TipOrientation
from ik_circles.spatial.true_axes.aiming import PLANE_AXES, Aimed, Aiming, Sought
from ik_circles.spatial.true_axes.bounds import CLOSES, Bounds
from ik_circles.spatial.true_axes.folded_aim import folded_aims
from ik_circles.spatial.true_axes.hinges import FIRST_LOOKS, ROUNDING_STEP, HingeChain

#: A tip that still misses its target by more than this is corrected once more with all joints [m].
MISSED = 1e-11
#: A joint that is put on its limit may turn the tool by this many times the lean [1].
LEANS_ON_LIMIT = 4.0
#: The errors that are left are smaller than this many times the last change of the joints [1].
ERRORS_LEFT = 4.0
#: Solutions whose angles differ by no more than this are the same [rad].
SAME_SOLUTION = 1e-7
#: The yaw angle, 0 without a yaw joint, and the joint angles in the plane [rad].
ArmAngles = tuple[float, JointPositions]
#: Whether a solution counts.
Counts = Callable[[ArmAngles], bool]
T = TypeVar('T', bound=ArmAngles)


@dataclass(frozen=True, eq=False)
class Leaning:
    """The true axes of an arm.

    `chain` are its joints in the axes of the plane at the yaw angle 0: the yaw joint if there is
    one, and the three. The tip's rotation differs from the plane's by up to `lean` [rad].
    """

    planar: PlanarArm
    plane: ArmPlane
    chain: HingeChain
    lean: float

    def solutions(
        self, sought: Sought, place: Point, outwards: float, counts: Counts = lambda _: True
    ) -> Iterator[ArmAngles]:
        """The angles inside the limits that reach what is sought, if they count; some may come
        twice.

        For parallel axes, the target is at a `place` in the plane, `outwards` from the yaw axis
        [m].
        """
        sides, is_met = self._sides(outwards), False
        if self.is_folded(place, sought.phi, outwards):
            for one in filter(counts, self._folded(sought, sides)):
                is_met = True
                yield one
        if not is_met:  # a wrist that is a little beside joint 1 may determine it after all
            elbows = self._elbows(place, sought.phi, outwards) if len(sides) == 1 else (0, 1)
            yield from self._bent(sought, product(sides, elbows), counts)

    def _folded(self, sought: Sought, sides: Sequence[float]) -> Iterator[ArmAngles]:
        for aims in folded_aims(self.aiming, self.limits, sought, sides):
            found = ([*self._inside(sought, aim)] for aim in aims)
            yield from next(filter(None, found), [])

    def _bent(
        self, sought: Sought, ways: Iterable[tuple[float, int]], counts: Counts
    ) -> Iterator[ArmAngles]:
        for side, elbow in ways:
            aim = self.aiming.closed_form(sought, side, elbow)
            found = [*filter(counts, self._inside(sought, aim))]
            settled = aim if found else self._settled(sought, aim)
            yield from found or filter(counts, self._inside(sought, settled))

    def is_folded(self, place: Point, phi: float, outwards: float) -> bool:
        """See `Bounds.is_folded`."""
        return self.bounds.is_folded(self.planar.wrist(*place, phi), outwards)

    def corrected(
        self,
        angles: Sequence[float],
        point: Point3,
        limits: Sequence[Limits],
        most: int = FIRST_LOOKS,
    ) -> ArmAngles | None:
        """The angles of the chain [rad], corrected to have the tip at a point; see `HingeChain`."""
        target, count = self.plane.into(point), self.plane.count
        found = self.chain.corrected(angles, limits, target, count, most)
        if not self._meets(found, target) and (again := self.bounds.off_limit(found, limits)):
            found = self.chain.corrected(again, limits, target, count, most)
        if not self._meets(found, target):
            return None
        yaw, q = self._of_chain(found)
        return (yaw, q) if self._is_above(q) else None

    def freely(self, angles: Sequence[float], point: Point3) -> Sequence[float]:
        """The angles of the chain [rad], corrected to a point whatever the limits."""
        free = [CONTINUOUS] * len(angles)
        return tuple(self.chain.corrected(angles, free, self.plane.into(point), self.plane.count))

    def with_one_on_limit(
        self, angles: Sequence[float], point: Point3, most: int
    ) -> Iterator[ArmAngles | None]:
        """`corrected` with one joint put on a limit that is near, and the others free at first.

        Ranges that are smaller than what the lean moves joints by leave a short curve of solutions:
        it ends where a joint is on its limit and the others are inside theirs.
        """
        target, count = self.plane.into(point), self.plane.count
        for index, limits in enumerate(self.limits):
            for end in limits:
                if self.bounds.explains(angles[index] - end):
                    only = [CONTINUOUS] * len(angles)
                    only[index] = end, end
                    moved = self.chain.corrected(angles, only, target, count, most)
                    inside = [*map(nearest_in, moved, self.limits)]
                    yield self.corrected(inside, point, self.limits, most)

    def next_to(self, angles: ArmAngles, point: Point3) -> ArmAngles:
        """The angles corrected to a point, or as they are if that moves them too far [rad]."""
        before = self.angles(*angles)
        found = self.corrected(before, point, self.limits) or angles
        changes = map(sub, self.angles(*found), before)
        return found if all(map(self.bounds.explains, changes)) else angles

    def meets(self, angles: ArmAngles, point: Point3) -> bool:
        """Whether the tip is at a point in space [m]; without a yaw joint, in the plane."""
        return self._meets(self.angles(*angles), self.plane.into(point))

    def tip(self, yaw: float, q: JointPositions) -> Point3:
        """Where the tip is in space [m]."""
        return self.plane.in_space(*self.chain.tip(self.angles(yaw, q)))

    def tilt(self, orientation: TipOrientation, yaw: float, q: JointPositions) -> float:
        """How far the tip is from an orientation [rad]; see `TipOrientation.tilt`."""
        if self.plane.yaw is None:
            return max(0.0, orientation.tilt(sum(q), yaw) - self.lean)
        turned = np.column_stack([self.chain.turned((yaw, *q), axis) for axis in PLANE_AXES])
        return angle_between_rotations(turned, orientation.from_zero)

    @cached_property
    def limits(self) -> list[Limits]:
        """The limits of the chain's joints [rad]."""
        yaw = self.plane.yaw
        return [*self.planar.limits] if yaw is None else [yaw.limits, *self.planar.limits]

    # --- one elbow at one side ---

    def _elbows(self, place: Point, phi: float, outwards: float) -> list[int]:
        """Elbows with which correction may bring the joints inside their limits: 0 up, 1 down.

        A wrist next to joint 1 turns link 1 by more than the room."""
        solver, (x, y) = self.planar.solver, self.planar.wrist(*place, phi)
        distance = math.hypot(x, y)
        if max(self.planar.beyond_reach(distance)) > self.bounds.nearly:
            return []
        both = solver.triangle.elbow_up_and_down(x, y, distance * distance)
        turned = solver.ranges.turned
        room = self.bounds.room + self.bounds.at(outwards) / distance if distance else math.pi
        return [
            index
            for index, (upper_arm, forearm) in enumerate(both)
            if turned(upper_arm, forearm - upper_arm, phi - forearm, room)
        ]

    def _settled(self, sought: Sought, aim: Aimed) -> Aimed:
        """An aim corrected to the whole pose, if asking the closed form again has not settled it:
        next to a straight or folded elbow, or where the shoulders meet."""
        is_settled = aim.off <= ROUNDING_STEP and aim.miss <= MISSED
        if is_settled or aim.miss == math.inf:
            return aim
        target, free = self.plane.into(sought.point), [CONTINUOUS] * len(self.limits)
        aimed, wanted = self.angles(aim.yaw, aim.q), sought.orientation
        turned = self.chain.rotation(aimed) if wanted is None else wanted.from_zero
        found = self.chain.posed(aimed, free, target, turned, self.plane.count)
        yaw, q = self._of_chain(found)
        return Aimed(yaw, q, sum(q), 0.0, self._miss(found, target))

    def _inside(self, sought: Sought, aim: Aimed) -> Iterator[ArmAngles]:
        """Every turn of the angles inside the limits; joints next to one are put on it, and the
        others corrected."""
        if aim.miss == math.inf:
            return
        window = self.bounds.room
        if not sought.loose:
            left = ERRORS_LEFT * aim.off + self.bounds.of_miss(aim.miss)
            window = min(window, left + self.turns_on_limit)
        aimed = self.angles(aim.yaw, aim.q)
        missed = self._miss(aimed, self.plane.into(sought.point)) > MISSED
        turns = map(turns_and_limits, aimed, self.limits, [window] * len(aimed))
        most = math.inf if sought.loose else self.turns_on_limit
        for choice in product(*turns):
            angles, on_limit = zip(*choice)
            near = self._near(angles, sought.point, missed or any(on_limit))
            some = (one for one in near if self._is_above(one[1]))
            found = next((one for one in some if abs(wrap(sum(one[1]) - aim.phi)) <= most), None)
            if found:
                yield found

    def _near(self, angles: Sequence[float], point: Point3, is_off: bool) -> Iterator[ArmAngles]:
        """Angles inside the limits [rad], corrected if they are off; else, or then, as they are.

        Where only the lean moves the tip in a direction, correcting a tiny miss turns the tool.
        """
        if is_off and (found := self.corrected(angles, point, self.limits)):
            yield found
        if not is_off or self._meets(angles, self.plane.into(point)):
            yield self._of_chain(angles)

    def _miss(self, angles: Sequence[float], target: Point3) -> float:
        """Distance of the tip from a target; without a yaw joint, in the plane [m]."""
        count = self.plane.count
        return math.dist(self.chain.tip(angles)[:count], target[:count])

    def _sides(self, outwards: float) -> tuple[float, ...]:
        """1 for facing a target, -1 for reaching backwards; both where errors may exchange them."""
        if self.plane.yaw and abs(outwards) <= self.bounds.nearly:
            return 1.0, -1.0
        return (math.copysign(1.0, outwards),)

    # --- figures ---

    def angles(self, yaw: float, q: JointPositions) -> Sequence[float]:
        """The angles of the chain."""
        return q if self.plane.yaw is None else (yaw, *q)

    def _of_chain(self, angles: Sequence[float]) -> ArmAngles:
        yaw, q1, q2, q3 = (0.0, *angles) if self.plane.yaw is None else angles
        return yaw, (q1, q2, q3)

    def _meets(self, angles: Sequence[float], target: Point3) -> bool:
        """Whether the tip is so near to a target that it meets it."""
        return self._miss(angles, target) <= max(CLOSES, self.planar.tolerance)

    @cached_property
    def aiming(self) -> Aiming:
        """The `Aiming` that finds angles whatever the limits."""
        return Aiming(self.bounds, self.chain)

    @cached_property
    def bounds(self) -> Bounds:
        """How far the lean of the axes may move joints."""
        return Bounds(self.planar, self.plane)

    @cached_property
    def turns_on_limit(self) -> float:
        """How far the tool may be turned where a joint is put on its limit [rad]."""
        return LEANS_ON_LIMIT * self.lean + self.bounds.of_miss(MISSED)

    def _is_above(self, q: JointPositions) -> bool:
        return is_above(self.planar, q, self.plane.slack)


def distinct(found: Sequence[T]) -> list[T]:
    """The solutions without those that are the same."""
    kept: list[T] = []
    for one in found:
        for its in kept:
            if is_same(one, its):
                break
        else:
            kept.append(one)
    return kept


def is_same(one: ArmAngles, other: ArmAngles) -> bool:
    """Whether solutions differ by rounding only."""
    (yaw, (a, b, c)), (its_yaw, (its_a, its_b, its_c)) = one, other
    return (
        abs(a - its_a) <= SAME_SOLUTION
        and abs(b - its_b) <= SAME_SOLUTION
        and abs(c - its_c) <= SAME_SOLUTION
        and abs(yaw - its_yaw) <= SAME_SOLUTION
    )
