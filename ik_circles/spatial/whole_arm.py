"""The whole arm: the three joints, a yaw joint that may turn their plane, and the wrist."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import sub
from typing import NamedTuple

from ik_circles.geometry.angles import Limits, nearest_in
from ik_circles.geometry.limits import nearest_turns
from ik_circles.geometry.rigid import Matrix, Point3, angle_between_rotations
from ik_circles.planar.model import JointPositions
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.bounds import Bounds
from ik_circles.spatial.hinges import Chain
from ik_circles.spatial.wrist import Wrist

#: A joint past its limit by no more than this is on it [rad]: rounding does that.
ON_LIMIT = 1e-10


class Whole(NamedTuple):
    """The yaw angle, 0 without a yaw joint, the joint angles in the plane as the arm to the wrist
    center counts them, and the wrist's [rad]."""

    yaw: float
    q: JointPositions
    wrist: tuple[float, ...]

    def change(self, other: 'Whole') -> tuple[float, float]:
        """The largest change of a joint against another configuration, and all together [rad]."""
        changes = [
            abs(self.yaw - other.yaw),
            *map(abs, map(sub, self.q, other.q)),
            *map(abs, map(sub, self.wrist, other.wrist)),
        ]
        return max(changes), sum(changes)


@dataclass(frozen=True, eq=False)
class WholeArm:
    """An arm whose wrist is solved, too.

    Attributes
    ----------
    hand : SpatialArm
        The arm with the wrist center as its tip. Joints with a range of a whole turn or more have
        no limits in it: they can take every angle.
    wrist : Wrist
        The joints after the three.
    chain : Chain
        All joints in the axes of the hand's plane, with the yaw joint at 0, and the tip.
    limits : list of Limits
        Of the chain's joints [rad].
    at_zero : ndarray, shape (3, 3)
        Orientation of the tip where the chain was measured.
    lean : float
        By how much the tip may be turned because axes are parallel or perpendicular only to
        rounding [rad].
    """

    hand: SpatialArm
    wrist: Wrist
    chain: Chain
    limits: list[Limits]
    at_zero: Matrix
    lean: float = 0.0

    @cached_property
    def home(self) -> Whole:
        """The configuration with the robot's joints as near to zero as the limits allow."""
        at_zero = (hinge.angle for hinge in self.chain.hinges)
        return self.of_angles([*map(nearest_in, at_zero, self.limits)])

    @cached_property
    def is_leaning(self) -> bool:
        """Whether axes are parallel or perpendicular only to rounding."""
        return self.hand.plane.slack > 0.0

    @cached_property
    def room(self) -> float:
        """Leaning axes move no joint of the hand by more than this [rad], 0 if none leans."""
        return Bounds(self.hand.planar, self.hand.plane).room if self.is_leaning else 0.0

    def angles(self, one: Whole) -> list[float]:
        """The angles of the chain."""
        first = [] if self.hand.yaw is None else [one.yaw]
        return [*first, *one.q, *one.wrist]

    def of_angles(self, angles: Sequence[float]) -> Whole:
        """The configuration with these angles of the chain."""
        yaw, rest = (0.0, angles) if self.hand.yaw is None else (angles[0], angles[1:])
        q1, q2, q3, *wrist = rest
        return Whole(yaw, (q1, q2, q3), tuple(wrist))

    def turned(self, one: Whole, near: Whole) -> Whole:
        """A configuration with each joint at the turn inside its limits nearest to another one."""
        angles, its = self.angles(one), self.angles(near)
        turns = map(nearest_turns, angles, its, self.limits, [ON_LIMIT] * len(angles))
        return self.of_angles([found[0] for found in turns])

    def pose(self, one: Whole) -> tuple[Point3, Matrix]:
        """Position [m] and orientation (3x3) of the tip in space."""
        angles, axes = self.angles(one), self.hand.plane.pose[:3, :3]
        turned: Matrix = axes @ self.chain.turn(angles) @ axes.T @ self.at_zero
        return self.hand.plane.in_space(*self.chain.tip(angles)), turned

    def turn_of(self, rotation: Matrix) -> Matrix:
        """An orientation of the tip as the turn of the chain that gives it (3x3)."""
        axes = self.hand.plane.pose[:3, :3]
        turn: Matrix = axes.T @ rotation @ self.at_zero.T @ axes
        return turn

    def miss(self, one: Whole, point: Point3, rotation: Matrix) -> tuple[float, float]:
        """How far the tip is from a point [m], and turned away from an orientation [rad].

        Without a yaw joint, only the distance in the plane counts.
        """
        angles, place = self.angles(one), self.hand.plane.into(point)
        count = 2 if self.hand.yaw is None else 3
        away = math.dist(self.chain.tip(angles)[:count], place[:count])
        return away, angle_between_rotations(self.chain.turn(angles), self.turn_of(rotation))
