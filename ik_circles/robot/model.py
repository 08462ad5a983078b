"""What the arm inside a robot is: its joints, its plane, and how it moves with the robot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ik_circles.geometry.rigid import Matrix, Point3, Rotation
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.robot.naming import JointNaming, NamedPositions
from ik_circles.robot.search import ArmInTree
from ik_circles.robot.tree import RobotTree, poses_along
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.model import Configuration
from ik_circles.spatial.yaw import Turns, Yaw


@dataclass(frozen=True, eq=False)
class RobotModel:
    """An arm `found` in a robot.

    `spatial` is the arm in space, which answers with angles; `naming` gives them names. `held` are
    the positions of the other movable joints up to tip_link by name, which stay [rad or m].
    `notes` say what a user should know about the reduction, a sentence each.
    """

    found: ArmInTree
    spatial: SpatialArm
    naming: JointNaming
    held: dict[str, float]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        joints = ', '.join(self.commanded_joints)
        return f'{type(self).__name__}({joints}: {self.base_link} to {self.tip_link})'

    # --- the arm ---

    @cached_property
    def arm(self) -> PlanarArm:
        """The planar arm: its angle i is `joint_signs[i] * position + joint_offsets[i]` [rad]."""
        return self.spatial.planar

    @cached_property
    def commanded_joints(self) -> tuple[str, ...]:
        """Names of the joints in a solution: the yaw joint, if there is one, and the three."""
        return tuple(self.naming.joints)

    @cached_property
    def joint_names(self) -> tuple[str, str, str]:
        """Names of the three joints."""
        return self.naming.names

    @property
    def joint_signs(self) -> tuple[int, int, int]:
        """Signs of the three joints; see `arm`."""
        return self.naming.signs

    @property
    def joint_offsets(self) -> tuple[float, float, float]:
        """Offsets of the three joints [rad]; see `arm`."""
        return self.naming.offsets

    @property
    def yaw_joint(self) -> str | None:
        """Name of the joint immediately before the three, if it turns their plane."""
        yaw = self.naming.yaw
        return None if yaw is None else yaw.joint.name

    @property
    def yaw_sign(self) -> int:
        """The yaw angle is this times the position of the yaw joint; 1 without one."""
        yaw = self.naming.yaw
        return 1 if yaw is None else yaw.sign

    @cached_property
    def yaw(self) -> Yaw | None:
        """The yaw joint as seen from the plane."""
        return self.spatial.yaw

    @property
    def base_link(self) -> str:
        """The link that the arm starts at."""
        return self.found.base_link

    @property
    def tip_link(self) -> str:
        """The link that is sent to targets."""
        return self.found.tip_link

    @cached_property
    def plane(self) -> Matrix:
        """The arm's plane in base_link (4x4) with the yaw joint at 0.

        The origin is at the first joint; x points as far towards base_link's +x (or +y) as the
        plane allows, y up, and z is the normal that angles turn about.
        """
        return self.spatial.plane.pose

    @property
    def slack(self) -> float:
        """How far the tip may be from where it was sent [m].

        It is more than 0 if the axes in the URDF are parallel or perpendicular only nearly.
        """
        return self.spatial.plane.slack

    @property
    def velocity_limits(self) -> dict[str, float | None]:
        """Of the commanded joints by name [rad/s]; None where the URDF gives none."""
        return {name: joint.velocity for name, joint in self.naming.joints.items()}

    @cached_property
    def home(self) -> Configuration:
        """The yaw angle and joint angles as near to zero as the limits allow [rad]."""
        return self.spatial.home

    # --- the whole robot ---

    @property
    def tree(self) -> RobotTree:
        """The whole robot."""
        return self.found.tree

    @cached_property
    def frames(self) -> dict[str, Matrix]:
        """Pose in base_link (4x4) of each link that is fixed to it."""
        return self.tree.fixed_to(self.base_link)

    def joints_moving(self, link: str) -> tuple[str, ...] | None:
        """Names of the joints that move a link in base_link, None for an unknown link."""
        if not self.tree.has_link(link):
            return None
        between = self.tree.between(self.base_link, link)
        return tuple(joint.name for joint in between if joint.type != 'fixed')

    def link_pose(self, link: str, positions: Mapping[str, float]) -> Matrix:
        """Pose of any link of the robot in base_link (4x4) at joint positions by name."""
        return self.tree.pose(link, self.base_link, positions)

    def forward_kinematics(self, positions: Mapping[str, float]) -> Matrix:
        """Pose of the tip.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad or m]. Held joints that are not named are where they are
            held, others at 0.

        Returns
        -------
        ndarray, shape (4, 4)
            Pose of tip_link in base_link.
        """
        return poses_along(self.found.path, {**self.held, **positions})[-1]

    # --- between joint positions and angles ---

    def configuration(self, positions: Mapping[str, float]) -> Configuration:
        """Joint positions by name as the yaw angle and joint angles [rad]; not named: 0."""
        return self.naming.configuration(positions)

    def arm_angles(self, positions: Mapping[str, float]) -> JointPositions:
        """Joint positions by name as the planar arm's joint angles [rad]; not named: 0."""
        return self.naming.arm_angles(positions)

    def named(self, q: JointPositions, yaw: float = 0.0) -> NamedPositions:
        """The planar arm's joint angles and the yaw angle as joint positions by name [rad].

        Angles inside the arm's limits give positions inside the robot's, to the last bit, and
        angles on a limit give that limit.
        """
        return self.naming.named(Configuration(yaw, q))

    # --- between base_link and the plane ---

    def into_plane(self, point: Sequence[float]) -> Point3:
        """A point in base_link [m] as (x, y, distance off the plane) [m], the yaw joint at 0."""
        return self.spatial.plane.into(point)

    def from_plane(self, x: float, y: float, yaw: float = 0.0) -> Point3:
        """A point of the plane [m] in base_link [m], with the plane at the yaw angle [rad]."""
        return self.spatial.plane.point_at(x, y, yaw)

    def shoulders(self, point: Sequence[float]) -> list[Turns]:
        """The ways to have a point in base_link [m] in the plane, with their yaw angles [rad]."""
        return self.spatial.plane.shoulders(point)

    def seen_in_plane(self, point: Sequence[float]) -> tuple[float, float]:
        """Where in the plane a point in base_link [m] is to be drawn [m]."""
        return self.spatial.plane.seen_at(point)

    @property
    def normal(self) -> Point3:
        """Direction in base_link that angles turn about, with the yaw joint at 0."""
        return self.spatial.plane.columns[2]

    @property
    def yaw_axis(self) -> Point3:
        """Direction in base_link that the yaw angle turns about."""
        return self.spatial.plane.yaw_axis

    def tool_rotation(self, phi: float, yaw: float = 0.0) -> Matrix:
        """Orientation of tip_link in base_link (3x3) for the tool's angle in the plane [rad]."""
        return self.spatial.tool.rotation(phi, yaw)

    def tool_angle(self, rotation: Rotation, yaw: float = 0.0) -> float:
        """The tool's angle in the plane [rad] for an orientation of tip_link (3x3)."""
        return self.spatial.tool.angle(rotation, yaw)
