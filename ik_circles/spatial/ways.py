"""The ways to a target in space: a planar question for each shoulder, and the choice among them.
"""

import math
from collections.abc import Callable, Sequence
from itertools import product
from operator import sub
from typing import NamedTuple, TypeVar

from ik_circles.errors import InvalidArmError, InvalidSettingError
from ik_circles.geometry import checks
from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.intervals import Interval
from ik_circles.geometry.rigid import Rotation
from ik_circles.planar import selection
from ik_circles.planar.families import is_family
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.policy import Z_FORM, Redundancy, candidates
from ik_circles.planar.selection import Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.arm import Configuration, SpatialArm, check_target
from ik_circles.spatial.plane import TurnedAway
from ik_circles.spatial.yaw import Shoulder, Turns

#: Orientations that differ by less than this are the same [rad]: it is far above rounding.
SAME_ORIENTATION = 1e-9
#: Planes that differ by less than this are the same [rad]: what rounding of a rotation matrix
#: leaves of an angle is its root.
SAME_TILT = 1e-6

T = TypeVar('T')


class Question:
    """A target of an arm: a position in space [m], with an orientation of the tool if one is given.

    The orientation is `phi`, the angle in the plane [rad], or `rotation`, that of the tip in space
    (3x3), from which the plane may differ by `tilt_tolerance` [rad]. The position must lie inside
    the planar arm's `zones`, its own if None, and within `out_of_plane_tolerance` [m] of a plane
    that no joint turns. What is not of that kind raises an IkCirclesError.
    """

    def __init__(
        self,
        arm: SpatialArm,
        point: Sequence[float],
        phi: float | None,
        rotation: Rotation | None,
        zones: SafeZones | None,
        out_of_plane_tolerance: float,
        tilt_tolerance: float,
    ) -> None:
        self.arm, self.point, self.phi = arm, check_target(point, phi), phi
        if not (phi is None or rotation is None):
            raise InvalidArmError('both phi and rotation are given; give one of them')
        if rotation is not None:
            checks.rotation('rotation', rotation)
        self.orientation = None if rotation is None else arm.tool.orientation(rotation)
        self.tilt_tolerance = checks.at_least_zero('tilt_tolerance', tilt_tolerance, 'rad')
        self.zones = arm.planar.safe_zones if zones is None else zones
        if not isinstance(self.zones, SafeZones):
            raise InvalidSettingError(f'zones is {zones!r}; give SafeZones, or None for its own')
        room = checks.at_least_zero('out_of_plane_tolerance', out_of_plane_tolerance, 'm')
        self.out_of_plane_tolerance = room + arm.plane.slack

    @property
    def counted_at(self) -> float:
        """The yaw angle of the plane in which answers count an orientation in space [rad]."""
        return self.arm.plane.shoulders(self.point)[0][0].yaw

    def ways(self) -> list['Way']:
        """The planar answers of all shoulders, the one that faces the target first."""
        return [Way(self, shoulder, yaws) for shoulder, yaws in self._shoulders()]

    def _shoulders(self) -> list[Turns]:
        """The shoulders of the target.

        On the yaw axis, where any yaw angle works, the wanted orientation chooses it: the angle
        that gives it, and the opposite one.
        """
        found, yaw = self.arm.plane.shoulders(self.point), self.arm.yaw
        if yaw is None or self.orientation is None or not (found and found[0][0].on_axis):
            return found
        point, angle = found[0][0].point, self.orientation.yaw_by(yaw)
        both = (yaw.turns(wrap(angle + half), SAME_ORIENTATION) for half in (0.0, math.pi))
        return [(Shoulder(turns[0], point), turns) for turns in both if turns] or found


class Way:
    """One shoulder with the planar answer `found` there.

    `yaws` are the angles that the yaw joint can take for it [rad]. `phi` is the orientation wanted
    in the plane [rad], if any. `is_level` says whether that is near enough to the one asked for.
    """

    def __init__(self, question: Question, shoulder: Shoulder, yaws: list[float]) -> None:
        arm, wanted, allowed = question.arm, question.orientation, question.tilt_tolerance
        self.shoulder, self.yaws, self._question = shoulder, yaws, question
        self.phi = question.phi
        if wanted is not None:
            self.phi = wanted.angle(shoulder.yaw)
        self.found = Reachability(
            arm.planar.workspace, shoulder.point, self.phi, question.zones, arm.labels
        )
        self._tilt = 0.0 if wanted is None else None
        self.is_level = wanted is None or allowed >= math.pi or self.tilt <= allowed

    @property
    def tilt(self) -> float:
        """How far the tool's orientation in the plane is from the one asked for [rad]."""
        wanted, phi = self._question.orientation, self.phi
        if self._tilt is None and wanted is not None and phi is not None:
            self._tilt = wanted.tilt(phi, self.shoulder.yaw)
        return self._tilt or 0.0

    def count(self, phi: float) -> float:
        """An orientation in the plane as answers about a rotation count it [rad].

        They count all as the first shoulder does, which faces the target: with the plane turned
        round, the angle of the same pitch.
        """
        yaw = self._question.arm.yaw
        if yaw is None or not self._is_turned_round:
            return wrap(phi)
        along_x, along_y = yaw.along
        return wrap(2.0 * math.atan2(along_y, along_x) - phi)

    def counted(self, intervals: list[Interval]) -> list[Interval]:
        """Orientations in the plane, as `count` has them."""
        if not self._is_turned_round:
            return intervals
        lowers = ((self.count(upper), upper - lower) for lower, upper in intervals)
        return [(lower, lower + width) for lower, width in lowers]

    @property
    def _is_turned_round(self) -> bool:
        """Whether an answer about a rotation counts orientations against this plane."""
        question, yaw = self._question, self.shoulder.yaw
        return question.orientation is not None and math.cos(yaw - question.counted_at) < 0.0

    @property
    def turned_away(self) -> TurnedAway:
        """How far heading and roll are from those asked for, behind a yaw joint [rad]."""
        wanted, phi = self._question.orientation, self.phi
        if wanted is None or phi is None:
            return TurnedAway(0.0, 0.0)
        return wanted.turned_away(phi, self.shoulder.yaw)

    def policy(self, policy: Policy) -> Policy:
        """A policy as it counts in the plane of this way.

        Reaching backwards, the arm is seen from behind: the elbow that is up along the yaw axis is
        on the right of the line from base to wrist.
        """
        yaw = self._question.arm.yaw
        if policy.branch == 'nearest' or yaw is None or yaw.faces(self.shoulder):
            return policy
        return policy.mirrored

    def has_branch(self, policy: Policy) -> bool:
        """Whether the point has a solution with the elbow as the policy asks."""
        workspace, branch = self._question.arm.planar.workspace, self.policy(policy).branch
        return selection.has_branch(workspace, *self.shoulder.point, branch)


class Choice(NamedTuple):
    """A configuration and the way it belongs to."""

    way: Way
    configuration: Configuration

    def is_on_branch(self, policy: Policy) -> bool:
        """Whether its elbow is as the policy asks."""
        return selection.is_on_branch(self.configuration.q, self.way.policy(policy).branch)


def choose(
    question: Question,
    ways: Sequence[Way],
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> Configuration | None:
    """The one configuration that the policy chooses; None if there is none.

    These count, in this order: the orientation in the plane and then of the plane, the branch, what
    `redundancy` asks of each shoulder, and the largest change of a joint. Both shoulders may do
    equally well except for rounding.
    """
    start = seed or question.arm.home
    usable = [way for way in ways if way.is_level and way.found.position_reachable]
    choices = [
        Choice(way, Configuration(yaw, q))
        for way in usable
        for yaw, q in product(
            _yaws(question, way, start.yaw),
            _joint_angles(question.arm, way, seed, way.policy(policy), redundancy),
        )
    ]
    choices = least(choices, _turned_away, SAME_ORIENTATION)
    choices = least(choices, lambda one: one.way.tilt, SAME_TILT)
    fits = [one for one in choices if one.is_on_branch(policy)]
    if not fits and redundancy.choice == Z_FORM and any(  # a Z of the other elbow comes last
        way.has_branch(policy) for way in usable if way.phi is None
    ):
        return None

    def change(one: Choice) -> float:
        yaw, q = one.configuration
        most: float = max(abs(yaw - start.yaw), *map(abs, map(sub, q, start.q)))
        return most

    chosen = min(fits or choices, key=change, default=None)
    return chosen and chosen.configuration


def least(some: Sequence[T], cost: Callable[[T], float], same: float) -> list[T]:
    """Those of the least cost; costs that differ by no more than `same` are the same."""
    if len(some) <= 1:
        return list(some)
    costs = list(map(cost, some))
    most = min(costs) + same
    return [one for one, its in zip(some, costs) if its <= most]


def _yaws(question: Question, way: Way, near: float) -> Sequence[float]:
    """The yaw angles of a way [rad]; where there is a choice, next to `near`."""
    yaw = question.arm.yaw
    if yaw is None or not way.yaws:
        return way.yaws
    if way.shoulder.on_axis and question.orientation is None:
        return [nearest_in(near, yaw.limits)]
    if yaw.limits[0] == -math.inf:
        return [near + wrap(angle - near) for angle in way.yaws]
    return way.yaws


def _joint_angles(
    arm: SpatialArm,
    way: Way,
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[JointPositions]:
    """Joint angles in the plane of a way to choose from."""
    planar, near = arm.planar, None if seed is None else seed.q
    if way.phi is None:
        return candidates(planar.workspace, *way.shoulder.point, near, policy, redundancy)
    wrist = planar.wrist(*way.shoulder.point, way.phi)
    if way.found.reachable and not is_family(planar, math.hypot(*wrist)):
        chosen = selection.choose(planar, way.found.solutions, near, policy.branch)
    else:  # a family's member depends on the seed
        chosen = selection.solve(planar.workspace, *way.shoulder.point, way.phi, near, policy)
    return [] if chosen is None else [chosen]


def _turned_away(choice: Choice) -> float:
    """How far the tool is from the orientation wanted in the plane [rad]."""
    phi = choice.way.phi
    return 0.0 if phi is None else abs(wrap(sum(choice.configuration.q) - phi))
