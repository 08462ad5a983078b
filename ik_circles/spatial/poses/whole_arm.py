# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The whole arm: the three joints, a yaw joint that may turn their plane, and the wrist."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import sub

from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.limits import turns_near
from ik_circles.geometry.rigid import Matrix, Point3, Rows, angle_between_rotations
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.last_link import with_last_link
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.arm import Configuration, SpatialArm
from ik_circles.spatial.plane import ArmPlane, Tool
from ik_circles.spatial.poses.holding import Holding
from ik_circles.spatial.poses.ordinary import OrdinaryPoses
from ik_circles.spatial.poses.outstretched import Outstretched
from ik_circles.spatial.poses.whole import HeldWrist, KeptWrist, Whole
from ik_circles.spatial.shoulder import Place, Shoulder, ShoulderAtYaws
from ik_circles.spatial.true_axes.bounds import Bounds
from ik_circles.spatial.true_axes.hinges import Hinge, HingeChain
from ik_circles.spatial.true_axes.leaning import Leaning
from ik_circles.spatial.wrist import Wrist


@dataclass(frozen=True, eq=False)
class WholeArm:
    """An arm whose wrist is solved, too.

    Attributes
    ----------
    carrier : SpatialArm
        The arm that carries the wrist: its tip is the wrist center. Joints with a range of a whole
        turn or more have no limits in it: they can take every angle.
    wrist : Wrist
        The joints after the three.
    chain : Chain
        All joints in the axes of the carrier's plane, with the yaw joint at 0, and the tip.
    limits : list of Limits
        Limits of the chain's joints [rad].
    at_zero : ndarray, shape (3, 3)
        Orientation of the tip where the chain was measured.
    lean : float
        By how much the tip may be turned because axes are parallel or perpendicular only to
        rounding [rad].
    lean_of_three : float
        The same for the yaw joint and the three joints alone [rad].
    floor : float or None
        Height of a floor that elbow, third joint, wrist center and tip stay above, along
        base_link's z [m].
    """

    carrier: SpatialArm
    wrist: Wrist
    chain: HingeChain
    limits: list[Limits]
    at_zero: Matrix
    lean: float
    lean_of_three: float
    floor: float | None = None

    def above(self, height: float | None) -> 'WholeArm':
        """The same arm above a floor [m], or without one."""
        return replace(self, carrier=self.carrier.above(height), floor=height)

    @cached_property
    def without_floor(self) -> 'WholeArm':
        """The same arm without its floor, if it has one."""
        return self.above(None)

    @cached_property
    def home(self) -> Whole:
        """The configuration with the robot's joints as near to zero as the limits allow."""
        at_zero = (hinge.angle for hinge in self.chain.hinges)
        return self.of_angles([*map(nearest_in, at_zero, self.limits)])

    @cached_property
    def ordinary(self) -> OrdinaryPoses:
        """The poses in which rounding decides nothing."""
        leaning = self.chain, self.lean
        return OrdinaryPoses(self.carrier, self.wrist, self.limits, self.home, *leaning)

    @cached_property
    def is_leaning(self) -> bool:
        """Whether axes are parallel or perpendicular only up to rounding."""
        return bool(self.carrier.plane.slack)

    @cached_property
    def bounds(self) -> Bounds:
        """How far leaning axes may move the joints of the carrier."""
        return Bounds(self.carrier.planar, self.carrier.plane)

    @cached_property
    def room(self) -> float:
        """Leaning axes move no joint of the carrier by more than this [rad]; 0 if no axis leans."""
        return self.bounds.room if self.is_leaning else 0.0

    # --- the wrist held ---

    def arm_at(self, wrist: Sequence[float]) -> SpatialArm:
        """The arm that brings the tip to targets with the wrist's joints held at angles [rad]."""
        return self.arm_with(self.holding(wrist), opened=False)

    def arm_with(self, held: HeldWrist, opened: bool) -> SpatialArm:
        """`arm_at` with a wrist that is held already.

        If `opened`, joints with a range of a whole turn or more have no limits, as in `carrier`.
        """
        plane, carrier, shift = self.plane_through(held, opened), self.carrier, held.shift
        planar, tool = self.planar_at(held), self.tool_at(held, plane)
        if not opened:
            limits_1, limits_2, (lower, upper) = self.limits_of_three
            a, b, c = (
                None if one[0] == -math.inf else one
                for one in (limits_1, limits_2, (lower + shift, upper + shift))
            )
            planar = PlanarArm(planar.link_lengths, (a, b, c))
        leaning = None
        if plane.slack:
            *before, third = self.chain.hinges[: -len(self.wrist.limits)]
            hinges = (*before, third._replace(angle=third.angle + shift))
            (x, y, _), on_plane = self._tip(held), tuple(one.shifted(-held.off) for one in hinges)
            chain = HingeChain(on_plane, (x, y, 0.0))
            leaning = Leaning(planar, plane, chain, self.lean_of_three)
        yaw, (q1, q2, q3) = carrier.at_zero
        at_zero = Configuration(yaw, (q1, q2, q3 + shift))
        arm = SpatialArm(planar, tool, carrier.labels, leaning, at_zero)
        return arm if self.floor is None else arm.above(self.floor, [self._carried(tool)])

    def tool_at(self, held: HeldWrist, plane: ArmPlane) -> Tool:
        """The tool of `arm_with`, in a plane parallel to that of the carrier."""
        axes, rotation = plane.pose[:3, :3], self._after_three.rotation(held.angles)
        tip_at_zero = axes @ rotation @ axes.T @ self.at_zero
        return Tool(plane, tip_at_zero, self.carrier.tool.phi_at_zero + held.shift)

    def planar_at(self, held: HeldWrist) -> PlanarArm:
        """The planar arm of `arm_with`, opened, and without a floor."""
        return with_last_link(self.carrier.planar, held.length, held.shift)

    def shoulders_at(
        self, point: Point3, held: HeldWrist, place: Place | None = None
    ) -> list[ShoulderAtYaws]:
        """The ways to have a point, given in the axes of the carrier's plane [m], in the plane of
        `arm_with`, opened; the first one faces it. `place` is the point seen from the yaw axis."""
        yaw = self.carrier.yaw
        if yaw is None:
            x, y, beside = point
            return [(Shoulder(0.0, (x, y), abs(beside - held.off)), [0.0])]
        seen = yaw.place_of(*point) if place is None else place
        return yaw.through(held.off).shoulders(seen, self.slack_at(held))

    def slack_at(self, held: HeldWrist) -> float:
        """The slack of the plane through the tip [m]."""
        if self.lean_of_three == 0.0:
            return 0.0
        points = [one.point for one in self.chain.hinges[: -len(self.wrist.limits)]]
        ways = pairwise([*points, self._tip(held)])
        return self.lean_of_three * sum(math.dist(one, other) for one, other in ways)

    def _tip(self, held: HeldWrist) -> Point3:
        """The tip with the joints before the wrist at 0, in the axes of the plane [m]."""
        return self._after_three.tip(held.angles)

    def _carried(self, tool: Tool) -> Point:
        """The wrist center as the third joint sees it, with the link to a tip along x [m]."""
        x, y, _ = map(sub, self.carrier.plane.into(self._center_at_zero), self._third.point)
        cosine, sine = math.cos(tool.phi_at_zero), math.sin(tool.phi_at_zero)
        return cosine * x + sine * y, cosine * y - sine * x

    @cached_property
    def holding(self) -> Callable[[Sequence[float]], HeldWrist]:
        """Holds the wrist's joints at angles [rad]."""
        return Holding(self.carrier, self.wrist, self.chain).at

    @cached_property
    def _third(self) -> Hinge:
        """The third of the joints in the plane."""
        return self.chain.hinges[-1 - len(self.wrist.limits)]

    def tip_from_center(self, wrist: Sequence[float]) -> Point3:
        """The tip seen from the wrist center with the wrist at angles, and the other joints at 0,
        in the axes of the plane [m]."""
        center = self.carrier.plane.into(self._center_at_zero)
        x, y, z = map(sub, self._after_three.tip(wrist), center)
        return x, y, z

    def tip_in_plane_from_center(self, phi: float, wrist: Sequence[float]) -> Point:
        """`tip_from_center` in the plane, with the plane's last link at an orientation [m]."""
        x, y, _ = self.tip_from_center(wrist)
        change = phi - self.carrier.tool.phi_at_zero
        cosine, sine = math.cos(change), math.sin(change)
        return cosine * x - sine * y, sine * x + cosine * y

    @cached_property
    def _after_three(self) -> HingeChain:
        """The joints of the wrist alone, with the others at 0."""
        return HingeChain(self.chain.hinges[-len(self.wrist.limits) :], self.chain.measured)

    @cached_property
    def _center_at_zero(self) -> Point3:
        """The wrist center in space with all joints at 0 [m]."""
        tip = self.carrier.plane.in_space(*self.chain.measured)
        return self.wrist.center_at(tip, self.at_zero.tolist())

    def plane_through(self, held: HeldWrist, opened: bool = True) -> ArmPlane:
        """The plane of the three through the tip with the wrist held; see `arm_with`."""
        plane, yaw, off = self.carrier.plane, self.carrier.yaw, held.off
        pose = plane.pose.copy()
        pose[:3, 3] += pose[:3, 2] * off
        if yaw is not None:
            yaw = yaw.through(off)
            yaw = yaw if opened else yaw._replace(limits=self.limits[0])
        return ArmPlane(pose, yaw, self.slack_at(held))

    def angles(self, one: Whole) -> list[float]:
        """The angles of the chain."""
        first = [] if self.carrier.yaw is None else [one.yaw]
        return [*first, *one.q, *one.wrist]

    def of_angles(self, angles: Sequence[float]) -> Whole:
        """The configuration with these angles of the chain."""
        if self.carrier.yaw is None:
            q1, q2, q3, *wrist = angles
            return Whole(0.0, (q1, q2, q3), tuple(wrist))
        yaw, q1, q2, q3, *wrist = angles
        return Whole(yaw, (q1, q2, q3), tuple(wrist))

    def turned(self, one: Whole, near: Whole) -> Whole:
        """A configuration with each joint at the turn inside its limits nearest to another one."""
        return self.of_angles(turns_near(self.angles(one), self.angles(near), self.limits))

    def yaw_near(self, yaw: float, near: float) -> float:
        """A yaw angle at the turn inside its limits nearest to another one [rad]."""
        return yaw if self.carrier.yaw is None else turns_near([yaw], [near], self.limits[:1])[0]

    def q_near(self, q: JointPositions, near: JointPositions) -> JointPositions:
        """`yaw_near` for the angles in the plane [rad]."""
        q1, q2, q3 = turns_near(q, near, self.limits_of_three)
        return q1, q2, q3

    @cached_property
    def limits_of_three(self) -> list[Limits]:
        """The limits of the joints in the plane [rad]."""
        first = len(self.limits) - len(self.wrist.limits) - 3
        return self.limits[first : first + 3]

    @cached_property
    def wrist_limits(self) -> list[Limits]:
        """The limits of the wrist's joints [rad]."""
        return self.limits[-len(self.wrist.limits) :]

    def held_at(self, wrist: Sequence[float]) -> KeptWrist:
        """The wrist held at angles [rad]; what it computes is kept until it is held elsewhere."""
        angles, kept = tuple(wrist), self._kept
        if not kept or kept[0].held.angles != angles:
            kept[:] = [self.kept_with(angles)]
        return kept[0]

    def kept_with(self, wrist: Sequence[float]) -> KeptWrist:
        """The wrist held at angles [rad], with room for what it will compute."""
        return KeptWrist(self.holding(wrist), self.arm_with, self.planar_at)

    @cached_property
    def stretch(self) -> Outstretched:
        """What determines how far the tip gets with which wrist."""
        links = sum(self.carrier.planar.link_lengths[:2])
        return Outstretched(self._after_three, self.wrist_limits, self._third.point, links)

    @cached_property
    def outstretched(self) -> list[KeptWrist]:
        """The wrists with which the tip gets farthest."""
        return [*map(self.kept_with, self.stretch.wrists(self.carrier.plane.aside))]

    @cached_property
    def _kept(self) -> list[KeptWrist]:
        """The wrist that is kept, if there is one yet."""
        return []

    def pose(self, one: Whole) -> tuple[Point3, Matrix]:
        """Position [m] and orientation (3x3) of the tip in space."""
        angles, axes = self.angles(one), self.carrier.plane.pose[:3, :3]
        turned: Matrix = axes @ self.chain.rotation(angles) @ axes.T @ self.at_zero
        return self.carrier.plane.in_space(*self.chain.tip(angles)), turned

    def from_zero(self, rotation: Rows) -> Rows:
        """An orientation of the tip as the rotation of the chain that gives it (3x3)."""
        return self.carrier.tool.orientation(rotation).from_zero

    def miss(self, one: Whole, point: Point3, rotation: Rows) -> tuple[float, float]:
        """How far the tip is from a point [m], and turned away from an orientation [rad].

        Without a yaw joint, only the distance in the plane counts.
        """
        angles, plane = self.angles(one), self.carrier.plane
        away = math.dist(*(at[: plane.count] for at in (self.chain.tip(angles), plane.into(point))))
        return away, angle_between_rotations(self.chain.rotation(angles), self.from_zero(rotation))
