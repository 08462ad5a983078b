"""The verdict on a target in space, put together from the planar answers of both shoulders."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.intervals import Interval, united
from ik_circles.geometry.rigid import Point3
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.redundancy.policy import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.reasons import Code, reachable_with, with_nearest
from ik_circles.spatial import sentences
from ik_circles.spatial.model import Configuration, SpatialModel, SpatialPose
from ik_circles.spatial.nearest import margin, nearest_configuration
from ik_circles.spatial.question import SAME_ORIENTATION, Question, Way, ask, tilt_of, ways
from ik_circles.spatial.selection import SAME_TILT, choose, least
from ik_circles.spatial.yaw import Shoulder

#: A target farther away than this [reaches] is brought to about this distance to find the nearest
#: place: from there on, distances to two places on the arm round to the same.
FAR = 1e6
#: A target whose distance from the yaw axis is that of the plane to within this share of the reach
#: is at the edge of what turning can meet. Rounding counts by its root there.
EDGE = 1e-7


class Verdict(NamedTuple):
    """All ways to the target, those that decide (the best first), and the code."""

    ways: list[Way]
    deciding: list[Way]
    code: Code


class SpatialReachability:
    """Answer of `SpatialArm.check_reachability`: as the planar arm's, in space.

    If the target is out of the plane, `margin` [m] is minus the distance to `nearest`. Behind a yaw
    joint, a positive `margin` is certified: the same shoulder reaches every point nearer than that.
    """

    def __init__(self, arm: SpatialModel, question: Question) -> None:
        self._arm, self._question = arm, question
        self._ways, self._deciding, self.code = _verdict(arm, question)
        self.reachable = self.code is Code.OK

    def __repr__(self) -> str:
        return f'SpatialReachability({self.code.name}: {self.message}; nearest {self.nearest})'

    # --- the orientation ---

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations in the plane with which the point can be reached, by either shoulder."""
        found = [way.found.orientation_intervals for way in self._ways if way.yaws]
        return list(found[0]) if len(found) == 1 else united([one for way in found for one in way])

    @property
    def is_tilted(self) -> bool:
        """Whether the orientation is refused because no joint can give it, whatever the limits."""
        return self.code is Code.ORIENTATION and not self._deciding[0].is_level

    @property
    def as_wanted(self) -> bool:
        """Whether the arm can take the target exactly: then `nearest` is the target.

        It is in the plane, and its orientation is met to within SAME_TILT.
        """
        if self._question.rotation is None or not self.reachable:
            return False
        way = self._way_of_nearest
        is_exact = way.shoulder.beside == 0.0 and self._arm.plane.slack == 0.0
        return is_exact and tilt_of(self._arm, self._question, way) <= SAME_TILT

    def tilt_of(self, configuration: Configuration) -> float:
        """How far the tool's orientation is from the one asked for in a configuration [rad]."""
        if self._question.rotation is None:
            return 0.0
        yaw, q = configuration
        return self._arm.tool.tilt(self._question.rotation, sum(q), yaw)

    # --- solutions ---

    @property
    def solutions(self) -> list[Configuration]:
        """Every configuration at `nearest` if reachable, else []."""
        return [
            Configuration(yaw, q)
            for way in (self._deciding if self.reachable else [])
            for yaw in way.yaws
            for q in way.found.solutions
        ]

    def solve(
        self, seed: Configuration | None, policy: Policy, redundancy: Redundancy
    ) -> Configuration | None:
        """The one configuration that the policy chooses; see `RobotArm.solve`."""
        return choose(self._arm, self._question, self._ways, seed, policy, redundancy)

    # --- the reason ---

    @property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        arm, question = self._arm, self._question
        if self.reachable:
            return reachable_with(self.orientation_intervals)
        if self.code is Code.OUT_OF_PLANE:
            return sentences.out_of_plane(arm, question, self._ways[0])
        if self.code is Code.ORIENTATION:
            way = self._deciding[0]
            if way.is_level:
                return way.found.message
            return sentences.tilted(arm, tilt_of(arm, question, way))
        reason = sentences.out_of_reach(arm, question, self._ways)
        return with_nearest(reason, question.point, self._nearest_place, arm.planar.max_reach)

    # --- the nearest pose ---

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take."""
        found, place = self.nearest_configuration, self._nearest_place
        if found is None or place is None:
            return None
        return SpatialPose(*place, wrap(sum(found.q)), found.yaw)

    @property
    def nearest_configuration(self) -> Configuration | None:
        """The configuration at `nearest`."""
        if not self._deciding and self._arm.yaw is not None:
            return self._nearest_turned
        way = self._way_of_nearest
        q = way.found.nearest_joint_positions
        return None if q is None else Configuration(way.yaws[0], q)

    @property
    def margin(self) -> float:
        """Signed distance to the workspace's boundary [m]; see the class."""
        arm, question = self._arm, self._question
        if not self._deciding:
            nearest = self._nearest_place
            return math.nan if nearest is None else 0.0 - math.dist(question.point, nearest)
        if arm.yaw is None:
            return self._ways[0].found.margin
        place = arm.yaw.place_of(*arm.plane.into(question.point))
        inside = [way for way in self._ways if way.yaws and way.found.position_reachable]
        return max(margin(arm.planar, arm.yaw, place, way, question.zones) for way in inside)

    @property
    def _nearest_place(self) -> Point3 | None:
        """Position of `nearest` [m]."""
        found = self.nearest_configuration
        if found is None:
            return None
        is_exact = bool(self._deciding) and self._ways[0].shoulder.beside == 0.0
        return self._question.point if is_exact else self._arm.tip_at(found)

    @property
    def _way_of_nearest(self) -> Way:
        """Of the ways that work, the one whose orientation is nearest to the one asked for."""
        if len(self._deciding) > 1 and self.reachable:
            return self._least_tilted
        return (self._deciding or self._ways)[0]

    @cached_property
    def _least_tilted(self) -> Way:
        arm, question = self._arm, self._question
        return least(self._deciding, lambda way: tilt_of(arm, question, way), SAME_TILT)[0]

    @cached_property
    def _nearest_turned(self) -> Configuration | None:
        return _nearest_turned(self._arm, self._question)


def _verdict(arm: SpatialModel, question: Question) -> Verdict:
    """Whether one of the shoulders reaches the target."""
    found = ways(arm, question)
    if found and found[0].shoulder.beside > question.out_of_plane_tolerance:
        return Verdict(found, [], Code.OUT_OF_PLANE)
    turned = [way for way in found if way.yaws]
    working = [way for way in turned if way.is_level and way.found.reachable]
    if working:
        return Verdict(found, working, Code.OK)
    at_position = [way for way in turned if way.found.position_reachable]
    level = [way for way in at_position if way.is_level]
    if level:
        return Verdict(found, least(level, _turn_needed, SAME_ORIENTATION), Code.ORIENTATION)
    if at_position:
        tilted = least(at_position, lambda way: tilt_of(arm, question, way), SAME_TILT)
        return Verdict(found, tilted, Code.ORIENTATION)
    on_edge = _way_on_edge(arm, question)
    if on_edge is not None:
        works = on_edge.is_level and on_edge.found.reachable
        return Verdict([*found, on_edge], [on_edge], Code.OK if works else Code.ORIENTATION)
    if not found:
        return Verdict([], [], Code.TOO_CLOSE)
    way = sentences.least_wrong(arm, found)
    return Verdict(
        found, [], Code.JOINT_LIMIT if way.found.position_reachable else way.found.code
    )


def _turn_needed(way: Way) -> float:
    """How far the nearest orientation that works is from the wanted one [rad]."""
    phi, nearest = way.found.wanted_orientation, way.found.nearest
    return math.inf if phi is None or nearest is None else abs(wrap(nearest.phi - phi))


def _way_on_edge(arm: SpatialModel, question: Question) -> Way | None:
    """A way to a target that is as far from the yaw axis as the plane is, if there is one.

    Rounding moves the place in the plane by its root there. So what the nearest configuration
    reaches counts as reached.
    """
    yaw = arm.yaw
    if yaw is None or yaw.holds_axis:
        return None
    place = yaw.place_of(*arm.plane.into(question.point))
    if not abs(place.radius - abs(yaw.aside)) <= EDGE * arm.planar.max_reach:
        return None
    near = nearest_configuration(arm.planar, yaw, place, question.zones)
    if near is None or math.dist(arm.tip_at(near), question.point) > CLOSURE * yaw.rounding:
        return None
    tip = arm.planar.forward_kinematics(near.q)[:2]
    way = ask(arm, question, Shoulder(near.yaw, tip), [near.yaw])
    return way if way.found.position_reachable else None


def _nearest_turned(arm: SpatialModel, question: Question) -> Configuration | None:
    """Behind a yaw joint, the configuration nearest to a position out of reach."""
    if arm.yaw is None:
        return None
    place = arm.yaw.place_of(*arm.plane.into(question.point))
    seen = place.brought_within(FAR * arm.planar.max_reach)
    return nearest_configuration(arm.planar, arm.yaw, seen, question.zones)
