# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""`PlanarArm`: the questions to an arm with three revolute joints in a plane."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from ik_circles.geometry import checks, joint_values
from ik_circles.geometry.arguments import takes_one, takes_x_and_y
from ik_circles.geometry.arrays import Floats
from ik_circles.geometry.cached import cached_property
from ik_circles.geometry.checks import MOST_ANGLE
from ik_circles.planar import selection
from ik_circles.planar.batch import Batch, ReachabilityBatch
from ik_circles.planar.floor import FloorSolver, FloorWorkspace
from ik_circles.planar.inverse import PoseSolver
from ik_circles.planar.lines import straight
from ik_circles.planar.lines.straight import StraightLine
from ik_circles.planar.model import ArmModel, JointPositions
from ik_circles.planar.orientations import Orientations
from ik_circles.planar.outline import Boundary
from ik_circles.planar.redundancy.rules import (
    KEEP_ORIENTATION,
    Redundancy,
    candidates,
)
from ik_circles.planar.selection import Policy
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.workspace import Workspace
from ik_circles.planar.zones import SafeZones

#: Numbers of these types are used as they are. With others, the joint positions might become
#: arrays, or be as coarse as a number of 32 bits.
PLAIN = frozenset((float, int, np.float64))


@dataclass(frozen=True)
class PlanarArm(ArmModel):
    """Three links and three revolute joints in a plane, the base joint at the origin.

    All angles are counter-clockwise. A joint angle is measured from the link before it, so the
    orientation of the tool is `phi = q1 + q2 + q3`.

    Parameters
    ----------
    link_lengths : sequence of three floats
        Lengths of the links [m], each at least 0, not all 0. A total of more than 100 m
        gives a warning: it is probably in millimeters.
    joint_limits : sequence of three (lower, upper) or None, optional
        Limits of each joint [rad], at most five turns apart, or None for a continuous joint. None
        for all limits means three continuous joints.
    floor : Floor, optional
        A floor that elbow, wrist and tip stay above.

    Raises
    ------
    InvalidArmError
        If lengths or limits do not describe an arm.
    NotFiniteError
        If one of them is NaN or infinite.

    Examples
    --------
    >>> arm = PlanarArm((0.4, 0.3, 0.2), joint_limits=((-1.8, 1.8), (-2.2, 2.2), (-1.9, 1.9)))
    >>> len(arm.inverse_kinematics(0.6, 0.2, 0.5))
    2
    >>> arm.check_reachability(1.0, 0.2).message
    'too far by 0.120 m: the links reach 0.900 m from joint 1'
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if said := checks.links_in_millimeters('links', self.link_lengths):
            warnings.warn(said, stacklevel=3)  # in the caller's line: __init__ is between

    @cached_property
    def solver(self) -> PoseSolver:
        """Solver of poses, the first layer on the model."""
        return PoseSolver(self) if self.floor is None else FloorSolver(self, self.floor)

    @cached_property
    def orientations(self) -> Orientations:
        """Orientations of points, the second layer."""
        return self.workspace.orientations

    @cached_property
    def workspace(self) -> Workspace:
        """Outline and nearest points, the third layer."""
        solver = self.solver
        if isinstance(solver, FloorSolver):
            return FloorWorkspace(solver)
        return Workspace(Orientations(solver))

    @cached_property
    def _batch(self) -> Batch:
        return Batch(self.workspace)

    @cached_property
    def safe_zones(self) -> SafeZones:
        """Ring from `min_reach` to `max_reach`, which joint limits may cut into."""
        return self.workspace.safe_zones

    def inverse_kinematics(
        self, x: float, y: float, phi: float, *, seed: Sequence[float] | None = None
    ) -> list[JointPositions]:
        """Return every joint triple inside the limits that puts the tool at a pose.

        Parameters
        ----------
        x, y : float
            Position of the tip [m].
        phi : float
            Orientation of the tool [rad].
        seed : sequence of three floats, optional
            Joint positions [rad], used only if a whole family of triples reaches the pose: if the
            wrist is on the base and the links are equal, or if a link has length 0. The answer has
            the member nearest to the seed; without a seed, the one nearest to zero. If links have
            length 0, the nearest member with the other elbow follows it, if there is one.

        Returns
        -------
        list of tuples of three floats
            Joint positions [rad]: elbow up (left of the line from base to wrist) before elbow down.
            If the limits allow several turns, they ascend by joint.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If the seed does not have three numbers; if phi is more than five turns, or the seed of
            a joint more than a turn past its limits.
        """
        near = None if seed is None else joint_values.seed(seed, self.limits)
        if type(x) in PLAIN and type(y) in PLAIN and type(phi) in PLAIN and abs(phi) <= MOST_ANGLE:
            try:
                found = self.solver.solutions(x, y, phi, near)
                if found or math.isfinite(x + y):
                    return found
            except (ValueError, ArithmeticError):
                pass  # numbers that are not finite, which are refused below
        return self.solver.solutions(*checks.pose(x, y, phi), near)

    @takes_x_and_y
    def orientation_intervals(self, x: float, y: float) -> list[tuple[float, float]]:
        """Return exactly the orientations with which a point can be reached inside the limits.

        Parameters
        ----------
        x, y : float
            Position of the tip [m].

        Returns
        -------
        list of tuples of two floats
            `(lower, upper)` [rad], ascending and disjoint. `lower` is in (-pi, pi], and `upper` is
            at least `lower` and less than a turn above it. A single orientation has lower == upper;
            all orientations are `[(-pi, pi)]`. Empty if the point cannot be reached.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        """
        return self.workspace.orientation_intervals(checks.number('x', x), checks.number('y', y))

    @takes_x_and_y
    def check_reachability(self, x: float, y: float, phi: float | None = None) -> Reachability:
        """Return whether the tip can be at a point, why not, and the nearest pose that works.

        Parameters
        ----------
        x, y : float
            Position of the tip [m].
        phi : float, optional
            Orientation of the tool [rad]; by default, any orientation is good.

        Returns
        -------
        Reachability
            The verdict.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If phi is more than five turns.
        """
        is_sound = isinstance(x, float) and isinstance(y, float) and math.isfinite(x + y)
        if not (is_sound and (phi is None or (isinstance(phi, float) and abs(phi) <= MOST_ANGLE))):
            x, y = checks.number('x', x), checks.number('y', y)
            phi = None if phi is None else checks.angle('phi', phi)
        workspace = self.workspace
        return Reachability(workspace, (x, y), phi, workspace.safe_zones)

    @takes_x_and_y
    def solve(
        self,
        x: float,
        y: float,
        phi: float | None = None,
        *,
        seed: Sequence[float] | None = None,
        branch: str = 'nearest',
        orientation_mode: str = 'preferred',
        orientation_tolerance: float = math.pi,
        redundancy: str = KEEP_ORIENTATION,
        z_form_k: float = 0.5,
    ) -> JointPositions | None:
        """Return one solution. Only orientation_mode 'fixed' guarantees that it has the given phi.

        Parameters
        ----------
        x, y : float
            Position of the tip [m].
        phi : float, optional
            Orientation of the tool [rad].
        seed : sequence of three floats, optional
            Joint positions [rad] to stay near to; by default, as near to zero as the limits allow.
        branch : str
            'nearest' (smallest largest joint change), 'elbow_up' or 'elbow_down' (the other elbow
            only if the named one has no solution). A phi that is asked for counts more than the
            branch, and the branch counts more than any other orientation.
        orientation_mode : str
            'fixed': phi or nothing. 'preferred': phi, else the nearest orientation that works.
            'free': phi is ignored. The seed's orientation is taken, or the nearest to it, unless
            that moves a joint much farther than other solutions near the seed. 'fixed' and
            'preferred' do the same without a phi. 'centered': the middle of the widest interval.
            Without phi and seed, all modes do that.
        orientation_tolerance : float
            Largest difference between a preferred phi and the nearest orientation that works [rad].
        redundancy : str
            The choice if there is no phi, or it is ignored: 'keep_orientation' (as
            `orientation_mode` says), 'centered' (the middle of the widest interval), 'outermost'
            (the wrist as far out as possible) or 'z_form' (link 2 crosses the line to the target).
        z_form_k : float
            For 'z_form': the share of its length at which link 2 crosses that line, 0 to 1.

        Returns
        -------
        tuple of three floats, or None
            Joint positions [rad]; None if the target cannot be reached, or cannot be reached as
            `redundancy` asks.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If the seed does not have three numbers; if phi is more than five turns, or the seed of
            a joint is more than a turn past its limits.
        InvalidSettingError
            If another keyword has an invalid value.
        """
        x, y = checks.number('x', x), checks.number('y', y)
        phi = None if phi is None else checks.angle('phi', phi)
        near = joint_values.seed(seed, self.limits)
        policy = Policy(branch, orientation_mode, orientation_tolerance)
        kind = Redundancy(redundancy, z_form_k)
        asked = phi if policy.heeds_target else None
        if asked is not None or redundancy == KEEP_ORIENTATION:
            return selection.solve(self.workspace, x, y, asked, near, policy)
        found = candidates(self.workspace, x, y, near, policy, kind)
        return selection.choose(self, found, near, branch)

    @takes_one('the point', 'start, ({})', after=1)
    def straight_line(
        self,
        start: Sequence[float],
        target: Sequence[float],
        *,
        orientation: str = straight.HELD,
    ) -> StraightLine[JointPositions]:
        """Return how much of a straight line the tip can follow without a jump.

        The line ends with the code FLOOR where a part of the arm would go below a floor; at share 0
        if it starts there.

        Parameters
        ----------
        start : sequence of three floats
            Joint positions [rad] at the start of the line, inside the limits. The line keeps their
            elbow and their turns.
        target : sequence of two floats
            End of the line `(x, y)` [m].
        orientation : str
            'held' (phi stays as it is at the start) or 'free' (phi may change, unless a joint can
            move by less than 1e-3 rad).

        Returns
        -------
        StraightLine
            The share that can be followed, why it ends there, and the joint positions on the way.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If a sequence has another length, or if a joint starts past its limit.
        InvalidSettingError
            If `orientation` has another value.
        """
        return straight.straight_line(
            self.solver, start, checks.point('target', target), orientation
        )

    def solve_batch(
        self,
        targets: ArrayLike,
        *,
        seed: ArrayLike | None = None,
        branch: str = 'nearest',
        orientation_mode: str = 'preferred',
        orientation_tolerance: float = math.pi,
    ) -> Floats:
        """Return the solutions of `solve` for many targets at once, without a loop over them.

        Parameters
        ----------
        targets : array of shape (N, 2) or (N, 3)
            Positions [m], or poses `(x, y, phi)` [m, m, rad].
        seed : array of shape (3,) or (N, 3), optional
            Joint positions to stay near to [rad]: one row for all targets, or one for each.
        branch : str
            As in `solve`.
        orientation_mode : str
            As in `solve`.
        orientation_tolerance : float
            As in `solve` [rad].

        Returns
        -------
        array of shape (N, 3)
            Joint positions [rad]; NaN where `solve` returns None.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If an array has another shape, or has angles that `solve` refuses.
        InvalidSettingError
            If branch, mode or tolerance has a value that `solve` refuses.
        """
        policy = Policy(branch, orientation_mode, orientation_tolerance)
        rows = checks.targets(targets)
        return self._batch.solve(rows, joint_values.seeds(seed, len(rows), self.limits), policy)

    def check_reachability_batch(self, targets: ArrayLike) -> ReachabilityBatch:
        """Return the verdicts of `check_reachability` for many targets at once, as arrays.

        Parameters
        ----------
        targets : array of shape (N, 2) or (N, 3)
            Positions [m], or poses `(x, y, phi)` [m, m, rad].

        Returns
        -------
        ReachabilityBatch
            The verdicts.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        InvalidArmError
            If the array has another shape, or if a phi is more than five turns.
        """
        return self._batch.check(checks.targets(targets))

    @overload
    def dexterity(self, x: float, y: float) -> float: ...

    @overload
    def dexterity(self, x: Floats, y: Floats) -> Floats: ...

    def dexterity(self, x: ArrayLike, y: ArrayLike) -> float | Floats:
        """Return the share of a full turn of the tool with which a point can be reached.

        Parameters
        ----------
        x, y : float, or arrays of one shape
            Positions of the tip [m].

        Returns
        -------
        float, or array of that shape
            Share of the orientations, 0 to 1. Over a grid it is a capability map.

        Raises
        ------
        NotFiniteError
            If a number is NaN or infinite.
        """
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            return self._batch.dexterity_at(checks.number('x', x), checks.number('y', y))
        columns = checks.same_shape(x=x, y=y)
        points = checks.targets(np.column_stack([column.ravel() for column in columns]))
        return self._batch.dexterity(points[:, 0], points[:, 1]).reshape(columns[0].shape)

    def workspace_boundary(self) -> Boundary:
        """Return the exact outline of the workspace as circular arcs, holes included.

        Returns
        -------
        Boundary
            The arcs, and the area that they enclose.
        """
        return self.workspace.boundary
