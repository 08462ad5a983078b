"""The planar arm inside a robot: questions in base_link, answers in the robot's own joints."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from operator import add, mul

import numpy as np

from ik_circles.errors import NotFiniteError
from ik_circles.geometry.angles import Limits, nearest_in, wrap
from ik_circles.geometry.rigid import Matrix, Rotation, Rows, inverse_pose, rotation_about
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.planar.redundancy.policy import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.reasons import JointLabel, JointLabels
from ik_circles.robot.tree import Robot, UrdfJoint
from ik_circles.spatial.verdict import (
    Configuration,
    Point3,
    SpatialPose,
    SpatialReachability,
    Wanted,
)
from ik_circles.spatial.yaw import Place, Shoulder, Yaw

__all__ = ['Point3', 'RobotArm', 'SpatialPose', 'SpatialReachability', 'link_poses']

#: A point is in the arm's plane when it is no farther from it than this [m].
OUT_OF_PLANE_TOLERANCE = 1e-6
#: Held joints count as where they were until they have moved by more than this [rad or m].
HELD_TOLERANCE = 1e-3
#: A tool whose horizontal direction is towards the yaw axis by less than this points outwards.
INWARD = 1e-9

NamedPositions = dict[str, float]


@dataclass(frozen=True, eq=False)
class RobotArm:
    """Three successive joints with parallel axes, reduced to a planar arm, and the yaw joint, if
    any, that turns their plane.

    Attributes
    ----------
    arm : the planar arm; its joint angle i is `joint_signs[i] * position + joint_offsets[i]` [rad]
    joint_names, joint_signs, joint_offsets : of the three joints
    yaw_joint : name of the joint before them whose axis lies along their plane, if any
    yaw : that joint as seen from the plane; its angle is `yaw_sign * position` [rad]
    base_link, tip_link : the ends of the chain
    plane : the arm's plane in base_link (4x4) with the yaw joint at 0: origin at the first joint,
        x as far towards base_link's +x (or +y) as the plane allows, y up, z the normal that angles
        turn about
    frames : pose in base_link (4x4) of each link that is fixed to it
    velocity_limits : of the commanded joints by name [rad/s]; None where the URDF gives none
    held : positions of the other joints between base_link and tip_link by name, which stay
    slack : how far the tip may be from where the plane has it, because the axes in the URDF are
        parallel, or perpendicular, only to within rounding [m]
    notes : what a user should know about the reduction, a sentence each
    robot : the whole robot
    """

    arm: PlanarArm
    joint_names: tuple[str, str, str]
    joint_signs: tuple[int, int, int]
    joint_offsets: tuple[float, float, float]
    yaw_joint: str | None
    yaw: Yaw | None
    yaw_sign: int
    base_link: str
    tip_link: str
    plane: Matrix
    frames: dict[str, Matrix] = field(repr=False)
    velocity_limits: dict[str, float | None]
    held: dict[str, float]
    slack: float
    notes: tuple[str, ...]
    robot: Robot = field(repr=False)
    _path: tuple[UrdfJoint, ...] = field(repr=False)
    _commanded: tuple[UrdfJoint, ...] = field(repr=False)
    _holding: Callable[[Mapping[str, float]], RobotArm] = field(repr=False)

    # --- the robot's own joint positions ---

    @property
    def commanded_joints(self) -> tuple[str, ...]:
        """Names of the joints in a solution: the yaw joint, if there is one, and the three."""
        return tuple(self.velocity_limits)

    def holding(self, positions: Mapping[str, float]) -> RobotArm:
        """The chain with its held joints at these positions by name [rad or m].

        Joints that are not named, or have not moved by more than HELD_TOLERANCE, stay.
        """
        moved = {
            name: positions[name]
            for name, before in self.held.items()
            if name in positions and abs(positions[name] - before) > HELD_TOLERANCE
        }
        return self._holding({**self.held, **moved}) if moved else self

    def joints_moving(self, link: str) -> tuple[str, ...] | None:
        """Names of the joints that move `link` in base_link, None for an unknown link."""
        if not self.robot.has_link(link):
            return None
        return tuple(
            joint.name
            for joint in self.robot.between(self.base_link, link)
            if joint.type != 'fixed'
        )

    def link_pose(self, link: str, positions: Mapping[str, float]) -> Matrix:
        """Pose of any link of the robot in base_link (4x4) at joint positions by name."""
        to_base, to_link = (
            link_poses(self.robot.path(self.robot.root, end), positions)[-1]
            for end in (self.base_link, link)
        )
        return inverse_pose(to_base) @ to_link

    def named(self, q: JointPositions, yaw: float = 0.0) -> NamedPositions:
        """The arm's joint angles and the yaw angle as the robot's joint positions by name [rad].

        Angles inside the arm's limits give positions inside the robot's, to the last bit, and
        angles on a limit give that limit.
        """
        angles = q if self.yaw is None else (yaw, *q)
        named: NamedPositions = {}
        for (name, sign, offset, own, at_limits), angle in zip(self._positions, angles):
            position = at_limits.get(angle)
            if position is None:
                position = nearest_in(sign * (angle - offset), own) + 0.0
            named[name] = position
        return named

    @cached_property
    def _positions(self) -> list[tuple[str, int, float, Limits, dict[float, float]]]:
        """Of each commanded joint: its name, sign, offset and the URDF's limits, and which of these
        belongs to which limit of its angle."""
        yaw = [] if self.yaw is None else [(self.yaw_sign, 0.0, self.yaw.limits)]
        three = zip(self.joint_signs, self.joint_offsets, self.arm.limits, strict=True)
        positions = []
        for joint, (sign, offset, limits) in zip(self._commanded, (*yaw, *three), strict=True):
            own = joint.lower, joint.upper
            at_limits = dict(zip(limits, own[::sign], strict=True))
            positions.append((joint.name, sign, offset, own, at_limits))
        return positions

    def configuration(self, positions: Mapping[str, float]) -> Configuration:
        """The robot's joint positions by name as yaw angle and joint angles [rad]; not named: 0."""
        yaw = self.yaw_sign * positions.get(self.yaw_joint, 0.0) if self.yaw_joint else 0.0
        return Configuration(yaw, self.arm_angles(positions))

    def arm_angles(self, positions: Mapping[str, float]) -> JointPositions:
        """The robot's joint positions by name as the arm's joint angles [rad]; not named: 0."""
        angles = map(positions.get, self.joint_names, repeat(0.0))
        q1, q2, q3 = map(add, map(mul, self.joint_signs, angles), self.joint_offsets)
        return q1, q2, q3

    def forward_kinematics(self, positions: Mapping[str, float]) -> Matrix:
        """Pose of the tip in base_link (4x4) at joint positions by name [rad].

        Held joints that are not named are where they are held, others at 0.
        """
        return link_poses(self._path, {**self.held, **positions})[-1]

    # --- the plane ---

    def into_plane(self, point: Sequence[float]) -> Point3:
        """A point in base_link [m] as (x, y, distance out of the plane) [m], the yaw joint at 0."""
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self._plane_floats
        x, y, z = map(float, point)
        x, y, z = x - x0, y - y0, z - z0
        return a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z

    def from_plane(self, x: float, y: float, yaw: float = 0.0) -> Point3:
        """A point of the plane [m], turned by the yaw angle [rad], in base_link [m]."""
        z = 0.0
        if self.yaw is not None and yaw != 0.0:
            outwards, height = self.yaw.from_axis((x, y))
            turned = complex(outwards, self.yaw.aside) * complex(math.cos(yaw), math.sin(yaw))
            x, y = self.yaw.in_plane(turned.real, height)
            z = self.yaw.aside - turned.imag
        (a, b, c), (d, e, f), (g, h, i), (x0, y0, z0) = self._plane_floats
        return (
            a * x + d * y + g * z + x0,
            b * x + e * y + h * z + y0,
            c * x + f * y + i * z + z0,
        )

    def place_of(self, yaw: Yaw, point: Sequence[float]) -> Place:
        """A point in base_link [m], seen from the yaw axis."""
        x, y, off = self.into_plane(point)
        outwards, height = yaw.from_axis((x, y))
        sideways = yaw.aside - off
        return Place(math.hypot(outwards, sideways), math.atan2(sideways, outwards), height)

    def shoulders(self, point: Sequence[float]) -> list[tuple[Shoulder, list[float]]]:
        """The ways to have a point in base_link [m] in the arm's plane, each with the yaw angles
        inside the limits; without a yaw joint the one way, at 0."""
        if self.yaw is None:
            x, y, off = self.into_plane(point)
            return [(Shoulder(0.0, (x, y), abs(off)), [0.0])]
        return self.yaw.ways(self.place_of(self.yaw, point))

    def seen_in_plane(self, point: Sequence[float]) -> tuple[float, float]:
        """Where in the arm's plane a point in base_link is to be drawn [m]: with the plane turned
        to it if that is possible, else with the yaw joint at 0. NaN is drawn nowhere."""
        if all(map(math.isfinite, point)):
            for shoulder, yaws in self.shoulders(point):
                if yaws:
                    return shoulder.point
        return self.into_plane(point)[:2]

    @cached_property
    def home(self) -> Configuration:
        """Yaw angle and joint angles as near to zero as the limits allow [rad]."""
        return Configuration(nearest_in(0.0, self.yaw.limits) if self.yaw else 0.0, self.arm.home)

    def tool_rotation(self, phi: float, yaw: float = 0.0) -> Matrix:
        """Orientation of tip_link in base_link (3x3) when the tool's orientation is `phi` in the
        plane at the yaw angle [rad]."""
        turn = rotation_about(self.plane[:3, 2], phi - self._phi_at_zero)
        turned: Matrix = rotation_about(np.array(self.yaw_axis), yaw) @ turn @ self._tip_at_zero
        return turned

    def tool_orientation(self, rotation: Rotation, yaw: float = 0.0) -> tuple[float, float]:
        """Orientation of tip_link in base_link (3x3) as `(phi, tilt)` [rad] in the plane at the yaw
        angle: the tool's orientation there, and how far that is from what was given."""
        if self.yaw is None:
            (xx, xy, xz), (yx, yy, yz), (_, _, zz) = self._turn(rotation)
            phi = wrap(math.atan2(yx - xy, xx + yy) + self._phi_at_zero)
            return phi, math.atan2(math.hypot(xz, yz), zz)
        phi = self.tool_angle(rotation, yaw)
        return phi, self.tilt(rotation, phi, yaw)

    def tool_angle(self, rotation: Rotation, yaw: float = 0.0) -> float:
        """The tool's orientation in the plane at the yaw angle [rad] for that of tip_link
        in base_link (3x3): behind a yaw joint that with the same pitch, else the nearest."""
        if self.yaw is None:
            return self.tool_orientation(rotation)[0]
        turn, at_zero = self._turn(rotation), self._phi_at_zero
        cosine, sine = math.cos(at_zero), math.sin(at_zero)
        x, y, side = (row[0] * cosine + row[1] * sine for row in turn)  # of the tool, at yaw 0
        along_x, along_y = self.yaw.along
        outwards, up = x * along_y - y * along_x, x * along_x + y * along_y
        seen = outwards * math.cos(yaw) - side * math.sin(yaw)
        level = math.copysign(math.hypot(outwards, side), seen + INWARD)
        return wrap(math.atan2(up, level) - math.atan2(along_x, along_y))

    def yaw_of(self, rotation: Rotation) -> float:
        """The yaw angle [rad] at which the plane's normal is as in the orientation of tip_link in
        base_link (3x3)."""
        along_x, along_y = self.yaw.along if self.yaw else (0.0, 1.0)
        x, y, z = (row[2] for row in self._turn(rotation))
        return math.atan2(x * along_y - y * along_x, z)

    def tilt(self, rotation: Rotation, phi: float, yaw: float = 0.0) -> float:
        """How far the orientation of tip_link in base_link (3x3) is from what the joints can do
        [rad]: behind a yaw joint as a whole, else by how much it turns the plane."""
        if self.yaw is None:
            return self.tool_orientation(rotation)[1]
        apart = float(np.linalg.norm(self.tool_rotation(phi, yaw) - rotation))
        return 2.0 * math.asin(min(1.0, apart / math.sqrt(8.0)))

    def _turn(self, rotation: Rotation) -> Rows:
        """How an orientation of tip_link in base_link differs from that with the arm at zero, in
        the plane's axes (3x3)."""
        rows = rotation.tolist() if isinstance(rotation, np.ndarray) else rotation
        return _product(_product(self._plane_floats[:3], rows), self._zero_in_plane)

    @cached_property
    def _phi_at_zero(self) -> float:
        return sum(self.joint_offsets)

    @cached_property
    def _plane_floats(self) -> tuple[Point3, Point3, Point3, Point3]:
        """The plane's x, y, z and origin: for single points, plain floats are much faster."""
        x, y, z, origin = ((a, b, c) for a, b, c in self.plane[:3].T.tolist())
        return x, y, z, origin

    @cached_property
    def _zero_in_plane(self) -> Rows:
        """From the plane to the tip and back into base_link, with the arm at zero (3x3)."""
        turn: Rows = (self._tip_at_zero.T @ self.plane[:3, :3]).tolist()
        return turn

    @cached_property
    def _tip_at_zero(self) -> Matrix:
        return self.forward_kinematics({})[:3, :3]

    @cached_property
    def normal(self) -> Point3:
        """Direction in base_link that angles of the arm turn about, with the yaw joint at 0."""
        return self._plane_floats[2]

    @cached_property
    def yaw_axis(self) -> Point3:
        """Direction in base_link that the yaw angle turns about; some other without a yaw joint."""
        along_x, along_y = self.yaw.along if self.yaw else (0.0, 1.0)
        x, y, z = (self.plane[:3, :3] @ np.array([along_x, along_y, 0.0])).tolist()
        return x, y, z

    # --- questions ---

    def inverse_kinematics(self, point: Sequence[float], phi: float) -> list[NamedPositions]:
        """Every set of joint positions that puts the tip at `point` in base_link [m] with the
        tool's orientation `phi` in the arm's plane [rad]; [] out of the plane.

        Behind a yaw joint the plane is the one that the yaw joint has turned: solutions that face
        the point come before those that reach backwards. On the yaw axis every yaw angle will do,
        and the one nearest to 0 is given.
        """
        _checked(point, phi)
        return [
            self.named(q, yaw)
            for shoulder, yaws in self.shoulders(point)
            if shoulder.beside <= OUT_OF_PLANE_TOLERANCE + self.slack
            for yaw in yaws
            for q in self.arm.inverse_kinematics(*shoulder.point, phi)
        ]

    def check_reachability(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        zones: SafeZones | None = None,
        out_of_plane_tolerance: float = OUT_OF_PLANE_TOLERANCE,
        tilt_tolerance: float = math.inf,
    ) -> SpatialReachability:
        """Can the tip be at `point` in base_link [m], with an orientation if one is given?

        Parameters
        ----------
        phi : the tool's orientation in the arm's plane [rad]
        rotation : the orientation of tip_link in base_link (3x3), in place of phi
        zones : the arm's own safe zones unless others are given
        out_of_plane_tolerance : distance from the plane [m]; it counts without a yaw joint
        tilt_tolerance : by how much [rad] `rotation` may differ from what the joints can do
        """
        x, y, z = _checked(point, phi)
        if rotation is not None and not math.isfinite(sum(map(sum, rotation))):
            rows = np.asarray(rotation).tolist()
            raise NotFiniteError(f'rotation {rows} must be nine finite numbers')
        zones = zones or self.arm.safe_zones
        tolerance = out_of_plane_tolerance + self.slack
        wanted = Wanted((x, y, z), phi, rotation, zones, tolerance, tilt_tolerance)
        return SpatialReachability(self, wanted)

    def solve(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        seed: Mapping[str, float] | None = None,
        policy: Policy = Policy(),  # noqa: B008  (it is frozen)
        redundancy: Redundancy = Redundancy(),  # noqa: B008
        tilt_tolerance: float = math.inf,
    ) -> NamedPositions | None:
        """The one set of joint positions that the policy chooses; None if there is none.

        `seed` are joint positions by name [rad] to stay near to; it counts if it names every
        commanded joint. `redundancy` counts without an orientation. See check_reachability for
        the others.
        """
        return self.check_reachability(
            point, phi, rotation=rotation, tilt_tolerance=tilt_tolerance
        ).solve(seed, policy, redundancy)

    @cached_property
    def labels(self) -> JointLabels:
        """How messages speak of the three joints."""
        a, b, c = map(JointLabel, self.joint_names, self.joint_signs)
        return a, b, c

    @property
    def yaw_label(self) -> JointLabel:
        """How messages speak of the yaw joint."""
        return JointLabel(self.yaw_joint or '', self.yaw_sign)


def link_poses(path: Sequence[UrdfJoint], positions: Mapping[str, float]) -> list[Matrix]:
    """Pose of each joint's child in the path's base (4x4); joints not named are at 0."""
    poses: list[Matrix] = []
    pose: Matrix = np.eye(4)
    for joint in path:
        pose = pose @ joint.transform(positions.get(joint.name, 0.0))
        poses.append(pose)
    return poses or [pose]


def _product(a: Rows, b: Rows) -> Rows:
    """Of two 3x3 matrices."""
    (a11, a12, a13), (a21, a22, a23), (a31, a32, a33) = a
    (b11, b12, b13), (b21, b22, b23), (b31, b32, b33) = b
    return (
        (
            a11 * b11 + a12 * b21 + a13 * b31,
            a11 * b12 + a12 * b22 + a13 * b32,
            a11 * b13 + a12 * b23 + a13 * b33,
        ),
        (
            a21 * b11 + a22 * b21 + a23 * b31,
            a21 * b12 + a22 * b22 + a23 * b32,
            a21 * b13 + a22 * b23 + a23 * b33,
        ),
        (
            a31 * b11 + a32 * b21 + a33 * b31,
            a31 * b12 + a32 * b22 + a33 * b32,
            a31 * b13 + a32 * b23 + a33 * b33,
        ),
    )


def _checked(point: Sequence[float], phi: float | None) -> tuple[float, ...]:
    values = tuple(map(float, point))
    if len(values) != 3 or not all(map(math.isfinite, values)):
        raise NotFiniteError(f'point {[*values]} must be three finite numbers of metres')
    if phi is not None and not math.isfinite(phi):
        raise NotFiniteError(f'phi is {phi}; it must be a finite number')
    return values
