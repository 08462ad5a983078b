"""The arm inside a robot: questions in base_link, answers in the robot's own joint positions.

The geometry is that of `ik_circles.spatial`; here names, signs and offsets are translated.
"""

import math
from collections.abc import Mapping, Sequence
from os import PathLike

from ik_circles.geometry import checks
from ik_circles.geometry.rigid import Point3, Rotation
from ik_circles.planar.redundancy.policy import KEEP_ORIENTATION, Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.planar.zones import SafeZones
from ik_circles.robot.many import ManyPoints
from ik_circles.robot.naming import NamedPositions, named_positions
from ik_circles.robot.search import find_arm
from ik_circles.robot.urdf import MAX_BYTES, parse_urdf, urdf_text
from ik_circles.robot.verdict import RobotReachability
from ik_circles.spatial.arm import OUT_OF_PLANE_TOLERANCE, SpatialPose
from ik_circles.spatial.ways import Question

__all__ = ['NamedPositions', 'Point3', 'RobotArm', 'RobotReachability', 'SpatialPose', 'load_arm']

#: Held joints count as where they were until they have moved by more than this [rad or m]. It is
#: more than the noise of an encoder, and moves the tip of a common arm by about a millimeter.
HELD_TOLERANCE = 1e-3


class RobotArm(ManyPoints):
    """Three successive joints with parallel axes, and the yaw joint that may turn their plane.

    `load_arm` makes one from a URDF.

    Examples
    --------
    >>> arm = load_arm('urdf/planar_3r.urdf')
    >>> arm.commanded_joints
    ('shoulder_joint', 'elbow_joint', 'wrist_joint')
    >>> len(arm.inverse_kinematics((0.6, 0.1, 0.0), 0.2))
    2
    """

    def holding(self, positions: Mapping[str, float]) -> 'RobotArm':
        """The same arm with its held joints somewhere else.

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
        """
        known = named_positions('positions', positions)
        found = {name: checks.number(name, known[name]) for name in self.held if name in known}
        moved = {
            name: position
            for name, position in found.items()
            if abs(position - self.held[name]) > HELD_TOLERANCE
        }
        if not moved:
            return self
        return RobotArm(self.found, {**self.held, **moved})

    def inverse_kinematics(self, point: Sequence[float], phi: float) -> list[NamedPositions]:
        """Every set of joint positions that puts the tip at a pose.

        Parameters
        ----------
        point : sequence of three floats
            Position of the tip in base_link [m].
        phi : float
            Orientation of the tool in the arm's plane [rad].

        Returns
        -------
        list of dict of str to float
            Joint positions by name [rad], all inside the limits; [] if there are none, or if the
            point is out of the plane. Behind a yaw joint, solutions that face the point come
            before those that reach backwards. On the yaw axis every yaw angle works; the one
            nearest to 0 is given.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If phi is more than five turns.
        """
        found = self.spatial.inverse_kinematics(point, phi)
        return [self.naming.named(one) for one in found]

    def check_reachability(
        self,
        point: Sequence[float],
        phi: float | None = None,
        *,
        rotation: Rotation | None = None,
        zones: SafeZones | None = None,
        out_of_plane_tolerance: float = OUT_OF_PLANE_TOLERANCE,
        tilt_tolerance: float = math.inf,
    ) -> RobotReachability:
        """Return whether the tip can be at a point, with an orientation if one is given.

        Parameters
        ----------
        point : sequence of three floats
            Position of the tip in base_link [m].
        phi : float, optional
            Orientation of the tool in the arm's plane [rad].
        rotation : array_like, shape (3, 3), optional
            Orientation of tip_link in base_link, in place of `phi`.
        zones : SafeZones, optional
            Where the planar arm may have its tip; its own safe zones if not given.
        out_of_plane_tolerance : float
            How far from the plane the point may be [m]; it counts without a yaw joint.
        tilt_tolerance : float
            By how much `rotation` may differ from what the joints can do [rad].

        Returns
        -------
        RobotReachability
            The verdict with its reason, the margin and the nearest pose.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If both `phi` and `rotation` are given, or if phi is more than five turns.
        """
        question = Question(
            self.spatial, point, phi, rotation, zones, out_of_plane_tolerance, tilt_tolerance
        )
        return RobotReachability(question, self.naming)

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
        tilt_tolerance: float = math.inf,
    ) -> NamedPositions | None:
        """Return one solution; with orientation_mode 'fixed' it has the given phi, else maybe not.

        The keywords are those of `PlanarArm.solve`, and those of `check_reachability` for an
        orientation in space.

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
            ignored. Without it, as near to zero as the limits allow.
        branch : str
            As for `PlanarArm.solve`.
        orientation_mode : str
            As for `PlanarArm.solve`.
        orientation_tolerance : float
            As for `PlanarArm.solve` [rad].
        redundancy : str
            As for `PlanarArm.solve`.
        z_form_k : float
            As for `PlanarArm.solve`.
        tilt_tolerance : float
            By how much `rotation` may differ from what the joints can do [rad].

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if the target cannot be reached, or not in the way
            that `redundancy` asks for.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If the seed lacks a commanded joint; if both `phi` and `rotation` are given; if phi, or
            the seed of a joint with limits, is more than five turns.
        InvalidSettingError
            If another keyword is not one of those above.
        """
        policy = Policy(branch, orientation_mode, orientation_tolerance)
        found = self.check_reachability(
            point, phi, rotation=rotation, tilt_tolerance=tilt_tolerance
        )
        if not policy.heeds_target:
            found = self.check_reachability(point)
        return found.solve(seed, policy, Redundancy(redundancy, z_form_k))


def load_arm(
    urdf: str | bytes | PathLike[str],
    base_link: str | None = None,
    tip_link: str | None = None,
    *,
    max_bytes: int = MAX_BYTES,
) -> RobotArm:
    """Return the arm inside a robot description.

    Parameters
    ----------
    urdf : str, bytes or path
        The text of the URDF, or the path of its file: a str or bytes with a `<` is text. Or the
        name of a shipped robot, such as `so101`; `ik-circles robots` lists them.
    base_link : str, optional
        Link that the arm starts at; the root if not given.
    tip_link : str, optional
        Link to send to targets. If not given, the one leaf behind three parallel joints with the
        fewest movable joints after them.
    max_bytes : int
        A longer text is refused unread.

    Returns
    -------
    RobotArm
        The arm, with all other joints held at 0.

    Raises
    ------
    InvalidUrdfError
        If the description is unsound, cannot be read, or has no such link.
    NoPlanarArmError
        If no three successive revolute joints have parallel axes, if several sets do, or if
        several tips are equally near to them.
    """
    return arm_in(urdf_text(urdf, max_bytes), base_link, tip_link, max_bytes)


def arm_in(
    text: str | bytes, base_link: str | None, tip_link: str | None, max_bytes: int
) -> RobotArm:
    """The arm in the text of a URDF, as `load_arm`; no file is opened, whatever the text is."""
    return RobotArm(find_arm(parse_urdf(text, max_bytes=max_bytes), base_link, tip_link), {})
