# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Configurations that reach the position of a full pose, if not its orientation: the candidates.

They are: each shoulder and flip of the wrist with its joints at what the orientation asks for, or
else on the limit before that; and the wrist as it is held, with the pitch asked for. If none of
these reaches it, they are those with an outstretched wrist.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, product, starmap
from typing import NamedTuple

from ik_circles.geometry.angles import Angles, wrap
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.limits import brought_inside
from ik_circles.geometry.rigid import Point3, Rows, angle_about, angle_between_rotations
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.arm import Configuration, SpatialArm
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question, Wanted, WayToPoint
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.least_angle import least_angle, least_angle_of_axis
from ik_circles.spatial.poses.way_solutions import WayToPose
from ik_circles.spatial.poses.whole import HeldWrist, Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.true_axes.hinges import HingeChain
from ik_circles.spatial.wrist import Sight
from ik_circles.spatial.yaw import Shoulder

#: A position out of reach by more than this share is so without rounding [1].
OUT_OF_REACH = 1.0 + 1e-6


class Candidate(NamedTuple):
    """A configuration with the tip at the point asked for, turned away from the orientation asked
    for by an angle [rad]."""

    whole: Whole
    away: float


def turned_from(pose: FullPose, one: Whole) -> float:
    """How far a configuration has the tip turned away from the orientation of a pose [rad]."""
    arm = pose.aim.arm
    return angle_between_rotations(arm.chain.rotation(arm.angles(one)), pose.from_zero)


class Trial:
    """A wrist to hold, and the candidates with it, which are found when they are asked for.

    All of them are turned away from the orientation asked for by at least `least` [rad].
    """

    def __init__(self, least: float, find: Callable[[], Iterable[Candidate]]) -> None:
        self.least, self._find = least, find
        self._found: list[Candidate] | None = None

    @property
    def found(self) -> list[Candidate]:
        """The candidates."""
        if self._found is None:
            self._found = [*self._find()]
        return self._found


class Candidates:
    """The candidates of a pose, with the wrist held at angles [rad] where it is not asked for."""

    def __init__(self, pose: FullPose, wrist: tuple[float, ...]) -> None:
        self.pose, self.arm, self.wrist = pose, pose.aim.arm, wrist

    @cached_property
    def nearest(self) -> Candidate | None:
        """The candidate with the least angle to the pose; None if none reaches the position."""
        return min(self.within(0.0), key=lambda one: one.away, default=None)

    def within(self, same: float) -> list[Candidate]:
        """The candidates whose angle is the least, or more by no more than this [rad]."""
        return _within(same, self._ways_and_held) or _within(same, self._stretched)

    @cached_property
    def _ways_and_held(self) -> list[Trial]:
        if self._is_too_far:
            return []
        trials = [*filter(None, map(self._of_way, self.pose.ways)), self._of_held()]
        return [one for one in trials if one.least < math.inf]

    @cached_property
    def _stretched(self) -> list[Trial]:
        if self._is_too_far:
            return []
        trials = [*starmap(self._of_outstretched, self.arm.outstretched)]
        trials += map(self._of_outstretched, self._with_tip_at_place())
        return [one for one in trials if one.least < math.inf]

    @cached_property
    def _place(self) -> Point3:
        """The position in the axes of the plane [m]."""
        return self.arm.carrier.plane.into(self.pose.aim.point)

    @cached_property
    def _is_too_far(self) -> bool:
        """Whether the position is too far from the first of the three joints, however the yaw joint
        and the wrist are turned."""
        carrier, away = self.arm.carrier, math.hypot(*self._place)
        if carrier.yaw is not None:
            away = carrier.yaw.distance_turned(carrier.yaw.place_of(*self._place), ORIGIN)
        reach = carrier.planar.max_reach + math.dist(self.pose.aim.point, self.pose.center)
        return away > OUT_OF_REACH * reach + carrier.plane.slack + self.pose.room

    def _of_way(self, way: WayToPose) -> Trial | None:
        """A shoulder and flip, the wrist's joints at what the orientation asks for, or on the limit
        before that."""
        arm = self.arm
        held = arm.holding([*map(brought_inside, way.posture.wrist, arm.wrist_limits)])
        some = [one for one in arm.shoulders_at(self._place, held) if one[1]]
        if arm.carrier.yaw is None and some[0][0].beside > self.pose.room + arm.slack_at(held.tip):
            return None
        if len(some) > 1:
            some.sort(key=lambda one: abs(wrap(one[0].yaw - way.shoulder.yaw)))
        if not some:
            return None
        least = self._least_angle([some[0][0]], held)
        return Trial(least, partial(self._at_shoulder, *some[0], held, way.posture.phi))

    def _of_held(self) -> Trial:
        """The wrist as it is held."""
        held = self.arm.holding(self.wrist)
        some = self.arm.shoulders_at(self._place, held)
        least = self._least_angle([one for one, yaws in some if yaws], held)
        return Trial(least, self._with_wrist_held)

    def _with_wrist_held(self) -> Iterator[Candidate]:
        return self._with_wrist_at(self.wrist, self.arm.held_at(self.wrist, opened=True))

    def _least_angle(
        self,
        taken: Sequence[Shoulder],
        held: HeldWrist,
        least: Callable[[WholeArm, Sight, Shoulder, HeldWrist], float] = least_angle,
    ) -> float:
        """How far the tip is turned away at least, with the wrist held and the plane at one of the
        shoulders' yaw angles [rad]; 0 where another yaw angle may be taken."""
        arm, sight = self.arm, self.pose.aim.sight
        if arm.is_leaning or not taken or taken[0].on_axis:
            return 0.0
        return min([least(arm, sight, one, held) for one in taken])

    def _at_shoulder(
        self, shoulder: Shoulder, yaws: list[float], held: HeldWrist, phi: float
    ) -> Iterator[Candidate]:
        """Configurations of one shoulder with the wrist held, with the orientation in the plane
        that is asked for [rad], or as near as they can."""
        if self.arm.is_leaning:
            yield from self._at_leaning_shoulder(shoulder, yaws, held, phi)
            return
        planar, margin = self.arm.planar_at(held), self.pose.margin
        if self.arm.floor is not None:
            planar = self.arm.arm_at(held.angles, opened=True).planar
        if not self._has_zones(planar):
            return
        zones = SafeZones.of(planar, margin) if margin else planar.safe_zones
        found = Reachability(planar.workspace, shoulder.point, phi + held.shift, zones)
        some = [*product(yaws, found.solutions)]
        if not some and found.position_reachable:
            some = [(yaws[0], q) for q in [found.nearest_joint_positions] if q is not None]
        yield from (self._candidate(held.shift, *one, held.angles) for one in some)

    def _at_leaning_shoulder(
        self, shoulder: Shoulder, yaws: list[float], held: HeldWrist, phi: float
    ) -> Iterator[Candidate]:
        """The same of axes that are parallel only to rounding."""
        arm = self.arm.arm_at(held.angles, opened=True)
        if not self._has_zones(arm.planar):
            return
        own = WayToPoint(self._question(arm, phi + held.shift), shoulder, yaws)
        solutions = own.solutions
        if not solutions and own.found.position_reachable:
            q = own.found.nearest_joint_positions
            if q is not None:
                found = own.true.next_to(q, own.yaws) if own.true else [(own.yaws[0], q)]
                solutions = [Configuration(*one) for one in found]
        yield from (self._candidate(held.shift, *one, held.angles) for one in solutions)

    def _with_wrist_at(self, wrist: tuple[float, ...], arm: SpatialArm) -> Iterator[Candidate]:
        """Configurations with the wrist held at angles, with the pitch asked for or one near it."""
        if not self._has_zones(arm.planar):
            return
        question = self._question(arm, rotation=self.pose.aim.rotation)
        found = SpatialReachability(question)
        some = found.configurations
        at_nearest = found.nearest_configuration if found.position_reachable else None
        if at_nearest is not None and not found.reachable:
            some = [at_nearest]
        shift = self._third_shift(arm)
        yield from (self._candidate(shift, *one, wrist) for one in some)

    def _has_zones(self, planar: PlanarArm) -> bool:
        """Whether the margin leaves safe zones of an arm with its wrist held."""
        return planar.max_reach - planar.min_reach >= 2.0 * self.pose.margin

    def _with_tip_at_place(self) -> Iterator[Angles]:
        """Outstretched wrists that have the tip as far off the plane as the position is."""
        offs, yaw = [self._place[2]], self.arm.carrier.yaw
        if yaw is not None:
            radius = yaw.place_of(*self._place).radius
            offs = [yaw.aside - radius, yaw.aside + radius]
        return chain.from_iterable(map(self.arm.stretch.with_tip_off, offs))

    def _of_outstretched(self, wrist: Angles, arm: SpatialArm | None = None) -> Trial:
        """An outstretched wrist, with its arm if that is known."""
        held, turns = self.arm.holding(wrist), self.arm.stretch.turns_on_tip
        some = self.arm.shoulders_at(self._place, held)
        taken = [one for one, yaws in some if yaws]
        least = self._least_angle(taken, held, least_angle_of_axis if turns else least_angle)
        return Trial(least, partial(self._with_wrist_outstretched, wrist, arm))

    def _with_wrist_outstretched(
        self, wrist: Angles, arm: SpatialArm | None
    ) -> Iterator[Candidate]:
        """Where the last joint does not move the tip, it turns it as near to the orientation as it
        can."""
        found = self._with_wrist_at(wrist, arm or self.arm.arm_at(wrist, opened=True))
        return map(self._last_turned, found) if self.arm.stretch.turns_on_tip else found

    def _last_turned(self, one: Candidate) -> Candidate:
        """A candidate with the last joint where it leaves the least angle, or on the limit before.
        """
        arm, (yaw, q, (first, _)) = self.arm, one.whole
        before, hinge = HingeChain(arm.chain.hinges[:-1], arm.chain.measured), arm.chain.hinges[-1]
        reached = before.rotation(arm.angles(one.whole)[:-1])
        change = angle_about(hinge.axis, reached, self.pose.from_zero)
        last = brought_inside(hinge.angle + change, arm.wrist_limits[1])
        whole = Whole(yaw, q, (first, last))
        return Candidate(whole, turned_from(self.pose, whole))

    def _candidate(
        self, shift: float, yaw: float, q: JointPositions, wrist: tuple[float, ...]
    ) -> Candidate:
        """A configuration of an arm with its wrist held, which shifts the third joint's angle."""
        q1, q2, q3 = q
        whole = Whole(yaw, (q1, q2, q3 - shift), wrist)
        return Candidate(whole, turned_from(self.pose, whole))

    def _third_shift(self, arm: SpatialArm) -> float:
        """`WholeArm.third_shift` of an arm with its wrist held [rad]."""
        return arm.tool.phi_at_zero - self.arm.carrier.tool.phi_at_zero

    @cached_property
    def held_arm(self) -> SpatialArm:
        """The arm with the wrist as it is held."""
        return self.arm.held_at(self.wrist)

    @cached_property
    def of_point(self) -> SpatialReachability:
        """The verdict on the position, with the wrist as it is held."""
        return SpatialReachability(self._question(self.held_arm))

    def _question(
        self, arm: SpatialArm, phi: float | None = None, rotation: Rows | None = None
    ) -> Question:
        margin, room = self.pose.margin, self.pose.room
        zones = SafeZones.of(arm.planar, margin) if margin else None
        return Question(arm, Wanted(self.pose.aim.point, phi, rotation, zones, room, math.inf))

    def to_held(self, one: Whole) -> Configuration:
        """A configuration as `held_arm` counts it, whatever its wrist."""
        q1, q2, q3 = one.q
        return Configuration(one.yaw, (q1, q2, q3 + self._third_shift(self.held_arm)))

    def from_held(self, one: Configuration) -> Whole:
        """A configuration of `held_arm`."""
        q1, q2, q3 = one.q
        return Whole(one.yaw, (q1, q2, q3 - self._third_shift(self.held_arm)), self.wrist)


def _within(same: float, trials: Sequence[Trial]) -> list[Candidate]:
    """Candidates whose angle is the least, or more by no more than this [rad].

    Wrists that leave a larger angle, whatever the other joints do, are not solved.
    """
    found: list[Candidate] = []
    most = math.inf
    for one in sorted(trials, key=lambda one: one.least):
        if one.least > most:
            break
        found += one.found
        most = min([most, *(each.away + same for each in one.found)])
    return [one for one in found if one.away <= most]
