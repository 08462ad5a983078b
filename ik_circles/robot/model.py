"""What the arm inside a robot is: its joints, its plane, and how it moves with the robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ik_circles.geometry.rigid import Matrix
from ik_circles.planar.arm import PlanarArm
from ik_circles.planar.model import JointPositions
from ik_circles.robot.naming import JointNaming, NamedPositions
from ik_circles.robot.search import ArmInTree
from ik_circles.robot.tree import RobotTree, poses_along
from ik_circles.spatial.arm import SpatialArm
from ik_circles.spatial.model import Configuration
from ik_circles.spatial.yaw import Yaw


@dataclass(frozen=True, eq=False)
class RobotModel:
    """An arm that was found in a robot.

    Parameters
    ----------
    found : ArmInTree
        Where in the robot it was found.
    spatial : SpatialArm
        The arm in space, which answers with angles.
    naming : JointNaming
        What gives names to the angles.
    held : dict of str to float
        Positions of the other movable joints up to tip_link by name, which stay [rad or m].
    notes : tuple of str
        What a user should know about the reduction, a sentence each.
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
        """Return which joints move a link in base_link.

        Parameters
        ----------
        link : str
            Name of the link.

        Returns
        -------
        tuple of str, or None
            Names of the joints; None for an unknown link.
        """
        if not self.tree.has_link(link):
            return None
        between = self.tree.between(self.base_link, link)
        return tuple(joint.name for joint in between if joint.type != 'fixed')

    def link_pose(self, link: str, positions: Mapping[str, float]) -> Matrix:
        """Return the pose of any link of the robot.

        Parameters
        ----------
        link : str
            Name of the link.
        positions : mapping of str to float
            Joint positions by name [rad or m]; joints that are not named are at 0.

        Returns
        -------
        array of shape (4, 4)
            Pose of the link in base_link.
        """
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
        """Return joint positions as the yaw angle and the planar arm's joint angles.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad]; joints that are not named are at 0.

        Returns
        -------
        Configuration
            The yaw angle and the joint angles [rad].
        """
        return self.naming.configuration(positions)

    def arm_angles(self, positions: Mapping[str, float]) -> JointPositions:
        """Return joint positions as the planar arm's joint angles.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad]; joints that are not named are at 0.

        Returns
        -------
        tuple of three floats
            The joint angles [rad].
        """
        return self.naming.arm_angles(positions)

    def named(self, q: JointPositions, yaw: float = 0.0) -> NamedPositions:
        """Return angles as joint positions by name.

        Angles inside the arm's limits give positions inside the robot's, to the last bit. Angles
        on a limit give that limit.

        Parameters
        ----------
        q : tuple of three floats
            The planar arm's joint angles [rad].
        yaw : float
            The yaw angle [rad].

        Returns
        -------
        dict of str to float
            Joint positions by name [rad].
        """
        return self.naming.named(Configuration(yaw, q))
