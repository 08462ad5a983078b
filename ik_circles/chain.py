"""The planar arm inside a robot: questions in base_link, answers in the robot's own joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ik_circles.angles import nearest_in, wrap
from ik_circles.arm import JointPositions, PlanarArm
from ik_circles.errors import NotFiniteError
from ik_circles.reachability import Code, JointLabel, Labels, Reachability, check
from ik_circles.selection import Policy, solve
from ik_circles.urdf import Matrix, Robot, UrdfJoint, inverse_pose, rotation_about
from ik_circles.workspace import SafeZones

#: A point is in the arm's plane when it is no farther from it than this [m].
OUT_OF_PLANE_TOLERANCE = 1e-6

Point3 = tuple[float, float, float]
NamedPositions = dict[str, float]


class SpatialPose(NamedTuple):
    """Position of the tip in base_link [m] and orientation of the tool in the plane [rad]."""

    x: float
    y: float
    z: float
    phi: float


@dataclass(frozen=True)
class SpatialReachability:
    """Answer of `PlanarChain.check_reachability`: as Reachability, in the robot's own terms.

    `nearest` is in space and joint positions go by name; out of the plane, `margin` [m] is minus
    the distance to `nearest`.
    """

    reachable: bool
    code: Code
    message: str
    nearest: SpatialPose | None
    nearest_joint_positions: NamedPositions | None
    orientation_intervals: list[tuple[float, float]]
    _in_plane: Reachability = field(repr=False)
    _chain: PlanarChain = field(repr=False)
    _out_of_plane: float = field(repr=False)

    @property
    def margin(self) -> float:
        """Signed distance to the workspace's boundary [m]."""
        if self.code is Code.OUT_OF_PLANE:
            return -math.hypot(self._out_of_plane, min(0.0, self._in_plane.margin))
        return self._in_plane.margin

    @property
    def solutions(self) -> list[NamedPositions]:
        """Every set of joint positions at `nearest` if reachable, else []."""
        if not self.reachable:
            return []
        return [self._chain.named(q) for q in self._in_plane.solutions]


@dataclass(frozen=True, eq=False)
class PlanarChain:
    """Three successive joints with parallel axes, reduced to a planar arm.

    Attributes
    ----------
    arm : the planar arm; its joint angle i is `joint_signs[i] * position + joint_offsets[i]` [rad]
    joint_names, joint_signs, joint_offsets : of the three joints
    yaw_joint : the joint before them whose axis lies in their plane, if any; held at 0
    base_link, tip_link : the ends of the chain
    plane : the arm's plane in base_link (4x4): origin at the first joint, x as far towards
        base_link's +x (or +y) as the plane allows, y up, z the normal that angles turn about
    frames : pose in base_link (4x4) of each link that is fixed to it
    velocity_limits : of the commanded joints by name [rad/s]; None where the URDF gives none
    held_joints : joints between base_link and tip_link that are not commanded, and stay
    notes : what a user should know about the reduction, a sentence each
    """

    arm: PlanarArm
    joint_names: tuple[str, str, str]
    joint_signs: tuple[int, int, int]
    joint_offsets: tuple[float, float, float]
    yaw_joint: str | None
    base_link: str
    tip_link: str
    plane: Matrix
    frames: dict[str, Matrix] = field(repr=False)
    velocity_limits: dict[str, float | None]
    held_joints: tuple[str, ...]
    notes: tuple[str, ...]
    _robot: Robot = field(repr=False)
    _path: tuple[UrdfJoint, ...] = field(repr=False)
    _three: tuple[UrdfJoint, UrdfJoint, UrdfJoint] = field(repr=False)

    # --- the robot's own joint positions ---

    @property
    def commanded_joints(self) -> tuple[str, ...]:
        """Names of the joints in a solution: the yaw joint, if there is one, and the three."""
        return tuple(self.velocity_limits)

    def holding(self, positions: Mapping[str, float]) -> PlanarChain:
        """The chain with its held joints at these positions by name [rad or m]; not named: 0."""
        return self

    def joints_moving(self, link: str) -> tuple[str, ...] | None:
        """Names of the joints that move `link` in base_link, None for an unknown link."""
        if link not in self._robot.links:
            return None
        return tuple(
            joint.name
            for joint in self._robot.between(self.base_link, link)
            if joint.type != 'fixed'
        )

    def link_pose(self, link: str, positions: Mapping[str, float]) -> Matrix:
        """Pose of any link of the robot in base_link (4x4) at joint positions by name."""
        to_base, to_link = (
            link_poses(self._robot.path(self._robot.root, end), positions)[-1]
            for end in (self.base_link, link)
        )
        return inverse_pose(to_base) @ to_link

    def named(self, q: JointPositions) -> NamedPositions:
        """The arm's joint angles as the robot's joint positions by name [rad].

        Angles inside the arm's limits give positions inside the robot's, to the last bit.
        """
        return {
            joint.name: nearest_in(sign * (angle - offset), (joint.lower, joint.upper)) + 0.0
            for joint, sign, offset, angle in zip(
                self._three, self.joint_signs, self.joint_offsets, q, strict=True
            )
        }

    def arm_angles(self, positions: Mapping[str, float]) -> JointPositions:
        """The robot's joint positions by name as the arm's joint angles [rad]; not named: 0."""
        q1, q2, q3 = (
            sign * positions.get(name, 0.0) + offset
            for name, sign, offset in zip(
                self.joint_names, self.joint_signs, self.joint_offsets, strict=True
            )
        )
        return q1, q2, q3

    def forward_kinematics(self, positions: Mapping[str, float]) -> Matrix:
        """Pose of the tip in base_link (4x4) at joint positions by name [rad]; not named: 0."""
        return link_poses(self._path, positions)[-1]

    # --- the plane ---

    def into_plane(self, point: Sequence[float]) -> Point3:
        """A point in base_link [m] as (x, y, distance out of the plane) [m]."""
        x, y, z = np.asarray(point, dtype=float)
        x, y, z = self.plane[:3, :3].T @ (np.array([x, y, z]) - self.plane[:3, 3])
        return float(x), float(y), float(z)

    def from_plane(self, x: float, y: float) -> Point3:
        """A point of the plane [m] in base_link [m]."""
        x, y, z = self.plane[:3, :3] @ np.array([x, y, 0.0]) + self.plane[:3, 3]
        return float(x), float(y), float(z)

    def tool_rotation(self, phi: float) -> Matrix:
        """Orientation of tip_link in base_link (3x3) when the tool's orientation is `phi`."""
        at_zero = self.forward_kinematics({})[:3, :3]
        turned: Matrix = rotation_about(self.plane[:3, 2], phi - sum(self.joint_offsets)) @ at_zero
        return turned

    def tool_orientation(self, rotation: Matrix) -> tuple[float, float]:
        """Orientation of tip_link in base_link (3x3) as `(phi, out_of_plane)` [rad].

        `out_of_plane` is the angle by which it turns the plane's normal, which no joint can do.
        """
        turn = self.plane[:3, :3].T @ rotation @ self.forward_kinematics({})[:3, :3].T
        turn = turn @ self.plane[:3, :3]
        tilt = math.atan2(math.hypot(turn[0, 2], turn[1, 2]), turn[2, 2])
        angle = math.atan2(turn[1, 0] - turn[0, 1], turn[0, 0] + turn[1, 1])
        return wrap(angle + sum(self.joint_offsets)), tilt

    # --- questions ---

    def inverse_kinematics(self, point: Sequence[float], phi: float) -> list[NamedPositions]:
        """Every set of joint positions that puts the tip at `point` in base_link [m] with the
        tool's orientation `phi` in the plane [rad]; [] out of the plane."""
        _check_point(point)
        x, y, away = self.into_plane(point)
        if abs(away) > OUT_OF_PLANE_TOLERANCE:
            return []
        return [self.named(q) for q in self.arm.inverse_kinematics(x, y, phi)]

    def check_reachability(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        zones: SafeZones | None = None,
        out_of_plane_tolerance: float = OUT_OF_PLANE_TOLERANCE,
    ) -> SpatialReachability:
        """Can the tip be at `point` in base_link [m], with orientation `phi` [rad] if given?

        `zones` are the arm's own safe zones unless others are given.
        """
        _check_point(point)
        if phi is not None and not math.isfinite(phi):
            raise NotFiniteError(f'phi is {phi}; it must be a finite number')
        x, y, away = self.into_plane(point)
        found = check(self.arm, (x, y), phi, zones or self.arm.safe_zones, self._labels)
        code, message = found.code, found.message
        if abs(away) > out_of_plane_tolerance:
            code = Code.OUT_OF_PLANE
            message = (
                f'out of the plane of {", ".join(self.joint_names)} by {abs(away):.3g} m, '
                f'{out_of_plane_tolerance:.3g} m are allowed'
            )
            if not found.reachable:
                message += f'; in the plane: {found.message}'
        nearest, joints = found.nearest, found.nearest_joint_positions
        return SpatialReachability(
            reachable=code is Code.OK,
            code=code,
            message=message,
            nearest=nearest
            and SpatialPose(*self.from_plane(nearest.x, nearest.y), nearest.phi),
            nearest_joint_positions=None if joints is None else self.named(joints),
            orientation_intervals=found.orientation_intervals,
            _in_plane=found,
            _chain=self,
            _out_of_plane=away,
        )

    def solve(
        self,
        point: Sequence[float],
        phi: float | None,
        seed: Mapping[str, float] | None,
        policy: Policy,
    ) -> NamedPositions | None:
        """The one set of joint positions that the policy chooses; None if there is none.

        `seed` are joint positions by name [rad] to stay near to; it counts if it names every
        commanded joint.
        """
        x, y, _ = self.into_plane(point)
        complete = seed is not None and all(name in seed for name in self.joint_names)
        angles = self.arm_angles(seed) if seed is not None and complete else None
        chosen = solve(self.arm, x, y, None if phi is None else wrap(phi), angles, policy)
        return None if chosen is None else self.named(chosen)

    @property
    def _labels(self) -> Labels:
        a, b, c = map(JointLabel, self.joint_names, self.joint_signs)
        return a, b, c


def link_poses(path: Sequence[UrdfJoint], positions: Mapping[str, float]) -> list[Matrix]:
    """Pose of each joint's child in the path's base (4x4); joints not named are at 0."""
    poses: list[Matrix] = []
    pose: Matrix = np.eye(4)
    for joint in path:
        pose = pose @ joint.transform(positions.get(joint.name, 0.0))
        poses.append(pose)
    return poses or [pose]


def _check_point(point: Sequence[float]) -> None:
    values = [float(value) for value in point]
    if len(values) != 3 or not all(math.isfinite(value) for value in values):
        raise NotFiniteError(f'point {values} must be three finite numbers of metres')
