# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint positions corrected to a full pose on the axes as they are, inside the limits."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ik_circles.geometry.angles import CONTINUOUS, Limits, nearest_in
from ik_circles.geometry.limits import brought_inside
from ik_circles.spatial.poses.aims import Aim
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.true_axes.two_free import AskedOfChain

#: A seed is next to a pose if its tip is no farther away, as a share of the reach, and turned by no
#: more than this [rad].
NEXT_TO = 0.1


class Correction(NamedTuple):
    """Corrects angles of the chain until they take a full pose.

    Attributes
    ----------
    arm : WholeArm
        The arm with its axes as they are.
    asked : AskedOfChain
        The pose.
    is_free : bool
        Whether the pose leaves a joint free.
    elbow : Limits
        Where the second of the three joints has to be: anywhere, or straight or folded [rad].
    """

    arm: WholeArm
    asked: AskedOfChain
    is_free: bool
    elbow: Limits = CONTINUOUS

    @classmethod
    def to(cls, aim: Aim, is_free: bool, is_tilted: bool = False) -> 'Correction':
        """The correction to the pose that is asked for.

        A tilt turns a single wrist joint, so that the tip has to be kept in a plane that no joint
        turns."""
        arm, plane = aim.arm, aim.arm.carrier.plane
        place, rotation = plane.into(aim.point), arm.from_zero(aim.rotation)
        count = len(place) if is_tilted else plane.count
        return cls(arm, AskedOfChain(place, rotation, count), is_free)

    def from_start(self, start: Sequence[float]) -> Iterator[Whole]:
        """Configurations inside the limits that correction reaches from angles of the chain [rad];
        several if the pose leaves a family."""
        arm, limits, unlimited = self.arm, [*self.arm.limits], [CONTINUOUS] * len(start)
        if self.elbow != CONTINUOUS:
            at = len(limits) - len(arm.wrist.limits) - 2
            limits[at] = unlimited[at] = self.elbow
        # Without limits first: a joint that only passes one on its way must not stay there.
        free = arm.chain.posed(start, unlimited, *self.asked)
        starts = iter(_turns_inside(free, limits))
        for inside in chain(starts, self._along_family(free)) if self.is_free else starts:
            if inside != free:
                yield arm.of_angles(arm.chain.posed(inside, limits, *self.asked))
            # A joint that hardly moves the tip, corrected alone, would be turned by rounding.
            yield arm.of_angles(inside)

    def _along_family(self, free: Sequence[float]) -> Iterator[list[float]]:
        """Angles inside the limits with one joint put on the limit that it has passed, and the
        others where that brings them [rad].

        Along a family, steps may lead past the limits of several joints, although the member with
        one of them on its limit has the others inside.
        """
        for index, (angle, limits) in enumerate(zip(free, self.arm.limits)):
            if nearest_in(angle, limits) != angle:
                only = [CONTINUOUS] * len(free)
                only[index] = limits
                moved = self.arm.chain.posed(free, only, *self.asked)
                yield [*map(nearest_in, moved, self.arm.limits)]


def next_to_seed(aim: Aim) -> Iterator[Whole]:
    """The solution next to where the arm is; if it has the pose already, where it is.

    If leaning axes leave a family, it is the member to which the joints move least."""
    arm, near = aim.arm, aim.near
    away, turned = arm.miss(near, aim.point, aim.rotation)
    if max(away, turned) <= CLOSES and arm.turned(near, near) == near:
        yield near  # correction would only add rounding, which may put joints past their limits
    elif max(away / arm.carrier.planar.max_reach, turned) <= NEXT_TO:
        for one in Correction.to(aim, is_free=True).from_start(arm.angles(near)):
            away, turned = arm.miss(one, aim.point, aim.rotation)
            if max(away, turned) <= CLOSES:
                yield arm.turned(one, near)
                break


def _turns_inside(free: Sequence[float], limits: Sequence[Limits]) -> list[list[float]]:
    """Angles put on the limits that they pass; if a turn of theirs passes less, that, too [rad].

    A range just short of a whole turn may have both limits next to an angle."""
    inside = [*map(nearest_in, free, limits)]
    turned = [
        angle if angle == there else brought_inside(angle, limit)
        for angle, there, limit in zip(free, inside, limits)
    ]
    return [inside] if inside == turned else [inside, turned]
