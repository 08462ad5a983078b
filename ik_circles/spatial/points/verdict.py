# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a target in space, put together from the planar answers of both shoulders."""

import math
from dataclasses import replace

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.intervals import Interval, united
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.redundancy.rules import Redundancy
from ik_circles.planar.selection import Policy, least
from ik_circles.reasons import Code, reachable_with, with_nearest
from ik_circles.spatial.arm import Configuration, SpatialPose
from ik_circles.spatial.plane import TurnedAway
from ik_circles.spatial.points import sentences
from ik_circles.spatial.points.choice import brought_to, choose
from ik_circles.spatial.points.deciding import code_of, decided, least_rotated, rotation_at
from ik_circles.spatial.points.nearest import margin, nearest_configuration
from ik_circles.spatial.points.ways import SAME_TILT, Question, Wanted, WayToPoint
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.true_axes.leaning import distinct

#: A target farther away than this [reaches] is brought to about this distance to find the nearest
#: place. Farther out, distances to two places on the arm round to the same number.
FAR_AWAY = 1e6


class SpatialReachability:
    """Verdict on a target in space; at first, only whether it is reached is computed.

    Attributes
    ----------
    reachable : bool
        Whether the code is OK.
    position_reachable : bool
        Whether the arm can take the position, with whatever orientation.
    is_oriented : bool
        Whether an orientation in space was asked for.
    """

    def __init__(self, question: Question) -> None:
        self._arm, self._question, self._found = question.arm, question, decided(question)
        self._ways, self._deciding, code, _ = self._found
        self.reachable, self.position_reachable = code is Code.OK, bool(self._deciding)
        self.is_oriented = question.orientation is not None
        # Of an orientation with any tilt, only the pitch is asked for: each shoulder has its own.
        asks_pitch = self.is_oriented and question.tilt_tolerance >= math.pi
        self._takes_target = self.reachable and not asks_pitch

    @cached_property
    def code(self) -> Code:
        """OK, or the reason why the arm cannot take the target."""
        return code_of(self._question, self._found)

    def __repr__(self) -> str:
        return f'{type(self).__name__}({self.code.name}: {self.message}; nearest {self.nearest})'

    # --- the orientation ---

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations in the plane that reach the position [rad], by either shoulder.

        If an orientation in space was asked for, all are angles in the plane that faces the target.
        """
        return [*self._intervals]

    @cached_property
    def _intervals(self) -> list[Interval]:
        ways = [way for way in self._ways if way.yaws and self.code is not Code.OUT_OF_PLANE]
        some = [way.counted(way.found.orientation_intervals) for way in ways]
        intervals = some[0] if len(some) == 1 else united([one for its in some for one in its])
        if self.reachable and not intervals:  # true axes reach what parallel ones miss
            phi = wrap(sum(self.configurations[0].q))
            return [(phi, phi)]
        return intervals

    @property
    def is_tilted(self) -> bool:
        """Whether no joint can give the orientation, whatever the limits."""
        return self._found.code is Code.ORIENTATION and not any(way.is_level for way in self._ways)

    @property
    def as_wanted(self) -> bool:
        """Whether the arm takes the target exactly: then `nearest` is the target.

        The target is in the plane, and the arm meets its orientation to within SAME_TILT.
        """
        is_met = self.is_oriented and self.reachable and self._is_exact
        return is_met and self._way_of_nearest.tilt <= SAME_TILT

    @property
    def _is_exact(self) -> bool:
        """Whether the arm takes the position exactly: axes are parallel, and it is in the plane."""
        beside = self._deciding[0].shoulder.beside if self._deciding else math.inf
        return self._arm.plane.slack == 0.0 and beside <= CLOSES

    def tilt_at(self, configuration: Configuration) -> float:
        """How far the orientation, or without a yaw joint the plane, is from the wanted one.

        Parameters
        ----------
        configuration : Configuration
            The yaw angle and the joint angles [rad].

        Returns
        -------
        float
            The angle between the orientations [rad], 0 if none was asked for.
        """
        return self._arm.tilt_at(configuration, self._question.orientation)

    def turned_away_at(self, configuration: Configuration) -> TurnedAway:
        """How far heading, roll and pitch are from those wanted, behind a yaw joint.

        Parameters
        ----------
        configuration : Configuration
            The yaw angle and the joint angles [rad].

        Returns
        -------
        TurnedAway
            The angles [rad], 0 if no orientation was asked for.
        """
        wanted, (yaw, q) = self._question.orientation, configuration
        return TurnedAway(0.0, 0.0) if wanted is None else wanted.turned_away(sum(q), yaw)

    # --- solutions ---

    @property
    def configurations(self) -> list[Configuration]:
        """Every configuration at `nearest` if reachable, else []."""
        if not self.reachable:
            return []
        found = [one for way in self._deciding for one in way.solutions]
        return found if self._arm.leaning is None else distinct(found)

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
            The yaw angle and the joint angles [rad]; None if no way to the target is allowed.
        """
        is_beside = self._found.code is Code.OUT_OF_PLANE
        return None if is_beside else choose(self._question, self._ways, seed, policy, redundancy)

    def choose_nearest(
        self, seed: Configuration | None, policy: Policy, oriented: bool
    ) -> Configuration | None:
        """The one configuration at `nearest` that the policy chooses, so that an arm slides.

        At the edge of the workspace, leaning axes allow few of the configurations that parallel
        axes have there. So all configurations of parallel axes count there, and no joint has to
        jump. They miss `nearest` by up to twice the slack. An arm that is there already stays.

        Parameters
        ----------
        seed : Configuration or None
            The yaw angle and the joint angles to stay near to [rad].
        policy : Policy
            The branch, and what may give way.
        oriented : bool
            Whether the orientation of `nearest` is wanted, too.

        Returns
        -------
        Configuration or None
            The yaw angle and the joint angles [rad]; None if there is no `nearest`.
        """
        found, place = self.nearest_configuration, self._nearest_place
        if found is None or place is None:
            return None
        leaning = None if self._deciding else self._arm.leaning  # reached: it is not at the edge
        arm = self._arm if leaning is None else replace(self._arm, leaning=None)
        rotation = arm.tool.rotation(sum(found.q), found.yaw) if oriented else None
        there = Wanted(place, None, rotation, self._question.zones)
        wanted = there._replace(point=arm.tip_at(found)) if leaning else there
        near = SpatialReachability(Question(arm, wanted))
        chosen = near.choose(seed, policy, Redundancy()) or found
        return brought_to(there, self._arm, seed, chosen, policy) if leaning else chosen

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
            if self.is_tilted:
                return sentences.tilted(self._question, way)
            return sentences.not_oriented(self._question, self._ways, way, self._counted_nearest)
        reason = sentences.out_of_reach(self._question, self._ways, self.code, self._found.miss)
        if self._deciding:
            return sentences.not_above_floor(self._deciding[0], reason, self._counted_nearest)
        point, place, planar = self._question.point, self._nearest_place, self._arm.planar
        return with_nearest(reason, point, place, planar.max_reach, planar.floor is not None)

    @property
    def _counted_nearest(self) -> float:
        """The orientation in the plane of `nearest`, as answers count it [rad]; NaN without one."""
        nearest = self.nearest
        return math.nan if nearest is None else self._way_of_nearest.count(nearest.phi)

    # --- the nearest pose ---

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take.

        It is the target itself if that is reachable, otherwise the same position with the nearest
        orientation that works, otherwise the nearest reachable point. If axes are parallel only to
        rounding, that point is right to within twice the slack. None if the arm reaches no point.
        """
        found, place = self.nearest_configuration, self._nearest_place
        if found is None or place is None:
            return None
        return SpatialPose(*place, wrap(sum(found.q)), found.yaw)

    @cached_property
    def nearest_configuration(self) -> Configuration | None:
        """The configuration at `nearest`."""
        arm, question = self._arm, self._question
        if not (self._deciding or self._met) and arm.yaw is not None:
            seen = question.place.brought_within(FAR_AWAY * arm.planar.max_reach)
            return nearest_configuration(question, arm.yaw, seen)
        way = self._way_of_nearest
        if arm.leaning is not None and self._deciding:
            return self._nearest_on_true_axes
        q = way.found.nearest_joint_positions
        return None if q is None else Configuration(way.yaws[0], q)

    @property
    def margin(self) -> float:
        """Signed distance from the position to the workspace's boundary [m].

        Outside, this is minus the distance to `nearest`. Behind a yaw joint, a positive margin is
        certified: the same shoulder reaches every nearer point. NaN if the arm reaches none.
        """
        arm, question, slack = self._arm, self._question, self._arm.plane.slack
        if not self._deciding:
            nearest = self._nearest_place
            return math.nan if nearest is None else 0.0 - math.dist(question.point, nearest)
        if arm.yaw is None:
            return max(0.0, self._ways[0].found.margin - slack)
        yaw, place = arm.yaw, question.place
        margins = [margin(yaw, place, way.shoulder, way.found.margin) for way in self._met]
        return max(0.0, max(margins, default=0.0) - slack)

    @cached_property
    def _nearest_place(self) -> Point3 | None:
        """Position of `nearest` [m]: the target's where that is reached."""
        found, point = self.nearest_configuration, self._question.point
        if found is None or self._is_exact:
            return found and point
        tip = self._arm.tip_at(found)
        return point if self._deciding and math.dist(tip, point) <= CLOSES else tip

    @property
    def _way_of_nearest(self) -> WayToPoint:
        """The way that works and whose orientation is nearest to the one asked for."""
        if self._takes_target:
            deciding = [way for way in self._deciding if way.true is None or way.true.solutions]
            return least(deciding or self._deciding, lambda way: way.tilt, SAME_TILT)[0]
        some = self._question.reaching_position(self._ways) or self._deciding or self._met
        return least_rotated(self._question, some or self._ways)[0]

    @cached_property
    def _met(self) -> list[WayToPoint]:
        """The ways that reach the position if axes are parallel; leaning ones miss by the slack."""
        return [way for way in self._ways if way.yaws and way.found.position_reachable]

    @cached_property
    def _nearest_on_true_axes(self) -> Configuration | None:
        """The configuration at `nearest` on the true axes, with the position reached."""
        way = self._way_of_nearest
        if self._takes_target:
            return min(way.solutions, key=self.tilt_at, default=None)
        some = (one.true.least_turned for one in self._ways if one.true)
        found = [Configuration(*one) for its in some for one in its]
        if not found and (q := way.found.nearest_joint_positions):
            return Configuration(way.shoulder.yaw, q)
        return min(found, key=lambda one: rotation_at(self._question, one), default=None)
