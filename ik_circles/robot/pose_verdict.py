# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a full pose of an arm with a wrist, with joint positions by name."""

from collections.abc import Mapping

from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.planar.redundancy.rules import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.robot.naming import JointNaming, NamedPositions
from ik_circles.robot.verdict import with_wrist
from ik_circles.spatial.poses.full_pose import FullPose
from ik_circles.spatial.poses.verdict import FullReachability


class RobotPoseReachability(FullReachability):
    """Answer of `RobotArm.check_reachability` about a full pose, for an arm with a wrist.

    At first, it computes only whether the pose is reachable; the rest is computed when it is asked
    for.

    Attributes
    ----------
    reachable : bool
        Whether the arm can take the target: the code is OK.
    """

    def __init__(
        self,
        pose: FullPose,
        naming: JointNaming,
        held: Mapping[str, float],
    ) -> None:
        super().__init__(pose, [*held.values()])
        self._naming, self._held_positions = naming, held

    @property
    def nearest_joint_positions(self) -> NamedPositions | None:
        """Joint positions by name at `nearest` [rad]."""
        found = self.nearest_whole
        return None if found is None else self._naming.named_whole(found)

    @property
    def solutions(self) -> list[NamedPositions]:
        """Every set of joint positions by name that reaches the pose [rad]; [] if there is none.

        Each joint is at the turn nearest to 0.
        """
        return [*map(self._naming.named_angles, self._angles)]

    def all_near(self, seed: Mapping[str, float] | None) -> list[NamedPositions]:
        """Every set of joint positions that reaches the pose, at the turns nearest to a seed.

        Parameters
        ----------
        seed : mapping of str to float, optional
            Positions of all commanded joints by name [rad]; 0 without one.

        Returns
        -------
        list of dict of str to float
            Joint positions by name [rad]; [] if the target is not reachable.
        """
        known = self._naming.known_seed(seed)
        if known is None:
            return self.solutions
        found = self._pose.angles_near(self._naming.whole(known))
        return [*map(self._naming.named_angles, found)]

    @property
    def message(self) -> str:
        """The reason, as a sentence with its figure."""
        message = super().message
        if self.position_reachable:
            return message
        return f'{message}; {with_wrist(self._held_positions)}'

    @names_wrong_kinds
    def tilt_of(self, positions: Mapping[str, float]) -> float:
        """The angle between the tip's orientation and the wanted one.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad].

        Returns
        -------
        float
            The angle [rad].
        """
        return self.turned_from(self._naming.whole(positions))

    @names_wrong_kinds
    def solve(
        self,
        seed: Mapping[str, float] | None = None,
        policy: Policy = Policy(),  # noqa: B008  (it is frozen)
        redundancy: Redundancy = Redundancy(),  # noqa: B008
    ) -> NamedPositions | None:
        """The one solution that the policy chooses; see `RobotArm.solve`.

        Parameters
        ----------
        seed : mapping of str to float, optional
            Positions of all commanded joints by name [rad] to stay near to; other names are
            ignored.
        policy : Policy
            The branch, and what may give way if the orientation cannot be reached.
        redundancy : Redundancy
            Not used: a full pose leaves no choice.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if the target cannot be reached.

        Raises
        ------
        InvalidArmError
            If the seed lacks a commanded joint.
        NotFiniteError
            If the seed is not finite.
        """
        return self.solve_near(self._naming.known_seed(seed), policy, redundancy)

    def solve_near(
        self, seed: Mapping[str, float] | None, policy: Policy, redundancy: Redundancy
    ) -> NamedPositions | None:
        """Do the same as `solve`, for a seed that has been checked.

        Parameters
        ----------
        seed : mapping of str to float, or None
            Positions of all commanded joints by name [rad] to stay near to.
        policy : Policy
            As in `solve`.
        redundancy : Redundancy
            As in `solve`.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None as in `solve`.
        """
        near = None if seed is None else self._naming.whole(seed)
        found = self.choose(near, policy)
        return None if found is None else self._naming.named_angles(found)

    @names_wrong_kinds
    def solve_nearest(
        self,
        seed: Mapping[str, float] | None,
        policy: Policy,
        oriented: bool,
    ) -> NamedPositions | None:
        """The one solution at `nearest` that the policy chooses, so an arm slides along an edge.

        Parameters
        ----------
        seed : mapping of str to float, or None
            Positions of all commanded joints by name [rad] to stay near to.
        policy : Policy
            The branch, and what may give way.
        oriented : bool
            Not used: if the position can be reached, the orientation always counts.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if there is no `nearest`.
        """
        known = self._naming.known_seed(seed)
        near = None if known is None else self._naming.whole(known)
        found = self.choose_nearest(near, policy)
        return None if found is None else self._naming.named_angles(found)
