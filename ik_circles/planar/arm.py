"""The planar arm with three revolute joints: its description, its motion and its questions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ik_circles.errors import InvalidArmError, NotFiniteError
from ik_circles.geometry.angles import CONTINUOUS, TURN, Limits, wrap
from ik_circles.planar import batch, inverse, selection
from ik_circles.planar import orientations as orientation
from ik_circles.planar import verdict as reachability
from ik_circles.planar.batch import ReachabilityBatch
from ik_circles.planar.inverse import solutions
from ik_circles.planar.model import (
    TOLERANCE,
    JointPositions,
    Pose2D,
    _checked_lengths,
    _checked_limits,
)
from ik_circles.planar.outline import Boundary
from ik_circles.planar.verdict import Reachability
from ik_circles.planar.workspace import Workspace
from ik_circles.planar.zones import SafeZones


@dataclass(frozen=True)
class PlanarArm:
    """Three links and three revolute joints in a plane, the base joint at the origin.

    Parameters
    ----------
    link_lengths : three lengths [m], each at least 0, not all 0
    joint_limits : for each joint `(lower, upper)` [rad], or None for a continuous joint;
        None for three continuous joints

    All angles are counter-clockwise; joint angles are relative to the link before, so that the
    tool's orientation is `phi = q1 + q2 + q3`.

    Raises
    ------
    InvalidArmError, NotFiniteError
    """

    link_lengths: tuple[float, float, float]
    joint_limits: tuple[Limits | None, Limits | None, Limits | None] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, 'link_lengths', _checked_lengths(self.link_lengths))
        object.__setattr__(self, 'joint_limits', _checked_limits(self.joint_limits))

    @cached_property
    def max_reach(self) -> float:
        """Outer safe zone [m]: the sum of the links."""
        return sum(self.link_lengths)

    @cached_property
    def min_reach(self) -> float:
        """Inner safe zone [m]: what the longest link has left when the others fold back."""
        return max(0.0, 2.0 * max(self.link_lengths) - sum(self.link_lengths))

    @cached_property
    def tolerance(self) -> float:
        """TOLERANCE in metres of this arm."""
        return TOLERANCE * self.max_reach

    @cached_property
    def limits(self) -> tuple[Limits, Limits, Limits]:
        """Joint limits [rad] with (-inf, inf) for a continuous joint."""
        a, b, c = self.joint_limits or (None, None, None)
        return a or CONTINUOUS, b or CONTINUOUS, c or CONTINUOUS

    @cached_property
    def triangle(self) -> inverse.Triangle:
        """Constants of the triangle of base, elbow and wrist."""
        return inverse.Triangle.of(self)

    @cached_property
    def triangle_numbers(self) -> tuple[float, ...]:
        """The same as a plain tuple, which Python takes apart twice as fast."""
        return tuple(self.triangle)

    @cached_property
    def safe_zones(self) -> SafeZones:
        """Ring from `min_reach` to `max_reach`, which joint limits may cut into."""
        return SafeZones.of(self)

    @cached_property
    def has_families(self) -> bool:
        """Whether a link without length, or two, lets families of joint triples reach points."""
        length_1, length_2, length_3 = (length <= self.tolerance for length in self.link_lengths)
        equal = abs(self.link_lengths[0] - self.link_lengths[1]) <= self.tolerance
        return length_1 or length_2 or (length_3 and equal)

    @cached_property
    def has_continuous_joints(self) -> bool:
        """Whether a joint turns without end."""
        return any(lower == -math.inf for lower, _ in self.limits)

    @cached_property
    def cut_circles(self) -> orientation.CutCircles:
        """Circles that decide with which orientations a point can be reached."""
        return orientation.CutCircles.of(self)

    @cached_property
    def rounding_at_fold(self) -> float:
        """How far [rad] the tolerance can move a joint where the arm is straight or folded."""
        shortest = min(length for length in self.link_lengths if length > self.tolerance)
        return 4.0 * math.sqrt(self.tolerance / shortest)

    @overload
    def forward_kinematics(self, q: JointPositions) -> Pose2D: ...

    @overload
    def forward_kinematics(self, q: NDArray[np.float64]) -> NDArray[np.float64]: ...

    def forward_kinematics(
        self, q: JointPositions | ArrayLike
    ) -> Pose2D | NDArray[np.float64]:
        """Pose of the tool at joint positions `q` [rad]; arrays `(N, 3)` give poses `(N, 3)`."""
        if isinstance(q, tuple) and len(q) == 3:
            q1, q2, q3 = q
            return self._pose_at(q1, q1 + q2, q1 + q2 + q3)
        joints = np.asarray(q, dtype=float)
        if joints.ndim not in (1, 2) or joints.shape[-1] != 3:
            raise InvalidArmError(
                f'joint positions have shape {joints.shape}; give (3,) or (N, 3)'
            )
        directions = np.cumsum(joints, axis=-1)
        if joints.ndim == 1:
            return self._pose_at(*map(float, directions))
        lengths = np.array(self.link_lengths)
        x, y = np.cos(directions) @ lengths, np.sin(directions) @ lengths
        phi = np.pi - np.mod(np.pi - directions[:, 2], 2.0 * np.pi)
        return np.column_stack((x, y, phi))

    def _pose_at(self, upper_arm: float, forearm: float, tool: float) -> Pose2D:
        """Pose with the links in these directions [rad]."""
        length_1, length_2, length_3 = self.link_lengths
        cos, sin = math.cos, math.sin
        return Pose2D(
            length_1 * cos(upper_arm) + length_2 * cos(forearm) + length_3 * cos(tool),
            length_1 * sin(upper_arm) + length_2 * sin(forearm) + length_3 * sin(tool),
            wrap(tool),
        )

    def inverse_kinematics(
        self, x: float, y: float, phi: float, *, seed: Sequence[float] | None = None
    ) -> list[JointPositions]:
        """Every joint triple inside the limits that puts the tool at `(x, y, phi)`.

        Order: elbow up (left of the line from base to wrist) before elbow down, then ascending by
        joint where a limit range allows several turns. Where a whole family of triples reaches the
        pose (wrist on the base with equal links, a link of length 0), one of it is given: the one
        nearest to `seed`, or to zero without one.
        """
        if seed is not None:
            seed = _checked_seed(seed)
        found = solutions(self, x, y, phi, seed)
        if not found and not math.isfinite(x + y + phi):
            _check_finite(x=x, y=y, phi=phi)
        return found

    def orientation_intervals(self, x: float, y: float) -> list[tuple[float, float]]:
        """Exactly the orientations `phi` with which `(x, y)` can be reached inside the limits.

        Returns
        -------
        `(lower, upper)` [rad], ascending, disjoint, with lower in (-pi, pi] and upper at least
        lower and less than a turn above it; a single orientation has lower == upper; every
        orientation is `[(-pi, pi)]`; `[]` if the point cannot be reached.
        """
        _check_finite(x=x, y=y)
        return reachability.orientations(self, x, y)

    def check_reachability(self, x: float, y: float, phi: float | None = None) -> Reachability:
        """Can the tip be at `(x, y)`, with orientation `phi` if one is given? See Reachability."""
        if not math.isfinite(x + y + (phi or 0.0)):
            _check_finite(x=x, y=y, phi=phi or 0.0)
        return reachability.check(self, (x, y), phi, self.safe_zones)

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
    ) -> JointPositions | None:
        """The one solution that the policy chooses, or None if the target cannot be reached.

        Parameters
        ----------
        seed : joint positions [rad] that the solution should be near to; as near to zero as the
            limits allow without one
        branch : 'nearest' (largest joint change smallest), 'elbow_up' or 'elbow_down' (the other
            elbow only where the named one has no solution)
        orientation_mode : 'fixed' (phi or nothing), 'preferred' (phi, else the nearest that
            works), 'free' (phi is ignored: the seed's orientation or the nearest to it), 'centred'
            (the middle of the widest interval; also what the others do without phi and seed)
        orientation_tolerance : how far [rad] the nearest that works may be from a preferred phi
        """
        _check_finite(x=x, y=y, phi=phi or 0.0)
        policy = selection.Policy(branch, orientation_mode, orientation_tolerance)
        return selection.solve(self, x, y, phi, _checked_seed(seed), policy)

    def solve_batch(
        self,
        targets: ArrayLike,
        *,
        seed: ArrayLike | None = None,
        branch: str = 'nearest',
        orientation_mode: str = 'preferred',
        orientation_tolerance: float = math.pi,
    ) -> NDArray[np.float64]:
        """`solve` for positions (N, 2) or poses (N, 3): joint positions (N, 3) [rad], NaN for None.

        `seed` is one for all (3,) or one for each (N, 3).
        """
        policy = selection.Policy(branch, orientation_mode, orientation_tolerance)
        rows = _checked_targets(targets)
        near = None if seed is None else np.asarray(seed, dtype=float)
        if near is not None and not (near.shape in ((3,), (len(rows), 3)) and _finite(near)):
            raise InvalidArmError(
                f'the seed has shape {near.shape}; give finite numbers, (3,) or ({len(rows)}, 3)'
            )
        return batch.solve(self, rows, near, policy)

    def check_reachability_batch(self, targets: ArrayLike) -> ReachabilityBatch:
        """`check_reachability` for positions (N, 2) or poses (N, 3), as arrays."""
        return batch.check(self, _checked_targets(targets))

    @overload
    def dexterity(self, x: float, y: float) -> float: ...

    @overload
    def dexterity(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]: ...

    def dexterity(self, x: ArrayLike, y: ArrayLike) -> float | NDArray[np.float64]:
        """Share of the full turn with which a point can be reached, 0 to 1.

        Arrays of one shape give a capability map of that shape.
        """
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            widths = (upper - lower for lower, upper in self.orientation_intervals(x, y))
            return min(sum(widths) / TURN, 1.0)
        columns = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        points = _checked_targets(np.column_stack([column.ravel() for column in columns]))
        return batch.dexterity(self, points[:, 0], points[:, 1]).reshape(columns[0].shape)

    def workspace_boundary(self) -> Boundary:
        """The exact outline of the workspace as circular arcs, holes included."""
        return self.workspace.boundary

    @cached_property
    def workspace(self) -> Workspace:
        """Critical arcs and outline, computed when they are first needed."""
        return Workspace(self)

    @staticmethod
    def pose(x: float, y: float, phi: float) -> Pose2D:
        """A pose of the tool."""
        return Pose2D(x, y, phi)








def _checked_seed(seed: Sequence[float] | None) -> JointPositions | None:
    if seed is None:
        return None
    if len(seed) != 3:
        raise InvalidArmError(f'the seed has {len(seed)} joint positions; give 3')
    q1, q2, q3 = (float(position) for position in seed)
    _check_finite(seed_1=q1, seed_2=q2, seed_3=q3)
    return q1, q2, q3


def _checked_targets(targets: ArrayLike) -> NDArray[np.float64]:
    rows = np.asarray(targets, dtype=float)
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise InvalidArmError(
            f'targets have shape {rows.shape}; give positions (N, 2) or poses (N, 3)'
        )
    if not _finite(rows):
        row = int(np.argmin(np.isfinite(rows).all(axis=1)))
        raise NotFiniteError(f'target {row} is {rows[row]}; it must be finite numbers')
    return rows


def _finite(values: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(values).all())


def _check_finite(**values: float) -> None:
    for name, value in values.items():
        if not math.isfinite(value):
            raise NotFiniteError(f'{name} is {value}; it must be a finite number')
