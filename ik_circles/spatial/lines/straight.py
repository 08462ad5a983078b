# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines in space: the plane follows the line, and in it one branch of the three joints."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import sub

import numpy as np

from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.lines.branch import Branch
from ik_circles.planar.lines.straight import followed
from ik_circles.planar.lines.track import Cause, End, PlaneWay, Stop
from ik_circles.planar.lines.turning_branch import RatedWay
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, Configuration, SpatialArm
from ik_circles.spatial.lines.turned_way import TurnedWay
from ik_circles.spatial.yaw import Yaw

#: A place within this many roundings of the yaw axis may be on either side of it [1].
EITHER_SIDE = 100.0


@dataclass(frozen=True, eq=False)
class SpatialLine:
    """A line from where the tip is to a target [m], on the branch of a configuration."""

    arm: SpatialArm
    start: Configuration
    target: Point3
    orientation: str

    @cached_property
    def start_point(self) -> Point3:
        """Where the tip is at the start [m]."""
        return self.arm.tip_at(self.start)

    @cached_property
    def branch(self) -> Branch:
        """The branch that is followed."""
        return self._followed[0]

    @property
    def breaks(self) -> tuple[float, ...]:
        """The shares at which another rule begins to decide the orientation."""
        return self.branch.breaks

    @cached_property
    def end(self) -> End:
        """How far the branch can be followed, and why it ends there."""
        end = self._followed[1]
        off, room = self._off, OUT_OF_PLANE_TOLERANCE + self.arm.plane.slack
        if off > room and room / off < end.share:
            return End(room / off, Stop(Cause.OUT_OF_PLANE, figures=(off,)))
        return end

    @property
    def turned(self) -> float:
        """How far the yaw joint turns on what can be followed of the line [rad].

        A plane meets a line once, or holds it. So the plane turns in one direction, or not at all.
        """
        way, share = self.branch.way, self.end.share
        return abs(way.yaw_at(share) - way.yaw_at(0.0)) if isinstance(way, TurnedWay) else 0.0

    @cached_property
    def _followed(self) -> tuple[Branch, End]:
        planar = above_within(self.arm.planar, self.arm.plane.slack)
        return followed(planar.solver, self._ways(), self.start.q, self.orientation)

    @property
    def _off(self) -> float:
        """How far the target is beside a plane that no joint turns [m]."""
        return 0.0 if self.arm.yaw is not None else abs(self.arm.plane.into(self.target)[2])

    @cached_property
    def _shifted(self) -> Point3:
        """The target for parallel axes: shifted by as much as the start is on the true axes [m].

        The error of parallel axes hardly changes along a line.
        """
        if self.arm.leaning is None:
            return self.target
        tip = self.arm.planar.pose_at(self.start.q)
        parallel = self.arm.plane.point_at(tip.x, tip.y, self.start.yaw)
        x, y, z = (a + b - c for a, b, c in zip(self.target, parallel, self.start_point))
        return x, y, z

    def _ways(self) -> Sequence[RatedWay]:
        """The ways of the tip in the plane: one for each shoulder that the start may belong to."""
        tip = self.arm.planar.pose_at(self.start.q)
        x, y, off = self.arm.plane.into(self._shifted)
        if self.arm.yaw is None:
            return [PlaneWay((tip.x, tip.y), (x - tip.x, y - tip.y))]
        return ways_of(self.arm.yaw, (tip.x, tip.y), self.start.yaw, (x, y, off))

    def configuration(self, share: float) -> Configuration:
        """The configuration at a share of the line, inside the limits [rad].

        If axes lean, the configuration of parallel axes is corrected. Where this puts a joint on
        its limit, the others could make up for it only by moving far: the line has ended there.
        """
        way, q = self.branch.way, self.branch.joints(share)
        yaw = self.start.yaw
        if isinstance(way, TurnedWay):
            lower, upper = way.yaw.limits
            yaw = min(max(way.yaw_at(share), lower), upper)
        leaning = self.arm.without_floor.leaning
        if leaning is None or share == 0.0:
            return Configuration(yaw, q)
        x, y, z = (a + share * (b - a) for a, b in zip(self.start_point, self.target))
        parallel = leaning.angles(yaw, q)
        found = leaning.corrected(parallel, (x, y, z), leaning.limits)
        if found is None:
            return Configuration(yaw, q)
        moved = max(map(abs, map(sub, leaning.angles(*found), parallel)))
        is_same = moved <= leaning.bounds.of_miss(self.arm.plane.slack)
        return Configuration(*found) if is_same else Configuration(yaw, q)

    def rows(self, shares: Floats) -> Floats:
        """The angles at many shares (N,): a row each, the yaw joint's first if there is one [rad].
        """
        if self.arm.without_floor.leaning is None:
            way, q = self.branch.way, self.branch.rows(shares)
            if not isinstance(way, TurnedWay):
                return q
            return np.column_stack((np.clip(way.yaws_at(shares), *way.yaw.limits), q))
        every = map(self.configuration, shares.tolist())
        return np.array([q if self.arm.yaw is None else (yaw, *q) for yaw, q in every])


def above_within(arm: PlanarArm, slack: float) -> PlanarArm:
    """The same arm with its floor, if any, lower by what leaning axes may do to heights [m]."""
    floor = arm.floor
    if floor is None or slack == 0.0:
        return arm
    return replace(arm, floor=replace(floor, height=floor.height - slack))


def ways_of(
    yaw: Yaw, start: tuple[float, float], angle: float, target: Point3
) -> list[TurnedWay]:
    """The ways from a point of the plane, at an angle of the yaw joint [rad], to a target in the
    axes of the plane at 0 [m].

    There is one for each shoulder that the start may belong to.
    """
    outwards, height = yaw.from_axis(start)
    turned = complex(outwards, yaw.aside) * complex(math.cos(angle), math.sin(angle))
    x, y, off = target
    end, top = yaw.from_axis((x, y))
    along = end - turned.real, yaw.aside - off - turned.imag, top - height
    either = abs(outwards) <= EITHER_SIDE * yaw.rounding
    sides = (1.0, -1.0) if either else (math.copysign(1.0, outwards),)
    return [
        TurnedWay(yaw, (turned.real, turned.imag, height), along, side, angle) for side in sides
    ]
