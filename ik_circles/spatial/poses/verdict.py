# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a full pose of an arm with a wrist, its reason, and the nearest pose."""

import math
from collections.abc import Sequence

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.intervals import Interval, united
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.selection import SAME_ANGLE_AWAY, Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.reasons import Code, Reason, below_floor, degrees_text, with_nearest
from ik_circles.spatial.arm import SpatialPose
from ik_circles.spatial.points.nearest import margin
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import SAME_TILT, Question, Wanted
from ik_circles.spatial.poses.candidates import Candidates
from ik_circles.spatial.poses.choice import chosen, chosen_candidate
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.held_candidates import turned_from
from ik_circles.spatial.poses.lifted import lifted
from ik_circles.spatial.poses.sentences import Why, why_not
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_floor import lowest_part

#: The message about a pose that leaves a joint free.
JOINT_IS_FREE = (
    'a joint is free: each way has endless solutions, and gives the one nearest to the seed'
)


class FullReachability:
    """Verdict on a full pose; at first, only whether it is reachable is computed, the rest when it
    is asked for.

    Attributes
    ----------
    reachable : bool
        Whether the arm can take the pose: the code is OK.
    """

    #: Whether no joint can give the orientation. That is not said of an arm with a wrist, which can
    #: give an orientation nearby.
    is_tilted = False

    def __init__(self, pose: FullPose, held: Sequence[float]) -> None:
        self._pose, self._arm, self._held = pose, pose.aim.arm, held
        self._angles = pose.angles  # of the chain in all solutions [rad]
        self.reachable = bool(self._angles)

    @property
    def code(self) -> Code:
        """The verdict: OK, or the reason why the arm cannot take the pose.

        It is FLOOR if only the floor keeps the arm from the pose, or from its position.
        """
        return Code.OK if self.reachable else self._code_of_no

    @cached_property
    def _candidates(self) -> Candidates:
        return Candidates(self._pose, tuple(self._held))

    @cached_property
    def _code_of_no(self) -> Code:
        code = Code.ORIENTATION
        if self._candidates.nearest is None:
            code = Code.JOINT_LIMIT if self._only_limits else self._candidates.of_point.code
        if self._arm.floor is not None:
            free = self._without_floor
            if free.reachable or (free.position_reachable and code is not Code.ORIENTATION):
                return Code.FLOOR
        return code

    @cached_property
    def _without_floor(self) -> 'FullReachability':
        return FullReachability(self._pose.without_floor, self._candidates.wrist)

    @property
    def position_reachable(self) -> bool:
        """Whether the arm can take the position, with whatever orientation."""
        return self.reachable or self._candidates.nearest is not None

    def __repr__(self) -> str:
        return f'{type(self).__name__}({self.code.name}: {self.message}; nearest {self.nearest})'

    # --- solutions ---

    def choose(self, seed: Whole | None, policy: Policy) -> Sequence[float] | None:
        """The one configuration that the policy chooses.

        If the arm cannot take the orientation, and the policy lets it give way, the configuration
        has the least angle to it. With a seed, the angle may be larger by up to SAME_ANGLE_AWAY,
        rather than that joints turn round.

        Parameters
        ----------
        seed : Whole or None
            The configuration to stay near to.
        policy : Policy
            The branch, and what may give way.

        Returns
        -------
        sequence of float, or None
            Angles of the chain [rad]; None if there is none.
        """
        arm, pose = self._arm, self._pose
        near = pose.aim.near if seed is None else seed
        if self.reachable:
            found = self._angles if seed is None else pose.angles_near(seed)
            if not found:  # it is hidden by rounding, seen from there
                found = [arm.angles(arm.turned(arm.of_angles(one), near)) for one in self._angles]
            return chosen(arm, found, near, policy)
        if policy.is_fixed:
            return None
        same = SAME_TILT if seed is None else SAME_ANGLE_AWAY
        one = chosen_candidate(arm, self._candidates.within(same), near, policy)
        if one is None:
            return None
        again = self._candidates.once_outstretched(arm.of_angles(one).wrist, same)
        return chosen_candidate(arm, again, near, policy) or one

    def choose_nearest(self, seed: Whole | None, policy: Policy) -> Sequence[float] | None:
        """The one configuration at `nearest` that the policy chooses, so that an arm slides.

        Parameters
        ----------
        seed : Whole or None
            The configuration to stay near to.
        policy : Policy
            The branch, and what may give way.

        Returns
        -------
        sequence of float, or None
            Angles of the chain [rad]; None if there is no `nearest`.
        """
        near = self._arm.home if seed is None else seed
        if self.position_reachable:
            return self.choose(near, policy)
        start = self._candidates.to_held(near)
        found = self._candidates.of_point.choose_nearest(start, policy, False)
        return None if found is None else self._arm.angles(self._candidates.from_held(found))

    def turned_from(self, one: Whole) -> float:
        """How far the tip is turned away from the orientation asked for.

        Parameters
        ----------
        one : Whole
            Angles of all joints [rad].

        Returns
        -------
        float
            The angle between the orientations [rad].
        """
        return turned_from(self._pose, one)

    # --- the nearest pose ---

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take.

        It is the pose itself if the arm takes it. Otherwise it is the same position with the least
        turn among these: the wrists that the orientation asks for, by each shoulder and flip, with
        joints on the limit before that; the wrist as it is held; and a single wrist joint as the
        yaw joint on a limit needs it; each at each shoulder. If none of them reaches the position,
        the wrists that get farthest are tried in the same way. If none of these reaches it, either,
        it is the nearest point with the wrist as it is held. None if there is no such point.
        """
        if self._nearest is None:
            return None
        whole, place, shift = self._nearest
        if shift is None:
            shift = self._arm.holding(whole.wrist).shift
        return SpatialPose(*place, wrap(sum(whole.q) + shift), whole.yaw, whole.wrist)

    @property
    def nearest_whole(self) -> Whole | None:
        """The configuration at `nearest`, each joint at the turn nearest to 0."""
        return self._nearest and self._nearest[0]

    @cached_property
    def _nearest(self) -> tuple[Whole, Point3, float | None] | None:
        """The configuration, its place [m], and the shift of its `HeldWrist` if known [rad]."""
        arm, point = self._arm, self._pose.aim.point
        if self.reachable:
            return arm.turned(arm.of_angles(self._angles[0]), arm.home), point, None
        some = self._candidates
        if some.nearest is not None:
            return arm.turned(some.nearest.whole, arm.home), point, some.nearest.shift
        found, there = some.of_point.nearest_configuration, some.of_point.nearest
        if found is None or there is None:
            return None
        return arm.turned(some.from_held(found), arm.home), there[:3], some.kept.held.shift

    @property
    def margin(self) -> float:
        """How far inside of its own workspace the wrist center is [m].

        It has a sign. Only the three joints and the yaw joint count, and no safe zone margin. If
        the position cannot be reached, it is minus the distance to `nearest`; NaN if there is no
        reachable point. Above a floor the tip counts, too.
        """
        if not self.position_reachable:
            return self._candidates.of_point.margin
        found, floor = self._margin_of_center, self._arm.floor
        return found if floor is None else max(0.0, min(found, self._pose.aim.point[2] - floor))

    @property
    def _margin_of_center(self) -> float:
        """The margin of a wrist center that is reached [m]."""
        pose, carrier = self._pose, self._arm.carrier
        if not (self.reachable and pose.is_exact):
            room = math.inf if self.reachable else pose.aim.room  # a tilt may move it off the plane
            wanted = Wanted(pose.center, self._phi_solved, out_of_plane_tolerance=room)
            return SpatialReachability(Question(carrier, wanted, pose.in_plane)).margin
        yaw, workspace, zones = carrier.yaw, carrier.planar.workspace, carrier.planar.safe_zones
        x, y, off = carrier.plane.into(pose.center)
        if yaw is None:
            return workspace.margin((x, y), zones)
        place = yaw.place_of(x, y, off)
        some = [shoulder for shoulder, yaws in yaw.shoulders(place) if yaws]
        if len(some) > 1:  # if there is only one, it is that of the solutions
            phi = self._phi_solved
            found = (Reachability(workspace, one.point, phi, zones) for one in some)
            some = [one for one, its in zip(some, found) if its.position_reachable]
        margins = (margin(yaw, place, one, workspace.margin(one.point, zones)) for one in some)
        return max(margins)

    @property
    def _phi_solved(self) -> float | None:
        """The carrier's `phi` in a solution [rad]: it saves the search for one that works."""
        return sum(self._arm.of_angles(self._angles[0]).q) if self.reachable else None

    @property
    def orientation_intervals(self) -> list[Interval]:
        """The orientations in the plane of the solutions [rad]."""
        found = map(self._arm.of_angles, self._angles)
        return united((phi, phi) for phi in map(self._phi, found))

    @property
    def as_wanted(self) -> bool:
        """Whether the arm takes the pose exactly: then `nearest` is the pose."""
        if not self.reachable or self._pose.is_exact:
            return self.reachable
        return self.turned_from(self._pose.solutions[0]) <= SAME_TILT

    def _phi(self, whole: Whole) -> float:
        """Orientation of the tool in the plane, as the arm counts it with that wrist [rad]."""
        return wrap(sum(whole.q) + self._arm.holding(whole.wrist).shift)

    # --- the reason ---

    @cached_property
    def _why(self) -> Why:
        return why_not(self._pose)

    @cached_property
    def _only_limits(self) -> bool:
        """Whether the arm would take the pose without its joint limits."""
        if self._candidates.is_too_far or not self._why.is_limits:
            return False
        free = lifted(self._arm, range(len(self._arm.limits)))
        return bool(self._pose.of(free).solutions)

    @property
    def _below_floor(self) -> Reason:
        """The part that would be below the floor, in the solution with the least depth without it.

        If there is no solution, it is that of the candidates without the floor.
        """
        point, free = self._pose.aim.point, self._without_floor
        wholes = free._pose.solutions or [one.whole for one in free._candidates.within(math.inf)]
        some = (lowest_part(self._arm, one, point) for one in wholes)
        lowest = max(some, key=lambda part: part.clearance)
        return below_floor(lowest.name, -lowest.clearance)

    @property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        if self.reachable:
            count = len(self._angles)
            ways = f'reachable in {count} ways' if count > 1 else 'reachable in one way'
            return f'{ways}; {JOINT_IS_FREE}' if self._pose.has_free_joint else ways
        candidate, is_floor = self._candidates.nearest, self.code is Code.FLOOR
        if candidate is not None:
            turned = degrees_text(candidate.away)
            why = self._below_floor.sentence if is_floor else self._why.sentence()
            return f'not with this orientation: {why}; the nearest of those tried is {turned} away'
        if not (is_floor or self._only_limits):
            return self._candidates.of_point.message
        reason = self._below_floor if is_floor else Reason(self._why.sentence())
        nearest, reach = self.nearest, self._arm.carrier.planar.max_reach
        has_floor = self._arm.floor is not None
        return with_nearest(reason, self._pose.aim.point, nearest and nearest[:3], reach, has_floor)
