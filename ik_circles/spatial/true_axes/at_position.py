# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Where to look for solutions at a position if axes lean: with which orientations, and next to
which joint angles on limits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, product

import numpy as np

from ik_circles.geometry.angles import TURN, ends, where_turning_gives, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.intervals import nearest_orientation, stand_ins
from ik_circles.geometry.limits import turns_and_limits
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.families import family_corners
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.true_axes.aiming import Sought
from ik_circles.spatial.true_axes.folded_corners import FoldedCorners
from ik_circles.spatial.true_axes.leaning import Leaning
from ik_circles.spatial.true_axes.yaw_on_limit import orientations_at, place_at

#: The true axes may reach a place that parallel axes miss by up to this many times the slack [1].
NEARBY = 2.0


@dataclass(frozen=True, eq=False)
class AtPosition:
    """A position in space [m], seen by one shoulder: the yaw angle [rad], the position's place in
    the plane at that angle [m], and what parallel axes find there."""

    leaning: Leaning
    point: Point3
    yaw: float
    place: Point
    found: Reachability

    @cached_property
    def outwards(self) -> float:
        """How far the place is outwards from the yaw axis [m]."""
        yaw = self.leaning.plane.yaw
        return yaw.from_axis(self.place)[0] if yaw else 0.0

    def is_near(self, zones: SafeZones) -> bool:
        """Whether the lean may bring the tip there, inside the limits and some zones."""
        found, bounds = self.found, self.leaning.bounds
        # The ring of the links ends where their true axes let it end; one with a margin does not.
        beyond = self.leaning.plane.slack if zones.margin else bounds.at(self.outwards)
        if not zones.contains(math.hypot(*self.place), beyond):
            return False
        if not bounds.may_turn_to(self.yaw, self.outwards):
            return False
        return found.position_reachable or found.margin >= -bounds.nearly

    def orientations(self) -> Iterator[float]:
        """Orientations in the plane to look for solutions with [rad], the best first."""
        found, slack = self.found, self.leaning.plane.slack
        if found.position_reachable or found.margin >= -NEARBY * slack:
            nearest = found.nearest_joint_positions
            yield from () if nearest is None else (sum(nearest),)
        if found.position_reachable:
            yield from stand_ins(found.orientation_intervals)
        if found.position_reachable or self.meeting:
            yield from self._at_ends_of_yaw()
        yield from self.with_short_last_link()

    def turning(self) -> Iterator[float]:
        """Orientations at which a joint is on a limit or turns back [rad]: there, other joints may
        be past their limits by the least. They are those of parallel axes, also with wider limits.
        """
        leaning = self.leaning
        yield from leaning.planar.orientations.stationary(*self.place)
        for planar in (leaning.planar, leaning.bounds.opened):
            yield from planar.orientations.cuts(*self.place)
        if not leaning.bounds.tells_yaw(self.yaw, self.outwards):
            yield from self._at_ends_of_yaw()

    def corners(self) -> Iterator[JointPositions]:
        """Joint angles that bring the tip near the position, and may be near limits, too [rad].

        Parallel axes may miss a corner of the limits by rounding, so each corner is tried as well.
        """
        planar, near = self.leaning.planar, self.leaning.bounds.nearly
        nearest = self.found.nearest_joint_positions
        if nearest is None:
            return
        yield nearest
        kept = sum(nearest)
        if self.leaning.is_folded(self.place, kept, self.outwards):
            for corner in family_corners(planar, planar.wrist(*self.place, kept), kept):
                yield from self._turned(corner)
        yield from self._folded()
        for phi in chain.from_iterable(self.found.orientation_intervals):
            yield from planar.inverse_kinematics(*self.place, phi)
        for q1, q2, q3 in product(*map(ends, planar.limits)):
            if math.dist(planar.pose_at((q1, q2, q3))[:2], self.place) <= near:
                yield q1, q2, q3
        for found in self.leaning.bounds.opened.orientations.intervals_by_elbow(*self.place):
            yield from self._cornered(sum(one) / 2.0 for one in found)

    def cornered_within(self, most: float, phi: float) -> Iterator[JointPositions]:
        """`_cornered` where the orientation may differ from `phi` by less than an angle [rad].

        A corner is next to where the limits of two joints end orientations of parallel axes.
        """
        found = self.leaning.bounds.opened.orientations.of_point(*self.place)
        nearest = (nearest_orientation([one], phi) for one in found)
        tried = (*nearest, *self.leaning.planar.orientations.cuts(*self.place))
        return self._cornered(one for one in tried if abs(wrap(one - phi)) < most)

    def _cornered(self, orientations: Iterable[float]) -> Iterator[JointPositions]:
        """Joint angles of parallel axes with wider limits, with some orientations [rad].

        Limits of several joints may leave only a corner, which parallel axes do not show.
        """
        solve = self.leaning.bounds.opened.solver.solutions
        return chain.from_iterable(solve(*self.place, one) for one in orientations)

    def _folded(self) -> Iterator[JointPositions]:
        """The corners with a folded elbow, and with the elbow or the yaw joint on a limit."""
        leaning, (x, y) = self.leaning, self.place
        phi = math.atan2(y, x)
        has_link_3 = leaning.planar.link_lengths[2] > leaning.planar.tolerance
        if has_link_3 and leaning.is_folded(self.place, phi, self.outwards):
            target = leaning.plane.into(self.point)
            bounds, chain_of, limits = leaning.bounds, leaning.chain, leaning.limits
            found = FoldedCorners(bounds, chain_of, limits, target, self.yaw, phi)
            for q in found.angles():
                yield from self._turned(q)

    def _turned(self, q: JointPositions) -> Iterator[JointPositions]:
        """The turns of joint angles that correction may bring inside the limits [rad]."""
        room = self.leaning.bounds.room
        some = (turns_and_limits(*one, room) for one in zip(q, self.leaning.planar.limits))
        for (q1, _), (q2, _), (q3, _) in product(*some):
            yield q1, q2, q3

    def _at_ends_of_yaw(self) -> Iterator[float]:
        """Orientations that may bring a yaw angle inside its limits, or that may bring the tip as
        near to the yaw axis as the target is [rad].

        The yaw angle changes a little with the orientation, and so does the least distance of the
        tip from the yaw axis. If any orientation works, then one works that has the yaw angle at an
        end: on a limit, or where both shoulders meet. Otherwise all orientations of an elbow work.
        """
        leaning, yaw = self.leaning, self.leaning.plane.yaw
        yaws = [*self.meeting, *(yaw.ends() if yaw else ())]
        yield from self.orientations_at(yaws)
        yield from self._at_true_places()
        if yaws:
            for found in leaning.planar.orientations.intervals_by_elbow(*self.place):
                yield from stand_ins(found) if found else ()

    def with_short_last_link(self) -> Iterator[float]:
        """Orientations next to which a joint passes its limit, and in between, if the last link is
        shorter than the slack [rad]; else none.

        The tip is then on a small circle about the true axis of joint 3, and the other joints swing
        like sines of the orientation: three looks tell which.
        """
        leaning, slack = self.leaning, self.leaning.plane.slack
        if leaning.planar.link_lengths[2] > slack or self.found.margin < -NEARBY * slack:
            return
        sides = (1.0, -1.0) if leaning.plane.yaw else (1.0,)
        looks = np.array([0.0, TURN / 3.0, -TURN / 3.0])
        waves = np.array([2.0 * np.cos(looks), 2.0 * np.sin(looks), np.ones(3)]) / 3.0
        some = [Sought(self.point, phi) for phi in looks.tolist()]
        for side, elbow in product(sides, (0, 1)):
            aims = (leaning.aiming.closed_form(one, side, elbow) for one in some)
            angles = np.array([leaning.angles(one.yaw, one.q)[:-1] for one in aims])
            angles = angles[0] + np.vectorize(wrap)(angles - angles[0])
            cuts = [0.0]
            for (cosine, sine, middle), limits in zip((waves @ angles).T.tolist(), leaning.limits):
                for end in ends(limits):
                    cuts += where_turning_gives(cosine, sine, wrap(end - middle))
            cuts.sort()
            for cut, other in pairwise([*cuts, cuts[0] + TURN]):
                yield from (cut, (cut + other) / 2.0)

    def _at_true_places(self) -> Iterator[float]:
        """Orientations of parallel axes at the places to which the true yaw axis brings the
        position, where the shoulders nearly meet [rad].

        Parallel axes find the place beside these, by up to the square root of the slack, and a
        stretched arm reaches each of them with another orientation.
        """
        leaning, nearest = self.leaning, self.found.nearest_joint_positions
        if nearest is None or not self.meeting:
            return
        target = leaning.plane.into(self.point)
        for side in (1.0, -1.0):
            yaw = leaning.aiming.look(nearest, leaning.aiming.seen(target), side).yaw
            x, y, _ = place_at(leaning.chain, yaw, target)
            there = leaning.planar.check_reachability(x, y).nearest_joint_positions
            yield from () if there is None else (sum(there),)

    def orientations_at(self, yaws: Sequence[float]) -> Iterator[float]:
        """Orientations that may reach the target with the yaw joint at one of some angles [rad]."""
        target = self.leaning.plane.into(self.point)
        return chain.from_iterable(orientations_at(self.leaning.chain, one, target) for one in yaws)

    @cached_property
    def meeting(self) -> list[float]:
        """The yaw angles at which the target is straight beside the true yaw axis, where its
        shoulders meet [rad]; none if the target is far from there."""
        if self.leaning.plane.yaw is None or abs(self.outwards) > self.leaning.bounds.nearly:
            return []
        outwards, _, beside = self.leaning.aiming.seen(self.leaning.plane.into(self.point))
        azimuth = math.atan2(beside, outwards)
        return [azimuth - math.pi / 2.0, azimuth + math.pi / 2.0]
