# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Configurations that reach the position of a full pose, if not its orientation: the candidates.

They are: each shoulder and flip of the wrist with its joints at what the orientation asks for, or
else on the limit before that; and the wrist as it is held, with the pitch asked for. If none of
these reaches it, they are those with an outstretched wrist.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.limits import brought_inside
from ik_circles.geometry.rigid import Rows, angle_between_rotations
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.arm import Configuration, SpatialArm
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question, Wanted
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.way_solutions import Way
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.true_axes.hinges import Chain

#: A position out of reach by more than this share is so without rounding [1].
FAR = 1.0 + 1e-6


class Candidate(NamedTuple):
    """A configuration with the tip at the point asked for, turned away from the orientation asked
    for by an angle [rad]."""

    whole: Whole
    turned: float


def turned_from(pose: FullPose, one: Whole) -> float:
    """How far a configuration has the tip turned away from the orientation of a pose [rad]."""
    arm = pose.aim.arm
    return angle_between_rotations(arm.chain.turn(arm.angles(one)), pose.turn)


class Candidates:
    """The candidates of a pose, with the wrist held at angles [rad] where it is not asked for."""

    def __init__(self, pose: FullPose, wrist: tuple[float, ...]) -> None:
        self.pose, self.arm, self.wrist = pose, pose.aim.arm, wrist

    @cached_property
    def all(self) -> list[Candidate]:
        """Configurations that reach the position, not all with the orientation."""
        if self._is_too_far:
            return []
        found = [one for way in self.pose.ways for one in self._candidates_of(way)]
        held = self.arm.held_at(self.wrist, opened=True)
        found = [*found, *self._with_wrist_at(self.wrist, held)]
        return found or [*self._outstretched()]

    @property
    def _is_too_far(self) -> bool:
        """Whether the position is too far from the first of the three joints, however the yaw joint
        and the wrist are turned."""
        hand, point = self.arm.hand, self.pose.aim.point
        away, yaw = math.dist(point, hand.plane.in_space(0.0, 0.0, 0.0)), hand.yaw
        if yaw is not None:
            place = yaw.place_of(*hand.plane.into(point))
            away = yaw.distance_turned(place, (0.0, 0.0))
        reach = hand.planar.max_reach + math.dist(point, self.pose.center)
        return away > FAR * reach + hand.plane.slack + self.pose.room

    def _brought_inside(self, way: Way) -> tuple[float, ...]:
        """The wrist's angles at what an orientation asks for, or on the limit before that [rad]."""
        return tuple(map(brought_inside, way.posture.wrist, self.arm.wrist_limits))

    def _candidates_of(self, way: Way) -> Iterator[Candidate]:
        """Configurations of one shoulder and flip, at the orientation in the plane that is asked
        for, or as near as they can."""
        wrist = self._brought_inside(way)
        arm = self.arm.arm_at(wrist, opened=True)
        phi = way.posture.phi + self._later(arm)
        if arm.planar.max_reach - arm.planar.min_reach < 2.0 * self.pose.margin:
            return  # the margin leaves no safe zones
        own = self._question(arm, phi=phi).way_near(way.shoulder.yaw)
        if own is None:
            return
        solutions = own.solutions
        if not solutions and own.found.position_reachable:
            q = own.found.nearest_joint_positions
            if q is not None and own.true is None:
                solutions = [Configuration(own.yaws[0], q)]
            elif q is not None and own.true is not None:
                solutions = [Configuration(*one) for one in own.true.next_to(q, own.yaws)]
        yield from map(self._candidate, repeat(arm), solutions, repeat(wrist))

    def _with_wrist_at(self, wrist: tuple[float, ...], arm: SpatialArm) -> Iterator[Candidate]:
        """Configurations with the wrist somewhere, at the pitch asked for or as near as they can.
        """
        question = self._question(arm, rotation=self.pose.aim.rotation)
        found = SpatialReachability(question)
        some = found.configurations
        at_nearest = found.nearest_configuration if found.position_reachable else None
        if at_nearest is not None and not found.reachable:
            some = [at_nearest]
        yield from map(self._candidate, repeat(arm), some, repeat(wrist))

    def _outstretched(self) -> Iterator[Candidate]:
        """Configurations with an outstretched wrist; where the last joint does not move the tip, it
        turns it as near to the orientation as it can."""
        arm, hand = self.arm, self.arm.hand
        place = hand.plane.into(self.pose.aim.point)
        away, offs = math.hypot(*place[:2]), [place[2]]
        if hand.yaw is not None:
            seen = hand.yaw.place_of(*place)
            away = hand.yaw.distance_turned(seen, ORIGIN)
            offs = [hand.yaw.aside - seen.radius, hand.yaw.aside + seen.radius]
        if away > arm.most_reach:
            return
        at_place = chain.from_iterable(map(arm.stretch.with_tip_off, offs))
        turns = arm.stretch.turns_on_tip
        with_arms = ((wrist, arm.arm_at(wrist, opened=True)) for wrist in at_place)
        for wrist, held in chain(arm.outstretched, with_arms):
            for one in self._with_wrist_at(wrist, held):
                yield self._last_turned(one) if turns else one

    def _last_turned(self, one: Candidate) -> Candidate:
        """A candidate with the last joint where it leaves the least turn, or on the limit before.
        """
        arm, (yaw, q, (first, _)) = self.arm, one.whole
        before, hinge = Chain(arm.chain.hinges[:-1], arm.chain.measured), arm.chain.hinges[-1]
        left = before.turn(arm.angles(one.whole)[:-1]).T @ self.pose.turn
        axis = np.array(hinge.axis)
        sine = axis @ (left[2, 1] - left[1, 2], left[0, 2] - left[2, 0], left[1, 0] - left[0, 1])
        turn = math.atan2(sine, np.trace(left) - axis @ left @ axis)
        last = brought_inside(hinge.angle + turn, arm.wrist_limits[1])
        whole = Whole(yaw, q, (first, last))
        return Candidate(whole, turned_from(self.pose, whole))

    def _candidate(
        self, arm: SpatialArm, one: Configuration, wrist: tuple[float, ...]
    ) -> Candidate:
        """A configuration of an arm with its wrist held, each joint at the turn nearest to 0."""
        q1, q2, q3 = one.q
        whole = Whole(one.yaw, (q1, q2, q3 - self._later(arm)), wrist)
        return Candidate(self.arm.turned(whole, self.arm.home), turned_from(self.pose, whole))

    def _later(self, arm: SpatialArm) -> float:
        """`WholeArm.later` of an arm with its wrist held [rad]."""
        return arm.tool.phi_at_zero - self.arm.hand.tool.phi_at_zero

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
        zones, room = SafeZones.of(arm.planar, self.pose.margin), self.pose.room
        return Question(arm, Wanted(self.pose.aim.point, phi, rotation, zones, room, math.inf))

    def as_held(self, one: Configuration) -> Whole:
        """A configuration of `held_arm`."""
        q1, q2, q3 = one.q
        return Whole(one.yaw, (q1, q2, q3 - self._later(self.held_arm)), self.wrist)
