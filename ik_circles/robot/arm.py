# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The arm inside a robot: questions in base_link, answers in the robot's own joint positions.

`ik_circles.spatial` has the geometry. This module translates names, signs and offsets.
"""

import math
from collections.abc import Mapping, Sequence

from ik_circles.errors import InvalidArmError
from ik_circles.geometry import checks, joint_values
from ik_circles.geometry.arguments import takes_point
from ik_circles.geometry.rigid import Point3, Rotation
from ik_circles.planar.redundancy.rules import KEEP_ORIENTATION, Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.robot.answer import RobotAnswer, answer_of
from ik_circles.robot.lines import StraightLines
from ik_circles.robot.model import with_wrist_at
from ik_circles.robot.naming import NamedPositions, positions_in
from ik_circles.robot.pose_verdict import RobotPoseReachability
from ik_circles.robot.verdict import RobotReachability
from ik_circles.spatial.arm import (
    OUT_OF_PLANE_TOLERANCE,
    SpatialPose,
    checked_point,
    turned_near,
)
from ik_circles.spatial.points.ways import TILT_TOLERANCE, Wanted, checked
from ik_circles.spatial.poses.full_pose import angles_at

__all__ = [
    'NamedPositions', 'Point3', 'RobotAnswer', 'RobotArm', 'RobotPoseReachability',
    'RobotReachability', 'SpatialPose',
]  # fmt: skip

#: A held joint counts as not moved until it has moved by more than this [rad or m]. That is more
#: than the noise of an encoder, and moves the tip of a common arm by about a millimeter.
HELD_TOLERANCE = 1e-3


class RobotArm(StraightLines):
    """Three successive joints with parallel axes, with a yaw joint before and a wrist after them.

    `load_arm` makes one from a URDF.

    Examples
    --------
    >>> from ik_circles import load_arm
    >>> arm = load_arm('urdf/planar_3r.urdf')
    >>> arm.commanded_joints
    ('shoulder_joint', 'elbow_joint', 'wrist_joint')
    >>> len(arm.inverse_kinematics((0.6, 0.1, 0.0), 0.2))
    2
    """

    def holding(self, positions: Mapping[str, float]) -> 'RobotArm':
        """The same arm with its held joints at other positions.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad or m]. Joints that are not named, or have not moved by
            more than HELD_TOLERANCE, stay.

        Returns
        -------
        RobotArm
            The arm itself if no held joint has moved.

        Raises
        ------
        NotFiniteError
            If a position is NaN or infinite.
        InvalidArmError
            If the robot has no joint of such a name, or if a position is in degrees: more than a
            turn past a limit.
        """
        return self.holding_known(positions_in(self.tree, 'positions', positions))

    def holding_known(self, known: Mapping[str, float]) -> 'RobotArm':
        """Do the same as `holding`, for joints that are known to exist.

        Parameters
        ----------
        known : mapping of str to float
            Their positions by name [rad or m].

        Returns
        -------
        RobotArm
            The arm itself if no held joint has moved.
        """
        moved: NamedPositions = {}
        if self.tree.followers:
            known = self.tree.with_followers(known)
        for name, rest in self.at_rest.items():
            position = known.get(name, rest)
            if type(position) is not float or not abs(position - rest) <= HELD_TOLERANCE:
                limits = self.tree.movable_joints[name].angle_limits
                position = joint_values.position(name, position, limits)
                if abs(position - rest) > HELD_TOLERANCE:
                    moved[name] = position
        if not moved:
            return self
        same = None if self.held.keys() & moved.keys() else self.reduction
        return RobotArm(self.found, {**self.at_rest, **moved}, same, self.floor)

    @takes_point
    def inverse_kinematics(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        seed: Mapping[str, float] | None = None,
        tilt_tolerance: float = TILT_TOLERANCE,
    ) -> list[NamedPositions]:
        """Every set of joint positions that puts the tip at a pose.

        Parameters
        ----------
        point : sequence of three floats
            Position of the tip in base_link [m].
        phi : float, optional
            Orientation of the tool in the arm's plane [rad]. The wrist stays where it is in the
            seed; without a seed, where it is held.
        rotation : array_like, shape (3, 3), optional
            Orientation of tip_link in base_link, in place of `phi`.
        seed : mapping of str to float, optional
            Positions of all commanded joints by name [rad]. Each joint of a solution is at the turn
            inside its limits that is nearest to the seed, or to 0 without one; `turns` has the
            others.
        tilt_tolerance : float
            How much `rotation` may differ from what the joints can do [rad]. With a yaw joint and
            two wrist joints, there is no difference.

        Returns
        -------
        list of dict of str to float
            Joint positions by name [rad], all inside the limits; [] if there are none, or if the
            point is out of the plane. If the arm has a yaw joint, solutions that face the point
            come before those that reach backwards. A joint may be free, such as the yaw joint for a
            point on its axis. Then the list has the member of the family nearest to the seed.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If not exactly one of `phi` and `rotation` is given; if phi is more than five turns; if
            the seed lacks a commanded joint.
        """
        if rotation is not None and phi is None and self.whole is not None:
            known = None if seed is None else self.whole_naming.known_seed(seed)
            near = None if known is None else self.whole_naming.whole(known)
            place, turned = checked_point(point), checks.rotation('rotation', rotation)
            tilt = checks.at_least_zero('tilt_tolerance', tilt_tolerance, 'rad')
            found = angles_at(self.whole, place, turned, tilt, near)
            return [*map(self.whole_naming.named_angles, found)]
        if rotation is not None and phi is None:
            return self.check_reachability(
                point, rotation=rotation, tilt_tolerance=tilt_tolerance
            ).all_near(seed)
        if phi is None or rotation is not None:
            raise InvalidArmError('give either phi or rotation')
        arm = self._with_wrist_of(seed)
        start = arm.naming.seed(seed) or arm.naming.at_zero
        some = arm.spatial.inverse_kinematics(point, phi, start)
        return [*map(arm.naming.named, turned_near(arm.spatial, some, start))]

    def _with_wrist_of(self, seed: Mapping[str, float] | None) -> 'RobotArm':
        """The arm with its wrist held where it is in a seed."""
        known = self.whole_naming.known_seed(seed) if self.whole is not None else None
        return self if known is None else with_wrist_at(self, known)

    @takes_point
    def check_reachability(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        zones: SafeZones | None = None,
        out_of_plane_tolerance: float = OUT_OF_PLANE_TOLERANCE,
        tilt_tolerance: float = TILT_TOLERANCE,
    ) -> RobotAnswer:
        """Return whether the tip can be at a point, with an orientation if one is given.

        A wrist is solved for a `rotation`. For other targets, it stays where it is held.

        Parameters
        ----------
        point : sequence of three floats
            Position of the tip in base_link [m].
        phi : float, optional
            Orientation of the tool in the arm's plane [rad].
        rotation : array_like, shape (3, 3), optional
            Orientation of tip_link in base_link, in place of `phi`.
        zones : SafeZones, optional
            Where the planar arm may have its tip; its own safe zones by default. For a full pose,
            only their margin counts, with the wrist as in the pose.
        out_of_plane_tolerance : float
            How far from the plane the point may be [m]; used only without a yaw joint.
        tilt_tolerance : float
            How much `rotation` may differ from what the joints can do [rad]; with one wrist joint,
            how much its axis may leave the plane.

        Returns
        -------
        RobotReachability, or RobotPoseReachability for a full pose
            The verdict with its reason, the margin and the nearest pose.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If both `phi` and `rotation` are given, or if phi is more than five turns.
        """
        return answer_of(
            self,
            checked(point, phi, rotation, zones, out_of_plane_tolerance, tilt_tolerance),
        )

    @takes_point
    def solve(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        seed: Mapping[str, float] | None = None,
        branch: str = 'nearest',
        orientation_mode: str = 'preferred',
        orientation_tolerance: float = math.pi,
        redundancy: str = KEEP_ORIENTATION,
        z_form_k: float = 0.5,
        tilt_tolerance: float | None = None,
    ) -> NamedPositions | None:
        """Return one solution. Only orientation_mode 'fixed' guarantees that it has the given phi.

        The keywords are those of `PlanarArm.solve` and, for an orientation in space, those of
        `check_reachability`.

        Parameters
        ----------
        point : sequence of three floats
            Position of the tip in base_link [m].
        phi : float, optional
            Orientation of the tool in the arm's plane [rad].
        rotation : array_like, shape (3, 3), optional
            Orientation of tip_link in base_link, in place of `phi`.
        seed : mapping of str to float, optional
            Positions of all commanded joints by name [rad] to stay near to; other names are
            ignored. By default, as near to 0 as the limits allow.
        branch, orientation_mode, orientation_tolerance, redundancy, z_form_k : str or float
            As in `PlanarArm.solve`; the tolerance in rad.
        tilt_tolerance : float, optional
            How much `rotation` may differ from what the joints can do [rad]. By default,
            TILT_TOLERANCE if the orientation is fixed or a wrist is solved; otherwise any amount.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if the target cannot be reached, or cannot be
            reached as `redundancy` asks.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If the seed lacks a commanded joint; if both `phi` and `rotation` are given; if phi is
            more than five turns, or the seed of a joint is more than a turn past its limits.
        InvalidSettingError
            If another keyword has an invalid value.
        """
        policy = Policy(branch, orientation_mode, orientation_tolerance)
        arm = self._with_wrist_of(seed)
        if tilt_tolerance is None:
            is_exact = policy.is_fixed or arm.whole is not None
            tilt_tolerance = TILT_TOLERANCE if is_exact else math.inf
        wanted = checked(point, phi, rotation, None, OUT_OF_PLANE_TOLERANCE, tilt_tolerance)
        if not policy.heeds_target:
            wanted = Wanted(wanted.point)
        known = arm.whole_naming.known_seed(seed)
        found = answer_of(arm, wanted, known)
        return found.solve_near(known, policy, Redundancy(redundancy, z_form_k))
