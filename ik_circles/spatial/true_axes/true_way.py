# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What one shoulder of an arm really reaches if its axes are parallel only up to rounding.

Far from the limits, parallel axes decide. Near them, corrected solutions decide.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, product
from operator import sub
from typing import NamedTuple

from ik_circles.geometry.angles import nearest_in, wrap
from ik_circles.geometry.cached import KeptItems, cached_property
from ik_circles.geometry.rigid import Point3
from ik_circles.geometry.tolerances import STRAIGHT
from ik_circles.planar import selection
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.plane import TipOrientation
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.true_axes.aiming import Sought
from ik_circles.spatial.true_axes.at_position import AtPosition
from ik_circles.spatial.true_axes.hinges import FIRST_LOOKS, MOST_LOOKS
from ik_circles.spatial.true_axes.leaning import SAME_SOLUTION, ArmAngles, Leaning, distinct


class AskedOfWay(NamedTuple):
    """The target of a way: a `point` in space [m] inside the `zones`, and the tool's `phi` in the
    plane [rad]. If `phi` was read from an `orientation` in space, that may be off by `tilt` [rad].
    """

    point: Point3
    phi: float | None
    orientation: TipOrientation | None
    tilt: float
    zones: SafeZones


class TrueWay:
    """The solutions of a shoulder on the true axes; `found` is the answer for parallel axes."""

    def __init__(
        self,
        leaning: Leaning,
        asked: AskedOfWay,
        shoulder: Shoulder,
        yaws: list[float],
        found: Reachability,
    ) -> None:
        self.leaning, self._asked, self._yaws, self.found = leaning, asked, yaws, found
        self._place, self._yaw = shoulder.point, shoulder.yaw
        # The same is asked again and again: for the verdict, and for each candidate of a choice.
        self._tilts: dict[ArmAngles, float] = {}
        self._known: dict[tuple[Sought, bool], KeptItems[ArmAngles]] = {}
        self._next: dict[tuple[Sequence[float], int], ArmAngles | None] = {}
        self.at = AtPosition(leaning, asked.point, shoulder.yaw, shoulder.point, found)
        self._outwards = self.at.outwards

    @cached_property
    def is_near(self) -> bool:
        """Whether correction may bring the tip to the position, inside the limits and zones."""
        return self.at.is_near(self._asked.zones)

    @cached_property
    def is_clear(self) -> bool:
        """Whether the answer for parallel axes proves that the target is reached."""
        if self._asked.phi is None:
            return self.position_is_clear
        some = self.found.solutions if self._yaw_is_clear and self.found.reachable else ()
        return any(map(self.leaning.bounds.is_clear, some))

    @cached_property
    def position_is_clear(self) -> bool:
        """Whether the answer for parallel axes proves that the position is reached."""
        intervals = self.found.orientation_intervals if self._yaw_is_clear else ()
        room = self.leaning.bounds.room_of_orientations
        return any(upper - lower > 2.0 * room for lower, upper in intervals)

    @cached_property
    def is_met(self) -> bool:
        """Whether the target is reached."""
        if self.is_clear or self._asked.phi is None:
            return self.is_clear or bool(self.nearly)
        sought = Sought(self._asked.point, self._asked.phi, self._asked.orientation)
        return next(self._sought(sought), None) is not None

    @property
    def position_met(self) -> bool:
        """Whether corrected solutions reach the position, whatever the orientation."""
        return self.is_met or bool(self.nearly)

    def may_turn_by(self, angle: float) -> bool:
        """Whether correction may turn the tip by an angle [rad]: by any, next to the yaw axis."""
        bounds = self.leaning.bounds
        return angle <= bounds.room or not bounds.is_off_axis(self._outwards)

    @property
    def tells_yaw(self) -> bool:
        """Whether parallel axes tell if the yaw joint is past a limit."""
        return self.leaning.bounds.tells_yaw(self._yaw, self._outwards)

    @cached_property
    def _yaw_is_clear(self) -> bool:
        return bool(self._yaws) and self.leaning.bounds.is_yaw_clear(self._yaws[0], self._outwards)

    @cached_property
    def solutions(self) -> list[ArmAngles]:
        """Every solution; if any orientation will do, those with the first one that works."""
        if self._asked.phi is None:
            return self.nearly
        return self.with_orientation(self._asked.phi, self._asked.orientation)

    def solutions_near(self, near: JointPositions) -> list[ArmAngles]:
        """`solutions`, but only the member of a family nearest to these angles of the three [rad].
        """
        phi = self._asked.phi
        if phi is None or not self.leaning.is_folded(self._place, phi, self._outwards):
            return self.solutions
        return self.with_orientation(phi, self._asked.orientation, near=near)

    @cached_property
    def nearly(self) -> list[ArmAngles]:
        """Solutions at the position with the first orientation that works, wanted or not."""
        return next(filter(None, self._tried()), [])

    @cached_property
    def least_turned(self) -> list[ArmAngles]:
        """The solutions at the position whose orientation in the plane is the nearest to the wanted
        one, of those that can be asked for if there are any; the nearest comes first."""
        q, phi = self.found.nearest_joint_positions, self._asked.phi or 0.0
        if as_wanted := self.with_orientation(phi):
            return as_wanted
        beside = [*self.with_orientation(sum(q)), *self.next_to(q, self.yaws)] if q else []
        some = self._kept(beside) or self._kept(chain.from_iterable(self._tried())) or beside
        some += self._kept(self.in_corners(phi, some))

        def turned(one: ArmAngles) -> float:
            return abs(wrap(sum(one[1]) - phi))

        return selection.least(sorted(some, key=turned), turned, self.leaning.turns_on_limit)

    def in_corners(self, phi: float, some: Sequence[ArmAngles]) -> list[ArmAngles]:
        """Solutions in corners of the limits, which parallel axes do not show, where these may be
        nearer to an orientation in the plane than some solutions are [rad]."""
        if not self.is_near:
            return []
        least = min((abs(wrap(sum(q) - phi)) for _, q in some), default=math.inf)
        return self._next_to_all(self.at.cornered_within(least - self.leaning.turns_on_limit, phi))

    def _kept(self, found: Iterable[ArmAngles]) -> list[ArmAngles]:
        """Those with an orientation that gives solutions when it is asked for."""
        point = self._asked.point
        return [one for one in found if next(self._sought(Sought(point, sum(one[1]))), None)]

    def on_branch(self, branch: str) -> list[ArmAngles]:
        """Solutions at the position on a branch, with any orientation.

        A yaw joint on its limit leaves only some orientations, which parallel axes do not show.
        """
        found = chain.from_iterable(self._tried())
        if branch == selection.NEAREST:
            return distinct([*found])
        return distinct([one for one in found if self._bends(one, branch)])

    def _bends(self, one: ArmAngles, branch: str) -> bool:
        """Whether a solution is on a branch, and not only because its elbow is straight or folded.
        """
        other = selection.ELBOWS[1 - selection.ELBOWS.index(branch)]
        return not selection.is_on_branch(one[1], other, self.leaning.lean)

    def _next_to_all(self, some: Iterable[JointPositions]) -> list[ArmAngles]:
        return [*chain.from_iterable(self.next_to(q, self.yaws) for q in some)]

    def _tried(self) -> Iterator[list[ArmAngles]]:
        """Solutions at the position, for one orientation after another, then next to corners."""
        if self.is_near:
            tried = self.at.orientations()
            yield from (self.with_orientation(phi, loose=True) for phi in tried)
            yield from (self.next_to(q, self.yaws) for q in self.at.corners())

    def with_orientation(
        self,
        phi: float,
        orientation: TipOrientation | None = None,
        loose: bool = False,
        near: JointPositions | None = None,
    ) -> list[ArmAngles]:
        """The solutions with an orientation in the plane [rad]; see `Sought`."""
        return distinct([*self._sought(Sought(self._asked.point, phi, orientation, loose, near))])

    def next_to_seed(self, seed: ArmAngles) -> list[ArmAngles]:
        """Solutions next to a seed.

        These are: the seed itself, corrected, also whatever the limits, which a joint that is on
        one would not leave; those next to solutions of parallel axes with wider limits near the
        seed; those with the seed's yaw angle, put inside the limits; and those with the yaw angles
        at which shoulders meet, or with a joint on its limit and a short last link.
        """
        if not self.is_near:
            return []
        start = self.leaning.angles(*seed)
        starts = start, self.leaning.freely(start, self._asked.point)
        found = [*map(self._corrected, starts)]
        for yaw, q in product(self._nearly_yaws, self._near(seed[1])):
            found.append(self._corrected(self.leaning.angles(yaw, q)))
        turns = self.leaning.plane.yaw
        yaws = [nearest_in(seed[0], turns.limits), *self.at.meeting] if turns else []
        for phi in chain(self.at.orientations_at(yaws), self.at.with_short_last_link()):
            found += self.with_orientation(phi)
        return [one for one in found if one]

    def _near(self, q: JointPositions) -> list[JointPositions]:
        """Angles of parallel axes near `q`, with limits wider by as much as the lean may need."""
        opened = self.leaning.bounds.opened
        orientations = [sum(q), *opened.orientations.near(*self._place, q)]
        found = (opened.solver.solutions(*self._place, phi, q) for phi in orientations)
        turned = (selection.turned_to(opened, one, q) for one in chain.from_iterable(found))
        return [one for one in turned if max(map(abs, map(sub, one, q))) <= selection.NEAR_SEED]

    def next_to(self, q: JointPositions, yaws: Sequence[float]) -> list[ArmAngles]:
        """Solutions next to angles of parallel axes [rad], one for each turn of the yaw joint."""
        if not self.is_near:
            return []
        starts = [self.leaning.angles(yaw, q) for yaw in yaws or self.yaws]
        if found := [*filter(None, map(self._corrected, starts))]:
            return found
        some = self.with_orientation(sum(q), loose=True)
        if not some:  # many corrections may lead far away
            return [*filter(None, (self._corrected(one, MOST_LOOKS) for one in starts))]
        some = [(yaw, selection.turned_to(self.leaning.planar, its, q)) for yaw, its in some]
        changes = [max(map(abs, map(sub, its, q))) for _, its in some]
        return [one for one, its in zip(some, changes) if its <= min(changes) + SAME_SOLUTION]

    def _corrected(self, angles: Sequence[float], most: int = FIRST_LOOKS) -> ArmAngles | None:
        if (angles, most) not in self._next:
            self._next[angles, most] = self._newly_corrected(angles, most)
        return self._next[angles, most]

    def _newly_corrected(self, angles: Sequence[float], most: int) -> ArmAngles | None:
        """The solution next to angles of parallel axes [rad], whatever the orientation.

        A straight elbow stays straight if it can. Where nothing else closes, all joints near a
        limit are put on it, or one of them.
        """
        leaning, limits, found = self.leaning, self.leaning.limits, None
        corrected = partial(leaning.corrected, point=self._asked.point, most=most)
        elbow = angles[-2]
        if abs(math.sin(elbow)) <= STRAIGHT and nearest_in(elbow, limits[-2]) == elbow:
            found = corrected(angles, limits=[*limits[:-2], (elbow, elbow), limits[-1]])
        on_limits = list(map(leaning.bounds.on_limit, angles, limits))
        return (
            found
            or corrected(angles, limits=limits)
            or corrected(on_limits, limits=limits)
            or next(filter(None, leaning.with_one_on_limit(angles, self._asked.point, most)), None)
        )

    @cached_property
    def yaws(self) -> list[float]:
        """Yaw angles inside the limits to look for solutions from [rad]."""
        return self._yaws or self._nearly_yaws

    @cached_property
    def _nearly_yaws(self) -> list[float]:
        """Yaw angles that correction may bring inside the limits [rad]."""
        yaw = self.leaning.plane.yaw
        return yaw.turns(self._yaw, self.leaning.bounds.room) if yaw else self._yaws

    @cached_property
    def tilt(self) -> float | None:
        """How far the tip is from the wanted orientation [rad]; None without a solution."""
        wanted = self._asked.orientation
        if wanted is None:
            return None
        return min((self._tilt_of(wanted, one) for one in self.solutions), default=None)

    def _sought(self, sought: Sought) -> Iterator[ArmAngles]:
        orientation, most = sought.orientation, self._asked.tilt + self.leaning.turns_on_limit

        def counts(one: ArmAngles) -> bool:
            return orientation is None or self._tilt_of(orientation, one) <= most

        key = sought._replace(orientation=None), orientation is None
        if self.is_near and key not in self._known:
            found = self.leaning.solutions(sought, self._place, self._outwards, counts)
            self._known[key] = KeptItems(found)
        return iter(self._known.get(key, ()))

    def _tilt_of(self, wanted: TipOrientation, one: ArmAngles) -> float:
        """How far a solution is from the wanted orientation [rad]; the figure is remembered."""
        if one not in self._tilts:
            self._tilts[one] = self.leaning.tilt(wanted, *one)
        return self._tilts[one]
