# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The verdict on a target, with joint positions by name."""

import math
from collections.abc import Mapping

from ik_circles.geometry.kinds import names_wrong_kinds
from ik_circles.planar.redundancy.rules import Redundancy
from ik_circles.planar.selection import Policy
from ik_circles.robot.naming import JointNaming, NamedPositions
from ik_circles.spatial.arm import Configuration, turned_near
from ik_circles.spatial.plane import TurnedAway
from ik_circles.spatial.points.verdict import SpatialReachability
from ik_circles.spatial.points.ways import Question


class RobotReachability(SpatialReachability):
    """Answer of `RobotArm.check_reachability`.

    At first, only `reachable` is computed; everything else when it is asked for.

    Attributes
    ----------
    code : Code
        The verdict: OK, or the reason why the arm cannot take the target.
    reachable : bool
        Whether the code is OK.
    """

    def __init__(self, question: Question, naming: JointNaming) -> None:
        super().__init__(question)
        self._naming = naming

    @property
    def message(self) -> str:
        """The reason, as a sentence with its figure; a "no" says where the wrist is held."""
        message, held = super().message, self._naming.wrist_at
        return message if self.reachable or not held else f'{message}; {with_wrist(held)}'

    @property
    def nearest_joint_positions(self) -> NamedPositions | None:
        """Joint positions by name at `nearest` [rad], each at the turn nearest to 0."""
        found = self.nearest_configuration
        if found is None:
            return None
        (turned,) = turned_near(self._arm, [found], self._naming.at_zero)
        return self._naming.named(turned)

    @property
    def solutions(self) -> list[NamedPositions]:
        """Every set of joint positions by name at `nearest` [rad]; [] if it is not reachable.

        Each joint is at the turn nearest to 0.
        """
        return self._turned(self.configurations, self._naming.at_zero)

    def all_near(self, seed: Mapping[str, float] | None) -> list[NamedPositions]:
        """Every set of joint positions by name at `nearest`, at the turns nearest to a seed.

        For a family, it is the member nearest to the seed.

        Parameters
        ----------
        seed : mapping of str to float, optional
            Positions of all commanded joints by name [rad]; 0 without one.

        Returns
        -------
        list of dict of str to float
            Joint positions by name [rad]; [] if the target is not reachable.
        """
        near = self._naming.seed(seed)
        if near is None or not self.reachable:
            return self.solutions
        found = [one for way in self._deciding for one in way.solutions_near(near)]
        return self._turned(found, near)

    def _turned(self, found: list[Configuration], near: Configuration) -> list[NamedPositions]:
        return [*map(self._naming.named, turned_near(self._arm, found, near))]

    @names_wrong_kinds
    def tilt_of(self, positions: Mapping[str, float]) -> float:
        """The angle between the orientation and the wanted one; without a yaw joint, of the plane.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad].

        Returns
        -------
        float
            The angle [rad]; 0 if no orientation was asked for.
        """
        return self.tilt_at(self._naming.configuration(positions))

    @names_wrong_kinds
    def turned_away_of(self, positions: Mapping[str, float]) -> TurnedAway:
        """How far heading, roll and pitch are from the wanted ones, if there is a yaw joint.

        Parameters
        ----------
        positions : mapping of str to float
            Joint positions by name [rad].

        Returns
        -------
        TurnedAway
            The angles [rad], 0 if no orientation was asked for.
        """
        return self.turned_away_at(self._naming.configuration(positions))

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
            The branch, and what may give way if an orientation is asked for.
        redundancy : Redundancy
            How the orientation is chosen if none is asked for.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if the target cannot be reached, or cannot be
            reached as `redundancy` asks.

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
        near = None if seed is None else self._naming.configuration(seed)
        found = self.choose(near, policy, redundancy)
        return None if found is None else self._naming.named(found)

    @names_wrong_kinds
    def solve_nearest(
        self, seed: Mapping[str, float] | None, policy: Policy, oriented: bool
    ) -> NamedPositions | None:
        """The one solution at `nearest` that the policy chooses, so an arm slides along an edge.

        At the edge of the workspace, axes that are only nearly parallel miss `nearest` by up to
        twice the slack.

        Parameters
        ----------
        seed : mapping of str to float, or None
            Positions of all commanded joints by name [rad] to stay near to.
        policy : Policy
            The branch, and what may give way.
        oriented : bool
            Whether the orientation of `nearest` is wanted, too.

        Returns
        -------
        dict of str to float, or None
            Joint positions by name [rad]; None if there is no `nearest`.
        """
        found = self.choose_nearest(self._naming.seed(seed), policy, oriented)
        return None if found is None else self._naming.named(found)


def with_wrist(held: Mapping[str, float]) -> str:
    """Where the wrist is held [rad], as part of a sentence."""
    rounded = {name: round(math.degrees(angle), 1) + 0.0 for name, angle in held.items()}  # no -0.0
    at = [f'{name} at {angle:.1f} deg' for name, angle in rounded.items()]
    return f'with {" and ".join(at)}'
