# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Straight lines on which six joints keep the whole orientation of the tip."""

from dataclasses import dataclass
from functools import cached_property

from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.rigid import Point3
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.floor.parts import CENTER, TIP, WRIST
from ik_circles.planar.lines.branch import Branch, elbows_at, farthest
from ik_circles.planar.lines.floor_along import BELOW, MEETS
from ik_circles.planar.lines.track import Cause, End, Stop
from ik_circles.planar.lines.turning_branch import TurningBranch
from ik_circles.spatial.lines.pose_way import PoseWay, TurnedWrist, WristTurning
from ik_circles.spatial.lines.straight import above_within, ways_of
from ik_circles.spatial.poses.whole import Whole
from ik_circles.spatial.poses.whole_arm import WholeArm
from ik_circles.spatial.yaw import Yaw

#: A yaw joint that turns by no more than this along a line stands still [rad].
STILL = 1e-12


@dataclass(frozen=True, eq=False)
class WholeLine:
    """A line from where the tip is to a target [m], with the orientation held.

    The arm has a yaw joint and a wrist of two joints, and the line starts on the branch of a
    configuration.
    """

    arm: WholeArm
    yaw: Yaw
    start: Whole
    target: Point3

    @cached_property
    def start_point(self) -> Point3:
        """Where the tip is at the start [m]."""
        return self.arm.pose(self.start)[0]

    @cached_property
    def ways(self) -> list[PoseWay]:
        """The ways of the wrist center: one for each shoulder that the start may belong to."""
        arm, (yaw, q, _) = self.arm, self.start
        center = arm.carrier.planar.pose_at(q)
        x, y, z = arm.carrier.plane.point_at(center.x, center.y, yaw)
        (a, b, c), (d, e, f) = self.target, self.start_point
        target = arm.carrier.plane.into((x + a - d, y + b - e, z + c - f))
        joint = self.yaw._replace(limits=arm.limits[0])
        wrist = TurnedWrist(arm, self.start)
        return [
            PoseWay(one.yaw, one.start, one.along, one.side, one.yaw_at_start, wrist)
            for one in ways_of(joint, (center.x, center.y), yaw, target)
        ]

    @property
    def yaw_moves(self) -> bool:
        """Whether the yaw joint turns; otherwise the wrist stays as it is."""
        return any(abs(way.yaw_at(1.0) - self.start.yaw) > STILL for way in self.ways)

    @cached_property
    def branch(self) -> Branch:
        """The branch that is followed."""
        return self._followed[0]

    @property
    def breaks(self) -> tuple[float, ...]:
        """No shares: the orientation in space is held."""
        return ()

    @cached_property
    def end(self) -> End:
        """How far the branch can be followed, and why it ends there."""
        share, stop = self._followed[1]
        if stop is not None and stop.cause is Cause.FLOOR:
            names = {TIP: CENTER, WRIST: self.arm.carrier.labels[2].name}
            stop = stop._replace(part=names.get(stop.part, stop.part))
        return min(self._tip_end, End(share, stop), key=lambda end: end.share)

    @property
    def _tip_end(self) -> End:
        """How far the tip can go above the floor, if there is one."""
        arm, height = self.arm, self.arm.floor
        if height is None:
            return End(1.0, None)
        tolerance, slack = arm.carrier.planar.tolerance, arm.carrier.plane.slack
        start, end = (z - height + slack for z in (self.start_point[2], self.target[2]))
        if start < -BELOW * tolerance:
            return End(0.0, Stop(Cause.FLOOR, figures=(-start,), part=TIP))
        if end >= -BELOW * tolerance:
            return End(1.0, None)
        share = max(0.0, start + MEETS * tolerance) / (start - end)
        return End(share, Stop(Cause.FLOOR, part=TIP))

    @cached_property
    def _followed(self) -> tuple[Branch, End]:
        carrier, q = self.arm.carrier.planar, self.start.q
        limits = [None if lower == -upper == -float('inf') else (lower, upper)
                  for lower, upper in self.arm.limits_of_three]  # fmt: skip
        floor = above_within(carrier, self.arm.carrier.plane.slack).floor
        solver = PlanarArm(carrier.link_lengths, (limits[0], limits[1], limits[2]), floor).solver
        return farthest(
            TurningBranch(solver, way, q, elbow, WristTurning(way))
            for way in self.ways
            for elbow in elbows_at(q[1])
        )

    def configuration(self, share: float) -> Whole:
        """The configuration at a share of the line, inside the limits [rad].

        If axes lean, the configuration of parallel axes is corrected.
        """
        arm, way = self.arm, self.branch.way
        if share == 0.0 or not isinstance(way, PoseWay):
            return self.start
        yaw, q = way.yaw_at(share), self.branch.joints(share)
        _, first, last = way.wrist.at(yaw)
        angles = [*map(nearest_in, (yaw, *q, first, last), arm.limits)]
        if not arm.is_leaning:
            return arm.of_angles(angles)
        x, y, z = (a + share * (b - a) for a, b in zip(self.start_point, self.target))
        rotation = arm.chain.rotation(arm.angles(self.start))
        found = arm.chain.posed(angles, arm.limits, arm.carrier.plane.into((x, y, z)), rotation)
        return arm.of_angles(found)
