# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which joints would have to pass their limits if axes lean.

Parallel axes tell where to look. Corrected solutions tell how far joints pass their limits: those
of the arm without the limits of these joints.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, cast

from ik_circles.geometry.angles import stops, wrap
from ik_circles.geometry.limits import brought_inside, excess
from ik_circles.planar.model import JointPositions
from ik_circles.planar.ranges import NO_EXCESS
from ik_circles.reasons import PassedLimit
from ik_circles.spatial.points.ways import Question, WayToPoint
from ik_circles.spatial.true_axes.leaning import ArmAngles, Leaning
from ik_circles.spatial.true_axes.true_way import TrueWay


class LeastPassed(NamedTuple):
    """The joints that would pass their limits, the worst first, with the shoulder."""

    way: WayToPoint
    joints: list[PassedLimit]

    @property
    def rank(self) -> tuple[int, float]:
        """Their number, and how far the worst is past its limit [rad]: the least counts."""
        return len(self.joints), abs(self.joints[0].excess)


class LookNear(NamedTuple):
    """Where to look: without the limits of some `joints` of the chain, next to angles of parallel
    axes [rad]. There, the worst joint is past its limit by `worst` [rad]."""

    worst: float
    joints: tuple[int, ...]
    yaw: float
    q: JointPositions


def passed_on_true_axes(question: Question) -> LeastPassed | None:
    """As few joints as possible that would have to pass their limits, with the worst past its
    limit by the least. None if no solution is found."""
    leaning, best = cast('Leaning', question.arm.leaning), None
    room = 2.0 * leaning.bounds.room  # on both sides of a limit
    ways = cache(lambda joints: question.of(question.arm.lifted(joints)).ways())
    for look in sorted(set(_looks(question, leaning)), key=lambda one: (len(one.joints), one)):
        if best and (len(look.joints), look.worst - room) > best.rank:
            break
        found = (_passed(question, way, look) for way in ways(look.joints) if way.is_level)
        some = [one for of_way in found for one in of_way]
        best = min(filter(None, [best, *some]), key=lambda one: one.rank, default=None)
    return best


def _looks(question: Question, leaning: Leaning) -> Iterator[LookNear]:
    """All looks that may tell. If the lean may have moved a joint past its limit, there is a look
    with that joint, and one without it."""
    room, solver = leaning.bounds.room, question.arm.planar.solver
    (_, _, length_3), (_, _, q3) = leaning.planar.link_lengths, leaning.planar.home
    stopped = [joint for joint, its in enumerate(leaning.limits) if stops(its)]
    for way in question.ways():
        point, true = way.shoulder.point, cast('TrueWay', way.true)
        for phi in [way.phi] if way.phi is not None else true.at.turning():
            for q in solver.whatever_limits(*leaning.bounds.into_reach(point, phi), phi):
                if way.phi is None and length_3 <= leaning.planar.tolerance:
                    q = *q[:2], q3  # the last joint does not move the tip
                angles = leaning.angles(way.shoulder.yaw, q)
                past = [abs(excess(*one)) for one in zip(angles, leaning.limits)]
                joints = tuple(i for i in stopped if past[i] > room)
                near = tuple(i for i in stopped if past[i] > 0.0)
                some = {joints, near} if joints else {near, *((i,) for i in stopped)}
                yield from (LookNear(max(past), one, way.shoulder.yaw, q) for one in some if one)


def _passed(question: Question, way: WayToPoint, look: LookNear) -> Iterator[LeastPassed]:
    """How far the joints are past their limits in the solutions of a way without these."""
    arm, leaning = question.arm, cast('Leaning', question.arm.leaning)
    if abs(wrap(way.shoulder.yaw - look.yaw)) > leaning.bounds.room:
        return
    labels = [*([arm.yaw.label] if arm.yaw else []), *arm.labels]
    for yaw, q in _solutions(way, look.q):
        angles = leaning.angles(yaw, q)
        some = (PassedLimit(labels[i], excess(angles[i], leaning.limits[i])) for i in look.joints)
        past = [one for one in some if abs(one.excess) > NO_EXCESS]
        if past:
            yield LeastPassed(way, sorted(past, key=lambda one: -abs(one.excess)))


def _solutions(way: WayToPoint, near: JointPositions) -> Sequence[ArmAngles]:
    """The solutions of a way; if any orientation will do, those next to joint angles [rad]."""
    true = cast('TrueWay', way.true)
    if way.phi is not None:
        return true.solutions
    q1, q2, q3 = map(brought_inside, near, true.leaning.planar.limits)
    return true.next_to((q1, q2, q3), true.yaws)
