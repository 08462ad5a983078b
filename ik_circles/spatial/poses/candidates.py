# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Candidates: configurations that reach the position of a full pose, but not its orientation.

They have the wrist as the orientation asks for, or on the limit before that, for each shoulder and
flip; or the wrist as it is held. Each of these wrists is tried at each shoulder. If none of them
reaches the position, the candidates are those with an outstretched wrist.

So an arm that has moved to one of them, and is asked again, stays: it would choose among fewer.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from ik_circles.geometry.angles import Angles
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.limits import brought_inside
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.points.deciding import is_on_edge
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.held_candidates import Candidate, HeldCandidates
from ik_circles.spatial.poses.least_angle import least_angle, least_angle_of_axis
from ik_circles.spatial.poses.whole import HeldWrist, KeptWrist, Whole
from ik_circles.spatial.yaw import Place, ShoulderAtYaws, Yaw

#: A position beyond reach by more than this factor is out of reach whatever the rounding [1].
OUT_OF_REACH = 1.0 + 1e-6
_LEAST = attrgetter('least')


class Trial:
    """A wrist to hold, and the candidates with it, which are found when they are asked for.

    All of them are turned away from the orientation asked for by at least `least` [rad].
    """

    def __init__(self, least: float, find: Callable[[], list[Candidate]]) -> None:
        self.least, self._find = least, find

    @cached_property
    def found(self) -> list[Candidate]:
        """The candidates."""
        return self._find()


class Candidates:
    """The candidates of a pose; `wrist` is where a wrist is held that the pose does not set [rad].
    """

    def __init__(self, pose: FullPose, wrist: tuple[float, ...]) -> None:
        self.pose, self.arm, self.wrist = pose, pose.aim.arm, wrist
        self.kept = self.arm.held_at(wrist)
        self._with_held = HeldCandidates(pose)
        carrier = self.arm.carrier
        #: The position in the axes of the carrier's plane [m], and where a yaw axis sees it.
        self._position = carrier.plane.into(pose.aim.point)
        self._seen: tuple[Yaw, Place] | None = None
        if carrier.yaw is not None:
            self._seen = carrier.yaw, carrier.yaw.place_of(*self._position)

    @cached_property
    def nearest(self) -> Candidate | None:
        """The candidate with the least angle to the pose; None if none reaches the position."""
        return next(iter(self.within(0.0)), None)

    def within(self, same: float) -> list[Candidate]:
        """The candidates whose angle is the least, or larger by at most this [rad]."""
        return _within(same, self.trials) or _within(same, self.other_trials)

    @cached_property
    def trials(self) -> list[Trial]:
        """A trial for each shoulder of each wrist that the orientation asks for, or is held."""
        if self._is_too_far:
            return []
        limits = self.arm.wrist_limits
        asked = (map(brought_inside, way.posture.wrist, limits) for way in self.pose.ways)
        wrists = (*map(self.arm.kept_with, map(tuple, asked)), self.kept)
        trials = chain.from_iterable(map(self._of_wrist, wrists))
        return [one for one in trials if math.isfinite(one.least)]

    @cached_property
    def other_trials(self) -> list[Trial]:
        """The trials with outstretched wrists."""
        if self._is_too_far:
            return []
        turns, some = self.arm.stretch.turns_on_tip, [*self.arm.outstretched]
        some += (self.arm.kept_with(wrist) for wrist in self._with_tip_at_place())
        trials = chain.from_iterable(self._of_wrist(kept, turns) for kept in some)
        return [one for one in trials if math.isfinite(one.least)]

    @cached_property
    def _is_too_far(self) -> bool:
        """Whether the position is too far from the first of the three joints, however the yaw joint
        and the wrist are turned."""
        carrier = self.arm.carrier
        if self._seen is None:
            away = math.hypot(*self._position[:2])
        else:
            yaw, place = self._seen
            away = yaw.distance_turned(place, ORIGIN)
        reach = carrier.planar.max_reach + math.dist(self.pose.aim.point, self.pose.center)
        return away > OUT_OF_REACH * reach + carrier.plane.slack

    def _shoulders(self, held: HeldWrist) -> list[ShoulderAtYaws]:
        return self.arm.shoulders_at(self._position, held, self._seen and self._seen[1])

    def _taken(self, some: list[ShoulderAtYaws], held: HeldWrist) -> list[ShoulderAtYaws]:
        """The shoulders inside the yaw limits; none if the tip is beside a plane that no joint
        turns."""
        if self._seen is None and some[0][0].beside > self.pose.aim.room + self.arm.slack_at(held):
            return []
        return [one for one in some if one[1]]

    def _of_wrist(self, kept: KeptWrist, turns_last: bool = False) -> list[Trial]:
        """The trials of a wrist at angles, one for each shoulder; see `HeldCandidates.at_shoulder`
        for `turns_last`.

        In the plane, the pitch is as asked for with one wrist joint. With two, it leaves the least
        angle.
        """
        with_held, held, some = self._with_held, kept.held, self._shoulders(kept.held)
        taken = self._taken(some, held)
        another_yaw = taken[0][0].on_axis if taken else self._is_on_edge(held)
        if another_yaw:
            return [Trial(0.0, partial(with_held.at_shoulders, some, kept, None, turns_last))]
        bound, trials = least_angle_of_axis if turns_last else least_angle, []
        wrist, sight = self.arm.wrist, self.pose.aim.sight
        for at in taken:
            least, phi = bound(self.arm, sight, at[0], held)
            if not wrist.has_two:
                phi = wrist.postures(sight, at[0].yaw)[0].phi
            find = partial(self._at_shoulder, at, kept, phi, turns_last)
            trials.append(Trial(0.0 if self.arm.is_leaning else least, find))
        return trials

    def _at_shoulder(
        self, at: ShoulderAtYaws, kept: KeptWrist, phi: float, turns_last: bool
    ) -> list[Candidate]:
        """The candidates of a wrist at one shoulder.

        If a limit stops the last joint that turns the tip, the wrist counts as held there.
        """
        found = self._with_held.at_shoulder(at, kept, phi, turns_last)
        if not turns_last:
            return found
        stops, sight = self.arm.wrist_limits[1], self.pose.aim.sight
        some = [one for one in found if one.whole.wrist[1] not in stops]
        for wrist in {one.whole.wrist for one in found if one.whole.wrist[1] in stops}:
            there = self.arm.kept_with(wrist)
            phi = least_angle(self.arm, sight, at[0], there.held).phi
            some += self._with_held.at_shoulder(at, there, phi)
        return some

    def _is_on_edge(self, held: HeldWrist) -> bool:
        """Whether the position is at the edge of what turning can meet with the wrist held."""
        seen, reach = self._seen, self.arm.carrier.planar.max_reach + held.length
        return seen is not None and is_on_edge(seen[0].through(held.off), seen[1], reach)

    def _with_tip_at_place(self) -> Iterator[Angles]:
        """Outstretched wrists that have the tip as far off the plane as the position is."""
        if self._seen is None:
            offs = [self._position[2]]
        else:
            yaw, place = self._seen
            offs = [yaw.aside - place.radius, yaw.aside + place.radius]
        return chain.from_iterable(map(self.arm.stretch.with_tip_off, offs))

    @cached_property
    def of_point(self) -> SpatialReachability:
        """The verdict on the position, with the wrist as it is held."""
        return SpatialReachability(self._with_held.question(self.kept.arm))

    def to_held(self, one: Whole) -> Configuration:
        """A configuration of the whole arm, in the angles of the arm with the wrist held."""
        q1, q2, q3 = one.q
        return Configuration(one.yaw, (q1, q2, q3 + self.kept.held.shift))

    def from_held(self, one: Configuration) -> Whole:
        """A configuration of the arm with the wrist held, in the angles of the whole arm."""
        q1, q2, q3 = one.q
        return Whole(one.yaw, (q1, q2, q3 - self.kept.held.shift), self.wrist)


def _within(same: float, trials: Sequence[Trial]) -> list[Candidate]:
    """Candidates whose angle is the least, or larger by at most this [rad].

    Trials that leave a larger angle, whatever the other joints do, are not solved.
    """
    found: list[Candidate] = []
    most = math.inf
    for trial in sorted(trials, key=_LEAST):
        if trial.least > most:
            break
        found += trial.found
        most = min([most, *(one.away + same for one in trial.found)])
    return [one for one in found if one.away <= most]
