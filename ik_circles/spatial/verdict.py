"""The verdict on a target in space, put together from the planar answers of both shoulders."""

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
from ik_circles.spatial.arm import Configuration, SpatialPose
from ik_circles.spatial.leaning import CLOSES, distinct
from ik_circles.spatial.nearest import margin, nearest_configuration
from ik_circles.spatial.ways import SAME_ORIENTATION, SAME_TILT, Question, Way, choose, least
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
    """Verdict on a target in space; only the code is computed at once, the rest when asked for.

    Attributes
    ----------
    code : Code
        The verdict: OK, or the reason why the arm cannot take the target.
    reachable : bool
        Whether the code is OK.
    """

    def __init__(self, question: Question) -> None:
        self._arm, self._question = question.arm, question
        self._ways, self._deciding, self.code = _verdict(question)
        self.reachable = self.code is Code.OK

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f'{kind}({self.code.name}: {self.message}; nearest {self.nearest})'

    # --- the orientation ---

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations in the plane that reach the position [rad], by either shoulder."""
        found = [way.found.orientation_intervals for way in self._ways if way.yaws]
        if len(found) == 1 and found[0]:
            return list(found[0])
        all_of_them = united([one for way in found for one in way])
        if self.reachable and not all_of_them:  # the true axes reach what parallel ones miss
            phi = wrap(sum(self.configurations[0].q))
            return [(phi, phi)]
        return all_of_them

    @property
    def is_tilted(self) -> bool:
        """Whether no joint can give the orientation, whatever the limits."""
        return self.code is Code.ORIENTATION and not self._deciding[0].is_level

    @property
    def as_wanted(self) -> bool:
        """Whether the arm takes the target exactly: then `nearest` is the target.

        It is in the plane, and its orientation is met to within SAME_TILT.
        """
        if self._question.orientation is None or not self.reachable:
            return False
        way = self._way_of_nearest
        is_exact = way.shoulder.beside == 0.0 and self._arm.plane.slack == 0.0
        return is_exact and way.tilt <= SAME_TILT

    def tilt_at(self, configuration: Configuration) -> float:
        """How far the tip's orientation is from the wanted one in a configuration.

        Parameters
        ----------
        configuration : Configuration
            The yaw angle and the joint angles [rad].

        Returns
        -------
        float
            The angle between the orientations [rad], 0 if none was asked for.
        """
        wanted, (yaw, q) = self._question.orientation, configuration
        if wanted is not None and self._arm.leaning is not None:
            return self._arm.leaning.tilt(wanted, yaw, q)
        return 0.0 if wanted is None else wanted.tilt(sum(q), yaw)

    # --- solutions ---

    @property
    def configurations(self) -> list[Configuration]:
        """Every configuration at `nearest` if reachable, else []."""
        if not self.reachable:
            return []
        found = [one for way in self._deciding for one in way.solutions]
        if self._arm.leaning is None:
            return found
        return [Configuration(*one) for one in distinct(found)]

    def choose(
        self, seed: Configuration | None, policy: Policy, redundancy: Redundancy
    ) -> Configuration | None:
        """The one configuration that the policy chooses.

        Parameters
        ----------
        seed : Configuration or None
            The yaw angle and the joint angles to stay near to [rad].
        policy : Policy
            The branch, and what may give way if an orientation is asked for.
        redundancy : Redundancy
            How the orientation is chosen if none is asked for.

        Returns
        -------
        Configuration or None
            The yaw angle and the joint angles [rad]; None if the target cannot be reached, or not
            in the way that `redundancy` asks for.
        """
        return choose(self._question, self._ways, seed, policy, redundancy)

    # --- the reason ---

    @property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        if self.reachable:
            return reachable_with(self.orientation_intervals)
        if self.code is Code.OUT_OF_PLANE:
            return sentences.out_of_plane(self._question, self._ways[0])
        if self.code is Code.ORIENTATION:
            way = self._deciding[0]
            if not way.is_level:
                return sentences.tilted(self._arm, way.tilt)
            if way.found.reachable:
                return sentences.leaning(way, self.nearest)
            return way.found.message
        reason = sentences.out_of_reach(self._question, self._ways)
        point, reach = self._question.point, self._arm.planar.max_reach
        return with_nearest(reason, point, self._nearest_place, reach)

    # --- the nearest pose ---

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take.

        It is the target itself if that is reachable, otherwise the same position with the nearest
        orientation that works, otherwise the nearest reachable point. None if there is no such
        point.
        """
        found = self.nearest_configuration
        if found is None:
            return None
        return SpatialPose(*self._place_at(found), wrap(sum(found.q)), found.yaw)

    @property
    def nearest_configuration(self) -> Configuration | None:
        """The configuration at `nearest`."""
        if not self._deciding and self._arm.yaw is not None:
            return self._nearest_turned
        way = self._way_of_nearest
        if self._arm.leaning is not None and self._deciding:
            return self._nearest_on_true_axes
        q = way.found.nearest_joint_positions
        return None if q is None else Configuration(way.yaws[0], q)

    @property
    def margin(self) -> float:
        """Signed distance from the position to the workspace's boundary [m].

        Outside of the workspace or the plane it is minus the distance to `nearest`. Behind a yaw
        joint, a positive margin is certified: the same shoulder reaches every point nearer than
        that. NaN if the safe zones and the joint limits leave no reachable point.
        """
        arm, question = self._arm, self._question
        if not self._deciding:
            nearest = self._nearest_place
            return math.nan if nearest is None else 0.0 - math.dist(question.point, nearest)
        slack = arm.plane.slack
        if arm.yaw is None:
            margin_in_plane = self._ways[0].found.margin
            return max(0.0, margin_in_plane - slack) if slack else margin_in_plane
        place = arm.yaw.place_of(*arm.plane.into(question.point))
        inside = [way for way in self._ways if way.yaws and way.found.position_reachable]
        margins = (margin(question, arm.yaw, place, way) for way in inside)
        return max(0.0, max(margins, default=0.0) - slack)

    @property
    def _nearest_place(self) -> Point3 | None:
        """Position of `nearest` [m]."""
        found = self.nearest_configuration
        return None if found is None else self._place_at(found)

    def _place_at(self, nearest: Configuration) -> Point3:
        """Position of the tip in the nearest configuration [m]: the target where it is reached."""
        if self._arm.leaning is not None:
            tip = self._arm.tip_at(nearest)
            return self._question.point if math.dist(tip, self._question.point) <= CLOSES else tip
        is_exact = bool(self._deciding) and self._ways[0].shoulder.beside == 0.0
        return self._question.point if is_exact else self._arm.tip_at(nearest)

    @property
    def _way_of_nearest(self) -> Way:
        """Of the ways that work, the one whose orientation is nearest to the one asked for."""
        if len(self._deciding) > 1 and self.reachable:
            deciding = [way for way in self._deciding if way.true is None or way.true.solutions]
            return least(deciding or self._deciding, lambda way: way.tilt, SAME_TILT)[0]
        return (self._deciding or self._ways)[0]

    @cached_property
    def _nearest_on_true_axes(self) -> Configuration | None:
        """With the position reached, the configuration at `nearest`."""
        way = self._way_of_nearest
        if self.reachable:
            return way.solutions[0] if way.solutions else None
        q = way.found.nearest_joint_positions
        if way.true is None or q is None:
            return None
        found = way.true.next_to(q) or way.true.nearly
        return Configuration(*found[0]) if found else Configuration(way.shoulder.yaw, q)

    @cached_property
    def _nearest_turned(self) -> Configuration | None:
        """Behind a yaw joint, the configuration nearest to a position out of reach."""
        arm, question = self._arm, self._question
        if arm.yaw is None:
            return None
        place = arm.yaw.place_of(*arm.plane.into(question.point))
        seen = place.brought_within(FAR * arm.planar.max_reach)
        return nearest_configuration(question, arm.yaw, seen)


def _verdict(question: Question) -> Verdict:
    """Whether one of the shoulders reaches the target."""
    found = question.ways()
    if found and found[0].shoulder.beside > question.out_of_plane_tolerance:
        return Verdict(found, [], Code.OUT_OF_PLANE)
    working = question.reaching(found)
    if working:
        return Verdict(found, working, Code.OK)
    at_position = question.reaching_position(found)
    level = [way for way in at_position if way.is_level]
    if level:
        return Verdict(found, least(level, _turn_needed, SAME_ORIENTATION), Code.ORIENTATION)
    if at_position:
        tilted = least(at_position, lambda way: way.tilt, SAME_TILT)
        return Verdict(found, tilted, Code.ORIENTATION)
    on_edge = _way_on_edge(question)
    if on_edge is not None:
        works = on_edge.is_level and on_edge.found.reachable
        return Verdict([*found, on_edge], [on_edge], Code.OK if works else Code.ORIENTATION)
    if not found:
        return Verdict([], [], Code.TOO_CLOSE)
    planar = sentences.least_wrong(question.arm, found).found
    return Verdict(found, [], Code.JOINT_LIMIT if planar.position_reachable else planar.code)


def _turn_needed(way: Way) -> float:
    """How far the nearest orientation that works is from the wanted one [rad]."""
    phi, nearest = way.found.wanted_orientation, way.found.nearest
    return math.inf if phi is None or nearest is None else abs(wrap(nearest.phi - phi))


def _way_on_edge(question: Question) -> Way | None:
    """A way to a target that is as far from the yaw axis as the plane is, if there is one.

    Rounding moves the place in the plane by its root there. So what the nearest configuration
    reaches counts as reached.
    """
    arm, yaw = question.arm, question.arm.yaw
    if yaw is None or yaw.holds_axis:
        return None
    place = yaw.place_of(*arm.plane.into(question.point))
    if not abs(place.radius - abs(yaw.aside)) <= EDGE * arm.planar.max_reach:
        return None
    near = nearest_configuration(question, yaw, place)
    if near is None or math.dist(arm.tip_at(near), question.point) > CLOSURE * yaw.rounding:
        return None
    tip = arm.planar.forward_kinematics(near.q)[:2]
    way = Way(question, Shoulder(near.yaw, tip), [near.yaw])
    return way if way.found.position_reachable else None
