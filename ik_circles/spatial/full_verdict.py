"""The verdict on a full pose of an arm with a wrist, its reason, and the nearest pose."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.intervals import Interval
from ik_circles.geometry.limits import brought_inside
from ik_circles.geometry.rigid import Matrix, Point3, angle_between_rotations
from ik_circles.planar import selection
from ik_circles.planar.model import JointPositions
from ik_circles.planar.selection import Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import (
    Code,
    degrees_text,
)
from ik_circles.spatial.arm import Configuration, SpatialArm, SpatialPose
from ik_circles.spatial.full_pose import FullPose
from ik_circles.spatial.pose_reasons import why_not
from ik_circles.spatial.verdict import SpatialReachability
from ik_circles.spatial.way_solutions import Way
from ik_circles.spatial.ways import SAME_TILT, Question, least
from ik_circles.spatial.whole_arm import Whole


class Candidate(NamedTuple):
    """A configuration with the tip at the point asked for, turned away from the orientation asked
    for by an angle [rad]."""

    whole: Whole
    turned: float


class FullReachability:
    """Verdict on a full pose; only the code is computed at once, the rest when asked for.

    Attributes
    ----------
    code : Code
        The verdict: OK, or the reason why the arm cannot take the pose.
    reachable : bool
        Whether the code is OK.
    """

    #: Whether no joint can give the orientation: a wrist gives one that is near.
    is_tilted = False

    def __init__(
        self, pose: FullPose, held: Sequence[float], zones: SafeZones, room: float
    ) -> None:
        self._pose, self._arm, self._wrist = pose, pose.aim.arm, tuple(held)
        self._margin, self._room = zones.margin, room
        self.reachable = bool(pose.solutions)
        self.code = Code.OK
        if not self.reachable:
            self.code = Code.ORIENTATION if self._candidates else self._of_point.code

    def __repr__(self) -> str:
        return f'{type(self).__name__}({self.code.name}: {self.message}; nearest {self.nearest})'

    # --- solutions ---

    @property
    def wholes(self) -> list[Whole]:
        """Every configuration that takes the pose; see `FullPose.solutions`."""
        return self._pose.solutions

    def choose_whole(self, seed: Whole | None, policy: Policy) -> Whole | None:
        """The one configuration that the policy chooses.

        If the orientation cannot be taken, and the policy lets it give way, it is one of those with
        the least turn to it.
        """
        pose = self._pose if seed is None else self._pose.seen_from(seed)
        if self.reachable:
            return _chosen(pose, pose.solutions, policy)
        if policy.is_fixed:
            return None
        found = least(self._candidates, lambda one: one.turned, SAME_TILT)
        found = [one for one in found if one.turned <= policy.orientation_tolerance]
        return _chosen(pose, [self._arm.turned(one.whole, pose.aim.near) for one in found], policy)

    def choose_nearest_whole(self, seed: Whole | None, policy: Policy) -> Whole | None:
        """The one configuration at `nearest` that the policy chooses, so that an arm slides."""
        near = self._arm.home if seed is None else seed
        if self.reachable or self._candidates:
            return self.choose_whole(near, policy)
        arm = self._held_arm
        later = arm.tool.phi_at_zero - self._arm.hand.tool.phi_at_zero
        q1, q2, q3 = near.q
        start = Configuration(near.yaw, (q1, q2, q3 + later))
        found = self._of_point.choose_nearest(start, policy, False)
        return None if found is None else self._as_whole(found, arm, self._wrist)

    def turned_from(self, one: Whole) -> float:
        """How far the tip is turned away from the orientation asked for [rad]."""
        return angle_between_rotations(self._arm.pose(one)[1], self._pose.aim.rotation)

    # --- the nearest pose ---

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take.

        It is the pose itself if the arm takes it. Otherwise it is the same position with the least
        turn among these: each shoulder and flip of the wrist with its joints at what the
        orientation asks for, or else on the limit before that, and the wrist as it is held. If none
        of them reaches the position, it is the nearest point with the wrist as it is held. None if
        there is no such point.
        """
        if self._nearest is None:
            return None
        whole, place = self._nearest
        _, q = self._held_as(whole)
        return SpatialPose(*place, wrap(sum(q)), whole.yaw, whole.wrist)

    @property
    def nearest_whole(self) -> Whole | None:
        """The configuration at `nearest`."""
        return self._nearest and self._nearest[0]

    @cached_property
    def _nearest(self) -> tuple[Whole, Point3] | None:
        if self.reachable:
            return self._pose.solutions[0], self._pose.aim.point
        if self._candidates:
            return min(self._candidates, key=lambda one: one.turned).whole, self._pose.aim.point
        found = self._of_point.nearest_configuration
        if found is None:
            return None
        whole = self._as_whole(found, self._held_arm, self._wrist)
        return whole, self._held_arm.tip_at(found)

    @property
    def margin(self) -> float:
        """Signed distance from the position to the workspace's boundary [m], with the wrist held as
        it is at `nearest`; NaN if there is no reachable point."""
        if not self._nearest or self.code not in (Code.OK, Code.ORIENTATION):
            return self._of_point.margin
        arm, _ = self._held_as(self._nearest[0])
        return SpatialReachability(self._question(arm)).margin

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations in the plane that reach the position [rad], with the wrist held as it is at
        `nearest`."""
        if not self._nearest:
            return []
        arm, _ = self._held_as(self._nearest[0])
        return SpatialReachability(self._question(arm)).orientation_intervals

    @property
    def as_wanted(self) -> bool:
        """Whether the arm takes the pose exactly: then `nearest` is the pose."""
        return self.reachable and self.turned_from(self._pose.solutions[0]) <= SAME_TILT

    @cached_property
    def _candidates(self) -> list[Candidate]:
        """Configurations that reach the position, not all with the orientation; see `nearest`."""
        found = [
            one
            for way in self._pose.ways
            for one in self._with_wrist(self._brought_inside(way), way.posture.phi)
        ]
        return [*found, *self._with_wrist(self._wrist, None)]

    def _brought_inside(self, way: Way) -> tuple[float, ...]:
        """The wrist's angles at what an orientation asks for, or on the limit before that [rad]."""
        return tuple(map(brought_inside, way.posture.wrist, self._arm.wrist.limits))

    def _with_wrist(self, wrist: tuple[float, ...], phi: float | None) -> Iterator[Candidate]:
        """Configurations that reach the position with the wrist held, at an orientation in the
        plane as the arm to the wrist center counts it [rad], or as near as they can."""
        arm = self._arm.arm_at(wrist)
        later = arm.tool.phi_at_zero - self._arm.hand.tool.phi_at_zero
        found = SpatialReachability(
            self._question(arm, rotation=self._pose.aim.rotation)
            if phi is None
            else self._question(arm, phi=phi + later)
        )
        some: list[Configuration] = found.configurations
        if found.code is Code.ORIENTATION and found.nearest_configuration is not None:
            some = [found.nearest_configuration]
        for one in some:
            whole = self._as_whole(one, arm, wrist)
            yield Candidate(whole, self.turned_from(whole))

    # --- with the wrist held ---

    @cached_property
    def _held_arm(self) -> SpatialArm:
        """The arm with the wrist as it is held."""
        return self._arm.held_at(self._wrist)

    @cached_property
    def _of_point(self) -> SpatialReachability:
        """The verdict on the position, with the wrist as it is held."""
        return SpatialReachability(self._question(self._held_arm))

    def _question(
        self, arm: SpatialArm, phi: float | None = None, rotation: Matrix | None = None
    ) -> Question:
        zones = SafeZones.of(arm.planar, self._margin)
        return Question(arm, self._pose.aim.point, phi, rotation, zones, self._room, math.inf)

    def _as_whole(
        self, one: Configuration, arm: SpatialArm, wrist: tuple[float, ...]
    ) -> Whole:
        """A configuration of the arm with its wrist held."""
        q1, q2, q3 = one.q
        later = arm.tool.phi_at_zero - self._arm.hand.tool.phi_at_zero
        return Whole(one.yaw, (q1, q2, q3 - later), wrist)

    def _held_as(self, whole: Whole) -> tuple[SpatialArm, JointPositions]:
        """The arm with its wrist held as in a configuration, and its joint angles there [rad]."""
        arm, (q1, q2, q3) = self._arm.arm_at(whole.wrist), whole.q
        later = arm.tool.phi_at_zero - self._arm.hand.tool.phi_at_zero
        return arm, (q1, q2, q3 + later)

    # --- the reason ---

    @property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        if self.reachable:
            count = len(self.wholes)
            return f'reachable in {count} ways' if count > 1 else 'reachable in one way'
        if self.code is not Code.ORIENTATION:
            return self._of_point.message
        turned = degrees_text(min(one.turned for one in self._candidates))
        why = why_not(self._pose)
        return f'not with this orientation: {why}; the nearest that works is {turned} away'


def _chosen(pose: FullPose, found: Sequence[Whole], policy: Policy) -> Whole | None:
    """Of configurations the one on the branch, and with the smallest largest change of a joint."""
    fits = [one for one in found if _is_on_branch(pose, one, policy)]
    return min(fits or found, key=lambda one: one.change(pose.aim.near), default=None)


def _is_on_branch(pose: FullPose, one: Whole, policy: Policy) -> bool:
    """Whether the elbow is as the policy asks; see `Way.policy` of points."""
    if policy.branch == selection.NEAREST:
        return True
    hand = pose.aim.arm.hand
    center = hand.planar.forward_kinematics(one.q)
    faces = hand.yaw is None or hand.yaw.from_axis(center[:2])[0] >= 0.0
    return selection.is_on_branch(one.q, (policy if faces else policy.mirrored).branch)
