# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What an arm is: three links, three joints with their limits, and where they put the tip.

The model depends on no question to an arm. These are layers on top of it: the solutions of a pose
(`inverse`), the orientations at a point (`orientations`), the `workspace`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks, joint_values
from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits, nearest_in, wrap
from ik_circles.geometry.arguments import takes_one
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.circles import ORIGIN, Point
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.tolerances import TOLERANCE
from ik_circles.planar.half_plane import Floor, checked_floor

#: If the elbow is straight or folded, an error of one tolerance moves a joint by up to this many
#: times the square root of the tolerance's share of the shortest link.
ROUNDING_AT_FOLD = 4.0
#: Rounding moves no joint of an ordinary triangle by more than this [rad].
LARGE_ROUNDING = 1e-3

JointPositions = tuple[float, float, float]


class Pose2D(NamedTuple):
    """Position of the tip [m] and orientation of the tool [rad], counter-clockwise from +x.

    Attributes
    ----------
    x, y : float
        Position [m], the base joint at the origin.
    phi : float
        Orientation [rad]; poses that are computed have it in (-pi, pi].
    """

    x: float
    y: float
    phi: float


@dataclass(frozen=True)
class ArmModel:
    """Three links and three revolute joints in a plane, the base joint at the origin."""

    link_lengths: tuple[float, float, float]
    joint_limits: tuple[Limits | None, Limits | None, Limits | None] | None = None
    floor: Floor | None = None

    def __post_init__(self) -> None:
        lengths = checks.link_lengths('link_lengths', self.link_lengths, 3)
        object.__setattr__(self, 'link_lengths', lengths)
        if self.joint_limits is not None:
            object.__setattr__(self, 'joint_limits', checks.joint_limits(self.joint_limits, 3))
        checked_floor(self.floor)

    @cached_property
    def max_reach(self) -> float:
        """Radius of the outer safe zone [m]: the sum of the links."""
        return sum(self.link_lengths)

    @cached_property
    def min_reach(self) -> float:
        """Radius of the inner safe zone [m].

        It is what is left of the longest link when the others fold back along it; at least 0.
        """
        return max(0.0, 2.0 * max(self.link_lengths) - sum(self.link_lengths))

    @cached_property
    def tolerance(self) -> float:
        """Largest miss that counts as met [m]: a share of 1e-13 of the arm's reach."""
        return TOLERANCE * self.max_reach

    @cached_property
    def limits(self) -> tuple[Limits, Limits, Limits]:
        """Joint limits [rad]; `(-inf, inf)` for a continuous joint."""
        a, b, c = self.joint_limits or (None, None, None)
        return a or CONTINUOUS, b or CONTINUOUS, c or CONTINUOUS

    @cached_property
    def farthest(self) -> tuple[float, float, float, float, float, float]:
        """The ranges of plausible joint positions [rad], one after the other."""
        (a, b), (c, d), (e, f) = (joint_values.believable(*limits) for limits in self.limits)
        return a, b, c, d, e, f

    @cached_property
    def has_continuous_joints(self) -> bool:
        """Whether a joint can turn without end."""
        return any(lower == -math.inf for lower, _ in self.limits)

    @cached_property
    def has_families(self) -> bool:
        """Whether links without length let a family of joint positions share one pose."""
        return any(self.without_length[:2]) or (self.without_length[2] and self.may_fold_onto_base)

    @cached_property
    def may_have_free_joint(self) -> bool:
        """Whether a joint is free for some position of the wrist; see `families.is_family`."""
        return any(self.without_length[:2]) or self.may_fold_onto_base

    @cached_property
    def without_length(self) -> tuple[bool, ...]:
        """Which of the links have no length, except for rounding."""
        return tuple(length <= self.tolerance for length in self.link_lengths)

    @cached_property
    def may_fold_onto_base(self) -> bool:
        """Whether links 1 and 2 are equally long, so that the wrist can be on the base."""
        return abs(self.link_lengths[0] - self.link_lengths[1]) <= self.tolerance

    @cached_property
    def home(self) -> JointPositions:
        """Joint positions as near to zero as the limits allow [rad]."""
        q1, q2, q3 = (nearest_in(0.0, limits) for limits in self.limits)
        return q1, q2, q3

    @cached_property
    def rounding_at_fold(self) -> float:
        """How far an error of one tolerance moves a joint of a straight or folded arm [rad]."""
        shortest = min(length for length in self.link_lengths if length > self.tolerance)
        return ROUNDING_AT_FOLD * math.sqrt(self.tolerance / shortest)

    @cached_property
    def has_tiny_links(self) -> bool:
        """Whether a link is so short that rounding moves joints noticeably."""
        return self.rounding_at_fold >= LARGE_ROUNDING / 2.0

    @overload
    def forward_kinematics(self, q: JointPositions) -> Pose2D: ...

    @overload
    def forward_kinematics(self, q: NDArray[np.float64]) -> NDArray[np.float64]: ...

    @takes_one('joint positions', '({})')
    def forward_kinematics(self, q: JointPositions | ArrayLike) -> Pose2D | NDArray[np.float64]:
        """Return the pose of the tool at joint positions.

        Parameters
        ----------
        q : tuple of three floats, or array of shape (3,) or (N, 3)
            Joint positions [rad], inside the limits or not. A position more than a turn past the
            joint's limits is refused, because it must be in degrees.

        Returns
        -------
        Pose2D or array of shape (N, 3)
            Pose `(x, y, phi)` [m, m, rad], one row for each row of `q`. A row of NaN, which
            `solve_batch` returns if there is no solution, gives NaN.

        Raises
        ------
        InvalidArmError
            If `q` has another shape, or a joint position is in degrees.
        NotFiniteError
            If a joint position is infinite, or NaN in a single row.

        Examples
        --------
        >>> ArmModel((3.0, 2.0, 1.0)).forward_kinematics((0.0, 0.0, 0.0))
        Pose2D(x=6.0, y=0.0, phi=0.0)
        """
        if q is None:
            raise InvalidArmError(
                'joint positions are None, which solve gives if there is no solution'
            )
        if isinstance(q, tuple) and len(q) == 3:
            (q1, q2, q3), (a, b, c, d, e, f) = q, self.farthest
            try:
                if a <= q1 <= b and c <= q2 <= d and e <= q3 <= f:
                    return self.pose_at(q)
            except (TypeError, ValueError, ArithmeticError):
                pass
            q1, q2, q3 = found = checks.vector('joint positions', q, 3)
            for joint, (one, limits) in enumerate(zip(found, self.limits), 1):
                joint_values.position(f'joint {joint}', one, limits)
            checks.number('the sum of joint positions', sum(found))
            return self.pose_at((q1, q2, q3))
        joints = checks.floats('joint positions', q, '(3,) or (N, 3)')
        if joints.ndim not in (1, 2) or joints.shape[-1] != 3:
            raise InvalidArmError(f'joint positions have shape {joints.shape}; give (3,) or (N, 3)')
        if joints.ndim == 1:
            return self.forward_kinematics(tuple(joints.tolist()))
        joint_values.check_rows('joint', joints, self.limits)
        return self.poses_at(joints)

    def pose_at(self, q: JointPositions) -> Pose2D:
        """Return the same as `forward_kinematics`, for joint positions that need no check.

        Parameters
        ----------
        q : tuple of float
            Joint positions (q1, q2, q3) at any turn [rad].

        Returns
        -------
        Pose2D
            Position of the tip [m] and orientation of the tool in (-pi, pi] [rad].
        """
        (length_1, length_2, length_3), (q1, q2, q3) = self.link_lengths, q
        forearm, tool, cos, sin = q1 + q2, q1 + q2 + q3, math.cos, math.sin
        return Pose2D(
            length_1 * cos(q1) + length_2 * cos(forearm) + length_3 * cos(tool),
            length_1 * sin(q1) + length_2 * sin(forearm) + length_3 * sin(tool),
            wrap(tool),
        )

    def poses_at(self, joints: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the poses at many joint positions that need no check; see `pose_at`.

        Parameters
        ----------
        joints : array of float
            Rows of joint positions (N, 3) [rad].

        Returns
        -------
        array of float
            Rows x [m], y [m], phi [rad] (N, 3); NaN for NaN.
        """
        directions = np.cumsum(joints, axis=1)
        x, y = np.cos(directions) @ self.link_lengths, np.sin(directions) @ self.link_lengths
        return np.column_stack((x, y, np.pi - np.mod(np.pi - directions[:, 2], TURN)))

    @names_wrong_kinds
    def joint_points(self, q: JointPositions) -> tuple[Point, Point, Point, Point]:
        """Return the positions of the joints and of the tip.

        Parameters
        ----------
        q : tuple of three floats
            Joint positions [rad].

        Returns
        -------
        tuple of four (x, y)
            Base, elbow, wrist and tip [m].

        Raises
        ------
        InvalidArmError
            If there are not three joint positions.
        """
        points, direction = [ORIGIN], 0.0
        for length, angle in zip(self.link_lengths, q, strict=True):
            direction += angle
            x, y = points[-1]
            points.append((x + length * math.cos(direction), y + length * math.sin(direction)))
        return points[0], points[1], points[2], points[3]

    @names_wrong_kinds
    def wrist(self, x: float, y: float, phi: float) -> Point:
        """Return the position of the wrist when the tool is at a pose.

        Parameters
        ----------
        x, y : float
            Position of the tip [m].
        phi : float
            Orientation of the tool [rad].

        Returns
        -------
        tuple of two floats
            Position of the wrist `(x, y)` [m].
        """
        length_3 = self.link_lengths[2]
        return x - length_3 * math.cos(phi), y - length_3 * math.sin(phi)

    @names_wrong_kinds
    def beyond_reach(self, distance: float) -> tuple[float, float]:
        """Return by how much a wrist is too far from the base, and too close, for links 1 and 2.

        Parameters
        ----------
        distance : float
            Distance of the wrist from the base [m].

        Returns
        -------
        tuple of two floats
            Both lengths [m]; both are negative if an elbow reaches the wrist.
        """
        length_1, length_2, _ = self.link_lengths
        return distance - (length_1 + length_2), abs(length_1 - length_2) - distance


def with_joint(q: JointPositions, joint: int, angle: float) -> JointPositions:
    """The joint positions with one of them changed [rad]."""
    q1, q2, q3 = [angle if number == joint else one for number, one in enumerate(q)]
    return q1, q2, q3
