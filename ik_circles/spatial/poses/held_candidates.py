# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The candidates with a wrist held: configurations with the tip at a point, and how far the tip is
turned away from the orientation asked for.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby, product
from typing import NamedTuple

from ik_circles.geometry.angles import wrap
from ik_circles.geometry.limits import brought_inside
from ik_circles.geometry.rigid import Rows, angle_about, angle_between_rotations
from ik_circles.geometry.tolerances import SAME_DIGITS
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.last_link import CarriedPlace
from ik_circles.planar.model import JointPositions
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.zones import SafeZones
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question, Wanted
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.whole import HeldWrist, KeptWrist, Whole
from ik_circles.spatial.shoulder import ShoulderAtYaws
from ik_circles.spatial.true_axes.hinges import HingeChain

#: A yaw angle, and the angles in the plane of an arm with its wrist held [rad].
YawAndPlane = tuple[float, JointPositions]


class Candidate(NamedTuple):
    """A configuration with the tip at the point asked for, and the angle by which the tip is turned
    away from the orientation asked for [rad]; `shift` is that of its `HeldWrist` [rad]."""

    whole: Whole
    away: float
    shift: float


def turned_from(pose: FullPose, one: Whole) -> float:
    """How far the tip is turned away from the orientation of a pose, in a configuration [rad]."""
    arm = pose.aim.arm
    if arm.is_leaning:
        return angle_between_rotations(arm.chain.rotation(arm.angles(one)), pose.from_zero)
    return arm.wrist.turned_away(pose.aim.sight, one.yaw, sum(one.q), one.wrist)


class HeldCandidates:
    """Finds the candidates of a pose with a wrist held."""

    def __init__(self, pose: FullPose) -> None:
        self.pose, self.arm = pose, pose.aim.arm

    def at_shoulder(
        self, shoulder: ShoulderAtYaws, kept: KeptWrist, phi: float, turns_last: bool = False
    ) -> list[Candidate]:
        """The candidates of one shoulder, with the orientation in the plane that is asked for
        [rad], or as near to it as possible.

        If `turns_last`, the last joint does not move the tip, but turns it as near to the
        orientation as it can.
        """
        held, margin, (at, yaws) = kept.held, self.pose.aim.margin, shoulder
        if self.arm.is_leaning:
            return self.at_shoulders([shoulder], kept, phi, turns_last)
        if not margin and self.arm.floor is None:
            wholes = self._at_plain_shoulder(shoulder, held, phi)
            if wholes is not None:
                return self.of_wholes(wholes, held, turns_last)
        planar = kept.planar if self.arm.floor is None else kept.opened.planar
        if margin and not self._has_zones(planar):
            return []
        zones = SafeZones.of(planar, margin) if margin else planar.safe_zones
        found = Reachability(planar.workspace, at.point, phi + held.shift, zones)
        some = [*product(yaws, found.solutions)]
        if not some and found.position_reachable:
            some = [(yaws[0], q) for q in [found.nearest_joint_positions] if q is not None]
        return self._candidates(some, held, turns_last)

    def _at_plain_shoulder(
        self, shoulder: ShoulderAtYaws, held: HeldWrist, phi: float
    ) -> list[Whole] | None:
        """The configurations of `at_shoulder` where rounding decides nothing; else None."""
        place = CarriedPlace(self.arm.carrier.planar, held.length, held.shift)
        (at, yaws), wrist = shoulder, held.angles
        found = place.solutions(at.point, phi)
        if found:
            return [Whole(yaw, q, wrist) for yaw in yaws for q in found]
        nearest = place.nearest(at.point, phi)
        return None if nearest is None else [Whole(yaws[0], q, wrist) for q in nearest[:1]]

    def at_shoulders(
        self, shoulders: list[ShoulderAtYaws], kept: KeptWrist, phi: float | None,
        turns_last: bool,
    ) -> list[Candidate]:  # fmt: skip
        """The candidates of shoulders that take a closer look: those of axes that lean, and those
        on the yaw axis or next to where the plane just meets the point.

        The orientation in the plane is as near to `phi` [rad] as possible, or without it to the
        pitch asked for.
        """
        arm = kept.opened
        if not self._has_zones(arm.planar):
            return []
        rotation = self.pose.aim.rotation if phi is None else None
        turned = None if phi is None else phi + kept.held.shift
        found = SpatialReachability(self.question(arm, turned, rotation, shoulders))
        some = found.configurations
        at_nearest = found.nearest_configuration if found.position_reachable else None
        if at_nearest is not None and not found.reachable:
            some = [at_nearest]
        return self._candidates(some, kept.held, turns_last)

    def _has_zones(self, planar: PlanarArm) -> bool:
        """Whether the margin leaves anything of the safe zones of an arm with its wrist held."""
        return planar.max_reach - planar.min_reach >= 2.0 * self.pose.margin

    def question(
        self,
        arm: SpatialArm,
        phi: float | None = None,
        rotation: Rows | None = None,
        shoulders: list[ShoulderAtYaws] | None = None,
    ) -> Question:
        """The question for an arm with its wrist held."""
        margin, room = self.pose.margin, self.pose.aim.room
        zones = SafeZones.of(arm.planar, margin) if margin else None
        wanted = Wanted(self.pose.aim.point, phi, rotation, zones, room, math.inf)
        return Question(arm, wanted, shoulders)

    def _candidates(
        self, found: Iterable[YawAndPlane], held: HeldWrist, turns_last: bool = False
    ) -> list[Candidate]:
        """Candidates of configurations that have the same orientation in the plane at a yaw angle.

        With exact axes, the tip is turned the same way in all of them, so one angle is computed.
        """
        candidates: list[Candidate] = []
        key = None if self.arm.is_leaning else _direction
        for _, alike in groupby(found, key):
            wholes = [
                Whole(yaw, (q1, q2, q3 - held.shift), held.angles) for yaw, (q1, q2, q3) in alike
            ]
            candidates += self.of_wholes(wholes, held, turns_last)
        return candidates

    def of_wholes(
        self, wholes: Sequence[Whole], held: HeldWrist, turns_last: bool = False
    ) -> list[Candidate]:
        """Candidates of configurations in which the tip is turned the same way."""
        if not wholes:
            return []
        if turns_last:
            wrist = self._last_turned(wholes[0])
            wholes = [Whole(one.yaw, one.q, wrist) for one in wholes]
        away = turned_from(self.pose, wholes[0])
        return [Candidate(one, away, held.shift) for one in wholes]

    def _last_turned(self, one: Whole) -> tuple[float, float]:
        """The wrist of a configuration, with the last joint where the angle that is left is the
        least, or on the limit before that."""
        arm, (first, _) = self.arm, one.wrist
        if not arm.is_leaning:
            last = arm.wrist.last_at(self.pose.aim.sight, one.yaw, sum(one.q), first)
            return first, brought_inside(last, arm.wrist_limits[1])
        before, hinge = HingeChain(arm.chain.hinges[:-1], arm.chain.measured), arm.chain.hinges[-1]
        change = angle_about(hinge.axis, before.rotation(arm.angles(one)[:-1]), self.pose.from_zero)
        return first, brought_inside(hinge.angle + change, arm.wrist_limits[1])


def _direction(one: YawAndPlane) -> float:
    """Where the yaw joint has turned the plane to, whatever its turn [rad]."""
    return round(wrap(one[0]), SAME_DIGITS)
