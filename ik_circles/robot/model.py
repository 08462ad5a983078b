# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""What the arm inside a robot is: its joints, its plane, and how it moves with the robot."""

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import TypeVar

from ik_circles.geometry import checks, joint_values
from ik_circles.geometry.angles import turns_from
from ik_circles.geometry.arguments import takes_one
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.limits import ON_LIMIT
from ik_circles.geometry.rigid import Matrix
from ik_circles.planar.arm import PlanarArm
from ik_circles.robot.naming import JointNaming, NamedPositions, named_positions, positions_in
from ik_circles.robot.reduction import Reduction, reduced
from ik_circles.robot.search import ArmInTree
from ik_circles.robot.tree import RobotTree, UrdfJoint, poses_along
from ik_circles.spatial.arm import SpatialArm, SpatialPose

Model = TypeVar('Model', bound='RobotModel')


class RobotModel:
    """An arm that was found in a robot.

    Its geometry is `spatial`, a `SpatialArm` that answers with angles; `naming` gives the angles
    their names. `wrist_at` has the positions at which the wrist's joints are held, by name [rad].
    `held` has the positions of the other movable joints up to tip_link, which stay where they are,
    by name [rad or m]. `notes` say in one sentence each what a user should know about the
    reduction. `floor` is the height of the floor along base_link's z [m]; None without one.

    `base_link` is the link at which the arm starts, `tip_link` the link that is sent to targets.
    `yaw_joint` is the name of the joint immediately before the three if it turns their plane, else
    None. `wrist_joints` are the names of the joints after the three that are solved with them:
    none, one or two.
    """

    def __init__(
        self,
        found: ArmInTree,
        held: Mapping[str, float],
        same: Reduction | None = None,
        floor: float | None = None,
    ) -> None:
        self.found, self.floor = found, floor
        self.reduction = reduced(found, held).above(floor) if same is None else same
        self.whole, self.whole_naming = self.reduction.whole, self.reduction.naming
        self.held, self.notes = self.reduction.held, self.reduction.notes
        self.wrist_at = self.reduction.wrist_at(held)
        self.at_rest = {**self.held, **self.wrist_at}
        # Plain values: the node makes an arm with a wrist anew for nearly every target, and the
        # first access to a cached_property is slow.
        self.base_link, self.tip_link = found.base_link, found.tip_link
        naming = self.whole_naming
        self.yaw_joint, self.wrist_joints = naming.yaw_name, naming.wrist_names

    def __repr__(self) -> str:
        joints = ', '.join(self.commanded_joints)
        return f'{type(self).__name__}({joints}: {self.base_link} to {self.tip_link})'

    # --- the arm ---

    def above(self: Model, height: float | None) -> Model:
        """The same arm above a floor.

        Elbow, wrist, wrist center and tip stay above it. A part at its height counts as above.

        Parameters
        ----------
        height : float or None
            Height of the floor along base_link's z [m]; None removes the floor.

        Returns
        -------
        RobotArm
            The arm itself if it has this floor already.

        Raises
        ------
        InvalidArmError
            If the yaw axis, or without a yaw joint the arm's plane, is not parallel to base_link's
            z.
        NotFiniteError
            If the height is NaN or infinite.
        """
        floor = None if height is None else checks.number('floor', height)
        if floor == self.floor:
            return self
        return type(self)(self.found, self.at_rest, self.reduction.above(floor), floor)

    @cached_property
    def _with_wrist_held(self) -> tuple[SpatialArm, JointNaming]:
        # Made only when needed: a full pose needs no arm with a held wrist.
        return self.reduction.at(self.wrist_at)

    @cached_property
    def spatial(self) -> SpatialArm:
        """The arm in space, with its wrist where it is held."""
        return self._with_wrist_held[0]

    @cached_property
    def naming(self) -> JointNaming:
        """The robot's names for its angles."""
        return self._with_wrist_held[1]

    @cached_property
    def joints(self) -> dict[str, UrdfJoint]:
        """The commanded joints by name."""
        return self.whole_naming.joints

    @cached_property
    def arm(self) -> PlanarArm:
        """The planar arm: its angle i is `joint_signs[i] * position + joint_offsets[i]` [rad]."""
        return self.spatial.planar

    @cached_property
    def commanded_joints(self) -> tuple[str, ...]:
        """Names of the joints in a solution: the yaw joint (if any), the three, and the wrist's."""
        return tuple(self.joints)

    @cached_property
    def joint_names(self) -> tuple[str, str, str]:
        """Names of the three joints."""
        a, b, c = self.whole_naming.three
        return a.joint.name, b.joint.name, c.joint.name

    @property
    def joint_signs(self) -> tuple[int, int, int]:
        """Signs of the three joints; see `arm`."""
        a, b, c = self.whole_naming.three
        return a.sign, b.sign, c.sign

    @property
    def joint_offsets(self) -> tuple[float, float, float]:
        """Offsets of the three joints [rad]; see `arm`."""
        a, b, c = self.naming.three
        return a.offset, b.offset, c.offset

    @cached_property
    def plane(self) -> Matrix:
        """The arm's plane in base_link (4x4) with the yaw joint at 0.

        The origin is at the first joint, y points up, and z is the normal, about which angles are
        counted. With a yaw joint, x points to the robot's front; without one, it points as far
        towards base_link's +x (or +y) as the plane allows.
        """
        return self.spatial.plane.pose

    # --- the whole robot ---

    @property
    def tree(self) -> RobotTree:
        """The whole robot."""
        return self.found.tree

    @cached_property
    def frames(self) -> dict[str, Matrix]:
        """Pose in base_link (4x4) of each link that is fixed to base_link."""
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

        Raises
        ------
        InvalidArmError
            If the robot has no joint of such a name, or if a position is in degrees.
        NotFiniteError
            If a position is NaN or infinite.
        """
        return self.tree.pose(link, self.base_link, self._read(positions))

    @takes_one('joint positions by name', '{{name: position, ...}}')
    def forward_kinematics(self, positions: Mapping[str, float]) -> Matrix:
        """Pose of the tip.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad or m]. If a held joint is not named, it is where it is
            held; any other joint is then at 0. A position more than a turn past the joint's limits
            is refused, because it must be in degrees.

        Returns
        -------
        ndarray, shape (4, 4)
            Pose of tip_link in base_link.

        Raises
        ------
        InvalidArmError
            If the robot has no joint of such a name, or if a position is in degrees.
        NotFiniteError
            If a position is NaN or infinite.
        """
        return poses_along(self.found.path, {**self.at_rest, **self._read(positions)})[-1]

    @names_wrong_kinds
    def tip_rotation(self, pose: SpatialPose) -> Matrix:
        """Orientation of the tip at a pose in a verdict.

        Parameters
        ----------
        pose : SpatialPose
            A pose such as `nearest`.

        Returns
        -------
        ndarray, shape (3, 3)
            Orientation of tip_link in base_link.
        """
        tool, whole = self.spatial.tool, self.whole
        if whole is not None and pose.wrist:
            tool = whole.tool_at(whole.holding(pose.wrist), whole.carrier.plane)
        return tool.rotation(pose.phi, pose.yaw)

    def turns(self, positions: Mapping[str, float]) -> list[NamedPositions]:
        """The same solution with its joints at each of their turns inside the limits.

        Parameters
        ----------
        positions : mapping of str to float
            Positions of all commanded joints by name [rad].

        Returns
        -------
        list of dict of str to float
            Joint positions by name [rad]; the given ones are among them if they are inside the
            limits.

        Raises
        ------
        InvalidArmError
            If the positions lack a commanded joint, for example because its name is misspelled.
        NotFiniteError
            If a position is not finite.
        """
        named_positions('the solution', positions)  # None, if there was no solution
        known = self.whole_naming.known_seed(positions, 'the solution') or {}
        turns = [
            turns_from(known[name], (joint.lower, joint.upper), ON_LIMIT)
            for name, joint in self.joints.items()
        ]
        return [dict(zip(self.joints, some)) for some in product(*turns)]

    def _read(self, positions: Mapping[str, float]) -> NamedPositions:
        """The positions of the robot's movable joints among the given ones, and of those that
        follow them, by name [rad or m]."""
        known = positions_in(self.tree, 'positions', positions)
        movable, check = self.tree.movable_joints, joint_values.position
        return self.tree.with_followers({
            name: check(f'the position of {name}', position, movable[name].angle_limits)
            for name, position in known.items()
            if name in movable
        })


def with_wrist_at(arm: Model, known: Mapping[str, float]) -> Model:
    """The arm with its wrist exactly where `known` has it [rad]; not named: where it is held.

    With another joint on its limit, the least change of a wrist may leave only solutions far away.
    """
    wrist = {name: known.get(name, rest) for name, rest in arm.wrist_at.items()}
    if wrist == arm.wrist_at:
        return arm
    return type(arm)(arm.found, {**arm.held, **wrist}, arm.reduction, arm.floor)
