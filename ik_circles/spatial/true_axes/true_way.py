# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""One shoulder of an arm whose axes are parallel only to rounding: what it reaches in truth.

Parallel axes decide where the limits are far away. Near them, corrected solutions decide.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from operator import sub
from typing import NamedTuple

from ik_circles.geometry.angles import ends, nearest_in, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.intervals import stand_ins
from ik_circles.geometry.rigid import Point3
from ik_circles.geometry.tolerances import STRAIGHT
from ik_circles.planar import selection
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.plane import TipOrientation
from ik_circles.spatial.true_axes.leaning import SAME_SOLUTION, ArmAngles, Leaning, Sought, distinct
from ik_circles.spatial.true_axes.yaw_on_limit import orientations_at
from ik_circles.spatial.yaw import Shoulder

#: The true axes may reach a place that parallel ones miss by up to this many times the slack [1].
NEARBY = 2.0


class AskedOfWay(NamedTuple):
    """The target of a way: `point` in space [m], the tool's `phi` in the plane [rad] and, if it was
    read from that, the `orientation` in space, that may be off by `tilt` [rad]; inside the `zones`.
    """

    point: Point3
    phi: float | None
    orientation: TipOrientation | None
    tilt: float
    zones: SafeZones


class TrueWay:
    """The solutions of a shoulder on the true axes; `found` is the answer of parallel ones."""

    def __init__(
        self,
        leaning: Leaning,
        asked: AskedOfWay,
        shoulder: Shoulder,
        yaws: list[float],
        found: Reachability,
    ) -> None:
        self.leaning, self._asked, self._yaws, self.found = leaning, asked, yaws, found
        self._place, self._yaw, yaw = shoulder.point, shoulder.yaw, leaning.plane.yaw
        self._outwards = yaw.from_axis(shoulder.point)[0] if yaw else 0.0
        self._tilts: dict[ArmAngles, float] = {}
        self._is_near = asked.zones.contains(
            math.hypot(*self._place), leaning.plane.slack
        ) and leaning.bounds.may_turn_to(shoulder.yaw, self._outwards)

    @cached_property
    def is_clear(self) -> bool:
        """Whether parallel axes are enough to tell that the target is reached."""
        if self._asked.phi is None:
            return self.position_is_clear
        some = self.found.solutions if self._yaw_is_clear and self.found.reachable else ()
        return any(map(self.leaning.bounds.is_clear, some))

    @cached_property
    def position_is_clear(self) -> bool:
        """Whether parallel axes are enough to tell that the position is reached."""
        if not (self._yaw_is_clear and self.found.position_reachable):
            return False
        intervals, widest = self.found.orientation_intervals, 2.0 * self.leaning.bounds.room
        return any(upper - lower > widest for lower, upper in intervals)

    @cached_property
    def is_met(self) -> bool:
        """Whether the target is reached."""
        if self.is_clear or self._asked.phi is None:
            return self.is_clear or bool(self.nearly)
        return next(self._with(self._asked.phi, self._asked.orientation), None) is not None

    @property
    def position_met(self) -> bool:
        """Whether corrected solutions reach the position, whatever the orientation."""
        return self.is_met or bool(self.nearly)

    @cached_property
    def _yaw_is_clear(self) -> bool:
        return bool(self._yaws) and self.leaning.bounds.is_yaw_clear(self._yaws[0], self._outwards)

    @cached_property
    def solutions(self) -> list[ArmAngles]:
        """Every solution; with any orientation, those with the first one that works."""
        if self._asked.phi is None:
            return self.nearly
        return self.with_orientation(self._asked.phi, self._asked.orientation)

    @cached_property
    def nearly(self) -> list[ArmAngles]:
        """Solutions at the position with the first orientation that works, wanted or not."""
        return next(filter(None, self._tried()), [])

    @property
    def least_turned(self) -> list[ArmAngles]:
        """Solutions at the position, of orientations that can be asked for if there are any; those
        with that nearest to the wanted one first."""
        q, phi = self.found.nearest_joint_positions, self._asked.phi or 0.0
        beside = [*self.with_orientation(sum(q)), *self.next_to(q, self.yaws)] if q else []
        some = self._kept(beside) or self._kept(chain.from_iterable(self._tried())) or beside
        return sorted(some, key=lambda one: abs(wrap(sum(one[1]) - phi)))

    def _kept(self, found: Iterable[ArmAngles]) -> list[ArmAngles]:
        """Those whose orientation there are solutions with."""
        return [one for one in found if self.with_orientation(sum(one[1]))]

    def on_branch(self, branch: str) -> list[ArmAngles]:
        """Solutions at the position with a named elbow, with one orientation or another.

        A yaw joint on its limit leaves only some orientations, of which parallel axes know nothing.
        Limits of several joints may leave a corner, next to which they are with opened limits.
        """
        found = chain.from_iterable(self._tried())
        some = distinct([one for one in found if selection.is_on_branch(one[1], branch)])
        if some or branch == selection.NEAREST or not self._is_near:
            return some
        opened = self.leaning.bounds.opened
        cornered = selection.orientations_of(opened.orientations, *self._place, branch)
        nearby = (opened.solver.solutions(*self._place, sum(one) / 2.0) for one in cornered)
        beside = (self.next_to(q, self.yaws) for q in chain.from_iterable(nearby))
        found = chain.from_iterable(beside)
        return distinct([one for one in found if selection.is_on_branch(one[1], branch)])

    def _tried(self) -> Iterator[list[ArmAngles]]:
        """Solutions at the position, with one orientation after the other, and in corners."""
        yield from (self.with_orientation(phi, loose=True) for phi in self._orientations())
        yield from (self.next_to(q, self.yaws) for q in self._cornered())

    def with_orientation(
        self, phi: float, orientation: TipOrientation | None = None, loose: bool = False
    ) -> list[ArmAngles]:
        """The solutions with an orientation in the plane [rad]; see `Sought`."""
        return distinct([*self._with(phi, orientation, loose)])

    def next_to_seed(self, seed: ArmAngles) -> list[ArmAngles]:
        """Solutions next to a seed: the seed, corrected, those next to what parallel axes have near
        it if their limits are opened, those with its yaw angle, or the limit next to it, and those
        with the orientations where reaching it begins or ends, if the shoulders meet there."""
        if not self._is_near:
            return []
        near = product(self._nearly_yaws, self._near(seed[1]))
        found = [self._corrected(self.leaning.angles(*one)) for one in (seed, *near)]
        yaw = self.leaning.plane.yaw
        yaws = [nearest_in(seed[0], yaw.limits), *self.meeting] if yaw else []
        for phi in self._orientations_at(yaws):
            found += self.with_orientation(phi)
        return [one for one in found if one]

    def _near(self, q: JointPositions) -> list[JointPositions]:
        """Angles of parallel axes near some, with limits opened by what the lean may ask for."""
        opened = self.leaning.bounds.opened
        orientations = [sum(q), *opened.orientations.near(*self._place, q)]
        found = (opened.solver.solutions(*self._place, phi, q) for phi in orientations)
        return [
            one
            for one in chain.from_iterable(found)
            if max(map(abs, map(sub, one, q))) <= selection.NEAR_SEED
        ]

    def next_to(self, q: JointPositions, yaws: Sequence[float]) -> list[ArmAngles]:
        """The solutions next to angles of parallel axes [rad], one for each turn of the yaw."""
        if not self._is_near:
            return []
        found = [self._corrected(self.leaning.angles(yaw, q)) for yaw in yaws or self.yaws]
        if any(found):
            return [one for one in found if one]
        some = self.with_orientation(sum(q), loose=True)
        changes = [max(map(abs, map(sub, its, q))) for _, its in some]
        return [one for one, its in zip(some, changes) if its <= min(changes) + SAME_SOLUTION]

    def _corrected(self, angles: Sequence[float]) -> ArmAngles | None:
        """The solution next to angles of parallel axes [rad], whatever the orientation.

        A straight elbow stays straight if it can. Where nothing else closes, all joints near a
        limit are put on it.
        """
        leaning, point = self.leaning, self._asked.point
        limits, found = leaning.limits, None
        lower, upper = limits[-2]
        if abs(math.sin(angles[-2])) <= STRAIGHT and lower <= angles[-2] <= upper:
            elbow = angles[-2], angles[-2]
            found = leaning.corrected(angles, point, [*limits[:-2], elbow, limits[-1]])
        on_limits = list(map(leaning.bounds.on_limit, angles, limits))
        return (
            found
            or leaning.corrected(angles, point, limits)
            or leaning.corrected(on_limits, point, limits)
        )

    @cached_property
    def yaws(self) -> list[float]:
        """Yaw angles inside the limits to look for solutions from [rad]."""
        return self._yaws or self._nearly_yaws

    @cached_property
    def _nearly_yaws(self) -> list[float]:
        """Yaw angles that correction may bring inside the limits [rad]."""
        yaw = self.leaning.plane.yaw
        return yaw.turns(self._yaw, self.leaning.bounds.room) if yaw else [0.0]

    @cached_property
    def tilt(self) -> float | None:
        """How far the tip is from the wanted orientation [rad]; None without a solution."""
        wanted = self._asked.orientation
        if wanted is None:
            return None
        return min((self._tilt_of(wanted, one) for one in self.solutions), default=None)

    @property
    def most_turned(self) -> float:
        """No correction turns the tip by more than this [rad]."""
        bounds = self.leaning.bounds
        return bounds.room if bounds.is_off_axis(self._outwards) else math.pi

    def _with(
        self, phi: float, orientation: TipOrientation | None = None, loose: bool = False
    ) -> Iterator[ArmAngles]:
        if not self._is_near:
            return iter(())
        sought = Sought(self._asked.point, phi, orientation, loose)
        found = self.leaning.solutions(sought, self._place, self._outwards)
        if orientation is None:
            return found
        most = self._asked.tilt + self.leaning.turns_on_limit
        return (one for one in found if self._tilt_of(orientation, one) <= most)

    def _tilt_of(self, wanted: TipOrientation, one: ArmAngles) -> float:
        """How far a solution is from the wanted orientation [rad]; it is kept."""
        if one not in self._tilts:
            self._tilts[one] = self.leaning.tilt(wanted, *one)
        return self._tilts[one]

    def _orientations(self) -> Iterator[float]:
        """Orientations in the plane to look for solutions with [rad], the best first."""
        found, slack = self.found, self.leaning.plane.slack
        if not self._is_near:
            return
        if found.position_reachable or found.margin >= -NEARBY * slack:
            nearest = found.nearest_joint_positions
            yield from () if nearest is None else (sum(nearest),)
        if found.position_reachable:
            yield from stand_ins(found.orientation_intervals)
            yield from self._at_ends_of_yaw()

    def _cornered(self) -> Iterator[JointPositions]:
        """Joint angles next to the position that may be next to limits, too [rad].

        Parallel axes may miss a corner of the limits by rounding: it is looked at by itself.
        """
        planar, near = self.leaning.planar, self.leaning.bounds.nearly
        nearest = self.found.nearest_joint_positions if self._is_near else None
        if nearest is None:
            return
        yield nearest
        for phi in chain.from_iterable(self.found.orientation_intervals):
            yield from planar.inverse_kinematics(*self._place, phi)
        for q1, q2, q3 in product(*map(ends, planar.limits)):
            if math.dist(planar.pose_at((q1, q2, q3))[:2], self._place) <= near:
                yield q1, q2, q3

    def _at_ends_of_yaw(self) -> Iterator[float]:
        """Orientations that may bring a yaw angle inside its limits, or the tip to a target that
        the plane hardly passes as near to the yaw axis as it is [rad].

        The yaw angle, and how near the tip passes, change a little with the orientation. If some
        works, so does one with the yaw angle where it ends: on a limit, or where both shoulders
        meet. Or all those of an elbow work.
        """
        leaning, yaw = self.leaning, self.leaning.plane.yaw
        yaws = [*self.meeting, *(yaw.ends() if yaw else ())]
        yield from self._orientations_at(yaws)
        if yaws:
            for found in leaning.planar.orientations.intervals_by_elbow(*self._place):
                yield from stand_ins(found) if found else ()

    def _orientations_at(self, yaws: Sequence[float]) -> Iterator[float]:
        """Orientations that may reach the target with the yaw joint at one of some angles [rad]."""
        target = self.leaning.plane.into(self._asked.point)
        return chain.from_iterable(orientations_at(self.leaning.chain, one, target) for one in yaws)

    @cached_property
    def meeting(self) -> list[float]:
        """The yaw angles with the target straight beside the true yaw axis, where its shoulders
        meet [rad]; none if it is far from there."""
        if self.leaning.plane.yaw is None or abs(self._outwards) > self.leaning.bounds.nearly:
            return []
        outwards, _, beside = self.leaning.seen(self.leaning.plane.into(self._asked.point))
        azimuth = math.atan2(beside, outwards)
        return [azimuth - math.pi / 2.0, azimuth + math.pi / 2.0]
