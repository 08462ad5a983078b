# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Candidates: configurations that reach the position of a full pose, but not its orientation.

They have the wrist as the orientation asks for, or on the limit before that, for each shoulder and
flip; or the wrist as it is held; or a single wrist joint that has the position in the plane of the
yaw joint on a limit. Each of these wrists is tried at each shoulder. If none of them reaches the
position, the candidates are those with an outstretched wrist.

So an arm that has moved to one of them, and is asked again, stays: it would choose among fewer.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from ik_circles.geometry.angles import Angles, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import ORIGIN
from ik_circles.geometry.limits import brought_inside
from ik_circles.spatial.arm import Configuration
from ik_circles.spatial.points.deciding import EDGE, is_on_edge
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.held_candidates import Candidate, HeldCandidates
from ik_circles.spatial.poses.least_angle import least_angle, least_at_yaw
from ik_circles.spatial.poses.whole import HeldWrist, KeptWrist, Whole
from ik_circles.spatial.shoulder import Place, ShoulderAtYaws
from ik_circles.spatial.yaw import Yaw

#: A position beyond reach by more than this factor is out of reach whatever the rounding [1].
OUT_OF_REACH = 1.0 + 1e-6
#: A yaw limit is tried if the orientation asks for a yaw angle this near to it [rad]: farther away,
#: a plane there leaves about that angle or more.
NEAR_LIMIT = 0.2
#: An outstretched wrist has the plane of leaning axes pass this many slacks nearer to the yaw axis
#: than the position is, so that it surely meets the position [1].
SURELY_MET = 2.0
_LEAST, _AWAY = attrgetter('least'), attrgetter('away')


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
        # No wrist has the edge of what turning can meet wider than this [m].
        self._edge = 2.0 * EDGE * (carrier.planar.max_reach + self.arm.wrist.length)

    @cached_property
    def nearest(self) -> Candidate | None:
        """The candidate with the least angle to the pose; None if none reaches the position."""
        some = _within(0.0, self.trials)
        if not some and (some := self._others_within(0.0)):
            some = [*some, *self._with_wrist(some[0].whole.wrist, 0.0)]
        return min(some, key=_AWAY, default=None)

    def within(self, same: float) -> list[Candidate]:
        """The candidates whose angle is the least, or larger by at most this [rad]."""
        return _within(same, self.trials) or self._others_within(same)

    def _others_within(self, same: float) -> list[Candidate]:
        """The same if no wrist reaches that the orientation asks for, or is held."""
        return _within(same, self.other_trials) or self._with_wrist_held

    def once_outstretched(self, wrist: Angles, same: float) -> list[Candidate]:
        """`within` once an arm has taken an outstretched wrist [rad]; [] if there is no need to.

        Its last joint was turned for one pitch. With that joint held, another pitch may suit more:
        if a limit stops the joint, or where leaning axes bring shoulders together.
        """
        return [] if _within(same, self.trials) else self._with_wrist(wrist, same)

    def _with_wrist(self, wrist: Angles, same: float) -> list[Candidate]:
        """`once_outstretched`, for a pose with an outstretched wrist."""
        if not self.arm.is_leaning and wrist[-1] not in self.arm.wrist_limits[-1]:
            return []
        return _within(same, self._trials([self.arm.kept_with(wrist)]))

    @cached_property
    def trials(self) -> list[Trial]:
        """A trial for each shoulder of each wrist that the orientation asks for, or is held."""
        if self.is_too_far:
            return []
        limits = self.arm.wrist_limits
        asked = (map(brought_inside, way.posture.wrist, limits) for way in self.pose.ways)
        some = self._trials(chain(map(self.arm.kept_with, map(tuple, asked)), [self.kept]))
        return [*self._with_yaw_on_limit(), *some]

    @cached_property
    def other_trials(self) -> list[Trial]:
        """The trials with outstretched wrists."""
        if self.is_too_far:
            return []
        at_place = map(self.arm.kept_with, self._with_tip_at_place())
        return self._trials(chain(self.arm.outstretched, at_place), self.arm.stretch.turns_on_tip)

    @cached_property
    def is_too_far(self) -> bool:
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

    def _trials(self, wrists: Iterable[KeptWrist], turns_last: bool = False) -> list[Trial]:
        """The trials of wrists, one for each shoulder that reaches the position; see
        `HeldCandidates.at_shoulder` for `turns_last`."""
        arm, sight = self.arm, self.pose.aim.sight
        trials: list[Trial] = []
        for kept in wrists:
            held, taken = kept.held, self._taken(kept.held)
            if taken is None:
                trials.append(Trial(0.0, partial(self._at_any_yaw, kept, turns_last)))
                continue
            for at in taken:
                least = least_angle(arm, sight, at[0], held, turns_last)
                if least < math.inf:
                    trials.append(Trial(least, partial(self._at_shoulder, at, kept, turns_last)))
        return trials

    def _taken(self, held: HeldWrist) -> list[ShoulderAtYaws] | None:
        """The shoulders inside the yaw limits; none if the tip is beside a plane that no joint
        turns, and None if other yaw angles may leave a smaller angle."""
        if self._seen is not None and not self.arm.is_leaning:
            yaw, place = self._seen
            clear = yaw.clear_shoulders(place, held.off, self._edge)
            if clear is not None:
                return clear
        some = self._shoulders(held)
        if self._seen is None and some[0][0].beside > self.pose.aim.room + self.arm.slack_at(held):
            return []
        taken = [one for one in some if one[1]]
        another_yaw = taken[0][0].on_axis if taken else self._is_on_edge(held)
        return None if another_yaw else taken

    def _shoulders(self, held: HeldWrist) -> list[ShoulderAtYaws]:
        return self.arm.shoulders_at(self._position, held, self._seen and self._seen[1])

    def _is_on_edge(self, held: HeldWrist) -> bool:
        """Whether the position is at the edge of what turning can meet with the wrist held."""
        if self._seen is None:
            return False
        yaw, place = self._seen
        reach = self.arm.carrier.planar.max_reach + held.length
        return is_on_edge(yaw.through(held.off), place, reach)

    def _at_any_yaw(self, kept: KeptWrist, turns_last: bool) -> list[Candidate]:
        """The candidates of a wrist at all shoulders, with the yaw angle that suits best."""
        some = self._shoulders(kept.held)
        return self._with_held.at_shoulders(some, kept, None, turns_last)

    def _at_shoulder(
        self, at: ShoulderAtYaws, kept: KeptWrist, turns_last: bool
    ) -> list[Candidate]:
        """The candidates of a wrist at a shoulder."""
        phi = self._pitch(at[0].yaw, kept.held, turns_last)
        return self._with_held.at_shoulder(at, kept, phi, turns_last)

    def _pitch(self, yaw: float, held: HeldWrist, turns_last: bool = False) -> float:
        """The orientation in the plane with a wrist held [rad]: with one wrist joint as asked for;
        with two, the one that leaves the least angle."""
        wrist, sight = self.arm.wrist, self.pose.aim.sight
        if wrist.has_two:
            trace = wrist.trace_of_axis if turns_last else wrist.trace
            along, across, _ = trace(sight, yaw, held.angles)
            chi = math.atan2(across, along)
        else:
            chi, *_ = wrist.asked(sight, math.cos(yaw), math.sin(yaw))
        return chi + wrist.phi_at_zero

    def _with_yaw_on_limit(self) -> Iterator[Trial]:
        """The trials with a single wrist joint that has the position in the plane of the yaw joint
        on a limit. Each is for both shoulders, the one on the limit and the other one."""
        if self._seen is None or self.arm.wrist.has_two:
            return
        (yaw, place), sight = self._seen, self.pose.aim.sight
        lowest, highest = self.arm.stretch.heights
        for end in yaw.ends():
            off = yaw.aside - place.radius * math.sin(place.azimuth - end)
            if lowest <= off <= highest and self._asks_for_yaw(end):
                yaws = end, 2.0 * place.azimuth - math.pi - end
                for wrist in self.arm.stretch.with_tip_off(off):
                    bounds = (least_at_yaw(self.arm, sight, one, wrist) for one in yaws)
                    yield Trial(min(bounds), partial(self._of_wrist, wrist))

    def _asks_for_yaw(self, yaw: float) -> bool:
        """Whether the orientation asks for about a yaw angle [rad]."""
        return any(abs(wrap(way.shoulder.yaw - yaw)) <= NEAR_LIMIT for way in self.pose.ways)

    def _of_wrist(self, wrist: Angles) -> list[Candidate]:
        """The candidates of a wrist."""
        trials = self._trials([self.arm.kept_with(wrist)])
        return [one for trial in trials for one in trial.found]

    def _with_tip_at_place(self) -> Iterator[Angles]:
        """Outstretched wrists that have the tip as far off the plane as the position is."""
        if self._seen is None:
            offs = [self._position[2]]
        else:
            yaw, place = self._seen
            radius = max(0.0, place.radius - SURELY_MET * self.arm.slack_at(self.kept.held))
            offs = [yaw.aside - radius, yaw.aside + radius]
        return chain.from_iterable(map(self.arm.stretch.with_tip_off, offs))

    @cached_property
    def of_point(self) -> SpatialReachability:
        """The verdict on the position, with the wrist as it is held."""
        return SpatialReachability(self._with_held.question(self.kept.arm))

    @cached_property
    def _with_wrist_held(self) -> list[Candidate]:
        """The point with the wrist as it is held, if only the lean of axes hides it from trials."""
        if not (self.arm.is_leaning and self.of_point.reachable):
            return []
        oriented = self._with_held.question(self.kept.arm, rotation=self.pose.aim.rotation)
        found = (SpatialReachability(oriented), self.of_point)
        some = (one.nearest_configuration for one in found if one.position_reachable)
        wholes = [self.from_held(one) for one in some if one is not None][:1]
        return self._with_held.of_wholes(wholes, self.kept.held)

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
        for one in trial.found:
            most = min(most, one.away + same)
        found += trial.found
    return [one for one in found if one.away <= most]
