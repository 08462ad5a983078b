# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm in space: a planar arm, its plane, and the tool at its tip."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import sub
from typing import NamedTuple

from ik_circles.geometry import checks
from ik_circles.geometry.angles import CONTINUOUS, nearest_in, wrap
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import Point
from ik_circles.geometry.limits import turns_near
from ik_circles.geometry.rigid import Point3
from ik_circles.geometry.tolerances import CLOSURE
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.floor import is_above
from ik_circles.planar.limits import tip_circles
from ik_circles.planar.model import JointPositions
from ik_circles.planar.ranges import NEARLY_A_TURN
from ik_circles.planar.selection import SMALL_STEP, Policy, is_on_branch
from ik_circles.reasons import UNNAMED_JOINTS, JointLabels
from ik_circles.spatial.floor import floor_in_plane
from ik_circles.spatial.plane import ArmPlane, TipOrientation, Tool
from ik_circles.spatial.shoulder import Shoulder
from ik_circles.spatial.true_axes.aiming import Sought
from ik_circles.spatial.true_axes.leaning import Leaning, distinct, is_same
from ik_circles.spatial.yaw import Yaw

#: A point counts as in the arm's plane if it is no farther from the plane than this [m]. Robots
#: cannot measure so little, and the rounding of figures in a URDF is less.
OUT_OF_PLANE_TOLERANCE = 1e-6
#: If a coordinate of a target is larger than this [m], a nearer target in the same direction takes
#: its place: sums of larger numbers may overflow.
FARTHEST = 1e300


class SpatialPose(NamedTuple):
    """A pose of the tip that the arm can take.

    Attributes
    ----------
    x, y, z : float
        Position in base_link [m].
    phi : float
        Orientation of the tool in the arm's plane [rad].
    yaw : float
        Yaw angle of that plane [rad], 0 without a yaw joint.
    wrist : tuple of float
        Positions of the wrist joints [rad], () if there are none or they stay as they are held.
    """

    x: float
    y: float
    z: float
    phi: float
    yaw: float = 0.0
    wrist: tuple[float, ...] = ()


class Configuration(NamedTuple):
    """The yaw angle, 0 without a yaw joint, and the planar arm's joint angles [rad]."""

    yaw: float
    q: JointPositions


#: The angles at the robot's zero, if the arm counts its joints as the robot does.
AT_ZERO = Configuration(0.0, (0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class SpatialArm:
    """A planar arm in space with its tool; `labels` say how messages name its joints.

    `leaning` has its true axes if they are parallel only up to rounding. `at_zero` has its angles
    with the robot's joints at 0.
    """

    planar: PlanarArm
    tool: Tool
    labels: JointLabels = UNNAMED_JOINTS
    leaning: Leaning | None = None
    at_zero: Configuration = AT_ZERO

    def above(self, height: float | None, carried: Sequence[Point] = ()) -> 'SpatialArm':
        """The same arm above a floor at a height along base_link's z [m], or without one.

        The last link may carry more points that stay above it, see `Floor`.
        """
        floor = None if height is None else floor_in_plane(self.plane, height, carried)
        if floor == self.planar.floor:
            return self
        planar = replace(self.planar, floor=floor)
        leaning = self.leaning and replace(self.leaning, planar=planar)
        return replace(self, planar=planar, leaning=leaning)

    @cached_property
    def without_floor(self) -> 'SpatialArm':
        """The same arm without its floor, if it has one."""
        return self.above(None)

    def lifted(self, joints: Collection[int]) -> 'SpatialArm':
        """The same arm without the limits of some joints: from 0, the yaw joint first if any."""
        plane, first = self.plane, 0 if self.yaw is None else 1
        a, b, c = (
            None if one == CONTINUOUS or i in joints else one
            for i, one in enumerate(self.planar.limits, start=first)
        )
        planar = replace(self.planar, joint_limits=(a, b, c))
        if self.yaw is not None and 0 in joints:
            plane = replace(plane, yaw=self.yaw._replace(limits=CONTINUOUS))
        leaning = self.leaning and replace(self.leaning, planar=planar, plane=plane)
        return replace(self, planar=planar, tool=replace(self.tool, plane=plane), leaning=leaning)

    @cached_property
    def plane(self) -> ArmPlane:
        """The plane of the planar arm."""
        return self.tool.plane

    @cached_property
    def yaw(self) -> Yaw | None:
        """The joint that turns the plane, if any."""
        return self.tool.plane.yaw

    @cached_property
    def has_one_turn(self) -> bool:
        """Whether no joint can take an angle at two turns, even where rounding passes a limit."""
        limits = [*([self.yaw.limits] if self.yaw else []), *self.planar.limits]
        has_room = all(upper - lower <= NEARLY_A_TURN for lower, upper in limits)
        return has_room and self.leaning is None

    @cached_property
    def home(self) -> Configuration:
        """The configuration with the robot's joints as near to zero as the limits allow."""
        yaw = nearest_in(self.at_zero.yaw, self.yaw.limits) if self.yaw else 0.0
        q1, q2, q3 = map(nearest_in, self.at_zero.q, self.planar.limits)
        return Configuration(yaw, (q1, q2, q3))

    def tip_at(self, configuration: Configuration) -> Point3:
        """Position of the tip in space [m]."""
        if self.leaning is not None:
            return self.leaning.tip(*configuration)
        tip = self.planar.pose_at(configuration.q)
        return self.plane.point_at(tip.x, tip.y, configuration.yaw)

    def meets(self, configuration: Configuration, point: Point3) -> bool:
        """Whether the tip is at a point in space [m], as it is in solutions."""
        if self.leaning is not None:
            return self.leaning.meets(configuration, point)
        return math.dist(self.tip_at(configuration), point) <= CLOSURE * self.planar.tolerance

    def tilt_at(self, configuration: Configuration, wanted: TipOrientation | None) -> float:
        """How far the tip's orientation, or without a yaw joint the plane, is from the wanted one;
        0 if there is none [rad]."""
        if wanted is not None and self.leaning is not None:
            return self.leaning.tilt(wanted, *configuration)
        return 0.0 if wanted is None else wanted.tilt(sum(configuration.q), configuration.yaw)

    def may_be_at(self, configuration: Configuration) -> bool:
        """Whether the joints are inside their limits, and the arm is above its floor."""
        yaw, q = configuration
        limits = [*([self.yaw.limits] if self.yaw else [CONTINUOUS]), *self.planar.limits]
        inside = (low <= angle <= high for angle, (low, high) in zip((yaw, *q), limits))
        return all(inside) and is_above(self.planar, q, self.plane.slack)

    def outwards(self, point: Point) -> float:
        """How far outwards from the yaw axis a point of the plane is [m]; 0 without a yaw joint."""
        return self.yaw.from_axis(point)[0] if self.yaw else 0.0

    def policy_at(self, q: JointPositions, policy: Policy) -> Policy:
        """A policy translated into the plane at joint angles [rad].

        With the tip behind the yaw axis, the arm is seen from behind; see `WayToPoint.policy`.
        """
        x, y, _ = self.planar.pose_at(q)
        return policy if self.yaw is None or self.yaw.faces((x, y)) else policy.mirrored

    def is_on_branch(self, q: JointPositions, policy: Policy) -> bool:
        """Whether the elbow is as a policy asks, at joint angles [rad]."""
        lean = 0.0 if self.leaning is None else self.leaning.lean
        return is_on_branch(q, self.policy_at(q, policy).branch, lean)

    def inverse_kinematics(
        self, point: Sequence[float], phi: float, near: Configuration | None = None
    ) -> list[Configuration]:
        """Every configuration with the tip at a point in space [m] and the tool at `phi` [rad].

        Of a family of solutions, only the member nearest to `near`, or to home, is given. See
        `RobotArm.inverse_kinematics`.
        """
        near = near or self.home
        place, phi = checked_point(point), checks.angle('phi', phi)
        shoulders = [
            (shoulder, yaws)
            for shoulder, yaws in self.plane.shoulders(place)
            if shoulder.beside <= OUT_OF_PLANE_TOLERANCE + self.plane.slack
        ]
        if self.leaning is not None:
            sought, solutions = Sought(place, phi, near=near.q), self.leaning.solutions
            found = (
                solutions(sought, shoulder.point, self.outwards(shoulder.point))
                for shoulder, _ in shoulders
            )
            return [Configuration(*one) for one in distinct([*chain.from_iterable(found)])]
        every = [one for some in shoulders for one in self._in_shoulder(*some, phi, near)]
        for some in self.plane.shoulders_by_rounding(place, tip_circles(self.planar, phi)):
            others = self._in_shoulder(*some, phi, near)
            every += [one for one in others if not _is_next_to(one, every)]
        return every

    def _in_shoulder(
        self, shoulder: Shoulder, yaws: list[float], phi: float, near: Configuration
    ) -> list[Configuration]:
        """The configurations with the tool at `phi` [rad] in a shoulder; see above."""
        return [
            Configuration(yaw, q)
            for yaw in self._yaws_near(shoulder, yaws, near.yaw)
            for q in self.planar.solver.solutions(*shoulder.point, phi, near.q)
        ]

    def _yaws_near(self, shoulder: Shoulder, yaws: list[float], near: float) -> list[float]:
        """The yaw angles of a shoulder [rad]; if the point is on the yaw axis, only the one nearest
        to `near`."""
        if self.yaw is None or not shoulder.on_axis:
            return yaws
        return [nearest_in(near, self.yaw.limits)]


def _is_next_to(one: Configuration, others: Sequence[Configuration]) -> bool:
    """Whether a small step leads from a configuration to one of some others, up to whole turns."""
    return any(
        max(map(abs, map(wrap, map(sub, (one.yaw, *one.q), (its.yaw, *its.q))))) <= SMALL_STEP
        for its in others
    )


def turned_near(
    arm: SpatialArm, found: Sequence[Configuration], near: Configuration
) -> list[Configuration]:
    """Configurations with each joint at the turn nearest to another configuration; of those that
    differ only by whole turns, one is left.

    A turn that puts a joint on its limit moves the tip by rounding. Among the configurations is one
    with that joint on its limit, and others that make up for it: it is taken.
    """
    if not arm.has_one_turn:
        turned = [_turned(arm, one, near) for one in found]
        found = [next((its for its in found if is_same(its, one)), one) for one in turned]
    return distinct(found)


def _turned(arm: SpatialArm, one: Configuration, near: Configuration) -> Configuration:
    if arm.yaw is None:
        q1, q2, q3 = turns_near(one.q, near.q, arm.planar.limits)
        return Configuration(0.0, (q1, q2, q3))
    limits = arm.yaw.limits, *arm.planar.limits
    yaw, q1, q2, q3 = turns_near((one.yaw, *one.q), (near.yaw, *near.q), limits)
    return Configuration(yaw, (q1, q2, q3))


def checked_point(point: Sequence[float]) -> Point3:
    """The point [m], no farther than FARTHEST; an IkCirclesError unless that is three numbers."""
    x, y, z = checks.vector('point', point, 3)
    most = max(abs(x), abs(y), abs(z))
    if most > FARTHEST:
        x, y, z = (one / most * FARTHEST for one in (x, y, z))
    return x, y, z
