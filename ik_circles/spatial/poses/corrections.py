# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Joint positions corrected to a full pose on the axes as they are, inside the limits."""

from collections.abc import Iterator, Sequence
from itertools import chain

from ik_circles.geometry.angles import CONTINUOUS, Limits, nearest_in, wrap
from ik_circles.geometry.limits import ON_LIMIT, turns_near
from ik_circles.spatial.poses.aims import Aim
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.true_axes.bounds import CLOSES

#: A seed is next to a pose if its tip is no farther away, as a share of the reach, and turned by no
#: more than this [rad].
NEXT_TO = 0.1


def next_to_seed(aim: Aim) -> Iterator[Whole]:
    """The solution next to where the arm is: of a family of leaning axes, the member to which the
    joints move least."""
    arm, near = aim.arm, aim.near
    away, turned = arm.miss(near, aim.point, aim.rotation)
    if max(away / arm.carrier.planar.max_reach, turned) <= NEXT_TO:
        for one in corrected_from(aim, arm.angles(near), is_free=True):
            away, turned = arm.miss(one, aim.point, aim.rotation)
            if max(away, turned) <= CLOSES:
                yield arm.turned(one, near)
                break


def corrected_from(aim: Aim, start: Sequence[float], is_free: bool) -> Iterator[Whole]:
    """Configurations inside the limits to which corrections bring angles of the chain [rad]; those
    of a family if a joint is free."""
    arm = aim.arm
    place, rotation = arm.carrier.plane.into(aim.point), arm.from_zero(aim.rotation)
    count = arm.carrier.plane.count
    # Without limits first: a joint that only passes one on its way must not stay there.
    free = arm.chain.posed(start, [CONTINUOUS] * len(start), place, rotation, count)
    starts = iter(_turns_inside(free, arm.limits))
    for inside in chain(starts, _along_family(aim, free)) if is_free else starts:
        if max(abs(wrap(a - b)) for a, b in zip(free, inside)) > ON_LIMIT:
            inside = arm.chain.posed(inside, arm.limits, place, rotation, count)
        yield arm.of_angles(inside)


def _turns_inside(free: Sequence[float], limits: Sequence[Limits]) -> list[list[float]]:
    """Angles on the limits that they pass, and if that is another turn, turned inside them [rad].
    """
    inside, turned = [*map(nearest_in, free, limits)], turns_near(free, free, limits)
    return [inside] if inside == turned else [inside, turned]


def _along_family(aim: Aim, free: Sequence[float]) -> Iterator[list[float]]:
    """Angles inside the limits with one joint of those past their limits on its own, and the others
    where that brings them [rad].

    Along a family, steps may lead past the limits of several joints, though the member with one of
    these on its limit has the others inside.
    """
    arm = aim.arm
    place, rotation = arm.carrier.plane.into(aim.point), arm.from_zero(aim.rotation)
    for index, (angle, limits) in enumerate(zip(free, arm.limits)):
        if nearest_in(angle, limits) != angle:
            only = [CONTINUOUS] * len(free)
            only[index] = limits
            moved = arm.chain.posed(free, only, place, rotation, arm.carrier.plane.count)
            yield [*map(nearest_in, moved, arm.limits)]
