"""The verdict on a target, with joint positions by name."""

from __future__ import annotations

from collections.abc import Mapping

from ik_circles.geometry.intervals import Interval
from ik_circles.planar.redundancy.policy import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.robot.naming import JointNaming, NamedPositions
from ik_circles.spatial.model import SpatialPose
from ik_circles.spatial.verdict import SpatialReachability


class RobotReachability:
    """Answer of `RobotArm.check_reachability`.

    Only the code is computed at once, the rest when it is asked for.

    Attributes
    ----------
    code : Code
        The verdict: OK, or the reason why the arm cannot take the target.
    reachable : bool
        Whether the code is OK.
    """

    def __init__(self, naming: JointNaming, found: SpatialReachability) -> None:
        self._naming, self._found = naming, found
        self.code, self.reachable = found.code, found.reachable

    def __repr__(self) -> str:
        return f'RobotReachability({self.code.name}: {self.message}; nearest {self.nearest})'

    @property
    def message(self) -> str:
        """The reason as a sentence with its figure."""
        return self._found.message

    @property
    def margin(self) -> float:
        """Signed distance from the position to the workspace's boundary [m].

        Outside of the workspace or the plane it is minus the distance to `nearest`. Behind a yaw
        joint, a positive margin is certified: the same shoulder reaches every point nearer than
        that. NaN if the safe zones and the joint limits leave no reachable point.
        """
        return self._found.margin

    @property
    def nearest(self) -> SpatialPose | None:
        """The nearest pose that the arm can take.

        It is the target itself if that is reachable, otherwise the same position with the nearest
        orientation that works, otherwise the nearest reachable point. None if there is no such
        point.
        """
        return self._found.nearest

    @property
    def nearest_joint_positions(self) -> NamedPositions | None:
        """Joint positions by name at `nearest` [rad]."""
        found = self._found.nearest_configuration
        return None if found is None else self._naming.named(found)

    @property
    def solutions(self) -> list[NamedPositions]:
        """Every set of joint positions by name at `nearest` [rad]; [] if it is not reachable."""
        return [self._naming.named(one) for one in self._found.solutions]

    @property
    def orientation_intervals(self) -> list[Interval]:
        """Orientations in the plane that reach the position [rad], by either shoulder."""
        return self._found.orientation_intervals

    @property
    def is_tilted(self) -> bool:
        """Whether no joint can give the orientation, whatever the limits."""
        return self._found.is_tilted

    @property
    def as_wanted(self) -> bool:
        """Whether the arm takes the target exactly, its orientation included."""
        return self._found.as_wanted

    def tilt_of(self, positions: Mapping[str, float]) -> float:
        """How far the tip's orientation is from the wanted one.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad].

        Returns
        -------
        float
            The angle between the orientations [rad], 0 if none was asked for.
        """
        return self._found.tilt_of(self._naming.configuration(positions))

    def solve(
        self,
        seed: Mapping[str, float] | None = None,
        policy: Policy = Policy(),  # noqa: B008  (it is frozen)
        redundancy: Redundancy = Redundancy(),  # noqa: B008
    ) -> NamedPositions | None:
        """The one solution that the policy chooses.

        Parameters
        ----------
        seed : mapping of str to float, optional
            Joint positions by name [rad] to stay near to. It counts if it names every commanded
            joint.
        policy : Policy
            The branch, and what may give way if an orientation is asked for.
        redundancy : Redundancy
            How the orientation is chosen if none is asked for.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if the target cannot be reached.

        Raises
        ------
        NotFiniteError
            If the seed is not finite.
        """
        found = self._found.solve(self._naming.seed(seed), policy, redundancy)
        return None if found is None else self._naming.named(found)
