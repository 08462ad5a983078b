"""The ways to a target in space: a planar question for each shoulder, and the choice among them.
"""

import math
from collections.abc import Callable, Sequence
from itertools import chain, product, starmap
from operator import sub
from typing import NamedTuple, TypeVar

import numpy as np

from ik_circles.errors import NotFiniteError
from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.rigid import Rotation
from ik_circles.planar import selection
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.policy import KEEP_ORIENTATION, Redundancy, candidates
from ik_circles.planar.selection import Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.arm import Configuration, SpatialArm, check_target
from ik_circles.spatial.leaning import Angles
from ik_circles.spatial.true_way import Asked, TrueWay
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
    that no joint turns. NotFiniteError is raised if a number is NaN or infinite.
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
        if rotation is not None and not math.isfinite(sum(map(sum, rotation))):
            rows = np.asarray(rotation).tolist()
            raise NotFiniteError(f'rotation {rows} must be nine finite numbers')
        self.orientation = None if rotation is None else arm.tool.orientation(rotation)
        self.tilt_tolerance = tilt_tolerance
        self.zones = zones or arm.planar.safe_zones
        self.out_of_plane_tolerance = out_of_plane_tolerance + arm.plane.slack

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
        point, angle = found[0][0].point, self.orientation.yaw
        both = (yaw.turns(wrap(angle + half), SAME_ORIENTATION) for half in (0.0, math.pi))
        return [(Shoulder(turns[0], point), turns) for turns in both if turns] or found


    def reaching(self, ways: Sequence['Way']) -> list['Way']:
        """Those of the ways that reach the target.

        Of leaning axes, it is all that are level if one does: their solutions tell which.
        """
        if self.arm.leaning is None:
            return [way for way in ways if way.yaws and way.is_level and way.found.reachable]
        level = [way for way in ways if way.is_level]
        true = [way.true for way in level if way.true]
        is_met = any(one.is_clear for one in true) or any(one.is_met for one in true)
        return level if is_met else []

    def reaching_position(self, ways: Sequence['Way']) -> list['Way']:
        """Those of the ways that reach the position, whatever the orientation."""
        true = [way.true for way in ways if way.true]
        if true and not any(one.position_is_clear for one in true):
            return [way for way in ways if way.true and way.true.position_met]
        return [way for way in ways if way.yaws and way.found.position_reachable]


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
        self.true = None
        if arm.leaning is not None:
            asked = Asked(question.point, self.phi, wanted, question.zones)
            self.true = TrueWay(arm.leaning, asked, shoulder, yaws, self.found)
        self._tilt = 0.0 if wanted is None else None
        self.is_level = wanted is None or allowed >= math.pi or self._is_within(allowed)

    def _is_within(self, allowed: float) -> bool:
        """Whether the orientation is no more than an angle, and the axes' error, away [rad]."""
        if self.true is None:
            return self.tilt <= allowed
        if self._tilt_of_parallel_axes > allowed + self.true.most_turned:
            return False
        return self.tilt <= allowed + self.true.leaning.turns_on_limit

    @property
    def tilt(self) -> float:
        """How far the tool's orientation in the plane is from the one asked for [rad]."""
        if self._tilt is None:
            true = None if self.true is None else self.true.tilt
            self._tilt = self._tilt_of_parallel_axes if true is None else true
        return self._tilt

    @property
    def _tilt_of_parallel_axes(self) -> float:
        wanted, phi = self._question.orientation, self.phi
        return 0.0 if wanted is None or phi is None else wanted.tilt(phi, self.shoulder.yaw)

    @property
    def solutions(self) -> list[Configuration]:
        """Every configuration that reaches the target; with any orientation, those with that of
        `nearest`."""
        pairs = product(self.yaws, self.found.solutions)
        return list(starmap(Configuration, self.true.solutions if self.true else pairs))

    def turned_away(self, q: JointPositions) -> float:
        """How far joint angles have the tool from the orientation wanted in the plane [rad]."""
        if self.phi is None or (self.true and self.true.solutions):
            return 0.0
        return abs(wrap(sum(q) - self.phi))


class Choice(NamedTuple):
    """A configuration and the way it belongs to."""

    way: Way
    configuration: Configuration


def choose(
    question: Question,
    ways: Sequence[Way],
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> Configuration | None:
    """The one configuration that the policy chooses; None if there is none.

    These count, in this order: the orientation in the plane and then of the plane, the branch, and
    the largest change of a joint. Both shoulders may do equally well except for rounding.
    """
    start = seed or question.arm.home
    choices = [
        Choice(way, configuration)
        for way in ways
        if way.is_level
        for configuration in _configurations(question, way, seed, policy, redundancy)
    ]
    if len(choices) <= 1:
        return choices[0].configuration if choices else None
    choices = least(choices, _turned_away, SAME_ORIENTATION)
    choices = least(choices, lambda one: one.way.tilt, SAME_TILT)

    def cost(one: Choice) -> tuple[bool, float]:
        yaw, q = one.configuration
        changes = map(abs, map(sub, (yaw, *q), (start.yaw, *start.q)))
        return not selection.is_on_branch(q, policy.branch), max(changes)

    return min(choices, key=cost).configuration


def least(some: Sequence[T], cost: Callable[[T], float], same: float) -> list[T]:
    """Those of the least cost; costs that differ by no more than `same` are the same."""
    costs = list(map(cost, some))
    most = min(costs) + same
    return [one for one, its in zip(some, costs) if its <= most]


def _configurations(
    question: Question,
    way: Way,
    seed: Configuration | None,
    policy: Policy,
    redundancy: Redundancy,
) -> list[Configuration]:
    """Configurations of a way to choose from."""
    arm, start = question.arm, seed or question.arm.home
    if way.true is None:
        if not way.found.position_reachable:
            return []
        angles = _joint_angles(arm, way, seed, policy, redundancy)
        return [Configuration(*one) for one in product(_yaws(question, way, start.yaw), angles)]
    found: list[Angles] = []
    if way.phi is not None:
        found = way.true.solutions
    elif seed and redundancy.choice == KEEP_ORIENTATION and policy.heeds_seed:
        found = way.true.with_orientation(sum(seed.q))
    if way.phi is None or not (found or policy.is_fixed):
        angles = _joint_angles(arm, way, seed, policy, redundancy)
        found = [*found, *chain.from_iterable(map(way.true.next_to, angles))]
    if not found and way.phi is None and redundancy.choice == KEEP_ORIENTATION:
        found = way.true.solutions
    return [_turned_to(arm, one, start) for one in found]


def _turned_to(arm: SpatialArm, angles: Angles, start: Configuration) -> Configuration:
    """The configuration with continuous joints turned next to `start`."""
    yaw, q = angles
    if arm.yaw is not None and arm.yaw.limits[0] == -math.inf:
        yaw = start.yaw + wrap(yaw - start.yaw)
    return Configuration(yaw, selection.turned_to(arm.planar, q, start.q))


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
    if way.found.reachable and not planar.has_families:  # a family's member depends on the seed
        chosen = selection.choose(planar, way.found.solutions, near, policy.branch)
    else:
        chosen = selection.solve(planar.workspace, *way.shoulder.point, way.phi, near, policy)
    return [] if chosen is None else [chosen]


def _turned_away(choice: Choice) -> float:
    """How far the tool is from the orientation wanted in the plane [rad]."""
    return choice.way.turned_away(choice.configuration.q)
