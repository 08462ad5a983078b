# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The interface of LeRobot's `RobotKinematics`: degrees and 4x4 poses in and out."""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.control import Decision, Settings, Target, decide
from ik_circles.errors import (
    InvalidArmError,
    InvalidSettingError,
    InvalidUrdfError,
    NotFiniteError,
)
from ik_circles.geometry import checks, joint_values
from ik_circles.geometry.angles import nearest_in
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.geometry.values import quoted
from ik_circles.reasons import Code
from ik_circles.robot.arm import NamedPositions, Point3
from ik_circles.robot.load import load_arm
from ik_circles.robot.naming import positions_in
from ik_circles.robot.text import listed
from ik_circles.robot.tree import RobotTree
from ik_circles.robot.urdf import MAX_BYTES, parse_urdf, urdf_text

#: Callers expect joint positions for every target, within reach or not.
SETTINGS = Settings(on_unreachable='nearest')
#: The last row of every pose.
BOTTOM = (0.0, 0.0, 0.0, 1.0)


class RobotKinematics:
    """The kinematics of an arm as LeRobot asks for them: in degrees, with poses as 4x4 matrices.

    Its `arm` is the `RobotArm` that answers.

    Parameters
    ----------
    urdf_path : str
        Path of the robot's URDF, or the name of a shipped robot, such as `so101`.
    target_frame_name : str
        Link that should reach the targets. Poses are those of this link in the root of the robot.
    joint_names : list of str, optional
        Joints of the robot in the order of the motors; without it, all movable joints in
        Pinocchio's order. Those that are not solved, such as a gripper, pass through unchanged.

    Raises
    ------
    InvalidUrdfError, NoPlanarArmError
        As `load_arm`.
    InvalidArmError
        If the robot has no joint of such a name, a name is there twice, or a solved joint is not.

    Examples
    --------
    >>> import numpy as np
    >>> from ik_circles.bridges.lerobot import RobotKinematics
    >>> kinematics = RobotKinematics('so101')
    >>> kinematics.joint_names
    ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll']
    >>> now = np.array([10.0, -40.0, 30.0, 20.0, 5.0, 50.0])  # the last one is the gripper
    >>> pose = kinematics.forward_kinematics(now)
    >>> np.allclose(kinematics.inverse_kinematics(now, pose), now)
    True
    """

    @names_wrong_kinds
    def __init__(
        self,
        urdf_path: str,
        target_frame_name: str = 'gripper_frame_link',
        joint_names: list[str] | None = None,
    ) -> None:
        text = urdf_text(urdf_path, MAX_BYTES)
        links = parse_urdf(text).links
        if target_frame_name not in links:  # the default, which the user has not typed
            raise InvalidUrdfError(
                f'target_frame_name: the robot has no link {quoted(target_frame_name)}; '
                f'its links are {listed(links)}'
            )
        self.arm = load_arm(text, tip_link=target_frame_name)
        self.target_frame_name = target_frame_name
        tree = self.arm.tree
        self.joint_names = _checked_names(tree, joint_names)
        missing = [name for name in self.arm.commanded_joints if name not in self.joint_names]
        if missing:
            raise InvalidArmError(
                f'joint_names lacks {listed(missing)}; give every joint that is solved: '
                f'{listed(self.arm.commanded_joints)}'
            )
        self._limits = {name: (one.lower, one.upper) for name, one in self.arm.joints.items()}

    def forward_kinematics(self, joint_pos_deg: ArrayLike) -> Floats:
        """The pose of the target frame at joint positions.

        Parameters
        ----------
        joint_pos_deg : array_like
            Positions of the joints [deg]; what follows them is ignored.

        Returns
        -------
        ndarray, shape (4, 4)
            The pose in the root of the robot [m].

        Raises
        ------
        InvalidArmError, NotFiniteError
            If there is no finite number for each joint.
        """
        return self.arm.forward_kinematics(self._named(self._degrees(joint_pos_deg)))

    def inverse_kinematics(
        self,
        current_joint_pos: ArrayLike,
        desired_ee_pose: ArrayLike,
        position_weight: float = 1.0,
        orientation_weight: float = 0.01,
    ) -> Floats:
        """Joint positions for a pose; of a pose out of reach, those of the nearest one.

        Parameters
        ----------
        current_joint_pos : array_like
            Where the joints are [deg]; the solution is the one nearest to them.
        desired_ee_pose : array_like, shape (4, 4)
            The wanted pose of the target frame in the root of the robot [m].
        position_weight : float
            More than 0: the position is exact wherever it can be reached.
        orientation_weight : float
            With 0, the orientation does not count. With more, however little, the pose has the
            orientation if the joints can give it at this position, else the nearest one.

        Returns
        -------
        ndarray
            Positions of the joints [deg], inside their limits. All other numbers are as in
            `current_joint_pos`.

        Raises
        ------
        InvalidArmError, NotFiniteError
            If a number is not finite, or if joint positions or pose have another shape.
        InvalidSettingError
            If a weight is not such a number.
        """
        found = self._degrees(current_joint_pos).copy()
        decision = self._decision(found, desired_ee_pose, position_weight, orientation_weight)
        if decision.command is None:
            raise InvalidArmError(decision.message)
        for index, name in enumerate(self.joint_names):
            if name in decision.command:
                found[index] = math.degrees(decision.command[name])
        return found

    def nearest_position(
        self, current_joint_pos: ArrayLike, desired_ee_pose: ArrayLike, orientation_weight: float
    ) -> Point3 | None:
        """The nearest position of the target frame to one out of reach.

        Parameters
        ----------
        current_joint_pos : array_like
            Where the joints are [deg].
        desired_ee_pose : array_like, shape (4, 4)
            The wanted pose of the target frame in the root of the robot [m].
        orientation_weight : float
            As for `inverse_kinematics`.

        Returns
        -------
        tuple of three floats, or None
            The position [m]; None if the wanted one can be reached.

        Raises
        ------
        InvalidArmError, NotFiniteError, InvalidSettingError
            As for `inverse_kinematics`.
        """
        now = self._degrees(current_joint_pos)
        decision = self._decision(now, desired_ee_pose, 1.0, orientation_weight)
        if decision.code is Code.OK:
            return None
        if decision.command is None:
            raise InvalidArmError(decision.message)
        x, y, z = self.arm.forward_kinematics({**self._named(now), **decision.command})[:3, 3]
        return float(x), float(y), float(z)

    def _decision(
        self, now: Floats, desired: ArrayLike, position_weight: float, orientation_weight: float
    ) -> Decision:
        """What to do about a wanted pose from where the joints are [deg]."""
        if checks.at_least_zero('position_weight', position_weight, '') == 0.0:
            raise InvalidSettingError(
                'position_weight is 0; the position always counts: give more than 0'
            )
        oriented = checks.at_least_zero('orientation_weight', orientation_weight, '') > 0.0
        rows = _checked_pose(desired)
        x, y, z = rows[:3, 3].tolist()
        target = Target((x, y, z), rows[:3, :3] if oriented else None)
        named = self._named(now)
        # A joint measured just past its limit must not be sent there.
        seed = {name: nearest_in(named[name], limits) for name, limits in self._limits.items()}
        return decide(self.arm.holding({**named, **seed}), SETTINGS, target, seed)

    def _degrees(self, joint_pos: ArrayLike) -> Floats:
        """Finite joint positions [deg], one for each joint at least."""
        count = len(self.joint_names)
        expected = f'{count} joint positions [deg], for {listed(self.joint_names)}'
        found = checks.floats('joint positions', joint_pos, expected)
        if found.ndim != 1 or len(found) < count:
            raise InvalidArmError(f'joint positions have shape {found.shape}; give {expected}')
        if not np.isfinite(found).all():
            raise NotFiniteError(f'joint positions are {quoted(joint_pos)}; give finite numbers')
        return found

    def _named(self, degrees: Floats) -> NamedPositions:
        """Joint positions by name [rad]; InvalidArmError for what is rather steps of an encoder."""
        named = dict(zip(self.joint_names, np.deg2rad(degrees).tolist()))
        movable = self.arm.tree.movable_joints
        for (name, found), given in zip(named.items(), degrees):
            least, most = joint_values.believable(*movable[name].angle_limits)
            if not least <= found <= most:
                raise InvalidArmError(
                    f'{name} is {given:.6g} deg, more than a turn past its limits; are these steps '
                    'of its encoder? give degrees (use_degrees=True)'
                )
        return named


def _checked_pose(pose: ArrayLike) -> Floats:
    """The numbers of a pose (4, 4); its rotation is checked where it counts."""
    found = checks.floats('desired_ee_pose', pose, 'a pose (4, 4)')
    if found.shape != (4, 4):
        raise InvalidArmError(f'desired_ee_pose has shape {found.shape}; give a pose (4, 4)')
    if not np.isfinite(found).all():
        raise NotFiniteError(f'desired_ee_pose is {quoted(pose)}; give finite numbers')
    if not np.allclose(found[3], BOTTOM):
        raise InvalidArmError(f'the last row of desired_ee_pose is {found[3]}; it must be 0 0 0 1')
    return found


def _checked_names(tree: RobotTree, names: list[str] | None) -> list[str]:
    """The names of the joints; without any, all movable ones of the robot."""
    if names is None:
        return [*_movable_from(tree, tree.root)]
    try:
        found = [*names]
        positions_in(tree, 'joint_names', dict.fromkeys(found, 0.0))
    except TypeError:
        raise InvalidArmError(f'joint_names is {quoted(names)}; give a list of names') from None
    except InvalidArmError as error:
        raise InvalidArmError(
            f'{error}; leave it out: positions after those of the joints pass through'
        ) from None
    for name in found:
        if found.count(name) > 1:
            raise InvalidArmError(f"joint_names has '{name}' twice; name each joint once")
    return found


def _movable_from(tree: RobotTree, link: str) -> Iterator[str]:
    """Names of the movable joints above a link in Pinocchio's order: each branch to its end, and
    branches by the names of their joints."""
    for joint in sorted(tree.joints, key=lambda one: one.name):
        if joint.parent == link:
            if joint.name in tree.movable_joints:
                yield joint.name
            yield from _movable_from(tree, joint.child)
