# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A full pose of the tip: every way of the whole arm to take it.

The orientation determines where the wrist center is. Each shoulder brings the center into the
plane. There, the orientation gives the wrist's angles and that of the last link, and two circles
give the rest.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.rigid import Point3, Rotation, Rows, rows_of
from ik_circles.planar.selection import ELBOWS
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE
from ik_circles.spatial.poses.aims import (
    Aim,
    WayToPose,
    is_out_of_plane,
    is_out_of_reach,
    most_tilt,
)
from ik_circles.spatial.poses.corrections import next_to_seed
from ik_circles.spatial.poses.free_members import (
    first_solved,
    is_free_on_axis,
    singular_shoulders,
    yaws_on_axis,
)
from ik_circles.spatial.poses.just_met import shoulders_by_rounding
from ik_circles.spatial.poses.way_solutions import corrected, plain, tilted, turned_by_much
from ik_circles.spatial.poses.ways import ways_of, ways_on_axis, ways_with_axis_in_plane
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.poses.whole_floor import is_above_floor, keeps_off_zones
from ik_circles.spatial.shoulder import Shoulder, ShoulderAtYaws
from ik_circles.spatial.true_axes.bounds import CLOSES
from ik_circles.spatial.true_axes.leaning import SAME_SOLUTION
from ik_circles.spatial.wrist import FROM_ROUNDING, ROUNDING

#: `SAME_SOLUTION` for leaning axes, where joints move by the root of rounding at a straight elbow
#: [rad].
SAME_OF_LEANING = 1e-4
#: Rounding that moves a joint by more than this may put it farther past its limit than the closed
#: form of the plane forgives [rad].
DOUBTFUL = 1e-13


def angles_at(
    arm: WholeArm, point: Point3, rotation: Rows, tilt_tolerance: float, near: Whole | None = None
) -> Sequence[Sequence[float]]:
    """The angles of the chain in the solutions of a `FullPose` [rad], mostly without making one."""
    if arm.floor is None:
        found = arm.ordinary.solutions(
            point, arm.wrist.sight(rotation), near, tilt_tolerance, OUT_OF_PLANE_TOLERANCE
        )
        if found is not None:
            return found
    return FullPose(arm, point, rotation, tilt_tolerance, near).angles


class FullPose:
    """A pose of the tip: a point in space [m] and an orientation (3x3).

    `ways` are its shoulders and postures, those that face the wrist center first.

    With a single wrist joint, the direction of its axis may leave the plane by `tilt_tolerance`
    [rad]. The tip must be inside the safe zones, shrunk by `margin` [m], of the arm whose wrist is
    as in the pose. Without a yaw joint, the tip may be `room` beside the plane [m]. Where
    the pose leaves a joint free, `near` decides. For `missed`, see `Aim`.
    """

    def __init__(
        self, arm: WholeArm, point: Point3, rotation: Rotation, tilt_tolerance: float,
        near: Whole | None = None, margin: float = 0.0, room: float = OUT_OF_PLANE_TOLERANCE,
        missed: float = ROUNDING,
    ) -> None:  # fmt: skip
        rows, start = rows_of(rotation), arm.home if near is None else near
        sight = arm.wrist.sight(rows)
        self.aim = Aim(arm, point, rows, sight, tilt_tolerance, start, margin, room, missed)
        # The safe zones make no difference to the angles of an ordinary pose.
        self._ordinary = arm.ordinary.solutions(point, sight, near, tilt_tolerance, room)
        #: Whether rounding and the lean of axes decide nothing.
        self.is_ordinary = self._ordinary is not None
        #: Whether no axis leans, either: `solutions` have the orientation up to rounding.
        self.is_exact = self.is_ordinary and not arm.is_leaning

    def seen_from(self, near: Whole) -> 'FullPose':
        """The same pose, with each joint at the turn nearest to another configuration."""
        return self._of(self.aim._replace(near=near))

    @property
    def margin(self) -> float:
        """How far inside the safe zones the tip has to be [m]."""
        return self.aim.margin

    @cached_property
    def center(self) -> Point3:
        """The wrist center [m]."""
        return self.aim.arm.wrist.center_at(self.aim.point, self.aim.rotation)

    @cached_property
    def from_zero(self) -> Rows:
        """The rotation of the chain, from where its joints are at 0, that gives the orientation
        (3x3)."""
        return self.aim.arm.from_zero(self.aim.rotation)

    @property
    def without_floor(self) -> 'FullPose':
        """The same pose of the arm without its floor."""
        return self.of(self.aim.arm.without_floor)

    def of(self, arm: WholeArm) -> 'FullPose':
        """The same pose of an arm with other limits, or without its floor."""
        return self._of(self.aim._replace(arm=arm))

    def _of(self, aim: Aim) -> 'FullPose':
        """This pose with some of its aim changed."""
        arm, point, rotation, _, tilt, near, margin, room, missed = aim
        return FullPose(arm, point, rotation, tilt, near, margin, room, missed)

    @property
    def angles(self) -> Sequence[Sequence[float]]:
        """The angles of the chain in `solutions` [rad]."""
        if self._ordinary is None or self.margin or self.aim.arm.floor is not None:
            return [*map(self.aim.arm.angles, self.solutions)]
        return self._ordinary

    def angles_near(self, near: Whole) -> Sequence[Sequence[float]]:
        """`angles`, with each joint at the turn nearest to another configuration [rad]."""
        if near == self.aim.near:
            return self.angles
        if self.angles is self._ordinary:
            there = self.aim.arm.ordinary.turned(self.angles, near)
            if there is not None:
                return there
        return self.seen_from(near).angles

    @cached_property
    def solutions(self) -> list[Whole]:
        """Every configuration inside the limits, each joint at the turn nearest to `near`."""
        if self._ordinary is None:
            return self.solutions_in_general()
        return self._allowed([*map(self.aim.arm.of_angles, self._ordinary)])

    def solutions_in_general(self) -> list[Whole]:
        """`solutions`, with a closer look, whether rounding may decide or not."""
        if self._has_free_yaw:
            at_yaws = groupby(self.allowed_ways, key=lambda way: way.shoulder.yaw)
            ways = [(yaw, list(some)) for yaw, some in at_yaws]
            found = first_solved(ways, self._solutions_of, self.aim.near)
        else:
            found = self._solutions_of(self.allowed_ways)
            found = found or self._solutions_of([*self._allowed_by_rounding()])
        return found or self._nearly

    @property
    def _nearly(self) -> list[Whole]:
        """Solutions that miss the pose by as much as those next to a seed may."""
        aim = self.aim  # the lean of axes moves joints by more anyway
        if aim.missed == CLOSES or aim.arm.is_leaning or not any(w.is_loose for w in self.ways):
            return []
        return self._of(aim._replace(missed=CLOSES)).solutions_in_general()

    def _solutions_of(self, ways: Sequence[WayToPose]) -> list[Whole]:
        return self._allowed(self._whatever_the_zones(ways))

    def _allowed(self, found: list[Whole]) -> list[Whole]:
        """The solutions among them that are inside the safe zones and above the floor."""
        arm = self.aim.arm
        if arm.floor is not None:
            found = [one for one in found if is_above_floor(arm, one, self.aim.point)]
        if not self.margin:
            return found
        return [one for one in found if keeps_off_zones(arm, one, self.margin)]

    def _whatever_the_zones(self, ways: Sequence[WayToPose]) -> list[Whole]:
        """The solutions of the ways; of those that differ only by whole turns, the nearest one."""
        closed: list[Whole] = []
        doubtful: list[tuple[WayToPose, list[Whole]]] = []
        for way in ways:
            found = self._closed_form(way)
            if self._is_doubtful(way, len(found)):
                doubtful.append((way, found))
            closed += found
        same = max([SAME_SOLUTION, *(FROM_ROUNDING * way.elbow_rounded for way, _ in doubtful)])
        if self.aim.arm.is_leaning:  # they pick some of what exact axes leave free, or loose
            same = max(SAME_OF_LEANING, min(same, self._rounded_of_leaning))
        also = chain.from_iterable(corrected(self.aim, *one) for one in doubtful)
        if any(way.is_loose for way in ways) or (self.aim.arm.is_leaning and self.has_free_joint):
            also = chain(next_to_seed(self.aim), also)
        found = self._distinct(chain(closed, also), same)
        if found:
            return found
        also = chain.from_iterable(turned_by_much(self.aim, way) for way, _ in doubtful)
        return self._distinct(also, same)

    @property
    def _rounded_of_leaning(self) -> float:
        """How far rounding moves what leaning axes pick [rad]; at a straight elbow, its root
        counts."""
        carrier = self.aim.arm.carrier
        return math.sqrt(FROM_ROUNDING * ROUNDING * carrier.planar.max_reach / carrier.plane.slack)

    def _closed_form(self, way: WayToPose) -> list[Whole]:
        if self.aim.arm.is_leaning:
            return []
        return plain(self.aim, way) if way.is_level else tilted(self.aim, way)

    def _is_doubtful(self, way: WayToPose, count: int) -> bool:
        """Whether correction decides, with this many solutions of the closed form."""
        # With a tilted plane, the other elbow may still be possible with a joint on its limit.
        lacks_one = not way.is_level and count < len(ELBOWS)
        may_change = lacks_one or way.elbow_rounded > DOUBTFUL or self.aim.arm.is_leaning
        return may_change and not is_out_of_reach(self.aim, way)

    def _distinct(self, some: Iterable[Whole], same: float) -> list[Whole]:
        found: list[Whole] = []
        near = self.aim.near
        for one in some:
            twins = [i for i, other in enumerate(found) if one.is_same(other, same)]
            if not twins:
                found.append(one)
            elif one.change(near) < found[twins[0]].change(near):
                found[twins[0]] = one
        return found

    @cached_property
    def allowed_ways(self) -> list[WayToPose]:
        """The ways that may have the tip there, in an orientation that is near enough."""
        found = [way for way in self.ways if self._is_allowed(way)]
        if self.is_exact or self.aim.arm.wrist.has_two:
            return found
        return [*found, *ways_with_axis_in_plane(self.aim, self.center, self.in_plane)]

    def _is_allowed(self, way: WayToPose) -> bool:
        if is_out_of_plane(self.aim, way.posture.wrist):
            return False
        return way.is_level or way.posture.tilt <= most_tilt(self.aim, way)

    def _allowed_by_rounding(self) -> Iterator[WayToPose]:
        """More ways than `allowed_ways`, where rounding turns the plane."""
        for one in shoulders_by_rounding(self.aim, self.center, self.in_plane):
            yield from filter(self._is_allowed, ways_of(self.aim, *one, is_next_to_axis=False))

    # --- ways ---

    @cached_property
    def in_plane(self) -> list[ShoulderAtYaws]:
        """The shoulders of the wrist center; on the yaw axis, one stands for all."""
        return self.aim.arm.carrier.plane.shoulders(self.center)

    @property
    def has_free_joint(self) -> bool:
        """Whether the pose leaves a joint free."""
        return not self.is_ordinary and (self._has_free_yaw or any(w.is_free for w in self.ways))

    @property
    def _has_free_yaw(self) -> bool:
        return self._is_on_axis and is_free_on_axis(self.aim.arm, self.aim.sight)

    @property
    def _is_on_axis(self) -> bool:
        """Whether the wrist center is on the yaw axis."""
        return bool(self.in_plane) and self.in_plane[0][0].on_axis

    @property
    def _is_next_to_axis(self) -> bool:
        """Whether leaning axes may have the wrist center on the yaw axis."""
        arm = self.aim.arm
        return arm.is_leaning and arm.carrier.plane.is_next_to_axis(self.center)

    @cached_property
    def ways(self) -> list[WayToPose]:
        """The shoulders and postures."""
        if self.is_exact:
            postures, sight = self.aim.arm.wrist.postures, self.aim.sight
            return [
                WayToPose(shoulder, yaws, posture, ROUNDING, ROUNDING, False)
                for shoulder, yaws in self.in_plane
                for posture in postures(sight, shoulder.yaw)
            ]
        aim, is_next = self.aim, self._is_next_to_axis
        found = [way for one in self._shoulders() for way in ways_of(aim, *one, is_next)]
        return [*found, *ways_on_axis(aim)] if is_next and aim.arm.wrist.has_two else found

    def _shoulders(self) -> list[ShoulderAtYaws]:
        """The shoulders of the wrist center; on the yaw axis, those that may solve the pose."""
        arm, yaw = self.aim.arm, self.aim.arm.carrier.yaw
        if yaw is None or not (self._is_on_axis or self._is_next_to_axis):
            return [*self.in_plane, *singular_shoulders(self.aim, self.center, self.in_plane)]
        place = yaw.place_of(*arm.carrier.plane.into(self.center))
        point = yaw.in_plane(0.0, place.height)
        # Its own limits: of a joint with a range of more than a turn, not every turn is inside.
        angles = yaws_on_axis(self.aim, yaw._replace(limits=arm.limits[0]), point)
        found = [(Shoulder(angle, point), [angle]) for angle in angles]
        return found if self._is_on_axis else [*found, *self.in_plane]
