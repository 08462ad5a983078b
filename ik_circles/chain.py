"""From a robot description to the planar arm inside it, and back to the robot's own joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ik_circles.angles import Limits, nearest_in, wrap
from ik_circles.arm import JointPositions, PlanarArm
from ik_circles.errors import InvalidUrdfError, NoPlanarChainError, NotFiniteError
from ik_circles.reachability import Code, JointLabel, Labels, Reachability, check
from ik_circles.urdf import TURNING, Matrix, Robot, UrdfJoint, parse_urdf, rotation_about
from ik_circles.workspace import SafeZones

#: Axes are parallel, or perpendicular, when they are so within this angle [rad].
AXIS_TOLERANCE = 1e-4
#: A link shorter than this share of the arm's reach has no direction of its own.
NO_LENGTH = 1e-9
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
    _path: tuple[UrdfJoint, ...] = field(repr=False)
    _three: tuple[UrdfJoint, UrdfJoint, UrdfJoint] = field(repr=False)

    # --- the robot's own joint positions ---

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


# --- finding the chain ----------------------------------------------------------------------------


def load_planar_chain(
    urdf: str | bytes, base_link: str | None = None, tip_link: str | None = None
) -> PlanarChain:
    """The planar chain of a robot description.

    Parameters
    ----------
    urdf : the text of the URDF
    base_link : where the chain starts; the root if not given
    tip_link : where it ends; if not given, the one leaf that the three joints move most directly

    Raises
    ------
    InvalidUrdfError : the description is unsound, or has no such link
    NoPlanarChainError : no three successive revolute joints have parallel axes, or several sets do
    """
    robot = parse_urdf(urdf)
    base = base_link or robot.root
    robot.path(base, base)  # whether there is such a link
    tip = tip_link or _only_tip(robot, base)
    path = robot.path(base, tip)
    return _reduce(robot, base, tip, path, _three_parallel(path))


def _only_tip(robot: Robot, base: str) -> str:
    """The leaf behind three parallel joints with the fewest movable joints after those."""
    behind: dict[str, int] = {}
    reasons: list[str] = []
    for leaf in robot.leaves:
        try:
            path = robot.path(base, leaf)
            last = _three_parallel(path)[2]
        except (InvalidUrdfError, NoPlanarChainError) as error:
            reasons.append(f'towards {leaf}: {error}')
            continue
        behind[leaf] = sum(joint.type != 'fixed' for joint in path[path.index(last) + 1 :])
    if not behind:
        raise NoPlanarChainError('; '.join(reasons[:3]) or 'the robot has no links to move')
    nearest = [leaf for leaf, count in behind.items() if count == min(behind.values())]
    if len(nearest) > 1:
        raise NoPlanarChainError(
            f'the tip may be any of {", ".join(nearest)}; choose one with tip_link'
        )
    return nearest[0]


def _three_parallel(path: Sequence[UrdfJoint]) -> tuple[UrdfJoint, UrdfJoint, UrdfJoint]:
    movable = [joint for joint in path if joint.type != 'fixed']
    axes = {
        joint.name: pose[:3, :3] @ joint.axis
        for joint, pose in zip(path, link_poses(path, {}), strict=False)
    }
    found = [
        (a, b, c)
        for a, b, c in zip(movable, movable[1:], movable[2:], strict=False)
        if all(joint.type in TURNING and not joint.mimic for joint in (a, b, c))
        and _angle_between(axes[a.name], axes[b.name]) <= AXIS_TOLERANCE
        and _angle_between(axes[a.name], axes[c.name]) <= AXIS_TOLERANCE
    ]
    if len(found) == 1:
        return found[0]
    if found:
        sets = ' or '.join(', '.join(joint.name for joint in three) for three in found)
        raise NoPlanarChainError(
            f'more than three successive joints have parallel axes ({sets}); '
            'choose three with base_link and tip_link'
        )
    raise NoPlanarChainError(_why_none(movable, axes))


def _angle_between(axis: Matrix, other: Matrix) -> float:
    """Angle between two lines with these unit vectors [rad]."""
    return math.atan2(float(np.linalg.norm(np.cross(axis, other))), abs(float(axis @ other)))


def _why_none(movable: Sequence[UrdfJoint], axes: Mapping[str, Matrix]) -> str:
    needed = 'three successive revolute joints with parallel axes are needed'
    if len(movable) < 3:
        names = ', '.join(joint.name for joint in movable) or 'none'
        return (
            f'{needed}, but only {len(movable)} joint(s) can move between base_link and tip_link: '
            f'{names}; choose links farther apart'
        )
    sliding = [joint for joint in movable if joint.type not in TURNING]
    if sliding and len(movable) - len(sliding) < 3:
        return f"{needed}, but joint '{sliding[0].name}' is {sliding[0].type}"
    angles = ', '.join(
        f'{a.name} to {b.name} {math.degrees(_angle_between(axes[a.name], axes[b.name])):.4g} deg'
        for a, b in zip(movable, movable[1:], strict=False)
    )
    return f'{needed}; the angles between successive axes are {angles}'


# --- reducing it ----------------------------------------------------------------------------------


def _reduce(
    robot: Robot,
    base: str,
    tip: str,
    path: list[UrdfJoint],
    three: tuple[UrdfJoint, UrdfJoint, UrdfJoint],
) -> PlanarChain:
    """Forward kinematics at zero, projected on the common axis (robots.md)."""
    poses = dict(zip((joint.name for joint in path), link_poses(path, {}), strict=True))
    axes = [poses[joint.name][:3, :3] @ joint.axis for joint in three]
    positions = [poses[joint.name][:3, 3] for joint in three]
    tip_position = link_poses(path, {})[-1][:3, 3]
    basis = _plane_axes(axes[0])
    normal = basis[:, 2]
    plane = np.eye(4)
    plane[:3, :3] = basis
    plane[:3, 3] = positions[0] + normal * (normal @ (tip_position - positions[0]))
    corners = [(basis.T @ (point - plane[:3, 3]))[:2] for point in (*positions, tip_position)]
    links = [b - a for a, b in zip(corners, corners[1:], strict=False)]
    lengths, directions = _lengths_and_directions(links)
    offsets = (
        directions[0],
        wrap(directions[1] - directions[0]),
        wrap(directions[2] - directions[1]),
    )
    signs = tuple(1 if float(axis @ normal) > 0.0 else -1 for axis in axes)
    arm = PlanarArm(
        lengths,
        tuple(map(_arm_limits, three, signs, offsets)),  # type: ignore[arg-type]
    )
    before = [joint for joint in path[: path.index(three[0])] if joint.type != 'fixed']
    yaw = before[-1] if before and _is_yaw(before[-1], poses, normal) else None
    return PlanarChain(
        arm=arm,
        joint_names=(three[0].name, three[1].name, three[2].name),
        joint_signs=(signs[0], signs[1], signs[2]),
        joint_offsets=offsets,
        yaw_joint=yaw.name if yaw else None,
        base_link=base,
        tip_link=tip,
        plane=plane,
        frames=robot.fixed_to(base),
        _path=tuple(path),
        _three=three,
    )


def _plane_axes(joint_axis: Matrix) -> Matrix:
    """Columns x, y, z of the plane: y up unless the plane is level, x towards +x or else +y."""
    up, forward, left = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 1, 0])
    if _angle_between(joint_axis, up) <= AXIS_TOLERANCE:
        normal = joint_axis if joint_axis[2] > 0.0 else -joint_axis
        x_axis = forward - normal * normal[0]
        x_axis /= np.linalg.norm(x_axis)
    else:
        x_axis = np.cross(joint_axis, up)
        x_axis /= np.linalg.norm(x_axis)
        along = x_axis @ forward if abs(x_axis @ forward) > AXIS_TOLERANCE else x_axis @ left
        x_axis = x_axis if along > 0.0 else -x_axis
        normal = joint_axis if np.cross(joint_axis, x_axis)[2] > 0.0 else -joint_axis
    return np.column_stack((x_axis, np.cross(normal, x_axis), normal))


def _lengths_and_directions(
    links: Sequence[Matrix],
) -> tuple[tuple[float, float, float], list[float]]:
    """A link without length takes the direction of the one before."""
    lengths = [math.hypot(*link) for link in links]
    shortest = NO_LENGTH * sum(lengths)
    lengths = [length if length > shortest else 0.0 for length in lengths]
    directions: list[float] = []
    for link, length in zip(links, lengths, strict=True):
        before = directions[-1] if directions else 0.0
        directions.append(math.atan2(link[1], link[0]) if length > 0.0 else before)
    return (lengths[0], lengths[1], lengths[2]), directions


def _arm_limits(joint: UrdfJoint, sign: int, offset: float) -> Limits | None:
    if math.isinf(joint.lower):
        return None
    ends = sign * joint.lower + offset, sign * joint.upper + offset
    return min(ends), max(ends)


def _is_yaw(joint: UrdfJoint, poses: Mapping[str, Matrix], normal: Matrix) -> bool:
    axis = poses[joint.name][:3, :3] @ joint.axis
    upright = math.pi / 2.0 - _angle_between(axis, normal)
    return joint.type in TURNING and abs(upright) <= AXIS_TOLERANCE
